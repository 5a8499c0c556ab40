"""Sums and products of doubles with what rounding takes from them (Dekker 1971): `high + low` is exact."""

from __future__ import annotations

from jitcore.backends.native.ir.vectors import Code, Vec


def product(code: Code, a: Vec, b: Vec) -> tuple[Vec, Vec]:
    """a*b and its rounding error."""
    high = a * b
    if code.target.has_fma:
        return high, code.fma(a, b, -high)
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return high, a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low)


def _halves(a: Vec) -> tuple[Vec, Vec]:
    """Veltkamp's splitting of a double into 26 bits and the rest."""
    big = a * 134217729.0
    high = big - (big - a)
    return high, a - high


def sum(a: Vec, b: Vec) -> tuple[Vec, Vec]:
    """a+b and its rounding error."""
    high = a + b
    seen = high - a
    return high, (a - (high - seen)) + (b - seen)


def quick_sum(a: Vec, b: Vec) -> tuple[Vec, Vec]:
    """a+b and its rounding error, where |a| >= |b| or a is 0."""
    high = a + b
    return high, b - (high - a)
