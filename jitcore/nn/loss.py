"""Losses as Cells."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn.cell import Cell


class LossBase(Cell):
    """A loss with a `reduction`: 'mean', 'sum' or 'none'."""

    def __init__(self, reduction: str | None = "mean") -> None:
        super().__init__()
        name = "none" if reduction is None else reduction
        if name not in ("mean", "sum", "none"):
            raise ValueError(f"reduction of {type(self).__name__} is 'mean', 'sum' or 'none', not {reduction!r}")
        self.reduction = name


class SoftmaxCrossEntropyWithLogits(LossBase):
    """The cross entropy of softmax(logits) (N, C) against probabilities (N, C), or if `sparse` class indices (N,).

    >>> from jitcore import Tensor
    >>> loss = SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    >>> print(f"{float(loss(Tensor([[0.0, 0.0]]), Tensor([1]))):.4f}")
    0.6931
    """

    def __init__(self, sparse: bool = False, reduction: str | None = "none") -> None:
        super().__init__(reduction)
        self.sparse = sparse

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.softmax_cross_entropy(logits, labels, sparse=self.sparse, reduction=self.reduction)


class CrossEntropyLoss(LossBase):
    """The cross entropy of softmax(logits) (N, C) against class indices (N,) or probabilities (N, C)."""

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", label_smoothing: float = 0.0
    ) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class NLLLoss(LossBase):
    """Minus the log probability (N, C) of each target class (N,)."""

    def __init__(self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight
        self.ignore_index = ignore_index

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class MSELoss(LossBase):
    """The squared differences."""

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.mse_loss(logits, labels, self.reduction)


class L1Loss(LossBase):
    """The absolute differences."""

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.l1_loss(logits, labels, self.reduction)


class SmoothL1Loss(LossBase):
    """Squared differences below `beta`, absolute ones above."""

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class BCELoss(LossBase):
    """The cross entropy of probabilities against targets in [0, 1]."""

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)
