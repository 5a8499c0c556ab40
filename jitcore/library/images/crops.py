"""Parts of images: crops, regions of interest, glimpses."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.array import shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, promote, require_equal, shape_of
from jitcore.library.images import resampling
from jitcore.library.images.resizing import per_axis, require_images, two_extents
from jitcore.library.random import sampling
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s
from jitcore.types import f32, i64


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
    wanted = per_axis(crop_size, 2, "crop_size")
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


@operator("CropAndResize")
def crop_and_resize_set_up(
    x: Any, boxes: Any, box_index: Any, crop_size: Any, *, method: Any = "bilinear", extrapolation_value: Any = 0.0
) -> Any:
    """As `crop_and_resize`."""
    return crop_and_resize(x, boxes, box_index, crop_size, method, extrapolation_value)


def _column(v: Any) -> Any:
    return s.expand_dims(v, axis=(1,))


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


@operator("ExtractGlimpse")
def extract_glimpse(
    x: Any,
    size: Any,
    offsets: Any,
    *,
    centered: Any = True,
    normalized: Any = True,
    uniform_noise: Any = True,
    noise: Any = "uniform",
) -> Any:
    """A window of a size around a place (N, 2) of each image; what is outside of it is noise, or zeros.

    `normalized`: places are shares of the extents; `centered`: 0 is the middle, and 1 the end.
    """
    del uniform_noise  # `noise` says which
    if noise not in ("uniform", "gaussian", "zero"):
        raise ValueError(f"For 'ExtractGlimpse', the noise is 'uniform', 'gaussian' or 'zero', not {noise!r}.")
    a, places = as_float(x), as_array(as_array(offsets), f32)
    require_images(a, "ExtractGlimpse")
    require_equal(shape_of(places)[0], shape_of(a)[0], "For 'ExtractGlimpse', {0} offsets for {1} images.")
    n, _, _, channels = shape_of(a)
    rows, inside = joining.iota(length=n, dtype=i64), None
    index: Any = s.reshape(rows, shape=(n, 1, 1))
    wanted = two_extents(size, "ExtractGlimpse")
    for k, count in enumerate(wanted):
        extent = as_array(evaluator().number(shape_of(a)[k + 1]), i64)
        length = e.cast(extent, dtype=f32)
        place = shapes.take_index(places, 1, k)
        place = e.mul(place, length) if normalized else place
        place = e.mul(e.add(place, length), 0.5) if centered else place
        start = e.cast(e.sub(place, count / 2), dtype=i64)
        along = e.add(s.expand_dims(start, axis=(1,)), joining.iota(length=count, dtype=i64))
        within = e.bitwise_and(e.greater_equal(along, 0), e.less(along, extent))
        along = e.maximum(e.minimum(along, e.sub(extent, 1)), 0)
        spread = (2,) if k == 0 else (1,)
        along, within = s.expand_dims(along, axis=spread), s.expand_dims(within, axis=spread)
        index = e.add(e.mul(index, extent), along)
        inside = within if inside is None else e.bitwise_and(inside, within)
    flat = s.reshape(a, shape=(n * shape_of(a)[1] * shape_of(a)[2], channels))
    seen = ix.gather(flat, index, axis=0)
    whole = (n, *wanted, channels)
    dtype = dtype_of_value(a)
    outside: Any = 0
    if noise != "zero":
        drawn = (sampling.uniform01 if noise == "uniform" else sampling.normal01)(whole, f32)
        outside = e.cast(drawn, dtype=dtype)
    return e.select(s.expand_dims(inside, axis=(3,)), seen, outside)
