"""Dataclasses in compiled code: the methods that `dataclass` generates, which have no source, and `dataclasses.replace`
and such."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from jitcore.ir.python import Parameter
from jitcore.passes.infer.domain import abstract, composition, templates
from jitcore.passes.infer.domain.values import (
    Array,
    Fields,
    Instance,
    Maybe,
    PythonError,
    Reference,
    Static,
    Tuple,
    Undefined,
    Value,
)
from jitcore.passes.infer.engine import argument_binding, calls, classes, numbers
from jitcore.passes.infer.engine.models import register_models
from jitcore.passes.infer.python import instances, strings
from jitcore.primitives.ops import copying

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_ORDER: Final = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_COMPARES_FIELDS: Final = sys.version_info >= (3, 13)
"""Whether `__eq__` compares field by field: tuples take what is one object for equal to itself."""
_NONE: Final = Static(None)


@abstract.generated.model
def generated(
    infer: Infer, cls: type, name: str, value: Value, args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call the generated method `name` of a class."""
    infer.inputs.guard_class(cls)
    if name in _ORDER:
        return _compare(infer, cls, _ORDER[name], value, args[0])
    if name == "__repr__":
        return _text(infer, cls, value)
    if name in ("__setattr__", "__delattr__"):
        return _frozen(infer, name, args[0])
    if name == "__init__":
        assert isinstance(value, Instance)
        _initialise(infer, cls, value, args, keywords)
        return _NONE
    raise infer.unsupported(f"the hash of a {cls.__name__} made in compiled code", "a tuple of constants")


# --- making -----------------------------------------------------------------------------------------


def _initialise(infer: Infer, cls: type, made: Instance, args: Sequence[Value], keywords: Mapping[str, Value]) -> None:
    """The generated `__init__` of a class."""
    fields = _all_fields(cls)
    taken = [f for f in fields if f.init]
    init = _generated_init(infer, cls)
    held = calls.defaults_of(init)
    parameters = [Parameter("self", "POSITIONAL_OR_KEYWORD", False)]
    parameters += [
        Parameter(f.name, kind, f.name in held)
        for kw_only, kind in ((False, "POSITIONAL_OR_KEYWORD"), (True, "KEYWORD_ONLY"))
        for f in taken
        if f.kw_only is kw_only
    ]
    made_by = {f.name for f in taken if f.default_factory is not dataclasses.MISSING}
    defaults = {k: _FROM_FACTORY if k in made_by else infer.inputs.constant(v) for k, v in held.items()}
    bound = argument_binding.bind_arguments(
        infer, f"{cls.__qualname__}.__init__", parameters, [made, *args], keywords, defaults
    )
    given = dict(zip((p.name for p in parameters), bound, strict=True))
    frozen = cls.__dataclass_params__.frozen
    passed: list[Value] = []
    for f in fields:
        value = given.get(f.name)
        if value is None and (f.default_factory is dataclasses.MISSING):
            continue  # a default that is in the class
        if value is None or value is _FROM_FACTORY:
            value = abstract.call(infer, infer.inputs.constant(f.default_factory), [], {})
        if _is_passed_on(f):
            passed.append(value)
        elif frozen:
            instances.put(infer, made, Static(f.name), value)
        else:
            abstract.set_attribute(infer, made, f.name, value)
    if "__post_init__" in init.__code__.co_names:
        abstract.call(infer, abstract.attribute(infer, made, "__post_init__"), passed, {})


def _generated_init(infer: Infer, cls: type) -> FunctionType:
    """The `__init__` that `dataclass` wrote, whose defaults may have been changed since."""
    init = inspect.unwrap(cls.__dict__["__init__"])
    assert isinstance(init, FunctionType)
    infer.inputs.guard_function(init)
    return init


_FROM_FACTORY: Final = Static(dataclasses.MISSING)


def _all_fields(cls: type) -> list[dataclasses.Field[Any]]:
    """The fields, and what is only passed to `__post_init__`."""
    found: Mapping[str, dataclasses.Field[Any]] = cls.__dataclass_fields__
    return [f for f in found.values() if _kind(f) != "_FIELD_CLASSVAR"]


def _kind(f: Any) -> str:
    return f._field_type.name


def _is_passed_on(f: dataclasses.Field[Any]) -> bool:
    return _kind(f) == "_FIELD_INITVAR"


def _frozen(infer: Infer, method: str, key: Value) -> NoReturn:
    name = infer.need_static(key, "the name of an attribute")
    verb = "assign to" if method == "__setattr__" else "delete"
    raise PythonError(dataclasses.FrozenInstanceError(f"cannot {verb} field {name!r}"))


# --- comparing and showing --------------------------------------------------------------------------


def _compare(infer: Infer, cls: type, op: str, x: Value, y: Value) -> Value:

    if not isinstance(y, Instance | Static) or abstract.class_of(infer, y) is not abstract.class_of(infer, x):
        return Static(NotImplemented)
    names = [f.name for f in _all_fields(cls) if f.compare and not _is_passed_on(f)]
    xs, ys = ([abstract.attribute(infer, v, name) for name in names] for v in (x, y))
    if op == "==" and _COMPARES_FIELDS:
        total: Value = Static(True)
        for a, b in zip(xs, ys, strict=True):
            total = numbers.both(infer, total, abstract.truth(infer, abstract.compare(infer, "==", a, b)))
        return total
    return abstract.compare(infer, op, Tuple(tuple(xs)), Tuple(tuple(ys)))


def _text(infer: Infer, cls: type, value: Value) -> Value:
    parts = [templates.as_text(Static(f"{abstract.class_of(infer, value).__qualname__}("))]
    shown = [f.name for f in _all_fields(cls) if f.repr and not _is_passed_on(f)]
    for k, name in enumerate(shown):
        parts.append(templates.as_text(Static(f"{', ' if k else ''}{name}=")))
        parts.append(strings.format_value(infer, abstract.attribute(infer, value, name), "r", ""))
    return templates.joined([*parts, templates.as_text(Static(")"))])


# --- functions --------------------------------------------------------------------------------------


def _class_of(infer: Infer, value: Value, *, instances_only: bool) -> type | None:
    """The dataclass that a value is an object of, or is; None if it is neither."""
    if isinstance(value, Static) and isinstance(value.value, type):
        cls = None if instances_only else value.value
    elif isinstance(value, Static | Instance):
        cls = abstract.class_of(infer, value)
    else:
        cls = None
    return cls if cls is not None and hasattr(cls, "__dataclass_fields__") else None


def _public(cls: type) -> list[dataclasses.Field[Any]]:
    return [f for f in _all_fields(cls) if not _is_passed_on(f)]


def _is_dataclass(infer: Infer, value: Value) -> Value:
    return Static(_class_of(infer, value, instances_only=False) is not None)


def _fields(infer: Infer, value: Value) -> Value:
    cls = _class_of(infer, value, instances_only=False)
    if cls is None:
        raise PythonError(TypeError("must be called with a dataclass type or instance"))
    return Tuple(tuple(map(Static, _public(cls))))


def _replace(infer: Infer, value: Value, /, **changes: Value) -> Value:
    cls = _class_of(infer, value, instances_only=True)
    if cls is None:
        raise PythonError(TypeError("replace() should be called on dataclass instances"))
    for f in _all_fields(cls):
        if not f.init:
            if f.name in changes:
                message = f"field {f.name} is declared with init=False, it cannot be specified with replace()"
                raise PythonError(ValueError(message))
        elif f.name not in changes:
            if _is_passed_on(f) and f.default is dataclasses.MISSING:
                raise PythonError(ValueError(f"InitVar '{f.name}' must be specified with replace()"))
            changes[f.name] = abstract.attribute(infer, value, f.name)
    return abstract.call(infer, Static(cls), [], changes)


def _taken_apart(name: str, make: Callable[[Infer, Sequence[str], Sequence[Value]], Value]) -> Callable[..., Value]:
    """`astuple` or `asdict`: what `make` makes of the names and values of the fields, all the way down."""

    def call(infer: Infer, value: Value) -> Value:
        if _class_of(infer, value, instances_only=True) is None:
            raise PythonError(TypeError(f"{name}() should be called on dataclass instances"))
        return copied(infer, value)

    def copied(infer: Infer, value: Value) -> Value:
        cls = _class_of(infer, value, instances_only=True)
        if cls is not None:
            names = [f.name for f in _public(cls)]
            return make(infer, names, [copied(infer, abstract.attribute(infer, value, n)) for n in names])
        if isinstance(value, Tuple):
            return Tuple(tuple(copied(infer, v) for v in value.items), value.cls)
        if isinstance(value, Reference) and value.kind is dict:
            return infer.heap.new(dict, {k: copied(infer, v) for k, v in infer.heap.entries(value).items()})
        if isinstance(value, Reference) and value.kind is list:
            return infer.heap.new(list, tuple(copied(infer, v) for v in infer.heap.items(value)))
        return _deep_copy(infer, value)

    return call


def _deep_copy(infer: Infer, value: Value) -> Value:
    if isinstance(value, Array) and value.category != "npscalar":
        return infer.fresh_array(infer.emit(copying.copy, infer.read(value)), value.category)
    if isinstance(value, Static):
        classes.require_constant(infer, "a copy", value)
    elif isinstance(value, Maybe | Undefined):
        return value
    elif isinstance(value, Instance | Reference):
        raise infer.unsupported("a copy of this object", "a new one")
    return value


def _shallow_copy(infer: Infer, value: Value) -> Value:
    """`copy.copy(value)`."""
    if isinstance(value, Instance):
        _require_plain_copies(infer, value.cls, "__copy__")
        return infer.heap.new_instance(value.cls, infer.heap.fields(value))
    if isinstance(value, Reference) and infer.heap.buffer(value) is None:
        return composition.compose(infer, *composition.decompose(infer, value))
    return _deep_copy(infer, value)


def _deep_copy_of_all(infer: Infer, value: Value) -> Value:
    """`copy.deepcopy(value)`."""
    made: dict[int, Instance | Reference] = {}

    def copied(value: Value) -> Value:
        if isinstance(value, Tuple):
            return Tuple(tuple(map(copied, value.items)), value.cls)
        if not isinstance(value, Instance | Reference) or infer.heap.buffer(value) is not None:
            return _deep_copy(infer, value)
        if value.key in made:
            return made[value.key]
        if isinstance(value, Instance):
            _require_plain_copies(infer, value.cls, "__deepcopy__")
            new = made[value.key] = infer.heap.new_instance(value.cls, Fields())
            fields = infer.heap.fields(value)
            infer.heap.store(new.key, Fields({name: copied(held) for name, held in fields.items()}))
            return new
        if value.kind is dict:
            new = made[value.key] = infer.heap.new(dict, {})
            entries = infer.heap.entries(value)
            infer.heap.store(new.key, {key: copied(held) for key, held in entries.items()})
            return new
        new = made[value.key] = infer.heap.new(value.kind, ())
        contents = infer.heap.items(value)
        infer.heap.store(new.key, type(contents)(map(copied, contents)))
        return new

    return copied(value)


def _require_plain_copies(infer: Infer, cls: type, *names: str) -> None:
    own = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", *names)
    if any(name in base.__dict__ for base in cls.__mro__[:-1] for name in own):
        raise infer.unsupported(f"a copy of a {cls.__name__}, which has a method for that")


register_models(
    {
        copy.copy: _shallow_copy,
        copy.deepcopy: _deep_copy_of_all,
        dataclasses.is_dataclass: _is_dataclass,
        dataclasses.fields: _fields,
        dataclasses.replace: _replace,
        dataclasses.astuple: _taken_apart("astuple", lambda infer, names, values: Tuple(tuple(values))),
        dataclasses.asdict: _taken_apart(
            "asdict", lambda infer, names, values: infer.heap.new(dict, dict(zip(names, values, strict=True)))
        ),
    }
)
