"""Sparse arrays given as indices (N, axes), values (N,) and a shape: put in order, reshaped, sliced, joined,
normalised, made dense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.array import indexing, scatter, sets, shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining, ordering
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import scattering as sc
from jitcore.primitives.ops import transcendental as t
from jitcore.types import i64


@operator("Coalesce")
def coalesce(x_indices: Any, x_values: Any, x_shape: Any) -> Any:
    """(indices (axes, N) in order, each once; the sums of their values; the shape)."""
    places, values, shape = as_array(as_array(x_indices), i64), as_array(x_values), as_array(x_shape)
    extents = e.cast(shape, dtype=i64)
    axes = evaluator().static(evaluator().number(shape_of(places)[0]), "the number of axes")
    flat: Any = None
    for k in range(axes):
        own = shapes.take_index(places, 0, k)
        flat = own if flat is None else e.add(e.mul(flat, shapes.take_index(extents, 0, k)), own)
    found, group = sets.unique(flat, return_inverse=True)
    count = shape_of(found)[0]
    total = ix.scatter_add(joining.full(as_array(0, dtype_of_value(values)), shape=(count,)), group, values, axis=0)
    rest = found
    parts: list[Any] = []
    for k in reversed(range(axes)):
        extent = shapes.take_index(extents, 0, k)
        parts.insert(0, e.mod(rest, extent))
        rest = e.floordiv(rest, extent)
    return shapes.stack(parts, 0), total, shape


def _ints(v: Any) -> Any:
    return as_array(as_array(v), i64)


def _axes(shape: Any) -> int:
    return static_int(evaluator().number(shape_of(shape)[0]), "the number of axes")


def _flat(indices: Any, shape: Any, axes: int) -> Any:
    """Places among all elements of the first axes, in order."""
    made: Any = None
    for k in range(axes):
        own = shapes.take_index(indices, 1, k)
        made = own if made is None else e.add(e.mul(made, shapes.take_index(shape, 0, k)), own)
    return made


def _apart(places: Any, shape: Any, axes: int) -> Any:
    """Indices (N, axes) of places among all elements."""
    parts: list[Any] = []
    for k in reversed(range(axes)):
        extent = shapes.take_index(shape, 0, k)
        parts.insert(0, e.mod(places, extent))
        places = e.floordiv(places, extent)
    return shapes.stack(parts, 1)


def _product(shape: Any) -> Any:
    return r.reduce_prod(shape, axis=(0,), keepdims=False)


@operator("SparseReorder")
def sparse_reorder(indices: Any, values: Any, shape: Any) -> Any:
    """(the indices in order, their values)."""
    places, extents = _ints(indices), _ints(shape)
    require_equal(shape_of(places)[0], shape_of(as_array(values))[0], "SparseReorder: {1} values for {0} indices")
    order = ordering.argsort(_flat(places, extents, _axes(extents)), axis=0)
    return ix.gather(as_array(indices), order, axis=0), ix.gather(as_array(values), order, axis=0)


@operator("SparseReshape")
def sparse_reshape(indices: Any, shape: Any, new_shape: Any) -> Any:
    """(the indices in a new shape, the new shape, of which one extent may be -1)."""
    places, old, new = _ints(indices), _ints(shape), _ints(new_shape)
    flat = _flat(places, old, _axes(old))
    known = _product(e.select(e.less(new, 0), 1, new))
    new = e.select(e.less(new, 0), e.floordiv(_product(old), known), new)
    return _apart(flat, new, _axes(new)), new


@operator("SparseSlice")
def sparse_slice(indices: Any, values: Any, shape: Any, start: Any, size: Any) -> Any:
    """(indices, values, shape) of a box of so many elements along each axis."""
    places, extents, first, count = (_ints(v) for v in (indices, shape, start, size))
    moved = e.sub(places, first)
    inside = e.bitwise_and(e.greater_equal(moved, 0), e.less(moved, count))
    kept = r.reduce_all(inside, axis=(1,), keepdims=False)
    made = e.maximum(e.minimum(count, e.sub(extents, first)), 0)
    return indexing.getitem(moved, kept), indexing.getitem(as_array(values), kept), made


@operator("SparseSoftmax")
def sparse_softmax(indices: Any, values: Any, shape: Any) -> Any:
    """The values' softmax along the last axis, among those that are there."""
    places, extents, a = _ints(indices), _ints(shape), as_float(values)
    axes = _axes(extents)
    rows = _flat(places, extents, axes - 1)
    outer = _product(shapes.slice_axis(extents, 0, 0, axes - 1))
    count = evaluator().dim(elementwise.number(outer))
    dtype = dtype_of_value(a)
    rows = index_modes.from_start(rows, count, 0, "an index")
    least = joining.full(as_array(float("-inf"), dtype), shape=(count,))
    top = e.stop_gradient(sc.scatter_combine(least, rows, a, op="max"))
    powers = t.exp(e.sub(a, ix.gather(top, rows, axis=0)))
    total = ix.scatter_add(joining.full(as_array(0, dtype), shape=(count,)), rows, powers, axis=0)
    return e.div(powers, ix.gather(total, rows, axis=0))


def _with_dense(name: str, operation: Callable[..., Any]) -> None:
    def combine(x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Any) -> Any:
        places, extents = _ints(x1_indices), _ints(x1_shape)
        a, dense = promote(name.lower(), x1_values, x2)
        axes, rank = _axes(extents), rank_of(dense)
        if rank > axes:
            raise ValueError(f"For 'SparseDenseCwise{name}', x2 has {rank} dimensions, the sparse array {axes}.")
        chosen: Any = as_array(0, i64)
        for k in range(rank):
            extent = as_array(evaluator().number(shape_of(dense)[k]), i64)
            own = e.select(
                e.equal(extent, 1), 0, shapes.take_index(places, 1, axes - rank + k)
            )  # 0 where it is stretched
            own = index_modes.from_start(own, shape_of(dense)[k], k, "an index")
            chosen = e.add(e.mul(chosen, extent), own)
        return operation(a, ix.gather(shapes.ravel(dense), chosen, axis=0))

    combine.__doc__ = "The values with those of a dense array, which is stretched, at the same places."
    operator(f"SparseDenseCwise{name}")(combine)


for _name, _operation in (("Add", e.add), ("Mul", e.mul), ("Div", e.div)):
    _with_dense(_name, _operation)


def _of_two(name: str, operation: Callable[..., Any]) -> None:
    def combine(x1_indices: Any, x1_values: Any, x1_shape: Any, x2_indices: Any, x2_values: Any, x2_shape: Any) -> Any:
        del x2_shape  # the same
        extents = _ints(x1_shape)
        axes = _axes(extents)
        a, b = promote("maximum", x1_values, x2_values)
        ours, theirs = (_flat(_ints(v), extents, axes) for v in (x1_indices, x2_indices))
        places, group = sets.unique(shapes.concatenate((ours, theirs), 0), return_inverse=True)
        zeros = joining.full(as_array(0, dtype_of_value(a)), shape=shape_of(places))
        first = shapes.slice_axis(group, 0, 0, shape_of(ours)[0])
        second = shapes.slice_axis(group, 0, shape_of(ours)[0], shape_of(theirs)[0])
        left, right = ix.scatter_add(zeros, first, a, axis=0), ix.scatter_add(zeros, second, b, axis=0)
        return _apart(places, extents, axes), operation(left, right)

    combine.__doc__ = f"(indices, values) of the {name.lower()} of two sparse arrays, zeros where only one has a value."
    operator(f"SparseSparse{name}")(combine)


for _name, _operation in (("Maximum", e.maximum), ("Minimum", e.minimum)):
    _of_two(_name, _operation)


@operator("SparseToDense")
def sparse_to_dense(indices: Any, values: Any, sparse_shape: Any) -> Any:
    """Zeros of a shape with values at index vectors."""
    return scatter.scatter_nd(indices, values, sparse_shape)


@operator("SparseTensorDenseMatmul")
def sparse_tensor_dense_matmul(
    indices: Any, values: Any, sparse_shape: Any, dense: Any, *, adjoint_st: Any = False, adjoint_dt: Any = False
) -> Any:
    """The product of a sparse matrix, given by its elements and their places, and a dense one."""
    whole = scatter.scatter_nd(indices, values, sparse_shape)
    return products.batched_matmul(whole, dense, bool(adjoint_st), bool(adjoint_dt))


@operator("SparseTensorDenseAdd")
def sparse_tensor_dense_add(x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Any) -> Any:
    """The sum of a sparse Tensor and a dense one."""
    return elementwise.add(scatter.scatter_nd(x1_indices, x1_values, x1_shape), x2)
