"""Convolutions over one and two axes, their transposes and gradients, and biases of channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    evaluator,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math.elementwise import add
from jitcore.library.nn import operands, windows
from jitcore.library.nn.windows import known, padding_of, pair, plane_padding, require_nchw, require_windows
from jitcore.primitives.ops import convolution as c
from jitcore.primitives.ops import shape as s


def convolve_images(
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


@operator("bias_add")
def bias_add(x: Any, bias: Any) -> Any:
    """x plus a bias along axis 1 (the channels)."""
    return operands.add_bias("bias_add", x, bias)


@operator("BiasAdd")
def bias_add_set_up(x: Any, bias: Any, *, data_format: Any = "NCHW") -> Any:
    """x plus a bias along the axis of channels: axis 1, or of NHWC the last."""
    if data_format not in ("NCHW", "NHWC", "NCDHW"):
        raise ValueError(f"For 'BiasAdd', the data_format {data_format!r} is not supported.")
    return add(x, bias) if data_format == "NHWC" else bias_add(x, bias)


@operator("conv1d")
def conv1d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    pad_mode: Any = "valid",
    padding: Any = 0,
    dilation: Any = 1,
    groups: Any = 1,
) -> Any:
    """The cross-correlation of the input (N, C, L) with the weight (O, C / groups, K)."""
    a, w = as_array(input), _line(weight)  # or (O, C / groups, 1, K)
    steps, spread, count = (
        static_int(v, n) for v, n in ((stride, "the stride"), (dilation, "the dilation"), (groups, "group"))
    )
    operands.require_operands("conv1d", a, w, 3, count, (steps, spread))
    a, w = s.expand_dims(a, axis=(2,)), s.expand_dims(w, axis=(2,))
    out = convolve_images(a, w, bias, (1, steps), plane_padding(padding, 1), pad_mode, (1, spread), count, "conv1d")
    return s.squeeze(out, axis=(2,))


@operator("conv1d_ext")
def conv1d_ext(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
) -> Any:
    """The cross-correlation of (N, C, L) with weight (O, C / groups, K)."""
    mode, ends = ends_of(padding, 1)
    steps, spread = windows.sizes(stride, 1, "stride")[0], windows.sizes(dilation, 1, "dilation")[0]
    a, w = as_array(input), as_array(weight)
    single = rank_of(a) == 2
    a = s.expand_dims(a, axis=(0,)) if single else a
    around = ends if mode == "pad" else 0
    made = conv1d(a, w, bias, steps, mode, around, spread, groups)
    return s.squeeze(made, axis=(0,)) if single else made


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
    steps, spread = windows.pair(stride, "stride"), windows.pair(dilation, "dilation")
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
    steps, spread = windows.pair(stride, "stride"), windows.pair(dilation, "dilation")
    group, pad_mode = static_int(group, "group"), str(known(pad_mode, "pad_mode"))
    operands.require_operands(name, a, w, 4, group, (*steps, *spread), transposed=True)
    window = [static_int(evaluator().number(n), "the extent of the weight") for n in shape_of(w)[2:]]
    reach = [(k - 1) * d + 1 for k, d in zip(window, spread, strict=True)]
    extra = windows.pair(output_padding, "output_padding")
    size = shape_of(a)[2:]
    if pad_mode == "same":
        whole = [n * st for n, st in zip(size, steps, strict=True)]
    elif pad_mode == "valid":
        whole = [n * st + max(k - st, 0) for n, st, k in zip(size, steps, reach, strict=True)]
    else:
        ends = windows.padding_of("pad", padding, (size[0], size[1]), (1, 1), (1, 1), (1, 1))
        whole = [
            n * st + (k - st + more) + (before + after) * -1
            for n, st, k, more, (before, after) in zip(size, steps, reach, extra, ends, strict=True)
        ]
    pads = windows.padding_of(pad_mode, padding, (whole[0], whole[1]), (window[0], window[1]), steps, spread)
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


@operator("Conv2DBackpropInput Conv2DTranspose")
def conv2d_transpose_set_up(
    dout: Any,
    weight: Any,
    input_size: Any,
    *,
    out_channel: Any,
    kernel_size: Any,
    pad_mode: Any = "valid",
    pad: Any = 0,
    pad_list: Any = None,
    mode: Any = 1,
    stride: Any = 1,
    dilation: Any = 1,
    group: Any = 1,
    data_format: Any = "NCHW",
) -> Any:
    """The gradient of a convolution by its input, which has the shape `input_size`."""
    del out_channel, kernel_size, mode  # the weight has them
    require_nchw(data_format, "Conv2DBackpropInput")
    a, w = promote("conv2d", dout, weight)
    size = tuple(
        evaluator().dim(n)
        for n in (input_size if isinstance(input_size, list | tuple) else static_ints(input_size, "the size"))
    )
    window = [static_int(evaluator().number(n), "the extent of the weight") for n in shape_of(w)[2:]]
    strides, dilations, groups = (
        windows.pair(stride, "stride"),
        windows.pair(dilation, "dilation"),
        static_int(group, "group"),
    )
    operands.require_operands("conv2d_transpose", a, w, 4, groups, (*strides, *dilations), transposed=True)
    mode_of, padding = (pad_mode, pad) if pad_list is None else ("pad", pad_list)
    pads = windows.padding_of(mode_of, padding, (size[2], size[3]), (window[0], window[1]), strides, dilations)
    return c.conv2d_input_grad(
        a,
        w,
        input_shape=size,
        stride=strides,
        padding=pads,
        dilation=dilations,
        groups=groups,
    )


@operator("conv2d")
def conv2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    pad_mode: Any = "valid",
    padding: Any = 0,
    dilation: Any = 1,
    groups: Any = 1,
) -> Any:
    """The cross-correlation of the input (N, C, H, W) with the weight (O, C / groups, KH, KW), and a bias (O,) if
    given."""
    return convolve_images(input, weight, bias, stride, padding, pad_mode, dilation, groups)


@operator("Conv2D")
def conv2d_set_up(
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
    data_format: Any = "NCHW",
) -> Any:
    """The cross-correlation of x (N, C, H, W) with weight (O, C / group, KH, KW)."""
    if mode != 1:
        raise ValueError("For 'Conv2D', the mode is 1 (cross-correlation).")
    require_nchw(data_format, "Conv2D")
    require_equal(shape_of(weight)[0], out_channel, "For 'Conv2D', the weight gives {0} channels, not {1}.")
    for have, want in zip(shape_of(weight)[2:], windows.pair(kernel_size, "kernel_size"), strict=True):
        require_equal(have, want, "For 'Conv2D', the weight has extent {0}, not {1}.")
    return convolve_images(x, weight, None, stride, pad, pad_mode, dilation, group)


@operator("conv2d_ext")
def conv2d_ext(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
) -> Any:
    """The cross-correlation of (N, C, H, W) with weight (O, C / groups, KH, KW)."""
    mode, ends = ends_of(padding, 2)
    steps, spread = windows.sizes(stride, 2, "stride"), windows.sizes(dilation, 2, "dilation")
    return _conv2d(input, weight, bias, steps, mode, ends, spread, groups)


@operator("Conv2DBackpropFilter")
def conv2d_weight_gradient_set_up(
    dout: Any,
    input_x: Any,
    w_size: Any,
    *,
    out_channel: Any,
    kernel_size: Any,
    pad_mode: Any = "valid",
    pad: Any = 0,
    pad_list: Any = (0, 0, 0, 0),
    mode: Any = 1,
    stride: Any = 1,
    dilation: Any = 1,
    group: Any = 1,
    data_format: Any = "NCHW",
) -> Any:
    """The gradient of a convolution by its weight, whose shape `w_size` the other operands and parameters tell."""
    del w_size, pad_list, mode
    require_nchw(data_format, "Conv2DBackpropFilter")
    ct, a = promote("conv2d", dout, input_x)
    window, strides, dilations = (windows.pair(v, "a parameter") for v in (kernel_size, stride, dilation))
    groups = static_int(group, "group")
    pads = windows.padding_of(pad_mode, pad, (shape_of(a)[2], shape_of(a)[3]), window, strides, dilations)
    shape = (static_int(out_channel, "out_channel"), shape_of(a)[1] // groups, *window)
    return c.conv2d_weight_grad(
        a, ct, weight_shape=shape, stride=strides, padding=pads, dilation=dilations, groups=groups
    )


def ends_of(padding: Any, rank: int) -> tuple[str, Any]:
    """MindSpore's pad mode and padding, (before, after) for each axis: 'same', 'valid', an int, or one for each
    axis."""
    given = evaluator().static(padding, "padding")
    if isinstance(given, str):
        return given, 0
    items = given if isinstance(given, tuple | list) else (given,)
    each = [static_int(n, "padding") for n in cast("Sequence[Any]", items)]
    each = each * rank if len(each) == 1 else each
    if len(each) != rank:
        raise ValueError(f"padding is an int or {rank} ints, not {given!r}")
    return "pad", tuple(n for n in each for _ in range(2))


def _conv2d(x: Any, weight: Any, bias: Any, stride: Any, mode: str, ends: Any, dilation: Any, groups: Any) -> Any:
    """The convolution of images, or of one alone."""
    a = as_array(x)
    single = rank_of(a) == 3
    made = convolve_images(
        s.expand_dims(a, axis=(0,)) if single else a, weight, bias, stride, ends, mode, dilation, groups
    )
    return s.squeeze(made, axis=(0,)) if single else made


@operator("conv_transpose2d")
def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: Any = 1,
    dilation: Any = 1,
) -> Any:
    """The transpose of `conv2d`: (N, C, H, W) with weight (C, O / groups, KH, KW)."""
    a = as_array(input)
    single = rank_of(a) == 3
    mode, ends = ends_of(padding, 2)
    steps, spread = windows.sizes(stride, 2, "stride"), windows.sizes(dilation, 2, "dilation")
    extra = windows.sizes(output_padding, 2, "output_padding")
    made = conv2d_transpose(
        s.expand_dims(a, axis=(0,)) if single else a,
        weight,
        bias,
        steps,
        mode,
        ends,
        spread,
        groups,
        extra,
        "conv_transpose2d",
    )
    return s.squeeze(made, axis=(0,)) if single else made


@operator("DepthwiseConv2dNative")
def depthwise_conv2d(
    x: Any,
    weight: Any,
    *,
    channel_multiplier: Any,
    kernel_size: Any,
    mode: Any = 3,
    pad_mode: Any = "valid",
    pad: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    group: Any = 1,
) -> Any:
    """The cross-correlation of each channel of x (N, C, H, W) with its own weights (M, C, KH, KW): (N, M * C, H, W)."""
    del kernel_size, mode, group
    w = as_array(weight)
    if rank_of(w) != 4 or rank_of(as_array(x)) != 4:
        raise ValueError(
            f"For 'DepthwiseConv2dNative', 4 dimensions are needed, not {rank_of(as_array(x))} and {rank_of(w)}."
        )
    count, channels = static_int(channel_multiplier, "channel_multiplier"), shape_of(w)[1]
    groups = static_int(evaluator().number(channels), "the number of channels")
    turned = s.transpose(w, permutation=(1, 0, 2, 3))
    own = s.reshape(turned, shape=(groups * count, 1, *shape_of(w)[2:]))
    made = convolve_images(x, own, None, stride, pad, pad_mode, dilation, groups)
    if count == 1:
        return made
    n, _, height, width = shape_of(made)
    split = s.reshape(made, shape=(n, groups, count, height, width))
    return s.reshape(s.transpose(split, permutation=(0, 2, 1, 3, 4)), shape=(n, groups * count, height, width))
