"""NumPy's arrays as sets: unique elements, unions, intersections, differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.library.array import indexing, places, sequences, shapes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axis,
    promote,
    promote_wrapped,
    rank_of,
    shape_of,
    static_flag,
)
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions, joining
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.numpy_ufuncs import distinct_places
from jitcore.types import i64

_NAMED: Final[Any] = np.unique_all(np.zeros(0)), np.unique_counts(np.zeros(0)), np.unique_inverse(np.zeros(0))
"""Results of NumPy's functions that give named tuples, whose classes NumPy does not publish."""


def unique(
    ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False, axis: Any = None, *,
    equal_nan: Any = True, sorted: Any = True,
) -> Any:  # fmt: skip
    """The sorted unique elements (sub-arrays along an axis); the places of the first ones, of each element's value, and
    how often each comes."""
    x = as_array(ar)
    if not static_flag(sorted, "sorted") and axis is None and not (return_index or return_inverse or return_counts):
        return _unordered(x, static_flag(equal_nan, "equal_nan"))
    if axis is None:
        flat = shapes.ravel(x)
        kind = "quicksort" if return_inverse and not return_index else "stable"  # which decides the order of NaNs
        order, fresh, group = sequences.groups(flat, static_flag(equal_nan, "equal_nan"), kind)
        shape, k = shape_of(x), 0
    else:
        k = normal_axis(axis, rank_of(x))
        flat, shape = x, (shape_of(x)[k],)
        order, fresh, group = _groups_of_rows(x, k)
    count = sequences.true_count(fresh)
    first = ix.gather(order, ix.true_places(fresh, count=count), axis=0)
    made: list[Any] = [ix.gather(flat, first, axis=k)]
    if static_flag(return_index, "return_index"):
        made.append(first)
    if static_flag(return_inverse, "return_inverse"):
        made.append(s.reshape(ix.gather(group, sequences.inverted(order), axis=0), shape=shape))
    if static_flag(return_counts, "return_counts"):
        zeros = joining.full(as_array(0, i64), shape=(count,))
        ones = joining.full(as_array(1, i64), shape=shape_of(order))
        made.append(ix.scatter_add(zeros, group, ones, axis=0))
    return made[0] if len(made) == 1 else tuple(made)


def _unordered(x: Any, equal_nan: bool) -> Any:
    """The unique elements in the order that NumPy finds them in."""
    flat = shapes.ravel(x)
    places, count = distinct_places(flat, equal_nan=equal_nan)
    number = evaluator().dim(conversions.to_scalar(count))
    return ix.gather(flat, shapes.slice_axis(places, 0, 0, number), axis=0)


def _groups_of_rows(x: Any, axis: int) -> tuple[Any, Any, Any]:
    """As `sequences.groups`, of the sub-arrays along an axis in lexical order."""
    if dtype_of_value(x).kind == "c":
        raise TypeError("unique rows of complex numbers")
    rows = shapes.reshape(shapes.moveaxis(x, axis, 0), evaluator().number(shape_of(x)[axis]), -1)
    columns = shapes.unstack(rows, 1)
    if not columns:
        raise TypeError("unique rows without elements")
    order = places.lexsort(tuple(reversed(columns)))
    fresh: Any = None
    for column in columns:
        changed = sequences.starts(ix.gather(column, order, axis=0))
        fresh = changed if fresh is None else e.bitwise_or(fresh, changed)
    return order, fresh, sequences.group_numbers(fresh)


def unique_values(x: Any) -> Any:
    """The unique elements."""
    return unique(x, equal_nan=False, sorted=False)


def unique_counts(x: Any) -> Any:
    """(the unique elements, how often each comes)"""
    return type(_NAMED[1])(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x: Any) -> Any:
    """(the unique elements, the place of each element's value among them)"""
    return type(_NAMED[2])(*unique(x, return_inverse=True, equal_nan=False))


def unique_all(x: Any) -> Any:
    """(the unique elements, the places of the first ones, of each element's value, how often each comes)"""
    return type(_NAMED[0])(*unique(x, True, True, True, equal_nan=False))


def _flat(*arrays: Any) -> tuple[Any, ...]:
    return tuple(shapes.ravel(a) for a in promote("concatenate", *arrays))


def union1d(ar1: Any, ar2: Any) -> Any:
    """The sorted elements of either."""
    parts = promote_wrapped("concatenate", ar1, ar2)
    return unique(shapes.concatenate([shapes.ravel(as_array(a)) for a in parts], 0))


def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    """The sorted elements of exactly one of both."""
    a, b = _flat(ar1, ar2)
    if not static_flag(assume_unique, "assume_unique"):
        a, b = unique(a), unique(b)
    ordered = sequences.sort(shapes.concatenate((a, b), 0))
    fresh = sequences.starts(ordered)
    last = e.bitwise_not(fresh)
    n = shape_of(ordered)[0]
    after = shapes.concatenate((shapes.slice_axis(last, 0, 1, n + -1), evaluator().constant([False], None)), 0)
    alone = e.bitwise_and(fresh, e.bitwise_not(after))
    return indexing.getitem(ordered, alone)


def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Any:
    """The sorted elements of both; with `return_indices` their places, too."""
    a, b = _flat(ar1, ar2)
    if static_flag(assume_unique, "assume_unique"):
        starts_a = starts_b = None
    else:
        a, starts_a = unique(a, return_index=True)
        b, starts_b = unique(b, return_index=True)
    order = sequences.argsort(a, stable=True)
    ordered = ix.gather(a, order, axis=0)
    held = sequences.isin(ordered, b)
    made = indexing.getitem(ordered, held)
    if not static_flag(return_indices, "return_indices"):
        return made
    by_a = indexing.getitem(order, held)
    order_b = sequences.argsort(b, stable=True)
    ordered_b = ix.gather(b, order_b, axis=0)
    by_b = indexing.getitem(order_b, sequences.isin(ordered_b, a))
    if starts_a is not None:
        by_a, by_b = ix.gather(starts_a, by_a, axis=0), ix.gather(starts_b, by_b, axis=0)
    return made, by_a, by_b


def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    """The elements of one array that are not in another, each once, in order."""
    a = shapes.ravel(as_array(ar1))
    if not static_flag(assume_unique, "assume_unique"):
        a = unique(a)
    return indexing.getitem(a, elementwise.logical_not(sequences.isin(a, shapes.ravel(as_array(ar2)))))


def isin(element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None) -> Any:
    """Whether each element is among others."""
    del assume_unique, kind
    found = sequences.isin(element, test_elements)
    return elementwise.logical_not(found) if static_flag(invert, "invert") else found


TABLE: Final[dict[Any, Callable[..., Any]]] = {
    np.unique: unique, np.unique_values: unique_values, np.unique_counts: unique_counts,
    np.unique_inverse: unique_inverse, np.unique_all: unique_all, np.union1d: union1d, np.setxor1d: setxor1d,
    np.intersect1d: intersect1d, np.setdiff1d: setdiff1d, np.isin: isin,
}  # fmt: skip
"""By NumPy's function."""
