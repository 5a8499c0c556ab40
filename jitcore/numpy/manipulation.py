"""The standard's functions that join arrays, repeat them, and order and shape their axes.

Raises ValueError for shapes that do not fit, numpy.exceptions.AxisError (a ValueError and an IndexError) for axes that
are not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore.library.array import insertions, layouts, shapes
from jitcore.library.core.marking import library
from jitcore.library.core.values import as_array, evaluator, rank_of
from jitcore.numpy.arguments import Array, Axes, DTypeLike, Extents
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor


@library("tensor")
def broadcast_to(x: Array, /, shape: Extents) -> Any:
    """x repeated along new axes and axes of extent 1: a view of the given shape."""
    return shapes.broadcast_to(x, shape)


@library("tensor")
def concat(
    arrays: Sequence[Array], /, axis: int | None = 0, *, dtype: DTypeLike = None, casting: str = "same_kind"
) -> Any:
    """Arrays one after the other along an axis (None: each flattened first), of the dtype that they promote to.

    >>> import jitcore.numpy as xp
    >>> print(xp.concat([xp.asarray([1, 2]), xp.asarray([3])]))
    [1 2 3]
    """
    return layouts.joining(shapes.concatenate)(arrays, axis, dtype=dtype, casting=casting)


@library("tensor")
def stack(arrays: Sequence[Array], /, axis: int = 0, *, dtype: DTypeLike = None, casting: str = "same_kind") -> Any:
    """Arrays of one shape side by side along a new axis, of the dtype that they promote to."""
    return layouts.joining(shapes.stack)(arrays, axis, dtype=dtype, casting=casting)


@library("tensor")
def unstack(x: Array, /, axis: int = 0) -> Any:
    """The sub-arrays along an axis, in a tuple. Raises ValueError for an array without axes."""
    if not rank_of(as_array(x)):
        raise ValueError("unstack of an array without axes")
    return shapes.unstack(x, axis)


@library("tensor")
def expand_dims(x: Array, /, axis: Axes = 0) -> Any:
    """x with a new axis of extent 1 at the place `axis` of the result, or several."""
    return shapes.expand_dims(x, axis)


@library("tensor")
def squeeze(x: Array, /, axis: Axes = None) -> Any:
    """x without the axes named, which have extent 1; None: without all that have. Raises ValueError for others."""
    return shapes.squeeze(x, tuple(axis) if isinstance(axis, Sequence) else axis)


@library("tensor")
def flip(x: Array, /, axis: Axes = None) -> Any:
    """x with the order of its elements reversed along axes (None: all)."""
    return shapes.flip(x, axis)


@library("tensor")
def moveaxis(x: Array, source: Axes, destination: Axes, /) -> Any:
    """x with some axes moved to other places, the others kept in order."""
    return shapes.moveaxis(x, source, destination)


@library("tensor")
def permute_dims(x: Array, /, axes: Sequence[int]) -> Any:
    """x with its axes in another order: a view.

    >>> import jitcore.numpy as xp
    >>> xp.permute_dims(xp.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return shapes.transpose(x, axes)


@library("tensor")
def repeat(x: Array, repeats: int | Sequence[int] | Array, /, axis: int | None = None) -> Any:
    """Each element (sub-array along an axis; None: of the flattened array) so many times in a row; an array of numbers
    says it of each.

    >>> import jitcore.numpy as xp
    >>> print(xp.repeat(xp.asarray([1, 2]), xp.asarray([2, 1])))
    [1 1 2]
    """
    return insertions.repeat(x, repeats, axis)


@library("tensor")
def tile(x: Array, repetitions: Extents, /) -> Any:
    """x repeated so many times along each axis, the last ones if there are fewer."""
    return shapes.tile(x, repetitions)


@library("tensor")
def roll(x: Array, /, shift: int | Sequence[int], axis: Axes = None) -> Any:
    """x with its elements moved along axes (None: of the flattened array), what leaves at one end coming in at the
    other."""
    return shapes.roll(x, shift, axis)


@library("tensor")
def reshape(x: Array, /, shape: Extents, order: str = "C", *, copy: bool | None = None) -> Any:
    """x with another shape; an extent of -1 stands for what is left.

    `copy`: True copies, False gives a view, None copies where the memory's layout needs it. Raises ValueError if
    `copy` is false and a copy is needed (in compiled code, if `copy` is false at all).

    >>> import jitcore.numpy as xp
    >>> print(xp.reshape(xp.arange(4), (2, -1)))
    [[0 1]
     [2 3]]
    """
    how = evaluator().static(copy, "copy")
    made = layouts.reshape(x, shape, order, copy=how)
    if how is False and not _shares_memory(x, made):
        raise ValueError("this reshape needs a copy: pass copy=None, or True")
    return made


def _shares_memory(x: Array, made: Array) -> bool:
    """Whether both are known to hold their elements in the same memory."""
    if evaluation.is_tracing():
        return False
    return not x.size or _address(x) == _address(made)


def _address(a: Tensor | np.ndarray[Any, Any]) -> int:
    return a.data_ptr() if isinstance(a, Tensor) else a.__array_interface__["data"][0]
