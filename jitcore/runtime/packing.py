"""Inputs of a call as the words that programs take, and which of them share memory."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Final, NoReturn, cast

import numpy as np

from jitcore.passes.infer.domain.signature import Input
from jitcore.primitives.core.code_points import column_of
from jitcore.primitives.ops.generators import is_generator
from jitcore.program.boxes import Contents
from jitcore.runtime.arguments import check_int
from jitcore.runtime.foreign import as_ndarray, needs_stand_in
from jitcore.runtime.list_arguments import as_column
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.trees import leaves
from jitcore.structs import dataclass
from jitcore.types import RefType, ScalarType, StackType, TensorType

_MASK: Final = (1 << 64) - 1
CONVERTED: Final = ("list", "str", "bytes", "handle")
"""The categories of inputs that are passed as what is made of them at each call: arrays, or an address."""


class Unresolved(Exception):
    """What a path leads to is not there (any more)."""


@dataclass(slots=True, eq=False)
class Packed:
    """An input of a call: the Python object, the ndarray it is passed as (kept alive), its words and the bounds of its
    memory."""

    value: Any
    array: Any
    words: tuple[int, ...]
    bounds: tuple[int, int]


def refuse(items: Any) -> NoReturn:
    """Say why a list cannot be passed as arrays. Raises PastWordError for ints past 64 bits, and Unresolved if it is
    not of the kind that it was compiled for."""
    for item in leaves(items):
        if type(item) is int:
            check_int(item)
    raise Unresolved


# --- words ------------------------------------------------------------------------------------------


def pack(spec: Input, value: Any) -> Packed:
    """An input's words."""
    if spec.category == "box":
        if not Contents(spec.contents).fit(value):
            raise Unresolved
        return Packed(value, None, (id(value),), (0, 0))
    if spec.category == "handle":
        if not is_generator(value):
            raise Unresolved
        return Packed(value, None, (id(value),), (0, 0))
    if isinstance(spec.type, ScalarType | StackType):
        return Packed(value, None, _number_words(value), (0, 0))
    array: Any = value._array if isinstance(value, Tensor) else value
    if spec.category == "list":
        assert isinstance(spec.type, TensorType)
        array = as_column(value, spec.type.dtype)
        if array is None:
            refuse(value)
    elif spec.category in CONVERTED:
        if type(value).__name__ != spec.category:
            raise Unresolved
        array = column_of(cast("str | bytes", value))
    elif needs_stand_in(array):
        array = as_ndarray(array)
    elif not isinstance(array, np.ndarray):
        array = np.asarray(array)
    if spec.written and not array.flags.writeable:
        raise ValueError("assignment destination is read-only")
    if not array.flags.aligned:
        if isinstance(spec.type, RefType):
            raise ValueError("an array whose elements are not aligned in memory cannot be written to")
        array = array.copy()
    address: int = array.__array_interface__["data"][0]
    words = (address, id(array) | 1, *array.shape, *(s & _MASK for s in array.strides))
    return Packed(value, array, words, _bounds_from(array, address))


def _number_words(value: Any) -> tuple[int, ...]:
    if isinstance(value, float):
        return (_bits(value),)
    if isinstance(value, complex):
        return _bits(value.real), _bits(value.imag)
    return (check_int(int(value)) & _MASK,)


def _bits(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


# --- overlap ----------------------------------------------------------------------------------------


def bounds_of(value: Any) -> tuple[int, int]:
    """Where the memory of an array begins and ends; (0, 0) if it has none."""
    array = value._array if isinstance(value, Tensor) else as_ndarray(value) if needs_stand_in(value) else value
    if not isinstance(array, np.ndarray) or not array.size:
        return 0, 0
    return _bounds_from(array, array.__array_interface__["data"][0])


def _bounds_from(array: np.ndarray[Any, Any], start: int) -> tuple[int, int]:
    if not array.size:
        return 0, 0
    if array.flags.c_contiguous:
        return start, start + array.nbytes
    low, high = np.lib.array_utils.byte_bounds(array)
    return int(low), int(high)


def overlaps_of(values: Sequence[Any]) -> tuple[frozenset[int], ...]:
    """For each input the others that its memory may overlap with, by their bounds."""
    return overlaps([bounds_of(value) for value in values])


def overlaps(bounds: Sequence[tuple[int, int]]) -> tuple[frozenset[int], ...]:
    """For each memory, from where to where, the others that it may overlap with."""
    placed = sorted((low, high, k) for k, (low, high) in enumerate(bounds) if high)
    found: dict[int, set[int]] = {}
    for n, (_, high, k) in enumerate(placed):
        for other_low, _, other in placed[n + 1 :]:
            if other_low >= high:
                break
            found.setdefault(k, set()).add(other)
            found.setdefault(other, set()).add(k)
    return tuple(frozenset(found.get(k, ())) for k in range(len(bounds)))
