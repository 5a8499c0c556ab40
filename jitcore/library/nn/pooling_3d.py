"""Pooling of volumes (N, C, D, H, W): over depth after height and width; norms of windows."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, rank_of, shape_of
from jitcore.library.math import elementwise
from jitcore.library.nn import activations, pooling, windows
from jitcore.library.nn.windows import Pads, Sizes, pads_of, require_ncdhw, rounded_up, sizes
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import pooling as p
from jitcore.primitives.ops import shape as s


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


def maximum_volumes(x: Any, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any, ceil: Any) -> Any:
    """The largest element of each window of x (N, C, D, H, W)."""
    a, single = _batched(x)
    window, steps = sizes(kernel_size, 3, "kernel_size"), sizes(stride, 3, "stride")
    pads = pads_of(pad_mode, padding, shape_of(a)[2:], window, steps, (1, 1, 1))
    if evaluator().static(ceil, "ceil_mode"):
        pads = rounded_up(pads, shape_of(a)[2:], window, steps, (1, 1, 1))
    windows.require_windows(a, window, pads, (1, 1, 1))
    made = _each_way(a, p.max_pool2d, window, steps, pads)
    return s.squeeze(made, axis=(0,)) if single else made


def average_volumes(
    x: Any, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any, ceil: Any, include_pad: Any, divisor: Any
) -> Any:
    """The mean of each window of x (N, C, D, H, W); padding counts as zeros only with `include_pad`."""
    a, single = _batched(reductions.as_float(x))
    window, steps = sizes(kernel_size, 3, "kernel_size"), sizes(stride, 3, "stride")
    given = pads_of(pad_mode, padding, shape_of(a)[2:], window, steps, (1, 1, 1))
    pads = given
    if evaluator().static(ceil, "ceil_mode"):
        pads = rounded_up(given, shape_of(a)[2:], window, steps, (1, 1, 1))
    windows.require_windows(a, window, pads, (1, 1, 1))
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


def power_pool(x: Any, norm: float, window: Sizes, stride: Sizes, ceil: bool) -> Any:
    """The norm of each window over the last one or two axes."""
    powers = elementwise.power(x, norm)
    rank = len(window)
    means = pooling.avg_pool(powers, rank, window, stride, "valid", 0, ceil, True, 1)
    return elementwise.power(
        elementwise.multiply(elementwise.sign(means), activations.relu(elementwise.absolute(means))), 1 / norm
    )


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
    require_ncdhw(data_format, "MaxPool3D")
    return maximum_volumes(x, kernel_size, strides, pad_mode, pad_list, bool(ceil_mode))


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
    return average_volumes(input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override)


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
    require_ncdhw(data_format, "AvgPool3D")
    return average_volumes(x, kernel_size, strides, pad_mode, pad, ceil_mode, count_include_pad, divisor_override)


@operator("avg_pool3d_ext")
def avg_pool3d_ext(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Any:
    """The means of windows over the last three axes."""
    divisor = 0 if divisor_override is None else divisor_override
    steps = kernel_size if stride is None else stride
    return avg_pool3d(input, kernel_size, steps, padding, ceil_mode, count_include_pad, divisor)


def _power_pool(x: Any, rank: int, norm_type: Any, kernel_size: Any, stride: Any, ceil_mode: Any) -> Any:
    window = windows.sizes(kernel_size, rank, "kernel_size")
    steps = window if stride is None else windows.sizes(stride, rank, "stride")
    norm = evaluator().static(norm_type, "norm_type")
    if not norm:
        raise ValueError("For 'lp_pool', the norm_type must not be 0.")
    ceil = bool(evaluator().static(ceil_mode, "ceil_mode"))
    return power_pool(as_float(x), norm, window, steps, ceil)


@operator("lp_pool1d")
def lp_pool1d(x: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False) -> Any:
    """The norm of each window over the last axis."""
    return _power_pool(x, 1, norm_type, kernel_size, stride, ceil_mode)


@operator("lp_pool2d")
def lp_pool2d(x: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False) -> Any:
    """The norm of each window over the last 2 axes."""
    return _power_pool(x, 2, norm_type, kernel_size, stride, ceil_mode)
