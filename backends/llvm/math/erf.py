"""The error function and its complement."""

from __future__ import annotations

from jitcore.backends.llvm.math import pairs
from jitcore.backends.llvm.math.exp import LOG2E, at_most, polynomial, power_of_two, reduce, round_scaled
from jitcore.backends.llvm.math.registry import computes
from jitcore.backends.llvm.math.tables import ERFC, ERFC_CENTRE, ERFC_HEAD, ERFC_REST, ERFC_SCALE, F64, FORMATS
from jitcore.backends.native.ir.vectors import Code, Vec

_SQUARE_ROUNDER = 1.5 * 2.0**32
"""Adding it rounds to a multiple of 2**-20, the square of which is exact below 32."""


@computes("erf")
def erf(code: Code, x: Vec) -> Vec:
    """x + x p(x**2) up to 1, beyond it 1 - e**-q(|x|)."""
    f = FORMATS[x.type]
    a = x.abs()
    small = code.fma(polynomial(code, x * x, f.erf), x, x)
    n, p = reduce(code, -polynomial(code, at_most(code, a, f.erf_high), f.erf_tail), f)
    scale = power_of_two(n, f)
    large = (1.0 - scale) - scale * p
    return code.select(a.lt(1.0), small, large.copysign(x))


@computes("erfc")
def erfc(code: Code, x: Vec) -> Vec:
    """1 - erf(x), in doubles: by erf's polynomial up to 15/32, beyond it the tail or, for negative x, 2 less it."""
    if x.type == "float":
        return code.convert("fptrunc", erfc(code, code.convert("fpext", x, "double")), "float")
    near = 1.0 - code.fma(polynomial(code, x * x, F64.erf), x, x)
    tail = _tail(code, at_most(code, x.abs(), 28.0))
    far = code.select(x.lt(0.0), 2.0 - tail, tail)
    return code.select(x.abs().lt(0.46875), near, far)


def _tail(code: Code, a: Vec) -> Vec:
    """erfc(a) = u e**(c(u) - a**2) on [15/32, 28], u = 5/2 / (5/2 + a); the exponent is a sum of two doubles, since an
    error of it is one of the result."""
    bottom, bottom_low = pairs.sum(a, a.like(ERFC_SCALE))
    u = ERFC_SCALE / bottom
    again, again_low = pairs.product(code, u, bottom)
    # the relative error of u, and how it changes u e**c(u): 1 + u c'(u) = 1 + u + 0.95 u**2, roughly
    lost = (((ERFC_SCALE - again) - again_low) - u * bottom_low) * (1 / ERFC_SCALE)
    low = lost * code.fma(u, code.fma(u, 0.95, 1.0), 1.0)
    w = u - ERFC_CENTRE
    changing = w * polynomial(code, w, ERFC)
    low = low + code.fma(w, ERFC_REST[1], ERFC_REST[0])
    head = (a + _SQUARE_ROUNDER) - _SQUARE_ROUNDER
    square = head * head
    low = low - (a - head) * (a + head)
    whole, n = round_scaled(code, changing + (ERFC_HEAD - square), LOG2E, F64)
    # all of these but what changes are multiples of 2**-40, and their sum is exact
    fixed = code.fma(-whole, F64.ln2[0], -square) + ERFC_HEAD
    high, high_low = pairs.sum(fixed, changing)
    r, r_low = pairs.quick_sum(high, high_low + code.fma(-whole, F64.ln2[1], low))
    p = r + code.fma(polynomial(code, r, F64.exp), r * r, r_low)
    raised = F64.bias // 2  # the result may be subnormal
    return code.fma(u, p, u) * power_of_two(n, F64, raised) * 2.0**-raised
