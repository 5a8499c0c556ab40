"""Operators that count, rank and pick: histograms, segments, bounds, statistics of order."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    is_array,
    normal_axis,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.mindspore import reducing
from jitcore.library.mindspore.measuring import each_share, quantile, ranked, reduced_shape
from jitcore.library.statistics.order_statistics import nanmedian
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import ordering
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import i64

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
