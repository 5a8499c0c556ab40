"""Slices: read, and written into new Tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.array import creation, gather, indexing
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.primitives.ops import conversions, python_scalars
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, i64


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


@operator("narrow_view NarrowView")
@operator("narrow .narrow")
def narrow(input: Any, axis: Any, start: Any, length: Any) -> Any:
    """`length` elements from `start` on along an axis."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    _require_within(start, length, shape_of(a)[k])
    return indexing.getitem(a, (*[slice(None)] * k, slice(start, _plus(start, length))))


@operator("select_scatter .select_scatter")
def select_scatter(input: Any, src: Any, axis: Any, index: Any) -> Any:
    """The input with another sub-Tensor at an index of an axis."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    at = index_modes.checked(
        as_array([index]) if is_array(index) else evaluator().constant([index], i64), shape_of(a)[k], k
    )
    part = s.expand_dims(as_array(as_array(src), dtype_of_value(a)), axis=(k,))
    return ix.scatter_set(a, at, part, axis=k)


@operator("slice_scatter .slice_scatter")
def slice_scatter(input: Any, src: Any, axis: Any = 0, start: Any = None, end: Any = None, step: Any = 1) -> Any:
    """The input with another slice of an axis."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    places = creation.arange(evaluator().number(shape_of(a)[k]))
    chosen = indexing.basic_view(places, indexing.parse_key(places, slice(start, end, step)))
    return ix.scatter_set(a, chosen, as_array(as_array(src), dtype_of_value(a)), axis=k)


@operator("select_ext_view SelectExtView")
def select_view(input: Any, dim: Any, index: Any) -> Any:
    """The part of the input at an index along an axis."""
    a = as_array(input)
    return indexing.getitem(a, (*[slice(None)] * normal_axis(dim, rank_of(a)), index))


@operator("slice_ext_view SliceExtView")
def slice_view(input: Any, dim: Any = 0, start: Any = 0, end: Any = None, step: Any = 1) -> Any:
    """The input from `start` to `end` along an axis."""
    a = as_array(input)
    return indexing.getitem(a, (*[slice(None)] * normal_axis(dim, rank_of(a)), slice(start, end, step)))


@operator("select_ext")
def select_ext(input: Any, dim: Any, index: Any) -> Any:
    """What is at an index along an axis."""
    a = as_array(input)
    k = normal_axis(dim, rank_of(a))
    place = index if is_array(index) or index >= 0 else index + evaluator().number(shape_of(a)[k])
    return gather.gather(a, place, k)


@operator("tail")
def tail(x: Any) -> Any:
    """All but the first of several values."""
    return x[1:]
