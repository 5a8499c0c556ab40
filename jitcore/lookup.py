"""Looking for attributes that say what an object is, without running code of the user's: a `__getattr__` may raise
anything, or give anything."""

from __future__ import annotations

from typing import Any


def attribute_of(obj: Any, name: str, default: Any = None) -> Any:
    """An attribute that an object has itself or by its class; the default if it has none, whatever a `__getattr__`
    would give."""
    cls = type(obj)
    if not (hasattr(cls, "__getattr__") or cls.__getattribute__ is not object.__getattribute__) or isinstance(
        obj, type
    ):
        return getattr(obj, name, default)
    if type(cls.__getattribute__) is not _FUNCTION and not hasattr(cls, "__getattr__"):
        return getattr(obj, name, default)  # of a class written in C: bound methods have their function's attributes
    try:
        return object.__getattribute__(obj, name)
    except AttributeError:
        return default


def has_attribute(obj: Any, name: str) -> bool:
    """Whether an object has an attribute itself or by its class."""
    return attribute_of(obj, name, _NONE) is not _NONE


_FUNCTION = type(attribute_of)
_NONE = object()
