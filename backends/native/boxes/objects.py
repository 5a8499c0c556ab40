"""Boxes as Python's objects, and Python's numbers and strings as values, for what Python calls."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from jitcore.backends.native.boxes.comparing import (
    DICT_COUNT,
    DICT_ENTRIES,
    ENTRY_BYTES,
    ENTRY_KEY,
    ENTRY_KIND,
    ENTRY_VALUE,
    ENTRY_VALUE_KIND,
    LENGTH,
    SET_MASK,
    SET_TABLE,
    SLOT_BYTES,
    SLOT_ITEM,
    SLOT_KIND,
    TUPLE_ITEMS,
)
from jitcore.backends.native.boxes.library import call, symbols
from jitcore.program import boxes
from jitcore.program.boxes import DICTS, Kind
from jitcore.source import InternalError


def owned_object(address: int) -> Any:
    """The object at an address, with the reference that the program has to it."""
    made = ctypes.cast(address, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(made))
    return made


def object_now(kind: int, payload: int) -> Any:
    """A new object that is equal to what a value is now, for a function that only looks at it: later changes of the box
    are not seen in it, and the box does not know it."""
    return _Copies().of(kind, payload)


_HELD: Final = DICTS | {Kind.TUPLE, Kind.LIST, Kind.DEQUE, Kind.SET, Kind.FROZENSET}


class _Copies:
    """Copies of boxes, one for each, whatever they hold one another by."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}

    def of(self, kind: int, payload: int) -> Any:
        if kind not in _HELD:
            return owned_object(call("object_given", int(kind), payload))
        if payload not in self.made:
            if kind in (Kind.TUPLE, Kind.FROZENSET):
                held = [self.of(*one) for one in _held(kind, payload)]
                self.made[payload] = tuple(held) if kind == Kind.TUPLE else frozenset(held)
            else:
                self._fill(kind, payload)
        return self.made[payload]

    def _fill(self, kind: int, box: int) -> None:
        made: Any
        if kind in DICTS:
            made = owned_object(call("new_dict_of", box))
        elif kind == Kind.DEQUE:
            most = call("deque_maxlen", box)
            made = deque(maxlen=None if most < 0 else most)
        else:
            made = list[Any]() if kind == Kind.LIST else set[Any]()
        self.made[box] = made
        if kind in DICTS:
            for entry in _words(_word(box + DICT_ENTRIES), _word(box + DICT_COUNT), ENTRY_BYTES):
                if _word(entry + ENTRY_KIND) >= 0:
                    key = self.of(_word(entry + ENTRY_KIND), _word(entry + ENTRY_KEY))
                    made[key] = self.of(_word(entry + ENTRY_VALUE_KIND), _word(entry + ENTRY_VALUE))
            return
        add = made.add if kind == Kind.SET else made.append
        for one in _held(kind, box):
            add(self.of(*one))


def _held(kind: int, box: int) -> Iterator[tuple[int, int]]:
    """The kinds and payloads of what a tuple, list, deque or set holds, in the order of the box."""
    if kind in (Kind.SET, Kind.FROZENSET):
        for slot in _words(_word(box + SET_TABLE), _word(box + SET_MASK) + 1, SLOT_BYTES):
            if _word(slot + SLOT_KIND) > 0:
                yield _word(slot + SLOT_KIND) - 1, _word(slot + SLOT_ITEM)
        return
    first = box + TUPLE_ITEMS if kind == Kind.TUPLE else call("items_of", box)
    for at in _words(first, _word(box + LENGTH), 16):
        yield _word(at), _word(at + 8)


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _words(first: int, count: int, size: int) -> range:
    return range(first, first + count * size, size)


def provide() -> None:
    """Have Python's objects made of boxes, and boxes of them, from here on."""
    boxes.owned_object.model(owned_object)
    boxes.object_now.model(object_now)
    boxes.box_of.model(box_of)
    boxes.looking.model(lambda: symbols()["jb_fits"])
    boxes.looks.model(lambda obj, contents: bool(call("fits", id(obj), contents + 8, 0, 0)))


def box_of(obj: object, context: int | None) -> tuple[int, int]:
    """A number, string or None as a value: its kind and its payload, in the memory of a call's context (None: this
    thread's own)."""
    kind = call("kind_of_object", id(obj))
    if not Kind.NONE <= kind <= Kind.STR:
        raise InternalError(f"a {type(obj).__name__} cannot be put into a box here")
    return kind, call("payload_of", kind, id(obj), context=context)
