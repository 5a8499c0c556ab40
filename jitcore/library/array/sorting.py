"""Sorting and searching: order, the largest few, distinct elements, places in sorted Tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.array import creation, indexing, sequences, sets, shapes
from jitcore.library.array.shapes import expand_dims
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import (
    as_array,
    category,
    dtype_of_value,
    evaluator,
    normal_axis,
    promote,
    rank_of,
    require_equal,
    shape_of,
)
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining, ordering
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import bool_, f64, i32, i64


def order_of(x: Any, axis: int, descending: Any = False) -> Any:
    """The places of the elements along an axis in order."""
    return ordering.argsort(x, axis=axis, descending=bool(evaluator().static(descending, "descending")))


@operator("sort .sort")
def sort(input_x: Any, axis: Any = -1, descending: Any = False) -> Any:
    """(the elements along an axis in order, their places)."""
    a = as_array(input_x)
    if not rank_of(a):
        return a, as_array(0, i32)
    k = normal_axis(axis, rank_of(a))
    places = order_of(a, k, descending)
    return ix.gather_along(a, places, axis=k), e.cast(places, dtype=i32)


@operator("Sort")
def sort_set_up(x: Any, *, axis: Any = -1, descending: Any = False) -> Any:
    """As `sort`."""
    return sort(x, axis, descending)


@operator("sort_ext")
def sort_ext(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    """(the elements along an axis in order, their places)."""
    del stable  # it always is
    values, places = sort(input, dim, descending)
    return values, e.cast(places, dtype=i64)


@operator("argsort .argsort")
def argsort(input: Any, axis: Any = -1, descending: Any = False) -> Any:
    """The places of the elements along an axis in order."""
    return sort(input, axis, descending)[1]


@operator("argsort_ext")
def argsort_ext(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    """The places of the elements along an axis in order."""
    return sort_ext(input, dim, descending, stable)[1]


@operator("topk .topk .top_k top_k")
def topk(input: Any, k: Any, dim: Any = None, largest: Any = True, sorted: Any = True) -> Any:
    """(the k largest elements along an axis, the last unless given; their places)."""
    del sorted  # they always are
    a = as_array(input)
    axis = normal_axis(-1 if dim is None else dim, rank_of(a))
    places = order_of(a, axis, evaluator().static(largest, "largest"))
    count = evaluator().dim(elementwise.number(k) if category(k) in ("tensor", "ndarray", "npscalar") else k)
    extent = shape_of(a)[axis]
    are_known = isinstance(count, int) and isinstance(extent, int)
    message = f"k is {count}, but there are {extent} elements along the axis." if are_known else "k is too large."
    chosen = shapes.slice_within(places, axis, 0, count, f"For 'TopK', {message}")
    return ix.gather_along(a, chosen, axis=axis), e.cast(chosen, dtype=i32)


@operator("TopK")
def topk_set_up(input_x: Any, k: Any, *, sorted: Any = True) -> Any:
    """As `topk` along the last axis."""
    return topk(input_x, k, None, True, sorted)


@operator("topk_ext")
def topk_ext(input: Any, k: Any, dim: Any = -1, largest: Any = True, sorted: Any = True) -> Any:
    """(the k largest elements along an axis, their places)."""
    values, places = topk(input, k, dim, largest, sorted)
    return values, e.cast(places, dtype=i64)


@operator("searchsorted .searchsorted")
def searchsorted(
    sorted_sequence: Any, values: Any, *, out_int32: Any = False, right: Any = False,
    side: Any = None, sorter: Any = None
) -> Any:  # fmt: skip
    """Where each value would be inserted into a sequence sorted along its last axis."""
    a, wanted = promote("sub", sorted_sequence, values)
    if sorter is not None:
        a = indexing.take_along_axis(a, sorter, -1)
    after = bool(evaluator().static(right, "right")) or evaluator().static(side, "side") == "right"
    if rank_of(a) > 1:
        for have, want in zip(shape_of(a)[:-1], shape_of(wanted)[:-1], strict=False):
            require_equal(have, want, "For 'searchsorted', the leading axes of the sequence and the values must agree.")
    places = ordering.search_sorted(a, wanted, right=after)
    return e.cast(places, dtype=i32) if evaluator().static(out_int32, "out_int32") else places


@operator("SearchSorted")
def searchsorted_set_up(sorted_sequence: Any, values: Any, *, dtype: Any = i64, right: Any = False) -> Any:
    """As `searchsorted`."""
    return elementwise.astype(searchsorted(sorted_sequence, values, right=right), dtype)


@operator("bucketize .bucketize")
def bucketize(input: Any, boundaries: Any, *, right: Any = False) -> Any:
    """The number of the interval between the boundaries that each element is in."""
    return searchsorted(as_array(boundaries), input, out_int32=True, right=right)


@operator("Bucketize")
def bucketize_set_up(input: Any, *, boundaries: Any) -> Any:
    """The number of the interval between the boundaries that each element is in."""
    a = as_array(input)
    bounds = evaluator().constant(np.asarray([float(b) for b in boundaries]), f64)
    return e.cast(ordering.search_sorted(bounds, as_array(a, f64), right=True), dtype=i32)


@operator("unique Unique")
def unique(input: Any) -> Any:
    """(the values in the order they first come, for each element the place of its value)."""
    a = as_array(input)
    flat = shapes.ravel(a)
    order, fresh, group = sequences.groups(flat)
    starts = ix.true_places(fresh, count=sequences.true_count(fresh))
    first = ix.gather(order, starts, axis=0)  # the sort is stable: a group begins with the first of its value
    by_appearance = ordering.argsort(first, axis=0)
    values = ix.gather(flat, ix.gather(first, by_appearance, axis=0), axis=0)
    ranks = sequences.inverted(by_appearance)
    numbers = ix.gather(ix.gather(ranks, group, axis=0), sequences.inverted(order), axis=0)
    return values, s.reshape(e.cast(numbers, dtype=i32), shape=shape_of(a))


@operator("unique_ext")
def unique_ext(
    input: Any, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """The distinct elements in order; with it for each element the place of its value, and how often each comes."""
    del sorted  # they always are
    return sets.unique(input, False, return_inverse, return_counts, dim)


@operator(".unique")
def unique_method(input: Any, *args: Any, **keywords: Any) -> Any:
    """(the values in the order they first come, for each element the place of its value); as `unique_ext` if options
    are given."""
    return unique_ext(input, *args, **keywords) if args or keywords else unique(input)


@operator("unique_consecutive .unique_consecutive")
def unique_consecutive(
    input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:  # fmt: skip
    """The first of each run of equal elements; with it for each element the number of its run, and how long runs
    are."""
    a = as_array(input)
    k = 0 if dim is None else normal_axis(dim, rank_of(a))
    several = dim is not None and rank_of(a) > 1
    flat = shapes.moveaxis(a, k, 0) if several else shapes.ravel(a)
    fresh = _fresh_rows(flat) if several else sequences.starts(flat)
    count = sequences.true_count(fresh)
    starts = ix.true_places(fresh, count=count)
    run = e.sub(r.cumsum(e.cast(fresh, dtype=i64), axis=0), 1)
    values = ix.gather(flat, starts, axis=0)
    made: list[Any] = [shapes.moveaxis(values, 0, k) if several else values]
    if evaluator().static(return_inverse, "return_inverse"):
        made.append(run if several else s.reshape(run, shape=shape_of(a)))
    if evaluator().static(return_counts, "return_counts"):
        zeros = joining.full(as_array(0, i64), shape=(count,))
        made.append(ix.scatter_add(zeros, run, joining.full(as_array(1, i64), shape=shape_of(run)), axis=0))
    return made[0] if len(made) == 1 else tuple(made)


@operator("UniqueConsecutive")
def unique_consecutive_set_up(
    x: Any, *, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """As `unique_consecutive`; what is not asked for is left out."""
    return unique_consecutive(x, return_inverse, return_counts, dim)


def _fresh_rows(a: Any) -> Any:
    """Which rows differ from the one before; the first does."""
    rest = shape_of(a)[0] + -1
    differ = e.not_equal(shapes.slice_axis(a, 0, 1, rest), shapes.slice_axis(a, 0, 0, rest))
    changed = r.reduce_any(differ, axis=tuple(range(1, rank_of(a))), keepdims=False)
    return shapes.concatenate((joining.full(as_array(True, bool_), shape=(1,)), changed), 0)


@operator("isin")
def isin(elements: Any, test_elements: Any) -> Any:
    """Whether each element is among others."""
    a, others = promote("equal", elements, test_elements)
    flat = shapes.ravel(others)
    hits = e.equal(s.expand_dims(a, axis=(rank_of(a),)), flat)
    return r.reduce_any(hits, axis=(rank_of(a),), keepdims=False)


@operator("intopk")
def in_top_k(x1: Any, x2: Any, k: Any) -> Any:
    """Whether fewer than k elements of each row of x1 are above the one that x2 names."""

    picked = indexing.take_along_axis(x1, expand_dims(x2, -1), -1)
    above = reductions.sum(comparisons.greater(x1, picked), -1, i64)
    return comparisons.less(above, k)


in_constructor("InTopK", in_top_k, "k")


@operator("UniqueWithPad unique_with_pad")
def unique_with_pad(x: Any, pad_num: Any) -> Any:
    """(the distinct elements, then `pad_num` up to the length of x; for each element the place of its value)."""
    a = as_array(x)
    values, places = unique(a)
    padded = joining.full(as_array(as_array(pad_num), dtype_of_value(a)), shape=shape_of(a))
    index = creation.arange(evaluator().number(shape_of(values)[0]))
    return ix.scatter_set(padded, index, values, axis=0), places


def _bound(cls: str, right: bool) -> None:
    def set_up(sorted_x: Any, values: Any, *, out_type: Any = i32) -> Any:
        return elementwise.astype(searchsorted(sorted_x, values, right=right), out_type)

    set_up.__doc__ = f"Where each value would be inserted, {'after' if right else 'before'} equal ones."
    operator(cls)(set_up)


_bound("LowerBound", False)
_bound("UpperBound", True)


@operator("ListDiff")
def list_diff(x: Any, y: Any, *, out_idx: Any = i32) -> Any:
    """(the elements of x that are not in y, their places)."""
    a, b = promote("sub", x, y)
    same = e.equal(s.expand_dims(a, axis=(1,)), s.expand_dims(b, axis=(0,)))
    kept = e.bitwise_not(r.reduce_any(same, axis=(1,), keepdims=False))
    places = indexing.nonzero(kept)[0]
    return indexing.getitem(a, kept), elementwise.astype(places, out_idx)


@operator("msort .msort")
def msort(input: Any) -> Any:
    """The elements along the first axis in order."""
    a = as_array(input)
    return ix.gather_along(a, ordering.argsort(a, axis=0), axis=0)
