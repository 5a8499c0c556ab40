"""Tensors made of numbers, and of nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore import ops
from jitcore.compat.torch.arguments import Data, Device, DTypeLike, Extents, Operand
from jitcore.compat.torch.declaring import (
    FUNCTIONS,
    METHODS,
    as_torch,
    creating,
    function,
    method,
    require_device,
)
from jitcore.compat.torch.functions.axes import extents
from jitcore.library.array import creation, ranges
from jitcore.library.core import marking, values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType, bool_, c64, c128, f16, f32, f64, i8, i16, i32, i64, u8


def _or_default(dtype: DTypeLike) -> DType:
    return default_float() if dtype is None else as_dtype(dtype)


@creating
def zeros(*extent: Extents, size: Extents | None = None, dtype: DTypeLike = None) -> Any:
    return creation.zeros(extents(extent, size), _or_default(dtype))


@creating
def ones(*extent: Extents, size: Extents | None = None, dtype: DTypeLike = None) -> Any:
    return creation.ones(extents(extent, size), _or_default(dtype))


@creating
def empty(*extent: Extents, size: Extents | None = None, dtype: DTypeLike = None) -> Any:
    return creation.zeros(extents(extent, size), _or_default(dtype))


@creating
def full(size: Extents, fill_value: Operand, *, dtype: DTypeLike = None) -> Any:
    return creation.full(size, fill_value, of_fill(fill_value) if dtype is None else as_dtype(dtype))


def of_fill(value: object) -> DType | None:
    return _of_kind(str(values.category(value)))


def _of_kind(kind: str) -> DType | None:
    """The dtype of Python's numbers of a kind."""
    if kind == "float":
        return default_float()
    if kind == "complex":
        return c128 if default_float() is f64 else c64
    return {"bool": bool_, "int": i64}.get(kind)


@creating
def zeros_like(input: Tensor, *, dtype: DTypeLike = None) -> Any:
    return creation.zeros_like(input, dtype)


@creating
def ones_like(input: Tensor, *, dtype: DTypeLike = None) -> Any:
    return creation.ones_like(input, dtype)


@creating
def empty_like(input: Tensor, *, dtype: DTypeLike = None) -> Any:
    return creation.zeros_like(input, dtype)


@creating
def full_like(input: Tensor, fill_value: Operand, *, dtype: DTypeLike = None) -> Any:
    return creation.full_like(input, fill_value, dtype)


@creating
def arange(start: float, end: float | None = None, step: float = 1, *, dtype: DTypeLike = None) -> Any:
    first, last = (0, start) if end is None else (start, end)
    floating = any(values.category(v) == "float" for v in (first, last, step))
    wanted = as_dtype(dtype) if dtype is not None else default_float() if floating else i64
    return elementwise.astype(creation.arange(first, last, step), wanted)


@creating
def linspace(start: float, end: float, steps: int, *, dtype: DTypeLike = None) -> Any:
    return ranges.linspace_ext(start, end, steps, dtype=_or_default(dtype))


@creating
def logspace(start: float, end: float, steps: int, base: float = 10.0, *, dtype: DTypeLike = None) -> Any:
    return ranges.logspace(start, end, steps, base, dtype=_or_default(dtype))


@creating
def eye(n: int, m: int | None = None, *, dtype: DTypeLike = None) -> Any:
    return creation.eye(n, m, 0, _or_default(dtype))


@creating
def scalar_tensor(s: complex, *, dtype: DTypeLike = None) -> Any:
    return creation.full((), s, _or_default(dtype))


@creating
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: DTypeLike = None) -> Any:
    return ops.tril_indices(row, col, offset, dtype=i64 if dtype is None else as_dtype(dtype))


@creating
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: DTypeLike = None) -> Any:
    return ops.triu_indices(row, col, offset, dtype=i64 if dtype is None else as_dtype(dtype))


@creating
def asarray(obj: Data, *, dtype: DTypeLike = None, copy: bool | None = None) -> Any:
    if values.category(obj) == "tensor" and not copy:
        return obj if dtype is None else elementwise.astype(obj, as_dtype(dtype))
    return of_data(obj, dtype)


@creating
def range_(start: float, end: float, step: float = 1, *, dtype: DTypeLike = None) -> Any:
    count = int((end - start) / step) + 1
    return elementwise.astype(creation.arange(start, start + count * step, step), _or_default(dtype))


@creating
def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: DTypeLike = None) -> Any:
    return ops.kaiser_window(window_length, periodic, beta, dtype=_or_default(dtype))


# --- windows -------------------------------------------------------------------------------------------


@creating
def hann_window(window_length: int, periodic: bool = True, *, dtype: DTypeLike = None) -> Any:
    return ops.hann_window(window_length, periodic, dtype=_or_default(dtype))


@creating
def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: DTypeLike = None
) -> Any:
    return ops.hamming_window(window_length, periodic, alpha, beta, dtype=_or_default(dtype))


@creating
def blackman_window(window_length: int, periodic: bool = True, *, dtype: DTypeLike = None) -> Any:
    return ops.blackman_window(window_length, periodic, dtype=_or_default(dtype))


@creating
def bartlett_window(window_length: int, periodic: bool = True, *, dtype: DTypeLike = None) -> Any:
    return ops.bartlett_window(window_length, periodic, dtype=_or_default(dtype))


# --- of data ----------------------------------------------------------------------------------------


@creating
def tensor(data: Data, *, dtype: DTypeLike = None) -> Any:
    return of_data(data, dtype)


def of_data(data: Data, dtype: DTypeLike) -> Any:
    """A new array of data, Python's floats being of the default dtype."""
    wanted = None if dtype is None else as_dtype(dtype)
    if values.is_array(data):
        return creation.array(data, wanted)
    if evaluation.is_tracing():
        return creation.array(data, _of_leaves(data) if wanted is None else wanted)
    made = np.array(_plain(data), None if wanted is None else wanted.numpy)
    if wanted is None and not isinstance(data, np.ndarray | np.generic):
        found = _of_numbers(made, data)
        made = made if found is None else made.astype(found.numpy)
    return made


def _of_leaves(data: Data) -> DType | None:
    """The dtype of an array of nested numbers, some of which may be those of the run; None if there are arrays."""
    kinds = {values.category(leaf) for leaf in _leaves(data)}
    if not kinds:
        return default_float()
    if not kinds <= set(values.NUMBERS):
        return None
    return _of_kind(max(map(str, kinds), key=values.NUMBERS.index))


def _leaves(data: Data) -> list[object]:
    if not isinstance(data, list | tuple):
        return [data]
    return [leaf for item in cast("Sequence[Data]", data) for leaf in _leaves(item)]


def _plain(data: Data) -> Any:
    if isinstance(data, Tensor):
        return data.asnumpy()
    return list(map(_plain, cast("Sequence[Any]", data))) if isinstance(data, list | tuple) else data


def _of_numbers(made: np.ndarray[Any, Any], data: Data) -> DType | None:
    """The dtype of an array of Python's numbers."""
    item: Any = data
    while isinstance(item, list | tuple) and item:
        item = cast("Sequence[Any]", item)[0]
    if isinstance(item, np.ndarray | np.generic | Tensor):
        return None
    if made.dtype.kind == "f":
        return default_float()
    if made.dtype.kind == "c":
        return c128 if default_float() is f64 else c64
    return default_float() if not made.size else None


def _of_type(name: str, dtype: DType) -> None:
    """Declare a function such as `torch.FloatTensor`: of extents, nothing, or data."""

    def make(*data: Data) -> Any:
        if len(data) == 1 and not isinstance(data[0], int):
            return of_data(data[0], dtype)
        return creation.zeros(extents(cast("Sequence[int]", data or (0,))), dtype)

    make.__name__ = make.__qualname__ = name
    creating(make)


for _name, _dtype in {
    "FloatTensor": f32, "DoubleTensor": f64, "HalfTensor": f16, "LongTensor": i64, "IntTensor": i32,
    "ShortTensor": i16, "CharTensor": i8, "ByteTensor": u8, "BoolTensor": bool_,
}.items():  # fmt: skip
    _of_type(_name, _dtype)


@function
def as_tensor(data: Data, dtype: DTypeLike = None, device: Device = None) -> Any:
    require_device(device)
    if values.category(data) == "tensor":
        return data if dtype is None else elementwise.astype(data, as_dtype(dtype))
    return as_torch(marking.finish(of_data(data, dtype), "tensor"))


@marking.library("raw")
def from_numpy(ndarray: np.ndarray[Any, Any]) -> Any:
    """A Tensor of an ndarray's memory."""
    return as_torch(Tensor.from_numpy(ndarray))


FUNCTIONS["from_numpy"] = from_numpy


@method
def clone(input: Tensor, *, memory_format: object = None) -> Any:
    del memory_format
    return creation.array(input)


@marking.library("raw")
def detach(input: Tensor) -> Any:
    """The same memory, with no gradient. (Raw, since a call that is served in another way would be recorded.)"""
    return values.evaluator().detached(input)


FUNCTIONS["detach"] = METHODS["detach"] = detach
