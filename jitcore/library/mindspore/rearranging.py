"""More operators on shapes: parts written, diagonals, bands, batches and space, segments in order, sequences' masks."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import arrangement, creation, indexing, shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, rank_of, shape_of, static_int
from jitcore.library.math import composed, elementwise
from jitcore.library.mindspore.gathering import scatter_add_elements, scattered_nd
from jitcore.library.mindspore.sorting import unique, unique_consecutive
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, joining
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import i32, i64

operator("diff .diff")(arrangement.diff)
operator("trapz")(composed.trapezoid)


# --- parts written ------------------------------------------------------------------------------------


@operator("masked_scatter .masked_scatter MaskedScatter")
def masked_scatter(x: Any, mask: Any, tensor: Any) -> Any:
    """x with the elements of a Tensor, in order, where the mask is true."""
    a = as_array(x)
    kept = s.broadcast_to(mask, shape=shape_of(a))
    flat, source = shapes.ravel(kept), shapes.ravel(as_array(as_array(tensor), dtype_of_value(a)))
    rank = e.sub(r.cumsum(e.cast(flat, dtype=i64), axis=0), 1)
    last = conversions.from_scalar(evaluator().number(shape_of(source)[0] + -1), dtype=i64)
    enough = r.reduce_all(e.less_equal(rank, last), axis=(0,), keepdims=False)
    conversions.check(
        conversions.to_scalar(enough),
        exception="ValueError",
        message="For 'masked_scatter', the Tensor has too few elements.",
    )
    values = indexing.take(source, e.maximum(rank, 0))
    return s.reshape(e.select(flat, values, shapes.ravel(a)), shape=shape_of(a))


@operator("ScatterAddWithAxis")
def scatter_add_with_axis_set_up(input_x: Any, indices: Any, updates: Any, *, axis: Any = 0) -> Any:
    """The input with each update added to the element along `axis` that its index names."""
    return scatter_add_elements(input_x, axis, indices, updates)


# --- segments and sequences ---------------------------------------------------------------------------


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


@operator("UniqueWithPad unique_with_pad")
def unique_with_pad(x: Any, pad_num: Any) -> Any:
    """(the distinct elements, then `pad_num` up to the length of x; for each element the place of its value)."""
    a = as_array(x)
    values, places = unique(a)
    padded = joining.full(as_array(as_array(pad_num), dtype_of_value(a)), shape=shape_of(a))
    index = creation.arange(evaluator().number(shape_of(values)[0]))
    return ix.scatter_set(padded, index, values, axis=0), places


@operator("UniqueConsecutive")
def unique_consecutive_set_up(
    x: Any, *, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """As `unique_consecutive`; what is not asked for is left out."""
    return unique_consecutive(x, return_inverse, return_counts, dim)


@operator("ConfusionMatrix")
def confusion_matrix_set_up(
    labels: Any, predictions: Any, weights: Any = None, *, num_classes: Any, dtype: Any = i32
) -> Any:
    """How often each label was taken for each class."""
    count = static_int(num_classes, "num_classes")
    places = shapes.stack((as_array(labels), as_array(predictions)), 1)
    made = creation.zeros((count, count), dtype)
    ones = creation.ones_like(as_array(labels)) if weights is None else weights
    return scattered_nd(made, places, elementwise.astype(ones, dtype), "add")
