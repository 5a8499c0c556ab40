"""Attributes: of objects known at compile time as Python looks them up, of arrays and containers by tables."""

from __future__ import annotations

import sys
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, MethodType, MethodWrapperType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jitcore.identity import Identity
from jitcore.library.math import elementwise
from jitcore.lookup import attribute_of, has_attribute
from jitcore.passes.infer.domain import abstract, array_operations
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Bound,
    Caught,
    Function,
    Handle,
    Instance,
    Manager,
    Maybe,
    Number,
    Path,
    PythonError,
    Raised,
    Range,
    Reference,
    Slice,
    Static,
    Stream,
    Super,
    Tuple,
    Union,
    Value,
)
from jitcore.passes.infer.engine import classes, dialect, notes
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.passes.infer.python import handles, instances, managers, methods, streams
from jitcore.primitives.ops.generators import method_name

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@abstract.attribute.model
def get(infer: Infer, value: Value, name: str) -> Value:
    """`value.name`."""
    match value:
        case Static():
            return _of_object(infer, value, name)
        case Instance():
            return instances.get(infer, value, name)
        case Handle():
            return handles.attribute(infer, value, name)
        case Super():
            return instances.of_super(infer, value, name)
        case Array():
            return array_operations.attribute(infer, value, name)
        case Tuple() if name in getattr(value.cls, "_fields", ()) and _is_field(value.cls, name):
            return value.items[value.cls._fields.index(name)]  # type: ignore[attr-defined]
        case Range() | Slice() if name in ("start", "stop", "step"):
            return getattr(value, name)
        case Bound() if name in ("func", "args", "keywords"):
            raise infer.unsupported(f"the attribute '{name}' of a functools.partial", "the function and its arguments")
        case Bound() if name == "__self__":
            return value.arguments[0]
        case Function() if name in ("__name__", "__qualname__"):
            return Static(getattr(value.source, name.strip("_")))
        case Raised() if name == "args":
            return Tuple(value.args)
        case Manager() if (found := managers.method(value, name)) is not None:
            return found
        case Raised() | Caught() if name == "__class__" and value.cls is not None:
            return Static(value.cls)
        case Raised() | Caught() if name in ("__class__", "__traceback__"):
            return Caught()
        case _:
            method = _method(infer, value, name)
            if method is not None:
                return method
            raise refusal(infer, f"the attribute '{name}'", lambda obj: getattr(obj, name), value)


class _Pair(NamedTuple):
    one: int


_FIELD: Final[type] = type(_Pair.__dict__["one"])


def _is_field(cls: type, name: str) -> bool:
    """Whether a named tuple's class has under the name of a field what gives the item, and not something put there
    later."""
    return isinstance(_in_class(cls, name), _FIELD | MemberDescriptorType | None)


def _method(infer: Infer, value: Value, name: str) -> Value | None:
    if isinstance(value, Number):
        return methods.of_number(infer, value, name)
    if isinstance(value, Tuple):
        return methods.of_tuple(infer, value, name)
    if isinstance(value, Reference):
        return methods.of_reference(infer, value, name)
    if isinstance(value, Stream):
        return streams.method(infer, value, name)
    return methods.of_other(infer, value, name)


def has(infer: Infer, value: Value, name: str) -> bool:
    """`hasattr(value, name)`."""
    if isinstance(value, Static) and infer.heap.get(("attr", id(value.value), name)) is None:
        there = hasattr(value.value, name)
        infer.inputs.guard_attribute(value, name, there)
        return there
    try:
        get(infer, value, name)
    except PythonError as error:
        if isinstance(error.error, AttributeError):
            return False
        raise
    return True


def _of_object(infer: Infer, value: Static, name: str) -> Value:
    obj = value.value
    written = infer.heap.get(("attr", id(obj), name))
    if written is not None:
        return written
    root = value.path
    if root is None and not isinstance(obj, ModuleType | BuiltinFunctionType):
        root = ("object", Identity(obj))  # what it holds may change between calls, though it is itself a constant
        infer.inputs.guard_type(obj, root)
    path = (*root, ("attr", name)) if root is not None else None
    if isinstance(obj, ModuleType):
        return _of_module(infer, value, name, path)
    if not isinstance(obj, type):
        if isinstance(_in_class(type(obj), "__getattribute__"), FunctionType):
            raise infer.unsupported(f"an attribute of a {type(obj).__name__}, which has a __getattribute__ of its own")
        found = _in_class(type(obj), name)
        bound = _bind(infer, value, found, obj, name)
        if bound is not None:
            return bound
    try:
        held = getattr(obj, name)
    except Exception as error:
        if isinstance(error, AttributeError):
            infer.inputs.guard_attribute(value, name, False)
            error = dialect.absent(infer, obj, name) or error
        raise PythonError(error) from None
    if isinstance(held, MethodType) and method_name(held) is None:
        own = value.path if held.__self__ is obj else infer.paths.get(id(held.__self__))
        infer.inputs.guard_type(held.__self__, own if own is not None else ("object", Identity(held.__self__)))
        return Bound(Static(held.__func__), (Static(held.__self__, own),))
    if path is None:
        return infer.inputs.constant(held)
    if _is_made_anew(held, obj):
        return Static(held, path)
    return infer.inputs.captured(held, path, numbers_static=True)


def _is_made_anew(held: object, obj: object) -> bool:
    """Whether what an attribute gives is a method of the object's own or its class, which is another at each look."""
    if not isinstance(held, BuiltinFunctionType | MethodWrapperType):
        return False
    return held.__self__ is obj or held.__self__ is type(obj)


def _in_class(cls: type, name: str) -> Any:
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def _bind(infer: Infer, value: Static, found: Any, obj: Any, name: str) -> Value | None:
    """What a class attribute gives through an instance; None for plain data."""
    if name in attribute_of(obj, "__dict__", {}) and not isinstance(found, property):
        return None
    if isinstance(found, FunctionType | staticmethod | classmethod):
        infer.inputs.guard_method(value, name)
    if isinstance(found, property):
        if found.fget is None:
            raise PythonError(AttributeError(f"property '{name}' of '{type(obj).__name__}' object has no getter"))
        return abstract.call(infer, Static(found.fget), [value], {})
    if isinstance(found, FunctionType):
        return Bound(Static(found), (value,))
    if isinstance(found, staticmethod):
        return Static(found.__func__)
    if isinstance(found, classmethod):
        return Bound(Static(found.__func__), (Static(type(obj)),))
    return None


_CONSTANT_MODULES = frozenset({"math", "cmath", "numpy", "operator", "sys", "string"})


def _of_module(infer: Infer, value: Static, name: str, path: Path | None) -> Value:
    module: ModuleType = value.value
    try:
        held = getattr(module, name)
    except AttributeError as error:
        infer.inputs.guard_attribute(value, name, False)
        raise PythonError(dialect.absent(infer, module, name) or error) from None
    root = module.__name__.partition(".")[0]
    if root in _CONSTANT_MODULES or root in sys.stdlib_module_names or root == "jitcore" or _is_constant(module):
        if vars(module).get(name) is held:
            infer.guards["object", Identity(vars(module)), ("entry", name)] = held
        return Static(held)
    return infer.inputs.captured(held, path or ("module", module.__name__, ("attr", name)))


def _is_constant(module: ModuleType) -> bool:
    """Whether a module says that its attributes never change."""
    return getattr(type(module), "__jitcore_constant__", False) is True


def _written_into(infer: Infer, target: Static, name: str, value: Value) -> bool:
    """Whether the attribute holds what keeps its memory for life (a Cell's Parameter): Tensors assigned to it, and
    numbers, are written into it."""
    if not isinstance(value, Array | Number) and not (isinstance(value, Static) and type(value.value) in (int, float)):
        return False
    kept: type | None = getattr(type(target.value), "__jitcore_keeps__", None)
    if kept is None or not isinstance(vars(target.value).get(name), kept):
        return False
    held = get(infer, target, name)
    if not isinstance(held, Array) or not isinstance(held.source, kept):
        return False
    if isinstance(value, Array):
        if value.source is held.source and not value.viewed:  # as `self.p += x` does
            return True
        if isinstance(value.source, kept) or not value.is_tensor:
            return False
    call_library(infer, elementwise.replace, [held, value], {})
    return True


def delete(infer: Infer, target: Value, name: str) -> None:
    """`del target.name`."""
    if isinstance(target, Instance):
        instances.delete(infer, target, name)
    elif isinstance(target, Static):
        raise infer.unsupported(f"deleting the attribute '{name}' of an object from outside", "None as its value")
    else:
        kind = type_name(target)
        raise PythonError(AttributeError(f"'{kind}' object has no attribute '{name}'"))


@abstract.set_attribute.model
def set_(infer: Infer, target: Value, name: str, value: Value) -> None:
    """`target.name = value`."""
    if isinstance(target, Instance):
        instances.set_(infer, target, name, value)
        return
    if isinstance(target, Union | Maybe):

        def member(values: list[Value]) -> list[Value]:
            set_(infer, values[0], name, value)
            return []

        infer.distribute([target], member)
        return
    if not isinstance(target, Static):
        if isinstance(target, Array):
            if array_operations.set_attribute(infer, target, name, value):
                return
            raise infer.unsupported(
                f"assigning to the attribute '{name}' of an array", "a new array, or x[...] = value"
            )
        raise refusal(infer, f"assigning to the attribute '{name}'", lambda obj: setattr(obj, name, None), target)
    obj = target.value
    found = _in_class(type(obj), name)
    if isinstance(found, property):
        if found.fset is None:
            raise PythonError(AttributeError(f"property '{name}' of '{type(obj).__name__}' object has no setter"))
        abstract.call(infer, Static(found.fset), [target, value], {})
        return
    if not has_attribute(obj, "__dict__") and not isinstance(found, MemberDescriptorType):  # None, a number …
        raise PythonError(AttributeError(f"'{type(obj).__name__}' object has no attribute '{name}'"))
    if _written_into(infer, target, name, value):
        return
    if target.path is None and classes.is_of_standard_library(type(obj)):  # made while compiling
        raise infer.unsupported(f"changing a {type(obj).__name__} that compiled code made")
    infer.outside.objects.append(obj)
    key = ("attr", id(obj), name)
    if key not in infer.assumptions.attributes:
        # where control flow joins, the paths that do not write it leave what it was
        infer.assumptions.attributes[key] = (target, name)
        infer.is_stale = True
    infer.outside.attributes[key] = (obj, name)
    infer.heap.store(key, value)
    notes.note(infer, obj, name, value)
