"""Losses as Cells."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.library.core.marking import library
from jitcore.library.nn import cross_entropy, losses
from jitcore.nn.cell import Cell

_huber_loss = library("tensor")(losses.huber_loss)
_bce_with_logits = library("tensor")(cross_entropy.bce_with_logits)
_kl_div = library("tensor")(losses.kl_div)
_cosine_embedding_loss = library("tensor")(losses.cosine_embedding_loss)
_margin_ranking_loss = library("tensor")(losses.margin_ranking_loss)
_hinge_embedding_loss = library("tensor")(losses.hinge_embedding_loss)
_soft_margin_loss = library("tensor")(losses.soft_margin_loss)


class LossBase(Cell):
    """A loss with a `reduction`: 'mean', 'sum' or 'none'."""

    reductions: tuple[str, ...] = ("mean", "sum", "none")

    def __init__(self, reduction: str | None = "mean") -> None:
        super().__init__()
        name = "none" if reduction is None else reduction
        if name not in self.reductions:
            raise ValueError(f"reduction of {type(self).__name__} is 'mean', 'sum' or 'none', not {reduction!r}")
        self.reduction = name

    def get_axis(self, x: Any) -> tuple[int, ...]:
        """All axes of x."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Any, weights: Any = 1.0) -> Any:
        """Losses weighted and reduced."""
        x = x * weights
        if self.reduction == "mean":
            return x.mean()
        if self.reduction == "sum":
            return x.sum()
        return x


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


class RMSELoss(LossBase):
    """The root of the mean of the squared differences."""

    def __init__(self) -> None:
        super().__init__()

    def construct(self, logits: Any, label: Any) -> Any:
        """The loss."""
        return ops.sqrt(ops.mse_loss(logits, label, "mean"))


class L1Loss(LossBase):
    """The absolute differences."""

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.l1_loss(logits, labels, self.reduction)


class MAELoss(L1Loss):
    """The absolute differences."""


class SmoothL1Loss(LossBase):
    """Squared differences below `beta`, absolute ones above."""

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        if beta <= 0:
            raise ValueError(f"beta of SmoothL1Loss must be positive, but is {beta}")
        self.beta = beta

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """Half the squared differences below `delta`, straight lines above (Huber 1964)."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        if delta <= 0:
            raise ValueError(f"delta of HuberLoss must be positive, but is {delta}")
        self.delta = float(delta)

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return _huber_loss(logits, labels, self.reduction, self.delta)


class SoftMarginLoss(LossBase):
    """log(1 + exp(-label * logit)), for labels of 1 and -1."""

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return _soft_margin_loss(logits, labels, self.reduction)


class BCELoss(LossBase):
    """The cross entropy of probabilities against targets in [0, 1]."""

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """The cross entropy of sigmoid(logits) against targets in [0, 1]; `pos_weight` weighs the targets' share."""

    def __init__(self, reduction: str = "mean", weight: Any = None, pos_weight: Any = None) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return _bce_with_logits(logits, labels, self.weight, self.pos_weight, self.reduction)


class KLDivLoss(LossBase):
    """The Kullback-Leibler divergence of target probabilities from log probabilities; also 'batchmean'."""

    reductions = ("mean", "sum", "none", "batchmean")

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return _kl_div(logits, labels, self.reduction)


class CosineEmbeddingLoss(LossBase):
    """1 - cos(x1, x2) where the label is 1, max(0, cos - margin) where it is -1."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        if not -1 <= margin <= 1:
            raise ValueError(f"margin of CosineEmbeddingLoss is in [-1, 1], not {margin}")
        self.margin = float(margin)

    def construct(self, logits_x1: Any, logits_x2: Any, labels: Any) -> Any:
        """The loss."""
        return _cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class MarginRankingLoss(LossBase):
    """max(0, -target * (x1 - x2) + margin)."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = float(margin)

    def construct(self, input1: Any, input2: Any, target: Any) -> Any:
        """The loss."""
        return _margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """x where the label is 1, max(0, margin - x) where it is -1."""

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = float(margin)

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss."""
        return _hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class DiceLoss(LossBase):
    """1 - 2 |x y| / (x² + y²), with `smooth` added below."""

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        if smooth < 0:
            raise ValueError(f"smooth of DiceLoss must not be negative, but is {smooth}")
        self.smooth = float(smooth)

    def construct(self, logits: Any, label: Any) -> Any:
        """The loss."""
        both = (logits * label).sum()
        total = (logits * logits).sum() + (label * label).sum() + self.smooth
        return 1 - (2 * both) / total
