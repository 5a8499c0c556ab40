"""Embeddings: rows of a table, one-hot vectors, rotary positions."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation, gather, indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, category, dtype_of_value, evaluator, rank_of, shape_of, static_int
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import i64


@operator("one_hot")
def one_hot(indices: Any, depth: Any = -1, on_value: Any = 1, off_value: Any = 0, axis: Any = -1) -> Any:
    """For each index, `depth` values along a new axis: `on_value` at the index, `off_value` elsewhere; ints are
    int64."""
    on = as_array(on_value) if category(on_value) == "int" else on_value
    count = depth
    if isinstance(depth, int) and depth == -1:  # one more than the largest index
        largest = reductions.max(as_array(as_array(indices), i64))
        count = elementwise.number(e.add(largest, 1))
    return creation.one_hot(indices, count, on, off_value, axis)


@operator("OneHot")
def one_hot_set_up(indices: Any, depth: Any, on_value: Any = 1.0, off_value: Any = 0.0, *, axis: Any = -1) -> Any:
    """For each index, `depth` values along a new axis."""
    if not dtype_of_value(indices).is_integer:
        raise TypeError(f"For 'OneHot', the 'indices' must be ints, but got {dtype_of_value(indices)!r}.")
    return creation.one_hot(indices, depth, on_value, off_value, axis)


@operator("one_hot_ext")
def one_hot_ext(tensor: Any, num_classes: Any = -1) -> Any:
    """For each index the ints 0, but 1 at the index."""
    return e.cast(one_hot(tensor, num_classes), dtype=i64)


@operator("embedding")
def embedding(input: Any, weight: Any, padding_idx: Any = None, max_norm: Any = None, norm_type: Any = 2.0) -> Any:
    """The rows of the weight at the indices, scaled down to a norm if one is given; the row `padding_idx` takes no
    gradient."""
    rows = indexing.take(weight, input, 0)
    if max_norm is not None:
        size = reductions.norm_of_order(rows, float(evaluator().static(norm_type, "norm_type")), -1, True)
        limit = float(evaluator().static(max_norm, "max_norm"))
        scale = e.select(e.greater(size, limit), e.div(limit, e.add(size, 1e-7)), 1)
        rows = e.mul(rows, e.stop_gradient(scale))
    if padding_idx is None:
        return rows
    padding = s.expand_dims(
        e.equal(as_array(input), static_int(padding_idx, "padding_idx")), axis=(rank_of(as_array(input)),)
    )
    return e.select(padding, e.stop_gradient(rows), rows)


@operator("embedding_lookup")
def embedding_lookup(input_params: Any, input_indices: Any, offset: Any = 0) -> Any:
    """Rows at the indices less `offset`; zeros for indices out of range."""
    return gather.embedding_lookup(input_params, input_indices, offset)


@operator("RotaryMul")
def rotary_mul(x: Any, r1: Any, r2: Any) -> Any:
    """x times r1, plus its halves exchanged, the second negated, times r2."""
    a = as_array(x)
    axis = rank_of(a) - 1
    half = shape_of(a)[axis] // 2
    first, second = shapes.slice_axis(a, axis, 0, half), shapes.slice_axis(a, axis, half, half)
    return elementwise.add(
        elementwise.multiply(a, r1), elementwise.multiply(shapes.concatenate((e.neg(second), first), axis), r2)
    )
