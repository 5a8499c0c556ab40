"""What convolutions of every kind ask of their operands, told by the name of the one that the user called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.library.core.values import dtype_of_value, promote, rank_of, require_equal, shape_of
from jitcore.primitives.core.rules import require_kind
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, shape_text


def require_operands(
    name: str, x: object, weight: object, rank: int, groups: int, steps: Sequence[int], transposed: bool = False
) -> None:
    """Raise ValueError unless an image or volume fits a weight: (O, C / groups, …), or (C, O / groups, …) of a
    transposed one. `steps` are the strides and dilations. TypeError for what is neither ints nor floats."""
    if rank_of(x) != rank or rank_of(weight) != rank:
        raise ValueError(
            f"{name} takes arrays of {rank} dimensions, not {rank_of(x)} and {rank_of(weight)}: {_shapes(x, weight)}"
        )
    require_kind(dtype_of_value(x), "iuf", name)
    if min(*steps, groups) < 1:
        raise ValueError(f"{name}: stride, dilation and groups must be at least 1")
    first, second = shape_of(weight)[:2]
    require_equal(
        shape_of(x)[1],
        first if transposed else second * groups,
        f"{name}: the input has {{0}} channels, the weight is for {{1}}: {_shapes(x, weight)}",
    )
    if isinstance(first, int) and first % groups:
        which = "input" if transposed else "output"
        raise ValueError(f"{name}: {first} {which} channels do not divide into {groups} groups")


def require_channels(name: str, x: object, weight: object) -> None:
    """Raise ValueError unless an array has as many channels (axis 1) as a vector has elements."""
    require_equal(
        shape_of(x)[1],
        shape_of(weight)[0],
        f"{name}: the input has {{0}} channels, the weight is for {{1}}: {_shapes(x, weight)}",
    )


def require_parts(name: str, extent: Dim, parts: int, what: str) -> None:
    """Raise ValueError unless an extent is a multiple of a number; `what` it counts."""
    require_equal(extent // parts * parts, extent, f"{name}: {{1}} {what} do not divide into {parts} equal parts")


def _shapes(x: object, weight: object) -> str:
    return f"the input has shape {shape_text(shape_of(x))}, the weight {shape_text(shape_of(weight))}"


def add_bias(name: str, x: object, bias: object) -> Any:
    """x plus a bias along axis 1 (the channels)."""
    a, b = promote("add", x, bias)
    if rank_of(b) != 1 or rank_of(a) < 2:
        raise ValueError(f"{name} takes an array of at least 2 dimensions and a bias of 1")
    require_equal(shape_of(a)[1], shape_of(b)[0], f"{name}: {{1}} biases for {{0}} channels")
    return e.add(a, s.reshape(b, shape=(shape_of(b)[0],) + (1,) * (rank_of(a) - 2)))
