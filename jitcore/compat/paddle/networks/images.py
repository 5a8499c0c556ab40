"""`paddle.nn.functional`: borders, images of other extents, and their windows as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jitcore import ops
from jitcore.compat.paddle.declaring import network
from jitcore.compat.paddle.networks.layouts import Extents, channels_first, channels_last, is_channel_last
from jitcore.compat.torch.networks import convolutions
from jitcore.compat.torch.networks import images as shaped
from jitcore.library.array import borders
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.runtime.tensor import Tensor

_FORMATS: Final = {3: "NCL", 4: "NCHW", 5: "NCDHW"}
_WIDTHS: Final = {"NCW": "NCL", "NWC": "NLC"}
"""What `interpolate` calls lines."""


def _from_the_last(pad: Sequence[int], from_left: bool, rank: int) -> tuple[int, ...]:
    """Borders of all axes, as pairs from the last axis on."""
    if not (from_left and len(pad) == 2 * rank):
        return tuple(pad)
    return tuple(n for k in range(rank - 1, -1, -1) for n in pad[2 * k : 2 * k + 2])


@network
def pad(
    x: Tensor,
    pad: Sequence[int],
    mode: str = "constant",
    value: float = 0.0,
    data_format: str | None = None,
    pad_from_left_axis: bool = True,
    name: str | None = None,
) -> Any:
    rank, known = values.rank_of(x), values.static_ints(pad, "pad")
    if mode not in ("reflect", "replicate", "constant", "circular"):
        raise AssertionError(f"mode should be one of constant, reflect, replicate, circular, but got {mode}.")
    if len(known) == 0:
        return x
    if mode == "constant" and len(known) != 2 * (rank - 2):
        return borders.pad(x, _from_the_last(known, pad_from_left_axis, rank), mode, value)
    if rank not in _FORMATS:
        raise AssertionError(f"input tensor dimension must be in [3, 4, 5] but got {rank}")
    last = is_channel_last(data_format or _FORMATS[rank], rank - 2)
    image = channels_first(x, last)
    made = borders.pad(image, tuple(known), mode, value) if mode == "constant" else shaped.pad(image, known, mode)
    return channels_last(made, last)


@network
def zeropad2d(x: Tensor, padding: int | Sequence[int], data_format: str = "NCHW", name: str | None = None) -> Any:
    known = tuple(values.static_ints(padding, "padding"))
    last = is_channel_last(data_format, 2)
    return channels_last(borders.pad(channels_first(x, last), known * 4 if len(known) == 1 else known), last)


@network
def interpolate(
    x: Tensor,
    size: Extents | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str | None = None,
    recompute_scale_factor: bool | None = None,
    name: str | None = None,
) -> Any:
    kind, rank = mode.lower(), values.rank_of(x)
    if kind not in ("linear", "bilinear", "trilinear", "bicubic", "area", "nearest"):
        raise ValueError(
            "The 'resample' of image_resize can only be 'linear', 'bilinear', 'trilinear',  'bicubic', 'area' or "
            f"'nearest' currently, not {mode!r}."
        )
    if align_mode == 1 and not align_corners and kind in ("linear", "bilinear", "trilinear"):
        raise NotImplementedError("interpolate: align_mode=1 (source = target * scale); use align_mode=0")
    named = _WIDTHS.get(data_format or "", data_format)
    last = is_channel_last(named, rank - 2) if named is not None else False
    corners = align_corners if kind in ("linear", "bilinear", "trilinear", "bicubic") else None
    if kind == "nearest" and align_corners:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    made = shaped.interpolate(channels_first(x, last), size, scale_factor, kind, corners, recompute_scale_factor)
    return channels_last(made, last)


@network
def upsample(
    x: Tensor,
    size: Extents | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str | None = None,
    name: str | None = None,
) -> Any:
    return interpolate(x, size, scale_factor, mode, align_corners, align_mode, data_format)


@network
def grid_sample(
    x: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = True,
    name: str | None = None,
) -> Any:
    return shaped.grid_sample(x, grid, mode, padding_mode, align_corners)


@network
def affine_grid(theta: Tensor, out_shape: Sequence[int], align_corners: bool = True, name: str | None = None) -> Any:
    return shaped.affine_grid(theta, values.static_ints(out_shape, "out_shape"), align_corners)


# --- channels -------------------------------------------------------------------------------------------


@network
def pixel_shuffle(x: Tensor, upscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    last = is_channel_last(data_format, 2)
    return channels_last(ops.pixel_shuffle(channels_first(x, last), upscale_factor), last)


@network
def pixel_unshuffle(x: Tensor, downscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    last = is_channel_last(data_format, 2)
    return channels_last(ops.pixel_unshuffle(channels_first(x, last), downscale_factor), last)


@network
def channel_shuffle(x: Tensor, groups: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    last = is_channel_last(data_format, 2)
    return channels_last(ops.channel_shuffle(channels_first(x, last), groups), last)


# --- windows --------------------------------------------------------------------------------------------


def _bordered(x: Tensor, paddings: Extents) -> tuple[Any, Any]:
    """(An image with the borders that are not as wide on both sides, those that are)."""
    known = tuple(values.static_ints(paddings, "paddings"))
    if len(known) == 4:
        top, left, bottom, right = known
        if (top, left) != (bottom, right):
            return borders.pad(x, (left, right, top, bottom)), 0
        known = (top, left)
    return x, known * 2 if len(known) == 1 else known


@network
def unfold(
    x: Tensor,
    kernel_sizes: Extents,
    strides: Extents = 1,
    paddings: Extents = 0,
    dilations: Extents = 1,
    name: str | None = None,
) -> Any:
    image, around = _bordered(x, paddings)
    return convolutions.unfold(image, kernel_sizes, dilations, around, strides)


@network
def fold(
    x: Tensor,
    output_sizes: Extents,
    kernel_sizes: Extents,
    strides: Extents = 1,
    paddings: Extents = 0,
    dilations: Extents = 1,
    name: str | None = None,
) -> Any:
    known = tuple(values.static_ints(paddings, "paddings"))
    if len(known) != 4 or known[:2] == known[2:]:
        return convolutions.fold(x, output_sizes, kernel_sizes, dilations, known[:2], strides)
    high, wide = (tuple(values.static_ints(output_sizes, "output_sizes")) * 2)[:2]
    top, left, bottom, right = known
    whole = convolutions.fold(x, (high + top + bottom, wide + left + right), kernel_sizes, dilations, 0, strides)
    return whole[:, :, top : top + high, left : left + wide]


@network
def temporal_shift(
    x: Tensor, seg_num: int, shift_ratio: float = 0.25, data_format: str = "NCHW", name: str | None = None
) -> Any:
    """A share of the channels from the frame before, as many from the one after."""
    last = is_channel_last(data_format, 2)
    image = channels_first(x, last)
    count, channels, high, wide = (evaluator().number(n) for n in values.shape_of(image))
    frames = ops.reshape(image, (-1, seg_num, channels, high, wide))
    known = values.static_int(channels, "channels")
    first, second = int(known * shift_ratio), int(known * 2 * shift_ratio)
    padded = borders.pad(frames, (0, 0, 0, 0, 0, 0, 1, 1))
    parts = [padded[:, :seg_num, :first], padded[:, 2:, first:second], frames[:, :, second:]]
    return channels_last(ops.reshape(ops.cat(parts, 2), (count, channels, high, wide)), last)
