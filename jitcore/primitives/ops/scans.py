"""Scans along an axis: linear recurrences (cumulative products among them), and running extremes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.kernel.build import Template, as_index
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import KernelTemplate, Nondifferentiable, Sample, Vjp, declare
from jitcore.primitives.core.rules import array, check_axis, common_dtype, differ, require_kind, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops import elementwise as ew
from jitcore.primitives.ops import joining, views
from jitcore.types import TensorType, Type, bool_, c128, f32, f64, i64, u8

# --- s[i] = a[i] * s[i - 1] + b[i] ------------------------------------------------------------------


def _recurrence_rule(a: Type, b: Type, *, axis: int, reverse: bool = False) -> Type:
    factors, terms = array(a, "factors"), array(b, "terms")
    require_kind(common_dtype((factors, terms), "linear_recurrence"), "iufc", "linear_recurrence")
    check_axis(axis, factors.rank, "linear_recurrence")
    if factors.rank != terms.rank or any(differ(m, n) for m, n in zip(factors.shape, terms.shape, strict=True)):
        raise ValueError(f"linear_recurrence: factors of shape {factors.shape} and terms of shape {terms.shape}")
    return terms


def _recurrence_reference(a: Any, b: Any, *, axis: int, reverse: bool = False) -> Any:
    out = np.array(b)
    factors, made = np.moveaxis(a, axis, 0), np.moveaxis(out, axis, 0)
    if reverse:
        factors, made = factors[::-1], made[::-1]
    with np.errstate(all="ignore"):
        for k in range(1, len(made)):
            made[k] += factors[k] * made[k - 1]
    return out


def _recurrence_kernel(t: Template, a: str, b: str, *, axis: int, reverse: bool = False) -> None:
    layout = t.layouts[b]
    n = layout.shape[axis]
    k = t.kernel(a, b, t.outs[0])
    point = list(k.axes(layout.shape[:axis]))
    position = k.axis(n, serial=True)
    inner = k.axes(layout.shape[axis + 1 :])
    step, first = (-1, n - 1) if reverse else (1, 0)
    here = (*point, position * step + first, *inner)
    started = k("gt", bool_, k.index_value(position), k.const(i64, 0))
    before = k.load(t.outs[0], (*point, position * step + first + -step, *inner), started)
    carried = k("mul", layout.dtype, k.load(a, here, started), before)
    k.store(t.outs[0], here, k("add", layout.dtype, k.load(b, here), carried))


def shifted(x: Any, axis: int, by: int) -> Any:
    """x moved by one place along an axis (`by` 1: to the end, -1: to the beginning), with a zero at the place that is
    left."""
    type_ = tensor_type(x)
    low, high = ([0] * type_.rank for _ in range(2))
    (low if by > 0 else high)[axis] = 1
    padded = joining.pad(
        x, broadcasting.zeros(TensorType(type_.dtype, ())), low=tuple(low), high=tuple(high), interior=(0,) * type_.rank
    )
    spec = tuple(("s", 1 if by < 0 and k == axis else 0, 1, n) for k, n in enumerate(type_.shape))
    return views.view_index(padded, spec=spec)


def _recurrence_vjp(
    cotangents: Sequence[Any], outs: Sequence[Any], a: Any, b: Any, *, axis: int, reverse: bool = False
) -> Sequence[Any]:
    ahead = -1 if reverse else 1
    following = shifted(a, axis, -ahead)
    by_terms = linear_recurrence(following, cotangents[0], axis=axis, reverse=not reverse)
    return ew.mul(by_terms, shifted(outs[0], axis, ahead)), by_terms


def _recurrence_jvp(
    tangents: Sequence[Any], outs: Sequence[Any], a: Any, b: Any, *, axis: int, reverse: bool = False
) -> Sequence[Any]:
    terms = ew.add(ew.mul(tangents[0], shifted(outs[0], axis, -1 if reverse else 1)), tangents[1])
    return (linear_recurrence(a, terms, axis=axis, reverse=reverse),)


def _recurrence_samples() -> Iterable[Sample]:
    for dtype in (f64, f32, i64, c128):
        yield Sample((mixed((2, 4, 2), 1, dtype), mixed((2, 4, 2), 2, dtype)), {"axis": 1}, differentiable=dtype is f64)
    yield Sample((np.array([2.0, 0.0, 3.0, 0.0]), spread((4,))), {"axis": 0, "reverse": True})
    yield Sample((spread((0, 2)), spread((0, 2))), {"axis": 0})
    yield Sample((spread((1,)), spread((1,))), {"axis": 0})


linear_recurrence = declare(
    "linear_recurrence",
    "a b",
    rule=_recurrence_rule,
    reference=_recurrence_reference,
    lowering=KernelTemplate(_recurrence_kernel),
    derivative=Vjp(_recurrence_vjp, _recurrence_jvp),
    samples=_recurrence_samples,
    doc="s[i] = a[i] * s[i-1] + b[i] along an axis, s[0] = b[0]; from its end if `reverse`.",
)

# --- running extremes -------------------------------------------------------------------------------


def _running_rule(x: Type, *, axis: int, smallest: bool = False) -> Type:
    type_ = array(x)
    require_kind(type_.dtype, "biuf", "running_extreme")
    check_axis(axis, type_.rank, "running_extreme")
    return TensorType(i64, type_.shape)


def _running_reference(x: Any, *, axis: int, smallest: bool = False) -> Any:
    out = np.zeros(x.shape, np.int64)
    values, places = np.moveaxis(x, axis, 0), np.moveaxis(out, axis, 0)
    for k in range(1, len(values)):
        best = np.take_along_axis(values, places[k - 1 : k], 0)[0]
        beaten = values[k] <= best if smallest else values[k] >= best
        places[k] = np.where((beaten | (values[k] != values[k])) & (best == best), k, places[k - 1])
    return out


def _running_kernel(t: Template, x: str, *, axis: int, smallest: bool = False) -> None:
    layout = t.layouts[x]
    k = t.kernel(x, t.outs[0])
    point = list(k.axes(layout.shape[:axis]))
    position = k.axis(layout.shape[axis], serial=True)
    inner = k.axes(layout.shape[axis + 1 :])
    started = k("gt", bool_, k.index_value(position), k.const(i64, 0))
    best = k.load(t.outs[0], (*point, position + -1, *inner), started)
    here, there = k.load(x, (*point, position, *inner)), k.load(x, (*point, as_index(best), *inner))
    better = k("le" if smallest else "ge", bool_, here, there)
    if layout.dtype.is_float:
        better = k("or", bool_, better, k("ne", bool_, here, here))
        better = k("and", bool_, better, k("eq", bool_, there, there))
    k.store(t.outs[0], (*point, position, *inner), k("select", i64, better, k.index_value(position), best))


def _running_samples() -> Iterable[Sample]:
    for dtype in (f64, f32, i64, u8):
        yield Sample((mixed((2, 5, 2), 1, dtype),), {"axis": 1})
        yield Sample((mixed((5,), 1, dtype),), {"axis": 0, "smallest": True})
    yield Sample((np.array([1.0, 3.0, 3.0, np.nan, 5.0, np.nan]),), {"axis": 0})
    yield Sample((spread((0, 2)),), {"axis": 0})


running_extreme = declare(
    "running_extreme",
    "x",
    rule=_running_rule,
    reference=_running_reference,
    lowering=KernelTemplate(_running_kernel, moves=True),
    derivative=Nondifferentiable("a position has no derivative"),
    samples=_running_samples,
    doc="The place of the last largest (smallest) element so far along an axis; the first NaN stays.",
)
