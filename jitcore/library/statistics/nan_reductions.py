"""Reductions that leave out what is not a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.array import creation
from jitcore.library.core.values import as_array, dtype_of_value, normal_axes, rank_of, static_int
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.types import bool_


def _filled(x: Any, fill: float) -> tuple[Any, Any]:
    """x with a number in place of NaN, and where it is no NaN."""
    a = as_array(x)
    if dtype_of_value(a).kind == "c":
        raise TypeError("a reduction that skips NaN of complex numbers")
    if not dtype_of_value(a).is_float:
        return a, creation.ones_like(a, dtype=bool_)
    return e.select(e.isnan(a), fill, a), e.bitwise_not(e.isnan(a))


def nansum(x: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Any:
    """The sum of what is no NaN."""
    return reductions.sum(_filled(x, 0.0)[0], axis, dtype, keepdims)


def nanprod(x: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Any:
    """The product of what is no NaN."""
    return reductions.prod(_filled(x, 1.0)[0], axis, dtype, keepdims)


def nancumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """The sums of what came before and is no NaN."""
    return reductions.cumsum(_filled(x, 0.0)[0], axis, dtype)


def _nan_bound(reduce: Any, worst: float) -> Callable[..., Any]:
    def function(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        value, valid = _filled(a, worst)
        name = "fmax" if worst < 0 else "fmin"
        message = f"zero-size array to reduction operation {name} which has no identity"
        reductions.require_elements(value, normal_axes(axis, rank_of(value)), message)
        found = reduce(value, axis, keepdims)
        if not dtype_of_value(value).is_float:
            return found
        return e.select(reductions.any(valid, axis, keepdims), found, float("nan"))

    return function


nanmax = _nan_bound(reductions.max, float("-inf"))
nanmin = _nan_bound(reductions.min, float("inf"))


def nanmean(x: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The mean of what is no NaN."""
    value, valid = _filled(reductions.as_float(x), 0.0)
    return e.div(reductions.sum(value, axis, None, keepdims), _count(valid, value, axis, keepdims))


def _count(valid: Any, value: Any, axis: Any, keepdims: Any) -> Any:
    return e.cast(reductions.sum(valid, axis, None, keepdims), dtype=dtype_of_value(value))


def nanvar(x: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The variance of what is no NaN."""
    value, valid = _filled(reductions.as_float(x), 0.0)
    mean = e.div(reductions.sum(value, axis, None, True), _count(valid, value, axis, True))
    centred = e.select(valid, e.sub(value, mean), 0)
    number = e.sub(_count(valid, value, axis, keepdims), float(static_int(ddof, "ddof")))
    made = e.div(reductions.sum(e.mul(centred, centred), axis, None, keepdims), number)
    return e.select(e.greater(number, 0), made, float("nan"))


def nanstd(x: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The standard deviation of what is no NaN."""
    return elementwise.sqrt(nanvar(x, axis, ddof=ddof, keepdims=keepdims))
