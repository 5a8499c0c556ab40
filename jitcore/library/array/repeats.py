"""Elements and Tensors repeated."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    evaluator,
    is_array,
    normal_axis,
    rank_of,
    require_equal,
    shape_of,
    static_ints,
)
from jitcore.types import i64


@operator("tile Tile")
def tile(input: Any, multiples: Any) -> Any:
    """The input repeated along each axis."""
    return shapes.tile(input, tuple(static_ints(multiples, "the repeats")) if is_array(multiples) else multiples)


@operator(".tile")
def tile_method(input: Any, *repeats: Any, dims: Any = None) -> Any:
    """As `tile`; the numbers may be given one by one."""
    given = repeats if dims is None else (dims,)
    return tile(input, given[0] if len(given) == 1 else given)


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
