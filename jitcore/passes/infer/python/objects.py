"""Operators on objects of user classes: their special methods, called as other methods are.

Objects that may change from call to call are never computed with when the program is compiled: where Python code of
theirs does the work it is compiled, and what compiled code cannot call is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jitcore.lookup import has_attribute
from jitcore.passes.infer.domain import abstract, special_methods
from jitcore.passes.infer.domain.values import PythonError, Static, Tuple, Value
from jitcore.passes.infer.engine import classes, numbers

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def special(infer: Infer, value: Value, name: str, *args: Value) -> Value | None:
    """`type(value).name(value, *args)` for a special method written in Python; None if there is none or it declines."""
    cls = classes.class_of(value)
    if cls is None or classes.is_library_class(cls):
        return None
    owner = next((base for base in cls.__mro__ if name in base.__dict__), cls)
    found = owner.__dict__.get(name)
    if not isinstance(found, FunctionType) and not has_attribute(found, "__jitcore_function__"):
        return None
    if isinstance(value, Tuple) and "_field_defaults" in owner.__dict__ and found.__module__ != owner.__module__:
        return None  # of what makes named tuples, not the user's
    if classes.is_generated(owner, name):
        made = abstract.generated(infer, owner, name, value, args, {})
    else:
        made = abstract.call(infer, Static(found), [value, *args], {})
    return None if isinstance(made, Static) and made.value is NotImplemented else made


def binary(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """`x op y` by `__op__` of x or `__rop__` of y; that of y first where its class is a subclass of x's."""
    tries = [(x, f"__{special_methods.BINARY[op]}__", y), (y, f"__r{special_methods.BINARY[op]}__", x)]
    a, b = classes.class_of(x), classes.class_of(y)
    if a is not None and a is b:
        tries.pop()
    elif _is_subclass(b, a):
        tries.reverse()
    return next((m for v, name, other in tries if (m := special(infer, v, name, other)) is not None), None)


def as_numbers(op: str, x: Value, y: Value) -> tuple[Value, Value]:
    """The operands, where constants of classes derived from the numbers' behave in `x op y` as those."""
    if op in special_methods.COMPARE:
        return numbers.plain(x, special_methods.COMPARE[op][0]), numbers.plain(y, special_methods.COMPARE[op][1])
    return numbers.plain(x, f"__{special_methods.BINARY[op]}__"), numbers.plain(y, f"__r{special_methods.BINARY[op]}__")


def _is_subclass(cls: type | None, base: type | None) -> bool:
    return cls is not None and base is not None and cls is not base and issubclass(cls, base)


def inplace(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """`x op= y` by `__iop__`."""
    return special(infer, x, f"__i{special_methods.BINARY[op]}__", y)


def unary(infer: Infer, op: str, x: Value) -> Value | None:
    """`op x` by its special method."""
    return special(infer, x, special_methods.UNARY[op])


def compare(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """A comparison by the special methods of x, or the mirrored ones of y."""
    name, mirrored = special_methods.COMPARE[op]
    tries = [(x, name, y), (y, mirrored, x)]
    if _is_subclass(classes.class_of(y), classes.class_of(x)):
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
    classes.require_constant(infer, what, *values)
    try:
        return Static(function(*(v.value for v in values)))
    except Exception as error:
        raise PythonError(error) from None
