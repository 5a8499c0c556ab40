"""The standard's extension for linear algebra: of matrices, and of stacks of them in the last two axes.

Floats stay of their dtype, ints are taken as float32. Raises numpy.linalg.LinAlgError (a ValueError) for matrices that
are not square where they must be, have too few axes, or are singular.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from jitcore.library.array import arrangement, shapes
from jitcore.library.core.marking import library
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_number,
    normal_axes,
    rank_of,
    require_equal,
    shape_of,
    static_extents,
)
from jitcore.library.linalg import matrices
from jitcore.library.linalg import products as p
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.numpy.arguments import Array, Axes, DTypeLike
from jitcore.numpy.products import matmul, matrix_transpose, tensordot, vecdot
from jitcore.numpy.reducing import along, sum_dtype


class QRResult(NamedTuple):
    """A = Q R."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """A = U diag(S) Vh."""

    U: Any
    S: Any
    Vh: Any


class EighResult(NamedTuple):
    """The eigenvalues in ascending order, and the eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


class SlogdetResult(NamedTuple):
    """The sign of a determinant and the logarithm of its magnitude."""

    sign: Any
    logabsdet: Any


# --- factorisations ---------------------------------------------------------------------------------------


@library("tensor")
def cholesky(x: Array, /, *, upper: bool = False) -> Any:
    """L of `x = L L*`, lower triangular; with `upper`, U of `x = U* U`. x must be Hermitian and positive definite.

    >>> import jitcore.numpy as xp
    >>> print(xp.linalg.cholesky(xp.asarray([[4.0, 2.0], [2.0, 5.0]])))
    [[2. 0.]
     [1. 2.]]
    """
    return matrices.cholesky(x, upper=upper)


@library("tensor")
def qr(x: Array, /, *, mode: str = "reduced") -> Any:
    """(Q, R): Q with orthonormal columns, R upper triangular, and x = Q R; as many columns of Q as rows and columns
    allow, or with 'complete' as many as rows. Raises ValueError for another mode."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"the mode is 'reduced' or 'complete', not {mode!r}")
    return QRResult(*matrices.qr(x, mode))


@library("tensor")
def svd(x: Array, /, *, full_matrices: bool = True) -> Any:
    """(U, S, Vh): orthonormal U and Vh, and singular values S in descending order, with x = U diag(S) Vh. Without
    `full_matrices`, as many vectors as there are singular values."""
    return SVDResult(*matrices.svd(x, full_matrices))


@library("tensor")
def svdvals(x: Array, /) -> Any:
    """The singular values in descending order."""
    return matrices.svdvals(x)


@library("tensor")
def eigh(x: Array, /) -> Any:
    """(eigenvalues, eigenvectors) of Hermitian matrices: real values in ascending order, vectors as columns. The lower
    triangle is read."""
    return EighResult(*matrices.eigh(x))


@library("tensor")
def eigvalsh(x: Array, /) -> Any:
    """The eigenvalues of Hermitian matrices in ascending order. The lower triangle is read."""
    return matrices.eigvalsh(x)


# --- solutions --------------------------------------------------------------------------------------------


@library("tensor")
def inv(x: Array, /) -> Any:
    """The inverses."""
    return matrices.inv(x)


@library("tensor")
def solve(x1: Array, x2: Array, /) -> Any:
    """x with `x1 @ x = x2`, of stacks that broadcast; x2 is one vector if it has one axis.

    >>> import jitcore.numpy as xp
    >>> print(xp.linalg.solve(xp.asarray([[2.0, 0.0], [0.0, 4.0]]), xp.asarray([1.0, 2.0])))
    [0.5 0.5]
    """
    return matrices.solve(x1, x2)


@library("tensor")
def pinv(x: Array, /, *, rtol: float | Array | None = None) -> Any:
    """The pseudo-inverses; singular values not above `rtol` (a number, or one for each matrix) times the largest count
    as 0: times the larger extent and the dtype's eps if it is None."""
    a = as_array(x)
    if rtol is None or is_number(rtol):
        return matrices.pinv(a, rtol=_tolerance(a) if rtol is None else rtol)
    u, values, v = matrices.svd(a, False)
    largest = reductions.max(values, -1, True)
    kept = comparisons.greater(values, elementwise.multiply(largest, shapes.expand_dims(rtol, -1)))
    inverses = elementwise.where(kept, elementwise.true_divide(1, elementwise.where(kept, values, 1)), 0)
    columns = elementwise.multiply(matrices.turned(v), shapes.expand_dims(inverses, -2))
    return p.matmul(columns, matrices.turned(u))


def _tolerance(a: Array) -> float:
    """How small a singular value is next to the largest for it to be taken for 0."""
    extents = static_extents(a)[-2:]
    dtype = dtype_of_value(reductions.as_float(a))
    return max(extents, default=0) * float(np.finfo(cast("Any", dtype.numpy)).eps)


@library("tensor")
def matrix_rank(x: Array, /, *, rtol: float | Array | None = None) -> Any:
    """How many singular values are above `rtol` (a number, or one for each matrix) times the largest, as int64: times
    the larger extent and the dtype's eps if it is None."""
    values = matrices.svdvals(x)
    share: Any = _tolerance(as_array(x)) if rtol is None else rtol
    if 0 in static_extents(values)[-1:]:
        return reductions.count_nonzero(values, -1)
    share = share if is_number(share) else shapes.expand_dims(share, -1)
    bound = elementwise.multiply(reductions.max(values, -1, True), share)
    return reductions.count_nonzero(comparisons.greater(values, bound), -1)


@library("tensor")
def matrix_power(x: Array, n: int, /) -> Any:
    """The n-th powers; of the inverses if n is negative, the identity if it is 0."""
    return matrices.matrix_power(x, n)


# --- numbers of matrices ----------------------------------------------------------------------------------


@library("tensor")
def det(x: Array, /) -> Any:
    """The determinants."""
    return matrices.det(x)


@library("tensor")
def slogdet(x: Array, /) -> Any:
    """(sign, logabsdet): the signs of the determinants, and the logarithms of their magnitudes."""
    return SlogdetResult(*matrices.slogdet(x))


@library("tensor")
def diagonal(x: Array, /, *, offset: int = 0) -> Any:
    """The elements whose column is their row and `offset` more: a view."""
    return arrangement.diagonal(x, offset, -2, -1)


@library("tensor")
def trace(x: Array, /, *, offset: int = 0, dtype: DTypeLike = None) -> Any:
    """The sums of the diagonals, in the dtype that `sum` adds in."""
    return arrangement.trace(x, offset, -2, -1, sum_dtype(x, dtype))


@library("tensor")
def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: float | str | None = "fro") -> Any:
    """The norms of matrices: Frobenius' ('fro'), the sum of the singular values ('nuc'), the largest (2) or smallest
    (-2) of them, the largest (1) or smallest (-1) sum of a column's magnitudes, or of a row's (inf, -inf). Raises
    ValueError for another order."""
    return matrices.matrix_norm(x, keepdims=keepdims, ord=ord)


@library("tensor")
def vector_norm(x: Array, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2) -> Any:
    """The norms of vectors, over axes (None: all elements): sum(abs(x) ** ord) ** (1 / ord), the largest (inf) or
    smallest (-inf) magnitude, or the number of elements that are not zero (0), as a float.

    >>> import jitcore.numpy as xp
    >>> print(xp.linalg.vector_norm(xp.asarray([3.0, -4.0])))
    5.0
    """
    order = evaluator().static(ord, "the order of a norm")

    def reduce(a: Array, k: Axes, kept: bool) -> Any:
        return _norm(reductions.as_float(a), order, normal_axes(k, rank_of(a)), kept)

    return along(reduce, x, axis, keepdims)


def _norm(a: Array, order: float, axes: tuple[int, ...], keepdims: bool) -> Any:
    size = elementwise.absolute(a)
    if order in (float("inf"), float("-inf")):
        return reductions.extreme_size(size, order, axes, keepdims)
    if order == 2:
        return reductions.norm(a, axes, keepdims)
    if order == 0:
        return elementwise.astype(reductions.count_nonzero(a, axes, keepdims), dtype_of_value(size))
    if order == 1:
        return reductions.sum(size, axes, None, keepdims)
    return elementwise.power(reductions.sum(elementwise.power(size, order), axes, None, keepdims), 1.0 / order)


# --- products ---------------------------------------------------------------------------------------------


@library("tensor")
def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Any:
    """The vector product along an axis of extent 3; the other axes broadcast. Raises ValueError for another extent."""
    for x in (x1, x2):
        a = as_array(x)
        require_equal(shape_of(a)[normal_axes(axis, rank_of(a))[0]], 3, "the axis of a vector product has extent 3")
    return p.cross(x1, x2, axis=axis)


@library("tensor")
def outer(x1: Array, x2: Array, /) -> Any:
    """All products of an element of one vector with one of another: a matrix. Raises ValueError for what is no
    vector."""
    if {rank_of(as_array(x1)), rank_of(as_array(x2))} != {1}:
        raise ValueError("the outer product is one of two vectors, with one axis each")
    return p.outer(x1, x2)


# --- NumPy's ----------------------------------------------------------------------------------------------


@library("tensor")
def norm(
    x: Array, ord: float | str | None = None, axis: int | Sequence[int] | None = None, keepdims: bool = False
) -> Any:
    """NumPy's norm: of a vector, a matrix, or along one axis or two."""
    return matrices.norm(x, ord, tuple(axis) if isinstance(axis, Sequence) else axis, keepdims)


@library("tensor")
def lstsq(a: Array, b: Array, rcond: float | None = None) -> Any:
    """NumPy's least squares: (x with the least |a @ x - b|, the squares of these, the rank of a, its singular
    values)."""
    return matrices.lstsq(a, b, rcond)


@library("tensor")
def multi_dot(arrays: Sequence[Array]) -> Any:
    """The product of several matrices, in the order that costs least."""
    return p.multi_dot(arrays)


__all__ = [
    "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power",
    "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot",
    "trace", "vecdot", "vector_norm", "lstsq", "multi_dot", "norm",
]  # fmt: skip
