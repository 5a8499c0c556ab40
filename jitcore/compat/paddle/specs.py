"""`paddle.static.InputSpec`: what is known of an argument before there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore import exports
from jitcore.compat.paddle import dtypes
from jitcore.compat.paddle.arguments import DTypeLike
from jitcore.compat.paddle.tensor import Tensor
from jitcore.library.core.dtypes import as_dtype
from jitcore.runtime.tensor import Tensor as AnyTensor


class InputSpec:
    """The shape and dtype of a Tensor: extents that are None or -1 may be anything. Raises TypeError and ValueError for
    what is no shape.

    >>> InputSpec([None, 784], "float32", "image")
    InputSpec(shape=(-1, 784), dtype=paddle.float32, name=image, stop_gradient=False)
    """

    def __init__(
        self,
        shape: Sequence[int | None],
        dtype: DTypeLike = "float32",
        name: str | None = None,
        stop_gradient: bool = False,
    ) -> None:
        if not isinstance(shape, list | tuple):
            raise TypeError(f"Type of `shape` in InputSpec should be one of (tuple, list), but received {type(shape)}.")
        self.shape: tuple[int, ...] = tuple(-1 if n is None else _extent(n) for n in shape)
        self.dtype = dtypes.OF[as_dtype(dtype)]
        self.name = name
        self.stop_gradient = stop_gradient

    @classmethod
    def from_tensor(cls, tensor: AnyTensor, name: str | None = None) -> InputSpec:
        """The spec of a Tensor. Raises ValueError for what is none."""
        if not isinstance(tensor, AnyTensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Input `tensor` should be a Tensor, but received {type(tensor).__name__}.")
        return cls(list(tensor.shape), tensor.dtype, name)

    @classmethod
    def from_numpy(cls, ndarray: np.ndarray[Any, Any], name: str | None = None) -> InputSpec:
        """The spec of an ndarray."""
        return cls(list(ndarray.shape), ndarray.dtype, name)

    def batch(self, batch_size: int) -> InputSpec:
        """It with another axis in front; the spec itself."""
        self.shape = (_extent(batch_size), *self.shape)
        return self

    def unbatch(self) -> InputSpec:
        """It without its first axis; the spec itself. Raises ValueError if there is none."""
        if not self.shape:
            raise ValueError("Not support to unbatch a InputSpec when len(shape) == 0.")
        self.shape = self.shape[1:]
        return self

    def of_export(self) -> exports.InputSpec:
        """It as `jitcore.export` takes it."""
        return exports.InputSpec([None if n == -1 else n for n in self.shape], self.dtype.own, self.name, Tensor)

    def __repr__(self) -> str:
        told = f"dtype={self.dtype}, name={self.name}, stop_gradient={self.stop_gradient}"
        return f"InputSpec(shape={self.shape}, {told})"

    def _key(self) -> tuple[object, ...]:
        return self.shape, self.dtype, self.name, self.stop_gradient

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InputSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def _extent(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int | np.integer):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"Only support integer for elements in `shape`, but received {n!r}")
    if n < -1:
        raise ValueError(f"Elements of `shape` are None, -1 or the size of an axis, not {n}")
    return int(n)
