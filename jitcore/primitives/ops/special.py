"""Special functions: erfc, the inverse of erf, the gamma family."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.kernel.scalar import OPS
from jitcore.primitives.core.registry import Elementwise, HostCode, Partials, Sample, declare
from jitcore.primitives.core.rules import array, elementwise_rule, require_kind
from jitcore.primitives.core.sampling import spread, unary
from jitcore.primitives.ops import elementwise as ew
from jitcore.primitives.ops import transcendental as t
from jitcore.types import DType, Type, bool_, dtype_of, f32, f64

# --- the complementary error function -----------------------------------------------------------------


class _Double:
    """Writes scalar code on doubles with `k`, as `registry.Elementwise` describes it; numbers are constants."""

    def __init__(self, k: Any) -> None:
        self.k = k

    def __call__(self, op: str, *args: Any, dtype: DType = f64) -> Any:
        return self.k(op, dtype, *(self.k.const(f64, a) if isinstance(a, float) else a for a in args))

    def polynomial(self, x: Any, *coefficients: float) -> Any:
        """Horner's scheme; the constant term comes last."""
        total: Any = coefficients[0]
        for coefficient in coefficients[1:]:
            total = self("add", self("mul", total, x), coefficient)
        return total


def _in_double(function: Callable[[_Double, Any], Any]) -> Callable[..., Any]:
    """Scalar code of a function of a double for any float: precise to the last bits of narrower ones."""

    def emit(k: Any, x: Any) -> Any:
        if x.dtype is f64:
            return function(_Double(k), x)
        return k("cast", x.dtype, function(_Double(k), k("cast", f64, x)))

    return emit


class _Element:
    """What scalar code computes with in a reference: a NumPy array and its dtype."""

    def __init__(self, value: Any, dtype: DType) -> None:
        self.value = value
        self.dtype = dtype


class _Evaluate:
    """Evaluates scalar code with NumPy."""

    def __call__(self, op: str, dtype: DType, *args: _Element) -> _Element:
        values = [a.value for a in args]
        if OPS[op].kind == "convert":
            return _Element(OPS[op].reference(*values, dtype=dtype.numpy), dtype)
        return _Element(OPS[op].reference(*values), dtype)

    def const(self, dtype: DType, value: float) -> _Element:
        return _Element(dtype.numpy.type(value), dtype)


def _reference(emit: Callable[..., Any]) -> Callable[[Any], Any]:
    """The NumPy reference of scalar code: what it says."""

    def reference(x: Any) -> Any:
        values = np.asarray(x)
        with np.errstate(all="ignore"):
            made = emit(_Evaluate(), _Element(values, dtype_of(values.dtype)))
        return np.asarray(made.value, values.dtype)

    return reference


def _erfc(p: _Double, x: Any) -> Any:
    return p("erfc", x)


def _gaussian(x: Any) -> Any:
    """The derivative of erf."""
    return ew.mul(2 / math.sqrt(math.pi), t.exp(ew.neg(ew.mul(x, x))))


def _by_element(function: Callable[[float], float]) -> Callable[[Any], Any]:
    vectorised = np.vectorize(function, otypes=[np.float64])

    def reference(x: Any) -> Any:
        values = np.asarray(x)
        with np.errstate(all="ignore"):
            made = vectorised(values) if values.size else np.zeros(values.shape)
            return np.asarray(made).astype(values.dtype)

    return reference


erfc = declare(
    "erfc",
    "x",
    rule=elementwise_rule("erfc", 1, "f"),
    reference=_reference(_in_double(_erfc)),
    lowering=Elementwise(_in_double(_erfc)),
    derivative=Partials(lambda out, x: (lambda: ew.neg(_gaussian(x)),)),
    samples=unary(-2, 3, (0.0, np.inf, -np.inf, np.nan, 30.0)),
    doc="1 - erf(x), precise for large x",
)


# --- the inverse of the error function ----------------------------------------------------------------


def _erfinv(p: _Double, x: Any) -> Any:
    size = p("abs", x)
    rest = p("sub", 1.0, size)
    # Abramowitz and Stegun 26.2.23, then two steps of Halley's method
    root = p("sqrt", p("mul", -2.0, p("log", p("mul", 0.5, rest))))
    ratio = p("div", p.polynomial(root, 0.27061, 2.30753), p.polynomial(root, 0.04481, 0.99229, 1.0))
    y = p("mul", 0.7071067811865476, p("sub", root, ratio))
    central = p("lt", size, 0.75, dtype=bool_)
    for _ in range(2):
        error = p("select", central, p("sub", size, p("erf", y)), p("sub", p("erfc", y), rest))
        slope = p("mul", 2 / math.sqrt(math.pi), p("exp", p("neg", p("mul", y, y))))
        y = p("add", y, p("div", error, p("sub", slope, p("mul", y, error))))
    y = p("select", p("gt", size, 1.0, dtype=bool_), math.nan, y)
    y = p("select", p("eq", size, 1.0, dtype=bool_), math.inf, y)
    series = p("mul", p.polynomial(p("mul", size, size), math.pi**1.5 / 24, math.sqrt(math.pi) / 2), size)
    y = p("select", p("lt", size, 1e-4, dtype=bool_), series, y)
    return p("copysign", y, x)


erfinv = declare(
    "erfinv",
    "x",
    rule=elementwise_rule("erfinv", 1, "f"),
    reference=_reference(_in_double(_erfinv)),
    lowering=Elementwise(_in_double(_erfinv)),
    derivative=Partials(lambda out, x: (lambda: ew.div(1.0, _gaussian(out)),)),
    samples=unary(-0.9, 0.9, (0.0, 1.0, -1.0, np.nan, 2.0)),
    doc="the number whose erf is x; infinite at -1 and 1, NaN beyond",
)


# --- the gamma family -----------------------------------------------------------------------------------


_LARGEST: Final = 2.5599833278516383e305
"""Past it lgamma is past the largest double."""


def _lgamma_of(x: float) -> float:
    if math.isinf(x) or x > _LARGEST or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


lgamma = declare(
    "lgamma",
    "x",
    rule=elementwise_rule("lgamma", 1, "f"),
    reference=_by_element(_lgamma_of),
    lowering=HostCode(),
    derivative=Partials(lambda out, x: (lambda: polygamma(x, order=0),)),
    samples=unary(0.3, 4.0, (0.0, np.inf, -np.inf, np.nan, -1.5, 1e306)),
    doc="the logarithm of |gamma(x)|",
)

_BERNOULLI: Final = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
_FAR: Final = 15.0


def _power(x: float, n: int) -> float:
    """x**n, infinite where it is past the largest double."""
    with np.errstate(over="ignore"):
        return float(np.float64(x) ** n)


def _polygamma_of(x: float, order: int) -> float:
    """Recurrence up to where the asymptotic series (Abramowitz and Stegun 6.4.11) is precise."""
    if math.isinf(x):
        return x if order == 0 and x > 0 else 0.0 if x > 0 else math.nan
    if math.isnan(x) or (x <= 0 and x == math.floor(x)):
        return math.nan if order == 0 or math.isnan(x) else math.inf * (-1) ** (order + 1) if x == 0 else math.nan
    sign = (-1) ** (order + 1)
    total, factorial = 0.0, math.factorial(order)
    if order == 0 and x < -_FAR:  # reflection
        return _polygamma_of(1 - x, 0) - math.pi / math.tan(math.pi * (x - round(x)))  # of the same angle, exactly
    while x < _FAR:
        total += sign * factorial * _power(1 / x, order + 1) if order else -1 / x
        x += 1
    inverse = 1 / x
    tail = (
        math.log(x) - 0.5 / x
        if order == 0
        else sign * (factorial / order * inverse**order + factorial / 2 * inverse ** (order + 1))
    )
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        term = bernoulli * math.factorial(2 * k + order - 1) / math.factorial(2 * k) * inverse ** (2 * k + order)
        tail += sign * term
    return total + tail


def _polygamma_rule(x: Type, *, order: int) -> Type:
    require_kind(array(x).dtype, "f", "polygamma")
    if order < 0:
        raise ValueError(f"polygamma: the order is {order}, but must not be negative")
    return x


def _polygamma_samples() -> Sequence[Sample]:
    points = np.array([0.5, 1.0, 3.7, 20.0, -0.5, -2.3])
    specials = np.array([np.inf, -np.inf, np.nan, -1.0, 1e-200, 1e200])
    return [
        *(Sample((points,), {"order": n}) for n in (0, 1, 2, 3)),
        Sample((spread((3,), 0.5, 4.0, f32),), {"order": 1}),
        *(Sample((specials,), {"order": n}, differentiable=False) for n in (0, 1)),
    ]


polygamma = declare(
    "polygamma",
    "x",
    rule=_polygamma_rule,
    reference=lambda x, *, order: _by_element(lambda v: _polygamma_of(v, order))(x),
    lowering=HostCode(),
    derivative=Partials(lambda out, x, *, order: (lambda: polygamma(x, order=order + 1),)),
    samples=_polygamma_samples,
    doc="the derivative of order `order` of digamma(x), the derivative of log(gamma(x))",
)
