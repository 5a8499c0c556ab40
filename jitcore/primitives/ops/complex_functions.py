"""Elementwise functions of complex arrays: the C library's in kernels, as in NumPy; the others NumPy computes on the
host."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from jitcore.primitives.core.registry import HostCode, Partials, Primitive, Sample, declare
from jitcore.primitives.core.rules import array, require_kind
from jitcore.primitives.core.sampling import mixed
from jitcore.primitives.core.scalar_operations import scalar_operation
from jitcore.primitives.ops import elementwise as e
from jitcore.types import TensorType, Type, c64, c128


def complex_function(x: Any, *, name: str) -> Any:
    """NumPy's function `name`, one of `DERIVATIVES`, of a complex array."""
    primitive = IN_KERNELS.get(name)
    return primitive(x) if primitive is not None else host_function(x, name=name)


def _of(name: str, x: Any) -> Any:
    return complex_function(x, name=name)


def _squares(sign: int, x: Any) -> Any:
    """1 + x² or 1 - x²."""
    return (e.add if sign > 0 else e.sub)(1, e.mul(x, x))


DERIVATIVES: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "exp": lambda out, x: out,
    "exp2": lambda out, x: e.mul(math.log(2), out),
    "expm1": lambda out, x: e.add(out, 1),
    "log": lambda out, x: e.div(1, x),
    "log2": lambda out, x: e.div(1 / math.log(2), x),
    "log10": lambda out, x: e.div(1 / math.log(10), x),
    "log1p": lambda out, x: e.div(1, e.add(1, x)),
    "sqrt": lambda out, x: e.div(0.5, out),
    "sin": lambda out, x: _of("cos", x),
    "cos": lambda out, x: e.neg(_of("sin", x)),
    "tan": lambda out, x: _squares(1, out),
    "arcsin": lambda out, x: e.div(1, _of("sqrt", _squares(-1, x))),
    "arccos": lambda out, x: e.div(-1, _of("sqrt", _squares(-1, x))),
    "arctan": lambda out, x: e.div(1, _squares(1, x)),
    "sinh": lambda out, x: _of("cosh", x),
    "cosh": lambda out, x: _of("sinh", x),
    "tanh": lambda out, x: _squares(-1, out),
    "arcsinh": lambda out, x: e.div(1, _of("sqrt", _squares(1, x))),
    "arccosh": lambda out, x: e.div(1, e.mul(_of("sqrt", e.sub(x, 1)), _of("sqrt", e.add(x, 1)))),
    "arctanh": lambda out, x: e.div(1, _squares(-1, x)),
}
"""By NumPy's names: the (holomorphic) derivative at x, where the function is `out`."""


def _rule(x: Type, *, name: str) -> TensorType:
    type_ = array(x)
    require_kind(type_.dtype, "c", name)
    return type_


def _reference(x: Any, *, name: str) -> Any:
    with np.errstate(all="ignore"):
        return np.asarray(getattr(np, name)(x))


def _samples() -> Iterable[Sample]:
    for k, name in enumerate(DERIVATIVES):
        for dtype in (c128, c64):
            yield Sample((mixed((2, 3), k, dtype),), {"name": name}, differentiable=False)


def _in_kernels(name: str) -> Primitive:
    """The primitive that is the C library's function, given NumPy's name of it."""
    operation = name.replace("arc", "a")
    return scalar_operation(
        f"complex_{name}",
        operation,
        "c",
        Partials(lambda out, x: (lambda: DERIVATIVES[name](out, x),)),
        lambda: (Sample((mixed((2, 3), 1, dtype),), differentiable=False) for dtype in (c128, c64)),
        f"NumPy's `{name}` of a complex array",
    )


IN_KERNELS: Final[Mapping[str, Primitive]] = {
    name: _in_kernels(name)
    for name in (
        "exp", "log", "sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh",
        "tanh", "arcsinh", "arccosh", "arctanh",
    )
}  # fmt: skip


def _power_samples() -> Iterable[Sample]:
    for dtype in (c128, c64):
        yield Sample((mixed((2, 3), 1, dtype), mixed((3,), 2, dtype)), differentiable=False)


_power = scalar_operation(
    "complex_power",
    "pow",
    "c",
    Partials(
        lambda out, x, y: (
            lambda: e.mul(y, power(x, e.sub(y, 1))),
            lambda: e.mul(_of("log", x), out),
        )
    ),
    _power_samples,
    "x to the power y, as the C library has it",
)
_MOST_MULTIPLIED: Final = 100
"""Whole powers below this NumPy computes by multiplication (`npy_cpow`)."""


def power(x: Any, y: Any, exponent: Any = None) -> Any:
    """`x ** y` of complex arrays, as NumPy has it. `exponent`: the int that y is, if it is one known when compiling."""
    if type(exponent) is int and 0 < abs(exponent) < _MOST_MULTIPLIED:
        made = _multiplied(x, abs(exponent))
        made = made if exponent > 0 else e.div(1, made)
    else:
        made = _power(x, y)
    of_zero = e.select(e.greater(e.real(y), 0), e.mul(x, 0), complex(math.nan, math.nan))
    made = e.select(e.equal(x, 0), of_zero, made)
    return e.select(e.equal(y, 0), 1, made)


def _multiplied(x: Any, n: int) -> Any:
    """x to a whole power, squaring as NumPy does."""
    if n <= 3:
        square = x if n == 1 else e.mul(x, x)
        return square if n < 3 else e.mul(x, square)
    made, square = None, x
    while n:
        if n & 1:  # the first product, by 1, counts: its zeros and NaNs are not x's
            made = e.mul(1 if made is None else made, square)
        n >>= 1
        square = e.mul(square, square) if n else square
    return made


host_function = declare(
    "complex_function",
    "x",
    rule=_rule,
    reference=_reference,
    lowering=HostCode(),
    derivative=Partials(lambda out, x, *, name: (lambda: DERIVATIVES[name](out, x),)),
    samples=_samples,
    doc="NumPy's function `name`, one of `DERIVATIVES`, of a complex array.",
)
