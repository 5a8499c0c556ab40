"""MindSpore's functions of Python's values: plain functions, compiled as a program's own are."""

# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import math
from typing import Any


def scalar_add(x: Any, y: Any) -> Any:
    """`x + y`."""
    return x + y


def scalar_sub(x: Any, y: Any) -> Any:
    """`x - y`."""
    return x - y


def scalar_mul(x: Any, y: Any) -> Any:
    """`x * y`."""
    return x * y


def scalar_div(x: Any, y: Any) -> Any:
    """`x / y`."""
    return x / y


def scalar_floordiv(x: Any, y: Any) -> Any:
    """`x // y`."""
    return x // y


def scalar_mod(x: Any, y: Any) -> Any:
    """`x % y`."""
    return x % y


def scalar_pow(x: Any, y: Any) -> Any:
    """`x ** y`."""
    return x**y


def scalar_uadd(x: Any) -> Any:
    """`+x`."""
    return +x


def scalar_usub(x: Any) -> Any:
    """`-x`."""
    return -x


def scalar_eq(x: Any, y: Any) -> Any:
    """`x == y`."""
    return x == y


def scalar_ne(x: Any, y: Any) -> Any:
    """`x != y`."""
    return x != y


def scalar_lt(x: Any, y: Any) -> Any:
    """`x < y`."""
    return x < y


def scalar_le(x: Any, y: Any) -> Any:
    """`x <= y`."""
    return x <= y


def scalar_gt(x: Any, y: Any) -> Any:
    """`x > y`."""
    return x > y


def scalar_ge(x: Any, y: Any) -> Any:
    """`x >= y`."""
    return x >= y


def bool_eq(x: Any, y: Any) -> Any:
    """`x == y` of two bools."""
    return x == y


def string_eq(x: Any, y: Any) -> Any:
    """`x == y` of two strings."""
    return x == y


def tuple_equal(x: Any, y: Any) -> Any:
    """`x == y` of two tuples."""
    return x == y


def list_equal(x: Any, y: Any) -> Any:
    """`x == y` of two lists."""
    return x == y


def string_concat(x: Any, y: Any) -> Any:
    """`x + y` of two strings."""
    return x + y


def bool_not(x: Any) -> bool:
    """`not x`."""
    return not x


def bool_and(x: Any, y: Any) -> Any:
    """`x and y`."""
    return x and y


def bool_or(x: Any, y: Any) -> Any:
    """`x or y`."""
    return x or y


def is_(x: Any, y: Any) -> bool:
    """`x is y`."""
    return x is y


def is_not(x: Any, y: Any) -> bool:
    """`x is not y`."""
    return x is not y


def isinstance_(x: Any, cls: Any) -> bool:
    """`isinstance(x, cls)`."""
    return isinstance(x, cls)


def in_dict(x: Any, items: Any) -> bool:
    """`x in items`."""
    return x in items


def not_in_dict(x: Any, items: Any) -> bool:
    """`x not in items`."""
    return x not in items


in_list, not_in_list = in_dict, not_in_dict


def getitem(x: Any, key: Any) -> Any:
    """`x[key]`."""
    return x[key]


def tuple_getitem(x: Any, index: Any) -> Any:
    """An item of a tuple."""
    return x[index]


def list_getitem(x: Any, index: Any) -> Any:
    """An item of a list."""
    return x[index]


def dict_getitem(x: Any, key: Any) -> Any:
    """What a dict holds under a key."""
    return x[key]


string_getitem = tuple_slice = tensor_slice = getitem


def setitem(x: Any, key: Any, value: Any) -> Any:
    """x with `x[key] = value`."""
    x[key] = value
    return x


def list_setitem(x: Any, index: Any, value: Any) -> Any:
    """The list, with another item."""
    x[index] = value
    return x


def dict_setitem(x: Any, key: Any, value: Any) -> Any:
    """The dict, with something else under a key."""
    x[key] = value
    return x


def tuple_setitem(x: Any, key: Any, value: Any) -> Any:
    """The tuple with another item."""
    items = list(x)
    items[key] = value
    return tuple(items)


def length(x: Any) -> int:
    """`len(x)`."""
    return len(x)


tuple_len = list_len = dict_len = array_len = length


def list_append(x: Any, item: Any) -> Any:
    """The list, with an item more."""
    x.append(item)
    return x


def tuple_reversed(x: Any) -> Any:
    """The items in reverse."""
    return x[::-1]


def scalar_log(x: Any) -> float:
    """The natural logarithm of a number."""
    return math.log(x)


def make_tuple(*items: Any) -> Any:
    """The items as a tuple."""
    return items


def make_list(*items: Any) -> Any:
    """The items as a list."""
    return list(items)


def tuple_div(x: Any, y: Any) -> Any:
    """The whole quotients of two tuples' items."""
    return tuple([a // b for a, b in zip(x, y, strict=True)])


def make_dict(keys: Any, values: Any) -> Any:
    """A dict of keys and values."""
    return dict(zip(keys, values, strict=True))


def make_slice(start: Any, stop: Any, step: Any) -> slice:
    """A slice."""
    return slice(start, stop, step)


def make_range(*ends: Any) -> range:
    """A range."""
    return range(*ends)


def dict_keys(x: Any) -> Any:
    """The keys as a tuple."""
    return tuple(x.keys())


def dict_values(x: Any) -> Any:
    """The values as a tuple."""
    return tuple(x.values())


def dict_items(x: Any) -> Any:
    """The pairs of keys and values as a tuple."""
    return tuple(x.items())


NAMES = tuple(
    name
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__module__", None) == __name__ and name != "length"
)
"""What is published."""
