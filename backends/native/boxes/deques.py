"""Deques: lists that may have a greatest length, and count how often items came and went."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.comparing import DEQUE, LENGTH, items_of
from jitcore.backends.native.boxes.outside import (
    called_with,
    called_with_all,
    deque_class,
    drop,
    new_int,
    new_tuple_object,
    put_in_tuple,
)
from jitcore.backends.native.boxes.sequences import (
    list_append,
    list_append_left,
    list_clear,
    list_copy,
    list_insert,
    list_new,
    list_remove_at,
    list_rotate,
)
from jitcore.backends.native.boxes.words import load, store

MAXLEN: Final[int] = 40
"""Of a deque: one more than its greatest length; 0: it has none."""
STATE: Final[int] = 48
"""Of a deque: how often items came and went."""


def deque_new(ctx: int, maxlen: int) -> int:
    """`deque((), maxlen)`, of which -1 stands for None."""
    box = list_new(ctx, DEQUE, 0)
    store(box + MAXLEN, maxlen + 1)
    return box


def deque_maxlen(box: int) -> int:
    """`box.maxlen`, -1 for None."""
    return load(box + MAXLEN) - 1


def deque_state(box: int) -> int:
    """How often items came and went."""
    return load(box + STATE)


def deque_changed(box: int) -> int:
    """Count that items came or went."""
    store(box + STATE, load(box + STATE) + 1)
    return 0


def deque_append(ctx: int, box: int, kind: int, value: int) -> int:
    """`box.append(value)`."""
    deque_changed(box)
    if load(box + MAXLEN) == load(box + LENGTH) + 1:
        if load(box + LENGTH) == 0:
            return 0
        list_remove_at(box, 0)
    list_append(ctx, box, kind, value)
    return 0


def deque_append_left(ctx: int, box: int, kind: int, value: int) -> int:
    """`box.appendleft(value)`."""
    deque_changed(box)
    length = load(box + LENGTH)
    if load(box + MAXLEN) == length + 1:
        if length == 0:
            return 0
        list_remove_at(box, length - 1)
    list_append_left(ctx, box, kind, value)
    return 0


def deque_extend(ctx: int, box: int, other: int) -> int:
    """`box.extend(other)` for a list or deque."""
    source = list_copy(ctx, other) if other == box else other
    for k in range(load(source + LENGTH)):
        at = items_of(source) + 16 * k
        deque_append(ctx, box, load(at), load(at + 8))
    return 0


def deque_extend_left(ctx: int, box: int, other: int) -> int:
    """`box.extendleft(other)` for a list or deque."""
    source = list_copy(ctx, other) if other == box else other
    for k in range(load(source + LENGTH)):
        at = items_of(source) + 16 * k
        deque_append_left(ctx, box, load(at), load(at + 8))
    return 0


def deque_copy(ctx: int, other: int) -> int:
    """`other.copy()`."""
    box = deque_new(ctx, load(other + MAXLEN) - 1)
    deque_extend(ctx, box, other)
    return box


def deque_remove_at(box: int, number: int) -> int:
    """`del box[number]`, of an item that is there."""
    deque_changed(box)
    list_remove_at(box, number)
    return 0


def deque_clear(box: int) -> int:
    """`box.clear()`."""
    if load(box + LENGTH) > 0:
        deque_changed(box)
        list_clear(box)
    return 0


def deque_rotate(ctx: int, box: int, count: int) -> int:
    """`box.rotate(count)`."""
    if load(box + LENGTH) > 1:
        deque_changed(box)
        list_rotate(ctx, box, count)
    return 0


def deque_insert(ctx: int, box: int, number: int, kind: int, value: int) -> int:
    """`box.insert(number, value)`, where there is room."""
    deque_changed(box)
    list_insert(ctx, box, number, kind, value)
    return 0


def deque_is_full(box: int) -> int:
    """Whether a deque is as long as it may be."""
    return load(box + MAXLEN) == load(box + LENGTH) + 1


def deque_of_list(box: int, listed: int) -> int:
    """The deque of Python's that a box is, of a list of its items, which is given up; 0, with an exception, if there is
    no memory."""
    cls = deque_class()
    if load(box + MAXLEN) == 0:
        made = called_with(cls, listed)
        drop(listed)
        return made
    args = new_tuple_object(2)
    if args == 0:
        drop(listed)
        return 0
    put_in_tuple(args, 0, listed)
    most = new_int(load(box + MAXLEN) - 1)
    if most == 0:
        drop(args)
        return 0
    put_in_tuple(args, 1, most)
    made = called_with_all(cls, args, 0)
    drop(args)
    return made
