"""Elementwise operations on arrays, as ONNX's.

ONNX's arithmetic of integers of 8 and 16 bits is computed in 32, as few runtimes have any other: it wraps all the same.
Bools are computed with by `And`, `Or` and `Not`. What NumPy says of integers divided by 0 (it is 0) is kept.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Final

from jitcore.exports.onnx.writing import Converter, Converters, Writer, floored_quotient, operand, result
from jitcore.ir.nodes import Binding
from jitcore.types import DType, bool_, f16, f32, i32, i64

CONVERTERS: Final = Converters()


def computing_dtype(dtype: DType) -> DType:
    """The dtype in which integers of a dtype are computed."""
    return i32 if dtype.is_integer and dtype.itemsize < 4 else dtype


def widened(w: Writer, b: Binding, args: tuple[str, ...], first: int = 0) -> tuple[DType, list[str]]:
    """The arguments from the `first` on in the dtype in which they are computed, and that dtype."""
    have = operand(b, first).dtype
    wide = computing_dtype(have)
    return wide, [w.cast(x, have, wide) for x in args[first:]]


def direct(op: str) -> Converter:
    """The operation of ONNX that is the same, computed in wide integers."""

    def convert(w: Writer, b: Binding, *args: str) -> str:
        wide, inputs = widened(w, b, args)
        made = w.emit(op, *inputs)
        want = result(b).dtype
        return made if want is bool_ else w.cast(made, wide, want)

    return convert


def of_bools(op: str, others: Converter) -> Converter:
    """An operation of ONNX's for bools, and a conversion for all else."""

    def convert(w: Writer, b: Binding, *args: str) -> str:
        return w.emit(op, *args) if operand(b).dtype is bool_ else others(w, b, *args)

    return convert


def unchanged(kinds: str, others: Converter) -> Converter:
    """Nothing for arrays of some kinds, and a conversion for all else."""

    def convert(w: Writer, b: Binding, *args: str) -> str:
        return args[0] if operand(b).dtype.kind in kinds else others(w, b, *args)

    return convert


_SAME: Final = {
    "sub": "Sub", "div": "Div", "pow": "Pow", "sign": "Sign", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "sin": "Sin",
    "cos": "Cos", "tan": "Tan", "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh",
    "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "tanh": "Tanh", "erf": "Erf", "sigmoid": "Sigmoid",
    "isnan": "IsNaN", "rint": "Round",
}  # fmt: skip
for _name, _op in _SAME.items():
    CONVERTERS[_name] = direct(_op)
for _name, _bools, _op in (
    ("add", "Or", "Add"),
    ("mul", "And", "Mul"),
    ("maximum", "Or", "Max"),
    ("minimum", "And", "Min"),
    ("bitwise_and", "And", "BitwiseAnd"),
    ("bitwise_or", "Or", "BitwiseOr"),
    ("bitwise_xor", "Xor", "BitwiseXor"),
    ("bitwise_not", "Not", "BitwiseNot"),
):
    CONVERTERS[_name] = of_bools(_bools, direct(_op))
CONVERTERS["abs"] = unchanged("bu", direct("Abs"))
CONVERTERS["floor"] = unchanged("biu", direct("Floor"))
CONVERTERS["ceil"] = unchanged("biu", direct("Ceil"))


def compared(op: str, negated: bool = False) -> Converter:
    """A comparison; of bools, that of the numbers that they are."""

    def convert(w: Writer, b: Binding, *args: str) -> str:
        have = operand(b).dtype
        wide = i32 if have is bool_ else computing_dtype(have)
        made = w.emit(op, *(w.cast(x, have, wide) for x in args))
        return w.emit("Not", made) if negated else made

    return convert


_COMPARISONS: Final = {
    "less": "Less",
    "less_equal": "LessOrEqual",
    "greater": "Greater",
    "greater_equal": "GreaterOrEqual",
}
for _name, _op in _COMPARISONS.items():
    CONVERTERS[_name] = compared(_op)
CONVERTERS["equal"] = compared("Equal")
CONVERTERS["not_equal"] = compared("Equal", negated=True)


# --- compositions -------------------------------------------------------------------------------------


@CONVERTERS.of("neg")
def _neg(w: Writer, b: Binding, x: str) -> str:
    have = operand(b).dtype
    wide = computing_dtype(have)
    if wide.kind == "u":
        return w.emit("Sub", w.constant(0, wide), x)
    return w.cast(w.emit("Neg", w.cast(x, have, wide)), wide, have)


@CONVERTERS.of("isinf")
def _isinf(w: Writer, b: Binding, x: str) -> str:
    have = operand(b).dtype
    return w.emit("IsInf", w.cast(x, have, f32 if have is f16 else have))  # opset 18 has none of halves


@CONVERTERS.of("isfinite")
def _isfinite(w: Writer, b: Binding, x: str) -> str:
    return w.emit("Not", w.emit("Or", _isinf(w, b, x), w.emit("IsNaN", x)))


@CONVERTERS.of("trunc")
def _trunc(w: Writer, b: Binding, x: str) -> str:
    return truncated(w, x) if operand(b).dtype.is_float else x


def truncated(w: Writer, x: str) -> str:
    """A float without its fraction."""
    return w.emit("Mul", w.emit("Sign", x), w.emit("Floor", w.emit("Abs", x)))


@CONVERTERS.of("copysign")
def _copysign(w: Writer, b: Binding, x: str, y: str) -> str:
    return with_sign(w, x, y, operand(b).dtype)


def with_sign(w: Writer, x: str, y: str, dtype: DType) -> str:
    """The magnitude of x with the sign of y; that of a zero is the sign of what 1 divided by it is."""
    zero = w.constant(0, dtype)
    is_zero = w.emit("Equal", y, zero)
    negative_zero = w.emit("And", is_zero, w.emit("Less", w.emit("Div", w.constant(1, dtype), y), zero))
    magnitude = w.emit("Abs", x)
    negative = w.emit("Or", w.emit("Less", y, zero), negative_zero)
    return w.emit("Where", negative, w.emit("Neg", magnitude), magnitude)


@CONVERTERS.of("atan2")
def _atan2(w: Writer, b: Binding, y: str, x: str) -> str:
    """The arc tangent of y / x, turned by half a circle where x is negative; of two zeros, and of two infinities, it is
    that of what their quotient tends to."""
    dtype = operand(b).dtype
    zero = w.constant(0, dtype)
    zeros = w.emit("And", w.emit("Equal", x, zero), w.emit("Equal", y, zero))
    infinities = w.emit("And", w.emit("IsInf", x), w.emit("IsInf", y))
    quotient = w.emit("Where", zeros, with_sign(w, y, x, dtype), w.emit("Div", y, x))
    diagonal = w.emit("Mul", w.emit("Sign", x), w.emit("Sign", y))
    angle = w.emit("Atan", w.emit("Where", infinities, diagonal, quotient))
    is_left = w.emit("Less", with_sign(w, w.constant(1, dtype), x, dtype), zero)
    half = with_sign(w, w.constant(math.pi, dtype), y, dtype)
    along = w.emit("Where", zeros, with_sign(w, zero, y, dtype), angle)
    return w.emit("Where", is_left, w.emit("Add", angle, half), along)


@CONVERTERS.of("expm1")
def _expm1(w: Writer, b: Binding, x: str) -> str:
    return exp_minus_1(w, x, operand(b).dtype)


def exp_minus_1(w: Writer, x: str, dtype: DType) -> str:
    """exp(x) - 1, for small x as 2 t / (1 - t) with t = tanh(x / 2), which cancels nothing."""
    one, two = w.constant(1, dtype), w.constant(2, dtype)
    t = w.emit("Tanh", w.emit("Div", x, two))
    near = w.emit("Div", w.emit("Mul", two, t), w.emit("Sub", one, t))
    far = w.emit("Sub", w.emit("Exp", x), one)
    return w.emit("Where", w.emit("Less", w.emit("Abs", x), one), near, far)


@CONVERTERS.of("log1p")
def _log1p(w: Writer, b: Binding, x: str) -> str:
    return log_plus_1(w, x, operand(b).dtype)


def log_plus_1(w: Writer, x: str, dtype: DType) -> str:
    """log(1 + x), as log(u) x / (u - 1) for u = 1 + x (Kahan), which corrects u's rounding."""
    one = w.constant(1, dtype)
    u = w.emit("Add", one, x)
    log = w.emit("Log", u)
    corrected = w.emit("Mul", log, w.emit("Div", x, w.emit("Sub", u, one)))
    exact = w.emit("Where", w.emit("IsInf", u), log, corrected)
    return w.emit("Where", w.emit("Equal", u, one), x, exact)


@CONVERTERS.of("softplus")
def _softplus(w: Writer, b: Binding, x: str) -> str:
    dtype = operand(b).dtype
    positive = w.emit("Max", x, w.constant(0, dtype))
    return w.emit("Add", positive, log_plus_1(w, w.emit("Exp", w.emit("Neg", w.emit("Abs", x))), dtype))


@CONVERTERS.of("erfc")
def _erfc(w: Writer, b: Binding, x: str) -> str:
    return w.emit("Sub", w.constant(1, operand(b).dtype), w.emit("Erf", x))


# --- quotients ----------------------------------------------------------------------------------------


@CONVERTERS.of("floordiv")
def _floordiv(w: Writer, b: Binding, x: str, y: str) -> str:
    have = operand(b).dtype
    if have.is_float:
        return _float_quotient(w, x, y, have)
    return _guarded(w, have, x, y, functools.partial(floored_quotient, w))


@CONVERTERS.of("mod")
def _mod(w: Writer, b: Binding, x: str, y: str) -> str:
    have = operand(b).dtype
    if have.is_float:
        return float_remainder(w, x, y, have)
    return _guarded(w, have, x, y, lambda m, n: w.emit("Mod", m, n))


def _guarded(w: Writer, have: DType, x: str, y: str, computed: Callable[[str, str], str]) -> str:
    """What is computed of integers; 0 where y is 0, for which it is not computed."""
    wide = computing_dtype(have)
    x, y = w.cast(x, have, wide), w.cast(y, have, wide)
    zero = w.constant(0, wide)
    none = w.emit("Equal", y, zero)
    made = computed(x, w.emit("Where", none, w.constant(1, wide), y))
    return w.cast(w.emit("Where", none, zero, made), wide, have)


def _remainder(w: Writer, x: str, y: str, dtype: DType) -> tuple[str, str]:
    """What x leaves when divided by y, of x's sign; and whether that is not y's."""
    zero = w.constant(0, dtype)
    rest = w.emit("Mod", x, y, fmod=1)
    other_sign = w.emit("Xor", w.emit("Less", rest, zero), w.emit("Less", y, zero))
    return rest, w.emit("And", other_sign, w.emit("Not", w.emit("Equal", rest, zero)))


def float_remainder(w: Writer, x: str, y: str, dtype: DType) -> str:
    """x - floor(x / y) * y, of y's sign."""
    rest, is_other = _remainder(w, x, y, dtype)
    return w.emit("Where", is_other, w.emit("Add", rest, y), rest)


def _float_quotient(w: Writer, x: str, y: str, dtype: DType) -> str:
    """floor(x / y) as NumPy and Python have it: from what is left, so that the quotient is not rounded up before."""
    rest, is_other = _remainder(w, x, y, dtype)
    whole = w.emit("Round", w.emit("Div", w.emit("Sub", x, rest), y))
    floored = w.emit("Where", is_other, w.emit("Sub", whole, w.constant(1, dtype)), whole)
    return w.emit("Where", w.emit("Equal", y, w.constant(0, dtype)), w.emit("Div", x, y), floored)


def added(w: Writer, dtype: DType, x: str, y: str) -> str:
    """The sum of arrays of a dtype."""
    if dtype is bool_:
        return w.emit("Or", x, y)
    wide = computing_dtype(dtype)
    return w.cast(w.emit("Add", w.cast(x, dtype, wide), w.cast(y, dtype, wide)), wide, dtype)


# --- selection and conversion -------------------------------------------------------------------------


@CONVERTERS.of("select")
def _select(w: Writer, b: Binding, c: str, x: str, y: str) -> str:
    return chosen(w, operand(b, 1).dtype, c, x, y)


def chosen(w: Writer, dtype: DType, c: str, x: str, y: str) -> str:
    """x where c is true, else y."""
    if dtype is bool_:
        return w.emit("Or", w.emit("And", c, x), w.emit("And", w.emit("Not", c), y))
    wide = computing_dtype(dtype)
    return w.cast(w.emit("Where", c, w.cast(x, dtype, wide), w.cast(y, dtype, wide)), wide, dtype)


@CONVERTERS.of("cast")
def _cast(w: Writer, b: Binding, x: str) -> str:
    have, want = operand(b).dtype, result(b).dtype
    if have.is_float and want.is_integer and want.itemsize < 8:
        x, have = w.cast(x, have, i64), i64  # then it wraps
    return w.cast(x, have, want)


@CONVERTERS.of("stop_gradient", "again", "copy", "widen")
def _same(w: Writer, b: Binding, x: str) -> str:
    return x
