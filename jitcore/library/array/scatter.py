"""Elements and rows written by indices: into new Tensors, and in place."""

from __future__ import annotations

from typing import Any, Final

from jitcore.library.array import arrangement, creation, indexing, shapes
from jitcore.library.array.gather import cut_to
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dims,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    product_of,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import multiply
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, scattering
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import broadcast_shapes, i64


def combined_rows(a: Any, places: Any, updates: Any, how: str) -> Any:
    """x with rows of updates combined into rows, by add, sub, mul, div, max, min or update."""
    if how == "update":
        return ix.scatter_set(a, places, updates, axis=0)
    if how in ("add", "sub"):
        return ix.scatter_add(a, places, updates if how == "add" else e.neg(updates), axis=0)
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
    values = cut_to(values, shape_of(chosen), -1)
    made = combined_rows(_flat(a), _flat(linear), _flat(values), how)
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


@operator("scatter_add_ext")
@operator("scatter_add_with_axis")
def scatter_add_elements(input: Any, axis: Any, index: Any, src: Any) -> Any:
    """The input with each element of `src` added to the element along `axis` that its index names."""
    return _scatter_elements(input, axis, index, src, "add")


@operator("index_add")
def index_add(
    x: Any, indices: Any, y: Any, axis: Any, use_lock: Any = True, check_index_bound: Any = True
) -> Any:  # fmt: skip
    """x with the sub-Tensors of y along an axis added at the indices."""
    del use_lock, check_index_bound
    a, updates = promote("add", x, y)
    k = normal_axis(axis, rank_of(a))
    return ix.scatter_add(a, index_modes.checked(as_array(indices), shape_of(a)[k], k), updates, axis=k)


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


@operator("IndexAdd")
def index_add_set_up(
    x: Any, indices: Any, y: Any, *, axis: Any, use_lock: Any = True, check_index_bound: Any = True
) -> Any:
    """As `index_add`, in place."""
    return elementwise.assign(x, index_add(x, indices, y, axis, use_lock, check_index_bound))


@operator("index_add_ext")
def index_add_ext(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """The input with `alpha` times slices of another array added at indices along an axis."""
    return index_add(input, index, multiply(source, alpha), dim)


@operator("index_fill .index_fill IndexFill")
def index_fill(x: Any, axis: Any, index: Any, value: Any) -> Any:
    """x with the sub-Tensors along an axis at the indices filled with a value."""
    a = as_array(x)
    k = normal_axis(axis, rank_of(a))
    chosen = as_array(index, None if is_array(index) else i64)
    chosen = s.reshape(index_modes.checked(chosen, shape_of(a)[k], k), shape=(product_of(shape_of(chosen)),))
    shape = (*shape_of(a)[:k], *shape_of(chosen), *shape_of(a)[k + 1 :])
    updates = s.broadcast_to(as_array(as_array(value), dtype_of_value(a)), shape=shape)
    return ix.scatter_set(a, chosen, updates, axis=k)


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
        place = index_modes.checked(part, shape_of(a)[k], k)
        step = conversions.from_scalar(evaluator().number(shape_of(a)[k]), dtype=i64)
        linear = place if linear is None else e.add(e.mul(linear, step), place)
    rest = shape_of(a)[depth:]
    rows = s.reshape(a, shape=(product_of(shape_of(a)[:depth]), *rest))
    values = as_array(as_array(updates), dtype_of_value(a))
    wanted = (*shape_of(linear), *rest)
    if rank_of(values) != len(wanted):
        if rank_of(values):
            raise ValueError(f"updates of {rank_of(values)} dimensions, but {len(wanted)} are wanted")
        values = s.broadcast_to(values, shape=wanted)
    for have, want in zip(shape_of(values), wanted, strict=True):
        require_equal(have, want, "the updates have extent {0} where the indices want {1}")
    values = s.reshape(values, shape=(product_of(shape_of(linear)), *rest))
    made = combined_rows(rows, s.reshape(linear, shape=(product_of(shape_of(linear)),)), values, how)
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
    count = product_of(shape_of(places))
    chosen = s.reshape(index_modes.checked(places, shape_of(a)[0], 0), shape=(count,))
    return combined_rows(a, chosen, s.reshape(values, shape=(count, *shape_of(a)[1:])), how)


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


@operator(".itemset")
def itemset(x: Any, *args: Any) -> Any:
    """A new Tensor with one element replaced: `itemset(value)` or `itemset(index, value)`."""
    a = as_array(x)
    if len(args) == 1:
        require_equal(reductions.count(a, tuple(range(rank_of(a)))), 1, "itemset of {0} elements needs an index")
        return creation.full_like(a, args[0])
    key, value = args
    if isinstance(key, tuple):
        return scattered_nd(a, evaluator().constant(key, i64), value, "update")
    flat = scattered_nd(shapes.ravel(a), evaluator().constant((key,), i64), value, "update")
    return shapes.reshape(flat, tuple(evaluator().number(n) for n in shape_of(a)))


@operator("masked_scatter .masked_scatter MaskedScatter")
def masked_scatter(x: Any, mask: Any, tensor: Any) -> Any:
    """x with the elements of a Tensor, in order, where the mask is true."""
    a = as_array(x)
    kept = s.broadcast_to(mask, shape=shape_of(a))
    flat, source = shapes.ravel(kept), shapes.ravel(as_array(as_array(tensor), dtype_of_value(a)))
    rank = e.sub(r.cumsum(e.cast(flat, dtype=i64), axis=0), 1)
    last = conversions.from_scalar(evaluator().number(shape_of(source)[0] + -1), dtype=i64)
    enough = r.reduce_all(e.less_equal(rank, last), axis=(0,), keepdims=False)
    conversions.check(
        conversions.to_scalar(enough),
        exception="ValueError",
        message="For 'masked_scatter', the Tensor has too few elements.",
    )
    values = indexing.take(source, e.maximum(rank, 0))
    return s.reshape(e.select(flat, values, shapes.ravel(a)), shape=shape_of(a))


@operator("ScatterAddWithAxis")
def scatter_add_with_axis_set_up(input_x: Any, indices: Any, updates: Any, *, axis: Any = 0) -> Any:
    """The input with each update added to the element along `axis` that its index names."""
    return scatter_add_elements(input_x, axis, indices, updates)


@operator("inplace_index_add", "raw")
def inplace_index_add(var: Any, indices: Any, updates: Any, axis: Any) -> Any:
    """The Parameter, changed in place, with sub-Tensors added at the indices."""
    return elementwise.assign(var, index_add(var, indices, updates, axis))


@operator("InplaceIndexAdd", "raw")
def inplace_index_add_set_up(var: Any, indices: Any, updates: Any, *, axis: Any) -> Any:
    """As `inplace_index_add`."""
    return inplace_index_add(var, indices, updates, axis)


@operator("InplaceUpdateV2")
def inplace_update_v2(x: Any, indices: Any, v: Any) -> Any:
    """x with other rows at the indices."""
    return inplace_update(x, v, indices)


@operator("inplace_update")
def inplace_update(x: Any, v: Any, indices: Any) -> Any:
    """x with other rows at the indices."""
    return scattered_rows(x, _row_indices(indices), v, "update")


@operator("inplace_add")
def inplace_add(x: Any, v: Any, indices: Any) -> Any:
    """x with rows added at the indices."""
    return scattered_rows(x, _row_indices(indices), v, "add")


@operator("inplace_sub")
def inplace_sub(x: Any, v: Any, indices: Any) -> Any:
    """x with rows subtracted at the indices."""
    return scattered_rows(x, _row_indices(indices), v, "sub")


def _row_indices(indices: Any) -> Any:
    if isinstance(indices, int):
        return evaluator().constant([indices], i64)
    return evaluator().constant(indices, i64) if isinstance(indices, list | tuple) else indices


@operator("index_put .index_put")
def index_put(x: Any, indices: Any, values: Any, accumulate: Any = False) -> Any:
    """The Tensor with values at the places that a tuple of index Tensors names, added to what is there if
    `accumulate`."""
    a = as_array(x)
    given = [as_array(i) for i in indices]
    if any(not dtype_of_value(i).is_integer for i in given):
        given = [part for i in given for part in ([i] if dtype_of_value(i).is_integer else indexing.nonzero(i))]
    along = arrangement.broadcast_arrays(*given)
    vectors = shapes.stack(list(along), -1)
    rest = tuple(shape_of(along[0])) + tuple(shape_of(a)[len(given) :])
    updates = shapes.broadcast_to(as_array(as_array(values), dtype_of_value(a)), rest)
    how = "add" if evaluator().static(accumulate, "accumulate") else "update"
    return scattered_nd(a, vectors, updates, how)


@operator("IndexPut")
def index_put_set_up(x1: Any, x2: Any, indices: Any, *, accumulate: Any = 0) -> Any:
    """x1 with values set (or added) at the places that arrays of indices, one an axis, name."""
    a = as_array(x1)
    found = [as_array(as_array(i), i64) for i in indices]
    wide = promote("add", *found) if len(found) > 1 else tuple(found)
    shape: Any = ()
    for index in wide:
        shape, _ = broadcast_shapes(shape, shape_of(index))
    vectors = shapes.stack([s.broadcast_to(i, shape=shape) for i in wide], len(shape))
    rest = shape_of(a)[len(wide) :]
    values = s.broadcast_to(as_array(as_array(x2), dtype_of_value(a)), shape=(*shape, *rest))
    return scattered_nd(a, vectors, values, "add" if accumulate else "update")


@operator(".put_along_axis")
def put_along_axis(x: Any, indices: Any, values: Any, axis: Any) -> Any:
    """The Tensor with values at the places along an axis."""
    a, updates = promote("add", x, values)
    index = as_array(indices)
    return scatter(a, axis, index, shapes.broadcast_to(updates, shape_of(index)))
