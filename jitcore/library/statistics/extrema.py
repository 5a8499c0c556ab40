"""The largest and smallest elements, and their places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.array import indexing
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    meanings,
    normal_axis,
    rank_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.library.statistics.axis_reductions import all_if_empty
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import DType, i32, i64


def _bounded(names: str, reduce: Any, combine: Any) -> None:
    def bound(input: Any, axis: Any = None, keepdims: Any = False, *, initial: Any = None, where: Any = None) -> Any:
        a = as_array(input)
        if where is not None and where is not True:
            if initial is None:
                raise ValueError("initial value must be provided for where masks")
            a = elementwise.where(where, a, as_array(initial, dtype_of_value(a)))
        made = reduce(a, all_if_empty(axis), keepdims=keepdims)
        return made if initial is None else combine(made, initial)

    bound.__doc__ = reduce.__doc__
    operator(names)(bound)


_bounded("amax .amax", reductions.max, elementwise.maximum)
_bounded("amin .amin", reductions.min, elementwise.minimum)


def _place_dtype(x: object) -> DType:
    """The dtype of the places of extremes."""
    return meanings(x).place_dtype


def _with_place(names: str, value: Any, place: Any, combine: Any) -> Callable[..., Any]:
    def extreme(input: Any, axis: Any = None, keepdims: Any = False, *, initial: Any = None, where: Any = None) -> Any:
        a = as_array(input)
        if where is not None and where is not True:
            if initial is None:
                raise ValueError("initial value must be provided for where masks")
            a = elementwise.where(where, a, as_array(initial, dtype_of_value(a)))
        if axis is None or not rank_of(a):
            return value(a), as_array(0, _place_dtype(a))
        k = static_int(axis, "the axis")
        at = place(a, k, keepdims)
        best = _taken(a, at, normal_axis(k, rank_of(a)), keepdims)
        return (best if initial is None else combine(best, initial)), at

    extreme.__doc__ = value.__doc__
    operator(names)(extreme)
    return extreme


def _taken(x: Any, places: Any, axis: int, keepdims: Any) -> Any:
    """The elements at the places along an axis, so that gradients go to these alone."""
    index = places if keepdims else s.expand_dims(places, axis=(axis,))
    made = indexing.take_along_axis(x, index, axis)
    return made if keepdims else s.squeeze(made, axis=(axis,))


maximum_of = _with_place("max", reductions.max, reductions.argmax, elementwise.maximum)
minimum_of = _with_place("min", reductions.min, reductions.argmin, elementwise.minimum)


@operator("ArgMaxWithValue")
def argmax_with_value(x: Any, *, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(places, values) of the largest elements along an axis."""
    return _places_and_values(reductions.argmax, x, axis, keep_dims)


@operator("ArgMinWithValue")
def argmin_with_value(x: Any, *, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(places, values) of the smallest elements along an axis."""
    return _places_and_values(reductions.argmin, x, axis, keep_dims)


def _places_and_values(place: Any, x: Any, axis: Any, keep_dims: Any) -> Any:
    a = as_array(x)
    if not rank_of(a):
        return as_array(0, _place_dtype(a)), a
    at = place(a, axis, keep_dims)
    return e.cast(at, dtype=_place_dtype(a)), _taken(a, at, normal_axis(axis, rank_of(a)), keep_dims)


def _position(names: str, cls: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The places of extremes, as an operator and a method. By MindSpore's rules `keepdims` means nothing where there is
    no axis, and the smallest one's place is int32."""

    def place(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
        made = function(x, axis, _kept(x, keepdims) if axis is None else keepdims)
        least = meanings(x).least_place_dtype
        return (
            made if least is None or cls != "Argmin ArgMin" or not rank_of(as_array(x)) else e.cast(made, dtype=least)
        )

    def position(x: Any, *, axis: Any = -1, output_type: Any = i32) -> Any:
        return elementwise.astype(function(x, axis), output_type)

    place.__doc__ = position.__doc__ = function.__doc__
    operator(cls)(position)
    operator(names)(place)
    return place


_largest = _position(".argmax", "Argmax ArgMax", reductions.argmax)
_smallest = _position(".argmin", "Argmin ArgMin", reductions.argmin)


@operator("argmax")
def argmax(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The place of the first largest element along `dim` (None: in the flattened Tensor)."""
    return _largest(input, dim, keepdim)


@operator("argmin")
def argmin(input: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The place of the first smallest element along `axis` (None: in the flattened Tensor)."""
    return _smallest(input, axis, keepdims)


@operator("aminmax .aminmax")
def aminmax(input: Any, *, axis: Any = 0, keepdims: Any = False) -> Any:
    """(smallest, largest) elements along an axis (None: of all)."""
    return reductions.min(input, axis, keepdims), reductions.max(input, axis, keepdims)


@operator("ptp .ptp")
def ptp(input: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The largest element minus the smallest."""
    return reductions.ptp(input, axis, keepdims)


@operator(".max")
def max_(
    x: Any, axis: Any = None, keepdims: Any = False, *, dim: Any = None, initial: Any = None, where: Any = True,
    return_indices: Any = False,
) -> Any:  # fmt: skip
    """The largest element over an axis (None: of all); with `return_indices`, or over `dim`, also its place."""
    if dim is not None:
        return maximum_of(x, dim, keepdims)
    if axis is None or (isinstance(axis, list | tuple) and not axis):
        return _of_all(
            x,
            _extreme(reductions.max, elementwise.maximum, x, None, _kept(x, keepdims), initial, where),
            return_indices,
        )
    if evaluator().static(return_indices, "return_indices"):
        return maximum_of(x, axis, keepdims, initial=initial, where=where)
    return _extreme(reductions.max, elementwise.maximum, x, axis, keepdims, initial, where)


@operator(".min")
def min_(
    x: Any, axis: Any = None, keepdims: Any = False, *, dim: Any = None, initial: Any = None, where: Any = True,
    return_indices: Any = False,
) -> Any:  # fmt: skip
    """The smallest element over an axis (None: of all); with `return_indices`, or over `dim`, also its place."""
    if dim is not None:
        return minimum_of(x, dim, keepdims)
    if axis is None or (isinstance(axis, list | tuple) and not axis):
        return _of_all(
            x,
            _extreme(reductions.min, elementwise.minimum, x, None, _kept(x, keepdims), initial, where),
            return_indices,
        )
    if evaluator().static(return_indices, "return_indices"):
        return minimum_of(x, axis, keepdims, initial=initial, where=where)
    return _extreme(reductions.min, elementwise.minimum, x, axis, keepdims, initial, where)


def _kept(x: object, keepdims: Any) -> Any:
    """Whether axes of what is found in all of a Tensor are kept: by MindSpore's rules none are."""
    return False if meanings(x).whole_has_no_axes else keepdims


def _of_all(x: object, found: Any, return_indices: Any) -> Any:
    """What is found in all of a Tensor, with a 0 for its place where MindSpore has one."""
    if not meanings(x).whole_has_no_axes or not evaluator().static(return_indices, "return_indices"):
        return found
    return found, as_array(0, i64)


def _extreme(reduce: Any, combine: Any, x: Any, axis: Any, keepdims: Any, initial: Any, where: Any) -> Any:
    a = as_array(x)
    if where is not True and where is not None:
        if initial is None:
            raise ValueError("initial value must be provided for where masks")
        a = elementwise.where(where, a, as_array(initial, dtype_of_value(a)))
    made = reduce(a, axis, keepdims=keepdims)
    return made if initial is None else combine(made, initial)


@operator("max_ext")
def max_ext(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The largest element; along an axis (the largest elements, their places); the larger of each pair if `dim` is a
    Tensor."""
    if is_array(dim):
        return elementwise.maximum(input, dim)
    return reductions.max(input) if dim is None else maximum_of(input, dim, keepdim)


@operator("min_ext")
def min_ext(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The smallest element; along an axis (the smallest elements, their places); the smaller of each pair if `dim` is a
    Tensor."""
    if is_array(dim):
        return elementwise.minimum(input, dim)
    return reductions.min(input) if dim is None else minimum_of(input, dim, keepdim)
