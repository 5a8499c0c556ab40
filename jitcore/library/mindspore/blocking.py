"""Operators that move elements between blocks of space, the batch and the channels, or between formats."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, is_array, rank_of, shape_of, static_int
from jitcore.library.mindspore.shaping import static_ints
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, i64

# --- blocks -------------------------------------------------------------------------------------------


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


@operator("SpaceToBatchND")
def space_to_batch_nd_set_up(input_x: Any, *, block_shape: Any, paddings: Any) -> Any:
    """As `space_to_batch_nd`."""
    return space_to_batch_nd(input_x, block_shape, paddings)


@operator("BatchToSpaceND")
def batch_to_space_nd_set_up(input_x: Any, *, block_shape: Any, crops: Any) -> Any:
    """As `batch_to_space_nd`."""
    return batch_to_space_nd(input_x, block_shape, crops)


# --- formats ------------------------------------------------------------------------------------------


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


@operator("TransShape")
def trans_shape(input_x: Any, out_shape: Any) -> Any:
    """As `reshape`."""
    return shapes.reshape(input_x, out_shape)
