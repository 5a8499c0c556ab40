"""Undoing broadcasting: what transposed rules need to bring a cotangent back to an operand's shape.

The families of primitives whose rules these are stand above: what is made of theirs is found when it is needed.
"""

from __future__ import annotations

from typing import Any

from jitcore.primitives import tracing
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.primitives.core.rules import tensor_type
from jitcore.types import Dim, Shape, TensorType


def sum_to_shape(x: Any, target: Shape) -> Any:
    """`x` summed over the axes along which an array of shape `target` was broadcast to give it."""
    source = tensor_type(x).shape
    extra = len(source) - len(target)
    axes = tuple(range(extra)) + tuple(
        axis for axis in range(extra, len(source)) if target[axis - extra] == 1 and source[axis] != 1
    )
    if axes:
        x = PRIMITIVES["reduce_sum"](x, axis=axes, keepdims=False)
    return with_shape(x, target)


def with_shape(x: Any, target: Shape) -> Any:
    """`x` with its extents written as in `target` (which has the same number of elements)."""
    return x if tensor_type(x).shape == target else PRIMITIVES["reshape"](x, shape=target)


def zeros(type_: TensorType) -> Any:
    """An array of zeros of a type."""
    return filled(0, type_)


def filled(value: float, type_: TensorType) -> Any:
    """An array of one value."""
    return PRIMITIVES["full"](tracing.constant(value, type_.dtype), shape=type_.shape)


def expand_to(x: Any, rank: int, axes: tuple[int, ...]) -> Any:
    """`x` with its axes placed at `axes` of an array of `rank` dimensions, whose other extents are 1."""
    missing = tuple(a for a in range(rank) if a not in axes)
    return PRIMITIVES["expand_dims"](x, axis=missing) if missing else x


def size_of(extents: Shape) -> Dim:
    """The product of extents."""
    total: Dim = 1
    for extent in extents:
        total = total * extent
    return total
