"""Rows of several lengths: segments of picked rows, ranges side by side."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, promote, rank_of, require_equal, shape_of
from jitcore.library.math import elementwise
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining, ordering
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import f64, i64


def _segments(name: str, how: str) -> None:
    """Two classes: with as many results as there are segments, and with a number of them that is given."""

    def reduced(x: Any, indices: Any, segment_ids: Any, count: Any) -> Any:
        a, picked, ids = as_array(x), as_array(as_array(indices), i64), as_array(as_array(segment_ids), i64)
        require_equal(
            shape_of(picked)[0], shape_of(ids)[0], f"For 'SparseSegment{name}', {{0}} indices for {{1}} segments."
        )
        dtype = dtype_of_value(a)
        rows = ix.gather(a, index_modes.checked(picked, shape_of(a)[0], 0), axis=0)
        ids = index_modes.from_start(ids, count, 0, "the number of a segment")
        zeros = joining.full(as_array(0, dtype), shape=(count, *shape_of(a)[1:]))
        total = ix.scatter_add(zeros, ids, rows, axis=0)
        if how == "sum":
            return total
        none = joining.full(as_array(0, i64), shape=(count,))
        size = e.maximum(ix.scatter_add(none, ids, e.add(e.mul(ids, 0), 1), axis=0), 1)
        size = s.reshape(e.cast(size, dtype=dtype), shape=(count, *[1] * (rank_of(a) - 1)))
        return e.div(total, t.sqrt(size) if how == "sqrt" else size)

    def segment(x: Any, indices: Any, segment_ids: Any) -> Any:
        ids = as_array(as_array(segment_ids), i64)
        last = s.squeeze(shapes.slice_axis(ids, 0, shape_of(ids)[0] + -1, 1), axis=(0,))
        return reduced(x, indices, ids, evaluator().dim(elementwise.number(e.add(last, 1))))

    def counted(x: Any, indices: Any, segment_ids: Any, num_segments: Any) -> Any:
        count = elementwise.number(s.reshape(as_array(num_segments), shape=()))
        return reduced(x, indices, segment_ids, evaluator().dim(count))

    segment.__doc__ = counted.__doc__ = f"The {how} of picked rows of each segment; the numbers of segments are sorted."
    operator(f"SparseSegment{name}")(segment)
    operator(f"SparseSegment{name}WithNumSegments")(counted)
    if how == "mean":
        operator("sparse_segment_mean")(segment)


for _name, _how in (("Sum", "sum"), ("Mean", "mean"), ("SqrtN", "sqrt")):
    _segments(_name, _how)


@operator("RaggedRange")
def ragged_range(starts: Any, limits: Any, deltas: Any, *, Tsplits: Any) -> Any:
    """(where each range begins among all, the ranges side by side): from starts on, below limits, in steps."""
    first, last, step = (s.reshape(v, shape=flat_shape(v)) for v in promote("add", starts, limits, deltas))
    rows = max((shape_of(v)[0] for v in (first, last, step)), key=lambda n: 0 if n == 1 else 1)
    first, last, step = (s.broadcast_to(v, shape=(rows,)) for v in (first, last, step))
    room = e.div(e.cast(e.sub(last, first), dtype=f64), e.cast(step, dtype=f64))
    lengths = e.cast(e.maximum(e.ceil(room), 0), dtype=i64)
    ends = r.cumsum(lengths, axis=0)
    splits = shapes.concatenate((joining.full(as_array(0, i64), shape=(1,)), ends), 0)
    total = evaluator().dim(elementwise.number(r.reduce_sum(lengths, axis=(0,), keepdims=False)))
    place = joining.iota(length=total, dtype=i64)
    row = ordering.search_sorted(ends, place, right=True)
    inside = e.sub(place, ix.gather(splits, row, axis=0))
    made = e.add(
        ix.gather(first, row, axis=0), e.mul(e.cast(inside, dtype=dtype_of_value(step)), ix.gather(step, row, axis=0))
    )
    return elementwise.astype(splits, Tsplits), made


def flat_shape(v: Any) -> Any:
    return shape_of(v) or (1,)
