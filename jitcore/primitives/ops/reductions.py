"""Reductions over axes, cumulative sums, and the arg reductions. The result has the operand's dtype: cast before, as
NumPy does.

`axis` is a tuple of non-negative ints (one int for `argmax`, `argmin` and `cumsum`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.kernel.build import Template
from jitcore.primitives.core import batching, broadcasting
from jitcore.primitives.core.registry import (
    KernelTemplate,
    Linear,
    Nondifferentiable,
    Primitive,
    Reduce,
    Sample,
    Vjp,
    declare,
)
from jitcore.primitives.core.rules import array, check_axis, require_kind, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops import elementwise as ew
from jitcore.primitives.ops import joining, shape
from jitcore.types import DType, Shape, TensorType, Type, bool_, f32, f64, i32, i64, u8

_AXES: tuple[tuple[tuple[int, ...], tuple[int, ...], bool], ...] = (
    ((2, 3), (0,), False),
    ((2, 3), (1,), True),
    ((2, 3, 4), (0, 2), False),
    ((2, 3, 4), (1,), False),
    ((3,), (0,), False),
    ((2, 3), (0, 1), True),
    ((), (), False),
    ((2, 0), (0,), False),
)


def reduced_shape(extents: Shape, axis: tuple[int, ...], keepdims: bool) -> Shape:
    """The shape after reducing over `axis`."""
    if keepdims:
        return tuple(1 if k in axis else d for k, d in enumerate(extents))
    return tuple(d for k, d in enumerate(extents) if k not in axis)


def _rule(name: str, kinds: str, empty: str | None) -> Callable[..., Type]:
    def rule(x: Type, *, axis: tuple[int, ...], keepdims: bool) -> Type:
        type_ = array(x)
        require_kind(type_.dtype, kinds, name)
        for k in axis:
            check_axis(k, type_.rank, name)
        if len(set(axis)) != len(axis):
            raise ValueError("duplicate value in 'axis'")
        if empty is not None and any(type_.shape[k] == 0 for k in axis):
            raise ValueError(empty)
        return TensorType(type_.dtype, reduced_shape(type_.shape, axis, keepdims))

    return rule


def _samples(*dtypes: DType, empty: bool = True) -> Callable[[], Iterable[Sample]]:
    def samples() -> Iterable[Sample]:
        for extents, axis, keepdims in _AXES:
            values = spread(extents) if dtypes[0].is_float else mixed(extents, 1, dtypes[0])
            yield Sample((values,), {"axis": axis, "keepdims": keepdims})
        for k, dtype in enumerate(dtypes[1:]):
            yield Sample((mixed((3, 4), k, dtype),), {"axis": (1,), "keepdims": False})
        if empty:
            yield Sample((mixed((2, 0), 0, dtypes[0]),), {"axis": (1,), "keepdims": False})
        if dtypes[0].is_float:
            specials = np.array([[1.0, np.nan, 2.0], [np.inf, 1.0, -np.inf], [3.0, 3.0, 1.0]])
            yield Sample((specials,), {"axis": (1,), "keepdims": False}, differentiable=False)

    return samples


def _reduction(
    name: str,
    op: str,
    function: Callable[..., Any],
    kinds: str,
    derivative: Any,
    samples: Callable[[], Iterable[Sample]],
    doc: str,
    empty: str | None = None,
) -> Primitive:
    def reference(x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
        with np.errstate(all="ignore"):
            made = np.asarray(function(x, axis=axis, keepdims=keepdims))
        return made.astype(np.asarray(x).dtype, copy=False) if axis else np.array(x)

    return declare(
        name,
        "x",
        rule=_rule(name, kinds, empty),
        reference=reference,
        lowering=Reduce(op),
        derivative=derivative,
        batch=batching.axes,
        samples=samples,
        doc=doc,
    )


def over_axes(value: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """A reduction's result (or cotangent) with the reduced axes back as extents of 1, so that it broadcasts against the
    operand."""
    return shape.expand_dims(value, axis=axis) if axis and not keepdims else value


def _sum_transpose(cotangents: Sequence[Any], x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Sequence[Any]:
    return (shape.broadcast_to(over_axes(cotangents[0], axis, keepdims), shape=tensor_type(x).shape),)


reduce_sum = _reduction(
    "reduce_sum",
    "sum",
    np.add.reduce,
    "iufc",
    Linear((0,), _sum_transpose),
    _samples(f64, f32, i64, i32, u8),
    "the sum over axes; integers wrap",
)


# --- products ---------------------------------------------------------------------------------------


def _prod_factors(x: Any, axis: tuple[int, ...]) -> Any:
    """d reduce_prod(x) / d x: for every element the product of the others."""
    extents = tensor_type(x).shape
    kept = tuple(k for k in range(len(extents)) if k not in axis)
    order = (*kept, *axis)
    moved = tuple(extents[k] for k in order)
    rows = moved[: len(kept)]
    flat = shape.reshape(shape.transpose(x, permutation=order), shape=(*rows, broadcasting.size_of(moved[len(kept) :])))
    others = shape.reshape(product_of_others(flat), shape=moved)
    return shape.transpose(others, permutation=tuple(order.index(k) for k in range(len(order))))


def _prod_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    return (ew.mul(over_axes(cts[0], axis, keepdims), _prod_factors(x, axis)),)


def _prod_jvp(ts: Sequence[Any], outs: Sequence[Any], x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    return (reduce_sum(ew.mul(ts[0], _prod_factors(x, axis)), axis=axis, keepdims=keepdims),)


reduce_prod = _reduction(
    "reduce_prod",
    "prod",
    np.multiply.reduce,
    "iufc",
    Vjp(_prod_vjp, _prod_jvp),
    _samples(f64, f32, i64, u8),
    "the product over axes; integers wrap",
)


def _others_reference(x: Any) -> Any:
    before, after = np.ones_like(x), np.ones_like(x)
    with np.errstate(all="ignore"):
        for k in range(1, x.shape[-1]):
            before[..., k] = before[..., k - 1] * x[..., k - 1]
            after[..., -1 - k] = after[..., -k] * x[..., -k]
        return before * after


def _others_kernel(t: Template, x: str) -> None:
    layout = t.layouts[x]
    *rows, n = layout.shape
    before, after = (t.temporary(layout.dtype, layout.shape) for _ in range(2))
    for target, first, step in ((before, 0, 1), (after, n - 1, -1)):
        k = t.kernel(x, target)
        outer = k.axes(tuple(rows))
        position = k.axis(n, serial=True)
        here = position * step + first
        started = k("gt", bool_, k.index_value(position), k.const(i64, 0))
        product = k.load(target, (*outer, here + -step), started, fill=1)
        factor = k.load(x, (*outer, here + -step), started, fill=1)
        k.store(target, (*outer, here), k("mul", layout.dtype, product, factor))
    k = t.kernel(before, after, t.outs[0])
    point = k.axes(layout.shape)
    k.store(t.outs[0], point, k("mul", layout.dtype, k.load(before, point), k.load(after, point)))


def _others_pairs(x: Any) -> Any:
    """The products that leave out two elements: [..., i, j] is d product_of_others(x)[..., i] / d x[..., j]."""
    type_ = tensor_type(x)
    n = type_.shape[-1]
    index = joining.iota(length=n, dtype=i64)
    same = ew.equal(shape.expand_dims(index, axis=(1,)), shape.expand_dims(index, axis=(0,)))
    without_i = ew.select(same, 1, shape.expand_dims(x, axis=(type_.rank - 1,)))
    return ew.select(same, 0, product_of_others(without_i))


def _others_vjp(cotangents: Sequence[Any], outs: Sequence[Any], x: Any) -> Sequence[Any]:
    rank = tensor_type(x).rank
    weighted = ew.mul(shape.expand_dims(cotangents[0], axis=(rank,)), _others_pairs(x))
    return (reduce_sum(weighted, axis=(rank - 1,), keepdims=False),)


def _others_jvp(tangents: Sequence[Any], outs: Sequence[Any], x: Any) -> Sequence[Any]:
    rank = tensor_type(x).rank
    weighted = ew.mul(shape.expand_dims(tangents[0], axis=(rank - 1,)), _others_pairs(x))
    return (reduce_sum(weighted, axis=(rank,), keepdims=False),)


def _others_rule(x: Type) -> Type:
    type_ = array(x)
    check_axis(0, type_.rank, "product_of_others")
    require_kind(type_.dtype, "fc", "product_of_others")
    return type_


def _others_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 4)),))
    yield Sample((np.array([[1.5, 0.0, -2.0], [0.0, 0.0, 3.0]]),))
    yield Sample((spread((1,)),))
    yield Sample((spread((3, 0)),))
    yield Sample((spread((5,), dtype=f32),))


product_of_others = declare(
    "product_of_others",
    "x",
    rule=_others_rule,
    reference=_others_reference,
    lowering=KernelTemplate(_others_kernel),
    derivative=Vjp(_others_vjp, _others_jvp),
    samples=_others_samples,
    doc="For every element the product of the others along the last axis: the derivative of a product, zeros or not.",
)


# --- extremes ---------------------------------------------------------------------------------------


# The gradient of an extreme is shared equally by the elements that attain it (as PyTorch's `amax` and JAX do).
def _attained(out: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> tuple[Any, Any]:
    """Where `x` attains its extreme (as NaN does), and how often, in x's dtype."""
    mask = ew.equal(x, over_axes(out, axis, keepdims))
    if tensor_type(x).dtype.is_differentiable:
        mask = ew.bitwise_or(mask, ew.isnan(x))
    return mask, reduce_sum(ew.cast(mask, dtype=tensor_type(x).dtype), axis=axis, keepdims=keepdims)


def _extreme_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    mask, count = _attained(outs[0], x, axis, keepdims)
    divide = ew.div if tensor_type(x).dtype.is_differentiable else ew.floordiv
    share = over_axes(divide(cts[0], count), axis, keepdims)
    return (ew.select(mask, share, 0),)


def _extreme_jvp(ts: Sequence[Any], outs: Sequence[Any], x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    mask, count = _attained(outs[0], x, axis, keepdims)
    return (ew.div(reduce_sum(ew.select(mask, ts[0], 0), axis=axis, keepdims=keepdims), count),)


def _no_identity(name: str) -> str:
    return f"zero-size array to reduction operation {name} which has no identity"


reduce_max = _reduction(
    "reduce_max",
    "max",
    np.maximum.reduce,
    "biuf",
    Vjp(_extreme_vjp, _extreme_jvp),
    _samples(f64, f32, i64, u8, bool_, empty=False),
    "the maximum over axes, NaN if there is one. Axes of extent 0 are refused; who emits it has checked symbolic ones.",
    _no_identity("maximum"),
)
reduce_min = _reduction(
    "reduce_min",
    "min",
    np.minimum.reduce,
    "biuf",
    Vjp(_extreme_vjp, _extreme_jvp),
    _samples(f64, f32, i64, u8, bool_, empty=False),
    "the minimum over axes, NaN if there is one. Axes of extent 0 are refused; who emits it has checked symbolic ones.",
    _no_identity("minimum"),
)

_TRUTH = Nondifferentiable("a truth value has no derivative")
reduce_any = _reduction(
    "reduce_any", "any", np.logical_or.reduce, "b", _TRUTH, _samples(bool_), "whether any element is true"
)
reduce_all = _reduction(
    "reduce_all", "all", np.logical_and.reduce, "b", _TRUTH, _samples(bool_), "whether all elements are true"
)


def _position(name: str, function: Callable[..., Any], doc: str) -> Primitive:
    def rule(x: Type, *, axis: int, keepdims: bool) -> Type:
        type_ = array(x)
        require_kind(type_.dtype, "biuf", name)
        check_axis(axis, type_.rank, name)
        if type_.shape[axis] == 0:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        return TensorType(i64, reduced_shape(type_.shape, (axis,), keepdims))

    def samples() -> Iterable[Sample]:
        for extents, axis, keepdims in (((2, 3), 0, False), ((2, 3), 1, True), ((4,), 0, False), ((2, 3, 4), 1, False)):
            yield Sample((mixed(extents, 1),), {"axis": axis, "keepdims": keepdims})
        yield Sample((mixed((2, 6), 1, u8),), {"axis": 1, "keepdims": False})
        ties = np.array([[1.0, 3.0, 3.0, 1.0], [2.0, np.nan, 5.0, np.nan], [-np.inf, -np.inf, -np.inf, -np.inf]])
        yield Sample((ties,), {"axis": 1, "keepdims": False})

    return declare(
        name,
        "x",
        rule=rule,
        reference=lambda x, *, axis, keepdims: np.asarray(function(x, axis=axis, keepdims=keepdims)),
        lowering=Reduce(name),
        derivative=Nondifferentiable("a position has no derivative"),
        batch=batching.axes,
        samples=samples,
        doc=doc,
    )


argmax = _position("argmax", np.argmax, "the place of the first maximum (or NaN) along an axis, as i64")
argmin = _position("argmin", np.argmin, "the place of the first minimum (or NaN) along an axis, as i64")


# --- cumulative sums --------------------------------------------------------------------------------


def _cumsum_rule(x: Type, *, axis: int, reverse: bool = False) -> Type:
    type_ = array(x)
    require_kind(type_.dtype, "iufc", "cumsum")
    check_axis(axis, type_.rank, "cumsum")
    return type_


def _cumsum_reference(x: Any, *, axis: int, reverse: bool = False) -> Any:
    with np.errstate(all="ignore"):
        if reverse:
            return np.flip(np.cumsum(np.flip(x, axis), axis, dtype=x.dtype), axis)
        return np.cumsum(x, axis, dtype=x.dtype)


def _cumsum_kernel(t: Template, x: str, *, axis: int, reverse: bool = False) -> None:
    layout = t.layouts[x]
    n = layout.shape[axis]
    k = t.kernel(x, t.outs[0])
    point = list(k.axes(layout.shape[:axis]))
    position = k.axis(n, serial=True)
    inner = k.axes(layout.shape[axis + 1 :])
    step, first = (-1, n - 1) if reverse else (1, 0)
    here = position * step + first
    started = k("gt", bool_, k.index_value(position), k.const(i64, 0))
    total = k.load(t.outs[0], (*point, here + -step, *inner), started)
    k.store(t.outs[0], (*point, here, *inner), k("add", layout.dtype, total, k.load(x, (*point, here, *inner))))


def _cumsum_samples() -> Iterable[Sample]:
    for dtype in (f64, f32, i64, u8):
        yield Sample((mixed((2, 3, 2), 1, dtype),), {"axis": 1})
    yield Sample((spread((5,)),), {"axis": 0, "reverse": True})
    yield Sample((spread((0, 2)),), {"axis": 0})


cumsum = declare(
    "cumsum",
    "x",
    rule=_cumsum_rule,
    reference=_cumsum_reference,
    lowering=KernelTemplate(_cumsum_kernel),
    derivative=Linear((0,), lambda cts, x, *, axis, reverse=False: (cumsum(cts[0], axis=axis, reverse=not reverse),)),
    batch=batching.axes,
    samples=_cumsum_samples,
    doc="the sums of the elements so far along an axis, from its end if `reverse`",
)
