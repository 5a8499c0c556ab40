"""The standard's elementwise functions: of arrays that broadcast, and of Python numbers beside them.

    >>> import jitcore.numpy as xp
    >>> x = xp.asarray([1, -2, 3], dtype=xp.int8)
    >>> print(xp.add(x, 1), xp.abs(x), xp.less(x, 0))
    [ 2 -1  4] [1 2 3] [False  True False]

Functions of floats take ints as float32. Raises TypeError for dtypes that a function is not defined for, ValueError
for shapes that do not broadcast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library import tables
from jitcore.library.core.marking import library
from jitcore.library.core.values import as_array, dtype_of_value
from jitcore.library.math import comparisons, ufuncs
from jitcore.library.math import elementwise as e
from jitcore.numpy.arguments import Array, Operand
from jitcore.numpy.declaring import published
from jitcore.primitives.ops.elementwise import make_complex


def _unary(name: str, function: Callable[[Any], Any], doc: str) -> Callable[[Array], Any]:
    def call(x: Array, /) -> Any:
        return function(x)

    return published(call, name, doc)


def _binary(name: str, function: Callable[[Any, Any], Any], doc: str) -> Callable[[Operand, Operand], Any]:
    def call(x1: Operand, x2: Operand, /) -> Any:
        return function(x1, x2)

    return published(call, name, doc, operands=True)


def _sign(x: Array) -> Any:
    a = as_array(x)
    if dtype_of_value(a).kind != "c":
        return e.sign(a)
    zero = comparisons.equal(a, 0)
    return e.where(zero, 0, e.true_divide(a, e.where(zero, 1.0, e.absolute(a))))


# --- arithmetic -------------------------------------------------------------------------------------------

add = _binary("add", e.add, "x1 + x2.")
subtract = _binary("subtract", e.subtract, "x1 - x2. Raises TypeError for two bool arrays.")
multiply = _binary("multiply", e.multiply, "x1 * x2.")
divide = _binary("divide", e.true_divide, "x1 / x2; of ints as float32.")
floor_divide = _binary("floor_divide", e.floor_divide, "x1 / x2, rounded down.")
remainder = _binary("remainder", e.remainder, "What is left of x1 / x2 rounded down; with the sign of x2.")
pow = _binary(
    "pow", e.power, "x1 to the power of x2. Raises ValueError for an integer to the power of a negative integer."
)
negative = _unary("negative", e.negative, "-x. Raises TypeError for a bool array.")
positive = _unary("positive", e.positive, "+x: a copy.")
abs = _unary("abs", e.absolute, "The magnitude of x; of complex numbers a real number.")
sign = _unary("sign", _sign, "-1, 0 or 1 by the sign of x; of complex numbers x / abs(x), 0 of 0.")
square = _unary("square", e.square, "x * x.")
reciprocal = _unary("reciprocal", ufuncs.reciprocal, "1 / x.")
sqrt = _unary("sqrt", e.sqrt, "The square root; NaN of negative numbers that are not complex.")
hypot = _binary("hypot", e.hypot, "sqrt(x1 * x1 + x2 * x2), without needless overflow.")
maximum = _binary("maximum", e.maximum, "The larger of x1 and x2; NaN if either is.")
minimum = _binary("minimum", e.minimum, "The smaller of x1 and x2; NaN if either is.")
copysign = _binary("copysign", e.copysign, "The magnitude of x1 with the sign of x2.")
signbit = _unary("signbit", ufuncs.signbit, "Whether the sign bit is set: of negative numbers, and of -0.0.")
nextafter = _binary(
    "nextafter",
    tables.NUMPY_FUNCTIONS[np.nextafter],
    "The number of the dtype that is next to x1 in the direction of x2.",
)
conj = _unary("conj", e.conjugate, "The complex conjugate; x itself where it is real.")
real = _unary("real", e.real, "The real part; x itself where it is real.")
imag = _unary("imag", e.imag, "The imaginary part; zeros where x is real.")

# --- rounding ---------------------------------------------------------------------------------------------

ceil = _unary("ceil", e.ceil, "The smallest whole number not below x, of x's dtype.")
floor = _unary("floor", e.floor, "The largest whole number not above x, of x's dtype.")
trunc = _unary("trunc", e.trunc, "The whole part of x, of x's dtype.")


@library("tensor")
def round(x: Array, /, decimals: int = 0) -> Any:
    """x rounded to the nearest number of `decimals` places, of x's dtype; ties go to the even one; of
    complex numbers, each part.

    >>> import jitcore.numpy as xp
    >>> print(xp.round(xp.asarray([0.5, 1.5, -2.6])))
    [ 0.  2. -3.]
    """
    a = as_array(x)
    if dtype_of_value(a).kind != "c":
        return e.round_(a, decimals)
    return make_complex(e.round_(e.real(a), decimals), e.round_(e.imag(a), decimals))


@library("tensor")
def clip(
    x: Array,
    /,
    min: Operand | None = None,
    max: Operand | None = None,
    *,
    a_min: Operand | None = None,
    a_max: Operand | None = None,
) -> Any:
    """x, but not below `min` and not above `max` (None: no bound), which broadcast; `a_min` and `a_max` are NumPy's
    names of these.

    >>> import jitcore.numpy as xp
    >>> print(xp.clip(xp.asarray([-1, 5, 9]), 0, 6))
    [0 5 6]
    """
    return e.clip(x, a_min if min is None else min, a_max if max is None else max)


# --- exponentials, logarithms, angles ---------------------------------------------------------------------

exp = _unary("exp", e.exp, "e to the power of x.")
expm1 = _unary("expm1", e.expm1, "e to the power of x, minus 1, exact near 0.")
log = _unary("log", e.log, "The natural logarithm; NaN of negative numbers that are not complex.")
log1p = _unary("log1p", e.log1p, "The natural logarithm of 1 + x, exact near 0.")
log2 = _unary("log2", e.log2, "The logarithm to the base 2.")
log10 = _unary("log10", e.log10, "The logarithm to the base 10.")
logaddexp = _binary("logaddexp", ufuncs.logaddexp, "log(exp(x1) + exp(x2)), without overflow.")
sin = _unary("sin", e.sin, "The sine of x, in radians.")
cos = _unary("cos", e.cos, "The cosine of x, in radians.")
tan = _unary("tan", e.tan, "The tangent of x, in radians.")
asin = _unary("asin", e.arcsin, "The angle, in radians, whose sine is x.")
acos = _unary("acos", e.arccos, "The angle, in radians, whose cosine is x.")
atan = _unary("atan", e.arctan, "The angle, in radians, whose tangent is x.")
atan2 = _binary("atan2", e.arctan2, "The angle of the point (x2, x1), in radians from -pi to pi.")
sinh = _unary("sinh", e.sinh, "The hyperbolic sine.")
cosh = _unary("cosh", e.cosh, "The hyperbolic cosine.")
tanh = _unary("tanh", e.tanh, "The hyperbolic tangent.")
asinh = _unary("asinh", e.arcsinh, "The number whose hyperbolic sine is x.")
acosh = _unary("acosh", e.arccosh, "The number whose hyperbolic cosine is x.")
atanh = _unary("atanh", e.arctanh, "The number whose hyperbolic tangent is x.")

# --- bits, truth, order -----------------------------------------------------------------------------------

bitwise_and = _binary("bitwise_and", e.bitwise_and, "x1 & x2, of ints or bools.")
bitwise_or = _binary("bitwise_or", e.bitwise_or, "x1 | x2, of ints or bools.")
bitwise_xor = _binary("bitwise_xor", e.bitwise_xor, "x1 ^ x2, of ints or bools.")
bitwise_invert = _unary("bitwise_invert", e.invert, "~x, of ints or bools.")
bitwise_left_shift = _binary("bitwise_left_shift", e.left_shift, "x1 << x2, of ints.")
bitwise_right_shift = _binary("bitwise_right_shift", e.right_shift, "x1 >> x2, of ints; the sign is kept.")
logical_and = _binary("logical_and", e.logical_and, "Whether both are true.")
logical_or = _binary("logical_or", e.logical_or, "Whether one of both is true.")
logical_xor = _binary("logical_xor", e.logical_xor, "Whether just one of both is true.")
logical_not = _unary("logical_not", e.logical_not, "Whether x is not true.")
equal = _binary("equal", comparisons.equal, "x1 == x2.")
not_equal = _binary("not_equal", comparisons.not_equal, "x1 != x2.")
less = _binary("less", comparisons.less, "x1 < x2.")
less_equal = _binary("less_equal", comparisons.less_equal, "x1 <= x2.")
greater = _binary("greater", comparisons.greater, "x1 > x2.")
greater_equal = _binary("greater_equal", comparisons.greater_equal, "x1 >= x2.")
isfinite = _unary("isfinite", comparisons.isfinite, "Whether x is neither NaN nor infinite.")
isinf = _unary("isinf", comparisons.isinf, "Whether x is infinite; of a complex number, whether a part of it is.")
isnan = _unary("isnan", comparisons.isnan, "Whether x is NaN; of a complex number, whether a part of it is.")
