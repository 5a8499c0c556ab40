"""Operands as the rules of another framework see them: their kinds, types, values where they are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.nodes import Literal
from jitcore.library.core.marking import is_library
from jitcore.library.core.mutable import DynamicList, DynamicTuple, plain_class
from jitcore.lookup import has_attribute
from jitcore.passes.infer.domain.forms import SCALARS
from jitcore.passes.infer.domain.values import (
    Array,
    Bound,
    Builtin,
    Char,
    Function,
    Instance,
    Maybe,
    Number,
    Range,
    Reference,
    Slice,
    Static,
    String,
    Text,
    Tuple,
    Union,
    Value,
)
from jitcore.passes.infer.engine import marking
from jitcore.primitives.core.dialects import kind_of, meant
from jitcore.structs import dataclass, field, replace
from jitcore.types import DType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


class Unknown:
    """Stands for a value that only the run has."""

    def __repr__(self) -> str:
        return "?"


UNKNOWN: Final = Unknown()


@dataclass(frozen=True, slots=True)
class Operand:
    """What is known of an operand: its kind (tensor, ndarray, npscalar, bool, int, float, complex, str, none, tuple,
    list, dict, set, range, slice, ellipsis, dtype, type, function, instance, object, union), an array's dtype and shape
    (None for extents of the run), a value that is known, the items of a container, a dict's keys, whether a container
    or number is marked as variable, whether a container's length is, too, whether a tensor is a Parameter, the Tensor
    of the code outside that it is, and whether a container of variable length was given by the code outside."""

    kind: str
    dtype: DType | None = None
    shape: tuple[int | None, ...] = ()
    value: Any = UNKNOWN
    items: tuple[Operand, ...] = ()
    keys: tuple[Any, ...] = ()
    marked: bool = False
    dynamic: bool = False
    is_parameter: bool = False
    held: Any = None
    given: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of a program: `what` is it (binary, inplace, compare, unary, truth, attribute, item, put,
    unpack, iterate, name, call, user_call, method, source, join, raise, gradients, cotangents, result, constant,
    dict, display, starred, set_attribute, outside, missing, given, folded), its operator or name or the object that
    is called, and what it is done with. `library`: it stands in a layer of jitcore's, not in the user's code.
    `callee`: the object that a user_call calls, if it is known. `compiled`: the program is compiled for the rules,
    too, and not run line by line there. The name of a put tells, when it is called, whether what is written is
    known before the run."""

    what: str
    name: Any
    operands: tuple[Operand, ...]
    keywords: Mapping[str, Operand] = field(default_factory=dict[str, Operand])
    library: bool = False
    callee: Any = None
    compiled: bool = True


@dataclass(frozen=True, slots=True)
class Instead:
    """The function to call with the operands."""

    function: Callable[..., Any]


def describe(infer: Infer, value: Value, within: tuple[int, ...] = ()) -> Operand:
    """What the rules see of a value; of a list or dict that is in itself (`within`: the keys of those around it)
    nothing."""
    match value:
        case Static():
            return of_object(value.value)
        case Number():
            known = value.atom.value if isinstance(value.atom, Literal) else infer.inputs.fixed(value.atom, UNKNOWN)
            name = next(c.__name__ for c, scalar in SCALARS.items() if scalar is value.type)
            return Operand(name, value=known, marked=value.variable)
        case Array():
            shape = tuple(n if isinstance(n, int) else None for n in value.type.shape)
            is_parameter = value.keeps_memory and not value.viewed
            outside = value.path is not None and value.path[0] != "arg" and not value.viewed and not is_parameter
            held = value.source if outside else None
            return Operand(kind_of(value.category), value.type.dtype, shape, is_parameter=is_parameter, held=held)
        case Tuple() if plain_class(value.cls) is tuple:
            marked = marking.is_marked(infer, value)
            dynamic = marking.is_dynamic(infer, value)
            items = _items(infer, value.items, marked, within)
            given = dynamic and any(map(_is_given, value.items))
            return Operand("tuple", items=items, marked=marked, dynamic=dynamic, given=given)
        case Range():
            return Operand("range", items=tuple(describe(infer, v) for v in (value.start, value.stop, value.step)))
        case Slice():
            return Operand("slice", items=tuple(describe(infer, v) for v in (value.start, value.stop, value.step)))
        case Text() | Char():
            return Operand("str")
        case String():
            return Operand("str" if value.cls is str else "object")
        case Reference() if value.key in within or not has_contents(infer, value):
            return Operand("object")
        case Reference() if value.kind is dict:
            entries, marked = infer.heap.entries(value), marking.is_marked(infer, value)
            items = _items(infer, entries.values(), marked, (*within, value.key))
            return Operand("dict", items=items, keys=tuple(entries), marked=marked)
        case Reference() if value.kind in (list, set):
            marked = marking.is_marked(infer, value)
            items = _items(infer, infer.heap.items(value), marked, (*within, value.key))
            dynamic = marking.is_dynamic(infer, value)
            given = dynamic and value.path is not None
            return Operand(value.kind.__name__, items=items, marked=marked, dynamic=dynamic, given=given)
        case Function() | Bound() | Builtin():
            return Operand("function")
        case Instance():
            return Operand("instance", value=value.cls)
        case Union() | Maybe():
            return Operand("union")
        case _:
            return Operand("object")


def _items(infer: Infer, items: Iterable[Value], marked: bool, within: tuple[int, ...]) -> tuple[Operand, ...]:
    described = tuple(describe(infer, v, within) for v in items)
    return tuple(map(_variable, described)) if marked else described


def _is_given(item: Value) -> bool:
    """Whether the code outside gave an item of a tuple."""
    if isinstance(item, Tuple):
        return any(map(_is_given, item.items))
    return bool(item.paths) if isinstance(item, Number) else getattr(item, "path", None) is not None


def _variable(x: Operand) -> Operand:
    """An operand whose numbers are not known, as those of what is marked as variable."""
    return replace(x, value=UNKNOWN, items=tuple(map(_variable, x.items)), marked=x.marked or x.kind in _NUMBERS)


def of_object(obj: Any) -> Operand:
    """What the rules see of an object that is known."""
    cls = plain_class(type(obj))
    if cls in _CLASSES:
        return Operand(_CLASSES[cls], value=obj)
    if cls in (tuple, list):
        marked, dynamic = plain_class(type(obj)) is not type(obj), isinstance(obj, DynamicTuple | DynamicList)
        items = tuple(map(of_object, obj))
        made = Operand(cls.__name__, value=obj, items=items, marked=marked, dynamic=dynamic)
        return _variable(made) if made.marked else made
    if issubclass(cls, dict):
        return Operand("dict", value=obj, items=tuple(map(of_object, obj.values())), keys=tuple(obj))
    if isinstance(obj, range):
        return Operand("range", value=obj, items=tuple(map(of_object, (obj.start, obj.stop, obj.step))))
    if isinstance(obj, DType):
        return Operand("dtype", value=obj)
    if isinstance(obj, slice):
        return Operand("slice", value=obj, items=tuple(map(of_object, (obj.start, obj.stop, obj.step))))
    if isinstance(obj, type):
        return Operand("type", value=meant(obj))
    if isinstance(obj, np.ndarray):
        return Operand("ndarray", value=obj)
    if has_attribute(obj, "__code__") or is_library(obj) or isinstance(obj, BuiltinFunctionType):
        return Operand("function", value=meant(obj))
    return Operand("object", value=obj)


def has_contents(infer: Infer, value: Reference) -> bool:
    """Whether a program knows what a container holds: not what a list of the code outside held before it was added to,
    nor a list of run-time length."""
    return not infer.heap.is_log(value.key) and infer.heap.buffer(value) is None


_NUMBERS: Final = ("bool", "int", "float")


_CLASSES: Final[dict[type, str]] = {
    bool: "bool", int: "int", float: "float", complex: "complex", str: "str", type(None): "none", type(...): "ellipsis",
}  # fmt: skip
