"""Python complex numbers, by CPython's formulas (Objects/complexobject.c)."""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from jitcore.primitives.core.python_numbers import number_operation, samples_of, words_of
from jitcore.primitives.core.registry import HostCode, Linear, Partials, Primitive, ScalarWriter, Vjp
from jitcore.primitives.ops.python_floats import float_add, float_mul, float_neg, ieee_div
from jitcore.types import BOOL, COMPLEX, FLOAT, bool_, c128, f64

_DIVISION_BY_ZERO = words_of(lambda: 1j / 0j)
_TOO_LARGE = words_of(lambda: abs(complex(1.7e308, 1.7e308)))
_PAIRS = ((1 + 2j, 3 - 1j), (-0.5j, 2.0 + 0j), (1e200 + 1j, 1 - 1e200j), (3 + 0j, -1j))


def _parts(p: ScalarWriter, z: Any) -> tuple[Any, Any]:
    return p("real", f64, z), p("imag", f64, z)


def _mul_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    a, b = _parts(p, x)
    c, d = _parts(p, y)
    re = p("sub", f64, p("mul", f64, a, c), p("mul", f64, b, d))
    return p("complex", c128, re, p("add", f64, p("mul", f64, a, d), p("mul", f64, b, c)))


def _sum_code(op: str) -> Any:
    def code(p: ScalarWriter, x: Any, y: Any) -> Any:
        a, b = _parts(p, x)
        c, d = _parts(p, y)
        return p("complex", c128, p(op, f64, a, c), p(op, f64, b, d))

    return code


def _truediv_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    """Smith's method: divide by the larger part of the divisor first. NaN parts of the divisor give NaN."""
    a, b = _parts(p, x)
    c, d = _parts(p, y)
    zero = p.const(f64, 0.0)
    nonzero = p("or", bool_, p("ne", bool_, c, zero), p("ne", bool_, d, zero))
    p.check(nonzero, "ZeroDivisionError", _DIVISION_BY_ZERO)
    real_larger = p("ge", bool_, p("abs", f64, c), p("abs", f64, d))
    large, small = p("select", f64, real_larger, c, d), p("select", f64, real_larger, d, c)
    ratio = p("div", f64, small, large)
    denominator = p("add", f64, large, p("mul", f64, small, ratio))
    # With the real part larger: (a + b r, b - a r); else, the parts of x changing places: (a r + b, b r - a).
    first, second = p("select", f64, real_larger, a, b), p("select", f64, real_larger, b, a)
    re = p("add", f64, first, p("mul", f64, second, ratio))
    scaled = p("mul", f64, first, ratio)
    im = p("select", f64, real_larger, p("sub", f64, second, scaled), p("sub", f64, scaled, second))
    return p("complex", c128, p("div", f64, re, denominator), p("div", f64, im, denominator))


complex_add = number_operation(
    "complex_add",
    "x y",
    (COMPLEX, COMPLEX),
    COMPLEX,
    operator.add,
    _sum_code("add"),
    samples_of(*_PAIRS, differentiable=False),
    "x + y",
    Linear((0, 1), lambda cts, x, y: (cts[0], cts[0])),
)
complex_sub = number_operation(
    "complex_sub",
    "x y",
    (COMPLEX, COMPLEX),
    COMPLEX,
    operator.sub,
    _sum_code("sub"),
    samples_of(*_PAIRS, differentiable=False),
    "x - y",
    Linear((0, 1), lambda cts, x, y: (cts[0], complex_neg(cts[0]))),
)
complex_mul = number_operation(
    "complex_mul",
    "x y",
    (COMPLEX, COMPLEX),
    COMPLEX,
    operator.mul,
    _mul_code,
    samples_of(*_PAIRS, differentiable=False),
    "x * y",
    Partials(lambda out, x, y: (lambda: y, lambda: x)),
)
complex_truediv = number_operation(
    "complex_truediv",
    "x y",
    (COMPLEX, COMPLEX),
    COMPLEX,
    operator.truediv,
    _truediv_code,
    samples_of(*_PAIRS, differentiable=False),
    "x / y",
    Partials(lambda out, x, y: (lambda: complex_truediv(1 + 0j, y), lambda: complex_neg(complex_truediv(out, y)))),
    raises=("ZeroDivisionError",),
)


def _neg_code(p: ScalarWriter, x: Any) -> Any:
    a, b = _parts(p, x)
    return p("complex", c128, p("neg", f64, a), p("neg", f64, b))


complex_neg = number_operation(
    "complex_neg",
    "x",
    (COMPLEX,),
    COMPLEX,
    operator.neg,
    _neg_code,
    samples_of((1 + 2j,), (0j,), differentiable=False),
    "-x",
    Linear((0,), lambda cts, x: (complex_neg(cts[0]),)),
)
# Cotangents pair with tangents without conjugation, as those of complex arrays do.
complex_real = number_operation(
    "complex_real",
    "x",
    (COMPLEX,),
    FLOAT,
    lambda x: x.real,
    lambda p, x: p("real", f64, x),
    samples_of((1 + 2j,), differentiable=False),
    "x.real",
    Linear((0,), lambda cts, x: (complex_new(cts[0], 0.0),)),
)
complex_imag = number_operation(
    "complex_imag",
    "x",
    (COMPLEX,),
    FLOAT,
    lambda x: x.imag,
    lambda p, x: p("imag", f64, x),
    samples_of((1 + 2j,), differentiable=False),
    "x.imag",
    Linear((0,), lambda cts, x: (complex_neg(complex_new(0.0, cts[0])),)),
)
complex_new = number_operation(
    "complex_new",
    "re im",
    (FLOAT, FLOAT),
    COMPLEX,
    complex,
    lambda p, re, im: p("complex", c128, re, im),
    samples_of((1.0, -2.0), (-0.0, 0.0), differentiable=False),
    "the complex number of two parts",
    Linear((0, 1), lambda cts, re, im: (complex_real(cts[0]), complex_imag(complex_neg(cts[0])))),
)


def _abs_code(p: ScalarWriter, x: Any) -> Any:
    re, im = _parts(p, x)
    size, infinity = p("libm.hypot", f64, re, im), p.const(f64, math.inf)
    too_large = p("eq", bool_, size, infinity)
    for part in (re, im):
        too_large = p("and", bool_, too_large, p("ne", bool_, p("abs", f64, part), infinity))
    p.check(p("not", bool_, too_large), "OverflowError", _TOO_LARGE)
    return size


def _abs_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any) -> Sequence[Any]:
    share = ieee_div(cts[0], outs[0])
    return (complex_new(float_mul(share, complex_real(x)), float_neg(float_mul(share, complex_imag(x)))),)


def _abs_jvp(tangents: Sequence[Any], outs: Sequence[Any], x: Any) -> Sequence[Any]:
    re, im = (float_mul(part(x), part(tangents[0])) for part in (complex_real, complex_imag))
    return (ieee_div(float_add(re, im), outs[0]),)


complex_abs = number_operation(
    "complex_abs",
    "x",
    (COMPLEX,),
    FLOAT,
    abs,
    _abs_code,
    samples_of((3 + 4j,), (0j,), (-1e300 + 1e300j,), (complex(math.inf, math.nan),), differentiable=False),
    "abs(x)",
    Vjp(_abs_vjp, _abs_jvp),
    raises=("OverflowError",),
)


def _comparison(name: str, op: str, joined: str, function: Callable[[complex, complex], bool], doc: str) -> Primitive:
    def code(p: ScalarWriter, x: Any, y: Any) -> Any:
        a, b = _parts(p, x)
        c, d = _parts(p, y)
        return p(joined, bool_, p(op, bool_, a, c), p(op, bool_, b, d))

    samples = samples_of((1 + 2j, 1 + 2j), (1 + 2j, 1 - 2j), (0j, -0j), (complex("nan"), 1j), differentiable=False)
    return number_operation(name, "x y", (COMPLEX, COMPLEX), BOOL, function, code, samples, doc)


complex_eq = _comparison("complex_eq", "eq", "and", operator.eq, "x == y")
complex_ne = _comparison("complex_ne", "ne", "or", operator.ne, "x != y")


def _to_bool_code(p: ScalarWriter, x: Any) -> Any:
    zero = p.const(f64, 0.0)
    a, b = _parts(p, x)
    return p("or", bool_, p("ne", bool_, a, zero), p("ne", bool_, b, zero))


complex_to_bool = number_operation(
    "complex_to_bool",
    "x",
    (COMPLEX,),
    BOOL,
    bool,
    _to_bool_code,
    samples_of((0j,), (1j,), (2 + 0j,), differentiable=False),
    "x != 0",
)
float_to_complex = number_operation(
    "float_to_complex",
    "x",
    (FLOAT,),
    COMPLEX,
    complex,
    lambda p, x: p("complex", c128, x, p.const(f64, 0.0)),
    samples_of((1.5,), (-0.0,), differentiable=False),
    "complex(x)",
    Linear((0,), lambda cts, x: (complex_real(cts[0]),)),
)

# --- powers and cmath, computed by CPython ----------------------------------------------------------


def _pow_partials(out: Any, x: Any, y: Any) -> Sequence[Callable[[], Any]]:
    def by_base() -> Any:
        return complex_mul(y, complex_pow(x, complex_sub(y, 1 + 0j)))

    return by_base, lambda: complex_mul(cmath_log(x), out)


complex_pow = number_operation(
    "complex_pow",
    "x y",
    (COMPLEX, COMPLEX),
    COMPLEX,
    operator.pow,
    HostCode(),
    samples_of((1 + 2j, 2 + 0j), (-1 + 0j, 0.5 + 0j), (0j, 1 + 0j), (2j, 1 - 1j), differentiable=False),
    "x ** y",
    Partials(_pow_partials),
    raises=("ZeroDivisionError", "OverflowError"),
)


def _function(name: str, partial: Callable[[Any, Any], Any]) -> Primitive:
    """`cmath.<name>`, whose derivative is `partial(out, x)`."""
    return number_operation(
        f"cmath_{name}",
        "x",
        (COMPLEX,),
        COMPLEX,
        getattr(cmath, name),
        HostCode(),
        samples_of((0.3 + 0.4j,), (-1.5 + 0.5j,), differentiable=False),
        f"cmath.{name}(x)",
        Partials(lambda out, x: (lambda: partial(out, x),)),
        raises=("ValueError", "OverflowError"),
    )


def _inverse(x: Any) -> Any:
    return complex_truediv(1 + 0j, x)


def _square_and(x: Any, sign: Callable[[Any, Any], Any]) -> Any:
    return sign(1 + 0j, complex_mul(x, x))


cmath_exp = _function("exp", lambda out, x: out)
cmath_log = _function("log", lambda out, x: _inverse(x))
cmath_sqrt = _function("sqrt", lambda out, x: complex_truediv(0.5 + 0j, out))
cmath_sin = _function("sin", lambda out, x: cmath_cos(x))
cmath_cos = _function("cos", lambda out, x: complex_neg(cmath_sin(x)))
cmath_tan = _function("tan", lambda out, x: _square_and(out, complex_add))
cmath_asin = _function("asin", lambda out, x: _inverse(cmath_sqrt(_square_and(x, complex_sub))))
cmath_acos = _function("acos", lambda out, x: complex_neg(_inverse(cmath_sqrt(_square_and(x, complex_sub)))))
cmath_atan = _function("atan", lambda out, x: _inverse(_square_and(x, complex_add)))
cmath_sinh = _function("sinh", lambda out, x: cmath_cosh(x))
cmath_cosh = _function("cosh", lambda out, x: cmath_sinh(x))
cmath_tanh = _function("tanh", lambda out, x: _square_and(out, complex_sub))
cmath_asinh = _function("asinh", lambda out, x: _inverse(cmath_sqrt(_square_and(x, complex_add))))
cmath_acosh = _function(
    "acosh",
    lambda out, x: _inverse(complex_mul(cmath_sqrt(complex_sub(x, 1 + 0j)), cmath_sqrt(complex_add(x, 1 + 0j)))),
)
cmath_atanh = _function("atanh", lambda out, x: _inverse(_square_and(x, complex_sub)))


def _phase_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any) -> Sequence[Any]:
    return (complex_mul(complex_new(0.0, float_neg(cts[0])), _inverse(x)),)


def _phase_jvp(tangents: Sequence[Any], outs: Sequence[Any], x: Any) -> Sequence[Any]:
    return (complex_imag(complex_mul(tangents[0], _inverse(x))),)


cmath_phase = number_operation(
    "cmath_phase",
    "x",
    (COMPLEX,),
    FLOAT,
    cmath.phase,
    lambda p, x: p("libm.atan2", f64, *reversed(_parts(p, x))),
    samples_of((1 + 2j,), (-1 - 0.5j,), (0j,), differentiable=False),
    "cmath.phase(x)",
    Vjp(_phase_vjp, _phase_jvp),
)
