"""The arrays that strings and bytes of the run are: code points (u32), or bytes (u8)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from jitcore.types import Dim, DType, TensorType, u8, u32

DTYPES: Final[dict[type, DType]] = {str: u32, bytes: u8}


def column_type(cls: type, extent: Dim) -> TensorType:
    """The type of the array that a str or bytes of a length is."""
    return TensorType(DTYPES[cls], (extent,))


def column_of(value: str | bytes) -> np.ndarray[Any, Any]:
    """The array that a str or bytes is: of bytes, their own memory."""
    if isinstance(value, bytes):
        return np.frombuffer(value, np.uint8)
    return np.frombuffer(value.encode("utf-32-le", "surrogatepass"), np.uint32)


def text_of(column: np.ndarray[Any, Any], cls: type) -> str | bytes:
    """The str or bytes that an array is."""
    return column.tobytes().decode("utf-32-le", "surrogatepass") if cls is str else column.tobytes()
