"""Paddle's dtypes: the same as jitcore's, under Paddle's names."""

# pyright: reportPrivateUsage=false
# (what dtypes are made of is shared by this package)

from __future__ import annotations

from typing import ClassVar, Final

from jitcore.compat.torch import dtypes


class dtype(dtypes.dtype):
    """An element type, as `paddle.float32` is one. There is one object of each.

    >>> print(float32)
    paddle.float32
    >>> float32
    <DataType.FLOAT32: 10>
    """

    __slots__ = ()

    _framework: ClassVar[str] = "paddle"

    @property
    def name(self) -> str:
        """Its name in capitals, as Paddle numbers them."""
        return self._name.upper()

    def __str__(self) -> str:
        return super().__repr__()

    def __repr__(self) -> str:
        return f"<DataType.{self.name}: {_NUMBERS[self._name]}>"

    def __reduce__(self) -> str:
        return "bool_" if self._name == "bool" else self._name


_NUMBERS: Final = {
    "bool": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "uint32": 6, "int32": 7, "uint64": 8, "int64": 9,
    "float32": 10, "float64": 11, "complex64": 12, "complex128": 13, "float16": 15,
}  # fmt: skip
"""Paddle's numbers of the dtypes."""
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
short, int_, long = int16, int32, int64
half, float_, double = float16, float32, float64
cfloat, cdouble = complex64, complex128

OF: Final = {made.own: made for made in _MADE.values()}
"""Paddle's dtype of jitcore's."""
