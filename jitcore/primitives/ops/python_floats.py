"""Python floats: CPython's results, bit for bit, and its exceptions; and the unchecked operations their derivatives are
made of.

The `ieee_*` operations never raise: where Python would, they give the infinity or NaN of IEEE 754.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitcore.kernel.scalar import OPS
from jitcore.primitives.core import batching
from jitcore.primitives.core.python_numbers import (
    DISCRETE,
    INT_MAX,
    INT_MIN,
    in_range,
    in_rows,
    number_operation,
    samples_of,
    words_of,
)
from jitcore.primitives.core.registry import HostCode, Linear, Partials, Primitive, ScalarWriter
from jitcore.program.words import PAST_64_BITS
from jitcore.types import BOOL, FLOAT, INT, bool_, f64, i64

_INF, _NAN = math.inf, math.nan
_EDGES = ((0.0, -0.0), (1e300, 1e-3), (-0.0, 3.0), (_INF, 1.0), (1.0, -_INF), (_NAN, 1.0), (1.0, _NAN), (_INF, -_INF))
_PAIRS = ((7.5, 2.0), (-7.5, 2.0), (7.5, -2.25), (-0.3, -0.7))


def _plain(op: str) -> Callable[..., Any]:
    return lambda p, *xs: p(op, f64, *xs)


def _scalar_reference(op: str) -> Callable[..., float]:
    """A `kernel.scalar` operation on Python floats."""
    function = OPS[op].reference

    def call(*xs: float) -> float:
        with np.errstate(all="ignore"):
            return float(function(*(np.float64(x) for x in xs)))

    return call


# --- arithmetic -------------------------------------------------------------------------------------

float_add = number_operation(
    "float_add",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    operator.add,
    _plain("add"),
    samples_of(*_PAIRS, plain=_EDGES),
    "x + y",
    Linear((0, 1), lambda cts, x, y: (cts[0], cts[0])),
    batch=in_rows("add"),
)
float_sub = number_operation(
    "float_sub",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    operator.sub,
    _plain("sub"),
    samples_of(*_PAIRS, plain=_EDGES),
    "x - y",
    Linear((0, 1), lambda cts, x, y: (cts[0], float_neg(cts[0]))),
    batch=in_rows("sub"),
)
float_mul = number_operation(
    "float_mul",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    operator.mul,
    _plain("mul"),
    samples_of(*_PAIRS, plain=_EDGES),
    "x * y",
    Partials(lambda out, x, y: (lambda: y, lambda: x)),
    batch=in_rows("mul"),
)
float_neg = number_operation(
    "float_neg",
    "x",
    (FLOAT,),
    FLOAT,
    operator.neg,
    _plain("neg"),
    samples_of((2.5,), (-0.5,), plain=((0.0,), (_INF,), (_NAN,))),
    "-x",
    Linear((0,), lambda cts, x: (float_neg(cts[0]),)),
    batch=in_rows("neg"),
)
float_abs = number_operation(
    "float_abs",
    "x",
    (FLOAT,),
    FLOAT,
    abs,
    _plain("abs"),
    samples_of((2.5,), (-0.5,), plain=((-0.0,), (-_INF,), (_NAN,))),
    "abs(x)",
    Partials(lambda out, x: (lambda: ieee_sign(x),)),
    batch=in_rows("abs"),
)


def _check_divisor(p: ScalarWriter, y: Any, message: str) -> None:
    p.check(p("ne", bool_, y, p.const(f64, 0.0)), "ZeroDivisionError", message)


_BY_ZERO = {
    "/": words_of(lambda: 1.0 / 0.0),
    "//": words_of(lambda: 1.0 // 0.0),
    "%": words_of(lambda: 1.0 % 0.0),
}


def _truediv_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    _check_divisor(p, y, _BY_ZERO["/"])
    return p("div", f64, x, y)


def _remainder(p: ScalarWriter, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """fmod, whether it is to be moved to the divisor's sign, and the remainder (CPython's `float_rem`)."""
    zero = p.const(f64, 0.0)
    rest = p("libm.fmod", f64, x, y)
    nonzero = p("ne", bool_, rest, zero)
    unlike = p("xor", bool_, p("lt", bool_, y, zero), p("lt", bool_, rest, zero))
    moved = p("and", bool_, nonzero, unlike)
    signed = p("select", f64, moved, p("add", f64, rest, y), rest)
    return rest, moved, p("select", f64, nonzero, signed, p("copysign", f64, zero, y))


def _mod_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    _check_divisor(p, y, _BY_ZERO["%"])
    return _remainder(p, x, y)[2]


def _floordiv_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    """CPython's `_float_div_mod`."""
    _check_divisor(p, y, _BY_ZERO["//"])
    rest, moved, _ = _remainder(p, x, y)
    zero, one = p.const(f64, 0.0), p.const(f64, 1.0)
    quotient = p("div", f64, p("sub", f64, x, rest), y)
    quotient = p("select", f64, moved, p("sub", f64, quotient, one), quotient)
    floor = p("floor", f64, quotient)
    below = p("gt", bool_, p("sub", f64, quotient, floor), p.const(f64, 0.5))
    floor = p("select", f64, below, p("add", f64, floor, one), floor)
    signed_zero = p("copysign", f64, zero, p("div", f64, x, y))
    return p("select", f64, p("ne", bool_, quotient, zero), floor, signed_zero)


_DIVIDED = ((0.0, 3.0), (-0.0, 3.0), (_INF, 2.0), (3.0, _INF), (-3.0, _INF), (3.0, -_INF), (_NAN, 2.0), (2.0, _NAN))
_QUOTIENTS = ((6.0, -3.0), (-6.0, 3.0), (1e300, 7e-5), (0.3, 0.1), (5e-324, -2.0), *_DIVIDED)

float_truediv = number_operation(
    "float_truediv",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    operator.truediv,
    _truediv_code,
    samples_of(*_PAIRS, plain=_QUOTIENTS),
    "x / y",
    Partials(lambda out, x, y: (lambda: ieee_div(1.0, y), lambda: float_neg(ieee_div(out, y)))),
    raises=("ZeroDivisionError",),
)
float_floordiv = number_operation(
    "float_floordiv",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    operator.floordiv,
    _floordiv_code,
    samples_of(*_PAIRS, *_QUOTIENTS),
    "x // y",
    raises=("ZeroDivisionError",),
)
float_mod = number_operation(
    "float_mod",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    operator.mod,
    _mod_code,
    samples_of(*_PAIRS, plain=_QUOTIENTS),
    "x % y",
    Partials(lambda out, x, y: (lambda: 1.0, lambda: ieee_div(float_sub(out, x), y))),
    raises=("ZeroDivisionError",),
)

# --- powers -----------------------------------------------------------------------------------------

_ZERO_TO_NEGATIVE = words_of(lambda: 0.0**-1.0)
_RESULT_RANGE = words_of(lambda: 10.0**400)
_COMPLEX_POWER = "a negative float to a power that is no whole number is complex: write complex(x) ** y"


def check_power(p: ScalarWriter, x: Any, y: Any, zero_division: str, messages: Sequence[str]) -> Any:
    """x to the power y by C's `pow`, which is IEEE 754's; raises where CPython does.

    `messages`: of zero to a negative power (raised as `zero_division`), of a complex result, of overflow.
    """
    zero = p.const(f64, 0.0)
    finite = p("and", bool_, p("isfinite", bool_, x), p("isfinite", bool_, y))

    def check_not(bad: Any, exception: str, message: str) -> None:
        p.check(p("not", bool_, p("and", bool_, finite, bad)), exception, message)

    pole = p("and", bool_, p("eq", bool_, x, zero), p("lt", bool_, y, zero))
    check_not(pole, zero_division, messages[0])
    fractional = p("ne", bool_, y, p("floor", f64, y))
    check_not(p("and", bool_, p("lt", bool_, x, zero), fractional), "ValueError", messages[1])
    result = p("libm.pow", f64, x, y)
    check_not(p("isinf", bool_, result), "OverflowError", messages[2])
    return result


def _pow_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    return check_power(p, x, y, "ZeroDivisionError", (_ZERO_TO_NEGATIVE, _COMPLEX_POWER, _RESULT_RANGE))


def _pow_reference(x: float, y: float) -> float:
    result = x**y
    if isinstance(result, complex):
        raise ValueError(_COMPLEX_POWER)
    return result


def power_partials(out: Any, x: Any, y: Any) -> Sequence[Callable[[], Any]]:
    """The derivatives of x to the power y. What would be 0 * inf is 0, in higher derivatives too (as for arrays)."""

    def by_base() -> Any:
        exponent = float_select(float_eq(y, 0.0), 1.0, float_sub(y, 1.0))
        return float_mul(y, ieee_pow(x, exponent))

    def by_exponent() -> Any:
        return float_mul(ieee_log(float_select(float_eq(x, 0.0), 1.0, x)), out)

    return by_base, by_exponent


POWERS = ((2.5, 1.5), (0.3, -2.0), (7.0, 0.0))
POWER_EDGES = (
    (-2.0, 3.0), (0.0, 0.0), (-0.0, 3.0), (0.0, 2.5), (_INF, -1.0), (-_INF, 3.0), (_NAN, 0.0), (1.0, _NAN), (_NAN, 1.0),
    (0.5, _INF), (-1.0, -_INF), (2.0, -2000.0), (0.0, _INF),
)  # fmt: skip
float_pow = number_operation(
    "float_pow",
    "x y",
    (FLOAT, FLOAT),
    FLOAT,
    _pow_reference,
    _pow_code,
    samples_of(*POWERS, plain=(*POWER_EDGES, (0.0, -_INF))),
    "x ** y; ValueError where it is complex",
    Partials(power_partials),
    raises=("ZeroDivisionError", "ValueError", "OverflowError"),
)

# --- comparison and selection -----------------------------------------------------------------------


def _comparison(name: str, op: str, function: Callable[[float, float], bool], doc: str) -> Primitive:
    def code(p: ScalarWriter, x: object, y: object) -> Any:
        return p(op, bool_, x, y)

    samples = samples_of((1.0, 2.0), (2.0, 1.0), (2.0, 2.0), *_EDGES)
    return number_operation(name, "x y", (FLOAT, FLOAT), BOOL, function, code, samples, doc, batch=in_rows(op))


float_eq = _comparison("float_eq", "eq", operator.eq, "x == y")
float_ne = _comparison("float_ne", "ne", operator.ne, "x != y")
float_lt = _comparison("float_lt", "lt", operator.lt, "x < y")
float_le = _comparison("float_le", "le", operator.le, "x <= y")
float_gt = _comparison("float_gt", "gt", operator.gt, "x > y")
float_ge = _comparison("float_ge", "ge", operator.ge, "x >= y")


def _test(name: str, op: str, function: Callable[[float], bool], doc: str) -> Primitive:
    samples = samples_of((1.0,), (_INF,), (-_INF,), (_NAN,))

    def code(p: ScalarWriter, x: object) -> Any:
        return p(op, bool_, x)

    return number_operation(name, "x", (FLOAT,), BOOL, function, code, samples, doc, batch=in_rows(op))


float_is_nan = _test("float_is_nan", "isnan", math.isnan, "whether x is not a number")
float_is_inf = _test("float_is_inf", "isinf", math.isinf, "whether x is infinite")
float_is_finite = _test("float_is_finite", "isfinite", math.isfinite, "whether x is neither infinite nor NaN")
float_select = number_operation(
    "float_select",
    "c x y",
    (BOOL, FLOAT, FLOAT),
    FLOAT,
    lambda c, x, y: x if c else y,
    lambda p, c, x, y: p("select", f64, c, x, y),
    samples_of((True, 1.0, 2.0), (False, 1.0, 2.0)),
    "x if c else y, both being known",
    Linear((1, 2), lambda cts, c, x, y: (None, float_select(c, cts[0], 0.0), float_select(c, 0.0, cts[0]))),
    batch=in_rows("select"),
)


def _mixed_comparison(name: str, op: str, function: Callable[[int, float], bool], doc: str) -> Primitive:
    """An int compared with a float, exactly: with the float's whole part where that is an int, by the fraction where
    they are equal, and by sign where the float is past all ints."""

    def code(p: ScalarWriter, x: object, y: object) -> Any:
        bound = p.const(f64, 2.0**63)
        zero = p.const(f64, 0.0)
        near = p("and", bool_, p("ge", bool_, y, p("neg", f64, bound)), p("lt", bool_, y, bound))
        safe = p("select", f64, near, y, zero)
        whole = p("trunc", f64, safe)
        number = p("cast", i64, whole)
        by_fraction = p(op, bool_, p("sub", f64, whole, safe), zero)
        same = p("eq", bool_, x, number)
        among_ints = p("select", bool_, same, by_fraction, p(op, bool_, x, number))
        return p("select", bool_, near, among_ints, p(op, bool_, zero, y))

    samples = samples_of(
        (2**53 + 1, 2.0**53), (3, 3.0), (3, 3.5), (-3, -3.5), (4, 3.5), (INT_MAX, 2.0**63), (INT_MIN, -(2.0**63)),
        (5, _INF), (5, -_INF), (5, _NAN), (0, -0.0), (0, 1e-300), (0, 1e300),
    )  # fmt: skip
    return number_operation(name, "x y", (INT, FLOAT), BOOL, function, code, samples, doc)


int_float_eq = _mixed_comparison("int_float_eq", "eq", operator.eq, "x == y of an int and a float, exactly")
int_float_ne = _mixed_comparison("int_float_ne", "ne", operator.ne, "x != y of an int and a float, exactly")
int_float_lt = _mixed_comparison("int_float_lt", "lt", operator.lt, "x < y of an int and a float, exactly")
int_float_le = _mixed_comparison("int_float_le", "le", operator.le, "x <= y of an int and a float, exactly")
int_float_gt = _mixed_comparison("int_float_gt", "gt", operator.gt, "x > y of an int and a float, exactly")
int_float_ge = _mixed_comparison("int_float_ge", "ge", operator.ge, "x >= y of an int and a float, exactly")

# --- conversion -------------------------------------------------------------------------------------

int_to_float = number_operation(
    "int_to_float",
    "x",
    (INT,),
    FLOAT,
    float,
    lambda p, x: p("cast", f64, x),
    samples_of((3,), (2**53 + 1,), (INT_MIN,), (INT_MAX,)),
    "float(x)",
    batch=batching.converted(f64),
)
bool_to_float = number_operation(
    "bool_to_float",
    "x",
    (BOOL,),
    FLOAT,
    float,
    lambda p, x: p("cast", f64, x),
    samples_of((True,), (False,)),
    "float(x)",
    batch=batching.converted(f64),
)
float_to_bool = number_operation(
    "float_to_bool",
    "x",
    (FLOAT,),
    BOOL,
    bool,
    lambda p, x: p("ne", bool_, x, p.const(f64, 0.0)),
    samples_of((0.0,), (-0.0,), (0.5,), (_NAN,)),
    "x != 0.0",
    batch=batching.converted(bool_),
)

_FROM_NAN = words_of(lambda: int(_NAN))
_FROM_INFINITY = words_of(lambda: int(_INF))


def _to_int(name: str, op: str, function: Callable[[float], int], doc: str) -> Primitive:
    def code(p: ScalarWriter, x: object) -> Any:
        p.check(p("not", bool_, p("isnan", bool_, x)), "ValueError", _FROM_NAN)
        p.check(p("not", bool_, p("isinf", bool_, x)), "OverflowError", _FROM_INFINITY)
        whole = p(op, f64, x)
        bound = p.const(f64, 2.0**63)
        fits = p("and", bool_, p("ge", bool_, whole, p("neg", f64, bound)), p("lt", bool_, whole, bound))
        p.check(fits, "OverflowError", PAST_64_BITS)
        return p("cast", i64, whole)

    def reference(x: float) -> int:
        return in_range(function(x))

    samples = samples_of((2.5,), (3.5,), (-2.5,), (-0.0,), (0.49999999999999994,), (-(2.0**63),), (1e18,))
    return number_operation(
        name, "x", (FLOAT,), INT, reference, code, samples, doc, raises=("ValueError", "OverflowError")
    )


float_to_int = _to_int("float_to_int", "trunc", int, "int(x)")
float_floor = _to_int("float_floor", "floor", math.floor, "math.floor(x)")
float_ceil = _to_int("float_ceil", "ceil", math.ceil, "math.ceil(x)")
float_round = _to_int("float_round", "rint", round, "round(x): halves to even")
float_round_digits = number_operation(
    "float_round_digits",
    "x n",
    (FLOAT, INT),
    FLOAT,
    round,
    HostCode(),
    samples_of((2.675, 2), (-1234.5, -2), (_NAN, 1), (0.5, 0), plain=()),
    "round(x, n), correctly rounded in decimal",
    DISCRETE,
    raises=("OverflowError",),
)

# --- unchecked --------------------------------------------------------------------------------------


def _ieee(name: str, op: str, partials: Callable[..., Sequence[Any]], doc: str, *rows: tuple[float, ...]) -> Primitive:
    arity = OPS[op].arity
    return number_operation(
        name,
        "x y" if arity == 2 else "x",
        (FLOAT,) * arity,
        FLOAT,
        _scalar_reference(op),
        _plain(op),
        samples_of(*rows, plain=((_INF,) * arity, (_NAN,) * arity, (0.0,) * arity, (-1.0,) * arity)),
        doc,
        Partials(partials),
    )


ieee_div = _ieee(
    "ieee_div",
    "div",
    lambda out, x, y: (lambda: ieee_div(1.0, y), lambda: float_neg(ieee_div(out, y))),
    "x / y, infinite or NaN where y is 0",
    (7.5, -2.0),
    (1e-3, 0.7),
)
ieee_pow = _ieee("ieee_pow", "libm.pow", power_partials, "x to the power y by IEEE 754", *POWERS)
ieee_sqrt = _ieee("ieee_sqrt", "sqrt", lambda out, x: (lambda: ieee_div(0.5, out),), "the square root or NaN", (2.5,))
ieee_exp = _ieee("ieee_exp", "libm.exp", lambda out, x: (lambda: out,), "e to the power x, or infinity", (0.7,))
ieee_log = _ieee("ieee_log", "libm.log", lambda out, x: (lambda: ieee_div(1.0, x),), "the logarithm or NaN", (2.5,))
ieee_sin = _ieee("ieee_sin", "libm.sin", lambda out, x: (lambda: ieee_cos(x),), "the sine or NaN", (0.7,))
ieee_cos = _ieee("ieee_cos", "libm.cos", lambda out, x: (lambda: float_neg(ieee_sin(x)),), "the cosine or NaN", (0.7,))
ieee_sinh = _ieee("ieee_sinh", "libm.sinh", lambda out, x: (lambda: ieee_cosh(x),), "the hyperbolic sine", (0.7,))
ieee_cosh = _ieee("ieee_cosh", "libm.cosh", lambda out, x: (lambda: ieee_sinh(x),), "the hyperbolic cosine", (0.7,))
ieee_sign = _ieee("ieee_sign", "sign", lambda out, x: (None,), "-1.0, 0.0 or 1.0; NaN for NaN", (2.5,), (-0.3,))
