"""Strings of the run."""

from __future__ import annotations

import functools
import itertools
import operator
import string
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.boxed import lists
from jitcore.passes.infer.boxed.lists import raise_if
from jitcore.passes.infer.boxed.values import act, add, flag, index, is_text, look, number, text, words
from jitcore.passes.infer.domain import abstract, boxed, cells
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Boxed,
    Char,
    Number,
    PythonError,
    Slice,
    Static,
    Text,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import numbers
from jitcore.primitives.core.python_numbers import past_64_bits
from jitcore.primitives.ops import boxes, conversions
from jitcore.program.boxes import Kind
from jitcore.types import FLOAT, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

END: Final = 2**62
"""Stands for the end of a string where a method has no bound."""
_REPR: Final = ord("r")
_ADD_DOT_0: Final = 2
"""A flag of `PyOS_double_to_string`."""


def of(atom: Atom) -> Boxed:
    """A str in a box."""
    return Boxed(atom, cells.STR)


def character(infer: Infer, value: Boxed, position: Value) -> Value:
    """The character at a position, which must be there."""
    return Char(look(infer, "text_code", value.atom, infer.number_atom(position, INT)))


def item(infer: Infer, value: Boxed, key: Value) -> Value:
    """`value[key]`."""
    size = number(infer, look(infer, "text_length", value.atom))
    if isinstance(key, Slice):
        first, step, count = lists.bounds(infer, key, size)
        return of(act(infer, "text_slice", value.atom, first, step, count))
    if not lists.is_index(key):
        raise PythonError(TypeError(f"string indices must be integers, not '{type_name(key)}'"))
    message = "string index out of range"
    place = infer.emit(conversions.check_position, index(infer, key), size.atom, message=message)
    return Char(look(infer, "text_code", value.atom, place))


def concatenated(infer: Infer, x: Value, y: Value) -> Boxed:
    """`x + y`."""
    return of(act(infer, "text_concat", text(infer, x), text(infer, y)))


def appended(infer: Infer, x: Value, y: Value) -> Boxed:
    """`x += y`."""
    return of(act(infer, "text_append", text(infer, x), text(infer, y)))


def repeated(infer: Infer, value: Boxed, times: Value) -> Boxed:
    """`value * times`."""
    return of(act(infer, "text_repeat", value.atom, index(infer, times)))


# --- numbers and other values as text


def settled(infer: Infer, value: Text) -> Value:
    """A string that was put together, as a box; a constant if nothing in it is of the run."""
    if not value.values:
        return Static(value.template.format())
    parts: list[Atom] = []
    for literal, name, spec, conversion in string.Formatter().parse(value.template):
        if literal:
            parts.append(text(infer, Static(literal)))
        if name is not None:
            parts.append(_field(infer, value.values[int(name)], conversion, spec or ""))
    if not parts:
        return Static("")
    if len(parts) < 4:
        made = parts[0]
        for part in parts[1:]:
            made = act(infer, "text_concat", made, part)
        return of(made)
    listed = act(infer, "list_new", int(Kind.LIST), len(parts))
    for part in parts:
        act(infer, "list_append", listed, int(Kind.STR), part)
    return of(act(infer, "text_join", text(infer, Static("")), listed))


def _field(infer: Infer, value: Value, conversion: str | None, spec: str) -> Atom:
    """A replacement field of a format."""
    plain = conversion in (None, "") and not spec
    if is_text(value) and (plain or (conversion == "s" and not spec)):
        return text(infer, value)
    type_ = numbers.type_of_number(value) if isinstance(value, Number | Static) else None
    if type_ is INT and (not spec or spec == "d") and conversion in (None, "", "s", "r", "a"):
        return act(infer, "text_of_int", numbers.convert(infer, value, INT), 10, 0)
    if type_ is FLOAT and not spec:
        return act(infer, "text_of_float", numbers.convert(infer, value, FLOAT), _REPR, 0, _ADD_DOT_0)
    if type_ is FLOAT and not conversion and _is_fixed(spec):
        return act(infer, "text_of_float", numbers.convert(infer, value, FLOAT), ord(spec[-1]), int(spec[1:-1]), 0)
    function = functools.partial(_formatted, conversion=conversion or "", spec=spec)
    return computed(infer, function, (value,), Kind.STR)


def _is_fixed(spec: str) -> bool:
    return len(spec) > 2 and spec[0] == "." and spec[1:-1].isdigit() and spec[-1] in "feEF" and int(spec[1:-1]) < 400


def _formatted(value: object, conversion: str, spec: str) -> str:
    shown = {"r": repr, "s": str, "a": ascii}[conversion](value) if conversion else value
    return format(shown, spec)


def computed(infer: Infer, function: Callable[..., Any], args: Sequence[Value], result: Kind) -> Atom:
    """What a Python function gives for values, computed by the host."""
    given: list[Atom] = []
    kinds: list[Any] = []
    for arg in args:
        if isinstance(arg, Static):
            kinds.append(boxes.Known(arg.value))
            continue
        kind, payload = words(infer, arg)
        if not isinstance(kind, Literal):
            raise infer.unsupported(
                "a value of several types that is made part of a string of the run", "str(…) of it on each path"
            )
        kinds.append(Kind(kind.value))
        given.append(payload)
    context = look(infer, "own_context")
    params = {"function": function, "kinds": tuple(kinds), "result": result}
    return infer.emit(boxes.box_compute, context, *given, **params)


def percent(infer: Infer, template: Value, operand: Value) -> Boxed:
    """`template % operand` of a template of the run."""
    return of(computed(infer, operator.mod, (template, operand), Kind.STR))


def to_text(infer: Infer, value: Value = Static("")) -> Value:
    """`str(value)`."""
    made = abstract.format_value(infer, value, "s", "")
    return settled(infer, made)


def to_int(infer: Infer, value: Value, base: Value = Static(10)) -> Value:
    """`int(value, base)` of a string."""
    box = text(infer, value)
    out = look(infer, "parsed")
    if isinstance(base, Static) and not (base.value == 0 or 2 <= base.value <= 36):
        raise PythonError(ValueError("int() base must be >= 2 and <= 36, or 0"))
    base_atom = index(infer, base)
    status = number(infer, act(infer, "int_of_text", box, base_atom, out))
    shown = Text("invalid literal for int() with base {0}: {1!r:.200}", (Number(base_atom, INT), of(box)))
    raise_if(infer, numbers.compare(infer, "==", status, Static(1)), ValueError, shown)
    message = Static(past_64_bits(2**63))
    raise_if(infer, numbers.compare(infer, "==", status, Static(2)), OverflowError, message)
    return number(infer, look(infer, "load_word", out))


def to_float(infer: Infer, value: Value) -> Value:
    """`float(value)` of a string."""
    box = text(infer, value)
    out = look(infer, "parsed")
    fine = flag(infer, act(infer, "float_of_text", box, out))
    shown = Text("could not convert string to float: {0!r}", (of(box),))
    raise_if(infer, abstract.not_(infer, fine), ValueError, shown)
    return Number(look(infer, "load_word", out, type=FLOAT), FLOAT)


# --- methods


def _text_of(infer: Infer, value: Value, what: str) -> Atom:
    if not is_text(value):
        raise PythonError(TypeError(f"{what} must be str, not {type_name(value)}"))
    return text(infer, value)


def _bounds(infer: Infer, start: Value, stop: Value) -> tuple[Atom, Atom]:
    ends = [Static(o) if isinstance(v, Static) and v.value is None else v for v, o in ((start, 0), (stop, END))]
    return index(infer, ends[0]), index(infer, ends[1])


def _found(function: str) -> Callable[..., Value]:
    def found(
        infer: Infer, of_: Value, sought: Value, start: Value = Static(None), stop: Value = Static(None)
    ) -> Value:
        ends = _bounds(infer, start, stop)
        return number(infer, look(infer, function, text(infer, of_), _text_of(infer, sought, "must"), *ends))

    return found


def _index_of(function: str) -> Callable[..., Value]:
    def indexed(
        infer: Infer, of_: Value, sought: Value, start: Value = Static(None), stop: Value = Static(None)
    ) -> Value:
        found = _found(function)(infer, of_, sought, start, stop)
        missing = numbers.compare(infer, "<", found, Static(0))
        raise_if(infer, missing, ValueError, Static("substring not found"))
        return found

    return indexed


def _begins(function: str) -> Callable[..., Value]:
    def begins(
        infer: Infer, of_: Value, sought: Value, start: Value = Static(None), stop: Value = Static(None)
    ) -> Value:
        ends = _bounds(infer, start, stop)
        tried = sought.items if isinstance(sought, Tuple) else (sought,)
        if isinstance(sought, Static) and isinstance(sought.value, tuple):
            tried = tuple(map(Static, sought.value))
        total: Value = Static(False)
        for one in tried:
            if not is_text(one):
                name = "startswith" if function == "text_starts" else "endswith"
                message = f"{name} first arg must be str or a tuple of str, not {type_name(one)}"
                raise PythonError(TypeError(message))
            total = numbers.either(
                infer, total, flag(infer, look(infer, function, text(infer, of_), text(infer, one), *ends))
            )
        return total

    return begins


def _is_kind(function: str, *args: int) -> Callable[..., Value]:
    by_flag = function in ("text_all", "text_is_case")

    def is_kind(infer: Infer, of_: Value) -> Value:
        if by_flag and isinstance(of_, Char):
            return flag(infer, look(infer, "code_is", of_.atom, args[0]))
        return flag(infer, look(infer, function, text(infer, of_), *args))

    return is_kind


def _cased(way: int) -> Callable[..., Value]:
    def cased(infer: Infer, of_: Value) -> Value:
        return of(act(infer, "text_cased", text(infer, of_), way))

    return cased


def _strip(sides: int) -> Callable[..., Value]:
    def strip(infer: Infer, of_: Value, characters: Value = Static(None)) -> Value:
        given: Atom | int = 0 if _is_none(characters) else text(infer, characters)
        return of(act(infer, "text_strip", text(infer, of_), given, sides))

    return strip


def _is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.value is None


def list_of_texts(infer: Infer, atom: Atom, label: str) -> Boxed:
    """A list of strings that the library made."""
    kind = lists.new_kind(infer, Kind.LIST, list, label)
    add(infer, kind.cell, (cells.STR,))
    return Boxed(atom, kind)


def _require_separator(infer: Infer, sep: Value, box: Atom) -> None:
    size = number(infer, look(infer, "text_length", box))
    empty = Static(not sep.value) if isinstance(sep, Static) else numbers.compare(infer, "==", size, Static(0))
    raise_if(infer, empty, ValueError, Static("empty separator"))


def _split(plain: str, by: str, *, reverses: bool) -> Callable[..., Value]:
    def split(infer: Infer, of_: Value, sep: Value = Static(None), maxsplit: Value = Static(-1)) -> Value:
        most = index(infer, maxsplit)
        if _is_none(sep):
            made = act(infer, plain, text(infer, of_), most)
        else:
            given = _text_of(infer, sep, "must")
            _require_separator(infer, sep, given)
            made = act(infer, by, text(infer, of_), given, most)
        if reverses:
            act(infer, "list_reverse", made)
        return list_of_texts(infer, made, plain)

    return split


def _lines(infer: Infer, of_: Value, keepends: Value = Static(False)) -> Value:
    keeps = infer.need_static(keepends, "keepends of splitlines")
    return list_of_texts(infer, act(infer, "text_lines", text(infer, of_), int(bool(keeps))), "lines")


def join(infer: Infer, of_: Value, parts: Value) -> Value:
    """`of_.join(parts)`."""
    listed = parts if isinstance(parts, Boxed) and parts.kind != cells.STR and parts.kind.kind is Kind.LIST else None
    if listed is None:
        listed = lists.of_iterable(infer, parts, "joined")
    kinds = lists.kinds(infer, listed)
    others = [k for k in kinds if k != cells.STR]
    if others:
        if len(kinds) == 1 and isinstance(parts, Boxed):
            wrong = {Kind.INT: "int", Kind.FLOAT: "float", Kind.BOOL: "bool", Kind.NONE: "NoneType"}.get(
                getattr(others[0], "kind", Kind.TUPLE), "tuple"
            )
            message = f"sequence item 0: expected str instance, {wrong} found"
            size = number(infer, look(infer, "list_length", listed.atom))
            raise_if(infer, numbers.compare(infer, ">", size, Static(0)), TypeError, Static(message))
        else:
            raise infer.unsupported("joining what may be no strings to a string of the run", "str(…) of each item")
    return of(act(infer, "text_join", text(infer, of_), listed.atom))


def _replace(infer: Infer, of_: Value, old: Value, new: Value, count: Value = Static(-1)) -> Value:
    given = text(infer, of_), _text_of(infer, old, "replace() argument 1"), _text_of(infer, new, "replace() argument 2")
    return of(act(infer, "text_replace", *given, index(infer, count)))


def _padded(name: str) -> Callable[..., Value]:
    def padded(infer: Infer, of_: Value, width: Value, fill: Value = Static(" ")) -> Value:
        box = text(infer, of_)
        size = number(infer, look(infer, "text_length", box))
        wide = Number(index(infer, width), INT)
        more = numbers.binary(infer, "-", wide, size)
        code = look(infer, "text_code", text(infer, fill), 0)
        if not (isinstance(fill, Char) or (isinstance(fill, Static) and len(fill.value) == 1)):
            raise infer.unsupported(
                "padding a string of the run with a character that is none of the text", "a constant"
            )
        before: Value = Static(0)
        if name == "rjust":
            before = more
        elif name == "center":
            half = numbers.binary(infer, "//", more, Static(2))
            odd = numbers.binary(infer, "&", numbers.binary(infer, "&", more, wide), Static(1))
            before = numbers.binary(infer, "+", half, odd)
        after = numbers.binary(infer, "-", more, before)
        ends = infer.number_atom(before, INT), infer.number_atom(after, INT)
        return of(act(infer, "text_pad", box, *ends, code))

    return padded


def _zero_filled(infer: Infer, of_: Value, width: Value) -> Value:
    return of(act(infer, "text_fill_zeros", text(infer, of_), index(infer, width)))


def _partition(*, last: bool) -> Callable[..., Value]:
    def partition(infer: Infer, of_: Value, sep: Value) -> Value:
        box, given = text(infer, of_), _text_of(infer, sep, "must")
        _require_separator(infer, sep, given)
        found = number(infer, look(infer, "text_find_last" if last else "text_find", box, given, 0, END))
        size, width = (number(infer, look(infer, "text_length", b)) for b in (box, given))
        there = numbers.compare(infer, ">=", found, Static(0))
        whole = size if not last else Static(0)
        first_end = lists.select(infer, there, found, whole)
        middle_end = lists.select(infer, there, numbers.binary(infer, "+", found, width), whole)
        ends = [infer.number_atom(v, INT) for v in (Static(0), first_end, middle_end, size)]
        return Tuple(tuple(of(act(infer, "text_between", box, a, b)) for a, b in itertools.pairwise(ends)))

    return partition


def _without(function: str) -> Callable[..., Value]:
    def without(infer: Infer, of_: Value, affix: Value) -> Value:
        box, given = text(infer, of_), _text_of(infer, affix, "must")
        there = flag(infer, look(infer, function, box, given, 0, END))
        size, width = (number(infer, look(infer, "text_length", b)) for b in (box, given))
        cut = lists.select(infer, there, width, Static(0))
        first, end = (cut, size) if function == "text_starts" else (Static(0), numbers.binary(infer, "-", size, cut))
        return of(act(infer, "text_between", box, infer.number_atom(first, INT), infer.number_atom(end, INT)))

    return without


def _by_host(name: str) -> Callable[..., Value]:
    def by_host(infer: Infer, of_: Value, *args: Value) -> Value:
        return of(computed(infer, getattr(str, name), (of_, *args), Kind.STR))

    return by_host


def _format(infer: Infer, of_: Value, *args: Value, **keywords: Value) -> Value:
    if not isinstance(of_, Static):
        raise infer.unsupported("the format of a template that is a string of the run", "an f-string")
    made = abstract.text_method(infer, of_.value, "format", args, keywords)
    return boxed.settled(infer, made)


METHODS: Final[Mapping[str, Callable[..., Value]]] = {
    "find": _found("text_find"), "rfind": _found("text_find_last"), "count": _found("text_count"),
    "index": _index_of("text_find"), "rindex": _index_of("text_find_last"),
    "startswith": _begins("text_starts"), "endswith": _begins("text_ends"),
    "upper": _cased(1), "lower": _cased(2), "title": _cased(3), "capitalize": _cased(4), "swapcase": _cased(5),
    "casefold": _cased(6), "strip": _strip(3), "lstrip": _strip(1), "rstrip": _strip(2),
    "split": _split("text_split", "text_split_by", reverses=False),
    "rsplit": _split("text_split_last", "text_split_last_by", reverses=True),
    "splitlines": _lines, "join": join, "replace": _replace, "ljust": _padded("ljust"), "rjust": _padded("rjust"),
    "center": _padded("center"), "zfill": _zero_filled, "partition": _partition(last=False),
    "rpartition": _partition(last=True), "removeprefix": _without("text_starts"),
    "removesuffix": _without("text_ends"), "expandtabs": _by_host("expandtabs"), "format": _format,
    "isascii": _is_kind("text_is_ascii"), "isprintable": _is_kind("text_is_printable"),
    "istitle": _is_kind("text_is_title"), "islower": _is_kind("text_is_case", 32, 64 | 256),
    "isupper": _is_kind("text_is_case", 64, 32 | 256), "isidentifier": _is_kind("text_is_identifier", 1024, 2048),
    "isalpha": _is_kind("text_all", 1), "isdigit": _is_kind("text_all", 2), "isdecimal": _is_kind("text_all", 4),
    "isnumeric": _is_kind("text_all", 8), "isalnum": _is_kind("text_all", 16), "isspace": _is_kind("text_all", 128),
}  # fmt: skip
