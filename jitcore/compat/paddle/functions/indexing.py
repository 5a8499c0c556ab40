"""Functions that take elements by indices and masks, put them there, and order them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from jitcore import ops
from jitcore.compat.paddle.arguments import DTypeLike, Extents, Operand
from jitcore.compat.paddle.declaring import FUNCTIONS, METHODS, function, method, network
from jitcore.compat.paddle.functions.axes import axis_in, extents, extents_of, known_number
from jitcore.compat.paddle.functions.pointwise import operands, require_tensor
from jitcore.compat.torch.functions import indexing as torch
from jitcore.compat.torch.functions import pointwise, reductions
from jitcore.library.array import insertions
from jitcore.library.core import index_modes, values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions, indexing, python_ints, shape
from jitcore.runtime.tensor import Tensor
from jitcore.types import i32, i64


def _require_ints(index: Tensor, function: str) -> None:
    if values.dtype_of_value(index) not in (i64, i32):
        raise ValueError(
            f"(InvalidArgument) {function}: indices should be int32 or int64, but they are "
            f"{values.dtype_of_value(index).numpy.name}"
        )


def _within(index: Tensor, x: Tensor, axis: int, exception: str = "ValueError") -> Any:
    """Indices along an axis, counted from 0; those that are negative count from the end. An exception of the class
    named where one is out of bounds."""
    number = values.evaluator().number
    extent = values.shape_of(x)[axis]
    flat = shape.reshape(index_modes.wide(index), shape=(insertions.size_of(index),))
    place, found = indexing.first_bad_index(flat, extent=extent, from_end=True)
    conversions.check(
        python_ints.int_eq(conversions.to_scalar(place), number(insertions.size_of(index))),
        conversions.to_scalar(found),
        number(extent),
        exception=exception,
        message="(OutOfRange) The index {0} is out of bounds of an axis of {1} elements",
    )
    return ops.where(ops.lt(index, 0), ops.add(index, number(extent)), index)


# --- along an axis -----------------------------------------------------------------------------------------


@method
def gather(x: Tensor, index: Tensor, axis: Tensor | int | None = None) -> Any:
    _require_ints(require_tensor(index, "gather", "index"), "gather")
    where = axis_in(x, 0 if axis is None else axis)
    if values.rank_of(index) > 1 and values.static_extent(index, 1) != 1:
        raise ValueError("(InvalidArgument) gather: the index should have one axis, or be a column")
    row = ops.reshape(index, (-1,))
    made = ops.index_select(x, where, _within(row, x, where, "IndexError"))
    return made if values.rank_of(index) else ops.squeeze(made, where)


@method
def index_select(x: Tensor, index: Tensor, axis: int = 0) -> Any:
    _require_ints(require_tensor(index, "index_select", "index"), "index_select")
    where = axis_in(x, axis)
    return ops.index_select(x, where, _within(ops.reshape(index, (-1,)), x, where))


@method
def gather_nd(x: Tensor, index: Tensor) -> Any:
    _require_ints(index, "gather_nd")
    depth = values.static_extent(index, -1)
    if depth > values.rank_of(x):
        raise ValueError(
            f"(InvalidArgument) gather_nd: an index has {depth} numbers, but the Tensor {values.rank_of(x)} axes"
        )
    if not depth:
        return ops.broadcast_to(x, (*extents_of(index)[:-1], *extents_of(x)))
    parts = [_within(ops.select_ext(index, -1, k), x, k) for k in range(depth)]
    return ops.gather_nd(x, ops.stack(parts, -1))


@method
def take_along_axis(arr: Tensor, indices: Tensor, axis: int, broadcast: bool = True) -> Any:
    _require_ints(indices, "take_along_axis")
    where = axis_in(arr, axis)
    if values.rank_of(indices) != values.rank_of(arr):
        raise ValueError("`indices` and `arr` must have the same number of dimensions!")
    places, whole = indices, arr
    if broadcast:
        mine, theirs = list(extents_of(arr)), list(extents_of(indices))
        common = [max(a, b) if 1 in (a, b) else a for a, b in zip(mine, theirs, strict=True)]
        places = ops.broadcast_to(indices, tuple(n if k != where else theirs[k] for k, n in enumerate(common)))
        whole = ops.broadcast_to(arr, tuple(n if k != where else mine[k] for k, n in enumerate(common)))
    return torch.gather(whole, where, _within(places, whole, where))


_REDUCTIONS: Final = {"assign": None, "add": "sum", "mul": "prod", "multiply": "prod", "mean": "mean"}


@method
def put_along_axis(
    arr: Tensor,
    indices: Tensor,
    values: Operand,
    axis: int,
    reduce: str = "assign",
    include_self: bool = True,
    broadcast: bool = True,
) -> Any:
    _require_ints(indices, "put_along_axis")
    where = axis_in(arr, axis)
    places, given = indices, values
    own = _own(arr, given)
    if broadcast:
        mine, theirs = extents_of(arr), extents_of(indices)
        places = ops.broadcast_to(indices, tuple(theirs[k] if k == where else n for k, n in enumerate(mine)))
        own = ops.broadcast_to(own, extents_of(places))
    elif not _rank(own):
        own = ops.broadcast_to(own, extents_of(places))
    places = _within(places, arr, where)
    if reduce not in ("assign", "add", "mul", "multiply", "mean", "amin", "amax"):
        raise ValueError(f"put_along_axis: reduce is none of assign, add, mul, mean, amin and amax: {reduce!r}")
    how = _REDUCTIONS.get(reduce, reduce)
    if how is None:
        return torch.scatter(arr, where, places, own)
    return torch.scatter_reduce(arr, where, places, own, how, include_self=include_self)


def _own(x: Tensor, value: Operand) -> Any:
    """A value in the dtype of a Tensor."""
    return values.as_array(value, values.dtype_of_value(x))


def _rank(x: Tensor) -> int:
    return values.rank_of(x)


@method
def scatter(x: Tensor, index: Tensor, updates: Tensor, overwrite: bool = True) -> Any:
    _require_ints(index, "scatter")
    row = _within(ops.reshape(index, (-1,)), x, 0)
    rows = updates if values.rank_of(index) else ops.unsqueeze(updates, 0)
    if overwrite:
        return ops.index_put(x, (row,), rows, False)
    # all rows that are named begin from 0
    cleared = ops.index_put(x, (row,), ops.zeros_like(rows), False)
    return ops.index_put(cleared, (row,), rows, True)


@method
def scatter_nd_add(x: Tensor, index: Tensor, updates: Tensor) -> Any:
    _require_ints(index, "scatter_nd_add")
    depth = values.static_extent(index, -1)
    if not depth:
        extra = values.rank_of(updates) - values.rank_of(x)
        return ops.add(x, ops.sum_ext(updates, tuple(range(extra))) if extra else updates)
    parts = tuple(_within(ops.select_ext(index, -1, k), x, k) for k in range(depth))
    return ops.index_put(x, parts, updates, True)


@method
def scatter_nd(index: Tensor, updates: Tensor, shape: Extents) -> Any:
    return scatter_nd_add(ops.zeros(extents(shape), dtype=values.dtype_of_value(updates)), index, updates)


@method
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Any:
    where = axis_in(input, dim)
    return torch.scatter_add(input, where, _within(index, input, where), src)


@method
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Any:
    where = axis_in(input, dim)
    return torch.scatter_reduce(input, where, _within(index, input, where), src, reduce, include_self=include_self)


@method
def index_sample(x: Tensor, index: Tensor) -> Any:
    _require_ints(index, "index_sample")
    if values.rank_of(x) != 2 or values.rank_of(index) != 2:
        raise ValueError("(InvalidArgument) index_sample: the Tensor and the index should have 2 axes")
    return torch.gather(x, 1, _within(index, x, 1))


@method
def index_add(x: Tensor, index: Tensor, axis: int, value: Tensor, alpha: complex = 1) -> Any:
    where = axis_in(x, axis)
    return torch.index_add(x, where, _within(index, x, where), value, alpha=alpha)


@method
def index_fill(x: Tensor, index: Tensor, axis: int, value: Operand) -> Any:
    where = axis_in(x, axis)
    return ops.index_fill(x, where, _within(ops.reshape(index, (-1,)), x, where), _own(x, value))


@method
def index_put(x: Tensor, indices: Sequence[Tensor], value: Tensor, accumulate: bool = False) -> Any:
    return ops.index_put(x, tuple(indices), value, accumulate)


@method
def take(x: Tensor, index: Tensor, mode: str = "raise") -> Any:
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"'mode' in 'take' should be 'raise', 'wrap', 'clip', but received {mode}.")
    _require_ints(index, "take")
    row = ops.reshape(x, (-1,))
    count = extents_of(row)[0]
    if mode == "raise":
        places = _within(index, row, 0)
    elif mode == "wrap":
        places = ops.remainder(index, count)
    else:
        places = ops.clip(index, 0, count - 1)
    return ops.take(row, places, 0)


@method
def multiplex(inputs: Sequence[Tensor], index: Tensor) -> Any:
    whole = ops.stack(list(inputs), 0)
    row = ops.reshape(index, (-1,))
    return ops.gather_nd(whole, ops.stack([_within(row, whole, 0), ops.arange(extents_of(row)[0])], -1))


@method
def select_scatter(x: Tensor, values: Tensor, axis: int, index: int) -> Any:
    return ops.select_scatter(x, values, axis_in(x, axis), index)


@method
def slice_scatter(
    x: Tensor,
    value: Tensor,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    strides: Sequence[int],
) -> Any:
    if len(axes) != 1:
        raise NotImplementedError("slice_scatter: more axes than one are not there; assign to a slice instead")
    return ops.slice_scatter(x, value, axis_in(x, axes[0]), starts[0], ends[0], strides[0])


@method
def diagonal_scatter(x: Tensor, y: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return ops.diagonal_scatter(x, y, offset, axis_in(x, axis1), axis_in(x, axis2))


@method
def shard_index(input: Tensor, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Any:
    if not 0 <= shard_id < nshards:
        raise ValueError(f"The shard_id({shard_id}) should be in [0, {nshards})")
    size = (index_num + nshards - 1) // nshards
    mine = ops.eq(ops.floor_divide(input, size), shard_id)
    return ops.where(mine, ops.remainder(input, size), _own(input, ignore_value))


@network
def one_hot(x: Tensor, num_classes: int | Tensor = -1) -> Any:
    _require_ints(x, "one_hot")
    count = values.static_int(known_number(num_classes), "num_classes")
    if count == -1:
        count = int(ops.item(ops.add(ops.max_ext(x), 1)))
    places = ops.arange(count)
    known = ops.zeros((count,))
    return elementwise.astype(ops.eq(ops.unsqueeze(_counted(x, known), -1), places), default_float())


def _counted(index: Tensor, row: Tensor) -> Any:
    """Indices of a row, of which none is counted from the end. Raises ValueError where one is out of bounds."""
    found = ops.where(ops.lt(index, 0), extents_of(row)[0], index)
    return _within(found, row, 0)


# --- masks ---------------------------------------------------------------------------------------------


def _require_mask(mask: Tensor, function: str) -> None:
    if values.dtype_of_value(mask).kind != "b":
        raise ValueError(
            f"(InvalidArgument) {function}: the mask should be of bools, but it is of "
            f"{values.dtype_of_value(mask).numpy.name}"
        )


@method
def masked_fill(x: Tensor, mask: Tensor, value: Operand) -> Any:
    _require_mask(mask, "masked_fill")
    return ops.where(mask, _own(x, value), x)


@method
def masked_select(x: Tensor, mask: Tensor) -> Any:
    _require_mask(mask, "masked_select")
    return ops.masked_select(x, mask)


@method
def masked_scatter(x: Tensor, mask: Tensor, value: Tensor) -> Any:
    _require_mask(mask, "masked_scatter")
    return ops.masked_scatter(x, mask, value)


@method
def nonzero(x: Tensor, as_tuple: bool = False) -> Any:
    return torch.nonzero(x, as_tuple=as_tuple)


METHODS["take_along_dim"] = FUNCTIONS["take_along_dim"] = take_along_axis


@method
def argwhere(input: Tensor) -> Any:
    return ops.argwhere(input)


@function
def where(condition: Tensor, x: Operand | None = None, y: Operand | None = None) -> Any:
    if x is None and y is None:
        return torch.nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    _require_mask(condition, "where")
    if values.is_array(x) and values.is_array(y):
        operands(x, y, "where")
    return pointwise.where(condition, x, y)


METHODS["where"] = where


# --- in order ------------------------------------------------------------------------------------------


@method
def sort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Any:
    return torch.sort(x, axis_in(x, axis), descending, stable=stable)[0]


@method
def argsort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Any:
    return torch.sort(x, axis_in(x, axis), descending, stable=stable)[1]


@method
def msort(input: Tensor) -> Any:
    return torch.sort(input, 0)[0]


class TopKRetType(NamedTuple):
    """The largest or least elements, and where they are."""

    values: Tensor
    indices: Tensor


@method
def topk(x: Tensor, k: int | Tensor, axis: int | None = None, largest: bool = True, sorted: bool = True) -> Any:
    where = axis_in(x, -1 if axis is None else axis)
    count = values.static_int(known_number(k), "k")
    if count < 1 or (values.rank_of(x) and count > values.static_extent(x, where)):
        raise ValueError(f"(InvalidArgument) topk: k should be at least 1 and at most the extent of the axis, not {k}")
    return TopKRetType(*torch.topk(x, count, where, largest, sorted))


@function
def searchsorted(
    sorted_sequence: Tensor,
    values: Operand,
    out_int32: bool = False,
    right: bool = False,
    *,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Any:
    return torch.searchsorted(sorted_sequence, values, out_int32=out_int32, right=right, side=side, sorter=sorter)


@method
def bucketize(x: Operand, sorted_sequence: Tensor, out_int32: bool = False, right: bool = False) -> Any:
    return torch.searchsorted(sorted_sequence, x, out_int32=out_int32, right=right)


@method
def unique(
    x: Tensor,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: DTypeLike = "int64",
    sorted: bool = True,
) -> Any:
    del sorted
    where = None if axis is None else axis_in(x, axis)
    found, inverse, counts = reductions.unique(x, True, True, True, where)
    parts = [found]
    if return_index:
        parts.append(_firsts(inverse, extents_of(counts)[0]))
    parts += [part for part, asked in ((inverse, return_inverse), (counts, return_counts)) if asked]
    if len(parts) == 1:
        return found
    return (found, *(elementwise.astype(ops.reshape(part, (-1,)), as_dtype(dtype)) for part in parts[1:]))


def _firsts(inverse: Tensor, count: int) -> Any:
    """Where each of `count` values comes first in a row of their numbers."""
    row = ops.reshape(inverse, (-1,))
    extent = extents_of(row)[0]
    marks = ops.eq(ops.unsqueeze(ops.arange(count), 1), row)
    places = ops.where(marks, ops.arange(extent), extent)
    return ops.amin(places, 1)


@method
def unique_consecutive(
    x: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: DTypeLike = "int64",
) -> Any:
    made = reductions.unique_consecutive(x, return_inverse, return_counts, None if axis is None else axis_in(x, axis))
    if not return_inverse and not return_counts:
        return made
    return (made[0], *(elementwise.astype(ops.reshape(part, (-1,)), as_dtype(dtype)) for part in made[1:]))
