"""Layers without a family of their own: Dense, Embedding, Dropout, Flatten, and small ones."""

from __future__ import annotations

import math
from typing import Any

from jitcore import ops
from jitcore.common.initializer import Uniform, initializer
from jitcore.common.parameter import Parameter
from jitcore.nn import arguments
from jitcore.nn.activation import get_activation
from jitcore.nn.cell import Cell
from jitcore.types import f32


class Dense(Cell):
    """`activation(x @ weight.T + bias)`, over the last axis of x; weight (out, in), bias (out,).

    Without `weight_init` and `bias_init` the weight is normal with a deviation of 0.01 and the bias zero, as in
    MindSpore 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.in_channels = arguments.positive(in_channels, "in_channels", "Dense")
        self.out_channels = arguments.positive(out_channels, "out_channels", "Dense")
        if not isinstance(has_bias, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"has_bias of Dense is a bool, not {type(has_bias).__name__}")
        self.has_bias = has_bias
        shape = (self.out_channels, self.in_channels)
        weight = "normal" if weight_init is None else weight_init
        bias = "zeros" if bias_init is None else bias_init
        self.weight = Parameter(initializer(weight, shape, dtype), name="weight")
        self.bias = Parameter(initializer(bias, (self.out_channels,), dtype), name="bias") if has_bias else None
        self.activation = get_activation(activation)
        if self.activation is not None and not callable(self.activation):
            raise TypeError(f"activation of Dense is a name, a Cell or a function, not {type(activation).__name__}")

    def construct(self, x: Any) -> Any:
        """The layer applied to x (…, in)."""
        x = ops.dense(x, self.weight, self.bias)
        if self.activation is not None:
            x = self.activation(x)
        return x

    def extend_repr(self) -> str:
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        text += ", has_bias=True" if self.has_bias else ""
        return text + (f", activation={self.activation!r}" if self.activation is not None else "")


class BiDense(Cell):
    """x1 @ weight[k] @ x2 for every output k, plus a bias; weight (out, in1, in2)."""

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.in1_channels = arguments.positive(in1_channels, "in1_channels", "BiDense")
        self.in2_channels = arguments.positive(in2_channels, "in2_channels", "BiDense")
        self.out_channels = arguments.positive(out_channels, "out_channels", "BiDense")
        bound = Uniform(1 / math.sqrt(in1_channels))
        shape = (out_channels, in1_channels, in2_channels)
        self.has_bias = has_bias
        self.weight = Parameter(initializer(bound if weight_init is None else weight_init, shape, dtype), name="weight")
        made = initializer(bound if bias_init is None else bias_init, (out_channels,), dtype)
        self.bias = Parameter(made, name="bias") if has_bias else None

    def construct(self, input1: Any, input2: Any) -> Any:
        """The layer applied to (…, in1) and (…, in2)."""
        if input1.shape[-1] != self.in1_channels or input2.shape[-1] != self.in2_channels:
            raise ValueError(
                f"BiDense takes inputs of {self.in1_channels} and {self.in2_channels} channels, "
                f"not {input1.shape[-1]} and {input2.shape[-1]}"
            )
        by_first = ops.matmul(ops.reshape(input1, (-1, 1, 1, self.in1_channels)), self.weight)  # (N, out, 1, in2)
        shaped = ops.reshape(by_first, (*input1.shape[:-1], self.out_channels, self.in2_channels))
        out = (shaped * ops.expand_dims(input2, -2)).sum(-1)
        return out if self.bias is None else out + self.bias


class Identity(Cell):
    """What it is given."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__()

    def construct(self, x: Any) -> Any:
        """x."""
        return x


class Flatten(Cell):
    """x with the axes from `start_dim` to `end_dim` made one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Cell):
    """x with an axis split into several."""

    def __init__(self, axis: int, unflattened_size: tuple[int, ...]) -> None:
        super().__init__()
        self.axis = axis
        self.unflattened_size = tuple(unflattened_size)

    def construct(self, input_x: Any) -> Any:
        """The layer applied to x."""
        axis = self.axis if self.axis >= 0 else self.axis + input_x.ndim
        return ops.reshape(input_x, input_x.shape[:axis] + self.unflattened_size + input_x.shape[axis + 1 :])


class Dropout(Cell):
    """In training, elements set to zero with probability `p` (or 1 - keep_prob), the others scaled up; else x
    itself."""

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = f32) -> None:
        super().__init__()
        del dtype  # x's own
        if p is None and not 0 < keep_prob <= 1:
            raise ValueError(f"keep_prob of Dropout is a probability in (0, 1], not {keep_prob}")
        self.keep_prob = keep_prob
        self._by_kept = p is None
        self.p = 1 - keep_prob if p is None else arguments.probability(p, "p", "Dropout")

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        if not self.training or self.p == 0:
            return x
        return ops.dropout(x, self.p, True)

    def extend_repr(self) -> str:
        return f"keep_prob={self.keep_prob}" if self._by_kept else f"p={self.p}"


class _DropoutChannels(Cell):
    """In training, whole channels set to zero with probability `p`, the others scaled up; else x itself."""

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p of {type(self).__name__} is a probability in [0, 1], not {p}")
        self.p = float(p)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, …)."""
        if not self.training or self.p == 0:
            return x
        return ops.dropout1d(x, self.p, True)

    def extend_repr(self) -> str:
        return f"p={self.p}"


class Dropout1d(_DropoutChannels):
    """In training, whole channels of x (N, C, L) set to zero with probability `p`, the others scaled up."""


class Dropout2d(_DropoutChannels):
    """In training, whole channels of x (N, C, H, W) set to zero with probability `p`, the others scaled up."""


class Dropout3d(_DropoutChannels):
    """In training, whole channels of x (N, C, D, H, W) set to zero with probability `p`, the others scaled up."""


class Embedding(Cell):
    """The rows of a table (vocab_size, embedding_size) at int indices; the row of `padding_idx` begins as zeros."""

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = f32,
        padding_idx: int | None = None,
    ) -> None:
        super().__init__()
        shape = (
            arguments.positive(vocab_size, "vocab_size", "Embedding"),
            arguments.positive(embedding_size, "embedding_size", "Embedding"),
        )
        self.vocab_size, self.embedding_size = shape
        self.use_one_hot = use_one_hot
        self.padding_idx = padding_idx
        table = initializer(embedding_table, shape, dtype)
        if padding_idx is not None:
            if not 0 <= padding_idx < vocab_size:
                raise ValueError(f"padding_idx of Embedding is in [0, {vocab_size}), not {padding_idx}")
            table[padding_idx] = 0
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids: Any) -> Any:
        """The rows at the indices."""
        if self.use_one_hot:
            return ops.matmul(ops.one_hot(ids, self.vocab_size), self.embedding_table)
        return ops.gather(self.embedding_table, ids, 0)

    def extend_repr(self) -> str:
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, "
            f"use_one_hot={self.use_one_hot}, embedding_table={self.embedding_table!r}, "
            f"dtype={self.embedding_table.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingLookup(Cell):
    """The rows of a table (vocab_size, embedding_size) at int indices, shortened to a norm of `max_norm`."""

    BATCH_SLICE = "batch_slice"
    FIELD_SLICE = "field_slice"
    TABLE_ROW_SLICE = "table_row_slice"
    TABLE_COLUMN_SLICE = "table_column_slice"

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        manual_shapes: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        vocab_cache_size: int = 0,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        del target, slice_mode, manual_shapes, sparse, vocab_cache_size  # ways to spread it over devices
        shape = (
            arguments.positive(vocab_size, "vocab_size", "EmbeddingLookup"),
            arguments.positive(embedding_size, "embedding_size", "EmbeddingLookup"),
        )
        self.vocab_size, self.embedding_size = shape
        self.max_norm = max_norm
        self.embedding_table = Parameter(initializer(param_init, shape, dtype), name="embedding_table")

    def construct(self, indices: Any) -> Any:
        """The rows at the indices."""
        rows = ops.gather(self.embedding_table, indices, 0)
        if self.max_norm is not None:
            norm = ops.sqrt((rows * rows).sum(-1, keepdims=True))
            rows = ops.where(norm > self.max_norm, rows * (self.max_norm / ops.maximum(norm, 1e-12)), rows)
        return rows
