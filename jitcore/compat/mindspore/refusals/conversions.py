"""What MindSpore says to Tensors that are made numbers, lengths or Tensors of other dtypes, line by line."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

_SCALARS: Final = "Only one element tensors can be converted to Python scalars"


def refused(what: str, x: Tensor) -> BaseException | None:
    """The exception of `bool(x)`, `int(x)`, `float(x)`, `complex(x)`, `len(x)`, or of an index that is a Tensor."""
    match what:
        case "bool":
            return of_several(x.size)
        case "int" | "float" | "complex":
            return ValueError(_SCALARS)
        case "index":
            return ValueError("Only integer tensors of a single element can be converted to an index.")
        case "len":
            return TypeError("Not support len of a 0-D tensor")
        case _:
            return None


def of_several(count: int) -> ValueError | None:
    """The answer to so many elements where there has to be one."""
    if count == 1:
        return None
    return ValueError(f"The tensor should have only one element, but got {count}, more than one element is ambiguous.")


def of_items(shape: tuple[int, ...], count: int) -> ValueError | IndexError | None:
    """The answer to so many arguments of `x.itemset`."""
    if count == 0:
        return ValueError("'Tensor.itemset()' must have at least one argument, but got None.")
    if count > 2:
        return ValueError(f"'Tensor.itemset()' must have at most 2 argument, but got {count}.")
    if count == 2 or shape == (1,):
        return None
    return IndexError(
        "Only tensor which shape is (1,) support 1 arg that means omit index, "
        f"but the tensor shape is {shape} and got 1 input."
    )


_NAMES: Final = [
    "bool_", "int8", "byte", "int16", "short", "int32", "intc", "int64", "long", "intp", "uint8", "ubyte", "uint16",
    "ushort", "uint32", "uintc", "uint64", "uintp", "float16", "half", "float32", "single", "float64", "double",
    "complex64", "cfloat", "complex128", "cdouble", "qint4x2", "bfloat16", "float8_e4m3fn", "float8_e5m2", "hifloat8",
    "int_", "uint", "float_", "list_", "tuple_", "string", "number", "tensor_type", "type_none", "_null", "TensorType",
    "Type", "Int", "int", "float", "bool",
]  # fmt: skip
"""Strings that `astype` knows as dtypes."""
_NUMBERS: Final = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "bfloat16", "complex64", "complex128", "int4", "float8_e4m3fn", "float8_e5m2", "hifloat8", "bool",
)  # fmt: skip
_DTYPES: Final = [f"mindspore.{name}" for name in _NUMBERS]
_OF_NUMPY: Final = [f"<class 'numpy.{name}'>" for name in (*_NUMBERS[:11], "bool_", "complex64", "complex128")]


def of_dtype(dtype: Any) -> TypeError | None:
    """The answer to `x.astype(dtype)`."""
    if isinstance(dtype, str):
        known = dtype.lower() in _NAMES
        text = f"For Tensor.astype, the string input type must be one of {_NAMES}, but got '{dtype}'."
        return None if known else TypeError(text)
    if isinstance(dtype, DType) or (isinstance(dtype, type) and dtype is not str):
        return None
    if dtype is str:
        return TypeError("Select CPU operator[Cast] fail! Unsupported data type!")
    return TypeError(
        f"For Tensor.astype, the input type must be one of [{', '.join(_DTYPES + _OF_NUMPY)}], "
        f"but got '{_shown(dtype)}'."
    )


def _shown(dtype: Any) -> str:
    return str(np.asarray(dtype)) if isinstance(dtype, Tensor) else str(dtype)


def of_dtype_in_graph(dtype: Any) -> TypeError | None:
    """The answer to `x.astype(dtype)` in a graph, where it is no class."""
    if not isinstance(dtype, str):
        return TypeError(f"For Tensor.astype, the input type must be one of ({', '.join(_DTYPES)}), but got '{dtype}'.")
    if dtype.lower() in _NAMES:
        return None
    return TypeError(f"For Tensor.astype, the input type must be one of {_NAMES}, but got '{dtype}'.")
