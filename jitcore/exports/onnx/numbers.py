"""Operations on numbers of Python, as ONNX's on tensors of rank 0: ints are int64, floats float64.

Nothing is checked: an int past 64 bits wraps, a float divided by 0.0 is infinite, an int divided by 0 is 0.
"""

from __future__ import annotations

import math
from typing import Final

from jitcore.exports.onnx import elementwise, protobuf
from jitcore.exports.onnx.elementwise import chosen
from jitcore.exports.onnx.writing import Converter, Converters, RefusedError, Writer, operand, result
from jitcore.ir.nodes import Binding
from jitcore.types import bool_, f64, i64

CONVERTERS: Final = Converters()

_OF_NUMBERS: Final = {
    "Add": "float_add int_add int_add_modular",
    "Sub": "float_sub int_sub int_sub_modular",
    "Mul": "float_mul int_mul int_mul_modular",
    "Div": "float_truediv ieee_div",
    "Pow": "float_pow ieee_pow math_pow int_pow",
    "Neg": "float_neg int_neg",
    "Abs": "float_abs int_abs math_fabs",
    "Max": "int_max",
    "Min": "int_min",
    "Sign": "ieee_sign",
    "Exp": "math_exp ieee_exp",
    "Log": "math_log ieee_log",
    "Sqrt": "math_sqrt ieee_sqrt",
    "Sin": "math_sin ieee_sin",
    "Cos": "math_cos ieee_cos",
    "Sinh": "math_sinh ieee_sinh",
    "Cosh": "math_cosh ieee_cosh",
    "Tan": "math_tan",
    "Tanh": "math_tanh",
    "Asin": "math_asin",
    "Acos": "math_acos",
    "Atan": "math_atan",
    "Asinh": "math_asinh",
    "Acosh": "math_acosh",
    "Atanh": "math_atanh",
    "Erf": "math_erf",
    "IsNaN": "float_is_nan",
    "IsInf": "float_is_inf",
    "Equal": "float_eq int_eq bool_eq",
    "Less": "float_lt int_lt",
    "LessOrEqual": "float_le int_le",
    "Greater": "float_gt int_gt",
    "GreaterOrEqual": "float_ge int_ge",
    "And": "bool_and",
    "Or": "bool_or",
    "Xor": "bool_xor bool_ne",
    "Not": "bool_not",
    "BitwiseAnd": "int_and",
    "BitwiseOr": "int_or",
    "BitwiseXor": "int_xor",
    "BitwiseNot": "int_invert",
    "Where": "int_select float_select",
}
for _op, _names in _OF_NUMBERS.items():
    CONVERTERS.update(dict.fromkeys(_names.split(), lambda w, b, *args, _op=_op: w.emit(_op, *args)))
for _name, _of_arrays in {
    "float_ne int_ne": "not_equal",
    "int_floordiv float_floordiv": "floordiv",
    "int_mod float_mod": "mod",
    "math_atan2": "atan2",
    "math_copysign": "copysign",
    "math_expm1": "expm1",
    "math_log1p": "log1p",
    "math_erfc": "erfc",
    "float_is_finite": "isfinite",
}.items():
    CONVERTERS.update(dict.fromkeys(_name.split(), elementwise.CONVERTERS[_of_arrays]))


@CONVERTERS.of(
    "to_scalar", "from_scalar", "int_to_float", "bool_to_int", "bool_to_float", "int_to_bool", "float_to_bool",
    "float_to_int",
)  # fmt: skip
def _converted(w: Writer, b: Binding, x: str) -> str:
    have, want = operand(b).dtype, result(b).dtype
    if "c" in (have.kind, want.kind):
        raise RefusedError("ONNX has no arithmetic of complex numbers")
    return w.cast(x, have, want)


def _rounded(op: str) -> Converter:
    """A float made an int."""

    def convert(w: Writer, b: Binding, x: str) -> str:
        return w.emit("Cast", w.emit(op, x), to=protobuf.element_type(i64))

    return convert


CONVERTERS["float_floor"] = _rounded("Floor")
CONVERTERS["float_ceil"] = _rounded("Ceil")
CONVERTERS["float_round"] = _rounded("Round")


@CONVERTERS.of("int_truediv", "int_truediv_wide")
def _int_truediv(w: Writer, b: Binding, x: str, y: str) -> str:
    return w.emit("Div", w.cast(x, i64, f64), w.cast(y, i64, f64))


def _int_with_float(op: str, negated: bool = False) -> Converter:
    """The comparison of an int with a float: of floats, and where those are equal, of ints, which may be rounded as
    floats. A float of 2**63 is above all ints."""

    def convert(w: Writer, b: Binding, x: str, y: str) -> str:
        rounded = w.cast(x, i64, f64)
        is_tie = w.emit("Equal", rounded, y)
        is_above_all = w.emit("GreaterOrEqual", y, w.constant(2.0**63, f64))
        of_ints = w.emit(op, x, w.cast(w.emit("Where", is_above_all, w.constant(0, f64), y), f64, i64))
        tie = chosen(w, bool_, is_above_all, w.constant(op.startswith("Less")), of_ints)
        made = chosen(w, bool_, is_tie, tie, w.emit(op, rounded, y))
        return w.emit("Not", made) if negated else made

    return convert


for _name, _op in (("lt", "Less"), ("le", "LessOrEqual"), ("gt", "Greater"), ("ge", "GreaterOrEqual")):
    CONVERTERS[f"int_float_{_name}"] = _int_with_float(_op)
CONVERTERS["int_float_eq"] = _int_with_float("Equal")
CONVERTERS["int_float_ne"] = _int_with_float("Equal", negated=True)


def _scaled(factor: float) -> Converter:
    return lambda w, b, x: w.emit("Mul", x, w.constant(factor, f64))


CONVERTERS["math_degrees"] = _scaled(180 / math.pi)
CONVERTERS["math_radians"] = _scaled(math.pi / 180)
