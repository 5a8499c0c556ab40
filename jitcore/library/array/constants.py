"""Tensors of constants: zeros, ones, one value, numbers as they are given."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation
from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import dtype_of_value, is_array, static_ints
from jitcore.library.math import elementwise
from jitcore.types import f32


def _shape(size: Any) -> Any:
    return tuple(static_ints(size, "the shape")) if is_array(size) else size


def _fill(shape: Any, value: Any, dtype: Any) -> Any:
    """One value repeated; floats are float32 unless said otherwise."""
    if dtype is None and not is_array(value) and isinstance(value, float):
        dtype = f32
    return creation.full(_shape(shape), value, dtype)


@operator("zeros Zeros")
def zeros(size: Any, dtype: Any = None) -> Any:
    """Zeros; of float32 unless said otherwise."""
    return creation.zeros(_shape(size), f32 if dtype is None else dtype)


@operator("zeros_ext")
def zeros_ext(*size: Any, dtype: Any = None) -> Any:
    """Zeros; the extents one by one, or as a tuple."""
    return creation.zeros(_given_extents(size), f32 if dtype is None else as_dtype(dtype))


@operator("ones Ones")
def ones(shape: Any, dtype: Any = None) -> Any:
    """Ones; of float32 unless said otherwise."""
    return creation.ones(_shape(shape), f32 if dtype is None else dtype)


@operator("ones_ext")
def ones_ext(*size: Any, dtype: Any = None) -> Any:
    """Ones; the extents one by one, or as a tuple."""
    return creation.ones(_given_extents(size), f32 if dtype is None else as_dtype(dtype))


@operator("empty")
def empty(*size: Any, dtype: Any = None) -> Any:
    """Zeros: nothing is left undefined."""
    return zeros(size[0] if len(size) == 1 else size, dtype)


@operator("full")
def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """One value repeated."""
    return _fill(size, fill_value, dtype)


@operator("fill Fill")
def fill(type: Any, shape: Any, value: Any) -> Any:
    """One value repeated, of a dtype."""
    return _fill(shape, value, type)


@operator("FillV2")
def fill_v2(shape: Any, value: Any) -> Any:
    """One value repeated."""
    return _fill(shape, value, None)


@operator("fills Fills")
def fills(x: Any, value: Any) -> Any:
    """One value in the shape and dtype of x."""
    return creation.full_like(x, value)


@operator("zeros_like")
def zeros_like(input: Any, *, dtype: Any = None) -> Any:
    """Zeros of the shape of the input."""
    return creation.zeros_like(input, dtype)


@operator("ZerosLike")
def zeros_like_set_up(x: Any) -> Any:
    """Zeros of the shape of x."""
    return creation.zeros_like(x)


@operator("ones_like")
def ones_like(input: Any, *, dtype: Any = None) -> Any:
    """Ones of the shape of the input."""
    return creation.ones_like(input, dtype)


@operator("OnesLike")
def ones_like_set_up(x: Any) -> Any:
    """Ones of the shape of x."""
    return creation.ones_like(x)


@operator("full_like")
def full_like(input: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """One value in the shape of the input."""
    return creation.full_like(input, fill_value, dtype)


@operator("eye Eye")
def eye(n: Any, m: Any = None, dtype: Any = None) -> Any:
    """Zeros with ones on the diagonal; of float32 unless said otherwise."""
    return creation.eye(n, m, 0, f32 if dtype is None else dtype)


@operator("ScalarToTensor scalar_to_tensor")
def scalar_to_tensor(input_x: Any, dtype: Any = f32) -> Any:
    """A number as a Tensor."""
    return creation.array(input_x, dtype)


@operator("ScalarToArray scalar_to_array TupleToArray tuple_to_array")
def to_array(input_x: Any) -> Any:
    """A number, or numbers of one kind in a tuple or range, as a Tensor: ints int64, floats float32."""
    made = creation.array(tuple(input_x) if isinstance(input_x, range) else input_x)
    return elementwise.astype(made, f32) if not is_array(input_x) and dtype_of_value(made).is_float else made


@operator(".new_zeros")
def new_zeros(x: Any, size: Any, *, dtype: Any = None) -> Any:
    """Zeros, of the Tensor's dtype unless said otherwise."""
    return zeros(size, dtype_of_value(x) if dtype is None else dtype)


@operator(".new_ones")
def new_ones(x: Any, size: Any, *, dtype: Any = None) -> Any:
    """Ones, of the Tensor's dtype unless said otherwise."""
    return creation.ones(size, dtype_of_value(x) if dtype is None else dtype)


@operator(".new_full")
def new_full(x: Any, size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """One value repeated, of the Tensor's dtype unless said otherwise."""
    return creation.full(size, fill_value, dtype_of_value(x) if dtype is None else dtype)


@operator(".new_tensor")
def new_tensor(x: Any, data: Any, *, dtype: Any = None) -> Any:
    """A Tensor of data, of the Tensor's dtype unless said otherwise."""
    return creation.array(data, dtype_of_value(x) if dtype is None else dtype)


def _given_extents(size: tuple[Any, ...]) -> Any:
    return size[0] if len(size) == 1 and isinstance(size[0], list | tuple) else size


@operator("empty_like")
def empty_like(input: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """An array of the same shape, of zeros."""
    del device
    return creation.zeros_like(input, dtype if dtype is None else as_dtype(dtype))


@operator(".new_empty")
def new_empty(x: Any, size: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """A Tensor of no particular elements, of the Tensor's dtype unless said otherwise."""
    del device
    return creation.zeros(size, dtype_of_value(x) if dtype is None else dtype)
