"""Cross entropies, and what losses are reduced by."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation, indexing
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.math.elementwise import multiply, subtract, true_divide
from jitcore.library.nn import activations, logistic
from jitcore.library.nn.activations import log_softmax
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t


def reduced(losses: Any, reduction: Any) -> Any:
    """Losses as they are ('none'), their 'sum' or their 'mean'."""
    how = evaluator().static(reduction, "reduction")
    if how == "mean":
        return reductions.mean(losses)
    if how == "sum":
        return reductions.sum(losses)
    if how != "none":
        raise ValueError(f"reduction is 'none', 'mean' or 'sum', not {how!r}")
    return losses


def _picked(log_probabilities: Any, labels: Any) -> Any:
    """The log probability of each row's label."""
    a, index = as_array(log_probabilities), as_array(labels)
    if not dtype_of_value(index).is_integer:
        raise TypeError(f"labels are ints, not {dtype_of_value(index)!r}")
    if rank_of(a) != rank_of(index) + 1:
        raise ValueError(f"labels of {rank_of(index)} dimensions do not fit logits of {rank_of(a)}")
    for m, n in zip(shape_of(a), shape_of(index), strict=False):
        require_equal(m, n, f"there are {n} labels for {m} rows of logits")
    column = indexing.take_along_axis(a, s.expand_dims(index, axis=(rank_of(index),)), -1)
    return s.squeeze(column, axis=(rank_of(index),))


@operator("softmax_cross_entropy")
def softmax_cross_entropy(logits: Any, labels: Any, *, sparse: bool, reduction: Any = "none") -> Any:
    """The cross entropy of softmax(logits) over the last axis: against class indices if `sparse`, else
    probabilities."""
    logs = log_softmax(logits, -1)
    if sparse:
        return reduced(e.neg(_picked(logs, labels)), reduction)
    a, target = promote("mul", logs, labels)
    for m, n in zip(shape_of(a), shape_of(target), strict=True):
        require_equal(m, n, "logits and labels must have the same shape")
    return reduced(e.neg(r.reduce_sum(e.mul(target, a), axis=(rank_of(a) - 1,), keepdims=False)), reduction)


@operator("cross_entropy")
def cross_entropy(
    logits: Any,
    target: Any,
    weight: Any = None,
    ignore_index: Any = -100,
    reduction: Any = "mean",
    label_smoothing: Any = 0.0,
) -> Any:
    """The cross entropy of softmax(logits) (N, C) against class indices (N,) or probabilities (N, C)."""
    smoothing = float(evaluator().static(label_smoothing, "label_smoothing"))
    logs = log_softmax(logits, 1)
    labels = as_array(target)
    if dtype_of_value(labels).is_float:
        if smoothing:
            classes = evaluator().number(shape_of(labels)[1])
            labels = e.add(
                e.mul(labels, 1 - smoothing), multiply(as_array(smoothing, dtype_of_value(labels)), 1 / classes)
            )
        weighted = logs if weight is None else multiply(logs, weight)
        a, b = promote("mul", weighted, labels)
        losses = e.neg(r.reduce_sum(e.mul(a, b), axis=(1,), keepdims=False))
        return reduced(losses, reduction)
    return nll_loss(logs, labels, weight, ignore_index, reduction, smoothing)


@operator("nll_loss")
def nll_loss(
    logs: Any,
    target: Any,
    weight: Any = None,
    ignore_index: Any = -100,
    reduction: Any = "mean",
    label_smoothing: Any = 0.0,
) -> Any:
    """Minus the log probability (N, C) of each target class (N,), weighted by class; rows with `ignore_index` do not
    count."""
    a, labels = reductions.as_float(logs), index_modes.wide(as_array(target))
    smoothing = float(evaluator().static(label_smoothing, "label_smoothing"))
    ignored = e.equal(labels, static_int(ignore_index, "ignore_index"))
    safe = e.select(ignored, 0, labels)
    if weight is None:
        weights = e.cast(e.bitwise_not(ignored), dtype=dtype_of_value(a))
    else:
        per_class = as_array(weight, dtype_of_value(a))
        weights = e.select(ignored, 0, indexing.take(per_class, safe, 0))
    losses = e.mul(e.neg(_picked(a, safe)), weights)
    if smoothing:
        scaled = a if weight is None else multiply(a, weight)
        even = e.neg(reductions.mean(scaled, 1))
        losses = e.add(e.mul(losses, 1 - smoothing), e.mul(e.select(ignored, 0, even), smoothing))
    if evaluator().static(reduction, "reduction") == "mean":
        return e.div(reductions.sum(losses), reductions.sum(weights))
    return reduced(losses, reduction)


@operator("NLLLoss")
def nll_loss_set_up(
    logits: Any, labels: Any, weight: Any, *, reduction: Any = "mean", ignore_index: Any = -100
) -> Any:  # fmt: skip
    """(the negative log likelihood, the total weight)."""
    a, target = as_float(logits), index_modes.wide(as_array(labels))
    counted = e.not_equal(target, static_int(ignore_index, "ignore_index"))
    weights = indexing.take(as_array(weight, dtype_of_value(a)), e.select(counted, target, 0), 0)
    total = reductions.sum(e.select(counted, weights, 0))
    return nll_loss(a, target, weight, ignore_index, reduction), total


@operator("binary_cross_entropy")
def binary_cross_entropy(logits: Any, labels: Any, weight: Any = None, reduction: Any = "mean") -> Any:
    """The binary cross entropy of probabilities."""
    _require_same_shape(as_array(logits), as_array(labels), "binary_cross_entropy")
    a, goal = promote("sub", logits, labels)
    yes, no = e.maximum(t.log(a), -100.0), e.maximum(t.log1p(e.neg(a)), -100.0)
    losses = e.neg(e.add(e.mul(goal, yes), e.mul(e.sub(1, goal), no)))
    return reduced(losses if weight is None else multiply(losses, weight), reduction)


@operator("BinaryCrossEntropy")
def binary_cross_entropy_set_up(logits: Any, labels: Any, weight: Any = None, *, reduction: Any = "mean") -> Any:
    """As `binary_cross_entropy`."""
    return binary_cross_entropy(logits, labels, weight, reduction)


def bce_with_logits(x: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    """The cross entropy of sigmoid(x) against targets in [0, 1], without overflow."""
    a, goal = promote("sub", x, target)
    no = logistic.softplus(a)  # -log(1 - sigmoid(x))
    yes = logistic.softplus(e.neg(a))
    if pos_weight is not None:
        yes = multiply(yes, pos_weight)
    losses = e.add(e.mul(goal, yes), e.mul(e.sub(1, goal), no))
    return reduced(losses if weight is None else multiply(losses, weight), reduction)


@operator("BCEWithLogitsLoss")
def bce_with_logits_set_up(
    logits: Any, label: Any, weight: Any = None, pos_weight: Any = None, *, reduction: Any = "mean"
) -> Any:
    """As `binary_cross_entropy_with_logits`."""
    return _with_logits(logits, label, weight, pos_weight, reduction)


def _require_same_shape(a: Any, b: Any, name: str) -> None:
    if rank_of(a) != rank_of(b):
        raise ValueError(f"For '{name}', the Tensors must have the same shape.")
    for m, n in zip(shape_of(a), shape_of(b), strict=True):
        require_equal(m, n, f"For '{name}', the Tensors must have the same shape, not extents {{0}} and {{1}}.")


@operator("SoftmaxCrossEntropyWithLogits softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(logits: Any, labels: Any) -> Any:
    """(losses, their gradients by the logits) of softmax(logits) against probabilities."""
    each = softmax_cross_entropy(logits, labels, sparse=False)
    return each, subtract(activations.softmax(logits), labels)


@operator("SparseSoftmaxCrossEntropyWithLogits")
def sparse_softmax_cross_entropy(logits: Any, labels: Any, *, is_grad: Any = False) -> Any:
    """The mean cross entropy of softmax(logits) against class indices; with `is_grad` its gradient by the logits."""
    if not is_grad:
        return softmax_cross_entropy(logits, labels, sparse=True, reduction="mean")
    rows, classes = shape_of(logits)
    hot = creation.one_hot(labels, evaluator().number(classes))
    return true_divide(subtract(activations.softmax(logits), hot), evaluator().number(rows))


def _with_logits(logits: Any, label: Any, weight: Any, pos_weight: Any, reduction: Any) -> Any:
    _require_same_shape(as_array(logits), as_array(label), "binary_cross_entropy_with_logits")
    return bce_with_logits(logits, label, weight, pos_weight, reduction)


@operator("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    logits: Any, label: Any, weight: Any = None, pos_weight: Any = None, reduction: Any = "mean"
) -> Any:
    """The binary cross entropy of sigmoid(logits)."""
    return _with_logits(logits, label, weight, pos_weight, reduction)


@operator("SigmoidCrossEntropyWithLogits")
def sigmoid_cross_entropy_with_logits(logits: Any, label: Any) -> Any:
    """The binary cross entropies of sigmoid(logits)."""
    return _with_logits(logits, label, None, None, "none")
