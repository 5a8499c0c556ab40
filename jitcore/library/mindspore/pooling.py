"""Operators on volumes, and those that tell where the maxima of windows are or put them back there."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, evaluator, is_array, rank_of, shape_of, static_int
from jitcore.library.mindspore.shaping import static_ints
from jitcore.library.nn import network, volumes
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import i32


def _require_format(data_format: Any, name: str) -> None:
    if data_format != "NCDHW":
        raise ValueError(f"For '{name}', the data_format is 'NCDHW', not {data_format!r}.")


# --- convolution --------------------------------------------------------------------------------------


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
    return volumes.conv3d(input, weight, bias, stride, padding, pad_mode, dilation, groups)


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
    _require_format(data_format, "Conv3D")
    return volumes.conv3d(x, weight, None, stride, pad, pad_mode, dilation, group)


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
    _require_format(data_format, "Conv3DTranspose")
    return volumes.conv3d_transpose(
        dout, weight, bias, stride, pad, pad_mode, dilation, group, output_padding, "Conv3DTranspose"
    )


# --- pooling ------------------------------------------------------------------------------------------


@operator("MaxPool3D")
def max_pool3d_set_up(
    x: Any,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: Any = "VALID",
    pad_list: Any = 0,
    ceil_mode: Any = None,
    data_format: Any = "NCDHW",
) -> Any:
    """The largest element of each window of x (N, C, D, H, W)."""
    _require_format(data_format, "MaxPool3D")
    return volumes.max_pool3d(x, kernel_size, strides, pad_mode, pad_list, bool(ceil_mode))


@operator("AvgPool3D")
def avg_pool3d_set_up(
    x: Any,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: Any = "valid",
    pad: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = 0,
    data_format: Any = "NCDHW",
) -> Any:
    """The mean of each window of x (N, C, D, H, W)."""
    _require_format(data_format, "AvgPool3D")
    return volumes.avg_pool3d(x, kernel_size, strides, pad_mode, pad, ceil_mode, count_include_pad, divisor_override)


@operator("avg_pool3d")
def avg_pool3d(
    input_x: Any,
    kernel_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = 0,
) -> Any:
    """The mean of each window over the last 3 axes."""
    return volumes.avg_pool3d(
        input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override
    )


def max_pool_indexed(
    x: Any, rank: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: Any, pad_mode: Any = "pad"
) -> tuple[Any, Any]:
    """(the largest elements of windows over the last axes, their places among the elements of their channel)."""
    a = as_array(x)
    missing = rank + 2 - rank_of(a)
    if missing not in (0, 1):
        raise ValueError(f"{rank}d pooling takes arrays of {rank + 1} or {rank + 2} dimensions, not {rank_of(a)}")
    a = s.expand_dims(a, axis=(0,)) if missing else a
    window = volumes.sizes(kernel_size, rank, "kernel_size")
    steps = window if stride is None else volumes.sizes(stride, rank, "stride")
    spread = volumes.sizes(dilation, rank, "dilation")
    pads = volumes.pads_of(pad_mode, padding, shape_of(a)[2:], window, steps, spread)
    if evaluator().static(ceil_mode, "ceil_mode"):
        pads = volumes.rounded_up(pads, shape_of(a)[2:], window, steps, spread)
    values, places = volumes.max_pool_places(a, window, steps, pads, spread)
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
    if set(volumes.sizes(dilation, 3, "dilation")) != {1}:
        return max_pool_indexed(x, 3, kernel_size, stride, padding, dilation, ceil_mode)[0]
    return volumes.max_pool3d(x, kernel_size, kernel_size if stride is None else stride, "pad", padding, ceil_mode)


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
        return network.max_pool(x, 2, kernel_size, kernel_size if stride is None else stride, padding, 0, ceil_mode)
    if evaluator().static(return_indices, "return_indices"):
        return max_pool_indexed(x, 2, kernel_size, stride, padding, dilation, ceil_mode)
    if set(volumes.sizes(dilation, 2, "dilation")) != {1}:
        return max_pool_indexed(x, 2, kernel_size, stride, padding, dilation, ceil_mode)[0]
    return network.max_pool(x, 2, kernel_size, kernel_size if stride is None else stride, "pad", padding, ceil_mode)


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
    _require_format(data_format, "MaxPool3DWithArgmax")
    values, places = max_pool_indexed(x, 3, ksize, strides, pads, dilation, ceil_mode)
    return values, places if argmax_type is None else as_array(places, argmax_type)


# --- pooling to a given size --------------------------------------------------------------------------


def _wanted(a: Any, size: Any, rank: int) -> list[int]:
    found = evaluator().static(size, "output_size")
    items = static_ints(size, "output_size") if is_array(size) else found
    listed = list(items) if isinstance(items, list | tuple) else [items] * rank
    extents = shape_of(a)[-rank:]
    return [
        static_int(evaluator().number(n) if k in (None, -1) else k, "output_size")
        for k, n in zip(listed, extents, strict=True)
    ]


def _adaptive_max(x: Any, rank: int, size: Any) -> tuple[Any, Any]:
    a = as_array(x)
    return volumes.adaptive_max_places(a, _wanted(a, size, rank))


@operator("adaptive_avg_pool3d")
def adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    """The means of windows over the last 3 axes, as many as said."""
    return network.adaptive_avg_pool(input, 3, output_size)


@operator("AdaptiveAvgPool3D")
def adaptive_avg_pool3d_set_up(input: Any, *, output_size: Any) -> Any:
    """As `adaptive_avg_pool3d`."""
    return network.adaptive_avg_pool(input, 3, output_size)


@operator("adaptive_max_pool2d")
def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest elements of windows over the last 2 axes, as many as said, and their places if asked for."""
    if evaluator().static(return_indices, "return_indices"):
        return _adaptive_max(input, 2, output_size)
    return network.adaptive_max_pool(input, 2, output_size)


@operator("AdaptiveMaxPool2D")
def adaptive_max_pool2d_set_up(input: Any, *, output_size: Any) -> Any:
    """(the largest elements of windows over the last 2 axes, their places)."""
    return _adaptive_max(input, 2, output_size)


@operator("adaptive_max_pool3d")
def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest elements of windows over the last 3 axes, as many as said, and their places if asked for."""
    if evaluator().static(return_indices, "return_indices"):
        values, places = _adaptive_max(input, 3, output_size)
        return values, e.cast(places, dtype=i32)
    return network.adaptive_max_pool(input, 3, output_size)


@operator("AdaptiveMaxPool3D")
def adaptive_max_pool3d_set_up(x: Any, output_size: Any) -> Any:
    """(the largest elements of windows over the last 3 axes, their places)."""
    values, places = _adaptive_max(x, 3, output_size)
    return values, e.cast(places, dtype=i32)


# --- norms of windows, and back -----------------------------------------------------------------------


def _power_pool(x: Any, rank: int, norm_type: Any, kernel_size: Any, stride: Any, ceil_mode: Any) -> Any:
    window = volumes.sizes(kernel_size, rank, "kernel_size")
    steps = window if stride is None else volumes.sizes(stride, rank, "stride")
    norm = evaluator().static(norm_type, "norm_type")
    if not norm:
        raise ValueError("For 'lp_pool', the norm_type must not be 0.")
    ceil = bool(evaluator().static(ceil_mode, "ceil_mode"))
    return volumes.power_pool(as_float(x), norm, window, steps, ceil)


@operator("lp_pool1d")
def lp_pool1d(x: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False) -> Any:
    """The norm of each window over the last axis."""
    return _power_pool(x, 1, norm_type, kernel_size, stride, ceil_mode)


@operator("lp_pool2d")
def lp_pool2d(x: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False) -> Any:
    """The norm of each window over the last 2 axes."""
    return _power_pool(x, 2, norm_type, kernel_size, stride, ceil_mode)


def _unpool(x: Any, rank: int, places: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any) -> Any:
    a, chosen = as_array(x), as_array(places)
    missing = rank + 2 - rank_of(a)
    if missing:
        a, chosen = (s.expand_dims(v, axis=(0,)) for v in (a, chosen))
    if output_size:
        wanted = static_ints(output_size, "output_size")
        extents: Any = tuple(wanted[-rank:])
    else:
        window = volumes.sizes(kernel_size, rank, "kernel_size")
        steps = volumes.sizes(stride, rank, "stride") if stride else window
        pads = volumes.sizes(padding, rank, "padding")
        extents = tuple(
            (n + -1) * st + (k - 2 * q) for n, k, st, q in zip(shape_of(a)[2:], window, steps, pads, strict=True)
        )
    made = volumes.max_unpool(a, chosen, extents)
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
