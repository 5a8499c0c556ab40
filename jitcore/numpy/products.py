"""The standard's products of arrays as vectors and matrices, which are in the namespace and in `linalg`.

Operands are promoted to one dtype. Raises ValueError for shapes that do not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.library.core.marking import library
from jitcore.library.linalg import products
from jitcore.library.math import ufuncs
from jitcore.numpy.arguments import Array


@library("tensor")
def matmul(x1: Array, x2: Array, /) -> Any:
    """`x1 @ x2`: the product of matrices, of stacks of them (which broadcast), or of a vector and a matrix.

    >>> import jitcore.numpy as xp
    >>> print(xp.matmul(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1])))
    [3 7]
    """
    return products.matmul(x1, x2)


@library("tensor")
def matrix_transpose(x: Array, /) -> Any:
    """The matrices (the last two axes) with rows and columns exchanged."""
    return ufuncs.matrix_transpose(x)


@library("tensor")
def tensordot(x1: Array, x2: Array, /, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Any:
    """The sums of products over pairs of axes: the last `axes` of x1 with the first of x2, or those in two sequences.

    >>> import jitcore.numpy as xp
    >>> xp.tensordot(xp.ones((2, 3, 4)), xp.ones((4, 3)), axes=((1, 2), (1, 0))).shape
    (2,)
    """
    return products.tensordot(x1, x2, axes)


@library("tensor")
def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Any:
    """The sums of the products of vectors along an axis, of the conjugates of the first; the other axes broadcast."""
    return ufuncs.vecdot(x1, x2, axis=axis)
