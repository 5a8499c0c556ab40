"""Memory of a call's boxes, all of which is given back when the call has ended, and that of a loop's round when it has.

The word `HEAP` of the call's context is the address of the heap, or 0. Boxes are taken one behind the other from the
newest of its chunks (each begins with the address of the one before); arrays, which containers grow and give back, from
others. What a round of a loop takes is free again at its end (`round_end`), unless some of it has been put into a box
that is older than the round (`note`), or is carried into the next one.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.outside import allocate, free
from jitcore.backends.native.boxes.words import clear, less_unsigned, load, store

HEAP: Final[int] = 168
"""Where the heap's address is in the context."""
HEAP_BYTES: Final[int] = 496
FIRST_CHUNK: Final[int] = 1 << 12
LARGEST_CHUNK: Final[int] = 1 << 26
BEHIND: Final[int] = 16
"""Bytes behind the last box of a chunk: what reads a word's bytes may read past their end."""

FREE: Final[int] = 0
END: Final[int] = 8
CHUNK: Final[int] = 16
SIZE: Final[int] = 24
SINGLES: Final[int] = 32
"""Where in the heap: the table of strings of one character below 256, or 0."""
MADE: Final[int] = 40
"""How many bytes the chunks have in all."""
TAIL: Final[int] = 48
"""Where the string that was appended to last ends, and where its room does."""
TAIL_LIMIT: Final[int] = 56
CLASSES: Final[int] = 64
"""Where the lists of arrays that were given back begin: one for each power of 2, from 64 bytes on."""
LAST_CLASS: Final[int] = 39
ENTERED: Final[int] = 376
"""Where in the heap: the dict of the boxes of objects from outside, by their addresses, or 0."""
STRIPPED: Final[int] = 384
"""Where in the heap: the string whose characters were taken from an end last, and a bit for each below 256."""
CONSTANTS: Final[int] = 424
"""Where in the heap: the dict of the constant sets that were made, by where they are described."""
BEGIN: Final[int] = 432
"""Where in the heap: where the boxes of the newest chunk begin."""
LOWEST: Final[int] = 440
"""Where in the heap: the lowest address, in the newest chunk, of a box into which a newer one has been put in this
round; 0: some may be in older chunks."""
LAST: Final[int] = 448
"""Where in the heap: the container that was made last, or 0."""
ARRAYS: Final[int] = 456
"""Where in the heap: where the free part of the newest chunk of arrays begins, where it ends, and its size."""
ARRAYS_END: Final[int] = 464
ARRAYS_SIZE: Final[int] = 472
EPOCH: Final[int] = 480
"""Where in the heap: how often a round's boxes have been freed."""
NOTHING_KEPT: Final[int] = 9223372036854775807
BEFORE: Final[int] = 56
"""Of a container: the one that was made before it, or 0."""


# --- boxes


def heap_of(ctx: int) -> int:
    """The call's heap, made if there is none."""
    heap = load(ctx + HEAP)
    return heap if heap != 0 else make_heap(ctx)


def make_heap(ctx: int) -> int:
    """A heap in its first chunk."""
    chunk = allocate(ctx, FIRST_CHUNK)
    if chunk == 0:
        return -9223372036854775808
    heap = (chunk + 31) & -16
    clear(heap, HEAP_BYTES)
    store(ctx + HEAP, heap)
    store(heap + MADE, FIRST_CHUNK)
    store(chunk, 0)
    store(heap + CHUNK, chunk)
    store(heap + SIZE, FIRST_CHUNK)
    store(heap + BEGIN, heap + HEAP_BYTES)
    store(heap + FREE, heap + HEAP_BYTES)
    store(heap + END, (chunk + FIRST_CHUNK - BEHIND) & -16)
    store(heap + LOWEST, NOTHING_KEPT)
    return heap


def alloc(ctx: int, size: int) -> int:
    """The address of `size` new bytes, at a multiple of 16."""
    heap = load(ctx + HEAP)
    if heap != 0:
        found = load(heap + FREE)
        end = found + ((size + 15) & -16)
        if end <= load(heap + END) and end >= found:
            store(heap + FREE, end)
            return found
    return alloc_in_new_chunk(ctx, size)


def alloc_in_new_chunk(ctx: int, size: int) -> int:
    """As `alloc`, where the newest chunk has no room."""
    if size < 0 or size > 1 << 46:
        return -9223372036854775808
    heap = heap_of(ctx)
    room = (size + 15) & -16
    if load(heap + FREE) + room > load(heap + END):
        size_of_this = size_of_chunk(load(heap + SIZE), room)
        begin = new_chunk(ctx, heap, size_of_this)
        store(heap + SIZE, size_of_this)
        store(heap + BEGIN, begin)
        store(heap + FREE, begin)
        store(heap + END, (begin + size_of_this - 32 - BEHIND) & -16)
        store(heap + LOWEST, 0)
    found = load(heap + FREE)
    store(heap + FREE, found + room)
    return found


def size_of_chunk(before: int, room: int) -> int:
    """How large a chunk is made that must have room, after another."""
    size = before * 2
    if size > LARGEST_CHUNK:
        size = LARGEST_CHUNK
    wanted = room + 32 + BEHIND
    return size if size >= 2 * wanted else 2 * wanted


def new_chunk(ctx: int, heap: int, size: int) -> int:
    """A chunk of the heap: where it begins."""
    chunk = allocate(ctx, size)
    if chunk == 0:
        return -9223372036854775808
    store(heap + MADE, load(heap + MADE) + size)
    store(chunk, load(heap + CHUNK))
    store(heap + CHUNK, chunk)
    return (chunk + 31) & -16


def shorten(ctx: int, address: int, size: int, less: int) -> int:
    """What was taken last needs fewer bytes than it was given."""
    heap = load(ctx + HEAP)
    if address + ((size + 15) & -16) == load(heap + FREE):
        store(heap + FREE, address + ((less + 15) & -16))
    return 0


def container_new(ctx: int, size: int) -> int:
    """A container of zeros, whose arrays are given back with it."""
    box = alloc(ctx, size)
    clear(box, size)
    heap = load(ctx + HEAP)
    store(box + BEFORE, load(heap + LAST))
    store(heap + LAST, box)
    return box


# --- arrays


def class_of(size: int) -> int:
    """The number of the smallest power of 2 that is not less than a size, from 64 on."""
    found = 0
    while 64 << found < size:
        found = found + 1
    return found


def take(ctx: int, size: int) -> int:
    """The address of an array of `size` bytes, which may be one that was given back."""
    if size < 0 or size > 1 << 46:
        return -9223372036854775808
    number = class_of(size)
    heap = heap_of(ctx)
    if number < LAST_CLASS:
        place = heap + CLASSES + 8 * number
        found = load(place)
        if found != 0:
            store(place, load(found))
            return found
    room = 64 << number
    found = load(heap + ARRAYS)
    if found + room > load(heap + ARRAYS_END):
        size_of_this = size_of_chunk(load(heap + ARRAYS_SIZE), room)
        found = new_chunk(ctx, heap, size_of_this)
        store(heap + ARRAYS_SIZE, size_of_this)
        store(heap + ARRAYS_END, (found + size_of_this - 32 - BEHIND) & -16)
    store(heap + ARRAYS, found + room)
    return found


def give_back(ctx: int, address: int, size: int) -> int:
    """An array that `take` gave is not needed any more."""
    if size == 0 or address == 0:
        return 0
    number = class_of(size)
    if number < LAST_CLASS:
        place = load(ctx + HEAP) + CLASSES + 8 * number
        store(address, load(place))
        store(place, address)
    return 0


# --- rounds of loops


def note(ctx: int, box: int, held: int) -> int:
    """A box has been put into another."""
    heap = load(ctx + HEAP)
    if held >= load(heap + BEGIN) and held < load(heap + FREE):
        if box < load(heap + BEGIN) or box >= load(heap + FREE):
            store(heap + LOWEST, 0)
        elif box < held and box < load(heap + LOWEST):
            store(heap + LOWEST, box)
    return 0


def keep_word(ctx: int, word: int) -> int:
    """A word, which may be a box's address, has been put where boxes are not looked for."""
    heap = load(ctx + HEAP)
    if heap != 0 and word >= load(heap + BEGIN) and word < load(heap + FREE):
        store(heap + LOWEST, 0)
    return 0


def keep_all(ctx: int) -> int:
    """All that there is may be needed after the rounds that are running."""
    heap = load(ctx + HEAP)
    if heap != 0:
        store(heap + LOWEST, 0)
    return 0


def round_mark(heap: int) -> int:
    """Where the boxes of a round begin."""
    return load(heap + FREE)


def round_last(heap: int) -> int:
    """The last container that was made before a round."""
    return load(heap + LAST)


def round_lowest(heap: int) -> int:
    """What was noted before a round, in which nothing is so far."""
    before = load(heap + LOWEST)
    store(heap + LOWEST, NOTHING_KEPT)
    return before


def is_of_round(heap: int, mark: int, word: int) -> int:
    """Whether a word may be the address of a box that was made in a round."""
    return less_unsigned(word - mark, load(heap + FREE) - mark)


def either(one: int, two: int) -> int:
    """Whether one of two conditions holds."""
    return one | two


def free_heap(ctx: int) -> int:
    """Give all memory of a call's boxes back."""
    heap = load(ctx + HEAP)
    if heap == 0:
        return 0
    store(ctx + HEAP, 0)
    chunk = load(heap + CHUNK)
    while chunk != 0:
        before = load(chunk)
        free(ctx, chunk)
        chunk = before
    return 0


def own_context(ctx: int) -> int:
    """The address of the call's context."""
    return ctx


def same(word: int) -> int:
    """A word as it is: bits of one type as those of another."""
    return word
