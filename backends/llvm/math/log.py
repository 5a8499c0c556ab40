"""log and what is made of it: log1p, softplus, asinh, acosh, atanh.

log x = e ln 2 + log m with m in [sqrt(1/2), sqrt(2)).
"""

from __future__ import annotations

from jitcore.backends.llvm.math import pairs
from jitcore.backends.llvm.math.exp import at_least, polynomial, power_of_two, reduce_exactly
from jitcore.backends.llvm.math.registry import computes
from jitcore.backends.llvm.math.tables import FORMATS, LN2, SQRT_HALF, Format
from jitcore.backends.native.ir.vectors import Code, Vec


def small_int_to_float(n: Vec, f: Format) -> Vec:
    """An integer under 2**mantissa/2 as a float, for 64 bits without the conversion that AVX2 lacks."""
    if f.type == "float":
        return n.code.convert("sitofp", n, f.type)
    rounder = n.code.constant(f.type, f.rounder, n.lanes)
    return (n + rounder.bits()).as_float() - rounder


def split(x: Vec, f: Format) -> tuple[Vec, Vec]:
    """Exponent (an integer) and mantissa in [sqrt(1/2), sqrt(2)) of a positive normal number."""
    bits = x.bits()
    exponent = (bits - x.like(SQRT_HALF).bits()).sar(f.mantissa)
    return exponent, (bits - exponent.shl(f.mantissa)).as_float()


def _log_mantissa(code: Code, r: Vec, exponent: Vec, f: Format, low: Vec | None = None) -> Vec:
    """log(1 + r) + exponent * ln 2 + low, where low is less than the result's last digit."""
    e = small_int_to_float(exponent, f)
    small = e * f.ln2[1] if low is None else code.fma(e, f.ln2[1], low)
    square = r * r
    if f.type == "float":  # as Cephes's logf adds up
        y = code.fma(square * r, polynomial(code, r, f.log), small)
        return code.fma(e, f.ln2[0], r + code.fma(square, -0.5, y))
    s = r / (r + 2.0)
    z = s * s
    half = square * 0.5  # as fdlibm's log adds up
    tail = code.fma(s, code.fma(polynomial(code, z, f.log), z, half), small)
    return code.fma(e, f.ln2[0], r - (half - tail))


def _special(code: Code, x: Vec, value: Vec) -> Vec:
    """`value` where x is positive and finite, else log's: -inf for 0, NaN below it, NaN and +inf for themselves."""
    value = code.select(x.lt(float("inf")), value, x)
    below = code.select(x.lt(0.0), x.like(float("nan")), float("-inf"))
    return code.select(x.le(0.0), below, value)


@computes("log")
def log(code: Code, x: Vec) -> Vec:
    """The natural logarithm."""
    f = FORMATS[x.type]
    subnormal = x.lt(f.smallest_normal)
    scaled = code.select(subnormal, x * 2.0 ** (f.mantissa + 1), x)
    exponent, mantissa = split(scaled, f)
    exponent = code.select(subnormal, exponent - (f.mantissa + 1), exponent)
    return _special(code, x, _log_mantissa(code, mantissa - 1.0, exponent, f))


@computes("log1p")
def log1p(code: Code, x: Vec) -> Vec:
    """log(1 + x): what 1 + x loses is put back into the mantissa."""
    f = FORMATS[x.type]
    u = x + 1.0
    seen = u - 1.0
    lost = (1.0 - (u - seen)) + (x - seen)
    exponent, mantissa = split(u, f)
    scale = (-exponent + f.bias).shl(f.mantissa).as_float()
    rest = code.select(x.lt(2.0 ** (f.mantissa + 2)), lost * scale, 0.0)
    value = _special(code, u, _log_mantissa(code, (mantissa - 1.0) + rest, exponent, f))
    return code.select(x.abs().lt(f.tiny), x, value)


@computes("softplus")
def softplus(code: Code, x: Vec) -> Vec:
    """log(1 + e**x) = max(x, 0) + log(1 + e**-|x|), with e**-|x| as a sum of two numbers: where the logarithm has a
    smaller exponent than its argument, an error of that would count twice."""
    f = FORMATS[x.type]
    n, r, rest = reduce_exactly(code, at_least(code, -x.abs(), f.exp_low), f)
    high, low = pairs.quick_sum(x.like(1.0), r)
    high, low = pairs.quick_sum(high, low + rest)
    raised = f.bias // 2  # e**-|x| may be subnormal
    scale = power_of_two(n, f, raised)
    e = high * scale * 2.0**-raised
    e_low = low * scale * 2.0**-raised
    u, lost = pairs.quick_sum(x.like(1.0), e)
    exponent, mantissa = split(u, f)
    half_if = (-exponent + f.bias).shl(f.mantissa).as_float()
    slope = code.fma(e, code.fma(e, 0.34, -0.83), 1.0)  # 1 / (1 + e) to 2 %
    value = _log_mantissa(code, code.fma(lost, half_if, mantissa - 1.0), exponent, f, e_low * slope)
    return at_least(code, x, 0.0) + value


def _log1p_or_log(code: Code, x: Vec, argument: Vec, f: Format) -> Vec:
    """log1p(argument); for huge x, where the argument would overflow, log(2x)."""
    huge = x.gt(2.0 ** (f.mantissa + 2))
    return log1p(code, code.select(huge, x, argument)) + code.select(huge, x.like(LN2), 0.0)


@computes("asinh")
def asinh(code: Code, x: Vec) -> Vec:
    """sign(x) log1p(a + a**2 / (1 + sqrt(a**2 + 1))), a = |x|."""
    f = FORMATS[x.type]
    a = x.abs()
    square = a * a
    argument = a + square / ((square + 1.0).sqrt() + 1.0)
    return _log1p_or_log(code, a, argument, f).copysign(x)


@computes("acosh")
def acosh(code: Code, x: Vec) -> Vec:
    """With t = x - 1: sqrt(2t) (1 + t p(t)) up to 1/2, beyond it log1p(t + sqrt(2t + t**2))."""
    f = FORMATS[x.type]
    t = x - 1.0
    root = (t + t).sqrt()
    near = code.fma(root * t, polynomial(code, t, f.acosh), root)
    far = _log1p_or_log(code, x, t + code.fma(t, t, t + t).sqrt(), f)
    return code.select(x.lt(1.0), float("nan"), code.select(t.lt(0.5), near, far))


@computes("atanh")
def atanh(code: Code, x: Vec) -> Vec:
    """sign(x) log1p(2a / (1 - a)) / 2, a = |x|; below 1/2, where 1 - a is rounded, of 2a + 2a**2 / (1 - a)."""
    f = FORMATS[x.type]
    a = x.abs()
    twice = a + a
    small = a.lt(0.5)
    quotient = code.select(small, twice * a, twice) / (1.0 - a)
    value = log1p(code, code.select(small, twice + quotient, quotient)) * 0.5
    value = code.select(a.gt(1.0), float("nan"), value)
    return code.select(a.lt(f.tiny), x, value.copysign(x))
