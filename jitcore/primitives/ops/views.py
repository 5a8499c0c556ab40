"""Basic indexing: views picked out of arrays by integers, slices and new axes, their adjoint, and diagonals.

A `spec` has one entry for every axis of the source, and one for every new axis:
- `('i', k)`: the index `values[k]` (a Python int, in range and not negative); the axis goes away;
- `('s', start, step, length)`: `length` elements from `start` on (a dimension, or `('v', k)` for `values[k]`), `step`
  apart;
- `('n',)`: a new axis of extent 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from jitcore.kernel.build import ArrayLayout, IndexLike, Template, as_index
from jitcore.primitives.core import batching, broadcasting
from jitcore.primitives.core.batching import Operand
from jitcore.primitives.core.registry import KernelTemplate, Linear, Primitive, Sample, View, declare
from jitcore.primitives.core.rules import array, check_axis, differ, require_number, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops import elementwise as ew
from jitcore.primitives.ops import joining, shape
from jitcore.types import INT, Dim, Shape, TensorType, Type, dim_min, f32, i64

Spec: TypeAlias = "tuple[tuple[Any, ...], ...]"


def start_of(entry: tuple[Any, ...], values: Sequence[Any]) -> Any:
    """Where a slice begins."""
    start = entry[1]
    return values[start[1]] if isinstance(start, tuple) else start


def view_shape(extents: Shape, spec: Spec) -> Shape:
    """The shape of a view."""
    used = sum(1 for entry in spec if entry[0] != "n")
    if used != len(extents):
        raise ValueError(f"a view of {used} axes of an array with {len(extents)} dimensions")
    return tuple(1 if e[0] == "n" else e[3] for e in spec if e[0] != "i")


def check_values(values: Sequence[Type], spec: Spec) -> None:
    """Raise TypeError unless the values a spec uses are Python ints."""
    for value in values:
        require_number(value, INT, "index")
    used = [e[1] for e in spec if e[0] == "i"] + [e[1][1] for e in spec if e[0] == "s" and isinstance(e[1], tuple)]
    if sorted(set(used)) != list(range(len(values))):
        raise TypeError(f"the view {spec} does not use each of {len(values)} values")


def _view_rule(x: Type, *values: Type, spec: Spec) -> Type:
    type_ = array(x)
    check_values(values, spec)
    return TensorType(type_.dtype, view_shape(type_.shape, spec))


def view_reference(x: Any, *values: Any, spec: Spec) -> Any:
    """The view as NumPy takes it."""
    keys: list[Any] = []
    for entry in spec:
        if entry[0] == "n":
            keys.append(None)
        elif entry[0] == "i":
            keys.append(values[entry[1]])
        else:
            start, step, length = start_of(entry, values), entry[2], entry[3]
            stop = start + step * length
            keys.append(slice(start, stop if stop >= 0 else None, step) if length else slice(0, 0))
    return np.asarray(x)[(*keys, ...)]


def view_layout(view: ArrayLayout, *values: Dim, spec: Spec) -> ArrayLayout:
    """The layout of a view."""
    offset = view.offset
    made: list[tuple[Dim, Dim]] = []
    axes = iter(zip(view.shape, view.strides, strict=True))
    for entry in spec:
        if entry[0] == "n":
            made.append((1, 0))
            continue
        _, stride = next(axes)
        if entry[0] == "i":
            offset = offset + values[entry[1]] * stride
        else:
            offset = offset + start_of(entry, values) * stride
            made.append((entry[3], stride * entry[2]))
    return ArrayLayout(view.dtype, tuple(d for d, _ in made), tuple(s for _, s in made), offset)


def _view_transpose(cotangents: Sequence[Any], x: Any, *values: Any, spec: Spec) -> Sequence[Any]:
    whole = embed(cotangents[0], *values, spec=spec, shape=tensor_type(x).shape)
    return (whole, *(None for _ in values))


def view_samples() -> Iterable[Sample]:
    """Samples for everything that takes a view."""
    yield Sample((spread((4, 5)), 2), {"spec": (("i", 0), ("s", 1, 2, 2))})
    yield Sample((spread((4, 5)), 1, 3), {"spec": (("s", ("v", 0), 1, 2), ("n",), ("i", 1))})
    yield Sample((spread((6,), dtype=f32),), {"spec": (("s", 5, -1, 6),)})
    yield Sample((spread((6,)),), {"spec": (("s", 4, -2, 2), ("n",))})
    yield Sample((spread((3, 4)), 2, 0), {"spec": (("i", 0), ("i", 1))})
    yield Sample((spread((3, 4)),), {"spec": (("s", 0, 1, 3), ("s", 4, 1, 0))})
    yield Sample((spread(()),), {"spec": (("n",),)})


def _view_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    if any(o.batched for o in operands[1:]):
        return None
    spec = (("s", 0, 1, n), *params["spec"])
    return op(operands[0].atom, *(o.atom for o in operands[1:]), **{**params, "spec": spec})


view_index = declare(
    "view_index",
    "x *values",
    rule=_view_rule,
    reference=view_reference,
    lowering=View(view_layout),
    derivative=Linear((0,), _view_transpose),
    batch=_view_rows,
    samples=view_samples,
    doc="a view by basic indexing (see this module); every index is in range: who emits it has checked",
)


def _embed_rule(x: Type, *values: Type, spec: Spec, shape: Shape) -> Type:
    type_ = array(x)
    check_values(values, spec)
    for have, want in zip(type_.shape, view_shape(shape, spec), strict=True):
        if differ(have, want):
            raise ValueError(f"embed: an array of shape {type_.shape} for a view of shape {view_shape(shape, spec)}")
    return TensorType(type_.dtype, shape)


def _embed_reference(x: Any, *values: Any, spec: Spec, shape: Sequence[int]) -> Any:
    whole = np.zeros(shape, np.asarray(x).dtype)
    view_reference(whole, *values, spec=spec)[...] = x
    return whole


def _embed_kernel(t: Template, x: str, *values: str, spec: Spec, shape: Shape) -> None:
    out = t.outs[0]
    k = t.kernel(out)
    k.store(out, k.axes(shape), k.const(t.layouts[out].dtype, 0))
    k = t.kernel(x, out)
    point = k.axes(t.layouts[x].shape)
    numbers = [k.scalar(v, i64) for v in values]
    k.store(out, _source_point(point, numbers, spec), k.load(x, point))


def _source_point(point: Sequence[IndexLike], values: Sequence[IndexLike], spec: Spec) -> list[IndexLike]:
    """Where in the source a point of the view lies."""
    place: list[IndexLike] = []
    axes = iter(point)
    for entry in spec:
        if entry[0] == "n":
            next(axes)
        elif entry[0] == "i":
            place.append(values[entry[1]])
        else:
            place.append(as_index(next(axes)) * entry[2] + start_of(entry, values))
    return place


def _embed_transpose(cotangents: Sequence[Any], x: Any, *values: Any, spec: Spec, shape: Shape) -> Sequence[Any]:
    part = view_index(cotangents[0], *values, spec=spec)
    return (broadcasting.with_shape(part, tensor_type(x).shape), *(None for _ in values))


def _embed_samples() -> Iterable[Sample]:
    for sample in view_samples():
        x, *values = sample.args
        part = view_reference(x, *values, spec=sample.params["spec"]).copy()
        yield Sample((part, *values), {**sample.params, "shape": x.shape})


def _embed_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    return _view_rows(op, operands, {**params, "shape": (n, *params["shape"])}, n)


embed = declare(
    "embed",
    "x *values",
    rule=_embed_rule,
    reference=_embed_reference,
    lowering=KernelTemplate(_embed_kernel, moves=True),
    derivative=Linear((0,), _embed_transpose),
    batch=_embed_rows,
    samples=_embed_samples,
    doc="an array of zeros of which the view that `view_index` would take holds x: its adjoint",
)

# --- diagonals --------------------------------------------------------------------------------------


def _diagonal_start(extents: Shape, offset: int, axis1: int, axis2: int) -> tuple[Dim, Dim, Dim]:
    """The first row and column of a diagonal, and its length."""
    row = dim_min(-offset, extents[axis1]) if offset < 0 else 0
    column = dim_min(offset, extents[axis2]) if offset > 0 else 0
    return row, column, dim_min(extents[axis1] - row, extents[axis2] - column)


def _diagonal_rule(x: Type, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Type:
    type_ = array(x)
    if type_.rank < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    for axis in (axis1, axis2):
        check_axis(axis, type_.rank, "diagonal")
    if axis1 == axis2:
        raise ValueError("axis1 and axis2 cannot be the same")
    length = _diagonal_start(type_.shape, offset, axis1, axis2)[2]
    rest = tuple(d for k, d in enumerate(type_.shape) if k not in (axis1, axis2))
    return TensorType(type_.dtype, (*rest, length))


def _diagonal_layout(view: ArrayLayout, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ArrayLayout:
    row, column, length = _diagonal_start(view.shape, offset, axis1, axis2)
    rest = [k for k in range(len(view.shape)) if k not in (axis1, axis2)]
    first, second = view.strides[axis1], view.strides[axis2]
    return ArrayLayout(
        view.dtype,
        (*(view.shape[k] for k in rest), length),
        (*(view.strides[k] for k in rest), first + second),
        view.offset + first * row + second * column,
    )


def _diagonal_transpose(
    cotangents: Sequence[Any], x: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Sequence[Any]:
    extents = tensor_type(x).shape
    row, column, length = _diagonal_start(extents, offset, axis1, axis2)
    rank = len(extents)
    index = joining.iota(length=length, dtype=i64)
    on = ew.equal(shape.expand_dims(index, axis=(1,)), shape.expand_dims(index, axis=(0,)))
    square = ew.select(on, shape.expand_dims(cotangents[0], axis=(rank - 1,)), 0)
    before = (*(0 for _ in range(rank - 2)), row, column)
    after = (*(0 for _ in range(rank - 2)), extents[axis1] - length - row, extents[axis2] - length - column)
    whole = joining.pad(square, 0, low=before, high=after, interior=(0,) * rank)
    rest = [k for k in range(rank) if k not in (axis1, axis2)]
    order = [*rest, axis1, axis2]
    return (shape.transpose(whole, permutation=tuple(order.index(k) for k in range(rank))),)


diagonal = declare(
    "diagonal",
    "x",
    rule=_diagonal_rule,
    reference=lambda x, *, offset=0, axis1=0, axis2=1: np.diagonal(x, offset, axis1, axis2),
    lowering=View(_diagonal_layout),
    derivative=Linear((0,), _diagonal_transpose),
    samples=lambda: (
        Sample((spread((3, 3)),)),
        Sample((spread((3, 5)),), {"offset": 1}),
        Sample((spread((2, 4, 3)),), {"offset": -1, "axis1": 1, "axis2": 2}),
        Sample((mixed((3, 2, 4), 1, f32),), {"offset": 2, "axis1": 2, "axis2": 0}),
        Sample((spread((2, 2)),), {"offset": 5}),
    ),
    doc="the diagonal of two axes, as the last axis",
)
