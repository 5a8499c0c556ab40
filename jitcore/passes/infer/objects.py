"""Operators on objects of user classes: their special methods, called as other methods are.

Objects that may change from call to call are never computed with when the program is compiled: where Python code of theirs
does the work it is compiled, and what compiled code cannot call is refused.
"""

from __future__ import annotations

import dataclasses
import enum
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.passes.infer.inputs import Held
from jitcore.passes.infer.values import PythonError, Static, Value

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


def is_constant(obj: Any) -> bool:
    """Whether an object never changes: then what is computed of it when the program is compiled holds for ever."""
    if isinstance(obj, tuple):
        return all(map(is_constant, obj))
    if isinstance(obj, _IMMUTABLE) or _is_library(type(obj)):
        return True
    parameters = getattr(type(obj), "__dataclass_params__", None)
    return dataclasses.is_dataclass(obj) and parameters is not None and parameters.frozen


def _is_library(cls: type) -> bool:
    """Whether a class is jitcore's or NumPy's own, or an immutable one of the standard library (fractions, pathlib …)."""
    root = cls.__module__.partition(".")[0]
    return root in ("jitcore", "numpy") or is_of_standard_library(cls)


def is_of_standard_library(cls: type) -> bool:
    """Whether a class is one of the standard library whose objects are taken for constants."""
    root = cls.__module__.partition(".")[0]
    return root in sys.stdlib_module_names and root not in ("builtins", "collections") and cls.__hash__ is not None


def require_constant(infer: Infer, what: str, *values: Value) -> None:
    """Refuse to compute with objects that may change."""
    for value in values:
        if isinstance(value, Static) and not is_constant(value.value):
            raise infer.unsupported(f"{what} of a {type(value.value).__name__}, which may change", "its attributes")


def special(infer: Infer, value: Value, name: str, *args: Value) -> Value | None:
    """`type(value).name(value, *args)` for a special method written in Python; None if there is none or it declines."""
    if not isinstance(value, Static) or isinstance(value.value, type) or _is_library(type(value.value)):
        return None
    cls: type = type(value.value)
    found = next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), None)
    if not isinstance(found, FunctionType):
        return None
    from jitcore.passes.infer import calls

    infer.inputs.guard_definition(cls, found, ("object", Held(cls), ("class", name)))
    made = calls.call(infer, Static(found), [value, *args], {})
    return None if isinstance(made, Static) and made.value is NotImplemented else made


def binary(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """`x op y` by `__op__` of x or `__rop__` of y; that of y first where its class is a subclass of x's."""
    tries = [(x, f"__{_BINARY[op]}__", y), (y, f"__r{_BINARY[op]}__", x)]
    if isinstance(x, Static) and isinstance(y, Static):
        a, b = type(x.value), type(y.value)
        if a is b:
            tries.pop()
        elif issubclass(b, a):
            tries.reverse()
    return next((m for v, name, other in tries if (m := special(infer, v, name, other)) is not None), None)


def inplace(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """`x op= y` by `__iop__`."""
    return special(infer, x, f"__i{_BINARY[op]}__", y)


def unary(infer: Infer, op: str, x: Value) -> Value | None:
    """`op x` by its special method."""
    return special(infer, x, _UNARY[op])


def compare(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """A comparison by the special methods of x, or the mirrored ones of y."""
    from jitcore.passes.infer import operations

    name, mirrored = _COMPARE[op]
    for value, method, other in ((x, name, y), (y, mirrored, x)):
        made = special(infer, value, method, other)
        if made is not None:
            return made
    if op == "!=":  # which Python derives from __eq__
        made = compare(infer, "==", x, y)
        return None if made is None else operations.not_(infer, operations.truth(infer, made))
    return None


def truth(infer: Infer, value: Static) -> Value | None:
    """`bool(value)` by `__bool__` or `__len__`."""
    from jitcore.passes.infer import operations

    made = special(infer, value, "__bool__")
    if made is None:
        made = special(infer, value, "__len__")
        return None if made is None else operations.compare(infer, "!=", made, Static(0))
    return made


def fold(infer: Infer, what: str, function: Callable[..., Any], *values: Static) -> Static:
    """Compute with objects as Python does, which must never change."""
    require_constant(infer, what, *values)
    try:
        return Static(function(*(v.value for v in values)))
    except Exception as error:
        raise PythonError(error) from None
