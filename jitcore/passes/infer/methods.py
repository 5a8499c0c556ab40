"""Methods of numbers, tuples, lists, dicts, sets and strings."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer import containers, numbers, outside, rows
from jitcore.passes.infer.comparisons import equal_items
from jitcore.passes.infer.values import (
    DICT_VIEWS,
    Bound,
    Builtin,
    Number,
    PythonError,
    Reference,
    SetItems,
    Static,
    Text,
    Tuple,
    Value,
)
from jitcore.primitives.registry import PRIMITIVES
from jitcore.types import BOOL, COMPLEX, FLOAT, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

Method = Callable[..., Value]


def of_number(infer: Infer, value: Number, name: str) -> Value | None:
    """An attribute of a run-time number."""
    if value.type in (BOOL, INT, FLOAT) and name in ("real", "imag", "conjugate"):
        zero = Static(0.0 if value.type is FLOAT else 0)
        if name == "conjugate":
            return Builtin(name, lambda infer: value)
        return value if name == "real" else zero
    if value.type is COMPLEX and name in ("real", "imag"):
        return _part(infer, value, name)
    if value.type is COMPLEX and name == "conjugate":
        return Builtin(name, lambda infer: _conjugate(infer, value))
    if value.type is FLOAT and name == "is_integer":
        return Builtin(name, lambda infer: _is_integer(infer, value))
    return None


def _part(infer: Infer, value: Number, name: str) -> Number:
    return infer.number(infer.emit(PRIMITIVES[f"complex_{name}"], value.atom), value)


def _conjugate(infer: Infer, value: Number) -> Value:
    real, imag = _part(infer, value, "real"), numbers.unary(infer, "-", _part(infer, value, "imag"))
    return infer.number(infer.emit(PRIMITIVES["complex_new"], real.atom, infer.number_atom(imag, FLOAT)), value)


def _is_integer(infer: Infer, value: Number) -> Value:
    return numbers.compare(infer, "==", numbers.binary(infer, "%", value, Static(1.0)), Static(0.0))


def of_tuple(infer: Infer, value: Tuple, name: str) -> Value | None:
    """A method of a tuple."""
    table: dict[str, Method] = {
        "index": lambda infer, item, *bounds: _index(
            infer, value.items, item, "tuple.index(x): x not in tuple", *bounds
        ),
        "count": lambda infer, item: _count(infer, value.items, item),
        "_replace": lambda infer, **changes: _replace(value, changes),
        "_asdict": lambda infer: infer.heap.new(dict, dict(zip(value.cls._fields, value.items, strict=True))),  # type: ignore[attr-defined]
    }
    if name in table and (value.cls is not tuple or not name.startswith("_")):
        return Builtin(name, table[name])
    return _of_named_tuple(infer, value, name)


def _of_named_tuple(infer: Infer, value: Tuple, name: str) -> Value | None:
    """What the class of a namedtuple adds: methods, properties, constants."""
    from jitcore.passes.infer import calls

    found = next((c.__dict__[name] for c in value.cls.__mro__ if c is not tuple and name in c.__dict__), None)
    if isinstance(found, FunctionType):
        return Bound(Static(found), (value,))
    if isinstance(found, classmethod):
        return Bound(Static(found.__func__), (Static(value.cls),))
    if isinstance(found, property) and found.fget is not None:
        return calls.call(infer, Static(found.fget), [value], {})
    if found is None or name.startswith("__"):
        return None
    return infer.inputs.constant(found.__func__ if isinstance(found, staticmethod) else found)


def _replace(value: Tuple, changes: dict[str, Value]) -> Value:
    fields: tuple[str, ...] = value.cls._fields  # type: ignore[attr-defined]
    return Tuple(tuple(changes.get(f, v) for f, v in zip(fields, value.items, strict=True)), value.cls)


def _index(
    infer: Infer,
    members: tuple[Value, ...],
    item: Value,
    message: str,
    start: Value | None = None,
    stop: Value | None = None,
) -> Value:
    if not isinstance(start, Static | None) or not isinstance(stop, Static | None):
        raise infer.unsupported("index() between bounds that are known only at run time")
    between = slice(start and start.value, stop and stop.value)
    for k in range(*between.indices(len(members))):
        member = members[k]
        same = infer.need_static(_same_item(infer, member, item), "the position of an item")
        if same:
            return Static(k)
    if isinstance(item, Number):
        infer.raise_error(ValueError(message), [item.atom] if "{0}" in message else [])
    raise PythonError(ValueError(message.format(repr(item.value) if isinstance(item, Static) else "item")))


def _count(infer: Infer, members: tuple[Value, ...], item: Value) -> Value:
    total: Value = Static(0)
    for member in members:
        total = numbers.binary(infer, "+", total, _same_item(infer, member, item))
    return total


def _same_item(infer: Infer, member: Value, item: Value) -> Value:
    """Whether an item of a container is the one that is looked for, as a truth value."""
    from jitcore.passes.infer.operations import truth

    return truth(infer, equal_items(infer, member, item))


# --- lists, dicts and sets --------------------------------------------------------------------------


_MOVE_ITEMS: frozenset[str] = frozenset(["pop", "insert", "remove", "clear", "reverse", "sort"])
"""Methods of lists after which other items are at the positions there were."""


def of_reference(infer: Infer, value: Reference, name: str) -> Value | None:
    """A method of a list, dict or set."""
    table = {list: _LIST, dict: _DICT, set: _SET}[value.kind]
    method = table.get(name)
    if method is None:
        return None

    def call(infer: Infer, *args: Value, **keywords: Value) -> Value:
        if name in ("append", "extend") and infer.heap.is_log(value.key) and value not in args:
            with infer.heap.adding():
                return changed(infer, *args, **keywords)
        return changed(infer, *args, **keywords)

    def changed(infer: Infer, *args: Value, **keywords: Value) -> Value:
        buffer = infer.heap.buffer(value)
        if buffer is None:
            return method(infer, value, *args, **keywords)
        from jitcore.passes.infer import list_methods

        if name not in list_methods.METHODS:
            raise infer.unsupported(f"list.{name} of a list whose length is known only at run time")
        if name in _MOVE_ITEMS:
            rows.resizing(infer, value)
        return list_methods.METHODS[name](infer, value, buffer, *args, **keywords)

    return Builtin(name, call)


def change(infer: Infer, target: Reference, contents: Any) -> Value:
    """Give a list, dict or set other contents."""
    if target.kind is set and target.path is not None:
        raise outside.refusal(infer, target)
    infer.heap.store(target.key, SetItems(contents) if target.kind is set else contents)
    return Static(None)


def _append(infer: Infer, target: Reference, item: Value) -> Value:
    return change(infer, target, (*infer.heap.items(target), item))


def _extend(infer: Infer, target: Reference, other: Value) -> Value:
    extend(infer, target, other)
    return Static(None)


def extend(infer: Infer, target: Reference, other: Value) -> None:
    """`list.extend(other)`."""
    added = containers.iterate_static(infer, other)
    buffer = infer.heap.buffer(target)
    if added is not None and buffer is None:
        change(infer, target, (*infer.heap.items(target), *added))
        return
    from jitcore.passes.infer import buffers, list_methods

    if buffer is None:
        change(infer, target, infer.heap.contents(target.key))  # which refuses lists from outside
        buffer = buffers.at_run_time(infer, target)
    list_methods.METHODS["extend"](infer, target, buffer, other)


def _pop(infer: Infer, target: Reference, index: Value = Static(-1)) -> Value:
    members = list(infer.heap.items(target))
    position = infer.need_static(index, "the position to pop")
    try:
        popped = members.pop(position)
    except IndexError as error:
        raise PythonError(error) from None
    change(infer, target, tuple(members))
    return popped


def _insert(infer: Infer, target: Reference, index: Value, item: Value) -> Value:
    members = list(infer.heap.items(target))
    members.insert(infer.need_static(index, "the position to insert at"), item)
    return change(infer, target, tuple(members))


def _reverse(infer: Infer, target: Reference) -> Value:
    return change(infer, target, infer.heap.items(target)[::-1])


def _copy(infer: Infer, target: Reference) -> Value:
    return infer.heap.new(target.kind, infer.heap.contents(target.key))


def _clear(infer: Infer, target: Reference) -> Value:
    return change(infer, target, {} if target.kind is dict else ())


def _remove(infer: Infer, target: Reference, item: Value) -> Value:
    members = infer.heap.items(target)
    position = _index(infer, members, item, "list.remove(x): x not in list")
    assert isinstance(position, Static)
    return change(infer, target, (*members[: position.value], *members[position.value + 1 :]))


def _sort(infer: Infer, target: Reference, *, key: Value = Static(None), reverse: Value = Static(False)) -> Value:
    from jitcore.passes.infer import builtins_

    change(infer, target, infer.heap.contents(target.key))  # which refuses lists from outside
    builtins_.sort(infer, target, key, reverse)
    return Static(None)


_LIST: dict[str, Method] = {
    "remove": _remove,
    "sort": _sort,
    "append": _append,
    "extend": _extend,
    "pop": _pop,
    "insert": _insert,
    "reverse": _reverse,
    "copy": _copy,
    "clear": _clear,
    "index": lambda infer, target, item, *bounds: _index(
        infer, infer.heap.items(target), item, "{0} is not in list", *bounds
    ),
    "count": lambda infer, target, item: _count(infer, infer.heap.items(target), item),
}


def _get(infer: Infer, target: Reference, key: Value, default: Value = Static(None)) -> Value:
    return infer.heap.entries(target).get(containers.static_key(infer, key), default)


def _update(infer: Infer, target: Reference, other: Value | None = None, **more: Value) -> Value:
    added = containers.entries_of(infer, other) if other is not None else {}
    return change(infer, target, {**infer.heap.entries(target), **added, **more})


def _dict_pop(infer: Infer, target: Reference, key: Value, default: Value | None = None) -> Value:
    entries = dict(infer.heap.entries(target))
    name = containers.static_key(infer, key)
    if name not in entries:
        if default is None:
            raise PythonError(KeyError(name))
        return default
    popped = entries.pop(name)
    change(infer, target, entries)
    return popped


def _setdefault(infer: Infer, target: Reference, key: Value, default: Value = Static(None)) -> Value:
    entries, name = infer.heap.entries(target), containers.static_key(infer, key)
    if name not in entries:
        change(infer, target, {**entries, name: default})
        return default
    return entries[name]


_DICT: dict[str, Method] = {
    "keys": lambda infer, target: Tuple(tuple(map(Static, infer.heap.entries(target))), DICT_VIEWS[0]),
    "values": lambda infer, target: Tuple(tuple(infer.heap.entries(target).values()), DICT_VIEWS[1]),
    "items": lambda infer, target: Tuple(
        tuple(Tuple((Static(k), v)) for k, v in infer.heap.entries(target).items()), DICT_VIEWS[2]
    ),
    "get": _get,
    "update": _update,
    "pop": _dict_pop,
    "setdefault": _setdefault,
    "copy": _copy,
    "clear": _clear,
}


_SET_CHANGES = frozenset(["add", "clear", "discard", "remove"])
_SET_UPDATES = {"update": "union", "difference_update": "difference", "intersection_update": "intersection"}


def _set_method(name: str) -> Method:
    """A method of a set, whose items are constants: done now."""

    def call(infer: Infer, target: Reference, *args: Value) -> Value:
        held = {infer.need_static(m, "an item of a set") for m in infer.heap.items(target)}
        if name in _SET_CHANGES:
            known = [infer.need_static(a, "an item of a set") for a in args]
        else:
            known = [_set_operand(infer, a) for a in args]
        made = numbers.fold(getattr(held, _SET_UPDATES.get(name, name)), *known).value
        if name in _SET_CHANGES or name in _SET_UPDATES:
            return change(infer, target, tuple(map(Static, held if name in _SET_CHANGES else made)))
        return containers.new_set(infer, tuple(map(Static, made))) if isinstance(made, set) else Static(made)

    return call


def _set_operand(infer: Infer, value: Value) -> Any:
    found = containers.iterate_static(infer, value)
    if found is None:
        raise infer.unsupported("a set made of something whose length is known only at run time")
    return [infer.need_static(v, "an item of a set") for v in found]


_SET: dict[str, Method] = {
    name: _set_method(name)
    for name in (
        *_SET_CHANGES, *_SET_UPDATES, "copy", "difference", "intersection", "isdisjoint", "issubset", "issuperset",
        "symmetric_difference", "union",
    )
}  # fmt: skip


def of_other(infer: Infer, value: Value, name: str) -> Value | None:
    """A method of a string with run-time parts."""
    if isinstance(value, Text) and hasattr(str, name):
        raise infer.unsupported(
            f"str.{name} on a string made of values of the run", "print, raise or return it as it is"
        )
    return None
