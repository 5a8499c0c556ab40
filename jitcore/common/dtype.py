"""MindSpore's names of the dtypes."""

from __future__ import annotations

from typing import Final

import numpy as np

from jitcore.types import DType, bool_, c64, c128, dtype_of, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64

float16: Final = f16
float32: Final = f32
float64: Final = f64
int8: Final = i8
int16: Final = i16
int32: Final = i32
int64: Final = i64
uint8: Final = u8
uint16: Final = u16
uint32: Final = u32
uint64: Final = u64
complex64: Final = c64
complex128: Final = c128
half: Final = f16
single: Final = f32
double: Final = f64

number_type: Final = (i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, c64, c128)
int_type: Final = (i8, i16, i32, i64)
uint_type: Final = (u8, u16, u32, u64)
float_type: Final = (f16, f32, f64)


def dtype_to_nptype(dtype: DType) -> type[np.generic]:
    """The NumPy scalar type of a dtype."""
    return dtype.numpy.type


def pytype_to_dtype(obj: type) -> DType:
    """The dtype of a Python or NumPy scalar type. Raises TypeError if there is none."""
    return {float: f32, int: i64, bool: bool_}.get(obj) or dtype_of(obj)


def dtype_to_pytype(dtype: DType) -> type:
    """The Python type of a dtype's elements."""
    return type(dtype.numpy.type(0).item())


__all__ = [
    "bool_", "complex64", "complex128", "double", "dtype_to_nptype", "dtype_to_pytype", "float16", "float32", "float64",
    "float_type", "half", "int8", "int16", "int32", "int64", "int_type", "number_type", "pytype_to_dtype", "single",
    "uint8", "uint16", "uint32", "uint64", "uint_type",
]  # fmt: skip
