"""Convolutions, their transposes, and the windows of images as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore import ops
from jitcore.compat.torch.arguments import Extents
from jitcore.compat.torch.declaring import network
from jitcore.library.core import values
from jitcore.library.nn import convolutions_3d
from jitcore.runtime.tensor import Tensor


def _require_operands(input: Tensor, weight: Tensor, rank: int, groups: int, transposed: bool = False) -> None:
    """Raise RuntimeError where a convolution's operands do not fit."""
    if values.rank_of(input) not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to conv{rank}d, but got input of "
            f"{values.rank_of(input)} dimensions"
        )
    if values.dtype_of_value(input) is not values.dtype_of_value(weight):
        raise RuntimeError(
            f"Input type ({values.dtype_of_value(input)}) and weight type ({values.dtype_of_value(weight)}) should be "
            "the same"
        )
    groups = values.static_int(groups, "groups")
    channels = values.shape_of(input)[-rank - 1]
    taken = values.shape_of(weight)[0 if transposed else 1]
    wanted = taken if transposed else taken * groups
    if isinstance(channels, int) and isinstance(wanted, int) and channels != wanted:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(values.shape_of(weight))}, expected input"
            f"{list(values.shape_of(input))} to have {wanted} channels, but got {channels} channels instead"
        )


def each(given: Extents, rank: int) -> Any:
    """An int for each of the last axes."""
    known = values.static_ints(given, "an extent, a stride or a border")
    return tuple(known) * rank if len(known) == 1 else tuple(known)


def _padding(given: Extents | str, rank: int) -> Any:
    return given if isinstance(given, str) else each(given, rank)


@network
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Extents | str = 0,
    dilation: Extents = 1,
    groups: int = 1,
) -> Any:
    _require_operands(input, weight, 1, groups)
    return ops.conv1d_ext(input, weight, bias, each(stride, 1), _padding(padding, 1), each(dilation, 1), groups)


@network
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Extents | str = 0,
    dilation: Extents = 1,
    groups: int = 1,
) -> Any:
    _require_operands(input, weight, 2, groups)
    return ops.conv2d_ext(input, weight, bias, each(stride, 2), _padding(padding, 2), each(dilation, 2), groups)


@network
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Extents | str = 0,
    dilation: Extents = 1,
    groups: int = 1,
) -> Any:
    _require_operands(input, weight, 3, groups)
    return ops.conv3d_ext(input, weight, bias, each(stride, 3), _padding(padding, 3), each(dilation, 3), groups)


@network
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Extents = 0,
    output_padding: Extents = 0,
    groups: int = 1,
    dilation: Extents = 1,
) -> Any:
    _require_operands(input, weight, 1, groups, transposed=True)
    line = ops.expand_dims(input, -2)
    made = ops.conv_transpose2d(
        line,
        ops.expand_dims(weight, -2),
        bias,
        (1, *each(stride, 1)),
        (0, *each(padding, 1)),
        (0, *each(output_padding, 1)),
        groups,
        (1, *each(dilation, 1)),
    )
    return ops.squeeze(made, -2)


@network
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Extents = 0,
    output_padding: Extents = 0,
    groups: int = 1,
    dilation: Extents = 1,
) -> Any:
    _require_operands(input, weight, 2, groups, transposed=True)
    return ops.conv_transpose2d(
        input, weight, bias, each(stride, 2), each(padding, 2), each(output_padding, 2), groups, each(dilation, 2)
    )


@network
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Extents = 1,
    padding: Extents = 0,
    output_padding: Extents = 0,
    groups: int = 1,
    dilation: Extents = 1,
) -> Any:
    _require_operands(input, weight, 3, groups, transposed=True)
    single = values.rank_of(input) == 4
    ends: Sequence[int] = [n for n in each(padding, 3) for _ in range(2)]
    made = convolutions_3d.conv3d_transpose(
        ops.expand_dims(input, 0) if single else input,
        weight,
        bias,
        each(stride, 3),
        tuple(ends),
        "pad",
        each(dilation, 3),
        groups,
        each(output_padding, 3),
    )
    return ops.squeeze(made, 0) if single else made


# --- windows ----------------------------------------------------------------------------------------


@network
def unfold(
    input: Tensor, kernel_size: Extents, dilation: Extents = 1, padding: Extents = 0, stride: Extents = 1
) -> Any:
    single = values.rank_of(input) == 3
    made = ops.unfold(
        ops.expand_dims(input, 0) if single else input,
        each(kernel_size, 2),
        each(dilation, 2),
        each(padding, 2),
        each(stride, 2),
    )
    return ops.squeeze(made, 0) if single else made


@network
def fold(
    input: Tensor,
    output_size: Extents,
    kernel_size: Extents,
    dilation: Extents = 1,
    padding: Extents = 0,
    stride: Extents = 1,
) -> Any:
    single = values.rank_of(input) == 2
    made = ops.fold(
        ops.expand_dims(input, 0) if single else input,
        each(output_size, 2),
        each(kernel_size, 2),
        each(dilation, 2),
        each(padding, 2),
        each(stride, 2),
    )
    return ops.squeeze(made, 0) if single else made


@network
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Any:
    return ops.pixel_shuffle(input, upscale_factor)


@network
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Any:
    return ops.pixel_unshuffle(input, downscale_factor)


@network
def channel_shuffle(input: Tensor, groups: int) -> Any:
    return ops.channel_shuffle(input, groups)
