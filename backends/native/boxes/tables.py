"""Dicts: entries in the order in which their keys came, and an index of them by hash."""

from __future__ import annotations

from jitcore.backends.native.boxes.comparing import (
    DEQUE,
    DICT,
    DICT_ASKED,
    DICT_ASKED_KIND,
    DICT_ASKED_NUMBER,
    DICT_BYTES,
    DICT_CAPACITY,
    DICT_CHANGES,
    DICT_COUNT,
    DICT_ENTRIES,
    DICT_FIRST,
    DICT_INDEX,
    DICT_MASK,
    DICT_USED,
    DIRTY,
    ENTRY_BYTES,
    ENTRY_KEY,
    ENTRY_KIND,
    ENTRY_VALUE,
    ENTRY_VALUE_KIND,
    FLOAT,
    INDEX_BYTES,
    LENGTH,
    LIST,
    NP_FLOAT64,
    STR,
    TUPLE,
    TUPLE_ITEMS,
    find_entry,
    hash_of_key,
    is_dict,
    items_of,
)
from jitcore.backends.native.boxes.memory import EPOCH, HEAP, container_new, give_back, heap_of, keep_all, note, take
from jitcore.backends.native.boxes.words import clear, float_equal, load, move, shr, store


def dict_new(ctx: int) -> int:
    """`{}`."""
    box = container_new(ctx, DICT_BYTES)
    store(box, DICT)
    return box


def dict_of_heap(ctx: int, place: int) -> int:
    """The dict at a place of the heap, which stays until the call ends; made if there is none."""
    heap = heap_of(ctx)
    known = load(heap + place)
    if known == 0:
        known = dict_new(ctx)
        store(heap + place, known)
        keep_all(ctx)
    return known


def dict_length(box: int) -> int:
    """`len(box)`."""
    return load(box + DICT_USED)


def dict_find(ctx: int, box: int, kind: int, key: int) -> int:
    """The number of a key's entry; -1 if it has none."""
    if load(box + DICT_ASKED) == key and load(box + DICT_ASKED_KIND) == asked_kind(ctx, kind):
        return load(box + DICT_ASKED_NUMBER)
    if load(box + DICT_USED) == 0:
        return -1
    found = find_entry(ctx, box, hash_of_key(ctx, kind, key), kind, key)
    if found >= 0:
        dict_note_asked(ctx, box, kind, key, found)
    return found


def asked_kind(ctx: int, kind: int) -> int:
    """A kind, and as long as what key: addresses serve again when a round has ended."""
    return kind + 1 + 64 * load(load(ctx + HEAP) + EPOCH)


def dict_note_asked(ctx: int, box: int, kind: int, key: int, number: int) -> int:
    """A key was found at an entry, and may be asked for again."""
    store(box + DICT_ASKED_KIND, asked_kind(ctx, kind))
    store(box + DICT_ASKED, key)
    store(box + DICT_ASKED_NUMBER, number)
    return 0


def dict_key_kind(box: int, number: int) -> int:
    """What kind of key an entry has."""
    return load(load(box + DICT_ENTRIES) + ENTRY_BYTES * number + ENTRY_KIND)


def dict_key(box: int, number: int) -> int:
    """The key of an entry."""
    return load(load(box + DICT_ENTRIES) + ENTRY_BYTES * number + ENTRY_KEY)


def dict_value_kind(box: int, number: int) -> int:
    """What kind of value an entry has."""
    return load(load(box + DICT_ENTRIES) + ENTRY_BYTES * number + ENTRY_VALUE_KIND)


def dict_value(box: int, number: int) -> int:
    """The value of an entry."""
    return load(load(box + DICT_ENTRIES) + ENTRY_BYTES * number + ENTRY_VALUE)


def dict_put_value(ctx: int, box: int, number: int, kind: int, value: int) -> int:
    """Give an entry another value."""
    if kind >= STR:
        note(ctx, box, value)
    store(box + DIRTY, 1)
    entry = load(box + DICT_ENTRIES) + ENTRY_BYTES * number
    store(entry + ENTRY_VALUE_KIND, kind)
    store(entry + ENTRY_VALUE, value)
    return 0


def dict_set(ctx: int, box: int, kind: int, key: int, value_kind: int, value: int) -> int:
    """`box[key] = value`: the number of the entry."""
    if load(box + DICT_ASKED) == key and load(box + DICT_ASKED_KIND) == asked_kind(ctx, kind):
        found = load(box + DICT_ASKED_NUMBER)
        dict_put_value(ctx, box, found, value_kind, value)
        return found
    return dict_set_hashed(ctx, box, hash_of_key(ctx, kind, key), kind, key, value_kind, value)


def dict_set_hashed(ctx: int, box: int, hash_: int, kind: int, key: int, value_kind: int, value: int) -> int:
    """As `dict_set`, with the key's hash."""
    found = find_entry(ctx, box, hash_, kind, key)
    if found >= 0:
        dict_put_value(ctx, box, found, value_kind, value)
        return found
    if kind >= STR:
        note(ctx, box, key)
    if value_kind >= STR:
        note(ctx, box, value)
    store(box + DIRTY, 1)
    count = load(box + DICT_COUNT)
    if count == load(box + DICT_CAPACITY):
        dict_make_room(ctx, box)
        count = load(box + DICT_COUNT)
    entry = load(box + DICT_ENTRIES) + ENTRY_BYTES * count
    store(entry, hash_)
    store(entry + ENTRY_KIND, kind)
    store(entry + ENTRY_KEY, key)
    store(entry + ENTRY_VALUE_KIND, value_kind)
    store(entry + ENTRY_VALUE, value)
    store(box + DICT_COUNT, count + 1)
    store(box + DICT_USED, load(box + DICT_USED) + 1)
    store(box + DICT_CHANGES, load(box + DICT_CHANGES) + 1)
    dict_put_index(box, hash_, count)
    dict_note_asked(ctx, box, kind, key, count)
    return count


def dict_put_index(box: int, hash_: int, number: int) -> int:
    """Write down where an entry is found."""
    index = load(box + DICT_INDEX)
    mask = load(box + DICT_MASK)
    perturb = hash_
    at = hash_ & mask
    while load(index + INDEX_BYTES * at) & 0xFFFFFFFF > 1:
        perturb = shr(perturb, 5)
        at = (at * 5 + perturb + 1) & mask
    store(index + INDEX_BYTES * at, (hash_ & ~0xFFFFFFFF) | (number + 2))
    return 0


def dict_make_room(ctx: int, box: int) -> int:
    """Entries without those that were deleted, where there is room for more, and an index of them."""
    used = load(box + DICT_USED)
    capacity = capacity_of(load(box + DICT_MASK) + 1)
    if load(box + DICT_INDEX) != 0 and used * 2 <= load(box + DICT_CAPACITY):
        dict_close_up(box)
        return 0
    size = 8
    while size * 2 <= used * 6:
        size = size * 2
    store(box + DICT_ASKED_KIND, 0)
    new_capacity = capacity_of(size)
    entries = take(ctx, ENTRY_BYTES * new_capacity)
    index = take(ctx, INDEX_BYTES * size)
    before = load(box + DICT_ENTRIES)
    dict_move_entries(entries, before, load(box + DICT_COUNT))
    if load(box + DICT_INDEX) != 0:
        give_back(ctx, before, ENTRY_BYTES * capacity)
        give_back(ctx, load(box + DICT_INDEX), INDEX_BYTES * (load(box + DICT_MASK) + 1))
    store(box + DICT_ENTRIES, entries)
    store(box + DICT_INDEX, index)
    store(box + DICT_MASK, size - 1)
    dict_make_index(box)
    return 0


def capacity_of(size: int) -> int:
    """How many entries an index of a size is for."""
    return size * 2 // 3


def dict_move_entries(to: int, source: int, count: int) -> int:
    """Move the entries that were not deleted."""
    for k in range(count):
        entry = source + ENTRY_BYTES * k
        if load(entry + ENTRY_KIND) >= 0:
            move(to, entry, ENTRY_BYTES)
            to = to + ENTRY_BYTES
    return 0


def dict_close_up(box: int) -> int:
    """Move the entries together where others were deleted."""
    store(box + DICT_ASKED_KIND, 0)
    entries = load(box + DICT_ENTRIES)
    dict_move_entries(entries, entries, load(box + DICT_COUNT))
    dict_make_index(box)
    return 0


def dict_make_index(box: int) -> int:
    """Index entries that lie together."""
    used = load(box + DICT_USED)
    entries = load(box + DICT_ENTRIES)
    clear(load(box + DICT_INDEX), INDEX_BYTES * (load(box + DICT_MASK) + 1))
    store(box + DICT_COUNT, used)
    store(box + DICT_CAPACITY, capacity_of(load(box + DICT_MASK) + 1))
    store(box + DICT_FIRST, 0)
    for k in range(used):
        dict_put_index(box, load(entries + ENTRY_BYTES * k), k)
    return 0


def dict_delete(ctx: int, box: int, kind: int, key: int) -> int:
    """Delete a key: whether it was there."""
    found = dict_find(ctx, box, kind, key)
    if found < 0:
        return 0
    dict_delete_entry(box, found)
    return 1


def dict_delete_entry(box: int, number: int) -> int:
    """Delete an entry."""
    store(box + DIRTY, 1)
    store(box + DICT_ASKED_KIND, 0)
    entry = load(box + DICT_ENTRIES) + ENTRY_BYTES * number
    index = load(box + DICT_INDEX)
    mask = load(box + DICT_MASK)
    perturb = load(entry)
    at = perturb & mask
    while load(index + INDEX_BYTES * at) & 0xFFFFFFFF != number + 2:
        perturb = shr(perturb, 5)
        at = (at * 5 + perturb + 1) & mask
    store(index + INDEX_BYTES * at, 1)
    store(entry + ENTRY_KIND, -1)
    store(box + DICT_USED, load(box + DICT_USED) - 1)
    store(box + DICT_CHANGES, load(box + DICT_CHANGES) + 1)
    count = load(box + DICT_COUNT)
    if number == load(box + DICT_FIRST):
        while number < count and dict_key_kind(box, number) < 0:
            number = number + 1
        store(box + DICT_FIRST, number)
    elif number == count - 1:
        while dict_key_kind(box, count - 1) < 0:
            count = count - 1
        # the index has still what found them: they are not to be put anew as often as one likes
        store(box + DICT_CAPACITY, load(box + DICT_CAPACITY) - (load(box + DICT_COUNT) - count))
        store(box + DICT_COUNT, count)
    return 0


def dict_next(box: int, number: int) -> int:
    """The number of the first entry from a number on; -1 if there is none."""
    count = load(box + DICT_COUNT)
    while number < count:
        if load(load(box + DICT_ENTRIES) + ENTRY_BYTES * number + ENTRY_KIND) >= 0:
            return number
        number = number + 1
    return -1


def dict_last(box: int) -> int:
    """The number of the last entry; -1 if there is none."""
    number = load(box + DICT_COUNT) - 1
    while number >= 0:
        if load(load(box + DICT_ENTRIES) + ENTRY_BYTES * number + ENTRY_KIND) >= 0:
            return number
        number = number - 1
    return -1


def dict_changes(box: int) -> int:
    """How often keys came and went."""
    return load(box + DICT_CHANGES)


def dict_make_dense(box: int) -> int:
    """Number the entries without gaps: the first number."""
    if load(box + DICT_COUNT) - load(box + DICT_FIRST) != load(box + DICT_USED):
        dict_close_up(box)
    return load(box + DICT_FIRST)


def dict_clear(box: int) -> int:
    """`box.clear()`."""
    store(box + DIRTY, 1)
    store(box + DICT_ASKED_KIND, 0)
    clear(box + DICT_USED, 48)
    store(box + DICT_CHANGES, load(box + DICT_CHANGES) + 1)
    store(box + DICT_FIRST, 0)
    return 0


def dict_update(ctx: int, box: int, other: int) -> int:
    """`box.update(other)` for a dict."""
    for k in range(load(other + DICT_COUNT)):
        entry = load(other + DICT_ENTRIES) + ENTRY_BYTES * k
        kind = load(entry + ENTRY_KIND)
        if kind >= 0:
            value_kind = load(entry + ENTRY_VALUE_KIND)
            key = load(entry + ENTRY_KEY)
            dict_set_hashed(ctx, box, load(entry), kind, key, value_kind, load(entry + ENTRY_VALUE))
    return 0


def dict_copy(ctx: int, other: int) -> int:
    """`other.copy()`."""
    box = dict_new(ctx)
    dict_update(ctx, box, other)
    return box


def has_nan(kind: int, value: int, of_python: int, depth: int) -> int:
    """Whether a value is a NaN of NumPy's (or of Python's, where it is asked), or has one in it where keys have none; 1
    for what is too deep to look."""
    if kind >= NP_FLOAT64 or (of_python and kind == FLOAT):
        return not float_equal(value, value)
    if depth > 12:
        return 1
    if kind == TUPLE or kind == LIST or kind == DEQUE:
        items = value + TUPLE_ITEMS if kind == TUPLE else items_of(value)
        for k in range(load(value + LENGTH)):
            if has_nan(load(items + 16 * k), load(items + 16 * k + 8), of_python, depth + 1):
                return 1
    if is_dict(kind):
        for k in range(load(value + DICT_COUNT)):
            entry = load(value + DICT_ENTRIES) + ENTRY_BYTES * k
            if load(entry + ENTRY_KIND) >= 0:
                if has_nan(load(entry + ENTRY_VALUE_KIND), load(entry + ENTRY_VALUE), of_python, depth + 1):
                    return 1
    return 0
