"""Indexing by arrays: gathering and scattering along an axis, the check of indices, and the places of true elements.

Indices are i64, in range and not negative: `check_indices` makes them so. Where an index comes twice in `scatter_set`,
the last update stays, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.ir.nodes import Effects
from jitcore.kernel.build import Index, KernelBuilder, Template, as_index
from jitcore.primitives.core import batching, broadcasting
from jitcore.primitives.core.batching import Operand
from jitcore.primitives.core.registry import (
    Decomposition,
    KernelTemplate,
    Linear,
    Nondifferentiable,
    Primitive,
    Sample,
    declare,
)
from jitcore.primitives.core.rules import (
    array,
    check_axis,
    common_dtype,
    differ,
    require_dtype,
    require_kind,
    tensor_type,
)
from jitcore.primitives.core.sampling import integers, mixed, spread
from jitcore.primitives.ops import conversions, joining, python_ints, shape
from jitcore.primitives.ops import elementwise as ew
from jitcore.types import Dim, Shape, TensorType, Type, bool_, f32, i64, shape_text, u8

# --- gather and scatter -----------------------------------------------------------------------------


def _gathered_shape(x: TensorType, indices: TensorType, axis: int) -> Shape:
    require_dtype(indices, i64, "index array")
    check_axis(axis, x.rank, "gather")
    return (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])


def _gather_rule(x: Type, indices: Type, *, axis: int) -> Type:
    type_ = array(x)
    return TensorType(type_.dtype, _gathered_shape(type_, array(indices, "index array"), axis))


def _gather_kernel(t: Template, x: str, indices: str, *, axis: int) -> None:
    out = t.outs[0]
    k = t.kernel(x, indices, out)
    point = k.axes(t.layouts[out].shape)
    k.store(out, point, k.load(x, _source_place(k, t, indices, point, axis)))


def _source_place(k: KernelBuilder, t: Template, indices: str, point: Sequence[Index], axis: int) -> list[Index]:
    """The place in the indexed array that a point of the gathered one stands for."""
    rank = len(t.layouts[indices].shape)
    chosen = k.load(indices, point[axis : axis + rank])
    return [*point[:axis], as_index(chosen), *point[axis + rank :]]


def _gather_samples() -> Iterable[Sample]:
    yield Sample((spread((4, 3)), integers([2, 0, 2])), {"axis": 0})
    yield Sample((spread((2, 4, 2)), integers([[1, 3], [0, 0]])), {"axis": 1})
    yield Sample((spread((3, 4), dtype=f32), integers(2)), {"axis": 1})
    yield Sample((mixed((3,), 1, u8), integers([])), {"axis": 0})
    yield Sample((mixed((3,), 1, bool_), integers([2, 1])), {"axis": 0})


def _gather_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    x, indices = operands
    return None if indices.batched else op(x.atom, indices.atom, axis=params["axis"] + 1)


gather = declare(
    "gather",
    "x indices",
    rule=_gather_rule,
    reference=lambda x, indices, *, axis: np.take(x, indices, axis),
    lowering=KernelTemplate(_gather_kernel, moves=True),
    derivative=Linear(
        (0,),
        lambda cts, x, indices, *, axis: (
            scatter_add(broadcasting.zeros(tensor_type(x)), indices, cts[0], axis=axis),
            None,
        ),
    ),
    batch=_gather_rows,
    samples=_gather_samples,
    doc="the slices of x at `indices` along an axis, which the axes of `indices` take the place of",
)


def _scatter_rule(x: Type, indices: Type, updates: Type, *, axis: int) -> Type:
    type_, new = array(x), array(updates, "updates")
    common_dtype((type_, new), "a scatter")
    want = _gathered_shape(type_, array(indices, "index array"), axis)
    if len(want) != new.rank or any(differ(a, b) for a, b in zip(want, new.shape, strict=True)):
        raise ValueError(
            f"shape mismatch: updates of shape {shape_text(new.shape)} cannot be scattered to shape {shape_text(want)}"
        )
    return type_


def _place_of(axis: int, indices: Any) -> tuple[Any, ...]:
    return (*(slice(None) for _ in range(axis)), indices)


def _scatter_add_reference(x: Any, indices: Any, updates: Any, *, axis: int) -> Any:
    out = np.array(x)
    np.add.at(out, _place_of(axis, indices), updates)
    return out


def _scatter_set_reference(x: Any, indices: Any, updates: Any, *, axis: int) -> Any:
    out = np.array(x)
    out[_place_of(axis, indices)] = updates  # in order: the last of equal indices stays
    return out


def _copy_kernel(t: Template, x: str) -> None:
    k = t.kernel(x, t.outs[0])
    point = k.axes(t.layouts[x].shape)
    k.store(t.outs[0], point, k.load(x, point))


def _scatter_kernel(t: Template, x: str, indices: str, updates: str, *, axis: int, accumulate: bool) -> None:
    _copy_kernel(t, x)
    k = t.kernel(indices, updates, t.outs[0])
    last = axis + len(t.layouts[indices].shape)
    extents = t.layouts[updates].shape
    point = [k.axis(d, serial=axis <= n < last) for n, d in enumerate(extents)]
    place = _source_place(k, t, indices, point, axis)
    k.store(t.outs[0], place, k.load(updates, point), accumulate=accumulate)


def _scatter_samples() -> Iterable[Sample]:
    yield Sample((spread((4, 3)), integers([2, 0, 2]), spread((3, 3), 3, 4)), {"axis": 0})
    yield Sample((spread((2, 4, 2)), integers([[1, 3], [0, 1]]), spread((2, 2, 2, 2), 3, 4)), {"axis": 1})
    yield Sample((spread((3, 4), dtype=f32), integers(2), mixed((3,), 1, f32)), {"axis": 1})
    yield Sample((mixed((3,), 1, i64), integers([]), mixed((0,), 1, i64)), {"axis": 0})


def _scatter_add_transpose(
    cotangents: Sequence[Any], x: Any, indices: Any, updates: Any, *, axis: int
) -> Sequence[Any]:
    (ct,) = cotangents
    return ct, None, broadcasting.with_shape(gather(ct, indices, axis=axis), tensor_type(updates).shape)


scatter_add = declare(
    "scatter_add",
    "x indices updates",
    rule=_scatter_rule,
    reference=_scatter_add_reference,
    lowering=KernelTemplate(lambda t, x, i, u, *, axis: _scatter_kernel(t, x, i, u, axis=axis, accumulate=True)),
    derivative=Linear((0, 2), _scatter_add_transpose),
    samples=_scatter_samples,
    doc="x with `updates` (of the shape that `gather` gives) added at `indices` along an axis",
)


def _last_of_equal(x: Any, indices: Any, axis: int) -> Any:
    """For every index whether no later one is equal to it: only those stay."""
    type_ = tensor_type(indices)
    order = shape.reshape(joining.iota(length=type_.size, dtype=i64), shape=type_.shape)
    none = broadcasting.zeros(TensorType(i64, (tensor_type(x).shape[axis],)))
    winners = scatter_set(none, indices, order, axis=0)
    return ew.equal(gather(winners, indices, axis=0), order)


def _scatter_set_transpose(
    cotangents: Sequence[Any], x: Any, indices: Any, updates: Any, *, axis: int
) -> Sequence[Any]:
    (ct,) = cotangents
    new = tensor_type(updates)
    by_x = scatter_set(ct, indices, broadcasting.zeros(new), axis=axis)
    taken = broadcasting.with_shape(gather(ct, indices, axis=axis), new.shape)
    rank = tensor_type(indices).rank
    stays = broadcasting.expand_to(_last_of_equal(x, indices, axis), new.rank, tuple(range(axis, axis + rank)))
    return by_x, None, ew.select(stays, taken, 0)


scatter_set = declare(
    "scatter_set",
    "x indices updates",
    rule=_scatter_rule,
    reference=_scatter_set_reference,
    lowering=KernelTemplate(
        lambda t, x, i, u, *, axis: _scatter_kernel(t, x, i, u, axis=axis, accumulate=False), moves=True
    ),
    derivative=Linear((0, 2), _scatter_set_transpose),
    samples=_scatter_samples,
    doc="x with `updates` (of the shape that `gather` gives) in place of what was at `indices` along an axis",
)

# --- gather along -----------------------------------------------------------------------------------


def _along_rule(x: Type, indices: Type, *, axis: int) -> Type:
    type_, index = array(x), array(indices, "index array")
    require_dtype(index, i64, "index array")
    check_axis(axis, type_.rank, "gather_along")
    if index.rank != type_.rank:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    if any(k != axis and differ(a, b) for k, (a, b) in enumerate(zip(type_.shape, index.shape, strict=True))):
        raise ValueError(f"gather_along: indices of shape {index.shape} for an array of shape {type_.shape}")
    return TensorType(type_.dtype, index.shape)


def _along_kernel(t: Template, x: str, indices: str, *, axis: int) -> None:
    k = t.kernel(x, indices, t.outs[0])
    point = list(k.axes(t.layouts[indices].shape))
    place = [*point[:axis], k.load(indices, point), *point[axis + 1 :]]
    k.store(t.outs[0], point, k.load(x, place))


def _scatter_along_rule(x: Type, indices: Type, updates: Type, *, axis: int) -> Type:
    new = array(updates, "updates")
    want = array(_along_rule(x, indices, axis=axis))
    common_dtype((want, new), "scatter_add_along")
    if new.rank != want.rank or any(differ(a, b) for a, b in zip(want.shape, new.shape, strict=True)):
        raise ValueError(f"scatter_add_along: updates of shape {new.shape} for indices of shape {want.shape}")
    return array(x)


def _scatter_along_kernel(t: Template, x: str, indices: str, updates: str, *, axis: int) -> None:
    _copy_kernel(t, x)
    k = t.kernel(indices, updates, t.outs[0])
    point = [k.axis(d, serial=n == axis) for n, d in enumerate(t.layouts[indices].shape)]
    place = [*point[:axis], k.load(indices, point), *point[axis + 1 :]]
    k.store(t.outs[0], place, k.load(updates, point), accumulate=True)


def _along_places(indices: Any, axis: int) -> tuple[Any, ...]:
    places = list(np.indices(indices.shape))
    places[axis] = indices
    return tuple(places)


def _scatter_along_reference(x: Any, indices: Any, updates: Any, *, axis: int) -> Any:
    out = np.array(x)
    np.add.at(out, _along_places(indices, axis), updates)
    return out


gather_along = declare(
    "gather_along",
    "x indices",
    rule=_along_rule,
    reference=lambda x, indices, *, axis: np.take_along_axis(x, indices, axis),
    lowering=KernelTemplate(_along_kernel, moves=True),
    derivative=Linear(
        (0,),
        lambda cts, x, indices, *, axis: (
            scatter_add_along(broadcasting.zeros(tensor_type(x)), indices, cts[0], axis=axis),
            None,
        ),
    ),
    samples=lambda: (
        Sample((spread((2, 4)), integers([[1, 3, 1], [0, 0, 2]])), {"axis": 1}),
        Sample((spread((3, 2), dtype=f32), integers([[2, 1]])), {"axis": 0}),
        Sample((mixed((3,), 1, u8), integers([])), {"axis": 0}),
    ),
    doc="x[…, indices[p], …] for every place p of `indices`, which has x's extents along the other axes",
)
scatter_add_along = declare(
    "scatter_add_along",
    "x indices updates",
    rule=_scatter_along_rule,
    reference=_scatter_along_reference,
    lowering=KernelTemplate(_scatter_along_kernel),
    derivative=Linear(
        (0, 2), lambda cts, x, indices, updates, *, axis: (cts[0], None, gather_along(cts[0], indices, axis=axis))
    ),
    samples=lambda: (
        Sample((spread((2, 4)), integers([[1, 3, 1], [0, 0, 2]]), spread((2, 3), 3, 4)), {"axis": 1}),
        Sample((mixed((3,), 1, i64), integers([1, 1]), mixed((2,), 2, i64)), {"axis": 0}),
    ),
    doc="x with `updates` added at the places that `gather_along` would read",
)

# --- checking indices -------------------------------------------------------------------------------


def _first_bad_rule(indices: Type, *, extent: Dim, from_end: bool = True) -> tuple[Type, ...]:
    index = array(indices, "index array")
    require_dtype(index, i64, "index array")
    if index.rank != 1:
        raise TypeError(f"first_bad_index takes a flat array, not {index!r}")
    return TensorType(i64, ()), TensorType(i64, ())


def _first_bad_reference(indices: Any, *, extent: int, from_end: bool = True) -> tuple[Any, Any]:
    bad = np.flatnonzero((indices < (-extent if from_end else 0)) | (indices >= extent))
    place = int(bad[0]) if bad.size else len(indices)
    return np.array(place), np.array(indices[place] if bad.size else 0)


def _first_bad_kernel(t: Template, indices: str, *, extent: Dim, from_end: bool = True) -> None:
    place, value = t.outs
    (count,) = t.layouts[indices].shape
    k = t.kernel(indices, place, value)
    point = k.axis(count + 1, reduce=True)  # one more than there are, so that there is always one
    position = k.index_value(point)
    known = k("lt", bool_, position, k.dim(count))
    index = k.load(indices, (point,), known)
    least = k.dim(extent * -1 if from_end else 0)
    outside = k("or", bool_, k("lt", bool_, index, least), k("ge", bool_, index, k.dim(extent)))
    bad = k("and", bool_, known, outside)
    first = k.reduce("min", k("select", i64, bad, position, k.dim(count)))
    k.store(place, (), first)
    k.store(value, (), k.load(indices, (first,), k("lt", bool_, first, k.dim(count))))


first_bad_index = declare(
    "first_bad_index",
    "indices",
    rule=_first_bad_rule,
    reference=_first_bad_reference,
    lowering=KernelTemplate(_first_bad_kernel, moves=True),
    derivative=Nondifferentiable("indices have no derivative"),
    samples=lambda: (
        *(Sample((integers(values),), {"extent": 3}) for values in ([0, -3, 2], [0, 3, -4], [], [-4])),
        *(Sample((integers(values),), {"extent": 3, "from_end": False}) for values in ([0, 2], [1, -1, 3], [3])),
    ),
    doc="The place and value of the first index not in -extent … extent-1 (0 … extent-1 where none may be counted from "
    "the end); if there is none, the number of indices and 0.",
)


def _check_indices_rule(indices: Type, *, extent: Dim, axis: int, written: bool = False) -> Type:
    index = array(indices, "index array")
    require_dtype(index, i64, "index array")
    return index


def _check_indices_reference(indices: Any, *, extent: int, axis: int, written: bool = False) -> Any:
    place, value = _first_bad_reference(np.ravel(indices), extent=extent)
    if place < np.size(indices):
        raise IndexError(conversions.array_index_message(axis).format(int(value), extent))
    return np.where(indices < 0, indices + extent, indices)


def _check_indices(indices: Any, *, extent: Dim, axis: int, written: bool = False) -> Any:
    size = tensor_type(indices).size
    place, value = first_bad_index(shape.reshape(indices, shape=(size,)), extent=extent)
    length = conversions.extent(dim=extent)
    conversions.check(
        python_ints.int_eq(conversions.to_scalar(place), conversions.extent(dim=size)),
        conversions.to_scalar(value),
        length,
        exception="IndexError",
        message=conversions.array_index_message(axis, written),
    )
    from_end = ew.add(indices, conversions.from_scalar(length, dtype=i64))
    return ew.select(ew.less(indices, 0), from_end, indices)


check_indices = declare(
    "check_indices",
    "indices",
    rule=_check_indices_rule,
    reference=_check_indices_reference,
    lowering=Decomposition(_check_indices),
    derivative=Nondifferentiable("indices have no derivative"),
    samples=lambda: (
        Sample((integers([[0, -1], [2, -3]]),), {"extent": 3, "axis": 0}),
        Sample((integers(-2),), {"extent": 3, "axis": 1}),
        Sample((integers([]),), {"extent": 0, "axis": 0}),
    ),
    effects=Effects(raises=("IndexError",)),
    doc="Indices counted from 0, of which any may have been counted from the end; IndexError if one is out of range. "
    "`written`: something is written there.",
)

# --- true elements ----------------------------------------------------------------------------------


def _true_places_rule(mask: Type, *, count: Dim) -> Type:
    type_ = array(mask, "mask")
    require_kind(type_.dtype, "b", "true_places")
    if type_.rank != 1:
        raise TypeError(f"true_places takes a flat mask, not {type_!r}")
    return TensorType(i64, (count,))


def _true_places_reference(mask: Any, *, count: int) -> Any:
    found = np.flatnonzero(mask)
    if len(found) != count:
        raise ValueError(f"true_places: {len(found)} elements are true, not {count}")
    return found


def _true_places_kernel(t: Template, mask: str, *, count: Dim) -> None:
    (n,) = t.layouts[mask].shape
    ranks = t.temporary(i64, (n,))
    k = t.kernel(mask, ranks)
    point = k.axis(n, serial=True)
    started = k("gt", bool_, k.index_value(point), k.const(i64, 0))
    before = k.load(ranks, (point + -1,), started)
    k.store(ranks, (point,), k("add", i64, before, k.cast(i64, k.load(mask, (point,)))))
    k = t.kernel(mask, ranks, t.outs[0])
    point = k.axis(n)
    target = as_index(k.load(ranks, (point,))) + -1
    wanted = k("and", bool_, k.load(mask, (point,)), k.within(target, count))
    k.store(t.outs[0], (target,), k.index_value(point), wanted)


true_places = declare(
    "true_places",
    "mask",
    rule=_true_places_rule,
    reference=_true_places_reference,
    lowering=KernelTemplate(_true_places_kernel, moves=True),
    derivative=Nondifferentiable("places have no derivative"),
    samples=lambda: (
        Sample((np.array(values, dtype=bool),), {"count": sum(values)})
        for values in ([True, False, True, True], [False, False], [], [True])
    ),
    doc="The places of a flat mask's true elements, of which there are `count`.",
)
