"""Slices with a step that the run says, and slices of lists that are assigned to or deleted."""

from __future__ import annotations

from jitcore.backends.native.boxes.comparing import DIRTY, LENGTH, items_of
from jitcore.backends.native.boxes.sequences import list_copy, list_replace, note_items
from jitcore.backends.native.boxes.words import load, move, store


def slice_end(length: int, step: int, end: int) -> int:
    """An end of a slice as a position: within a sequence, or right before or behind it."""
    low = 0
    high = length
    if step < 0:
        low = -1
        high = length - 1
    if end < 0:
        end = end + length
        return low if end < low else end
    return high if end > high else end


def slice_first(length: int, step: int, start: int, is_given: int) -> int:
    """Where a slice begins."""
    if is_given:
        return slice_end(length, step, start)
    return 0 if step > 0 else length - 1


def slice_count(length: int, step: int, first: int, stop: int, is_given: int) -> int:
    """How many items a slice has."""
    if step > 0:
        last = slice_end(length, step, stop) if is_given else length
        return (last - first - 1) // step + 1 if first < last else 0
    last = slice_end(length, step, stop) if is_given else -1
    if step == -9223372036854775808:
        step = -9223372036854775807
    return (first - last - 1) // -step + 1 if last < first else 0


def list_set_slice(ctx: int, box: int, first: int, step: int, count: int, other: int) -> int:
    """`box[first::step] = other` for so many items, of which the list `other` has as many if the step is not 1."""
    if step == 1:
        return list_replace(ctx, box, first, count, other)
    store(box + DIRTY, 1)
    taken = list_copy(ctx, other) if other == box else other
    note_items(ctx, box, items_of(taken), count)
    at = items_of(box) + 16 * first
    for k in range(count):
        move(at + 16 * step * k, items_of(taken) + 16 * k, 16)
    return 0


def list_delete_slice(box: int, first: int, step: int, count: int) -> int:
    """`del box[first::step]` for so many items."""
    if count == 0:
        return 0
    store(box + DIRTY, 1)
    if step < 0:
        first = first + step * (count - 1)
        step = -step
    length = load(box + LENGTH)
    items = items_of(box)
    to = items + 16 * first
    for k in range(count):
        at = first + step * k + 1
        end = at + step - 1 if k + 1 < count else length
        move(to, items + 16 * at, 16 * (end - at))
        to = to + 16 * (end - at)
    store(box + LENGTH, length - count)
    return 0
