"""The end of a loop's round: what it made is free again."""

from __future__ import annotations

from jitcore.backends.native.boxes.comparing import (
    DICT_ENTRIES,
    DICT_INDEX,
    DICT_MASK,
    ENTRY_BYTES,
    FROZENSET,
    INDEX_BYTES,
    LIST_CAPACITY,
    LIST_ITEMS,
    SET,
    SET_MASK,
    SET_TABLE,
    SLOT_BYTES,
    is_dict,
)
from jitcore.backends.native.boxes.memory import (
    BEFORE,
    BEGIN,
    EPOCH,
    FREE,
    HEAP,
    LAST,
    LOWEST,
    STRIPPED,
    TAIL,
    give_back,
)
from jitcore.backends.native.boxes.outside import poisons
from jitcore.backends.native.boxes.tables import capacity_of
from jitcore.backends.native.boxes.words import fill, load, store


def round_end(ctx: int, mark: int, lowest: int, last: int, carried: int) -> int:
    """A round has ended that began with these; `carried`: whether some of what it made is carried into the next."""
    heap = load(ctx + HEAP)
    found = load(heap + LOWEST)
    free = load(heap + FREE)
    if free != mark and carried == 0 and found >= mark and mark >= load(heap + BEGIN):
        round_free(ctx, heap, mark, last)
    if lowest < found:
        store(heap + LOWEST, lowest)
    return 0


def round_free(ctx: int, heap: int, mark: int, last: int) -> int:
    """Free what has been made since a round began."""
    box = load(heap + LAST)
    while box != last:
        arrays_give_back(ctx, box)
        box = load(box + BEFORE)
    store(heap + LAST, last)
    if poisons():
        fill(mark, load(heap + FREE) - mark)
    store(heap + FREE, mark)
    store(heap + EPOCH, load(heap + EPOCH) + 1)
    if load(heap + TAIL) > mark:
        store(heap + TAIL, 0)
    if load(heap + STRIPPED) >= mark:
        store(heap + STRIPPED, 0)
    return 0


def arrays_give_back(ctx: int, box: int) -> int:
    """The arrays of a container that is not needed any more."""
    kind = load(box)
    if is_dict(kind):
        size = load(box + DICT_MASK) + 1
        if load(box + DICT_INDEX) != 0:
            give_back(ctx, load(box + DICT_ENTRIES), ENTRY_BYTES * capacity_of(size))
            give_back(ctx, load(box + DICT_INDEX), INDEX_BYTES * size)
    elif kind == SET or kind == FROZENSET:
        if load(box + SET_MASK) > 7:
            give_back(ctx, load(box + SET_TABLE), SLOT_BYTES * (load(box + SET_MASK) + 1))
    else:
        give_back(ctx, load(box + LIST_ITEMS), 16 * load(box + LIST_CAPACITY))
    return 0
