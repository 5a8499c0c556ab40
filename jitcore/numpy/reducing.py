"""What the reductions of the namespace have in common: which axes they are over, and what sums are added up in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, dtype_of_value
from jitcore.numpy.arguments import Array, Axes, DTypeLike
from jitcore.types import DType, bool_, i64, u64


def along(reduce: Callable[[Any, Any, bool], Any], x: Array, axis: Axes, keepdims: bool) -> Any:
    """`reduce(x, axis, keepdims)`; over no axes, of each element alone."""
    if isinstance(axis, Sequence) and not axis:
        return reduce(shapes.expand_dims(x, 0), 0, False)
    return reduce(as_array(x), tuple(axis) if isinstance(axis, Sequence) else axis, keepdims)


def sum_dtype(x: Array, dtype: DTypeLike) -> DType:
    """The dtype of a sum or product: of ints 64 bits, signed or not as they are; else the dtype of the elements."""
    if dtype is not None:
        return as_dtype(dtype)
    own = dtype_of_value(as_array(x))
    if own is bool_ or own.kind == "i":
        return i64
    return u64 if own.kind == "u" else own
