"""Descriptions of arguments and captured objects, as inference takes them."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, cast

import numpy as np

from jitcore.passes.infer.signature import Arg, ArrayArg, DictArg, ListArg, NumberArg, StaticArg, TupleArg
from jitcore.runtime.arguments import NUMBERS, check_int
from jitcore.runtime.tensor import Tensor
from jitcore.types import Shape, dtype_of


def describe(value: Any, shapes: Iterator[Shape]) -> Arg:
    """The description of an argument, its arrays having the given shapes in turn."""
    cls = type(value)
    if cls in NUMBERS:
        if cls is int:
            check_int(value)
        return NumberArg(NUMBERS[cls], value)
    if isinstance(value, Tensor):
        array = value._array
        return ArrayArg(dtype_of(array.dtype), next(shapes), "tensor", array.flags.c_contiguous)
    if cls is np.ndarray:
        return ArrayArg(dtype_of(value.dtype), next(shapes), "ndarray", value.flags.c_contiguous)
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return ArrayArg(dtype_of(value.dtype), (), "npscalar")
    if isinstance(value, tuple) and (cls is tuple or hasattr(cls, "_fields")):
        return TupleArg(tuple(describe(v, shapes) for v in cast("tuple[Any, ...]", value)), cls)
    return _described_container(value, shapes)


def _described_container(value: Any, shapes: Iterator[Shape]) -> Arg:
    cls = cast("type[Any]", type(value))
    if cls is list:
        return ListArg(tuple(describe(v, shapes) for v in value))
    if cls is dict:
        return DictArg(tuple(value), tuple(describe(v, shapes) for v in value.values()))
    return StaticArg(set(value) if cls is set else value)


_NEVER_ARRAYS: Final = (FunctionType, BuiltinFunctionType, ModuleType, type, str, Enum)


def describe_captured(value: Any) -> ArrayArg | None:
    """The description of an object the program reads besides its arguments, if it is an array."""
    if isinstance(value, _NEVER_ARRAYS):
        return None
    if isinstance(value, Tensor | np.ndarray) or (isinstance(value, np.generic) and value.dtype.kind in "biufc"):
        array = value._array if isinstance(value, Tensor) else value
        category = "tensor" if isinstance(value, Tensor) else "npscalar" if isinstance(value, np.generic) else "ndarray"
        return ArrayArg(dtype_of(array.dtype), array.shape, category, bool(array.flags.c_contiguous))
    return None
