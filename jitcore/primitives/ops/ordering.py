"""Sorting: the order of elements along an axis, and the places of values in sorted arrays. NumPy does the work, on the
host."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import HostCode, Nondifferentiable, Sample, Vjp, declare
from jitcore.primitives.core.rules import array, check_axis, common_dtype, differ, require_kind, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops.indexing import gather_along, scatter_add_along
from jitcore.types import TensorType, Type, bool_, f32, f64, i32, i64, shape_text, u8

_PLACES = Nondifferentiable("a position has no derivative")


def _argsort_rule(x: Type, *, axis: int, descending: bool = False, kind: Any = "stable") -> Type:
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
    doc="The places of the elements along an axis in ascending order (or descending), equal ones in the order they "
    "have (unless `kind`, NumPy's, is another); NaN is the largest.",
)


def _ordered_rule(x: Type, *, axis: int, kind: Any = "stable") -> Type:
    type_ = array(x)
    require_kind(type_.dtype, "biufc", "sort")
    check_axis(axis, type_.rank, "sort")
    return type_


def _ordered_reference(x: Any, *, axis: int, kind: Any = "stable") -> Any:
    return np.sort(x, axis, kind=kind)


def _ordered_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, *, axis: int, kind: Any = "stable") -> Sequence[Any]:
    order = argsort(x, axis=axis, kind=kind)
    return (scatter_add_along(broadcasting.zeros(tensor_type(x)), order, cts[0], axis=axis),)


def _ordered_jvp(ts: Sequence[Any], outs: Sequence[Any], x: Any, *, axis: int, kind: Any = "stable") -> Sequence[Any]:
    return (gather_along(ts[0], argsort(x, axis=axis, kind=kind), axis=axis),)


def _ordered_samples() -> Iterable[Sample]:
    for dtype in (f64, f32, i64, u8, bool_):
        yield Sample((mixed((3, 5), 1, dtype),), {"axis": 1}, differentiable=False)
    yield Sample((spread((4, 2)),), {"axis": 0, "kind": "quicksort"})
    yield Sample((np.array([2.0, np.nan, 1.0, 2.0, -np.inf, 1.0, -0.0, 0.0]),), {"axis": 0}, differentiable=False)
    yield Sample((spread((0, 2)),), {"axis": 0})


ordered = declare(
    "ordered",
    "x",
    rule=_ordered_rule,
    reference=_ordered_reference,
    lowering=HostCode(),
    derivative=Vjp(_ordered_vjp, _ordered_jvp),
    samples=_ordered_samples,
    doc="The elements along an axis in ascending order (NumPy's sort of a `kind`); NaN is the largest.",
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
    doc="Where each value would be inserted into an array sorted along its last axis: before equal ones, or (`right`) "
    "after. An array of more than one dimension has a row for each row of values.",
)
