"""What the functions of the namespace take: the types in their signatures, devices and dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from jitcore.library.array.properties import CPU
from jitcore.library.core.dtypes import as_dtype
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

Array: TypeAlias = Tensor
Operand: TypeAlias = Tensor | complex
"""An array or a Python number (bool, int, float, complex), which takes the dtype of the array beside it."""
Axes: TypeAlias = int | Sequence[int] | None
"""Axes: one, several, or all."""
Extents: TypeAlias = int | Sequence[int]
DTypeLike: TypeAlias = DType | np.dtype[np.generic] | type | str | None
Device: TypeAlias = str | None


def require_device(device: Device) -> None:
    """Raise ValueError for another device than the CPU."""
    if device not in (None, CPU):
        raise ValueError(f"arrays are on the device {CPU!r}; there is none called {device!r}")


def optional_dtype(dtype: DTypeLike) -> DType | None:
    """A dtype argument; None if none is given."""
    return None if dtype is None else as_dtype(dtype)
