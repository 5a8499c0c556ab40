"""What strings are made of, and their letters in other cases."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.letters import (
    FOLDED,
    IS_CASED,
    IS_IGNORABLE,
    IS_LOWER,
    IS_PRINTABLE,
    IS_TITLE,
    IS_UPPER,
    LOWER_CASE,
    TITLE_CASE,
    UPPER_CASE,
    character,
)
from jitcore.backends.native.boxes.memory import shorten
from jitcore.backends.native.boxes.points import (
    HIGH_BITS,
    LENGTH,
    NARROW,
    STR_POINTS,
    WIDE,
    WIDTH,
    bits_of_points,
    copy_points,
    point,
    points_of,
)
from jitcore.backends.native.boxes.texts import text_new
from jitcore.backends.native.boxes.words import load, load32, load_any, shr, store, store8, store32

EACH_BYTE: Final[int] = 0x0101010101010101


def text_all(box: int, flag: int) -> int:
    """Whether there are characters and all are of a kind."""
    length = load(box + LENGTH)
    data = points_of(box)
    width = load(box + WIDTH)
    for k in range(length):
        if not load32(character(point(data, width, k))) & flag:
            return 0
    return length > 0


def code_is(code: int, flag: int) -> int:
    """Whether a character is of a kind."""
    return (load32(character(code)) & flag) != 0


def text_is_printable(box: int) -> int:
    """`box.isprintable()`."""
    return load(box + LENGTH) == 0 or text_all(box, IS_PRINTABLE)


def text_is_identifier(box: int, start: int, others: int) -> int:
    """`box.isidentifier()`, by the flags of its first character and of the others."""
    length = load(box + LENGTH)
    data = points_of(box)
    width = load(box + WIDTH)
    if length == 0 or not load32(character(point(data, width, 0))) & start:
        return 0
    for k in range(1, length):
        if not load32(character(point(data, width, k))) & others:
            return 0
    return 1


def text_is_ascii(box: int) -> int:
    """`box.isascii()`."""
    data = points_of(box)
    width = load(box + WIDTH)
    for k in range(load(box + LENGTH)):
        if point(data, width, k) > 127:
            return 0
    return 1


def text_is_case(box: int, wanted: int, others: int) -> int:
    """Whether no character is of the kinds `others`, and one is of the kind `wanted`."""
    data = points_of(box)
    width = load(box + WIDTH)
    found = 0
    for k in range(load(box + LENGTH)):
        flags = load32(character(point(data, width, k)))
        if flags & others:
            return 0
        if flags & wanted:
            found = 1
    return found


def text_is_title(box: int) -> int:
    """`box.istitle()`."""
    data = points_of(box)
    width = load(box + WIDTH)
    found = 0
    after_cased = 0
    for k in range(load(box + LENGTH)):
        flags = load32(character(point(data, width, k)))
        if flags & (IS_UPPER | IS_TITLE):
            if after_cased:
                return 0
            after_cased = 1
            found = 1
        elif flags & IS_LOWER:
            if not after_cased:
                return 0
            found = 1
        else:
            after_cased = 0
    return found


def is_final_sigma(data: int, width: int, length: int, number: int) -> int:
    """Whether a capital sigma ends a word: a cased character before it and none after it, but for those ignored."""
    at = number - 1
    while at >= 0 and load32(character(point(data, width, at))) & IS_IGNORABLE:
        at = at - 1
    if at < 0 or not load32(character(point(data, width, at))) & IS_CASED:
        return 0
    at = number + 1
    while at < length and load32(character(point(data, width, at))) & IS_IGNORABLE:
        at = at + 1
    return at >= length or not load32(character(point(data, width, at))) & IS_CASED


def text_cased(ctx: int, box: int, way: int) -> int:
    """`upper()` (1), `lower()` (2), `title()` (3), `capitalize()` (4), `swapcase()` (5), `casefold()` (6)."""
    if way == 1 or way == 2 or way == 6:
        made = text_cased_ascii(ctx, box, 97 if way == 1 else 65)
        if made != 0:
            return made
    length = load(box + LENGTH)
    data = points_of(box)
    width = load(box + WIDTH)
    made = text_new(ctx, 3 * length, WIDE)
    to = made + STR_POINTS
    after_cased = 0
    for k in range(length):
        code = point(data, width, k)
        known = character(code)
        flags = load32(known)
        which = UPPER_CASE
        if way == 2 or (way == 4 and k > 0) or (way == 3 and after_cased) or (way == 5 and flags & IS_UPPER):
            which = LOWER_CASE
        elif way == 3 or way == 4:
            which = TITLE_CASE
        elif way == 6:
            which = FOLDED
        elif way == 5 and not flags & IS_LOWER:
            which = 0
        after_cased = flags & IS_CASED
        if which == 0:
            store32(to, code)
            to = to + 4
        elif which == LOWER_CASE and code == 931:
            store32(to, 962 if is_final_sigma(data, width, length, k) else 963)
            to = to + 4
        else:
            for place in range(load32(known + which)):
                store32(to, load32(known + which + 4 + 4 * place))
                to = to + 4
    count = (to - made - STR_POINTS) >> 2
    store(made + LENGTH, count)
    if bits_of_points(made + STR_POINTS, count) < 256:
        copy_points(made + STR_POINTS, NARROW, made + STR_POINTS, WIDE, count)
        store(made + WIDTH, NARROW)
        to = made + STR_POINTS + count
    shorten(ctx, made, STR_POINTS + 12 * length, to - made)
    return made


def text_cased_ascii(ctx: int, box: int, first: int) -> int:
    """A string with the 26 letters from `first` on in the other case; 0 if it is not of ASCII alone."""
    if load(box + WIDTH) != NARROW:
        return 0
    length = load(box + LENGTH)
    data = points_of(box)
    bits = 0
    changed = 0
    above = 128 - first
    for k in range(length >> 3):
        word = load_any(data + 8 * k)
        bits = bits | word
        changed = changed | letters_of(word, above)
    rest = length & 7
    last = 0
    if rest > 0:
        last = shr(load_any(data + length - 8), 64 - 8 * rest)
        changed = changed | letters_of(last, above)
    if (bits | last) & HIGH_BITS != 0:
        return 0
    if changed == 0:
        return box
    made = text_new(ctx, length, NARROW)
    to = made + STR_POINTS
    for k in range(length >> 3):
        word = load_any(data + 8 * k)
        store(to + 8 * k, word ^ shr(letters_of(word, above), 2))
    last = last ^ shr(letters_of(last, above), 2)
    to = to + (length & -8)
    for k in range(rest):
        store8(to + k, last >> (8 * k))
    return made


def letters_of(word: int, above: int) -> int:
    """The highest bit of each byte that is one of 26 letters, of a word of ASCII; `above`: 128 less the first one."""
    return (word + above * EACH_BYTE) & ~(word + (above - 26) * EACH_BYTE) & HIGH_BITS
