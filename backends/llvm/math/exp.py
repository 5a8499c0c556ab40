"""exp and what is made of it: expm1, sigmoid, tanh, sinh, cosh.

e**x = 2**n * e**r with n = rint(x / ln 2) and r the rest (Cody and Waite); e**r - 1 = r + r**2 q(r).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitcore.backends.llvm.math.registry import computes
from jitcore.backends.llvm.math.tables import FORMATS, LN2, Format
from jitcore.backends.native.ir.vectors import Code, Number, Vec

LOG2E: Final = 1 / LN2


def polynomial(code: Code, x: Vec, coefficients: Sequence[float]) -> Vec:
    """Horner's scheme; lowest power first."""
    total = x.like(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        total = code.fma(total, x, c)
    return total


def at_most(code: Code, x: Vec, high: Number) -> Vec:
    """min(x, high) that leaves NaN."""
    return code.select(x.gt(high), high, x)


def at_least(code: Code, x: Vec, low: Number) -> Vec:
    """max(x, low) that leaves NaN."""
    return code.select(x.lt(low), low, x)


def round_scaled(code: Code, x: Vec, factor: float, f: Format) -> tuple[Vec, Vec]:
    """rint(x * factor), as a float and in the low bits of an integer; for results well under 2**mantissa."""
    shifted = code.fma(x, factor, f.rounder)
    return shifted - f.rounder, shifted.bits()


def power_of_two(low_bits: Vec, f: Format, more: int = 0) -> Vec:
    """2**(n + more), a normal number, for n in the low bits of an integer: the others are shifted out."""
    return (low_bits.shl(f.mantissa) + ((f.bias + more) << f.mantissa)).as_float()


def reduce(code: Code, x: Vec, f: Format) -> tuple[Vec, Vec]:
    """n (in the low bits) and e**r - 1."""
    whole, n = round_scaled(code, x, LOG2E, f)
    minus = -whole
    r = code.fma(minus, f.ln2[1], code.fma(minus, f.ln2[0], x))
    return n, code.fma(polynomial(code, r, f.exp), r * r, r)


def reduce_exactly(code: Code, x: Vec, f: Format) -> tuple[Vec, Vec, Vec]:
    """n (in the low bits), r, and e**r - 1 - r with what rounding r lost."""
    whole, n = round_scaled(code, x, LOG2E, f)
    minus = -whole
    near = code.fma(minus, f.ln2[0], x)
    r = code.fma(minus, f.ln2[1], near)
    lost = code.fma(minus, f.ln2[1], near - r)
    return n, r, code.fma(polynomial(code, r, f.exp), r * r, lost)


@computes("exp")
def exp(code: Code, x: Vec) -> Vec:
    """e**x, with an even n: scaled by 2**(n/2) twice, so that results may be subnormal or overflow."""
    f = FORMATS[x.type]
    x = at_least(code, at_most(code, x, f.exp_high), f.exp_low)
    whole, half = round_scaled(code, x, LOG2E / 2, f)
    minus = -whole
    r = code.fma(minus, 2 * f.ln2[1], code.fma(minus, 2 * f.ln2[0], x))
    scale = power_of_two(half, f)
    return (code.fma(polynomial(code, r, f.exp_wide), r * r, r) + 1.0) * scale * scale


def _exp_of_negative(code: Code, x: Vec, f: Format) -> Vec:
    """e**x for x <= 0 or NaN: with an exponent raised into the normal ones and lowered again."""
    n, p = reduce(code, at_least(code, x, f.exp_low), f)
    raised = f.bias // 2
    return (p + 1.0) * power_of_two(n, f, raised) * 2.0**-raised


def _half_expm1(code: Code, x: Vec, f: Format) -> Vec:
    """(e**x - 1) / 2, which does not overflow where sinh doesn't (n is one more than an exponent can be then)."""
    n, r, rest = reduce_exactly(code, x, f)
    scale = power_of_two(n, f, -2)
    quarter = code.fma(scale, rest, code.fma(scale, r, scale - 0.25))
    return quarter + quarter


@computes("expm1")
def expm1(code: Code, x: Vec) -> Vec:
    """e**x - 1."""
    f = FORMATS[x.type]
    half = _half_expm1(code, at_least(code, at_most(code, x, f.exp_high), f.expm1_low), f)
    return code.select(x.abs().lt(f.tiny), x, half + half)


@computes("sigmoid")
def sigmoid(code: Code, x: Vec) -> Vec:
    """1 / (1 + e**-x), by way of e**-|x| so that neither end loses digits; with what rounding 1 + e**-|x| lost."""
    e = _exp_of_negative(code, -x.abs(), FORMATS[x.type])
    bottom = e + 1.0
    lost = e - (bottom - 1.0)
    quotient = code.select(x.lt(0.0), e, 1.0) / bottom
    return code.fma(-quotient, lost, quotient)


@computes("tanh")
def tanh(code: Code, x: Vec) -> Vec:
    """t / (t + 2) with t = e**(2|x|) - 1."""
    f = FORMATS[x.type]
    a = x.abs()
    n, p = reduce(code, at_most(code, a + a, -2.5 * f.expm1_low), f)
    scale = power_of_two(n, f)
    t = code.fma(scale, p, scale - 1.0)
    return (t / (t + 2.0)).copysign(x)


@computes("sinh")
def sinh(code: Code, x: Vec) -> Vec:
    """x + x**3 p(x**2) up to 1, beyond it h + h / (2h + 1) with h = (e**|x| - 1) / 2."""
    f = FORMATS[x.type]
    a = x.abs()
    z = x * x
    small = code.fma(polynomial(code, z, f.sinh) * z, x, x)
    h = _half_expm1(code, at_most(code, a, f.sinh_high), f)
    large = h + h / (h + h + 1.0)
    large = code.select(a.gt(f.sinh_high), float("inf"), large)
    return code.select(a.lt(1.0), small, large.copysign(x))


@computes("cosh")
def cosh(code: Code, x: Vec) -> Vec:
    """h + 1 / (4h) with h = e**|x| / 2."""
    f = FORMATS[x.type]
    a = x.abs()
    n, p = reduce(code, at_most(code, a, f.sinh_high), f)
    scale = power_of_two(n, f, -2)
    h = code.fma(scale, p, scale)
    h = h + h
    return code.select(a.gt(f.sinh_high), float("inf"), h + 0.25 / h)
