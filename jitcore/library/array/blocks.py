"""Elements moved between blocks of space, the batch and the channels, or between formats."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from jitcore.library.nn import operands
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, i64


@operator("SpaceToDepth")
def space_to_depth(x: Any, *, block_size: Any) -> Any:
    """(N, C, H, W) with blocks of the plane moved into the channels."""
    a = as_array(x)
    n, c, h, w = shape_of(a)
    b = static_int(block_size, "block_size")
    split_up = s.reshape(a, shape=(n, c, h // b, b, w // b, b))
    return s.reshape(s.transpose(split_up, permutation=(0, 3, 5, 1, 2, 4)), shape=(n, c * (b * b), h // b, w // b))


@operator("DepthToSpace")
def depth_to_space(x: Any, *, block_size: Any) -> Any:
    """The inverse of SpaceToDepth."""
    a = as_array(x)
    n, c, h, w = shape_of(a)
    b = static_int(block_size, "block_size")
    split_up = s.reshape(a, shape=(n, b, b, c // (b * b), h, w))
    return s.reshape(s.transpose(split_up, permutation=(0, 3, 4, 1, 5, 2)), shape=(n, c // (b * b), h * b, w * b))


def _require_images(name: str, a: object) -> None:
    if rank_of(a) < 3:
        raise ValueError(f"{name} takes an array of at least 3 dimensions, not {rank_of(a)}")


@operator("pixel_shuffle")
def pixel_shuffle(input: Any, upscale_factor: Any) -> Any:
    """(…, C r², H, W) → (…, C, H r, W r)."""
    a = as_array(input)
    r = static_int(upscale_factor, "upscale_factor")
    if r < 1:
        raise ValueError(f"For 'pixel_shuffle', the upscale_factor must be positive, but is {r}.")
    _require_images("pixel_shuffle", a)
    *rest, c, h, w = shape_of(a)
    operands.require_parts("pixel_shuffle", c, r * r, "channels")
    k = len(rest)
    split_up = s.reshape(a, shape=(*rest, c // (r * r), r, r, h, w))
    moved = s.transpose(split_up, permutation=(*range(k), k, k + 3, k + 1, k + 4, k + 2))
    return s.reshape(moved, shape=(*rest, c // (r * r), h * r, w * r))


@operator("pixel_unshuffle")
def pixel_unshuffle(input: Any, downscale_factor: Any) -> Any:
    """The inverse of `pixel_shuffle`."""
    a = as_array(input)
    r = static_int(downscale_factor, "downscale_factor")
    _require_images("pixel_unshuffle", a)
    *rest, c, h, w = shape_of(a)
    for extent, what in ((h, "rows"), (w, "columns")):
        operands.require_parts("pixel_unshuffle", extent, r, what)
    k = len(rest)
    split_up = s.reshape(a, shape=(*rest, c, h // r, r, w // r, r))
    moved = s.transpose(split_up, permutation=(*range(k), k, k + 2, k + 4, k + 1, k + 3))
    return s.reshape(moved, shape=(*rest, c * (r * r), h // r, w // r))


@operator("channel_shuffle")
def channel_shuffle(x: Any, groups: Any) -> Any:
    """(N, C, …) with the channels of the groups taken in turns."""
    a, count = as_array(x), static_int(groups, "groups")
    n, c, *rest = shape_of(a)
    operands.require_parts("channel_shuffle", c, count, "channels")
    split_up = s.reshape(a, shape=(n, count, c // count, *rest))
    return s.reshape(shapes.swapaxes(split_up, 1, 2), shape=shape_of(a))


@operator("SpaceToBatch")
def space_to_batch(input_x: Any, *, block_size: Any, paddings: Any) -> Any:
    """(N, C, H, W) with the elements of blocks of the padded plane moved into the batch."""
    b = static_int(block_size, "block_size")
    a = shapes.pad(as_array(input_x), [(0, 0), (0, 0), *paddings])
    n, c, h, w = shape_of(a)
    split_up = s.reshape(a, shape=(n, c, h // b, b, w // b, b))
    return s.reshape(s.transpose(split_up, permutation=(3, 5, 0, 1, 2, 4)), shape=(n * (b * b), c, h // b, w // b))


@operator("BatchToSpace")
def batch_to_space(input_x: Any, *, block_size: Any, crops: Any) -> Any:
    """The inverse of SpaceToBatch."""
    b, a = static_int(block_size, "block_size"), as_array(input_x)
    n, c, h, w = shape_of(a)
    split_up = s.reshape(a, shape=(b, b, n // (b * b), c, h, w))
    plane = s.reshape(s.transpose(split_up, permutation=(2, 3, 4, 0, 5, 1)), shape=(n // (b * b), c, h * b, w * b))
    for axis, (before, after) in enumerate(cast("Sequence[Sequence[int]]", crops), 2):
        rest = shape_of(plane)[axis] + -(before + after)
        plane = shapes.slice_within(
            plane, axis, before, rest, f"For 'BatchToSpace', crops {(before, after)} do not fit."
        )
    return plane


def _pairs(value: Any, count: int, what: str) -> list[tuple[int, int]]:
    found = evaluator().static(value, what)
    table = np.asarray(found.tolist() if hasattr(found, "tolist") else found)
    if table.shape != (count, 2) or table.min(initial=0) < 0:
        raise ValueError(f"{what} is a pair of numbers for each of {count} axes, not {found!r}")
    return [(int(a), int(b)) for a, b in table]


def _blocks(a: Any, block: Any) -> list[int]:
    sizes = static_ints(block, "block_shape") if is_array(block) or isinstance(block, list | tuple) else None
    if sizes is None:
        sizes = [static_int(block, "block_shape")] * (rank_of(a) - 2)
    if min(sizes) < 1:
        raise ValueError(f"block_shape must be positive, but is {sizes}")
    return sizes


@operator("space_to_batch_nd")
def space_to_batch_nd(input_x: Any, block_size: Any, paddings: Any) -> Any:
    """The last axes, padded, in blocks whose elements become rows of the batch."""
    a = as_array(input_x)
    sizes = _blocks(a, block_size)
    count, first = len(sizes), rank_of(a) - len(sizes)
    a = shapes.pad(a, [(0, 0)] * first + _pairs(paddings, count, "paddings"))
    split: list[Dim] = list(shape_of(a)[:first])
    for extent, n in zip(shape_of(a)[first:], sizes, strict=True):
        split += [extent // n, n]
    order = (*(first + 2 * k + 1 for k in range(count)), *range(first), *(first + 2 * k for k in range(count)))
    rest = tuple(extent // n for extent, n in zip(shape_of(a)[first:], sizes, strict=True))
    moved = s.transpose(s.reshape(a, shape=tuple(split)), permutation=order)
    return s.reshape(moved, shape=(shape_of(a)[0] * math.prod(sizes), *shape_of(a)[1:first], *rest))


@operator("SpaceToBatchND")
def space_to_batch_nd_set_up(input_x: Any, *, block_shape: Any, paddings: Any) -> Any:
    """As `space_to_batch_nd`."""
    return space_to_batch_nd(input_x, block_shape, paddings)


@operator("BatchToSpaceNDV2")
@operator("batch_to_space_nd")
def batch_to_space_nd(input_x: Any, block_size: Any, crops: Any) -> Any:
    """The inverse of `space_to_batch_nd`, and then the last axes cut off."""
    a = as_array(input_x)
    sizes = _blocks(a, block_size)
    count, first = len(sizes), rank_of(a) - len(sizes)
    batch, rest = shape_of(a)[0] // math.prod(sizes), shape_of(a)[first:]
    split = s.reshape(a, shape=(*sizes, batch, *shape_of(a)[1:]))
    order = [count + k for k in range(first)]
    for k in range(count):
        order += [count + first + k, k]
    whole = tuple(extent * n for extent, n in zip(rest, sizes, strict=True))
    made = s.reshape(s.transpose(split, permutation=tuple(order)), shape=(batch, *shape_of(a)[1:first], *whole))
    for k, (before, after) in enumerate(_pairs(crops, count, "crops")):
        rest = whole[k] - (before + after)
        made = shapes.slice_within(
            made, first + k, before, rest, f"For 'BatchToSpaceND', crops {(before, after)} do not fit."
        )
    return made


@operator("BatchToSpaceND")
def batch_to_space_nd_set_up(input_x: Any, *, block_shape: Any, crops: Any) -> Any:
    """As `batch_to_space_nd`."""
    return batch_to_space_nd(input_x, block_shape, crops)


@operator("DataFormatDimMap")
def data_format_dim_map(input_x: Any, *, src_format: Any = "NHWC", dst_format: Any = "NCHW") -> Any:
    """The numbers that axes numbered in one format have in another."""
    a = as_array(input_x)
    numbers = evaluator().constant(np.array([dst_format.index(c) for c in src_format]), i64)
    places = e.mod(as_array(a, i64), len(src_format))
    return e.cast(ix.gather(numbers, places, axis=0), dtype=dtype_of_value(a))


@operator("DataFormatVecPermute")
def data_format_vec_permute(input_x: Any, *, src_format: Any = "NHWC", dst_format: Any = "NCHW") -> Any:
    """Numbers (or pairs) for axes of one format, in the order of another."""
    order = evaluator().constant(np.array([src_format.index(c) for c in dst_format]), i64)
    return ix.gather(as_array(input_x), order, axis=0)
