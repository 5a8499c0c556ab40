"""Strings: constants, or templates with run-time values in them; how values are formatted into them."""

from __future__ import annotations

import re
import string
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from jitcore.library.core.mutable import plain_class
from jitcore.passes.infer.domain import abstract, templates
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Caught,
    Char,
    Instance,
    Number,
    PythonError,
    Raised,
    Range,
    Reference,
    Slice,
    Static,
    String,
    Text,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import classes, numbers
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import containers, objects, string_comparison
from jitcore.types import BOOL, FLOAT, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def format_string(infer: Infer, template: tuple[Any, ...], values: list[Value]) -> Value:
    """An f-string: constant where its parts are, else a template."""
    texts: list[Text] = []
    stream = iter(values)
    for part in template:
        if isinstance(part, str):
            texts.append(templates.as_text(Static(part)))
            continue
        conversion, spec = part
        texts.append(format_value(infer, next(stream), conversion, spec))
    return templates.joined(texts)


# --- values in strings ------------------------------------------------------------------------------


@abstract.format_value.model
def format_value(infer: Infer, value: Value, conversion: str | None, spec: str) -> Text:
    """One replacement field."""
    if isinstance(value, Static):
        own = _own_text(infer, value, conversion, spec)
        if own is not None:
            return own
        classes.require_constant(infer, "the text", value)
        shown = value.value
        if conversion:
            shown = numbers.fold({"r": repr, "s": str, "a": ascii}[conversion], shown).value
        return templates.as_text(numbers.fold(format, shown, spec or ""))
    if isinstance(value, Instance):
        own = _own_text(infer, value, conversion, spec)
        if own is None:
            raise infer.unsupported(f"the text of a {value.cls.__name__} made in compiled code", "its attributes")
        return own
    if isinstance(value, Text) and not spec and conversion in (None, "s", ""):
        return value
    if isinstance(value, Text) and not spec and all(isinstance(v, Number) for v in value.values):
        return _quoted(value, repr if conversion == "r" else ascii)
    if isinstance(value, Raised) and not spec:
        return _format_exception(infer, value, conversion)
    if isinstance(value, Caught):
        raise infer.unsupported("the text of this exception", "the text it has, or handlers for each class")
    if isinstance(value, Tuple | Reference | Slice | Range) and spec and not conversion:
        raise refusal(infer, f"the format '{spec}'", lambda obj: format(obj, spec), value)
    if isinstance(value, Tuple | Reference) and not spec:
        return _format_container(infer, value)
    if isinstance(value, Slice | Range) and not spec:
        return _format_bounds(infer, value)
    if not conversion and isinstance(value, Number | String | Char):
        _require_spec(value, spec)
    return Text(templates.field(0, conversion, spec), (value,))


def _format_exception(infer: Infer, value: Raised, conversion: str | None) -> Text:
    """An exception, or its repr."""
    cls, args = value.cls, value.args
    if conversion in ("r", "a") and cls.__repr__ is BaseException.__repr__:
        parts = [templates.as_text(Static(f"{cls.__name__}("))]
        for k, arg in enumerate(args):
            parts += [templates.as_text(Static(", " if k else "")), format_value(infer, arg, "r", "")]
        return templates.join_texts([*parts, templates.as_text(Static(")"))])
    if conversion not in ("r", "a") and cls.__str__ in (BaseException.__str__, KeyError.__str__):
        if len(args) != 1:
            return _format_container(infer, Tuple(args)) if args else Text("", ())
        plain = None if templates.is_text(args[0]) else "s"
        return format_value(infer, args[0], "r" if cls.__str__ is KeyError.__str__ else plain, "")
    raise infer.unsupported(f"the text of {cls.__name__} exceptions", "its arguments")


def _own_text(infer: Infer, value: Static | Instance, conversion: str | None, spec: str) -> Text | None:
    """What a method of an object's class makes of it as text."""
    cls = value.cls if isinstance(value, Instance) else type(value.value)
    if cls.__repr__ is object.__repr__ and cls.__str__ is object.__str__:
        return templates.as_text(Static(repr(value.value))) if isinstance(value, Static) and not spec else None
    made = None if conversion else objects.special(infer, value, "__format__", Static(spec))
    for name in ("__repr__",) if conversion in ("r", "a") else ("__str__", "__repr__"):
        made = objects.special(infer, value, name) if made is None and not spec else made
    return templates.as_text(made) if made is not None and templates.is_text(made) else None


def _require_spec(value: Number | String | Char, spec: str) -> None:
    """Raise what formatting a number or string by a wrong specification raises."""
    if not isinstance(value, Number):
        numbers.fold(format, b"" if isinstance(value, String) and value.cls is bytes else "", spec)
        return
    sample = {BOOL: False, INT: 0, FLOAT: 0.0}.get(value.type, 0j)
    numbers.fold(format, sample, spec)


def _format_container(infer: Infer, value: Tuple | Reference) -> Text:
    if isinstance(value, Reference) and value.kind is set:
        return templates.as_text(
            Static(repr({infer.need_static(v, "an item of a set") for v in infer.heap.items(value)}))
        )
    buffer = infer.heap.buffer(value)
    if buffer is not None:
        return Text("{0}", (infer.heap.new(list, buffer),))  # as it is now
    prefix, names, members = _display(infer, value)
    open_, close = ("(", ")") if isinstance(value, Tuple) else ("{", "}") if value.kind is dict else ("[", "]")
    texts = [templates.as_text(Static(prefix + open_))]
    for k, member in enumerate(members):
        before = (", " if k else "") + (names[k] if names else "")
        texts += [templates.as_text(Static(before)), format_value(infer, member, "r", "")]
    tail = "," if isinstance(value, Tuple) and not names and len(members) == 1 else ""
    return templates.join_texts([*texts, templates.as_text(Static(tail + close))])


def _quoted(text: Text, quote: Callable[[str], str]) -> Text:
    """The repr of a text: what numbers look like needs no escapes, so only the rest of it does."""
    parts = list(string.Formatter().parse(text.template))
    around = quote("".join(literal for literal, *_ in parts))[0]
    made = around
    for literal, name, spec, conversion in parts:
        shown = "".join(c if c in "'\"" else quote(c)[1:-1] for c in literal)
        made += templates.escaped(shown.replace("'", "\\'") if around == "'" else shown)
        if name is not None:
            made += templates.field(int(name), conversion, spec or "")
    return Text(made + around, text.values)


def _format_bounds(infer: Infer, value: Slice | Range) -> Text:
    """A slice or range: the step of a range only where it is not 1."""
    name, members = ("slice", [value.start, value.stop, value.step])
    if isinstance(value, Range):
        name = "range"
        if infer.need_static(value.step, "the step of a range that is shown") == 1:
            members.pop()
    texts = [templates.as_text(Static(f"{name}("))]
    for k, member in enumerate(members):
        texts += [templates.as_text(Static(", " if k else "")), format_value(infer, member, "r", "")]
    return templates.join_texts([*texts, templates.as_text(Static(")"))])


_OF_NAMEDTUPLE: Final[Any] = namedtuple("_", "").__repr__  # pyright: ignore[reportUntypedNamedTuple]


def _display(infer: Infer, value: Tuple | Reference) -> tuple[str, Sequence[str], Sequence[Value]]:
    """What a container's `repr` begins with, what stands before each member, and the members."""
    if isinstance(value, Reference):
        if value.kind is dict:
            entries = infer.heap.entries(value)
            return "", [f"{k!r}: " for k in entries], list(entries.values())
        return "", (), infer.heap.items(value)
    if plain_class(value.cls) is tuple:
        return "", (), value.items
    own: Any = value.cls.__repr__
    if getattr(own, "__code__", None) is not _OF_NAMEDTUPLE.__code__:
        raise infer.unsupported(f"a {value.cls.__name__}, which has a __repr__ of its own, in a string")
    return value.cls.__name__, [f"{f}=" for f in value.cls._fields], value.items  # type: ignore[attr-defined]


# --- formatting methods -----------------------------------------------------------------------------

_PERCENT: Final = re.compile(r"%(?:\((\w+)\))?([-+ #0]*)(\d*)(?:\.(\d+))?[hlL]?([diouxXeEfFgGsra%])")


def percent(infer: Infer, template: str, operand: Value) -> Value:
    """`template % operand`."""
    known = _known(infer, operand)
    if known is not None:
        return numbers.fold(lambda: template % known.value)
    parts = list(operand.items) if isinstance(operand, Tuple) else [operand]
    texts: list[Text] = []
    end = 0
    while (start := template.find("%", end)) >= 0:
        match = _PERCENT.match(template, start)
        if match is None:
            raise infer.unsupported("this '%' format with values of the run", "an f-string")
        texts.append(templates.as_text(Static(template[end:start])))
        end = match.end()
        if match[5] == "%":
            texts.append(templates.as_text(Static("%")))
        else:
            texts.append(_percent_field(infer, match, _percent_operand(infer, match[1], operand, parts)))
    if parts and not isinstance(operand, Reference):
        raise PythonError(TypeError("not all arguments converted during string formatting"))
    return templates.joined([*texts, templates.as_text(Static(template[end:]))])


def _known(infer: Infer, value: Value) -> Static | None:
    """A value as a constant, if it is one and all it holds are."""
    if isinstance(value, Static):
        return value
    if isinstance(value, Tuple) and plain_class(value.cls) is tuple:
        items = [_known(infer, v) for v in value.items]
        return None if None in items else Static(tuple(i.value for i in items if i is not None))
    return None


def _percent_operand(infer: Infer, name: str | None, operand: Value, parts: list[Value]) -> Value:
    if name is not None:
        entries = containers.entries_of(infer, operand)
        if name not in entries:
            raise PythonError(KeyError(name))
        return entries[name]
    if not parts:
        raise PythonError(TypeError("not enough arguments for format string"))
    return parts.pop(0)


def _percent_field(infer: Infer, match: re.Match[str], value: Value) -> Text:
    _, flags, width, precision, kind = match.groups()
    point = "" if precision is None else f".{precision}"
    if kind in "sra":
        align = "<" if "-" in flags else ">" if width else ""
        shown = format_value(infer, value, kind, "")
        if not align and not point:
            return shown
        if not isinstance(value, Number | Static):
            raise infer.unsupported("this '%' format with values of the run", "an f-string")
        return format_value(infer, value, kind, align + width + point)
    if point and kind in "diuoxX":
        raise infer.unsupported(f"'{match[0]}' with values of the run", "an f-string")
    return format_value(infer, _number_for(infer, kind, value), None, _number_spec(kind, flags, width, point))


def _number_for(infer: Infer, kind: str, value: Value) -> Value:
    if isinstance(value, Array):
        value = abstract.float_(infer, value) if kind in "eEfFgG" else abstract.int_(infer, value)
    type_ = numbers.type_of_number(value)
    shown = type_name(value)
    if type_ not in (BOOL, INT, FLOAT):
        needed = "must be real number" if kind in "eEfFgG" else f"%{kind} format: a real number is required"
        raise PythonError(TypeError(f"{needed}, not {shown}"))
    if kind in "oxX" and type_ is FLOAT:
        raise PythonError(TypeError(f"%{kind} format: an integer is required, not {shown}"))
    return abstract.int_(infer, value) if kind in "diuoxX" else abstract.float_(infer, value)


def _number_spec(kind: str, flags: str, width: str, point: str) -> str:
    align = "<" if "-" in flags else ""
    sign = "+" if "+" in flags else " " if " " in flags else ""
    fill = "0" if "0" in flags and not align and width else ""
    return align + sign + ("#" if "#" in flags else "") + fill + width + point + {"i": "d", "u": "d"}.get(kind, kind)


@abstract.text_method.model
def method(infer: Infer, of: str, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`of.format(*args, **keywords)` or `of.join(args[0])`."""
    if name == "format":
        return _format_method(infer, of, args, keywords)
    found = abstract.iterate_static(infer, args[0]) if len(args) == 1 and not keywords else None
    if found is None and not of and (made := string_comparison.joined(infer, args[0])) is not None:
        return made
    if found is None or not all(map(templates.is_text, found)):
        raise refusal(infer, "str.join", of.join, *args)
    if any(isinstance(part, String | Char) for part in found) and not any(isinstance(part, Text) for part in found):
        return string_comparison.concatenation(infer, of, found)
    texts: list[Text] = []
    for k, part in enumerate(found):
        texts += [templates.as_text(Static(of)), templates.as_text(part)] if k else [templates.as_text(part)]
    return templates.joined(texts)


def _fields(template: str) -> list[tuple[str, str | None, str | None, str | None]]:
    """The parts of a template of `str.format`. Raises ValueError for what is none."""
    try:
        return list(string.Formatter().parse(template))
    except ValueError as error:
        raise PythonError(error) from None


def _format_method(infer: Infer, template: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    texts: list[Text] = []
    count, numbered = 0, False
    for literal, name, spec, conversion in _fields(template):
        texts.append(templates.as_text(Static(literal)))
        if name is None:
            continue
        numbered = numbered or name.isdigit()
        if numbered and (not name or count):
            ways = ("manual field specification", "automatic field numbering")
            first, second = ways if not name else reversed(ways)
            raise PythonError(ValueError(f"cannot switch from {first} to {second}"))
        if not name:
            name, count = str(count), count + 1
        if conversion not in (None, "r", "s", "a"):
            raise PythonError(ValueError(f"Unknown conversion specifier {conversion}"))
        if "{" in (spec or "") or not (name.isdigit() or name.isidentifier()):
            raise infer.unsupported("this format with values of the run", "an f-string")
        if name.isdigit() and int(name) >= len(args):
            message = f"Replacement index {name} out of range for positional args tuple"
            raise PythonError(IndexError(message))
        if not name.isdigit() and name not in keywords:
            raise PythonError(KeyError(name))
        value = args[int(name)] if name.isdigit() else keywords[name]
        texts.append(format_value(infer, value, conversion, spec or ""))
    return templates.joined(texts)
