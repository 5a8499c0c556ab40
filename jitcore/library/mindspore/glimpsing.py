"""Operators on images (N, H, W, C): resized by areas, glimpses of them, windows of two lengths in random order (Graham
2015)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    rank_of,
    require_equal,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.linalg import products
from jitcore.library.random import sampling
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s
from jitcore.types import f32, i64


def image_extent(a: Any, axis: int) -> int:
    return static_int(evaluator().number(shape_of(a)[axis]), "the extent of an axis of images")


def require_images(a: Any, name: str) -> None:
    if rank_of(a) != 4:
        raise ValueError(f"For '{name}', images of 4 dimensions (N, H, W, C) are needed, not {rank_of(a)}.")


def _two(size: Any, name: str) -> tuple[int, int]:
    found = static_ints(size, "size")
    if len(found) != 2 or min(found) < 1:
        raise ValueError(f"For '{name}', the size must be two positive ints, not {found}.")
    return found[0], found[1]


# --- areas ----------------------------------------------------------------------------------------------


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
    for axis, wanted in enumerate(_two(size, "ResizeArea"), 1):
        shares = evaluator().constant(_areas(image_extent(a, axis), wanted, bool(align_corners)), f32)
        moved = products.matmul(shapes.moveaxis(a, axis, -1), shapes.transpose(shares))
        a = shapes.moveaxis(moved, -1, axis)
    return a


# --- glimpses -------------------------------------------------------------------------------------------


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
    wanted = _two(size, "ExtractGlimpse")
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
