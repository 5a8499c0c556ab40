"""Segments: rows combined by the numbers of their segments, masks of sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.array import creation, shapes
from jitcore.library.array.gather import require_ints
from jitcore.library.array.scatter import combined_rows
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    product_of,
    rank_of,
    require_equal,
    shape_of,
)
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, joining
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import scattering as sc
from jitcore.primitives.ops import shape as s
from jitcore.types import i64


def _segments(how: str, name: str, start: Callable[[Any], Any]) -> None:
    def segment(input_x: Any, segment_ids: Any, num_segments: Any) -> Any:
        require_ints(segment_ids, f"UnsortedSegment{name.title()}")
        a, ids = as_array(input_x), e.cast(as_array(segment_ids), dtype=i64)
        if isinstance(num_segments, int) and num_segments < 1:
            raise ValueError(
                f"For 'UnsortedSegment{name.title()}', num_segments must be positive, but is {num_segments}."
            )
        count = evaluator().dim(elementwise.number(num_segments) if is_array(num_segments) else num_segments)
        inner = shape_of(a)[rank_of(ids) :]
        rows = product_of(shape_of(ids))
        flat = s.reshape(a, shape=(rows, *inner))
        base = creation.filled((count, *inner), start(dtype_of_value(a)), dtype_of_value(a))
        if how == "add":  # ids below 0 are left out
            kept = e.greater_equal(s.reshape(ids, shape=(rows, *[1] * len(inner))), 0)
            flat, ids = e.select(kept, flat, 0), e.maximum(ids, 0)
        return combined_rows(base, s.reshape(index_modes.checked(ids, count, 0), shape=(rows,)), flat, how)

    segment.__doc__ = f"The {name} of the rows of each segment."
    operator(f"unsorted_segment_{name} UnsortedSegment{name.title()}")(segment)


def _lowest(dtype: Any) -> Any:
    return float("-inf") if dtype.is_float else int(np.iinfo(dtype.numpy).min)


def _highest(dtype: Any) -> Any:
    return float("inf") if dtype.is_float else int(np.iinfo(dtype.numpy).max)


_segments("add", "sum", lambda dtype: 0)
_segments("mul", "prod", lambda dtype: 1)
_segments("max", "max", _lowest)
_segments("min", "min", _highest)


@operator("SegmentSum")
def segment_sum(input_x: Any, segment_ids: Any) -> Any:
    """The sums of the rows of each segment, numbered in order from 0."""
    a, ids = as_array(input_x), e.cast(as_array(segment_ids), dtype=i64)
    reductions.require_elements(ids, (0,), "For 'SegmentSum', there are no segments.")
    count = evaluator().dim(conversions.to_scalar(e.add(reductions.max(ids), 1)))
    base = creation.filled((count, *shape_of(a)[1:]), 0, dtype_of_value(a))
    return ix.scatter_add(base, index_modes.from_start(ids, count, 0, "the number of a segment"), a, axis=0)


@operator("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None) -> Any:
    """For each length a row of that many trues, then falses; as long as the longest unless said."""
    a = e.cast(as_array(lengths), dtype=i64)
    limit = elementwise.number(reductions.max(a)) if maxlen is None else maxlen
    places = creation.arange(limit)
    return e.less(places, s.expand_dims(a, axis=(rank_of(a),)))


def _segments_in_order(name: str, op: str) -> None:
    def segment(input_x: Any, segment_ids: Any) -> Any:
        a, ids = as_array(input_x), as_array(as_array(segment_ids), i64)
        require_equal(shape_of(a)[0], shape_of(ids)[0], f"Segment{name}: {{1}} numbers of segments for {{0}} rows")
        last = s.squeeze(shapes.slice_axis(ids, 0, shape_of(ids)[0] + -1, 1), axis=(0,))
        count = evaluator().dim(elementwise.number(e.add(last, 1)))
        dtype, inner = dtype_of_value(a), shape_of(a)[1:]
        ids = index_modes.from_start(ids, count, 0, "the number of a segment")
        none = joining.full(as_array(0, i64), shape=(count,))
        size = ix.scatter_add(none, ids, e.add(e.mul(ids, 0), 1), axis=0)
        size = s.reshape(size, shape=(count, *[1] * len(inner)))
        start = {"mul": 1, "max": _lowest(dtype), "min": _highest(dtype)}.get(op, 0)
        base = joining.full(as_array(start, dtype), shape=(count, *inner))
        if op == "mean":
            total = ix.scatter_add(base, ids, a, axis=0)
            return e.div(total, e.cast(e.maximum(size, 1), dtype=dtype))
        made = sc.scatter_combine(base, ids, a, op=op)
        return made if op == "mul" else e.select(e.equal(size, 0), 0, made)

    segment.__doc__ = f"The {name.lower()} of the rows of each segment; the numbers of segments are sorted."
    operator(f"Segment{name}")(segment)


for _name, _op in (("Max", "max"), ("Min", "min"), ("Prod", "mul"), ("Mean", "mean")):
    _segments_in_order(_name, _op)
