"""Functions that take elements by indices and masks, put them there, and order them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from jitcore import ops
from jitcore.compat.torch.arguments import Operand
from jitcore.compat.torch.declaring import function, method
from jitcore.compat.torch.functions.axes import axis_in, extents_of, like_given, with_axis
from jitcore.compat.torch.functions.results import TYPES
from jitcore.library.array import insertions
from jitcore.library.core import index_modes, values
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions, indexing, python_ints, shape
from jitcore.runtime.tensor import Tensor
from jitcore.types import bool_, i32, i64, u8


def _require_indices(index: Tensor, what: str) -> None:
    if values.dtype_of_value(index) not in (i64, i32):
        raise RuntimeError(f"{what}(): Expected dtype int32/int64 for index")


def _own(input: Tensor, value: Operand) -> Any:
    """A value in the dtype of a Tensor."""
    return values.as_array(value, values.dtype_of_value(input))


def _require_same_dtype(input: Tensor, src: Operand, what: str) -> None:
    if values.is_array(src) and values.dtype_of_value(src) is not values.dtype_of_value(input):
        raise RuntimeError(f"{what}(): Expected self.dtype to be equal to src.dtype")


def _within(index: Tensor, input: Tensor, axis: int) -> Any:
    """Indices along an axis. RuntimeError where one is out of bounds: none is counted from the end."""
    number = values.evaluator().number
    extent = values.shape_of(with_axis(input))[axis]
    flat = shape.reshape(index_modes.wide(index), shape=(insertions.size_of(index),))
    place, found = indexing.first_bad_index(flat, extent=extent, from_end=False)
    conversions.check(
        python_ints.int_eq(conversions.to_scalar(place), number(insertions.size_of(index))),
        conversions.to_scalar(found),
        number(extent),
        exception="RuntimeError",
        message=f"index {{0}} is out of bounds for dimension {axis} with size {{1}}",
    )
    return with_axis(index)


# --- along an axis -----------------------------------------------------------------------------------------


@method
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Any:
    del sparse_grad
    _require_indices(index, "gather")
    axis = axis_in(input, dim)
    if max(values.rank_of(input), 1) != max(values.rank_of(index), 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    made = ops.gather_d(with_axis(input), axis, _within(index, input, axis))
    return made if values.rank_of(index) else like_given(made, index)


_REDUCTIONS: Final = {"add": "add", "sum": "add", "multiply": "mul", "prod": "mul", "amax": "max", "amin": "min"}


@method
def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Operand | None = None,
    *,
    value: Operand | None = None,
    reduce: str | None = None,
) -> Any:
    given = src if value is None else value
    assert given is not None
    _require_same_dtype(input, given, "scatter")
    how = "none" if reduce is None else _REDUCTIONS[reduce]
    return _scattered(input, dim, index, given, how)


def _scattered(input: Tensor, dim: int, index: Tensor, src: Operand, how: str) -> Any:
    axis = axis_in(input, dim)
    if max(values.rank_of(input), 1) != max(values.rank_of(index), 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    given = _own(input, src)
    source = with_axis(given) if values.is_array(src) else given
    made = ops.tensor_scatter_elements(with_axis(input), _within(index, input, axis), source, axis, how)
    return made if values.rank_of(input) else like_given(made, input)


@method
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Any:
    _require_same_dtype(input, src, "scatter")
    return _scattered(input, dim, index, src, "add")


@method
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Any:
    if reduce not in (*_REDUCTIONS, "mean"):
        raise RuntimeError("reduce argument must be either sum, prod, mean, amax or amin.")
    _require_same_dtype(input, src, "scatter")
    if reduce == "mean":
        return _scattered_mean(input, dim, index, src, include_self)
    how = _REDUCTIONS[reduce]
    start = input
    if not include_self:
        named = ops.ne(_times_named(input, dim, index), 0)
        start = ops.where(named, _neutral(input, how), input)
    return _scattered(start, dim, index, src, how)


def _times_named(input: Tensor, dim: int, index: Tensor) -> Any:
    """How often each element is named."""
    counted = ops.zeros_like(input, dtype=i64)
    return _scattered(counted, dim, index, ops.ones_like(index, dtype=i64), "add")


def _neutral(input: Tensor, how: str) -> Any:
    dtype = values.dtype_of_value(input)
    if how in ("add", "mul"):
        return ops.full_like(input, 0 if how == "add" else 1)
    lowest = how == "max"
    if dtype.is_float:
        return ops.full_like(input, float("-inf") if lowest else float("inf"))
    return ops.full_like(input, dtype_bounds(dtype.numpy)[0 if lowest else 1])


def dtype_bounds(dtype: np.dtype[Any]) -> tuple[int, int]:
    """The least and the greatest int of a dtype."""
    if dtype.kind == "b":
        return 0, 1
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def _scattered_mean(input: Tensor, dim: int, index: Tensor, src: Tensor, include_self: bool) -> Any:
    named = _times_named(input, dim, index)
    start = input if include_self else ops.where(ops.ne(named, 0), ops.zeros_like(input), input)
    total = _scattered(start, dim, index, src, "add")
    count = ops.add(named, 1) if include_self else ops.maximum(named, 1)
    if values.dtype_of_value(input).is_float:
        return ops.div(total, elementwise.astype(count, values.dtype_of_value(input)))
    return ops.floor_divide(total, elementwise.astype(count, values.dtype_of_value(input)))


@method
def index_select(input: Tensor, dim: int, index: Tensor) -> Any:
    _require_indices(index, "index_select")
    axis = axis_in(input, dim)
    if values.rank_of(index) > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    made = ops.index_select(with_axis(input), axis, with_axis(index))
    return made if values.rank_of(input) else like_given(made, input)


@method
def index_fill(input: Tensor, dim: int, index: Tensor, value: Operand) -> Any:
    if values.dtype_of_value(index) is not i64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    return ops.index_fill(input, axis_in(input, dim), with_axis(index), _own(input, value))


@method
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: complex = 1) -> Any:
    _require_indices(index, "index_add")
    if values.dtype_of_value(input) is not values.dtype_of_value(source):
        raise RuntimeError("index_add_(): self and source must have the same scalar type")
    return ops.index_add_ext(input, axis_in(input, dim), index, source, alpha=alpha)


@method
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Any:
    if values.dtype_of_value(index) is not i64:
        raise IndexError("index_copy_(): Expected a long tensor for index")
    if values.dtype_of_value(input) is not values.dtype_of_value(source):
        raise RuntimeError("index_copy_(): self and source expected to have the same dtype")
    axis = axis_in(input, dim)
    chosen = _spread(index, source, axis)
    return ops.tensor_scatter_elements(input, chosen, source, axis, "none")


def _spread(index: Tensor, source: Tensor, axis: int) -> Any:
    """Indices of an axis for all elements of a Tensor."""
    shape = tuple(-1 if k == axis else 1 for k in range(values.rank_of(source)))
    return ops.broadcast_to(ops.reshape(index, shape), extents_of(source))


@method
def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Any:
    axis = axis_in(input, dim)
    return scatter_reduce(input, axis, _spread(index, source, axis), source, reduce, include_self=include_self)


@method
def index_put(
    input: Tensor, indices: Sequence[Tensor | None], values: Operand, accumulate: bool = False
) -> Any:  # fmt: skip
    return ops.index_put(input, tuple(indices), values, accumulate)


@method
def take(input: Tensor, index: Tensor) -> Any:
    return ops.take(ops.reshape(input, (-1,)), index, 0)


@method
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Any:
    flat = ops.reshape(input, (-1,))
    made = ops.index_put(flat, (ops.reshape(index, (-1,)),), ops.reshape(source, (-1,)), accumulate)
    return ops.reshape(made, extents_of(input))


@method
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Any:
    if dim is None:
        return ops.take_along_dim(ops.reshape(input, (-1,)), ops.reshape(indices, (-1,)), 0)
    return ops.take_along_dim(input, indices, axis_in(input, dim))


@method
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Any:
    return ops.select_scatter(input, src, axis_in(input, dim), index)


@method
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    return ops.slice_scatter(input, src, axis_in(input, dim), start, end, step)


@method
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    return ops.diagonal_scatter(input, src, offset, dim1, dim2)


# --- masks ---------------------------------------------------------------------------------------------


def _require_mask(mask: Tensor, what: str) -> None:
    if values.dtype_of_value(mask) not in (bool_, u8):
        raise RuntimeError(f"{what} only supports boolean masks, but got mask with dtype {values.dtype_of_value(mask)}")


@method
def masked_fill(input: Tensor, mask: Tensor, value: Operand) -> Any:
    _require_mask(mask, "masked_fill_")
    if values.is_array(value) and values.rank_of(value):
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {values.rank_of(value)} "
            f"dimension(s)."
        )
    return ops.where(mask, _own(input, value), input)


@method
def masked_select(input: Tensor, mask: Tensor) -> Any:
    _require_mask(mask, "masked_select")
    return ops.masked_select(input, mask)


@method
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Any:
    _require_mask(mask, "masked_scatter_")
    return ops.masked_scatter(input, mask, source)


@method
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    if as_tuple:
        return tuple(ops.nonzero(with_axis(input), as_tuple=True))
    return ops.argwhere(input)


@method
def argwhere(input: Tensor) -> Any:
    return ops.argwhere(input)


# --- in order ------------------------------------------------------------------------------------------


@method
def sort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Any:
    del stable  # it always is
    return _ordered("sort", input, ops.sort_ext(with_axis(input), axis_in(input, dim), descending, True))


def _ordered(name: str, input: Tensor, ordered: tuple[Any, Any]) -> Any:
    found, places = ordered
    if values.rank_of(input):
        return TYPES[name](found, elementwise.astype(places, i64))
    return TYPES[name](like_given(found, input), like_given(elementwise.astype(places, i64), input))


@method
def argsort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Any:
    return sort(input, dim, descending).indices


@method
def msort(input: Tensor) -> Any:
    return sort(input, 0).values


@method
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    del sorted
    axis = axis_in(input, dim)
    if not 0 <= k <= values.static_extent(with_axis(input), axis):
        raise RuntimeError("selected index k out of range")
    return _ordered("topk", input, ops.topk_ext(with_axis(input), k, axis, largest, True))


@function
def searchsorted(
    sorted_sequence: Tensor,
    input: Operand,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Any:
    found = ops.searchsorted(sorted_sequence, input, right=right if side is None else side == "right", sorter=sorter)
    return elementwise.astype(found, i32 if out_int32 else i64)


@function
def bucketize(input: Operand, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Any:
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)
