"""NumPy's elementwise functions and reductions that are made of other library functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from jitcore.library.array import arrangement, creation, shapes
from jitcore.library.core.values import (
    as_array,
    as_operand,
    category,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axes,
    normal_axis,
    promote,
    promote_wrapped,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import complex_functions, copying, python_complex
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import DType, bool_, dim_max, i8, i64

# --- elementwise --------------------------------------------------------------------------------------


def _float_of(x: Any) -> Any:
    (a,) = promote("sqrt", x)
    return a


def fabs(x: Any) -> Any:
    """The magnitude of x, as a float."""
    return e.abs(_float_of(x))


def reciprocal(x: Any) -> Any:
    """1 / x in the dtype of x: of integers, whole."""
    a = as_array(x)
    if dtype_of_value(a).is_integer:
        return e.floordiv(1, a) if dtype_of_value(a).kind == "u" else _truncated_reciprocal(a)
    return e.cast(a, dtype=i8) if dtype_of_value(a) is bool_ else e.div(1, a)


def _truncated_reciprocal(a: Any) -> Any:
    """1 / a towards zero; what NumPy gives for 0 is the lowest integer."""
    lowest = int(np.iinfo(cast("Any", dtype_of_value(a).numpy)).min)
    small = e.select(e.bitwise_and(e.greater_equal(a, -1), e.less_equal(a, 1)), a, 0)
    return e.select(e.equal(a, 0), lowest if dtype_of_value(a).itemsize >= 4 else 0, small)


def degrees(x: Any) -> Any:
    """x radians in degrees."""
    return e.mul(_float_of(x), 180.0 / np.pi)


def radians(x: Any) -> Any:
    """x degrees in radians."""
    return e.mul(_float_of(x), np.pi / 180.0)


def signbit(x: Any) -> Any:
    """Whether x is negative, -0.0 too."""
    a = _float_of(x)
    return e.less(e.copysign(creation.ones_like(a), a), 0)


def exp2(x: Any) -> Any:
    """2 to the power of x."""
    a = _float_of(x)
    if dtype_of_value(a).kind == "c":
        return complex_functions.complex_function(a, name="exp2")
    return e.pow(creation.full_like(a, 2), a)


def fmod(x: Any, y: Any) -> Any:
    """The remainder with the sign of x."""
    a, b = promote("mod", x, y)
    if dtype_of_value(a).kind == "u":
        return e.mod(a, b)
    size = e.mod(e.abs(a), e.abs(b))
    signed = e.select(e.less(a, 0), e.neg(size), size)
    return e.copysign(size, a) if dtype_of_value(a).is_float else signed


def fmax(x: Any, y: Any) -> Any:
    """The larger of x and y; the other where one is NaN."""
    return _ignoring_nan(e.maximum, "maximum", x, y)


def fmin(x: Any, y: Any) -> Any:
    """The smaller of x and y; the other where one is NaN."""
    return _ignoring_nan(e.minimum, "minimum", x, y)


def _ignoring_nan(choose: Any, kind: str, x: Any, y: Any) -> Any:
    a, b = promote(kind, x, y)
    if not dtype_of_value(a).is_float:
        return choose(a, b)
    return e.select(e.isnan(a), b, e.select(e.isnan(b), a, choose(a, b)))


def logaddexp(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)) without overflow."""
    a, b = promote("copysign", x, y)
    top, low = e.maximum(a, b), e.minimum(a, b)
    difference = e.select(e.equal(a, b), 0, e.sub(low, top))
    return e.add(top, elementwise.log1p(elementwise.exp(difference)))


def divmod_(x: Any, y: Any) -> tuple[Any, Any]:
    """`x // y` and `x % y`."""
    return elementwise.floor_divide(x, y), elementwise.remainder(x, y)


def heaviside(x: Any, y: Any) -> Any:
    """0 for negative x, 1 for positive, y for 0."""
    a, b = promote("copysign", x, y)
    step = e.select(e.less(a, 0), 0, e.select(e.equal(a, 0), b, 1))
    return e.select(e.isnan(a), a, step)


def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """x with numbers in place of NaN and infinities (the largest of the dtype, if none are given)."""
    if not evaluator().static(copy, "copy"):
        if not is_array(x):
            raise TypeError("nan_to_num of a number without a copy")
        return elementwise.assign(x, nan_to_num(evaluator().contents(x), True, nan, posinf, neginf))
    a = as_array(x)
    if not dtype_of_value(a).is_float:
        return copying.copy(a)
    largest = float(np.finfo(cast("Any", dtype_of_value(a).numpy)).max)
    high, low = (
        as_array(sign * largest if given is None else given, dtype_of_value(a))
        for given, sign in ((posinf, 1.0), (neginf, -1.0))
    )
    infinite = e.select(e.isinf(a), e.select(e.less(a, 0), low, high), a)
    return e.select(e.isnan(a), nan, infinite)


def isclose(x: Any, y: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether |x - y| <= atol + rtol * |y|, infinities being close to themselves."""
    a, b = promote("div", x, y)
    near = e.less_equal(e.abs(e.sub(a, b)), e.add(e.mul(e.abs(b), rtol), atol))
    near = e.bitwise_or(e.bitwise_and(near, e.isfinite(b)), e.equal(a, b))
    if evaluator().static(equal_nan, "equal_nan"):
        near = e.bitwise_or(near, e.bitwise_and(e.isnan(a), e.isnan(b)))
    return near


def allclose(x: Any, y: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all elements are close: a bool."""
    return elementwise.number(reductions.all(isclose(x, y, rtol, atol, equal_nan)))


def array_equal(x: Any, y: Any, equal_nan: Any = False) -> Any:
    """Whether two arrays have one shape and equal elements: a bool."""
    a, b = as_array(x), as_array(y)
    if rank_of(a) != rank_of(b):
        return False
    if any(isinstance(m, int) and isinstance(n, int) and m != n for m, n in zip(shape_of(a), shape_of(b), strict=True)):
        return False
    if any(m is not n and m != n for m, n in zip(shape_of(a), shape_of(b), strict=True)):
        raise TypeError("array_equal of arrays whose extents are known at run time only")
    same = comparisons.equal(a, b)
    if evaluator().static(equal_nan, "equal_nan"):
        same = e.bitwise_or(same, e.bitwise_and(comparisons.isnan(a), comparisons.isnan(b)))
    return elementwise.number(reductions.all(same))


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """For each place the choice of the first condition that holds there, else the default."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    if any(dtype_of_value(as_operand(c)) is not bool_ for c in condlist):
        raise TypeError("select takes conditions of bools")
    tensors = any(category(v) == "tensor" for v in (*choicelist, default))
    *choices, made = (promote if tensors else promote_wrapped)("select", *choicelist, default)
    dtype = next(dtype_of_value(v) for v in (*choices, made) if is_array(v))
    made, choices = as_array(made, dtype), [as_array(c, dtype) for c in choices]
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        made = e.select(as_array(condition), choice, made)
    return made


def angle(x: Any) -> Any:
    """The angle of a complex number."""
    if dtype_of_value(as_array(x)) is bool_:
        x = e.cast(as_array(x), dtype=i64)
    return elementwise.arctan2(elementwise.imag(x), elementwise.real(x))


def conjugate(x: Any) -> Any:
    """The complex conjugate (a copy where x is real; int8 of truth values)."""
    a = as_array(x)
    if dtype_of_value(a).kind == "c":
        return elementwise.conjugate(a)
    return e.cast(a, dtype=i8) if dtype_of_value(a) is bool_ else copying.copy(a)


def part_of(part: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`np.real` and `np.imag`: of a Python number a Python number, of a NumPy scalar a NumPy scalar."""

    def function(val: Any) -> Any:
        given = as_operand(val)
        kind = category(given)
        if kind == "complex":
            return (python_complex.complex_real if part is elementwise.real else python_complex.complex_imag)(given)
        if kind in ("int", "float"):
            return given if part is elementwise.real else 0 if kind == "int" else 0.0
        return part(as_array(given))

    return function


def scalar_type(dtype: DType) -> Callable[..., Any]:
    """What calling a NumPy scalar type (`np.float32(x)`) does."""

    def convert(x: Any = 0) -> Any:
        value = as_operand(x)
        if not is_array(value):
            value = elementwise.elements_for(value, creation.filled((), 0, dtype))
        return elementwise.astype(value, dtype)

    return convert


# --- reductions ---------------------------------------------------------------------------------------


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


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """The integral by trapezoids."""
    a = as_array(y)
    k = normal_axis(axis, rank_of(a))
    if x is not None:
        points = as_array(x)
        along = 0 if rank_of(points) == 1 else normal_axis(axis, rank_of(points))
        dx = arrangement.diff(points, axis=along)
        if rank_of(points) == 1:
            dx = s.expand_dims(dx, axis=tuple(range(1, rank_of(a) - k))) if k < rank_of(a) - 1 else dx
    between = dim_max(shape_of(a)[k] + -1, 0)
    sums = elementwise.add(shapes.slice_axis(a, k, 1, between), shapes.slice_axis(a, k, 0, between))
    return reductions.sum(elementwise.true_divide(elementwise.multiply(sums, dx), 2.0), k)


def reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    """`ufunc.reduce`: along the first axis, if no other is named."""

    def reduce(array: Any, axis: Any = 0, *, keepdims: Any = False) -> Any:
        return function(array, axis=axis, keepdims=keepdims)

    return reduce


def outer(function: Callable[..., Any]) -> Callable[..., Any]:
    """`ufunc.outer`: of every element of the one with every element of the other."""

    def apply(a: Any, b: Any) -> Any:
        x, y = as_array(a), as_array(b)
        new = tuple(range(rank_of(x), rank_of(x) + rank_of(y)))
        return function(s.expand_dims(x, axis=new) if new else x, y)

    return apply


def accumulation(function: Callable[..., Any]) -> Callable[..., Any]:
    """`ufunc.accumulate`: along the first axis, if no other is named."""

    def accumulate(array: Any, axis: Any = 0) -> Any:
        return function(array, axis=axis)

    return accumulate
