"""Tensors made of numbers, and of nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore import ops
from jitcore.compat.paddle.arguments import Data, DTypeLike, Extents, Operand
from jitcore.compat.paddle.declaring import (
    FUNCTIONS,
    METHODS,
    as_paddle,
    creating,
    dtype_or,
    function,
    made_of_nothing,
    method,
    only_method,
)
from jitcore.compat.paddle.functions.axes import extents, known_number
from jitcore.compat.paddle.places import place_of
from jitcore.compat.torch.functions import creation as torch
from jitcore.config import settings
from jitcore.library.array import creation
from jitcore.library.core import marking, values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor
from jitcore.types import f64, i64

# --- of data ------------------------------------------------------------------------------------------


@marking.library("raw")
def to_tensor(data: Data, dtype: DTypeLike = None, place: object = None, stop_gradient: bool = True) -> Any:
    """A new Tensor of data, Python's floats being of the default dtype; a gradient goes to it unless
    `stop_gradient`. Raises TypeError for what is no data, ValueError for sequences of unlike lengths."""
    place_of(place)
    made = _of_data(data, dtype)
    if not stop_gradient:
        if evaluation.is_tracing():
            raise TypeError("compiled code makes no leaves: stop_gradient=False belongs outside of it")
        made.stop_gradient = False
    return made


FUNCTIONS["to_tensor"] = to_tensor


@marking.library("raw")
def as_tensor(
    data: Data,
    dtype: DTypeLike = None,
    device: object = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Any:
    """`to_tensor`, in PyTorch's words."""
    del pin_memory
    return to_tensor(data, dtype, device, not requires_grad)


@marking.library("raw")
def asarray(
    obj: Data,
    *,
    dtype: DTypeLike = None,
    device: object = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Any:
    """Data as a Tensor: itself, if it is one of that dtype and need not be copied."""
    if values.category(obj) == "tensor" and not copy and dtype is None:
        return obj
    return to_tensor(obj, dtype, device, not requires_grad)


@marking.library("raw")
def from_numpy(ndarray: np.ndarray[Any, Any]) -> Any:
    """A Tensor of an ndarray's memory."""
    return as_paddle(Tensor.from_numpy(ndarray))


FUNCTIONS.update(as_tensor=as_tensor, asarray=asarray, from_numpy=from_numpy)


@made_of_nothing
def _of_data(data: Data, dtype: DTypeLike) -> Any:
    known = isinstance(data, bool | int | float | complex | list | tuple | np.ndarray | np.generic)
    if not known and values.category(data) is None and not hasattr(data, "__array__"):
        raise TypeError(
            f"Can't constructs a 'paddle.Tensor' with data type {type(data)}, data type must be "
            "scalar|list|tuple|np.ndarray|paddle.Tensor"
        )
    wanted = None if dtype is None else as_dtype(dtype)
    if values.category(data) == "tensor":  # no gradient goes to what a Tensor is copied of
        held = values.evaluator().detached(data)
        return creation.array(held) if wanted is None else elementwise.astype(held, wanted)
    made = torch.of_data(data, wanted)
    if dtype is None and isinstance(data, list | tuple) and values.dtype_of_value(made).is_float:
        return values.as_array(made, default_float())  # of NumPy's numbers, too
    return made


@method
def clone(x: Tensor) -> Any:
    return creation.array(x)


@function
def assign(x: Data, output: Tensor | None = None) -> Any:
    made = creation.array(x) if values.category(x) == "tensor" else as_paddle(marking.finish(of_data(x), "tensor"))
    if output is None:
        return made
    values.evaluator().write(output, values.as_array(made, values.dtype_of_value(output)))
    return output


def of_data(data: Data) -> Any:
    return torch.of_data(data, None)


@marking.library("raw")
def detach(x: Tensor) -> Any:
    """The same memory, with no gradient."""
    return values.evaluator().detached(x)


METHODS["detach"] = detach


@only_method
def new_zeros(x: Tensor, size: Extents, *, dtype: DTypeLike = None) -> Any:
    return creation.zeros(extents(size), dtype_or(dtype, values.dtype_of_value(x)))


@only_method
def new_ones(x: Tensor, size: Extents, *, dtype: DTypeLike = None) -> Any:
    return creation.ones(extents(size), dtype_or(dtype, values.dtype_of_value(x)))


@only_method
def new_full(x: Tensor, size: Extents, fill_value: Operand, *, dtype: DTypeLike = None) -> Any:
    return creation.full(extents(size), fill_value, dtype_or(dtype, values.dtype_of_value(x)))


METHODS["new_empty"] = METHODS["new_zeros"]

# --- of nothing ---------------------------------------------------------------------------------------


@creating
def zeros(shape: Extents, dtype: DTypeLike = None) -> Any:
    return creation.zeros(extents(shape), dtype_or(dtype, default_float()))


@creating
def ones(shape: Extents, dtype: DTypeLike = None) -> Any:
    return creation.ones(extents(shape), dtype_or(dtype, default_float()))


@creating
def empty(shape: Extents, dtype: DTypeLike = None) -> Any:
    return creation.zeros(extents(shape), dtype_or(dtype, default_float()))


@creating
def full(shape: Extents, fill_value: Operand, dtype: DTypeLike = None) -> Any:
    of_value = default_float() if values.category(fill_value) == "int" else torch.of_fill(fill_value)
    return creation.full(extents(shape), fill_value, dtype_or(dtype, of_value or default_float()))


@function
def zeros_like(x: Tensor, dtype: DTypeLike = None) -> Any:
    return creation.zeros_like(x, dtype)


@function
def ones_like(x: Tensor, dtype: DTypeLike = None) -> Any:
    return creation.ones_like(x, dtype)


@function
def empty_like(x: Tensor, dtype: DTypeLike = None) -> Any:
    return creation.zeros_like(x, dtype)


@function
def full_like(x: Tensor, fill_value: Operand, dtype: DTypeLike = None) -> Any:
    return creation.full_like(x, fill_value, dtype)


@creating
def arange(
    start: Operand = 0,
    end: Operand | None = None,
    step: Operand = 1,
    dtype: DTypeLike = None,
) -> Any:
    first, last = (0, start) if end is None else (start, end)
    bounds = [known_number(b) for b in (first, last, step)]
    floating = any(values.category(b) == "float" for b in bounds)
    return elementwise.astype(creation.arange(*bounds), dtype_or(dtype, default_float() if floating else i64))


@creating
def range_(start: Operand = 0, end: Operand | None = None, step: Operand = 1, dtype: DTypeLike = None) -> Any:
    first, last, stride = (known_number(b) for b in ((0, start, step) if end is None else (start, end, step)))
    wanted = dtype_or(dtype, default_float())
    return elementwise.astype(creation.arange(first, last + stride, stride), wanted)


@creating
def linspace(start: Operand, stop: Operand, num: int | Tensor, dtype: DTypeLike = None) -> Any:
    bounds = [known_number(b) for b in (start, stop, num)]
    wanted = dtype_or(dtype, default_float())
    if wanted.is_float:
        return ops.linspace_ext(*bounds, dtype=wanted)
    return elementwise.astype(ops.linspace_ext(*bounds, dtype=f64), wanted)


@creating
def logspace(
    start: Operand,
    stop: Operand,
    num: int | Tensor,
    base: Operand = 10.0,
    dtype: DTypeLike = None,
) -> Any:
    bounds = [known_number(b) for b in (start, stop, num, base)]
    return ops.logspace(*bounds, dtype=dtype_or(dtype, default_float()))


@creating
def eye(num_rows: int, num_columns: int | None = None, dtype: DTypeLike = None) -> Any:
    return creation.eye(num_rows, num_columns, 0, dtype_or(dtype, default_float()))


@creating
def tril_indices(row: int, col: int | None = None, offset: int = 0, dtype: DTypeLike = "int64") -> Any:
    return ops.tril_indices(row, row if col is None else col, offset, dtype=as_dtype(dtype))


@creating
def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: DTypeLike = "int64") -> Any:
    return ops.triu_indices(row, row if col is None else col, offset, dtype=as_dtype(dtype))


# --- windows ------------------------------------------------------------------------------------------


@creating
def hann_window(window_length: int, periodic: bool = True, *, dtype: DTypeLike = None) -> Any:
    return ops.hann_window(window_length, periodic, dtype=dtype_or(dtype, default_float()))


@creating
def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: DTypeLike = None
) -> Any:
    return ops.hamming_window(window_length, periodic, alpha, beta, dtype=dtype_or(dtype, default_float()))


@creating
def blackman_window(window_length: int, periodic: bool = True, *, dtype: DTypeLike = None) -> Any:
    return ops.blackman_window(window_length, periodic, dtype=dtype_or(dtype, default_float()))


@creating
def bartlett_window(window_length: int, periodic: bool = True, *, dtype: DTypeLike = None) -> Any:
    return ops.bartlett_window(window_length, periodic, dtype=dtype_or(dtype, default_float()))


@creating
def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: DTypeLike = None) -> Any:
    return ops.kaiser_window(window_length, periodic, beta, dtype=dtype_or(dtype, default_float()))


# --- the default dtype --------------------------------------------------------------------------------


def get_default_dtype() -> str:
    """The name of the dtype of Python's floats.

    >>> get_default_dtype()
    'float32'
    """
    return default_float().numpy.name


def set_default_dtype(d: DTypeLike) -> None:
    """Have Python's floats be of a dtype from now on. Raises TypeError for dtypes of no floats."""
    wanted = as_dtype(d)
    if not wanted.is_float:
        raise TypeError(
            f"set_default_dtype only supports [float16, float32, float64, bfloat16] , but received {wanted.numpy.name}"
        )
    settings.default_float = wanted.numpy.name
