"""`paddle.nn.functional`: losses."""

# pyright: reportPrivateUsage=false
# (how losses are reduced is shared with PyTorch's)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore import ops
from jitcore.compat.paddle.declaring import network
from jitcore.compat.torch.networks import losses as shaped
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor
from jitcore.types import i64


def _require_reduction(reduction: str, name: str) -> None:
    if reduction not in ("sum", "mean", "none"):
        raise ValueError(
            f"The value of 'reduction' in {name} should be 'sum', 'mean' or 'none', but received {reduction}, which is "
            "not allowed."
        )


def _reduced(made: object, reduction: str, name: str) -> Any:
    _require_reduction(reduction, name)
    return shaped._reduced(made, reduction)


# --- classes --------------------------------------------------------------------------------------------


def _require_labels(input: Tensor, label: Tensor) -> None:
    have, want = values.rank_of(label), values.rank_of(input)
    if want == 0:
        raise ValueError("The dimension of input should be larger than zero!")
    if have not in (want, want - 1):
        raise ValueError(
            "Expected input_dims - 1 = label_dims or input_dims == label_dims"
            f"             (got input_dims{want}, label_dims{have})"
        )


def _class_losses(
    input: Tensor,
    label: Tensor,
    axis: int,
    soft: bool,
    ignored: int,
    use_softmax: bool,
) -> Any:
    """The negative logarithms of what classes have of probability, with one element along the classes' axis."""
    logs = ops.log_softmax(input, axis) if use_softmax else ops.log(input)
    if soft:
        return ops.neg(ops.sum_ext(ops.mul(ops.stop_gradient(label), logs), axis, True))
    label = elementwise.astype(label, i64)
    counts = ops.ne(label, ignored)
    index = ops.where(counts, label, ops.zeros_like(label))
    return ops.neg(ops.where(counts, ops.gather_ext(logs, axis, index), 0.0))


def _share(part: object, whole: object) -> Any:
    """A sum over what it is to be divided by, where that is not 0."""
    none = elementwise.astype(ops.eq(whole, 0.0), values.dtype_of_value(whole))
    return ops.div(part, ops.add_ext(whole, none))


@network
def cross_entropy(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: str | None = None,
) -> Any:
    _require_reduction(reduction, "softmax_cross_entropy")
    _require_labels(input, label)
    ignore_index = values.static_int(ignore_index, "ignore_index")
    if ignore_index > 0 and soft_label:
        raise ValueError(
            "When soft_label == True, the value of 'ignore_index' in softmax_cross_entropy"
            f"should be '-100', but received {ignore_index}, which is not allowed."
        )
    rank = values.rank_of(input)
    axis = values.static_int(axis, "axis") % rank
    flat = values.rank_of(label) == rank - 1
    target: Any = ops.expand_dims(label, axis) if flat else label
    label_smoothing = float(values.with_known_numbers(label_smoothing, "label_smoothing"))
    if label_smoothing > 0.0:
        target = _smoothed(input, target, axis, label_smoothing)
        soft_label = True
    made = _class_losses(input, target, axis, soft_label, ignore_index, use_softmax)
    dtype = values.dtype_of_value(made)
    shares: Any = None
    if weight is not None:
        shares = _class_weights(target, weight, axis, soft_label, ignore_index, made)
        made = ops.mul(made, shares)
    if reduction == "none":
        return ops.squeeze(made, axis) if flat else made
    if reduction == "sum" or (ignore_index < 0 and weight is None):
        return shaped._reduced(made, reduction)
    if ignore_index >= 0 and not soft_label:
        counts = elementwise.astype(ops.ne(target, ignore_index), dtype)
        shares = counts if shares is None else ops.mul(counts, shares)
    if shares is None:
        return ops.mean_ext(made)
    return _share(ops.sum_ext(made), ops.sum_ext(shares))


def _smoothed(input: Tensor, target: Tensor, axis: int, epsilon: float) -> Any:
    """Labels as shares of the classes, of which all get a bit."""
    dtype, classes = values.dtype_of_value(input), evaluator().number(values.shape_of(input)[axis])
    if values.dtype_of_value(target).is_integer:
        places = ops.one_hot_ext(ops.squeeze(target, axis), values.static_int(classes, "the number of classes"))
        target = ops.moveaxis(places, -1, axis)
    return ops.add_ext(ops.mul(elementwise.astype(target, dtype), 1 - epsilon), epsilon / classes)


def _class_weights(
    target: Tensor,
    weight: Tensor,
    axis: int,
    soft: bool,
    ignored: int,
    made: object,
) -> Any:
    """The weights of labels, in the shape of the losses."""
    if soft:
        return ops.expand_dims(ops.matmul(ops.moveaxis(target, axis, -1), weight), axis)
    counts = ops.ne(target, ignored)
    index = ops.where(counts, target, ops.zeros_like(target))
    extents = tuple(evaluator().number(n) for n in values.shape_of(index))
    found = ops.reshape(ops.index_select(weight, 0, ops.reshape(index, (-1,))), extents)
    return ops.mul(found, elementwise.astype(counts, values.dtype_of_value(made)))


@network
def softmax_with_cross_entropy(
    logits: Tensor,
    label: Tensor,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
    name: str | None = None,
) -> Any:
    del numeric_stable_mode
    _require_labels(logits, label)
    axis = values.static_int(axis, "axis") % values.rank_of(logits)
    target: Any = ops.expand_dims(label, axis) if values.rank_of(label) < values.rank_of(logits) else label
    made = _class_losses(logits, target, axis, soft_label, ignore_index, True)
    return (made, ops.stop_gradient(ops.softmax(logits, axis))) if return_softmax else made


@network
def nll_loss(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    _require_reduction(reduction, "nll_loss")
    _require_labels(input, label)
    target = ops.squeeze(label, 1) if values.rank_of(label) == values.rank_of(input) else label
    weight = None if weight is None else ops.stop_gradient(weight)
    return shaped.nll_loss(input, target, weight, ignore_index=ignore_index, reduction=reduction)


@network
def binary_cross_entropy(
    input: Tensor, label: Tensor, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None
) -> Any:
    _require_reduction(reduction, "binary_cross_entropy")
    return shaped.binary_cross_entropy(input, ops.stop_gradient(label), weight, reduction=reduction)


@network
def binary_cross_entropy_with_logits(
    logit: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
    name: str | None = None,
) -> Any:
    _require_reduction(reduction, "binary_cross_entropy_with_logits")
    pos_weight = None if pos_weight is None else ops.stop_gradient(pos_weight)
    return shaped.binary_cross_entropy_with_logits(
        logit, ops.stop_gradient(label), weight, reduction=reduction, pos_weight=pos_weight
    )


@network
def sigmoid_focal_loss(
    logit: Tensor,
    label: Tensor,
    normalizer: Tensor | None = None,
    alpha: float = 0.25,
    gamma: float = 2.0,
    reduction: str = "sum",
    name: str | None = None,
) -> Any:
    made = shaped.binary_cross_entropy_with_logits(logit, ops.stop_gradient(label), reduction="none")
    share, other = ops.sigmoid(logit), ops.sub_ext(1, label)
    right = ops.add_ext(ops.mul(share, label), ops.mul(ops.sub_ext(1, share), other))
    scale = ops.add_ext(ops.mul(label, alpha), ops.mul(other, 1 - alpha))
    made = ops.mul(ops.mul(made, scale), ops.pow(ops.sub_ext(1, right), gamma))
    made = made if normalizer is None else ops.div(made, normalizer)
    return _reduced(made, reduction, "sigmoid_focal_loss")


@network
def kl_div(
    input: Tensor, label: Tensor, reduction: str = "mean", log_target: bool = False, name: str | None = None
) -> Any:
    return shaped.kl_div(input, ops.stop_gradient(label), reduction=reduction, log_target=log_target)


@network
def log_loss(input: Tensor, label: Tensor, epsilon: float = 1e-4, name: str | None = None) -> Any:
    label = ops.stop_gradient(label)
    yes = ops.mul(label, ops.log(ops.add_ext(input, epsilon)))
    no = ops.mul(ops.sub_ext(1, label), ops.log(ops.add_ext(ops.sub_ext(1, input), epsilon)))
    return ops.neg(ops.add_ext(yes, no))


@network
def dice_loss(input: Tensor, label: Tensor, epsilon: float = 1e-05, name: str | None = None) -> Any:
    classes = values.static_int(evaluator().number(values.shape_of(input)[-1]), "the number of classes")
    places = elementwise.astype(ops.one_hot_ext(ops.squeeze(label, -1), classes), values.dtype_of_value(input))
    axes = tuple(range(1, values.rank_of(input)))
    both = ops.mul(ops.sum_ext(ops.mul(input, places), axes), 2)
    whole = ops.add_ext(ops.add_ext(ops.sum_ext(input, axes), ops.sum_ext(places, axes)), epsilon)
    return ops.mean_ext(ops.sub_ext(1, ops.div(both, whole)))


@network
def npair_loss(anchor: Tensor, positive: Tensor, labels: Tensor, l2_reg: float = 0.002, name: str | None = None) -> Any:
    rows = ops.reshape(labels, (-1, 1))
    same = elementwise.astype(ops.eq(rows, ops.swapaxes(rows, 0, 1)), values.dtype_of_value(anchor))
    wanted = ops.div(same, ops.sum_ext(same, 1, True))
    squares = [ops.mean_ext(ops.sum_ext(ops.mul(a, a), 1)) for a in (anchor, positive)]
    made = _class_losses(ops.matmul(anchor, ops.swapaxes(positive, 0, 1)), wanted, 1, True, -100, True)
    loss = ops.mean_ext(ops.sum_ext(ops.mul(wanted, made), 0))
    return ops.add_ext(ops.mul(ops.add_ext(*squares), 0.25 * l2_reg), loss)


# --- numbers --------------------------------------------------------------------------------------------


@network
def square_error_cost(input: Tensor, label: Tensor, name: str | None = None) -> Any:
    off = ops.sub_ext(input, label)
    return ops.mul(off, off)


@network
def mse_loss(input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None) -> Any:
    _require_reduction(reduction, "mse_loss")
    return shaped.mse_loss(input, label, reduction=reduction)


@network
def l1_loss(input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None) -> Any:
    _require_reduction(reduction, "L1Loss")
    return shaped.l1_loss(input, label, reduction=reduction)


@network
def smooth_l1_loss(
    input: Tensor,
    label: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    is_huber: bool = True,
    name: str | None = None,
) -> Any:
    made = shaped.huber_loss(input, label, "none", delta)
    return _reduced(made if is_huber else ops.div(made, delta), reduction, "smooth_l1_loss")


@network
def poisson_nll_loss(
    input: Tensor,
    label: Tensor,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    _require_reduction(reduction, "poisson_nll_loss")
    return shaped.poisson_nll_loss(input, label, log_input, full, eps=epsilon, reduction=reduction)


@network
def gaussian_nll_loss(
    input: Tensor,
    label: Tensor,
    variance: Tensor,
    full: bool = False,
    epsilon: float = 1e-6,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    return shaped.gaussian_nll_loss(input, label, ops.stop_gradient(variance), full, epsilon, reduction)


# --- margins --------------------------------------------------------------------------------------------


@network
def margin_ranking_loss(
    input: Tensor, other: Tensor, label: Tensor, margin: float = 0.0, reduction: str = "mean", name: str | None = None
) -> Any:
    _require_reduction(reduction, "MarginRankingLoss")
    return shaped.margin_ranking_loss(input, other, label, margin, reduction=reduction)


@network
def hinge_embedding_loss(
    input: Tensor, label: Tensor, margin: float = 1.0, reduction: str = "mean", name: str | None = None
) -> Any:
    near = ops.where(ops.eq(label, 1), input, ops.zeros_like(input))
    apart = ops.where(ops.eq(label, -1), ops.relu(ops.sub_ext(margin, input)), ops.zeros_like(input))
    return _reduced(ops.add_ext(near, apart), reduction, "hinge_embedding_loss")


@network
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, label: Tensor, margin: float = 0, reduction: str = "mean", name: str | None = None
) -> Any:
    if values.rank_of(label) != 1:
        raise ValueError("1D target tensor expected, multi-target not supported")
    _require_reduction(reduction, "cosine_embedding_loss")
    return shaped.cosine_embedding_loss(input1, input2, label, margin, reduction=reduction)


@network
def triplet_margin_loss(
    input: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    epsilon: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    _require_reduction(reduction, "triplet_margin_loss")
    return shaped.triplet_margin_loss(input, positive, negative, margin, p, epsilon, swap, reduction=reduction)


@network
def triplet_margin_with_distance_loss(
    input: Tensor,
    positive: Tensor,
    negative: Tensor,
    distance_function: Callable[[Any, Any], Any] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    _require_reduction(reduction, "triplet_margin_with_distance_loss")
    return shaped.triplet_margin_with_distance_loss(
        input,
        positive,
        negative,
        distance_function=distance_function,
        margin=margin,
        swap=swap,
        reduction=reduction,
    )


@network
def multi_margin_loss(
    input: Tensor,
    label: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    _require_reduction(reduction, "multi_margin_loss")
    return shaped.multi_margin_loss(input, label, p, margin, weight, reduction=reduction)


@network
def multi_label_margin_loss(input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None) -> Any:
    _require_reduction(reduction, "multi_label_margin_loss")
    return shaped.multilabel_margin_loss(input, label, reduction=reduction)


@network
def multi_label_soft_margin_loss(
    input: Tensor, label: Tensor, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None
) -> Any:
    _require_reduction(reduction, "multi_label_soft_margin_loss")
    return shaped.multilabel_soft_margin_loss(input, label, weight, reduction=reduction)


@network
def soft_margin_loss(input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None) -> Any:
    _require_reduction(reduction, "soft_margin_loss")
    return shaped.soft_margin_loss(input, elementwise.astype(label, values.dtype_of_value(input)), reduction=reduction)


# --- sequences ------------------------------------------------------------------------------------------


@network
def ctc_loss(
    log_probs: Tensor,
    labels: Tensor,
    input_lengths: Tensor,
    label_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    norm_by_times: bool = False,
    zero_infinity: bool = False,
    name: str | None = None,
) -> Any:
    """The loss of unscaled scores (time, batch, classes), for labels (batch, most)."""
    logs = ops.log_softmax(log_probs, -1)
    made = shaped.ctc_loss(logs, labels, input_lengths, label_lengths, blank, "none", zero_infinity)
    dtype = values.dtype_of_value(made)
    if norm_by_times:  # which changes the gradients alone
        slow = ops.div(made, elementwise.astype(input_lengths, dtype))
        made = ops.add_ext(slow, ops.stop_gradient(ops.sub_ext(made, slow)))
    if reduction == "mean":
        return ops.mean_ext(ops.div(made, elementwise.astype(label_lengths, dtype)))
    return _reduced(made, reduction, "ctc_loss")
