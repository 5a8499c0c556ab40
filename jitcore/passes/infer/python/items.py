"""Items: reading, writing and deleting `x[key]`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Literal
from jitcore.lookup import has_attribute
from jitcore.passes.infer.domain import abstract, array_operations, boxed, representations, sequences, texts
from jitcore.passes.infer.domain.forms import same_value
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Boxed,
    Buffer,
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
from jitcore.passes.infer.engine import branching, classes, dialect, failures, indices, numbers, rows
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import (
    buffers,
    characters,
    containers,
    list_methods,
    list_slices,
    objects,
    pools,
    string_comparison,
)
from jitcore.primitives.ops import conversions, python_ints
from jitcore.types import BOOL, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@abstract.item.model
def get(infer: Infer, container: Value, key: Value) -> Value:
    """`container[key]`."""
    match container:
        case Array():
            return array_operations.getitem(infer, container, key)
        case Tuple() if sequences.is_view(container):
            raise refusal(infer, "indexing", lambda obj, k: obj[k], container, key)
        case Tuple() | Reference() if not (isinstance(container, Reference) and container.kind is not list):
            key = objects.special(infer, key, "__index__") or key
            key = _with_numbers(infer, key) if isinstance(key, Slice) else key
            buffer = infer.heap.buffer(container)
            if buffer is not None:
                return buffers.get(infer, buffer, key, container)
            return _of_sequence(infer, container, key)
        case Reference() if container.kind is dict:
            return _of_dict(infer, container, key)
        case Range():
            return _of_range(infer, container, key)
        case String() | Char():
            return characters.get(infer, container, key)
        case Static() if characters.is_indexed_at_run_time(container, key):
            return characters.get(infer, container, key)
        case Static():
            return _of_object(infer, container, key)
        case Instance() if (made := objects.special(infer, container, "__getitem__", key)) is not None:
            return made
        case _:
            raise refusal(infer, "indexing", lambda obj, k: obj[k], container, key)


def _of_sequence(infer: Infer, container: Value, key: Value) -> Value:
    found = abstract.iterate_static(infer, container)
    assert found is not None
    kind = "list" if isinstance(container, Reference) else "tuple"
    if isinstance(key, Slice):
        if kind == "list" and any(_is_of_run(end) for end in (key.start, key.stop, key.step)):
            return _slice_at_run_time(infer, found, key)
        part = _folded(found, infer.need_static(_with_numbers(infer, key), "a slice of a container"))
        return infer.heap.new(list, part) if kind == "list" else Tuple(part)
    if isinstance(key, Static):
        if not has_attribute(type(key.value), "__index__"):
            message = f"{kind} indices must be integers or slices, not {type_name(key)}"
            raise PythonError(TypeError(message))
        try:
            return found[key.value]
        except IndexError:
            raise PythonError(IndexError(f"{kind} index out of range")) from None
    if isinstance(key, Array):
        key = _number(infer, key)
        if isinstance(key, Static):
            return _of_sequence(infer, container, key)
    if isinstance(key, Number) and key.type is BOOL:
        key = numbers.binary(infer, "+", key, Static(0))
    if isinstance(key, Number) and key.type is INT:
        column = buffers.of_long(infer, container, found)
        if column is not None:
            indices.require_inside(infer, "get", kind, column.length, key)
            position = buffers.position_of(infer, column, key, f"{kind} index out of range")
            return representations.item_of_list(infer, column, position)
        if kind == "list":
            pools.begin_for_rows(infer, found)
        return _of_sequence_at_run_time(infer, found, key, kind)
    message = f"{kind} indices must be integers or slices, not {type_name(key)}"
    raise PythonError(TypeError(message))


def _is_of_run(end: Value) -> bool:
    """Whether an end of a slice is a value of the run, and not one that the function can be compiled for."""
    return isinstance(end, Array) or (isinstance(end, Number) and end.paths is None and end.dim is None)


def _slice_at_run_time(infer: Infer, found: tuple[Value, ...], key: Slice) -> Value:
    """A slice of a list of which only the length is known now: a list of run-time length."""
    made = infer.heap.new(list, found)
    return buffers.get(infer, buffers.at_run_time(infer, made), _with_numbers(infer, key)) if found else made


def _with_numbers(infer: Infer, key: Slice) -> Slice:
    """A slice of a container, whose ends may be arrays."""
    ends = (key.start, key.stop, key.step)
    return Slice(*(_number(infer, end) if isinstance(end, Array) else end for end in ends))


def _number(infer: Infer, key: Array) -> Value:
    """An array as an index of a container, if its class has `__index__`."""
    return abstract.index(infer, key) if numbers.has_index(key) else key


def _folded(found: Any, key: slice) -> Any:
    """A slice of what is known now."""
    try:
        return found[key]
    except (TypeError, ValueError) as error:
        raise PythonError(error) from None


def _of_sequence_at_run_time(infer: Infer, found: tuple[Value, ...], key: Number, kind: str) -> Value:
    """One of several values, chosen by a number known only at run time."""
    size = len(found)
    low = infer.emit(python_ints.int_ge, key.atom, Literal(-size, INT))
    high = infer.emit(python_ints.int_lt, key.atom, Literal(size, INT))
    inside = infer.emit(python_ints.bool_and, low, high)
    _require(infer, inside, f"{kind} index out of range", indices.outside(infer, "get", kind, size, key), key)
    position = infer.emit(python_ints.int_mod, key.atom, Literal(size, INT)) if size else key.atom
    if not size:
        raise PythonError(IndexError(f"{kind} index out of range"))
    return _choose(infer, found, position, 0)


def _require(infer: Infer, inside: Atom, message: str, other: tuple[str, str] | None, key: Number) -> None:
    """Emit the check of an index: an IndexError, or another framework's exception, which tells the index."""
    if other is None:
        infer.emit_all(conversions.check, inside, exception="IndexError", message=message)
    else:
        infer.emit_all(conversions.check, inside, key.atom, exception=other[0], message=other[1])


def _choose(infer: Infer, found: tuple[Value, ...], position: Any, k: int) -> Value:
    if k == len(found) - 1:
        return found[k]
    here = infer.emit(python_ints.int_eq, position, Literal(k, INT))
    return branching.branch(infer, here, lambda: [found[k]], lambda: [_choose(infer, found, position, k + 1)])[0]


def _of_dict(infer: Infer, container: Reference, key: Value) -> Value:
    if texts.of_run(key):
        entries = infer.heap.entries(container)
        return string_comparison.looked_up(infer, entries, key, lambda: _raise_missing(infer, container, key))
    entries, name = infer.heap.entries(container), containers.static_key(infer, key)
    if name not in entries:
        raise PythonError(KeyError(name))
    return entries[name]


def _raise_missing(infer: Infer, container: Value, key: Value) -> list[Value]:
    """Emit the KeyError for a key of the run that a dict has not, or what another framework says."""
    other = dialect.missing(infer, container)
    if other is not None:
        failures.emit_raise(infer, Raised(type(other), (Text(str(other), (key,)),)))
    failures.emit_raise(infer, Raised(KeyError, (key,)))


def _of_range(infer: Infer, container: Range, key: Value) -> Value:
    if isinstance(key, Slice):
        made = _folded(infer.need_static(container, "a slice of a range"), infer.need_static(key, "a slice of a range"))
        return Range(Static(made.start), Static(made.stop), Static(made.step))
    key = objects.special(infer, key, "__index__") or key
    key = _number(infer, key) if isinstance(key, Array) else key
    if numbers.type_of_number(key) not in (INT, BOOL):
        message = f"range indices must be integers or slices, not {type_name(key)}"
        raise PythonError(TypeError(message))
    length = containers.length(infer, container)
    indices.require_inside(infer, "get", "range", length, key)
    index, message = numbers.convert(infer, key, INT), "range object index out of range"
    position = infer.emit(conversions.check_position, index, infer.number_atom(length, INT), message=message)
    return containers.range_item(infer, container, infer.number(position, key, length))


def _of_object(infer: Infer, container: Static, key: Value) -> Value:
    obj = container.value
    method = getattr(type(obj), "__getitem__", None)
    if method is not None and type(method).__name__ == "function":
        return abstract.call(infer, Static(method), [container, key], {})
    if container.path is None and not sequences.is_mutable(container):
        classes.require_constant(infer, "indexing", container)
    wanted = infer.need_static(key, f"the key of a {type(obj).__name__}")
    made = numbers.fold(lambda o, k: o[k], obj, wanted)
    reachable = container.path is not None and not isinstance(wanted, slice)  # steps of a path are hashed
    path = (*(container.path or ()), ("item", wanted)) if reachable else None
    return infer.inputs.captured(made.value, path) if path is not None and not isinstance(obj, str) else made


@abstract.set_item.model
def set_(infer: Infer, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`."""
    match container:
        case Array():
            if isinstance(key, Number) and key.type is INT and container.is_tensor:
                for extent in container.type.shape[:1]:
                    indices.require_inside(infer, "put", "tensor", extent, key)
            array_operations.setitem(infer, container, key, value)
        case Reference() if _holds_already(infer, container, key, value):  # `x[k] += y` wrote into it
            pass
        case Reference() if container.kind is list:
            _set_in_list(infer, container, key, value)
        case Reference() if container.kind is dict:
            entries = {**infer.heap.entries(container), containers.static_key(infer, key): value}
            infer.heap.store(container.key, entries)
        case Static() if hasattr(type(container.value), "__setitem__"):
            if objects.special(infer, container, "__setitem__", key, value) is None:
                kind = type_name(container)
                raise infer.unsupported(f"changing a {kind} that belongs to the code outside")
        case Instance() if objects.special(infer, container, "__setitem__", key, value) is not None:
            pass
        case _:
            kind = type_name(container)
            raise PythonError(TypeError(f"'{kind}' object does not support item assignment"))


def _holds_already(infer: Infer, container: Reference, key: Value, value: Value) -> bool:
    """Whether an array is at this place of a list or dict from outside already."""
    if container.path is None or not isinstance(key, Static) or not isinstance(value, Array):
        return False
    if infer.heap.buffer(container) is not None:
        return False
    if container.kind is dict:
        held = infer.heap.entries(container).get(containers.static_key(infer, key))
    elif container.kind is list and isinstance(key.value, int):
        members = infer.heap.items(container)
        held = members[key.value] if -len(members) <= key.value < len(members) else None
    else:
        return False
    return held is not None and same_value(held, value)


def _set_in_list(infer: Infer, container: Reference, key: Value, value: Value) -> None:
    buffer = infer.heap.buffer(container)
    if buffer is None and isinstance(key, Array):
        key = _number(infer, key)
    if buffer is None and isinstance(key, Number):
        buffer = buffers.of_long(infer, container, infer.heap.items(container), value)
    if isinstance(key, Slice):
        _set_slice_of_list(infer, container, _with_numbers(infer, key), value)
        return
    if buffer is not None:
        rows.resizing(infer, container)
        buffers.set_(infer, container, buffer, key, value)
        return
    members = list(infer.heap.items(container))
    if isinstance(key, Number) and not key.paths:
        infer.heap.store(container.key, tuple(_replaced(infer, members, key, value)))
        return
    _store_at(infer, container, members, key, value)


def _set_slice_of_list(infer: Infer, container: Reference, key: Slice, value: Value) -> None:
    values = list_slices.values_of(infer, key, value)
    if infer.heap.buffer(container) is None and isinstance(values, Tuple) and list_slices.is_known(key):
        _store_at(infer, container, list(infer.heap.items(container)), key, values.items)
        return
    rows.resizing(infer, container)
    list_slices.assign(infer, container, key, values)


def _store_at(infer: Infer, container: Reference, members: list[Value], key: Value, stored: Any) -> None:
    """Give a list of static structure, which has `members`, other ones at a position or slice that can be known when
    compiling."""
    try:
        members[infer.need_static(key, "the position assigned to")] = stored
    except (IndexError, TypeError, ValueError) as error:
        raise PythonError(error) from None
    infer.heap.store(container.key, tuple(members))
    if infer.pooling.is_used:
        pools.settle(infer, [container])


def _replaced(infer: Infer, members: list[Value], key: Number, value: Value) -> list[Value]:
    """The items of a list after one, chosen at run time, was replaced."""
    size = len(members)
    low = infer.emit(python_ints.int_ge, key.atom, Literal(-size, INT))
    high = infer.emit(python_ints.int_lt, key.atom, Literal(size, INT))
    inside = infer.emit(python_ints.bool_and, low, high)
    message = "list assignment index out of range"
    _require(infer, inside, message, indices.outside(infer, "put", "list", size, key), key)
    position = infer.emit(python_ints.int_mod, key.atom, Literal(size, INT))
    out: list[Value] = []
    for k, member in enumerate(members):
        here = infer.emit(python_ints.int_eq, position, Literal(k, INT))
        out += branching.branch(infer, here, lambda: [value], lambda m=member: [m])
    return out


def delete(infer: Infer, container: Value, key: Value) -> None:
    """`del container[key]`."""
    if isinstance(container, Boxed):
        boxed.delete(infer, container, key)
        return
    if isinstance(container, Instance) and objects.special(infer, container, "__delitem__", key) is not None:
        return
    if not isinstance(container, Reference):
        if isinstance(container, Array) and container.category == "ndarray":
            raise PythonError(ValueError("cannot delete array elements"))
        if isinstance(container, Array) and container.is_tensor:
            raise PythonError(AttributeError("__delitem__"))
        raise refusal(infer, "deleting an item", operator.delitem, container, key)
    buffer = infer.heap.buffer(container)
    if container.kind is list and isinstance(key, Slice):
        key = _with_numbers(infer, key)
        if buffer is not None or not list_slices.is_known(key):
            rows.resizing(infer, container)
            list_slices.delete(infer, container, key)
            return
    if buffer is not None or (container.kind is list and numbers.is_of_the_run(key)):
        rows.resizing(infer, container)
        buffers.at_run_time(infer, container)

        def deleted(apart: Reference, held: Buffer) -> Value:
            list_methods.delete(infer, apart, held, key)
            return Static(None)

        list_methods.changed_apart(infer, container, deleted)
        return
    wanted = infer.need_static(key, "the item deleted")
    contents = infer.heap.contents(container.key)
    changed: Any = dict(contents) if container.kind is dict else list(contents)
    try:
        del changed[wanted]
    except (KeyError, IndexError, TypeError) as error:
        raise PythonError(error) from None
    infer.heap.store(container.key, changed if container.kind is dict else tuple(changed))
