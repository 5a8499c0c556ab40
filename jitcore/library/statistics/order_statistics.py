"""Medians, quantiles, and the elements at a place in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.array import indexing, sequences, shapes
from jitcore.library.array.sorting import order_of
from jitcore.library.core.declarations import operator
from jitcore.library.core.index_modes import require_elements_for
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.library.statistics.extrema import maximum_of, minimum_of
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import ordering
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import f64, i64


@operator(".argmax_with_value")
def argmax_with_value(x: Any, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(the largest element along an axis, its place)."""
    return maximum_of(x, axis, keep_dims)


@operator(".argmin_with_value")
def argmin_with_value(x: Any, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(the smallest element along an axis, its place)."""
    return minimum_of(x, axis, keep_dims)


@operator("nanmedian .nanmedian")
def nanmedian(input: Any, axis: Any = -1, keepdims: Any = False) -> Any:
    """(the lower median along an axis of what is not NaN, its place)."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    order = sequences.argsort(a, k)  # NaN comes last
    missing = comparisons.isnan(a)
    count = reductions.sum(elementwise.astype(elementwise.logical_not(missing), i64), k, keepdims=True)
    middle = elementwise.maximum(elementwise.floor_divide(elementwise.subtract(count, 1), 2), 0)
    place = indexing.take_along_axis(order, middle, k)
    value = indexing.take_along_axis(a, place, k)
    if evaluator().static(keepdims, "keepdims"):
        return value, place
    return shapes.squeeze(value, k), shapes.squeeze(place, k)


@operator("median .median")
def median(input: Any, axis: Any = -1, keepdims: Any = False) -> Any:
    """(the middle of the elements along an axis in order, the lower of two, its place)."""
    a = as_array(input)
    if not rank_of(a):
        return a, as_array(0, i64)
    k = normal_axis(axis, rank_of(a))
    reductions.require_elements(a, (k,), "median of an empty axis")
    middle = (shape_of(a)[k] + -1) // 2
    place = shapes.slice_axis(ordering.argsort(a, axis=k), k, middle, 1)
    value = indexing.take_along_axis(a, place, k)
    if evaluator().static(keepdims, "keepdims"):
        return value, place
    return s.squeeze(value, axis=(k,)), s.squeeze(place, axis=(k,))


@operator("Median")
def median_set_up(
    x: Any, *, global_median: Any = False, axis: Any = 0, keep_dims: Any = False, ignore_nan: Any = False
) -> Any:
    """(the lower median along an axis, or of all elements; its place)."""
    if global_median:
        flat = shapes.ravel(as_array(x))
        value, place = median(flat, 0)
        return value, place
    if ignore_nan:
        return nanmedian(x, axis, keep_dims)
    return median(x, axis, keep_dims)


@operator("median_ext")
def median_ext(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The middle element (the lower of two), or along an axis (the middle elements, their places)."""
    if dim is None:
        return median(shapes.ravel(as_array(input)), 0)[0]
    return median(input, dim, keepdim)


@operator("kthvalue")
def kthvalue(input: Any, k: Any, dim: Any = -1, keepdim: Any = False) -> Any:
    """(the k-th smallest element along an axis, its place)."""
    a = as_array(input)
    axis = normal_axis(dim, rank_of(a))
    message = f"For 'kthvalue', k is from 1 to the number of elements along the axis, not {static_int(k, 'k')}."
    place = shapes.slice_within(order_of(a, axis), axis, static_int(k, "k") - 1, 1, message)
    value = ix.gather_along(a, place, axis=axis)
    if evaluator().static(keepdim, "keepdim"):
        return value, place
    return s.squeeze(value, axis=(axis,)), s.squeeze(place, axis=(axis,))


def each_share(q: Any, share: Callable[[Any], Any]) -> Any:
    """A function of a share for one, or for each of several, whose results are rows."""
    shares = as_array(as_array(q), f64)
    if rank_of(shares) > 1:
        raise ValueError("For 'quantile', q is a number or has one dimension.")
    if isinstance(q, float) and not 0 <= q <= 1:
        raise ValueError(f"For 'quantile', q is between 0 and 1, not {q}.")
    if not rank_of(shares):
        return share(shares)
    count = static_int(evaluator().number(shape_of(shares)[0]), "the number of quantiles")
    return shapes.stack([share(shapes.take_index(shares, 0, k)) for k in range(count)], 0)


def ranked(ordered: Any, last: Any, k: int, share: Any) -> Any:
    """The element a share of the way from the first to the one numbered `last` (int64, axis k of 1) of an axis in
    order."""
    one = tuple(1 if axis == k else n for axis, n in enumerate(shape_of(ordered)))
    require_elements_for(one, shape_of(ordered), "a quantile of no elements")
    place = e.mul(e.cast(last, dtype=f64), share)
    low = e.cast(e.floor(place), dtype=i64)
    rest = e.cast(e.sub(place, e.floor(place)), dtype=dtype_of_value(ordered))
    below, above = (ix.gather_along(ordered, p, axis=k) for p in (low, e.minimum(e.add(low, 1), last)))
    return e.add(below, e.mul(e.sub(above, below), rest))


def reduced_shape(made: Any, k: int, rank: int, whole: bool, keepdims: Any) -> Any:
    """A result without its axis k, or with `keepdims` with axes of 1 for all that were reduced."""
    if not evaluator().static(keepdims, "keepdims"):
        return s.squeeze(made, axis=(k,))
    return s.reshape(made, shape=(1,) * rank) if whole else made


@operator("quantile .quantile")
def quantile(input: Any, q: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The elements at shares q of the way through an axis in order, interpolated linearly."""
    a = as_float(input)
    rank = rank_of(a)
    if axis is None:
        a = shapes.ravel(a)
    k = 0 if axis is None else normal_axis(axis, rank)
    ordered = ix.gather_along(a, ordering.argsort(a, axis=k), axis=k)
    missing = reductions.any(e.isnan(a), k, True)
    count = as_array(evaluator().number(shape_of(a)[k] + -1), i64)
    last = e.add(e.mul(e.cast(missing, dtype=i64), 0), count)

    def share(one: Any) -> Any:
        made = e.select(missing, float("nan"), ranked(ordered, last, k, one))
        return reduced_shape(made, k, rank, axis is None, keepdims)

    return each_share(q, share)


@operator("Quantile")
def quantile_set_up(input: Any, q: Any, *, dim: Any = None, keep_dims: Any = False, ignore_nan: Any = False) -> Any:
    """The elements at shares q of the way through an axis in order."""
    return (nanquantile if ignore_nan else quantile)(input, q, dim, keep_dims)


@operator("NthElement")
def nth_element(input: Any, n: Any, *, reverse: Any = False) -> Any:
    """The n-th smallest (`reverse`: largest) element along the last axis."""
    a, k = as_array(input), static_ints(n, "n")[0] if is_array(n) else static_int(n, "n")
    axis = rank_of(a) - 1
    order = ordering.argsort(a, axis=axis, descending=bool(reverse))
    place = shapes.slice_within(order, axis, k, 1, f"For 'NthElement', n is a place along the last axis, not {k}.")
    return s.squeeze(ix.gather_along(a, place, axis=axis), axis=(axis,))


@operator("nanquantile")
def nanquantile(input: Any, q: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The elements at shares q of the way through what is not NaN of an axis in order."""
    a = as_float(input)
    rank = rank_of(a)
    flat = shapes.ravel(a) if axis is None else a
    k = 0 if axis is None else normal_axis(axis, rank)
    ordered = ix.gather_along(flat, ordering.argsort(flat, axis=k), axis=k)  # NaN comes last
    count = r.reduce_sum(e.cast(e.bitwise_not(e.isnan(flat)), dtype=i64), axis=(k,), keepdims=True)
    last = e.maximum(e.sub(count, 1), 0)
    return each_share(q, lambda one: reduced_shape(ranked(ordered, last, k, one), k, rank, axis is None, keepdims))
