"""What a class defines, as a program that was compiled for it takes it to be.

A program finds methods, properties and special methods when it is compiled, and finds that there are none. It holds for
the class as long as its bases define the same names by the same functions and descriptors. Data are left out: what a
program reads of them it reads by their path.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from jitcore.structs import dataclass

_T = TypeVar("_T")

_HEAP_TYPE: Final = 1 << 9
_IMMUTABLE: Final = 1 << 8
_DATA: Final = object()
"""Stands for what a class holds that is no function, descriptor or class: any may take its place."""
_MADE_LATER: Final = frozenset(
    (
        "__annotations__", "__annotations_cache__", "__annotate__", "__annotate_func__", "__doc__", "__firstlineno__",
        "__static_attributes__", "__parameters__", "_abc_impl",
    )
)  # fmt: skip
"""Names that Python itself adds to classes, or fills, when something asks for them."""


_forgetting: Final[list[Callable[[], None]]] = []


def remembered(function: Callable[[type], _T]) -> Callable[[type], _T]:
    """Have what a function says of a class remembered, until a class is found changed."""
    kept: WeakKeyDictionary[type, _T] = WeakKeyDictionary()  # classes made in a loop are not kept by it
    _forgetting.append(kept.clear)

    @functools.wraps(function)
    def remembering(cls: type) -> _T:
        if cls not in kept:
            kept[cls] = function(cls)
        return kept[cls]

    return remembering


def forget_classes() -> None:
    """A class has changed: what was said of classes is to be found out anew."""
    for forget in _forgetting:
        forget()


def may_change(cls: type) -> bool:
    """Whether the attributes of a class can be assigned to."""
    return any(base.__flags__ & _HEAP_TYPE and not base.__flags__ & _IMMUTABLE for base in cls.__mro__)


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """The classes that a class's attributes are looked for in, in order, and what each defines."""

    order: tuple[type, ...]
    members: tuple[dict[str, Any], ...]

    @staticmethod
    def of(one: type) -> Definition:
        """That of a class now."""
        order = one.__mro__
        return Definition(order, tuple(map(_members, order)))

    def describes(self, cls: type) -> bool:
        """Whether the class still is as it was."""
        order = cls.__mro__
        if len(order) != len(self.order) or any(a is not b for a, b in zip(order, self.order, strict=True)):
            return False
        return all(_is_same(_members(base), held) for base, held in zip(order, self.members, strict=True))


def _members(cls: type) -> dict[str, Any]:
    if not cls.__flags__ & _HEAP_TYPE or cls.__flags__ & _IMMUTABLE:
        return {}
    return {k: _kept(k, v) for k, v in cls.__dict__.items() if k not in _MADE_LATER}


def _kept(name: str, value: Any) -> Any:
    defines = callable(value) or hasattr(type(value), "__get__") or (name[:2] == "__" == name[-2:])
    return value if defines else _DATA


def _is_same(now: dict[str, Any], before: dict[str, Any]) -> bool:
    return len(now) == len(before) and all(now.get(name, now) is value for name, value in before.items())


@dataclass(frozen=True, slots=True, eq=False)
class Kinship:
    """Whether a class is taken for a subclass of another, which may be told so at any time (`ABC.register`)."""

    cls: type
    wanted: type

    @property
    def holds(self) -> bool:
        """Whether it is now."""
        return issubclass(self.cls, self.wanted)
