"""Embeddings of several features of a sample, combined field by field."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn import arguments
from jitcore.nn.layers import EmbeddingLookup


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Rows of a table times weights, summed ('SUM'), averaged ('MEAN', by the weights' sizes) or the largest elements
    of ('MAX') in each field: (batch, fields, embedding_size). A field without weights is zeros.

    >>> from jitcore import Tensor, int32
    >>> fields = MultiFieldEmbeddingLookup(10, 2, field_size=2)
    >>> rows, weights = Tensor([[2, 4, 6]], int32), Tensor([[1.0, 1.0, 0.5]])
    >>> fields(rows, weights, Tensor([[0, 1, 1]], int32)).shape
    (1, 2, 2)
    """

    OPERATOR_SUM = "SUM"
    OPERATOR_MEAN = "MEAN"
    OPERATOR_MAX = "MAX"

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        field_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        feature_num_list: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        operator: str = "SUM",
    ) -> None:
        super().__init__(vocab_size, embedding_size, param_init, target, slice_mode, feature_num_list, max_norm, sparse)
        self.field_size = arguments.positive(field_size, "field_size", "MultiFieldEmbeddingLookup")
        if operator not in ("SUM", "MEAN", "MAX"):
            raise ValueError(f"operator of MultiFieldEmbeddingLookup is 'SUM', 'MEAN' or 'MAX', not {operator!r}")
        self.operator = operator

    def construct(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, input_indices: Any, input_values: Any, field_ids: Any
    ) -> Any:
        """The fields' vectors; indices, weights and numbers of fields are (batch, features)."""
        batch, features = input_indices.shape
        weights = ops.expand_dims(input_values, 2)
        rows = EmbeddingLookup.construct(self, input_indices) * weights
        places = ops.expand_dims(ops.arange(batch), 1) * self.field_size + field_ids
        flat = ops.reshape(places, (batch * features,))
        count = batch * self.field_size
        sizes = ops.reshape(ops.abs(weights), (batch * features, 1))
        total = ops.unsorted_segment_sum(sizes, flat, count)
        if self.operator == "MAX":
            rows = ops.where(weights == 0, -3.402823466e38, rows)
            best = ops.unsorted_segment_max(ops.reshape(rows, (batch * features, self.embedding_size)), flat, count)
            made = ops.where(total == 0, 0.0, best)
        else:
            made = ops.unsorted_segment_sum(ops.reshape(rows, (batch * features, self.embedding_size)), flat, count)
            if self.operator == "MEAN":
                made = ops.where(total == 0, 0.0, made / ops.where(total == 0, 1.0, total))
        return ops.reshape(made, (batch, self.field_size, self.embedding_size))
