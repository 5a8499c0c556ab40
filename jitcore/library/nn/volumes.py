"""Convolution and pooling of volumes (N, C, D, H, W), made of those of images; windows of any rank with the places of
their maxima.

A window's depth is taken apart: the slices that it reads become channels of one convolution of images, and a pooling
over depth follows one over height and width.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from jitcore.library.array import indexing, shapes
from jitcore.library.core import index_modes
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
from jitcore.library.math import elementwise
from jitcore.library.nn import network, neural, operands
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import convolution as c
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import pooling as p
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.conversions import integer_range
from jitcore.types import Dim, i64

Sizes: TypeAlias = "tuple[int, ...]"
Pads: TypeAlias = "tuple[tuple[Dim, Dim], ...]"


# --- parameters ---------------------------------------------------------------------------------------


def sizes(value: Any, rank: int, what: str) -> Sizes:
    """An int for each of the last axes: of one for all, of one for each, or of MindSpore's for all axes (N, C, …)."""
    found = evaluator().static(value, what)
    if not isinstance(found, list | tuple):
        return (static_int(found, what),) * rank
    items = tuple(static_int(v, what) for v in cast("Sequence[Any]", found))
    if len(items) == rank + 2:
        items = items[2:]
    if len(items) == 1:
        items = items * rank
    if len(items) != rank:
        raise ValueError(f"{what} is an int or {rank} ints, not {found!r}")
    return items


def pads_of(mode: Any, padding: Any, extents: Sequence[Dim], window: Sizes, stride: Sizes, dilation: Sizes) -> Pads:
    """(before, after) for each axis, for MindSpore's pad modes 'same', 'valid' and 'pad'."""
    kind = str(evaluator().static(mode, "pad_mode")).lower()
    given, rank = evaluator().static(padding, "padding"), len(window)
    if kind == "same":
        return tuple(
            neural.same_padding(n, k, st, d) for n, k, st, d in zip(extents, window, stride, dilation, strict=True)
        )
    if kind not in ("valid", "pad"):
        raise ValueError(f"pad_mode is 'same', 'valid' or 'pad', not {kind!r}")
    items = [static_int(v, "padding") for v in cast("Sequence[Any]", given)] if isinstance(given, list | tuple) else []
    if not isinstance(given, list | tuple):
        items = [static_int(given, "padding")] * (2 * rank)
    if len(items) == 1:
        items = items * (2 * rank)
    if len(items) == rank:
        items = [n for n in items for _ in (0, 1)]
    if len(items) != 2 * rank:
        raise ValueError(f"padding is an int, {rank} or {2 * rank} ints, not {given!r}")
    if min(items) < 0:
        raise ValueError(f"padding must not be negative, but is {given!r}")
    if kind == "valid" and any(items):
        raise ValueError(f"padding={given!r} needs pad_mode='pad', not {kind!r}")
    return tuple((items[2 * k], items[2 * k + 1]) for k in range(rank))


def rounded_up(pads: Pads, extents: Sequence[Dim], window: Sizes, stride: Sizes, dilation: Sizes) -> Pads:
    """More padding at the ends, so that windows that are not whole count (but none that begins in what is added)."""
    made: list[tuple[Dim, Dim]] = []
    for extent, (before, after), k, step, spread in zip(extents, pads, window, stride, dilation, strict=True):
        n = static_int(evaluator().number(extent), "the extent of what is pooled with ceil_mode")
        low = static_int(before, "padding")
        whole, reach = n + low + static_int(after, "padding"), (k - 1) * spread + 1
        count = -((whole - reach) // -step) + 1
        if (count - 1) * step >= n + low:
            count -= 1
        made.append((before, after + max((count - 1) * step + reach - whole, 0)))
    return tuple(made)


# --- convolution --------------------------------------------------------------------------------------


def _slices(a: Any, count: int, results: Dim, stride: int, dilation: int) -> Any:
    """The slices that windows read, of volumes padded in depth, as images: (N * results, C * count, H, W)."""
    n, channels, _, height, width = shape_of(a)
    taps = [shapes.slice_axis(a, 2, k * dilation, results, stride) for k in range(count)]
    whole = s.transpose(shapes.stack(taps, 2), permutation=(0, 3, 1, 2, 4, 5))
    return s.reshape(whole, shape=(n * results, channels * count, height, width))


def _flat_weight(w: Any, depth: int) -> Any:
    outputs, inputs, _, height, width = shape_of(w)
    return s.reshape(w, shape=(outputs, inputs * depth, height, width))


def _volumes(a: Any, n: Dim) -> Any:
    """Images (N * D, C, H, W) as volumes (N, C, D, H, W)."""
    rows, channels, height, width = shape_of(a)
    split = s.reshape(a, shape=(n, rows // n, channels, height, width))
    return s.transpose(split, permutation=(0, 2, 1, 3, 4))


def _window_of(w: Any) -> Sizes:
    return tuple(static_int(evaluator().number(n), "the extent of the weight") for n in shape_of(w)[2:])


def conv3d(x: Any, weight: Any, bias: Any, stride: Any, padding: Any, pad_mode: Any, dilation: Any, group: Any) -> Any:
    """The cross-correlation of x (N, C, D, H, W) with weight (O, C / group, KD, KH, KW), and a bias (O,) if given."""
    a, w = promote("conv2d", x, weight)
    single = rank_of(a) == 4
    a = s.expand_dims(a, axis=(0,)) if single else a
    groups, steps, spread = static_int(group, "group"), sizes(stride, 3, "stride"), sizes(dilation, 3, "dilation")
    operands.require_operands("conv3d", a, w, 5, groups, (*steps, *spread))
    window = _window_of(w)
    pads = pads_of(pad_mode, padding, shape_of(a)[2:], window, steps, spread)
    neural.require_windows(a, window, pads, spread)
    a = _padded_depth(a, pads[0], 0)
    results = c.window_extent(shape_of(a)[2], window[0], steps[0], (0, 0), spread[0])
    out = c.conv2d(
        _slices(a, window[0], results, steps[0], spread[0]),
        _flat_weight(w, window[0]),
        stride=steps[1:],
        padding=pads[1:],
        dilation=spread[1:],
        groups=groups,
    )
    made = _volumes(out, shape_of(a)[0])
    made = made if bias is None else operands.add_bias("conv3d", made, bias)
    return s.squeeze(made, axis=(0,)) if single else made


def _padded_depth(a: Any, pads: tuple[Dim, Dim], value: Any) -> Any:
    if pads == (0, 0):
        return a
    low = tuple(pads[0] if k == 2 else 0 for k in range(rank_of(a)))
    high = tuple(pads[1] if k == 2 else 0 for k in range(rank_of(a)))
    filler = as_array(value, dtype_of_value(a))
    return joining.pad(a, filler, low=low, high=high, interior=(0,) * rank_of(a))


def conv3d_transpose(
    x: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    pad_mode: Any,
    dilation: Any,
    group: Any,
    output_padding: Any = 0,
    name: str = "conv3d_transpose",
) -> Any:
    """The transpose of conv3d: x (N, C, D, H, W), weight (C, O / group, KD, KH, KW), and a bias (O,) if given. Errors
    have the name that the user called it by."""
    a, w = promote("conv2d", x, weight)
    groups, steps, spread = static_int(group, "group"), sizes(stride, 3, "stride"), sizes(dilation, 3, "dilation")
    operands.require_operands(name, a, w, 5, groups, (*steps, *spread), transposed=True)
    window, extra = _window_of(w), sizes(output_padding, 3, "output_padding")
    kind = str(evaluator().static(pad_mode, "pad_mode")).lower()
    reach = [(k - 1) * d + 1 for k, d in zip(window, spread, strict=True)]
    extents = shape_of(a)[2:]
    if kind == "same":
        whole = [n * st for n, st in zip(extents, steps, strict=True)]
    else:
        ends = pads_of(kind, padding, extents, window, steps, spread)
        least = [max(k - st, 0) if kind == "valid" else k - st for k, st in zip(reach, steps, strict=True)]
        whole = [
            n * st + (more + add) + (low + high) * -1
            for n, st, more, add, (low, high) in zip(extents, steps, least, extra, ends, strict=True)
        ]
    pads = pads_of(kind, padding, whole, window, steps, spread)
    images = s.transpose(a, permutation=(0, 2, 1, 3, 4))
    n, depth, channels, height, width = shape_of(images)
    outputs = shape_of(w)[1] * groups
    made = c.conv2d_input_grad(
        s.reshape(images, shape=(n * depth, channels, height, width)),
        _flat_weight(w, window[0]),
        input_shape=(n * depth, outputs * window[0], whole[1], whole[2]),
        stride=steps[1:],
        padding=pads[1:],
        dilation=spread[1:],
        groups=groups,
    )
    made = s.reshape(made, shape=(n, depth, outputs, window[0], whole[1], whole[2]))
    made = s.transpose(made, permutation=(0, 2, 1, 3, 4, 5))
    out = _gathered_depth(made, pads[0], whole[0], steps[0], spread[0])
    return out if bias is None else operands.add_bias(name, out, bias)


def _gathered_depth(made: Any, pads: tuple[Dim, Dim], whole: Dim, stride: int, dilation: int) -> Any:
    """The sum of (N, O, D, K, H, W) over where each slice of each window lies: (N, O, whole, H, W)."""
    depth, count = shape_of(made)[2], static_int(evaluator().number(shape_of(made)[3]), "the extent of the weight")
    padded = whole + pads[0] + pads[1]
    reach = (depth + -1) * stride + 1
    total: Any = None
    for k in range(count):
        part = shapes.take_index(made, 3, k)
        low = k * dilation
        placed = joining.pad(
            part,
            as_array(0, dtype_of_value(part)),
            low=(0, 0, low, 0, 0),
            high=(0, 0, padded - reach - low, 0, 0),
            interior=(0, 0, stride - 1, 0, 0),
        )
        total = placed if total is None else e.add(total, placed)
    return shapes.slice_axis(total, 2, pads[0], whole)


# --- pooling of volumes -------------------------------------------------------------------------------


def _each_way(a: Any, pool: Any, window: Sizes, stride: Sizes, pads: Pads) -> Any:
    """A pooling over height and width, then over depth."""
    n, channels, depth, height, width = shape_of(a)
    flat = s.reshape(a, shape=(n, channels * depth, height, width))
    flat = pool(flat, window=window[1:], stride=stride[1:], padding=pads[1:])
    rows, columns = shape_of(flat)[2:]
    flat = s.reshape(flat, shape=(n, channels, depth, rows * columns))
    flat = pool(flat, window=(window[0], 1), stride=(stride[0], 1), padding=(pads[0], (0, 0)))
    return s.reshape(flat, shape=(n, channels, shape_of(flat)[2], rows, columns))


def _batched(x: Any) -> tuple[Any, bool]:
    a = as_array(x)
    if rank_of(a) not in (4, 5):
        raise ValueError(f"3d pooling takes arrays of 5 dimensions, not {rank_of(a)}")
    return (a, False) if rank_of(a) == 5 else (s.expand_dims(a, axis=(0,)), True)


def max_pool3d(x: Any, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any, ceil: Any) -> Any:
    """The largest element of each window of x (N, C, D, H, W)."""
    a, single = _batched(x)
    window, steps = sizes(kernel_size, 3, "kernel_size"), sizes(stride, 3, "stride")
    pads = pads_of(pad_mode, padding, shape_of(a)[2:], window, steps, (1, 1, 1))
    if evaluator().static(ceil, "ceil_mode"):
        pads = rounded_up(pads, shape_of(a)[2:], window, steps, (1, 1, 1))
    neural.require_windows(a, window, pads, (1, 1, 1))
    made = _each_way(a, p.max_pool2d, window, steps, pads)
    return s.squeeze(made, axis=(0,)) if single else made


def avg_pool3d(
    x: Any, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any, ceil: Any, include_pad: Any, divisor: Any
) -> Any:
    """The mean of each window of x (N, C, D, H, W); padding counts as zeros only with `include_pad`."""
    a, single = _batched(reductions.as_float(x))
    window, steps = sizes(kernel_size, 3, "kernel_size"), sizes(stride, 3, "stride")
    given = pads_of(pad_mode, padding, shape_of(a)[2:], window, steps, (1, 1, 1))
    pads = given
    if evaluator().static(ceil, "ceil_mode"):
        pads = rounded_up(given, shape_of(a)[2:], window, steps, (1, 1, 1))
    neural.require_windows(a, window, pads, (1, 1, 1))
    made = _each_way(a, p.avg_pool2d, window, steps, pads)
    whole = evaluator().static(divisor, "divisor_override")
    same = str(evaluator().static(pad_mode, "pad_mode")).lower() == "same"
    if whole:
        made = e.mul(made, window[0] * window[1] * window[2] / whole)
    elif same or not evaluator().static(include_pad, "count_include_pad") or pads != given:
        counted = not same and evaluator().static(include_pad, "count_include_pad")
        own: Pads = given if counted else ((0, 0),) * 3
        extents = tuple(n + low + high for n, (low, high) in zip(shape_of(a)[2:], own, strict=True))
        rest = tuple((b - low, t - high) for (b, t), (low, high) in zip(pads, own, strict=True))
        inside = joining.full(as_array(1, dtype_of_value(a)), shape=(1, 1, *extents))
        made = e.div(made, _each_way(inside, p.avg_pool2d, window, steps, rest))
    return s.squeeze(made, axis=(0,)) if single else made


# --- the places of maxima -----------------------------------------------------------------------------


def _lowest(dtype: Any) -> Any:
    return float("-inf") if dtype.is_float else integer_range(dtype)[0]


def _flat_place(coordinates: Sequence[Any], extents: Sequence[Dim]) -> Any:
    """The number of an element in row-major order."""
    total: Any = None
    for place, extent in zip(coordinates, extents, strict=True):
        number = as_array(evaluator().number(extent), i64)
        total = place if total is None else e.add(e.mul(total, number), place)
    return total


def max_pool_places(x: Any, window: Sizes, stride: Sizes, pads: Pads, dilation: Sizes) -> tuple[Any, Any]:
    """(the largest element of each window of x (N, C, …), its place among the elements of its channel)."""
    a, rank = as_array(x), len(window)
    extents = shape_of(a)[2:]
    none = (0,) * (rank + 2)
    filler = as_array(_lowest(dtype_of_value(a)), dtype_of_value(a))
    low, high = ((0, 0, *(pair[k] for pair in pads)) for k in (0, 1))
    neural.require_windows(a, window, pads, dilation)
    padded = joining.pad(a, filler, low=low, high=high, interior=none)
    counts = [c.window_extent(extents[k], window[k], stride[k], pads[k], dilation[k]) for k in range(rank)]
    starts: list[Any] = []
    for k in reversed(range(rank)):
        starts.insert(0, e.mul(joining.iota(length=counts[k], dtype=i64), stride[k]))
        taps = e.mul(joining.iota(length=window[k], dtype=i64), dilation[k])
        grid = e.add(s.expand_dims(starts[0], axis=(1,)), s.expand_dims(taps, axis=(0,)))
        padded = ix.gather(padded, grid, axis=k + 2)
    order = (0, 1, *(2 + 2 * k for k in range(rank)), *(3 + 2 * k for k in range(rank)))
    flat = s.reshape(s.transpose(padded, permutation=order), shape=(*shape_of(a)[:2], *counts, math.prod(window)))
    best = as_array(reductions.argmax(flat, -1), i64)
    values = s.squeeze(ix.gather_along(flat, s.expand_dims(best, axis=(rank + 2,)), axis=rank + 2), axis=(rank + 2,))
    return values, _flat_place(_coordinates(best, starts, window, pads, dilation), extents)


def _coordinates(best: Any, starts: Sequence[Any], window: Sizes, pads: Pads, dilation: Sizes) -> list[Any]:
    rank, rest = len(window), best
    made: list[Any] = []
    for k in reversed(range(rank)):
        tap = e.mod(rest, window[k])
        rest = e.floordiv(rest, window[k])
        before = as_array(evaluator().number(pads[k][0]), i64)
        others = tuple(j for j in range(rank + 2) if j != k + 2)
        start = e.sub(s.expand_dims(starts[k], axis=others), before)
        made.insert(0, e.add(e.mul(tap, dilation[k]), start))
    return made


def max_unpool(x: Any, places: Any, extents: Sequence[Dim]) -> Any:
    """Zeros (N, C, *extents) with the elements of x at the given places of their channels."""
    a, chosen = as_array(x), as_array(as_array(places), i64)
    n, channels = shape_of(a)[:2]
    if rank_of(a) != rank_of(chosen):
        raise ValueError(
            f"max_unpool takes as many axes of indices as of values, not {rank_of(chosen)} and {rank_of(a)}"
        )
    for have, want in zip(shape_of(chosen), shape_of(a), strict=True):
        require_equal(have, want, "max_unpool: an axis of the indices has extent {0}, that of the values {1}")
    inner, size = 1, 1
    for extent in shape_of(a)[2:]:
        inner = inner * extent
    for extent in extents:
        size = size * extent
    rows = joining.iota(length=n * channels, dtype=i64)
    first = s.expand_dims(e.mul(rows, as_array(evaluator().number(size), i64)), axis=(1,))
    checked = index_modes.checked(s.reshape(chosen, shape=(n * channels, inner)), size, 2)
    flat = s.reshape(e.add(checked, first), shape=(n * channels * inner,))
    zeros = joining.full(as_array(0, dtype_of_value(a)), shape=(n * channels * size,))
    made = ix.scatter_set(zeros, flat, s.reshape(a, shape=(n * channels * inner,)), axis=0)
    return s.reshape(made, shape=(n, channels, *extents))


def adaptive_max_places(x: Any, wanted: Sequence[int]) -> tuple[Any, Any]:
    """(the largest element of each of as many windows as wanted, its place among the elements of its channel)."""
    a, rank = as_array(x), len(wanted)
    extents = shape_of(a)[-rank:]
    bounds = [
        _bins(static_int(evaluator().number(n), "the extent of what is pooled to a given size"), k)
        for n, k in zip(extents, wanted, strict=True)
    ]
    values: list[Any] = []
    places: list[Any] = []
    lead = shape_of(a)[:-rank]
    for cell in itertools.product(*bounds):
        part = indexing.getitem(a, (..., *(slice(start, stop) for start, stop in cell)))
        inner = [stop - start for start, stop in cell]
        flat = s.reshape(part, shape=(*lead, math.prod(inner)))
        best = as_array(reductions.argmax(flat, -1), i64)
        axis = rank_of(flat) - 1
        values.append(ix.gather_along(flat, s.expand_dims(best, axis=(axis,)), axis=axis))
        coordinates: list[Any] = []
        for (start, _), n in zip(reversed(cell), reversed(inner), strict=True):
            coordinates.insert(0, e.add(e.mod(best, n), start))
            best = e.floordiv(best, n)
        places.append(s.expand_dims(_flat_place(coordinates, extents), axis=(axis,)))
    shape = (*lead, *wanted)
    axis = len(lead)
    return tuple(  # type: ignore[return-value]
        s.reshape(joining.concatenate(*parts, axis=axis), shape=shape) for parts in (values, places)
    )


def _bins(extent: int, count: int) -> list[tuple[int, int]]:
    return [(k * extent // count, -((k + 1) * extent // -count)) for k in range(count)]


def power_pool(x: Any, norm: float, window: Sizes, stride: Sizes, ceil: bool) -> Any:
    """The norm of each window over the last one or two axes."""
    powers = elementwise.power(x, norm)
    rank = len(window)
    means = network.avg_pool(powers, rank, window, stride, "valid", 0, ceil, True, 1)
    return elementwise.power(
        elementwise.multiply(elementwise.sign(means), neural.relu(elementwise.absolute(means))), 1 / norm
    )
