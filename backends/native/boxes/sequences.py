"""Tuples, lists and deques: items of two words, the kind and the payload. Of a list's room, the part before the first
item serves what is put there."""

from __future__ import annotations

from jitcore.backends.native.boxes.comparing import (
    DIRTY,
    FLOAT,
    LENGTH,
    LIST_CAPACITY,
    LIST_ITEMS,
    LIST_START,
    STR,
    TUPLE,
    TUPLE_ITEMS,
    items_of,
    order,
    same_or_equal,
)
from jitcore.backends.native.boxes.memory import alloc, container_new, give_back, note, take
from jitcore.backends.native.boxes.words import float_less, load, move, store

# --- tuples


def tuple_new(ctx: int, length: int) -> int:
    """A tuple whose items are to be put in."""
    box = alloc(ctx, TUPLE_ITEMS + 16 * length)
    store(box, TUPLE)
    store(box + 8, 0)
    store(box + LENGTH, length)
    return box


def tuple_put(box: int, number: int, kind: int, value: int) -> int:
    """Put an item in."""
    at = box + TUPLE_ITEMS + 16 * number
    store(at, kind)
    store(at + 8, value)
    return 0


def tuple_kind(box: int, number: int) -> int:
    """What kind of item there is."""
    return load(box + TUPLE_ITEMS + 16 * number)


def tuple_item(box: int, number: int) -> int:
    """An item."""
    return load(box + TUPLE_ITEMS + 16 * number + 8)


def tuple_length(box: int) -> int:
    """`len(box)`."""
    return load(box + LENGTH)


def tuple_length_or_0(box: int) -> int:
    """`len(box)`, 0 where there is no tuple."""
    return 0 if box == 0 else load(box + LENGTH)


# --- lists


def list_new(ctx: int, kind: int, capacity: int) -> int:
    """An empty list or deque, with room for items."""
    box = container_new(ctx, 80)
    store(box, kind)
    if capacity > 0:
        store(box + LIST_ITEMS, take(ctx, 16 * capacity))
        store(box + LIST_CAPACITY, capacity)
    return box


def list_length(box: int) -> int:
    """`len(box)`."""
    return load(box + LENGTH)


def list_kind(box: int, number: int) -> int:
    """What kind of item there is."""
    return load(items_of(box) + 16 * number)


def list_item(box: int, number: int) -> int:
    """An item."""
    return load(items_of(box) + 16 * number + 8)


def list_put_box(ctx: int, box: int, number: int, kind: int, value: int) -> int:
    """Put another item in the place of one."""
    if kind >= STR:
        note(ctx, box, value)
    return list_put(box, number, kind, value)


def list_put(box: int, number: int, kind: int, value: int) -> int:
    """Put a number in the place of an item."""
    store(box + DIRTY, 1)
    at = items_of(box) + 16 * number
    store(at, kind)
    store(at + 8, value)
    return 0


def list_make_room(ctx: int, box: int, before: int, after: int) -> int:
    """Move the items so that there is room before the first and after the last."""
    length = load(box + LENGTH)
    first = load(box + LIST_START)
    if before == 0 and first > length + after:
        move(load(box + LIST_ITEMS), items_of(box), 16 * length)
        store(box + LIST_START, 0)
        return 0
    capacity = 2 * (length + before + after) + 6
    items = take(ctx, 16 * capacity)
    start = before * 2 if before > 0 else 0
    if before > 0:
        start = capacity - length - after - 2
    move(items + 16 * start, items_of(box), 16 * length)
    give_back(ctx, load(box + LIST_ITEMS), 16 * load(box + LIST_CAPACITY))
    store(box + LIST_ITEMS, items)
    store(box + LIST_START, start)
    store(box + LIST_CAPACITY, capacity)
    return 0


def list_append(ctx: int, box: int, kind: int, value: int) -> int:
    """`box.append(value)`."""
    if kind >= STR:
        note(ctx, box, value)
    store(box + DIRTY, 1)
    length = load(box + LENGTH)
    if load(box + LIST_START) + length == load(box + LIST_CAPACITY):
        list_make_room(ctx, box, 0, 1)
    at = items_of(box) + 16 * length
    store(at, kind)
    store(at + 8, value)
    store(box + LENGTH, length + 1)
    return 0


def list_append_left(ctx: int, box: int, kind: int, value: int) -> int:
    """`box.appendleft(value)`."""
    if kind >= STR:
        note(ctx, box, value)
    store(box + DIRTY, 1)
    if load(box + LIST_START) == 0:
        list_make_room(ctx, box, 1, 0)
    start = load(box + LIST_START) - 1
    store(box + LIST_START, start)
    store(box + LENGTH, load(box + LENGTH) + 1)
    at = items_of(box)
    store(at, kind)
    store(at + 8, value)
    return 0


def list_remove_at(box: int, number: int) -> int:
    """`del box[number]`, of an item that is there."""
    store(box + DIRTY, 1)
    length = load(box + LENGTH)
    store(box + LENGTH, length - 1)
    if number == 0:
        store(box + LIST_START, load(box + LIST_START) + 1)
        return 0
    at = items_of(box) + 16 * number
    move(at, at + 16, 16 * (length - number - 1))
    return 0


def list_insert(ctx: int, box: int, number: int, kind: int, value: int) -> int:
    """`box.insert(number, value)`."""
    if kind >= STR:
        note(ctx, box, value)
    store(box + DIRTY, 1)
    length = load(box + LENGTH)
    if number < 0:
        number = number + length
        if number < 0:
            number = 0
    if number > length:
        number = length
    if number == 0 and load(box + LIST_START) > 0:
        list_append_left(ctx, box, kind, value)
        return 0
    if load(box + LIST_START) + length == load(box + LIST_CAPACITY):
        list_make_room(ctx, box, 0, 1)
    at = items_of(box) + 16 * number
    move(at + 16, at, 16 * (length - number))
    store(at, kind)
    store(at + 8, value)
    store(box + LENGTH, length + 1)
    return 0


def note_items(ctx: int, box: int, items: int, count: int) -> int:
    """Values that lie at a place have been put into a box."""
    for k in range(count):
        if load(items + 16 * k) >= STR:
            note(ctx, box, load(items + 16 * k + 8))
    return 0


def list_extend(ctx: int, box: int, items: int, count: int) -> int:
    """Append items that lie at a place, which may be the list's own."""
    store(box + DIRTY, 1)
    length = load(box + LENGTH)
    note_items(ctx, box, items, count)
    is_own = items == items_of(box)
    if load(box + LIST_START) + length + count > load(box + LIST_CAPACITY):
        list_make_room(ctx, box, 0, count)
    move(items_of(box) + 16 * length, items_of(box) if is_own else items, 16 * count)
    store(box + LENGTH, length + count)
    return 0


def list_extend_by(ctx: int, box: int, other: int) -> int:
    """`box.extend(other)` for a list or deque."""
    list_extend(ctx, box, items_of(other), load(other + LENGTH))
    return 0


def list_extend_by_tuple(ctx: int, box: int, other: int) -> int:
    """`box.extend(other)` for a tuple."""
    list_extend(ctx, box, other + TUPLE_ITEMS, load(other + LENGTH))
    return 0


def list_clear(box: int) -> int:
    """`box.clear()`."""
    store(box + DIRTY, 1)
    store(box + LENGTH, 0)
    return 0


def list_copy(ctx: int, other: int) -> int:
    """`other.copy()`."""
    box = list_new(ctx, load(other), load(other + LENGTH))
    list_extend_by(ctx, box, other)
    return box


def list_slice(ctx: int, other: int, first: int, step: int, count: int) -> int:
    """Every step-th item from one on."""
    box = list_new(ctx, load(other), count)
    items = load(box + LIST_ITEMS)
    source = items_of(other) + 16 * first
    if step == 1:
        move(items, source, 16 * count)
    else:
        for k in range(count):
            move(items + 16 * k, source + 16 * step * k, 16)
    store(box + LENGTH, count)
    return box


def list_repeat(ctx: int, other: int, times: int) -> int:
    """`other * times`."""
    length = load(other + LENGTH)
    if times < 0 or length == 0:
        times = 0
    if times > 0 and times > (1 << 40) // length:
        return -9223372036854775808
    box = list_new(ctx, load(other), length * times)
    for k in range(times):
        move(load(box + LIST_ITEMS) + 16 * length * k, items_of(other), 16 * length)
    store(box + LENGTH, length * times)
    return box


def list_concat(ctx: int, a: int, b: int) -> int:
    """`a + b`."""
    box = list_new(ctx, load(a), load(a + LENGTH) + load(b + LENGTH))
    list_extend_by(ctx, box, a)
    list_extend_by(ctx, box, b)
    return box


def list_replace(ctx: int, box: int, first: int, count: int, other: int) -> int:
    """`box[first:first + count] = other`, a list."""
    store(box + DIRTY, 1)
    taken = other if other != box else list_copy(ctx, other)
    note_items(ctx, box, items_of(taken), load(taken + LENGTH))
    length = load(box + LENGTH)
    added = load(taken + LENGTH)
    if load(box + LIST_START) + length - count + added > load(box + LIST_CAPACITY):
        list_make_room(ctx, box, 0, added)
    at = items_of(box) + 16 * first
    move(at + 16 * added, at + 16 * count, 16 * (length - first - count))
    move(at, items_of(taken), 16 * added)
    store(box + LENGTH, length - count + added)
    return 0


def list_reverse(box: int) -> int:
    """`box.reverse()`."""
    store(box + DIRTY, 1)
    low = items_of(box)
    high = low + 16 * (load(box + LENGTH) - 1)
    while low < high:
        kind = load(low)
        value = load(low + 8)
        move(low, high, 16)
        store(high, kind)
        store(high + 8, value)
        low = low + 16
        high = high - 16
    return 0


def list_rotate(ctx: int, box: int, count: int) -> int:
    """`box.rotate(count)`."""
    store(box + DIRTY, 1)
    length = load(box + LENGTH)
    if length < 2:
        return 0
    count = count % length
    if count < 0:
        count = count + length
    other = list_copy(ctx, box)
    at = items_of(box)
    source = items_of(other)
    move(at, source + 16 * (length - count), 16 * count)
    move(at + 16 * count, source, 16 * (length - count))
    return 0


def items_find(ctx: int, items: int, first: int, end: int, kind: int, value: int) -> int:
    """The position of a value among items, from one position to another; -1 if it is not there."""
    for k in range(first, end):
        at = items + 16 * k
        if same_or_equal(ctx, load(at), load(at + 8), kind, value):
            return k
    return -1


def list_find(ctx: int, box: int, first: int, end: int, kind: int, value: int) -> int:
    """The position of a value in a list, from one position to another; -1 if it is not there."""
    return items_find(ctx, items_of(box), first, end, kind, value)


def list_count(ctx: int, box: int, kind: int, value: int) -> int:
    """`box.count(value)`."""
    found = 0
    for k in range(load(box + LENGTH)):
        at = items_of(box) + 16 * k
        if same_or_equal(ctx, load(at), load(at + 8), kind, value):
            found = found + 1
    return found


# --- sorting


def list_unordered(ctx: int, box: int) -> int:
    """The number of the first item (from 1 on) that has no order with the first; -1 if all have."""
    items = items_of(box)
    for k in range(1, load(box + LENGTH)):
        at = items + 16 * k
        if order(ctx, load(at), load(at + 8), load(items), load(items + 8)) == 3:
            return k
    return -1


def is_before(ctx: int, a: int, b: int, down: int) -> int:
    """Whether the item at `a` must come before that at `b`."""
    found = order(ctx, load(a), load(a + 8), load(b), load(b + 8))
    return found == 1 if down else found == -1


def list_sorted_positions(ctx: int, keys: int, down: int) -> int:
    """A list's positions in the order of its items, which is kept where they are equal: where such words begin."""
    length = load(keys + LENGTH)
    items = items_of(keys)
    places = alloc(ctx, 8 * length + 8)
    spare = alloc(ctx, 8 * length + 8)
    first = 0
    while first < length:
        end = first + 8 if first + 8 < length else length
        for k in range(first, end):
            at = k
            while at > first and is_before(ctx, items + 16 * k, items + 16 * load(places + 8 * (at - 1)), down):
                store(places + 8 * at, load(places + 8 * (at - 1)))
                at = at - 1
            store(places + 8 * at, k)
        first = end
    width = 8
    while width < length:
        first = 0
        while first < length:
            middle = first + width if first + width < length else length
            end = middle + width if middle + width < length else length
            one = first
            two = middle
            to = first
            while one < middle and two < end:
                x = load(places + 8 * one)
                y = load(places + 8 * two)
                if is_before(ctx, items + 16 * y, items + 16 * x, down):
                    store(spare + 8 * to, y)
                    two = two + 1
                else:
                    store(spare + 8 * to, x)
                    one = one + 1
                to = to + 1
            move(spare + 8 * to, places + 8 * one, 8 * (middle - one))
            to = to + middle - one
            move(spare + 8 * to, places + 8 * two, 8 * (end - two))
            first = end
        held = places
        places = spare
        spare = held
        width = width * 2
    return places


def list_sort(ctx: int, box: int, keys: int, down: int) -> int:
    """Sort a list by the items of another of the same length, or by its own."""
    store(box + DIRTY, 1)
    length = load(box + LENGTH)
    if length < 2:
        return 0
    places = list_sorted_positions(ctx, keys, down)
    other = list_copy(ctx, box)
    items = items_of(box)
    source = items_of(other)
    for k in range(length):
        move(items + 16 * k, source + 16 * load(places + 8 * k), 16)
    return 0


def list_bisect(ctx: int, box: int, kind: int, value: int, right: int) -> int:
    """Where a value belongs in a sorted list: after those that are equal, or before them."""
    low = 0
    high = load(box + LENGTH)
    items = items_of(box)
    while low < high:
        middle = (low + high) >> 1
        at = items + 16 * middle
        if right:
            if order(ctx, kind, value, load(at), load(at + 8)) == -1:
                high = middle
            else:
                low = middle + 1
        elif order(ctx, load(at), load(at + 8), kind, value) == -1:
            low = middle + 1
        else:
            high = middle
    return low


# --- heaps (`Lib/heapq.py` is the source of how items are moved)


def is_less(ctx: int, kind: int, a: int, other: int, b: int) -> int:
    """`a < b`; quickly for tuples that begin with floats."""
    if kind == TUPLE and other == TUPLE and load(a + LENGTH) > 0 and load(b + LENGTH) > 0:
        one = a + TUPLE_ITEMS
        two = b + TUPLE_ITEMS
        if load(one) == FLOAT and load(two) == FLOAT:
            if float_less(load(one + 8), load(two + 8)):
                return 1
            if float_less(load(two + 8), load(one + 8)):
                return 0
    return order(ctx, kind, a, other, b) == -1


def heap_less(ctx: int, a: int, b: int) -> int:
    """Whether the item at `a` is less than that at `b`."""
    return is_less(ctx, load(a), load(a + 8), load(b), load(b + 8))


def heap_sift_down(ctx: int, items: int, first: int, number: int) -> int:
    """Move an item towards the root until its parent is not greater."""
    kind = load(items + 16 * number)
    value = load(items + 16 * number + 8)
    while number > first:
        parent = (number - 1) >> 1
        at = items + 16 * parent
        if not is_less(ctx, kind, value, load(at), load(at + 8)):
            break
        move(items + 16 * number, at, 16)
        number = parent
    store(items + 16 * number, kind)
    store(items + 16 * number + 8, value)
    return 0


def heap_sift_up(ctx: int, items: int, end: int, number: int) -> int:
    """Move the smaller children up, down to a leaf, and the item from there to where it belongs."""
    first = number
    kind = load(items + 16 * number)
    value = load(items + 16 * number + 8)
    child = 2 * number + 1
    while child < end:
        right = child + 1
        if right < end and not heap_less(ctx, items + 16 * child, items + 16 * right):
            child = right
        move(items + 16 * number, items + 16 * child, 16)
        number = child
        child = 2 * number + 1
    store(items + 16 * number, kind)
    store(items + 16 * number + 8, value)
    heap_sift_down(ctx, items, first, number)
    return 0


def heap_push(ctx: int, box: int, kind: int, value: int) -> int:
    """`heappush(box, value)`."""
    list_append(ctx, box, kind, value)
    heap_sift_down(ctx, items_of(box), 0, load(box + LENGTH) - 1)
    return 0


def heap_pop(ctx: int, box: int) -> int:
    """`heappop(box)` of a heap that has items: the smallest is put behind the last, where it can still be read."""
    store(box + DIRTY, 1)
    length = load(box + LENGTH) - 1
    items = items_of(box)
    last = items + 16 * length
    kind = load(last)
    value = load(last + 8)
    move(last, items, 16)
    store(box + LENGTH, length)
    if length > 0:
        store(items, kind)
        store(items + 8, value)
        heap_sift_up(ctx, items, length, 0)
    return 0


def heap_fix_root(ctx: int, box: int) -> int:
    """Move the first item, which is new there, to where it belongs."""
    store(box + DIRTY, 1)
    heap_sift_up(ctx, items_of(box), load(box + LENGTH), 0)
    return 0


def heap_make(ctx: int, box: int) -> int:
    """`heapify(box)`."""
    store(box + DIRTY, 1)
    length = load(box + LENGTH)
    number = (length >> 1) - 1
    while number >= 0:
        heap_sift_up(ctx, items_of(box), length, number)
        number = number - 1
    return 0
