"""PyTorch's dtypes: the same as jitcore's, under PyTorch's names."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np

from jitcore import types
from jitcore.types import DType


class dtype:
    """An element type, as `torch.float32` is one. There is one object of each."""

    __slots__ = ("_name", "_own")

    _framework: ClassVar[str] = "torch"

    def __init__(self, name: str, own: DType) -> None:
        self._name = name
        self._own = own

    @property
    def own(self) -> DType:
        """jitcore's."""
        return self._own

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's: by this attribute `numpy.dtype` takes an object for a dtype."""
        return self._own.numpy

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self._own.itemsize

    @property
    def is_floating_point(self) -> bool:
        """Whether elements are real floats."""
        return self._own.is_float

    @property
    def is_complex(self) -> bool:
        """Whether elements are complex."""
        return self._own.kind == "c"

    @property
    def is_signed(self) -> bool:
        """Whether elements may be negative."""
        return self._own.kind in "ifc"

    def __repr__(self) -> str:
        return f"{self._framework}.{self._name}"

    def __reduce__(self) -> str:
        return "bool_" if self._name == "bool" else self._name


uint8: Final = dtype("uint8", types.u8)
uint16: Final = dtype("uint16", types.u16)
uint32: Final = dtype("uint32", types.u32)
uint64: Final = dtype("uint64", types.u64)
int8: Final = dtype("int8", types.i8)
int16: Final = dtype("int16", types.i16)
int32: Final = dtype("int32", types.i32)
int64: Final = dtype("int64", types.i64)
float16: Final = dtype("float16", types.f16)
float32: Final = dtype("float32", types.f32)
float64: Final = dtype("float64", types.f64)
complex64: Final = dtype("complex64", types.c64)
complex128: Final = dtype("complex128", types.c128)
bool_: Final = dtype("bool", types.bool_)
short, int_, long = int16, int32, int64
half, float_, double = float16, float32, float64
cfloat, cdouble = complex64, complex128

OF: Final = {
    known.own: known
    for known in (
        uint8, uint16, uint32, uint64, int8, int16, int32, int64,
        float16, float32, float64, complex64, complex128, bool_,
    )
}  # fmt: skip
"""PyTorch's dtype of jitcore's."""

SCALAR_NAMES: Final = {
    "float32": "Float", "float64": "Double", "float16": "Half", "int32": "Int", "int64": "Long", "int16": "Short",
    "int8": "Char", "uint8": "Byte", "bool": "Bool", "complex64": "ComplexFloat", "complex128": "ComplexDouble",
    "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64",
}  # fmt: skip
"""How messages and the names of Tensor classes (`torch.LongTensor`) call the dtypes, by their own names."""
