"""Losses, besides cross entropies."""

from __future__ import annotations

import math
from typing import Any

from jitcore.library.array import creation, indexing, scatter
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    like,
    promote,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import add, multiply, subtract, true_divide
from jitcore.library.nn import cross_entropy, logistic
from jitcore.library.nn.cross_entropy import reduced
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining, transcendental
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import i32, i64


@operator("mse_loss")
def mse_loss(x: Any, target: Any, reduction: Any = "mean") -> Any:
    """The squared differences, reduced."""
    a, b = promote("sub", x, target)
    d = e.sub(a, b)
    return reduced(e.mul(d, d), reduction)


@operator("l1_loss")
def l1_loss(x: Any, target: Any, reduction: Any = "mean") -> Any:
    """The absolute differences, reduced."""
    a, b = promote("sub", x, target)
    return reduced(e.abs(e.sub(a, b)), reduction)


@operator("smooth_l1_loss")
def smooth_l1_loss(input: Any, target: Any, beta: Any = 1.0, reduction: Any = "none") -> Any:
    """Squared differences below `beta`, absolute ones above, reduced."""
    a, b = promote("sub", input, target)
    d = e.abs(e.sub(a, b))
    limit = float(evaluator().static(beta, "beta"))
    if limit < 0:
        raise ValueError(f"smooth_l1_loss: beta must not be negative, but is {limit}")
    return reduced(e.select(e.less(d, limit), e.mul(e.mul(d, d), 0.5 / limit), e.sub(d, 0.5 * limit)), reduction)


@operator("SmoothL1Loss")
def smooth_l1_loss_set_up(prediction: Any, target: Any, *, beta: Any = 1.0, reduction: Any = "none") -> Any:
    """As `smooth_l1_loss`."""
    return smooth_l1_loss(prediction, target, beta, reduction)


@operator("smooth_l1_loss_ext")
def smooth_l1_loss_ext(input: Any, target: Any, reduction: Any = "mean", beta: Any = 1.0) -> Any:
    """Squared differences below `beta`, absolute ones above, reduced."""
    if evaluator().static(beta, "beta") == 0:
        return l1_loss(input, target, reduction)
    return smooth_l1_loss(input, target, beta, reduction)


@operator("huber_loss")
def huber_loss(input: Any, target: Any, reduction: Any = "mean", delta: Any = 1.0) -> Any:
    """Half the squared differences below `delta`, straight lines above."""
    d = e.abs(e.sub(*promote("sub", input, target)))
    edge = like(delta, d)
    beyond = e.mul(e.sub(d, e.mul(edge, 0.5)), edge)
    return reduced(e.select(e.less(d, edge), e.mul(e.mul(d, d), 0.5), beyond), reduction)


@operator("kl_div")
def kl_div(logits: Any, labels: Any, reduction: Any = "mean") -> Any:
    """The Kullback-Leibler divergence labels * (log(labels) - logits), reduced."""
    a, goal = promote("sub", logits, labels)
    positive = e.greater(goal, 0)
    logs = t.log(e.select(positive, goal, 1))
    losses = e.select(positive, e.mul(goal, e.sub(logs, a)), 0)
    if evaluator().static(reduction, "reduction") != "batchmean":
        return reduced(losses, reduction)
    return e.div(reductions.sum(losses), as_array(evaluator().number(shape_of(a)[0]), dtype_of_value(a)))


@operator("KLDivLoss")
def kl_div_set_up(logits: Any, labels: Any, *, reduction: Any = "mean") -> Any:
    """As `kl_div`."""
    return kl_div(logits, labels, reduction)


@operator("kl_div_ext")
def kl_div_ext(input: Any, target: Any, reduction: Any = "mean", log_target: Any = False) -> Any:
    """The Kullback-Leibler divergence of the target (or `log_target`: its logarithm) from exp(input), reduced."""
    how = evaluator().static(reduction, "reduction")
    goal = as_array(target)
    if evaluator().static(log_target, "log_target"):
        losses = multiply(t.exp(goal), subtract(goal, input))
    else:
        positive = e.greater(goal, 0)
        log = t.log(elementwise.where(positive, goal, 1.0))
        losses = elementwise.where(positive, multiply(goal, subtract(log, input)), multiply(goal, 0.0))
    if how == "batchmean":
        return multiply(cross_entropy.reduced(losses, "sum"), 1.0 / evaluator().number(shape_of(as_array(input))[0]))
    return cross_entropy.reduced(losses, how)


@operator("cosine_embedding_loss")
def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: Any = 0.0, reduction: Any = "mean") -> Any:
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1, reduced."""
    a, b = promote("mul", input1, input2)
    axis = (rank_of(a) - 1,)

    def dot(u: Any, v: Any) -> Any:
        return r.reduce_sum(e.mul(u, v), axis=axis, keepdims=False)

    cosine = e.div(dot(a, b), t.sqrt(e.mul(e.add(dot(a, a), 1e-12), e.add(dot(b, b), 1e-12))))
    goal = as_array(target)
    apart = e.maximum(e.sub(cosine, like(margin, cosine)), 0)
    return reduced(e.select(e.greater(goal, 0), e.sub(1, cosine), e.select(e.less(goal, 0), apart, 0)), reduction)


@operator("margin_ranking_loss")
def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: Any = 0.0, reduction: Any = "mean") -> Any:
    """max(0, -target * (input1 - input2) + margin), reduced."""
    a, b = promote("sub", input1, input2)
    d, goal = promote("mul", e.sub(a, b), target)
    return reduced(e.maximum(e.add(e.mul(e.neg(goal), d), like(margin, d)), 0), reduction)


@operator("hinge_embedding_loss")
def hinge_embedding_loss(inputs: Any, targets: Any, margin: Any = 1.0, reduction: Any = "mean") -> Any:
    """The input where the target is 1, max(0, margin - input) where it is -1, reduced."""
    a, goal = reductions.as_float(inputs), as_array(targets)
    missed = e.select(e.less(goal, 0), e.maximum(e.sub(like(margin, a), a), 0), 0)
    return reduced(e.select(e.greater(goal, 0), a, missed), reduction)


@operator("soft_margin_loss")
def soft_margin_loss(input: Any, target: Any, reduction: Any = "mean") -> Any:
    """log(1 + exp(-target * input)), reduced."""
    a, goal = promote("mul", input, target)
    return reduced(logistic.softplus(e.neg(e.mul(a, goal))), reduction)


@operator("SoftMarginLoss")
def soft_margin_loss_set_up(input: Any, target: Any, *, reduction: Any = "mean") -> Any:
    """As `soft_margin_loss`."""
    return soft_margin_loss(input, target, reduction)


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


@operator("TripletMarginLoss")
def triplet_margin_loss_set_up(
    x: Any,
    positive: Any,
    negative: Any,
    margin: Any = 1.0,
    *,
    p: Any = 2,
    swap: Any = False,
    eps: Any = 1e-6,
    reduction: Any = "mean",
) -> Any:
    """As `triplet_margin_loss`."""
    return triplet_margin_loss(x, positive, negative, margin, p, eps, swap, reduction)


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


@operator("MultiMarginLoss")
def multi_margin_loss_set_up(
    inputs: Any, target: Any, weight: Any = None, *, p: Any = 1, margin: Any = 1.0, reduction: Any = "mean"
) -> Any:
    """As `multi_margin_loss`."""
    return multi_margin_loss(inputs, target, p, margin, weight, reduction)


@operator("poisson_nll_loss")
def poisson_nll_loss(
    input: Any, target: Any, log_input: Any = True, full: Any = False, eps: Any = 1e-08, reduction: Any = "mean"
) -> Any:
    """exp(input) - target * input (without `log_input` input - target * log(input + eps)), reduced."""
    if evaluator().static(log_input, "log_input"):
        loss = subtract(elementwise.exp(input), multiply(target, input))
    else:
        loss = subtract(input, multiply(target, elementwise.log(add(input, eps))))
    if evaluator().static(full, "full"):  # Stirling's formula for the logarithm of the factorial
        a = as_float(target)
        large = e.greater(a, 1)
        safe = e.select(large, a, 1)
        logarithm = transcendental.log(safe)
        factorial = e.add(e.sub(e.mul(safe, logarithm), safe), e.mul(e.add(logarithm, math.log(2 * math.pi)), 0.5))
        loss = add(loss, e.select(large, factorial, 0))
    return cross_entropy.reduced(loss, reduction)


@operator("multilabel_soft_margin_loss")
def multilabel_soft_margin_loss(input: Any, target: Any, weight: Any = None, reduction: Any = "mean") -> Any:
    """The mean over classes of the binary cross entropies of sigmoid(input), reduced."""
    each = cross_entropy.bce_with_logits(input, target, weight, None, "none")
    return cross_entropy.reduced(reductions.mean(each, -1), reduction)


def _margins(input: Any, target: Any) -> tuple[Any, Any]:
    a, labels = as_float(input), as_array(as_array(target), i64)
    single = rank_of(a) == 1
    if single:
        a, labels = (s.expand_dims(v, axis=(0,)) for v in (a, labels))
    n, classes = shape_of(a)
    # labels end at the first -1
    listed = e.equal(r.cumsum(e.cast(e.less(labels, 0), dtype=i64), axis=1), 0)
    safe = e.select(listed, labels, 0)
    ones = e.cast(listed, dtype=i64)
    zeros = joining.full(as_array(0, i64), shape=(n, classes))
    is_label = e.greater(scatter.scatter_add_elements(zeros, 1, safe, ones), 0)
    scores = ix.gather_along(a, index_modes.checked(safe, classes, 1), axis=1)
    gaps = e.add(e.sub(s.expand_dims(a, axis=(1,)), s.expand_dims(scores, axis=(2,))), 1)
    counted = e.bitwise_and(s.expand_dims(listed, axis=(2,)), e.bitwise_not(s.expand_dims(is_label, axis=(1,))))
    losses = e.select(counted, e.maximum(gaps, 0), 0)
    total = reductions.divide_by_count(r.reduce_sum(losses, axis=(1, 2), keepdims=False), classes)
    target_mask = e.cast(is_label, dtype=i32)
    return (s.squeeze(total, axis=(0,)), s.squeeze(target_mask, axis=(0,))) if single else (total, target_mask)


@operator("multilabel_margin_loss")
def multilabel_margin_loss(input: Any, target: Any, reduction: Any = "mean") -> Any:
    """The sum over labels (up to the first -1) and other classes of max(0, 1 - (score of the label - score of the
    other))."""
    return cross_entropy.reduced(_margins(input, target)[0], reduction)


@operator("MultilabelMarginLoss")
def multilabel_margin_loss_set_up(x: Any, target: Any, *, reduction: Any = "mean") -> Any:
    """(the loss, which classes are labels)."""
    losses, mask = _margins(x, target)
    return cross_entropy.reduced(losses, reduction), mask
