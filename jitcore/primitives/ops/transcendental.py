"""Elementwise functions of floats: powers, exponentials, logarithms, trigonometry."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitcore.primitives.core.registry import Partials, Primitive
from jitcore.primitives.core.sampling import binary, unary
from jitcore.primitives.core.scalar_operations import scalar_operation
from jitcore.primitives.ops import elementwise as ew
from jitcore.types import f32, f64

_EDGES = (0.0, -0.0, np.inf, -np.inf, np.nan)


def _function(
    name: str,
    partial: Callable[[Any, Any], Any],
    low: float,
    high: float,
    doc: str,
    edges: Sequence[float] = _EDGES,
) -> Primitive:
    """A function of one float whose derivative is `partial(out, x)`, sampled between `low` and `high`."""
    derivative = Partials(lambda out, x: (lambda: partial(out, x),))
    return scalar_operation(name, name, "f", derivative, unary(low, high, edges), doc)


def _one_minus_square(x: Any) -> Any:
    return ew.mul(ew.sub(1, x), ew.add(1, x))


exp = _function("exp", lambda out, x: out, -2, 2, "e to the power x", (*_EDGES, 1000.0, -1000.0))
expm1 = _function("expm1", lambda out, x: ew.add(out, 1), -2, 2, "exp(x) - 1, precise for small x", (*_EDGES, 1e-10))
log = _function("log", lambda out, x: ew.div(1, x), 0.2, 3, "the natural logarithm", (*_EDGES, -1.0))
log1p = _function(
    "log1p", lambda out, x: ew.div(1, ew.add(1, x)), -0.8, 3, "log(1 + x), precise for small x", (*_EDGES, -1.0, -2.0)
)
sqrt = _function("sqrt", lambda out, x: ew.div(0.5, out), 0.2, 3, "the square root", (*_EDGES, -1.0))
sin = _function("sin", lambda out, x: cos(x), -4, 4, "the sine of x radians", (*_EDGES, 1e6))
cos = _function("cos", lambda out, x: ew.neg(sin(x)), -4, 4, "the cosine of x radians", (*_EDGES, 1e6))
tan = _function("tan", lambda out, x: ew.add(1, ew.mul(out, out)), -1.3, 1.3, "the tangent of x radians")
asin = _function(
    "asin", lambda out, x: ew.div(1, sqrt(_one_minus_square(x))), -0.9, 0.9, "the arc sine", (*_EDGES, 1.0, 2.0)
)
acos = _function(
    "acos", lambda out, x: ew.div(-1, sqrt(_one_minus_square(x))), -0.9, 0.9, "the arc cosine", (*_EDGES, -1.0, 2.0)
)
atan = _function("atan", lambda out, x: ew.div(1, ew.add(1, ew.mul(x, x))), -3, 3, "the arc tangent")
sinh = _function("sinh", lambda out, x: cosh(x), -2, 2, "the hyperbolic sine", (*_EDGES, 1000.0))
cosh = _function("cosh", lambda out, x: sinh(x), -2, 2, "the hyperbolic cosine", (*_EDGES, 1000.0))
tanh = _function("tanh", lambda out, x: _one_minus_square(out), -2, 2, "the hyperbolic tangent", (*_EDGES, 50.0))
asinh = _function(
    "asinh", lambda out, x: ew.div(1, sqrt(ew.add(1, ew.mul(x, x)))), -3, 3, "the inverse hyperbolic sine"
)
acosh = _function(
    "acosh",
    lambda out, x: ew.div(1, sqrt(ew.mul(ew.sub(x, 1), ew.add(x, 1)))),
    1.2,
    4,
    "the inverse hyperbolic cosine",
    (1.0, 0.5, np.inf, np.nan),
)
atanh = _function(
    "atanh",
    lambda out, x: ew.div(1, _one_minus_square(x)),
    -0.9,
    0.9,
    "the inverse hyperbolic tangent",
    (*_EDGES, 1.0, 2.0),
)
sigmoid = _function(
    "sigmoid", lambda out, x: ew.mul(out, ew.sub(1, out)), -4, 4, "1 / (1 + exp(-x))", (*_EDGES, 800.0, -800.0)
)
softplus = _function(
    "softplus", lambda out, x: sigmoid(x), -4, 4, "log(1 + exp(x)), without overflow", (*_EDGES, 800.0, -800.0)
)
erf = _function(
    "erf",
    lambda out, x: ew.mul(2 / math.sqrt(math.pi), exp(ew.neg(ew.mul(x, x)))),
    -2,
    2,
    "the error function",
)


def _atan2_partials(out: Any, y: Any, x: Any) -> Sequence[Callable[[], Any]]:
    def square() -> Any:
        return ew.add(ew.mul(x, x), ew.mul(y, y))

    return lambda: ew.div(x, square()), lambda: ew.neg(ew.div(y, square()))


atan2 = scalar_operation(
    "atan2",
    "atan2",
    "f",
    Partials(_atan2_partials),
    binary(f64, f32, specials=((0.0, -0.0), (-0.0, -1.0), (np.inf, -np.inf), (np.nan, 1.0), (1.0, 0.0))),
    "the angle of the point with ordinate x and abscissa y (the operands in `math.atan2`'s order)",
)
