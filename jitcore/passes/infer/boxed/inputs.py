"""Lists, dicts, sets and strings of the code outside in boxes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from jitcore.passes.infer.boxed.values import act, add
from jitcore.passes.infer.domain import boxed, cells
from jitcore.passes.infer.domain.cells import KEYS, VALUES, AnyKind, BoxOf, Factory, Kinds, Plain, TupleOf
from jitcore.passes.infer.domain.signature import (
    Arg,
    ArrayArg,
    ColumnArg,
    DictArg,
    ListArg,
    NestedArg,
    NumberArg,
    StaticArg,
    StringArg,
    StringsArg,
    TupleArg,
)
from jitcore.passes.infer.domain.values import Boxed, Path, Static, Value
from jitcore.program.boxes import CONTAINERS, DICTS, FACTORIES, MUTABLE, NUMPY, Kind
from jitcore.types import DType, bool_, f64, i64

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_OF_DTYPES: Final[dict[DType, Plain]] = {bool_: cells.BOOL, i64: cells.INT, f64: cells.FLOAT}
_OF_CLASSES: Final[dict[type, Plain]] = {
    type(None): cells.NONE, bool: cells.BOOL, int: cells.INT, float: cells.FLOAT, str: cells.STR,
    **{cls: Plain(kind) for cls, kind in NUMPY.items()},
}  # fmt: skip
_DEEPEST: Final = 32
"""How far down containers are followed: `backends.native.boxes.entering` goes twice as far."""


class Nested(Protocol):
    """What kind of lists of lists there are (`runtime.list_arguments.Nesting`)."""

    @property
    def dtypes(self) -> tuple[DType, ...]: ...

    @property
    def of_tuples(self) -> bool: ...


class _Unboxable(Exception):
    """Something goes into no box."""


@boxed.argument.model
def argument(infer: Infer, arg: Arg, path: Path) -> Value | None:
    """See `domain.boxed.argument`."""
    if isinstance(arg, StringArg) and arg.cls is str and path not in infer.assumptions.statics:
        return _entered(infer, cells.STR, path)
    if not isinstance(arg, ListArg | ColumnArg | NestedArg | StringsArg | DictArg):
        is_container = isinstance(arg, StaticArg) and type(arg.value) in MUTABLE
        if not is_container:
            return None
    try:
        (kind,) = _of_arg(infer, arg, path)
    except _Unboxable:
        return None
    return _entered(infer, kind, path)


@boxed.captured.model
def captured(infer: Infer, obj: object, path: Path) -> Value | None:
    """See `domain.boxed.captured`."""
    if not infer.uses_boxes or type(obj) not in MUTABLE:
        return None
    try:
        (kind,) = _of_object(infer, obj, path)
    except _Unboxable:
        return None
    return _entered(infer, kind, path)


def _entered(infer: Infer, kind: AnyKind, path: Path) -> Boxed:
    before, infer.builder = infer.builder, infer.inputs.builder
    try:
        address = infer.inputs.box(path, described(infer, kind))
        return Boxed(act(infer, "text_given" if kind == cells.STR else "entered", address), kind)
    finally:
        infer.builder = before


# --- kinds


def _cell(infer: Infer, kind: Kind, cls: type, place: object, factory: Factory | None) -> BoxOf:
    return BoxOf(kind, cls, infer.assumptions.cells.at(("outside", cls, factory, place)), factory)


def _factory(obj: object) -> Factory | None:
    """The default factory of a defaultdict."""
    found = obj.default_factory if isinstance(obj, defaultdict) else None
    if found is None:
        return None
    if not isinstance(found, type | FunctionType) or FACTORIES.number(found) is None:
        raise _Unboxable
    return Factory(found, Static(found))


def _of_arg(infer: Infer, arg: Arg, place: object, depth: int = 0) -> Kinds:
    if depth > _DEEPEST:
        raise _Unboxable
    match arg:
        case NumberArg() if arg.dtype in _OF_DTYPES:
            return (_OF_DTYPES[arg.dtype],)
        case ArrayArg(category="npscalar") if arg.dtype in cells.NUMPY:
            return (cells.NUMPY[arg.dtype],)
        case StringArg() if arg.cls is str:
            return (cells.STR,)
        case StaticArg():
            return _of_object(infer, arg.value, place, depth)
        case TupleArg() if arg.cls is tuple:
            return (TupleOf(tuple, tuple(_of_arg(infer, a, (place, k), depth + 1) for k, a in enumerate(arg.items))),)
        case ListArg() if arg.cls is list:
            items = [(_of_arg(infer, a, (place, "item"), depth + 1), ()) for a in arg.items]
            return _with(infer, Kind.LIST, list, place, items)
        case ColumnArg() if arg.dtype in _OF_DTYPES:
            return _with(infer, Kind.LIST, list, place, [((_OF_DTYPES[arg.dtype],), ())])
        case StringsArg() if arg.kind.cls is str:
            return _with(infer, Kind.LIST, list, place, [((cells.STR,), ())])
        case NestedArg():
            return _of_nesting(infer, arg.nesting, arg.nesting.depth, place)
        case DictArg() if arg.cls is dict:
            parts = [
                (_of_key(infer, k, (place, "key"), depth + 1), _of_arg(infer, a, (place, "value"), depth + 1))
                for k, a in zip(arg.keys, arg.items, strict=True)
            ]
            return _with(infer, Kind.DICT, dict, place, parts)
        case _:
            raise _Unboxable


def _of_nesting(infer: Infer, nesting: Nested, depth: int, place: object) -> Kinds:
    if depth:
        inner = _of_nesting(infer, nesting, depth - 1, (place, "item"))
        return _with(infer, Kind.LIST, list, place, [(inner, ())])
    if any(dtype not in _OF_DTYPES for dtype in nesting.dtypes):
        raise _Unboxable
    plain = tuple(_OF_DTYPES[dtype] for dtype in nesting.dtypes)
    return (TupleOf(tuple, tuple((kind,) for kind in plain)),) if nesting.of_tuples else plain


def _with(
    infer: Infer,
    kind: Kind,
    cls: type,
    place: object,
    parts: Iterable[tuple[Kinds, Kinds]],
    factory: Factory | None = None,
) -> Kinds:
    made = _cell(infer, kind, cls, place, factory)
    for keys, values in parts:
        add(infer, made.cell, keys, KEYS)
        add(infer, made.cell, values, VALUES)
    return infer.assumptions.cells.resolved((made,))


def _has_nan(obj: object) -> bool:
    """Whether a key is, or has in it, a NaN, of which there may be several."""
    if isinstance(obj, tuple):
        items: tuple[object, ...] = obj
        return any(map(_has_nan, items))
    return type(obj) in (float, np.float64, np.float32) and obj != obj


def _of_key(infer: Infer, obj: object, place: object, depth: int) -> Kinds:
    if _has_nan(obj):
        raise _Unboxable
    return _of_object(infer, obj, place, depth)


def _of_object(infer: Infer, obj: object, place: object, depth: int = 0) -> Kinds:
    cls = type(obj)
    if cls in _OF_CLASSES:
        if isinstance(obj, int) and not -(2**63) <= obj < 2**63:
            raise _Unboxable
        return (_OF_CLASSES[cls],)
    if depth > _DEEPEST or cls not in (tuple, *CONTAINERS):
        raise _Unboxable
    if isinstance(obj, tuple):
        items: Iterable[object] = obj
        return (TupleOf(tuple, tuple(_of_object(infer, v, (place, k), depth + 1) for k, v in enumerate(items))),)
    if isinstance(obj, dict):
        pairs: Iterable[tuple[object, object]] = obj.items()
        parts = [
            (_of_key(infer, k, (place, "key"), depth + 1), _of_object(infer, v, (place, "value"), depth + 1))
            for k, v in pairs
        ]
        return _with(infer, CONTAINERS[cls], cls, place, parts, _factory(obj))
    held: Iterable[object] = obj  # type: ignore[assignment]
    of_item = _of_key if cls in (set, frozenset) else _of_object
    parts = [(of_item(infer, v, (place, "item"), depth + 1), ()) for v in held]
    return _with(infer, CONTAINERS[cls], cls, place, parts)


# --- the words that describe contents


def described(infer: Infer, kind: AnyKind) -> tuple[int, ...]:
    """The words for objects of a kind (see `backends.native.boxes.entering`)."""
    writer = _Writer(infer)
    writer.node((kind,), ("root",))
    return tuple(writer.words)


class _Writer:
    """Writes nodes, one for each part of a cell."""

    def __init__(self, infer: Infer) -> None:
        self.cells = infer.assumptions.cells
        self.words: list[int] = []
        self.known: dict[Any, int] = {}

    def node(self, kinds: Kinds, key: object) -> int:
        """Where the node of some kinds is, which is written unless it is there."""
        kinds = self.cells.resolved(kinds)
        if (key, kinds) in self.known:
            return self.known[key, kinds]
        at = self.known[key, kinds] = len(self.words)
        self.words += [len(kinds), *([0, 0, 0] * len(kinds))]
        for k, kind in enumerate(kinds):
            place = at + 1 + 3 * k
            match kind:
                case TupleOf():
                    nodes = [self.node(item, ("item",)) for item in kind.items]
                    self.words[place : place + 2] = [int(Kind.TUPLE), len(self.words)]
                    self.words += [len(nodes), *nodes]
                case BoxOf():
                    number = 0 if kind.factory is None else FACTORIES.number(kind.factory.object)
                    assert number is not None
                    self.words[place] = int(kind.kind) | number << 8
                    self.words[place + 1] = self.node(self.cells.kinds(kind.cell, KEYS), (kind.cell, KEYS))
                    if kind.kind in DICTS:
                        self.words[place + 2] = self.node(self.cells.kinds(kind.cell, VALUES), (kind.cell, VALUES))
                case Plain():
                    self.words[place] = int(kind.kind)
        return at
