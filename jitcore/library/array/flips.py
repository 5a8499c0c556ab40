"""Elements in another order: flips, rolls, quarter turns, permutations."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import arrangement, creation, indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    evaluator,
    normal_axes,
    normal_axis,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import i64

operator("fliplr .fliplr")(arrangement.fliplr)
operator("flipud .flipud")(arrangement.flipud)


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


@operator("reverse_sequence .reverse_sequence")
def reverse_sequence(x: Any, seq_lengths: Any, seq_dim: Any, batch_dim: Any = 0) -> Any:
    """x with the first `seq_lengths[b]` elements along an axis reversed, for each b along the batch axis."""
    a = as_array(x)
    line, batch = normal_axis(seq_dim, rank_of(a)), normal_axis(batch_dim, rank_of(a))
    place = _along(creation.arange(evaluator().number(shape_of(a)[line])), line, rank_of(a))
    length = _along(e.cast(as_array(seq_lengths), dtype=i64), batch, rank_of(a))
    source = e.select(e.less(place, length), e.sub(e.sub(length, 1), place), place)
    return indexing.take_along_axis(a, s.broadcast_to(source, shape=shape_of(a)), line)


@operator("ReverseSequence")
def reverse_sequence_set_up(x: Any, seq_lengths: Any, *, seq_dim: Any, batch_dim: Any = 0) -> Any:
    """As `reverse_sequence`."""
    return reverse_sequence(x, seq_lengths, seq_dim, batch_dim)


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


@operator("InvertPermutation")
def invert_permutation(input_x: Any) -> Any:
    """The inverse of a permutation: a tuple of ints gives a tuple."""
    order = static_ints(input_x, "the permutation")
    if sorted(order) != list(range(len(order))):
        raise ValueError("For 'InvertPermutation', the input is no permutation.")
    return tuple(order.index(k) for k in range(len(order)))
