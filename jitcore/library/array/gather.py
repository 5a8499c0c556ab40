"""Elements and rows read by indices and by masks."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation, indexing, places, shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import in_constructor, operator
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
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.types import Shape, bool_, broadcast_shapes, i64


@operator("gather")
def gather(input_params: Any, input_indices: Any, axis: Any = 0, batch_dims: Any = 0) -> Any:
    """The sub-Tensors along an axis at the given indices; the first `batch_dims` axes of both go together."""
    if is_array(input_indices) and not dtype_of_value(input_indices).is_integer:
        raise TypeError(f"For 'Gather', the 'input_indices' must be ints, but got {dtype_of_value(input_indices)!r}.")
    batches = static_int(batch_dims, "batch_dims")
    if not batches:
        return indexing.take(input_params, input_indices, axis)
    a, places = as_array(input_params), as_array(input_indices)
    k = normal_axis(axis, rank_of(a))
    rows = shape_of(a)[:batches]
    flat = product_of(rows)
    # the batch and the axis become one, so that an index is batch * extent + index
    turned = shapes.moveaxis(a, k, batches)
    lines = s.reshape(turned, shape=(flat * shape_of(a)[k], *shape_of(turned)[batches + 1 :]))
    chosen = index_modes.checked(places, shape_of(a)[k], k)
    chosen = s.reshape(chosen, shape=(flat, *shape_of(places)[batches:]))
    start = creation.arange(evaluator().number(flat))
    start = e.mul(start, conversions.from_scalar(evaluator().number(shape_of(a)[k]), dtype=i64))
    start = s.reshape(start, shape=(flat,) + (1,) * (rank_of(chosen) - 1))
    made = ix.gather(lines, e.add(chosen, start), axis=0)
    made = s.reshape(made, shape=(*rows, *shape_of(chosen)[1:], *shape_of(lines)[1:]))
    count = rank_of(chosen) - 1
    order = [*range(batches), *range(batches + count, k + count), *range(batches, batches + count)]
    order += range(k + count, rank_of(made))
    return shapes.transpose(made, tuple(order))


@operator(".gather")
def gather_method(input: Any, *args: Any, **keywords: Any) -> Any:
    """As `gather` (indices, axis, batch_dims), or as `gather_elements` (dim, index)."""
    if "index" in keywords or (len(args) == 2 and is_array(args[1])):
        return gather_elements(input, *args, **keywords)
    return gather(input, *args, **keywords)


for _cls in ("Gather", "GatherV2"):
    in_constructor(_cls, gather, "batch_dims")


@operator("SparseGatherV2")
def sparse_gather(input_params: Any, input_indices: Any, axis: Any = 0) -> Any:
    """As `gather`."""
    return indexing.take(input_params, input_indices, axis)


@operator("GatherNd gather_nd .gather_nd")
def gather_nd(input_x: Any, indices: Any) -> Any:
    """The sub-Tensors at the index vectors along the last axis of the indices."""
    require_ints(indices, "GatherNd")
    depth = shape_of(as_array(indices))[-1] if rank_of(as_array(indices)) else 0
    if isinstance(depth, int) and depth > rank_of(as_array(input_x)):
        raise ValueError(
            f"For 'GatherNd', index vectors of {depth} do not fit {rank_of(as_array(input_x))} dimensions."
        )
    return indexing.gather_nd(input_x, indices)


@operator("gather_ext")
@operator("GatherD gather_d gather_elements GatherDGradV2")
def gather_elements(input: Any, dim: Any, index: Any) -> Any:
    """For each place in `index`, the element of the input along `dim` that it names."""
    return _along(input, dim, index)


@operator(".gather_elements")
def gather_elements_method(input: Any, dim: Any, index: Any) -> Any:
    """As `gather_elements`."""
    return _along(input, dim, index)


def require_ints(indices: Any, name: str) -> None:
    dtype = dtype_of_value(as_array(indices))
    if not dtype.is_integer:
        raise TypeError(f"For '{name}', the indices must be of ints, not {dtype!r}.")


def _along(x: Any, dim: Any, places: Any) -> Any:
    require_ints(places, "GatherD")
    a, chosen = as_array(x), as_array(places)
    if rank_of(a) != rank_of(chosen):
        raise ValueError("For 'GatherD', the dimensions of 'index' and of the input must be the same.")
    k = normal_axis(dim, rank_of(a))
    return indexing.take_along_axis(cut_to(a, shape_of(chosen), k), chosen, k)


def cut_to(a: Any, shape: Shape, axis: int) -> Any:
    """The leading part of an array with the extents of `shape` along the other axes."""
    for k, extent in enumerate(shape):
        if k != axis and shape_of(a)[k] is not extent and shape_of(a)[k] != extent:
            a = shapes.slice_within(a, k, 0, extent, f"axis {k} of 'index' is longer than that of the input")
    return a


@operator("index_select .index_select IndexSelect")
def index_select(input: Any, axis: Any, index: Any) -> Any:
    """The sub-Tensors along an axis at the indices."""
    return gather(input, index, axis)


@operator("take .take")
def take(input: Any, indices: Any, axis: Any = None) -> Any:
    """The elements (sub-Tensors along an axis) at the indices."""
    return indexing.take(input, indices, axis)


@operator("EmbeddingLookup")
def embedding_lookup(input_params: Any, input_indices: Any, offset: Any) -> Any:
    """Rows at the indices less `offset`; zeros for indices out of range."""
    a, places = as_array(input_params), e.cast(as_array(input_indices), dtype=i64)
    places = elementwise.subtract(places, offset)
    extent = conversions.from_scalar(evaluator().number(shape_of(a)[0]), dtype=i64)
    inside = e.bitwise_and(e.greater_equal(places, 0), e.less(places, extent))
    rows = ix.gather(a, e.select(inside, places, 0), axis=0)
    wide = s.reshape(inside, shape=(*shape_of(inside), *[1] * (rank_of(a) - 1)))
    return e.select(wide, rows, 0)


@operator("masked_select MaskedSelect .masked_select")
def masked_select(input: Any, mask: Any) -> Any:
    """The elements where the mask is true, in order."""
    if dtype_of_value(mask) is not bool_:
        raise TypeError(
            f"For 'MaskedSelect', the type of 'mask' must be Tensor[Bool], but got {dtype_of_value(mask)!r}."
        )
    a = as_array(input)
    shape, pairs = broadcast_shapes(shape_of(a), shape_of(mask))
    for have, want in pairs:
        require_equal(have, want, "the shapes of the input and the mask do not broadcast: {0} and {1}")
    wide, kept = (s.broadcast_to(v, shape=shape) for v in (a, mask))
    if not shape:
        wide, kept = s.reshape(wide, shape=(1,)), s.reshape(kept, shape=(1,))
    return indexing.getitem(wide, kept)


@operator("nonzero argwhere NonZero .nonzero .argwhere")
def nonzero(input: Any, as_tuple: Any = False) -> Any:
    """The places of the elements that are not 0, one in a row (`as_tuple`: one Tensor for each axis)."""
    a = as_array(input)
    if not rank_of(a):
        a = shapes.reshape(a, 1)
    found = indexing.nonzero(a)
    return found if evaluator().static(as_tuple, "as_tuple") else shapes.stack(found, 1)


@operator(".where")
def where(x: Any, condition: Any, y: Any) -> Any:
    """The Tensor where the condition holds, else y."""
    return elementwise.where(condition, x, y)


@operator(".select")
def select(x: Any, condition: Any, y: Any) -> Any:
    """The Tensor where the condition holds, else y; of an axis and an index, the sub-Tensor there."""
    if is_array(condition) and dtype_of_value(condition) is bool_:
        return elementwise.where(condition, x, y)
    return indexing.take(x, y, condition)


@operator(".choose")
def choose(x: Any, choices: Any, mode: Any = "clip") -> Any:
    """For each index in the Tensor, the element of that choice; indices outside are clipped or wrapped, as `mode`
    says."""
    return places.choose(x, choices, mode=mode)


@operator("SubAndFilter")
def sub_and_filter(input_x: Any, max_num: Any, offset: Any) -> Any:
    """(the numbers less an offset that are from 0 on and below a bound, their places)."""
    a = as_array(input_x)
    moved = elementwise.subtract(a, offset)
    kept = elementwise.logical_and(
        e.greater_equal(moved, 0), e.less(moved, as_array(as_array(max_num), dtype_of_value(moved)))
    )
    return indexing.getitem(moved, kept), as_array(indexing.nonzero(kept)[0], dtype_of_value(a))


@operator("take_along_dim .take_along_dim")
def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:
    """The elements at the places along an axis; of the flat Tensor without one."""
    a, index = as_array(input), as_array(indices)
    if dim is None:
        return indexing.take_along_axis(shapes.reshape(a, -1), shapes.reshape(index, -1), 0)
    return indexing.take_along_axis(a, index, dim)
