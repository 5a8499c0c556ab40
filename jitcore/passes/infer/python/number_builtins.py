"""Python's builtins of numbers: `int`, `float`, `abs`, `round`, `pow` and such."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from jitcore.ir.nodes import Literal
from jitcore.lookup import has_attribute
from jitcore.passes.infer.domain import abstract, array_operations
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Number,
    PythonError,
    Static,
    Tuple,
    Union,
    Value,
)
from jitcore.passes.infer.engine import classes, numbers
from jitcore.passes.infer.engine.models import Model, register_models
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import objects
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.primitives.ops import conversions, python_floats
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, f64, u64

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


NONE = Static(None)


def _static(function: Callable[..., Any]) -> Model:
    """A builtin that works on constants only."""

    def call(infer: Infer, *args: Value, **keywords: Value) -> Value:
        classes.require_constant(infer, f"{function.__name__}()", *args)
        known = [infer.need_static(a, f"the argument of {function.__name__}()") for a in args]
        given = {k: infer.need_static(v, f"the argument {k}") for k, v in keywords.items()}
        try:
            return Static(function(*known, **given))
        except Exception as error:
            raise PythonError(error) from None

    return call


@abstract.int_.model
def to_int(infer: Infer, value: Value = Static(0), base: Value | None = None) -> Value:
    """`int(value)`."""
    if base is not None or (isinstance(value, Static) and not isinstance(value.value, float)):
        return _static(int)(infer, value) if base is None else _static(int)(infer, value, base)
    if isinstance(value, Array):
        return to_int(infer, _item(infer, value))
    made = objects.special(infer, value, "__int__") or objects.special(infer, value, "__index__")
    if made is not None:
        return made
    type_ = numbers.type_of_number(value)
    if type_ is None or type_ not in (BOOL, INT, FLOAT):
        raise refusal(infer, "int()", int, value)
    if isinstance(value, Static):
        return numbers.fold(int, value.value)
    if type_ is FLOAT:
        return infer.number(infer.emit(python_floats.float_to_int, infer.number_atom(value, FLOAT)), value)
    return value if type_ is INT else infer.number(numbers.convert(infer, value, INT), value)


@abstract.float_.model
def to_float(infer: Infer, value: Value = Static(0.0)) -> Value:
    """`float(value)`."""
    made = objects.special(infer, value, "__float__")
    if made is not None:
        return made
    if isinstance(value, Static):
        return objects.fold(infer, "float()", float, value)
    if isinstance(value, Array):
        return to_float(infer, array_operations.item(infer, value, f64 if value.type.dtype is u64 else None))
    type_ = numbers.type_of_number(value)
    if type_ not in (BOOL, INT, FLOAT):
        raise refusal(infer, "float()", float, value)
    return value if type_ is FLOAT else infer.number(numbers.convert(infer, value, FLOAT), value)


def to_complex(infer: Infer, real: Value = Static(0.0), imag: Value | None = None) -> Value:
    """`complex(real, imag)`."""
    made = objects.special(infer, real, "__complex__") if imag is None else None
    if made is not None:
        return made
    if isinstance(real, Static) and (imag is None or isinstance(imag, Static)):
        return numbers.fold(complex, real.value, *([] if imag is None else [imag.value]))
    if isinstance(real, Array):
        real = array_operations.item(infer, real, real=False)
    if imag is None:
        if numbers.type_of_number(real) is None:
            raise refusal(infer, "complex()", complex, real)
        return infer.number(numbers.convert(infer, real, COMPLEX), real)
    if not all(isinstance(v, Array) or numbers.type_of_number(v) is not None for v in (real, imag)):
        raise refusal(infer, "complex()", complex, real, imag)
    if COMPLEX in (numbers.type_of_number(real), numbers.type_of_number(imag)):
        return numbers.binary(infer, "+", real, numbers.binary(infer, "*", imag, Static(1j)))
    parts = [infer.number_atom(to_float(infer, part), FLOAT) for part in (real, imag)]
    return infer.number(infer.emit(PRIMITIVES["complex_new"], *parts), real, imag)


def to_bool(infer: Infer, value: Value = Static(False)) -> Value:
    """`bool(value)`."""
    return abstract.truth(infer, value)


def _item(infer: Infer, value: Array) -> Value:
    return array_operations.item(infer, value)


def _abs(infer: Infer, value: Value) -> Value:
    made = objects.special(infer, value, "__abs__")
    if made is not None:
        return made
    if isinstance(value, Static):
        return objects.fold(infer, "abs()", abs, value)
    if isinstance(value, Array):
        return array_operations.call_method(infer, "abs", value)
    type_ = numbers.type_of_number(value)
    if type_ is None:
        raise PythonError(TypeError(f"bad operand type for abs(): '{type_name(value)}'"))
    name = {BOOL: "int", INT: "int", FLOAT: "float"}.get(type_, "complex")
    atom = numbers.convert(infer, value, INT) if type_ is BOOL else infer.number_atom(value, type_)
    return infer.number(infer.emit(PRIMITIVES[f"{name}_abs"], atom), value)


def _pow(infer: Infer, base: Value, exp: Value, mod: Value = NONE) -> Value:
    if mod is NONE:
        return abstract.binary(infer, "**", base, exp)
    made = objects.special(infer, base, "__pow__", exp, mod)
    if made is not None:
        return made
    given = (base, exp, mod)
    if all(isinstance(v, Static) for v in given) or not all(numbers.type_of_number(v) in (INT, BOOL) for v in given):
        return _static(pow)(infer, *given)
    atoms = (numbers.convert(infer, v, INT) for v in given)
    return infer.number(infer.emit(PRIMITIVES["int_pow_modulo"], *atoms), *given)


def _divmod(infer: Infer, a: Value, b: Value) -> Value:
    for value, name, other in ((a, "__divmod__", b), (b, "__rdivmod__", a)):
        made = objects.special(infer, value, name, other)
        if made is not None:
            return made
    if any(isinstance(v, Array) for v in (a, b)) and not _has_tensor(a, b):
        return array_operations.divmod_(infer, a, b)
    if _has_tensor(a, b) and not any(isinstance(v, Array) and not v.is_tensor for v in (a, b)):
        kinds = f"'{type_name(a)}' and '{type_name(b)}'"
        raise PythonError(TypeError(f"unsupported operand type(s) for divmod(): {kinds}"))
    if any(numbers.type_of_number(v) in (None, COMPLEX) for v in (a, b)):
        raise refusal(infer, "divmod()", divmod, a, b)
    if FLOAT in (numbers.type_of_number(a), numbers.type_of_number(b)) and numbers.type_of_number(b) is not None:
        _require_divisor(infer, b, divmod)
    return Tuple((abstract.binary(infer, "//", a, b), abstract.binary(infer, "%", a, b)))


def _has_tensor(*values: Value) -> bool:
    return any(isinstance(v, Array) and v.is_tensor for v in values)


def _require_divisor(infer: Infer, divisor: Value, function: Callable[[float, float], Any]) -> None:
    """Raise what `function` says of a division of floats by zero."""

    try:
        function(1.0, 0.0)
    except ZeroDivisionError as error:
        message = str(error)
        known = infer.truth(abstract.truth(infer, divisor))
        if known is False:
            raise PythonError(error) from None
        if known is not True:
            infer.emit_all(conversions.check, known, exception="ZeroDivisionError", message=message)


def _round(infer: Infer, number: Value, ndigits: Value = NONE) -> Value:
    made = objects.special(infer, number, "__round__", *([] if ndigits is NONE else [ndigits]))
    if made is not None:
        return made
    if isinstance(number, Static):
        return _static(round)(infer, number, *([] if ndigits is NONE else [ndigits]))
    if isinstance(number, Number) and number.type is FLOAT and isinstance(ndigits, Static) and ndigits.value is None:
        return infer.number(infer.emit(python_floats.float_round, number.atom), number)
    if isinstance(ndigits, Static) and not (ndigits.value is None or has_attribute(type(ndigits.value), "__index__")):
        raise refusal(infer, "round()", round, number, ndigits)
    if isinstance(number, Number) and number.type in (INT, BOOL) and isinstance(ndigits, Static):
        return _round_int(infer, number, ndigits.value)
    if isinstance(number, Array):
        if number.category == "npscalar" and ndigits is NONE and number.type.dtype.is_float:
            return _round(infer, to_float(infer, number))
        if number.category == "npscalar" and ndigits is NONE and number.type.dtype.is_integer:
            return to_int(infer, number)
        if number.category == "ndarray" or (number.category == "npscalar" and number.type.dtype.kind in "bc"):
            raise refusal(infer, "round()", round, number)
        return array_operations.call_method(infer, "round", number, *([] if ndigits is NONE else [ndigits]))
    if numbers.type_of_number(number) is FLOAT and numbers.type_of_number(ndigits) is INT:
        atoms = infer.number_atom(number, FLOAT), infer.number_atom(ndigits, INT)
        return infer.number(infer.emit(PRIMITIVES["float_round_digits"], *atoms), number, ndigits)
    if numbers.type_of_number(number) is INT and numbers.type_of_number(ndigits) is INT:
        raise infer.unsupported(
            "round() of an int to digits known only at run time", "a number of digits that is known"
        )
    raise refusal(infer, "round()", round, number, ndigits)


def _round_int(infer: Infer, value: Value, digits: Any) -> Value:
    """To tens, hundreds …: halves to even."""
    whole = infer.number(numbers.convert(infer, value, INT), value)
    if digits is None or digits >= 0:
        return whole
    if digits < -19:  # more than any int has
        return numbers.binary(infer, "*", whole, Static(0))
    unit = Static(10**-digits)
    quotient, rest = numbers.binary(infer, "//", whole, unit), numbers.binary(infer, "%", whole, unit)
    beyond = numbers.compare(infer, ">", rest, Static(unit.value // 2))
    odd = numbers.compare(infer, "!=", numbers.binary(infer, "%", quotient, Static(2)), Static(0))
    half = numbers.compare(infer, "==", rest, Static(unit.value // 2))
    up = numbers.either(infer, beyond, numbers.both(infer, half, odd))
    return numbers.binary(infer, "*", numbers.binary(infer, "+", quotient, up), unit)


@abstract.index.model
def to_index(infer: Infer, value: Value) -> Value:
    """A value as Python's `__index__` gives it."""
    if isinstance(value, Union):
        return infer.distribute([value], lambda vs: [to_index(infer, vs[0])])[0]
    if isinstance(value, Array) and numbers.has_index(value):
        return _index_of_array(infer, value)
    value = objects.special(infer, value, "__index__") or numbers.plain(value, "__index__")
    type_ = numbers.type_of_number(value)
    if type_ not in (INT, BOOL):
        raise PythonError(TypeError(f"'{type_name(value)}' object cannot be interpreted as an integer"))
    if isinstance(value, Static):
        return Static(int(value.value))
    return value if type_ is INT else infer.number(numbers.convert(infer, value, INT), value)


def _index_of_array(infer: Infer, value: Array) -> Value:
    """What NumPy's arrays without axes, and Tensors of one element, are as an index."""
    type_ = value.type
    if value.is_tensor:
        fits, kinds = (
            type_.size == 1 and type_.dtype.kind in "biu",
            "integer tensors of a single element can be converted to an index",
        )
    else:
        fits, kinds = (
            not type_.shape and type_.dtype.is_integer,
            "integer scalar arrays can be converted to a scalar index",
        )
    if not fits:
        raise PythonError(TypeError(f"only {kinds}"))
    if isinstance(value.atom, Literal):
        return Static(int(np.asarray(value.atom.value).item()))
    return to_int(infer, value)


def _index(infer: Infer, value: Value) -> Value:
    """`operator.index`."""
    if numbers.type_of_number(value) not in (BOOL, INT) and not (
        isinstance(value, Array) and value.type.dtype.is_integer
    ):
        raise refusal(infer, "operator.index of this", operator.index, value)
    return to_int(infer, value)


register_models(
    {
        complex: to_complex,
        abs: _abs,
        bool: to_bool,
        divmod: _divmod,
        float: to_float,
        int: to_int,
        pow: _pow,
        round: _round,
        operator.truth: to_bool,
        operator.abs: _abs,
        operator.index: _index,
    }
)
