"""Elementwise library functions: arithmetic, comparisons, mathematical functions, selection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from jitcore.library.array import creation
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    NUMBERS,
    as_array,
    as_operand,
    category,
    dtype_of_value,
    evaluator,
    is_empty,
    meanings,
    numbered_text,
    promote,
    promote_elementwise,
    promote_wrapped,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import complex_functions, conversions, copying, python_floats, python_ints, python_scalars
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import DType, Shape, bool_, broadcast_shapes, f16, f32, f64, i8, i64, u64


def _binary(primitive: Primitive, name: str, doc: str) -> Callable[[Any, Any], Any]:
    kind = primitive.name

    def function(x: Any, y: Any) -> Any:
        a, b = promote_elementwise(kind, x, y)
        return primitive(a, b)

    return _named(function, name, doc)


def _unary(primitive: Primitive, name: str, doc: str) -> Callable[[Any], Any]:
    kind = primitive.name

    def function(x: Any) -> Any:
        (a,) = promote(kind, x)
        if name in complex_functions.DERIVATIVES and dtype_of_value(a).kind == "c":
            return complex_functions.complex_function(a, name=name)
        return primitive(a)

    return _named(function, name, doc)


def _named(function: Any, name: str, doc: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _no_bools(what: str, *values: Any) -> None:
    """NumPy has no arithmetic minus for truth values."""
    if all(dtype_of_value(v) is bool_ for v in values):
        raise TypeError(f"numpy boolean {what} are not supported on bool arrays; use logical_xor or logical_not")


add = _binary(e.add, "add", "`x + y`, elementwise.")
multiply = _binary(e.mul, "multiply", "`x * y`, elementwise.")
true_divide = _binary(e.div, "true_divide", "`x / y`, elementwise; of ints a float.")
floor_divide = _binary(e.floordiv, "floor_divide", "`x // y`, elementwise.")
remainder = _binary(e.mod, "remainder", "`x % y`, elementwise, with the sign of y.")
maximum = _binary(e.maximum, "maximum", "The larger of x and y, elementwise; NaN if either is.")
minimum = _binary(e.minimum, "minimum", "The smaller of x and y, elementwise; NaN if either is.")
copysign = _binary(e.copysign, "copysign", "The magnitude of x with the sign of y.")
arctan2 = _binary(t.atan2, "arctan2", "The angle of the point (y, x), in radians.")
bitwise_and = _binary(e.bitwise_and, "bitwise_and", "`x & y`, elementwise.")
bitwise_or = _binary(e.bitwise_or, "bitwise_or", "`x | y`, elementwise.")
bitwise_xor = _binary(e.bitwise_xor, "bitwise_xor", "`x ^ y`, elementwise.")
left_shift = _binary(e.left_shift, "left_shift", "`x << y`, elementwise.")
right_shift = _binary(e.right_shift, "right_shift", "`x >> y`, elementwise.")
sign = _unary(e.sign, "sign", "-1, 0 or 1 by the sign of x; NaN of NaN.")
exp = _unary(t.exp, "exp", "e to the power of x.")
expm1 = _unary(t.expm1, "expm1", "e to the power of x, minus 1, exact near 0.")
log = _unary(t.log, "log", "The natural logarithm.")
log1p = _unary(t.log1p, "log1p", "The natural logarithm of 1 + x, exact near 0.")
sqrt = _unary(t.sqrt, "sqrt", "The square root; NaN of negative numbers.")
sin = _unary(t.sin, "sin", "The sine of x, in radians.")
cos = _unary(t.cos, "cos", "The cosine of x, in radians.")
tan = _unary(t.tan, "tan", "The tangent of x, in radians.")
arcsin = _unary(t.asin, "arcsin", "The inverse of the sine.")
arccos = _unary(t.acos, "arccos", "The inverse of the cosine.")
arctan = _unary(t.atan, "arctan", "The inverse of the tangent.")
sinh = _unary(t.sinh, "sinh", "The hyperbolic sine.")
cosh = _unary(t.cosh, "cosh", "The hyperbolic cosine.")
tanh = _unary(t.tanh, "tanh", "The hyperbolic tangent.")
arcsinh = _unary(t.asinh, "arcsinh", "The inverse of the hyperbolic sine.")
arccosh = _unary(t.acosh, "arccosh", "The inverse of the hyperbolic cosine.")
arctanh = _unary(t.atanh, "arctanh", "The inverse of the hyperbolic tangent.")
sigmoid = _unary(t.sigmoid, "sigmoid", "1 / (1 + exp(-x)).")
erf = _unary(t.erf, "erf", "The error function.")
floor = _unary(e.floor, "floor", "The largest whole number not above x.")
ceil = _unary(e.ceil, "ceil", "The smallest whole number not below x.")
trunc = _unary(e.trunc, "trunc", "The whole part of x.")
rint = _unary(e.rint, "rint", "The nearest whole number, ties to even.")
invert = _unary(e.bitwise_not, "invert", "`~x`, elementwise.")


def subtract(x: Any, y: Any) -> Any:
    """`x - y`, elementwise. Raises TypeError for two bool arrays, as NumPy."""
    x, y = as_operand(x), as_operand(y)
    _no_bools("subtract, the `-` operator,", x, y)
    a, b = promote_elementwise("sub", x, y)
    return e.sub(a, b)


def negative(x: Any) -> Any:
    """`-x`, elementwise. Raises TypeError for a bool array, as NumPy."""
    x = as_operand(x)
    _no_bools("negative, the `-` operator,", x)
    (a,) = promote("neg", x)
    return e.neg(a)


def positive(x: Any) -> Any:
    """`+x`: a copy. Raises TypeError for a bool array, as NumPy."""
    x = as_operand(x)
    if category(x) != "tensor":
        _no_bools("positive, the `+` operator,", x)
    return copy(x)


def absolute(x: Any) -> Any:
    """`abs(x)`, elementwise."""
    (a,) = promote("abs", x)
    return hypot(e.real(a), e.imag(a)) if dtype_of_value(a).kind == "c" else e.abs(a)


def power(x: Any, y: Any) -> Any:
    """`x ** y`, elementwise. Raises ValueError for a negative integer power of integers, as NumPy."""
    if type(y) is int and y == 2 and dtype_of_value(as_operand(x)).kind == "c":
        return square(x)
    a, b = promote_elementwise("pow", x, y)
    common = dtype_of_value(b if category(a) in NUMBERS else a)
    if common.kind == "c":
        return complex_functions.power(as_array(a, common), as_array(b, common), y)
    if "i" == dtype_of_value(a).kind == dtype_of_value(b).kind:
        if meanings(x, y).powers_of_ints_are_ints:
            return _whole_power(a, b)
        _require_no_negative(a, b, y)
    return e.pow(a, b)


def _whole_power(base: object, exponent: object) -> Any:
    """A power of ints by MindSpore's rules: rounded towards zero for negative exponents, the smallest int for a base of
    0."""
    dtype = dtype_of_value(exponent if type(base) is int else base)
    base, exponent = as_array(base, dtype), as_array(exponent, dtype)
    lowest, zero, one, less = (as_array(n, dtype) for n in (-(2 ** (8 * dtype.itemsize - 1)), 0, 1, -1))
    of_minus_one = e.select(e.equal(e.bitwise_and(exponent, one), zero), one, less)
    rest = e.select(e.equal(base, zero), lowest, zero)
    inverse = e.select(e.equal(base, one), one, e.select(e.equal(base, less), of_minus_one, rest))
    return e.select(e.less(exponent, zero), inverse, e.pow(base, e.maximum(exponent, zero)))


def _require_no_negative(base: Any, exponent: Any, given: Any) -> None:
    """Raise ValueError if an exponent of ints is negative, unless there are no elements."""
    message = "Integers to negative integer powers are not allowed."
    none = is_empty(base, exponent)
    if none is True or (type(given) in (int, bool) and given >= 0):
        return
    if type(given) is not int:
        axes = tuple(range(len(shape_of(exponent))))
        valid = r.reduce_all(e.greater_equal(exponent, 0), axis=axes, keepdims=False)
        valid = valid if none is False else e.bitwise_or(valid, as_array(none, bool_))
        conversions.check(conversions.to_scalar(valid), exception="ValueError", message=message)
    elif none is False:
        raise ValueError(message)
    else:
        conversions.check(none, exception="ValueError", message=message)


def raised(x: Any, y: Any) -> Any:
    """What the operator `x ** y` means: of NumPy's arrays, whose squares it has an own way for, their squares of truth
    values are int8."""
    if type(y) is int and y == 2 and dtype_of_value(as_operand(x)) is bool_ and category(as_operand(x)) == "ndarray":
        return square(x)
    return power(x, y)


def square(x: Any) -> Any:
    """x * x; of truth values int8."""
    (a,) = promote("mul", x)
    if dtype_of_value(a) is bool_ and category(a) != "tensor":
        a = e.cast(a, dtype=i8)
    return e.mul(a, a)


def reciprocal(x: Any) -> Any:
    """1 / x."""
    return true_divide(1, x)


def rounded_once(function: Callable[..., Any], *operands: object) -> Any:
    """A function made of several operations, of arrays of one dtype: of halves it is computed in 32 bits."""
    if dtype_of_value(operands[0]) is not f16:
        return function(*operands)
    return e.cast(function(*(e.cast(a, dtype=f32) for a in operands)), dtype=f16)


def rsqrt(x: Any) -> Any:
    """1 / sqrt(x)."""
    (a,) = promote("sqrt", x)
    return rounded_once(lambda x: e.div(1, t.sqrt(x)), a)


def log2(x: Any) -> Any:
    """The logarithm to base 2."""
    return _logarithm("log2", 2, 1.4426950408889634, x)


def log10(x: Any) -> Any:
    """The logarithm to base 10."""
    return _logarithm("log10", 10, 0.4342944819032518, x)


def _logarithm(name: str, base: int, scale: float, x: Any) -> Any:
    """The logarithm to a base, exact for the base's powers: what is made of it is often rounded down."""
    (a,) = promote("log", x)
    if dtype_of_value(a).kind == "c":
        return complex_functions.complex_function(a, name=name)
    return rounded_once(lambda x: _real_logarithm(base, scale, x), a)


def _scaled(x: object, scale: float) -> Any:
    """x * scale; of singles in 64 bits, for the rounding of the scale would add to that of x."""
    if dtype_of_value(x) is not f32:
        return e.mul(x, scale)
    return e.cast(e.mul(e.cast(x, dtype=f64), scale), dtype=f32)


def _real_logarithm(base: int, scale: float, a: object) -> Any:
    near = _scaled(t.log(a), scale)
    whole = e.rint(e.stop_gradient(near))
    power = e.pow(as_array(base, dtype_of_value(a)), e.abs(whole))
    power = e.select(e.less(whole, 0), e.div(1, power), power)
    is_power = e.bitwise_and(e.equal(power, a), e.isfinite(near))
    return e.select(is_power, e.add(whole, e.sub(near, e.stop_gradient(near))), near)


def hypot(x: Any, y: Any) -> Any:
    """sqrt(x*x + y*y), without needless overflow."""
    return rounded_once(_hypotenuse, *promote("div", x, y))


def _hypotenuse(a: object, b: object) -> Any:
    a, b = e.abs(a), e.abs(b)
    large, small = e.maximum(a, b), e.minimum(a, b)
    ratio = e.div(small, e.select(e.equal(large, 0), 1, large))
    finite = e.mul(large, t.sqrt(e.add(e.mul(ratio, ratio), 1)))
    return e.select(e.bitwise_or(e.isinf(a), e.isinf(b)), float("inf"), finite)


def truth(x: Any) -> Any:
    """Whether x is not zero, elementwise: a bool array."""
    a = as_array(x)
    return a if dtype_of_value(a) is bool_ else e.cast(a, dtype=bool_)


def logical_and(x: Any, y: Any) -> Any:
    """`x and y` of truth values, elementwise."""
    return e.bitwise_and(truth(x), truth(y))


def logical_or(x: Any, y: Any) -> Any:
    """`x or y` of truth values, elementwise."""
    return e.bitwise_or(truth(x), truth(y))


def logical_xor(x: Any, y: Any) -> Any:
    """Whether just one of x and y is true, elementwise."""
    return e.bitwise_xor(truth(x), truth(y))


def logical_not(x: Any) -> Any:
    """`not x`, elementwise."""
    return e.bitwise_not(truth(x))


def where(condition: Any, x: Any, y: Any) -> Any:
    """x where the condition holds, else y; all three broadcast."""
    to_arrays = promote_elementwise if "tensor" in map(category, (condition, x, y)) else promote_wrapped
    a, b = to_arrays("select", x, y)
    return e.select(truth(condition), a, b)


def clip(x: Any, low: Any = None, high: Any = None) -> Any:
    """x, but not below `low` and not above `high` (None: no bound)."""
    out = as_array(x)
    if category(x) != "tensor" and dtype_of_value(out).is_integer:
        low, high = _bound_within(low, out, least=True), _bound_within(high, out, least=False)
    if low is not None:
        out = _bounded(e.less, "maximum", out, low)
    if high is not None:
        out = _bounded(e.greater, "minimum", out, high)
    return out


def _bound_within(bound: Any, x: Any, *, least: bool) -> Any:
    """An int that bounds the elements of an array of ints; where all elements are beyond it, what does not bound
    them."""
    if category(bound) != "int":
        return bound
    limits = np.iinfo(cast("Any", dtype_of_value(x).numpy))
    limit = int(limits.min if least else limits.max)
    if type(bound) is int:
        return None if (bound <= limit if least else bound >= limit) else bound
    if not -(2**63) <= limit < 2**63:
        return bound
    return (python_ints.int_max if least else python_ints.int_min)(bound, limit)


def _bounded(beyond: Primitive, kind: str, x: Any, bound: Any) -> Any:
    """x, or the bound where x is beyond it or the bound is NaN. (A zero stays what it is, -0.0 as well.)"""
    a, b = promote_elementwise(kind, x, bound)
    if not dtype_of_value(a).is_float:
        return (e.maximum if kind == "maximum" else e.minimum)(a, b)
    if isinstance(b, int | float) and b == b:
        return e.select(beyond(a, b), b, a)
    b = as_array(b, dtype_of_value(a))
    return e.select(e.bitwise_or(beyond(a, b), e.isnan(b)), b, a)


def number(x: Any) -> Any:
    """An array of rank 0 as a Python number. Raises OverflowError for a uint64 past 63 bits."""
    if dtype_of_value(x) is not u64:
        return conversions.to_scalar(x)
    made = conversions.to_scalar(e.cast(x, dtype=i64))
    message = "a uint64 is past 64 bits as a Python int"
    conversions.check(python_ints.int_ge(made, 0), exception="OverflowError", message=message)
    return made


def astype(x: Any, dtype: Any, copy: bool = True) -> Any:
    """x with its elements converted; without `copy`, x itself where it has the dtype already."""
    wanted = as_dtype(dtype)
    a = as_operand(x)
    if category(a) in NUMBERS:
        return e.cast(as_array(a), dtype=wanted)
    if dtype_of_value(a) is wanted:
        return copying.copy(a) if copy else a
    return e.cast(a, dtype=wanted)


def copy(x: Any) -> Any:
    """A new array with the elements of x."""
    return copying.copy(as_array(x))


def real(x: Any) -> Any:
    """The real part."""
    a = as_array(x)
    return e.real(a) if dtype_of_value(a).kind == "c" else a


def imag(x: Any) -> Any:
    """The imaginary part."""
    a = as_array(x)
    if dtype_of_value(a).kind == "c":
        return e.imag(a)
    return creation.zeros_like(a)


def conjugate(x: Any) -> Any:
    """The complex conjugate; x itself where it is real."""
    a = as_array(x)
    return e.make_complex(e.real(a), e.neg(e.imag(a))) if dtype_of_value(a).kind == "c" else a


def stop_gradient(x: Any) -> Any:
    """x, but as a constant for gradients."""
    return e.stop_gradient(as_array(x))


def round_(x: Any, decimals: Any = 0) -> Any:
    """x rounded to a number of decimals, ties to even."""
    places = static_int(decimals, "the number of decimals")
    a = as_array(x)
    if dtype_of_value(a).is_integer and places >= 0:
        return copying.copy(a)
    if places == 0:
        return rint(a)
    if dtype_of_value(a).is_integer and category(a) != "tensor":  # computed in floats, as in NumPy
        return e.cast(round_(e.cast(a, dtype=f64), decimals), dtype=dtype_of_value(a))
    scale = 10.0 ** abs(places)
    (a,) = promote("rint", a)
    return e.div(e.rint(e.mul(a, scale)), scale) if places > 0 else e.mul(e.rint(e.div(a, scale)), scale)


def assign(target: Any, value: Any) -> Any:
    """Write `value`, converted to the target's dtype and broadcast to its shape, into `target`; gives `target`."""
    new = stored(value, target)
    want, given = shape_of(target), shape_of(new)
    if len(given) > len(want) and all(n == 1 for n in given[: len(given) - len(want)]):  # which NumPy strips
        given = given[len(given) - len(want) :]
        new = s.reshape(new, shape=given)
    if want != given:
        _require_fits(given, want)
        new = s.broadcast_to(new, shape=want)
    evaluator().write(target, new)
    return target


def stored(value: Any, target: Any) -> Any:
    """As `elements_for`, where elements are written one by one or all by one value: NumPy converts its own scalars to
    Python numbers then, and what a signed dtype does not hold raises OverflowError. Written at arrays of indices they
    wrap."""
    dtype = dtype_of_value(target)
    if category(target) == "tensor" or category(value) != "npscalar" or dtype.kind != "i":
        return elements_for(value, target)
    return scalar_for(value, dtype)


def scalar_for(value: Any, dtype: Any) -> Any:
    """A NumPy scalar as an element of a signed dtype; OverflowError if that does not hold it."""
    own = dtype_of_value(value)
    if own.kind == "f":
        return as_array(python_floats.float_to_int(conversions.to_scalar(as_array(value, f64))), dtype)
    if own.kind not in "iu" or np.can_cast(own.numpy, dtype.numpy):
        return as_array(value, dtype)
    number = conversions.to_scalar(as_array(value, i64))
    if own is u64:
        message = "Python int too large to convert to C long"
        conversions.check(python_scalars.int_ge(number, 0), exception="OverflowError", message=message)
    return as_array(number, dtype)


def elements_for(value: Any, target: Any) -> Any:
    """A value as an array of the dtype of what it is assigned to. As in NumPy, Python numbers given to an ndarray are
    converted by `int(x)` and the like, which may raise."""
    dtype, kind = dtype_of_value(target), category(value)
    if category(target) == "tensor":
        return as_array(value, dtype)
    if isinstance(value, list | tuple):
        return evaluator().constant(value, dtype)
    if dtype.is_integer and kind == "npscalar" and dtype_of_value(value) is f64:
        return as_array(python_floats.float_to_int(conversions.to_scalar(value)), dtype)
    return element_of(value, dtype)


def element_of(value: Any, dtype: DType) -> Any:
    """A Python number (or an array) as an element of a dtype, converted by `int(x)` and the like, which may raise."""
    kind = category(value)
    if kind == "complex" and dtype.kind != "c":
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    if kind == "float" and dtype.is_integer:
        return as_array(python_floats.float_to_int(value), dtype)
    return as_array(value, dtype)


def _require_fits(given: Any, want: Any) -> None:
    def message(a: Any, b: Any) -> str:
        shapes = numbered_text(given, a, b), numbered_text(want, a, b)
        return "could not broadcast input array from shape {} into shape {}".format(*shapes)

    if len(given) > len(want):
        raise ValueError(message(0, 0))
    try:
        out, checks = broadcast_shapes(given, want)
    except ValueError:
        raise ValueError(message(0, 0)) from None
    for a, b in [*checks, *zip(out, want, strict=True)]:
        require_equal(a, b, message(a, b))


def update(target: Any, value: Any) -> Any:
    """What `target op= operand` does with the result of the operation. TypeError if its kind of dtype does not fit."""
    _require_kind(dtype_of_value(value), dtype_of_value(target))
    _require_output(shape_of(value), shape_of(target))
    return assign(target, value)


def replace(target: Any, value: Any) -> Any:
    """Write `value` into `target`, as assigning to an attribute that is a Parameter does. TypeError if its kind of
    dtype does not fit."""
    _require_kind(dtype_of_value(value), dtype_of_value(target))
    return assign(target, value)


def _require_kind(have: DType, want: DType) -> None:
    if not np.can_cast(have.numpy, want.numpy, "same_kind"):
        raise TypeError(f"Cannot cast the result from {have.numpy!r} to {want.numpy!r} with casting rule 'same_kind'")


def _require_output(given: Shape, out: Shape) -> None:
    """Raise ValueError unless a result of the shape `given` can be broadcast into an output."""

    def message(a: Any, b: Any) -> str:
        shapes = numbered_text(out, a, b), numbered_text(given, a, b)
        return "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}".format(*shapes)

    if len(given) > len(out):
        raise ValueError(message(0, 0))
    for have, want in zip(reversed(given), reversed(out), strict=False):
        if have != 1:
            require_equal(want, have, message(want, have))


def assign_add(target: Any, value: Any) -> Any:
    """`target += value`, in place."""
    return assign(target, add(target, value))


def assign_sub(target: Any, value: Any) -> Any:
    """`target -= value`, in place."""
    return assign(target, subtract(target, value))
