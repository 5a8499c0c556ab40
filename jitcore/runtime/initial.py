"""What a Tensor is filled with that is made of a shape and an initializer, not of data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jitcore.lookup import attribute_of
from jitcore.types import DType, dtype_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_numpy_dtype(dtype: Any) -> np.dtype[Any]:
    """The NumPy dtype that a dtype argument means; Python's float is float32 and int is int64, as MindSpore has it."""
    if isinstance(dtype, DType):
        return dtype.numpy
    if dtype is float:
        return np.dtype(np.float32)
    return dtype_of(dtype).numpy


def initial_array(shape: Any, dtype: Any, init: Any) -> NDArray[Any]:
    """The elements of `Tensor(shape=…, dtype=…, init=…)`. Raises ValueError for extents that are not known, and if too
    little is given; TypeError if `init` cannot be called."""
    if dtype is None or (shape is None and init is not None):
        raise ValueError("a Tensor is made of data, or of `shape`, `dtype` and `init`")
    given = (shape,) if shape is None or isinstance(shape, int) else tuple(cast("Sequence[Any]", shape))
    unknown = [n is None or attribute_of(n, "__jitcore_unknown_extent__", False) or n == -1 for n in given]
    if init is not None and any(unknown):
        raise ValueError(f"a Tensor of shape {given} cannot be filled: None stands for an extent that is not known yet")
    # without an initializer it only describes Tensors (`Cell.set_inputs`): what is not known is empty
    extents: list[Any] = [0 if is_unknown else n for n, is_unknown in zip(given, unknown, strict=True)]
    made: NDArray[Any] = np.zeros(extents, as_numpy_dtype(dtype))
    if init is not None:
        if not callable(init):
            raise TypeError(f"init must be an initializer, not {type(init).__name__}")
        init(made)
    return made
