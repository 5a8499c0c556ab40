"""Operators that read and write by indices: gather, scatter (new Tensors and in place), segments, masks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.library.array import creation, shapes
from jitcore.library.array import indexing as index
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import (
    as_array,
    dims,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions, indexing, scattering
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, Shape, bool_, broadcast_shapes, i64

# --- gathering --------------------------------------------------------------------------------------


@operator("gather")
def gather(input_params: Any, input_indices: Any, axis: Any = 0, batch_dims: Any = 0) -> Any:
    """The sub-Tensors along an axis at the given indices; the first `batch_dims` axes of both go together."""
    if is_array(input_indices) and not dtype_of_value(input_indices).is_integer:
        raise TypeError(f"For 'Gather', the 'input_indices' must be ints, but got {dtype_of_value(input_indices)!r}.")
    batches = static_int(batch_dims, "batch_dims")
    if not batches:
        return index.take(input_params, input_indices, axis)
    a, places = as_array(input_params), as_array(input_indices)
    k = normal_axis(axis, rank_of(a))
    rows = shape_of(a)[:batches]
    flat: Dim = 1
    for extent in rows:
        flat = flat * extent
    # the batch and the axis become one, so that an index is batch * extent + index
    turned = shapes.moveaxis(a, k, batches)
    lines = s.reshape(turned, shape=(flat * shape_of(a)[k], *shape_of(turned)[batches + 1 :]))
    chosen = index_modes.checked(places, shape_of(a)[k], k)
    chosen = s.reshape(chosen, shape=(flat, *shape_of(places)[batches:]))
    start = creation.arange(evaluator().number(flat))
    start = e.mul(start, conversions.from_scalar(evaluator().number(shape_of(a)[k]), dtype=i64))
    start = s.reshape(start, shape=(flat,) + (1,) * (rank_of(chosen) - 1))
    made = indexing.gather(lines, e.add(chosen, start), axis=0)
    made = s.reshape(made, shape=(*rows, *shape_of(chosen)[1:], *shape_of(lines)[1:]))
    count = rank_of(chosen) - 1
    order = [*range(batches), *range(batches + count, k + count), *range(batches, batches + count)]
    order += range(k + count, rank_of(made))
    return shapes.transpose(made, tuple(order))


for _cls in ("Gather", "GatherV2"):
    in_constructor(_cls, gather, "batch_dims")


@operator("SparseGatherV2")
def sparse_gather(input_params: Any, input_indices: Any, axis: Any = 0) -> Any:
    """As `gather`."""
    return index.take(input_params, input_indices, axis)


@operator("GatherNd gather_nd .gather_nd")
def gather_nd(input_x: Any, indices: Any) -> Any:
    """The sub-Tensors at the index vectors along the last axis of the indices."""
    _require_ints(indices, "GatherNd")
    depth = shape_of(as_array(indices))[-1] if rank_of(as_array(indices)) else 0
    if isinstance(depth, int) and depth > rank_of(as_array(input_x)):
        raise ValueError(
            f"For 'GatherNd', index vectors of {depth} do not fit {rank_of(as_array(input_x))} dimensions."
        )
    return index.gather_nd(input_x, indices)


@operator(".gather")
def gather_method(input: Any, *args: Any, **keywords: Any) -> Any:
    """As `gather` (indices, axis, batch_dims), or as `gather_elements` (dim, index)."""
    if "index" in keywords or (len(args) == 2 and is_array(args[1])):
        return gather_elements(input, *args, **keywords)
    return gather(input, *args, **keywords)


@operator("GatherD gather_d gather_elements GatherDGradV2")
def gather_elements(input: Any, dim: Any, index: Any) -> Any:
    """For each place in `index`, the element of the input along `dim` that it names."""
    return _along(input, dim, index)


@operator(".gather_elements")
def gather_elements_method(input: Any, dim: Any, index: Any) -> Any:
    """As `gather_elements`."""
    return _along(input, dim, index)


def _require_ints(indices: Any, name: str) -> None:
    dtype = dtype_of_value(as_array(indices))
    if not dtype.is_integer:
        raise TypeError(f"For '{name}', the indices must be of ints, not {dtype!r}.")


def _along(x: Any, dim: Any, places: Any) -> Any:
    _require_ints(places, "GatherD")
    a, chosen = as_array(x), as_array(places)
    if rank_of(a) != rank_of(chosen):
        raise ValueError("For 'GatherD', the dimensions of 'index' and of the input must be the same.")
    k = normal_axis(dim, rank_of(a))
    return index.take_along_axis(_cut(a, shape_of(chosen), k), chosen, k)


def _cut(a: Any, shape: Shape, axis: int) -> Any:
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
    return index.take(input, indices, axis)


@operator("EmbeddingLookup")
def embedding_lookup(input_params: Any, input_indices: Any, offset: Any) -> Any:
    """Rows at the indices less `offset`; zeros for indices out of range."""
    a, places = as_array(input_params), e.cast(as_array(input_indices), dtype=i64)
    places = elementwise.subtract(places, offset)
    extent = conversions.from_scalar(evaluator().number(shape_of(a)[0]), dtype=i64)
    inside = e.bitwise_and(e.greater_equal(places, 0), e.less(places, extent))
    rows = indexing.gather(a, e.select(inside, places, 0), axis=0)
    wide = s.reshape(inside, shape=(*shape_of(inside), *[1] * (rank_of(a) - 1)))
    return e.select(wide, rows, 0)


# --- masks ------------------------------------------------------------------------------------------


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
    return index.getitem(wide, kept)


@operator("nonzero argwhere NonZero .nonzero .argwhere")
def nonzero(input: Any, as_tuple: Any = False) -> Any:
    """The places of the elements that are not 0, one in a row (`as_tuple`: one Tensor for each axis)."""
    a = as_array(input)
    if not rank_of(a):
        a = shapes.reshape(a, 1)
    found = index.nonzero(a)
    return found if evaluator().static(as_tuple, "as_tuple") else shapes.stack(found, 1)


# --- scattering along an axis -------------------------------------------------------------------------


def _combined(a: Any, places: Any, updates: Any, how: str) -> Any:
    """x with rows of updates combined into rows, by add, sub, mul, div, max, min or update."""
    if how == "update":
        return indexing.scatter_set(a, places, updates, axis=0)
    if how in ("add", "sub"):
        return indexing.scatter_add(a, places, updates if how == "add" else e.neg(updates), axis=0)
    return scattering.scatter_combine(a, places, updates, op=how)


def _scatter_elements(x: Any, axis: Any, places: Any, src: Any, how: str) -> Any:
    """x with each element of `src` combined into the element along `axis` that its index names: rows of single
    elements."""
    a, chosen = as_array(x), as_array(places)
    if rank_of(a) != rank_of(chosen):
        raise ValueError("the dimensions of the input and of the indices must be the same")
    k = normal_axis(axis, rank_of(a))
    chosen = index_modes.checked(chosen, shape_of(a)[k], k)
    linear: Any = as_array(0, i64)
    for n, extent in enumerate(shape_of(a)):
        if n == k:
            place = chosen
        else:
            place = creation.arange(evaluator().number(shape_of(chosen)[n]))
            others = tuple(m for m in range(rank_of(a)) if m != n)
            place = s.expand_dims(place, axis=others) if others else place
        step = conversions.from_scalar(evaluator().number(extent), dtype=i64)
        linear = e.add(e.mul(linear, step), place)
    linear = s.broadcast_to(linear, shape=shape_of(chosen))
    values = as_array(as_array(src), dtype_of_value(a))
    if not rank_of(values):
        values = s.broadcast_to(values, shape=shape_of(chosen))
    values = _cut(values, shape_of(chosen), -1)
    made = _combined(_flat(a), _flat(linear), _flat(values), how)
    return s.reshape(made, shape=shape_of(a))


def _flat(x: Any) -> Any:
    return shapes.reshape(x, -1) if rank_of(x) != 1 else x


_REDUCTIONS = {"none": "update", "add": "add", "mul": "mul", "sub": "sub", "div": "div", "max": "max", "min": "min"}


@operator("tensor_scatter_elements scatter_elements .tensor_scatter_elements")
def tensor_scatter_elements(input_x: Any, indices: Any, updates: Any, axis: Any = 0, reduction: Any = "none") -> Any:
    """The input with each update in place of (or added to) the element along `axis` that its index names."""
    how = evaluator().static(reduction, "reduction")
    if how not in _REDUCTIONS:
        raise ValueError(f"For 'tensor_scatter_elements', the reduction {how!r} is not supported.")
    return _scatter_elements(input_x, axis, indices, updates, _REDUCTIONS[how])


@operator("TensorScatterElements")
def tensor_scatter_elements_set_up(
    data: Any, indices: Any, updates: Any, *, axis: Any = 0, reduction: Any = "none"
) -> Any:
    """As `tensor_scatter_elements`."""
    return tensor_scatter_elements(data, indices, updates, axis, reduction)


@operator("scatter .scatter")
def scatter(input: Any, axis: Any, index: Any, src: Any) -> Any:
    """The input with each element of `src` in place of the element along `axis` that its index names."""
    return _scatter_elements(input, axis, index, src, "update")


@operator(".scatter_add")
def scatter_add_method(x: Any, *args: Any, **keywords: Any) -> Any:
    """The Tensor with updates added: `(indices, updates)` at index vectors, `(axis, index, src)` along an axis."""
    if len(args) + len(keywords) == 2:
        return scattered_nd(x, *args, how="add", **keywords)
    return scatter_add_elements(x, *args, **{_AXIS_NAMES.get(k, k): v for k, v in keywords.items()})


_AXIS_NAMES: Final = {"dim": "axis"}


@operator("scatter_add_with_axis")
def scatter_add_elements(input: Any, axis: Any, index: Any, src: Any) -> Any:
    """The input with each element of `src` added to the element along `axis` that its index names."""
    return _scatter_elements(input, axis, index, src, "add")


@operator(".index_add")
def index_add_method(x: Any, *args: Any, **keywords: Any) -> Any:
    """The Tensor with sub-Tensors added: `(dim, index, source, alpha=1)`, or as the operator `(indices, y, axis)`."""
    first = args[0] if args else keywords.get("dim")
    if is_array(first) or first is None:
        return index_add(x, *args, **keywords)
    names = ("dim", "index", "source")
    given = {**dict(zip(names, args, strict=False)), **keywords}
    source = given["source"]
    alpha = given.get("alpha", 1)
    return index_add(x, given["index"], source if alpha == 1 else elementwise.multiply(source, alpha), given["dim"])


@operator("index_add")
def index_add(
    x: Any, indices: Any, y: Any, axis: Any, use_lock: Any = True, check_index_bound: Any = True
) -> Any:  # fmt: skip
    """x with the sub-Tensors of y along an axis added at the indices."""
    del use_lock, check_index_bound
    a, updates = promote("add", x, y)
    k = normal_axis(axis, rank_of(a))
    return indexing.scatter_add(a, index_modes.checked(as_array(indices), shape_of(a)[k], k), updates, axis=k)


@operator("IndexAdd")
def index_add_set_up(
    x: Any, indices: Any, y: Any, *, axis: Any, use_lock: Any = True, check_index_bound: Any = True
) -> Any:
    """As `index_add`, in place."""
    return elementwise.assign(x, index_add(x, indices, y, axis, use_lock, check_index_bound))


@operator("index_fill .index_fill IndexFill")
def index_fill(x: Any, axis: Any, index: Any, value: Any) -> Any:
    """x with the sub-Tensors along an axis at the indices filled with a value."""
    a = as_array(x)
    k = normal_axis(axis, rank_of(a))
    chosen = as_array(index, None if is_array(index) else i64)
    chosen = s.reshape(_checked(chosen, shape_of(a)[k], k), shape=(_count(shape_of(chosen)),))
    shape = (*shape_of(a)[:k], *shape_of(chosen), *shape_of(a)[k + 1 :])
    updates = s.broadcast_to(as_array(as_array(value), dtype_of_value(a)), shape=shape)
    return indexing.scatter_set(a, chosen, updates, axis=k)


def _checked(places: Any, extent: Dim, axis: int) -> Any:
    return index_modes.checked(places, extent, axis)


# --- scattering by index vectors ------------------------------------------------------------------------


def _count(shape: Shape) -> Dim:
    total: Dim = 1
    for extent in shape:
        total = total * extent
    return total


def scattered_nd(x: Any, indices: Any, updates: Any, how: str) -> Any:
    """x with updates combined at the index vectors along the last axis of `indices`."""
    a, vectors = as_array(x), as_array(indices)
    if not dtype_of_value(vectors).is_integer:
        raise TypeError(f"indices are ints, not {dtype_of_value(vectors)!r}")
    depth = static_int(evaluator().number(shape_of(vectors)[-1]), "the length of the index vectors")
    if depth > rank_of(a):
        raise ValueError(f"index vectors of {depth} do not fit a Tensor of {rank_of(a)} dimensions")
    linear: Any = None
    for k, part in enumerate(shapes.unstack(vectors, -1)):
        place = _checked(part, shape_of(a)[k], k)
        step = conversions.from_scalar(evaluator().number(shape_of(a)[k]), dtype=i64)
        linear = place if linear is None else e.add(e.mul(linear, step), place)
    rest = shape_of(a)[depth:]
    rows = s.reshape(a, shape=(_count(shape_of(a)[:depth]), *rest))
    values = as_array(as_array(updates), dtype_of_value(a))
    wanted = (*shape_of(linear), *rest)
    if rank_of(values) != len(wanted):
        if rank_of(values):
            raise ValueError(f"updates of {rank_of(values)} dimensions, but {len(wanted)} are wanted")
        values = s.broadcast_to(values, shape=wanted)
    for have, want in zip(shape_of(values), wanted, strict=True):
        require_equal(have, want, "the updates have extent {0} where the indices want {1}")
    values = s.reshape(values, shape=(_count(shape_of(linear)), *rest))
    made = _combined(rows, s.reshape(linear, shape=(_count(shape_of(linear)),)), values, how)
    return s.reshape(made, shape=shape_of(a))


def _nd(names: str, how: str) -> None:
    """The operators `tensor_scatter_x` (a new Tensor) and `scatter_nd_x` (in place)."""

    def functional(input_x: Any, indices: Any, updates: Any) -> Any:
        return scattered_nd(input_x, indices, updates, how)

    def in_place(input_x: Any, indices: Any, updates: Any, use_locking: Any = False) -> Any:
        del use_locking
        return elementwise.assign(input_x, scattered_nd(input_x, indices, updates, how))

    def set_up(input_x: Any, indices: Any, updates: Any, *, use_locking: Any = False) -> Any:
        return in_place(input_x, indices, updates, use_locking)

    functional.__doc__ = f"The input with the updates combined ({how}) at index vectors."
    in_place.__doc__ = set_up.__doc__ = functional.__doc__.replace("The input", "The Parameter, changed in place,")
    cls = names.title()
    operator(f"tensor_scatter_{names} .tensor_scatter_{names} TensorScatter{cls}")(functional)
    operator(f"scatter_nd_{names}", "raw")(in_place)
    operator(f"ScatterNd{cls}", "raw")(set_up)


for _how in ("update", "add", "sub", "mul", "div", "max", "min"):
    _nd(_how, _how)


@operator("ScatterNonAliasingAdd", "raw")
def scatter_non_aliasing_add(input_x: Any, indices: Any, updates: Any) -> Any:
    """The input, changed in place, with the updates added."""
    return elementwise.assign(input_x, scattered_nd(input_x, indices, updates, "add"))


@operator("scatter_nd ScatterNd")
def scatter_nd(indices: Any, updates: Any, shape: Any) -> Any:
    """Zeros of a shape with the updates added at index vectors."""
    extents = tuple(static_ints(shape, "the shape")) if is_array(shape) else shape
    zeros = creation.filled(dims(extents), 0, dtype_of_value(updates))
    return scattered_nd(zeros, indices, updates, "add")


# --- scattering by row, in place ------------------------------------------------------------------------


def scattered_rows(x: Any, indices: Any, updates: Any, how: str) -> Any:
    """x with the updates combined into its rows at the indices."""
    a = as_array(x)
    places = as_array(indices, None if is_array(indices) else i64)
    if not dtype_of_value(places).is_integer:
        raise TypeError(f"indices are ints, not {dtype_of_value(places)!r}")
    shape = (*shape_of(places), *shape_of(a)[1:])
    values = as_array(as_array(updates), dtype_of_value(a))
    if not rank_of(values):
        values = s.broadcast_to(values, shape=shape)
    if rank_of(values) != len(shape):
        raise ValueError(f"updates of {rank_of(values)} dimensions, but {len(shape)} are wanted")
    for have, want in zip(shape_of(values), shape, strict=True):
        require_equal(have, want, "the updates have extent {0} where the indices want {1}")
    count = _count(shape_of(places))
    chosen = s.reshape(_checked(places, shape_of(a)[0], 0), shape=(count,))
    return _combined(a, chosen, s.reshape(values, shape=(count, *shape_of(a)[1:])), how)


def _rows(how: str) -> None:
    def in_place(input_x: Any, indices: Any, updates: Any) -> Any:
        return elementwise.assign(input_x, scattered_rows(input_x, indices, updates, how))

    def set_up(input_x: Any, indices: Any, updates: Any, *, use_locking: Any = False) -> Any:
        del use_locking
        return in_place(input_x, indices, updates)

    in_place.__doc__ = set_up.__doc__ = (
        f"The Parameter, changed in place, with the updates combined ({how}) into its rows."
    )
    operator(f"scatter_{how}", "raw")(in_place)
    operator(f"Scatter{how.title()}", "raw")(set_up)


for _how in ("update", "add", "sub", "mul", "div", "max", "min"):
    _rows(_how)


def _inplace_rows(cls: str, how: str) -> None:
    def set_up(x: Any, v: Any, *, indices: Any) -> Any:
        places = [static_int(i, "an index") for i in indices] if isinstance(indices, list | tuple) else [indices]
        return scattered_rows(x, evaluator().constant(places, i64), v, how)

    set_up.__doc__ = f"x with rows combined ({how}) at constant indices."
    operator(cls)(set_up)


_inplace_rows("InplaceUpdate", "update")
_inplace_rows("InplaceAdd", "add")
_inplace_rows("InplaceSub", "sub")

# --- segments ---------------------------------------------------------------------------------------


def _segments(how: str, name: str, start: Callable[[Any], Any]) -> None:
    def segment(input_x: Any, segment_ids: Any, num_segments: Any) -> Any:
        _require_ints(segment_ids, f"UnsortedSegment{name.title()}")
        a, ids = as_array(input_x), e.cast(as_array(segment_ids), dtype=i64)
        if isinstance(num_segments, int) and num_segments < 1:
            raise ValueError(
                f"For 'UnsortedSegment{name.title()}', num_segments must be positive, but is {num_segments}."
            )
        count = evaluator().dim(elementwise.number(num_segments) if is_array(num_segments) else num_segments)
        inner = shape_of(a)[rank_of(ids) :]
        rows = _count(shape_of(ids))
        flat = s.reshape(a, shape=(rows, *inner))
        base = creation.filled((count, *inner), start(dtype_of_value(a)), dtype_of_value(a))
        if how == "add":  # ids below 0 are left out
            kept = e.greater_equal(s.reshape(ids, shape=(rows, *[1] * len(inner))), 0)
            flat, ids = e.select(kept, flat, 0), e.maximum(ids, 0)
        return _combined(base, s.reshape(_checked(ids, count, 0), shape=(rows,)), flat, how)

    segment.__doc__ = f"The {name} of the rows of each segment."
    operator(f"unsorted_segment_{name} UnsortedSegment{name.title()}")(segment)


def _lowest(dtype: Any) -> Any:
    return float("-inf") if dtype.is_float else int(np.iinfo(dtype.numpy).min)


def _highest(dtype: Any) -> Any:
    return float("inf") if dtype.is_float else int(np.iinfo(dtype.numpy).max)


_segments("add", "sum", lambda dtype: 0)
_segments("mul", "prod", lambda dtype: 1)
_segments("max", "max", _lowest)
_segments("min", "min", _highest)
