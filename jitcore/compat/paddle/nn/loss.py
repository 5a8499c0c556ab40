"""Losses, as Layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from jitcore.compat.paddle.networks import loss as functional
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.runtime.tensor import Tensor

Distance: TypeAlias = Callable[[Any, Any], Any]


def _require_reduction(reduction: str, name: str, more: tuple[str, ...] = ()) -> None:
    if reduction not in ("sum", "mean", "none", *more):
        raise ValueError(
            f"The value of 'reduction' in {name} should be 'sum', 'mean' or 'none', but received {reduction}, which is "
            "not allowed."
        )


class MSELoss(Layer):
    """The mean of squares of differences."""

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        _require_reduction(reduction, "MSELoss")
        self.reduction = reduction

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.mse_loss(input, label, reduction=self.reduction)


class L1Loss(Layer):
    """The mean of sizes of differences."""

    def __init__(self, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        _require_reduction(reduction, "L1Loss")
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.l1_loss(input, label, reduction=self.reduction)


class SmoothL1Loss(Layer):
    """Squares of small differences, sizes of large ones."""

    def __init__(
        self, reduction: str = "mean", delta: float = 1.0, is_huber: bool = True, name: str | None = None
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "SmoothL1Loss")
        self.reduction = reduction
        self.delta = delta
        self.is_huber = is_huber
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.smooth_l1_loss(
            input, label, reduction=self.reduction, delta=self.delta, is_huber=self.is_huber
        )


class PoissonNLLLoss(Layer):
    """The negative logarithm of Poisson's distribution."""

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        epsilon: float = 1e-8,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "PoissonNLLLoss")
        self.log_input = log_input
        self.full = full
        self.epsilon = epsilon
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.poisson_nll_loss(
            input, label, log_input=self.log_input, full=self.full, epsilon=self.epsilon, reduction=self.reduction
        )


class KLDivLoss(Layer):
    """The divergence of Kullback and Leibler."""

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__()
        _require_reduction(reduction, "KLDivLoss", ("batchmean",))
        self.reduction = reduction
        self.log_target = log_target

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.kl_div(input, label, reduction=self.reduction, log_target=self.log_target)


class GaussianNLLLoss(Layer):
    """The negative logarithm of a normal distribution."""

    def __init__(
        self, full: bool = False, epsilon: float = 1e-6, reduction: str = "mean", name: str | None = None
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "GaussianNLLLoss")
        self.full = full
        self.epsilon = epsilon
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor, variance: Tensor) -> Any:
        return functional.gaussian_nll_loss(
            input, label, variance, full=self.full, epsilon=self.epsilon, reduction=self.reduction
        )


class MarginRankingLoss(Layer):
    """How far a pair is from its order."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        _require_reduction(reduction, "MarginRankingLoss")
        self.margin = margin
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, other: Tensor, label: Tensor) -> Any:
        return functional.margin_ranking_loss(input, other, label, margin=self.margin, reduction=self.reduction)


class HingeEmbeddingLoss(Layer):
    """Distances of what is alike, and what lacks of a margin of what is not."""

    def __init__(self, margin: float = 1.0, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        _require_reduction(reduction, "HingeEmbeddingLoss")
        self.margin = margin
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.hinge_embedding_loss(input, label, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(Layer):
    """Angles of what is alike, and what is over a margin of what is not."""

    def __init__(self, margin: float = 0, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        _require_reduction(reduction, "CosineEmbeddingLoss")
        self.margin = margin
        self.reduction = reduction
        self.name = name

    def forward(self, input1: Tensor, input2: Tensor, label: Tensor) -> Any:
        return functional.cosine_embedding_loss(input1, input2, label, margin=self.margin, reduction=self.reduction)


class TripletMarginLoss(Layer):
    """How much nearer the like one is than the other."""

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        epsilon: float = 1e-6,
        swap: bool = False,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "TripletMarginLoss")
        self.margin = margin
        self.p = p
        self.epsilon = epsilon
        self.swap = swap
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, positive: Tensor, negative: Tensor) -> Any:
        return functional.triplet_margin_loss(
            input,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            epsilon=self.epsilon,
            swap=self.swap,
            reduction=self.reduction,
        )


class TripletMarginWithDistanceLoss(Layer):
    """The same, by any distance."""

    def __init__(
        self,
        distance_function: Distance | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "TripletMarginWithDistanceLoss")
        self.distance_function = distance_function
        self.margin = margin
        self.swap = swap
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, positive: Tensor, negative: Tensor) -> Any:
        return functional.triplet_margin_with_distance_loss(
            input,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


class MultiMarginLoss(Layer):
    """By how much the right class is not a margin ahead."""

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "MultiMarginLoss")
        self.p = p
        self.margin = margin
        self.weight = weight
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.multi_margin_loss(
            input, label, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


class MultiLabelMarginLoss(Layer):
    """The same, of several classes."""

    def __init__(self, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        _require_reduction(reduction, "MultiLabelMarginLoss")
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.multi_label_margin_loss(input, label, reduction=self.reduction)


class MultiLabelSoftMarginLoss(Layer):
    """Logistic losses of several classes."""

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        _require_reduction(reduction, "MultiLabelSoftMarginLoss")
        self.weight = weight
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.multi_label_soft_margin_loss(input, label, weight=self.weight, reduction=self.reduction)


class SoftMarginLoss(Layer):
    """Logistic losses of labels 1 and -1."""

    def __init__(self, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        _require_reduction(reduction, "SoftMarginLoss")
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.soft_margin_loss(input, label, reduction=self.reduction)


class BCELoss(Layer):
    """The cross entropy of probabilities of two classes."""

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        _require_reduction(reduction, "BCELoss")
        self.weight = weight
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.binary_cross_entropy(input, label, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(Layer):
    """The cross entropy of two classes, of scores."""

    def __init__(
        self,
        weight: Tensor | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "BCEWithLogitsLoss")
        self.weight = weight
        self.reduction = reduction
        self.pos_weight = pos_weight
        self.name = name

    def forward(self, logit: Tensor, label: Tensor) -> Any:
        return functional.binary_cross_entropy_with_logits(
            logit, label, weight=self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


class NLLLoss(Layer):
    """The negative logarithm of the right class."""

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean", name: str | None = None
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "NLLLoss")
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = reduction
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.nll_loss(
            input, label, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class CrossEntropyLoss(Layer):
    """The cross entropy of classes."""

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        soft_label: bool = False,
        axis: int = -1,
        use_softmax: bool = True,
        label_smoothing: float = 0.0,
        name: str | None = None,
    ) -> None:
        super().__init__()
        _require_reduction(reduction, "CrossEntropyLoss")
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = reduction
        self.soft_label = soft_label
        self.axis = axis
        self.use_softmax = use_softmax
        self.label_smoothing = label_smoothing
        self.name = name

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return functional.cross_entropy(
            input,
            label,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            soft_label=self.soft_label,
            axis=self.axis,
            use_softmax=self.use_softmax,
            label_smoothing=self.label_smoothing,
        )


class CTCLoss(Layer):
    """The negative logarithm of all alignments of labels (Graves et al. 2006)."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__()
        _require_reduction(reduction, "CTCLoss")
        self.blank = blank
        self.reduction = reduction
        self.zero_infinity = zero_infinity

    def forward(
        self,
        log_probs: Tensor,
        labels: Tensor,
        input_lengths: Tensor,
        label_lengths: Tensor,
        norm_by_times: bool = False,
    ) -> Any:
        return functional.ctc_loss(
            log_probs,
            labels,
            input_lengths,
            label_lengths,
            self.blank,
            self.reduction,
            norm_by_times,
            self.zero_infinity,
        )
