"""Operators that join, split, repeat and rearrange Tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.array import arrangement, creation, indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axes,
    normal_axis,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.mindspore.shaping import static_ints
from jitcore.library.nn import operands
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, i64

operator("hstack")(arrangement.hstack)
operator("vstack row_stack")(arrangement.vstack)
operator("dstack")(arrangement.dstack)
operator("column_stack")(arrangement.column_stack)
operator("fliplr .fliplr")(arrangement.fliplr)
operator("flipud .flipud")(arrangement.flipud)
operator("kron Kron")(arrangement.kron)


# --- joining and splitting ----------------------------------------------------------------------------


@operator("concat cat concatenate")
def concat(tensors: Any, axis: Any = 0) -> Any:
    """Tensors one after the other along an axis."""
    return shapes.concatenate(tensors, axis)


operator("stack")(shapes.stack)
operator("unstack unbind")(shapes.unstack)


@operator("Concat")
def concat_set_up(xs: Any, *, axis: Any = 0) -> Any:
    """As `concat`."""
    return shapes.concatenate(xs, axis)


@operator("Stack Pack")
def stack_set_up(xs: Any, *, axis: Any = 0) -> Any:
    """As `stack`."""
    return shapes.stack(xs, axis)


@operator("Unstack Unpack")
def unstack_set_up(x: Any, *, axis: Any = 0, num: Any = None) -> Any:
    """As `unstack`; `num` is how many there are."""
    parts = shapes.unstack(x, axis)
    if num is not None and len(parts) != num:
        raise ValueError(f"For 'Unstack', there are {len(parts)} parts along the axis, not {num}.")
    return parts


@operator("Split")
def split_set_up(x: Any, *, axis: Any = 0, output_num: Any = 1) -> Any:
    """x cut along an axis into equal parts."""
    return shapes.split(x, output_num, axis)


def _pieces(x: Any, size: int, axis: int) -> Any:
    extent = static_int(evaluator().number(shape_of(x)[axis]), "the extent of the axis that is split")
    return shapes.split(x, list(range(size, extent, size)), axis)


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


@operator("block_diag")
def block_diag(*inputs: Any) -> Any:
    """Matrices one after the other along a diagonal, zeros elsewhere."""
    blocks = [arrangement.atleast_2d(x) for x in inputs]
    columns: Dim = 0
    for block in blocks:
        columns = columns + shape_of(block)[1]
    rows: list[Any] = []
    before: Dim = 0
    for block in blocks:
        own = shape_of(block)[1]
        height = shape_of(block)[0]
        parts = [creation.filled((height, before), 0, dtype_of_value(block)), block]
        before = before + own
        parts.append(creation.filled((height, columns + before * -1), 0, dtype_of_value(block)))
        rows.append(shapes.concatenate(parts, 1))
    return shapes.concatenate(rows, 0)


# --- repeating and rearranging ------------------------------------------------------------------------


@operator(".tile")
def tile_method(input: Any, *repeats: Any, dims: Any = None) -> Any:
    """As `tile`; the numbers may be given one by one."""
    given = repeats if dims is None else (dims,)
    return tile(input, given[0] if len(given) == 1 else given)


@operator("tile Tile")
def tile(input: Any, multiples: Any) -> Any:
    """The input repeated along each axis."""
    return shapes.tile(input, tuple(static_ints(multiples, "the repeats")) if is_array(multiples) else multiples)


@operator("repeat_elements")
def repeat_elements(x: Any, rep: Any, axis: Any = 0) -> Any:
    """Each element along an axis `rep` times."""
    return repeat_interleave(x, rep, axis)


@operator("repeat_interleave .repeat_interleave .repeat")
def repeat_interleave(input: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element (along an axis) `repeats` times, or as often as the item of `repeats` for it says."""
    if not isinstance(repeats, list | tuple) and not (is_array(repeats) and rank_of(repeats)):
        return shapes.repeat(input, repeats, axis)
    times = static_ints(repeats, "the repeats")
    if len(times) == 1:
        return shapes.repeat(input, times[0], axis)
    a = shapes.ravel(input) if axis is None else as_array(input)
    k = 0 if axis is None else normal_axis(axis, rank_of(a))
    require_equal(shape_of(a)[k], len(times), "there are {0} elements to repeat, and {1} repeats")
    places = [place for place, count in enumerate(times) for _ in range(count)]
    return indexing.take(a, evaluator().constant(places, i64), k)


@operator("flip .flip")
def flip(input: Any, dims: Any = None) -> Any:
    """The input with the order along axes reversed."""
    return shapes.flip(input, dims)


@operator("reverse")
def reverse(x: Any, axis: Any) -> Any:
    """As `flip`."""
    return shapes.flip(x, axis)


@operator("ReverseV2")
def reverse_set_up(x: Any, *, axis: Any) -> Any:
    """As `flip`."""
    return shapes.flip(x, axis)


@operator("ReverseSequence")
def reverse_sequence_set_up(x: Any, seq_lengths: Any, *, seq_dim: Any, batch_dim: Any = 0) -> Any:
    """As `reverse_sequence`."""
    return reverse_sequence(x, seq_lengths, seq_dim, batch_dim)


@operator("reverse_sequence .reverse_sequence")
def reverse_sequence(x: Any, seq_lengths: Any, seq_dim: Any, batch_dim: Any = 0) -> Any:
    """x with the first `seq_lengths[b]` elements along an axis reversed, for each b along the batch axis."""
    a = as_array(x)
    line, batch = normal_axis(seq_dim, rank_of(a)), normal_axis(batch_dim, rank_of(a))
    place = _along(creation.arange(evaluator().number(shape_of(a)[line])), line, rank_of(a))
    length = _along(e.cast(as_array(seq_lengths), dtype=i64), batch, rank_of(a))
    source = e.select(e.less(place, length), e.sub(e.sub(length, 1), place), place)
    return indexing.take_along_axis(a, s.broadcast_to(source, shape=shape_of(a)), line)


def _along(vector: Any, axis: int, rank: int) -> Any:
    others = tuple(k for k in range(rank) if k != axis)
    return s.expand_dims(vector, axis=others) if others else vector


@operator("roll .roll")
def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """The input moved along axes, what leaves at one end coming back at the other."""
    if dims is None:
        (by,) = static_ints(shifts, "the shift")
        return shapes.roll(input, by)
    made = as_array(input)
    by, axes = static_ints(shifts, "the shift"), static_ints(dims, "the axis")
    if len(by) != len(axes):
        raise ValueError("For 'roll', the length of 'shifts' and the length of 'dims' must be the same.")
    for shift, axis in zip(by, axes, strict=True):
        made = shapes.roll(made, shift, axis)
    return made


@operator("Roll")
def roll_set_up(input: Any, *, shift: Any, axis: Any) -> Any:
    """As `roll`."""
    return roll(input, shift, axis)


@operator("rot90 .rot90")
def rot90(input: Any, k: Any = 1, dims: Any = (0, 1)) -> Any:
    """The input turned by k right angles in the plane of two axes."""
    first, second = normal_axes(dims, rank_of(as_array(input)))
    turned = arrangement.rot90(shapes.moveaxis(input, (first, second), (0, 1)), static_int(k, "the number of turns"))
    return shapes.moveaxis(turned, (0, 1), (first, second))


@operator("SpaceToDepth")
def space_to_depth(x: Any, *, block_size: Any) -> Any:
    """(N, C, H, W) with blocks of the plane moved into the channels."""
    a = as_array(x)
    n, c, h, w = shape_of(a)
    b = static_int(block_size, "block_size")
    split_up = s.reshape(a, shape=(n, c, h // b, b, w // b, b))
    return s.reshape(s.transpose(split_up, permutation=(0, 3, 5, 1, 2, 4)), shape=(n, c * (b * b), h // b, w // b))


@operator("DepthToSpace")
def depth_to_space(x: Any, *, block_size: Any) -> Any:
    """The inverse of SpaceToDepth."""
    a = as_array(x)
    n, c, h, w = shape_of(a)
    b = static_int(block_size, "block_size")
    split_up = s.reshape(a, shape=(n, b, b, c // (b * b), h, w))
    return s.reshape(s.transpose(split_up, permutation=(0, 3, 4, 1, 5, 2)), shape=(n, c // (b * b), h * b, w * b))


def _require_images(name: str, a: object) -> None:
    if rank_of(a) < 3:
        raise ValueError(f"{name} takes an array of at least 3 dimensions, not {rank_of(a)}")


@operator("pixel_shuffle")
def pixel_shuffle(input: Any, upscale_factor: Any) -> Any:
    """(…, C r², H, W) → (…, C, H r, W r)."""
    a = as_array(input)
    r = static_int(upscale_factor, "upscale_factor")
    if r < 1:
        raise ValueError(f"For 'pixel_shuffle', the upscale_factor must be positive, but is {r}.")
    _require_images("pixel_shuffle", a)
    *rest, c, h, w = shape_of(a)
    operands.require_parts("pixel_shuffle", c, r * r, "channels")
    k = len(rest)
    split_up = s.reshape(a, shape=(*rest, c // (r * r), r, r, h, w))
    moved = s.transpose(split_up, permutation=(*range(k), k, k + 3, k + 1, k + 4, k + 2))
    return s.reshape(moved, shape=(*rest, c // (r * r), h * r, w * r))


@operator("pixel_unshuffle")
def pixel_unshuffle(input: Any, downscale_factor: Any) -> Any:
    """The inverse of `pixel_shuffle`."""
    a = as_array(input)
    r = static_int(downscale_factor, "downscale_factor")
    _require_images("pixel_unshuffle", a)
    *rest, c, h, w = shape_of(a)
    for extent, what in ((h, "rows"), (w, "columns")):
        operands.require_parts("pixel_unshuffle", extent, r, what)
    k = len(rest)
    split_up = s.reshape(a, shape=(*rest, c, h // r, r, w // r, r))
    moved = s.transpose(split_up, permutation=(*range(k), k, k + 2, k + 4, k + 1, k + 3))
    return s.reshape(moved, shape=(*rest, c * (r * r), h // r, w // r))
