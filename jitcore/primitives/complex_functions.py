"""Elementwise functions of complex arrays that kernels have no operation for: NumPy computes them on the host."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from jitcore.primitives import elementwise as e
from jitcore.primitives.registry import HostCode, Partials, Sample, declare
from jitcore.primitives.rules import array, require_kind
from jitcore.primitives.sampling import mixed
from jitcore.types import TensorType, Type, c64, c128


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


complex_function = declare(
    "complex_function",
    "x",
    rule=_rule,
    reference=_reference,
    lowering=HostCode(),
    derivative=Partials(lambda out, x, *, name: (lambda: DERIVATIVES[name](out, x),)),
    samples=_samples,
    doc="NumPy's function `name`, one of `DERIVATIVES`, of a complex array.",
)
