"""Losses as operators."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation, indexing
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import add, multiply, subtract, true_divide
from jitcore.library.nn import losses, neural
from jitcore.library.nn.neural import reduced
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s


def _require_same_shape(a: Any, b: Any, name: str) -> None:
    if rank_of(a) != rank_of(b):
        raise ValueError(f"For '{name}', the Tensors must have the same shape.")
    for m, n in zip(shape_of(a), shape_of(b), strict=True):
        require_equal(m, n, f"For '{name}', the Tensors must have the same shape, not extents {{0}} and {{1}}.")


for _names, _function in {
    "cross_entropy": neural.cross_entropy,
    "nll_loss": neural.nll_loss,
    "mse_loss": neural.mse_loss,
    "l1_loss": neural.l1_loss,
    "softmax_cross_entropy": neural.softmax_cross_entropy,
}.items():
    operator(_names)(_function)


# --- of classes ---------------------------------------------------------------------------------------


@operator("SoftmaxCrossEntropyWithLogits softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(logits: Any, labels: Any) -> Any:
    """(losses, their gradients by the logits) of softmax(logits) against probabilities."""
    each = neural.softmax_cross_entropy(logits, labels, sparse=False)
    return each, subtract(neural.softmax(logits), labels)


@operator("SparseSoftmaxCrossEntropyWithLogits")
def sparse_softmax_cross_entropy(logits: Any, labels: Any, *, is_grad: Any = False) -> Any:
    """The mean cross entropy of softmax(logits) against class indices; with `is_grad` its gradient by the logits."""
    if not is_grad:
        return neural.softmax_cross_entropy(logits, labels, sparse=True, reduction="mean")
    rows, classes = shape_of(logits)
    hot = creation.one_hot(labels, evaluator().number(classes))
    return true_divide(subtract(neural.softmax(logits), hot), evaluator().number(rows))


@operator("NLLLoss")
def nll_loss_set_up(
    logits: Any, labels: Any, weight: Any, *, reduction: Any = "mean", ignore_index: Any = -100
) -> Any:  # fmt: skip
    """(the negative log likelihood, the total weight)."""
    a, target = as_float(logits), index_modes.wide(as_array(labels))
    counted = e.not_equal(target, static_int(ignore_index, "ignore_index"))
    weights = indexing.take(as_array(weight, dtype_of_value(a)), e.select(counted, target, 0), 0)
    total = reductions.sum(e.select(counted, weights, 0))
    return neural.nll_loss(a, target, weight, ignore_index, reduction), total


# --- of probabilities ---------------------------------------------------------------------------------


def _with_logits(logits: Any, label: Any, weight: Any, pos_weight: Any, reduction: Any) -> Any:
    _require_same_shape(as_array(logits), as_array(label), "binary_cross_entropy_with_logits")
    return losses.bce_with_logits(logits, label, weight, pos_weight, reduction)


@operator("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    logits: Any, label: Any, weight: Any = None, pos_weight: Any = None, reduction: Any = "mean"
) -> Any:
    """The binary cross entropy of sigmoid(logits)."""
    return _with_logits(logits, label, weight, pos_weight, reduction)


@operator("BCEWithLogitsLoss")
def bce_with_logits_set_up(
    logits: Any, label: Any, weight: Any = None, pos_weight: Any = None, *, reduction: Any = "mean"
) -> Any:
    """As `binary_cross_entropy_with_logits`."""
    return _with_logits(logits, label, weight, pos_weight, reduction)


@operator("SigmoidCrossEntropyWithLogits")
def sigmoid_cross_entropy_with_logits(logits: Any, label: Any) -> Any:
    """The binary cross entropies of sigmoid(logits)."""
    return _with_logits(logits, label, None, None, "none")


@operator("binary_cross_entropy")
def binary_cross_entropy(logits: Any, labels: Any, weight: Any = None, reduction: Any = "mean") -> Any:
    """The binary cross entropy of probabilities."""
    _require_same_shape(as_array(logits), as_array(labels), "binary_cross_entropy")
    return neural.binary_cross_entropy(logits, labels, weight, reduction)


@operator("BinaryCrossEntropy")
def binary_cross_entropy_set_up(logits: Any, labels: Any, weight: Any = None, *, reduction: Any = "mean") -> Any:
    """As `binary_cross_entropy`."""
    return binary_cross_entropy(logits, labels, weight, reduction)


@operator("kl_div")
def kl_div(logits: Any, labels: Any, reduction: Any = "mean") -> Any:
    """The Kullback-Leibler divergence labels * (log(labels) - logits), reduced."""
    return losses.kl_div(logits, labels, reduction)


@operator("KLDivLoss")
def kl_div_set_up(logits: Any, labels: Any, *, reduction: Any = "mean") -> Any:
    """As `kl_div`."""
    return losses.kl_div(logits, labels, reduction)


# --- of distances -------------------------------------------------------------------------------------


@operator("smooth_l1_loss")
def smooth_l1_loss(input: Any, target: Any, beta: Any = 1.0, reduction: Any = "none") -> Any:
    """Squared differences below `beta`, absolute ones above, reduced."""
    return neural.smooth_l1_loss(input, target, beta, reduction)


@operator("SmoothL1Loss")
def smooth_l1_loss_set_up(prediction: Any, target: Any, *, beta: Any = 1.0, reduction: Any = "none") -> Any:
    """As `smooth_l1_loss`."""
    return neural.smooth_l1_loss(prediction, target, beta, reduction)


@operator("huber_loss")
def huber_loss(input: Any, target: Any, reduction: Any = "mean", delta: Any = 1.0) -> Any:
    """Half the squared differences below `delta`, straight lines above."""
    return losses.huber_loss(input, target, delta, reduction)


@operator("soft_margin_loss")
def soft_margin_loss(input: Any, target: Any, reduction: Any = "mean") -> Any:
    """log(1 + exp(-target * input)), reduced."""
    return losses.soft_margin_loss(input, target, reduction)


@operator("SoftMarginLoss")
def soft_margin_loss_set_up(input: Any, target: Any, *, reduction: Any = "mean") -> Any:
    """As `soft_margin_loss`."""
    return soft_margin_loss(input, target, reduction)


@operator("margin_ranking_loss")
def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: Any = 0.0, reduction: Any = "mean") -> Any:
    """max(0, -target * (input1 - input2) + margin), reduced."""
    return losses.margin_ranking_loss(input1, input2, target, margin, reduction)


@operator("hinge_embedding_loss")
def hinge_embedding_loss(inputs: Any, targets: Any, margin: Any = 1.0, reduction: Any = "mean") -> Any:
    """The input where the target is 1, max(0, margin - input) where it is -1, reduced."""
    return losses.hinge_embedding_loss(inputs, targets, margin, reduction)


@operator("cosine_embedding_loss")
def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: Any = 0.0, reduction: Any = "mean") -> Any:
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1, reduced."""
    return losses.cosine_embedding_loss(input1, input2, target, margin, reduction)


@operator("triplet_margin_loss")
def triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: Any = 1.0,
    p: Any = 2,
    eps: Any = 1e-06,
    swap: Any = False,
    reduction: Any = "mean",
) -> Any:
    """max(0, |anchor - positive| - |anchor - negative| + margin), reduced."""

    def distance(x: Any, y: Any) -> Any:
        return reductions.norm_of_order(add(subtract(x, y), eps), p, -1)

    far = distance(anchor, negative)
    if evaluator().static(swap, "swap"):
        far = elementwise.minimum(far, distance(positive, negative))
    return reduced(elementwise.maximum(add(subtract(distance(anchor, positive), far), margin), 0), reduction)


@operator("gaussian_nll_loss")
def gaussian_nll_loss(
    x: Any, target: Any, var: Any, full: Any = False, eps: Any = 1e-06, reduction: Any = "mean"
) -> Any:
    """Half of log(var) + (x - target)² / var, reduced; `full` adds the constant."""
    spread = elementwise.maximum(var, eps)
    each = multiply(add(elementwise.log(spread), true_divide(elementwise.square(subtract(x, target)), spread)), 0.5)
    if evaluator().static(full, "full"):
        each = add(each, 0.9189385332046727)
    return reduced(each, reduction)


@operator("multi_margin_loss")
def multi_margin_loss(
    input: Any, target: Any, p: Any = 1, margin: Any = 1, weight: Any = None, reduction: Any = "mean"
) -> Any:
    """The mean over the wrong classes of max(0, margin - x[target] + x[class]) to the power p, reduced."""
    a, labels = as_float(input), as_array(target)
    picked = indexing.take_along_axis(a, s.expand_dims(labels, axis=(1,)), 1)
    gap = elementwise.maximum(add(subtract(a, picked), margin), 0)
    gap = gap if static_int(p, "p") == 1 else elementwise.power(gap, p)
    if weight is not None:
        gap = multiply(gap, s.expand_dims(indexing.take(weight, labels, 0), axis=(1,)))
    wrong = e.not_equal(
        s.expand_dims(labels, axis=(1,)),
        as_array(creation.arange(evaluator().number(shape_of(a)[1])), dtype_of_value(labels)),
    )
    return reduced(reductions.mean(e.select(wrong, gap, 0), 1), reduction)
