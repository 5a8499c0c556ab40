"""Sets, whose items lie where CPython's own would: going through one gives the same order. (`Objects/setobject.c` is
the source of when a table grows, how it is probed and how two are combined.)"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.comparing import (
    DICT_COUNT,
    DICT_ENTRIES,
    DICT_USED,
    DIRTY,
    DUMMY,
    ENTRY_BYTES,
    ENTRY_KEY,
    ENTRY_KIND,
    FROZENSET,
    INT,
    LIST,
    PROBES,
    SET_BYTES,
    SET_FILL,
    SET_FINGER,
    SET_MASK,
    SET_TABLE,
    SET_USED,
    SLOT_BYTES,
    SLOT_ITEM,
    SLOT_KIND,
    STR,
    TUPLE,
    UNUSED,
    find_slot,
    has_item,
    hash_of,
    is_equal_key,
)
from jitcore.backends.native.boxes.memory import CONSTANTS, container_new, give_back, keep_all, note, take
from jitcore.backends.native.boxes.sequences import list_append, list_new
from jitcore.backends.native.boxes.tables import dict_find, dict_of_heap, dict_set, dict_value
from jitcore.backends.native.boxes.words import clear, load, move, shr, store

LARGE: Final[int] = 50000
"""Items from which on a table doubles instead of growing fourfold."""
REUSES: Final[int] = 1
"""Whether this Python's sets put new items where others were removed: `library` asks it."""


def set_new(ctx: int, kind: int) -> int:
    """`set()` or `frozenset()`."""
    box = container_new(ctx, SET_BYTES + 8 * SLOT_BYTES)
    store(box, kind)
    store(box + SET_TABLE, box + SET_BYTES)
    store(box + SET_MASK, 7)
    return box


def set_constant(ctx: int, constant: int) -> int:
    """The frozenset that a constant describes, made once in a call: how many items there are, and the kind and payload
    of each; a string's is how far from the first word it is."""
    known = dict_of_heap(ctx, CONSTANTS)
    found = dict_find(ctx, known, INT, constant)
    if found >= 0:
        return dict_value(known, found)
    box = set_new(ctx, FROZENSET)
    for k in range(load(constant)):
        kind = load(constant + 8 + 16 * k)
        item = load(constant + 16 + 16 * k)
        set_add(ctx, box, kind, constant + item if kind == STR else item)
    dict_set(ctx, known, INT, constant, FROZENSET, box)
    keep_all(ctx)
    return box


def set_length(box: int) -> int:
    """`len(box)`."""
    return load(box + SET_USED)


def set_contains(ctx: int, box: int, kind: int, item: int) -> int:
    """`item in box`."""
    return has_item(ctx, box, hash_of(ctx, kind, item), kind, item)


def set_add(ctx: int, box: int, kind: int, item: int) -> int:
    """`box.add(item)`."""
    set_add_hashed(ctx, box, hash_of(ctx, kind, item), kind, item)
    return 0


def set_add_hashed(ctx: int, box: int, hash_: int, kind: int, item: int) -> int:
    """Add an item with its hash."""
    store(box + DIRTY, 1)
    mask = load(box + SET_MASK)
    table = load(box + SET_TABLE)
    perturb = hash_
    at = hash_ & mask
    slot = 0
    vacant = 0
    while slot == 0:
        probes = PROBES if at + PROBES <= mask else 0
        tried = table + SLOT_BYTES * at
        while probes >= 0:
            held = load(tried + SLOT_KIND)
            if held == UNUSED:
                slot = tried
                break
            if load(tried) == hash_ and is_equal_key(ctx, held - 1, load(tried + SLOT_ITEM), kind, item):
                return 0
            if held == DUMMY and REUSES:
                vacant = tried
            tried = tried + SLOT_BYTES
            probes = probes - 1
        perturb = shr(perturb, 5)
        at = (at * 5 + 1 + perturb) & mask
    if vacant != 0:
        slot = vacant
    if kind >= STR:
        note(ctx, box, item)
    store(slot, hash_)
    store(slot + SLOT_KIND, kind + 1)
    store(slot + SLOT_ITEM, item)
    store(box + SET_USED, load(box + SET_USED) + 1)
    if vacant != 0:
        return 0
    store(box + SET_FILL, load(box + SET_FILL) + 1)
    if load(box + SET_FILL) * 5 >= mask * 3:
        set_grow(ctx, box)
    return 0


def set_add_other(ctx: int, box: int, slot: int) -> int:
    """Add what a slot holds to a set that has it not, and of which nothing was removed."""
    set_insert_clean(load(box + SET_TABLE), load(box + SET_MASK), slot)
    store(box + SET_USED, load(box + SET_USED) + 1)
    fill = load(box + SET_FILL) + 1
    store(box + SET_FILL, fill)
    if fill * 5 >= load(box + SET_MASK) * 3:
        set_grow(ctx, box)
    return 0


def set_grow(ctx: int, box: int) -> int:
    """Give a set a table of the size that its items ask for."""
    used = load(box + SET_USED)
    set_resize(ctx, box, used * 2 if used > LARGE else used * 4)
    return 0


def set_resize(ctx: int, box: int, least: int) -> int:
    """Put the items into a new table of more than `least` slots."""
    size = 8
    while size <= least:
        size = size * 2
    table = take(ctx, SLOT_BYTES * size)
    clear(table, SLOT_BYTES * size)
    before = load(box + SET_TABLE)
    slots = load(box + SET_MASK) + 1
    for k in range(slots):
        slot = before + SLOT_BYTES * k
        if load(slot + SLOT_KIND) > 0:
            set_insert_clean(table, size - 1, slot)
    if slots > 8:  # else it is in a box
        give_back(ctx, before, SLOT_BYTES * slots)
    store(box + SET_TABLE, table)
    store(box + SET_MASK, size - 1)
    store(box + SET_FILL, load(box + SET_USED))
    return 0


def set_insert_clean(table: int, mask: int, slot: int) -> int:
    """Put what a slot holds into a table that has neither it nor slots whose item was removed."""
    perturb = load(slot)
    at = perturb & mask
    while True:
        probes = PROBES if at + PROBES <= mask else 0
        tried = table + SLOT_BYTES * at
        while probes >= 0:
            if load(tried + SLOT_KIND) == UNUSED:
                move(tried, slot, SLOT_BYTES)
                return 0
            tried = tried + SLOT_BYTES
            probes = probes - 1
        perturb = shr(perturb, 5)
        at = (at * 5 + 1 + perturb) & mask


def set_discard(ctx: int, box: int, kind: int, item: int) -> int:
    """`box.discard(item)`: whether it was there."""
    return set_discard_hashed(ctx, box, hash_of(ctx, kind, item), kind, item)


def set_discard_hashed(ctx: int, box: int, hash_: int, kind: int, item: int) -> int:
    """As `set_discard`, with the item's hash."""
    store(box + DIRTY, 1)
    slot = find_slot(ctx, box, hash_, kind, item)
    if slot == 0:
        return 0
    store(slot, -1)
    store(slot + SLOT_KIND, DUMMY)
    store(box + SET_USED, load(box + SET_USED) - 1)
    return 1


def set_next(box: int, number: int) -> int:
    """The number of the first slot from a number on that holds an item; -1 if there is none."""
    table = load(box + SET_TABLE)
    while number <= load(box + SET_MASK):
        if load(table + SLOT_BYTES * number + SLOT_KIND) > 0:
            return number
        number = number + 1
    return -1


def set_item_kind(box: int, number: int) -> int:
    """What kind of item a slot holds."""
    return load(load(box + SET_TABLE) + SLOT_BYTES * number + SLOT_KIND) - 1


def set_item(box: int, number: int) -> int:
    """The item that a slot holds."""
    return load(load(box + SET_TABLE) + SLOT_BYTES * number + SLOT_ITEM)


def set_popped(box: int) -> int:
    """The number of the slot whose item `box.pop()` takes, which the set must have; the item is removed, and can still
    be read."""
    table = load(box + SET_TABLE)
    mask = load(box + SET_MASK)
    number = load(box + SET_FINGER) & mask
    while load(table + SLOT_BYTES * number + SLOT_KIND) <= 0:
        number = number + 1
        if number > mask:
            number = 0
    return number


def set_remove_at(box: int, number: int) -> int:
    """Remove the item of a slot that `set_popped` gave."""
    store(box + DIRTY, 1)
    slot = load(box + SET_TABLE) + SLOT_BYTES * number
    store(slot, -1)
    store(slot + SLOT_KIND, DUMMY)
    store(box + SET_USED, load(box + SET_USED) - 1)
    store(box + SET_FINGER, number + 1)
    return 0


def set_slots(ctx: int, box: int) -> int:
    """A list of the items, in the order of the table."""
    made = list_new(ctx, LIST, load(box + SET_USED))
    table = load(box + SET_TABLE)
    for k in range(load(box + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        if load(slot + SLOT_KIND) > 0:
            list_append(ctx, made, load(slot + SLOT_KIND) - 1, load(slot + SLOT_ITEM))
    return made


def set_clear(ctx: int, box: int) -> int:
    """`box.clear()`."""
    store(box + DIRTY, 1)
    if load(box + SET_MASK) > 7:
        give_back(ctx, load(box + SET_TABLE), SLOT_BYTES * (load(box + SET_MASK) + 1))
    set_empty(box)
    return 0


def set_empty(box: int) -> int:
    """Have a set hold nothing, in the table that it has itself."""
    clear(box + SET_BYTES, 8 * SLOT_BYTES)
    store(box + SET_TABLE, box + SET_BYTES)
    store(box + SET_MASK, 7)
    store(box + SET_USED, 0)
    store(box + SET_FILL, 0)
    store(box + SET_FINGER, 0)
    return 0


def set_take(ctx: int, box: int, other: int) -> int:
    """Give a set what another one holds, which is not used any more."""
    set_clear(ctx, box)
    mask = load(other + SET_MASK)
    table = load(other + SET_TABLE)
    note_slots(ctx, box, table, mask)
    if mask > 7:
        store(box + SET_TABLE, table)
        store(box + SET_MASK, mask)
    else:
        move(box + SET_BYTES, table, 8 * SLOT_BYTES)
    store(box + SET_USED, load(other + SET_USED))
    store(box + SET_FILL, load(other + SET_FILL))
    store(box + SET_FINGER, load(other + SET_FINGER))
    set_empty(other)
    return 0


def note_slots(ctx: int, box: int, table: int, mask: int) -> int:
    """What a table holds has been put into a set."""
    for k in range(mask + 1):
        slot = table + SLOT_BYTES * k
        if load(slot + SLOT_KIND) > STR:  # one more than the kind
            note(ctx, box, load(slot + SLOT_ITEM))
    return 0


def set_update(ctx: int, box: int, other: int) -> int:
    """`box |= other` for a set."""
    store(box + DIRTY, 1)
    count = load(other + SET_USED)
    if other == box or count == 0:
        return 0
    if (load(box + SET_FILL) + count) * 5 >= load(box + SET_MASK) * 3:
        set_resize(ctx, box, (load(box + SET_USED) + count) * 2)
    mask = load(other + SET_MASK)
    source = load(other + SET_TABLE)
    table = load(box + SET_TABLE)
    if load(box + SET_FILL) == 0:
        note_slots(ctx, box, source, mask)
        store(box + SET_FILL, count)
        store(box + SET_USED, count)
        if load(box + SET_MASK) == mask and load(other + SET_FILL) == count:
            move(table, source, SLOT_BYTES * (mask + 1))
            return 0
        for k in range(mask + 1):
            slot = source + SLOT_BYTES * k
            if load(slot + SLOT_KIND) > 0:
                set_insert_clean(table, load(box + SET_MASK), slot)
        return 0
    for k in range(mask + 1):
        slot = source + SLOT_BYTES * k
        kind = load(slot + SLOT_KIND)
        if kind > 0:
            set_add_hashed(ctx, box, load(slot), kind - 1, load(slot + SLOT_ITEM))
    return 0


def set_update_by_keys(ctx: int, box: int, keys: int) -> int:
    """`box.update(keys)` for a dict."""
    count = load(keys + DICT_USED)
    if (load(box + SET_FILL) + count) * 5 >= load(box + SET_MASK) * 3:
        set_resize(ctx, box, (load(box + SET_USED) + count) * 2)
    for k in range(load(keys + DICT_COUNT)):
        entry = load(keys + DICT_ENTRIES) + ENTRY_BYTES * k
        kind = load(entry + ENTRY_KIND)
        if kind >= 0:
            key = load(entry + ENTRY_KEY)
            hash_ = hash_of(ctx, kind, key) if kind == STR or kind == TUPLE else load(entry)
            set_add_hashed(ctx, box, hash_, kind, key)
    return 0


def set_copy(ctx: int, other: int, kind: int) -> int:
    """A set of the same items."""
    box = set_new(ctx, kind)
    count = load(other + SET_USED)
    if count * 5 >= 21:  # the table that `set_update` gives it
        size = 16
        while size <= count * 2:
            size = size * 2
        table = take(ctx, SLOT_BYTES * size)
        store(box + SET_TABLE, table)
        store(box + SET_MASK, size - 1)
        if size - 1 != load(other + SET_MASK) or load(other + SET_FILL) != count:
            clear(table, SLOT_BYTES * size)
    set_update(ctx, box, other)
    return box


def set_union(ctx: int, a: int, b: int) -> int:
    """`a | b`."""
    box = set_copy(ctx, a, load(a))
    set_update(ctx, box, b)
    return box


def set_intersection(ctx: int, a: int, b: int) -> int:
    """`a & b`."""
    box = set_new(ctx, load(a))
    searched = a
    given = b
    if load(b + SET_USED) > load(a + SET_USED):
        searched = b
        given = a
    table = load(given + SET_TABLE)
    for k in range(load(given + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        kind = load(slot + SLOT_KIND)
        if kind > 0 and has_item(ctx, searched, load(slot), kind - 1, load(slot + SLOT_ITEM)):
            set_add_other(ctx, box, slot)
    return box


def set_difference_update(ctx: int, box: int, other: int) -> int:
    """`box -= other`."""
    if box == other:
        set_clear(ctx, box)
        return 0
    taken = other
    if load(other + SET_USED) >> 3 > load(box + SET_USED):
        taken = set_intersection(ctx, box, other)
    table = load(taken + SET_TABLE)
    for k in range(load(taken + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        kind = load(slot + SLOT_KIND)
        if kind > 0:
            set_discard_hashed(ctx, box, load(slot), kind - 1, load(slot + SLOT_ITEM))
    if load(box + SET_FILL) - load(box + SET_USED) > load(box + SET_MASK) // 4:
        set_grow(ctx, box)
    return 0


def set_difference(ctx: int, a: int, b: int) -> int:
    """`a - b`."""
    if load(a + SET_USED) >> 2 > load(b + SET_USED):
        box = set_copy(ctx, a, load(a))
        set_difference_update(ctx, box, b)
        return box
    box = set_new(ctx, load(a))
    table = load(a + SET_TABLE)
    for k in range(load(a + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        kind = load(slot + SLOT_KIND)
        if kind > 0 and not has_item(ctx, b, load(slot), kind - 1, load(slot + SLOT_ITEM)):
            set_add_other(ctx, box, slot)
    return box


def set_symmetric_update(ctx: int, box: int, other: int) -> int:
    """`box ^= other`."""
    if box == other:
        set_clear(ctx, box)
        return 0
    table = load(other + SET_TABLE)
    for k in range(load(other + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        kind = load(slot + SLOT_KIND)
        if kind > 0 and set_discard_hashed(ctx, box, load(slot), kind - 1, load(slot + SLOT_ITEM)) == 0:
            set_add_hashed(ctx, box, load(slot), kind - 1, load(slot + SLOT_ITEM))
    return 0


def set_symmetric_difference(ctx: int, a: int, b: int) -> int:
    """`a ^ b`."""
    box = set_copy(ctx, b, load(a))
    set_symmetric_update(ctx, box, a)
    return box


def set_is_disjoint(ctx: int, a: int, b: int) -> int:
    """`a.isdisjoint(b)`."""
    table = load(a + SET_TABLE)
    for k in range(load(a + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        kind = load(slot + SLOT_KIND)
        if kind > 0 and has_item(ctx, b, load(slot), kind - 1, load(slot + SLOT_ITEM)):
            return 0
    return 1
