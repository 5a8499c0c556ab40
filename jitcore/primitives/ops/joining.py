"""New arrays: of one value, of numbers in order, of arrays joined or padded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.kernel.build import Template
from jitcore.primitives.core import batching, broadcasting
from jitcore.primitives.core.batching import Operand
from jitcore.primitives.core.registry import (
    PRIMITIVES,
    KernelTemplate,
    Linear,
    Nondifferentiable,
    Primitive,
    Sample,
    Vjp,
    declare,
)
from jitcore.primitives.core.rules import array, check_axis, common_dtype, differ, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops import elementwise as ew
from jitcore.types import Dim, DType, Shape, TensorType, Type, bool_, dim_max, f32, f64, i64, u8


def _full_kernel(t: Template, value: str, *, shape: Shape) -> None:
    k = t.kernel(value, t.outs[0])
    k.store(t.outs[0], k.axes(shape), k.load(value, ()))


def _full_rule(value: Type, *, shape: Shape) -> Type:
    type_ = array(value, "value")
    if type_.rank:
        raise TypeError(f"full takes a rank-0 array, not {type_!r}")
    if any(isinstance(d, int) and d < 0 for d in shape):
        raise ValueError("negative dimensions are not allowed")
    return TensorType(type_.dtype, shape)


def _full_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    extents = params["shape"]
    return batching.tiled(Operand(batching.aligned(operands[0], len(extents)), False, extents), n)


full = declare(
    "full",
    "value",
    rule=_full_rule,
    reference=lambda value, *, shape: np.full(shape, value, np.asarray(value).dtype),
    lowering=KernelTemplate(_full_kernel, moves=True, generates=True),
    derivative=Linear(
        (0,),
        lambda cts, value, *, shape: (PRIMITIVES["reduce_sum"](cts[0], axis=tuple(range(len(shape))), keepdims=False),),
    ),
    batch=_full_rows,
    samples=lambda: (
        Sample((np.array(1.5),), {"shape": (2, 3)}),
        Sample((np.array(7, np.uint8),), {"shape": ()}),
        Sample((np.array(True),), {"shape": (0,)}),
    ),
    doc="a new array of one value",
)


def _iota_kernel(t: Template, *, length: Dim, dtype: DType) -> None:
    k = t.kernel(t.outs[0])
    position = k.axis(length)
    k.store(t.outs[0], (position,), k.cast(dtype, k.index_value(position)))


def _iota_rule(*, length: Dim, dtype: DType) -> Type:
    if dtype is bool_ or dtype.kind == "c":
        raise TypeError(f"iota gives numbers, not {dtype}")
    return TensorType(dtype, (length,))


iota = declare(
    "iota",
    "",
    rule=_iota_rule,
    reference=lambda *, length, dtype: np.arange(length).astype(dtype.numpy),
    lowering=KernelTemplate(_iota_kernel, moves=True, generates=True),
    derivative=Nondifferentiable("it depends on nothing"),
    samples=lambda: (Sample((), {"length": n, "dtype": d}) for n, d in ((4, i64), (3, f32), (0, f64), (300, u8))),
    doc="0, 1, 2, … length - 1",
)

# --- joining and padding ----------------------------------------------------------------------------


def _concatenate_rule(*types: Type, axis: int) -> Type:
    if not types:
        raise ValueError("need at least one array to concatenate")
    operands = tuple(array(t) for t in types)
    dtype = common_dtype(operands, "concatenate")
    first = operands[0].shape
    if not first:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    check_axis(axis, len(first), "concatenate")
    for k, operand in enumerate(operands):
        if operand.rank != len(first):
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{len(first)} dimension(s) and the array at index {k} has {operand.rank} dimension(s)"
            )
        for d, (have, want) in enumerate(zip(operand.shape, first, strict=True)):
            if d != axis and differ(have, want):
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {d}, the array at index 0 has size {want} and the array at index {k} has size {have}"
                )
    length: Dim = 0
    for operand in operands:
        length = length + operand.shape[axis]
    return TensorType(dtype, (*first[:axis], length, *first[axis + 1 :]))


def _concatenate_kernel(t: Template, *xs: str, axis: int) -> None:
    start: Dim = 0
    for x in xs:
        k = t.kernel(x, t.outs[0])
        point = k.axes(t.layouts[x].shape)
        target = tuple(index + start if d == axis else index for d, index in enumerate(point))
        k.store(t.outs[0], target, k.load(x, point))
        start = start + t.layouts[x].shape[axis]


def _concatenate_vjp(cotangents: Sequence[Any], outs: Sequence[Any], *xs: Any, axis: int) -> Sequence[Any]:
    start: Dim = 0
    parts: list[Any] = []
    for x in xs:
        extents = tensor_type(x).shape
        spec = tuple(("s", start if d == axis else 0, 1, n) for d, n in enumerate(extents))
        parts.append(broadcasting.with_shape(PRIMITIVES["view_index"](cotangents[0], spec=spec), extents))
        start = start + extents[axis]
    return parts


def _concatenate_jvp(tangents: Sequence[Any], outs: Sequence[Any], *xs: Any, axis: int) -> Sequence[Any]:
    parts = [broadcasting.zeros(tensor_type(x)) if t is None else t for t, x in zip(tangents, xs, strict=True)]
    return (concatenate(*parts, axis=axis),)


def _concatenate_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    return op(*(batching.tiled(o, n) for o in operands), axis=params["axis"] + 1)


concatenate = declare(
    "concatenate",
    "*xs",
    rule=_concatenate_rule,
    reference=lambda *xs, axis: np.concatenate(xs, axis),
    lowering=KernelTemplate(_concatenate_kernel, moves=True),
    derivative=Vjp(_concatenate_vjp, _concatenate_jvp),
    batch=_concatenate_rows,
    samples=lambda: (
        Sample((spread((2, 3)), spread((2, 1)), spread((2, 0))), {"axis": 1}),
        Sample((spread((2, 3), dtype=f32), spread((1, 3), dtype=f32)), {"axis": 0}),
        Sample((mixed((3,), 1, bool_),), {"axis": 0}),
    ),
    doc="arrays one after another along an axis",
)


def padded_extent(extent: Dim, low: Dim, high: Dim, interior: int) -> Dim:
    """The extent after padding."""
    gaps = dim_max(extent - 1, 0) * interior if interior else 0
    return low + extent + gaps + high


def _pad_rule(x: Type, value: Type, *, low: Shape, high: Shape, interior: tuple[int, ...]) -> Type:
    type_, filling = array(x), array(value, "value")
    common_dtype((type_, filling), "pad")
    if filling.rank:
        raise TypeError(f"pad takes a rank-0 array to fill with, not {filling!r}")
    if not len(low) == len(high) == len(interior) == type_.rank:
        raise ValueError("pad: low, high and interior have one number for every axis")
    extents = tuple(padded_extent(*each) for each in zip(type_.shape, low, high, interior, strict=True))
    if any(isinstance(d, int) and d < 0 for d in extents) or any(k < 0 for k in interior):
        raise ValueError("negative dimensions are not allowed")
    return TensorType(type_.dtype, extents)


def _pad_reference(x: Any, value: Any, *, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Any:
    whole = np.full(
        [max(n - 1, 0) * (k + 1) + min(n, 1) for n, k in zip(x.shape, interior, strict=True)], value, x.dtype
    )
    whole[tuple(slice(None, None, k + 1) for k in interior)] = x
    whole = np.pad(
        whole, [(max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True)], constant_values=np.asarray(value)
    )
    cut = tuple(slice(max(-a, 0), n - max(-b, 0)) for a, b, n in zip(low, high, whole.shape, strict=True))
    return whole[cut]


def _pad_kernel(t: Template, x: str, value: str, *, low: Shape, high: Shape, interior: tuple[int, ...]) -> None:
    out = t.outs[0]
    source, target = t.layouts[x], t.layouts[out]
    if not any(interior):
        k = t.kernel(x, value, out)
        point = k.axes(target.shape)
        place = [index + -a for index, a in zip(point, low, strict=True)]
        padded = [d for d in range(len(low)) if not low[d] == high[d] == 0]
        inside = k.all_of(*(k.within(place[d], source.shape[d]) for d in padded))
        element = k.load(x, place, inside)
        if inside is not None:
            element = k("select", source.dtype, inside, element, k.load(value, ()))
        k.store(out, point, element)
        return
    _full_kernel_into(t, value, out)
    k = t.kernel(x, out)
    point = k.axes(source.shape)
    place = [index * (gap + 1) + a for index, gap, a in zip(point, interior, low, strict=True)]
    cropped = [d for d in range(len(low)) if not _not_negative(low[d]) or not _not_negative(high[d])]
    inside = k.all_of(*(k.within(place[d], target.shape[d]) for d in cropped))
    k.store(out, place, k.load(x, point), inside)


def _full_kernel_into(t: Template, value: str, out: str) -> None:
    k = t.kernel(value, out)
    k.store(out, k.axes(t.layouts[out].shape), k.load(value, ()))


def _not_negative(dim: Dim) -> bool:
    return isinstance(dim, int) and dim >= 0


def _pad_transpose(
    cotangents: Sequence[Any], x: Any, value: Any, *, low: Shape, high: Shape, interior: tuple[int, ...]
) -> Sequence[Any]:
    (ct,) = cotangents
    extents = tensor_type(x).shape
    none = (0,) * len(low)
    cut_low = tuple(0 if _not_negative(a) else dim_max(-1 * a, 0) for a in low)
    cut_high = tuple(0 if _not_negative(b) else dim_max(-1 * b, 0) for b in high)
    whole = ct
    if any(c != 0 for c in (*cut_low, *cut_high)):  # what was cropped away has no cotangent
        whole = pad(ct, 0, low=cut_low, high=cut_high, interior=none)
    spec = tuple(("s", a + c, gap + 1, n) for a, c, gap, n in zip(low, cut_low, interior, extents, strict=True))
    by_x = broadcasting.with_shape(PRIMITIVES["view_index"](whole, spec=spec), extents)
    from_x = pad(
        broadcasting.filled(1, TensorType(bool_, extents)),
        broadcasting.zeros(TensorType(bool_, ())),
        low=low,
        high=high,
        interior=interior,
    )
    axes = tuple(range(len(low)))
    return by_x, PRIMITIVES["reduce_sum"](ew.select(from_x, 0, ct), axis=axes, keepdims=False)


def _pad_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 3)), np.array(0.5)), {"low": (1, 0), "high": (0, 2), "interior": (0, 0)})
    yield Sample((spread((2, 3)), np.array(0.5)), {"low": (1, 2), "high": (3, 0), "interior": (1, 2)})
    yield Sample((spread((4, 5)), np.array(0.0)), {"low": (-1, 0), "high": (1, -2), "interior": (0, 1)})
    yield Sample((spread((4,)), np.array(0.5)), {"low": (-1,), "high": (-1,), "interior": (0,)})
    yield Sample((spread((0,)), np.array(0.5)), {"low": (1,), "high": (1,), "interior": (2,)})
    yield Sample((mixed((3,), 1, u8), np.array(9, np.uint8)), {"low": (1,), "high": (1,), "interior": (0,)})


def _pad_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    x, filling = operands
    if filling.batched:
        return None
    return op(x.atom, filling.atom, **{name: (0, *params[name]) for name in ("low", "high", "interior")})


pad = declare(
    "pad",
    "x value",
    rule=_pad_rule,
    reference=_pad_reference,
    lowering=KernelTemplate(_pad_kernel, moves=True),
    derivative=Linear((0, 1), _pad_transpose),
    batch=_pad_rows,
    samples=_pad_samples,
    doc="`low` and `high` elements put around every axis (taken off if negative), `interior` between neighbours",
)
