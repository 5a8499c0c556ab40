"""Composite values decomposed and composed: tuples, lists, objects, functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import free_variables
from jitcore.ir.nodes import Var
from jitcore.passes.infer.domain.parts import part, span_of
from jitcore.passes.infer.domain.values import (
    FUNCTION_KEY,
    NO_PATHS,
    UNDEFINED,
    Array,
    Bound,
    Boxed,
    Char,
    Deferred,
    Fields,
    Function,
    Handle,
    Instance,
    Number,
    PartOf,
    Raised,
    Range,
    Reference,
    Row,
    Slice,
    Static,
    Stream,
    String,
    Text,
    Tuple,
    Value,
)
from jitcore.passes.infer.domain.values import (
    Iterator as IteratorValue,
)
from jitcore.types import (
    INT,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State


def decompose(infer: State, value: Value) -> tuple[Any, Any, tuple[Value, ...]]:
    """(kind, what else tells it apart, items) of a composite value."""
    match value:
        case Tuple():
            return Tuple, value.cls, value.items
        case Slice():
            return Slice, None, (value.start, value.stop, value.step)
        case Range():
            return Range, None, (value.start, value.stop, value.step)
        case Bound():
            names = tuple(k for k, _ in value.keywords)
            return (
                Bound,
                (len(value.arguments), names),
                (value.function, *value.arguments, *(v for _, v in value.keywords)),
            )
        case Function():
            used = _captured(value)
            items = (*value.defaults, *value.keyword_defaults.values(), *(value.environment[v] for v in used))
            extra = (value.source, value.owner, len(value.defaults), tuple(value.keyword_defaults), used)
            return Function, extra, items
        case Text():
            return Text, value.template, value.values
        case String():
            span = span_of(infer, value)
            if span is not None:
                return PartOf, (value.cls, span[0]), span[1:]
            return String, value.cls, (Array(value.atom, "ndarray"),)
        case Char():
            return Char, None, (Number(value.atom, INT),)
        case Handle():
            return Handle, value.cls, (Number(value.atom, INT),)
        case Raised():
            return Raised, value.cls, value.args
        case Deferred():
            return Deferred, None, (value.function, *value.arguments)
        case Stream():
            parts = value.source.taken_apart(infer)
            if parts is None:
                raise infer.unsupported(
                    f"a {value.cls.__name__} made of a generator on some paths only",
                    "one made before the branch or loop",
                )
            return Stream, (value.cls, type(value.source), parts[0]), parts[1]
        case IteratorValue() if isinstance(value.source, Tuple):
            return IteratorValue, (value.cls, value.source.lists), (infer.heap.contents(value.key), *value.source.items)
        case Reference():
            contents: Any = infer.heap.entries(value) if value.kind is dict else infer.heap.items(value)
            if value.kind is dict:
                return Reference, (dict, tuple(contents)), tuple(contents.values())
            return Reference, (value.kind,), tuple(contents)
        case Instance() if (row := infer.heap.row(value)) is not None:
            return Row, (row.cls, row.list), (row.position,)
        case Instance():
            fields = infer.heap.fields(value)
            return Instance, (value.cls, tuple(fields)), tuple(fields.values())
        case Boxed():
            raise infer.unsupported(
                "such a use of a list, dict, set or string of the run", "numbers or arrays, np.array(…) of the list"
            )
        case _:
            raise TypeError(f"{value!r} is not made of values")


def compose(infer: State, kind: Any, extra: Any, items: tuple[Value, ...]) -> Value:
    """The inverse of `decompose`; a list, dict, set or object is a new one."""
    if kind is Tuple:
        return Tuple(items, extra)
    if kind is Slice:
        return Slice(*items)
    if kind is Range:
        return Range(*items)
    if kind is Text:
        return Text(extra, items)
    if kind is String and isinstance(items[0], Array):
        return String(items[0].atom, extra)
    if kind is PartOf:
        return part(infer, extra[0], NO_PATHS, (extra[1], items[0], items[1]))
    if kind is Char and isinstance(items[0], Number):
        return Char(items[0].atom)
    if kind is Handle and isinstance(items[0], Number):
        return Handle(items[0].atom, extra)
    if kind is Raised:
        return Raised(extra, items)
    if kind is Deferred:
        return Deferred(items[0], items[1:])
    if kind is Stream:
        cls, source, of_source = extra
        return Stream(infer.heap.new_cell(UNDEFINED).key, source.rebuilt(infer, of_source, items), cls)
    if kind is IteratorValue:
        return IteratorValue(infer.heap.new_cell(items[0]).key, Tuple(items[1:], tuple, extra[1]), extra[0])
    if kind is Bound:
        count, names = extra
        return Bound(items[0], items[1 : 1 + count], tuple(zip(names, items[1 + count :], strict=True)))
    if kind is Function:
        source, owner, count, names, used = extra
        middle = count + len(names)
        defaults = dict(zip(names, items[count:middle], strict=True))
        environment = {FUNCTION_KEY: Static(source.function), **dict(zip(used, items[middle:], strict=True))}
        infer.heap.next_key += 1
        return Function(source, environment, items[:count], defaults, owner, infer.heap.next_key)
    if kind is Row:
        return infer.heap.new_row(Row(extra[1], items[0], extra[0]))
    if kind is Instance:
        return infer.heap.new_instance(extra[0], Fields(zip(extra[1], items, strict=True)))
    if extra[0] is dict:
        return infer.heap.new(dict, dict(zip(extra[1], items, strict=True)))
    return infer.heap.new(extra[0], items)


def _captured(function: Function) -> tuple[Var, ...]:
    """The variables around a function that it uses."""
    return tuple(v for v in free_variables(function.source.graph) if v in function.environment)


def is_captured_by(function: Function, value: Value) -> bool:
    """Whether a function is among what another, or it itself, captures: those that call each other are left whole."""
    if not isinstance(value, Function):
        return False
    seen: list[Function] = []
    open_ = [value]
    while open_:
        for v in _captured(here := open_.pop()):
            found = here.environment[v]
            if found is function:
                return True
            if isinstance(found, Function) and found not in seen:
                seen.append(found)
                open_.append(found)
    return False
