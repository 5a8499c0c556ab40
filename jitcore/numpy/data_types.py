"""The standard's functions of dtypes: conversions, promotion, limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.library.array import arrangement
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.marking import library
from jitcore.library.core.values import NUMBERS, as_operand, category, dtype_of_value, is_array
from jitcore.library.math import elementwise
from jitcore.numpy.arguments import Array, Device, DTypeLike, Operand, require_device
from jitcore.numpy.dtypes import LETTERS
from jitcore.primitives.core import promotion
from jitcore.structs import dataclass
from jitcore.types import DType


@library("tensor")
def astype(x: Array, dtype: DTypeLike, /, copy: bool = True, *, device: Device = None) -> Any:
    """The array with its elements converted to `dtype`; without `copy`, x itself where it has that dtype.

    >>> import jitcore.numpy as xp
    >>> print(xp.astype(xp.asarray([1.7, -1.7]), xp.int32))
    [ 1 -1]
    """
    require_device(device)
    return elementwise.astype(x, dtype, copy)


@library("tensor")
def broadcast_arrays(*arrays: Array) -> Any:
    """The arrays as views of the shape that they broadcast to, in a list. Raises ValueError if there is none."""
    return list(arrangement.broadcast_arrays(*arrays))


@library("raw")
def can_cast(from_: DTypeLike | Array, to: DTypeLike, /, casting: str = "safe") -> bool:
    """Whether every value of one dtype (or of an array's) is one of another.

    >>> import jitcore.numpy as xp
    >>> xp.can_cast(xp.int8, xp.float32), xp.can_cast(xp.int64, xp.int32)
    (True, False)
    """
    given = dtype_of_value(from_) if is_array(from_) else as_dtype(from_)
    return bool(np.can_cast(given.numpy, as_dtype(to).numpy, cast("Any", casting)))


@library("raw")
def result_type(*arrays_and_dtypes: Operand | DTypeLike) -> DType:
    """The dtype that operations of these arrays, dtypes and Python numbers compute in. Raises ValueError if there are
    neither arrays nor dtypes.

    Where the standard leaves it open, it is what the operators do: ints with floats are of the float's dtype, an int
    array with a Python float is float32.

    >>> import jitcore.numpy as xp
    >>> xp.result_type(xp.uint8, xp.int8, 1)
    i16
    """
    operands: list[tuple[DType, str]] = []
    for given in arrays_and_dtypes:
        kind = category(given)
        if kind in NUMBERS:
            operands.append((dtype_of_value(given), kind))
        else:
            operands.append((as_dtype(given) if kind is None else dtype_of_value(given), "tensor"))
    if all(kind in NUMBERS for _, kind in operands):
        raise ValueError("result_type needs an array or a dtype")
    return promotion.result_dtype("add", operands)


@library("raw")
def isdtype(dtype: DTypeLike, kind: DTypeLike | tuple[DTypeLike, ...]) -> bool:
    """Whether a dtype is of a kind: another dtype, 'bool', 'signed integer', 'unsigned integer', 'integral', 'real
    floating', 'complex floating', 'numeric', or one of several in a tuple. Raises ValueError for another kind.

    >>> import jitcore.numpy as xp
    >>> xp.isdtype(xp.float32, ("real floating", xp.int8))
    True
    """
    own = as_dtype(dtype)
    kinds = kind if isinstance(kind, tuple) else (kind,)
    answers = [_is_of(own, k) for k in kinds]  # each is asked: a wrong one raises
    return any(answers)


def _is_of(dtype: DType, kind: DTypeLike) -> bool:
    if not isinstance(kind, str):
        return dtype is as_dtype(kind)
    if kind not in LETTERS:
        raise ValueError(f"a kind of dtypes is one of {', '.join(map(repr, LETTERS))}, not {kind!r}")
    return dtype.kind in LETTERS[kind]


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """The limits of a floating dtype: the bits of a (real) number, the distance of 1 to the next number, the largest,
    the smallest and the smallest positive normal number, and the dtype of the real numbers."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True, slots=True)
class IntegerInfo:
    """The limits of an integer dtype: its bits, the largest and the smallest number, and the dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


def _dtype_of(type: DTypeLike | Array) -> DType:
    return dtype_of_value(as_operand(type)) if is_array(type) else as_dtype(type)


_REAL_PARTS: Final = {"complex64": "float32", "complex128": "float64"}


@library("raw")
def finfo(type: DTypeLike | Array, /) -> FloatInfo:
    """The limits of a floating dtype, or of an array's; of complex ones those of their parts. Raises ValueError for
    other dtypes.

    >>> import jitcore.numpy as xp
    >>> xp.finfo(xp.float32).eps == 2.0**-23
    True
    """
    own = _dtype_of(type)
    if own.kind not in "fc":
        raise ValueError(f"finfo is of a floating dtype, not of {own.numpy}")
    name = own.numpy.name
    real = as_dtype(_REAL_PARTS.get(name, name))
    found = np.finfo(cast("Any", real.numpy))
    least = float(found.smallest_normal)
    return FloatInfo(int(found.bits), float(found.eps), float(found.max), float(found.min), least, real)


@library("raw")
def iinfo(type: DTypeLike | Array, /) -> IntegerInfo:
    """The limits of an integer dtype, or of an array's. Raises ValueError for other dtypes.

    >>> import jitcore.numpy as xp
    >>> xp.iinfo(xp.int16).max
    32767
    """
    own = _dtype_of(type)
    if not own.is_integer:
        raise ValueError(f"iinfo is of an integer dtype, not of {own.numpy}")
    found = np.iinfo(cast("Any", own.numpy))
    return IntegerInfo(int(found.bits), int(found.max), int(found.min), own)


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that arrays of these shapes broadcast to. Raises ValueError if there is none."""
    return np.broadcast_shapes(*map(tuple, shapes))
