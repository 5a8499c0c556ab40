"""Convolutions of volumes (N, C, D, H, W), made of those of images.

A window's depth is taken apart: the slices that it reads become channels of one convolution of images.
"""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, promote, rank_of, shape_of, static_int
from jitcore.library.nn import operands, windows
from jitcore.library.nn.convolutions import ends_of
from jitcore.library.nn.windows import Sizes, pads_of, require_ncdhw, sizes
from jitcore.primitives.ops import convolution as c
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim


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


@operator("conv3d")
def conv3d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    pad_mode: Any = "valid",
    padding: Any = 0,
    dilation: Any = 1,
    groups: Any = 1,
) -> Any:
    """The cross-correlation of the input (N, C, D, H, W) with the weight (O, C / groups, KD, KH, KW)."""
    a, w = promote("conv2d", input, weight)
    single = rank_of(a) == 4
    a = s.expand_dims(a, axis=(0,)) if single else a
    count, steps, spread = static_int(groups, "group"), sizes(stride, 3, "stride"), sizes(dilation, 3, "dilation")
    operands.require_operands("conv3d", a, w, 5, count, (*steps, *spread))
    window = _window_of(w)
    pads = pads_of(pad_mode, padding, shape_of(a)[2:], window, steps, spread)
    windows.require_windows(a, window, pads, spread)
    a = _padded_depth(a, pads[0], 0)
    results = c.window_extent(shape_of(a)[2], window[0], steps[0], (0, 0), spread[0])
    out = c.conv2d(
        _slices(a, window[0], results, steps[0], spread[0]),
        _flat_weight(w, window[0]),
        stride=steps[1:],
        padding=pads[1:],
        dilation=spread[1:],
        groups=count,
    )
    made = _volumes(out, shape_of(a)[0])
    made = made if bias is None else operands.add_bias("conv3d", made, bias)
    return s.squeeze(made, axis=(0,)) if single else made


@operator("Conv3D")
def conv3d_set_up(
    x: Any,
    weight: Any,
    *,
    out_channel: Any,
    kernel_size: Any,
    mode: Any = 1,
    pad_mode: Any = "valid",
    pad: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    group: Any = 1,
    data_format: Any = "NCDHW",
) -> Any:
    """As `conv3d`."""
    del out_channel, kernel_size, mode  # the weight has them
    require_ncdhw(data_format, "Conv3D")
    return conv3d(x, weight, None, stride, pad_mode, pad, dilation, group)


@operator("conv3d_ext")
def conv3d_ext(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
) -> Any:
    """The cross-correlation of (N, C, D, H, W) with weight (O, C / groups, KD, KH, KW)."""
    mode, ends = ends_of(padding, 3)
    return conv3d(input, weight, bias, stride, mode, ends, dilation, groups)


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


@operator("Conv3DTranspose")
def conv3d_transpose_set_up(
    dout: Any,
    weight: Any,
    bias: Any = None,
    *,
    in_channel: Any,
    out_channel: Any,
    kernel_size: Any,
    mode: Any = 1,
    pad_mode: Any = "valid",
    pad: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    group: Any = 1,
    output_padding: Any = 0,
    data_format: Any = "NCDHW",
) -> Any:
    """The transpose of conv3d."""
    del in_channel, out_channel, kernel_size, mode
    require_ncdhw(data_format, "Conv3DTranspose")
    return conv3d_transpose(
        dout, weight, bias, stride, pad, pad_mode, dilation, group, output_padding, "Conv3DTranspose"
    )


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
