"""Comparing library functions: `==`, `<` and the like, and what a float is (NaN, an infinity, finite)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore.library.core.values import as_array, as_operand, category, dtype_of_value, promote, promote_elementwise
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import elementwise as e
from jitcore.types import bool_, i64, u64

_ORDER: Final = {"less": -1, "less_equal": -1, "greater": 1, "greater_equal": 1}
"""What the first operand must be for the answer to be true: -1 the smaller, 1 the larger."""


def _comparison(primitive: Primitive, symbol: str) -> Callable[[Any, Any], Any]:
    def function(x: Any, y: Any) -> Any:
        x, y = as_operand(x), as_operand(y)
        if (decided := _beyond(primitive, x, y)) is not None:
            return decided
        if _is_unsigned(x) and _is_signed(y):
            return _by_sign(primitive, x, as_array(y, _own(y)), 1)
        if _is_signed(x) and _is_unsigned(y):
            return _by_sign(primitive, as_array(x, _own(x)), y, -1)
        if primitive.name in _ORDER and "c" in (dtype_of_value(x).kind, dtype_of_value(y).kind):
            return _of_complex(primitive, x, y)
        a, b = promote_elementwise(primitive.name, x, y)
        return primitive(a, b)

    function.__name__ = function.__qualname__ = primitive.name
    function.__doc__ = f"`x {symbol} y`, elementwise; integers by value whatever their dtypes."
    return function


def _beyond(primitive: Primitive, x: Any, y: Any) -> Any:
    """The comparison of an array of ints with an int that no int dtype holds, which its sign decides; None for
    others."""
    for array, number, larger in ((x, y, 1), (y, x, -1)):
        if type(number) is not int or type(array) is int or category(array) == "tensor":
            continue
        dtype = dtype_of_value(array)
        if not (dtype.is_integer or dtype is bool_) or -(1 << 63) <= number < 1 << (64 if dtype is u64 else 63):
            continue
        side = larger if number < 0 else -larger  # 1 if x is the larger one
        holds = primitive is e.not_equal or _ORDER.get(primitive.name) == side
        return e.equal(as_array(array), as_array(array)) if holds else e.not_equal(as_array(array), as_array(array))
    return None


def _is_unsigned(value: Any) -> bool:
    return dtype_of_value(value) is u64


def _is_signed(value: Any) -> bool:
    """Whether a value is an integer that may be negative."""
    return value < 0 if type(value) is int else dtype_of_value(value).kind == "i"


def _own(value: Any) -> Any:
    return i64 if category(value) == "int" else None


def _by_sign(primitive: Primitive, x: Any, y: Any, larger: int) -> Any:
    """A comparison of a uint64 with a signed integer: `larger` is 1 if x is the unsigned one, else -1. No dtype holds
    both."""
    signed = y if larger == 1 else x
    negative = e.less(signed, 0)
    unsigned = e.cast(signed, dtype=u64)
    as_unsigned = primitive(x, unsigned) if larger == 1 else primitive(unsigned, y)
    if primitive is e.not_equal or _ORDER.get(primitive.name) == larger:
        return e.bitwise_or(negative, as_unsigned)
    return e.bitwise_and(e.bitwise_not(negative), as_unsigned)


def _of_complex(primitive: Primitive, x: Any, y: Any) -> Any:
    """NumPy's order of complex numbers: by the real parts, then the imaginary ones; none where a part of either is
    NaN."""
    a, b = promote("add", x, y)
    strict = e.less if _ORDER[primitive.name] < 0 else e.greater
    ordered = e.bitwise_not(e.bitwise_or(e.isnan(e.imag(a)), e.isnan(e.imag(b))))
    first = e.bitwise_and(strict(e.real(a), e.real(b)), ordered)
    second = e.bitwise_and(e.equal(e.real(a), e.real(b)), primitive(e.imag(a), e.imag(b)))
    return e.bitwise_or(first, second)


equal = _comparison(e.equal, "==")
not_equal = _comparison(e.not_equal, "!=")
less = _comparison(e.less, "<")
less_equal = _comparison(e.less_equal, "<=")
greater = _comparison(e.greater, ">")
greater_equal = _comparison(e.greater_equal, ">=")


def _test(primitive: Primitive, join: Primitive, doc: str) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        (a,) = promote(primitive.name, x)
        if dtype_of_value(a).kind == "c":
            return join(primitive(e.real(a)), primitive(e.imag(a)))
        return primitive(a)

    function.__name__ = function.__qualname__ = primitive.name
    function.__doc__ = doc
    return function


isnan = _test(e.isnan, e.bitwise_or, "Whether x is NaN; of a complex number, whether a part of it is.")
isinf = _test(e.isinf, e.bitwise_or, "Whether x is an infinity; of a complex number, whether a part of it is.")
isfinite = _test(e.isfinite, e.bitwise_and, "Whether x is neither NaN nor an infinity.")
