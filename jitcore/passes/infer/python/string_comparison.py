"""Strings and bytes of the run: comparisons, what is in them, sums, and how dicts with known keys are looked up in by
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import abstract, representations, string_forms
from jitcore.passes.infer.domain.columns import extent_of
from jitcore.passes.infer.domain.parts import is_input, roots_of
from jitcore.passes.infer.domain.texts import class_of, column, is_character, pick, point
from jitcore.passes.infer.domain.values import (
    NO_PATHS,
    Char,
    Number,
    Path,
    Reference,
    Static,
    String,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import string_programs
from jitcore.passes.infer.python.characters import length
from jitcore.primitives.ops import conversions, elementwise, joining, python_ints, shape
from jitcore.types import BOOL, INT, u32

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_MOST_IN_TURN: Final = 16
"""Characters of a constant up to which each is compared by itself, and not in a loop."""


def compare(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y` of two strings, or of two bytes."""
    if op in ("==", "!="):
        same = _equal(infer, x, y)
        mode = _mode_among(infer, x, y)
        if mode and isinstance(same, Number):
            same = Number(same.atom, BOOL, None, mode)
        return same if op == "==" else abstract.not_(infer, same)
    if is_character(x) and is_character(y):
        return _ints(infer, op, point(infer, x), point(infer, y))
    if op in (">", ">="):
        op, x, y = {">": "<", ">=": "<="}[op], y, x
    if op == "<":
        return _run(infer, string_programs.less, x, y)
    return abstract.not_(infer, _run(infer, string_programs.less, y, x))


def _mode_among(infer: Infer, x: Value, y: Value) -> frozenset[Path]:
    """The path of a string from outside that is compared with a constant, and may say what is to be done; none if it is
    no such test."""
    given, constant = (y, x) if isinstance(x, Static) else (x, y)
    if not isinstance(constant, Static) or not is_input(given, infer):
        return NO_PATHS
    infer.assumptions.modes |= given.roots
    return given.roots


def _ints(infer: Infer, op: str, x: Atom, y: Atom) -> Value:
    return numbers.compare(infer, op, Number(x, INT), Number(y, INT))


def _run(infer: Infer, program: Any, *values: Value) -> Value:
    return abstract.call(infer, Static(program), [_as_run(infer, v) for v in values], {})


def _as_run(infer: Infer, value: Value) -> Value:
    """A constant as a string of the run."""
    if class_of(value) is None or not isinstance(value, Static):
        return value
    if is_character(value):
        return Char(point(infer, value))
    return String(column(infer, value), type(value.value))


def _equal(infer: Infer, x: Value, y: Value) -> Value:
    if isinstance(x, Static):
        x, y = y, x
    if is_character(x) and is_character(y):
        return _ints(infer, "==", point(infer, x), point(infer, y))
    one, other = length(infer, x), length(infer, y)
    as_long = numbers.compare(infer, "==", one, other)
    if isinstance(as_long, Static) and not as_long.value:
        return as_long
    shorter = other if isinstance(other, Static) else one
    if not isinstance(shorter, Static) or shorter.value > _MOST_IN_TURN:
        return _run(infer, string_programs.equal, x, y)

    def alike() -> list[Value]:
        total: Value = Static(True)
        for k in range(shorter.value):
            parts = (_known_point(infer, v, k) for v in (x, y))
            total = numbers.both(infer, total, _ints(infer, "==", *parts))
        return [total]

    known_now = infer.truth(as_long)
    return (
        alike()[0]
        if isinstance(known_now, bool)
        else branching.branch(infer, known_now, alike, lambda: [Static(False)])[0]
    )


def _known_point(infer: Infer, value: Value, k: int) -> Atom:
    """The code point, or byte, at a position that there is."""
    if isinstance(value, Static):
        return Literal(value.value[k] if isinstance(value.value, bytes) else ord(value.value[k]), INT)
    return pick(infer, value, Literal(k, INT))


def contains(infer: Infer, container: Value, item: Value) -> Value:
    """`item in container` of a str or bytes, one of which is of the run, or the item a byte of the run."""
    cls = class_of(container)
    if cls is bytes and numbers.type_of_number(item) in (BOOL, INT):
        return _has_byte(infer, container, item)
    if class_of(item) is not cls:
        sample = "" if cls is str else b""
        raise refusal(infer, "'in'", lambda i: i in sample, item)
    if is_character(item):
        return _has_character(infer, container, item)
    if isinstance(item, Static) and not item.value:
        return Static(True)
    at = _run(infer, string_programs.find, container, item, Static(0), length(infer, container))
    return numbers.compare(infer, ">=", at, Static(0))


def _has_byte(infer: Infer, container: Value, item: Value) -> Value:
    atom = numbers.convert(infer, item, INT)
    low, high = (
        infer.emit(python_ints.int_ge, atom, Literal(0, INT)),
        infer.emit(python_ints.int_lt, atom, Literal(256, INT)),
    )
    inside = infer.emit(python_ints.bool_and, low, high)
    infer.emit_all(conversions.check, inside, exception="ValueError", message="byte must be in range(0, 256)")
    return _run(infer, string_programs.has_item, container, Number(atom, INT))


def _has_character(infer: Infer, container: Value, item: Value) -> Value:
    if isinstance(container, Char):
        return compare(infer, "==", container, item)
    if not isinstance(container, Static) or len(container.value) > _MOST_IN_TURN:
        return _run(infer, string_programs.has_item, container, item)
    total: Value = Static(False)
    for character in dict.fromkeys(container.value):
        same = _ints(infer, "==", point(infer, item), Literal(ord(character), INT))
        total = numbers.either(infer, total, same)
    return total


def concatenated(infer: Infer, x: Value, y: Value) -> Value:
    """`x + y` of two strings, or of two bytes."""
    if any(isinstance(v, Static) and not v.value for v in (x, y)):
        return y if isinstance(x, Static) and not x.value else x
    cls = class_of(x)
    assert cls is not None
    columns = (column(infer, x), column(infer, y))
    return String(infer.emit(joining.concatenate, *columns, axis=0), cls, roots_of(x, y))


def concatenation(infer: Infer, separator: str, parts: Sequence[Value]) -> Value:
    """`separator.join(parts)` of strings of which there are as many as is known now."""
    total = parts[0]
    for part in parts[1:]:
        for following in (Static(separator), part):
            total = concatenated(infer, total, following)
    return total


def joined(infer: Infer, values: Value) -> Value | None:
    """`"".join(values)` of single characters, as many as the run says; None for other strings."""
    made = abstract.as_list(infer, abstract.iterable(infer, values))
    held = infer.heap.buffer(made)
    if held is None or held.element not in (None, string_forms.CHARACTER):
        return None
    if held.element is None:
        return Static("")
    (points,) = representations.items_of_list(infer, held)
    return String(infer.emit(elementwise.cast, points.atom, dtype=u32), str)


def repeated(infer: Infer, value: Value, times: Value) -> Value:
    """`value * times`, where either is of the run."""
    cls = class_of(value)
    assert cls is not None
    times = abstract.index(infer, times)
    if isinstance(times, Static):
        times = Static(max(times.value, 0))
    else:
        atom = infer.number_atom(times, INT)
        times = Number(infer.emit(python_ints.int_max, atom, Literal(0, INT)), INT)
    rows = extent_of(infer, times)
    extent = extent_of(infer, length(infer, value))
    wide = infer.emit(shape.broadcast_to, column(infer, value), shape=(rows, extent))
    return String(infer.emit(shape.reshape, wide, shape=(rows * extent,)), cls, roots_of(value))


# --- as keys of what has a static structure ---------------------------------------------------------


def keys_of(infer: Infer, container: Value) -> Sequence[Any] | None:
    """The keys of a dict, or items of a set, in which a string of the run may be looked up."""
    if isinstance(container, Static) and isinstance(container.value, set | frozenset | dict):
        return list(container.value)
    if isinstance(container, Reference) and container.kind is dict:
        return list(infer.heap.entries(container))
    return None


def looked_up(infer: Infer, entries: dict[Any, Value], key: Value, missing: Callable[[], list[Value]]) -> Value:
    """The value in a dict under a key of the run; what `missing` gives where there is none."""
    candidates = [k for k in entries if type(k) is class_of(key)]
    found: Value = Static(False)
    position: Atom = Literal(0, INT)
    for k, candidate in enumerate(candidates):
        same = compare(infer, "==", key, Static(candidate))
        known_now = infer.truth(same)
        found = numbers.either(infer, found, same)
        if known_now is True:
            return entries[candidate]
        if known_now is not False:
            position = infer.emit(python_ints.int_select, known_now, Literal(k, INT), position)
    is_there = infer.truth(found)
    if is_there is False:
        return missing()[0]
    assert not isinstance(is_there, bool)
    values = Tuple(tuple(entries[k] for k in candidates))
    return branching.branch(
        infer, is_there, lambda: [abstract.item(infer, values, Number(position, INT))], lambda: missing()
    )[0]
