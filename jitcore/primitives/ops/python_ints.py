"""Python ints, as checked 64-bit numbers, and bools: exactly Python's results, OverflowError past 64 bits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from jitcore.primitives import tracing
from jitcore.primitives.core import batching
from jitcore.primitives.core.python_numbers import (
    INT_MAX,
    INT_MIN,
    in_range,
    in_rows,
    number_operation,
    samples_of,
    words_of,
)
from jitcore.primitives.core.registry import Decomposition, HostCode, Primitive, ScalarWriter
from jitcore.primitives.ops import conversions, python_floats
from jitcore.program.words import PAST_64_BITS
from jitcore.types import BOOL, FLOAT, INT, bool_, i64

_DIVISION_BY_ZERO = {
    "//": words_of(lambda: 1 // 0),
    "%": words_of(lambda: 1 % 0),
    "/": words_of(lambda: 1 / 0),
}
_NEGATIVE_SHIFT = words_of(lambda: 1 << -1)

_PAIRS = ((7, 2), (-7, 2), (7, -2), (-7, -2), (0, 5), (6, 3), (INT_MAX, 2), (INT_MIN, 3), (2**53 + 1, 2**53 - 1))


def _check_fits(p: ScalarWriter, overflows: Any) -> None:
    p.check(p("not", bool_, overflows), "OverflowError", PAST_64_BITS)


def _exact(name: str, op: str, function: Callable[[int, int], int], doc: str) -> Primitive:
    def code(p: ScalarWriter, x: object, y: object) -> Any:
        _check_fits(p, p(f"{op}_overflows", bool_, x, y))
        return p(op, i64, x, y)

    def reference(x: int, y: int) -> int:
        return in_range(function(x, y))

    samples = samples_of((7, 2), (-7, 2), (INT_MAX, 0), (INT_MIN, 0), (2**31, -(2**31)), (3037000499, 3037000499))
    return number_operation(name, "x y", (INT, INT), INT, reference, code, samples, doc, raises=("OverflowError",))


int_add = _exact("int_add", "add", operator.add, "x + y")
int_sub = _exact("int_sub", "sub", operator.sub, "x - y")
int_mul = _exact("int_mul", "mul", operator.mul, "x * y")


def _divisor(p: ScalarWriter, y: Any, sign: str) -> None:
    p.check(p("ne", bool_, y, p.const(i64, 0)), "ZeroDivisionError", _DIVISION_BY_ZERO[sign])


def _floordiv_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    _divisor(p, y, "//")
    smallest = p("eq", bool_, x, p.const(i64, INT_MIN))
    _check_fits(p, p("and", bool_, smallest, p("eq", bool_, y, p.const(i64, -1))))
    return p("floordiv", i64, x, y)


def _mod_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    _divisor(p, y, "%")
    # The remainder by -1 is that by 1; machines trap on the smallest int divided by -1.
    safe = p("select", i64, p("eq", bool_, y, p.const(i64, -1)), p.const(i64, 1), y)
    return p("mod", i64, x, safe)


def _wrapped(value: int) -> int:
    return (value - INT_MIN) % 2**64 + INT_MIN


def _modular(name: str, op: str, function: Callable[[int, int], int], doc: str) -> Primitive:
    def reference(x: int, y: int) -> int:
        return _wrapped(function(x, y))

    samples = samples_of((7, 2), (-7, 2), (INT_MAX, 1), (INT_MIN, -1), (2**62, -(2**62)), (3037000500, 3037000500))
    return number_operation(name, "x y", (INT, INT), INT, reference, lambda p, x, y: p(op, i64, x, y), samples, doc)


int_add_modular = _modular(
    "int_add_modular", "add", operator.add, "x + y modulo 2**64: who emits it knows that it fits"
)
int_sub_modular = _modular(
    "int_sub_modular", "sub", operator.sub, "x - y modulo 2**64: who emits it knows that it fits"
)
int_mul_modular = _modular(
    "int_mul_modular", "mul", operator.mul, "x * y modulo 2**64: who emits it knows that it fits"
)

int_floordiv = number_operation(
    "int_floordiv",
    "x y",
    (INT, INT),
    INT,
    lambda x, y: in_range(x // y),
    _floordiv_code,
    samples_of(*_PAIRS),
    "x // y",
    raises=("ZeroDivisionError", "OverflowError"),
)
int_mod = number_operation(
    "int_mod",
    "x y",
    (INT, INT),
    INT,
    operator.mod,
    _mod_code,
    samples_of(*_PAIRS, (INT_MIN, -1)),
    "x % y",
    raises=("ZeroDivisionError",),
)

# --- true division ----------------------------------------------------------------------------------

_EXACT_FLOATS = 2**53
"""Ints of at most this magnitude are floats, so that dividing them as floats rounds once, as Python does."""


def _truediv(x: Any, y: Any) -> Any:
    conversions.check(int_ne(y, 0), exception="ZeroDivisionError", message=_DIVISION_BY_ZERO["/"])
    exact = int_le(-_EXACT_FLOATS, x)
    for fits in (int_le(x, _EXACT_FLOATS), int_le(-_EXACT_FLOATS, y), int_le(y, _EXACT_FLOATS)):
        exact = bool_and(exact, fits)
    return tracing.choose(
        exact,
        lambda: python_floats.ieee_div(python_floats.int_to_float(x), python_floats.int_to_float(y)),
        lambda: int_truediv_wide(x, y),
    )


int_truediv = number_operation(
    "int_truediv",
    "x y",
    (INT, INT),
    FLOAT,
    operator.truediv,
    Decomposition(_truediv),
    samples_of(*_PAIRS, (2**53 + 1, 1), (INT_MIN, INT_MAX), (INT_MAX, 2**62 + 1), (1, INT_MIN)),
    "x / y, correctly rounded",
    raises=("ZeroDivisionError",),
)
int_truediv_wide = number_operation(
    "int_truediv_wide",
    "x y",
    (INT, INT),
    FLOAT,
    operator.truediv,
    HostCode(),
    samples_of((2**53 + 1, 1), (INT_MIN, INT_MAX), (INT_MAX, 2**62 + 1), (1, INT_MIN)),
    "x / y of ints that need not be floats; y is not 0: who emits it has checked",
)

# --- powers -----------------------------------------------------------------------------------------

_NEGATIVE_EXPONENT = "an int to a negative power is a float"


def _pow_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    """Squares and multiplies for the six bits an exponent may have: any |x| > 1 overflows from 64 on."""

    def const(value: int) -> Any:
        return p.const(i64, value)

    p.check(p("ge", bool_, y, const(0)), "ValueError", _NEGATIVE_EXPONENT)
    large = p("or", bool_, p("ge", bool_, x, const(2)), p("le", bool_, x, const(-2)))
    many = p("ge", bool_, y, const(64))
    overflows = p("and", bool_, large, many)
    parity = p("add", i64, const(62), p("and", i64, y, const(1)))  # all that matters to 0, 1 and -1
    exponent = p("select", i64, many, parity, y)
    result, square = const(1), x
    lost: Any = p.const(bool_, False)
    for bit in range(6):
        if bit:
            lost = p("or", bool_, lost, p("mul_overflows", bool_, square, square))
            square = p("mul", i64, square, square)
        taken = p("ne", bool_, p("and", i64, exponent, const(1 << bit)), const(0))
        wrong = p("or", bool_, lost, p("mul_overflows", bool_, result, square))
        overflows = p("or", bool_, overflows, p("and", bool_, taken, wrong))
        result = p("select", i64, taken, p("mul", i64, result, square), result)
    _check_fits(p, overflows)
    return result


def _pow_reference(x: int, y: int) -> int:
    if y < 0:
        raise ValueError(_NEGATIVE_EXPONENT)
    if abs(x) > 1 and y > 63:
        raise OverflowError(PAST_64_BITS)
    return in_range(x ** (y if abs(x) > 1 else min(y, 2 + y % 2)))


int_pow = number_operation(
    "int_pow",
    "x y",
    (INT, INT),
    INT,
    _pow_reference,
    _pow_code,
    samples_of((3, 4), (-2, 63), (2, 62), (0, 0), (0, 100), (-1, 2**62 + 1), (1, INT_MAX), (7, 0), (-3, 39), (10, 18)),
    "x ** y for y not negative; ValueError otherwise (the float it would be is `float_pow`'s)",
    raises=("ValueError", "OverflowError"),
)

int_pow_modulo = number_operation(
    "int_pow_modulo",
    "x y z",
    (INT, INT, INT),
    INT,
    pow,
    HostCode(),
    samples_of((3, 200, 13), (-2, 5, 7), (3, -1, 7), (5, 0, 1), (INT_MAX, 2, INT_MAX - 1), (7, 3, -5)),
    "pow(x, y, z), whose steps may be past 64 bits",
    raises=("ValueError",),
)

# --- signs and bits ---------------------------------------------------------------------------------


def _sign_code(op: str) -> Callable[..., Any]:
    def code(p: ScalarWriter, x: object) -> Any:
        _check_fits(p, p("eq", bool_, x, p.const(i64, INT_MIN)))
        return p(op, i64, x)

    return code


_ONES = samples_of((5,), (-5,), (0,), (INT_MAX,), (INT_MIN + 1,))
int_neg = number_operation(
    "int_neg", "x", (INT,), INT, lambda x: in_range(-x), _sign_code("neg"), _ONES, "-x", raises=("OverflowError",)
)
int_abs = number_operation(
    "int_abs",
    "x",
    (INT,),
    INT,
    lambda x: in_range(abs(x)),
    _sign_code("abs"),
    _ONES,
    "abs(x)",
    raises=("OverflowError",),
)
int_invert = number_operation(
    "int_invert",
    "x",
    (INT,),
    INT,
    operator.invert,
    lambda p, x: p("not", i64, x),
    samples_of((5,), (-5,), (INT_MIN,)),
    "~x",
)


def _total(name: str, op: str, function: Callable[[int, int], int], doc: str) -> Primitive:
    samples = samples_of((12, 10), (-12, 10), (INT_MIN, -1), (0, INT_MAX))

    def code(p: ScalarWriter, x: object, y: object) -> Any:
        return p(op, i64, x, y)

    return number_operation(name, "x y", (INT, INT), INT, function, code, samples, doc, batch=in_rows(op))


int_and = _total("int_and", "and", operator.and_, "x & y")
int_or = _total("int_or", "or", operator.or_, "x | y")
int_xor = _total("int_xor", "xor", operator.xor, "x ^ y")


def _check_count(p: ScalarWriter, y: Any) -> None:
    p.check(p("ge", bool_, y, p.const(i64, 0)), "ValueError", _NEGATIVE_SHIFT)


def _lshift_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    _check_count(p, y)
    short = p("lt", bool_, y, p.const(i64, 64))
    count = p("select", i64, short, y, p.const(i64, 0))
    shifted = p("shl", i64, x, count)
    back = p("eq", bool_, p("shr", i64, shifted, count), x)
    zero = p("eq", bool_, x, p.const(i64, 0))
    p.check(p("or", bool_, p("and", bool_, back, short), zero), "OverflowError", PAST_64_BITS)
    return shifted


def _rshift_code(p: ScalarWriter, x: Any, y: Any) -> Any:
    _check_count(p, y)
    last = p.const(i64, 63)
    return p("shr", i64, x, p("select", i64, p("lt", bool_, y, last), y, last))


def _lshift(x: int, y: int) -> int:
    if y > 64 and x:
        raise OverflowError(PAST_64_BITS)
    return in_range(x << (y if x else min(y, 1)))


int_lshift = number_operation(
    "int_lshift",
    "x y",
    (INT, INT),
    INT,
    _lshift,
    _lshift_code,
    samples_of((1, 62), (-1, 63), (5, 0), (0, 1000), (-3, 4), (1, 0)),
    "x << y",
    raises=("ValueError", "OverflowError"),
)
int_rshift = number_operation(
    "int_rshift",
    "x y",
    (INT, INT),
    INT,
    lambda x, y: x >> y,
    _rshift_code,
    samples_of((1, 62), (-1, 63), (-5, 1), (5, 1000), (-5, INT_MAX), (INT_MIN, 63)),
    "x >> y",
    raises=("ValueError",),
)


def _comparison(name: str, op: str, function: Callable[[int, int], bool], doc: str) -> Primitive:
    samples = samples_of((1, 2), (2, 1), (2, 2), (-1, 1), (INT_MIN, INT_MAX))

    def code(p: ScalarWriter, x: object, y: object) -> Any:
        return p(op, bool_, x, y)

    return number_operation(name, "x y", (INT, INT), BOOL, function, code, samples, doc, batch=in_rows(op))


int_eq = _comparison("int_eq", "eq", operator.eq, "x == y")
int_ne = _comparison("int_ne", "ne", operator.ne, "x != y")
int_lt = _comparison("int_lt", "lt", operator.lt, "x < y")
int_le = _comparison("int_le", "le", operator.le, "x <= y")
int_gt = _comparison("int_gt", "gt", operator.gt, "x > y")
int_ge = _comparison("int_ge", "ge", operator.ge, "x >= y")

int_select = number_operation(
    "int_select",
    "c x y",
    (BOOL, INT, INT),
    INT,
    lambda c, x, y: x if c else y,
    lambda p, c, x, y: p("select", i64, c, x, y),
    samples_of((True, 1, 2), (False, 1, 2)),
    "x if c else y, both being known",
    batch=in_rows("select"),
)

int_max = _total("int_max", "max", max, "max(x, y)")
int_min = _total("int_min", "min", min, "min(x, y)")

# --- bools ------------------------------------------------------------------------------------------

_BOOLS = ((False, False), (False, True), (True, False), (True, True))


def _logic(name: str, op: str, function: Callable[[bool, bool], bool], doc: str) -> Primitive:
    def code(p: ScalarWriter, x: object, y: object) -> Any:
        return p(op, bool_, x, y)

    return number_operation(
        name, "x y", (BOOL, BOOL), BOOL, function, code, samples_of(*_BOOLS), doc, batch=in_rows(op)
    )


bool_and = _logic("bool_and", "and", lambda x, y: x & y, "x and y, both being known")
bool_or = _logic("bool_or", "or", lambda x, y: x | y, "x or y, both being known")
bool_xor = _logic("bool_xor", "xor", lambda x, y: x ^ y, "x ^ y")
bool_eq = _logic("bool_eq", "eq", operator.eq, "x == y")
bool_ne = _logic("bool_ne", "ne", operator.ne, "x != y")
bool_not = number_operation(
    "bool_not",
    "x",
    (BOOL,),
    BOOL,
    operator.not_,
    lambda p, x: p("not", bool_, x),
    samples_of((True,), (False,)),
    "not x",
    batch=batching.numbers("bitwise_not"),
)
bool_to_int = number_operation(
    "bool_to_int",
    "x",
    (BOOL,),
    INT,
    int,
    lambda p, x: p("cast", i64, x),
    samples_of((True,), (False,)),
    "int(x)",
    batch=batching.converted(i64),
)
int_to_bool = number_operation(
    "int_to_bool",
    "x",
    (INT,),
    BOOL,
    bool,
    lambda p, x: p("ne", bool_, x, p.const(i64, 0)),
    samples_of((0,), (-3,), (INT_MIN,)),
    "x != 0",
    batch=batching.converted(bool_),
)
