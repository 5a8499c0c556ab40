"""Library functions that sort, search and scan: NumPy's, and what they share with MindSpore's."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import indexing, shapes
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
)
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, joining, ordering, scans
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import bool_, f64, i64

# --- groups of equal elements -------------------------------------------------------------------------


def groups(x: Any, equal_nan: bool = False, kind: str = "stable") -> tuple[Any, Any, Any]:
    """Of a flat array: its elements' order, by an algorithm; where in it a new value begins; and the number of the
    group of each place in it."""
    order = ordering.argsort(x, axis=0, kind=kind)
    fresh = starts(ix.gather(x, order, axis=0), equal_nan)
    return order, fresh, group_numbers(fresh)


def group_numbers(fresh: Any) -> Any:
    """The number of the group that each place is in."""
    return e.sub(r.cumsum(e.cast(fresh, dtype=i64), axis=0), 1)


def starts(x: Any, equal_nan: bool = False) -> Any:
    """Whether an element differs from the one before it; NaN differs from NaN unless `equal_nan`."""
    (n,) = shape_of(x)
    index = joining.iota(length=n, dtype=i64)
    before = ix.gather(x, e.maximum(e.sub(index, 1), 0), axis=0)
    changed = e.not_equal(x, before)
    if equal_nan and dtype_of_value(x).kind in "fc":
        changed = e.bitwise_and(changed, e.bitwise_not(e.bitwise_and(comparisons.isnan(x), comparisons.isnan(before))))
    return e.bitwise_or(e.equal(index, 0), changed)


def true_count(mask: Any) -> Any:
    total = r.reduce_sum(e.cast(mask, dtype=i64), axis=(0,), keepdims=False)
    return evaluator().dim(conversions.to_scalar(total))


def inverted(order: Any) -> Any:
    """The inverse of a permutation."""
    return ix.scatter_set(order, order, joining.iota(length=shape_of(order)[0], dtype=i64), axis=0)


# --- running products and extremes ----------------------------------------------------------------------


def running_product(x: Any, axis: int, reverse: bool = False) -> Any:
    """The running product: a linear recurrence whose only term is the first element."""
    extent = shape_of(x)[axis]
    if extent == 0:
        return x
    others = tuple(k for k in range(rank_of(x)) if k != axis)
    places = joining.iota(length=extent, dtype=i64)
    first = e.equal(s.expand_dims(places, axis=others) if others else places, _place(extent, reverse))
    return scans.linear_recurrence(x, e.select(first, x, 0), axis=axis, reverse=reverse)


def _place(extent: Any, last: bool) -> Any:
    """0, or the last place of an axis."""
    return conversions.from_scalar(evaluator().number(extent + -1), dtype=i64) if last else 0


def cumprod(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    """The running product along `axis` (None: of the flattened array)."""
    x, k = _flat_or_axis(a, axis)
    return running_product(as_array(x, reductions.sum_dtype(x, dtype)), k)


def running_maximum(x: Any, axis: Any = 0) -> Any:
    """The largest elements so far along an axis."""
    return _running(x, axis, smallest=False)


def running_minimum(x: Any, axis: Any = 0) -> Any:
    """The smallest elements so far along an axis."""
    return _running(x, axis, smallest=True)


def _running(x: Any, axis: Any, *, smallest: bool) -> Any:
    a = as_array(x)
    k = normal_axis(axis, rank_of(a))
    return ix.gather_along(a, scans.running_extreme(a, axis=k, smallest=smallest), axis=k)


# --- sorting ------------------------------------------------------------------------------------------


def _flat_or_axis(a: Any, axis: Any) -> tuple[Any, int]:
    x = as_array(a)
    if axis is None or reductions.is_axis_of_number(x, axis):
        return shapes.ravel(x), 0
    return x, normal_axis(axis, rank_of(x))


def _kind(kind: Any, stable: Any) -> str:
    """The algorithm, which decides the order of equal elements."""
    if evaluator().static(stable, "stable"):
        return "stable"
    return evaluator().static(kind, "kind") or "quicksort"


def argsort(a: Any, axis: Any = -1, kind: Any = None, *, stable: Any = None) -> Any:
    """The places of the elements along an axis (None: of the flattened array) in order."""
    x, k = _flat_or_axis(a, axis)
    return ordering.argsort(x, axis=k, kind=_kind(kind, stable))


def sort(a: Any, axis: Any = -1, kind: Any = None, *, stable: Any = None) -> Any:
    """A sorted copy."""
    x, k = _flat_or_axis(a, axis)
    return ordering.ordered(x, axis=k, kind=_kind(kind, stable))


def sort_in_place(x: Any, axis: Any = -1, kind: Any = None, *, stable: Any = None) -> None:
    """`ndarray.sort`."""
    elementwise.assign(x, sort(x, axis, kind, stable=stable))


def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    """The places where values would be inserted into a sorted array."""
    ordered, values = promote("concatenate", a, as_array(v))  # a number is no weak operand here
    where = evaluator().static(side, "side")
    if where not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got {where!r})")
    if rank_of(ordered) != 1:
        raise ValueError("object too deep for desired array")
    if sorter is not None:
        ordered = indexing.take(ordered, sorter)
    return ordering.search_sorted(ordered, values, right=where == "right")


def isin(element: Any, test_elements: Any) -> Any:
    """Whether each element is among others."""
    a, others = promote("equal", element, test_elements)
    hits = e.equal(s.expand_dims(a, axis=(rank_of(a),)), shapes.ravel(others))
    return r.reduce_any(hits, axis=(rank_of(a),), keepdims=False)


def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each number comes, up to the largest; or the sums of the weights, as float64."""
    a = as_array(x)
    if rank_of(a) != 1:
        raise ValueError("object too deep for desired array")
    if not dtype_of_value(a).is_integer and dtype_of_value(a) is not bool_:
        raise TypeError(f"bincount of {dtype_of_value(a)!r}")
    numbers = e.cast(a, dtype=i64)
    length = as_array(elementwise.number(minlength) if is_array(minlength) else minlength, i64)
    if shape_of(a)[0] != 0:
        conversions.check(
            conversions.to_scalar(r.reduce_all(e.greater_equal(numbers, 0), axis=(0,), keepdims=False)),
            exception="ValueError",
            message="'list' argument must have no negative elements",
        )
        # an element more, so that there is one
        padded = shapes.concatenate((numbers, evaluator().constant([-1], i64)))
        length = e.maximum(e.add(r.reduce_max(padded, axis=(0,), keepdims=False), 1), length)
    count = evaluator().dim(conversions.to_scalar(length))
    if weights is not None:
        message = "The weights and list don't have the same length."
        require_equal(shape_of(a)[0], shape_of(as_array(weights))[0], message)
    counted = joining.full(as_array(1, i64), shape=shape_of(a)) if weights is None else as_array(as_array(weights), f64)
    zeros = joining.full(as_array(0, dtype_of_value(counted)), shape=(count,))
    return ix.scatter_add(zeros, numbers, counted, axis=0)
