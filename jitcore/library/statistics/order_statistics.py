"""Medians, quantiles, and the elements at a place in order."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import indexing, sequences, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, evaluator, normal_axis, rank_of
from jitcore.library.math import comparisons, elementwise
from jitcore.library.mindspore.reducing import maximum_of, minimum_of
from jitcore.library.statistics import reductions
from jitcore.types import i64


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
