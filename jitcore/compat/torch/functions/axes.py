"""Axes and extents, as PyTorch's functions take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.compat.torch.arguments import Dims, Extents
from jitcore.library.array import shapes
from jitcore.library.core import values
from jitcore.runtime.tensor import Tensor


def axis_of(dim: int, rank: int) -> int:
    """An axis counted from 0; of a Tensor without axes, 0. Raises IndexError if there is no such axis."""
    n = max(rank, 1)
    k = values.static_int(dim, "the axis")
    if not -n <= k < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {k})")
    return k % n


def axis_in(input: Tensor, dim: int) -> int:
    """An axis of a Tensor counted from 0; 0 if it has none."""
    return axis_of(dim, values.rank_of(input))


def axes_in(input: Tensor, dim: Dims) -> Any:
    """Axes of a Tensor counted from 0: None of None and of no axes, and of any axes of a Tensor that has none."""
    if dim is None or (isinstance(dim, tuple | list) and not dim):
        return None
    given = cast("Sequence[int]", dim) if isinstance(dim, tuple | list) else (cast("int", dim),)
    axes = tuple(axis_in(input, d) for d in given)
    if len(set(axes)) < len(axes):
        raise RuntimeError(f"dim {axes[-1]} appears multiple times in the list of dims")
    return axes if values.rank_of(input) else None


def with_axis(input: Tensor) -> Any:
    """A Tensor with one axis at least, as those are treated that have none."""
    return input if values.rank_of(input) else _shaped(input, (1,))


def like_given(made: object, input: Tensor) -> Any:
    """What was computed of `with_axis(input)`, in the rank of the input."""
    return made if values.rank_of(input) else _shaped(made, ())


def extents(given: Sequence[Extents], named: Extents | None = None) -> tuple[Any, ...]:
    """Extents, or axes: one by one, together, or by a keyword."""
    if named is not None:
        given = (named,)
    first = given[0] if len(given) == 1 else given
    return tuple(cast("Sequence[Any]", first)) if isinstance(first, tuple | list) else (first,)


def extents_of(input: Tensor) -> tuple[Any, ...]:
    """The extents of a Tensor as numbers."""
    return tuple(map(values.evaluator().number, values.shape_of(input)))


def _shaped(made: object, shape: tuple[int, ...]) -> Any:
    return shapes.reshape(made, shape)
