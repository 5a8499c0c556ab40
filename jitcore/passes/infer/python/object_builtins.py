"""Builtins of any object, and `operator`'s functions: `type`, `isinstance`, `getattr`, `str`, `print`."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING

from jitcore.passes.infer.domain import abstract, array_operations, templates
from jitcore.passes.infer.domain.forms import SCALARS
from jitcore.passes.infer.domain.values import (
    Array,
    Bound,
    Caught,
    Char,
    Function,
    Handle,
    Instance,
    Iterator,
    Manager,
    Number,
    PythonError,
    Raised,
    Range,
    Reference,
    Slice,
    Static,
    Stream,
    String,
    Super,
    Text,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, classes, failures, numbers
from jitcore.passes.infer.engine.models import Model, register_models
from jitcore.passes.infer.python import attributes, instances, operations, strings

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


NONE = Static(None)


@abstract.class_of.model
def class_of(infer: Infer, value: Value) -> type:
    """The Python class of a value."""
    match value:
        case Static():
            return type(value.value)
        case Number():
            return next(t for t, s in SCALARS.items() if s is value.type)
        case Tuple():
            return value.cls
        case Reference():
            return value.kind
        case Array():
            return array_operations.class_of(value)
        case Text() | Char():
            return str
        case String():
            return value.cls
        case Range():
            return range
        case Slice():
            return slice
        case Iterator() | Stream():
            return value.cls
        case Function():
            return type(class_of)
        case Instance() | Handle():
            return value.cls
        case Raised() | Manager():
            return value.cls
        case Caught() if value.cls is not None:
            return value.cls
        case _:
            raise infer.unsupported(f"the type of this {type(value).__name__.lower()}")


def _type(infer: Infer, value: Value) -> Value:
    return Static(class_of(infer, value))


def _isinstance(infer: Infer, value: Value, classes: Value) -> Value:
    wanted = infer.need_static(classes, "the classes isinstance() looks for")
    cls = class_of(infer, value)
    infer.inputs.guard_kinship(cls, wanted)
    try:
        if isinstance(value, Static):
            return Static(isinstance(value.value, wanted))
        return Static(issubclass(cls, wanted))
    except TypeError:
        raise PythonError(TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")) from None


def _name_of_attribute(infer: Infer, name: Value) -> str:
    key = infer.need_static(name, "the name of an attribute")
    if not isinstance(key, str):
        raise PythonError(TypeError(f"attribute name must be string, not '{type(key).__name__}'"))
    return key


def _getattr(infer: Infer, value: Value, name: Value, *default: Value) -> Value:
    key = _name_of_attribute(infer, name)
    if default and isinstance(value, Instance):
        there = infer.truth(instances.has(infer, value, key))
        if not isinstance(there, bool):
            return branching.branch(
                infer, there, lambda: [abstract.attribute(infer, value, key)], lambda: [default[0]]
            )[0]
    if default and not attributes.has(infer, value, key):
        return default[0]
    return abstract.attribute(infer, value, key)


def _hasattr(infer: Infer, value: Value, name: Value) -> Value:
    key = _name_of_attribute(infer, name)
    return (
        instances.has(infer, value, key) if isinstance(value, Instance) else Static(attributes.has(infer, value, key))
    )


def _setattr(infer: Infer, value: Value, name: Value, new: Value) -> Value:
    abstract.set_attribute(infer, value, _name_of_attribute(infer, name), new)
    return NONE


def _callable(infer: Infer, value: Value) -> Value:
    if isinstance(value, Static):
        return Static(callable(value.value))
    if isinstance(value, Instance):
        return Static(classes.is_callable(value.cls))
    return Static(isinstance(value, Function | Bound))


def _super(infer: Infer, *args: Value) -> Value:
    if len(args) == 2 and isinstance(args[1], Instance):
        cls = infer.need_static(args[0], "super()'s argument")
        if not issubclass(args[1].cls, cls):
            raise PythonError(TypeError("super(type, obj): obj must be an instance or subtype of type"))
        return Super(cls, args[1])
    if len(args) == 2:
        cls, obj = (infer.need_static(a, "super()'s argument") for a in args)
        if isinstance(args[1], Static) and args[1].path is not None:
            infer.paths[id(obj)] = args[1].path
        return Static(super(cls, obj))
    raise PythonError(RuntimeError("super(): no arguments"))


def _id(infer: Infer, value: Value) -> Value:
    raise infer.unsupported("id() has no compiled meaning")


def _str(infer: Infer, object: Value = Static("")) -> Value:
    is_number = isinstance(object, Array) and object.category == "npscalar"  # format() of float32 shows more digits
    return strings.format_string(infer, (("s" if is_number else None, ""),), [object])


def _repr(infer: Infer, value: Value) -> Value:
    return strings.format_string(infer, (("r", ""),), [value])


def _print(
    infer: Infer,
    *values: Value,
    sep: Value = Static(" "),
    end: Value = Static("\n"),
    file: Value = NONE,
    flush: Value = Static(False),
) -> Value:
    del flush  # what is printed is written at once
    if not (isinstance(file, Static) and file.value is None):
        raise infer.unsupported("print(file=…) in compiled code", "print without file")
    separator = infer.need_static(sep, "print's sep")
    ending = infer.need_static(end, "print's end")
    parts: list[Text] = []
    for k, value in enumerate(values):
        if k:
            parts.append(templates.as_text(Static(" " if separator is None else separator)))
        parts.append(strings.format_value(infer, value, "s" if not isinstance(value, Static | Text) else None, ""))
    parts.append(templates.as_text(Static("\n" if ending is None else ending)))
    text = templates.join_texts(parts)
    failures.emit_print(infer, text)
    return NONE


def _format(infer: Infer, value: Value, spec: Value = Static("")) -> Value:
    wanted = infer.need_static(spec, "a format specification")
    if not isinstance(wanted, str):
        raise PythonError(TypeError(f"format() argument 2 must be str, not {type(wanted).__name__}"))
    return templates.joined([strings.format_value(infer, value, None, wanted)])


def _operator(op: str) -> Model:
    return lambda infer, a, b: abstract.binary(infer, op, a, b)


def _unary_operator(op: str) -> Model:
    return lambda infer, a: operations.unary(infer, op, a)


def _getitem(infer: Infer, obj: Value, key: Value) -> Value:
    return abstract.item(infer, obj, key)


def _setitem(infer: Infer, obj: Value, key: Value, value: Value) -> Value:
    abstract.set_item(infer, obj, key, value)
    return NONE


def _comparison(op: str) -> Model:
    return lambda infer, a, b: abstract.compare(infer, op, a, b)


def _partial(infer: Infer, function: Value, *args: Value, **keywords: Value) -> Value:
    return Bound(function, args, tuple(keywords.items()))


register_models(
    {
        callable: _callable, getattr: _getattr, hasattr: _hasattr, id: _id, isinstance: _isinstance, print: _print,
        repr: _repr, setattr: _setattr, str: _str, super: _super, type: _type, format: _format,
        functools.partial: _partial, operator.not_: lambda infer, a: abstract.not_(infer, abstract.truth(infer, a)),
        operator.neg: _unary_operator("-"), operator.pos: _unary_operator("+"), operator.invert: _unary_operator("~"),
        operator.inv: _unary_operator("~"), operator.getitem: _getitem, operator.setitem: _setitem,
        operator.concat: _operator("+"),
        **{getattr(operator, f.__name__): _operator(op) for op, f in numbers.BINARY.items()},
        **{getattr(operator, f.__name__): _comparison(op) for op, f in numbers.COMPARE.items()},
    }
)  # fmt: skip
