"""How indices that a function is given become places along an axis: out of range they raise, are wrapped or clipped.

Whatever reads or writes at indices of the caller's goes through here: the primitives of `primitives.ops.indexing` take
places, which are i64, not negative and in range.
"""

from __future__ import annotations

from typing import Any

from jitcore.library.core.values import as_array, category, dtype_of_value, evaluator, product_of, shape_of
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import reductions as r
from jitcore.types import Dim, Shape, i64, u64

MODES = ("raise", "wrap", "clip")


def wide(index: Any) -> Any:
    """Indices as int64. Those of Tensors that int64 does not hold raise IndexError; NumPy wraps those of ndarrays."""
    if dtype_of_value(index) is i64:
        return index
    made = e.cast(index, dtype=i64)
    if dtype_of_value(index) is u64 and category(index) == "tensor":
        _require_all(e.greater_equal(made, 0), "an index is too large for int64")
    return made


def checked(index: Any, extent: Dim, axis: int, written: bool = False) -> Any:
    """Places of indices, which may be counted from the end; IndexError where one is out of range."""
    return ix.check_indices(wide(index), extent=extent, axis=axis, written=written)


def from_start(index: Any, extent: Dim, axis: int, what: str) -> Any:
    """Places of indices that are not counted from the end; IndexError where one is negative or too large."""
    places = wide(index)
    _require_all(e.greater_equal(places, 0), f"{what} must not be negative")
    return checked(places, extent, axis)


def placed(index: Any, extent: Dim, axis: int, mode: Any, empty: str) -> Any:
    """Places of indices by NumPy's `mode`; IndexError(empty) if there are indices, but no elements."""
    how = evaluator().static(mode, "mode")
    if how not in MODES:
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {how!r})")
    require_elements_for(shape_of(index), (extent,), empty)
    if how == "raise":
        return checked(index, extent, axis)
    count = as_array(evaluator().number(extent), i64)
    places = wide(index)
    if how == "wrap":
        return e.mod(places, count)
    return e.maximum(e.minimum(places, e.sub(count, 1)), 0)


def require_elements_for(wanted: Shape, held: Shape, message: str, exception: str = "IndexError") -> None:
    """Raise an exception where something is wanted of what holds no elements: now if the extents tell, else in the
    program."""
    asked, there = product_of(wanted), product_of(held)
    if asked == 0 or (isinstance(there, int) and there):
        return
    if isinstance(asked, int) and isinstance(there, int):
        raise conversions.exception_of(exception, message, ())
    none, some = (as_array(evaluator().number(n), i64) for n in (asked, there))
    held_or_unasked = e.bitwise_or(e.equal(none, 0), e.greater(some, 0))
    conversions.check(conversions.to_scalar(held_or_unasked), exception=exception, message=message)


def _require_all(held: Any, message: str) -> None:
    axes = tuple(range(len(shape_of(held))))
    enough = r.reduce_all(held, axis=axes, keepdims=False) if axes else held
    conversions.check(conversions.to_scalar(enough), exception="IndexError", message=message)
