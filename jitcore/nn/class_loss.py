"""Losses of several classes or labels at once, and of distributions, as Cells."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn.activation import get_activation
from jitcore.nn.cell import Cell
from jitcore.nn.loss import DiceLoss, LossBase
from jitcore.runtime.tensor import Tensor


def _require_number(value: Any, name: str, cell: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} of {cell} is a number, not {type(value).__name__}")
    return float(value)


def _require_weight(weight: Any, cell: str, name: str = "weight") -> Any:
    if weight is not None and not isinstance(weight, Tensor):
        raise TypeError(f"{name} of {cell} is a Tensor or None, not {type(weight).__name__}")
    return weight


class MultiMarginLoss(LossBase):
    """max(0, margin - x[y] + x[i])^p over the classes i other than the right one y, over how many there are."""

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean", weight: Any = None) -> None:
        super().__init__(reduction)
        if isinstance(p, bool) or not isinstance(p, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"p of MultiMarginLoss is an int, not {type(p).__name__}")
        if p not in (1, 2):
            raise ValueError(f"p of MultiMarginLoss is 1 or 2, not {p}")
        self.p = p
        self.margin = _require_number(margin, "margin", "MultiMarginLoss")
        self.weight = _require_weight(weight, "MultiMarginLoss")

    def construct(self, x: Any, target: Any, weight: Any = None) -> Any:
        """The loss of x (N, C) for class indices (N,)."""
        chosen = self.weight if weight is None else weight
        return ops.multi_margin_loss(x, target, self.p, self.margin, chosen, self.reduction)


class MultilabelMarginLoss(LossBase):
    """max(0, 1 - x[y] + x[i]) over the right classes y and the others i, over the number of classes. Labels (N, C) are
    class indices up to the first -1."""

    def construct(self, x: Any, target: Any) -> Any:
        """The loss of x (N, C) or (C,) for labels of the same shape."""
        scores = x if x.ndim == 2 else x.reshape(1, -1)
        labels = target if target.ndim == 2 else target.reshape(1, -1)
        classes = scores.shape[1]
        valid = ops.cumprod((labels >= 0).astype(ops.dtype(labels)), 1) > 0
        chosen = ops.where(valid, labels, 0)
        right = ops.logical_and(chosen.expand_dims(2) == ops.arange(classes), valid.expand_dims(2)).any(1)
        at = ops.gather_elements(scores, 1, chosen)
        gaps = 1 - at.expand_dims(2) + scores.expand_dims(1)
        counted = ops.logical_and(valid.expand_dims(2), ops.logical_not(right).expand_dims(1))
        each = ops.where(counted, ops.relu(gaps), 0).sum((1, 2)) / classes
        return self.get_loss(each if x.ndim == 2 else each.reshape(()))


class MultiLabelSoftMarginLoss(LossBase):
    """The mean over the labels of the cross entropy of sigmoid(x) against targets of 0 and 1."""

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, x: Any, target: Any) -> Any:
        """The loss of x (N, C)."""
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class TripletMarginLoss(LossBase):
    """max(0, |anchor - positive| - |anchor - negative| + margin), in the norm of `p`; `swap`: |positive - negative| if
    that is less."""

    def __init__(
        self, p: int = 2, swap: bool = False, eps: float = 1e-6, reduction: str = "mean", margin: Any = 1.0
    ) -> None:
        super().__init__(reduction)
        if isinstance(p, bool) or not isinstance(p, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"p of TripletMarginLoss is an int, not {type(p).__name__}")
        if not isinstance(swap, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"swap of TripletMarginLoss is a bool, not {type(swap).__name__}")
        self.p = p
        self.swap = swap
        self.eps = _require_number(eps, "eps", "TripletMarginLoss")
        self.margin = margin

    def construct(self, x: Any, positive: Any, negative: Any, margin: Any = None) -> Any:
        """The loss of anchors x (N, D)."""
        gap = self.margin if margin is None else margin
        return ops.triplet_margin_loss(x, positive, negative, gap, self.p, self.eps, self.swap, self.reduction)


class GaussianNLLLoss(LossBase):
    """Minus the log likelihood of targets under normal distributions; `full` counts the constant term."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        if not isinstance(full, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"full of GaussianNLLLoss is a bool, not {type(full).__name__}")
        self.full = full
        self.eps = _require_number(eps, "eps", "GaussianNLLLoss")
        if self.eps <= 0:
            raise ValueError(f"eps of GaussianNLLLoss must be positive, but is {eps}")

    def construct(self, logits: Any, labels: Any, var: Any) -> Any:
        """The loss of the means `logits` and variances `var`."""
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class PoissonNLLLoss(LossBase):
    """Minus the log likelihood of targets under Poisson distributions."""

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def construct(self, input: Any, target: Any) -> Any:
        """The loss of the logarithms of rates (of the rates themselves without `log_input`)."""
        return ops.poisson_nll_loss(input, target, self.log_input, self.full, self.eps, self.reduction)


class FocalLoss(LossBase):
    """The cross entropy of softmax(logits) with each term times (1 - p)^gamma (Lin et al. 2017)."""

    def __init__(self, weight: Any = None, gamma: float = 2.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.gamma = _require_number(gamma, "gamma", "FocalLoss")
        self.weight = _require_weight(weight, "FocalLoss")

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss of logits (N, C, …) for class indices (N, 1, …) or shares (N, C, …)."""
        if logits.ndim != labels.ndim:
            raise ValueError("logits and labels of FocalLoss have as many axes")
        if logits.shape[0] != labels.shape[0] or logits.shape[2:] != labels.shape[2:]:
            raise ValueError("logits and labels of FocalLoss have the same shape but for the classes")
        scores = logits.reshape(logits.shape[0], logits.shape[1], -1)
        wanted = labels.reshape(labels.shape[0], labels.shape[1], -1)
        by_class = ops.log_softmax(scores, 1)
        single = wanted.shape[1] == 1
        indices = wanted.astype("int32") if single else None
        log_probability = ops.gather_elements(by_class, 1, indices) if single else by_class
        factor = (1 - ops.exp(log_probability)) ** self.gamma
        if self.weight is not None:
            weights = ops.broadcast_to(self.weight.reshape(1, -1, 1), by_class.shape)
            log_probability = log_probability * (ops.gather_elements(weights, 1, indices) if single else weights)
        if single:
            return self.get_loss((-factor * log_probability)[:, 0].mean(1))
        return self.get_loss((-factor * wanted * log_probability).mean(-1))


class MultiClassDiceLoss(LossBase):
    """The mean of the Dice losses of the classes, each times its weight; one class may be ignored."""

    def __init__(self, weights: Any = None, ignore_indiex: int | None = None, activation: Any = "softmax") -> None:
        super().__init__()
        self.weights = _require_weight(weights, "MultiClassDiceLoss", "weights")
        if ignore_indiex is not None and not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
            ignore_indiex, int
        ):
            raise TypeError(f"ignore_indiex of MultiClassDiceLoss is an int, not {type(ignore_indiex).__name__}")
        self.ignore_indiex = ignore_indiex
        if isinstance(activation, str):
            activation = get_activation(activation)
        if activation is not None and not isinstance(activation, Cell):
            raise TypeError(f"activation of MultiClassDiceLoss is a str or a Cell, not {type(activation).__name__}")
        self.activation = activation
        self.binarydiceloss = DiceLoss()

    def construct(self, logits: Any, label: Any) -> Any:
        """The loss of logits (N, C, …) for shares (N, C, …)."""
        if logits.shape != label.shape:
            raise ValueError(f"logits and label of MultiClassDiceLoss have the shapes {logits.shape} and {label.shape}")
        if self.activation is not None:
            logits = self.activation(logits)
        total = 0.0
        for k in range(label.shape[1]):
            if k != self.ignore_indiex:
                each = self.binarydiceloss(logits[:, k], label[:, k])
                total = total + (each if self.weights is None else each * self.weights[k])
        return total / label.shape[-1]


class CTCLoss(LossBase):
    """Minus the log likelihood of label sequences, however they are spread over the steps (Graves et al. 2006)."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction)
        if isinstance(blank, bool) or not isinstance(blank, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"blank of CTCLoss is an int, not {type(blank).__name__}")
        if not isinstance(zero_infinity, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"zero_infinity of CTCLoss is a bool, not {type(zero_infinity).__name__}")
        self.blank = blank
        self.zero_infinity = zero_infinity

    def construct(self, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Any:
        """The loss of log probabilities (T, N, C) or (T, C) for targets (N, S), (S,) or all in a row."""
        single = log_probs.ndim == 2
        if single:
            log_probs = log_probs.expand_dims(1)
            targets = targets.expand_dims(0) if targets.ndim == 1 else targets
            input_lengths, target_lengths = _batch_of_one(input_lengths), _batch_of_one(target_lengths)
        made = ops.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
        loss = made[0] if isinstance(made, tuple) else made
        return loss[0] if single and self.reduction == "none" else loss


def _batch_of_one(length: Any) -> Any:
    if ops.is_tensor(length):
        return length.reshape(1)
    return length if isinstance(length, tuple | list) else (length,)
