"""What arguments are made of that programs make anew for each call: functions that functions make, methods, partial
objects, ranges, slices and objects. They are told by that, and not by which object they are.
"""

from __future__ import annotations

import functools
from types import FunctionType, MemberDescriptorType, MethodType
from typing import TYPE_CHECKING, Any, Final

from jitcore.identity import Identity
from jitcore.lookup import attribute_of
from jitcore.primitives.core.definitions import remembered
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.values import Path

_OF_CELL: Final = ("attr", "cell_contents")


@dataclass(frozen=True, slots=True)
class Parts:
    """`kind` is what is static (of a function, what code it runs), `parts` are the objects that it holds, by the steps
    of a path that lead to them."""

    kind: tuple[Any, ...]
    parts: tuple[tuple[Path, Any], ...]


def taken_apart(value: Any) -> Parts | None:
    """What is static of a function, method, partial object, range or slice, and what it holds; None of what is told by
    its identity alone."""
    cls = type(value)
    if cls is range or cls is slice:
        return Parts((cls,), tuple((_step(name), getattr(value, name)) for name in ("start", "stop", "step")))
    if cls is FunctionType:
        return _of_function(value)
    if cls is MethodType:
        function = value.__func__
        return (
            Parts((cls, Identity(function)), ((_step("__self__"), value.__self__),))
            if type(function) is FunctionType
            else None
        )
    if cls is functools.partial and not value.__dict__:
        parts: list[tuple[Path, Any]] = [(_step("func"), value.func)]
        parts += ((_step("args", k), part) for k, part in enumerate(value.args))
        parts += ((_step("keywords", name), part) for name, part in value.keywords.items())
        return Parts((cls, len(value.args), *value.keywords), tuple(parts))
    return None


def _of_function(function: FunctionType) -> Parts | None:
    code, names, defaults = function.__code__, function.__globals__, function.__defaults__ or ()
    in_another = "<locals>" in function.__qualname__ or function.__name__ == "<lambda>"  # others are there once
    if not in_another or function.__dict__ or "__class__" in code.co_freevars:
        return None
    if function.__module__ != names.get("__name__") or (function.__module__ or "").startswith("jitcore."):
        return None
    parts: list[tuple[Path, Any]] = []
    for k, cell in enumerate(function.__closure__ or ()):
        try:
            parts.append(((*_step("__closure__", k), _OF_CELL), cell.cell_contents))
        except ValueError:  # it is empty
            return None
    parts += ((_step("__defaults__", k), part) for k, part in enumerate(defaults))
    by_name = function.__kwdefaults__ or {}
    parts += ((_step("__kwdefaults__", name), part) for name, part in by_name.items())
    named = (function.__name__, function.__qualname__)
    return Parts((FunctionType, Identity(code), Identity(names), named, len(defaults), *by_name), tuple(parts))


def _step(attribute: str, item: Any = None) -> Path:
    return (("attr", attribute),) if item is None else (("attr", attribute), ("item", item))


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes of an object that has no others than its own and those in slots of its class."""
    slots = slots_of(type(value))
    own = attribute_of(value, "__dict__", {})
    return own if not slots else {**{name: getattr(value, name) for name in slots if hasattr(value, name)}, **own}


@remembered
def slots_of(cls: type) -> tuple[str, ...]:
    """The slots of a class and its bases."""
    held = [(name, held) for base in reversed(cls.__mro__) for name, held in base.__dict__.items()]
    return tuple(dict.fromkeys(name for name, found in held if type(found) is MemberDescriptorType))
