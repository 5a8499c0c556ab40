"""`paddle.nn.functional`: pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jitcore import ops
from jitcore.compat.paddle.declaring import network
from jitcore.compat.paddle.networks.layouts import (
    Borders,
    Extents,
    borders,
    channels_first,
    channels_last,
    each,
    is_channel_last,
)
from jitcore.compat.torch.networks import pooling as shaped
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.library.nn import max_pooling, pooling, pooling_3d
from jitcore.runtime.tensor import Tensor
from jitcore.types import i32

_PLAIN = {1: "NCL", 2: "NCHW", 3: "NCDHW"}


def _require_rank(x: Tensor, rank: int) -> None:
    if values.rank_of(x) != rank + 2:
        raise ValueError(f"Excepted Input X is {rank + 2}-D tensor, but received {values.rank_of(x)}-D {type(x)}")


def _windows(x: Tensor, rank: int, kernel_size: Extents, stride: Extents | None) -> tuple[Any, Any]:
    """(Extents of windows, strides)."""
    _require_rank(x, rank)
    size = each(kernel_size, rank, "kernel_size")
    steps = size if stride is None else each(stride, rank, "stride")
    for name, given in (("kernel_size", size), ("stride", steps)):
        if min(given) < 1:
            raise ValueError(f"Excepted the input {name} to be greater than 0.001 but received x: {min(given)}. ")
    return size, steps


def _largest(
    x: Tensor,
    rank: int,
    kernel_size: Extents,
    stride: Extents | None,
    padding: Borders,
    return_mask: bool,
    ceil_mode: bool,
    data_format: str,
) -> Any:
    last = is_channel_last(data_format, rank)
    size, steps = _windows(x, rank, kernel_size, stride)
    mode, ends = borders(padding, rank, last, ceil_mode)
    image: Any = channels_first(x, last)
    given: Any = ends if mode == "pad" else 0
    if return_mask:
        if last:
            raise ValueError(f"When setting return_mask to true, data_format must be set to {_PLAIN[rank]}")
        made, places = max_pooling.max_pool_indexed(
            image, rank, size, steps, given, (1,) * rank, ceil_mode, pad_mode=mode
        )
        return made, elementwise.astype(places, i32)
    pool = pooling_3d.maximum_volumes
    made = pool(image, size, steps, mode, given, ceil_mode) if rank == 3 else None
    if rank < 3:
        made = pooling.max_pool(image, rank, size, steps, mode, given, ceil_mode)
    return channels_last(made, last)


@network
def max_pool1d(
    x: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Borders = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    return _largest(x, 1, kernel_size, stride, padding, return_mask, ceil_mode, "NCL")


@network
def max_pool2d(
    x: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Borders = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    return _largest(x, 2, kernel_size, stride, padding, return_mask, ceil_mode, data_format)


@network
def max_pool3d(
    x: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Borders = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    return _largest(x, 3, kernel_size, stride, padding, return_mask, ceil_mode, data_format)


# --- back to where they were ----------------------------------------------------------------------------


def _put_back(
    x: Tensor,
    indices: Tensor,
    rank: int,
    kernel_size: Extents,
    stride: Extents | None,
    padding: Extents,
    data_format: str,
    output_size: Sequence[int] | None,
) -> Any:
    if data_format != _PLAIN[rank]:
        raise ValueError(f"Attr(data_format) should be {_PLAIN[rank]!r}. Received Attr(data_format): {data_format}.")
    _require_rank(x, rank)
    unpool = (shaped.max_unpool1d, shaped.max_unpool2d, shaped.max_unpool3d)[rank - 1]
    return unpool(x, indices, kernel_size, stride, padding, output_size)


@network
def max_unpool1d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    data_format: str = "NCL",
    output_size: Sequence[int] | None = None,
    name: str | None = None,
) -> Any:
    return _put_back(x, indices, 1, kernel_size, stride, padding, data_format, output_size)


@network
def max_unpool2d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    data_format: str = "NCHW",
    output_size: Sequence[int] | None = None,
    name: str | None = None,
) -> Any:
    return _put_back(x, indices, 2, kernel_size, stride, padding, data_format, output_size)


@network
def max_unpool3d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    data_format: str = "NCDHW",
    output_size: Sequence[int] | None = None,
    name: str | None = None,
) -> Any:
    return _put_back(x, indices, 3, kernel_size, stride, padding, data_format, output_size)


# --- means ----------------------------------------------------------------------------------------------


def _mean(
    x: Tensor,
    rank: int,
    kernel_size: Extents,
    stride: Extents | None,
    padding: Borders,
    ceil_mode: bool,
    exclusive: bool,
    divisor_override: float | None,
    data_format: str,
) -> Any:
    """Means of windows, in whose count borders are unless they are `exclusive`, and what ceil_mode adds as well."""
    last = is_channel_last(data_format, rank)
    size, steps = _windows(x, rank, kernel_size, stride)
    mode, ends = borders(padding, rank, last, ceil_mode)
    image: Any = channels_first(x, last)
    given: Any = ends if mode == "pad" else 0
    exclusive = bool(evaluator().static(exclusive, "exclusive"))
    if rank == 3:
        made = pooling_3d.average_volumes(image, size, steps, mode, given, ceil_mode, not exclusive, None)
    else:
        made = pooling.avg_pool(image, rank, size, steps, mode, given, ceil_mode, not exclusive, None)
    if divisor_override is not None:
        made = ops.mul(made, math.prod(size) / divisor_override)
    return channels_last(made, last)


@network
def avg_pool1d(
    x: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Borders = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    return _mean(x, 1, kernel_size, stride, padding, ceil_mode, exclusive, None, "NCL")


@network
def avg_pool2d(
    x: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Borders = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    return _mean(x, 2, kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format)


@network
def avg_pool3d(
    x: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Borders = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    return _mean(x, 3, kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format)


def _normed(
    x: Tensor,
    rank: int,
    norm_type: float,
    kernel_size: Extents,
    stride: Extents | None,
    padding: Borders,
    ceil_mode: bool,
    data_format: str,
) -> Any:
    """The norms of windows: roots of means of powers, times what the means divided by."""
    order = float(values.with_known_numbers(norm_type, "norm_type"))
    if order == 0.0:
        raise ValueError("norm_type of lp_pool must not be 0")
    if math.isinf(order):
        return _largest(x, rank, kernel_size, stride, padding, False, ceil_mode, data_format)
    size, _ = _windows(x, rank, kernel_size, stride)
    means = _mean(ops.pow(x, order), rank, kernel_size, stride, padding, ceil_mode, False, None, data_format)
    return ops.pow(ops.mul(means, math.prod(size)), 1.0 / order)


@network
def lp_pool1d(
    x: Tensor,
    norm_type: float,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Borders = 0,
    ceil_mode: bool = False,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    return _normed(x, 1, norm_type, kernel_size, stride, padding, ceil_mode, data_format)


@network
def lp_pool2d(
    x: Tensor,
    norm_type: float,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Borders = 0,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    return _normed(x, 2, norm_type, kernel_size, stride, padding, ceil_mode, data_format)


# --- to an extent ---------------------------------------------------------------------------------------


@network
def adaptive_avg_pool1d(x: Tensor, output_size: Extents, name: str | None = None) -> Any:
    _require_rank(x, 1)
    return shaped.adaptive_avg_pool1d(x, output_size)


@network
def adaptive_avg_pool2d(x: Tensor, output_size: Extents, data_format: str = "NCHW", name: str | None = None) -> Any:
    _require_rank(x, 2)
    last = is_channel_last(data_format, 2)
    return channels_last(shaped.adaptive_avg_pool2d(channels_first(x, last), output_size), last)


@network
def adaptive_avg_pool3d(x: Tensor, output_size: Extents, data_format: str = "NCDHW", name: str | None = None) -> Any:
    _require_rank(x, 3)
    last = is_channel_last(data_format, 3)
    return channels_last(shaped.adaptive_avg_pool3d(channels_first(x, last), output_size), last)


def _adaptive_largest(x: Tensor, rank: int, output_size: Extents, return_mask: bool) -> Any:
    _require_rank(x, rank)
    pool = (shaped.adaptive_max_pool1d, shaped.adaptive_max_pool2d, shaped.adaptive_max_pool3d)[rank - 1]
    made = pool(x, output_size, return_mask)
    return (made[0], elementwise.astype(made[1], i32)) if return_mask else made


@network
def adaptive_max_pool1d(x: Tensor, output_size: Extents, return_mask: bool = False, name: str | None = None) -> Any:
    return _adaptive_largest(x, 1, output_size, return_mask)


@network
def adaptive_max_pool2d(x: Tensor, output_size: Extents, return_mask: bool = False, name: str | None = None) -> Any:
    return _adaptive_largest(x, 2, output_size, return_mask)


@network
def adaptive_max_pool3d(x: Tensor, output_size: Extents, return_mask: bool = False, name: str | None = None) -> Any:
    return _adaptive_largest(x, 3, output_size, return_mask)
