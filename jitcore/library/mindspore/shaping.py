"""Operators on shapes: views, joining and splitting, repeating, rearranging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.config import settings
from jitcore.library.array import arrangement, creation, indexing, shapes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import as_array, evaluator, is_array, normal_axis, rank_of, shape_of, static_int
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions, python_scalars
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, i64

operator("atleast_1d")(shapes.atleast_1d)
operator("atleast_2d")(arrangement.atleast_2d)
operator("atleast_3d")(arrangement.atleast_3d)
operator("moveaxis movedim .moveaxis .movedim")(shapes.moveaxis)
operator("swapaxes swapdims .swapaxes .swapdims")(shapes.swapaxes)
operator("ravel .ravel")(shapes.ravel)
operator("Transpose")(shapes.transpose)


def static_ints(value: Any, what: str) -> list[int]:
    """Ints known when the program is compiled: one, several, or the elements of a Tensor."""
    found = evaluator().static(value, what)
    if isinstance(found, list | tuple):
        return [static_int(v, what) for v in cast("Sequence[Any]", found)]
    if hasattr(found, "tolist"):
        listed = found.tolist()
        return (
            [int(v) for v in listed]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            if isinstance(listed, list)
            else [int(listed)]
        )
    return [static_int(found, what)]


# --- views ------------------------------------------------------------------------------------------


def _extents(shape: Any) -> Any:
    """A shape whose numbers are known where -1 may be among them: the arguments' are, as in MindSpore."""
    if not isinstance(shape, list | tuple):
        return static_ints(shape, "the shape") if is_array(shape) else (evaluator().settled(shape),)
    items = cast("Sequence[Any]", shape)
    return items if any(type(n) is int and n == -1 for n in items) else tuple(map(evaluator().settled, items))


@operator("reshape Reshape")
def reshape(input: Any, shape: Any) -> Any:
    """The input with another shape; one extent may be -1."""
    return shapes.reshape(input, tuple(_extents(shape)))


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


@operator(".permute")
def permute(input: Any, *axis: Any) -> Any:
    """The input with its axes permuted (none given: reversed)."""
    return shapes.transpose(input, *axis)


@operator(".view")
@operator(".reshape")
def reshape_method(input: Any, *sizes: Any, shape: Any = None) -> Any:
    """The input with another shape, its extents or a tuple of them; one may be -1."""
    sizes = sizes if shape is None else (shape,)
    if len(sizes) == 1 and is_array(sizes[0]):
        return reshape(input, sizes[0])
    return shapes.reshape(input, *sizes)


@operator("expand_dims unsqueeze ExpandDims .expand_dims .unsqueeze")
def expand_dims(input_x: Any, axis: Any) -> Any:
    """The input with a new axis of extent 1."""
    return shapes.expand_dims(input_x, axis)


@operator("squeeze .squeeze")
def squeeze(input: Any, axis: Any = None) -> Any:
    """The input without its axes of extent 1, or those of `axis`; under MindSpore's rules axes of `axis` that have
    another extent stay."""
    if axis is None or axis == ():
        return shapes.squeeze(input)
    return shapes.squeeze(input, _of_one(input, axis) if settings.mindspore_rules else axis)


def _of_one(input: Any, axis: Any) -> tuple[int, ...]:
    """Those of some axes, each once, that have extent 1, or may have: theirs is checked where the program gets here."""
    shape = shape_of(as_array(input))
    axes = static_ints(axis, "the axis")
    of_one = (k for k in axes if not -len(shape) <= k < len(shape) or evaluator().may_be_one(shape[k]))
    return tuple({k % len(shape) if -len(shape) <= k < len(shape) else k: None for k in of_one})


@operator("Squeeze")
def squeeze_set_up(input_x: Any, *, axis: Any = ()) -> Any:
    """As `squeeze`."""
    return squeeze(input_x, axis)


@operator("expand .expand")
def expand(input: Any, *size: Any) -> Any:
    """The input repeated along axes of extent 1 and new ones; -1 keeps an extent."""
    return broadcast_to(input, size[0] if len(size) == 1 and isinstance(size[0], list | tuple) else size)


@operator(".broadcast_to")
def broadcast_to_method(input: Any, *sizes: Any, shape: Any = None) -> Any:
    """As `broadcast_to`; the extents may be given one by one."""
    return expand(input, *(sizes if shape is None else (shape,)))


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


@operator(".flatten")
def flatten_method(input: Any, order: Any = "C", end: Any = None, *, start_dim: Any = 0, end_dim: Any = -1) -> Any:
    """The axes from `start_dim` to `end_dim` made one: all, unless said otherwise; by position, these or an order ('C'
    or 'F')."""
    if not isinstance(order, str):
        order, start_dim, end_dim = "C", order, end_dim if end is None else end
    return elementwise.copy(flatten(input, order, start_dim=start_dim, end_dim=end_dim))


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
    merged: Dim = 1
    for extent in extents[first : last + 1]:
        merged = merged * extent
    return s.reshape(a, shape=(*extents[:first], merged, *extents[last + 1 :]))


@operator("diagonal .diagonal")
def diagonal(input: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    """The elements with (apart from the offset) equal indices along two axes, as the last axis."""
    a = as_array(input)
    i, j = normal_axis(dim1, rank_of(a)), normal_axis(dim2, rank_of(a))
    if i == j:
        raise ValueError("For 'diagonal', 'dim1' and 'dim2' cannot be identical.")
    return arrangement.diagonal(shapes.moveaxis(a, (i, j), (0, 1)), offset)


in_constructor("Diagonal", diagonal, "offset", "dim1", "dim2")


@operator("diag Diag")
def diag(input: Any) -> Any:
    """An array of rank 2 n with the elements of one of rank n where both halves of an index are the same, else zeros: a
    vector as the diagonal of a matrix."""
    x = as_array(input)
    extents = shape_of(x)
    made = arrangement.diag(shapes.ravel(x))
    return made if len(extents) == 1 else shapes.reshape(made, (*extents, *extents))


@operator("DiagPart diag_part")
def diag_part(input_x: Any) -> Any:
    """The diagonal of a matrix."""
    return shapes.diagonal(input_x)


@operator("diag_embed .diag_embed")
def diag_embed(input: Any, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """Matrices with the last axis of the input on a diagonal."""
    a = as_array(input)
    k = static_int(offset, "the offset")
    n = shape_of(a)[-1]
    size = n + abs(k)
    rows, columns = creation.arange(evaluator().number(size)), creation.arange(evaluator().number(size))
    low, high = (0, k) if k >= 0 else (-k, 0)
    width = [(0, 0)] * (rank_of(a) - 1)
    across = shapes.pad(a, [*width, (max(low, high), 0)])
    hit = e.equal(columns, e.add(s.expand_dims(rows, axis=(1,)), k))
    values = s.expand_dims(across, axis=(rank_of(a) - 1,)) if k >= 0 else s.expand_dims(across, axis=(rank_of(a),))
    return shapes.moveaxis(e.select(hit, values, 0), (-2, -1), (dim1, dim2))


@operator("tril .tril")
def tril(input: Any, diagonal: Any = 0) -> Any:
    """The input with zeros above a diagonal."""
    return shapes.tril(input, diagonal)


@operator("triu .triu")
def triu(input: Any, diagonal: Any = 0) -> Any:
    """The input with zeros below a diagonal."""
    return shapes.triu(input, diagonal)


@operator("Tril")
def tril_set_up(x: Any, *, diagonal: Any = 0) -> Any:
    """As `tril`."""
    return shapes.tril(x, diagonal)


@operator("Triu")
def triu_set_up(x: Any, *, diagonal: Any = 0) -> Any:
    """As `triu`."""
    return shapes.triu(x, diagonal)


@operator("Slice")
@operator("slice")
def slice_(input_x: Any, begin: Any, size: Any) -> Any:
    """`size` elements from `begin` on, by axis; a size of -1 takes all that follow."""
    a = as_array(input_x)
    starts, sizes = _items(begin), _items(size)
    if len(starts) != rank_of(a) or len(sizes) != rank_of(a):
        raise ValueError("For 'Slice', the length of 'begin' and 'size' must be the number of dimensions of the input.")
    for start, length, extent in zip(starts, sizes, shape_of(a), strict=True):
        _require_within(start, length, extent)
    key = tuple(
        slice(b, None) if isinstance(n, int) and n == -1 else slice(b, _plus(b, n))
        for b, n in zip(starts, sizes, strict=True)
    )
    return indexing.getitem(a, key)


def _require_within(start: Any, length: Any, extent: Dim) -> None:
    """Raise ValueError unless `length` elements (-1: all) from `start` on are within an axis: now, or where the program
    gets here."""
    message = "the elements from {0} to {1} are out of range of an axis of {2}"
    end = start if isinstance(length, int) and length == -1 else _plus(start, length)
    size = evaluator().number(extent)
    if isinstance(start, int) and isinstance(end, int) and isinstance(size, int):
        if not 0 <= start <= end <= size:
            raise ValueError(message.format(start, end, size))
        return
    for low, high in ((0, start), (start, end), (end, size)):
        if low is not high and not (isinstance(low, int) and isinstance(high, int) and low <= high):
            conversions.check(
                python_scalars.int_le(low, high), start, end, size, exception="ValueError", message=message
            )


def _plus(a: Any, b: Any) -> Any:
    return a + b if isinstance(a, int) and isinstance(b, int) else python_scalars.int_add(a, b)


def _items(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return list(cast("Sequence[Any]", value))
    return list(static_ints(value, "the places"))


@operator("strided_slice")
def strided_slice(
    input_x: Any,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: Any = 0,
    end_mask: Any = 0,
    ellipsis_mask: Any = 0,
    new_axis_mask: Any = 0,
    shrink_axis_mask: Any = 0,
) -> Any:
    """`input[begin:end:strides]`, with a bit of each mask for every place: no begin, no end, `...`, a new axis, an
    index."""
    masks = [begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask]
    no_begin, no_end, ellipsis, new_axis, shrink = (static_int(m, "a mask of strided_slice") for m in masks)
    key: list[Any] = []
    for k, (lo, hi, step) in enumerate(zip(_items(begin), _items(end), _items(strides), strict=True)):
        bit = 1 << k
        if ellipsis & bit:
            key.append(Ellipsis)
        elif new_axis & bit:
            key.append(None)
        elif shrink & bit:
            key.append(lo)
        else:
            key.append(slice(None if no_begin & bit else lo, None if no_end & bit else hi, step))
    return indexing.getitem(as_array(input_x), tuple(key))


@operator("StridedSlice")
def strided_slice_set_up(
    input_x: Any,
    begin: Any,
    end: Any,
    strides: Any,
    *,
    begin_mask: Any = 0,
    end_mask: Any = 0,
    ellipsis_mask: Any = 0,
    new_axis_mask: Any = 0,
    shrink_axis_mask: Any = 0,
) -> Any:
    """As `strided_slice`."""
    return strided_slice(
        input_x, begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    )


@operator("narrow .narrow")
def narrow(input: Any, axis: Any, start: Any, length: Any) -> Any:
    """`length` elements from `start` on along an axis."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    _require_within(start, length, shape_of(a)[k])
    return indexing.getitem(a, (*[slice(None)] * k, slice(start, _plus(start, length))))


# --- asking -----------------------------------------------------------------------------------------


@operator("DynamicShape TensorShape dyn_shape")
def dynamic_shape(x: Any) -> Any:
    """The extents, as a Tensor of int64."""
    return creation.array([evaluator().number(n) for n in shape_of(x)] or evaluator().constant([], i64), i64)
