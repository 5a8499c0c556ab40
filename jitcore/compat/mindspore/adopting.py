"""What MindSpore's modules mean by jitcore's functions and classes: functions whose Tensors, where they are made of
none, are MindSpore's, and classes of its own, whose objects hold its Parameters."""

# pyright: reportPrivateUsage=false
# (what Cells are made of is shared by this package)

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, cast

import jitcore
from jitcore.common.initializer import FillError, Initializer
from jitcore.common.parameter import ParameterTuple
from jitcore.compat.mindspore.tensor import MINDSPORE, Parameter, Tensor, of_framework
from jitcore.dataset.stages import Dataset
from jitcore.library.core import marking
from jitcore.library.core.values import category
from jitcore.nn import Cell, CellDict, CellList, SequentialCell
from jitcore.nn.metrics import Measure
from jitcore.ops.primitives import Primitive
from jitcore.primitives.core import constructing, evaluation
from jitcore.runtime.interrupts import is_from_handler

checked: Final[dict[type, dict[str, Any]]] = {}
"""By the class of jitcore's: the methods that MindSpore's has in their place, which check what they are given."""
_OWN: Final = tuple(f"jitcore.{part}" for part in ("nn", "ops", "common", "train", "dataset", "compat.mindspore"))
_CONTAINERS: Final = (CellList, SequentialCell, CellDict)
_ROOTS: Final = (Cell, Primitive, Initializer, Measure, ParameterTuple, Dataset)
"""Classes whose subclasses MindSpore has as classes of its own."""
_classes: Final[dict[type, type]] = {jitcore.Tensor: Tensor, jitcore.Parameter: Parameter}
_functions: Final[dict[Callable[..., Any], Callable[..., Any]]] = {}


def adopted(value: object) -> Any:
    """What one of MindSpore's modules means by a name that stands for a function or class of jitcore's."""
    if isinstance(value, type):
        return class_of(value) if value in _classes or _is_adopted(value) else value
    return function_of(value) if isinstance(value, FunctionType) and marking.is_library(value) else value


def _is_adopted(cls: type) -> bool:
    if not cls.__module__.startswith(_OWN) or (issubclass(cls, Primitive) and type(cls) is not type):
        return False
    return issubclass(cls, _ROOTS) or cls in checked


# --- functions --------------------------------------------------------------------------------------


def function_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """A library function as MindSpore's: what it makes of no Tensors is of MindSpore's class."""
    made = _functions.get(function)
    if made is None:
        made = _functions[function] = _functions[made] = _function_of(function)
    return made


def _function_of(function: Callable[..., Any]) -> Callable[..., Any]:
    vetted = cast(FunctionType, function).__code__ is _SERVED

    @functools.wraps(function)
    def call(*args: object, **keywords: object) -> Any:
        if _has_tensor(args) or (keywords and _has_tensor(tuple(keywords.values()))):
            return function(*args, **keywords)
        if not vetted or evaluation.is_tracing():
            return marking.in_dialect(function(*args, **keywords), MINDSPORE)
        constructing.vet_by(MINDSPORE, function, args, keywords)
        try:
            made = function(*args, **keywords)
        except (TypeError, ValueError, IndexError) as error:
            if is_from_handler(error):
                raise
            told = constructing.reworded_by(MINDSPORE, function, args, keywords, error)
            if told is error:
                raise
            raise told from None
        return marking.in_dialect(made, MINDSPORE)

    call.__dict__["__jitcore_library__"] = cast(FunctionType, call).__code__
    call.__dict__["__jitcore_meant__"] = function
    return call


_SERVED: Final = cast(FunctionType, marking.library("tensor")(lambda: None)).__code__
"""Of library functions whose results the library finishes, about whose calls frameworks are asked."""


def _has_tensor(given: Sequence[object]) -> bool:
    tracing = evaluation.is_tracing()
    for arg in given:
        for item in cast("Sequence[object]", arg) if isinstance(arg, list | tuple) else (arg,):
            if isinstance(item, jitcore.Tensor) or (tracing and category(item) == "tensor"):
                return True
    return False


# --- classes ----------------------------------------------------------------------------------------


def class_of(cls: type) -> type:
    """A class of jitcore's as one of MindSpore's: it is derived from it, and from MindSpore's of its bases."""
    made = _classes.get(cls)
    if made is None:
        bases = [class_of(base) for base in cls.__bases__ if _is_adopted(base)]
        body: dict[str, Any] = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}
        body |= {"_dialect": MINDSPORE, "__jitcore_meant__": cls, **_OF_ROOTS.get(cls, {}), **checked.get(cls, {})}
        if issubclass(cls, Cell) and "__init__" in vars(cls):
            body["__init__"] = _filling(cast(FunctionType, cls.__init__))
        if "__slots__" in vars(cls):
            body["__slots__"] = ()
        made = _classes[cls] = cast(Any, type(cls))(cls.__name__, (cls, *bases), body)
        _classes[made] = made
    return made


def _filling(init: Callable[..., None]) -> Callable[..., None]:
    """How a layer is made, with MindSpore's words for arrays that its initializers do not fill."""

    @functools.wraps(init)
    def __init__(self: Cell, *args: object, **keywords: object) -> None:
        try:
            init(self, *args, **keywords)
        except FillError as error:
            raise constructing.worded_by(MINDSPORE, type(self), error, fill=error) from None

    return __init__


def _register(
    self: Cell, name: str, value: object, params: dict[str, jitcore.Parameter], cells: dict[str, Cell]
) -> None:
    """What a layer of the library's makes itself is MindSpore's as it is."""
    if "__jitcore_meant__" in vars(type(self)) and not isinstance(self, _CONTAINERS):
        adopt(value)
    Cell._register(self, name, value, params, cells)


def adopt(value: object) -> None:
    """Make Tensors, Parameters and layers of jitcore's MindSpore's, with all that layers hold."""
    if isinstance(value, list | tuple):
        for item in cast("Iterator[Any]", value):
            adopt(item)
    elif not isinstance(value, Cell):
        of_framework(value)
    elif _is_layer(type(value)):
        object.__setattr__(value, "__class__", class_of(type(value)))
        value.__dict__["_compiled"] = None
        for part in list(vars(value).values()):
            adopt(list(part.values()) if isinstance(part, dict) else part)


def _is_layer(cls: type) -> bool:
    return cls.__module__.startswith("jitcore.nn") and "__jitcore_meant__" not in vars(cls)


def _pickled(self: Cell) -> tuple[Any, ...]:
    cls = vars(type(self)).get("__jitcore_meant__")
    function, args, *rest = Cell.__reduce__(self)
    return (function, args, *rest) if cls is None else (_unpickled, (function, cls), *rest)


def _unpickled(function: Callable[..., Any], cls: type) -> Any:
    return function(class_of(cls))


def _called(self: Primitive, *operands: object) -> Any:
    made = Primitive.__call__(self, *operands)
    return made if _has_tensor(operands) else marking.in_dialect(made, MINDSPORE)


_OF_ROOTS: Final[dict[type, Mapping[str, Any]]] = {
    Cell: {"_register": _register, "__reduce__": _pickled},
    Primitive: {"__call__": _called},
}
