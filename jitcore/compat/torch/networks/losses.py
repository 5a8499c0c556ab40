"""Losses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from jitcore import ops
from jitcore.compat.torch.declaring import network
from jitcore.library.core import values
from jitcore.library.math import elementwise
from jitcore.library.nn import losses
from jitcore.primitives.ops import conversions
from jitcore.runtime.tensor import Tensor


def reduction_of(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """The reduction, as it is said now or was said by the two arguments that PyTorch had before."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"


def _reduced(made: object, reduction: str) -> Any:
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "none":
        return made
    return ops.mean_ext(made) if reduction == "mean" else ops.sum_ext(made)


def _weighted(made: object, weight: Tensor | None, reduction: str) -> Any:
    """Losses of elements that have weights: their mean is over the weights' sum."""
    if weight is None:
        return _reduced(made, reduction)
    made = ops.mul(made, weight)
    if reduction == "mean":
        return ops.div(ops.sum_ext(made), ops.sum_ext(weight))
    return _reduced(made, reduction)


@network
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Any:
    off = ops.sub_ext(input, target)
    return _weighted(ops.mul(off, off), weight, reduction_of(size_average, reduce, reduction))


@network
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Any:
    return _weighted(ops.abs(ops.sub_ext(input, target)), weight, reduction_of(size_average, reduce, reduction))


@network
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Any:
    how = reduction_of(size_average, reduce, reduction)
    beta = values.with_known_numbers(beta, "beta")
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return _reduced(ops.abs(ops.sub_ext(input, target)), how)
    difference = ops.sub_ext(input, target)
    return ops.smooth_l1_loss_ext(difference, ops.zeros_like(difference), how, beta)


@network
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Any:
    delta = values.with_known_numbers(delta, "delta")
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    off = ops.abs(ops.sub_ext(input, target))
    square = ops.mul(ops.mul(off, off), 0.5)
    made = ops.where(ops.lt(off, delta), square, ops.mul(ops.sub_ext(off, 0.5 * delta), delta))
    return _weighted(made, weight, reduction_of(None, None, reduction))


# --- classes ----------------------------------------------------------------------------------------


@network
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    how = reduction_of(size_average, reduce, reduction)
    label_smoothing = values.with_known_numbers(label_smoothing, "label_smoothing")
    axis = 0 if values.rank_of(input) == 1 else 1
    logs = ops.log_softmax(input, axis)
    if values.rank_of(target) == values.rank_of(input):
        return _of_probabilities(logs, target, axis, weight, how, label_smoothing)
    made = _picked(logs, target, axis, weight, ignore_index, how)
    if label_smoothing == 0:
        return made
    smooth = _smooth(logs, target, axis, weight, ignore_index, how)
    return ops.add_ext(ops.mul(made, 1 - label_smoothing), ops.mul(smooth, label_smoothing))


def _of_probabilities(
    logs: object, target: Tensor, axis: int, weight: Tensor | None, how: str, smoothing: float
) -> Any:
    classes = values.evaluator().number(values.shape_of(logs)[axis])
    wanted = target
    if smoothing > 0:
        wanted = ops.add_ext(ops.mul(target, 1 - smoothing), smoothing / classes)
    terms = ops.mul(logs, wanted)
    if weight is not None:
        terms = ops.mul(terms, _along(weight, axis, values.rank_of(logs)))
    made = ops.neg(ops.sum_ext(terms, axis))
    if how != "mean":
        return _reduced(made, how)
    shape = values.shape_of(logs)
    samples = values.evaluator().number(values.product_of(n for k, n in enumerate(shape) if k != axis))
    return ops.div(ops.sum_ext(made), samples)


def _along(weight: Tensor, axis: int, rank: int) -> Any:
    return ops.reshape(weight, (-1,) + (1,) * (rank - axis - 1))


def _weights(logs: object, target: Tensor, axis: int, weight: Tensor | None, ignored: int) -> tuple[Any, Any, Any]:
    """(indices of classes that exist, whether they count, by which weight)."""
    counts = ops.ne(target, ignored)
    index = ops.where(counts, target, ops.zeros_like(target))
    given = elementwise.astype(counts, values.dtype_of_value(logs))
    if weight is not None:
        given = ops.mul(given, ops.reshape(ops.index_select(weight, 0, ops.reshape(index, (-1,))), _extents(index)))
    return index, counts, given


def _extents(a: object) -> Any:
    return tuple(values.evaluator().number(n) for n in values.shape_of(a))


def _picked(logs: object, target: Tensor, axis: int, weight: Tensor | None, ignored: int, how: str) -> Any:
    """The negative logarithms of the targets."""
    _require_classes(logs, target, axis)
    index, counts, given = _weights(logs, target, axis, weight, ignored)
    taken = ops.squeeze(ops.gather_ext(logs, axis, ops.expand_dims(index, axis)), axis)
    made = ops.neg(ops.mul(ops.where(counts, taken, 0.0), given))
    if how == "mean":
        return ops.div(ops.sum_ext(made), ops.sum_ext(given))
    return _reduced(made, how)


def _require_classes(logs: object, target: Tensor, axis: int) -> None:
    dtype = values.dtype_of_value(target)
    if not dtype.is_integer:
        raise RuntimeError(f'expected scalar type Long but found "{dtype}"')
    want = tuple(n for k, n in enumerate(values.shape_of(logs)) if k != axis)
    for a, b in zip(want, values.shape_of(target), strict=len(want) == values.rank_of(target)):
        values.require_equal(a, b, "Expected input batch_size ({0}) to match target batch_size ({1}).")


def _smooth(logs: object, target: Tensor, axis: int, weight: Tensor | None, ignored: int, how: str) -> Any:
    """The part of a loss that all classes have equally."""
    _, counts, given = _weights(logs, target, axis, weight, ignored)
    classes = values.evaluator().number(values.shape_of(logs)[axis])
    terms = logs if weight is None else ops.mul(logs, _along(weight, axis, values.rank_of(logs)))
    made = ops.where(counts, ops.neg(ops.sum_ext(terms, axis)), 0.0)
    if how == "mean":
        return ops.div(ops.div(ops.sum_ext(made), ops.sum_ext(given)), classes)
    return ops.div(_reduced(made, how), classes)


@network
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    how = reduction_of(size_average, reduce, reduction)
    return _picked(input, target, 0 if values.rank_of(input) == 1 else 1, weight, ignore_index, how)


@network
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    how = reduction_of(size_average, reduce, reduction)
    if len(values.shape_of(input)) != len(values.shape_of(target)) or any(
        isinstance(a, int) and isinstance(b, int) and a != b
        for a, b in zip(values.shape_of(input), values.shape_of(target), strict=True)
    ):
        raise ValueError(
            f"Using a target size ({values.shape_of(target)}) that is different to the input size "
            f"({values.shape_of(input)}) is deprecated. Please ensure they have the same size."
        )
    yes = ops.mul(target, ops.clamp(ops.log(input), -100.0))
    no = ops.mul(ops.sub_ext(1, target), ops.clamp(ops.log1p(ops.neg(input)), -100.0))
    made = ops.neg(ops.add_ext(yes, no))
    return _reduced(made if weight is None else ops.mul(made, weight), how)


@network
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Any:
    how = reduction_of(size_average, reduce, reduction)
    if values.rank_of(input) != values.rank_of(target):
        raise ValueError(
            f"Target size ({values.shape_of(target)}) must be the same as input size ({values.shape_of(input)})"
        )
    log_no = ops.neg(ops.softplus(ops.neg(input), 1, 1e30))
    slope = 1 if pos_weight is None else ops.add_ext(ops.mul(ops.sub_ext(pos_weight, 1), target), 1)
    made = ops.sub_ext(ops.mul(ops.sub_ext(1, target), input), ops.mul(log_no, slope))
    return _reduced(made if weight is None else ops.mul(made, weight), how)


@network
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    made = losses.kl_div_ext(input, target, "none", log_target)
    if reduction == "batchmean":
        return ops.div(ops.sum_ext(made), values.evaluator().number(values.shape_of(input)[0]))
    return _reduced(made, reduction_of(size_average, reduce, reduction))


# --- margins ----------------------------------------------------------------------------------------


@network
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    how = reduction_of(size_average, reduce, reduction)
    apart = ops.where(ops.eq(target, 1), 0.0, ops.relu(ops.sub_ext(margin, input)))
    near = ops.where(ops.eq(target, -1), 0.0, input)
    return _reduced(ops.add_ext(apart, near), how)


@network
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    made = ops.add_ext(ops.neg(ops.mul(target, ops.sub_ext(input1, input2))), margin)
    return _reduced(ops.clamp(made, 0), reduction_of(size_average, reduce, reduction))


@network
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    made = ops.log1p(ops.exp(ops.neg(ops.mul(target, input))))
    return _reduced(made, reduction_of(size_average, reduce, reduction))


@network
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    eps = 1e-12
    axis = values.rank_of(input1) - 1
    product = ops.sum_ext(ops.mul(input1, input2), axis)
    squares = [ops.add_ext(ops.sum_ext(ops.mul(a, a), axis), eps) for a in (input1, input2)]
    cosine = ops.div(product, ops.sqrt(ops.mul(squares[0], squares[1])))
    near = ops.where(ops.eq(target, 1), ops.sub_ext(1, cosine), 0.0)
    apart = ops.where(ops.eq(target, -1), ops.clamp(ops.sub_ext(cosine, margin), 0), 0.0)
    return _reduced(ops.add_ext(near, apart), reduction_of(size_average, reduce, reduction))


@network
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    how = reduction_of(size_average, reduce, reduction)
    margin = values.with_known_numbers(margin, "margin")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")

    def distance(a: Tensor, b: Tensor) -> Any:
        return ops.vector_norm(ops.add_ext(ops.sub_ext(a, b), eps), p, -1)

    return _triplet(anchor, positive, negative, distance, margin, swap, how)


@network
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Any] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    margin = values.with_known_numbers(margin, "margin")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")

    def distance(a: Tensor, b: Tensor) -> Any:
        if distance_function is not None:
            return values.evaluator().call(distance_function, (a, b), {})
        return ops.vector_norm(ops.add_ext(ops.sub_ext(a, b), 1e-6), 2, -1)

    return _triplet(anchor, positive, negative, distance, margin, swap, reduction_of(None, None, reduction))


def _triplet(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    distance: Callable[[Tensor, Tensor], Any],
    margin: float,
    swap: bool,
    how: str,
) -> Any:
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = ops.minimum(far, distance(positive, negative))
    return _reduced(ops.clamp(ops.sub_ext(ops.add_ext(near, margin), far), 0), how)


@network
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    _require_targets(input, target, 0, "target out of range")
    rows = ops.unsqueeze(input, 0) if values.rank_of(input) == 1 else input
    labels = target if values.rank_of(target) else ops.unsqueeze(target, 0)
    made = losses.multi_margin_loss(rows, labels, p, margin, weight, reduction_of(size_average, reduce, reduction))
    return made if values.rank_of(target) else ops.reshape(made, ())


def _require_targets(input: Tensor, target: Tensor, lowest: int, message: str) -> None:
    """Raise RuntimeError unless all targets are classes: numbers of elements along the input's last axis."""
    classes = values.evaluator().number(values.shape_of(input)[-1])
    known = ops.all(ops.logical_and(ops.ge(target, lowest), ops.lt(target, classes)))
    conversions.check(ops.item(known), exception="RuntimeError", message=message)


@network
def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    _require_targets(input, target, -1, "argument #2 'target' is out of range")
    return losses.multilabel_margin_loss(input, target, reduction_of(size_average, reduce, reduction))


@network
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    log_yes = ops.neg(ops.softplus(ops.neg(input), 1, 1e30))
    log_no = ops.neg(ops.softplus(input, 1, 1e30))
    made = ops.neg(ops.add_ext(ops.mul(target, log_yes), ops.mul(ops.sub_ext(1, target), log_no)))
    made = ops.mean_ext(made if weight is None else ops.mul(made, weight), -1)
    return _reduced(made, reduction_of(size_average, reduce, reduction))


# --- distributions ----------------------------------------------------------------------------------


@network
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    how = reduction_of(size_average, reduce, reduction)
    if log_input:
        made = ops.sub_ext(ops.exp(input), ops.mul(target, input))
    else:
        made = ops.sub_ext(input, ops.mul(target, ops.log(ops.add_ext(input, eps))))
    if full:
        made = ops.add_ext(made, _stirling(target))
    return _reduced(made, how)


def _stirling(target: Tensor) -> Any:
    """The logarithms of factorials, by Stirling's formula, 0 up to that of 1."""
    above = ops.where(ops.gt(target, 1), target, ops.ones_like(target))
    rest = ops.mul(ops.log(ops.mul(above, 2 * math.pi)), 0.5)
    term = ops.add_ext(ops.sub_ext(ops.mul(above, ops.log(above)), above), rest)
    return ops.where(ops.gt(target, 1), term, 0.0)


@network
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Any:
    spread = ops.mul(ops.ones_like(input), var) if values.is_number(var) else var
    if values.rank_of(spread) == values.rank_of(input) - 1:
        spread = ops.expand_dims(spread, -1)
    least = ops.add_ext(spread, ops.stop_gradient(ops.sub_ext(ops.clamp(spread, eps), spread)))
    off = ops.sub_ext(input, target)
    made = ops.mul(ops.add_ext(ops.log(least), ops.div(ops.mul(off, off), least)), 0.5)
    if full:
        made = ops.add_ext(made, 0.5 * math.log(2 * math.pi))
    return _reduced(made, reduction_of(None, None, reduction))


@network
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | tuple[int, ...] | list[int],
    target_lengths: Tensor | tuple[int, ...] | list[int],
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    found = ops.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, "none", zero_infinity)
    losses_of = found[0] if isinstance(found, tuple) else found
    if reduction != "mean":
        return _reduced(losses_of, reduction)
    lengths = elementwise.astype(values.as_operand(target_lengths), values.dtype_of_value(losses_of))
    return ops.mean_ext(ops.div(losses_of, ops.clamp(lengths, 1)))
