"""Operators that belong to no larger family: margins, in-place updates, and those that only show something."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.array import indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    promote,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.mindspore import gathering, measuring
from jitcore.primitives.ops import conversions, joining
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import broadcast_shapes, f32, i64, u8

# --- elements and rows --------------------------------------------------------------------------------


@operator("inplace_index_add", "raw")
def inplace_index_add(var: Any, indices: Any, updates: Any, axis: Any) -> Any:
    """The Parameter, changed in place, with sub-Tensors added at the indices."""
    return elementwise.assign(var, gathering.index_add(var, indices, updates, axis))


@operator("InplaceIndexAdd", "raw")
def inplace_index_add_set_up(var: Any, indices: Any, updates: Any, *, axis: Any) -> Any:
    """As `inplace_index_add`."""
    return inplace_index_add(var, indices, updates, axis)


@operator("InplaceUpdateV2")
def inplace_update_v2(x: Any, indices: Any, v: Any) -> Any:
    """x with other rows at the indices."""
    return measuring.inplace_update(x, v, indices)


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
    return gathering.scattered_nd(a, vectors, values, "add" if accumulate else "update")


@operator("SparseToDense")
def sparse_to_dense(indices: Any, values: Any, sparse_shape: Any) -> Any:
    """Zeros of a shape with values at index vectors."""
    return gathering.scatter_nd(indices, values, sparse_shape)


@operator("SparseTensorDenseMatmul")
def sparse_tensor_dense_matmul(
    indices: Any, values: Any, sparse_shape: Any, dense: Any, *, adjoint_st: Any = False, adjoint_dt: Any = False
) -> Any:
    """The product of a sparse matrix, given by its elements and their places, and a dense one."""
    whole = gathering.scatter_nd(indices, values, sparse_shape)
    return products.batched_matmul(whole, dense, bool(adjoint_st), bool(adjoint_dt))


@operator("SparseTensorDenseAdd")
def sparse_tensor_dense_add(x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Any) -> Any:
    """The sum of a sparse Tensor and a dense one."""
    return elementwise.add(gathering.scatter_nd(x1_indices, x1_values, x1_shape), x2)


@operator("SubAndFilter")
def sub_and_filter(input_x: Any, max_num: Any, offset: Any) -> Any:
    """(the numbers less an offset that are from 0 on and below a bound, their places)."""
    a = as_array(input_x)
    moved = elementwise.subtract(a, offset)
    kept = elementwise.logical_and(
        e.greater_equal(moved, 0), e.less(moved, as_array(as_array(max_num), dtype_of_value(moved)))
    )
    return indexing.getitem(moved, kept), as_array(indexing.nonzero(kept)[0], dtype_of_value(a))


@operator("NoRepeatNGram")
def no_repeat_ngram(state_seq: Any, log_probs: Any, *, ngram_size: Any = 1) -> Any:
    """The scores of beams, the lowest number for every word that would make the end of a sequence come a second
    time."""
    words, scores = as_array(as_array(state_seq), i64), as_array(log_probs)
    size = static_int(ngram_size, "ngram_size")
    length = shape_of(words)[-1]
    count = length + -(size - 1)
    end = shapes.slice_axis(words, 2, length - (size - 1), size - 1)
    same = e.equal(e.mul(shapes.slice_axis(words, 2, size - 1, count), 0), 0)
    for k in range(size - 1):
        wanted = shapes.slice_axis(end, 2, k, 1)
        same = e.bitwise_and(same, e.equal(shapes.slice_axis(words, 2, k, count), wanted))
    following = shapes.slice_axis(words, 2, size - 1, count)
    found = gathering.scatter_add_elements(
        joining.full(as_array(0, i64), shape=shape_of(scores)), 2, following, e.cast(same, dtype=i64)
    )
    return e.select(e.greater(found, 0), float(np.finfo(np.float32).min), scores)


@operator("CompareAndBitpack")
def compare_and_bitpack(x: Any, threshold: Any) -> Any:
    """Whether elements are above a threshold, 8 in a byte, the first the highest bit."""
    a, limit = promote("sub", x, threshold)
    bits = e.cast(e.greater(a, limit), dtype=u8)
    split = s.reshape(bits, shape=(*shape_of(bits)[:-1], shape_of(bits)[-1] // 8, 8))
    weights = evaluator().constant(2 ** np.arange(7, -1, -1), u8)
    return e.cast(r.reduce_sum(e.mul(split, weights), axis=(rank_of(split) - 1,), keepdims=False), dtype=u8)


# --- what passes values on ----------------------------------------------------------------------------


@operator("IdentityN")
def identity_n(x: Any) -> Any:
    """Each of several Tensors, as it is."""
    return tuple(e.add(v, 0) if dtype_of_value(v).kind != "b" else e.bitwise_or(v, v) for v in map(as_array, x))


@operator("Assert", "raw")
def assert_set_up(condition: Any, input_data: Any, *, summarize: Any = 3) -> Any:
    """Raises RuntimeError unless the condition holds."""
    del input_data, summarize
    truth = condition if not is_array(condition) else elementwise.number(condition)
    if isinstance(truth, bool):
        if not truth:
            raise RuntimeError("assert failed")
        return truth
    conversions.check(truth, exception="RuntimeError", message="assert failed")
    return condition


def _summary(cls: str) -> None:
    def show(name: Any, value: Any) -> Any:
        del name
        return value

    show.__doc__ = "The value itself: nothing is recorded."
    operator(cls, "raw")(show)


for _cls in ("ScalarSummary", "ImageSummary", "TensorSummary", "HistogramSummary", "TensorDump"):
    _summary(_cls)


@operator("NPUAllocFloatStatus")
def alloc_float_status() -> Any:
    """The flags of an overflow on a device that has them: 8 zeros."""
    return joining.full(as_array(0.0, f32), shape=(8,))


@operator("NPUGetFloatStatus NPUClearFloatStatus")
def float_status(x: Any) -> Any:
    """The flags, none of which is ever set here."""
    return e.mul(as_array(x), 0)


@operator("ConvertToDynamic", "raw")
def convert_to_dynamic(x: Any, *, is_dynamic_rank: Any = False) -> Any:
    """The operand itself: what is not known when the program is compiled is told by the arguments."""
    del is_dynamic_rank
    return x
