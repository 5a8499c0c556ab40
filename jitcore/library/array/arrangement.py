"""NumPy's functions that join, split, turn and pick, made of other library functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axis,
    product_of,
    promote,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import copying, views
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import bool_, broadcast_shapes, dim_max, dim_min

# --- joining and splitting ----------------------------------------------------------------------------


def _parts(arrays: Any, make: Callable[[Any], Any]) -> list[Any]:
    return [make(as_array(x)) for x in arrays]


def atleast_2d(x: Any) -> Any:
    """x with at least two dimensions, new ones first."""
    a = as_array(x)
    return s.expand_dims(a, axis=tuple(range(2 - rank_of(a)))) if rank_of(a) < 2 else a


def atleast_3d(x: Any) -> Any:
    """x with at least three dimensions: a vector becomes one of shape (1, n, 1)."""
    a = as_array(x)
    new = {0: (0, 1, 2), 1: (0, 2), 2: (2,)}.get(rank_of(a))
    return a if new is None else s.expand_dims(a, axis=new)


def vstack(tup: Any) -> Any:
    """Arrays below each other."""
    return shapes.concatenate(_parts(tup, atleast_2d), 0)


def hstack(tup: Any) -> Any:
    """Arrays beside each other."""
    parts = _parts(tup, shapes.atleast_1d)
    return shapes.concatenate(parts, 0 if parts and rank_of(parts[0]) == 1 else 1)


def dstack(tup: Any) -> Any:
    """Arrays behind each other."""
    return shapes.concatenate(_parts(tup, atleast_3d), 2)


def column_stack(tup: Any) -> Any:
    """Vectors as columns, matrices beside each other."""
    return shapes.concatenate(_parts(tup, lambda a: reshape_column(a) if rank_of(a) < 2 else a), 1)


def reshape_column(a: Any) -> Any:
    """A vector as a matrix of one column."""
    return shapes.reshape(a, -1, 1)


def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """An array with more elements at its end."""
    if axis is None:
        return shapes.concatenate([shapes.ravel(as_array(arr)), shapes.ravel(as_array(values))], 0)
    return shapes.concatenate([arr, values], axis)


def split_along(axis: int) -> Callable[..., Any]:
    """`np.hsplit` and the like."""

    def function(ary: Any, indices_or_sections: Any) -> Any:
        rank = rank_of(as_array(ary))
        return list(shapes.split(ary, indices_or_sections, 0 if axis == 1 and rank == 1 else axis))

    return function


def broadcast_arrays(*args: Any) -> tuple[Any, ...]:
    """Views of arrays broadcast against each other."""
    arrays = [as_array(a) for a in args]
    shape, pairs = broadcast_shapes(*map(shape_of, arrays))
    if pairs:
        raise TypeError("broadcast_arrays of arrays whose extents are known at run time only")
    return tuple(s.broadcast_to(a, shape=shape) if shape_of(a) != shape else a for a in arrays)


# --- order of axes and elements -----------------------------------------------------------------------


def fliplr(m: Any) -> Any:
    """The columns in the opposite order."""
    if rank_of(as_array(m)) < 2:
        raise ValueError("Input must be >= 2-d.")
    return shapes.flip(m, 1)


def flipud(m: Any) -> Any:
    """The rows in the opposite order."""
    if rank_of(as_array(m)) < 1:
        raise ValueError("Input must be >= 1-d.")
    return shapes.flip(m, 0)


def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """A matrix turned by 90 degrees k times, from the first of two axes to the second."""
    a = as_array(m)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    if tuple(axes) != (0, 1) and rank_of(a) >= 2:
        first, second = (normal_axis(axis, rank_of(a)) for axis in axes)
        if first == second:
            raise ValueError("Axes must be different.")
        turned = rot90(shapes.moveaxis(a, (first, second), (0, 1)), k)
        return shapes.moveaxis(turned, (0, 1), (first, second))
    if rank_of(a) < 2:
        raise ValueError("Axes must be different.")
    turns = static_int(k, "the number of turns") % 4
    if turns == 0:
        return views.view_index(a, spec=tuple(("s", 0, 1, n) for n in shape_of(a)))
    if turns == 2:
        return shapes.flip(a, (0, 1))
    return shapes.swapaxes(shapes.flip(a, 1), 0, 1) if turns == 1 else shapes.flip(shapes.swapaxes(a, 0, 1), 1)


def rollaxis(x: Any, axis: Any, start: Any = 0) -> Any:
    """The axes with one of them moved before another."""
    a = as_array(x)
    rank = rank_of(a)
    k = normal_axis(axis, rank)
    place = static_int(start, "start")
    place = place + rank if place < 0 else place
    if not 0 <= place <= rank:
        raise ValueError(
            f"'start' arg requires {-rank} <= start < {rank + 1}, but {static_int(start, 'start')} was passed in"
        )
    return shapes.moveaxis(a, k, place - 1 if place > k else place)


def diag(v: Any, k: Any = 0) -> Any:
    """The k-th diagonal of a matrix; of a vector, the matrix with it on its k-th diagonal."""
    a = as_array(v)
    offset = static_int(k, "the diagonal")
    if rank_of(a) == 2:
        return copying.copy(diagonal(a, offset))
    if rank_of(a) != 1:
        raise ValueError("Input must be 1- or 2-d.")
    size = shape_of(a)[0] + abs(offset)
    wide = shapes.pad(a, (max(offset, 0), max(-offset, 0)))
    rows = s.expand_dims(creation.arange(evaluator().number(size)), axis=(1,))
    columns = creation.arange(evaluator().number(size))
    on = e.equal(e.add(rows, offset), columns)
    return e.select(on, s.broadcast_to(wide, shape=(size, size)), 0)


def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The elements whose place along one axis is that along the other and `offset` more: a view."""
    x = as_array(a)
    first, second = normal_axis(axis1, rank_of(x)), normal_axis(axis2, rank_of(x))
    if first == second and rank_of(x) > 1:
        raise ValueError("axis1 and axis2 cannot be the same")
    if (first, second) != (0, 1) and rank_of(x) > 1:
        x = shapes.moveaxis(x, (first, second), (0, 1))
    k = static_int(offset, "the diagonal")
    if k and rank_of(x) >= 2:
        x = shapes.slice_axis(x, 1 if k > 0 else 0, _within(abs(k), shape_of(x)[1 if k > 0 else 0]),
                              _rest(shape_of(x)[1 if k > 0 else 0], abs(k)))  # fmt: skip
    return shapes.diagonal(x)


def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None) -> Any:
    """The sum of a diagonal."""
    return reductions.sum(diagonal(a, offset, axis1, axis2), -1, dtype)


def _within(start: int, extent: Any) -> Any:
    return dim_min(start, extent)


def _rest(extent: Any, start: int) -> Any:
    return dim_max(extent + -start, 0)


def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours, taken n times, of a with elements put before and behind it."""
    x = as_array(a)
    if rank_of(x) == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    k = normal_axis(axis, rank_of(x))
    times = static_int(n, "the number of differences")
    if times < 0:
        raise ValueError(f"order must be non-negative but got {times}")
    if times == 0:
        return x
    if prepend is not None or append is not None:
        ends = [None if end is None else _end(end, x, k) for end in (prepend, append)]
        x = shapes.concatenate([part for part in (ends[0], x, ends[1]) if part is not None], k)
    subtract = comparisons.not_equal if dtype_of_value(x) is bool_ else elementwise.subtract
    for _ in range(times):
        length = shape_of(x)[k]
        size = _rest(length, 1)
        x = subtract(shapes.slice_axis(x, k, _within(1, length), size), shapes.slice_axis(x, k, 0, size))
    return x


def _end(end: Any, x: Any, axis: int) -> Any:
    """What is put before or behind x; a number as a row of it."""
    part = promote("concatenate", x, end)[1]
    if rank_of(part):
        return part
    return shapes.broadcast_to(part, (*shape_of(x)[:axis], 1, *shape_of(x)[axis + 1 :]))


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours in row-major order, with elements put behind and before them."""
    flat = shapes.ravel(as_array(ary))
    size = _rest(shape_of(flat)[0], 1)
    later = shapes.slice_axis(flat, 0, _within(1, shape_of(flat)[0]), size)
    made = elementwise.subtract(later, shapes.slice_axis(flat, 0, 0, size))
    if to_end is None and to_begin is None:
        return made
    dtype = dtype_of_value(made)
    ends = [None if end is None else shapes.ravel(as_array(as_array(end), dtype)) for end in (to_begin, to_end)]
    return shapes.concatenate([part for part in (ends[0], made, ends[1]) if part is not None], 0)


def tri(n: Any, m: Any = None, k: Any = 0, dtype: Any = float) -> Any:
    """Ones at and below the k-th diagonal."""
    return shapes.tril(creation.ones((n, n if m is None else m), dtype), k)


def flatnonzero(a: Any) -> Any:
    """The places of what is not zero, in row-major order."""
    return indexing.nonzero(shapes.ravel(as_array(a)))[0]


def argwhere(a: Any) -> Any:
    """The indices of what is not zero, one row for each."""
    found = indexing.nonzero(as_array(a))
    return shapes.stack(found, 1)


# --- asking -------------------------------------------------------------------------------------------


def size(a: Any, axis: Any = None) -> Any:
    """The number of elements, along an axis if one is given."""
    extents = shape_of(as_array(a))
    if axis is not None:
        return evaluator().number(extents[normal_axis(axis, len(extents))])
    return evaluator().number(product_of(extents))


def shape(a: Any) -> Any:
    """The extents."""
    return tuple(evaluator().number(n) for n in shape_of(as_array(a)))


def ndim(a: Any) -> Any:
    """The number of dimensions."""
    return rank_of(as_array(a))


def sections(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Any]:
    """`np.array_split`: parts whose extents differ by one at most."""
    a = as_array(ary)
    k = normal_axis(axis, rank_of(a))
    if isinstance(indices_or_sections, list | tuple):
        return list(shapes.split(a, indices_or_sections, k))
    count = static_int(indices_or_sections, "the number of parts")
    if count <= 0:
        raise ValueError("number sections must be larger than 0.")
    total = static_int(evaluator().number(shape_of(a)[k]), "the extent of the axis that is split")
    each, extras = divmod(total, count)
    lengths = [each + 1] * extras + [each] * (count - extras)
    starts = [sum(lengths[:n]) for n in range(count)]
    return [shapes.slice_axis(a, k, start, length) for start, length in zip(starts, lengths, strict=True)]


def block(arrays: Any) -> Any:
    """An array made of nested lists of blocks."""
    depth = _depth(arrays)
    rank = max(depth, _greatest_rank(arrays))
    return _block(arrays, depth, rank)


def _depth(arrays: Any) -> int:
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) and arrays else 0


def _greatest_rank(arrays: Any) -> int:
    if isinstance(arrays, list):
        return max(map(_greatest_rank, cast("Sequence[Any]", arrays)))
    return rank_of(as_array(arrays))


def _block(arrays: Any, depth: int, rank: int) -> Any:
    if depth == 0:
        a = as_array(arrays)
        return s.expand_dims(a, axis=tuple(range(rank - rank_of(a)))) if rank_of(a) < rank else a
    return shapes.concatenate([_block(part, depth - 1, rank) for part in arrays], -depth)
