"""Dicts of other classes: Counters, defaultdicts and OrderedDicts. Their boxes have two words more than a dict's."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.comparing import (
    COUNTER,
    DEFAULTDICT,
    DICT,
    DICT_ASKED_KIND,
    DICT_BYTES,
    DICT_CHANGES,
    DICT_COUNT,
    DICT_ENTRIES,
    DICT_FIRST,
    DICT_USED,
    DIRTY,
    ENTRY_BYTES,
    ENTRY_KEY,
    ENTRY_KIND,
    ENTRY_VALUE,
    ENTRY_VALUE_KIND,
)
from jitcore.backends.native.boxes.memory import alloc, container_new
from jitcore.backends.native.boxes.outside import called, called_with, factories, new_dict_object, types
from jitcore.backends.native.boxes.tables import (
    dict_close_up,
    dict_delete_entry,
    dict_last,
    dict_make_index,
    dict_set_hashed,
)
from jitcore.backends.native.boxes.words import clear, load, move, store

FACTORY: Final[int] = DICT_BYTES
"""Of a defaultdict: the number of its default factory."""
NEW_DICT: Final[int] = 15
"""Where in the table of types: `dict.__new__`."""


def dict_new_as(ctx: int, kind: int, factory: int) -> int:
    """An empty dict of a class."""
    box = container_new(ctx, DICT_BYTES + 16)
    store(box, kind)
    store(box + FACTORY, factory)
    return box


def new_dict_of(box: int) -> int:
    """An empty object of the class that a dict has; 0, with an exception, if there is no memory."""
    kind = load(box)
    if kind == DICT:
        return new_dict_object()
    cls = load(types() + 8 * kind)
    if kind == DEFAULTDICT:
        return called_with(cls, load(factories() + 8 * load(box + FACTORY)))
    if kind == COUNTER:
        return called_with(load(types() + 8 * NEW_DICT), cls)
    return called(cls)


# --- OrderedDicts


def ordered_clear(box: int) -> int:
    """`box.clear()`, which does not count as a change of keys."""
    store(box + DIRTY, 1)
    clear(box + DICT_USED, 48)
    store(box + DICT_FIRST, 0)
    store(box + DICT_ASKED_KIND, 0)
    return 0


def ordered_first(box: int) -> int:
    """The number of the first entry, which there must be."""
    return load(box + DICT_FIRST)


def ordered_move_to_end(ctx: int, box: int, number: int) -> int:
    """`box.move_to_end(key)` of an entry."""
    if number == dict_last(box):
        return 0
    entry = load(box + DICT_ENTRIES) + ENTRY_BYTES * number
    hash_ = load(entry)
    kind = load(entry + ENTRY_KIND)
    key = load(entry + ENTRY_KEY)
    value_kind = load(entry + ENTRY_VALUE_KIND)
    value = load(entry + ENTRY_VALUE)
    dict_delete_entry(box, number)
    dict_set_hashed(ctx, box, hash_, kind, key, value_kind, value)
    return 0


def ordered_move_to_front(ctx: int, box: int, number: int) -> int:
    """`box.move_to_end(key, last=False)` of an entry."""
    if number == ordered_first(box):
        return 0
    entries = load(box + DICT_ENTRIES)
    spare = alloc(ctx, ENTRY_BYTES)
    move(spare, entries + ENTRY_BYTES * number, ENTRY_BYTES)
    move(entries + ENTRY_BYTES, entries, ENTRY_BYTES * number)
    move(entries, spare, ENTRY_BYTES)
    store(box + DIRTY, 1)
    store(box + DICT_CHANGES, load(box + DICT_CHANGES) + 1)
    store(box + DICT_ASKED_KIND, 0)
    if load(box + DICT_COUNT) == load(box + DICT_USED):
        dict_make_index(box)
    else:
        dict_close_up(box)
    return 0
