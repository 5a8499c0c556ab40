"""Python's deques, Counters, defaultdicts and OrderedDicts as boxes, and what the program changed in them written back:
what is done in another way than for lists and dicts."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.comparing import DEFAULTDICT, DICT, ORDERED
from jitcore.backends.native.boxes.deques import deque_new
from jitcore.backends.native.boxes.dict_classes import dict_new_as
from jitcore.backends.native.boxes.memory import alloc
from jitcore.backends.native.boxes.outside import (
    attribute_of,
    called_with,
    clear_dict,
    drop,
    extend_in_place,
    factories,
    forget_error,
    int_of,
    none_object,
    types,
)
from jitcore.backends.native.boxes.tables import dict_new
from jitcore.backends.native.boxes.words import load

CLEAR_ORDERED: Final[int] = 16
"""Where in the table of types: `OrderedDict.clear`, `deque.clear`, and names of attributes."""
CLEAR_DEQUE: Final[int] = 17
NAME_OF_MAXLEN: Final[int] = 18
NAME_OF_FACTORY: Final[int] = 19


def attribute_now(obj: int, name: int) -> int:
    """An attribute that an object has, which it keeps; its name is in the table of types."""
    found = attribute_of(obj, load(types() + 8 * name))
    if found == 0:
        forget_error()
        return none_object()
    drop(found)
    return found


def has_factory(obj: int, number: int) -> int:
    """Whether a defaultdict has the default factory of a number."""
    return attribute_now(obj, NAME_OF_FACTORY) == load(factories() + 8 * number)


def factory_number(obj: int) -> int:
    """The number of the default factory of a defaultdict, which has one."""
    found = attribute_now(obj, NAME_OF_FACTORY)
    number = 0
    while load(factories() + 8 * number) != found:
        number = number + 1
    return number


def dict_like(ctx: int, kind: int, obj: int) -> int:
    """An empty dict of an object's class."""
    if kind == DICT:
        return dict_new(ctx)
    return dict_new_as(ctx, kind, factory_number(obj) if kind == DEFAULTDICT else 0)


def deque_like(ctx: int, obj: int) -> int:
    """An empty deque with an object's greatest length."""
    most = attribute_now(obj, NAME_OF_MAXLEN)
    if most == none_object():
        return deque_new(ctx, -1)
    place = alloc(ctx, 8)
    int_of(most, place)
    return deque_new(ctx, load(place))


def clear_dict_of(kind: int, obj: int) -> int:
    """`obj.clear()` of a dict."""
    if kind != ORDERED:
        clear_dict(obj)
        return 0
    done = called_with(load(types() + 8 * CLEAR_ORDERED), obj)
    if done != 0:
        drop(done)
    return 0


def refill_deque(obj: int, items: int) -> int:
    """Give a deque the items of a list."""
    done = called_with(load(types() + 8 * CLEAR_DEQUE), obj)
    if done != 0:
        drop(done)
        done = extend_in_place(obj, items)
        if done != 0:
            drop(done)
    return 0
