"""Convolutions whose windows are bent: deformable convolution (Dai et al. 2017, Zhu et al. 2019) and dilation of
images."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.array import shapes
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
from jitcore.library.images import resampling
from jitcore.library.nn import convolutions, windows
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, i64


def _ints(value: Any, count: int, what: str, name: str) -> tuple[int, ...]:
    found = evaluator().static(value, what)
    if not isinstance(found, list | tuple):
        raise TypeError(f"For '{name}', {what} must be a tuple of {count} ints, not {type(found).__name__}.")
    listed = tuple(static_int(v, what) for v in cast("Any", found))
    if len(listed) != count:
        raise ValueError(f"For '{name}', {what} must have {count} ints, not {len(listed)}.")
    return listed


def _last_two(value: Any, what: str, name: str) -> tuple[int, int]:
    """What four numbers, one for each axis of images (N, C, H, W), say of the last two."""
    n, c, h, w = _ints(value, 4, what, name)
    if (n, c) != (1, 1):
        raise ValueError(f"For '{name}', {what} must begin with 1, 1, but is {(n, c, h, w)}.")
    if min(h, w) < 1:
        raise ValueError(f"For '{name}', {what} must be positive, but is {(n, c, h, w)}.")
    return h, w


def _windows(extent: Dim, pads: Sequence[Dim], window: int, stride: int, dilation: int) -> Dim:
    """How many windows fit along an axis."""
    room = extent + pads[0] + pads[1] + (-dilation * (window - 1) - 1)
    return room // stride + 1


def _along(count: Dim, axis: int, dtype: Any, scale: int) -> Any:
    """0, 1, … times a scale along one axis of six: images, groups, KH, KW, H, W."""
    steps = e.mul(e.cast(joining.iota(length=count, dtype=i64), dtype=dtype), scale)
    return s.reshape(steps, shape=tuple(count if k == axis else 1 for k in range(6)))


def _bent(
    x: Any,
    offsets: Any,
    window: tuple[int, ...],
    strides: Any,
    pads: tuple[int, ...],
    dilations: Any,
    deformable_groups: Any,
    name: str,
) -> Any:
    """The elements under all windows (N, C, H, KH, W, KW), read beside their places by offsets and scaled."""
    strides, dilations = _last_two(strides, "strides", name), _last_two(dilations, "dilations", name)
    groups = static_int(deformable_groups, "deformable_groups")
    a, moves = promote("mul", as_float(x), as_float(offsets))
    if rank_of(a) != 4 or rank_of(moves) != 4:
        raise ValueError(f"For '{name}', x and offsets have 4 dimensions, not {rank_of(a)} and {rank_of(moves)}.")
    n, channels, height, width = shape_of(a)
    held = static_int(evaluator().number(channels), "the number of channels")
    if groups < 1 or held % groups:
        raise ValueError(f"For '{name}', {held} channels are not divided by {groups} deformable groups.")
    kh, kw = window
    require_equal(shape_of(moves)[0], n, f"For '{name}', there are offsets for {{0}} images, not {{1}}.")
    wanted = 3 * groups * kh * kw
    require_equal(shape_of(moves)[1], wanted, f"For '{name}', the offsets have {{0}} channels, not {{1}}.")
    counts = [_windows(height, pads[:2], kh, strides[0], dilations[0])]
    counts.append(_windows(width, pads[2:], kw, strides[1], dilations[1]))
    for have, want in zip(shape_of(moves)[2:], counts, strict=True):
        require_equal(have, want, f"For '{name}', the offsets are for {{0}} windows along an axis, not {{1}}.")
    oh, ow = shape_of(moves)[2:]
    parts = s.reshape(moves, shape=(n, 3, groups, kh, kw, oh, ow))
    right, down, scale = (shapes.take_index(parts, 1, k) for k in range(3))
    dtype = dtype_of_value(a)
    y = e.add(e.add(_along(oh, 4, dtype, strides[0]), _along(kh, 2, dtype, dilations[0])), -pads[0])
    x_ = e.add(e.add(_along(ow, 5, dtype, strides[1]), _along(kw, 3, dtype, dilations[1])), -pads[2])
    points = (e.add(down, y), e.add(right, x_))
    taps: list[list[tuple[Any, Any]]] = []
    for place in points:
        low = e.floor(place)
        share = e.sub(place, low)
        taps.append([(low, e.sub(1, share)), (e.add(low, 1), share)])
    rows, size = resampling.channels_last(s.reshape(a, shape=(n * groups, held // groups, height, width)))
    begins = e.mul(joining.iota(length=n * groups, dtype=i64), as_array(evaluator().number(size), i64))
    first = s.reshape(begins, shape=(n, groups, 1, 1, 1, 1))
    read = resampling.sample(rows, (height, width), first, taps)  # (N, groups, KH, KW, H, W, C / groups)
    read = e.mul(read, s.expand_dims(scale, axis=(6,)))
    moved = s.transpose(read, permutation=(0, 1, 6, 4, 2, 5, 3))
    return s.reshape(moved, shape=(n, held, oh, kh, ow, kw))


def _flat(read: Any) -> Any:
    """The elements under windows as images (N, C, H * KH, W * KW) in which the windows lie side by side."""
    n, c, oh, kh, ow, kw = shape_of(read)
    return s.reshape(read, shape=(n, c, oh * kh, ow * kw))


def _require_modulated(modulated: Any, name: str) -> None:
    if not evaluator().static(modulated, "modulated"):
        raise ValueError(f"For '{name}', 'modulated' must be True.")


@operator("DeformableOffsets")
def deformable_offsets_set_up(
    x: Any,
    offsets: Any,
    *,
    strides: Any,
    pads: Any,
    ksize: Any,
    dilations: Any = (1, 1, 1, 1),
    data_format: Any = "NCHW",
    deformable_groups: Any = 1,
    modulated: Any = True,
) -> Any:
    """What each window of a deformable convolution reads, side by side: (N, C, H * KH, W * KW)."""
    name = "DeformableOffsets"
    _require_modulated(modulated, name)
    if data_format != "NCHW":
        raise ValueError(f"For '{name}', the data_format is 'NCHW', not {data_format!r}.")
    window = _ints(ksize, 2, "ksize", name)
    read = _bent(x, offsets, window, strides, _ints(pads, 4, "pads", name), dilations, deformable_groups, name)
    return _flat(read)


@operator("deformable_conv2d")
def deformable_conv2d(
    x: Any,
    weight: Any,
    offsets: Any,
    kernel_size: Any,
    strides: Any,
    padding: Any,
    bias: Any = None,
    dilations: Any = (1, 1, 1, 1),
    groups: Any = 1,
    deformable_groups: Any = 1,
    modulated: Any = True,
) -> Any:
    """The cross-correlation of x (N, C, H, W) with the weight (O, C / groups, KH, KW), each element read beside its
    place.

    The offsets (N, 3 * deformable_groups * KH * KW, H', W') are how far to the right, how far down, and a factor.
    """
    name = "deformable_conv2d"
    _require_modulated(modulated, name)
    window, pads = _ints(kernel_size, 2, "kernel_size", name), _ints(padding, 4, "padding", name)
    read = _bent(x, offsets, window, strides, pads, dilations, deformable_groups, name)
    return convolutions.convolve_images(_flat(read), weight, bias, window, 0, "valid", 1, groups)


# --- dilation -----------------------------------------------------------------------------------------


@operator("Dilation2D")
def dilation2d_set_up(
    x: Any, filter: Any, *, stride: Any, dilation: Any, pad_mode: Any = "SAME", data_format: Any = "NCHW"
) -> Any:
    """The maxima over windows of x (N, C, H, W) plus a filter (C, KH, KW): the dilation of grey images."""
    if data_format != "NCHW":
        raise ValueError(f"For 'Dilation2D', the data_format is 'NCHW', not {data_format!r}.")
    if not isinstance(pad_mode, str) or pad_mode.lower() not in ("same", "valid"):
        raise ValueError(f"For 'Dilation2D', the pad_mode is 'SAME' or 'VALID', not {pad_mode!r}.")
    a, f = promote("add", as_float(x), as_float(filter))
    if rank_of(a) != 4 or rank_of(f) != 3:
        raise ValueError(f"For 'Dilation2D', x has 4 dimensions and filter 3, not {rank_of(a)} and {rank_of(f)}.")
    strides, dilations = windows.pair(stride, "stride"), windows.pair(dilation, "dilation")
    if min(*strides, *dilations) < 1:
        raise ValueError(f"For 'Dilation2D', stride and dilation must be positive, not {stride!r} and {dilation!r}.")
    kh, kw = (static_int(evaluator().number(k), "the extent of the filter") for k in shape_of(f)[1:])
    sizes = (shape_of(a)[2], shape_of(a)[3])
    pads = windows.padding_of(pad_mode.lower(), 0, sizes, (kh, kw), strides, dilations)
    windows.require_windows(a, (kh, kw), pads, dilations)
    low, high = ((0, 0, pads[0][k], pads[1][k]) for k in (0, 1))
    a = joining.pad(a, as_array(-math.inf, dtype_of_value(a)), low=low, high=high, interior=(0,) * 4)
    counts = [
        _windows(n, pad, k, stride_, dilation_)
        for n, pad, k, stride_, dilation_ in zip(sizes, pads, (kh, kw), strides, dilations, strict=True)
    ]
    made: Any = None
    for i in range(kh):
        rows = shapes.slice_axis(a, 2, i * dilations[0], counts[0], strides[0])
        for j in range(kw):
            part = shapes.slice_axis(rows, 3, j * dilations[1], counts[1], strides[1])
            own = shapes.take_index(shapes.take_index(f, 2, j), 1, i)
            part = e.add(part, s.expand_dims(own, axis=(1, 2)))
            made = part if made is None else e.maximum(made, part)
    return made
