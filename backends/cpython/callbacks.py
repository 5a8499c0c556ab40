"""Host calls: from the words a program passes to Python values, and from a Python function's results back to words.

The words of a type are laid out as `program.nodes` says. Arrays the function is given are views of the program's
memory that keep their block (or the argument they belong to) alive; arrays it returns are copied into new
blocks of the call.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.backends.native.host import runtime
from jitcore.backends.native.host.memory import HEADER
from jitcore.program.nodes import HostCall
from jitcore.program.words import type_words
from jitcore.source import InternalError
from jitcore.types import NONE, UNDEFINED, DType, RefType, ScalarType, TensorType, TupleType, Type, UnionType


def callback(call: HostCall) -> Callable[[int, int, int], None]:
    """What the runtime support calls: `callback(context, in words, out words)`, all addresses."""
    given = sum(map(type_words, call.arg_types))
    returned = sum(map(type_words, call.result_types))

    def run(context: int, in_words: int, out_words: int) -> None:
        reader = _Reader((ctypes.c_int64 * given).from_address(in_words))
        results = call.function(*(reader.read(t) for t in call.arg_types))
        if len(results) != len(call.result_types):
            raise InternalError(f"{call.function} gave {len(results)} results, not {len(call.result_types)}")
        writer = _Writer((ctypes.c_int64 * returned).from_address(out_words), context)
        for type_, result in zip(call.result_types, results, strict=True):
            writer.write(type_, result)

    return run


class _Reader:
    """Reads values from consecutive words."""

    def __init__(self, words: Any) -> None:
        self._words = words
        self._next = 0

    def _word(self) -> int:
        self._next += 1
        return self._words[self._next - 1]

    def read(self, type_: Type) -> Any:
        match type_:
            case ScalarType(dtype):
                return self._scalar(dtype)
            case TensorType():
                return self._array(type_)
            case RefType(target):
                return self._array(target)
            case TupleType(items):
                return tuple(self.read(t) for t in items)
            case UnionType(members):
                tag = self._word()
                return [self.read(t) for t in members][tag]
            case _ if type_ is NONE or type_ is UNDEFINED:
                return None
            case _:
                raise InternalError(f"a value of type {type_!r} cannot be passed in words")

    def _scalar(self, dtype: DType) -> bool | int | float | complex:
        if dtype.kind == "b":
            return self._word() != 0
        if dtype.is_float:
            return _float(self._word())
        if dtype.kind == "c":
            return complex(_float(self._word()), _float(self._word()))
        return self._word()

    def _array(self, type_: TensorType) -> Any:
        data, owner = self._word() & _MASK, self._word() & _MASK
        shape = tuple(self._word() for _ in range(type_.rank))
        strides = tuple(self._word() for _ in range(type_.rank))
        interface = {
            "data": (data, False),
            "shape": shape,
            "strides": strides,
            "typestr": type_.dtype.numpy.str,
            "version": 3,
        }
        if 0 in shape:  # NumPy looks at the address even of no elements
            return np.empty(shape, type_.dtype.numpy)
        return np.asarray(_holder(owner, interface))


class _Borrowed:
    """Memory of an argument (or that never dies), and the object it belongs to."""

    __slots__ = ("__array_interface__", "_object")

    def __init__(self, belongs_to: Any, interface: dict[str, Any]) -> None:
        self._object = belongs_to
        self.__array_interface__ = interface


def _holder(owner: int, interface: dict[str, Any]) -> Any:
    if owner == 0:
        return _Borrowed(None, interface)
    if owner & 1:
        return _Borrowed(ctypes.cast(ctypes.c_void_p(owner & ~1), ctypes.py_object).value, interface)
    runtime.retain(owner)
    return runtime.Owner(owner, interface)


_MASK = (1 << 64) - 1


def _float(word: int) -> float:
    return struct.unpack("<d", struct.pack("<q", word))[0]


def _bits(value: float) -> int:
    return struct.unpack("<q", struct.pack("<d", value))[0]


class _Writer:
    """Writes values to consecutive words."""

    def __init__(self, words: Any, context: int) -> None:
        self._words = words
        self._context = context
        self._next = 0

    def _put(self, *words: int) -> None:
        for word in words:
            self._words[self._next] = word
            self._next += 1

    def write(self, type_: Type, value: Any) -> None:
        match type_:
            case ScalarType(dtype):
                self._scalar(dtype, value)
            case TensorType():
                self._array(type_, value)
            case TupleType(items):
                for item, part in zip(items, value, strict=True):
                    self.write(item, part)
            case _ if type_ is NONE or type_ is UNDEFINED:
                return
            case _:
                raise InternalError(f"a host call cannot give a value of type {type_!r}")

    def _scalar(self, dtype: DType, value: Any) -> None:
        if dtype.is_float:
            self._put(_bits(float(value)))
        elif dtype.kind == "c":
            self._put(_bits(complex(value).real), _bits(complex(value).imag))
        else:
            self._put(int(value))

    def _array(self, type_: TensorType, value: Any) -> None:
        array = np.asarray(value)
        if array.dtype != type_.dtype.numpy or array.ndim != type_.rank:
            raise InternalError(f"a host call gave {array.dtype} of rank {array.ndim} for {type_!r}")
        owner = runtime.allocate(self._context, array.nbytes)
        interface = {
            "data": (owner + HEADER, False),
            "shape": array.shape,
            "typestr": array.dtype.str,
            "version": 3,
        }
        target = np.asarray(_Borrowed(None, interface))
        target[...] = array
        self._put(owner + HEADER, owner, *array.shape, *target.strides)
