"""Strings. A slice shares the code points of the string it is of."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.comparing import LIST, STR, items_of
from jitcore.backends.native.boxes.letters import IS_BREAK, character, is_space
from jitcore.backends.native.boxes.memory import (
    HEAP,
    SINGLES,
    STRIPPED,
    TAIL,
    TAIL_LIMIT,
    alloc,
    heap_of,
    keep_all,
    take,
)
from jitcore.backends.native.boxes.points import (
    HIGH_BITS,
    KEPT_HASH,
    LENGTH,
    NARROW,
    STR_DATA,
    STR_POINTS,
    WIDE,
    WIDTH,
    bits_of_points,
    copy_points,
    equal_points,
    point,
    points_find,
    points_find_last,
    points_of,
    put_point,
)
from jitcore.backends.native.boxes.sequences import list_append, list_new
from jitcore.backends.native.boxes.words import (
    clear,
    load,
    load8,
    load32,
    load_any,
    shr,
    store,
    store_any,
    trailing_zeros,
)

MOST_COPIED: Final[int] = 16
NO_LETTERS: Final[int] = 0x2121212121212121


def text_new(ctx: int, length: int, width: int) -> int:
    """A string whose code points are to be put in."""
    box = alloc(ctx, STR_POINTS + (length << width))
    store(box + WIDTH, width)
    store(box + KEPT_HASH, 0)
    store(box + LENGTH, length)
    store(box + STR_DATA, STR_POINTS)
    return box


def text_at(ctx: int, data: int, width: int, length: int) -> int:
    """A string of code points that lie at a place, and stay there as long as the call lasts."""
    box = alloc(ctx, STR_POINTS)
    store(box + WIDTH, width)
    store(box + KEPT_HASH, 0)
    store(box + LENGTH, length)
    store(box + STR_DATA, data - box)
    return box


def text_copied(ctx: int, data: int, width: int, wanted: int, length: int) -> int:
    """A string of code points that lie at a place, copied."""
    box = text_new(ctx, length, wanted)
    copy_points(box + STR_POINTS, wanted, data, width, length)
    return box


def text_of_codes(ctx: int, data: int, length: int) -> int:
    """A string of code points of 32 bits each that lie at a place, copied."""
    return text_copied(ctx, data, WIDE, width_of(data, length), length)


def text_over(ctx: int, data: int, length: int) -> int:
    """As `text_of_codes`, where they stay as long as the call lasts."""
    width = width_of(data, length)
    if width == NARROW:
        return text_copied(ctx, data, WIDE, NARROW, length)
    return text_at(ctx, data, WIDE, length)


def width_of(data: int, length: int) -> int:
    """The width that some wide code points need."""
    return NARROW if bits_of_points(data, length) < 256 else WIDE


def text_settled(ctx: int, box: int) -> int:
    """A new string in the width that its code points need."""
    length = load(box + LENGTH)
    if load(box + WIDTH) == NARROW or bits_of_points(points_of(box), length) > 255:
        return box
    return text_copied(ctx, points_of(box), WIDE, NARROW, length)


def text_length(box: int) -> int:
    """`len(box)`."""
    return load(box + LENGTH)


def text_code(box: int, number: int) -> int:
    """A code point."""
    return point(points_of(box), load(box + WIDTH), number)


def text_of_code(ctx: int, code: int) -> int:
    """A string of one character; those below 256 exist once in a call."""
    if code < 256:
        heap = load(ctx + HEAP)
        table = 0 if heap == 0 else load(heap + SINGLES)
        if table == 0:
            table = take(ctx, 2048)
            clear(table, 2048)
            store(load(ctx + HEAP) + SINGLES, table)
        known = load(table + 8 * code)
        if known != 0:
            return known
        box = text_new(ctx, 1, NARROW)
        put_point(box + STR_POINTS, NARROW, 0, code)
        store(table + 8 * code, box)
        keep_all(ctx)
        return box
    box = text_new(ctx, 1, WIDE)
    put_point(box + STR_POINTS, WIDE, 0, code)
    return box


def text_between(ctx: int, box: int, first: int, end: int) -> int:
    """`box[first:end]`, with bounds in order within the string."""
    length = end - first
    if length == load(box + LENGTH):
        return box
    width = load(box + WIDTH)
    data = points_of(box)
    if length == 1:
        return text_of_code(ctx, point(data, width, first))
    data = data + (first << width)
    if width == WIDE and width_of(data, length) == NARROW:
        return text_copied(ctx, data, WIDE, NARROW, length)
    if width == NARROW and length <= MOST_COPIED and length > 0:
        return text_of_few(ctx, data, length)
    return text_at(ctx, data, width, length)


def text_of_few(ctx: int, data: int, length: int) -> int:
    """A copy of up to `MOST_COPIED` narrow code points: they are near the box, and cost no more than saying where they
    are."""
    made = alloc(ctx, STR_POINTS + MOST_COPIED)
    store(made + WIDTH, NARROW)
    store(made + KEPT_HASH, 0)
    store(made + LENGTH, length)
    store(made + STR_DATA, STR_POINTS)
    if length >= 8:
        store(made + STR_POINTS, load_any(data))
        store_any(made + STR_POINTS + length - 8, load_any(data + length - 8))
    else:
        store(made + STR_POINTS, shr(load_any(data + length - 8), 64 - 8 * length))
    return made


def text_slice(ctx: int, box: int, first: int, step: int, count: int) -> int:
    """Every step-th character from one on."""
    if step == 1:
        return text_between(ctx, box, first, first + count)
    width = load(box + WIDTH)
    made = text_new(ctx, count, width)
    data = points_of(box)
    for k in range(count):
        put_point(made + STR_POINTS, width, k, point(data, width, first + step * k))
    return text_settled(ctx, made)


def put_text(to: int, width: int, box: int) -> int:
    """Copy a string's code points to a place: where they end."""
    length = load(box + LENGTH)
    copy_points(to, width, points_of(box), load(box + WIDTH), length)
    return to + (length << width)


def text_concat(ctx: int, a: int, b: int) -> int:
    """`a + b`."""
    one = load(a + LENGTH)
    two = load(b + LENGTH)
    if two == 0:
        return a
    if one == 0:
        return b
    width = load(a + WIDTH) | load(b + WIDTH)
    box = text_new(ctx, one + two, width)
    put_text(put_text(box + STR_POINTS, width, a), width, b)
    return box


def text_append(ctx: int, a: int, b: int) -> int:
    """`a += b`: what is appended to again and again has room for more, which whoever appends to its end first takes."""
    one = load(a + LENGTH)
    two = load(b + LENGTH)
    width = load(a + WIDTH)
    if one < 16 or two == 0 or load(b + WIDTH) > width:
        return text_concat(ctx, a, b)
    heap = load(ctx + HEAP)
    data = points_of(a)
    end = data + (one << width)
    if heap != 0 and end == load(heap + TAIL) and end + (two << width) <= load(heap + TAIL_LIMIT):
        made = text_at(ctx, data, width, one + two)
        store(heap + TAIL, put_text(end, width, b))
        return made
    made = text_new(ctx, 2 * (one + two), width)
    store(made + LENGTH, one + two)
    heap = load(ctx + HEAP)
    store(heap + TAIL, put_text(put_text(made + STR_POINTS, width, a), width, b))
    store(heap + TAIL_LIMIT, made + STR_POINTS + (2 * (one + two) << width))
    return made


def text_repeat(ctx: int, other: int, times: int) -> int:
    """`other * times`."""
    length = load(other + LENGTH)
    if times < 0 or length == 0:
        return text_new(ctx, 0, NARROW)
    if times > 0 and times > (1 << 40) // length:
        return -9223372036854775808
    width = NARROW if times == 0 else load(other + WIDTH)
    box = text_new(ctx, length * times, width)
    to = box + STR_POINTS
    for _ in range(times):
        to = put_text(to, width, other)
    return box


# --- searching


def bound(given: int, length: int) -> int:
    """A bound of a slice, from 0 on and at most the length."""
    if given < 0:
        given = given + length
        if given < 0:
            given = 0
    return given if given < length else length


def text_find_from(box: int, first: int, end: int, sought: int) -> int:
    """Where a string is found in another, wholly between two positions; -1 if it is not."""
    length = load(sought + LENGTH)
    return points_find(points_of(box), load(box + WIDTH), first, end, points_of(sought), load(sought + WIDTH), length)


def text_find_before(box: int, first: int, end: int, sought: int) -> int:
    """As `text_find_from`, from the end."""
    length = load(sought + LENGTH)
    data = points_of(box)
    return points_find_last(data, load(box + WIDTH), first, end, points_of(sought), load(sought + WIDTH), length)


def text_has_at(box: int, first: int, sought: int) -> int:
    """Whether a string is in another, which is long enough, at a position."""
    width = load(box + WIDTH)
    other = load(sought + WIDTH)
    return equal_points(points_of(box) + (first << width), width, points_of(sought), other, load(sought + LENGTH))


def text_find(box: int, sought: int, first: int, end: int) -> int:
    """`box.find(sought, first, end)`."""
    length = load(box + LENGTH)
    if first > length:
        return -1
    return text_find_from(box, bound(first, length), bound(end, length), sought)


def text_find_last(box: int, sought: int, first: int, end: int) -> int:
    """`box.rfind(sought, first, end)`."""
    length = load(box + LENGTH)
    if first > length:
        return -1
    return text_find_before(box, bound(first, length), bound(end, length), sought)


def text_count(box: int, sought: int, first: int, end: int) -> int:
    """`box.count(sought, first, end)`."""
    length = load(box + LENGTH)
    if first > length:
        return 0
    size = load(sought + LENGTH)
    at = bound(first, length)
    last = bound(end, length)
    if at > last:
        return 0
    if size == 0:
        return last - at + 1
    found = 0
    at = text_find_from(box, at, last, sought)
    while at >= 0:
        found = found + 1
        at = text_find_from(box, at + size, last, sought)
    return found


def text_starts(box: int, sought: int, first: int, end: int) -> int:
    """`box.startswith(sought, first, end)`."""
    length = load(box + LENGTH)
    low = bound(first, length)
    if first > length or low + load(sought + LENGTH) > bound(end, length):
        return 0
    return text_has_at(box, low, sought)


def text_ends(box: int, sought: int, first: int, end: int) -> int:
    """`box.endswith(sought, first, end)`."""
    length = load(box + LENGTH)
    size = load(sought + LENGTH)
    high = bound(end, length)
    if first > length or bound(first, length) + size > high:
        return 0
    return text_has_at(box, high - size, sought)


def text_replace(ctx: int, box: int, old: int, new: int, most: int) -> int:
    """`box.replace(old, new, most)`; at most `most` times, or -1."""
    length = load(box + LENGTH)
    size = load(old + LENGTH)
    added = load(new + LENGTH)
    times = length + 1 if size == 0 else text_count(box, old, 0, length)
    if most >= 0 and times > most:
        times = most
    if times == 0 or (size == added and size == 0):
        return box
    if times * added > 1 << 42:
        return -9223372036854775808
    own = load(box + WIDTH)
    width = own | load(new + WIDTH)
    data = points_of(box)
    made = text_new(ctx, length + times * (added - size), width)
    to = made + STR_POINTS
    at = 0
    for _ in range(times):
        if size == 0:
            to = put_text(to, width, new)
            if at < length:
                put_point(to, width, 0, point(data, own, at))
                to = to + (1 << width)
                at = at + 1
        else:
            found = text_find_from(box, at, length, old)
            copy_points(to, width, data + (at << own), own, found - at)
            to = put_text(to + (found - at << width), width, new)
            at = found + size
    copy_points(to, width, data + (at << own), own, length - at)
    return text_settled(ctx, made)


# --- splitting and joining


def word_end(data: int, width: int, at: int, length: int) -> int:
    """Where the next white space is."""
    if width == NARROW:
        while at < length:
            word = load_any(data + at)  # where characters up to the blank are, and those from 128 on
            found = ((word - NO_LETTERS) & ~word | word) & HIGH_BITS
            if found == 0:
                at = at + 8
            else:
                at = at + (trailing_zeros(found) >> 3)
                if at >= length or is_space(load8(data + at)):
                    break
                at = at + 1
        return at if at < length else length
    while at < length and not is_space(point(data, width, at)):
        at = at + 1
    return at


def text_split(ctx: int, box: int, most: int) -> int:
    """`box.split(None, most)`."""
    found = list_new(ctx, LIST, 8)
    length = load(box + LENGTH)
    width = load(box + WIDTH)
    data = points_of(box)
    at = 0
    while True:
        while at < length and is_space(point(data, width, at)):
            at = at + 1
        if at == length:
            break
        if most == 0:
            end = length
            while is_space(point(data, width, end - 1)):
                end = end - 1
            list_append(ctx, found, STR, text_between(ctx, box, at, end))
            break
        first = at
        at = word_end(data, width, at, length)
        list_append(ctx, found, STR, text_between(ctx, box, first, at))
        most = most - 1
    return found


def text_split_last(ctx: int, box: int, most: int) -> int:
    """`box.rsplit(None, most)`, in reverse."""
    found = list_new(ctx, LIST, 8)
    width = load(box + WIDTH)
    data = points_of(box)
    at = load(box + LENGTH)
    while True:
        while at > 0 and is_space(point(data, width, at - 1)):
            at = at - 1
        if at == 0:
            break
        if most == 0:
            first = 0
            while is_space(point(data, width, first)):
                first = first + 1
            list_append(ctx, found, STR, text_between(ctx, box, first, at))
            break
        end = at
        while at > 0 and not is_space(point(data, width, at - 1)):
            at = at - 1
        list_append(ctx, found, STR, text_between(ctx, box, at, end))
        most = most - 1
    return found


def text_split_by(ctx: int, box: int, by: int, most: int) -> int:
    """`box.split(by, most)`."""
    found = list_new(ctx, LIST, 8)
    length = load(box + LENGTH)
    size = load(by + LENGTH)
    at = 0
    while most != 0:
        next_ = text_find_from(box, at, length, by)
        if next_ < 0:
            break
        list_append(ctx, found, STR, text_between(ctx, box, at, next_))
        at = next_ + size
        most = most - 1
    list_append(ctx, found, STR, text_between(ctx, box, at, length))
    return found


def text_split_last_by(ctx: int, box: int, by: int, most: int) -> int:
    """`box.rsplit(by, most)`, in reverse."""
    found = list_new(ctx, LIST, 8)
    size = load(by + LENGTH)
    end = load(box + LENGTH)
    while most != 0:
        before = text_find_before(box, 0, end, by)
        if before < 0:
            break
        list_append(ctx, found, STR, text_between(ctx, box, before + size, end))
        end = before
        most = most - 1
    list_append(ctx, found, STR, text_between(ctx, box, 0, end))
    return found


def text_lines(ctx: int, box: int, keeps: int) -> int:
    """`box.splitlines(keeps)`."""
    found = list_new(ctx, LIST, 8)
    length = load(box + LENGTH)
    width = load(box + WIDTH)
    data = points_of(box)
    first = 0
    while first < length:
        at = first
        while at < length and not load32(character(point(data, width, at))) & IS_BREAK:
            at = at + 1
        end = at
        if at < length:
            at = at + 1
            if point(data, width, end) == 13 and at < length and point(data, width, at) == 10:
                at = at + 1
        list_append(ctx, found, STR, text_between(ctx, box, first, at if keeps else end))
        first = at
    return found


def text_join(ctx: int, between: int, parts: int) -> int:
    """`between.join(parts)`, a list of strings."""
    count = load(parts + LENGTH)
    if count == 0:
        return text_new(ctx, 0, NARROW)
    items = items_of(parts)
    if count == 1:
        return load(items + 8)
    total = load(between + LENGTH) * (count - 1)
    width = load(between + WIDTH)
    for k in range(count):
        part = load(items + 16 * k + 8)
        total = total + load(part + LENGTH)
        width = width | load(part + WIDTH)
    made = text_new(ctx, total, width)
    to = made + STR_POINTS
    for k in range(count):
        if k > 0:
            to = put_text(to, width, between)
        to = put_text(to, width, load(items + 16 * k + 8))
    return made


def is_among(code: int, characters: int) -> int:
    """Whether a character is one of a string's."""
    data = points_of(characters)
    width = load(characters + WIDTH)
    for k in range(load(characters + LENGTH)):
        if point(data, width, k) == code:
            return 1
    return 0


def bits_stripped(ctx: int, characters: int) -> int:
    """Where a bit for each character below 256 says whether it is one of a string's, which was asked for last."""
    heap = heap_of(ctx)
    bits = heap + STRIPPED + 8
    if load(heap + STRIPPED) != characters:
        clear(bits, 32)
        store(heap + STRIPPED, characters)
        data = points_of(characters)
        width = load(characters + WIDTH)
        for k in range(load(characters + LENGTH)):
            code = point(data, width, k)
            if code < 256:
                at = bits + 8 * (code >> 6)
                store(at, load(at) | 1 << (code & 63))
    return bits


def is_stripped(code: int, characters: int, bits: int) -> int:
    """Whether a character is one of those that are taken from the ends."""
    if characters == 0:
        return is_space(code)
    if code < 256:
        return load(bits + 8 * (code >> 6)) >> (code & 63) & 1
    return is_among(code, characters)


def text_strip(ctx: int, box: int, characters: int, sides: int) -> int:
    """`box.strip(characters)`, white space for 0; `sides`: 1 the left, 2 the right, 3 both."""
    bits = 0 if characters == 0 else bits_stripped(ctx, characters)
    width = load(box + WIDTH)
    data = points_of(box)
    first = 0
    end = load(box + LENGTH)
    if sides & 1:
        while first < end and is_stripped(point(data, width, first), characters, bits):
            first = first + 1
    if sides & 2:
        while end > first and is_stripped(point(data, width, end - 1), characters, bits):
            end = end - 1
    return text_between(ctx, box, first, end)


def text_pad(ctx: int, box: int, before: int, after: int, code: int) -> int:
    """A string with a character so often before and after it."""
    if before <= 0 and after <= 0:
        return box
    length = load(box + LENGTH)
    width = load(box + WIDTH) if code < 256 else WIDE
    made = text_new(ctx, length + before + after, width)
    data = made + STR_POINTS
    for k in range(before):
        put_point(data, width, k, code)
    put_text(data + (before << width), width, box)
    for k in range(before + length, before + length + after):
        put_point(data, width, k, code)
    return made


def text_fill_zeros(ctx: int, box: int, width: int) -> int:
    """`box.zfill(width)`."""
    length = load(box + LENGTH)
    if width <= length:
        return box
    made = text_pad(ctx, box, width - length, 0, 48)
    if length > 0:
        sign = text_code(box, 0)
        if sign == 43 or sign == 45:
            put_point(made + STR_POINTS, load(made + WIDTH), 0, sign)
            put_point(made + STR_POINTS, load(made + WIDTH), width - length, 48)
    return made
