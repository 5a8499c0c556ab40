"""Library functions of neural networks: activations, convolution, pooling, losses, dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.array import indexing
from jitcore.library.core import index_modes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axes,
    normal_axis,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.math.elementwise import multiply
from jitcore.library.nn import operands
from jitcore.library.statistics import reductions as reduce
from jitcore.primitives.ops import conversions, joining, python_ints
from jitcore.primitives.ops import convolution as c
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import pooling as p
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import Dim, DimExpr, dim_max, shape_text

Pair = tuple[int, int]


# --- activations ------------------------------------------------------------------------------------


def relu(x: Any) -> Any:
    """max(x, 0); its derivative at 0 is 0."""
    a = as_array(x)
    return e.select(e.less_equal(a, 0), 0, a)


def relu6(x: Any) -> Any:
    """min(max(x, 0), 6); its derivative at 0 is 0."""
    a = relu(x)
    return e.select(e.greater(a, 6), 6, a)


def leaky_relu(x: Any, alpha: Any = 0.2) -> Any:
    """x, but alpha * x where x is negative."""
    a = reduce.as_float(x)
    return e.select(e.greater(a, 0), a, multiply(a, alpha))


def elu(x: Any, alpha: Any = 1.0) -> Any:
    """x, but alpha * (exp(x) - 1) where x is negative."""
    a = reduce.as_float(x)
    return e.select(e.greater(a, 0), a, multiply(t.expm1(e.minimum(a, 0)), alpha))


def gelu(x: Any, approximate: Any = "tanh") -> Any:
    """x times the normal distribution function of x: exact ('none', False), or by tanh (the default;
    arXiv:1606.08415)."""
    a = reduce.as_float(x)
    if evaluator().static(approximate, "approximate") in (False, "none"):
        return e.mul(e.mul(a, 0.5), e.add(t.erf(e.mul(a, 0.7071067811865476)), 1))
    cubic = e.mul(e.mul(e.mul(a, a), a), 0.044715)
    return e.mul(e.mul(a, 0.5), e.add(t.tanh(e.mul(e.add(a, cubic), 0.7978845608028654)), 1))


def silu(x: Any) -> Any:
    """x * sigmoid(x)."""
    a = reduce.as_float(x)
    return e.mul(a, t.sigmoid(a))


def softplus(x: Any) -> Any:
    """log(1 + exp(x)), without overflow."""
    a = reduce.as_float(x)
    return e.add(e.maximum(a, 0), t.log1p(t.exp(e.neg(e.abs(a)))))


def hsigmoid(x: Any) -> Any:
    """min(max(x + 3, 0), 6) / 6."""
    a = reduce.as_float(x)
    return e.div(e.minimum(e.maximum(e.add(a, 3), 0), 6), 6)


def hswish(x: Any) -> Any:
    """x * hsigmoid(x)."""
    a = reduce.as_float(x)
    return e.mul(a, hsigmoid(a))


def softmax(x: Any, axis: Any = -1) -> Any:
    """exp(x) over its sum along `axis`, without overflow."""
    a = reduce.as_float(x)
    axes = normal_axes(axis, rank_of(a))
    powers = t.exp(e.sub(a, e.stop_gradient(r.reduce_max(a, axis=axes, keepdims=True))))
    return e.div(powers, r.reduce_sum(powers, axis=axes, keepdims=True))


def log_softmax(x: Any, axis: Any = -1) -> Any:
    """log(softmax(x)), exact where softmax is near 0."""
    a = reduce.as_float(x)
    axes = normal_axes(axis, rank_of(a))
    centred = e.sub(a, e.stop_gradient(r.reduce_max(a, axis=axes, keepdims=True)))
    return e.sub(centred, t.log(r.reduce_sum(t.exp(centred), axis=axes, keepdims=True)))


# --- convolution and pooling ------------------------------------------------------------------------


def pair(value: Any, what: str) -> Pair:
    """Two ints: of one int twice, of a pair, or the last two of MindSpore's four (N, C, H, W)."""
    found = evaluator().static(value, what)
    if isinstance(found, list | tuple):
        items = [static_int(v, what) for v in cast("Sequence[Any]", found)]
        if len(items) == 4:
            items = items[2:]
        if len(items) != 2:
            raise ValueError(f"{what} is an int or two ints, not {found!r}")
        return items[0], items[1]
    size = static_int(found, what)
    return size, size


def padding_of(
    mode: Any, padding: Any, size: tuple[Dim, Dim], window: Pair, stride: Pair, dilation: Pair
) -> tuple[tuple[Dim, Dim], tuple[Dim, Dim]]:
    """((top, bottom), (left, right)) for MindSpore's pad modes 'same', 'valid' and 'pad'."""
    kind = str(evaluator().static(mode, "pad_mode")).lower()
    given = evaluator().static(padding, "padding")
    if kind == "pad":
        items = list(cast("Sequence[int]", given)) if isinstance(given, list | tuple) else [given] * 4
        if len(items) == 2:
            items = [items[0], items[0], items[1], items[1]]
        if len(items) != 4:
            raise ValueError(f"padding is an int, two or four ints, not {given!r}")
        top, bottom, left, right = (static_int(v, "padding") for v in items)
        if min(top, bottom, left, right) < 0:
            raise ValueError(f"padding must not be negative, but is {given!r}")
        return (top, bottom), (left, right)
    if given not in (0, (0, 0), [0, 0], (0, 0, 0, 0), [0, 0, 0, 0]):
        raise ValueError(f"padding={given!r} needs pad_mode='pad', not {kind!r}")
    if kind == "valid":
        return (0, 0), (0, 0)
    if kind != "same":
        raise ValueError(f"pad_mode is 'same', 'valid' or 'pad', not {kind!r}")
    return tuple(  # type: ignore[return-value]
        same_padding(n, k, st, d) for n, k, st, d in zip(size, window, stride, dilation, strict=True)
    )


def require_windows(x: Any, window: Sequence[int], pads: Sequence[tuple[Dim, Dim]], dilation: Sequence[int]) -> None:
    """Raise ValueError if an array (N, C, …) is smaller, padded, than a window: now if its extents tell, else in the
    program."""
    for n, k, (low, high), spread in zip(shape_of(x)[2:], window, pads, dilation, strict=True):
        reach = (k - 1) * spread + 1
        room = n + low + high + -reach
        if isinstance(room, DimExpr):
            fits = python_ints.int_ge(evaluator().number(room), 0)
            message = f"a window of {reach} is larger than the padded extent"
            conversions.check(fits, exception="ValueError", message=message)
        elif room < 0:
            raise ValueError(f"a window of {reach} is larger than the padded extent {n + low + high}")


def same_padding(n: Dim, window: int, stride: int, dilation: int) -> tuple[Dim, Dim]:
    """The padding that gives ceil(n / stride) results, the odd one at the end."""
    reach = (window - 1) * dilation + 1
    total = dim_max(((n + (stride - 1)) // stride + -1) * stride + reach + n * -1, 0) if n != 0 else 0
    if isinstance(total, int) or stride == 1:
        before = total // 2
        return before, total + before * -1
    return total // 2, total + (total // 2) * -1


def conv2d(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    pad_mode: Any = "valid",
    dilation: Any = 1,
    group: Any = 1,
    name: str = "conv2d",
) -> Any:
    """The cross-correlation of x (N, C, H, W) with weight (O, C / group, KH, KW), and a bias (O,) if given. Errors have
    the name that the user called it by."""
    a, w = promote("conv2d", x, weight)
    groups, strides, dilations = static_int(group, "group"), pair(stride, "stride"), pair(dilation, "dilation")
    operands.require_operands(name, a, w, 4, groups, (*strides, *dilations))
    window = tuple(static_int(evaluator().number(n), "the extent of the weight") for n in shape_of(w)[2:])
    size = shape_of(a)[2:]
    pads = padding_of(pad_mode, padding, (size[0], size[1]), (window[0], window[1]), strides, dilations)
    require_windows(a, window, pads, dilations)
    out = c.conv2d(a, w, stride=strides, padding=pads, dilation=dilations, groups=groups)
    return out if bias is None else operands.add_bias(name, out, bias)


def bias_add(x: Any, bias: Any) -> Any:
    """x plus a bias along axis 1 (the channels)."""
    return operands.add_bias("bias_add", x, bias)


def max_pool2d(x: Any, kernel_size: Any = 1, stride: Any = 1, pad_mode: Any = "valid", padding: Any = 0) -> Any:
    """The largest element of each window of x (N, C, H, W)."""
    a, window, strides, pads = _windows(x, kernel_size, stride, pad_mode, padding)
    return p.max_pool2d(a, window=window, stride=strides, padding=pads)


def avg_pool2d(x: Any, kernel_size: Any = 1, stride: Any = 1, pad_mode: Any = "valid", padding: Any = 0) -> Any:
    """The mean of each window of x (N, C, H, W); padding counts as zeros with pad_mode 'pad', not at all with
    'same'."""
    a, window, strides, pads = _windows(x, kernel_size, stride, pad_mode, padding)
    out = p.avg_pool2d(a, window=window, stride=strides, padding=pads)
    if str(evaluator().static(pad_mode, "pad_mode")).lower() != "same":
        return out
    inside = joining.full(as_array(1, dtype_of_value(a)), shape=(1, 1, *shape_of(a)[2:]))
    return e.div(out, p.avg_pool2d(inside, window=window, stride=strides, padding=pads))


def _windows(x: Any, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any) -> tuple[Any, Pair, Pair, Any]:
    a = as_array(x)
    if rank_of(a) != 4:
        raise ValueError(f"2d pooling takes an array of 4 dimensions, not {rank_of(a)}")
    window, strides = pair(kernel_size, "kernel_size"), pair(stride, "stride")
    size = shape_of(a)[2:]
    pads = padding_of(pad_mode, padding, (size[0], size[1]), window, strides, (1, 1))
    require_windows(a, window, pads, (1, 1))
    return a, window, strides, pads


# --- layers -----------------------------------------------------------------------------------------


def dense(x: Any, weight: Any, bias: Any = None) -> Any:
    """x @ weight.T + bias, over the last axis of x."""
    w = as_array(weight)
    a = as_array(x)
    if rank_of(a) == 0:
        raise ValueError("dense takes an input of at least 1 dimension, not a scalar")
    if rank_of(w) == 2:
        width, taken = shape_of(a)[-1], shape_of(w)[1]
        shapes = f"the input has shape {shape_text(shape_of(a))}, the weight {shape_text(shape_of(w))}"
        require_equal(width, taken, f"dense: the last axis of the input has extent {{0}}, not {{1}}: {shapes}")
    out = products.matmul(a, s.transpose(w, permutation=(1, 0)))
    if bias is None:
        return out
    product, added = promote("add", out, bias)
    return e.add(product, added)


def flatten_batch(x: Any) -> Any:
    """x with every axis but the first made one."""
    a = as_array(x)
    if rank_of(a) == 0:
        raise ValueError("Flatten takes an array of at least 1 dimension")
    rest: Dim = 1
    for extent in shape_of(a)[1:]:
        rest = rest * extent
    return s.reshape(a, shape=(shape_of(a)[0], rest))


# --- losses -----------------------------------------------------------------------------------------


def reduced(losses: Any, reduction: Any) -> Any:
    """Losses as they are ('none'), their 'sum' or their 'mean'."""
    how = evaluator().static(reduction, "reduction")
    if how == "mean":
        return reduce.mean(losses)
    if how == "sum":
        return reduce.sum(losses)
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
    a, labels = reduce.as_float(logs), index_modes.wide(as_array(target))
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
        even = e.neg(reduce.mean(scaled, 1))
        losses = e.add(e.mul(losses, 1 - smoothing), e.mul(e.select(ignored, 0, even), smoothing))
    if evaluator().static(reduction, "reduction") == "mean":
        return e.div(reduce.sum(losses), reduce.sum(weights))
    return reduced(losses, reduction)


def mse_loss(x: Any, target: Any, reduction: Any = "mean") -> Any:
    """The squared differences, reduced."""
    a, b = promote("sub", x, target)
    d = e.sub(a, b)
    return reduced(e.mul(d, d), reduction)


def l1_loss(x: Any, target: Any, reduction: Any = "mean") -> Any:
    """The absolute differences, reduced."""
    a, b = promote("sub", x, target)
    return reduced(e.abs(e.sub(a, b)), reduction)


def smooth_l1_loss(x: Any, target: Any, beta: Any = 1.0, reduction: Any = "none") -> Any:
    """Squared differences below `beta`, absolute ones above, reduced."""
    a, b = promote("sub", x, target)
    d = e.abs(e.sub(a, b))
    limit = float(evaluator().static(beta, "beta"))
    if limit < 0:
        raise ValueError(f"smooth_l1_loss: beta must not be negative, but is {limit}")
    return reduced(e.select(e.less(d, limit), e.mul(e.mul(d, d), 0.5 / limit), e.sub(d, 0.5 * limit)), reduction)


def binary_cross_entropy(x: Any, target: Any, weight: Any = None, reduction: Any = "mean") -> Any:
    """-(t log x + (1 - t) log(1 - x)), reduced; logarithms are not below -100."""
    a, goal = promote("sub", x, target)
    yes, no = e.maximum(t.log(a), -100.0), e.maximum(t.log1p(e.neg(a)), -100.0)
    losses = e.neg(e.add(e.mul(goal, yes), e.mul(e.sub(1, goal), no)))
    return reduced(losses if weight is None else multiply(losses, weight), reduction)


# --- normalisation ----------------------------------------------------------------------------------


def layer_norm(x: Any, gamma: Any, beta: Any, axis: Any = -1, epsilon: Any = 1e-5) -> Any:
    """x less its mean, over its standard deviation (from `axis` on), scaled by gamma and moved by beta."""
    a = reduce.as_float(x)
    first = normal_axis(axis, rank_of(a))
    axes = tuple(range(first, rank_of(a)))
    centred = e.sub(a, reduce.mean(a, axes, keepdims=True))
    spread = reduce.mean(e.mul(centred, centred), axes, keepdims=True)
    scaled = e.div(centred, t.sqrt(e.add(spread, float(evaluator().static(epsilon, "epsilon")))))
    g, b = promote("mul", gamma, beta)
    return e.add(*promote("add", e.mul(*promote("mul", scaled, g)), b))


def l2_normalize(x: Any, axis: Any = 0, epsilon: Any = 1e-4) -> Any:
    """x over the square root of its sum of squares along `axis`, which counts as `epsilon` at least."""
    a = reduce.as_float(x)
    total = r.reduce_sum(e.mul(a, a), axis=normal_axes(axis, rank_of(a)), keepdims=True)
    return e.div(a, t.sqrt(e.maximum(total, float(evaluator().static(epsilon, "epsilon")))))
