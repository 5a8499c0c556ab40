"""Operators on objects of user classes: their special methods, called as other methods are.

Objects that may change from call to call are never computed with when the program is compiled: where Python code of
theirs does the work it is compiled, and what compiled code cannot call is refused.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.lookup import has_attribute
from jitcore.passes.infer import numbers
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Instance, PythonError, Static, Tuple, Value

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

_IMMUTABLE: Final = (
    str, bytes, int, float, complex, tuple, frozenset, range, slice, type, enum.Enum, np.dtype, np.generic, ModuleType,
    FunctionType, MethodType, BuiltinFunctionType, type(None), type(Ellipsis), type(NotImplemented),
)  # fmt: skip
_BINARY: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "<<": "lshift", ">>": "rshift", "&": "and", "|": "or", "^": "xor",
}  # fmt: skip
_UNARY: Final = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
_COMPARE: Final = {
    "<": ("__lt__", "__gt__"), "<=": ("__le__", "__ge__"), ">": ("__gt__", "__lt__"), ">=": ("__ge__", "__le__"),
    "==": ("__eq__", "__eq__"), "!=": ("__ne__", "__ne__"),
}  # fmt: skip
OPERATORS: Final = frozenset(
    [f"__{prefix}{name}__" for name in _BINARY.values() for prefix in ("", "r", "i")]
    + [*_UNARY.values(), *(name for pair in _COMPARE.values() for name in pair)]
)
"""The methods that operators call."""

_GENERATED: Final = frozenset(
    ["__init__", "__repr__", "__setattr__", "__delattr__", "__hash__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__"]
)
"""Methods that `dataclass` writes."""


def is_constant(obj: Any) -> bool:
    """Whether an object never changes: then what is computed of it when the program is compiled holds for ever."""
    if isinstance(obj, tuple):
        return all(map(is_constant, obj))
    if isinstance(obj, _IMMUTABLE) or _is_library(type(obj)):
        return True
    parameters = getattr(type(obj), "__dataclass_params__", None)
    return dataclasses.is_dataclass(obj) and parameters is not None and parameters.frozen


def _is_library(cls: type) -> bool:
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
    return cls is not None and cls.__module__ not in ("builtins", "collections") and not _is_library(cls)


def is_generated(cls: type, name: str) -> bool:
    """Whether `dataclass` wrote the method that a class has under a name."""
    found = cls.__dict__.get(name) if name in _GENERATED and "__dataclass_fields__" in cls.__dict__ else None
    return isinstance(found, FunctionType) and inspect.unwrap(found).__code__.co_filename == "<string>"


def special(infer: Infer, value: Value, name: str, *args: Value) -> Value | None:
    """`type(value).name(value, *args)` for a special method written in Python; None if there is none or it declines."""
    cls = class_of(value)
    if cls is None or _is_library(cls):
        return None
    owner = next((base for base in cls.__mro__ if name in base.__dict__), cls)
    found = owner.__dict__.get(name)
    if not isinstance(found, FunctionType) and not has_attribute(found, "__jitcore_function__"):
        return None
    if isinstance(value, Tuple) and "_field_defaults" in owner.__dict__ and found.__module__ != owner.__module__:
        return None  # of what makes named tuples, not the user's
    if is_generated(owner, name):
        made = abstract.generated(infer, owner, name, value, args, {})
    else:
        made = abstract.call(infer, Static(found), [value, *args], {})
    return None if isinstance(made, Static) and made.value is NotImplemented else made


def binary(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """`x op y` by `__op__` of x or `__rop__` of y; that of y first where its class is a subclass of x's."""
    tries = [(x, f"__{_BINARY[op]}__", y), (y, f"__r{_BINARY[op]}__", x)]
    a, b = class_of(x), class_of(y)
    if a is not None and a is b:
        tries.pop()
    elif _is_subclass(b, a):
        tries.reverse()
    return next((m for v, name, other in tries if (m := special(infer, v, name, other)) is not None), None)


def as_numbers(op: str, x: Value, y: Value) -> tuple[Value, Value]:
    """The operands, where constants of classes derived from the numbers' behave in `x op y` as those."""
    if op in _COMPARE:
        return numbers.plain(x, _COMPARE[op][0]), numbers.plain(y, _COMPARE[op][1])
    return numbers.plain(x, f"__{_BINARY[op]}__"), numbers.plain(y, f"__r{_BINARY[op]}__")


def _is_subclass(cls: type | None, base: type | None) -> bool:
    return cls is not None and base is not None and cls is not base and issubclass(cls, base)


def inplace(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """`x op= y` by `__iop__`."""
    return special(infer, x, f"__i{_BINARY[op]}__", y)


def unary(infer: Infer, op: str, x: Value) -> Value | None:
    """`op x` by its special method."""
    return special(infer, x, _UNARY[op])


def compare(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """A comparison by the special methods of x, or the mirrored ones of y."""
    name, mirrored = _COMPARE[op]
    tries = [(x, name, y), (y, mirrored, x)]
    if _is_subclass(class_of(y), class_of(x)):
        tries.reverse()
    for value, method, other in tries:
        made = special(infer, value, method, other)
        if made is not None:
            return made
    if op == "!=":  # which Python derives from __eq__
        made = compare(infer, "==", x, y)
        return None if made is None else abstract.not_(infer, abstract.truth(infer, made))
    return None


def truth(infer: Infer, value: Value) -> Value | None:
    """`bool(value)` by `__bool__` or `__len__`."""
    made = special(infer, value, "__bool__")
    if made is None:
        made = special(infer, value, "__len__")
        return None if made is None else abstract.compare(infer, "!=", made, Static(0))
    return made


def fold(infer: Infer, what: str, function: Callable[..., Any], *values: Static) -> Static:
    """Compute with objects as Python does, which must never change."""
    require_constant(infer, what, *values)
    try:
        return Static(function(*(v.value for v in values)))
    except Exception as error:
        raise PythonError(error) from None
