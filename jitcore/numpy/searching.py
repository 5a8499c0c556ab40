"""The standard's functions that search, sort, and take elements by their places; and arrays as sets.

Places are int64. Raises ValueError where there are no elements to find one in, IndexError for places that are not
there, numpy.exceptions.AxisError (a ValueError and an IndexError) for axes that are not.
"""

from __future__ import annotations

from typing import Any

from jitcore.library.array import indexing, sequences, sets, shapes
from jitcore.library.core.marking import library
from jitcore.library.core.values import as_array, evaluator, normal_axis, rank_of, shape_of, static_flag
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.numpy.arguments import Array, Axes, Operand
from jitcore.numpy.reducing import along

# --- places -----------------------------------------------------------------------------------------------


@library("tensor")
def argmax(x: Array, /, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """The place of the first largest element along an axis (None: in the flattened array).

    >>> import jitcore.numpy as xp
    >>> print(xp.argmax(xp.asarray([[1, 5, 2], [9, 0, 3]]), axis=1))
    [1 0]
    """
    return reductions.argmax(x, axis, keepdims)


@library("tensor")
def argmin(x: Array, /, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """The place of the first smallest element along an axis (None: in the flattened array)."""
    return reductions.argmin(x, axis, keepdims)


@library("tensor")
def count_nonzero(x: Array, /, axis: Axes = None, *, keepdims: bool = False) -> Any:
    """The number of elements that are not zero, over axes (None: all)."""
    return along(reductions.count_nonzero, x, axis, keepdims)


@library("tensor")
def nonzero(x: Array, /) -> Any:
    """The places of the elements that are not zero, in row-major order: an array for each axis, in a tuple. Raises
    ValueError for an array without axes."""
    return indexing.nonzero(x)


@library("tensor")
def searchsorted(x1: Array, x2: Operand, /, side: str = "left", sorter: Array | None = None) -> Any:
    """The places at which values would be put into a sorted array: before equal ones ('left') or behind ('right').
    `sorter` are the places of x1's elements in order, if x1 is not.

    >>> import jitcore.numpy as xp
    >>> print(xp.searchsorted(xp.asarray([1, 3, 5]), xp.asarray([0, 3, 6])))
    [0 1 3]
    """
    return sequences.searchsorted(x1, x2, side, sorter)


@library("tensor")
def where(condition: Operand, x1: Operand | None = None, x2: Operand | None = None, /) -> Any:
    """x1 where the condition holds, else x2; all three broadcast. Without x1 and x2, as `nonzero`.

    >>> import jitcore.numpy as xp
    >>> x = xp.asarray([-1.0, 2.0])
    >>> print(xp.where(x > 0, x, 0.0))
    [0. 2.]
    """
    if x1 is None and x2 is None:
        return indexing.nonzero(condition)
    if x1 is None or x2 is None:
        raise ValueError("either both or neither of x1 and x2 are given")
    return elementwise.where(condition, x1, x2)


@library("tensor")
def take(x: Array, indices: Array, /, axis: int | None = None, mode: str = "raise") -> Any:
    """The elements (sub-arrays along an axis; None: of the flattened array) at the given places.

    >>> import jitcore.numpy as xp
    >>> print(xp.take(xp.asarray([[1, 2, 3], [4, 5, 6]]), xp.asarray([2, 0]), axis=1))
    [[3 1]
     [6 4]]
    """
    return indexing.take(x, indices, axis, mode)


@library("tensor")
def take_along_axis(x: Array, indices: Array, /, axis: int | None = -1) -> Any:
    """For each place in `indices`, which has as many axes as x, the element of x along an axis that it names."""
    return indexing.take_along_axis(x, indices, axis)


# --- order ------------------------------------------------------------------------------------------------


@library("tensor")
def sort(x: Array, /, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Any:
    """A copy, sorted along an axis; NaN behind all numbers (`descending`: before)."""
    ordered = sequences.sort(x, axis, stable=stable)
    return shapes.flip(ordered, axis) if static_flag(descending, "descending") else ordered


@library("tensor")
def argsort(x: Array, /, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Any:
    """The places of the elements along an axis in order; equal ones keep theirs if `stable`.

    >>> import jitcore.numpy as xp
    >>> print(xp.argsort(xp.asarray([2, 1, 2, 3]), descending=True))
    [3 0 2 1]
    """
    if not static_flag(descending, "descending"):
        return sequences.argsort(x, axis, stable=stable)
    a = as_array(x)
    k = normal_axis(axis, rank_of(a))
    last = evaluator().number(shape_of(a)[k] + -1)
    backwards = sequences.argsort(shapes.flip(a, k), k, stable=stable)
    return elementwise.subtract(last, shapes.flip(backwards, k))


# --- sets -------------------------------------------------------------------------------------------------


@library("tensor")
def unique_values(x: Array, /) -> Any:
    """The sorted elements, each once; NaN is another element each time."""
    return sets.unique(x, equal_nan=False)


@library("tensor")
def unique_counts(x: Array, /) -> Any:
    """(values, counts): the sorted elements, each once, and how often each comes.

    >>> import jitcore.numpy as xp
    >>> found = xp.unique_counts(xp.asarray([3, 1, 3]))
    >>> print(found.values, found.counts)
    [1 3] [1 2]
    """
    return sets.unique_counts(x)


@library("tensor")
def unique_inverse(x: Array, /) -> Any:
    """(values, inverse_indices): the sorted elements, each once, and the place of each element's value among them."""
    return sets.unique_inverse(x)


@library("tensor")
def unique_all(x: Array, /) -> Any:
    """(values, indices, inverse_indices, counts): the sorted elements, each once, the places of the first ones in the
    flattened array, the place of each element's value, and how often each comes."""
    return sets.unique_all(x)
