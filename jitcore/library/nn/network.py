"""Library functions behind layers: activations that few need, pooling, transposed convolution, normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore.library.array import indexing, shapes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axis,
    promote,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.nn import neural, operands
from jitcore.library.nn.neural import Pair
from jitcore.library.statistics import reductions as reduce
from jitcore.primitives.ops import convolution as c
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import pooling as p
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import Dim, f32

# --- activations ------------------------------------------------------------------------------------


def _known(value: Any, what: str) -> Any:
    """An option that the compiler must know."""
    return evaluator().static(value, what)


def like(number: Any, a: Any) -> Any:
    """A Python number, perhaps one of the run, as an array of the dtype of another."""
    return as_array(number, dtype_of_value(a))


def selu(x: Any) -> Any:
    """The scaled exponential unit (Klambauer et al. 2017)."""
    a = reduce.as_float(x)
    below = e.mul(t.expm1(e.minimum(a, 0)), 1.6732632423543772)
    return e.mul(e.select(e.greater(a, 0), a, below), 1.0507009873554805)


def celu(x: Any, alpha: float) -> Any:
    """x, but alpha * (exp(x / alpha) - 1) where x is negative."""
    a = reduce.as_float(x)
    scale = like(alpha, a)
    return e.select(e.greater(a, 0), a, e.mul(t.expm1(e.div(e.minimum(a, 0), scale)), scale))


def mish(x: Any) -> Any:
    """x * tanh(softplus(x))."""
    a = reduce.as_float(x)
    return e.mul(a, t.tanh(neural.softplus(a)))


def softsign(x: Any) -> Any:
    """x / (1 + |x|)."""
    a = reduce.as_float(x)
    return e.div(a, e.add(e.abs(a), 1))


def log_sigmoid(x: Any) -> Any:
    """log(sigmoid(x)), without overflow."""
    return e.neg(neural.softplus(e.neg(reduce.as_float(x))))


def hard_shrink(x: Any, limit: float) -> Any:
    """x, but 0 within `limit` of 0."""
    a = as_array(x)
    return e.select(e.greater(e.abs(a), like(limit, a)), a, 0)


def soft_shrink(x: Any, limit: float) -> Any:
    """x moved towards 0 by `limit`, and no further."""
    a = as_array(x)
    edge = like(limit, a)
    return e.select(e.greater(a, edge), e.sub(a, edge), e.select(e.less(a, e.neg(edge)), e.add(a, edge), 0))


def tanh_shrink(x: Any) -> Any:
    """x - tanh(x)."""
    a = reduce.as_float(x)
    return e.sub(a, t.tanh(a))


def threshold(x: Any, limit: float, value: float) -> Any:
    """x where it is above `limit`, else `value`."""
    a = as_array(x)
    return e.select(e.greater(a, like(limit, a)), a, like(value, a))


def hard_tanh(x: Any, low: float, high: float) -> Any:
    """x clipped to [low, high]."""
    a = as_array(x)
    return e.minimum(e.maximum(a, like(low, a)), like(high, a))


def fast_gelu(x: Any) -> Any:
    """x * sigmoid(1.702 x)."""
    a = reduce.as_float(x)
    return e.mul(a, t.sigmoid(e.mul(a, 1.702)))


def glu(x: Any, axis: Any = -1) -> Any:
    """The first half of x along `axis`, times the sigmoid of the second. Raises ValueError for an odd extent."""
    a = reduce.as_float(x)
    axis = normal_axis(axis, rank_of(a))
    operands.require_parts("glu", shape_of(a)[axis], 2, f"elements along axis {axis}")
    first, second = shapes.split(a, 2, axis)
    return e.mul(first, t.sigmoid(second))


def prelu(x: Any, weight: Any) -> Any:
    """x, but weight * x where x is negative; a weight for each channel (axis 1), or one."""
    a, w = promote("mul", x, weight)
    if rank_of(w) == 1 and rank_of(a) > 1:
        if shape_of(w)[0] != 1:
            operands.require_channels("prelu", a, w)
        w = s.reshape(w, shape=(shape_of(w)[0],) + (1,) * (rank_of(a) - 2))
    return e.select(e.greater(a, 0), a, e.mul(a, w))


# --- pooling ----------------------------------------------------------------------------------------


def _as_images(x: Any, rank: int) -> Any:
    """(N, C, L) as (N, C, 1, L) for `rank` 1; (C, H, W) as (1, C, H, W) for 2."""
    a = as_array(x)
    if rank_of(a) not in (rank + 1, rank + 2):
        raise ValueError(f"{rank}d pooling takes arrays of {rank + 1} or {rank + 2} dimensions, not {rank_of(a)}")
    if rank == 1:
        a = s.expand_dims(a, axis=(rank_of(a) - 1,))
    return s.expand_dims(a, axis=(0,)) if rank_of(a) == 3 else a


def _like_input(out: Any, x: Any, rank: int) -> Any:
    axes = ((0,) if rank_of(x) == rank + 1 else ()) + ((2,) if rank == 1 else ())
    return s.squeeze(out, axis=axes) if axes else out


def _pads(
    a: Any, mode: Any, padding: Any, window: Pair, stride: Pair, ceil: bool, dilation: Pair = (1, 1)
) -> tuple[tuple[Dim, Dim], tuple[Dim, Dim]]:
    size = shape_of(a)[2:]
    pads = neural.padding_of(mode, padding, (size[0], size[1]), window, stride, dilation)
    if not ceil:
        neural.require_windows(a, window, pads, dilation)
        return pads
    made: list[tuple[Dim, Dim]] = []
    for extent, (before, after), k, step in zip(size, pads, window, stride, strict=True):
        n = static_int(evaluator().number(extent), "the extent of an image pooled with ceil_mode")
        whole = n + static_int(before, "padding") + static_int(after, "padding")
        count = -((whole - k) // -step) + 1
        if (count - 1) * step >= n + static_int(before, "padding"):
            count -= 1  # no window begins in what was only added to round up
        made.append((before, after + max((count - 1) * step + k - whole, 0)))
    return made[0], made[1]


def _window(value: Any, rank: int, what: str) -> Pair:
    if rank == 2:
        return neural.pair(value, what)
    found = evaluator().static(value, what)
    items = cast("Sequence[Any]", found) if isinstance(found, list | tuple) else (found,)
    if len(items) != 1:
        raise ValueError(f"{what} is an int, not {found!r}")
    return 1, static_int(items[0], what)


def _padding(value: Any, rank: int) -> Any:
    if rank == 2:
        return value
    found = evaluator().static(value, "padding")
    if isinstance(found, list | tuple):
        items = cast("Sequence[Any]", found)
        return (0, 0, items[0], items[-1])
    return (0, 0, found, found) if found else 0


def max_pool(x: Any, rank: int, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any, ceil: bool) -> Any:
    """The largest element of each window of x, over its last `rank` axes."""
    rank, ceil = static_int(rank, "the rank"), bool(_known(ceil, "ceil_mode"))
    a = _as_images(x, rank)
    window, steps = _window(kernel_size, rank, "kernel_size"), _window(stride, rank, "stride")
    pads = _pads(a, pad_mode, _padding(padding, rank), window, steps, ceil)
    return _like_input(p.max_pool2d(a, window=window, stride=steps, padding=pads), x, rank)


def avg_pool(
    x: Any,
    rank: int,
    kernel_size: Any,
    stride: Any,
    pad_mode: Any,
    padding: Any,
    ceil: bool,
    include_pad: bool,
    divisor: int | None,
) -> Any:
    """The mean of each window of x, over its last `rank` axes; padding counts as zeros only with `include_pad`."""
    rank, ceil = static_int(rank, "the rank"), bool(_known(ceil, "ceil_mode"))
    include_pad, divisor = bool(_known(include_pad, "count_include_pad")), _known(divisor, "divisor_override")
    a = _as_images(reduce.as_float(x), rank)
    window, steps = _window(kernel_size, rank, "kernel_size"), _window(stride, rank, "stride")
    given = neural.padding_of(
        pad_mode, _padding(padding, rank), (shape_of(a)[2], shape_of(a)[3]), window, steps, (1, 1)
    )
    pads = _pads(a, pad_mode, _padding(padding, rank), window, steps, ceil)
    out = p.avg_pool2d(a, window=window, stride=steps, padding=pads)
    if divisor is not None:
        return _like_input(e.mul(out, window[0] * window[1] / divisor), x, rank)
    same = str(evaluator().static(pad_mode, "pad_mode")).lower() == "same"
    if same or not include_pad or pads != given:
        out = e.div(out, _shares_counted(a, window, steps, pads, given if include_pad and not same else None))
    return _like_input(out, x, rank)


def _shares_counted(a: Any, window: Pair, stride: Pair, pads: Any, counted: Any) -> Any:
    """The share of each window that counts: the image's own elements, and `counted` of the padding."""
    height, width = shape_of(a)[2:]
    rest = pads
    if counted is not None:
        (top, bottom), (left, right) = counted
        height, width = height + top + bottom, width + left + right
        rest = tuple((have[0] + -1 * own[0], have[1] + -1 * own[1]) for have, own in zip(pads, counted, strict=True))
    inside = joining.full(as_array(1, dtype_of_value(a)), shape=(1, 1, height, width))
    return p.avg_pool2d(inside, window=window, stride=stride, padding=rest)


def _bins(extent: Dim, count: int) -> list[tuple[int, int]]:
    """Where the windows of an adaptive pooling begin and end."""
    n = static_int(evaluator().number(extent), "the extent of an image pooled to a given size")
    return [(k * n // count, -((k + 1) * n // -count)) for k in range(count)]


def _wanted(size: Any, extents: Sequence[Dim]) -> list[int]:
    found = evaluator().static(size, "output_size")
    items = list(cast("Sequence[Any]", found)) if isinstance(found, list | tuple) else [found] * len(extents)
    if len(items) != len(extents):
        raise ValueError(f"output_size is an int or {len(extents)} ints, not {found!r}")
    sizes = [
        static_int(evaluator().number(n) if k is None else k, "output_size")
        for k, n in zip(items, extents, strict=True)
    ]
    if min(sizes) < 1:
        raise ValueError(f"output_size must be positive, but is {found!r}")
    return sizes


def _first_pooled(a: object, rank: int) -> int:
    """The first of the last `rank` axes."""
    if rank_of(a) < rank:
        raise ValueError(f"adaptive pooling over {rank} axes takes an array of at least {rank}, not {rank_of(a)}")
    return rank_of(a) - rank


def adaptive_avg_pool(x: Any, rank: int, size: Any) -> Any:
    """The means of windows of x over its last `rank` axes, as many as `size` says."""
    a, rank = reduce.as_float(x), static_int(rank, "the rank")
    first = _first_pooled(a, rank)
    for k, count in enumerate(_wanted(size, shape_of(a)[first:])):
        bins = _bins(shape_of(a)[first + k], count)
        share = np.zeros((bins[-1][1], count))
        for column, (start, stop) in enumerate(bins):
            share[start:stop, column] = 1 / (stop - start)
        matrix = evaluator().constant(share, dtype_of_value(a))
        order = [*(d for d in range(rank_of(a)) if d != first + k), first + k]
        moved = products.matmul(s.transpose(a, permutation=tuple(order)), matrix)
        a = s.transpose(moved, permutation=tuple(int(i) for i in np.argsort(order)))
    return a


def adaptive_max_pool(x: Any, rank: int, size: Any) -> Any:
    """The largest elements of windows of x over its last `rank` axes, as many as `size` says."""
    a, rank = as_array(x), static_int(rank, "the rank")
    first = _first_pooled(a, rank)
    for k, count in enumerate(_wanted(size, shape_of(a)[first:])):
        axis = first + k
        parts = [
            r.reduce_max(indexing.getitem(a, (*(slice(None),) * axis, slice(start, stop))), axis=(axis,), keepdims=True)
            for start, stop in _bins(shape_of(a)[axis], count)
        ]
        a = joining.concatenate(*parts, axis=axis)
    return a


# --- convolution ------------------------------------------------------------------------------------


def conv1d(x: Any, weight: Any, bias: Any, stride: int, pad_mode: str, padding: Any, dilation: int, group: int) -> Any:
    """The cross-correlation of x (N, C, L) with weight (O, C / group, 1, K) or (O, C / group, K), and a bias if
    given."""
    a, w = as_array(x), _line(weight)
    steps, spread, groups = (
        static_int(v, n) for v, n in ((stride, "the stride"), (dilation, "the dilation"), (group, "group"))
    )
    operands.require_operands("conv1d", a, w, 3, groups, (steps, spread))
    a, w = s.expand_dims(a, axis=(2,)), s.expand_dims(w, axis=(2,))
    out = neural.conv2d(a, w, bias, (1, steps), _padding(padding, 1), pad_mode, (1, spread), groups, "conv1d")
    return s.squeeze(out, axis=(2,))


def _line(weight: object) -> Any:
    """A weight of windows along one axis, which MindSpore's layers keep with an axis of extent 1 before it."""
    w = as_array(weight)
    return s.squeeze(w, axis=(2,)) if rank_of(w) == 4 else w


def conv1d_transpose(
    x: object,
    weight: object,
    bias: object,
    stride: object,
    pad_mode: str,
    padding: object,
    dilation: object,
    group: int,
) -> Any:
    """The transpose of conv1d: x (N, C, L), weight (C, O / group, 1, K) or (C, O / group, K), and a bias (O,) if given.
    The stride and dilation are pairs, as of images one pixel high."""
    a, w, name = as_array(x), _line(weight), "conv1d_transpose"
    steps, spread = neural.pair(stride, "stride"), neural.pair(dilation, "dilation")
    operands.require_operands(name, a, w, 3, static_int(group, "group"), (*steps, *spread), transposed=True)
    a, w = s.expand_dims(a, axis=(2,)), s.expand_dims(w, axis=(2,))
    return s.squeeze(conv2d_transpose(a, w, bias, steps, pad_mode, padding, spread, group, name=name), axis=(2,))


def conv2d_transpose(
    x: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    pad_mode: str,
    padding: Any,
    dilation: Any,
    group: int,
    output_padding: Any = 0,
    name: str = "conv2d_transpose",
) -> Any:
    """The transpose of conv2d: x (N, C, H, W), weight (C, O / group, KH, KW), and a bias (O,) if given. Errors have the
    name that the user called it by."""
    a, w = promote("conv2d", x, weight)
    steps, spread = neural.pair(stride, "stride"), neural.pair(dilation, "dilation")
    group, pad_mode = static_int(group, "group"), str(_known(pad_mode, "pad_mode"))
    operands.require_operands(name, a, w, 4, group, (*steps, *spread), transposed=True)
    window = [static_int(evaluator().number(n), "the extent of the weight") for n in shape_of(w)[2:]]
    reach = [(k - 1) * d + 1 for k, d in zip(window, spread, strict=True)]
    extra = neural.pair(output_padding, "output_padding")
    size = shape_of(a)[2:]
    if pad_mode == "same":
        whole = [n * st for n, st in zip(size, steps, strict=True)]
    elif pad_mode == "valid":
        whole = [n * st + max(k - st, 0) for n, st, k in zip(size, steps, reach, strict=True)]
    else:
        ends = neural.padding_of("pad", padding, (size[0], size[1]), (1, 1), (1, 1), (1, 1))
        whole = [
            n * st + (k - st + more) + (before + after) * -1
            for n, st, k, more, (before, after) in zip(size, steps, reach, extra, ends, strict=True)
        ]
    pads = neural.padding_of(pad_mode, padding, (whole[0], whole[1]), (window[0], window[1]), steps, spread)
    out = c.conv2d_input_grad(
        a,
        w,
        input_shape=(shape_of(a)[0], shape_of(w)[1] * group, whole[0], whole[1]),
        stride=steps,
        padding=pads,
        dilation=spread,
        groups=group,
    )
    return out if bias is None else operands.add_bias(name, out, bias)


# --- normalisation ----------------------------------------------------------------------------------


def _per_channel(value: Any, rank: int) -> Any:
    return s.reshape(value, shape=(shape_of(value)[0],) + (1,) * (rank - 2))


def group_norm(x: Any, groups: int, gamma: Any, beta: Any, epsilon: float) -> Any:
    """x (N, C, …) normalised over each group of channels of each sample, then scaled and moved by channel."""
    a = reduce.as_float(x)
    if rank_of(a) < 2:
        raise ValueError(f"a group of channels is normalised of arrays of at least 2 dimensions, not {rank_of(a)}")
    shape, groups = shape_of(a), static_int(groups, "the number of groups")
    split = (shape[0], groups, _rest(shape, groups))
    flat = s.reshape(a, shape=split)
    centred = e.sub(flat, reduce.mean(flat, (2,), keepdims=True))
    spread = reduce.mean(e.mul(centred, centred), (2,), keepdims=True)
    made = s.reshape(e.div(centred, t.sqrt(e.add(spread, like(epsilon, spread)))), shape=shape)
    return _scaled("group_norm", made, gamma, beta)


def _rest(shape: Sequence[Dim], groups: int) -> Dim:
    """The number of elements in a group of a sample."""
    total: Dim = 1
    for extent in shape[1:]:
        total = total * extent
    return total // groups


def _scaled(name: str, a: Any, gamma: object, beta: object) -> Any:
    g, b = promote("mul", gamma, beta)
    operands.require_channels(name, a, g)
    scaled = e.mul(*promote("mul", a, _per_channel(g, rank_of(a))))
    return e.add(*promote("add", scaled, _per_channel(b, rank_of(a))))


def channel_statistics(x: Any) -> tuple[Any, Any, Any]:
    """The mean and (biased) variance of each channel (axis 1), and n / (n - 1) for the n elements each is made of."""
    a = reduce.as_float(x)
    axes = tuple(k for k in range(rank_of(a)) if k != 1)
    mean = reduce.mean(a, axes)
    centred = e.sub(a, _per_channel(mean, rank_of(a)))
    variance = reduce.mean(e.mul(centred, centred), axes)
    count: Dim = 1
    for k in axes:
        count = count * shape_of(a)[k]
    number = as_array(evaluator().number(count), f32)
    return mean, variance, e.div(number, e.maximum(e.sub(number, 1), 1))


def normalise_channels(x: Any, mean: Any, variance: Any, gamma: Any, beta: Any, epsilon: float) -> Any:
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, by channel (axis 1)."""
    a = reduce.as_float(x)
    g, v = promote("mul", gamma, variance)
    operands.require_channels("batch_norm", a, g)
    scale = e.div(g, t.sqrt(e.add(v, like(epsilon, v))))
    centred = e.sub(*promote("sub", a, _per_channel(as_array(mean), rank_of(a))))
    scaled = e.mul(*promote("mul", centred, _per_channel(scale, rank_of(a))))
    made = e.add(*promote("add", scaled, _per_channel(as_array(beta), rank_of(a))))
    return made if dtype_of_value(made) is dtype_of_value(a) else e.cast(made, dtype=dtype_of_value(a))


def instance_norm(x: Any, gamma: Any, beta: Any, epsilon: float) -> Any:
    """x (N, C, …) normalised over each channel of each sample, then scaled and moved by channel."""
    a = reduce.as_float(x)
    axes = tuple(range(2, rank_of(a)))
    centred = e.sub(a, reduce.mean(a, axes, keepdims=True))
    spread = reduce.mean(e.mul(centred, centred), axes, keepdims=True)
    return _scaled("instance_norm", e.div(centred, t.sqrt(e.add(spread, like(epsilon, spread)))), gamma, beta)
