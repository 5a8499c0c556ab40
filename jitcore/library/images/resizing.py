"""Images and volumes resized."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.images import resampling
from jitcore.library.linalg import products
from jitcore.library.nn import adaptive_pooling
from jitcore.types import f32

_MODES = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
"""The modes that are for one rank only."""


def _extent(a: Any, axis: int) -> int:
    return static_int(evaluator().number(shape_of(a)[axis]), "the extent of an axis that is resized")


def per_axis(value: Any, count: int, what: str) -> list[Any]:
    found = evaluator().static(value, what)
    if hasattr(found, "tolist"):
        found = found.tolist()
    if not isinstance(found, list | tuple):
        return [found] * count
    listed = [evaluator().static(item, what) for item in cast("Any", found)]
    if len(listed) == 1:
        listed = listed * count
    if len(listed) != count:
        raise ValueError(f"{what} is a number or {count} numbers, not {found!r}")
    return listed


def _axis(a: Any, axis: int, mode: str, wanted: int, scale: float | None, corners: bool, centres: bool) -> Any:
    extent = _extent(a, axis)
    if wanted < 1:
        raise ValueError(f"an axis cannot be resized to {wanted} elements")
    places = resampling.sources(extent, wanted, scale, corners, centres)
    if mode == "nearest":
        taps = resampling.nearest_taps(extent, places, "round" if corners or centres else "floor")
    elif mode == "bicubic":
        taps = resampling.cubic_taps(extent, places)
    else:
        taps = resampling.linear_taps(extent, places)
    return resampling.resample(a, axis, taps)


@operator("interpolate upsample")
def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
) -> Any:
    """x (N, C, …) with its last axes resized: nearest, nearest-exact, linear,
    bilinear, trilinear, bicubic or area."""
    a, how = as_array(input), evaluator().static(mode, "mode")
    if (size is None) == (scale_factor is None):
        raise ValueError("For 'interpolate', either size or scale_factor is given.")
    if how not in ("nearest", "nearest-exact", "area", *_MODES):
        raise ValueError(f"For 'interpolate', the mode {how!r} is not supported.")
    if rank_of(a) not in (3, 4, 5) or _MODES.get(how, rank_of(a)) != rank_of(a):
        raise ValueError(f"For 'interpolate', the mode {how!r} does not fit a Tensor of {rank_of(a)} dimensions.")
    corners = bool(evaluator().static(align_corners, "align_corners"))
    if corners and how not in _MODES:
        raise ValueError(f"For 'interpolate', align_corners has no meaning with the mode {how!r}.")
    count = rank_of(a) - 2
    factors = (
        [1.0] * count if scale_factor is None else [float(f) for f in per_axis(scale_factor, count, "scale_factor")]
    )
    if scale_factor is None:
        sizes = [static_int(n, "size") for n in per_axis(size, count, "size")]
    else:
        sizes = [int(np.floor(_extent(a, k + 2) * f)) for k, f in enumerate(factors)]
    if how == "area":
        return adaptive_pooling.adaptive_avg_pool(a, count, sizes)
    for k, (wanted, factor) in enumerate(zip(sizes, factors, strict=True)):
        kept = None if scale_factor is None or recompute_scale_factor else 1 / factor
        if how == "nearest-exact":
            a = _exact(a, k + 2, wanted, kept)
        else:
            a = _axis(a, k + 2, how, wanted, kept, corners, how != "nearest")
    return a


def _exact(a: Any, axis: int, wanted: int, scale: float | None) -> Any:
    extent = _extent(a, axis)
    places = resampling.sources(extent, wanted, scale, False, True)
    return resampling.resample(a, axis, resampling.nearest_taps(extent, places, "round"))


def _images(x: Any, size: Any, mode: str, corners: Any, centres: Any) -> Any:
    """Images resized as MindSpore's primitive classes do: points unless `centres`."""
    a = as_array(x)
    if rank_of(a) != 4:
        raise ValueError(f"images of 4 dimensions (NCHW) are resized, not of {rank_of(a)}")
    corners, centres = bool(evaluator().static(corners, "align_corners")), bool(centres)
    if corners and centres:
        raise ValueError("align_corners and half_pixel_centers must not both be True")
    wanted = static_ints(size, "size") if is_array(size) else per_axis(size, 2, "size")
    for k, n in enumerate(wanted):
        a = _axis(a, k + 2, mode, static_int(n, "size"), None, corners, centres)
    return a


def _resizing(cls: str, mode: str, old: str | None) -> None:
    """A class that takes the size as an operand, and its older form that is set up with it."""

    def set_up(x: Any, size: Any, *, align_corners: Any = False, half_pixel_centers: Any = False) -> Any:
        return _images(x, size, mode, align_corners, half_pixel_centers)

    def with_size(x: Any, *, size: Any, align_corners: Any = False, half_pixel_centers: Any = False) -> Any:
        half = mode == "linear" and dtype_of_value(x).name == "f16"  # which gives float32
        return _images(as_array(as_array(x), f32) if half else x, size, mode, align_corners, half_pixel_centers)

    set_up.__doc__ = with_size.__doc__ = f"Images (N, C, H, W) resized, {mode}."
    operator(cls)(set_up)
    if old:
        operator(old)(with_size)


_resizing("ResizeBilinearV2", "linear", "ResizeBilinear")
_resizing("ResizeNearestNeighborV2", "nearest", "ResizeNearestNeighbor")
_resizing("ResizeBicubic", "bicubic", None)


@operator("ResizeLinear1D")
def resize_linear_1d(x: Any, size: Any, *, coordinate_transformation_mode: Any = "align_corners") -> Any:
    """x (N, C, W) with its last axis resized."""
    a, how = as_array(x), coordinate_transformation_mode
    if how not in ("align_corners", "half_pixel", "asymmetric"):
        raise ValueError(f"For 'ResizeLinear1D', the coordinate_transformation_mode {how!r} is not supported.")
    wanted = static_ints(size, "size")[0]
    return _axis(a, rank_of(a) - 1, "linear", wanted, None, how == "align_corners", how == "half_pixel")


def _upsampling(cls: str, mode: str) -> None:
    def set_up(x: Any, output_size: Any = None, scales: Any = None, *, align_corners: Any = False) -> Any:
        return interpolate(x, output_size, scales, mode, align_corners or None)

    set_up.__doc__ = f"Volumes (N, C, D, H, W) resized, {mode}."
    operator(cls)(set_up)


_upsampling("UpsampleNearest3D", "nearest")
_upsampling("UpsampleTrilinear3D", "trilinear")


def image_extent(a: Any, axis: int) -> int:
    return static_int(evaluator().number(shape_of(a)[axis]), "the extent of an axis of images")


def require_images(a: Any, name: str) -> None:
    if rank_of(a) != 4:
        raise ValueError(f"For '{name}', images of 4 dimensions (N, H, W, C) are needed, not {rank_of(a)}.")


def two_extents(size: Any, name: str) -> tuple[int, int]:
    found = static_ints(size, "size")
    if len(found) != 2 or min(found) < 1:
        raise ValueError(f"For '{name}', the size must be two positive ints, not {found}.")
    return found[0], found[1]


def _areas(extent: int, wanted: int, corners: bool) -> Any:
    """How much each result (a row) takes of each element (a column)."""
    scale = (extent - 1) / (wanted - 1) if corners and wanted > 1 else extent / wanted
    shares = np.zeros((wanted, extent))
    for k in range(wanted):
        start, end = k * scale, (k + 1) * scale
        for i in range(math.floor(start), math.ceil(end)):
            shares[k, min(max(i, 0), extent - 1)] += (min(i + 1, end) - max(i, start)) / scale
    return shares


@operator("ResizeArea")
def resize_area(images: Any, size: Any, *, align_corners: Any = False) -> Any:
    """Images resized: float32 means of the areas that become one element."""
    a = as_array(as_array(images), f32)
    require_images(a, "ResizeArea")
    for axis, wanted in enumerate(two_extents(size, "ResizeArea"), 1):
        shares = evaluator().constant(_areas(image_extent(a, axis), wanted, bool(align_corners)), f32)
        moved = products.matmul(shapes.moveaxis(a, axis, -1), shapes.transpose(shares))
        a = shapes.moveaxis(moved, -1, axis)
    return a
