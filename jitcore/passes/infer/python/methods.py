"""Methods of numbers, tuples, lists, dicts, sets and strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Literal
from jitcore.lookup import has_attribute
from jitcore.passes.infer.domain import abstract, texts
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    DICT_VIEWS,
    Array,
    Bound,
    Builtin,
    Char,
    Number,
    PythonError,
    Reference,
    SetItems,
    Static,
    String,
    Text,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, known_values, numbers, outside, rows
from jitcore.passes.infer.python import (
    buffers,
    containers,
    list_methods,
    list_sorting,
    pools,
    string_comparison,
)
from jitcore.passes.infer.python.comparisons import equal_items
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import python_ints
from jitcore.primitives.ops.python_complex import complex_imag, complex_new, complex_real
from jitcore.types import BOOL, COMPLEX, FLOAT, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Method = Callable[..., Value]


def of_number(infer: Infer, value: Number, name: str) -> Value | None:
    """An attribute of a run-time number."""
    if value.type in (BOOL, INT) and name in ("numerator", "denominator"):
        return of_number(infer, value, "real") if name == "numerator" else Static(1)
    if value.type is BOOL and name in ("real", "conjugate"):  # an int
        value = Number(numbers.convert(infer, value, INT), INT, None, value.paths)
    if value.type in (BOOL, INT, FLOAT) and name in ("real", "imag", "conjugate"):
        zero = Static(0.0 if value.type is FLOAT else 0)
        if name == "conjugate":
            return Builtin(name, lambda infer: value, value)
        return value if name == "real" else zero
    if value.type is COMPLEX and name == "conjugate":
        return Builtin(name, lambda infer: _conjugate(infer, value), value)
    if value.type is COMPLEX and name == "real":
        return _part(infer, value, complex_real)
    if value.type is COMPLEX and name == "imag":
        return _part(infer, value, complex_imag)
    if value.type in (BOOL, INT) and name in ("bit_length", "bit_count"):
        return Bound(Static(getattr(int, name)), (value,))
    if value.type is FLOAT and name == "is_integer":
        return Builtin(name, lambda infer: _is_integer(infer, value), value)
    return None


def _part(infer: Infer, value: Number, part: Primitive) -> Number:
    return infer.number(infer.emit(part, value.atom), value)


def _conjugate(infer: Infer, value: Number) -> Value:
    real, imag = _part(infer, value, complex_real), numbers.unary(infer, "-", _part(infer, value, complex_imag))
    return infer.number(infer.emit(complex_new, real.atom, infer.number_atom(imag, FLOAT)), value)


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
        "_asdict": lambda infer: infer.heap.new(
            dict,
            dict(zip(value.cls._fields, value.items, strict=True)),  # type: ignore[attr-defined]
        ),
    }
    if name in table and (value.cls is not tuple or not name.startswith("_")):
        return Builtin(name, table[name], value)
    return _of_named_tuple(infer, value, name)


def _of_named_tuple(infer: Infer, value: Tuple, name: str) -> Value | None:
    """What the class of a namedtuple adds: methods, properties, constants."""
    found = next((c.__dict__[name] for c in value.cls.__mro__ if c is not tuple and name in c.__dict__), None)
    if isinstance(found, FunctionType):
        return Bound(Static(found), (value,))
    if isinstance(found, classmethod):
        return Bound(Static(found.__func__), (Static(value.cls),))
    if isinstance(found, property) and found.fget is not None:
        return abstract.call(infer, Static(found.fget), [value], {})
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
    *,
    known: bool = False,
) -> Value:
    """The position of an item; `known`: it must be known now."""
    if not isinstance(start, Static | None) or not isinstance(stop, Static | None):
        raise infer.unsupported("index() between bounds that are known only at run time")
    if any(bound is not None and not has_attribute(type(bound.value), "__index__") for bound in (start, stop)):
        raise PythonError(TypeError("slice indices must be integers or have an __index__ method"))
    between = slice(start and start.value, stop and stop.value)
    found: list[tuple[int, Atom]] = []
    for k in range(*between.indices(len(members))):
        same = _same_item(infer, members[k], item)
        if known or not (_is_plain(members[k]) and _is_plain(item)):
            same = Static(infer.need_static(same, "the position of an item"))
        is_same = infer.truth(same)
        if is_same is True:
            return _first(infer, found, k)
        if is_same is not False:
            found.append((k, is_same))
    if not found:
        list_methods.raise_missing(infer, item, message)
    inside = found[0][1]
    for _, same in found[1:]:
        inside = infer.emit(python_ints.bool_or, inside, same)
    branching.branch(infer, inside, list, lambda: list_methods.raise_missing(infer, item, message))
    return _first(infer, found[:-1], found[-1][0])


def _is_plain(value: Value) -> bool:
    """Whether comparing it with its like raises nothing."""
    if isinstance(value, Tuple):
        return all(map(_is_plain, value.items))
    if isinstance(value, Static | Number | String | Char):
        return True
    return isinstance(value, Array) and value.category == "npscalar"


def _kind(value: Value) -> Any:
    """What a list of run-time length of such items holds; None for what is no number."""
    if isinstance(value, Array):
        return value.type.dtype if value.category == "npscalar" else None
    return numbers.type_of_number(value)


def _first(infer: Infer, found: Sequence[tuple[int, Atom]], last: int) -> Value:
    """The first position of those that an item is at, or else the last one."""
    if not found:
        return Static(last)
    position: Atom = Literal(last, INT)
    for k, same in reversed(found):
        position = infer.emit(python_ints.int_select, same, Literal(k, INT), position)
    return Number(position, INT)


def _count(infer: Infer, members: tuple[Value, ...], item: Value) -> Value:
    total: Value = Static(0)
    for member in members:
        total = numbers.binary(infer, "+", total, _same_item(infer, member, item))
    return total


def _same_item(infer: Infer, member: Value, item: Value) -> Value:
    """Whether an item of a container is the one that is looked for, as a truth value."""
    return abstract.truth(infer, equal_items(infer, member, item))


# --- lists, dicts and sets --------------------------------------------------------------------------


_MOVE_ITEMS: frozenset[str] = frozenset(["pop", "insert", "remove", "clear", "reverse", "sort"])
"""Methods of lists after which other items are at the positions there were."""
_AT_A_POSITION: frozenset[str] = frozenset(["pop", "insert"])
"""Those of lists that are given a position."""


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
        at_a_position = value.kind is list and name in _AT_A_POSITION
        if buffer is None and not (at_a_position and args and numbers.is_of_the_run(args[0])):
            return method(infer, value, *args, **keywords)
        if buffer is None:
            change(infer, value, infer.heap.contents(value.key))  # which refuses lists from outside
            buffer = buffers.at_run_time(infer, value)

        if name not in list_methods.METHODS:
            raise infer.unsupported(f"list.{name} of a list whose length is known only at run time")
        if name in _MOVE_ITEMS:
            rows.resizing(infer, value)
        method_of_buffer = list_methods.METHODS[name]
        if name in list_methods.IN_PLACE:
            return method_of_buffer(infer, value, buffer, *args, **keywords)
        return list_methods.changed_apart(
            infer, value, lambda apart, held: method_of_buffer(infer, apart, held, *args, **keywords)
        )

    return Builtin(name, call, value, list_methods.STORED.get(name, ()))


def change(infer: Infer, target: Reference, contents: Any) -> Value:
    """Give a list, dict or set other contents."""
    if target.kind is set and target.path is not None:
        raise outside.refusal(infer, target)
    infer.heap.store(target.key, SetItems(contents) if target.kind is set else contents)
    if infer.pooling.is_used:
        pools.settle(infer, [target])
    return Static(None)


def _append(infer: Infer, target: Reference, item: Value) -> Value:
    return change(infer, target, (*infer.heap.items(target), item))


def _extend(infer: Infer, target: Reference, other: Value) -> Value:
    extend(infer, target, other)
    return Static(None)


def extend(infer: Infer, target: Reference, other: Value) -> None:
    """`list.extend(other)`."""
    added = abstract.iterate_static(infer, other)
    buffer = infer.heap.buffer(target)
    if added is not None and buffer is None:
        change(infer, target, (*infer.heap.items(target), *added))
        return
    if buffer is None:
        change(infer, target, infer.heap.contents(target.key))  # which refuses lists from outside
        buffer = buffers.at_run_time(infer, target)
    list_methods.changed_apart(
        infer, target, lambda apart, held: list_methods.METHODS["extend"](infer, apart, held, other)
    )


def _pop(infer: Infer, target: Reference, index: Value = Static(-1)) -> Value:
    members = list(infer.heap.items(target))
    position = infer.need_static(index, "the position to pop")
    try:
        popped = members.pop(position)
    except (IndexError, TypeError) as error:
        raise PythonError(error) from None
    change(infer, target, tuple(members))
    return popped


def _insert(infer: Infer, target: Reference, index: Value, item: Value) -> Value:
    members = list(infer.heap.items(target))
    try:
        members.insert(infer.need_static(index, "the position to insert at"), item)
    except TypeError as error:
        raise PythonError(error) from None
    return change(infer, target, tuple(members))


def _reverse(infer: Infer, target: Reference) -> Value:
    return change(infer, target, infer.heap.items(target)[::-1])


def _copy(infer: Infer, target: Reference) -> Value:
    return infer.heap.new(target.kind, infer.heap.contents(target.key))


def _clear(infer: Infer, target: Reference) -> Value:
    return change(infer, target, {} if target.kind is dict else ())


def _remove(infer: Infer, target: Reference, item: Value) -> Value:
    members = infer.heap.items(target)
    known = len({_kind(member) for member in members}) != 1 or _kind(members[0]) is None
    position = _index(infer, members, item, "list.remove(x): x not in list", known=known)
    if isinstance(position, Static):
        return change(infer, target, (*members[: position.value], *members[position.value + 1 :]))
    change(infer, target, members)  # which refuses lists from outside
    list_methods.delete(infer, target, buffers.at_run_time(infer, target), position)
    return Static(None)


def _sort(infer: Infer, target: Reference, *, key: Value = Static(None), reverse: Value = Static(False)) -> Value:
    change(infer, target, infer.heap.contents(target.key))  # which refuses lists from outside
    list_sorting.sort(infer, target, key, reverse)
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
    if texts.of_run(key):
        return string_comparison.looked_up(infer, infer.heap.entries(target), key, lambda: [default])
    return infer.heap.entries(target).get(containers.static_key(infer, key), default)


def update(infer: Infer, target: Reference, other: Value | None = None, **more: Value) -> Value:
    added = containers.entries_given(infer, other) if other is not None else {}
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
    "keys": lambda infer, target: containers.view(infer, target, DICT_VIEWS[0]),
    "values": lambda infer, target: containers.view(infer, target, DICT_VIEWS[1]),
    "items": lambda infer, target: containers.view(infer, target, DICT_VIEWS[2]),
    "get": _get,
    "update": update,
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
    found = abstract.iterate_static(infer, value)
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
    if isinstance(value, String | Char | Text) and known_values.is_made_of_inputs(value):
        known = Static(known_values.known(infer, value, "a string with a method that is called"))
        return abstract.attribute(infer, known, name)
    if isinstance(value, String | Char) and hasattr(
        bytes if isinstance(value, String) and value.cls is bytes else str, name
    ):
        kind = type_name(value)
        raise infer.unsupported(
            f"{kind}.{name} of a {kind} that is known only at run time",
            "a loop over its characters, or the method called outside the compiled function",
        )
    if isinstance(value, Text) and hasattr(str, name):
        raise infer.unsupported(
            f"str.{name} on a string made of values of the run", "print, raise or return it as it is"
        )
    return None
