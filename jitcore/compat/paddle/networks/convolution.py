"""`paddle.nn.functional`: convolutions, their transposes, and the windows of images as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

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
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.nn import convolutions, convolutions_3d, windows
from jitcore.runtime.tensor import Tensor


def _require(x: Tensor, weight: Tensor, rank: int, groups: int, last: bool, transposed: bool = False) -> None:
    """Raise ValueError where a convolution's operands do not fit."""
    shape = values.shape_of(x)
    if len(shape) != rank + 2:
        raise ValueError(f"Input x should be {rank + 2}D tensor, but received x with the shape of {list(shape)}")
    if groups < 1:
        raise ValueError(f"The groups of conv{rank}d should be larger than 0. Received groups: {groups}")
    channels, held = shape[-1 if last else 1], values.shape_of(weight)
    wanted = held[0] if transposed else held[1] * groups
    if isinstance(channels, int) and isinstance(wanted, int) and channels != wanted:
        raise ValueError(
            f"The number of input's channels should be equal to the filter's channels * groups for Op(Conv). But "
            f"received: the input's channels is {channels}, the input's shape is {list(shape)}; the filter's shape is "
            f"{list(held)}; the groups is {groups}"
        )


def _lifted(x: Tensor, rank: int) -> Any:
    """Lines as planes of one row."""
    return ops.expand_dims(x, -2) if rank == 1 else x


def _lowered(x: Tensor, rank: int) -> Any:
    return ops.squeeze(x, -2) if rank == 1 else x


def _convolved(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    rank: int,
    stride: Extents,
    padding: Borders,
    dilation: Extents,
    groups: int,
    data_format: str,
) -> Any:
    last, groups = is_channel_last(data_format, rank), values.static_int(groups, "groups")
    _require(x, weight, rank, groups, last)
    steps, spread = each(stride, rank, "stride"), each(dilation, rank, "dilation")
    mode, ends = borders(padding, rank, last)
    if mode == "same":
        spread = (1,) * rank  # which Paddle computes with then
    if mode != "pad":
        ends = 0
    image = channels_first(x, last)
    if rank == 3:
        made = convolutions_3d.conv3d(image, weight, bias, steps, mode, ends, spread, groups)
        return channels_last(made, last)
    if rank == 1:
        steps, spread, ends = (1, *steps), (1, *spread), (0, 0, *ends) if ends else 0
    made = convolutions.convolve_images(
        _lifted(image, rank), _lifted(weight, rank), bias, steps, ends, mode, spread, groups
    )
    return channels_last(_lowered(made, rank), last)


@network
def conv1d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Borders = 0,
    dilation: Extents = 1,
    groups: int = 1,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    return _convolved(x, weight, bias, 1, stride, padding, dilation, groups, data_format)


@network
def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Borders = 0,
    dilation: Extents = 1,
    groups: int = 1,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    return _convolved(x, weight, bias, 2, stride, padding, dilation, groups, data_format)


@network
def conv3d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Borders = 0,
    dilation: Extents = 1,
    groups: int = 1,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    return _convolved(x, weight, bias, 3, stride, padding, dilation, groups, data_format)


# --- transposes -----------------------------------------------------------------------------------------


def _transposed(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    rank: int,
    stride: Extents,
    padding: Borders,
    output_padding: Extents,
    groups: int,
    dilation: Extents,
    output_size: Extents | None,
    data_format: str,
) -> Any:
    last, groups = is_channel_last(data_format, rank), values.static_int(groups, "groups")
    _require(x, weight, rank, groups, last, transposed=True)
    steps, spread = each(stride, rank, "stride"), each(dilation, rank, "dilation")
    image = channels_first(x, last)
    window = tuple(
        values.static_int(evaluator().number(n), "the extent of the weight") for n in values.shape_of(weight)[2:]
    )
    mode, ends = borders(padding, rank, last)
    if mode == "same":
        spread = (1,) * rank
        sizes = zip(values.static_extents(image)[2:], window, steps, strict=True)
        ends = tuple(int(cast("int", n)) for extent, k, s in sizes for n in windows.same_padding(extent, k, s, 1))
    extra = each(output_padding, rank, "output_padding")
    if output_size is not None:
        if any(extra):
            raise ValueError("output_padding option is mutually exclusive with output_size")
        extra = _extra(image, window, steps, ends, spread, each(output_size, rank, "output_size"))
    if rank == 1:
        steps, spread, extra, ends = (1, *steps), (1, *spread), (0, *extra), (0, 0, *ends)
    function = convolutions_3d.conv3d_transpose if rank == 3 else convolutions.conv2d_transpose
    made = function(
        _lifted(image, rank),
        _lifted(weight, rank),
        bias,
        steps,
        pad_mode="pad",
        padding=ends,
        dilation=spread,
        group=groups,
        output_padding=extra,
        name="conv_transpose",
    )
    return channels_last(_lowered(made, rank), last)


def _extra(
    image: Tensor,
    window: Sequence[int],
    steps: Sequence[int],
    ends: Sequence[int],
    spread: Sequence[int],
    wanted: Sequence[int],
) -> tuple[int, ...]:
    """What is to be added at the ends for results of some extents. Raises ValueError for extents that cannot be."""
    extents = values.static_extents(image)[2:]
    made: list[int] = []
    for k, (n, size, step, d, want) in enumerate(zip(extents, window, steps, spread, wanted, strict=True)):
        least = (n - 1) * step - ends[2 * k] - ends[2 * k + 1] + d * (size - 1) + 1
        if not 0 <= want - least < step:
            raise ValueError(
                f"output_size of Op(ConvTransposeOp) should be in [{least}, {least + step}) along axis {k + 2}, but "
                f"is {want}"
            )
        made.append(want - least)
    return tuple(made)


@network
def conv1d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Borders = 0,
    output_padding: Extents = 0,
    groups: int = 1,
    dilation: Extents = 1,
    output_size: Extents | None = None,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    return _transposed(x, weight, bias, 1, stride, padding, output_padding, groups, dilation, output_size, data_format)


@network
def conv2d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Borders = 0,
    output_padding: Extents = 0,
    dilation: Extents = 1,
    groups: int = 1,
    output_size: Extents | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    return _transposed(x, weight, bias, 2, stride, padding, output_padding, groups, dilation, output_size, data_format)


@network
def conv3d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Borders = 0,
    output_padding: Extents = 0,
    groups: int = 1,
    dilation: Extents = 1,
    output_size: Extents | None = None,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    return _transposed(x, weight, bias, 3, stride, padding, output_padding, groups, dilation, output_size, data_format)
