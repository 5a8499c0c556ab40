"""NumPy's reductions with weights, with `where` (which elements take part) and with `initial`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.array import creation
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_empty,
    normal_axes,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, copying
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import DType, bool_, dim_max


def average(x: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False) -> Any:
    """The mean, weighted; with `returned`, the sum of the weights, too."""
    if weights is None:
        a = as_array(x)
        made = reductions.mean(a, axis, None, keepdims)
        none = is_empty(made)
        if none is True:
            raise ZeroDivisionError("division by zero")
        if none is not False:
            some = conversions.to_scalar(e.bitwise_not(as_array(none, bool_)))
            conversions.check(some, exception="ZeroDivisionError", message="division by zero")
        total = as_array(evaluator().number(reductions.count(a, normal_axes(axis, rank_of(a)))), dtype_of_value(made))
    else:
        a, w = promote("div", x, weights)
        w = _spread_weights(w, a, axis)
        total = reductions.sum(w, axis, None, keepdims)
        nonzero = reductions.all(e.not_equal(total, 0))
        message = "Weights sum to zero, can't be normalized"
        conversions.check(conversions.to_scalar(nonzero), exception="ZeroDivisionError", message=message)
        made = e.div(reductions.sum(e.mul(a, w), axis, None, keepdims), total)
    if not evaluator().static(returned, "returned"):
        return made
    return made, copying.copy(s.broadcast_to(total, shape=shape_of(made)))


def _spread_weights(w: Any, a: Any, axis: Any) -> Any:
    """The weights of all elements: those given for an axis alone hold along the others."""
    axes = normal_axes(axis, rank_of(a))
    differ = "Axis must be specified when shapes of a and weights differ."
    message = "Shape of weights must be consistent with shape of a along specified axis."
    if rank_of(w) == rank_of(a) and (axis is None or rank_of(a) != len(axes)):
        for m, n in zip(shape_of(a), shape_of(w), strict=True):
            require_equal(m, n, differ if axis is None else message, "TypeError" if axis is None else "ValueError")
        return w
    if axis is None:
        raise TypeError(differ)
    if rank_of(w) != len(axes):
        raise ValueError(message)
    for k, n in zip(axes, shape_of(w), strict=True):
        require_equal(shape_of(a)[k], n, message)
    order = sorted(range(len(axes)), key=axes.__getitem__)
    w = s.transpose(w, permutation=tuple(order)) if rank_of(w) > 1 else w
    others = tuple(k for k in range(rank_of(a)) if k not in axes)
    w = s.expand_dims(w, axis=others) if others else w
    return s.broadcast_to(w, shape=shape_of(a))


def _axis_of(a: Any, axis: Any) -> Any:
    """The axis to reduce over."""
    return None if reductions.is_axis_of_number(a, axis) else axis


def truths(function: Callable[..., Any], neutral: bool) -> Callable[..., Any]:
    """`np.any` and `np.all` with `where`, which elements take part."""

    def reduce(a: Any, axis: Any = None, keepdims: Any = False, where: Any = None) -> Any:
        x = a if where is None else elementwise.where(where, elementwise.truth(a), neutral)
        return function(x, _axis_of(a, axis), keepdims)

    return reduce


def mean(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, where: Any = None) -> Any:
    """The mean of the elements that take part."""
    axis = _axis_of(a, axis)
    if where is None:
        return reductions.mean(a, axis, dtype, keepdims)
    x = reductions.as_float(a) if dtype is None else elementwise.astype(as_array(a), dtype)
    total = reductions.sum(elementwise.where(where, x, 0), axis, None, keepdims)
    return e.div(total, _taking_part(x, where, axis, keepdims))


def _taking_part(x: Any, where: Any, axis: Any, keepdims: Any) -> Any:
    mask = s.broadcast_to(elementwise.truth(where), shape=shape_of(x))
    return e.cast(reductions.sum(mask, axis, None, keepdims), dtype=dtype_of_value(x))


def spread(root: bool) -> Callable[..., Any]:
    """`np.var` and `np.std`, of the elements that take part."""

    def reduce(
        a: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False, dtype: Any = None, where: Any = None,
        mean: Any = None, correction: Any = None,
    ) -> Any:  # fmt: skip
        less = ddof if correction is None else correction
        axis = _axis_of(a, axis)
        x = as_array(a)
        if dtype is not None and as_dtype(dtype) is not dtype_of_value(x):
            if where is not None or mean is not None:
                raise TypeError("a variance of chosen elements, or of a known mean, in another dtype")
            made = _spread_in(as_dtype(dtype), x, axis, static_int(less, "ddof"), keepdims)
            return elementwise.sqrt(made) if root else made
        if where is None and mean is None:
            return (reductions.std if root else reductions.var)(x, axis, less, keepdims)
        x = reductions.as_float(x)
        mask = creation.ones_like(x, bool_) if where is None else elementwise.truth(where)
        middle = _mean_of(x, axis, mask) if mean is None else mean
        centred = elementwise.where(mask, elementwise.absolute(elementwise.subtract(x, middle)), 0)
        number = e.sub(_taking_part(centred, mask, axis, keepdims), float(static_int(less, "ddof")))
        made = e.div(reductions.sum(e.mul(centred, centred), axis, None, keepdims), e.maximum(number, 0))
        return elementwise.sqrt(made) if root else made

    return reduce


def _spread_in(dtype: DType, x: Any, axis: Any, less: int, keepdims: Any) -> Any:
    """The variance with sums in another dtype than the elements': these are not converted, but for sums."""
    if dtype.kind not in "fc":
        raise TypeError(f"a variance in {dtype}")
    axes = normal_axes(axis, rank_of(x))
    number = reductions.count(x, axes)
    middle = reductions.divide_by_count(reductions.sum(x, axis, dtype, True), number)
    centred = elementwise.subtract(x, middle)
    total = reductions.sum(reductions.squares(centred), axis, dtype, keepdims)
    return reductions.divide_by_count(total, dim_max(number + -less, 0))


def _mean_of(x: Any, axis: Any, mask: Any) -> Any:
    return mean(x, axis, None, True, mask)


def bounded_reduction(
    function: Callable[..., Any], primitive: Callable[..., Any], combine: Callable[..., Any]
) -> Callable[..., Any]:
    """A reduction with `initial`, a value that takes part (so that there may be no elements), and `where`, which
    elements do beside it."""

    def reduce(a: Any, axis: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None) -> Any:
        axis = _axis_of(a, axis)
        if initial is None:
            if where is not None:
                raise ValueError(f"{function.__name__} of chosen elements has no identity, so 'initial' is needed")
            return function(a, axis=axis, keepdims=keepdims)
        x = as_array(a) if where is None else elementwise.where(where, a, initial)
        axes, extents = normal_axes(axis, rank_of(x)), shape_of(x)
        kept = evaluator().static(keepdims, "keepdims")
        if any(extents[k] == 0 for k in axes):
            left = [1 if k in axes else n for k, n in enumerate(extents) if kept or k not in axes]
            return creation.full(tuple(left), initial, dtype_of_value(x))
        return combine(primitive(x, axis=axes, keepdims=bool(kept)), initial)

    return reduce


def summation(function: Callable[..., Any], combine: Callable[..., Any], neutral: int) -> Callable[..., Any]:
    """`np.sum` and `np.prod` with `initial`, and `where`, which elements take part."""

    def reduce(
        a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None
    ) -> Any:
        axis = _axis_of(a, axis)
        if where is not None:
            a = elementwise.where(where, a, neutral)
        made = function(a, axis=axis, dtype=dtype, keepdims=keepdims)
        return made if initial is None else combine(made, initial)

    return reduce
