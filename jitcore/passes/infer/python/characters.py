"""Strings and bytes of the run (`values.String`, `values.Char`): what is asked of them, and how they join.

A string is an array of code points (u32), bytes one of bytes (u8); a str of one character is its code point alone.
Constants become such where they meet them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import abstract, texts
from jitcore.passes.infer.domain.parts import part, roots_of, span_of
from jitcore.passes.infer.domain.values import (
    Array,
    Char,
    Instance,
    Number,
    Part,
    Path,
    PythonError,
    Slice,
    Static,
    String,
    Value,
)
from jitcore.passes.infer.domain.values import Sequence as SequenceValue
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.models import models
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.primitives.ops import conversions, python_ints
from jitcore.types import BOOL, INT, TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def length(infer: Infer, value: Value) -> Value:
    """`len(value)`."""
    match value:
        case Char():
            return Static(1)
        case Part():
            return value.span[2]
        case String():
            type_ = value.atom.type
            assert isinstance(type_, TensorType)
            return infer.extent(type_.shape[0])
        case _:
            assert isinstance(value, Static)
            return Static(len(value.value))


# --- items ------------------------------------------------------------------------------------------


def _item_of(infer: Infer, container: Value, position: Atom, roots: frozenset[Path]) -> Value:
    atom = texts.pick(infer, container, position)
    return Char(atom, roots) if texts.class_of(container) is str else Number(atom, INT)


def is_indexed_at_run_time(container: Static, key: Value) -> bool:
    """Whether a constant is a str or bytes of which the run says which part is meant."""
    if texts.class_of(container) is None:
        return False
    ends = (key.start, key.stop, key.step) if isinstance(key, Slice) else (key,)
    return any(isinstance(end, Number | Array) for end in ends)


def get(infer: Infer, container: Value, key: Value) -> Value:
    """`container[key]`."""
    cls = texts.class_of(container)
    assert cls is not None
    if isinstance(key, Slice):
        return _sliced(infer, container, key)
    sample = cls(b"") if cls is bytes else ""
    type_ = numbers.type_of_number(key)
    if not isinstance(key, Array) and (type_ is None or type_ not in (BOOL, INT)):
        raise refusal(infer, "indexing", lambda k: sample[k], key)
    index = abstract.index(infer, key)
    message = "string index out of range" if cls is str else "index out of range"
    size = length(infer, container)
    roots = roots_of(container, key)
    if isinstance(index, Static) and isinstance(size, Static):
        if not -size.value <= index.value < size.value:
            raise PythonError(IndexError(message))
        return _item_of(infer, container, Literal(index.value % size.value, INT), roots)
    atoms = infer.number_atom(index, INT), infer.number_atom(size, INT)
    return _item_of(infer, container, infer.emit(conversions.check_position, *atoms, message=message), roots)


def _sliced(infer: Infer, container: Value, key: Slice) -> Value:
    ends = [_slice_end(infer, end) for end in (key.start, key.stop, key.step)]
    if isinstance(ends[2], Static) and ends[2].value == 0:
        raise PythonError(ValueError("slice step cannot be zero"))
    cls = texts.class_of(container)
    assert cls is not None
    roots = roots_of(container, *ends)
    span = span_of(infer, container) if _is_one(ends[2]) else None
    if span is not None:
        return _part_between(infer, cls, span, ends[0], ends[1], roots)
    made = abstract.item(infer, Array(texts.column(infer, container), "ndarray"), Slice(*ends))
    assert isinstance(made, Array)
    return String(made.atom, cls, roots)


def _is_one(step: Value) -> bool:
    return isinstance(step, Static) and step.value in (None, 1)


def _part_between(
    infer: Infer, cls: type, span: tuple[Atom, Value, Value], start: Value, stop: Value, roots: frozenset[Path]
) -> String:
    """`container[start:stop]` of a part of an input."""
    whole, first, count = span
    low = _within(infer, start, count, Static(0))
    high = _within(infer, stop, count, count)
    size = _at_least_0(infer, numbers.binary(infer, "-", high, low))
    return part(infer, cls, roots, (whole, numbers.binary(infer, "+", first, low), size))


def _within(infer: Infer, end: Value, count: Value, otherwise: Value) -> Value:
    """An end of a slice as a position from 0 to the length."""
    if isinstance(end, Static) and end.value is None:
        return otherwise
    if isinstance(end, Static) and end.value == 0:
        return end
    bounded = Number(infer.emit(python_ints.int_min, *(infer.number_atom(v, INT) for v in (end, count))), INT)
    is_below = infer.truth(numbers.compare(infer, "<", end, Static(0)))
    if is_below is False:
        return bounded
    from_end = _at_least_0(infer, numbers.binary(infer, "+", bounded, count))
    if is_below is True:
        return from_end
    chosen = infer.emit(python_ints.int_select, is_below, *(infer.number_atom(v, INT) for v in (from_end, bounded)))
    return Number(chosen, INT)


def _at_least_0(infer: Infer, value: Value) -> Value:
    if isinstance(value, Static):
        return Static(max(value.value, 0))
    return Number(infer.emit(python_ints.int_max, infer.number_atom(value, INT), Literal(0, INT)), INT)


def _slice_end(infer: Infer, end: Value) -> Value:
    if isinstance(end, Static) and end.value is None:
        return end
    if numbers.type_of_number(end) not in (BOOL, INT) and not isinstance(end, Array | Instance):
        raise PythonError(TypeError("slice indices must be integers or None or have an __index__ method"))
    return abstract.index(infer, end)


def sequence(infer: Infer, value: Value) -> SequenceValue:
    """A string to be gone through."""

    def item(index: Value) -> Value:
        return _item_of(infer, value, infer.number_atom(index, INT), roots_of(value, index))

    return SequenceValue(length(infer, value), item)


def as_sequence(infer: Infer, value: Value) -> SequenceValue | None:
    """A constant that is a str or bytes, as it is gone through beside what is of the run; None for other values."""
    return sequence(infer, value) if isinstance(value, Static) and texts.class_of(value) is not None else None


# --- builtins ---------------------------------------------------------------------------------------


@models(ord)
def ordinal(infer: Infer, value: Value) -> Value:
    """`ord(value)`."""
    if isinstance(value, Static):
        return numbers.fold(ord, value.value)
    if isinstance(value, Char):
        return Number(value.atom, INT)
    if not isinstance(value, String):
        raise refusal(infer, "ord()", ord, value)
    size = infer.number_atom(length(infer, value), INT)
    is_one = infer.emit(python_ints.int_eq, size, Literal(1, INT))
    message = "ord() expected a character, but string of length {0} found"
    infer.emit_all(conversions.check, is_one, size, exception="TypeError", message=message)
    return Number(texts.pick(infer, value, Literal(0, INT)), INT)


@models(chr)
def character(infer: Infer, value: Value) -> Value:
    """`chr(value)`."""
    index = abstract.index(infer, value)
    if isinstance(index, Static):
        return numbers.fold(chr, index.value)
    atom = infer.number_atom(index, INT)
    for least, most, sample in ((-(2**31), 2**31 - 1, 2**31), (0, 0x10FFFF, -1)):
        low = infer.emit(python_ints.int_ge, atom, Literal(least, INT))
        inside = infer.emit(python_ints.bool_and, low, infer.emit(python_ints.int_le, atom, Literal(most, INT)))
        error = _raised_by(chr, sample)
        infer.emit_all(conversions.check, inside, exception=type(error).__name__, message=str(error))
    return Char(atom, roots_of(value))


def _raised_by(function: Callable[..., Any], *args: Any) -> Exception:
    """What Python raises for these arguments."""
    try:
        function(*args)
    except Exception as error:
        return error
    raise AssertionError
