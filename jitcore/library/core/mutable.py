"""Containers marked as variable: what MindSpore's `mutable` makes, whose items gradients are taken by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final, cast

from jitcore.library.core.values import KNOWN_CATEGORIES, category


class MutableTuple(tuple[Any, ...]):
    """A tuple marked as variable. Like a named tuple's, its class takes the items one by one."""

    __jitcore_plain__: ClassVar[type] = tuple
    __ms_origin_object__: Any = None
    """What it was made of."""
    _fields: ClassVar[tuple[str, ...]] = ()

    def __new__(cls, *items: Any) -> MutableTuple:
        return super().__new__(cls, items)

    __repr__ = tuple.__repr__


class MutableList(list[Any]):
    """A list marked as variable."""

    __jitcore_plain__: ClassVar[type] = list
    __ms_origin_object__: Any = None


class DynamicTuple(MutableTuple):
    """A tuple whose length is marked as variable, too."""


class DynamicList(MutableList):
    """A list whose length is marked as variable, too."""


class MutableDict(dict[Any, Any]):
    """A dict marked as variable."""

    __jitcore_plain__: ClassVar[type] = dict
    __ms_origin_object__: Any = None


MARKED: Final = {tuple: MutableTuple, list: MutableList, dict: MutableDict}
"""The class of marked containers by that of plain ones."""


def plain_class(cls: type) -> type:
    """The class of plain containers that are like those of a class of marked ones; any other class as it is."""
    return getattr(cls, "__jitcore_plain__", cls)


def is_marked(value: Any) -> bool:
    """Whether a value is a container marked as variable."""
    return isinstance(value, MutableTuple | MutableList | MutableDict)


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """A tuple, list or dict as a new one that gradients are taken by; numbers and Tensors, which are variable anyway,
    as they are.

    Raises TypeError for what is not made of Tensors and numbers, and for a `dynamic_len` of anything but a tuple or
    list.

    >>> mutable((1, 2))
    (1, 2)
    """
    _require_numbers(input_data)
    if dynamic_len and not isinstance(input_data, tuple | list):
        raise length_refusal(type(input_data).__name__)
    if isinstance(input_data, tuple):
        made: Any = (DynamicTuple if dynamic_len else MutableTuple)(*cast("tuple[Any, ...]", input_data))
    elif isinstance(input_data, list):
        made = (DynamicList if dynamic_len else MutableList)(cast("list[Any]", input_data))
    elif isinstance(input_data, dict):
        made = MutableDict(cast("dict[Any, Any]", input_data))
    else:
        return input_data
    made.__ms_origin_object__ = cast(Any, input_data)
    return made


def marked_like(value: Any, made: Any) -> Any:
    """A container made of another one, marked if that is."""
    if isinstance(value, MutableTuple):
        return type(value)(*made)
    return type(value)(made) if isinstance(value, MutableList | MutableDict) else made


def _require_numbers(value: Any) -> None:
    """A value is made of arrays and numbers."""
    if isinstance(value, tuple | list | dict):
        items = cast(
            "Iterable[Any]",
            value.values() if isinstance(value, dict) else value,  # pyright: ignore[reportUnknownMemberType]
        )
        for item in items:
            _require_numbers(item)
    elif type(value) not in KNOWN_CATEGORIES and category(value) is None:
        raise refusal(type(value).__name__)


def refusal(name: str) -> TypeError:
    """What says that a value of a class cannot be marked."""
    return TypeError(f"mutable takes Tensors, numbers, and tuples, lists and dicts of those, not {name}")


def length_refusal(name: str) -> TypeError:
    """What says that values of a class have no length that could vary."""
    return TypeError(f"mutable: a value of variable length is a tuple or list, not {name}")
