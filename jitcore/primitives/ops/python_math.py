"""The functions of Python's `math` on floats, with its exceptions: the C library's results, checked as `math_1` of
CPython's Modules/mathmodule.c checks them. Those CPython computes by algorithms of its own call CPython.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from jitcore.primitives.core.python_numbers import DISCRETE, in_range, number_operation, samples_of, words_of
from jitcore.primitives.core.registry import HostCode, Nondifferentiable, Partials, Primitive, ScalarWriter
from jitcore.primitives.ops.python_floats import (
    POWER_EDGES,
    POWERS,
    check_power,
    float_add,
    float_mul,
    float_neg,
    float_sub,
    ieee_cos,
    ieee_cosh,
    ieee_div,
    ieee_exp,
    ieee_sign,
    ieee_sin,
    ieee_sinh,
    ieee_sqrt,
    power_partials,
)
from jitcore.types import FLOAT, INT, ScalarType, bool_, f64

_INF, _NAN = math.inf, math.nan


def _failure(function: Callable[..., Any], *args: Any) -> str:
    return words_of(lambda: function(*args))


def _function(
    name: str,
    op: str,
    partial: Callable[[Any, Any], Any],
    rows: Sequence[float],
    *,
    domain: float | None = None,
    overflow: float | None = None,
    edges: Sequence[float] = (0.0, -0.0, _INF, -_INF, _NAN),
) -> Primitive:
    """`math.<name>`: `domain` is an argument outside its domain, `overflow` one whose result is too large."""
    function = getattr(math, name)
    infinite = ("OverflowError", overflow) if overflow is not None else ("ValueError", domain)

    def code(p: ScalarWriter, x: Any) -> Any:
        result = p(op, f64, x)
        if domain is not None:
            spoilt = p("and", bool_, p("isnan", bool_, result), p("eq", bool_, x, x))
            p.check(p("not", bool_, spoilt), "ValueError", _failure(function, domain))
        exception, culprit = infinite
        if culprit is not None:
            grown = p("and", bool_, p("isinf", bool_, result), p("isfinite", bool_, x))
            p.check(p("not", bool_, grown), exception, _failure(function, culprit))
        return result

    raises = [error for error, culprit in (("ValueError", domain), ("OverflowError", overflow)) if culprit is not None]
    return number_operation(
        f"math_{name}",
        "x",
        (FLOAT,),
        FLOAT,
        function,
        code,
        samples_of(*((x,) for x in rows), plain=[(x,) for x in edges if _gives(function, x)]),
        f"math.{name}(x)",
        Partials(lambda out, x: (lambda: partial(out, x),)),
        raises=tuple(raises),
    )


def _gives(function: Callable[..., Any], *args: Any) -> bool:
    try:
        function(*args)
    except (ValueError, OverflowError):
        return False
    return True


def _square(x: Any) -> Any:
    return float_mul(x, x)


def _over_root(numerator: float, square: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda out, x: ieee_div(numerator, ieee_sqrt(square(x)))


def _one_minus_square(x: Any) -> Any:
    return float_mul(float_sub(1.0, x), float_add(1.0, x))


def _one_plus_square(x: Any) -> Any:
    return float_add(1.0, _square(x))


def _gauss(factor: float) -> Callable[[Any, Any], Any]:
    return lambda out, x: float_mul(factor, ieee_exp(float_neg(_square(x))))


_ROWS = (0.3, -0.7, 0.9)
_POSITIVE = (0.3, 1.0, 2.5)

math_exp = _function("exp", "libm.exp", lambda out, x: out, _ROWS, overflow=1000.0)
math_exp2 = _function("exp2", "libm.exp2", lambda out, x: float_mul(math.log(2), out), _ROWS, overflow=2000.0)
math_expm1 = _function("expm1", "libm.expm1", lambda out, x: float_add(out, 1.0), _ROWS, overflow=1000.0)
math_log = _function("log", "libm.log", lambda out, x: ieee_div(1.0, x), _POSITIVE, domain=-1.0)
math_log1p = _function("log1p", "libm.log1p", lambda out, x: ieee_div(1.0, float_add(1.0, x)), _ROWS, domain=-2.0)
math_log2 = _function("log2", "libm.log2", lambda out, x: ieee_div(1 / math.log(2), x), _POSITIVE, domain=-1.0)
math_log10 = _function("log10", "libm.log10", lambda out, x: ieee_div(1 / math.log(10), x), _POSITIVE, domain=-1.0)
math_sqrt = _function("sqrt", "sqrt", lambda out, x: ieee_div(0.5, out), _POSITIVE, domain=-1.0)
math_cbrt = _function("cbrt", "libm.cbrt", lambda out, x: ieee_div(1 / 3, _square(out)), _ROWS)
math_sin = _function("sin", "libm.sin", lambda out, x: ieee_cos(x), _ROWS, domain=_INF)
math_cos = _function("cos", "libm.cos", lambda out, x: float_neg(ieee_sin(x)), _ROWS, domain=_INF)
math_tan = _function("tan", "libm.tan", lambda out, x: float_add(1.0, _square(out)), _ROWS, domain=_INF)
math_asin = _function("asin", "libm.asin", _over_root(1.0, _one_minus_square), _ROWS, domain=2.0)
math_acos = _function("acos", "libm.acos", _over_root(-1.0, _one_minus_square), _ROWS, domain=2.0)
math_atan = _function("atan", "libm.atan", lambda out, x: ieee_div(1.0, _one_plus_square(x)), _ROWS)
math_sinh = _function("sinh", "libm.sinh", lambda out, x: ieee_cosh(x), _ROWS, overflow=1000.0)
math_cosh = _function("cosh", "libm.cosh", lambda out, x: ieee_sinh(x), _ROWS, overflow=1000.0)
math_tanh = _function("tanh", "libm.tanh", lambda out, x: _one_minus_square(out), _ROWS)
math_asinh = _function("asinh", "libm.asinh", _over_root(1.0, _one_plus_square), _ROWS)
math_acosh = _function(
    "acosh",
    "libm.acosh",
    _over_root(1.0, lambda x: float_mul(float_sub(x, 1.0), float_add(x, 1.0))),
    (1.2, 2.5),
    domain=0.5,
)
math_atanh = _function("atanh", "libm.atanh", lambda out, x: ieee_div(1.0, _one_minus_square(x)), _ROWS, domain=2.0)
math_erf = _function("erf", "libm.erf", _gauss(2 / math.sqrt(math.pi)), _ROWS)
math_erfc = _function("erfc", "libm.erfc", _gauss(-2 / math.sqrt(math.pi)), _ROWS)
math_fabs = _function("fabs", "abs", lambda out, x: ieee_sign(x), _ROWS)
math_degrees = number_operation(
    "math_degrees",
    "x",
    (FLOAT,),
    FLOAT,
    math.degrees,
    lambda p, x: p("mul", f64, x, p.const(f64, 180.0 / math.pi)),
    samples_of((0.3,), (-2.0,), plain=((_INF,), (_NAN,))),
    "math.degrees(x)",
    Partials(lambda out, x: (lambda: 180.0 / math.pi,)),
)
math_radians = number_operation(
    "math_radians",
    "x",
    (FLOAT,),
    FLOAT,
    math.radians,
    lambda p, x: p("mul", f64, x, p.const(f64, math.pi / 180.0)),
    samples_of((30.0,), (-200.0,), plain=((_INF,), (_NAN,))),
    "math.radians(x)",
    Partials(lambda out, x: (lambda: math.pi / 180.0,)),
)

# --- two arguments ----------------------------------------------------------------------------------

_DOMAIN = _failure(math.pow, -1.0, 0.5)


def _pow_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    messages = (_failure(math.pow, 0.0, -1.0), _DOMAIN, _failure(math.pow, 10.0, 400.0))
    return check_power(p, x, y, "ValueError", messages)


def _fmod_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    result = p("libm.fmod", f64, x, y)
    numbers = p("and", bool_, p("eq", bool_, x, x), p("eq", bool_, y, y))
    spoilt = p("and", bool_, p("isnan", bool_, result), numbers)
    p.check(p("not", bool_, spoilt), "ValueError", _failure(math.fmod, 1.0, 0.0))
    return result


def _atan2_partials(out: Any, y: Any, x: Any) -> Sequence[Callable[[], Any]]:
    def square() -> Any:
        return float_add(_square(x), _square(y))

    return lambda: ieee_div(x, square()), lambda: float_neg(ieee_div(y, square()))


_ANGLES = ((0.0, -0.0), (-0.0, -1.0), (_INF, -_INF), (_NAN, 1.0), (1.0, 0.0), (-0.0, 0.0))
math_pow = number_operation(
    "math_pow",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    math.pow,
    _pow_code,
    samples_of(*POWERS, plain=POWER_EDGES),
    "math.pow(x, y)",
    Partials(power_partials),
    raises=("ValueError", "OverflowError"),
)
math_atan2 = number_operation(
    "math_atan2",
    "y x",
    (FLOAT, FLOAT),
    FLOAT,
    math.atan2,
    lambda p, y, x: p("libm.atan2", f64, y, x),
    samples_of((0.3, 0.7), (-2.0, -0.5), plain=_ANGLES),
    "math.atan2(y, x)",
    Partials(_atan2_partials),
)
math_fmod = number_operation(
    "math_fmod",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    math.fmod,
    _fmod_code,
    samples_of((7.5, 2.0), (-7.5, 2.25), plain=((3.0, _INF), (_NAN, 1.0), (1.0, _NAN))),
    "math.fmod(x, y)",
    Partials(lambda out, x, y: (lambda: 1.0, lambda: ieee_div(float_sub(out, x), y))),
    raises=("ValueError",),
)
math_copysign = number_operation(
    "math_copysign",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    math.copysign,
    lambda p, x, y: p("copysign", f64, x, y),
    samples_of((2.5, -1.0), (-2.5, -1.0), (-2.5, 3.0), plain=((0.0, -0.0), (_NAN, -1.0))),
    "math.copysign(x, y)",
    Partials(lambda out, x, y: (lambda: float_mul(ieee_sign(x), ieee_sign(out)), None)),
)

# --- computed by CPython ----------------------------------------------------------------------------

_NO_DIGAMMA = Nondifferentiable("the derivative of the gamma function is not available", zero=False)


def _called(
    name: str,
    params: Sequence[ScalarType],
    result: ScalarType,
    rows: Sequence[Sequence[Any]],
    raises: tuple[str, ...],
    derivative: Any = DISCRETE,
) -> Primitive:
    function = getattr(math, name)

    def reference(*xs: Any) -> Any:
        return in_range(function(*xs)) if result is INT else function(*xs)

    arguments = " ".join("xyz"[: len(params)])
    return number_operation(
        f"math_{name}",
        arguments,
        params,
        result,
        reference,
        HostCode(lambda: function),
        samples_of(*rows),
        f"math.{name}({', '.join(arguments.split())})",
        derivative,
        raises=raises,
    )


def _hypot_partials(out: Any, x: Any, y: Any) -> Sequence[Callable[[], Any]]:
    return lambda: ieee_div(x, out), lambda: ieee_div(y, out)


math_gamma = _called("gamma", (FLOAT,), FLOAT, ((0.3,), (5.0,)), ("ValueError", "OverflowError"), _NO_DIGAMMA)
math_lgamma = _called("lgamma", (FLOAT,), FLOAT, ((0.3,), (50.0,)), ("ValueError", "OverflowError"), _NO_DIGAMMA)
math_hypot = _called("hypot", (FLOAT, FLOAT), FLOAT, ((3.0, 4.0), (-0.3, 0.7)), (), Partials(_hypot_partials))
math_ldexp = _called(
    "ldexp",
    (FLOAT, INT),
    FLOAT,
    ((1.5, 3), (-0.3, -2)),
    ("OverflowError",),
    Partials(lambda out, x, y: (lambda: math_ldexp(1.0, y), None)),
)
math_isqrt = _called("isqrt", (INT,), INT, ((0,), (99,), (2**62,)), ("ValueError",))
math_factorial = _called("factorial", (INT,), INT, ((0,), (5,), (20,)), ("ValueError", "OverflowError"))
math_comb = _called("comb", (INT, INT), INT, ((5, 2), (60, 30), (3, 7)), ("ValueError", "OverflowError"))
math_perm = _called("perm", (INT, INT), INT, ((5, 2), (20, 7), (3, 7)), ("ValueError", "OverflowError"))
math_remainder = _called(
    "remainder",
    (FLOAT, FLOAT),
    FLOAT,
    ((7.5, 2.0), (-7.0, 2.25)),
    ("ValueError",),
    Partials(lambda out, x, y: (lambda: 1.0, lambda: ieee_div(float_sub(out, x), y))),
)
math_nextafter = _called(
    "nextafter", (FLOAT, FLOAT), FLOAT, ((1.5, 3.0), (-0.3, -2.0)), (), Partials(lambda out, x, y: (lambda: 1.0, None))
)
math_ulp = _called("ulp", (FLOAT,), FLOAT, ((1.5,), (1e300,)), ())
