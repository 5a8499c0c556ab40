"""Strings and bytes of the run (`values.String`, `values.Char`), and constants as such: what they are, their arrays and
points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import (
    Char,
    Number,
    Part,
    Static,
    String,
    Value,
)
from jitcore.primitives.core.code_points import DTYPES, column_of, column_type
from jitcore.primitives.ops import conversions, growing, joining
from jitcore.types import INT, u32

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State


def of_run(value: Value) -> bool:
    """Whether a value is a str or bytes of the run."""
    return isinstance(value, String | Char)


def class_of(value: Value) -> type | None:
    """str or bytes; None for what is neither."""
    match value:
        case Char():
            return str
        case String():
            return value.cls
        case Static() if type(value.value) in DTYPES:
            return type(value.value)
        case _:
            return None


def are_strings(x: Value, y: Value) -> bool:
    """Whether both are strings, or both bytes, and one of them is of the run."""
    return (of_run(x) or of_run(y)) and class_of(x) is class_of(y)


def is_character(value: Value) -> bool:
    """Whether it is known to be a str of one character."""
    return isinstance(value, Char) or (isinstance(value, Static) and type(value.value) is str and len(value.value) == 1)


def column(infer: State, value: Value) -> Atom:
    """The array of a string's code points, or of bytes."""
    match value:
        case String():
            return value.atom
        case Char():
            point = infer.emit(conversions.from_scalar, value.atom, dtype=u32)
            return infer.emit(joining.full, point, shape=(1,))
        case Static():
            points = column_of(value.value)
            return Literal(points, column_type(type(value.value), len(points)))
        case _:
            raise TypeError(f"{value!r} is no string")


def point(infer: State, value: Value) -> Atom:
    """The code point of a string that is known to be of one character."""
    match value:
        case Char():
            return value.atom
        case Static():
            return Literal(ord(value.value), INT)
        case _:
            return pick(infer, value, Literal(0, INT))


def pick(infer: State, container: Value, position: Atom) -> Atom:
    if isinstance(container, Char):
        return container.atom
    whole = column(infer, container) if not isinstance(container, Part) else None
    if isinstance(container, Part):
        whole, start, _ = container.span
        position = infer.number_atom(abstract.binary(infer, "+", start, Number(position, INT)), INT)
    assert whole is not None
    row = infer.emit(growing.pick_row, whole, position)
    return infer.emit(conversions.to_scalar, row)
