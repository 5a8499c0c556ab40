"""Objects of users' classes made in compiled code: which classes can be, how they are made, their attributes.

An `Instance` is a key of the heap, where its attributes are (`values.Fields`): what refers to it refers to the same
object. Methods, properties and class attributes are found as Python finds them, when compiling.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from types import FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    UNDEFINED,
    Bound,
    Builtin,
    Fields,
    Instance,
    Maybe,
    PythonError,
    Static,
    Super,
    Undefined,
    Value,
)
from jitcore.passes.infer.engine import branching, classes, dialect, rows
from jitcore.passes.infer.engine.models import models
from jitcore.passes.infer.python import objects, protocols
from jitcore.primitives.ops import conversions

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_NONE: Final = Static(None)


@abstract.new_object.model
def make(infer: Infer, cls: type, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`cls(*args, **keywords)` for a class without an `objection`."""
    if getattr(cls, "__abstractmethods__", None):
        try:
            object.__new__(cls)
        except TypeError as error:
            raise PythonError(error) from None
    made = infer.heap.new_instance(cls, Fields())
    owner, init = _in_class(cls, "__init__")
    infer.inputs.guard_class(cls)
    if owner is object or classes.is_plain_base(owner):
        if args or keywords:
            raise PythonError(TypeError(f"{cls.__name__}() takes no arguments"))
    elif classes.is_generated(owner, "__init__"):
        abstract.generated(infer, owner, "__init__", made, args, keywords)
    else:
        given = abstract.call(infer, Static(init), [made, *args], keywords)
        if not (isinstance(given, Static) and given.value is None):
            kind = type_name(given)
            raise PythonError(TypeError(f"__init__() should return None, not '{kind}'"))
    return made


def _in_class(cls: type, name: str, after: type | None = None) -> tuple[type, Any]:
    """The class that defines a name (after another one in the order of resolution), and what it is; (cls, None) if none
    does."""
    order = cls.__mro__ if after is None else cls.__mro__[cls.__mro__.index(after) + 1 :]
    return next(((base, base.__dict__[name]) for base in order if name in base.__dict__), (cls, None))


# --- reading ----------------------------------------------------------------------------------------


def get(infer: Infer, value: Instance, name: str) -> Value:
    """`value.name`."""
    cls = value.cls
    if name == "__class__":
        return Static(cls)
    if name == "__dict__":
        raise infer.unsupported("the __dict__ of an object made in compiled code", "its attributes")
    owner, found = _in_class(cls, name)
    if isinstance(found, property):
        return _bound(infer, value, owner, found, name)
    held = infer.heap.fields(value).get(name)
    if isinstance(held, Maybe):
        message = f"'{cls.__name__}' object has no attribute '{name}'"
        if found is not None and not isinstance(found, MemberDescriptorType):
            own = branching.branch(
                infer, held.defined, lambda: [held.value], lambda: [_bound(infer, value, owner, found, name)]
            )
            return own[0]
        infer.emit_all(conversions.check, held.defined, exception="AttributeError", message=message)
        return held.value
    if held is not None and not isinstance(held, Undefined):
        return held
    if found is not None and not isinstance(found, MemberDescriptorType):
        return _bound(infer, value, owner, found, name)
    written = next((b for b in cls.__mro__ if infer.heap.get(("attr", id(b), name)) is not None), None)
    if written is not None:
        return abstract.attribute(infer, Static(written), name)
    made = objects.special(infer, value, "__getattr__", Static(name))
    if made is None:
        raise PythonError(_missing(infer, value, name))
    return made


def _missing(infer: Infer, value: Instance, name: str) -> BaseException:
    """What is raised for an attribute that an object does not have, by a dialect's rules where they have a say."""
    answer = dialect.absent(infer, value, name)
    return answer or AttributeError(f"'{value.cls.__name__}' object has no attribute '{name}'")


def has(infer: Infer, value: Instance, name: str) -> Value:
    """`hasattr(value, name)`."""
    found = _in_class(value.cls, name)[1]
    held = infer.heap.fields(value).get(name)
    if found is None and held is None and _in_class(value.cls, "__getattr__")[1] is not None:
        raise infer.unsupported("whether an object whose class has a __getattr__ has an attribute")
    if isinstance(held, Maybe) and (found is None or isinstance(found, MemberDescriptorType)):
        return infer.boolean(held.defined)
    try:
        get(infer, value, name)
    except PythonError as error:
        if isinstance(error.error, AttributeError):
            return Static(False)
        raise
    return Static(True)


@abstract.call_method_of.model
def call_method(infer: Infer, value: Value) -> Value | None:
    """The `__call__` of an object of a user's class; None if it has none."""
    if isinstance(value, Instance):
        return get(infer, value, "__call__") if classes.is_callable(value.cls) else None
    return abstract.attribute(infer, value, "__call__") if protocols.has(value, "__call__") else None


def of_super(infer: Infer, value: Super, name: str) -> Value:
    """`super().name`."""
    owner, found = _in_class(value.obj.cls, name, value.cls)
    if found is None:
        raise PythonError(AttributeError(f"'super' object has no attribute '{name}'"))
    return _bound(infer, value.obj, owner, found, name)


def _bound(infer: Infer, value: Instance, owner: type, found: Any, name: str) -> Value:
    """What a class attribute gives through an object."""
    if infer.heap.get(("attr", id(owner), name)) is not None:
        return abstract.attribute(infer, Static(owner), name)
    if classes.is_generated(owner, name):
        return Builtin(name, lambda infer, *args: abstract.generated(infer, owner, name, value, args, {}))
    if owner is object:
        return _of_object(infer, value, name)
    if not hasattr(type(found), "__get__"):
        return abstract.attribute(infer, Static(owner), name)
    if isinstance(found, property):
        if found.fget is None:
            raise PythonError(AttributeError(f"property '{name}' of '{value.cls.__name__}' object has no getter"))
        return abstract.call(infer, Static(found.fget), [value], {})
    if isinstance(found, FunctionType) or hasattr(found, "__jitcore_function__"):
        return Bound(Static(found), (value,))
    if isinstance(found, staticmethod):
        return Static(found.__func__)
    if isinstance(found, classmethod):
        return Bound(Static(found.__func__), (Static(value.cls),))
    if isinstance(found, functools.cached_property):
        made = abstract.call(infer, Static(found.func), [value], {})
        _put(infer, value, name, made)
        return made
    made = objects.special(infer, Static(found), "__get__", value, Static(value.cls))
    if made is None:
        raise infer.unsupported(f"the attribute '{name}', a {type(found).__name__}, of an object made in compiled code")
    return made


def _of_object(infer: Infer, value: Instance, name: str) -> Value:
    """What `object` defines, through an object."""
    if name == "__init__":
        return Builtin(name, lambda infer: _NONE)
    if name == "__setattr__":
        return Builtin(name, lambda infer, key, new: put(infer, value, key, new))
    raise infer.unsupported(f"the method '{name}' that every object has", "an operator or builtin")


# --- writing ----------------------------------------------------------------------------------------


def set_(infer: Infer, target: Instance, name: str, value: Value) -> None:
    """`target.name = value`."""
    cls = target.cls
    owner = _in_class(cls, "__setattr__")[0]
    if owner is not object:  # of a frozen dataclass
        abstract.generated(infer, owner, "__setattr__", target, (Static(name), value), {})
    owner, found = _in_class(cls, name)
    if isinstance(found, property):
        if found.fset is None:
            raise PythonError(AttributeError(f"property '{name}' of '{cls.__name__}' object has no setter"))
        abstract.call(infer, Static(found.fset), [target, value], {})
    elif hasattr(type(found), "__set__") and not isinstance(found, MemberDescriptorType):
        if objects.special(infer, Static(found), "__set__", target, value) is None:
            raise infer.unsupported(f"assigning to the attribute '{name}', a {type(found).__name__}")
    else:
        _put(infer, target, name, value)


@models(object.__setattr__)
def put(infer: Infer, target: Value, key: Value, value: Value) -> Value:
    """`object.__setattr__(target, key, value)`."""
    name = infer.need_static(key, "the name of an attribute")
    if isinstance(target, Instance):
        _put(infer, target, name, value)
    else:
        abstract.set_attribute(infer, target, name, value)
    return _NONE


def _put(infer: Infer, target: Instance, name: str, value: Value) -> None:
    cls = target.cls
    if not isinstance(_in_class(cls, name)[1], MemberDescriptorType) and not cls.__dictoffset__:
        message = f"'{cls.__name__}' object has no attribute '{name}'"
        if _in_class(cls, name)[1] is not None:
            message = f"'{cls.__name__}' object attribute '{name}' is read-only"
        raise PythonError(AttributeError(message))
    row = infer.heap.row(target)
    if row is not None:
        rows.write(infer, row, name, value)
        return
    infer.heap.store(target.key, Fields({**infer.heap.fields(target), name: value}))


def delete(infer: Infer, target: Instance, name: str) -> None:
    """`del target.name`."""
    owner = _in_class(target.cls, "__delattr__")[0]
    if owner is not object:  # of a frozen dataclass
        abstract.generated(infer, owner, "__delattr__", target, (Static(name),), {})
    found, fields = _in_class(target.cls, name)[1], infer.heap.fields(target)
    if hasattr(type(found), "__delete__") and not isinstance(found, MemberDescriptorType):
        raise infer.unsupported(f"deleting the attribute '{name}', a {type(found).__name__}")
    if infer.heap.row(target) is not None:
        raise infer.unsupported("deleting an attribute of an item of a list whose length is known only at run time")
    held = fields.get(name, UNDEFINED)
    message = f"'{target.cls.__name__}' object has no attribute '{name}'"
    if isinstance(held, Undefined):
        raise PythonError(AttributeError(name if isinstance(found, MemberDescriptorType) else message))
    if isinstance(held, Maybe):
        infer.emit_all(conversions.check, held.defined, exception="AttributeError", message=message)
    infer.heap.store(target.key, Fields({k: v for k, v in fields.items() if k != name}))
