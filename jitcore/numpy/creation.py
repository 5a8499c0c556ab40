"""The standard's functions that make arrays. What NumPy's functions take by position they take by position too."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library import signatures
from jitcore.library.array import creation, layouts, places, shapes
from jitcore.library.core.marking import library
from jitcore.library.core.values import as_array, as_operand, dtype_of_value, evaluator, is_array, is_number
from jitcore.library.math import elementwise
from jitcore.numpy.arguments import Array, Device, DTypeLike, Extents, Operand, optional_dtype, require_device
from jitcore.primitives.core import evaluation
from jitcore.primitives.ops import copying
from jitcore.types import DType


@library("tensor")
def asarray(obj: object, /, dtype: DTypeLike = None, *, device: Device = None, copy: bool | None = None) -> Any:
    """An array of a number, (nested) sequences of numbers, an ndarray, or another library's array.

    Python floats are float64, ints int64. An array is copied if `copy` is true, or if it is None and the dtype another
    one; else the memory is shared. Raises ValueError if `copy` is false and a copy is needed, or for another device
    than the CPU.

    >>> import jitcore.numpy as xp
    >>> xp.asarray([1, 2.5]).dtype
    f64
    """
    require_device(device)
    return _as_array(obj, optional_dtype(dtype), evaluator().static(copy, "copy"))


def _as_array(obj: object, wanted: DType | None, copy: bool | None) -> Any:
    sequence = isinstance(obj, list | tuple)
    held = None if sequence else as_operand(obj)
    if sequence or is_number(held):
        if copy is False:
            raise ValueError("an array of Python numbers is always a copy: pass copy=None, or True")
        return evaluator().constant(obj, wanted) if sequence else as_array(obj, wanted)
    if wanted is not None and dtype_of_value(held) is not wanted:
        if copy is False:
            raise ValueError(f"an array of {dtype_of_value(held).numpy} is copied to become one of {wanted.numpy}")
        return elementwise.astype(held, wanted)
    return copying.copy(held) if copy else held


@library("tensor")
def from_dlpack(x: object, /, *, device: Device = None, copy: bool | None = None) -> Any:
    """An array in the memory of another library's array, which it gives by DLPack (`x.__dlpack__`).

    `copy`: True copies, False never does. Memory that must not be written to stays so. Raises BufferError if x cannot
    be exported, ValueError for another device than the CPU, AttributeError for what has no `__dlpack__`, RuntimeError
    or TypeError for dtypes that there are none of here (bfloat16).

    >>> import numpy as np
    >>> import jitcore.numpy as xp
    >>> a = np.zeros(2)
    >>> x = xp.from_dlpack(a)
    >>> a[0] = 5.0
    >>> print(x)
    [5. 0.]
    """
    require_device(device)
    if evaluation.is_tracing():
        if not is_array(x):
            raise TypeError(f"from_dlpack of a {type(x).__name__} in compiled code: call it outside")
        return _as_array(x, None, evaluator().static(copy, "copy"))
    options: dict[str, Any] = {} if copy is None else {"copy": copy}
    array: Any = np.from_dlpack(x, **options)  # pyright: ignore[reportArgumentType]
    return as_array(array)


@library("tensor")
def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    dtype: DTypeLike = None,
    *,
    device: Device = None,
) -> Any:
    """start, start + step, … below stop; with one argument from 0. Of ints int64, else float64, unless a dtype is
    given.

    >>> import jitcore.numpy as xp
    >>> print(xp.arange(1, 7, 2))
    [1 3 5]
    """
    require_device(device)
    return creation.arange(start, stop, step, dtype)


@library("tensor")
def linspace(
    start: Operand,
    stop: Operand,
    /,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike = None,
    axis: int = 0,
    *,
    device: Device = None,
) -> Any:
    """`num` numbers from start to stop, evenly spaced, as float64 (complex128 of complex ones) unless a dtype is given;
    without `endpoint` stop is left out. Raises ValueError for a negative number.

    >>> import jitcore.numpy as xp
    >>> print(xp.linspace(0, 1, 3))
    [0.  0.5 1. ]
    """
    require_device(device)
    return places.spaced(start, stop, num, endpoint, retstep, dtype, axis)


@library("tensor")
def zeros(shape: Extents, dtype: DTypeLike = None, order: str = "C", *, device: Device = None) -> Any:
    """Zeros, of float64 unless a dtype is given."""
    require_device(device)
    return layouts.filled(creation.zeros)(shape, dtype, order)


@library("tensor")
def ones(shape: Extents, dtype: DTypeLike = None, order: str = "C", *, device: Device = None) -> Any:
    """Ones, of float64 unless a dtype is given."""
    require_device(device)
    return layouts.filled(creation.ones)(shape, dtype, order)


@library("tensor")
def empty(shape: Extents, dtype: DTypeLike = None, order: str = "C", *, device: Device = None) -> Any:
    """Elements of no particular value (they are zeros), of float64 unless a dtype is given."""
    require_device(device)
    return layouts.filled(creation.zeros)(shape, dtype, order)


@library("tensor")
def full(
    shape: Extents, fill_value: Operand, dtype: DTypeLike = None, order: str = "C", *, device: Device = None
) -> Any:
    """One value repeated, of the value's dtype unless another is given: float64 of a Python float, int64 of an int.

    >>> import jitcore.numpy as xp
    >>> print(xp.full((2, 2), 7))
    [[7 7]
     [7 7]]
    """
    require_device(device)
    return layouts.full(shape, fill_value, dtype, order)


@library("tensor")
def zeros_like(x: Array, /, dtype: DTypeLike = None, *, device: Device = None, shape: Extents | None = None) -> Any:
    """Zeros of the shape and dtype of x, unless others are given."""
    require_device(device)
    return layouts.alike(creation.zeros_like, creation.zeros)(x, dtype=dtype, shape=shape)


@library("tensor")
def ones_like(x: Array, /, dtype: DTypeLike = None, *, device: Device = None, shape: Extents | None = None) -> Any:
    """Ones of the shape and dtype of x, unless others are given."""
    require_device(device)
    return layouts.alike(creation.ones_like, creation.ones)(x, dtype=dtype, shape=shape)


@library("tensor")
def empty_like(x: Array, /, dtype: DTypeLike = None, *, device: Device = None, shape: Extents | None = None) -> Any:
    """Elements of no particular value (they are zeros), of the shape and dtype of x, unless others are given."""
    require_device(device)
    return layouts.alike(creation.zeros_like, creation.zeros)(x, dtype=dtype, shape=shape)


@library("tensor")
def full_like(
    x: Array,
    /,
    fill_value: Operand,
    dtype: DTypeLike = None,
    *,
    device: Device = None,
    shape: Extents | None = None,
) -> Any:
    """One value repeated in the shape and dtype of x, unless others are given."""
    require_device(device)
    return layouts.alike(creation.full_like, creation.full)(x, fill_value, dtype=dtype, shape=shape)


@library("tensor")
def eye(
    n_rows: int, n_cols: int | None = None, /, k: int = 0, dtype: DTypeLike = None, *, device: Device = None
) -> Any:
    """Zeros with ones on the k-th diagonal, of float64 unless a dtype is given.

    >>> import jitcore.numpy as xp
    >>> print(xp.eye(2, 3, k=1, dtype=xp.int8))
    [[0 1 0]
     [0 0 1]]
    """
    require_device(device)
    return creation.eye(n_rows, n_cols, k, dtype)


@library("tensor")
def tril(x: Array, /, k: int = 0) -> Any:
    """The matrices (the last two axes) with zeros above their k-th diagonals. Raises ValueError for fewer axes."""
    return shapes.tril(x, k)


@library("tensor")
def triu(x: Array, /, k: int = 0) -> Any:
    """The matrices (the last two axes) with zeros below their k-th diagonals. Raises ValueError for fewer axes."""
    return shapes.triu(x, k)


@library("tensor")
def meshgrid(*arrays: Array, indexing: str = "xy", sparse: bool = False, copy: bool = True) -> Any:
    """The coordinates of a grid, an array for each of the vectors given, in a list; with 'xy' the first two axes are
    exchanged. Raises ValueError for another `indexing` than 'xy' and 'ij'.

    >>> import jitcore.numpy as xp
    >>> print(xp.meshgrid(xp.asarray([1, 2]), xp.asarray([3, 4]))[0])
    [[1 2]
     [1 2]]
    """
    return list(signatures.meshgrid(*arrays, indexing=indexing, sparse=sparse, copy=copy))


@library("tensor")
def array(
    object: object,
    dtype: DTypeLike = None,
    *,
    copy: bool | None = True,
    order: str = "K",
    ndmin: int = 0,
) -> Any:
    """NumPy's `array`: as `asarray`, but a copy unless `copy` is None or False, with `ndmin` axes at least."""
    return layouts.array(object, optional_dtype(dtype), copy=copy, order=order, ndmin=ndmin)
