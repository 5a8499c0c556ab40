"""What strings are made of, and their letters in other cases."""

from __future__ import annotations

from jitcore.backends.native.boxes.comparing import LENGTH
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
from jitcore.backends.native.boxes.texts import codes_of, text_new
from jitcore.backends.native.boxes.words import load, load32, store, store32


def text_all(box: int, flag: int) -> int:
    """Whether there are characters and all are of a kind."""
    length = load(box + LENGTH)
    data = codes_of(box)
    for k in range(length):
        if not load32(character(load32(data + 4 * k))) & flag:
            return 0
    return length > 0


def text_is_printable(box: int) -> int:
    """`box.isprintable()`."""
    return load(box + LENGTH) == 0 or text_all(box, IS_PRINTABLE)


def text_is_identifier(box: int, start: int, others: int) -> int:
    """`box.isidentifier()`, by the flags of its first character and of the others."""
    length = load(box + LENGTH)
    data = codes_of(box)
    if length == 0 or not load32(character(load32(data))) & start:
        return 0
    for k in range(1, length):
        if not load32(character(load32(data + 4 * k))) & others:
            return 0
    return 1


def text_is_ascii(box: int) -> int:
    """`box.isascii()`."""
    data = codes_of(box)
    for k in range(load(box + LENGTH)):
        if load32(data + 4 * k) > 127:
            return 0
    return 1


def text_is_case(box: int, wanted: int, others: int) -> int:
    """Whether no character is of the kinds `others`, and one is of the kind `wanted`."""
    data = codes_of(box)
    found = 0
    for k in range(load(box + LENGTH)):
        flags = load32(character(load32(data + 4 * k)))
        if flags & others:
            return 0
        if flags & wanted:
            found = 1
    return found


def text_is_title(box: int) -> int:
    """`box.istitle()`."""
    data = codes_of(box)
    found = 0
    after_cased = 0
    for k in range(load(box + LENGTH)):
        flags = load32(character(load32(data + 4 * k)))
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


def is_final_sigma(data: int, length: int, number: int) -> int:
    """Whether a capital sigma ends a word: a cased character before it and none after it, but for those ignored."""
    at = number - 1
    while at >= 0 and load32(character(load32(data + 4 * at))) & IS_IGNORABLE:
        at = at - 1
    if at < 0 or not load32(character(load32(data + 4 * at))) & IS_CASED:
        return 0
    at = number + 1
    while at < length and load32(character(load32(data + 4 * at))) & IS_IGNORABLE:
        at = at + 1
    return at >= length or not load32(character(load32(data + 4 * at))) & IS_CASED


def text_cased(ctx: int, box: int, way: int) -> int:
    """`upper()` (1), `lower()` (2), `title()` (3), `capitalize()` (4), `swapcase()` (5), `casefold()` (6)."""
    length = load(box + LENGTH)
    data = codes_of(box)
    made = text_new(ctx, 3 * length)
    to = made + 32
    after_cased = 0
    for k in range(length):
        code = load32(data + 4 * k)
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
            store32(to, 962 if is_final_sigma(data, length, k) else 963)
            to = to + 4
        else:
            for place in range(load32(known + which)):
                store32(to, load32(known + which + 4 + 4 * place))
                to = to + 4
    store(made + LENGTH, (to - made - 32) >> 2)
    shorten(ctx, made, 32 + 12 * length, to - made)
    return made
