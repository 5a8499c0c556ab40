"""Operators that count, rank and pick: histograms, segments, bounds, statistics of order."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.array import indexing, shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math import elementwise
from jitcore.library.mindspore import reducing, sorting
from jitcore.library.mindspore.amending import nanmedian
from jitcore.library.mindspore.measuring import each_share, quantile, ranked, reduced_shape
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining, ordering
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import scattering as sc
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, bool_, f64, i32, i64

# --- histograms ---------------------------------------------------------------------------------------


def _number(x: Any, dtype: Any) -> Any:
    return as_array(as_array(x), dtype)


def _counts(places: Any, kept: Any, bins: Dim, weights: Any = None) -> Any:
    """How many of the places are each number below `bins`, or the sums of their weights."""
    ones = e.cast(kept, dtype=i64) if weights is None else e.select(kept, weights, 0)
    zeros = joining.full(as_array(0, dtype_of_value(ones)), shape=(bins,))
    return ix.scatter_add(zeros, e.select(kept, places, 0), ones, axis=0)


def _histogram(x: Any, bins: Any, low: Any, high: Any) -> Any:
    """How many elements are in each of the intervals between two bounds, as many of the same length as said."""
    count = static_int(bins, "bins")
    a = shapes.ravel(as_array(as_array(x), f64))
    first, last = (float(evaluator().static(v, "a bound")) for v in (low, high))
    if first > last:
        raise ValueError(f"the lower bound {first} is larger than the upper bound {last}")
    if first == last == 0:
        start, stop = (f(a, axis=(0,), keepdims=False) for f in (r.reduce_min, r.reduce_max))
    else:
        start, stop = as_array(first, f64), as_array(last, f64)
    same = e.equal(start, stop)
    start, stop = e.select(same, e.sub(start, 1), start), e.select(same, e.add(stop, 1), stop)
    kept = e.bitwise_and(e.greater_equal(a, start), e.less_equal(a, stop))
    share = e.floor(e.mul(e.div(e.sub(e.select(kept, a, start), start), e.sub(stop, start)), float(count)))
    return _counts(e.minimum(e.cast(share, dtype=i64), count - 1), kept, count)


@operator("histc .histc")
def histc(input: Any, bins: Any = 100, min: Any = 0.0, max: Any = 0.0) -> Any:
    """How many elements are in each of `bins` intervals from `min` to `max` (of the input if both are 0)."""
    return e.cast(_histogram(input, bins, min, max), dtype=dtype_of_value(input))


@operator("Histogram")
def histogram_set_up(x: Any, *, bins: Any = 100, min: Any = 0.0, max: Any = 0.0) -> Any:
    """How many elements are in each of `bins` intervals from `min` to `max` (of the input if both are 0)."""
    return e.cast(_histogram(x, bins, min, max), dtype=i32)


@operator("HistogramFixedWidth")
def histogram_fixed_width(x: Any, range: Any, *, nbins: Any, dtype: Any = "int32") -> Any:
    """How many elements are in each of `nbins` intervals of a range; those outside count in the first and last."""
    a, bounds = shapes.ravel(as_array(as_array(x), f64)), as_array(as_array(range), f64)
    low, high = (shapes.take_index(bounds, 0, k) for k in (0, 1))
    count = static_int(nbins, "nbins")
    share = e.floor(e.div(e.mul(e.sub(a, low), float(count)), e.sub(high, low)))
    places = e.cast(e.minimum(e.maximum(share, 0), count - 1), dtype=i64)
    return elementwise.astype(_counts(places, e.cast(e.add(e.mul(places, 0), 1), dtype=bool_), count), dtype)


@operator("Bincount")
def bincount_set_up(array: Any, size: Any, weights: Any) -> Any:
    """The sums of the weights of each number below a size."""
    places, scale = shapes.ravel(_number(array, i64)), shapes.ravel(as_array(weights))
    count = evaluator().dim(elementwise.number(size) if is_array(size) else size)
    kept = e.less(places, as_array(evaluator().number(count), i64))
    if not isinstance(shape_of(scale)[0], int) or shape_of(scale)[0]:
        return _counts(places, kept, count, scale)
    return e.cast(_counts(places, kept, count), dtype=dtype_of_value(scale))


# --- segments of sorted numbers -----------------------------------------------------------------------


def _segments(name: str, op: str) -> None:
    def segment(input_x: Any, segment_ids: Any) -> Any:
        a, ids = as_array(input_x), _number(segment_ids, i64)
        require_equal(shape_of(a)[0], shape_of(ids)[0], f"Segment{name}: {{1}} numbers of segments for {{0}} rows")
        last = s.squeeze(shapes.slice_axis(ids, 0, shape_of(ids)[0] + -1, 1), axis=(0,))
        count = evaluator().dim(elementwise.number(e.add(last, 1)))
        dtype, inner = dtype_of_value(a), shape_of(a)[1:]
        ids = index_modes.from_start(ids, count, 0, "the number of a segment")
        none = joining.full(as_array(0, i64), shape=(count,))
        size = ix.scatter_add(none, ids, e.add(e.mul(ids, 0), 1), axis=0)
        size = s.reshape(size, shape=(count, *[1] * len(inner)))
        start = {"mul": 1, "max": _least(dtype), "min": _greatest(dtype)}.get(op, 0)
        base = joining.full(as_array(start, dtype), shape=(count, *inner))
        if op == "mean":
            total = ix.scatter_add(base, ids, a, axis=0)
            return e.div(total, e.cast(e.maximum(size, 1), dtype=dtype))
        made = sc.scatter_combine(base, ids, a, op=op)
        return made if op == "mul" else e.select(e.equal(size, 0), 0, made)

    segment.__doc__ = f"The {name.lower()} of the rows of each segment; the numbers of segments are sorted."
    operator(f"Segment{name}")(segment)


def _least(dtype: Any) -> Any:
    return float("-inf") if dtype.is_float else int(np.iinfo(dtype.numpy).min)


def _greatest(dtype: Any) -> Any:
    return float("inf") if dtype.is_float else int(np.iinfo(dtype.numpy).max)


for _name, _op in (("Max", "max"), ("Min", "min"), ("Prod", "mul"), ("Mean", "mean")):
    _segments(_name, _op)


# --- bounds -------------------------------------------------------------------------------------------


def _bound(cls: str, right: bool) -> None:
    def set_up(sorted_x: Any, values: Any, *, out_type: Any = i32) -> Any:
        return elementwise.astype(sorting.searchsorted(sorted_x, values, right=right), out_type)

    set_up.__doc__ = f"Where each value would be inserted, {'after' if right else 'before'} equal ones."
    operator(cls)(set_up)


_bound("LowerBound", False)
_bound("UpperBound", True)


@operator("Bucketize")
def bucketize_set_up(input: Any, *, boundaries: Any) -> Any:
    """The number of the interval between the boundaries that each element is in."""
    a = as_array(input)
    bounds = evaluator().constant(np.asarray([float(b) for b in boundaries]), f64)
    return e.cast(ordering.search_sorted(bounds, as_array(a, f64), right=True), dtype=i32)


@operator("ListDiff")
def list_diff(x: Any, y: Any, *, out_idx: Any = i32) -> Any:
    """(the elements of x that are not in y, their places)."""
    a, b = promote("sub", x, y)
    same = e.equal(s.expand_dims(a, axis=(1,)), s.expand_dims(b, axis=(0,)))
    kept = e.bitwise_not(r.reduce_any(same, axis=(1,), keepdims=False))
    places = indexing.nonzero(kept)[0]
    return indexing.getitem(a, kept), elementwise.astype(places, out_idx)


# --- statistics of order ------------------------------------------------------------------------------


@operator("NthElement")
def nth_element(input: Any, n: Any, *, reverse: Any = False) -> Any:
    """The n-th smallest (`reverse`: largest) element along the last axis."""
    a, k = as_array(input), static_ints(n, "n")[0] if is_array(n) else static_int(n, "n")
    axis = rank_of(a) - 1
    order = ordering.argsort(a, axis=axis, descending=bool(reverse))
    place = shapes.slice_within(order, axis, k, 1, f"For 'NthElement', n is a place along the last axis, not {k}.")
    return s.squeeze(ix.gather_along(a, place, axis=axis), axis=(axis,))


@operator("Median")
def median_set_up(
    x: Any, *, global_median: Any = False, axis: Any = 0, keep_dims: Any = False, ignore_nan: Any = False
) -> Any:
    """(the lower median along an axis, or of all elements; its place)."""
    if global_median:
        flat = shapes.ravel(as_array(x))
        value, place = reducing.median(flat, 0)
        return value, place
    if ignore_nan:
        return nanmedian(x, axis, keep_dims)
    return reducing.median(x, axis, keep_dims)


@operator("Quantile")
def quantile_set_up(input: Any, q: Any, *, dim: Any = None, keep_dims: Any = False, ignore_nan: Any = False) -> Any:
    """The elements at shares q of the way through an axis in order."""
    return (nanquantile if ignore_nan else quantile)(input, q, dim, keep_dims)


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


# --- runs -------------------------------------------------------------------------------------------


@operator("cumulative_trapezoid")
def cumulative_trapezoid(y: Any, x: Any = None, dx: Any = 1.0, dim: Any = -1) -> Any:
    """The running integral along an axis by the trapezoidal rule."""
    a = as_float(y)
    k = normal_axis(dim, rank_of(a))
    rest = shape_of(a)[k] + -1
    pairs = e.add(shapes.slice_axis(a, k, 0, rest), shapes.slice_axis(a, k, 1, rest))
    if x is None:
        steps: Any = float(dx)
    else:
        b = as_array(as_float(x), dtype_of_value(a))
        axis = 0 if rank_of(b) == 1 else k
        steps = e.sub(shapes.slice_axis(b, axis, 1, rest), shapes.slice_axis(b, axis, 0, rest))
        if rank_of(b) == 1 and rank_of(a) > 1:
            steps = s.reshape(steps, shape=tuple(rest if j == k else 1 for j in range(rank_of(a))))
    return r.cumsum(e.mul(e.mul(pairs, steps), 0.5), axis=k)


@operator("combinations .combinations")
def combinations(input: Any, r: Any = 2, with_replacement: Any = False) -> Any:
    """The choices of r elements, each a row."""
    a = as_array(input)
    n = static_int(evaluator().number(shape_of(a)[0]), "the number of elements")
    choose: Callable[..., Any] = itertools.combinations
    if evaluator().static(with_replacement, "with_replacement"):
        choose = itertools.combinations_with_replacement
    chosen = np.array(list(choose(range(n), static_int(r, "r"))), np.int64).reshape(-1, static_int(r, "r"))
    return ix.gather(a, evaluator().constant(chosen, i64), axis=0)


@operator("confusion_matrix")
def confusion_matrix(labels: Any, pred: Any, num_classes: Any, weights: Any = None, dtype: Any = "int32") -> Any:
    """How often each label was taken for each."""
    a, b = _number(labels, i64), _number(pred, i64)
    n = static_int(num_classes, "num_classes")
    scale = e.add(e.mul(a, 0), 1) if weights is None else as_array(weights)
    zeros = joining.full(as_array(0, dtype_of_value(scale)), shape=(n * n,))
    made = ix.scatter_add(
        zeros, e.add(e.mul(index_modes.checked(a, n, 0), n), index_modes.checked(b, n, 1)), scale, axis=0
    )
    return elementwise.astype(s.reshape(made, shape=(n, n)), dtype)


@operator("EqualCount")
def equal_count(x: Any, y: Any) -> Any:
    """How many elements are equal, in a Tensor of one element."""
    a, b = promote("sub", x, y)
    total = reductions.sum(e.cast(e.equal(a, b), dtype=i64))
    return e.cast(s.reshape(total, shape=(1,)), dtype=dtype_of_value(a))
