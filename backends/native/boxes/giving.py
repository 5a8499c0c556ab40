"""Boxes as Python's objects. A list, dict or set is made once: its box knows the object then (`ORIGIN`)."""

from __future__ import annotations

from typing import Final

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
    NP_FLOAT32,
    NUMPY,
    ORDERED,
    ORIGIN,
    SET_MASK,
    SET_TABLE,
    SLOT_BYTES,
    SLOT_ITEM,
    SLOT_KIND,
    STR,
    TUPLE,
    TUPLE_ITEMS,
    equal_texts,
    is_dict,
    items_of,
)
from jitcore.backends.native.boxes.deques import deque_of_list
from jitcore.backends.native.boxes.dict_classes import new_dict_of
from jitcore.backends.native.boxes.outside import (
    begin_python,
    collect_again,
    collect_no_more,
    drop,
    end_python,
    forget_error,
    given_ints,
    given_texts,
    keep,
    new_bool,
    new_float,
    new_frozenset_object,
    new_int,
    new_list_object,
    new_numpy,
    new_set_object,
    new_str,
    new_tuple_object,
    none_object,
    put_in_dict,
    put_in_ordered,
    put_in_set,
    put_in_tuple,
)
from jitcore.backends.native.boxes.points import NARROW, WIDTH, points_of, quick_hash
from jitcore.backends.native.boxes.texts import MOST_COPIED
from jitcore.backends.native.boxes.words import load, short_of_float, store

PY_LIST_ITEMS: Final[int] = 24
GIVEN_TEXTS: Final[int] = 2048
"""How many strings are remembered that were given; a power of 2."""
FEW_TEXTS: Final[int] = 16
"""As many strings are given before any is remembered."""
GIVEN_INTS: Final[int] = 16384
FEW_INTS: Final[int] = 2048
"""As many ints are given before any is remembered."""


def object_given(kind: int, value: int) -> int:
    """The address of the object that a value is in Python, with a reference to it; MemoryError if there is no room."""
    lock = begin_python()
    collects = collect_no_more()  # what is being made is no garbage
    made = object_of(kind, value)
    if made == 0:
        forget_error()
    if collects:
        collect_again()
    forget_given()
    end_python(lock)
    return made if made != 0 else -9223372036854775808


def object_of(kind: int, value: int) -> int:
    """A new reference to the object that a value is; 0, with an exception, if there is no memory."""
    if kind == INT:
        return int_object(value)
    if kind == STR:
        return text_object(value)
    if kind == FLOAT:
        return new_float(value)
    if kind == TUPLE:
        return tuple_object(value)
    if kind == NONE:
        keep(none_object())
        return none_object()
    if kind == BOOL:
        return new_bool(value)
    if kind >= NUMPY:
        return new_numpy(kind - NUMPY, short_of_float(value) if kind == NP_FLOAT32 else value)
    known = load(value + ORIGIN)
    if known != 0:
        keep(known)
        return known
    if kind == LIST or kind == DEQUE:
        return list_object(kind, value)
    if is_dict(kind):
        return dict_object(kind, value)
    return set_object(kind, value)


def int_object(n: int) -> int:
    """An int. Where many are given, those that were given a short while ago are the same objects."""
    count = load(given_ints())
    store(given_ints(), count + 1)
    if count < FEW_INTS:
        return new_int(n)
    at = given_ints() + 16 + (n & (GIVEN_INTS - 1)) * 16
    known = load(at + 8)
    if load(at) == n and known != 0:
        keep(known)
        return known
    return remembered(at, n, new_int(n))


def remembered(at: int, word: int, made: int) -> int:
    """An object that was made (0: it was not), from here on the second in a pair."""
    if made == 0:
        return 0
    before = load(at + 8)
    keep(made)
    store(at, word)
    store(at + 8, made)
    if before != 0:
        drop(before)
    return made


def text_object(box: int) -> int:
    """A str. Where several are given, those that were given a short while ago are the same objects."""
    count = load(given_texts())
    store(given_texts(), count + 1)
    length = load(box + LENGTH)
    width = load(box + WIDTH)
    if count < FEW_TEXTS:
        return new_str(1 << width, points_of(box), length)
    place = box >> 4
    if width == NARROW and length <= MOST_COPIED:
        place = quick_hash(points_of(box), length, 0)
    at = given_texts() + 16 + (place & (GIVEN_TEXTS - 1)) * 16
    known = load(at + 8)
    if known != 0 and equal_texts(load(at), box):
        keep(known)
        return known
    return remembered(at, box, new_str(1 << width, points_of(box), length))


def forget_given() -> int:
    """No object is known any more that was given."""
    count = load(given_texts())
    store(given_texts(), 0)
    if count > FEW_TEXTS:
        forget_pairs(given_texts() + 16, GIVEN_TEXTS)
    count = load(given_ints())
    store(given_ints(), 0)
    if count > FEW_INTS:
        forget_pairs(given_ints() + 16, GIVEN_INTS)
    return 0


def forget_pairs(at: int, count: int) -> int:
    """Give up the objects that are second in pairs."""
    for _ in range(count):
        known = load(at + 8)
        if known != 0:
            store(at + 8, 0)
            drop(known)
        at = at + 16
    return 0


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
        store(load(made + PY_LIST_ITEMS) + 8 * k, item)
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
