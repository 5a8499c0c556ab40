"""Strings and bytes of the run (`values.String`, `values.Char`): what is asked of them, and how they join.

A string is an array of code points (u32), bytes one of bytes (u8); a str of one character is its code point alone. Constants become
such where they meet them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer import containers, numbers, string_programs
from jitcore.passes.infer.refusal import refusal
from jitcore.passes.infer.values import (
    NO_PATHS,
    Array,
    Char,
    Instance,
    Number,
    Part,
    Path,
    PythonError,
    Raised,
    Reference,
    Restart,
    Slice,
    Static,
    String,
    Text,
    Tuple,
    Value,
)
from jitcore.passes.infer.values import Sequence as SequenceValue
from jitcore.primitives import conversions, elementwise, growing, joining, python_ints, shape, views
from jitcore.primitives.code_points import DTYPES, column_of, column_type
from jitcore.types import BOOL, INT, TensorType, u32

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

_LONGEST_KNOWN: Final = 64
"""Of the strings among the arguments that a function is compiled for: names, modes and formats are shorter."""
_MOST_IN_TURN: Final = 16
"""Characters of a constant up to which each is compared by itself, and not in a loop."""


# --- what they are ----------------------------------------------------------------------------------


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


def column(infer: Infer, value: Value) -> Atom:
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


def point(infer: Infer, value: Value) -> Atom:
    """The code point of a string that is known to be of one character."""
    match value:
        case Char():
            return value.atom
        case Static():
            return Literal(ord(value.value), INT)
        case _:
            return _pick(infer, value, Literal(0, INT))


def _is_character(value: Value) -> bool:
    """Whether it is known to be a str of one character."""
    return isinstance(value, Char) or (isinstance(value, Static) and type(value.value) is str and len(value.value) == 1)


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


def roots_of(*values: Value) -> frozenset[Path]:
    """The inputs, and loops, that strings and what picks parts of them are made of."""
    found = NO_PATHS
    for value in values:
        if isinstance(value, String | Char):
            found |= value.roots
        elif isinstance(value, Number) and value.paths:
            found |= frozenset(path for path in value.paths if path[0] == "loop")
        elif isinstance(value, Text):
            found |= roots_of(*value.values)
    return found


# --- strings that must be known ---------------------------------------------------------------------


def known(infer: Infer, value: String | Char | Text, what: str) -> Any:
    """The string that a value is, which the program needs at compile time: it will be known in the next attempt. This one goes on, void,
    with what it is now, if it is an input."""
    roots = roots_of(value)
    missing = roots - infer.marks.statics
    if not missing:
        for place in reversed(infer.unrollable):
            if place not in infer.marks.statics:
                infer.marks.add_statics([place])
                raise Restart
        raise infer.unsupported(
            f"{what} must be known when the function is compiled, and this string is made of values of the run",
            "a constant, an argument, or a part of one",
        )
    require_allowed(infer, missing, what)
    _require_short(infer, missing, what)
    infer.marks.add_statics(missing)
    if not _is_input(value, infer):
        raise Restart
    infer.void = True
    return infer.inputs.strings[value.atom]


def _is_input(value: Value, infer: Infer) -> TypeGuard[String]:
    """Whether a string is the whole of one that the program was given."""
    return isinstance(value, String) and not isinstance(value, Part) and value.atom in infer.inputs.strings


def is_made_of_inputs(value: String | Char | Text) -> bool:
    """Whether a string is one of those the program was given, or made of nothing but them and constants."""
    if isinstance(value, Text) and not all(isinstance(part, String | Char) for part in value.values):
        return False
    return bool(roots_of(value)) and all(path[0] != "loop" for path in roots_of(value))


def require_allowed(infer: Infer, paths: Iterable[Path], what: str) -> None:
    """Refuse to know strings of a function that was compiled for many values of them."""
    if not infer.marks.knows_strings and not infer.inputs.string_paths.keys().isdisjoint(paths):
        raise infer.unsupported(
            f"{what} must be known when the function is compiled, which it was for many strings already",
            "few different strings here, or a dict or list that the string is looked up in outside the function",
        )


def _require_short(infer: Infer, paths: Iterable[Path], what: str) -> None:
    """Refuse to know long strings among the arguments: going through one while compiling takes long."""
    given = infer.inputs.string_paths
    if any(len(given.get(path, "")) > _LONGEST_KNOWN and path[0] == "arg" for path in paths):
        raise infer.unsupported(
            f"{what} must be known when the function is compiled, and this is a string of more than {_LONGEST_KNOWN} characters",
            "a shorter string, or what it is needed for outside the compiled function",
        )


def all_known(infer: Infer, values: Sequence[Value], what: str) -> list[Value]:
    """Values with their strings, those in tuples and lists included, as constants."""
    return [_known_within(infer, value, what) for value in values]


def _known_within(infer: Infer, value: Value, what: str) -> Value:
    match value:
        case String() | Char():
            return Static(known(infer, value, what))
        case Tuple() if any(map(_holds, value.items)):
            return Tuple(tuple(_known_within(infer, v, what) for v in value.items), value.cls, value.lists)
        case Reference() if infer.heap.pooled(value) is None and infer.heap.buffer(value) is None:
            contents: Any = infer.heap.entries(value).values() if value.kind is dict else infer.heap.items(value)
            for held in contents:
                if _holds(held):
                    _known_within(infer, held, what)
                    raise Restart
            return value
        case _:
            return value


def _holds(value: Value) -> bool:
    return of_run(value) or (isinstance(value, Tuple) and any(map(_holds, value.items)))


# --- items ------------------------------------------------------------------------------------------


def _item_of(infer: Infer, container: Value, position: Atom, roots: frozenset[Path]) -> Value:
    atom = _pick(infer, container, position)
    return Char(atom, roots) if class_of(container) is str else Number(atom, INT)


def _pick(infer: Infer, container: Value, position: Atom) -> Atom:
    if isinstance(container, Char):
        return container.atom
    whole = column(infer, container) if not isinstance(container, Part) else None
    if isinstance(container, Part):
        whole, start, _ = container.span
        position = infer.number_atom(numbers.binary(infer, "+", start, Number(position, INT)), INT)
    assert whole is not None
    row = infer.emit(growing.pick_row, whole, position)
    return infer.emit(conversions.to_scalar, row)


def is_indexed_at_run_time(container: Static, key: Value) -> bool:
    """Whether a constant is a str or bytes of which the run says which part is meant."""
    if class_of(container) is None:
        return False
    ends = (key.start, key.stop, key.step) if isinstance(key, Slice) else (key,)
    return any(isinstance(end, Number | Array) for end in ends)


def get(infer: Infer, container: Value, key: Value) -> Value:
    """`container[key]`."""
    cls = class_of(container)
    assert cls is not None
    if isinstance(key, Slice):
        return _sliced(infer, container, key)
    sample = cls(b"") if cls is bytes else ""
    type_ = numbers.type_of_number(key)
    if not isinstance(key, Array) and (type_ is None or type_ not in (BOOL, INT)):
        raise refusal(infer, "indexing", lambda k: sample[k], key)
    from jitcore.passes.infer import builtins_

    index = builtins_.to_index(infer, key)
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
    from jitcore.passes.infer import arrays

    ends = [_slice_end(infer, end) for end in (key.start, key.stop, key.step)]
    if isinstance(ends[2], Static) and ends[2].value == 0:
        raise PythonError(ValueError("slice step cannot be zero"))
    cls = class_of(container)
    assert cls is not None
    roots = roots_of(container, *ends)
    span = span_of(infer, container) if _is_one(ends[2]) else None
    if span is not None:
        return _part_between(infer, cls, span, ends[0], ends[1], roots)
    made = arrays.getitem(infer, Array(column(infer, container), "ndarray"), Slice(*ends))
    assert isinstance(made, Array)
    return String(made.atom, cls, roots)


def _is_one(step: Value) -> bool:
    return isinstance(step, Static) and step.value in (None, 1)


def array_of_part(infer: Infer, value: Part) -> Atom:
    """A part of an input as an array."""
    from jitcore.passes.infer import buffers

    whole, start, count = value.span
    spec = (("s", ("v", 0), 1, buffers.extent_of(infer, count)),)
    return infer.emit(views.view_index, whole, infer.number_atom(start, INT), spec=spec)


def span_of(infer: Infer, value: Value) -> tuple[Atom, Value, Value] | None:
    """The input of which a string is a part, or the whole, where it begins in that, and how long it is; None if it is none of an input's."""
    if isinstance(value, Part):
        return value.span
    return (value.atom, Static(0), length(infer, value)) if _is_input(value, infer) else None


def _part_between(
    infer: Infer, cls: type, span: tuple[Atom, Value, Value], start: Value, stop: Value, roots: frozenset[Path]
) -> String:
    """`container[start:stop]` of a part of an input."""
    whole, first, count = span
    low = _within(infer, start, count, Static(0))
    high = _within(infer, stop, count, count)
    size = _at_least_0(infer, numbers.binary(infer, "-", high, low))
    return Part(infer, cls, roots, (whole, numbers.binary(infer, "+", first, low), size))


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
    from jitcore.passes.infer import builtins_

    return builtins_.to_index(infer, end)


def sequence(infer: Infer, value: Value) -> SequenceValue:
    """A string to be gone through."""

    def item(index: Value) -> Value:
        return _item_of(infer, value, infer.number_atom(index, INT), roots_of(value, index))

    return SequenceValue(length(infer, value), item)


def as_sequence(infer: Infer, value: Value) -> SequenceValue | None:
    """A constant that is a str or bytes, as it is gone through beside what is of the run; None for other values."""
    return sequence(infer, value) if isinstance(value, Static) and class_of(value) is not None else None


# --- comparison -------------------------------------------------------------------------------------


def compare(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y` of two strings, or of two bytes."""
    if op in ("==", "!="):
        from jitcore.passes.infer.operations import not_

        same = _equal(infer, x, y)
        mode = _mode_among(infer, x, y)
        if mode and isinstance(same, Number):
            same = Number(same.atom, BOOL, None, mode)
        return same if op == "==" else not_(infer, same)
    if _is_character(x) and _is_character(y):
        return _ints(infer, op, point(infer, x), point(infer, y))
    if op in (">", ">="):
        op, x, y = {">": "<", ">=": "<="}[op], y, x
    if op == "<":
        return _run(infer, string_programs.less, x, y)
    from jitcore.passes.infer.operations import not_

    return not_(infer, _run(infer, string_programs.less, y, x))


def _mode_among(infer: Infer, x: Value, y: Value) -> frozenset[Path]:
    """The path of a string from outside that is compared with a constant, and may say what is to be done; none if it is no such test."""
    given, constant = (y, x) if isinstance(x, Static) else (x, y)
    if not isinstance(constant, Static) or not _is_input(given, infer):
        return NO_PATHS
    infer.marks.modes |= given.roots
    return given.roots


def _ints(infer: Infer, op: str, x: Atom, y: Atom) -> Value:
    return numbers.compare(infer, op, Number(x, INT), Number(y, INT))


def _run(infer: Infer, program: Any, *values: Value) -> Value:
    from jitcore.passes.infer import calls

    return calls.call(infer, Static(program), [_as_run(infer, v) for v in values], {})


def _as_run(infer: Infer, value: Value) -> Value:
    """A constant as a string of the run."""
    if class_of(value) is None or not isinstance(value, Static):
        return value
    if _is_character(value):
        return Char(point(infer, value))
    return String(column(infer, value), type(value.value))


def _equal(infer: Infer, x: Value, y: Value) -> Value:
    if isinstance(x, Static):
        x, y = y, x
    if _is_character(x) and _is_character(y):
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
            total = containers.both(infer, total, _ints(infer, "==", *parts))
        return [total]

    known_now = infer.truth(as_long)
    return alike()[0] if isinstance(known_now, bool) else infer.branch(known_now, alike, lambda: [Static(False)])[0]


def _known_point(infer: Infer, value: Value, k: int) -> Atom:
    """The code point, or byte, at a position that there is."""
    if isinstance(value, Static):
        return Literal(value.value[k] if isinstance(value.value, bytes) else ord(value.value[k]), INT)
    return _pick(infer, value, Literal(k, INT))


def contains(infer: Infer, container: Value, item: Value) -> Value:
    """`item in container` of a str or bytes, one of which is of the run, or the item a byte of the run."""
    cls = class_of(container)
    if cls is bytes and numbers.type_of_number(item) in (BOOL, INT):
        return _has_byte(infer, container, item)
    if class_of(item) is not cls:
        sample = "" if cls is str else b""
        raise refusal(infer, "'in'", lambda i: i in sample, item)
    if _is_character(item):
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
        total = containers.either(infer, total, same)
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
    from jitcore.passes.infer import buffers, builtins_, string_forms

    made = builtins_.as_list(infer, builtins_.iterable(infer, values))
    held = infer.heap.buffer(made)
    if held is None or held.element not in (None, string_forms.CHARACTER):
        return None
    if held.element is None:
        return Static("")
    (points,) = buffers.trimmed(infer, held)
    return String(infer.emit(elementwise.cast, points.atom, dtype=u32), str)


def repeated(infer: Infer, value: Value, times: Value) -> Value:
    """`value * times`, where either is of the run."""
    from jitcore.passes.infer import buffers, builtins_

    cls = class_of(value)
    assert cls is not None
    times = builtins_.to_index(infer, times)
    if isinstance(times, Static):
        times = Static(max(times.value, 0))
    else:
        atom = infer.number_atom(times, INT)
        times = Number(infer.emit(python_ints.int_max, atom, Literal(0, INT)), INT)
    rows = buffers.extent_of(infer, times)
    extent = buffers.extent_of(infer, length(infer, value))
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
    from jitcore.passes.infer import items

    candidates = [k for k in entries if type(k) is class_of(key)]
    found: Value = Static(False)
    position: Atom = Literal(0, INT)
    for k, candidate in enumerate(candidates):
        same = compare(infer, "==", key, Static(candidate))
        known_now = infer.truth(same)
        found = containers.either(infer, found, same)
        if known_now is True:
            return entries[candidate]
        if known_now is not False:
            position = infer.emit(python_ints.int_select, known_now, Literal(k, INT), position)
    is_there = infer.truth(found)
    if is_there is False:
        return missing()[0]
    assert not isinstance(is_there, bool)
    values = Tuple(tuple(entries[k] for k in candidates))
    return infer.branch(is_there, lambda: [items.get(infer, values, Number(position, INT))], lambda: missing())[0]


def raise_missing(infer: Infer, key: Value) -> list[Value]:
    """Emit the KeyError for a key of the run."""
    infer.emit_raise(Raised(KeyError, (key,)))


# --- builtins ---------------------------------------------------------------------------------------


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
    return Number(_pick(infer, value, Literal(0, INT)), INT)


def character(infer: Infer, value: Value) -> Value:
    """`chr(value)`."""
    from jitcore.passes.infer import builtins_

    index = builtins_.to_index(infer, value)
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
