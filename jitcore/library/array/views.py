"""Shapes: reshaped, transposed, squeezed, expanded and flattened Tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore.library.array import arrangement, shapes
from jitcore.library.array.gather import take
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    evaluator,
    is_array,
    meanings,
    normal_axis,
    product_of,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import shape as s
from jitcore.types import i64

operator("atleast_1d")(shapes.atleast_1d)
operator("atleast_2d")(arrangement.atleast_2d)
operator("atleast_3d")(arrangement.atleast_3d)
operator("moveaxis movedim .moveaxis .movedim")(shapes.moveaxis)
operator("swapaxes swapdims .swapaxes .swapdims")(shapes.swapaxes)
operator("ravel .ravel")(shapes.ravel)
operator("Transpose")(shapes.transpose)


def _settled(shape: Any) -> Any:
    """A shape whose numbers are known where -1 may be among them: the arguments' are, as in MindSpore."""
    if not isinstance(shape, list | tuple):
        return static_ints(shape, "the shape") if is_array(shape) else (evaluator().settled(shape),)
    items = cast("Sequence[Any]", shape)
    return items if any(type(n) is int and n == -1 for n in items) else tuple(map(evaluator().settled, items))


@operator("reshape_view ReshapeView")
@operator("reshape Reshape")
def reshape(input: Any, shape: Any) -> Any:
    """The input with another shape; one extent may be -1."""
    return shapes.reshape(input, tuple(_settled(shape)))


@operator(".view")
@operator(".reshape")
def reshape_method(input: Any, *sizes: Any, shape: Any = None) -> Any:
    """The input with another shape, its extents or a tuple of them; one may be -1."""
    sizes = sizes if shape is None else (shape,)
    if len(sizes) == 1 and is_array(sizes[0]):
        return reshape(input, sizes[0])
    return shapes.reshape(input, *sizes)


@operator("transpose_view TransposeView")
@operator("transpose permute")
def transpose(input: Any, input_perm: Any) -> Any:
    """The input with its axes permuted."""
    return shapes.transpose(input, tuple(static_ints(input_perm, "the permutation")))


@operator(".transpose")
def transpose_method(input: Any, *axis: Any, dim0: Any = None, dim1: Any = None) -> Any:
    """The input with its axes permuted (none given: reversed), or if two of other than two are given, or named, with
    those exchanged."""
    if dim0 is not None and dim1 is not None and not axis:
        return shapes.swapaxes(input, dim0, dim1)
    return (
        shapes.swapaxes(input, *axis) if len(axis) == 2 != rank_of(as_array(input)) else shapes.transpose(input, *axis)
    )


@operator("transpose_ext")
def transpose_ext(input: Any, dim0: Any, dim1: Any) -> Any:
    """The input with two axes exchanged."""
    return shapes.swapaxes(input, dim0, dim1)


@operator(".permute")
def permute(input: Any, *axis: Any) -> Any:
    """The input with its axes permuted (none given: reversed)."""
    return shapes.transpose(input, *axis)


@operator("expand_dims_view ExpandDimsView")
@operator("expand_dims unsqueeze ExpandDims .expand_dims .unsqueeze")
def expand_dims(input_x: Any, axis: Any) -> Any:
    """The input with a new axis of extent 1."""
    return shapes.expand_dims(input_x, axis)


@operator("squeeze_view SqueezeView")
@operator("squeeze .squeeze")
def squeeze(input: Any, axis: Any = None) -> Any:
    """The input without its axes of extent 1, or those of `axis`; under MindSpore's rules axes of `axis` that have
    another extent stay."""
    if axis is None or axis == ():
        return shapes.squeeze(input)
    return shapes.squeeze(input, _of_one(input, axis) if meanings(input).squeezes_what_it_can else axis)


@operator("Squeeze")
def squeeze_set_up(input_x: Any, *, axis: Any = ()) -> Any:
    """As `squeeze`."""
    return squeeze(input_x, axis)


def _of_one(input: Any, axis: Any) -> tuple[int, ...]:
    """Those of some axes, each once, that have extent 1, or may have: theirs is checked where the program gets here."""
    shape = shape_of(as_array(input))
    axes = static_ints(axis, "the axis")
    of_one = (k for k in axes if not -len(shape) <= k < len(shape) or evaluator().may_be_one(shape[k]))
    return tuple({k % len(shape) if -len(shape) <= k < len(shape) else k: None for k in of_one})


@operator("expand .expand")
def expand(input: Any, *size: Any) -> Any:
    """The input repeated along axes of extent 1 and new ones; -1 keeps an extent."""
    return broadcast_to(input, size[0] if len(size) == 1 and isinstance(size[0], list | tuple) else size)


@operator("Expand")
def expand_set_up(x: Any, shape: Any) -> Any:
    """x repeated along axes of extent 1 and new ones."""
    return broadcast_to(x, tuple(static_ints(shape, "the shape")))


@operator("broadcast_to_view BroadcastToView")
@operator("broadcast_to")
def broadcast_to(input: Any, shape: Any) -> Any:
    """The input repeated along axes of extent 1 and new ones; -1 keeps an extent."""
    a = as_array(input)
    wanted = tuple(cast("Sequence[Any]", shape)) if isinstance(shape, list | tuple) else (shape,)
    new = len(wanted) - rank_of(a)
    extents = tuple(
        evaluator().number(shape_of(a)[k - new]) if isinstance(n, int) and n == -1 and k >= new else n
        for k, n in enumerate(wanted)
    )
    return shapes.broadcast_to(a, extents)


@operator(".broadcast_to")
def broadcast_to_method(input: Any, *sizes: Any, shape: Any = None) -> Any:
    """As `broadcast_to`; the extents may be given one by one."""
    return expand(input, *(sizes if shape is None else (shape,)))


@operator("BroadcastTo")
def broadcast_to_set_up(input: Any, *, shape: Any) -> Any:
    """As `broadcast_to`."""
    return broadcast_to(input, shape)


@operator("broadcast_like .expand_as")
def expand_as(input: Any, other: Any) -> Any:
    """The input broadcast to the shape of another Tensor."""
    return s.broadcast_to(shapes.broadcast_to(input, _numbers(shape_of(other))), shape=shape_of(other))


def _numbers(shape: Any) -> tuple[Any, ...]:
    return tuple(evaluator().number(n) for n in shape)


@operator("flatten")
def flatten(input: Any, order: Any = "C", *, start_dim: Any = 1, end_dim: Any = -1) -> Any:
    """The axes from `start_dim` to `end_dim` made one."""
    a = as_array(input)
    if order not in ("C", "F"):
        raise ValueError(f"For 'flatten', argument 'order' value should be one of ['C', 'F'], but got {order}.")
    if order == "F":
        a = shapes.transpose(a)
    rank = rank_of(a)
    if rank <= 1:
        for axis in (start_dim, end_dim):
            if static_int(axis, "an axis of flatten") != 1:  # the default, which vectors do not have
                normal_axis(axis, max(rank, 1))
        return shapes.reshape(a, -1)
    first, last = normal_axis(start_dim, rank), normal_axis(end_dim, rank)
    if last < first:
        raise ValueError("For 'flatten', 'start_dim' cannot come after 'end_dim'.")
    extents = shape_of(a)
    return s.reshape(a, shape=(*extents[:first], product_of(extents[first : last + 1]), *extents[last + 1 :]))


@operator(".flatten")
def flatten_method(input: Any, order: Any = "C", end: Any = None, *, start_dim: Any = 0, end_dim: Any = -1) -> Any:
    """The axes from `start_dim` to `end_dim` made one: all, unless said otherwise; by position, these or an order ('C'
    or 'F')."""
    if not isinstance(order, str):
        order, start_dim, end_dim = "C", order, end_dim if end is None else end
    return elementwise.copy(flatten(input, order, start_dim=start_dim, end_dim=end_dim))


@operator("flatten_ext")
def flatten_ext(input: Any, start_dim: Any = 0, end_dim: Any = -1) -> Any:
    """The axes from one to another as one."""
    return flatten(input, start_dim=start_dim, end_dim=end_dim)


operator("broadcast_tensors")(arrangement.broadcast_arrays)
operator("expand_as")(lambda input, other: s.broadcast_to(as_array(input), shape=shape_of(other)))


@operator("t .t")
def t(input: Any) -> Any:
    """A matrix transposed; a vector as it is, and by MindSpore's rules what has more axes, too."""
    if rank_of(as_array(input)) > 2:
        if meanings(input).transposes_all_ranks:
            return input
        raise ValueError("For 't', a Tensor of at most 2 dimensions is needed.")
    return shapes.transpose(input)


@operator("matrix_transpose")
def matrix_transpose(input: Any) -> Any:
    """The last two axes exchanged."""
    return shapes.swapaxes(input, -2, -1)


@operator("adjoint .adjoint ConjugateTranspose")
def adjoint(x: Any, perm: Any = None) -> Any:
    """The conjugate of the transpose."""
    turned = shapes.swapaxes(x, -2, -1) if perm is None else shapes.transpose(x, tuple(static_ints(perm, "perm")))
    return elementwise.conjugate(turned)


@operator("view_as_real")
def view_as_real(input: Any) -> Any:
    """The real and imaginary parts, as a last axis."""
    return shapes.stack((elementwise.real(input), elementwise.imag(input)), -1)


@operator("as_strided .as_strided")
def as_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """The elements of the input, as they lie in a row, at the places that sizes, steps and a first place say."""
    sizes, steps = static_ints(size, "size"), static_ints(stride, "stride")
    if len(sizes) != len(steps):
        raise ValueError(f"For 'as_strided', there are {len(sizes)} sizes and {len(steps)} strides.")
    first = 0 if storage_offset is None else static_int(storage_offset, "storage_offset")
    places = first + sum(
        np.arange(n).reshape(-1, *(1,) * k) * st for k, (n, st) in enumerate(zip(sizes[::-1], steps[::-1], strict=True))
    )
    constant = evaluator().constant(np.asarray(places, np.int64), i64)
    return take(shapes.ravel(as_array(input)), constant)


@operator("transpose_ext_view TransposeExtView")
def swapped_view(input: Any, dim0: Any, dim1: Any) -> Any:
    """The input with two axes exchanged."""
    return shapes.swapaxes(input, dim0, dim1)


@operator(".view_as .reshape_as")
def reshape_as(x: Any, other: Any) -> Any:
    """The Tensor in the shape of another."""
    return shapes.reshape(x, tuple(evaluator().number(n) for n in shape_of(other)))


@operator("TransShape")
def trans_shape(input_x: Any, out_shape: Any) -> Any:
    """As `reshape`."""
    return shapes.reshape(input_x, out_shape)


@operator(".resize")
def resize(x: Any, *new_shape: Any) -> Any:
    """The elements in row-major order in another shape: cut off, or with zeros behind."""
    if not new_shape:
        return x
    given = new_shape[0] if len(new_shape) == 1 and isinstance(new_shape[0], tuple | list) else new_shape
    extents = tuple(static_int(n, "an extent") for n in given)
    if any(n < 0 for n in extents):
        raise ValueError(f"an extent of resize is negative in {extents}")
    count = 1
    for n in extents:
        count *= n
    flat = shapes.ravel(as_array(x))
    have = static_int(evaluator().number(shape_of(flat)[0]), "the number of elements")
    flat = shapes.slice_axis(flat, 0, 0, count) if count <= have else shapes.pad(flat, [(0, count - have)])
    return shapes.reshape(flat, *extents)


@operator(".sum_to_size")
def sum_to_size(x: Any, *size: Any) -> Any:
    """The sum over the axes along which a shape would be broadcast to the Tensor's."""
    wanted = tuple(size[0]) if len(size) == 1 and isinstance(size[0], tuple | list) else size
    a = as_array(x)
    more = rank_of(a) - len(wanted)
    whole = tuple(static_int(evaluator().number(d), "an extent") for d in shape_of(a))
    told = f"For sum_to_size, size {wanted} is not expandable to the tensor size {whole}."
    if more < 0:
        raise ValueError(told)
    a = reductions.sum(a, tuple(range(more))) if more else a
    have = whole[more:]
    narrow = tuple(k for k, n in enumerate(wanted) if n == 1 and have[k] != 1)
    if any(n != have[k] for k, n in enumerate(wanted) if k not in narrow):
        raise ValueError(told)
    return reductions.sum(a, narrow, keepdims=True) if narrow else a


@operator("unflatten .unflatten")
def unflatten(input: Any, dim: Any, sizes: Any) -> Any:
    """An axis split into several, one of whose extents may be -1."""
    a = as_array(input)
    axis = normal_axis(dim, rank_of(a))
    parts = tuple(sizes) if isinstance(sizes, tuple | list) else (sizes,)
    extents = [evaluator().number(n) for n in shape_of(a)]
    return shapes.reshape(a, (*extents[:axis], *parts, *extents[axis + 1 :]))
