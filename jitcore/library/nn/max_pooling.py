"""Max pooling over up to three axes that tells where the maxima are, and its inverse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    rank_of,
    require_equal,
    shape_of,
    static_ints,
)
from jitcore.library.nn import pooling, pooling_3d, windows
from jitcore.library.nn.windows import Pads, Sizes, require_ncdhw
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import convolution as c
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.conversions import integer_range
from jitcore.types import Dim, i32, i64


def _lowest(dtype: Any) -> Any:
    return float("-inf") if dtype.is_float else integer_range(dtype)[0]


def flat_place(coordinates: Sequence[Any], extents: Sequence[Dim]) -> Any:
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
    windows.require_windows(a, window, pads, dilation)
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
    return values, flat_place(_coordinates(best, starts, window, pads, dilation), extents)


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


def max_pool_indexed(
    x: Any, rank: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: Any, pad_mode: Any = "pad"
) -> tuple[Any, Any]:
    """(the largest elements of windows over the last axes, their places among the elements of their channel)."""
    a = as_array(x)
    missing = rank + 2 - rank_of(a)
    if missing not in (0, 1):
        raise ValueError(f"{rank}d pooling takes arrays of {rank + 1} or {rank + 2} dimensions, not {rank_of(a)}")
    a = s.expand_dims(a, axis=(0,)) if missing else a
    window = windows.sizes(kernel_size, rank, "kernel_size")
    steps = window if stride is None else windows.sizes(stride, rank, "stride")
    spread = windows.sizes(dilation, rank, "dilation")
    pads = windows.pads_of(pad_mode, padding, shape_of(a)[2:], window, steps, spread)
    if evaluator().static(ceil_mode, "ceil_mode"):
        pads = windows.rounded_up(pads, shape_of(a)[2:], window, steps, spread)
    values, places = max_pool_places(a, window, steps, pads, spread)
    return (s.squeeze(values, axis=(0,)), s.squeeze(places, axis=(0,))) if missing else (values, places)


@operator("max_pool3d")
def max_pool3d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any:
    """The largest element of each window of x (N, C, D, H, W), and its place if asked for."""
    if evaluator().static(return_indices, "return_indices"):
        return max_pool_indexed(x, 3, kernel_size, stride, padding, dilation, ceil_mode)
    if set(windows.sizes(dilation, 3, "dilation")) != {1}:
        return max_pool_indexed(x, 3, kernel_size, stride, padding, dilation, ceil_mode)[0]
    return pooling_3d.maximum_volumes(
        x, kernel_size, kernel_size if stride is None else stride, "pad", padding, ceil_mode
    )


@operator("max_pool2d")
def max_pool2d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    return_indices: Any = False,
    ceil_mode: Any = False,
) -> Any:
    """The largest element of each window of x (N, C, H, W), and its place if asked for; the stride is the window's size
    unless given."""
    if isinstance(padding, str):  # a pad mode, as layers give it
        return pooling.max_pool(x, 2, kernel_size, kernel_size if stride is None else stride, padding, 0, ceil_mode)
    if evaluator().static(return_indices, "return_indices"):
        return max_pool_indexed(x, 2, kernel_size, stride, padding, dilation, ceil_mode)
    if set(windows.sizes(dilation, 2, "dilation")) != {1}:
        return max_pool_indexed(x, 2, kernel_size, stride, padding, dilation, ceil_mode)[0]
    return pooling.max_pool(x, 2, kernel_size, kernel_size if stride is None else stride, "pad", padding, ceil_mode)


@operator("MaxPoolWithArgmax")
def max_pool_with_argmax(
    x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid", data_format: Any = "NCHW"
) -> Any:
    """(the largest elements of windows, their places)."""
    if data_format != "NCHW":
        raise ValueError(f"For 'MaxPoolWithArgmax', the data_format is 'NCHW', not {data_format!r}.")
    if rank_of(as_array(x)) != 4:
        raise ValueError(f"For 'MaxPoolWithArgmax', the dimension of x must be 4, but got {rank_of(as_array(x))}.")
    values, places = max_pool_indexed(x, 2, kernel_size, strides, 0, 1, False, pad_mode)
    return values, e.cast(places, dtype=i32)


@operator("MaxPoolWithArgmaxV2")
def max_pool_with_argmax_v2(
    x: Any,
    *,
    kernel_size: Any,
    strides: Any = None,
    pads: Any = 0,
    dilation: Any = (1, 1),
    ceil_mode: Any = False,
    argmax_type: Any = None,
) -> Any:
    """(the largest elements of windows, their places)."""
    values, places = max_pool_indexed(x, 2, kernel_size, strides, pads, dilation, ceil_mode)
    return values, places if argmax_type is None else as_array(places, argmax_type)


@operator("MaxPool3DWithArgmax")
def max_pool3d_with_argmax(
    x: Any,
    *,
    ksize: Any,
    strides: Any,
    pads: Any,
    dilation: Any = (1, 1, 1),
    ceil_mode: Any = False,
    data_format: Any = "NCDHW",
    argmax_type: Any = None,
) -> Any:
    """(the largest elements of windows, their places)."""
    require_ncdhw(data_format, "MaxPool3DWithArgmax")
    values, places = max_pool_indexed(x, 3, ksize, strides, pads, dilation, ceil_mode)
    return values, places if argmax_type is None else as_array(places, argmax_type)


def _unpool(x: Any, rank: int, places: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any) -> Any:
    a, chosen = as_array(x), as_array(places)
    missing = rank + 2 - rank_of(a)
    if missing:
        a, chosen = (s.expand_dims(v, axis=(0,)) for v in (a, chosen))
    if output_size:
        wanted = static_ints(output_size, "output_size")
        extents: Any = tuple(wanted[-rank:])
    else:
        window = windows.sizes(kernel_size, rank, "kernel_size")
        steps = windows.sizes(stride, rank, "stride") if stride else window
        pads = windows.sizes(padding, rank, "padding")
        extents = tuple(
            (n + -1) * st + (k - 2 * q) for n, k, st, q in zip(shape_of(a)[2:], window, steps, pads, strict=True)
        )
    made = max_unpool(a, chosen, extents)
    return s.squeeze(made, axis=(0,)) if missing else made


def _unpooling(rank: int) -> None:
    def unpool(
        x: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
    ) -> Any:
        return _unpool(x, rank, indices, kernel_size, stride, padding, output_size)

    def set_up(
        x: Any,
        argmax: Any,
        *,
        ksize: Any,
        strides: Any = 0,
        pads: Any = 0,
        output_shape: Any = (),
        data_format: Any = None,
    ) -> Any:
        if data_format not in (None, "NCHW", "NCDHW"):
            raise ValueError(f"the data_format {data_format!r} is not supported")
        return _unpool(x, rank, argmax, ksize, strides, pads, output_shape)

    unpool.__doc__ = set_up.__doc__ = f"The inverse of max pooling over {rank} axes: zeros but for the maxima."
    operator(f"max_unpool{rank}d")(unpool)
    if rank > 1:
        operator(f"MaxUnpool{rank}D")(set_up)


for _rank in (1, 2, 3):
    _unpooling(_rank)
