"""sin, cos, tan and their inverses.

x = n pi/2 + r with pi/2 in four parts (Cody and Waite). Past `Format.trig_limit` that is not exact enough:
lanes with such arguments call the C library.
"""

from __future__ import annotations

from collections.abc import Callable

from jitcore.backends.llvm.math.exp import polynomial, round_scaled
from jitcore.backends.llvm.math.registry import computes
from jitcore.backends.llvm.math.tables import ASIN_SPLIT, FORMATS, Format
from jitcore.backends.native.ir.vectors import Code, Vec, vector_type


def _remainder(code: Code, x: Vec, f: Format) -> tuple[Vec, Vec, Vec]:
    """The quadrant n and r as a sum of two numbers."""
    whole, n = round_scaled(code, x, 1 / f.half_pi_full[0], f)
    minus = -whole
    first, second, third, last = f.half_pi
    exact = code.fma(minus, first, x)
    near = code.fma(minus, second, exact)
    nearer = code.fma(minus, third, near)
    # what the last two roundings lost, and the rest of pi/2
    lost = code.fma(minus, second, exact - near) + code.fma(minus, third, near - nearer)
    return n, nearer, code.fma(minus, last, lost)


def _reduce(code: Code, x: Vec, f: Format) -> tuple[Vec, Vec, Vec]:
    """The quadrant n, sin(r) and cos(r)."""
    n, high, low = _remainder(code, x, f)
    r = high + low
    z = r * r
    sine = code.fma(polynomial(code, z, f.sin), z * r, r)
    cosine = code.fma(polynomial(code, z, f.cos), z * z, code.fma(z, -0.5, 1.0))
    return n, sine, cosine


def _reduce_exactly(code: Code, x: Vec, f: Format) -> tuple[Vec, tuple[Vec, Vec], tuple[Vec, Vec]]:
    """The quadrant n, and sin(r) and cos(r) as sums of two numbers each."""
    n, high, low = _remainder(code, x, f)
    r = high + low
    z = r * r
    lost = low - (r - high)
    more = code.fma(polynomial(code, z, f.sin), z * r, lost)
    sine = r + more
    half = z * 0.5
    most = 1.0 - half
    rest = (1.0 - most - half) + code.fma(polynomial(code, z, f.cos), z * z, -(r * lost))
    cosine = most + rest
    return n, (sine, more - (sine - r)), (cosine, rest - (cosine - most))


def _flip(value: Vec, n: Vec, f: Format) -> Vec:
    """-value where bit 1 of n is set."""
    sign = (n & 2).shl(f.mantissa + (7 if f.type == "float" else 10))
    return (value.bits() ^ sign).as_float()


def _huge_lanes(code: Code, name: str, x: Vec, value: Vec, f: Format) -> Vec:
    """`value`, but from the C library's `name` in lanes where |x| is past the limit."""
    huge = x.abs().gt(f.trig_limit)
    if x.lanes == 1:
        return _branch(code, huge, value, lambda: code.call(_library(name, x), x.type, 1, x))
    helper = f"jc.{name}.huge.{x.lanes}.{x.type}"
    if not code.module.defines(helper):
        code.module.define(helper, _helper(code, helper, name, x, f))
    vector = x.full_type
    return _branch(
        code,
        code.any_lane(huge),
        value,
        lambda: code.emit(x.type, x.lanes, f"call {vector} @{helper}({x.typed}, {value.typed})"),
    )


def _branch(code: Code, condition: Vec, usual: Vec, rare: Callable[[], Vec]) -> Vec:
    """`rare()` where the condition holds, else `usual`."""
    before = code.label
    slow, after = code.new_label("huge"), code.new_label("join")
    code.branch(condition, slow, after)
    code.block(slow)
    made = rare()
    last = code.label
    code.jump(after)
    code.block(after)
    return code.phi((usual, before), (made, last))


def _library(name: str, x: Vec) -> str:
    return name + ("f" if x.type == "float" else "")


def _helper(code: Code, helper: str, name: str, x: Vec, f: Format) -> str:
    """A function that redoes the huge lanes of a vector, one by one."""
    inner = Code(code.module, code.target)
    argument = Vec(inner, "%x", x.type, x.lanes)
    value = Vec(inner, "%y", x.type, x.lanes)
    for k in range(x.lanes):
        one = inner.lane(argument, k)
        old = inner.lane(value, k)
        redone = _branch(
            inner, one.abs().gt(f.trig_limit), old, lambda one=one: inner.call(_library(name, x), x.type, 1, one)
        )
        value = inner.emit(x.type, x.lanes, f"insertelement {value.typed}, {redone.typed}, i32 {k}")
    inner.line(f"ret {value.typed}")
    vector = vector_type(x.type, x.lanes)
    return f"define internal {vector} @{helper}({vector} %x, {vector} %y) noinline {{\n{inner.body()}\n}}"


@computes("sin")
def sin(code: Code, x: Vec) -> Vec:
    """The sine."""
    f = FORMATS[x.type]
    n, sine, cosine = _reduce(code, x, f)
    value = _flip(code.select((n & 1).eq(0), sine, cosine), n, f)
    value = code.select(x.abs().lt(f.tiny), x, value)
    return _huge_lanes(code, "sin", x, value, f)


@computes("cos")
def cos(code: Code, x: Vec) -> Vec:
    """The cosine."""
    f = FORMATS[x.type]
    n, sine, cosine = _reduce(code, x, f)
    value = _flip(code.select((n & 1).eq(0), cosine, sine), n + 1, f)
    return _huge_lanes(code, "cos", x, value, f)


@computes("tan")
def tan(code: Code, x: Vec) -> Vec:
    """The tangent: sin/cos, or -cos/sin in odd quadrants, a quotient of sums of two numbers."""
    f = FORMATS[x.type]
    n, sine, cosine = _reduce_exactly(code, x, f)
    even = (n & 1).eq(0)
    top, top_low = (code.select(even, s, -c) for s, c in zip(sine, cosine, strict=True))
    bottom, bottom_low = (code.select(even, c, s) for s, c in zip(sine, cosine, strict=True))
    inverse = 1.0 / bottom
    quotient = top * inverse
    rest = code.fma(-quotient, bottom, top) + (top_low - quotient * bottom_low)
    value = code.fma(rest, inverse, quotient)
    value = code.select(x.abs().lt(f.tiny), x, value)
    return _huge_lanes(code, "tan", x, value, f)


def _asin_parts(code: Code, x: Vec, f: Format) -> tuple[Vec, Vec]:
    """Whether |x| > ASIN_SPLIT, and asin(|x|) or, there, asin(sqrt((1-|x|)/2)), which is (pi/2 - asin|x|) / 2."""
    a = x.abs()
    big = a.gt(ASIN_SPLIT)
    z = code.select(big, (1.0 - a) * 0.5, a * a)
    s = code.select(big, z.sqrt(), a)
    return big, code.fma(polynomial(code, z, f.asin), z * s, s)


@computes("asin")
def asin(code: Code, x: Vec) -> Vec:
    """The inverse sine; NaN outside [-1, 1]."""
    f = FORMATS[x.type]
    big, p = _asin_parts(code, x, f)
    value = code.select(big, f.half_pi_full[0] - (p + p - f.half_pi_full[1]), p)
    return value.copysign(x)


@computes("acos")
def acos(code: Code, x: Vec) -> Vec:
    """The inverse cosine; NaN outside [-1, 1]."""
    f = FORMATS[x.type]
    big, p = _asin_parts(code, x, f)
    negative = x.lt(0.0)
    twice = p + p
    outer = code.select(negative, f.pi[0] - (twice - f.pi[1]), twice)
    inner = f.half_pi_full[0] - (p.copysign(x) - f.half_pi_full[1])
    return code.select(big, outer, inner)


def _atan_unit(code: Code, t: Vec, f: Format) -> Vec:
    """atan on [0, 1]."""
    z = t * t
    return code.fma(polynomial(code, z, f.atan), z * t, t)


@computes("atan")
def atan(code: Code, x: Vec) -> Vec:
    """The inverse tangent."""
    f = FORMATS[x.type]
    a = x.abs()
    inverted = a.gt(1.0)
    p = _atan_unit(code, code.select(inverted, 1.0 / a, a), f)
    value = code.select(inverted, f.half_pi_full[0] - (p - f.half_pi_full[1]), p)
    return value.copysign(x)


@computes("atan2")
def atan2(code: Code, y: Vec, x: Vec) -> Vec:
    """The angle of the point (x, y), with C's results for zeros and infinities of either sign."""
    f = FORMATS[x.type]
    a, b = y.abs(), x.abs()
    steep = a.gt(b)
    low, high = code.select(steep, b, a), code.select(steep, a, b)
    ratio = low / high
    ratio = code.select(high.eq(0.0), 0.0, code.select(low.eq(float("inf")), 1.0, ratio))
    angle = _atan_unit(code, ratio, f)
    angle = code.select(steep, f.half_pi_full[0] - (angle - f.half_pi_full[1]), angle)
    left = x.bits().lt(0)
    angle = code.select(left, f.pi[0] - (angle - f.pi[1]), angle).copysign(y)
    return code.select(y.compare("uno", x), x + y, angle)
