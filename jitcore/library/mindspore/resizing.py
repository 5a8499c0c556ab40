"""Operators that resize, sample, crop, and put windows together again."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from jitcore.library.array import shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    promote,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.images import resampling
from jitcore.library.linalg import products
from jitcore.library.nn import adaptive_pooling
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import f32, i64

_MODES = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
"""The modes that are for one rank only."""


def _extent(a: Any, axis: int) -> int:
    return static_int(evaluator().number(shape_of(a)[axis]), "the extent of an axis that is resized")


def _per_axis(value: Any, count: int, what: str) -> list[Any]:
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
        [1.0] * count if scale_factor is None else [float(f) for f in _per_axis(scale_factor, count, "scale_factor")]
    )
    if scale_factor is None:
        sizes = [static_int(n, "size") for n in _per_axis(size, count, "size")]
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
    wanted = static_ints(size, "size") if is_array(size) else _per_axis(size, 2, "size")
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


# --- sampling -----------------------------------------------------------------------------------------


@operator("grid_sample")
def grid_sample(
    input: Any, grid: Any, mode: Any = "bilinear", padding_mode: Any = "zeros", align_corners: Any = False
) -> Any:
    """The input (N, C, …) at the points of a grid (N, …, 2 or 3) of coordinates between -1 and 1, x first."""
    a, points = promote("mul", as_float(input), as_float(grid))
    if rank_of(a) not in (4, 5) or rank_of(points) != rank_of(a):
        raise ValueError(f"For 'grid_sample', Tensors of 4 or 5 dimensions are needed, not {rank_of(a)}.")
    how, padding = (evaluator().static(v, w) for v, w in ((mode, "mode"), (padding_mode, "padding_mode")))
    if how not in ("bilinear", "nearest", "bicubic") or (how == "bicubic" and rank_of(a) == 5):
        raise ValueError(f"For 'grid_sample', the mode {how!r} is not supported.")
    if padding not in ("zeros", "border", "reflection"):
        raise ValueError(f"For 'grid_sample', the padding_mode {padding!r} is not supported.")
    corners = bool(evaluator().static(align_corners, "align_corners"))
    return resampling.sample_grid(a, points, how, padding, corners)


@operator("GridSampler2D GridSampler3D")
def grid_sample_set_up(
    input_x: Any,
    grid: Any,
    *,
    interpolation_mode: Any = "bilinear",
    padding_mode: Any = "zeros",
    align_corners: Any = False,
) -> Any:
    """As `grid_sample`."""
    return grid_sample(input_x, grid, interpolation_mode, padding_mode, align_corners)


@operator("affine_grid")
def affine_grid(theta: Any, size: Any, align_corners: Any = False) -> Any:
    """The grids of points (N, …, 2 or 3) that affine maps (N, 2, 3) or (N, 3, 4) take the points of images of a size
    to."""
    maps = as_float(theta)
    wanted = static_ints(size, "size")[2:]
    corners = bool(evaluator().static(align_corners, "align_corners"))
    axes: list[Any] = []
    for n in wanted:
        points = np.linspace(-1, 1, n) if corners else (2 * np.arange(n) + 1) / n - 1
        axes.append(np.zeros(1) if corners and n == 1 else points)
    grid = np.stack([*np.meshgrid(*axes, indexing="ij")[::-1], np.ones(wanted)], -1)
    base = evaluator().constant(grid.reshape(-1, len(wanted) + 1), dtype_of_value(maps))
    made = products.matmul(base, shapes.swapaxes(maps, -1, -2))
    return s.reshape(made, shape=(shape_of(maps)[0], *wanted, len(wanted)))


@operator("AffineGrid")
def affine_grid_set_up(theta: Any, output_size: Any, *, align_corners: Any = False) -> Any:
    """As `affine_grid`."""
    return affine_grid(theta, output_size, align_corners)


# --- crops --------------------------------------------------------------------------------------------


@operator("crop_and_resize")
def crop_and_resize(
    image: Any,
    boxes: Any,
    box_indices: Any,
    crop_size: Any,
    method: Any = "bilinear",
    extrapolation_value: Any = 0.0,
) -> Any:
    """Boxes (y1, x1, y2, x2, in shares of the image) of images (N, H, W, C), resized to one size."""
    a, corners = as_array(as_float(image), f32), as_array(as_array(boxes), f32)
    how = evaluator().static(method, "method")
    if how not in ("bilinear", "nearest"):
        raise ValueError(f"For 'crop_and_resize', the method {how!r} is not supported.")
    wanted = _per_axis(crop_size, 2, "crop_size")
    _, height, width, channels = shape_of(a)
    rows = s.reshape(a, shape=(shape_of(a)[0] * (height * width), channels))
    taps: list[Any] = []
    inside: Any = None
    for k, (n, extent) in enumerate(zip(wanted, (height, width), strict=True)):
        last = as_array(evaluator().number(extent + -1), f32)
        low, high = (shapes.take_index(corners, 1, k + 2 * end) for end in (0, 1))
        shares = np.full(1, 0.5) if n == 1 else np.arange(n) / (n - 1)
        steps = evaluator().constant(shares, f32)
        span = e.sub(high, low)
        position = e.mul(e.add(_column(low), e.mul(_column(span), s.expand_dims(steps, axis=(0,)))), last)
        place = s.expand_dims(position, axis=(2 - k,))
        within = e.bitwise_and(e.greater_equal(place, 0), e.less_equal(place, last))
        inside = within if inside is None else e.bitwise_and(inside, within)
        floor = e.floor(place)
        share = e.sub(place, floor)
        taps.append(
            [(e.floor(e.add(place, 0.5)), None)]
            if how == "nearest"
            else [(floor, e.sub(1, share)), (e.add(floor, 1), share)]
        )
    numbers = index_modes.from_start(as_array(box_indices), shape_of(a)[0], 0, "the number of a box's image")
    first = e.mul(numbers, as_array(evaluator().number(height * width), i64))
    made = resampling.sample(rows, (height, width), s.expand_dims(first, axis=(1, 2)), taps)
    filler = as_array(as_array(extrapolation_value), f32)
    return e.select(s.expand_dims(inside, axis=(3,)), made, filler)


def _column(v: Any) -> Any:
    return s.expand_dims(v, axis=(1,))


@operator("CropAndResize")
def crop_and_resize_set_up(
    x: Any, boxes: Any, box_index: Any, crop_size: Any, *, method: Any = "bilinear", extrapolation_value: Any = 0.0
) -> Any:
    """As `crop_and_resize`."""
    return crop_and_resize(x, boxes, box_index, crop_size, method, extrapolation_value)


@operator("ROIAlign")
def roi_align(
    features: Any,
    rois: Any,
    *,
    pooled_height: Any,
    pooled_width: Any,
    spatial_scale: Any,
    sample_num: Any = 2,
    roi_end_mode: Any = 1,
) -> Any:
    """The means of samples in the cells of regions (number of the image, x1, y1, x2, y2) of features (N, C, H, W)."""
    a, regions = promote("mul", as_float(features), as_float(rois))
    if sample_num < 1:
        raise ValueError("For 'ROIAlign', sample_num is a positive number.")
    height, width = shape_of(a)[2:]
    rows, count = resampling.channels_last(a)
    taps: list[Any] = []
    kept: Any = None
    for k, (cells, extent) in enumerate(((pooled_height, height), (pooled_width, width))):
        low, high = (e.mul(shapes.take_index(regions, 1, 2 - k + 2 * end), float(spatial_scale)) for end in (0, 1))
        span = e.sub(e.add(high, float(roi_end_mode) * float(spatial_scale)), low)
        if not roi_end_mode:  # whose regions are of one cell at least
            span = e.maximum(span, 1.0)
        shares = (np.arange(cells * sample_num) + 0.5) / (cells * sample_num)
        steps = s.expand_dims(evaluator().constant(shares, dtype_of_value(a)), axis=(0,))
        place = s.expand_dims(e.add(_column(low), e.mul(_column(span), steps)), axis=(2 - k,))
        size = as_array(evaluator().number(extent), dtype_of_value(a))
        within = e.bitwise_and(e.greater_equal(place, -1.0), e.less_equal(place, size))
        kept = within if kept is None else e.bitwise_and(kept, within)
        place = e.minimum(e.maximum(place, 0), e.sub(size, 1))
        floor = e.floor(place)
        share = e.sub(place, floor)
        taps.append([(floor, e.sub(1, share)), (e.add(floor, 1), share)])
    numbers = index_modes.from_start(
        shapes.take_index(regions, 1, 0), shape_of(a)[0], 0, "the number of a region's image"
    )
    first = s.expand_dims(e.mul(numbers, as_array(evaluator().number(count), i64)), axis=(1, 2))
    made = e.select(s.expand_dims(kept, axis=(3,)), resampling.sample(rows, (height, width), first, taps), 0)
    shape = (shape_of(regions)[0], pooled_height, sample_num, pooled_width, sample_num, shape_of(a)[1])
    return s.transpose(reductions.mean(s.reshape(made, shape=shape), (2, 4)), permutation=(0, 3, 1, 2))
