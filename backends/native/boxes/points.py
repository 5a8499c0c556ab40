"""Code points of strings: a byte each where all of a string's are below 256, else 32 bits each."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.outside import find_byte, hash_of_bytes, same_bytes
from jitcore.backends.native.boxes.words import (
    fold,
    load,
    load8,
    load32,
    load32_any,
    load_any,
    move,
    shr,
    store8,
    store16,
    store32,
)

WIDTH: Final[int] = 0
"""Of a str: 0 where a code point has a byte, 2 where it has four; so far its number is moved for the place."""
KEPT_HASH: Final[int] = 8
"""Of a str, tuple or frozenset: its hash, or 0 while it was not asked for."""
LENGTH: Final[int] = 16
STR_DATA: Final[int] = 24
"""Of a str: where its code points begin, from the box on."""
STR_POINTS: Final[int] = 32
"""Where they do in a box that has them itself."""

HIGH_BITS: Final[int] = -0x7F7F7F7F7F7F7F80
"""The highest bit of each byte of a word."""
NARROW: Final[int] = 0
WIDE: Final[int] = 2
QUICK_PRIME: Final[int] = 0x9E3779B97F4A7C15 - (1 << 64)


def points_of(box: int) -> int:
    """Where a string's code points are."""
    return box + load(box + STR_DATA)


def point(data: int, width: int, number: int) -> int:
    """A code point; what lies behind it is read with it."""
    return load32_any(data + (number << width)) & (255 | -(width >> 1))


def put_point(data: int, width: int, number: int, code: int) -> int:
    """Put a code point in, which fits."""
    if width == NARROW:
        store8(data + number, code)
    else:
        store32(data + 4 * number, code)
    return 0


def copy_points(to: int, wanted: int, data: int, width: int, count: int) -> int:
    """Copy code points, into others of the width `wanted`, where they fit."""
    if wanted == width:
        move(to, data, count << width)
    elif wanted == WIDE:
        for k in range(count):
            store32(to + 4 * k, load8(data + k))
    else:
        for k in range(count):
            store8(to + k, load32(data + 4 * k))
    return 0


def bits_of_points(data: int, count: int) -> int:
    """The bits that any of some wide code points has."""
    found = 0
    for k in range(count):
        found = found | load32(data + 4 * k)
    return found


def hash_of_points(data: int, width: int, count: int, room: int) -> int:
    """Python's own hash, of the narrowest of its representations; `room`: for 2 bytes each."""
    if width == NARROW:
        return hash_of_bytes(data, count)
    if bits_of_points(data, count) > 65535:
        return hash_of_bytes(data, 4 * count)
    for k in range(count):
        store16(room + 2 * k, load32(data + 4 * k))
    return hash_of_bytes(room, 2 * count)


def quick_hash(data: int, size: int, seed: int) -> int:
    """A hash of bytes, of which a word lies before them: products of 128 bits are folded, as in wyhash."""
    made = seed ^ size
    while size >= 8:
        made = fold(made ^ load_any(data), QUICK_PRIME)
        data = data + 8
        size = size - 8
    if size > 0:
        made = fold(made ^ shr(load_any(data + size - 8), 64 - 8 * size), QUICK_PRIME)
    return made


def equal_bytes(a: int, b: int, size: int) -> int:
    """Whether bytes at two places, of which a word lies before each, are the same."""
    if size > 64:
        return same_bytes(a, b, size)
    while size >= 8:
        if load_any(a) != load_any(b):
            return 0
        a = a + 8
        b = b + 8
        size = size - 8
    return size == 0 or ((load_any(a + size - 8) ^ load_any(b + size - 8)) >> (64 - 8 * size)) == 0


def equal_points(a: int, width: int, b: int, other: int, count: int) -> int:
    """Whether code points at two places are the same."""
    if width == other:
        return equal_bytes(a, b, count << width)
    for k in range(count):
        if point(a, width, k) != point(b, other, k):
            return 0
    return 1


def points_find(data: int, width: int, first: int, end: int, sought: int, other: int, count: int) -> int:
    """Where code points are found, wholly between two positions; -1 if they are not."""
    if count == 0:
        return first if first <= end else -1
    if other > width:
        return -1
    last = end - count
    start = point(sought, other, 0)
    k = first
    while k <= last:
        if width == NARROW:
            found = find_byte(data + k, last + 1 - k, start)
            if found < 0:
                return -1
            k = k + found
        if point(data, width, k) == start:
            if count == 1 or equal_points(data + (k << width), width, sought, other, count):
                return k
        k = k + 1
    return -1


def points_find_last(data: int, width: int, first: int, end: int, sought: int, other: int, count: int) -> int:
    """As `points_find`, from the end."""
    if other > width and count > 0:
        return -1
    k = end - count
    while k >= first:
        if equal_points(data + (k << width), width, sought, other, count):
            return k
        k = k - 1
    return -1
