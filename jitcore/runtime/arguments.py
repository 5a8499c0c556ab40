"""The arguments of a call: what of them is part of a specialisation's key.

A call's *class* is everything but the extents of its arrays: Python types, dtypes, ranks, contiguity, the structure of
containers and what is static. Its *shapes* are the extents, array by array in the order of the arguments.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass, field
from jitcore.types import DType, bool_, c128, f64, i64

Shapes: TypeAlias = "tuple[tuple[int, ...], ...]"

NUMBERS: Final[dict[type, DType]] = {bool: bool_, int: i64, float: f64, complex: c128}
_BY_VALUE: Final = (str, bytes, frozenset, range, type(None), type(Ellipsis), type(NotImplemented))


class PastWordError(OverflowError):
    """An int among the inputs of a call is past 64 bits."""

    def __init__(self, value: int) -> None:
        super().__init__(f"the int {value} is past 64 bits")
        self.value = value


def check_int(value: int) -> int:
    """An int that fits 64 bits. Raises PastWordError for others."""
    if not -(1 << 63) <= value < 1 << 63:
        raise PastWordError(value)
    return value


@dataclass(frozen=True, slots=True)
class _Identity:
    """An object as a key: the same object only."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(slots=True)
class Call:
    """One call taken apart."""

    args: Sequence[Any]
    keywords: Mapping[str, Any]
    key: list[Any] = field(default_factory=list[Any])
    shapes: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])

    @staticmethod
    def of(args: Sequence[Any], keywords: Mapping[str, Any]) -> Call:
        """Take a call apart. Raises OverflowError for ints past 64 bits."""
        call = Call(args, keywords)
        for value in args:
            call.examine(value)
        for name in sorted(keywords):
            call.key.append(name)
            call.examine(keywords[name])
        return call

    def examine(self, value: Any) -> None:
        """Add a value to the key and shapes."""
        key = self.key
        cls = type(value)
        if cls in NUMBERS:
            key.append(cls)
        elif isinstance(value, Tensor):
            self._array(cls, value._array)
        elif isinstance(value, np.ndarray):
            self._array(cls, cast("np.ndarray[Any, Any]", value))
        elif isinstance(value, np.generic) and value.dtype.kind in "biufc":
            key.append(cls)
        elif isinstance(value, tuple | list) and (cls in (tuple, list) or hasattr(cls, "_fields")):
            items = cast("Sequence[Any]", value)
            key += (cls, len(items))
            for item in items:
                self.examine(item)
        elif cls is dict:
            entries = cast("dict[Any, Any]", value)
            key += (dict, *(_static_key(k) for k in entries))
            for item in entries.values():
                self.examine(item)
        else:
            key.append(_static_key(value))

    def _array(self, cls: type, array: np.ndarray[Any, Any]) -> None:
        self.key += (cls, array.dtype, array.ndim, array.flags.c_contiguous, array.flags.aligned)
        self.shapes.append(array.shape)


def _static_key(value: Any) -> Any:
    cls = type(value)
    if cls in NUMBERS or isinstance(value, _BY_VALUE):
        return (cls, repr(value) if cls is float else value)
    if isinstance(value, slice):
        return (slice, *map(_static_key, (value.start, value.stop, value.step)))
    if isinstance(value, set):
        return (set, frozenset(cast("set[Any]", value)))
    return _Identity(value)
