"""The windows of images as columns, and columns put together again."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, rank_of, shape_of, static_ints
from jitcore.library.nn import windows
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s


@operator("unfold")
def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The windows of x (N, C, H, W) as columns: (N, C * KH * KW, number of windows)."""
    a = as_array(input)
    (kh, kw), (dh, dw) = windows.pair(kernel_size, "kernel_size"), windows.pair(dilation, "dilation")
    (sh, sw), (ph, pw) = windows.pair(stride, "stride"), windows.pair(padding, "padding")
    a = shapes.pad(a, [(0, 0), (0, 0), (ph, ph), (pw, pw)])
    windows.require_windows(a, (kh, kw), ((0, 0), (0, 0)), (dh, dw))
    n, channels, height, width = shape_of(a)
    rows, columns = (height + -(dh * (kh - 1) + 1)) // sh + 1, (width + -(dw * (kw - 1) + 1)) // sw + 1
    parts: list[Any] = []
    for i in range(kh):
        line = shapes.slice_axis(a, 2, i * dh, rows, sh)
        parts += [shapes.slice_axis(line, 3, j * dw, columns, sw) for j in range(kw)]
    return s.reshape(shapes.stack(parts, 2), shape=(n, channels * (kh * kw), rows * columns))


def _folded(a: Any, size: Any, window: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    """Windows (N, C, KH * KW, L) added up into images (N, C, H, W)."""
    height, width = windows.pair(tuple(static_ints(size, "output_size")), "output_size")
    (kh, kw), (dh, dw) = windows.pair(window, "kernel_size"), windows.pair(dilation, "dilation")
    (ph, pw), (sh, sw) = windows.pair(padding, "padding"), windows.pair(stride, "stride")
    rows = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    columns = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    n, channels = shape_of(a)[:2]
    parts = s.reshape(a, shape=(n, channels, kh, kw, rows, columns))
    total: Any = None
    zero = as_array(0, dtype_of_value(a))
    for i in range(kh):
        for j in range(kw):
            part = shapes.take_index(shapes.take_index(parts, 2, i), 2, j)
            low = (i * dh, j * dw)
            high = (
                height + 2 * ph - low[0] - ((rows - 1) * sh + 1),
                width + 2 * pw - low[1] - ((columns - 1) * sw + 1),
            )
            placed = joining.pad(part, zero, low=(0, 0, *low), high=(0, 0, *high), interior=(0, 0, sh - 1, sw - 1))
            total = placed if total is None else e.add(total, placed)
    return shapes.slice_axis(shapes.slice_axis(total, 2, ph, height), 3, pw, width)


@operator("fold")
def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The windows (N, C * KH * KW, L) added up into images (N, C, H, W)."""
    a = as_array(input)
    kh, kw = windows.pair(kernel_size, "kernel_size")
    if rank_of(a) == 4:  # as Im2Col gives them
        return _folded(a, output_size, kernel_size, dilation, padding, stride)
    n, channels, count = shape_of(a)
    split = s.reshape(a, shape=(n, channels // (kh * kw), kh * kw, count))
    return _folded(split, output_size, kernel_size, dilation, padding, stride)


@operator("col2im")
def col2im(input_x: Any, output_size: Any, kernel_size: Any, dilation: Any, padding_value: Any, stride: Any) -> Any:
    """The windows (N, C, KH * KW, L) added up into images (N, C, H, W)."""
    return _folded(as_array(input_x), output_size, kernel_size, dilation, padding_value, stride)


@operator("Col2Im")
def col2im_set_up(
    x: Any, output_size: Any, *, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Any:
    """As `col2im`."""
    return _folded(as_array(x), output_size, kernel_size, dilation, padding, stride)


@operator("Im2Col")
def im2col(x: Any, *, ksizes: Any, strides: Any = 1, dilations: Any = 1, pads: Any = 0) -> Any:
    """The windows of x (N, C, H, W) as columns: (N, C, KH * KW, number of windows)."""
    kh, kw = windows.pair(ksizes, "ksizes")
    made = unfold(x, ksizes, dilations, pads, strides)
    n, _, count = shape_of(made)
    return s.reshape(made, shape=(n, shape_of(as_array(x))[1], kh * kw, count))


@operator("ExtractVolumePatches")
def extract_volume_patches(input_x: Any, *, kernel_size: Any, strides: Any, padding: Any) -> Any:
    """The windows of volumes (N, C, D, H, W), their elements along the channels."""
    a = as_array(input_x)
    window, steps = windows.sizes(kernel_size, 3, "kernel_size"), windows.sizes(strides, 3, "strides")
    pads = windows.pads_of(padding, 0, shape_of(a)[2:], window, steps, (1, 1, 1))
    windows.require_windows(a, window, pads, (1, 1, 1))
    low, high = ((0, 0, *(p[k] for p in pads)) for k in (0, 1))
    a = joining.pad(a, as_array(0, dtype_of_value(a)), low=low, high=high, interior=(0,) * 5)
    counts = [(n + -k) // st + 1 for n, k, st in zip(shape_of(a)[2:], window, steps, strict=True)]
    parts: list[Any] = []
    for offsets in np.ndindex(*window):
        part = a
        for k, start in enumerate(offsets):
            part = shapes.slice_axis(part, k + 2, start, counts[k], steps[k])
        parts.append(part)
    return shapes.concatenate(parts, 1)
