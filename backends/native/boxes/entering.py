"""Python's objects as boxes, and what the program changed in them written back.

What may be in an object is described by words (`program.boxes.Contents`): a node is a number of kinds, and three
words for each: the kind and where the nodes of its parts are, or (of a tuple) where its length and items' nodes are.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.class_entering import (
    clear_dict_of,
    deque_like,
    dict_like,
    has_factory,
    refill_deque,
)
from jitcore.backends.native.boxes.comparing import (
    BOOL,
    DEFAULTDICT,
    DEQUE,
    DICT_COUNT,
    DICT_ENTRIES,
    DIRTY,
    DUMMY,
    ENTRY_BYTES,
    ENTRY_KEY,
    ENTRY_KIND,
    ENTRY_VALUE,
    ENTRY_VALUE_KIND,
    FLOAT,
    INT,
    LENGTH,
    LIST,
    NONE,
    NP_FLOAT32,
    NP_FLOAT64,
    NUMPY,
    ORDERED,
    ORIGIN,
    SET_FILL,
    SET_MASK,
    SET_TABLE,
    SET_USED,
    SLOT_BYTES,
    SLOT_ITEM,
    SLOT_KIND,
    STR,
    TUPLE,
    is_dict,
)
from jitcore.backends.native.boxes.giving import PY_LIST_ITEMS, forget_given, object_of
from jitcore.backends.native.boxes.memory import ENTERED, HEAP, alloc, keep_all, take
from jitcore.backends.native.boxes.outside import (
    append_to_list,
    begin_python,
    dict_entry_after,
    drop,
    end_python,
    forget_error,
    int_of,
    item_of_list,
    item_of_tuple,
    keep,
    list_of_entries,
    list_of_items,
    new_list_object,
    put_in_dict,
    put_in_list,
    put_in_ordered,
    put_in_set,
    remove_from_set,
    replace_in_list,
    size_of_list,
    size_of_str,
    size_of_tuple,
    str_to_codes,
    types,
)
from jitcore.backends.native.boxes.points import NARROW
from jitcore.backends.native.boxes.sequences import list_append, list_new, tuple_new, tuple_put
from jitcore.backends.native.boxes.sets import set_contains, set_new
from jitcore.backends.native.boxes.tables import dict_find, dict_key, dict_next, dict_of_heap, dict_set, dict_value
from jitcore.backends.native.boxes.texts import text_copied, text_over
from jitcore.backends.native.boxes.words import clear, float_equal, float_of_short, load, load8, load32, store

DEEPEST: Final[int] = 64
TAGGED_INTS: Final[int] = 1
"""Whether this Python's ints say in one word how many digits they have and what sign: `library` asks it."""
NP_BOOL: Final[int] = 32
NP_INT8: Final[int] = 33
NP_INT32: Final[int] = 35
NP_INT64: Final[int] = 36
NP_UINT8: Final[int] = 37
NP_UINT16: Final[int] = 38
NP_UINT32: Final[int] = 39
PY_FLOAT: Final[int] = 16
"""Where floats have their bits, and NumPy's numbers, too (`outside.NUMPY_CLASSES`)."""
PY_INT_TAG: Final[int] = 16
PY_INT_DIGITS: Final[int] = 24
PY_STR_STATE: Final[int] = 32
PY_STR_KIND: Final[int] = 2
"""By how many bits a str's state is moved for its kind (3 bits), whether it is compact, and whether it is of ASCII."""
PY_STR_ASCII: Final[int] = 40
PY_STR_LATIN: Final[int] = 56
"""Where the characters of a str of ASCII and of another of Latin-1 are: `library` asks this Python."""
PY_SET_FILL: Final[int] = 16
PY_SET_MASK: Final[int] = 32
PY_SET_TABLE: Final[int] = 40


def class_of_kind(kind: int) -> int:
    """The address of the class of values of a kind."""
    return load(types() + 8 * kind)


def kind_of_object(obj: int) -> int:
    """What kind of value an object is; -1 for others."""
    cls = load(obj + 8)
    table = types()
    if load(table + 8 * INT) == cls:
        return INT
    for kind in range(15):
        if load(table + 8 * kind) == cls:
            return kind
    for kind in range(NUMPY, NP_FLOAT32 + 1):
        if load(table + 8 * kind) == cls:
            return kind
    return -1


def fits(obj: int, words: int, node: int, depth: int) -> int:
    """Whether an object, and all that is in it, is of the kinds that a node has; `words`: room for three."""
    return fits_in(obj, words, words + 24 + 8 * node, depth)


def fits_in(obj: int, words: int, node: int, depth: int) -> int:
    """As `fits`, with the node's address."""
    kind = kind_of_object(obj)
    if kind < 0 or depth > DEEPEST:
        return 0
    base = words + 24
    for k in range(load(node)):
        at = node + 8 + 24 * k
        if load(at) & 255 == kind:
            if kind < TUPLE or kind >= NUMPY:
                return kind != INT or int_at(obj, words)
            if kind == TUPLE:
                parts = base + 8 * load(at + 8)
                if load(parts) == size_of_tuple(obj) and fits_tuple(obj, words, parts, depth):
                    return 1
            elif is_dict(kind):
                if kind == DEFAULTDICT and not has_factory(obj, load(at) >> 8):
                    return 0
                return fits_dict(obj, words, base + 8 * load(at + 8), base + 8 * load(at + 16), depth)
            elif kind == LIST:
                return fits_list(obj, words, base + 8 * load(at + 8), depth)
            elif kind == DEQUE:
                return fits_deque(obj, words, base + 8 * load(at + 8), depth)
            else:
                return fits_set(obj, words, base + 8 * load(at + 8), depth)
    return 0


def fits_tuple(obj: int, words: int, parts: int, depth: int) -> int:
    """Whether the items of a tuple are of the kinds that they should be."""
    for k in range(load(parts)):
        node = words + 24 + 8 * load(parts + 8 + 8 * k)
        if not fits_in(item_of_tuple(obj, k), words, node, depth + 1):
            return 0
    return 1


def fits_list(obj: int, words: int, node: int, depth: int) -> int:
    """Whether the items of a list are of the kinds that a node has."""
    if load(node) == 1 and (load(node + 8) < TUPLE or load(node + 8) >= NUMPY):
        return fits_alike(obj, words, load(node + 8))
    for k in range(size_of_list(obj)):
        if not fits_in(item_of_list(obj, k), words, node, depth + 1):
            return 0
    return 1


def fits_alike(obj: int, words: int, kind: int) -> int:
    """Whether the items of a list are of one kind, and ints fit 64 bits."""
    cls = class_of_kind(kind)
    for k in range(size_of_list(obj)):
        item = load(load(obj + PY_LIST_ITEMS) + 8 * k)
        if load(item + 8) != cls or (kind == INT and not int_at(item, words)):
            return 0
    return 1


def int_at(obj: int, out: int) -> int:
    """Put an int of Python's at a place, if it fits 64 bits: whether it does."""
    tag = load(obj + PY_INT_TAG)
    if TAGGED_INTS:  # how many digits, and the sign
        if tag < 16:
            store(out, (1 - (tag & 3)) * load32(obj + PY_INT_DIGITS))
            return 1
    elif tag >= -1 and tag <= 1:
        store(out, tag * load32(obj + PY_INT_DIGITS))
        return 1
    return int_of(obj, out)


def fits_deque(obj: int, words: int, node: int, depth: int) -> int:
    """Whether the items of a deque are of the kinds that a node has."""
    items = list_of_items(obj)
    if items == 0:
        forget_error()
        return 0
    fit = fits_list(items, words, node, depth)
    drop(items)
    return fit


def fits_dict(obj: int, words: int, keys: int, values: int, depth: int) -> int:
    """Whether the keys and values of a dict are of the kinds that nodes have."""
    store(words, 0)
    position = 0
    while dict_entry_after(obj, words):
        position = load(words)
        key = load(words + 8)
        value = load(words + 16)
        if is_nan_key(key) or not fits_in(key, words, keys, depth + 1) or not fits_in(value, words, values, depth + 1):
            return 0
        store(words, position)
    return 1


def is_nan_key(obj: int) -> int:
    """Whether an object is, or has in it, a NaN, of which as a key there may be several."""
    cls = load(obj + 8)
    if cls == class_of_kind(TUPLE):
        for k in range(size_of_tuple(obj)):
            if is_nan_key(item_of_tuple(obj, k)):
                return 1
        return 0
    if cls == class_of_kind(FLOAT):
        return not float_equal(load(obj + PY_FLOAT), load(obj + PY_FLOAT))
    if cls != class_of_kind(NP_FLOAT64) and cls != class_of_kind(NP_FLOAT32):
        return 0
    bits = number_in(NP_FLOAT64 if cls == class_of_kind(NP_FLOAT64) else NP_FLOAT32, obj)
    return not float_equal(bits, bits)


def fits_set(obj: int, words: int, node: int, depth: int) -> int:
    """Whether the items of a set are of the kinds that a node has."""
    table = load(obj + PY_SET_TABLE)
    for k in range(load(obj + PY_SET_MASK) + 1):
        key = load(table + 16 * k)
        if key != 0 and load(table + 16 * k + 8) != -1:
            if is_nan_key(key) or not fits_in(key, words, node, depth + 1):
                return 0
    return 1


# --- entering


def entered(ctx: int, obj: int) -> int:
    """The box of an object that has been found to fit."""
    lock = begin_python()
    made = payload_of(ctx, kind_of_object(obj), obj)
    end_python(lock)
    return made


def text_given(ctx: int, obj: int) -> int:
    """The box of a str; nothing is written back into it."""
    lock = begin_python()
    made = text_entered(ctx, obj)
    end_python(lock)
    return made


def payload_of(ctx: int, kind: int, obj: int) -> int:
    """The payload of an object of a kind."""
    if kind == INT or kind == BOOL:
        int_at(obj, ctx + 176)
        return load(ctx + 176)
    if kind == FLOAT:
        return load(obj + PY_FLOAT)
    if kind == NONE:
        return 0
    if kind == STR:
        return text_entered(ctx, obj)
    if kind >= NUMPY:
        return number_in(kind, obj)
    if kind == TUPLE:
        size = size_of_tuple(obj)
        box = tuple_new(ctx, size)
        for k in range(size):
            item = item_of_tuple(obj, k)
            item_kind = kind_of_object(item)
            tuple_put(box, k, item_kind, payload_of(ctx, item_kind, item))
        return box
    return container_of(ctx, kind, obj)


def number_in(kind: int, obj: int) -> int:
    """The payload of a number of NumPy's, which lies where a float's bits do."""
    if kind == NP_FLOAT32:
        return float_of_short(load32(obj + PY_FLOAT))
    if kind == NP_FLOAT64 or kind == NP_INT64:
        return load(obj + PY_FLOAT)
    if kind == NP_UINT32 or kind == NP_INT32:
        word = load32(obj + PY_FLOAT)
        return word if kind == NP_UINT32 else (word << 32) >> 32
    word = load8(obj + PY_FLOAT)
    if kind == NP_INT8:
        return (word << 56) >> 56
    if kind == NP_BOOL or kind == NP_UINT8:
        return word
    word = word | (load8(obj + PY_FLOAT + 1) << 8)
    return word if kind == NP_UINT16 else (word << 48) >> 48


def text_entered(ctx: int, obj: int) -> int:
    """The box of a str."""
    length = size_of_str(obj)
    state = load32(obj + PY_STR_STATE) >> PY_STR_KIND
    if (state & 15) == 9:  # Latin-1, right behind the head
        data = obj + (PY_STR_ASCII if state & 16 else PY_STR_LATIN)
        return text_copied(ctx, data, NARROW, NARROW, length)
    room = alloc(ctx, 4 * length)
    if length > 0:
        str_to_codes(obj, room, length, 0)
    return text_over(ctx, room, length)


def container_of(ctx: int, kind: int, obj: int) -> int:
    """The box of a list, dict or set: the one that it has in this call."""
    known = dict_of_heap(ctx, ENTERED)
    number = dict_find(ctx, known, INT, obj)
    if number >= 0:
        return dict_value(known, number)
    if kind == LIST:
        box = list_new(ctx, LIST, size_of_list(obj))
    elif is_dict(kind):
        box = dict_like(ctx, kind, obj)
    elif kind == DEQUE:
        box = deque_like(ctx, obj)
    else:
        box = set_new(ctx, kind)
    store(box + ORIGIN, obj)
    dict_set(ctx, known, INT, obj, INT, box)
    keep_all(ctx)
    if kind == LIST:
        take_items(ctx, box, obj)
    elif kind == DEQUE or kind == ORDERED:
        items = list_of_items(obj) if kind == DEQUE else list_of_entries(obj)
        if items == 0:
            forget_error()
            return -9223372036854775808
        if kind == DEQUE:
            take_items(ctx, box, items)
        else:
            take_entries(ctx, box, items)
        drop(items)
    elif is_dict(kind):
        place = alloc(ctx, 24)
        store(place, 0)
        while dict_entry_after(obj, place):
            key = load(place + 8)
            value = load(place + 16)
            key_kind = kind_of_object(key)
            value_kind = kind_of_object(value)
            held = payload_of(ctx, key_kind, key)
            dict_set(ctx, box, key_kind, held, value_kind, payload_of(ctx, value_kind, value))
    else:
        copy_set(ctx, box, obj)
    store(box + DIRTY, 0)
    return box


def take_items(ctx: int, box: int, obj: int) -> int:
    """Append the items of a list of Python's to one in a box."""
    for k in range(size_of_list(obj)):
        item = load(load(obj + PY_LIST_ITEMS) + 8 * k)
        item_kind = kind_of_object(item)
        list_append(ctx, box, item_kind, payload_of(ctx, item_kind, item))
    return 0


def take_entries(ctx: int, box: int, entries: int) -> int:
    """Put pairs of a list of Python's into a dict in a box."""
    for k in range(size_of_list(entries)):
        pair = item_of_list(entries, k)
        key = item_of_tuple(pair, 0)
        value = item_of_tuple(pair, 1)
        key_kind = kind_of_object(key)
        value_kind = kind_of_object(value)
        held = payload_of(ctx, key_kind, key)
        dict_set(ctx, box, key_kind, held, value_kind, payload_of(ctx, value_kind, value))
    return 0


def copy_set(ctx: int, box: int, obj: int) -> int:
    """Give a set's box the table that Python's has."""
    slots = load(obj + PY_SET_MASK) + 1
    source = load(obj + PY_SET_TABLE)
    table = take(ctx, SLOT_BYTES * slots)
    clear(table, SLOT_BYTES * slots)
    used = 0
    for k in range(slots):
        key = load(source + 16 * k)
        slot = table + SLOT_BYTES * k
        if key != 0:
            hash_ = load(source + 16 * k + 8)
            store(slot, hash_)
            if hash_ == -1:
                store(slot + SLOT_KIND, DUMMY)
            else:
                kind = kind_of_object(key)
                store(slot + SLOT_KIND, kind + 1)
                store(slot + SLOT_ITEM, payload_of(ctx, kind, key))
                used = used + 1
    store(box + SET_TABLE, table)
    store(box + SET_MASK, slots - 1)
    store(box + SET_USED, used)
    store(box + SET_FILL, load(obj + PY_SET_FILL))
    return 0


# --- writing back


def write_back(ctx: int) -> int:
    """Give the objects whose boxes were changed what those hold."""
    heap = load(ctx + HEAP)
    known = 0 if heap == 0 else load(heap + ENTERED)
    if known == 0:
        return 0
    number = dict_next(known, 0)
    changed = 0
    while number >= 0:
        if load(dict_value(known, number) + DIRTY):
            changed = 1
        number = dict_next(known, number + 1)
    if changed == 0:
        return 0
    lock = begin_python()
    number = dict_next(known, 0)
    while number >= 0:
        keep(dict_key(known, number))
        number = dict_next(known, number + 1)
    number = dict_next(known, 0)
    while number >= 0:
        box = dict_value(known, number)
        if load(box + DIRTY):
            store(box + DIRTY, 0)
            kind = load(box)
            obj = load(box + ORIGIN)
            if kind == LIST or kind == DEQUE:
                write_list(obj, box)
            elif is_dict(kind):
                write_dict(obj, box)
            else:
                write_set(ctx, obj, box)
        number = dict_next(known, number + 1)
    number = dict_next(known, 0)
    while number >= 0:
        drop(dict_key(known, number))
        number = dict_next(known, number + 1)
    forget_error()
    forget_given()
    end_python(lock)
    return 0


def write_list(obj: int, box: int) -> int:
    """The items of a list."""
    length = load(box + LENGTH)
    items = load(box + 32) + 16 * load(box + 8)
    made = new_list_object(length)
    if made == 0:
        return 0
    for k in range(length):
        at = items + 16 * k
        item = object_of(load(at), load(at + 8))
        if item == 0:
            drop(made)
            return 0
        put_in_list(made, k, item)
    if load(box) == DEQUE:
        refill_deque(obj, made)
    else:
        replace_in_list(obj, 0, size_of_list(obj), made)
    drop(made)
    return 0


def write_dict(obj: int, box: int) -> int:
    """The entries of a dict."""
    of = load(box)
    clear_dict_of(of, obj)
    for k in range(load(box + DICT_COUNT)):
        entry = load(box + DICT_ENTRIES) + ENTRY_BYTES * k
        kind = load(entry + ENTRY_KIND)
        if kind >= 0:
            key = object_of(kind, load(entry + ENTRY_KEY))
            value = object_of(load(entry + ENTRY_VALUE_KIND), load(entry + ENTRY_VALUE))
            if key != 0 and value != 0:
                if of == ORDERED:
                    put_in_ordered(obj, key, value)
                else:
                    put_in_dict(obj, key, value)
            if key != 0:
                drop(key)
            if value != 0:
                drop(value)
    return 0


def write_set(ctx: int, obj: int, box: int) -> int:
    """The items of a set: those that went are removed and the new ones added, so that the others stay in place."""
    gone = new_list_object(0)
    if gone == 0:
        return 0
    source = load(obj + PY_SET_TABLE)
    for k in range(load(obj + PY_SET_MASK) + 1):
        key = load(source + 16 * k)
        if key != 0 and load(source + 16 * k + 8) != -1:
            kind = kind_of_object(key)
            if not set_contains(ctx, box, kind, payload_of(ctx, kind, key)):
                append_to_list(gone, key)
    for k in range(size_of_list(gone)):
        remove_from_set(obj, item_of_list(gone, k))
    drop(gone)
    table = load(box + SET_TABLE)
    for k in range(load(box + SET_MASK) + 1):
        slot = table + SLOT_BYTES * k
        if load(slot + SLOT_KIND) > 0:
            item = object_of(load(slot + SLOT_KIND) - 1, load(slot + SLOT_ITEM))
            if item != 0:
                put_in_set(obj, item)
                drop(item)
    return 0
