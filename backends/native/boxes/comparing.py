"""Hashes, equality and order of boxes, as Python has them; finding a key in a dict or set.

A value is two words: its kind and its payload, which is the number itself (a float's bits) or the address of a box.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.memory import alloc, shorten
from jitcore.backends.native.boxes.outside import floor_of, seed
from jitcore.backends.native.boxes.points import (
    KEPT_HASH,
    LENGTH,
    NARROW,
    QUICK_PRIME,
    WIDTH,
    equal_bytes,
    hash_of_points,
    point,
    points_of,
    quick_hash,
)
from jitcore.backends.native.boxes.words import (
    float_bits,
    float_equal,
    float_less,
    float_short,
    float_whole,
    fold,
    load,
    shr,
    store,
)

NONE: Final[int] = 0
BOOL: Final[int] = 1
INT: Final[int] = 2
FLOAT: Final[int] = 3
STR: Final[int] = 4
BYTES: Final[int] = 5
TUPLE: Final[int] = 6
LIST: Final[int] = 7
DICT: Final[int] = 8
SET: Final[int] = 9
FROZENSET: Final[int] = 10
DEQUE: Final[int] = 11
COUNTER: Final[int] = 12
DEFAULTDICT: Final[int] = 13
ORDERED: Final[int] = 14
NUMPY: Final[int] = 32
"""The first kind of NumPy's numbers."""
NP_FLOAT64: Final[int] = 40
NP_FLOAT32: Final[int] = 41
"""The last one; those before these two are whole."""

TUPLE_ITEMS: Final[int] = 24
LIST_START: Final[int] = 8
LIST_CAPACITY: Final[int] = 24
LIST_ITEMS: Final[int] = 32
ORIGIN: Final[int] = 64
"""Of a list, dict, set or deque that came from outside: the address of that object, else 0."""

DIRTY: Final[int] = 72
"""Of those: whether the program has changed it."""

DICT_USED: Final[int] = 8
DICT_COUNT: Final[int] = 16
DICT_CAPACITY: Final[int] = 24
DICT_ENTRIES: Final[int] = 32
DICT_INDEX: Final[int] = 40
DICT_MASK: Final[int] = 48
INDEX_BYTES: Final[int] = 8
"""Of a dict's index, in each place: the number of an entry and 2 (0: it was never used, 1: the entry was deleted), and
above it the upper half of the hash."""
DICT_CHANGES: Final[int] = 112
DICT_ASKED_KIND: Final[int] = 80
"""The kind of the key that was found last (`asked_kind`), or 0: it has the entry `DICT_ASKED_NUMBER` still."""
DICT_ASKED: Final[int] = 88
DICT_ASKED_NUMBER: Final[int] = 96
DICT_FIRST: Final[int] = 104
"""How many entries before all others were deleted."""
DICT_BYTES: Final[int] = 120
ENTRY_BYTES: Final[int] = 40
ENTRY_KIND: Final[int] = 8
ENTRY_KEY: Final[int] = 16
ENTRY_VALUE_KIND: Final[int] = 24
ENTRY_VALUE: Final[int] = 32

SET_USED: Final[int] = 16
SET_FILL: Final[int] = 24
SET_MASK: Final[int] = 32
SET_TABLE: Final[int] = 40
SET_FINGER: Final[int] = 48
SET_BYTES: Final[int] = 80
"""Of a set; a table of 8 slots follows, which serves as long as it has room."""
SLOT_BYTES: Final[int] = 24
SLOT_KIND: Final[int] = 8
SLOT_ITEM: Final[int] = 16
UNUSED: Final[int] = 0
"""The kind of a slot of a set that was never used; those of items are one more than the item's."""
DUMMY: Final[int] = -1
"""The kind of a slot whose item was removed."""
PROBES: Final[int] = 9

MODULUS: Final[int] = (1 << 61) - 1
PRIME_1: Final[int] = 11400714785074694791 - (1 << 64)
PRIME_2: Final[int] = 14029467366897019727 - (1 << 64)
PRIME_5: Final[int] = 2870177450012600261
FLOAT_SIGN: Final[int] = -(1 << 63)
INFINITY: Final[int] = 0x7FF << 52
TWO_TO_63: Final[int] = 0x43E << 52


# --- hashes


def hash_of(ctx: int, kind: int, value: int) -> int:
    """`hash(value)`; frozensets and what is smaller. (Lists, dicts and sets are refused before.)"""
    if kind == STR:
        return hash_of_text(ctx, value)
    if kind == INT or kind == BOOL:
        return hash_of_int(value)
    if kind == TUPLE:
        return hash_of_tuple(ctx, value)
    if kind == FLOAT:
        return hash_of_float(value)
    if kind == FROZENSET:
        return hash_of_frozenset(value)
    if kind >= NP_FLOAT64:
        return hash_of_float(value)
    if kind >= NUMPY:
        return hash_of_int(value)
    return 8005


def hash_of_int(n: int) -> int:
    """The remainder by 2**61 - 1, with the sign of the number."""
    if n > -MODULUS and n < MODULUS:
        return -2 if n == -1 else n
    if n == FLOAT_SIGN:
        return -4
    made = n % MODULUS if n > 0 else -(-n % MODULUS)
    return -2 if made == -1 else made


def hash_of_float(bits: int) -> int:
    """As that of the equal int or fraction (`_Py_HashDouble`)."""
    exponent = shr(bits, 52) & 0x7FF
    mantissa = bits & ((1 << 52) - 1)
    if exponent == 0x7FF:
        if mantissa != 0:
            return 0
        return 314159 if bits > 0 else -314159
    if exponent == 0:
        exponent = 1
    else:
        mantissa = mantissa | (1 << 52)
    shift = (exponent - 1075) % 61
    if shift < 0:
        shift = shift + 61
    made = ((mantissa << shift) & MODULUS) | shr(mantissa, 61 - shift)
    if made >= MODULUS:
        made = made - MODULUS
    if bits < 0:
        made = -made
    return -2 if made == -1 else made


def hash_of_text(ctx: int, box: int) -> int:
    """Python's own."""
    known = load(box + KEPT_HASH)
    if known != 0:
        return known
    length = load(box + LENGTH)
    if length == 0:
        return 0
    width = load(box + WIDTH)
    room = 0 if width == NARROW else alloc(ctx, 2 * length)
    made = hash_of_points(points_of(box), width, length, room)
    if room != 0:
        shorten(ctx, room, 2 * length, 0)
    store(box + KEPT_HASH, made)
    return made


def hash_of_tuple(ctx: int, box: int) -> int:
    """CPython's variant of xxHash."""
    known = load(box + KEPT_HASH)
    if known != 0:
        return known
    length = load(box + LENGTH)
    made = PRIME_5
    for k in range(length):
        at = box + TUPLE_ITEMS + 16 * k
        made = made + hash_of(ctx, load(at), load(at + 8)) * PRIME_2
        made = (made << 31) | shr(made, 33)
        made = made * PRIME_1
    made = made + (length ^ (PRIME_5 ^ 3527539))
    if made == -1:
        made = 1546275796
    store(box + KEPT_HASH, made)
    return made


def shuffled(word: int) -> int:
    """The bits of an item's hash, spread."""
    return ((word ^ 89869747) ^ (word << 16)) * 3644798167


def hash_of_frozenset(box: int) -> int:
    """CPython's: whatever order its table has."""
    known = load(box + KEPT_HASH)
    if known != 0:
        return known
    table = load(box + SET_TABLE)
    made = 0
    for k in range(load(box + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        if load(slot + SLOT_KIND) > 0:
            made = made ^ shuffled(load(slot))
    made = made ^ ((load(box + SET_USED) + 1) * 1927868237)
    made = made ^ (shr(made, 11) ^ shr(made, 25))
    made = made * 69069 + 907133923
    if made == -1:
        made = 590923713
    store(box + KEPT_HASH, made)
    return made


# --- equality


def equal(ctx: int, kind: int, a: int, other: int, b: int) -> int:
    """`a == b`."""
    if kind == other:
        if kind == STR:
            return equal_texts(a, b)
        if kind == FLOAT or kind >= NP_FLOAT64:
            return float_equal(a, b)
        if kind < STR or kind >= NUMPY or a == b:
            return a == b
        if kind == TUPLE:
            return equal_items(ctx, a + TUPLE_ITEMS, load(a + LENGTH), b + TUPLE_ITEMS, load(b + LENGTH))
        if kind == LIST or kind == DEQUE:
            return equal_items(ctx, items_of(a), load(a + LENGTH), items_of(b), load(b + LENGTH))
        if is_dict(kind):
            return equal_dicts(ctx, a, b) if kind != COUNTER and kind != ORDERED else equal_of_class(ctx, kind, a, b)
        return equal_sets(ctx, a, b)
    if is_dict(kind) and is_dict(other):
        return equal_dicts(ctx, a, b)
    if kind >= NUMPY or other >= NUMPY:
        return order_by_numpy(kind, a, other, b) == 0
    if kind == FLOAT and (other == INT or other == BOOL):
        return order_of_int_and_float(b, a) == 0
    if other == FLOAT and (kind == INT or kind == BOOL):
        return order_of_int_and_float(a, b) == 0
    if kind <= INT and other <= INT and kind >= BOOL and other >= BOOL:
        return a == b
    if kind >= SET and other >= SET and kind <= FROZENSET and other <= FROZENSET:
        return equal_sets(ctx, a, b)
    return 0


def items_of(box: int) -> int:
    """Where the items of a list or deque begin."""
    return load(box + LIST_ITEMS) + 16 * load(box + LIST_START)


def equal_texts(a: int, b: int) -> int:
    """Whether two strings have the same characters."""
    if a == b:
        return 1
    length = load(a + LENGTH)
    width = load(a + WIDTH)
    if length != load(b + LENGTH) or width != load(b + WIDTH):
        return 0
    one = load(a + KEPT_HASH)
    two = load(b + KEPT_HASH)
    if one != two and one != 0 and two != 0:
        return 0
    return equal_bytes(points_of(a), points_of(b), length << width)


def equal_items(ctx: int, a: int, length: int, b: int, others: int) -> int:
    """Whether values at two places are equal in order."""
    if length != others:
        return 0
    for k in range(length):
        one = a + 16 * k
        two = b + 16 * k
        if not same_or_equal(ctx, load(one), load(one + 8), load(two), load(two + 8)):
            return 0
    return 1


def same_or_equal(ctx: int, kind: int, a: int, other: int, b: int) -> int:
    """`a is b or a == b`, as containers compare their items; NaN is itself."""
    if kind == other and a == b:
        return 1
    return equal(ctx, kind, a, other, b)


def equal_dicts(ctx: int, a: int, b: int) -> int:
    """Whether two dicts have the same keys with equal values."""
    if load(a + DICT_USED) != load(b + DICT_USED):
        return 0
    for k in range(load(a + DICT_COUNT)):
        entry = load(a + DICT_ENTRIES) + ENTRY_BYTES * k
        if load(entry + ENTRY_KIND) >= 0:
            found = find_entry(ctx, b, load(entry), load(entry + ENTRY_KIND), load(entry + ENTRY_KEY))
            if found < 0:
                return 0
            other = load(b + DICT_ENTRIES) + ENTRY_BYTES * found
            kind = load(entry + ENTRY_VALUE_KIND)
            value = load(entry + ENTRY_VALUE)
            if not same_or_equal(ctx, kind, value, load(other + ENTRY_VALUE_KIND), load(other + ENTRY_VALUE)):
                return 0
    return 1


def is_dict(kind: int) -> int:
    """Whether values of a kind are dicts, of whatever class."""
    return kind == DICT or (kind >= COUNTER and kind < NUMPY)


def equal_of_class(ctx: int, kind: int, a: int, b: int) -> int:
    """Whether two Counters have the same counts, or two OrderedDicts the same items in the same order."""
    if kind == COUNTER:
        return has_counts(ctx, a, b) and has_counts(ctx, b, a)
    return equal_dicts(ctx, a, b) and have_order(ctx, a, b)


def has_counts(ctx: int, a: int, b: int) -> int:
    """Whether what one Counter counts is as often in another; what is not there is there 0 times."""
    for k in range(load(a + DICT_COUNT)):
        entry = load(a + DICT_ENTRIES) + ENTRY_BYTES * k
        if load(entry + ENTRY_KIND) >= 0:
            found = -1
            if load(b + DICT_USED) > 0:
                found = find_entry(ctx, b, load(entry), load(entry + ENTRY_KIND), load(entry + ENTRY_KEY))
            kind = INT
            value = 0
            if found >= 0:
                other = load(b + DICT_ENTRIES) + ENTRY_BYTES * found
                kind = load(other + ENTRY_VALUE_KIND)
                value = load(other + ENTRY_VALUE)
            if not equal(ctx, load(entry + ENTRY_VALUE_KIND), load(entry + ENTRY_VALUE), kind, value):
                return 0
    return 1


def have_order(ctx: int, a: int, b: int) -> int:
    """Whether the keys of two dicts of the same length come in the same order."""
    other = load(b + DICT_ENTRIES)
    for k in range(load(a + DICT_COUNT)):
        entry = load(a + DICT_ENTRIES) + ENTRY_BYTES * k
        kind = load(entry + ENTRY_KIND)
        if kind >= 0:
            while load(other + ENTRY_KIND) < 0:
                other = other + ENTRY_BYTES
            if not same_or_equal(ctx, kind, load(entry + ENTRY_KEY), load(other + ENTRY_KIND), load(other + ENTRY_KEY)):
                return 0
            other = other + ENTRY_BYTES
    return 1


def equal_sets(ctx: int, a: int, b: int) -> int:
    """Whether two sets have the same items."""
    if load(a + SET_USED) != load(b + SET_USED):
        return 0
    return is_subset(ctx, a, b)


def is_subset(ctx: int, a: int, b: int) -> int:
    """Whether all items of a set are in another."""
    if load(a + SET_USED) > load(b + SET_USED):
        return 0
    table = load(a + SET_TABLE)
    for k in range(load(a + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        kind = load(slot + SLOT_KIND)
        if kind > 0 and not has_item(ctx, b, load(slot), kind - 1, load(slot + SLOT_ITEM)):
            return 0
    return 1


# --- order


def order_of_int_and_float(n: int, bits: int) -> int:
    """-1, 0, 1 as an int is less than, equal to or greater than a float; 2 for NaN. Exact."""
    if not float_equal(bits, bits):
        return 2
    if not float_less(bits, TWO_TO_63):
        return -1
    if float_less(bits, TWO_TO_63 | FLOAT_SIGN):
        return 1
    down = floor_of(bits)
    whole = float_whole(down)
    if n < whole:
        return -1
    if n > whole:
        return 1
    return 0 if float_equal(down, bits) else -1


def is_number(kind: int) -> int:
    """Whether values of a kind are numbers."""
    return kind >= NUMPY or (kind >= BOOL and kind <= FLOAT)


def order_by_numpy(kind: int, a: int, other: int, b: int) -> int:
    """As `order`, of two values one of which is a number of NumPy's: an int and a float are compared as two f64, a
    Python number and an f32 as two f32."""
    if not is_number(kind) or not is_number(other):
        return 3
    is_float = kind == FLOAT or kind >= NP_FLOAT64
    other_is = other == FLOAT or other >= NP_FLOAT64
    if is_float or other_is:
        x = a if is_float else float_bits(a)
        y = b if other_is else float_bits(b)
        if kind == NP_FLOAT32 and other <= FLOAT:
            y = float_short(y)
        if other == NP_FLOAT32 and kind <= FLOAT:
            x = float_short(x)
        return order_of_floats(x, y)
    return -1 if a < b else a > b


def order_of_floats(a: int, b: int) -> int:
    """As `order`, of two floats."""
    if float_less(a, b):
        return -1
    if float_less(b, a):
        return 1
    return 0 if float_equal(a, b) else 2


def order(ctx: int, kind: int, a: int, other: int, b: int) -> int:
    """-1, 0 or 1 as a is less than, equal to or greater than b; 2: neither (NaN); 3: they have no order."""
    if kind == other:
        if kind == INT or kind == BOOL:
            return -1 if a < b else a > b
        if kind == FLOAT:
            return order_of_floats(a, b)
        if kind == STR:
            return order_of_texts(a, b)
        if kind == TUPLE:
            return order_of_items(ctx, a + TUPLE_ITEMS, load(a + LENGTH), b + TUPLE_ITEMS, load(b + LENGTH))
        if kind == LIST or kind == DEQUE:
            return order_of_items(ctx, items_of(a), load(a + LENGTH), items_of(b), load(b + LENGTH))
        return 3 if kind < NUMPY else order_by_numpy(kind, a, other, b)
    if kind >= NUMPY or other >= NUMPY:
        return order_by_numpy(kind, a, other, b)
    if kind == FLOAT and (other == INT or other == BOOL):
        found = order_of_int_and_float(b, a)
        return found if found == 2 else -found
    if other == FLOAT and (kind == INT or kind == BOOL):
        return order_of_int_and_float(a, b)
    if kind <= INT and other <= INT and kind >= BOOL and other >= BOOL:
        return -1 if a < b else a > b
    return 3


def order_of_texts(a: int, b: int) -> int:
    """By code points."""
    length = load(a + LENGTH)
    others = load(b + LENGTH)
    width = load(a + WIDTH)
    other = load(b + WIDTH)
    one = points_of(a)
    two = points_of(b)
    shorter = length if length < others else others
    for k in range(shorter):
        x = point(one, width, k)
        y = point(two, other, k)
        if x != y:
            return -1 if x < y else 1
    return -1 if length < others else length > others


def order_of_items(ctx: int, a: int, length: int, b: int, others: int) -> int:
    """By the first items that are not equal."""
    shorter = length if length < others else others
    for k in range(shorter):
        one = a + 16 * k
        two = b + 16 * k
        kind = load(one)
        other = load(two)
        x = load(one + 8)
        y = load(two + 8)
        if kind == other and kind == INT:
            if x != y:
                return -1 if x < y else 1
        elif kind == other and kind == FLOAT:
            if float_less(x, y):
                return -1
            if not float_equal(x, y) and x != y:
                return 1 if float_less(y, x) else 2
        elif not same_or_equal(ctx, kind, x, other, y):
            return order(ctx, kind, x, other, y)
    return -1 if length < others else length > others


# --- finding keys


def hash_of_key(ctx: int, kind: int, key: int) -> int:
    """What a dict finds a key by: strings and tuples have a hash here, faster than Python's, which nobody sees."""
    if kind == STR:
        return quick_hash(points_of(key), load(key + LENGTH) << load(key + WIDTH), seed())
    if kind == TUPLE:
        made = seed()
        for k in range(load(key + LENGTH)):
            at = key + TUPLE_ITEMS + 16 * k
            item_kind = load(at)
            item = load(at + 8)
            if item_kind != INT or item < 0 or item >= MODULUS:
                item = hash_of_key(ctx, item_kind, item)
            made = fold(made ^ item, QUICK_PRIME)
        return made
    return hash_of(ctx, kind, key)


def find_entry(ctx: int, box: int, hash_: int, kind: int, key: int) -> int:
    """The number of a key's entry in a dict; -1 if it has none."""
    index = load(box + DICT_INDEX)
    if index == 0:
        return -1
    mask = load(box + DICT_MASK)
    entries = load(box + DICT_ENTRIES)
    perturb = hash_
    at = hash_ & mask
    tag = shr(hash_, 32)
    while True:
        word = load(index + INDEX_BYTES * at)
        number = word & 0xFFFFFFFF
        if number == 0:
            return -1
        if shr(word, 32) == tag and number != 1:
            entry = entries + ENTRY_BYTES * (number - 2)
            if load(entry) == hash_ and is_equal_key(ctx, load(entry + ENTRY_KIND), load(entry + ENTRY_KEY), kind, key):
                return number - 2
        perturb = shr(perturb, 5)
        at = (at * 5 + perturb + 1) & mask


def is_equal_key(ctx: int, held: int, a: int, kind: int, b: int) -> int:
    """Whether a key that is held (none, where its kind is negative) is one that is sought, and has its hash."""
    if held == kind:
        if a == b:
            return 1
        if kind == STR:
            return equal_texts(a, b)
    elif held < 0:
        return 0
    return equal(ctx, held, a, kind, b)


def has_item(ctx: int, box: int, hash_: int, kind: int, item: int) -> int:
    """Whether an item is in a set; quickly where it lies at its first place, or nothing does."""
    slot = load(box + SET_TABLE) + SLOT_BYTES * (hash_ & load(box + SET_MASK))
    held = load(slot + SLOT_KIND)
    if held == UNUSED:
        return 0
    if held == kind + 1 and load(slot + SLOT_ITEM) == item:
        return 1
    return find_slot(ctx, box, hash_, kind, item) != 0


def find_slot(ctx: int, box: int, hash_: int, kind: int, item: int) -> int:
    """The address of an item's slot in a set; 0 if it has none."""
    mask = load(box + SET_MASK)
    table = load(box + SET_TABLE)
    perturb = hash_
    at = hash_ & mask
    while True:
        probes = PROBES if at + PROBES <= mask else 0
        slot = table + SLOT_BYTES * at
        while probes >= 0:
            held = load(slot + SLOT_KIND)
            if held == UNUSED:
                return 0
            if load(slot) == hash_ and is_equal_key(ctx, held - 1, load(slot + SLOT_ITEM), kind, item):
                return slot
            slot = slot + SLOT_BYTES
            probes = probes - 1
        perturb = shr(perturb, 5)
        at = (at * 5 + 1 + perturb) & mask
