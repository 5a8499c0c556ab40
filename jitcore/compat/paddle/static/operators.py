"""Operators of Variables, as the functions that are recorded for them: `OPERATORS` by the methods' names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore.compat.paddle.tensor import Tensor

OPERATORS: Final[dict[str, Callable[..., Any]]] = {}


def _operator(function: Callable[..., Any]) -> Callable[..., Any]:
    OPERATORS[f"__{function.__name__.strip('_')}__"] = function
    return function


@_operator
def add(x: Tensor, y: Tensor) -> Any:
    """`x + y`."""
    return x + y


@_operator
def radd(x: Tensor, y: Tensor) -> Any:
    """`y + x`."""
    return y + x


@_operator
def sub(x: Tensor, y: Tensor) -> Any:
    """`x - y`."""
    return x - y


@_operator
def rsub(x: Tensor, y: Tensor) -> Any:
    """`y - x`."""
    return y - x


@_operator
def mul(x: Tensor, y: Tensor) -> Any:
    """`x * y`."""
    return x * y


@_operator
def rmul(x: Tensor, y: Tensor) -> Any:
    """`y * x`."""
    return y * x


@_operator
def truediv(x: Tensor, y: Tensor) -> Any:
    """`x / y`."""
    return x / y


@_operator
def rtruediv(x: Tensor, y: Tensor) -> Any:
    """`y / x`."""
    return y / x


@_operator
def floordiv(x: Tensor, y: Tensor) -> Any:
    """`x // y`."""
    return x // y


@_operator
def rfloordiv(x: Tensor, y: Tensor) -> Any:
    """`y // x`."""
    return y // x


@_operator
def mod(x: Tensor, y: Tensor) -> Any:
    """`x % y`."""
    return x % y


@_operator
def rmod(x: Tensor, y: Tensor) -> Any:
    """`y % x`."""
    return y % x


@_operator
def pow(x: Tensor, y: Tensor) -> Any:
    """`x ** y`."""
    return x**y


@_operator
def rpow(x: Tensor, y: Tensor) -> Any:
    """`y ** x`."""
    return y**x


@_operator
def matmul(x: Tensor, y: Tensor) -> Any:
    """`x @ y`."""
    return x @ y


@_operator
def rmatmul(x: Tensor, y: Tensor) -> Any:
    """`y @ x`."""
    return y @ x


@_operator
def and_(x: Tensor, y: Tensor) -> Any:
    """`x & y`."""
    return x & y


@_operator
def rand(x: Tensor, y: Tensor) -> Any:
    """`y & x`."""
    return y & x


@_operator
def or_(x: Tensor, y: Tensor) -> Any:
    """`x | y`."""
    return x | y


@_operator
def ror(x: Tensor, y: Tensor) -> Any:
    """`y | x`."""
    return y | x


@_operator
def xor(x: Tensor, y: Tensor) -> Any:
    """`x ^ y`."""
    return x ^ y


@_operator
def rxor(x: Tensor, y: Tensor) -> Any:
    """`y ^ x`."""
    return y ^ x


@_operator
def eq(x: Tensor, y: Tensor) -> Any:
    """`x == y`."""
    return x == y


@_operator
def ne(x: Tensor, y: Tensor) -> Any:
    """`x != y`."""
    return x != y


@_operator
def lt(x: Tensor, y: Tensor) -> Any:
    """`x < y`."""
    return x < y


@_operator
def le(x: Tensor, y: Tensor) -> Any:
    """`x <= y`."""
    return x <= y


@_operator
def gt(x: Tensor, y: Tensor) -> Any:
    """`x > y`."""
    return x > y


@_operator
def ge(x: Tensor, y: Tensor) -> Any:
    """`x >= y`."""
    return x >= y


@_operator
def neg(x: Tensor) -> Any:
    """`-x`."""
    return -x


@_operator
def invert(x: Tensor) -> Any:
    """`~x`."""
    return ~x


@_operator
def pos(x: Tensor) -> Any:
    """`+x`."""
    return +x


@_operator
def abs_(x: Tensor) -> Any:
    """`abs(x)`."""
    return abs(x)


@_operator
def getitem(x: Tensor, index: object) -> Any:
    """`x[index]`."""
    return x[index]


@_operator
def setitem(x: Tensor, index: object, value: Tensor) -> None:
    """`x[index] = value`."""
    x[index] = value
