"""How arrays lie in memory: views of larger or transposed ones, and copies that lie in the same way."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

PLAIN: Final = "plain"
LAYOUTS: Final = ("transposed", "sliced")
"""What inputs are at times."""


def laid_out(array: np.ndarray[Any, Any], layout: str) -> Any:
    """The same elements as an array that lies plainly, transposed, or between others in memory."""
    if layout == "transposed":
        return array.T.copy().T
    if layout == "sliced" and array.ndim:
        larger = np.repeat(array, 2, axis=-1)
        return larger[..., ::2]
    return array


def copied(array: np.ndarray[Any, Any]) -> Any:
    """A copy with the same strides; of arrays whose elements overlap a plain one."""
    if not array.size or any(stride <= 0 for stride, n in zip(array.strides, array.shape, strict=True) if n > 1):
        return array.copy()
    extent = sum((n - 1) * stride for stride, n in zip(array.strides, array.shape, strict=True) if n > 1)
    memory = np.zeros(extent + array.itemsize, np.uint8)
    strides = tuple(stride if n > 1 else array.itemsize for stride, n in zip(array.strides, array.shape, strict=True))
    made: Any = np.ndarray(array.shape, array.dtype, memory, strides=strides)
    made[...] = array
    return made


def layout_of(array: np.ndarray[Any, Any]) -> str:
    """Which of the layouts an array has, as near as can be told."""
    if array.flags.c_contiguous or not array.ndim:
        return PLAIN
    return "transposed" if array.flags.f_contiguous else "sliced"
