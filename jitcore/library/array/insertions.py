"""NumPy's functions that take elements out of arrays, put others in, and repeat them: new arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from jitcore.library.array import arrangement, creation, indexing, sequences, shapes
from jitcore.library.core import index_modes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    product_of,
    rank_of,
    require_equal,
    shape_of,
    static_extent,
    static_int,
)
from jitcore.library.math import comparisons, elementwise, ufuncs
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, python_ints
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.types import bool_, i64, u8


def size_of(a: Any) -> Any:
    """The number of elements."""
    return reductions.count(a, tuple(range(rank_of(a))))


def _along(x: Any, axis: Any) -> tuple[Any, int]:
    """An array and an axis of it; None: of the flattened array."""
    a = as_array(x)
    return (shapes.ravel(a), 0) if axis is None else (a, normal_axis(axis, rank_of(a)))


def _known_places(obj: Any, extent: Any) -> Any:
    """Places named by constants (an int, a slice, ints in a list) as NumPy takes them; None where they come up while
    running."""
    if is_array(obj):
        return None
    given = obj if isinstance(obj, slice) else evaluator().static(obj, "the places")
    if isinstance(given, slice):
        parts = (evaluator().static(v, "a slice") for v in (given.start, given.stop, given.step))
        return np.arange(static_int(evaluator().number(extent), "an extent"))[slice(*parts)]
    return np.asarray(given) if np.size(given) else np.zeros(0, np.int64)


# --- less and more --------------------------------------------------------------------------------------


def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    """The array without the elements at some places."""
    a, k = _along(arr, axis)
    if is_array(obj) and dtype_of_value(obj) is bool_:
        return _kept(a, e.bitwise_not(as_array(obj)), k)
    if isinstance(obj, slice) or (isinstance(obj, int | list | tuple) and isinstance(shape_of(a)[k], int)):
        extent = static_extent(a, k)
        try:
            left = np.delete(np.arange(extent), _known_places(obj, extent))
        except IndexError:
            if not isinstance(obj, int):
                raise
            raise IndexError(f"index {obj} is out of bounds for axis {k} with size {extent}") from None
        return ix.gather(a, evaluator().constant(left, i64), axis=k)
    places = as_array(obj)
    if not rank_of(places):
        places = shapes.reshape(places, 1)
    checked = index_modes.checked(shapes.ravel(places), shape_of(a)[k], k)
    kept = creation.ones(evaluator().number(shape_of(a)[k]), bool_)
    gone = creation.zeros(evaluator().number(shape_of(checked)[0]), bool_)
    return _kept(a, ix.scatter_set(kept, checked, gone, axis=0), k)


def _kept(a: Any, mask: Any, axis: int) -> Any:
    """The sub-arrays along an axis where a mask holds."""
    (places,) = indexing.nonzero(mask)
    return ix.gather(a, places, axis=axis)


def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """The array with values before some places, which are known when compiling."""
    a, k = _along(arr, axis)
    if isinstance(obj, int) and obj >= 0 and rank_of(a) == 1 and not isinstance(shape_of(a)[0], int):
        return _insert_at(a, obj, values)
    extent = static_extent(a, k)
    found = _known_places(obj, extent)
    if found is None:
        raise TypeError("np.insert at places that are known at run time only")
    more = elementwise.elements_for(values, a)
    single = not found.ndim or (found.size == 1 and found.dtype.kind != "b")
    if single:
        place = int(found.reshape(-1)[0])
        if not -extent <= place <= extent:
            raise IndexError(f"index {place} is out of bounds for axis {k} with size {extent}")
        place += extent if place < 0 else 0
        if rank_of(more) < rank_of(a):
            more = shapes.reshape(more, *(1,) * (rank_of(a) - rank_of(more)), *map(evaluator().number, shape_of(more)))
        if not found.ndim:
            more = shapes.moveaxis(more, 0, k)
        own = shape_of(a)
        wanted = (*own[:k], shape_of(more)[k], *own[k + 1 :])
        more = shapes.broadcast_to(more, tuple(map(evaluator().number, wanted)))
        order = np.concatenate([np.arange(place), extent + np.arange(static_extent(more, k)), np.arange(place, extent)])
    else:
        marks = np.insert(np.arange(extent), found, -1)
        count = int((marks < 0).sum())
        sources = np.flatnonzero(marks < 0)
        numbers = np.empty_like(marks)
        # the numbers of the values: in the order in which they were given
        given = np.insert(np.full(extent, -1), found, np.arange(count))
        numbers[sources] = given[sources]
        order = np.where(marks < 0, extent + numbers, marks)
        own = shape_of(a)
        wanted = (*own[:k], count, *own[k + 1 :])
        more = shapes.broadcast_to(more, tuple(map(evaluator().number, wanted)))
    joined = shapes.concatenate((a, more), k)
    return ix.gather(joined, evaluator().constant(order.astype(np.int64), i64), axis=k)


def _insert_at(a: Any, place: int, values: Any) -> Any:
    """A vector, whose length comes up while running, with values before a place."""
    count = evaluator().number(shape_of(a)[0])
    held = python_ints.int_ge(count, place)
    message = f"index {place} is out of bounds for axis 0 with size {{0}}"
    conversions.check(held, count, exception="IndexError", message=message)
    more = shapes.atleast_1d(as_array(elementwise.elements_for(values, a), dtype_of_value(a)))
    rest = shape_of(a)[0] + -place
    return shapes.concatenate((shapes.slice_axis(a, 0, 0, place), more, shapes.slice_axis(a, 0, place, rest)), 0)


def resize(a: Any, new_shape: Any) -> Any:
    """The elements again and again, until an array of the shape is full."""
    x = shapes.ravel(as_array(a))
    wanted = new_shape if isinstance(new_shape, tuple | list) else (new_shape,)
    extents = tuple(evaluator().dim(n) for n in wanted)
    total = product_of(extents)
    if shape_of(x)[0] == 0:
        return creation.zeros(tuple(map(evaluator().number, extents)), dtype_of_value(x))
    places = e.mod(creation.arange(evaluator().number(total)), as_array(evaluator().number(shape_of(x)[0]), i64))
    return s.reshape(ix.gather(x, places, axis=0), shape=extents)


def resize_method(x: Any, *new_shape: Any, refcheck: Any = True) -> None:
    """`ndarray.resize` changes the array itself."""
    del x, new_shape, refcheck
    raise TypeError("ndarray.resize, which changes the shape of the array itself")


def compress(condition: Any, a: Any, axis: Any = None) -> Any:
    """The sub-arrays where a condition holds, which may be shorter than the axis."""
    x, k = _along(a, axis)
    mask = elementwise.truth(condition)
    if rank_of(mask) != 1:
        raise ValueError("condition must be a 1-d array")
    (places,) = indexing.nonzero(mask)
    return indexing.take(x, places, k)


def compress_method(x: Any, condition: Any, axis: Any = None) -> Any:
    """`ndarray.compress`."""
    return compress(condition, x, axis)


def extract(condition: Any, arr: Any) -> Any:
    """The elements where a condition holds."""
    (places,) = indexing.nonzero(shapes.ravel(as_array(condition)))
    return indexing.take(shapes.ravel(as_array(arr)), places, 0)


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element (sub-array along `axis`) as often as a number, or the item of `repeats` for it, says."""
    if not is_array(repeats) or not rank_of(repeats):
        return shapes.repeat(a, elementwise.number(repeats) if is_array(repeats) else repeats, axis)
    x, k = _along(a, axis)
    counts = as_array(repeats, i64)
    if rank_of(counts) != 1:
        raise ValueError("object too deep for desired array")
    if shape_of(counts)[0] == 1:
        return shapes.repeat(x, elementwise.number(shapes.take_index(counts, 0, 0)), k)
    message = "operands could not be broadcast together with shape ({0},) ({1},)"
    require_equal(shape_of(x)[k], shape_of(counts)[0], message)
    positive = reductions.all(comparisons.greater_equal(counts, 0))
    conversions.check(
        conversions.to_scalar(positive), exception="ValueError", message="repeats may not contain negative values."
    )
    ends = reductions.cumsum(counts, 0)
    total = elementwise.number(reductions.sum(counts))
    places = sequences.searchsorted(ends, creation.arange(total), side="right")
    return ix.gather(x, places, axis=k)


def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> Any:
    """A vector without the zeros at its ends."""
    a = as_array(filt)
    if rank_of(a) != 1 or axis not in (None, 0, -1):
        raise TypeError("trim_zeros of arrays of more dimensions")
    ends = str(evaluator().static(trim, "trim")).lower()
    held = e.cast(elementwise.truth(a), dtype=i64)
    seen = reductions.cumsum(held, 0)
    total = reductions.sum(held)
    first = e.equal(seen, 0) if "f" in ends else creation.zeros_like(held, bool_)
    last = e.bitwise_and(e.equal(seen, total), e.equal(held, 0)) if "b" in ends else creation.zeros_like(held, bool_)
    return _kept(a, e.bitwise_not(e.bitwise_or(first, last)), 0)


def unpackbits(a: Any, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Any:
    """The bits of bytes along an axis."""
    x, k = _along(a, axis)
    if dtype_of_value(x) is not u8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if count is not None:
        raise TypeError("unpackbits with a count")
    order = np.arange(8) if evaluator().static(bitorder, "bitorder") == "little" else np.arange(7, -1, -1)
    shifts = shapes.reshape(evaluator().constant(order.astype(np.uint8), u8), 8, *(1,) * (rank_of(x) - 1 - k))
    bits = e.bitwise_and(e.right_shift(s.expand_dims(x, axis=(k + 1,)), shifts), 1)
    own = shape_of(x)
    return s.reshape(bits, shape=(*own[:k], own[k] * 8, *own[k + 1 :]))


def unstack(x: Any, /, *, axis: Any = 0) -> tuple[Any, ...]:
    """The parts of an array along an axis."""
    if not rank_of(as_array(x)):
        raise ValueError("Input array must be at least 1-d.")
    return tuple(shapes.unstack(as_array(x), axis))


def diagflat(v: Any, k: Any = 0) -> Any:
    """The elements on the diagonal of a matrix of zeros."""
    return arrangement.diag(shapes.ravel(as_array(v)), k)


# --- methods of ufuncs ------------------------------------------------------------------------------------


def reduceat(function: Callable[..., Any], neutral: Any) -> Callable[..., Any]:
    """`ufunc.reduceat`: of the elements from each place to the next, or of one alone where the next is not behind
    it."""

    def call(array: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> Any:
        if dtype is not None:
            raise TypeError("reduceat with a dtype")
        x = shapes.moveaxis(as_array(array), axis, 0)
        n = shape_of(x)[0]
        start = index_modes.checked(as_array(indices, i64), n, 0)
        count = shape_of(start)[0]
        end = as_array(evaluator().number(n), i64)
        rest = shapes.slice_axis(start, 0, 1, count + -1)
        stop = shapes.concatenate((rest, s.reshape(end, shape=(1,))), 0)
        stop = e.select(e.greater(stop, start), stop, e.add(start, 1))
        places = s.expand_dims(creation.arange(evaluator().number(n)), axis=(0,))
        first, last = s.expand_dims(start, axis=(1,)), s.expand_dims(stop, axis=(1,))
        inside = e.bitwise_and(e.greater_equal(places, first), e.less(places, last))
        if rank_of(x) > 1:
            inside = s.expand_dims(inside, axis=tuple(range(2, rank_of(x) + 1)))
        made = function(elementwise.where(inside, s.expand_dims(x, axis=(0,)), neutral(x)), 1)
        return shapes.moveaxis(as_array(made, dtype_of_value(x)) if dtype_of_value(x).kind != "b" else made, 0, axis)

    return call


def _lowest(x: Any) -> Any:
    dtype = dtype_of_value(x)
    return float("-inf") if dtype.is_float else False if dtype is bool_ else int(np.iinfo(cast("Any", dtype.numpy)).min)


def _highest(x: Any) -> Any:
    dtype = dtype_of_value(x)
    return float("inf") if dtype.is_float else True if dtype is bool_ else int(np.iinfo(cast("Any", dtype.numpy)).max)


REDUCE_AT: Final[dict[Any, Callable[..., Any]]] = {
    np.add: reduceat(reductions.sum, lambda x: 0), np.multiply: reduceat(reductions.prod, lambda x: 1),
    np.maximum: reduceat(reductions.max, _lowest), np.minimum: reduceat(reductions.min, _highest),
    np.logical_and: reduceat(reductions.all, lambda x: True), np.logical_or: reduceat(reductions.any, lambda x: False),
}  # fmt: skip
"""By ufunc."""


# --- r_ and c_ ----------------------------------------------------------------------------------------------


def _piece(item: Any) -> Any:
    """An item of `np.r_[…]` as an array."""
    if not isinstance(item, slice):
        return as_array(item)
    start, stop, step = (evaluator().static(v, "a slice") for v in (item.start, item.stop, item.step))
    if isinstance(step, complex):
        return evaluator().constant(np.linspace(start or 0, stop, int(abs(step))), None)
    return evaluator().constant(np.arange(start or 0, stop, 1 if step is None else step), None)


def in_rows(key: Any) -> Any:
    """`np.r_[key]`."""
    items = key if isinstance(key, tuple) else (key,)
    if any(isinstance(item, str) for item in items):
        raise TypeError("np.r_ with directives")
    return shapes.concatenate([shapes.atleast_1d(_piece(item)) for item in items], 0)


def in_columns(key: Any) -> Any:
    """`np.c_[key]`."""
    items = key if isinstance(key, tuple) else (key,)
    if any(isinstance(item, str) for item in items):
        raise TypeError("np.c_ with directives")
    parts = [shapes.atleast_1d(_piece(item)) for item in items]
    return shapes.concatenate([arrangement.reshape_column(p) if rank_of(p) < 2 else p for p in parts], -1)


def joined(maker: Any, key: Any) -> Any:
    """`np.r_[key]` and `np.c_[key]`: the method of both."""
    return (in_columns if isinstance(maker, type(np.c_)) else in_rows)(key)


TABLE: Final[dict[Any, Callable[..., Any]]] = {
    np.delete: delete, np.insert: insert, np.resize: resize, np.compress: compress, np.extract: extract,
    np.repeat: repeat, np.trim_zeros: trim_zeros, np.diagflat: diagflat, np.unpackbits: unpackbits,
    **ufuncs.published(unstack=unstack),
    type(np.r_).__getitem__: joined,
}  # fmt: skip
"""By NumPy's function."""
