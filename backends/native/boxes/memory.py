"""Memory of a call's boxes: taken piece by piece from chunks, all of which are given back when the call has ended.

The word `HEAP` of the call's context is the address of the heap, or 0: where the free part of the newest chunk begins
and ends, the newest chunk (each begins with the address of the one before) and its size.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.outside import allocate, free
from jitcore.backends.native.boxes.words import clear, load, store

HEAP: Final[int] = 168
"""Where the heap's address is in the context."""
HEAP_BYTES: Final[int] = 448
FIRST_CHUNK: Final[int] = 1 << 12
LARGEST_CHUNK: Final[int] = 1 << 20

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
ENTERED: Final[int] = 376
"""Where in the heap: the dict of the boxes of objects from outside, by their addresses, or 0."""
CONSTANTS: Final[int] = 424
"""Where in the heap: the dict of the constant sets that were made, by where they are described."""
CLASSES: Final[int] = 64
"""Where the lists of arrays that were given back begin: one for each power of 2, from 64 bytes on."""
LAST_CLASS: Final[int] = 39
STRIPPED: Final[int] = 384
"""Where in the heap: the string whose characters were taken from an end last, and a bit for each below 256."""


def alloc(ctx: int, size: int) -> int:
    """The address of `size` new bytes, at a multiple of 16."""
    heap = load(ctx + HEAP)
    if heap != 0:
        found = load(heap + FREE)
        end = found + ((size + 15) & -16)
        if end <= load(heap + END):
            store(heap + FREE, end)
            return found
    return alloc_in_new_chunk(ctx, size)


def alloc_in_new_chunk(ctx: int, size: int) -> int:
    """As `alloc`, where the newest chunk has no room."""
    room = (size + 15) & -16
    if size < 0 or size > 1 << 46:
        return -9223372036854775808
    heap = load(ctx + HEAP)
    chunk_size = FIRST_CHUNK
    if heap != 0:
        chunk_size = load(heap + SIZE) * 2
        if chunk_size > LARGEST_CHUNK:
            chunk_size = LARGEST_CHUNK
    wanted = room + HEAP_BYTES + 32 + BEHIND
    single = 0
    if wanted > chunk_size:
        if heap != 0 and wanted > LARGEST_CHUNK:
            single = 1
        size_of_this = wanted
    else:
        size_of_this = chunk_size
    chunk = allocate(ctx, size_of_this)
    if chunk == 0:
        return -9223372036854775808
    begin = (chunk + 31) & -16
    if heap == 0:
        heap = begin
        begin = begin + HEAP_BYTES
        clear(heap, HEAP_BYTES)
        store(ctx + HEAP, heap)
    store(heap + MADE, load(heap + MADE) + size_of_this)
    store(chunk, load(heap + CHUNK))
    store(heap + CHUNK, chunk)
    if single != 0:
        return begin
    store(heap + SIZE, size_of_this)
    store(heap + FREE, begin + room)
    store(heap + END, (chunk + size_of_this - BEHIND) & -16)
    return begin


def shorten(ctx: int, address: int, size: int, less: int) -> int:
    """What was taken last needs fewer bytes than it was given."""
    heap = load(ctx + HEAP)
    if address + ((size + 15) & -16) == load(heap + FREE):
        store(heap + FREE, address + ((less + 15) & -16))
    return 0


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
    heap = load(ctx + HEAP)
    if heap != 0 and number < LAST_CLASS:
        place = heap + CLASSES + 8 * number
        found = load(place)
        if found != 0:
            store(place, load(found))
            return found
    return alloc(ctx, 64 << number)


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


def own_context(ctx: int) -> int:
    """The address of the call's context."""
    return ctx


def same(word: int) -> int:
    """A word as it is: bits of one type as those of another."""
    return word


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
