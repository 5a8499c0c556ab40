"""More operators on shapes: parts written, diagonals, bands, batches and space, segments in order, sequences' masks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore.config import settings
from jitcore.library.array import arrangement, creation, indexing, shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    promote,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import composed, elementwise
from jitcore.library.mindspore.creating import tril_indices, triu_indices
from jitcore.library.mindspore.gathering import scatter_add_elements, scattered_nd, take
from jitcore.library.mindspore.joining import split
from jitcore.library.mindspore.shaping import broadcast_to, diag_embed, diagonal, static_ints
from jitcore.library.mindspore.sorting import unique, unique_consecutive
from jitcore.library.nn import operands
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, joining
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import i32, i64

operator("broadcast_tensors")(arrangement.broadcast_arrays)
operator("diff .diff")(arrangement.diff)
operator("trapz")(composed.trapezoid)
operator("expand_as")(lambda input, other: s.broadcast_to(as_array(input), shape=shape_of(other)))


# --- transposes ---------------------------------------------------------------------------------------


@operator("t .t")
def t(input: Any) -> Any:
    """A matrix transposed; a vector as it is, and by MindSpore's rules what has more axes, too."""
    if rank_of(as_array(input)) > 2:
        if settings.mindspore_rules:
            return input
        raise ValueError("For 't', a Tensor of at most 2 dimensions is needed.")
    return shapes.transpose(input)


@operator("matrix_transpose")
def matrix_transpose(input: Any) -> Any:
    """The last two axes exchanged."""
    return shapes.swapaxes(input, -2, -1)


@operator("adjoint .adjoint ConjugateTranspose")
def adjoint(x: Any, perm: Any = None) -> Any:
    """The conjugate of the transpose."""
    turned = shapes.swapaxes(x, -2, -1) if perm is None else shapes.transpose(x, tuple(static_ints(perm, "perm")))
    return elementwise.conjugate(turned)


@operator("view_as_real")
def view_as_real(input: Any) -> Any:
    """The real and imaginary parts, as a last axis."""
    return shapes.stack((elementwise.real(input), elementwise.imag(input)), -1)


@operator("channel_shuffle")
def channel_shuffle(x: Any, groups: Any) -> Any:
    """(N, C, …) with the channels of the groups taken in turns."""
    a, count = as_array(x), static_int(groups, "groups")
    n, c, *rest = shape_of(a)
    operands.require_parts("channel_shuffle", c, count, "channels")
    split_up = s.reshape(a, shape=(n, count, c // count, *rest))
    return s.reshape(shapes.swapaxes(split_up, 1, 2), shape=shape_of(a))


@operator("as_strided .as_strided")
def as_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """The elements of the input, as they lie in a row, at the places that sizes, steps and a first place say."""
    sizes, steps = static_ints(size, "size"), static_ints(stride, "stride")
    if len(sizes) != len(steps):
        raise ValueError(f"For 'as_strided', there are {len(sizes)} sizes and {len(steps)} strides.")
    first = 0 if storage_offset is None else static_int(storage_offset, "storage_offset")
    places = first + sum(
        np.arange(n).reshape(-1, *(1,) * k) * st for k, (n, st) in enumerate(zip(sizes[::-1], steps[::-1], strict=True))
    )
    constant = evaluator().constant(np.asarray(places, np.int64), i64)
    return take(shapes.ravel(as_array(input)), constant)


# --- diagonals and bands ------------------------------------------------------------------------------


@operator("diagflat .diagflat")
def diagflat(input: Any, offset: Any = 0) -> Any:
    """The elements on a diagonal of a matrix of zeros."""
    return diag_embed(shapes.ravel(input), offset)


@operator("MatrixBandPart matrix_band_part")
def matrix_band_part(x: Any, lower: Any, upper: Any) -> Any:
    """x with zeros but for some diagonals below and above the main one; a negative number keeps all."""
    made = as_array(x)
    below, above = static_int(lower, "lower"), static_int(upper, "upper")
    if above >= 0:
        made = shapes.tril(made, above)
    return shapes.triu(made, -below) if below >= 0 else made


@operator("diagonal_scatter .diagonal_scatter")
def diagonal_scatter(input: Any, src: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    """The input with another diagonal."""
    a = as_array(input)
    i, j = normal_axis(dim1, rank_of(a)), normal_axis(dim2, rank_of(a))
    moved = shapes.moveaxis(a, (i, j), (-2, -1))
    rows, columns = (as_array(creation.arange(evaluator().number(n))) for n in shape_of(moved)[-2:])
    hit = e.equal(columns, e.add(s.expand_dims(rows, axis=(1,)), as_array(offset, i64)))
    old = diagonal(moved, offset, -2, -1)
    change = elementwise.subtract(as_array(as_array(src), dtype_of_value(a)), old)
    start = max(-static_int(offset, "offset"), 0)
    place = e.select(e.less(rows, start), 0, e.sub(rows, start))
    length = shape_of(old)[-1]
    last = conversions.from_scalar(evaluator().number(length + -1), dtype=i64)
    spread = ix.gather(change, e.minimum(place, last), axis=rank_of(change) - 1)
    made = e.select(hit, e.add(moved, s.expand_dims(spread, axis=(rank_of(spread),))), moved)
    return shapes.moveaxis(made, (-2, -1), (i, j))


@operator("TrilIndices")
def tril_indices_set_up(*, row: Any, col: Any, offset: Any = 0, dtype: Any = i32) -> Any:
    """As `tril_indices`."""
    return tril_indices(row, col, offset, dtype=dtype)


@operator("TriuIndices")
def triu_indices_set_up(*, row: Any, col: Any, offset: Any = 0, dtype: Any = i32) -> Any:
    """As `triu_indices`."""
    return triu_indices(row, col, offset, dtype=dtype)


# --- parts written ------------------------------------------------------------------------------------


@operator("select_scatter .select_scatter")
def select_scatter(input: Any, src: Any, axis: Any, index: Any) -> Any:
    """The input with another sub-Tensor at an index of an axis."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    at = index_modes.checked(
        as_array([index]) if is_array(index) else evaluator().constant([index], i64), shape_of(a)[k], k
    )
    part = s.expand_dims(as_array(as_array(src), dtype_of_value(a)), axis=(k,))
    return ix.scatter_set(a, at, part, axis=k)


@operator("slice_scatter .slice_scatter")
def slice_scatter(input: Any, src: Any, axis: Any = 0, start: Any = None, end: Any = None, step: Any = 1) -> Any:
    """The input with another slice of an axis."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    places = creation.arange(evaluator().number(shape_of(a)[k]))
    chosen = indexing.basic_view(places, indexing.parse_key(places, slice(start, end, step)))
    return ix.scatter_set(a, chosen, as_array(as_array(src), dtype_of_value(a)), axis=k)


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


@operator("InvertPermutation")
def invert_permutation(input_x: Any) -> Any:
    """The inverse of a permutation: a tuple of ints gives a tuple."""
    order = static_ints(input_x, "the permutation")
    if sorted(order) != list(range(len(order))):
        raise ValueError("For 'InvertPermutation', the input is no permutation.")
    return tuple(order.index(k) for k in range(len(order)))


# --- batches and space --------------------------------------------------------------------------------


@operator("SpaceToBatch")
def space_to_batch(input_x: Any, *, block_size: Any, paddings: Any) -> Any:
    """(N, C, H, W) with the elements of blocks of the padded plane moved into the batch."""
    b = static_int(block_size, "block_size")
    a = shapes.pad(as_array(input_x), [(0, 0), (0, 0), *paddings])
    n, c, h, w = shape_of(a)
    split_up = s.reshape(a, shape=(n, c, h // b, b, w // b, b))
    return s.reshape(s.transpose(split_up, permutation=(3, 5, 0, 1, 2, 4)), shape=(n * (b * b), c, h // b, w // b))


@operator("BatchToSpace")
def batch_to_space(input_x: Any, *, block_size: Any, crops: Any) -> Any:
    """The inverse of SpaceToBatch."""
    b, a = static_int(block_size, "block_size"), as_array(input_x)
    n, c, h, w = shape_of(a)
    split_up = s.reshape(a, shape=(b, b, n // (b * b), c, h, w))
    plane = s.reshape(s.transpose(split_up, permutation=(2, 3, 4, 0, 5, 1)), shape=(n // (b * b), c, h * b, w * b))
    for axis, (before, after) in enumerate(cast("Sequence[Sequence[int]]", crops), 2):
        rest = shape_of(plane)[axis] + -(before + after)
        plane = shapes.slice_within(
            plane, axis, before, rest, f"For 'BatchToSpace', crops {(before, after)} do not fit."
        )
    return plane


@operator("SplitV")
def split_v(input_x: Any, *, size_splits: Any, split_dim: Any, num_split: Any = None) -> Any:
    """The input cut along an axis into pieces of given sizes, of which one may be -1."""
    sizes, a = static_ints(size_splits, "size_splits"), as_array(input_x)
    if num_split is not None and num_split != len(sizes):
        raise ValueError("For 'SplitV', num_split is the length of size_splits.")
    k = normal_axis(split_dim, rank_of(a))
    if -1 in sizes:
        total = static_int(evaluator().number(shape_of(a)[k]), "the extent of the axis that is split")
        sizes[sizes.index(-1)] = total - (sum(sizes) + 1)
    return split(a, sizes, k)


@operator("ParallelConcat")
def parallel_concat(values: Any) -> Any:
    """Tensors one after the other along the first axis."""
    return shapes.concatenate(values, 0)


@operator("Expand")
def expand_set_up(x: Any, shape: Any) -> Any:
    """x repeated along axes of extent 1 and new ones."""
    return broadcast_to(x, tuple(static_ints(shape, "the shape")))


# --- segments and sequences ---------------------------------------------------------------------------


@operator("SegmentSum")
def segment_sum(input_x: Any, segment_ids: Any) -> Any:
    """The sums of the rows of each segment, numbered in order from 0."""
    a, ids = as_array(input_x), e.cast(as_array(segment_ids), dtype=i64)
    reductions.require_elements(ids, (0,), "For 'SegmentSum', there are no segments.")
    count = evaluator().dim(conversions.to_scalar(e.add(reductions.max(ids), 1)))
    base = creation.filled((count, *shape_of(a)[1:]), 0, dtype_of_value(a))
    return ix.scatter_add(base, index_modes.from_start(ids, count, 0, "the number of a segment"), a, axis=0)


@operator("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None) -> Any:
    """For each length a row of that many trues, then falses; as long as the longest unless said."""
    a = e.cast(as_array(lengths), dtype=i64)
    limit = elementwise.number(reductions.max(a)) if maxlen is None else maxlen
    places = creation.arange(limit)
    return e.less(places, s.expand_dims(a, axis=(rank_of(a),)))


@operator("UniqueWithPad unique_with_pad")
def unique_with_pad(x: Any, pad_num: Any) -> Any:
    """(the distinct elements, then `pad_num` up to the length of x; for each element the place of its value)."""
    a = as_array(x)
    values, places = unique(a)
    padded = joining.full(as_array(as_array(pad_num), dtype_of_value(a)), shape=shape_of(a))
    index = creation.arange(evaluator().number(shape_of(values)[0]))
    return ix.scatter_set(padded, index, values, axis=0), places


@operator("UniqueConsecutive")
def unique_consecutive_set_up(
    x: Any, *, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """As `unique_consecutive`; what is not asked for is left out."""
    return unique_consecutive(x, return_inverse, return_counts, dim)


@operator("UnravelIndex unravel_index")
def unravel_index(indices: Any, dims: Any) -> Any:
    """The places in a shape of indices into its flattened elements: a row for each axis."""
    extents = static_ints(dims, "the shape")
    rest = index_modes.from_start(as_array(indices), math.prod(extents), 0, "an index into the flattened elements")
    parts: list[Any] = []
    for extent in reversed(extents):
        parts.insert(0, e.mod(rest, extent))
        rest = e.floordiv(rest, extent)
    return shapes.stack(parts, 0)


@operator("cartesian_prod")
def cartesian_prod(*inputs: Any) -> Any:
    """All combinations of the elements of vectors, one in a row."""
    if len(inputs) == 1:
        return as_array(inputs[0])
    grids = creation.meshgrid(*promote("concatenate", *inputs), indexing="ij")
    return shapes.stack([shapes.ravel(grid) for grid in grids], 1)


@operator("ConfusionMatrix")
def confusion_matrix_set_up(
    labels: Any, predictions: Any, weights: Any = None, *, num_classes: Any, dtype: Any = i32
) -> Any:
    """How often each label was taken for each class."""
    count = static_int(num_classes, "num_classes")
    places = shapes.stack((as_array(labels), as_array(predictions)), 1)
    made = creation.zeros((count, count), dtype)
    ones = creation.ones_like(as_array(labels)) if weights is None else weights
    return scattered_nd(made, places, elementwise.astype(ones, dtype), "add")
