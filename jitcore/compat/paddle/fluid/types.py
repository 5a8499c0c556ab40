"""`fluid.core.VarDesc.VarType`: Paddle's dtypes under the names that they had in fluid."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from jitcore.compat.paddle import dtypes
from jitcore.types import DType


class VarType:
    """The kinds of Variables.

    >>> VarType.FP32
    VarType.FP32
    """

    BOOL: ClassVar[VarType]
    INT8: ClassVar[VarType]
    INT16: ClassVar[VarType]
    INT32: ClassVar[VarType]
    INT64: ClassVar[VarType]
    UINT8: ClassVar[VarType]
    FP16: ClassVar[VarType]
    FP32: ClassVar[VarType]
    FP64: ClassVar[VarType]
    LOD_TENSOR: ClassVar[VarType]
    SELECTED_ROWS: ClassVar[VarType]
    LOD_TENSOR_ARRAY: ClassVar[VarType]

    def __init__(self, name: str, known: dtypes.dtype | None = None) -> None:
        self.name = name
        self.known = known
        """Paddle's dtype of today; None where it is no dtype's."""

    @property
    def dtype(self) -> Any:
        """NumPy's: by this attribute `numpy.dtype` takes an object for a dtype."""
        return None if self.known is None else self.known.dtype

    def __eq__(self, other: object) -> bool:
        if isinstance(other, VarType):
            return self.name == other.name
        return self.known is not None and self.known == other

    def __hash__(self) -> int:
        return hash(self.name) if self.known is None else hash(self.known)

    def __repr__(self) -> str:
        return f"VarType.{self.name}"


_DTYPES: Final = {
    "BOOL": dtypes.bool_, "INT8": dtypes.int8, "INT16": dtypes.int16, "INT32": dtypes.int32, "INT64": dtypes.int64,
    "UINT8": dtypes.uint8, "FP16": dtypes.float16, "FP32": dtypes.float32, "FP64": dtypes.float64,
}  # fmt: skip
for _name in (*_DTYPES, "LOD_TENSOR", "SELECTED_ROWS", "LOD_TENSOR_ARRAY"):
    setattr(VarType, _name, VarType(_name, _DTYPES.get(_name)))

OF: Final[dict[DType, VarType]] = {made.own: getattr(VarType, name) for name, made in _DTYPES.items()}
"""The VarType of jitcore's dtypes."""


class VarDesc:
    """Where VarType is."""

    VarType = VarType


def dtype_named(dtype: object) -> Any:
    """A dtype as Paddle's functions take it: a VarType by what it stands for."""
    return dtype.known if isinstance(dtype, VarType) else dtype
