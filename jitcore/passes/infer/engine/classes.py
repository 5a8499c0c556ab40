"""Classes of objects: which never change, which are users', and of which compiled code makes objects."""

from __future__ import annotations

import abc
import dataclasses
import enum
import inspect
import sys
import typing
from contextlib import AbstractContextManager, ContextDecorator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.passes.infer.domain.values import Instance, Static, Tuple, Value
from jitcore.primitives.core.definitions import remembered

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_IMMUTABLE: Final = (
    str, bytes, int, float, complex, tuple, frozenset, range, slice, type, enum.Enum, np.dtype, np.generic, ModuleType,
    FunctionType, MethodType, BuiltinFunctionType, type(None), type(Ellipsis), type(NotImplemented),
)  # fmt: skip
_GENERATED: Final = frozenset(
    ["__init__", "__repr__", "__setattr__", "__delattr__", "__hash__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__"]
)
"""Methods that `dataclass` writes."""


def is_constant(obj: Any) -> bool:
    """Whether an object never changes: then what is computed of it when the program is compiled holds for ever."""
    if isinstance(obj, tuple):
        return all(map(is_constant, obj))
    if isinstance(obj, _IMMUTABLE) or is_library_class(type(obj)):
        return True
    parameters = getattr(type(obj), "__dataclass_params__", None)
    return dataclasses.is_dataclass(obj) and parameters is not None and parameters.frozen


def is_library_class(cls: type) -> bool:
    """Whether a class is jitcore's or NumPy's own, or an immutable one of the standard library (fractions, pathlib
    …)."""
    root = cls.__module__.partition(".")[0]
    return (root in ("jitcore", "numpy") and not is_open(cls)) or is_of_standard_library(cls)


def is_open(cls: type) -> bool:
    """Whether a class of jitcore's is plain Python that is compiled as a user's class is."""
    return hasattr(cls, "__jitcore_open__")


def is_of_standard_library(cls: type) -> bool:
    """Whether a class is one of the standard library whose objects are taken for constants."""
    root = cls.__module__.partition(".")[0]
    if root in ("builtins", "collections") or hasattr(cls, "__next__"):  # iterators change when they are asked
        return False
    return root in sys.stdlib_module_names and cls.__hash__ is not None


def require_constant(infer: Infer, what: str, *values: Value) -> None:
    """Refuse to compute with objects that may change."""
    for value in values:
        if isinstance(value, Static) and not is_constant(value.value):
            raise infer.unsupported(f"{what} of a {type(value.value).__name__}, which may change", "its attributes")


def class_of(value: Value) -> type | None:
    """The class of an object, whose methods its operators are; None for other values."""
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Tuple):
        return value.cls if is_named_tuple(value.cls) else None
    return type(value.value) if isinstance(value, Static) and not isinstance(value.value, type) else None


def is_named_tuple(cls: type) -> bool:
    """Whether a class is that of named tuples."""
    return issubclass(cls, tuple) and hasattr(cls, "_field_defaults")


_OF_TUPLES: Final = (
    "__new__",
    "__getitem__",
    "__len__",
    "__iter__",
    "__bool__",
    "__getattr__",
    "__getattribute__",
    "__hash__",
)


def is_callable(cls: type) -> bool:
    """Whether objects of a class are called by a method of Python's."""
    return any("__call__" in base.__dict__ for base in cls.__mro__)


def require_items_alone(infer: Infer, cls: type) -> None:
    """Refuse named tuples of a class that does otherwise than tuples what compiled code does with their items."""
    for name in _OF_TUPLES if is_named_tuple(cls) else ():
        owner = next((base for base in cls.__mro__ if name in base.__dict__), object)
        if owner not in (tuple, object) and not (name == "__new__" and "_field_defaults" in owner.__dict__):
            raise infer.unsupported(
                f"a named tuple of {cls.__name__}, which has a {name} of its own", "a class that has a tuple"
            )


def is_users(value: Value) -> bool:
    """Whether a value is an object of a user's class."""
    cls = class_of(value)
    return cls is not None and cls.__module__ not in ("builtins", "collections") and not is_library_class(cls)


def is_generated(cls: type, name: str) -> bool:
    """Whether `dataclass` wrote the method that a class has under a name."""
    found = cls.__dict__.get(name) if name in _GENERATED and "__dataclass_fields__" in cls.__dict__ else None
    return isinstance(found, FunctionType) and inspect.unwrap(found).__code__.co_filename == "<string>"


# --- classes whose objects compiled code makes -------------------------------------------------------

_CONSTRUCTION: Final = ("__new__", "__del__", "__getattribute__", "__setattr__", "__delattr__")
"""Methods of a class that make its objects others than those that compiled code has."""
_PLAIN_BASES: Final = frozenset([abc.ABC, AbstractContextManager, ContextDecorator, typing.Generic, typing.Protocol])
"""Classes of the standard library without data of their own, besides those of `collections.abc`."""
_METACLASSES: Final = frozenset([type, abc.ABCMeta, type(typing.Protocol)])
_HEAP_TYPE: Final = 1 << 9
"""The flag of a class that a program made."""


@remembered
def objection(cls: type) -> str | None:
    """Why compiled code does not make objects of a class; None if it does."""
    if type(cls) not in _METACLASSES:
        return f"whose metaclass is {type(cls).__name__}"
    for base in cls.__mro__[:-1]:
        module = base.__module__
        if is_plain_base(base) and base is not cls:
            continue
        root = module.partition(".")[0]
        is_own = root == "jitcore" and not is_open(base)
        if not base.__flags__ & _HEAP_TYPE or is_own or root in sys.stdlib_module_names:
            return "a class of a library" if base is cls else f"which derives from {base.__qualname__}"
        for name in _CONSTRUCTION:
            if name in base.__dict__ and not is_generated(base, name):
                return f"which has a {name} of its own"
    return None


def is_plain_base(base: type) -> bool:
    """Whether a class is one of the standard library without data of its own."""
    return base in _PLAIN_BASES or base.__module__ == "collections.abc"
