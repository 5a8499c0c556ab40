"""What Python calls the types of abstract values."""

from __future__ import annotations

import numpy as np

from jitcore.library.core.mutable import plain_class
from jitcore.passes.infer.domain import boxed
from jitcore.passes.infer.domain.forms import SCALARS
from jitcore.passes.infer.domain.values import (
    Array,
    Bound,
    Boxed,
    Char,
    Function,
    Handle,
    Instance,
    Iterator,
    Number,
    Reference,
    Static,
    Stream,
    String,
    Text,
    Tuple,
    Value,
)


def type_name(value: Value) -> str:
    """The name of a value's Python type, as CPython's messages have it."""
    match value:
        case Static():
            module = "numpy." if isinstance(value.value, np.generic | np.ndarray) else ""
            return module + type(value.value).__name__
        case Number():
            return next(t.__name__ for t, s in SCALARS.items() if s is value.type)
        case Array():
            if value.is_tensor:
                return "Tensor"
            return "numpy.ndarray" if value.category == "ndarray" else f"numpy.{value.type.dtype.numpy.type.__name__}"
        case Tuple():
            return plain_class(value.cls).__name__
        case Reference():
            return value.kind.__name__
        case Text() | Char():
            return "str"
        case String():
            return value.cls.__name__
        case Iterator() | Stream():
            return value.cls.__name__
        case Function():
            return "function"
        case Bound():
            return "method"
        case Instance() | Handle():
            return value.cls.__name__
        case Boxed():
            return boxed.class_of(value).__name__
        case _:
            return type(value).__name__.lower()
