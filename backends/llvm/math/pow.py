"""pow of floats.

f32 goes through f64: exp2(y log2(x)) with a logarithm good to 2**-50. f64 keeps the logarithm and its product with y as
unevaluated sums of two doubles (Dekker 1971), since an error of the exponent is magnified up to 700 times.
"""

from __future__ import annotations

from jitcore.backends.llvm.math import pairs
from jitcore.backends.llvm.math.exp import at_least, at_most, polynomial, power_of_two, round_scaled
from jitcore.backends.llvm.math.log import small_int_to_float, split
from jitcore.backends.llvm.math.registry import computes
from jitcore.backends.llvm.math.tables import F64, FORMATS, POW_EXP2, POW_LOG, POW_LOG2, TWO_THIRDS, Format
from jitcore.backends.native.ir.vectors import Code, Vec


@computes("pow")
def power(code: Code, x: Vec, y: Vec) -> Vec:
    """x**y with C's special cases: pow(x, ±0) and pow(1, y) are 1, a negative x needs an integral y."""
    f = FORMATS[x.type]
    size = _power_f32(code, x.abs(), y) if x.type == "float" else _power_f64(code, x.abs(), y)
    return _signs_and_specials(code, x, y, size, f)


def _signs_and_specials(code: Code, x: Vec, y: Vec, size: Vec, f: Format) -> Vec:
    a = x.abs()
    size_y = y.abs()
    infinity = float("inf")
    # limits of |x|**y: x or y infinite, x zero
    up = (a.gt(1.0) & y.gt(0.0)) | (a.lt(1.0) & y.lt(0.0))
    limit = code.select(a.eq(1.0), 1.0, code.select(up, size.like(infinity), 0.0))
    extreme = a.eq(0.0) | a.eq(infinity) | size_y.eq(infinity)
    value = code.select(extreme, limit, size)
    integral = code.intrinsic("trunc", y).eq(y)
    half = y * 0.5
    odd = integral & code.intrinsic("trunc", half).ne(half) & size_y.lt(2.0 ** (f.mantissa + 1))
    negative = x.bits().lt(0)
    value = code.select(negative & odd, -value, value)
    value = code.select(x.lt(0.0) & x.ne(-infinity) & ~integral, float("nan"), value)
    value = code.select(x.compare("uno", y), x + y, value)
    return code.select(y.eq(0.0) | x.eq(1.0), 1.0, value)


def _power_f32(code: Code, a: Vec, y: Vec) -> Vec:
    """a**y for positive finite a."""
    exponent, mantissa = split(code.convert("fpext", a, "double"), F64)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    log2 = code.fma(s, polynomial(code, s * s, POW_LOG2), small_int_to_float(exponent, F64))
    product = log2 * code.convert("fpext", y, "double")
    product = at_least(code, at_most(code, product, 300.0), -300.0)
    whole, n = round_scaled(code, product, 1.0, F64)
    value = polynomial(code, product - whole, POW_EXP2) * power_of_two(n, F64)
    return code.convert("fptrunc", value, "float")


def _log_pair(code: Code, a: Vec) -> tuple[Vec, Vec]:
    """log(a) as a sum of two doubles, for positive finite a: 2s + s**3 (2/3 + s**2 p(s**2)), s = (m-1)/(m+1)."""
    subnormal = a.lt(F64.smallest_normal)
    exponent, m = split(code.select(subnormal, a * 2.0**53, a), F64)
    exponent = code.select(subnormal, exponent - 53, exponent)
    e = small_int_to_float(exponent, F64)
    top = m - 1.0
    bottom, bottom_low = pairs.sum(m, m.like(1.0))
    s = top / bottom
    again, again_low = pairs.product(code, s, bottom)
    s_low = (((top - again) - again_low) - s * bottom_low) / bottom
    z, z_low = pairs.product(code, s, s)
    z_low = code.fma(s + s, s_low, z_low)
    c, c_low = pairs.quick_sum(z.like(TWO_THIRDS[0]), z * polynomial(code, z, POW_LOG))
    c_low = c_low + TWO_THIRDS[1]
    cube, cube_low = pairs.product(code, z, s)
    cube_low = code.fma(z, s_low, code.fma(z_low, s, cube_low))
    term, term_low = pairs.product(code, cube, c)
    term_low = code.fma(cube, c_low, code.fma(cube_low, c, term_low))
    high, low = pairs.quick_sum(s + s, term)
    low = low + (term_low + (s_low + s_low))
    # e * ln2[0] is exact: its low bits are free
    total, total_low = pairs.sum(e * F64.ln2[0], high)
    return pairs.quick_sum(total, total_low + code.fma(e, F64.ln2[1], low))


def _power_f64(code: Code, a: Vec, y: Vec) -> Vec:
    """a**y for positive finite a."""
    log, log_low = _log_pair(code, a)
    if not code.target.has_fma:  # the splitting overflows; past 2**70 every power but that of 1 does too
        y = at_least(code, at_most(code, y, 2.0**70), -(2.0**70))
    product, low = pairs.product(code, log, y)
    low = code.fma(log_low, y, low)
    low = code.select(product.abs().lt(800.0), low, 0.0)
    product = at_least(code, at_most(code, product, 800.0), -800.0)
    whole, n = round_scaled(code, product, 1.4426950408889634, F64)
    minus = -whole
    r, r_low = pairs.quick_sum(code.fma(minus, F64.ln2[0], product), code.fma(minus, F64.ln2[1], low))
    p = code.fma(polynomial(code, r, F64.exp), r * r, r_low)
    # n/2 twice: results may be subnormal or overflow. The bits above n are even, those of 1.5 * 2**52
    half = n.sar(1)
    return (1.0 + (r + p)) * power_of_two(half, F64) * power_of_two(n - half, F64)
