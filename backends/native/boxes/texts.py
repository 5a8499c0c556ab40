"""Strings: code points of 32 bits. A slice shares those of the string it is of."""

from __future__ import annotations

from jitcore.backends.native.boxes.comparing import (
    KEPT_HASH,
    LENGTH,
    LIST,
    STR,
    STR_DATA,
    equal_codes,
    items_of,
)
from jitcore.backends.native.boxes.letters import IS_BREAK, character, is_space
from jitcore.backends.native.boxes.memory import HEAP, SINGLES, TAIL, TAIL_LIMIT, alloc
from jitcore.backends.native.boxes.sequences import list_append, list_new
from jitcore.backends.native.boxes.words import clear, load, load32, move, store, store32


def text_new(ctx: int, length: int) -> int:
    """A string whose code points are to be put in."""
    box = alloc(ctx, 32 + 4 * length)
    store(box, STR)
    store(box + KEPT_HASH, 0)
    store(box + LENGTH, length)
    store(box + STR_DATA, 32)
    return box


def text_of_codes(ctx: int, data: int, length: int) -> int:
    """A string of code points that lie at a place, copied."""
    box = text_new(ctx, length)
    move(box + 32, data, 4 * length)
    return box


def text_length(box: int) -> int:
    """`len(box)`."""
    return load(box + LENGTH)


def codes_of(box: int) -> int:
    """Where a string's code points begin."""
    return box + load(box + STR_DATA)


def text_code(box: int, number: int) -> int:
    """A code point."""
    return load32(codes_of(box) + 4 * number)


def text_of_code(ctx: int, code: int) -> int:
    """A string of one character; those below 256 exist once in a call."""
    if code < 256:
        heap = load(ctx + HEAP)
        table = 0 if heap == 0 else load(heap + SINGLES)
        if table == 0:
            table = alloc(ctx, 2048)
            clear(table, 2048)
            store(load(ctx + HEAP) + SINGLES, table)
        known = load(table + 8 * code)
        if known != 0:
            return known
        box = text_new(ctx, 1)
        store32(box + 32, code)
        store(table + 8 * code, box)
        return box
    box = text_new(ctx, 1)
    store32(box + 32, code)
    return box


def text_between(ctx: int, box: int, first: int, end: int) -> int:
    """`box[first:end]`, with bounds in order within the string."""
    length = end - first
    if length == load(box + LENGTH):
        return box
    if length == 1:
        return text_of_code(ctx, load32(codes_of(box) + 4 * first))
    made = alloc(ctx, 32)
    store(made, STR)
    store(made + KEPT_HASH, 0)
    store(made + LENGTH, length)
    store(made + STR_DATA, codes_of(box) + 4 * first - made)
    return made


def text_slice(ctx: int, box: int, first: int, step: int, count: int) -> int:
    """Every step-th character from one on."""
    if step == 1:
        return text_between(ctx, box, first, first + count)
    made = text_new(ctx, count)
    source = codes_of(box) + 4 * first
    for k in range(count):
        store32(made + 32 + 4 * k, load32(source + 4 * step * k))
    return made


def text_concat(ctx: int, a: int, b: int) -> int:
    """`a + b`."""
    one = load(a + LENGTH)
    two = load(b + LENGTH)
    if two == 0:
        return a
    if one == 0:
        return b
    box = text_new(ctx, one + two)
    move(box + 32, codes_of(a), 4 * one)
    move(box + 32 + 4 * one, codes_of(b), 4 * two)
    return box


def text_append(ctx: int, a: int, b: int) -> int:
    """`a += b`: what is appended to again and again has room for more, which whoever appends to its end first takes."""
    one = load(a + LENGTH)
    two = load(b + LENGTH)
    if one < 16 or two == 0:
        return text_concat(ctx, a, b)
    heap = load(ctx + HEAP)
    data = codes_of(a)
    end = data + 4 * one
    if heap != 0 and end == load(heap + TAIL) and end + 4 * two <= load(heap + TAIL_LIMIT):
        made = alloc(ctx, 32)
        move(end, codes_of(b), 4 * two)
        store(heap + TAIL, end + 4 * two)
        store(made, STR)
        store(made + KEPT_HASH, 0)
        store(made + LENGTH, one + two)
        store(made + STR_DATA, data - made)
        return made
    made = text_new(ctx, 2 * (one + two))
    store(made + LENGTH, one + two)
    move(made + 32, data, 4 * one)
    move(made + 32 + 4 * one, codes_of(b), 4 * two)
    heap = load(ctx + HEAP)
    store(heap + TAIL, made + 32 + 4 * (one + two))
    store(heap + TAIL_LIMIT, made + 32 + 8 * (one + two))
    return made


def text_repeat(ctx: int, other: int, times: int) -> int:
    """`other * times`."""
    length = load(other + LENGTH)
    if times < 0 or length == 0:
        times = 0
    if times > 0 and times > (1 << 40) // length:
        return -9223372036854775808
    box = text_new(ctx, length * times)
    for k in range(times):
        move(box + 32 + 4 * length * k, codes_of(other), 4 * length)
    return box


# --- searching


def codes_find(data: int, first: int, end: int, sought: int, length: int) -> int:
    """Where code points are found, wholly between two positions; -1 if they are not."""
    last = end - length
    if length == 0:
        return first if first <= end else -1
    start = load32(sought)
    for k in range(first, last + 1):
        if load32(data + 4 * k) == start:
            if length == 1 or equal_codes(data + 4 * k, sought, length):
                return k
    return -1


def codes_find_last(data: int, first: int, end: int, sought: int, length: int) -> int:
    """As `codes_find`, from the end."""
    k = end - length
    while k >= first:
        if equal_codes(data + 4 * k, sought, length):
            return k
        k = k - 1
    return -1


def bound(given: int, length: int) -> int:
    """A bound of a slice, from 0 on and at most the length."""
    if given < 0:
        given = given + length
        if given < 0:
            given = 0
    return given if given < length else length


def text_find(box: int, sought: int, first: int, end: int) -> int:
    """`box.find(sought, first, end)`."""
    length = load(box + LENGTH)
    if first > length:
        return -1
    return codes_find(codes_of(box), bound(first, length), bound(end, length), codes_of(sought), load(sought + LENGTH))


def text_find_last(box: int, sought: int, first: int, end: int) -> int:
    """`box.rfind(sought, first, end)`."""
    length = load(box + LENGTH)
    if first > length:
        return -1
    low = bound(first, length)
    return codes_find_last(codes_of(box), low, bound(end, length), codes_of(sought), load(sought + LENGTH))


def text_count(box: int, sought: int, first: int, end: int) -> int:
    """`box.count(sought, first, end)`."""
    length = load(box + LENGTH)
    if first > length:
        return 0
    data = codes_of(box)
    size = load(sought + LENGTH)
    at = bound(first, length)
    last = bound(end, length)
    if at > last:
        return 0
    if size == 0:
        return last - at + 1
    found = 0
    at = codes_find(data, at, last, codes_of(sought), size)
    while at >= 0:
        found = found + 1
        at = codes_find(data, at + size, last, codes_of(sought), size)
    return found


def text_starts(box: int, sought: int, first: int, end: int) -> int:
    """`box.startswith(sought, first, end)`."""
    length = load(box + LENGTH)
    size = load(sought + LENGTH)
    low = bound(first, length)
    if first > length or low + size > bound(end, length):
        return 0
    return equal_codes(codes_of(box) + 4 * low, codes_of(sought), size)


def text_ends(box: int, sought: int, first: int, end: int) -> int:
    """`box.endswith(sought, first, end)`."""
    length = load(box + LENGTH)
    size = load(sought + LENGTH)
    high = bound(end, length)
    if first > length or bound(first, length) + size > high:
        return 0
    return equal_codes(codes_of(box) + 4 * (high - size), codes_of(sought), size)


def text_replace(ctx: int, box: int, old: int, new: int, most: int) -> int:
    """`box.replace(old, new, most)`; at most `most` times, or -1."""
    length = load(box + LENGTH)
    size = load(old + LENGTH)
    added = load(new + LENGTH)
    data = codes_of(box)
    times = length + 1 if size == 0 else text_count(box, old, 0, length)
    if most >= 0 and times > most:
        times = most
    if times == 0 or (size == added and size == 0):
        return box
    if times * added > 1 << 42:
        return -9223372036854775808
    made = text_new(ctx, length + times * (added - size))
    to = made + 32
    at = 0
    for _ in range(times):
        if size == 0:
            move(to, codes_of(new), 4 * added)
            to = to + 4 * added
            if at < length:
                store32(to, load32(data + 4 * at))
                to = to + 4
                at = at + 1
        else:
            found = codes_find(data, at, length, codes_of(old), size)
            move(to, data + 4 * at, 4 * (found - at))
            to = to + 4 * (found - at)
            move(to, codes_of(new), 4 * added)
            to = to + 4 * added
            at = found + size
    move(to, data + 4 * at, 4 * (length - at))
    return made


# --- splitting and joining


def text_split(ctx: int, box: int, most: int) -> int:
    """`box.split(None, most)`."""
    found = list_new(ctx, LIST, 8)
    length = load(box + LENGTH)
    data = codes_of(box)
    at = 0
    while True:
        while at < length and is_space(load32(data + 4 * at)):
            at = at + 1
        if at == length:
            break
        if most == 0:
            end = length
            while is_space(load32(data + 4 * end - 4)):
                end = end - 1
            list_append(ctx, found, STR, text_between(ctx, box, at, end))
            break
        first = at
        while at < length and not is_space(load32(data + 4 * at)):
            at = at + 1
        list_append(ctx, found, STR, text_between(ctx, box, first, at))
        most = most - 1
    return found


def text_split_last(ctx: int, box: int, most: int) -> int:
    """`box.rsplit(None, most)`, in reverse."""
    found = list_new(ctx, LIST, 8)
    data = codes_of(box)
    at = load(box + LENGTH)
    while True:
        while at > 0 and is_space(load32(data + 4 * at - 4)):
            at = at - 1
        if at == 0:
            break
        if most == 0:
            first = 0
            while is_space(load32(data + 4 * first)):
                first = first + 1
            list_append(ctx, found, STR, text_between(ctx, box, first, at))
            break
        end = at
        while at > 0 and not is_space(load32(data + 4 * at - 4)):
            at = at - 1
        list_append(ctx, found, STR, text_between(ctx, box, at, end))
        most = most - 1
    return found


def text_split_by(ctx: int, box: int, by: int, most: int) -> int:
    """`box.split(by, most)`."""
    found = list_new(ctx, LIST, 8)
    length = load(box + LENGTH)
    data = codes_of(box)
    size = load(by + LENGTH)
    at = 0
    while most != 0:
        next_ = codes_find(data, at, length, codes_of(by), size)
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
    data = codes_of(box)
    size = load(by + LENGTH)
    end = load(box + LENGTH)
    while most != 0:
        before = codes_find_last(data, 0, end, codes_of(by), size)
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
    data = codes_of(box)
    first = 0
    while first < length:
        at = first
        while at < length and not load32(character(load32(data + 4 * at))) & IS_BREAK:
            at = at + 1
        end = at
        if at < length:
            at = at + 1
            if load32(data + 4 * end) == 13 and at < length and load32(data + 4 * at) == 10:
                at = at + 1
        list_append(ctx, found, STR, text_between(ctx, box, first, at if keeps else end))
        first = at
    return found


def text_join(ctx: int, between: int, parts: int) -> int:
    """`between.join(parts)`, a list of strings."""
    count = load(parts + LENGTH)
    if count == 0:
        return text_new(ctx, 0)
    items = items_of(parts)
    if count == 1:
        return load(items + 8)
    size = load(between + LENGTH)
    total = size * (count - 1)
    for k in range(count):
        total = total + load(load(items + 16 * k + 8) + LENGTH)
    made = text_new(ctx, total)
    to = made + 32
    for k in range(count):
        if k > 0 and size > 0:
            move(to, codes_of(between), 4 * size)
            to = to + 4 * size
        part = load(items + 16 * k + 8)
        length = load(part + LENGTH)
        move(to, codes_of(part), 4 * length)
        to = to + 4 * length
    return made


def is_among(code: int, characters: int) -> int:
    """Whether a character is one of a string's."""
    data = codes_of(characters)
    for k in range(load(characters + LENGTH)):
        if load32(data + 4 * k) == code:
            return 1
    return 0


def text_strip(ctx: int, box: int, characters: int, sides: int) -> int:
    """`box.strip(characters)`, white space for 0; `sides`: 1 the left, 2 the right, 3 both."""
    data = codes_of(box)
    first = 0
    end = load(box + LENGTH)
    if sides & 1:
        while first < end:
            code = load32(data + 4 * first)
            if not (is_space(code) if characters == 0 else is_among(code, characters)):
                break
            first = first + 1
    if sides & 2:
        while end > first:
            code = load32(data + 4 * end - 4)
            if not (is_space(code) if characters == 0 else is_among(code, characters)):
                break
            end = end - 1
    return text_between(ctx, box, first, end)


def text_pad(ctx: int, box: int, before: int, after: int, code: int) -> int:
    """A string with a character so often before and after it."""
    if before <= 0 and after <= 0:
        return box
    length = load(box + LENGTH)
    made = text_new(ctx, length + before + after)
    for k in range(before):
        store32(made + 32 + 4 * k, code)
    move(made + 32 + 4 * before, codes_of(box), 4 * length)
    for k in range(before + length, before + length + after):
        store32(made + 32 + 4 * k, code)
    return made


def text_fill_zeros(ctx: int, box: int, width: int) -> int:
    """`box.zfill(width)`."""
    length = load(box + LENGTH)
    if width <= length:
        return box
    made = text_pad(ctx, box, width - length, 0, 48)
    if length > 0:
        sign = load32(codes_of(box))
        if sign == 43 or sign == 45:
            store32(made + 32, sign)
            store32(made + 32 + 4 * (width - length), 48)
    return made


def text_over(ctx: int, data: int, length: int) -> int:
    """A string of code points that lie at a place, and stay there as long as the call lasts."""
    made = alloc(ctx, 32)
    store(made, STR)
    store(made + KEPT_HASH, 0)
    store(made + LENGTH, length)
    store(made + STR_DATA, data - made)
    return made
