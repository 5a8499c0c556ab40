"""Axes and extents, as Paddle's functions take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore import ops
from jitcore.compat.paddle.arguments import Axes, Extents
from jitcore.library.core import values
from jitcore.runtime.tensor import Tensor


def known_number(value: complex | Tensor) -> Any:
    """A number, or that of a Tensor of one."""
    return ops.item(value) if values.category(value) == "tensor" else value


def axis_of(axis: int | Tensor, rank: int) -> int:
    """An axis counted from 0; of a Tensor without axes, 0. Raises ValueError if there is no such axis."""
    n = max(rank, 1)
    k = values.static_int(known_number(axis), "the axis")
    if not -n <= k < n:
        raise ValueError(f"(InvalidArgument) the axis should be in range [{-n}, {n}), but received {k}")
    return k % n


def axis_in(x: Tensor, axis: int | Tensor) -> int:
    """An axis of a Tensor counted from 0; 0 if it has none."""
    return axis_of(axis, values.rank_of(x))


def several(axis: Axes | Tensor) -> tuple[Any, ...]:
    """Axes, one or several, as they are given."""
    if values.category(axis) == "tensor":
        return extents(cast("Tensor", axis))
    return tuple(cast("Sequence[int]", axis)) if isinstance(axis, tuple | list) else (axis,)


def axes_in(x: Tensor, axis: Axes | Tensor) -> Any:
    """Axes of a Tensor counted from 0: None of None and of no axes. Raises ValueError for one that is named twice."""
    if axis is None or (isinstance(axis, tuple | list) and not axis):
        return None
    axes = tuple(axis_in(x, a) for a in several(axis))
    if len(set(axes)) < len(axes):
        raise ValueError(f"(InvalidArgument) the axes {list(axes)} name one more than once")
    return axes if values.rank_of(x) else None


def extents(shape: Extents) -> tuple[Any, ...]:
    """Extents as numbers: of ints, of Tensors of one, or of one Tensor of them all. Raises TypeError for others."""
    if values.category(shape) == "tensor":
        whole = cast("Any", shape)
        if not values.rank_of(whole):
            return (ops.item(whole),)
        return tuple(ops.item(ops.select_ext(whole, 0, k)) for k in range(values.static_extent(whole, 0)))
    given: tuple[Any, ...] = tuple(cast("Sequence[Any]", shape)) if isinstance(shape, list | tuple) else (shape,)
    for n in given:
        if isinstance(n, str | float):
            raise TypeError(f"a shape is made of ints, or of Tensors of one int, not of {type(n).__name__}")
    return tuple(map(known_number, given))


def extents_of(x: Tensor) -> tuple[Any, ...]:
    """The extents of a Tensor as numbers."""
    return tuple(map(values.evaluator().number, values.shape_of(x)))
