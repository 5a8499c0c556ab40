"""What Python raises where an operation does not take values of these types: asked of Python itself, with sample
values."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.passes.infer.domain import boxed, special_methods
from jitcore.passes.infer.domain.forms import SCALARS
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    DICT_VIEWS,
    ITERATORS,
    Array,
    Bound,
    Boxed,
    Char,
    Function,
    Handle,
    Instance,
    Iterator,
    Number,
    PythonError,
    Range,
    Reference,
    Sequence,
    Slice,
    Static,
    Stream,
    String,
    Text,
    Tuple,
    Value,
)
from jitcore.primitives.ops import generators

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer
    from jitcore.source import CompileError


def refusal(infer: Infer, what: str, function: Callable[..., Any], *values: Value) -> PythonError | CompileError:
    """The TypeError or AttributeError that `function(*values)` raises in Python, whatever the values of the run.

    If it raises neither, the operation is one that compiled code does not have: an error that says `what` is missing.
    """
    samples = [sample(infer, v) for v in values]
    if any(s is NO_SAMPLE for s in samples):
        boxed = [type_name(v) for v in values if isinstance(v, Boxed)]
        if boxed:
            return infer.unsupported(f"{what}, given a {boxed[0]} of the run", "other methods of it, or a loop")
        if isinstance(values[0], Sequence):
            return infer.unsupported(f"{what} of an iterable of the run", "a list or set of its items")
        return infer.unsupported(f"{what} of this {type_name(values[0])}")
    try:
        with np.errstate(all="ignore"):
            function(*samples)
    except (TypeError, AttributeError) as error:
        return PythonError((TypeError if isinstance(error, TypeError) else AttributeError)(str(error)))
    except Exception:  # of the sample's value, which says nothing
        return infer.unsupported(f"{what} with values of the run")
    return infer.unsupported(f"{what} with values of the run")


NO_SAMPLE: Final = object()
"""Where there is none to be had."""


class _AskedError(Exception):
    """A method of the user's would have to be called: what it does, the values' types don't tell."""


def _asked(*args: Any, **keywords: Any) -> Any:
    raise _AskedError


def _declined(*args: Any, **keywords: Any) -> Any:
    return NotImplemented


def _of_class(cls: type) -> Any:
    """An object with the name and the special methods of a class, which is what Python tells of it. Those of operators
    have been called before anything is refused."""
    held = {name: function for base in cls.__mro__ for name, function in base.__dict__.items()}
    special = {name for name in held if name[:2] == name[-2:] == "__" and isinstance(held[name], FunctionType)}
    special -= {"__init__", "__new__", "__del__"}
    methods = {name: _declined if name in special_methods.OPERATORS else _asked for name in special}
    return type(cls.__name__, (), methods)()


def _function(*args: Any, **keywords: Any) -> None: ...


def sample(infer: Infer, value: Value) -> Any:
    """A Python object of a value's type; `NO_SAMPLE` if there is none."""
    match value:
        case Static():
            return value.value
        case Number():
            return next(cls for cls, scalar in SCALARS.items() if scalar is value.type)(1)
        case Array() if not value.is_tensor:
            made = np.ones(tuple(1 if not isinstance(n, int) else n for n in value.type.shape), value.type.dtype.numpy)
            return made[()] if value.category == "npscalar" else made
        case Text() | Char():
            return "1"
        case String():
            return "1" if value.cls is str else b"1"
        case Tuple() if value.cls in DICT_VIEWS:
            return ({}.keys(), {}.values(), {}.items())[DICT_VIEWS.index(value.cls)]
        case Tuple() if value.cls in ITERATORS:
            return ITERATORS[value.cls]
        case Tuple() | Slice() | Range():
            members = value.items if isinstance(value, Tuple) else (value.start, value.stop, value.step)
            parts = [sample(infer, v) for v in members]
            if any(p is NO_SAMPLE for p in parts):
                return NO_SAMPLE
            cls: Any = value.cls if isinstance(value, Tuple) else slice if isinstance(value, Slice) else range
            return tuple(parts) if cls is tuple else cls(*parts)
        case Reference() if value.kind is list:
            held = infer.heap.buffer(value)
            parts = [sample(infer, v) for v in infer.heap.items(value)] if held is None else []
            return NO_SAMPLE if any(p is NO_SAMPLE for p in parts) else parts
        case Reference():
            return value.kind()
        case Boxed():
            cls = boxed.class_of(value)
            return "1" if cls is str else cls()
        case Iterator():
            return ITERATORS.get(value.cls, NO_SAMPLE)
        case Stream():
            return ITERATORS.get(value.cls, (_ for _ in ()))
        case Function() | Bound():
            return _function
        case Handle():
            return generators.sample_of(value.cls)
        case Instance():
            return _of_class(value.cls)
        case _:
            return NO_SAMPLE
