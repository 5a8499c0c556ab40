"""Borders, and images of another size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore import ops
from jitcore.compat.torch.arguments import Extents
from jitcore.compat.torch.declaring import network
from jitcore.library.array import borders
from jitcore.library.core import values
from jitcore.runtime.tensor import Tensor


@network
def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Any:
    pad = values.static_ints(pad, "the border") if len(pad) else []
    if mode != "constant":
        _require_border(input, pad, mode, value)
    if len(pad) % 2 or len(pad) > 2 * values.rank_of(input):
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is "
            f"{len(pad)} while the input has {values.rank_of(input)} dimensions."
        )
    return borders.pad(input, tuple(pad), mode, value)


def _require_border(input: Tensor, pad: Sequence[int], mode: str, value: float | None) -> None:
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None:
        raise ValueError(f"Padding mode '{mode}' doesn't take in value argument")
    rank, count = values.rank_of(input), len(pad) // 2
    if len(pad) % 2 or rank not in (count + 1, count + 2):
        raise NotImplementedError("Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now")
    most = {"reflect": -1, "circular": 0}.get(mode)
    for k in range(count):
        extent = values.shape_of(input)[rank - 1 - k]
        if most is not None and isinstance(extent, int) and max(pad[2 * k : 2 * k + 2]) > extent + most:
            raise RuntimeError(
                f"Padding size should be less than the corresponding input dimension, but got: padding "
                f"({pad[2 * k]}, {pad[2 * k + 1]}) at dimension {rank - 1 - k} of an input of "
                f"{list(values.shape_of(input))}"
            )


@network
def interpolate(
    input: Tensor,
    size: Extents | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    if antialias:
        raise NotImplementedError("interpolate: antialias=True")
    return ops.interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


@network
def upsample(
    input: Tensor,
    size: Extents | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Any:
    return ops.interpolate(input, size, scale_factor, mode, align_corners)


@network
def upsample_nearest(
    input: Tensor, size: Extents | None = None, scale_factor: float | Sequence[float] | None = None
) -> Any:
    return ops.interpolate(input, size, scale_factor, "nearest")


@network
def upsample_bilinear(
    input: Tensor, size: Extents | None = None, scale_factor: float | Sequence[float] | None = None
) -> Any:
    return ops.interpolate(input, size, scale_factor, "bilinear", True)


@network
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Any:
    return ops.grid_sample(input, grid, mode, padding_mode, bool(align_corners))


@network
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Any:
    return ops.affine_grid(theta, tuple(size), bool(align_corners))
