"""Sorting: the order of elements along an axis, and the places of values in sorted arrays. NumPy does the work, on the host."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jitcore.primitives.registry import HostCode, Nondifferentiable, Sample, declare
from jitcore.primitives.rules import array, check_axis, common_dtype, differ, require_kind
from jitcore.primitives.sampling import mixed, spread
from jitcore.types import TensorType, Type, bool_, f32, f64, i32, i64, shape_text, u8

_PLACES = Nondifferentiable("a position has no derivative")


def _argsort_rule(x: Type, *, axis: int, descending: bool = False, kind: str = "stable") -> Type:
    type_ = array(x)
    require_kind(type_.dtype, "biufc", "argsort")
    check_axis(axis, type_.rank, "argsort")
    return TensorType(i64, type_.shape)


def _argsort_reference(x: Any, *, axis: int, descending: bool = False, kind: Any = "stable") -> Any:
    if not descending:
        return np.argsort(x, axis, kind=kind)
    order = np.argsort(np.flip(x, axis), axis, kind=kind)
    return x.shape[axis] - 1 - np.flip(order, axis)


def _argsort_samples() -> Iterable[Sample]:
    for dtype in (f64, f32, i64, u8, bool_):
        yield Sample((mixed((3, 5), 1, dtype),), {"axis": 1})
    yield Sample((spread((4, 2)),), {"axis": 0})
    yield Sample((np.array([2.0, np.nan, 1.0, 2.0, -np.inf, 1.0, -0.0, 0.0]),), {"axis": 0})
    yield Sample((np.array([2, 1, 2, 3, 1]),), {"axis": 0, "descending": True})
    yield Sample((spread((0, 2)),), {"axis": 0})


argsort = declare(
    "argsort",
    "x",
    rule=_argsort_rule,
    reference=_argsort_reference,
    lowering=HostCode(),
    derivative=_PLACES,
    samples=_argsort_samples,
    doc="The places of the elements along an axis in ascending order (or descending), equal ones in the order they have "
    "(unless `kind`, NumPy's, is another); NaN is the largest.",
)


def _search_rule(ordered: Type, values: Type, *, right: bool = False) -> Type:
    type_, wanted = array(ordered, "sorted array"), array(values, "values")
    require_kind(common_dtype((type_, wanted), "search_sorted"), "biufc", "search_sorted")
    check_axis(0, type_.rank, "search_sorted")
    rows = type_.shape[:-1]
    fits = not rows or (
        wanted.rank == type_.rank and not any(differ(a, b) for a, b in zip(rows, wanted.shape, strict=False))
    )
    if not fits:
        raise ValueError(
            f"search_sorted: values of shape {shape_text(wanted.shape)} for an array of shape {shape_text(type_.shape)}"
        )
    return TensorType(i64, wanted.shape)


def _search_reference(ordered: Any, values: Any, *, right: bool = False) -> Any:
    side = "right" if right else "left"
    if ordered.ndim == 1:
        return np.asarray(np.searchsorted(ordered, values, side))
    out = np.empty(values.shape, np.int64)
    for row in np.ndindex(*values.shape[:-1]):
        out[row] = np.searchsorted(ordered[row], values[row], side)
    return out


def _search_samples() -> Iterable[Sample]:
    for dtype in (f64, f32, i32):
        yield Sample((np.sort(mixed((6,), 1, dtype)), mixed((2, 3), 2, dtype)))
    yield Sample((np.array([1, 2, 2, 3]), np.array([2, 0, 3, 4])), {"right": True})
    yield Sample((np.sort(spread((2, 4)), -1), spread((2, 3))))
    yield Sample((np.array([1.0, 2.0]), np.array(1.5)))


search_sorted = declare(
    "search_sorted",
    "ordered values",
    rule=_search_rule,
    reference=_search_reference,
    lowering=HostCode(),
    derivative=_PLACES,
    samples=_search_samples,
    doc="Where each value would be inserted into an array sorted along its last axis: before equal ones, or (`right`) after. An "
    "array of more than one dimension has a row for each row of values.",
)
