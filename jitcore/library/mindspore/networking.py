"""Operators of networks: convolution, pooling, normalisation, padding, patches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import add, multiply, subtract, true_divide
from jitcore.library.mindspore.shaping import static_ints
from jitcore.library.nn import network, neural, operands
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import convolution as c
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import i64

# --- convolution --------------------------------------------------------------------------------------


def _require_format(data_format: Any, name: str) -> None:
    if data_format != "NCHW":
        raise ValueError(f"For '{name}', the data_format is 'NCHW', not {data_format!r}.")


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
    _require_format(data_format, "Conv2D")
    require_equal(shape_of(weight)[0], out_channel, "For 'Conv2D', the weight gives {0} channels, not {1}.")
    for have, want in zip(shape_of(weight)[2:], neural.pair(kernel_size, "kernel_size"), strict=True):
        require_equal(have, want, "For 'Conv2D', the weight has extent {0}, not {1}.")
    return neural.conv2d(x, weight, None, stride, pad, pad_mode, dilation, group)


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
    return neural.conv2d(input, weight, bias, stride, padding, pad_mode, dilation, groups)


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
    _require_format(data_format, "Conv2DBackpropInput")
    a, w = promote("conv2d", dout, weight)
    size = tuple(
        evaluator().dim(n)
        for n in (input_size if isinstance(input_size, list | tuple) else static_ints(input_size, "the size"))
    )
    window = [static_int(evaluator().number(n), "the extent of the weight") for n in shape_of(w)[2:]]
    strides, dilations, groups = (
        neural.pair(stride, "stride"),
        neural.pair(dilation, "dilation"),
        static_int(group, "group"),
    )
    operands.require_operands("conv2d_transpose", a, w, 4, groups, (*strides, *dilations), transposed=True)
    mode_of, padding = (pad_mode, pad) if pad_list is None else ("pad", pad_list)
    pads = neural.padding_of(mode_of, padding, (size[2], size[3]), (window[0], window[1]), strides, dilations)
    return c.conv2d_input_grad(
        a,
        w,
        input_shape=size,
        stride=strides,
        padding=pads,
        dilation=dilations,
        groups=groups,
    )


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
    _require_format(data_format, "Conv2DBackpropFilter")
    ct, a = promote("conv2d", dout, input_x)
    window, strides, dilations = (neural.pair(v, "a parameter") for v in (kernel_size, stride, dilation))
    groups = static_int(group, "group")
    pads = neural.padding_of(pad_mode, pad, (shape_of(a)[2], shape_of(a)[3]), window, strides, dilations)
    shape = (static_int(out_channel, "out_channel"), shape_of(a)[1] // groups, *window)
    return c.conv2d_weight_grad(
        a, ct, weight_shape=shape, stride=strides, padding=pads, dilation=dilations, groups=groups
    )


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
    return network.conv1d(input, weight, bias, stride, pad_mode, padding, dilation, groups)


# --- pooling ------------------------------------------------------------------------------------------


@operator("MaxPool")
def max_pool_set_up(
    x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid", data_format: Any = "NCHW"
) -> Any:
    """The largest element of each window of x (N, C, H, W)."""
    _require_format(data_format, "MaxPool")
    return neural.max_pool2d(x, kernel_size, strides, pad_mode)


@operator("AvgPool")
def avg_pool_set_up(
    x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid", data_format: Any = "NCHW"
) -> Any:
    """The mean of each window of x (N, C, H, W)."""
    _require_format(data_format, "AvgPool")
    return neural.avg_pool2d(x, kernel_size, strides, pad_mode)


def _average(rank: int) -> None:
    def pool(
        input_x: Any,
        kernel_size: Any = 1,
        stride: Any = 1,
        padding: Any = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
        divisor_override: Any = None,
    ) -> Any:
        return network.avg_pool(
            input_x, rank, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override
        )

    pool.__doc__ = f"The mean of each window over the last {rank} axes."
    operator(f"avg_pool{rank}d")(pool)


_average(1)
_average(2)


@operator("adaptive_avg_pool1d AdaptiveAvgPool1D")
def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    """The means of windows over the last axis, as many as said."""
    return network.adaptive_avg_pool(input, 1, output_size)


@operator("adaptive_avg_pool2d")
def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """The means of windows over the last two axes, as many as said."""
    return network.adaptive_avg_pool(input, 2, output_size)


@operator("AdaptiveAvgPool2D")
def adaptive_avg_pool2d_set_up(input: Any, *, output_size: Any) -> Any:
    """As `adaptive_avg_pool2d`."""
    return network.adaptive_avg_pool(input, 2, output_size)


@operator("adaptive_max_pool1d")
def adaptive_max_pool1d(input: Any, output_size: Any) -> Any:
    """The largest elements of windows over the last axis, as many as said."""
    return network.adaptive_max_pool(input, 1, output_size)


# --- normalisation ------------------------------------------------------------------------------------


@operator("batch_norm")
def batch_norm(
    input_x: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    training: Any = False,
    momentum: Any = 0.1,
    eps: Any = 1e-05,
) -> Any:
    """x normalised by channel (axis 1) by running statistics; when training by its own, which move the running ones."""
    if not evaluator().static(training, "training"):
        return network.normalise_channels(input_x, running_mean, running_var, weight, bias, eps)
    mean, variance, correction = network.channel_statistics(input_x)
    for running, now in ((running_mean, mean), (running_var, multiply(variance, correction))):
        moved = add(multiply(running, subtract(1, momentum)), multiply(e.stop_gradient(now), momentum))
        elementwise.assign(running, moved)
    return network.normalise_channels(input_x, mean, variance, weight, bias, eps)


@operator("BatchNorm")
def batch_norm_set_up(
    input_x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    *,
    is_training: Any = False,
    epsilon: Any = 1e-05,
    momentum: Any = 0.1,
    data_format: Any = "NCHW",
) -> Any:
    """(x normalised by channel, the mean, the variance, and both again for the gradient)."""
    _require_format(data_format, "BatchNorm")
    of_channels = {"scale": scale, "bias": bias, "mean": mean, "variance": variance}
    for name, value in of_channels.items():
        if value is None or not is_array(value):
            raise TypeError(f"For 'BatchNorm', the {name} must be a Tensor, but got {type(value).__name__}.")
        if rank_of(value) != 1:
            raise ValueError(f"For 'BatchNorm', the dimension of {name} must be 1, but got {rank_of(value)}.")
        require_equal(
            shape_of(value)[0], shape_of(scale)[0], f"For 'BatchNorm', {name} has {{0}} elements, but scale has {{1}}."
        )
    if not is_training:
        out = network.normalise_channels(input_x, mean, variance, scale, bias, epsilon)
        return out, as_array(mean), as_array(variance), as_array(mean), as_array(variance)
    own, spread, correction = network.channel_statistics(input_x)
    out = network.normalise_channels(input_x, own, spread, scale, bias, epsilon)
    for running, now in ((mean, own), (variance, multiply(spread, correction))):
        moved = add(multiply(running, subtract(1, momentum)), multiply(e.stop_gradient(now), momentum))
        elementwise.assign(running, moved)
    return out, own, spread, own, spread


@operator("layer_norm")
def layer_norm(input: Any, normalized_shape: Any, gamma: Any = None, beta: Any = None, eps: Any = 1e-05) -> Any:
    """x less its mean, over its standard deviation, over its last axes; scaled and moved."""
    sizes = static_ints(normalized_shape, "the normalised shape")
    a = as_float(input)
    if not 0 < len(sizes) <= rank_of(a):
        raise ValueError(f"For 'layer_norm', the normalized_shape {sizes} does not fit {rank_of(a)} dimensions.")
    for have, want in zip(shape_of(a)[rank_of(a) - len(sizes) :], sizes, strict=True):
        require_equal(have, want, "For 'layer_norm', an axis has {0} elements, the normalized_shape {1}.")
    scaled = _normalised(a, rank_of(a) - len(sizes), eps)[0]
    scaled = scaled if gamma is None else multiply(scaled, gamma)
    return scaled if beta is None else add(scaled, beta)


def _normalised(a: Any, first: int, epsilon: Any) -> tuple[Any, Any, Any]:
    axes = tuple(range(first, rank_of(a)))
    mean = reductions.mean(a, axes, keepdims=True)
    centred = e.sub(a, mean)
    variance = reductions.mean(e.mul(centred, centred), axes, keepdims=True)
    return e.div(centred, t.sqrt(e.add(variance, float(evaluator().static(epsilon, "epsilon"))))), mean, variance


@operator("LayerNorm")
def layer_norm_set_up(
    input_x: Any, gamma: Any, beta: Any, *, begin_norm_axis: Any = 1, begin_params_axis: Any = 1, epsilon: Any = 1e-07
) -> Any:
    """(x normalised from an axis on, scaled and moved; the mean; the variance)."""
    a = as_float(input_x)
    made, mean, variance = _normalised(a, normal_axis(begin_norm_axis, rank_of(a)), epsilon)
    params = rank_of(a) - normal_axis(begin_params_axis, rank_of(a))
    if rank_of(as_array(gamma)) > params:
        raise ValueError("For 'LayerNorm', gamma has more dimensions than the axes from begin_params_axis on.")
    return add(multiply(made, gamma), beta), mean, variance


@operator("group_norm")
def group_norm(input: Any, num_groups: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-05) -> Any:
    """x (N, C, …) normalised over each group of channels of each sample."""
    a = as_float(input)
    channels = evaluator().number(shape_of(a)[1])
    scale = creation.ones((channels,), dtype_of_value(a)) if weight is None else weight
    move = creation.zeros((channels,), dtype_of_value(a)) if bias is None else bias
    return network.group_norm(a, num_groups, scale, move, eps)


@operator("lrn")
def lrn(
    x: Any,
    depth_radius: Any = 5,
    bias: Any = 1.0,
    alpha: Any = 1.0,
    beta: Any = 0.5,
    norm_region: Any = "ACROSS_CHANNELS",
) -> Any:
    """x over (bias + alpha * the sum of squares of channels near by) to the power beta."""
    if norm_region != "ACROSS_CHANNELS":
        raise ValueError("For 'LRN', the norm_region is 'ACROSS_CHANNELS'.")
    a = as_float(x)
    radius = static_int(depth_radius, "depth_radius")
    width = [(0, 0), (radius, radius), *[(0, 0)] * (rank_of(a) - 2)]
    squares = shapes.pad(e.mul(a, a), width)
    total: Any = 0.0
    for k in range(2 * radius + 1):
        total = add(total, shapes.slice_axis(squares, 1, k, shape_of(a)[1]))
    return true_divide(a, elementwise.power(add(multiply(total, alpha), bias), beta))


in_constructor("LRN", lrn, "depth_radius", "bias", "alpha", "beta", "norm_region")

# --- padding ------------------------------------------------------------------------------------------


@operator("Pad")
def pad_set_up(input_x: Any, *, paddings: Any) -> Any:
    """x with a border of zeros: ((before, after), …) by axis."""
    pairs = _pairs(paddings, rank_of(as_array(input_x)))
    return _padded(input_x, pairs, "constant", 0)


def _pairs(paddings: Any, rank: int) -> list[tuple[int, int]]:
    found = evaluator().static(paddings, "the paddings")
    if hasattr(found, "tolist"):
        found = found.tolist()
    pairs = [(int(before), int(after)) for before, after in cast("Sequence[Sequence[int]]", found)]
    if len(pairs) != rank:
        raise ValueError(f"For 'Pad', there are {len(pairs)} pairs for a Tensor of {rank} dimensions.")
    return pairs


@operator("pad")
def pad(input_x: Any, padding: Any, mode: Any = "constant", value: Any = None) -> Any:
    """x with a border: ((before, after), …) by axis, or before and after of the last axis, of the one before it, ….

    Modes: constant, reflect, replicate, circular. A negative border cuts off.
    """
    a = as_array(input_x)
    if isinstance(padding, list | tuple) and padding and isinstance(padding[0], list | tuple):
        return _padded(a, _pairs(padding, rank_of(a)), mode, value)
    flat = static_ints(padding, "the padding") if not (isinstance(padding, list | tuple) and not padding) else []
    if len(flat) % 2 or len(flat) > 2 * rank_of(a):
        raise ValueError(f"For 'pad', a padding of {len(flat)} numbers does not fit {rank_of(a)} dimensions.")
    pairs = [(flat[k], flat[k + 1]) for k in range(0, len(flat), 2)]
    return _padded(a, [(0, 0)] * (rank_of(a) - len(pairs)) + pairs[::-1], mode, value)


@operator("MirrorPad")
def mirror_pad(input_x: Any, paddings: Any, *, mode: Any = "REFLECT") -> Any:
    """x with a border that mirrors it, the edge itself once ('REFLECT') or twice ('SYMMETRIC')."""
    kind = {"REFLECT": "reflect", "SYMMETRIC": "symmetric"}.get(mode)
    if kind is None:
        raise ValueError(f"For 'MirrorPad', the mode is 'REFLECT' or 'SYMMETRIC', not {mode!r}.")
    return _padded(input_x, _pairs(paddings, rank_of(as_array(input_x))), kind, None)


def _padded(x: Any, pairs: list[tuple[int, int]], mode: Any, value: Any) -> Any:
    a = as_array(x)
    if mode == "constant":
        for k, (before, after) in enumerate(pairs):
            if before < 0 or after < 0:
                cut = (max(-before, 0), max(-after, 0))
                rest = shape_of(a)[k] + -(cut[0] + cut[1])
                a = shapes.slice_within(
                    a, k, cut[0], rest, f"For 'pad', {(before, after)} cuts off more than there is."
                )
        return shapes.pad(a, [(max(b, 0), max(n, 0)) for b, n in pairs], 0 if value is None else value)
    for k, (before, after) in enumerate(pairs):
        if before or after:
            a = indexing.take(a, _border_places(shape_of(a)[k], before, after, mode), k)
    return a


def _border_places(extent: Any, before: int, after: int, mode: str) -> Any:
    """The place of each element of a padded axis in the axis."""
    n = static_int(evaluator().number(extent), "the extent of an axis that is padded")
    widest = {"reflect": n - 1, "symmetric": n, "circular": n, "replicate": max(before, after)}.get(mode)
    if widest is None:
        raise ValueError(f"For 'pad', the mode is 'constant', 'reflect', 'replicate' or 'circular', not {mode!r}.")
    if max(before, after) > widest or n == 0:
        raise ValueError(
            f"For 'pad', a border of {max(before, after)} is too wide for an axis of {n} in mode {mode!r}."
        )
    modes: dict[str, Any] = {"reflect": "reflect", "symmetric": "symmetric", "circular": "wrap", "replicate": "edge"}
    return evaluator().constant(np.pad(np.arange(n), (before, after), modes[mode]), i64)


# --- patches and sizes --------------------------------------------------------------------------------


@operator("unfold")
def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The windows of x (N, C, H, W) as columns: (N, C * KH * KW, number of windows)."""
    a = as_array(input)
    (kh, kw), (dh, dw) = neural.pair(kernel_size, "kernel_size"), neural.pair(dilation, "dilation")
    (sh, sw), (ph, pw) = neural.pair(stride, "stride"), neural.pair(padding, "padding")
    a = shapes.pad(a, [(0, 0), (0, 0), (ph, ph), (pw, pw)])
    neural.require_windows(a, (kh, kw), ((0, 0), (0, 0)), (dh, dw))
    n, channels, height, width = shape_of(a)
    rows, columns = (height + -(dh * (kh - 1) + 1)) // sh + 1, (width + -(dw * (kw - 1) + 1)) // sw + 1
    parts: list[Any] = []
    for i in range(kh):
        line = shapes.slice_axis(a, 2, i * dh, rows, sh)
        parts += [shapes.slice_axis(line, 3, j * dw, columns, sw) for j in range(kw)]
    return s.reshape(shapes.stack(parts, 2), shape=(n, channels * (kh * kw), rows * columns))


operator("bias_add")(neural.bias_add)


@operator("BiasAdd")
def bias_add_set_up(x: Any, bias: Any, *, data_format: Any = "NCHW") -> Any:
    """x plus a bias along the axis of channels: axis 1, or of NHWC the last."""
    if data_format not in ("NCHW", "NHWC", "NCDHW"):
        raise ValueError(f"For 'BiasAdd', the data_format {data_format!r} is not supported.")
    return add(x, bias) if data_format == "NHWC" else neural.bias_add(x, bias)


operator("Flatten flatten_batch")(neural.flatten_batch)
operator("dense")(neural.dense)
operator("l2_normalize")(neural.l2_normalize)
