"""OneFlow's dtypes: the same as jitcore's, under OneFlow's names."""

# pyright: reportPrivateUsage=false
# (what dtypes are made of is shared by this package)

from __future__ import annotations

from typing import ClassVar, Final

from jitcore.compat.torch import dtypes


class dtype(dtypes.dtype):
    """An element type, as `oneflow.float32` is one. There is one object of each."""

    __slots__ = ()

    _framework: ClassVar[str] = "oneflow"

    def __reduce__(self) -> str:
        return "bool_" if self._name == "bool" else self._name


_MADE: Final = {known: dtype(known._name, known.own) for known in dtypes.OF.values()}

uint8: Final = _MADE[dtypes.uint8]
int8: Final = _MADE[dtypes.int8]
int16: Final = _MADE[dtypes.int16]
int32: Final = _MADE[dtypes.int32]
int64: Final = _MADE[dtypes.int64]
uint16: Final = _MADE[dtypes.uint16]
uint32: Final = _MADE[dtypes.uint32]
uint64: Final = _MADE[dtypes.uint64]
float16: Final = _MADE[dtypes.float16]
float32: Final = _MADE[dtypes.float32]
float64: Final = _MADE[dtypes.float64]
complex64: Final = _MADE[dtypes.complex64]
complex128: Final = _MADE[dtypes.complex128]
bool_: Final = _MADE[dtypes.bool_]
int_, long = int32, int64
half, float_, double = float16, float32, float64
cfloat, cdouble = complex64, complex128

OF: Final = {made.own: made for made in _MADE.values()}
"""OneFlow's dtype of jitcore's."""
