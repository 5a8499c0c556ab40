"""Deques of the run: what they do in another way than lists."""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.boxed import lists
from jitcore.passes.infer.boxed.lists import raise_if
from jitcore.passes.infer.boxed.values import act, add, flag, index, look, new_kind, number
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Boxed,
    Number,
    PythonError,
    Sequence,
    Static,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.program.boxes import Kind
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_NONE: Final = Static(None)
_MUTATED: Final = Static("deque mutated during iteration")


def new(infer: Infer, source: Value = Static(()), maxlen: Value = _NONE) -> Boxed:
    """`deque(source, maxlen)`."""
    most: Atom | int = -1
    if not (isinstance(maxlen, Static) and maxlen.value is None):
        if not lists.is_index(maxlen):
            raise PythonError(TypeError("an integer is required"))
        most = index(infer, maxlen)
        negative = numbers.compare(infer, "<", Number(most, INT), Static(0))
        raise_if(infer, negative, ValueError, Static("maxlen must be non-negative"))
    made = Boxed(act(infer, "deque_new", most), new_kind(infer, Kind.DEQUE, collections.deque))
    extend(infer, made, source)
    return made


def append(infer: Infer, target: Boxed, value: Value) -> Value:
    """`target.append(value)`."""
    act(infer, "deque_append", target.atom, *lists.put_kinds(infer, target, value))
    return _NONE


def _append_left(infer: Infer, target: Boxed, value: Value) -> Value:
    act(infer, "deque_append_left", target.atom, *lists.put_kinds(infer, target, value))
    return _NONE


def extend(infer: Infer, target: Boxed, other: Value) -> Value:
    """`target.extend(other)`."""
    return _extended(infer, target, other, "deque_extend", append)


def _extend_left(infer: Infer, target: Boxed, other: Value) -> Value:
    return _extended(infer, target, other, "deque_extend_left", _append_left)


def _extended(
    infer: Infer, target: Boxed, other: Value, function: str, put: Callable[[Infer, Boxed, Value], Value]
) -> Value:
    if isinstance(other, Boxed) and other.kind.kind in (Kind.LIST, Kind.DEQUE):
        add(infer, target.kind.cell, lists.kinds(infer, other))
        act(infer, function, target.atom, other.atom)
        return _NONE
    lists.for_each(infer, other, lambda item: put(infer, target, item))
    return _NONE


def concatenated(infer: Infer, x: Boxed, y: Boxed) -> Boxed:
    """`x + y`."""
    made = _copied(infer, x)
    extend(infer, made, y)
    return made


def sequence(infer: Infer, value: Boxed) -> Sequence:
    """The items by position. Nothing must come or go meanwhile."""
    size, is_changed = lists.length(infer, value), _watched(infer, value)

    def reaches(position: Value) -> Value:
        raise_if(infer, is_changed(), RuntimeError, _MUTATED)
        return numbers.compare(infer, "<", position, size)

    return Sequence(size, lambda k: lists.at(infer, value, infer.number_atom(k, INT)), reaches)


def reaches_backwards(infer: Infer, value: Boxed) -> Callable[[Value], Value]:
    """Whether a deque that is gone through backwards has another item: changes after the last do not matter."""
    size, is_changed = lists.length(infer, value), _watched(infer, value)

    def reaches(position: Value) -> Value:
        more = numbers.compare(infer, "<", position, size)
        raise_if(infer, numbers.both(infer, more, is_changed()), RuntimeError, _MUTATED)
        return more

    return reaches


def _watched(infer: Infer, value: Boxed) -> Callable[[], Value]:
    """Whether items came or went since."""
    state = number(infer, look(infer, "deque_state", value.atom))
    return lambda: numbers.compare(infer, "!=", number(infer, look(infer, "deque_state", value.atom)), state)


def _popped(*, left: bool) -> Callable[..., Value]:
    def popped(infer: Infer, target: Boxed) -> Value:
        size = lists.length(infer, target)
        empty = numbers.compare(infer, "==", size, Static(0))
        raise_if(infer, empty, IndexError, Static("pop from an empty deque"))
        last = Static(0) if left else numbers.binary(infer, "-", size, Static(1))
        position = infer.number_atom(last, INT)
        found = lists.at(infer, target, position)
        act(infer, "deque_remove_at", target.atom, position)
        return found

    return popped


def _insert(infer: Infer, target: Boxed, position: Value, value: Value) -> Value:
    full = flag(infer, look(infer, "deque_is_full", target.atom))
    raise_if(infer, full, IndexError, Static("deque already at its maximum size"))
    act(infer, "deque_insert", target.atom, index(infer, position), *lists.put_kinds(infer, target, value))
    return _NONE


def _clear(infer: Infer, target: Boxed) -> Value:
    act(infer, "deque_clear", target.atom)
    return _NONE


def _copied(infer: Infer, target: Boxed) -> Boxed:
    kind = new_kind(infer, Kind.DEQUE, collections.deque, "copy")
    add(infer, kind.cell, lists.kinds(infer, target))
    return Boxed(act(infer, "deque_copy", target.atom), kind)


def _rotate(infer: Infer, target: Boxed, count: Value = Static(1)) -> Value:
    if not lists.is_index(count):
        raise PythonError(TypeError(f"'{type_name(count)}' object cannot be interpreted as an integer"))
    act(infer, "deque_rotate", target.atom, index(infer, count))
    return _NONE


def maxlen(infer: Infer, value: Boxed) -> Value:
    """`value.maxlen`."""
    most = number(infer, look(infer, "deque_maxlen", value.atom))
    there = infer.truth(numbers.compare(infer, ">=", most, Static(0)))
    assert not isinstance(there, bool)
    return branching.branch(infer, there, lambda: [most], lambda: [_NONE])[0]


METHODS: Final[Mapping[str, Callable[..., Value]]] = {
    **{name: lists.METHODS[name] for name in ("reverse", "index", "remove", "count")},
    "append": append, "appendleft": _append_left, "extend": extend, "extendleft": _extend_left,
    "pop": _popped(left=False), "popleft": _popped(left=True), "insert": _insert, "clear": _clear, "copy": _copied,
    "rotate": _rotate,
}  # fmt: skip
