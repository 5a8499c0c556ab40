"""Tensors split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.array import arrangement, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    evaluator,
    normal_axis,
    rank_of,
    require_equal,
    shape_of,
    static_int,
    static_ints,
)

operator("unstack unbind")(shapes.unstack)


@operator("Unstack Unpack")
def unstack_set_up(x: Any, *, axis: Any = 0, num: Any = None) -> Any:
    """As `unstack`; `num` is how many there are."""
    parts = shapes.unstack(x, axis)
    if num is not None and len(parts) != num:
        raise ValueError(f"For 'Unstack', there are {len(parts)} parts along the axis, not {num}.")
    return parts


def _pieces(x: Any, size: int, axis: int) -> Any:
    extent = static_int(evaluator().number(shape_of(x)[axis]), "the extent of the axis that is split")
    return shapes.split(x, list(range(size, extent, size)), axis)


@operator("split_tensor_view SplitTensorView")
@operator("split .split")
def split(tensor: Any, split_size_or_sections: Any = None, axis: Any = 0, *, output_num: Any = None) -> Any:
    """Pieces of a given size along an axis (the last may be smaller), or of several given sizes; or `output_num` equal
    ones."""
    a = as_array(tensor)
    if output_num is not None:
        return split_set_up(a, axis=axis, output_num=output_num)
    if split_size_or_sections is None:
        raise TypeError("split() needs the size of the pieces, or sizes")
    k = normal_axis(axis, rank_of(a))
    if not isinstance(split_size_or_sections, list | tuple):
        size = static_int(split_size_or_sections, "the size of the pieces")
        if size <= 0:
            raise ValueError(f"the size of the pieces must be positive, but is {size}")
        return _pieces(a, size, k)
    cuts = [0]
    for size in cast("Sequence[Any]", split_size_or_sections):
        cuts.append(cuts[-1] + static_int(size, "the size of a piece"))
    require_equal(shape_of(a)[k], cuts[-1], "the sizes add up to {1}, the axis has {0}")
    return shapes.split(a, cuts[1:-1], k)


@operator("Split")
def split_set_up(x: Any, *, axis: Any = 0, output_num: Any = 1) -> Any:
    """x cut along an axis into equal parts."""
    return shapes.split(x, output_num, axis)


@operator("chunk_view ChunkView")
@operator("chunk .chunk")
def chunk(input: Any, chunks: Any, axis: Any = 0) -> Any:
    """At most `chunks` pieces of one size along an axis (the last may be smaller)."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    extent = static_int(evaluator().number(shape_of(a)[k]), "the extent of the axis that is split")
    count = static_int(chunks, "the number of pieces")
    if count < 1:
        raise ValueError(f"For 'chunk', the number of pieces must be positive, but is {count}.")
    return _pieces(a, max(1, -(-extent // count)), k)


@operator("tensor_split .tensor_split")
def tensor_split(input: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """The input cut along an axis into nearly equal parts, or at positions."""
    return tuple(arrangement.sections(input, indices_or_sections, axis))


@operator("hsplit .hsplit")
def hsplit(input: Any, indices_or_sections: Any) -> Any:
    """The input cut along its second axis (its only one)."""
    return tensor_split(input, indices_or_sections, 0 if rank_of(as_array(input)) == 1 else 1)


@operator("vsplit .vsplit")
def vsplit(input: Any, indices_or_sections: Any) -> Any:
    """The input cut along its first axis."""
    return tensor_split(input, indices_or_sections, 0)


@operator("dsplit .dsplit")
def dsplit(input: Any, indices_or_sections: Any) -> Any:
    """The input cut along its third axis."""
    return tensor_split(input, indices_or_sections, 2)


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


operator("unstack_ext_view UnstackExtView")(shapes.unstack)


@operator(".unbind")
def unbind(x: Any, dim: Any = 0) -> Any:
    """The sub-Tensors along an axis."""
    return shapes.unstack(x, dim)
