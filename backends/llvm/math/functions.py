"""The transcendental operations on vectors of f32 and f64: which function computes which, and the exponential family.

    y = transcendental(code, "exp", x)

Polynomials without branches, so that every lane gets the same bits wherever it lies; no fast-math flags: NaN,
infinities, signed zeros and subnormals come out as C has them. The worst errors are in `kernel.scalar.OPS`. Lanes with
huge arguments of sin, cos and tan are computed by the C library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from jitcore.backends.llvm.math import log, pow, trig
from jitcore.backends.llvm.math.exp import cosh, erf, exp, expm1, sigmoid, sinh, tanh
from jitcore.backends.native.ir.vectors import Code, Vec
from jitcore.source import InternalError

FUNCTIONS: Final[Mapping[str, Callable[..., Vec]]] = {
    "exp": exp,
    "expm1": expm1,
    "sigmoid": sigmoid,
    "tanh": tanh,
    "sinh": sinh,
    "cosh": cosh,
    "erf": erf,
    "log": log.log,
    "log1p": log.log1p,
    "asinh": log.asinh,
    "acosh": log.acosh,
    "atanh": log.atanh,
    "sin": trig.sin,
    "cos": trig.cos,
    "tan": trig.tan,
    "asin": trig.asin,
    "acos": trig.acos,
    "atan": trig.atan,
    "atan2": trig.atan2,
    "pow": pow.power,
}
"""`function(code, *args)` for vectors of float or double."""


def transcendental(code: Code, op: str, *args: Vec) -> Vec:
    """`op(args…)`, an operation of `kernel.scalar.OPS` in FUNCTIONS, on float or double vectors of any width."""
    if args[0].type not in ("float", "double"):
        raise InternalError(f"{op} of {args[0].full_type}")
    return FUNCTIONS[op](code, *args)
