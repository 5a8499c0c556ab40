"""Views of the same memory under other extents: transpose, reshape, broadcasting, axes of extent 1."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.kernel.build import ArrayLayout
from jitcore.primitives.core import batching, broadcasting
from jitcore.primitives.core.batching import Operand
from jitcore.primitives.core.registry import Linear, Primitive, Sample, View, declare
from jitcore.primitives.core.rules import array, check_axis, differ, tensor_type
from jitcore.primitives.core.sampling import spread
from jitcore.types import Dim, Shape, TensorType, Type, dim_text, f32, shape_text

# --- transpose --------------------------------------------------------------------------------------


def _transpose_rule(x: Type, *, permutation: tuple[int, ...]) -> Type:
    type_ = array(x)
    if sorted(permutation) != list(range(type_.rank)):
        raise ValueError("axes don't match array")
    return TensorType(type_.dtype, tuple(type_.shape[k] for k in permutation))


def transposed_layout(view: ArrayLayout, *, permutation: tuple[int, ...]) -> ArrayLayout:
    """A layout with its axes in another order."""
    extents = tuple(view.shape[k] for k in permutation)
    return ArrayLayout(view.dtype, extents, tuple(view.strides[k] for k in permutation), view.offset)


def _inverse(permutation: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(permutation.index(k) for k in range(len(permutation)))


def transpose_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 3, 4)),), {"permutation": (2, 0, 1)})
    yield Sample((spread((2, 3), dtype=f32),), {"permutation": (1, 0)})
    yield Sample((spread(()),), {"permutation": ()})


def _transpose_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    return op(operands[0].atom, permutation=(0, *(k + 1 for k in params["permutation"])))


transpose = declare(
    "transpose",
    "x",
    rule=_transpose_rule,
    reference=lambda x, *, permutation: np.transpose(x, permutation),
    lowering=View(transposed_layout, computed=True),
    derivative=Linear((0,), lambda cts, x, *, permutation: (transpose(cts[0], permutation=_inverse(permutation)),)),
    batch=_transpose_rows,
    samples=transpose_samples,
    doc="the axes in another order",
)

# --- reshape ----------------------------------------------------------------------------------------


def reshape_rule(x: Type, *, shape: Shape) -> Type:
    """The rule of `reshape`. Whether symbolic sizes agree is for who emits it to check."""
    type_ = array(x)
    if any(isinstance(d, int) and d < 0 for d in shape):
        raise ValueError("negative dimensions are not allowed")
    if differ(type_.size, broadcasting.size_of(shape)):
        raise ValueError(f"cannot reshape array of size {dim_text(type_.size)} into shape {shape_text(shape)}")
    return TensorType(type_.dtype, shape)


def reshaped_layout(view: ArrayLayout, *, shape: Shape) -> ArrayLayout | None:
    """A layout with other extents over the same elements in the same order, if strides can say it.

    Old and new axes are matched in runs of equal size, in order, as NumPy's `_attempt_nocopy_reshape` does.
    """
    if view.is_contiguous or 0 in view.shape:
        made = ArrayLayout.contiguous(view.dtype, shape)
        return ArrayLayout(view.dtype, shape, made.strides, view.offset)
    old = [(d, s) for d, s in zip(view.shape, view.strides, strict=True) if d != 1]
    strides: list[Dim] = []
    start = 0
    position = 0
    while position < len(shape):
        if shape[position] == 1:
            strides.append(0)
            position += 1
            continue
        run = _matching_run([d for d, _ in old[start:]], shape[position:])
        if run is None:
            return None
        taken, given = run
        group = old[start : start + taken]
        if any(outer[1] != inner[1] * inner[0] for outer, inner in itertools.pairwise(group)):
            return None
        inner = group[-1][1]
        within = ArrayLayout.contiguous(view.dtype, shape[position : position + given]).strides
        strides += [s * inner for s in within]
        start += taken
        position += given
    return ArrayLayout(view.dtype, shape, tuple(strides), view.offset) if start == len(old) else None


def _matching_run(old: Sequence[Dim], new: Sequence[Dim]) -> tuple[int, int] | None:
    """The shortest prefixes of two lists of extents whose products are the same."""
    for taken in range(1, len(old) + 1):
        size = broadcasting.size_of(tuple(old[:taken]))
        for given in range(1, len(new) + 1):
            if broadcasting.size_of(tuple(new[:given])) == size:
                return taken, given
    return None


def _reshape_transpose(cotangents: Sequence[Any], x: Any, *, shape: Shape) -> Sequence[Any]:
    return (reshape(cotangents[0], shape=tensor_type(x).shape),)


def reshape_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 6)),), {"shape": (3, 4)})
    yield Sample((spread((4, 3, 2), dtype=f32).transpose(2, 0, 1),), {"shape": (2, 2, 2, 3)})
    yield Sample((spread((2, 3)),), {"shape": (6,)})
    yield Sample((spread((1, 1)),), {"shape": ()})
    yield Sample((spread((0, 3)),), {"shape": (3, 0)})


def _reshape_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    return op(operands[0].atom, shape=(n, *params["shape"]))


reshape = declare(
    "reshape",
    "x",
    rule=reshape_rule,
    reference=lambda x, *, shape: np.reshape(x, shape),
    lowering=View(reshaped_layout),
    derivative=Linear((0,), _reshape_transpose),
    batch=_reshape_rows,
    samples=lambda: (*reshape_samples(), Sample((spread((2, 3)).T,), {"shape": (6,)})),
    doc="the same elements in the same (row-major) order under other extents; a copy where strides cannot say it",
)

# --- broadcasting and extents of 1 ------------------------------------------------------------------


def _broadcast_rule(x: Type, *, shape: Shape) -> Type:
    type_ = array(x)
    if type_.rank > len(shape):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    for have, want in zip(reversed(type_.shape), reversed(shape), strict=False):
        if have != 1 and differ(have, want):
            original, target = shape_text(type_.shape), shape_text(shape)
            raise ValueError(
                "operands could not be broadcast together with remapped shapes [original->remapped]: "
                f"{original}  and requested shape {target}"
            )
    return TensorType(type_.dtype, shape)


def _broadcast_layout(view: ArrayLayout, *, shape: Shape) -> ArrayLayout:
    extra = len(shape) - len(view.shape)
    strides = [0 if d == 1 and d != n else s for d, s, n in zip(view.shape, view.strides, shape[extra:], strict=True)]
    return ArrayLayout(view.dtype, shape, (*(0 for _ in range(extra)), *strides), view.offset)


def _broadcast_samples() -> Iterable[Sample]:
    yield Sample((spread((3, 1)),), {"shape": (2, 3, 4)})
    yield Sample((spread((), dtype=f32),), {"shape": (3,)})
    yield Sample((spread((1,)),), {"shape": (0,)})
    yield Sample((spread((2, 3)),), {"shape": (2, 3)})


def _broadcast_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    target = params["shape"]
    return op(batching.aligned(operands[0], len(target)), shape=(n, *target))


broadcast_to = declare(
    "broadcast_to",
    "x",
    rule=_broadcast_rule,
    reference=lambda x, *, shape: np.broadcast_to(x, shape),
    lowering=View(_broadcast_layout, computed=True),
    derivative=Linear((0,), lambda cts, x, *, shape: (broadcasting.sum_to_shape(cts[0], tensor_type(x).shape),)),
    batch=_broadcast_rows,
    samples=_broadcast_samples,
    doc="the array repeated along new axes and axes of extent 1",
)


def _expand_rule(x: Type, *, axis: tuple[int, ...]) -> Type:
    type_ = array(x)
    rank = type_.rank + len(axis)
    for k in axis:
        check_axis(k, rank, "expand_dims")
    if len(set(axis)) != len(axis):
        raise ValueError("repeated axis")
    rest = iter(type_.shape)
    return TensorType(type_.dtype, tuple(1 if k in axis else next(rest) for k in range(rank)))


def _expand_layout(view: ArrayLayout, *, axis: tuple[int, ...]) -> ArrayLayout:
    rank = len(view.shape) + len(axis)
    pairs = iter(zip(view.shape, view.strides, strict=True))
    new = [(1, 0) if k in axis else next(pairs) for k in range(rank)]
    return ArrayLayout(view.dtype, tuple(d for d, _ in new), tuple(s for _, s in new), view.offset)


expand_dims = declare(
    "expand_dims",
    "x",
    rule=_expand_rule,
    reference=lambda x, *, axis: np.expand_dims(x, axis),
    lowering=View(_expand_layout, computed=True),
    derivative=Linear((0,), lambda cts, x, *, axis: (squeeze(cts[0], axis=axis),)),
    batch=batching.axes,
    samples=lambda: (
        Sample((spread((2, 3)),), {"axis": (0, 2)}),
        Sample((spread((), dtype=f32),), {"axis": (0,)}),
        Sample((spread((3,)),), {"axis": (1,)}),
    ),
    doc="axes of extent 1 put in, at `axis` of the result",
)


def _squeeze_rule(x: Type, *, axis: tuple[int, ...]) -> Type:
    type_ = array(x)
    for k in axis:
        check_axis(k, type_.rank, "squeeze")
        if type_.shape[k] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return TensorType(type_.dtype, tuple(d for k, d in enumerate(type_.shape) if k not in axis))


def _squeeze_layout(view: ArrayLayout, *, axis: tuple[int, ...]) -> ArrayLayout:
    kept = [k for k in range(len(view.shape)) if k not in axis]
    return ArrayLayout(
        view.dtype, tuple(view.shape[k] for k in kept), tuple(view.strides[k] for k in kept), view.offset
    )


squeeze = declare(
    "squeeze",
    "x",
    rule=_squeeze_rule,
    reference=lambda x, *, axis: np.squeeze(x, axis) if axis else x,
    lowering=View(_squeeze_layout, computed=True),
    derivative=Linear((0,), lambda cts, x, *, axis: (expand_dims(cts[0], axis=axis),)),
    batch=batching.axes,
    samples=lambda: (
        Sample((spread((1, 3, 1)),), {"axis": (0, 2)}),
        Sample((spread((1,), dtype=f32),), {"axis": (0,)}),
        Sample((spread((2,)),), {"axis": ()}),
    ),
    doc="axes of extent 1 taken out",
)
