"""The transcendental operations on vectors of f32 and f64: which function computes which, and the exponential family.

    y = transcendental(code, "exp", x)

Polynomials without branches, so that every lane gets the same bits wherever it lies; no fast-math flags: NaN,
infinities, signed zeros and subnormals come out as C has them. The worst errors are in `kernel.scalar.OPS`. Lanes with
huge arguments of sin, cos and tan are computed by the C library.
"""

from __future__ import annotations

from jitcore.backends.llvm.math import erf, exp, log, pow, trig
from jitcore.backends.llvm.math.registry import FUNCTIONS
from jitcore.backends.native.ir.vectors import Code, Vec
from jitcore.source import InternalError

__all__ = ["FUNCTIONS", "transcendental"]

_FAMILIES = (erf, exp, log, pow, trig)
"""The modules whose functions are registered by being imported."""


def transcendental(code: Code, op: str, *args: Vec) -> Vec:
    """`op(args…)`, an operation of `kernel.scalar.OPS` in FUNCTIONS, on float or double vectors of any width."""
    if args[0].type not in ("float", "double"):
        raise InternalError(f"{op} of {args[0].full_type}")
    return FUNCTIONS[op](code, *args)
