"""What a model is exported for: the dtypes and shapes of its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore.primitives.core import dialects
from jitcore.runtime.tensor import Tensor
from jitcore.types import DTYPES, DType, dtype_of


class InputSpec:
    """An input array of an exported model.

    `shape` has an int for each extent that is always the same, and for the others a name, or None (-1) for one without
    a name: they may be anything from 0 on. Extents of one name are 1 together; that they are equal is checked by what
    the program computes of them. `of` is the class of the arrays: `jitcore.Tensor`, a Tensor class of another
    framework's, or `numpy.ndarray`.

    Raises TypeError and ValueError for what is no shape, dtype or class.

    >>> InputSpec(("batch", 28, 28), "float32")
    InputSpec(('batch', 28, 28), float32)
    """

    def __init__(
        self, shape: Sequence[int | str | None], dtype: object = "float32", name: str | None = None, of: type = Tensor
    ) -> None:
        if isinstance(shape, str) or not isinstance(shape, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a shape is a tuple of extents, not {shape!r}")
        self.shape: tuple[int | str | None, ...] = tuple(map(_extent, shape))
        self.dtype: DType = _dtype(dtype)
        self.name = name
        self.of = of
        dialect: dialects.Dialect | None = getattr(of, "_dialect", None)
        if of is np.ndarray:
            self.category = "ndarray"
        elif isinstance(of, type) and issubclass(of, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            self.category = dialects.OWN if dialect is None else dialect.category
        else:
            raise TypeError(f"the inputs of a model are Tensors or ndarrays, not of {of!r}")

    def __jitcore_spec__(self) -> tuple[tuple[int | str | None, ...], np.dtype[Any], str]:
        """Its shape, dtype, and the category of its arrays."""
        return self.shape, self.dtype.numpy, self.category

    def __repr__(self) -> str:
        named = "" if self.name is None else f", name={self.name!r}"
        return f"InputSpec({self.shape}, {self.dtype.numpy.name}{named})"


def _extent(extent: object) -> int | str | None:
    if extent is None or (isinstance(extent, str) and extent.isidentifier()):
        return extent
    if isinstance(extent, bool) or not isinstance(extent, int | np.integer):
        raise TypeError(f"an extent is an int, a name, or None, not {extent!r}")
    if extent < -1:
        raise ValueError(f"an extent is not negative, but {extent}")
    return None if extent == -1 else int(extent)


def _dtype(dtype: object) -> DType:
    if isinstance(dtype, DType):
        return dtype
    named = str(dtype).rpartition(".")[2]  # `torch.float32` says so of itself
    found = next((d for d in DTYPES.values() if d.numpy.name == named or str(d) == named), None)
    return dtype_of(np.dtype(cast("Any", dtype))) if found is None else found
