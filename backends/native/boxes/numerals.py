"""Numbers as text and text as numbers."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.letters import DECIMAL, character, is_space
from jitcore.backends.native.boxes.memory import alloc
from jitcore.backends.native.boxes.outside import double_of_text, double_text
from jitcore.backends.native.boxes.points import LENGTH, NARROW, STR_POINTS, WIDTH, point, points_of, put_point
from jitcore.backends.native.boxes.texts import text_new
from jitcore.backends.native.boxes.words import load, load32, move, store, store8

NO_DIGIT: Final[int] = 255
LEAST: Final[int] = -9223372036854775807 - 1


def text_of_int(ctx: int, n: int, base: int, upper: int) -> int:
    """The digits of an int, with a sign where it is negative."""
    room = alloc(ctx, 80)
    at = room + 80
    left = n if n < 0 else -n
    while True:
        next_ = left // base
        digit = next_ * base - left
        at = at - 1
        if digit < 10:
            store8(at, 48 + digit)
        else:
            store8(at, (55 if upper else 87) + digit)
        left = next_
        if left == 0:
            break
    if n < 0:
        at = at - 1
        store8(at, 45)
    length = room + 80 - at
    made = text_new(ctx, length, NARROW)
    move(made + STR_POINTS, at, length)
    return made


def text_of_float(ctx: int, bits: int, code: int, precision: int, flags: int) -> int:
    """The text of a float by one of Python's format codes (`PyOS_double_to_string`)."""
    room = alloc(ctx, 512 + (precision if precision > 0 else 0))
    length = double_text(bits, code, precision, flags, room)
    made = text_new(ctx, length, NARROW)
    move(made + STR_POINTS, room, length)
    return made


def text_grouped(ctx: int, box: int, mark: int, size: int) -> int:
    """A number's text with a mark between groups of digits of its whole part."""
    length = load(box + LENGTH)
    data = points_of(box)
    width = load(box + WIDTH)
    first = 0
    if length > 0 and (point(data, width, 0) == 45 or point(data, width, 0) == 43 or point(data, width, 0) == 32):
        first = 1
    end = first
    while end < length and is_digit(point(data, width, end)):
        end = end + 1
    marks = (end - first - 1) // size
    if end == first or marks <= 0:
        return box
    made = text_new(ctx, length + marks, width)
    to = 0
    for k in range(length):
        if k > first and k < end and (end - k) % size == 0:
            put_point(made + STR_POINTS, width, to, mark)
            to = to + 1
        put_point(made + STR_POINTS, width, to, point(data, width, k))
        to = to + 1
    return made


def is_digit(code: int) -> int:
    """Whether a character is a digit of a number's text, in bases up to 16."""
    return (code >= 48 and code <= 57) or (code >= 97 and code <= 102) or (code >= 65 and code <= 70)


def digit_of(code: int) -> int:
    """What a character counts as a digit, letters too; `NO_DIGIT` if it is none."""
    if code < 128:
        if code >= 48 and code <= 57:
            return code - 48
        if code >= 97 and code <= 122:
            return code - 87
        if code >= 65 and code <= 90:
            return code - 55
        return NO_DIGIT
    return load32(character(code) + DECIMAL)


def blanks_before(data: int, width: int, length: int) -> int:
    """How many blanks code points begin with."""
    at = 0
    while at < length and is_space(point(data, width, at)):
        at = at + 1
    return at


def end_before_blanks(data: int, width: int, at: int, length: int) -> int:
    """Where the blanks begin that code points from `at` on end with."""
    while length > at and is_space(point(data, width, length - 1)):
        length = length - 1
    return length


def int_of_text(box: int, base: int, out: int) -> int:
    """0 and the int at `out` that a string is in a base; 1 if it is none, 2 if it does not fit 64 bits."""
    length = load(box + LENGTH)
    data = points_of(box)
    width = load(box + WIDTH)
    at = blanks_before(data, width, length)
    length = end_before_blanks(data, width, at, length)
    negative = 0
    if at < length and (point(data, width, at) == 45 or point(data, width, at) == 43):
        negative = point(data, width, at) == 45
        at = at + 1
    is_zero_alone = 0
    may_group = 0
    if at + 1 < length and point(data, width, at) == 48:
        letter = point(data, width, at + 1) | 32
        of_prefix = 16 if letter == 120 else 8 if letter == 111 else 2 if letter == 98 else 0
        if of_prefix != 0 and (base == 0 or base == of_prefix):
            base = of_prefix
            at = at + 2
            may_group = 1
        elif base == 0:
            is_zero_alone = 1
    if base == 0:
        base = 10
    if at == length:
        return 1
    total = 0
    large = 0
    for k in range(at, length):
        code = point(data, width, k)
        if code == 95:
            if not may_group or k == length - 1:
                return 1
            may_group = 0
        else:
            digit = digit_of(code)
            if digit >= base:
                return 1
            if is_zero_alone and digit != 0:
                return 1
            if total < (LEAST + digit) // base:
                large = 1
            total = total * base - digit
            may_group = 1
    if large or (total == LEAST and not negative):
        return 2
    store(out, total if negative else -total)
    return 0


def float_of_text(ctx: int, box: int, out: int) -> int:
    """1 and the bits at `out` of the float that a string is; 0 if it is none."""
    length = load(box + LENGTH)
    data = points_of(box)
    width = load(box + WIDTH)
    at = blanks_before(data, width, length)
    length = end_before_blanks(data, width, at, length)
    room = alloc(ctx, length - at + 8)
    to = room
    before = 0
    for k in range(at, length):
        code = point(data, width, k)
        if code > 127:
            digit = load32(character(code) + DECIMAL)
            if digit == NO_DIGIT:
                return 0
            code = 48 + digit
        if code == 95:
            if not (before >= 48 and before <= 57) or k == length - 1:
                return 0
            after = point(data, width, k + 1)
            if after < 48 or (after > 57 and after < 128) or after == 95:
                return 0
        else:
            if code == 0:
                return 0
            store8(to, code)
            to = to + 1
        before = code
    store8(to, 0)
    if to == room:
        return 0
    return double_of_text(room, to - room, out)


def load_word(address: int) -> int:
    """What is at an address."""
    return load(address)


def parsed(ctx: int) -> int:
    """Where a number that was read from a text is put."""
    return ctx + 176
