"""Boxes as Python's objects. A list, dict or set is made once: its box knows the object then (`ORIGIN`)."""

from __future__ import annotations

from jitcore.backends.native.boxes.comparing import (
    BOOL,
    DEQUE,
    DICT_COUNT,
    DICT_ENTRIES,
    ENTRY_BYTES,
    ENTRY_KEY,
    ENTRY_KIND,
    ENTRY_VALUE,
    ENTRY_VALUE_KIND,
    FLOAT,
    FROZENSET,
    INT,
    LENGTH,
    LIST,
    NONE,
    ORDERED,
    ORIGIN,
    SET_MASK,
    SET_TABLE,
    SLOT_BYTES,
    SLOT_ITEM,
    SLOT_KIND,
    STR,
    STR_DATA,
    TUPLE,
    TUPLE_ITEMS,
    is_dict,
    items_of,
)
from jitcore.backends.native.boxes.deques import deque_of_list
from jitcore.backends.native.boxes.dict_classes import new_dict_of
from jitcore.backends.native.boxes.outside import (
    begin_python,
    drop,
    end_python,
    forget_error,
    keep,
    new_bool,
    new_float,
    new_frozenset_object,
    new_int,
    new_list_object,
    new_set_object,
    new_str,
    new_tuple_object,
    none_object,
    put_in_dict,
    put_in_list,
    put_in_ordered,
    put_in_set,
    put_in_tuple,
)
from jitcore.backends.native.boxes.words import load, store


def object_given(kind: int, value: int) -> int:
    """The address of the object that a value is in Python, with a reference to it; MemoryError if there is no room."""
    lock = begin_python()
    made = object_of(kind, value)
    if made == 0:
        forget_error()
    end_python(lock)
    return made if made != 0 else -9223372036854775808


def object_of(kind: int, value: int) -> int:
    """A new reference to the object that a value is; 0, with an exception, if there is no memory."""
    if kind == INT:
        return new_int(value)
    if kind == STR:
        return new_str(4, value + load(value + STR_DATA), load(value + LENGTH))
    if kind == FLOAT:
        return new_float(value)
    if kind == TUPLE:
        return tuple_object(value)
    if kind == NONE:
        keep(none_object())
        return none_object()
    if kind == BOOL:
        return new_bool(value)
    known = load(value + ORIGIN)
    if known != 0:
        keep(known)
        return known
    if kind == LIST or kind == DEQUE:
        return list_object(kind, value)
    if is_dict(kind):
        return dict_object(kind, value)
    return set_object(kind, value)


def tuple_object(box: int) -> int:
    """A tuple."""
    length = load(box + LENGTH)
    made = new_tuple_object(length)
    if made == 0:
        return 0
    for k in range(length):
        at = box + TUPLE_ITEMS + 16 * k
        item = object_of(load(at), load(at + 8))
        if item == 0:
            drop(made)
            return 0
        put_in_tuple(made, k, item)
    return made


def list_object(kind: int, box: int) -> int:
    """A list or deque."""
    length = load(box + LENGTH)
    made = new_list_object(length)
    if made == 0:
        return 0
    if kind == LIST:
        store(box + ORIGIN, made)
    for k in range(length):
        at = items_of(box) + 16 * k
        item = object_of(load(at), load(at + 8))
        if item == 0:
            drop(made)
            return 0
        put_in_list(made, k, item)
    if kind == LIST:
        return made
    deque = deque_of_list(box, made)
    store(box + ORIGIN, deque)
    return deque


def dict_object(kind_of_dict: int, box: int) -> int:
    """A dict, of whatever class."""
    made = new_dict_of(box)
    if made == 0:
        return 0
    store(box + ORIGIN, made)
    for k in range(load(box + DICT_COUNT)):
        entry = load(box + DICT_ENTRIES) + ENTRY_BYTES * k
        kind = load(entry + ENTRY_KIND)
        if kind >= 0:
            key = object_of(kind, load(entry + ENTRY_KEY))
            value = 0 if key == 0 else object_of(load(entry + ENTRY_VALUE_KIND), load(entry + ENTRY_VALUE))
            failed = value == 0
            if value != 0:
                failed = put_in_ordered(made, key, value) if kind_of_dict == ORDERED else put_in_dict(made, key, value)
            if key != 0:
                drop(key)
            if value != 0:
                drop(value)
            if failed != 0:
                drop(made)
                return 0
    return made


def set_object(kind: int, box: int) -> int:
    """A set or frozenset."""
    made = new_frozenset_object(0) if kind == FROZENSET else new_set_object(0)
    if made == 0:
        return 0
    table = load(box + SET_TABLE)
    for k in range(load(box + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        if load(slot + SLOT_KIND) > 0:
            item = object_of(load(slot + SLOT_KIND) - 1, load(slot + SLOT_ITEM))
            failed = item == 0 or put_in_set(made, item) != 0
            if item != 0:
                drop(item)
            if failed:
                drop(made)
                return 0
    store(box + ORIGIN, made)
    return made
