"""NumPy's linear algebra (`np.linalg`): solutions, factorisations, determinants, ranks and norms of stacks of
matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from numpy.linalg import LinAlgError

from jitcore.library.array import arrangement, creation, shapes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axis,
    product_of,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_flag,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.core.rules import differ
from jitcore.primitives.ops import conversions, inversion
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import factorisation as f
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import broadcast_shapes, i64

_NAMED: Final[Any] = np.linalg


def _matrices(x: Any) -> Any:
    """x as a stack of matrices of floats."""
    a = as_array(x)
    if dtype_of_value(a).kind == "f" and dtype_of_value(a).itemsize < 4:
        raise TypeError(f"array type {dtype_of_value(a).numpy} is unsupported in linalg")
    a = reductions.as_float(a)
    if rank_of(a) < 2:
        raise LinAlgError(f"{rank_of(a)}-dimensional array given. Array must be at least two-dimensional")
    return a


def _square(x: Any) -> Any:
    a = _matrices(x)
    rows, columns = shape_of(a)[-2:]
    require_equal(rows, columns, "Last 2 dimensions of the array must be square", LinAlgError)
    return a


def turned(a: Any) -> Any:
    """The conjugate transposes of a stack of matrices."""
    made = shapes.swapaxes(a, -1, -2)
    return elementwise.conjugate(made) if dtype_of_value(a).kind == "c" else made


def _together(a: Any, b: Any, kept: int) -> tuple[Any, Any]:
    """Two stacks of one dtype with the same leading axes; `b` has items of `kept` axes."""
    left, right = promote("matmul", a, b)
    own = rank_of(right) - kept
    lead, _ = broadcast_shapes(shape_of(left)[:-2], shape_of(right)[:own])
    number = evaluator().number
    return (
        shapes.broadcast_to(left, tuple(map(number, (*lead, *shape_of(left)[-2:])))),
        shapes.broadcast_to(right, tuple(map(number, (*lead, *shape_of(right)[own:])))),
    )


# --- solutions and inverses -----------------------------------------------------------------------------


def inv(a: Any) -> Any:
    """The inverses."""
    return inversion.inverse(_square(a))


def solve(a: Any, b: Any) -> Any:
    """x of `a @ x = b`, a vector or stacks of matrices."""
    left, right = _square(a), reductions.as_float(as_array(b))
    vector = rank_of(right) == 1
    left, right = _together(left, shapes.expand_dims(right, -1) if vector else right, 2)
    made = inversion.solve(left, right)
    return shapes.squeeze(made, -1) if vector else made


def _refuse_hermitian(hermitian: Any) -> None:
    """Raise TypeError if a matrix is said to be Hermitian: NumPy looks at one triangle of it alone then."""
    if evaluator().static(hermitian, "hermitian"):
        raise TypeError("a matrix that is said to be Hermitian")


def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """x of `tensordot(a, x, x.ndim) = b`."""
    if axes is not None:
        raise TypeError("tensorsolve with axes")
    left, right = as_array(a), as_array(b)
    rest = shape_of(left)[rank_of(right) :]
    if differ(_size(rest), _size(shape_of(left)[: rank_of(right)])):
        words = "Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        raise LinAlgError(words)
    made = solve(shapes.reshape(left, -1, _size(rest)), shapes.ravel(right))
    return shapes.reshape(made, *map(evaluator().number, rest))


def tensorinv(a: Any, ind: Any = 2) -> Any:
    """The inverse of `tensordot` with a."""
    x, split = as_array(a), static_int(ind, "ind")
    if not rank_of(x):
        raise TypeError("tensorinv of a number")
    if split <= 0:
        raise ValueError("Invalid ind argument.")
    front, rest = shape_of(x)[:split], shape_of(x)[split:]
    made = inv(shapes.reshape(x, _size(front), _size(rest)))
    return shapes.reshape(made, *map(evaluator().number, (*rest, *front)))


def _size(extents: Any) -> Any:
    return evaluator().number(product_of(extents))


def matrix_power(a: Any, n: Any) -> Any:
    """The n-th powers, of inverses if n is negative."""
    x, count = as_array(a), static_int(n, "the exponent")
    if rank_of(x) < 2:
        raise LinAlgError(f"{rank_of(x)}-dimensional array given. Array must be at least two-dimensional")
    if count < 0:
        x, count = inv(x), -count
    made: Any = None
    while count:
        if count & 1:
            made = x if made is None else products.matmul(made, x)
        count >>= 1
        x = products.matmul(x, x) if count else x
    if made is None:
        eye = creation.eye(evaluator().number(shape_of(x)[-1]), dtype=dtype_of_value(x))
        return shapes.broadcast_to(eye, tuple(map(evaluator().number, shape_of(x))))
    return made


def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    """The pseudo-inverses; singular values not above `rcond` times the largest count as 0."""
    _refuse_hermitian(hermitian)
    if rcond is not None and rtol is not None:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    share = rtol if rcond is None else rcond
    if share is None and rtol is None:
        share = 1e-15 if rcond is None else rcond
    return inversion.pseudo_inverse(_matrices(a), cutoff=float(evaluator().static(share, "rcond")))


def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Any, Any, Any, Any]:
    """(x with the least |a @ x - b|, the squares of these, the rank of a, its singular values)."""
    left, right = promote("matmul", _matrices(a), reductions.as_float(as_array(b)))
    if rank_of(left) != 2:
        raise LinAlgError(f"{rank_of(left)}-dimensional array given. Array must be two-dimensional")
    if rank_of(right) not in (1, 2):
        raise LinAlgError(f"{rank_of(right)}-dimensional array given. Array must be two-dimensional")
    vector = rank_of(right) == 1
    right = shapes.expand_dims(right, -1) if vector else right
    rows, columns = shape_of(left)
    require_equal(rows, shape_of(right)[0], "Incompatible dimensions")
    if not (isinstance(rows, int) and isinstance(columns, int)):
        raise TypeError("lstsq of a matrix whose extents are known at run time only")
    eps = float(np.finfo(cast("Any", dtype_of_value(left).numpy.type)).eps)
    share = max(rows, columns) * eps if rcond is None else float(evaluator().static(rcond, "rcond"))
    share = eps if share < 0 else share
    finite = conversions.to_scalar(reductions.all(comparisons.isfinite(left)))
    message = "SVD did not converge in Linear Least Squares"
    conversions.check(finite, exception=LinAlgError, message=message)
    values = f.svd(left, full=False)[0]
    rank = reductions.sum(comparisons.greater(values, e.mul(_largest(values), share)))
    made = products.matmul(inversion.pseudo_inverse(left, cutoff=share), right)
    errors = elementwise.absolute(e.sub(right, products.matmul(left, made)))
    squares = reductions.sum(elementwise.square(errors), 0)
    if rows <= columns:
        squares = shapes.slice_axis(squares, 0, 0, 0)
    else:  # none, where the columns are dependent
        found = e.mul(
            e.cast(e.equal(rank, columns), dtype=i64), as_array(evaluator().number(shape_of(squares)[0]), i64)
        )
        squares = shapes.slice_axis(squares, 0, 0, evaluator().dim(elementwise.number(found)))
    return shapes.squeeze(made, -1) if vector else made, squares, elementwise.astype(rank, np.int32), values


def _largest(values: Any) -> Any:
    """The largest of the singular values of each matrix, as the last axis."""
    return r.reduce_max(values, axis=(rank_of(values) - 1,), keepdims=True)


# --- factorisations ---------------------------------------------------------------------------------------


def cholesky(a: Any, /, *, upper: Any = False) -> Any:
    """L of `a = L L'` (`upper`: L')."""
    x = _square(a)
    whole = _from_triangle(x, static_flag(upper, "upper"))
    made = f.cholesky(whole)
    return turned(made) if static_flag(upper, "upper") else made


def _from_triangle(x: Any, upper: bool) -> Any:
    """The Hermitian matrices whose lower (upper) triangles are given: NumPy reads no more than those."""
    half = shapes.triu(x) if upper else shapes.tril(x)
    rest = shapes.triu(x, 1) if upper else shapes.tril(x, -1)
    return e.add(half, turned(rest))


def qr(a: Any, mode: Any = "reduced") -> Any:
    """(Q, R) with orthonormal Q and upper triangular R."""
    how = evaluator().static(mode, "mode")
    if how not in ("reduced", "complete", "r"):
        raise (
            TypeError(f"qr of mode {how!r}")
            if how in ("raw", "full", "economic", "f", "e")
            else ValueError(f"Unrecognized mode '{how}'")
        )
    q, upper = f.qr(_matrices(a), complete=how == "complete")
    return upper if how == "r" else _NAMED._linalg.QRResult(q, upper)


def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    """(U, S, V') with `U @ diag(S) @ V' = a`, or S alone."""
    _refuse_hermitian(hermitian)
    if not static_flag(compute_uv, "compute_uv"):
        return f.svd(_matrices(a), full=False)[0]
    values, u, v = f.svd(_matrices(a), full=static_flag(full_matrices, "full_matrices"))
    return _NAMED._linalg.SVDResult(u, values, turned(v))


def svdvals(x: Any, /) -> Any:
    """The singular values in descending order."""
    return f.svd(_matrices(x), full=False)[0]


def eigh(a: Any, UPLO: Any = "L") -> Any:
    """(eigenvalues in ascending order, eigenvectors as columns) of Hermitian matrices."""
    values, vectors = f.eigh(_from_triangle(_square(a), _is_upper(UPLO)))
    return _NAMED._linalg.EighResult(values, vectors)


def eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    """The eigenvalues of Hermitian matrices in ascending order."""
    return f.eigh(_from_triangle(_square(a), _is_upper(UPLO)))[0]


def _is_upper(which: Any) -> bool:
    if str(which).upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return str(which).upper() == "U"


def eig(a: Any) -> Any:
    """(eigenvalues, eigenvectors as columns) of complex matrices. Those of real ones are real or complex as the values
    are."""
    x = _square(a)
    if dtype_of_value(x).kind != "c":
        raise TypeError("eigenvalues of real matrices, which are real or not")
    return _NAMED._linalg.EigResult(*f.eig(x))


def eigvals(a: Any) -> Any:
    """The eigenvalues of complex matrices."""
    return eig(a).eigenvalues


# --- determinants and ranks -------------------------------------------------------------------------------


def det(a: Any) -> Any:
    """The determinants."""
    x = _square(a)
    if dtype_of_value(x).kind == "c":
        sign, size = inversion.log_determinant(x)
        return e.mul(sign, elementwise.astype(elementwise.exp(size), dtype_of_value(x)))
    return inversion.determinant(x)


def slogdet(a: Any) -> Any:
    """(the signs of the determinants, the logarithms of their magnitudes)"""
    return _NAMED._linalg.SlogdetResult(*inversion.log_determinant(_square(a)))


def matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    """How many singular values are above a bound."""
    _refuse_hermitian(hermitian)
    a = reductions.as_float(as_array(A))
    if rank_of(a) < 2:
        nonzero = reductions.any(e.not_equal(a, 0))
        return elementwise.number(elementwise.astype(nonzero, i64))
    values = f.svd(_matrices(a), full=False)[0]
    if tol is not None:
        bound: Any = as_array(tol)
        bound = shapes.expand_dims(bound, -1) if rank_of(bound) else bound
    else:
        rows, columns = (static_int(evaluator().number(d), "an extent") for d in shape_of(a)[-2:])
        share = (
            max(rows, columns) * float(np.finfo(cast("Any", dtype_of_value(values).numpy)).eps)
            if rtol is None
            else rtol
        )
        bound = elementwise.multiply(_largest(values), share)
    return reductions.count_nonzero(comparisons.greater(values, bound), -1)


def cond(x: Any, p: Any = None) -> Any:
    """The condition numbers in a norm."""
    a, how = _matrices(x), evaluator().static(p, "the order of a norm")
    if how in (None, 2, -2):
        values = f.svd(a, full=False)[0]
        first, last = (shapes.take_index(values, rank_of(values) - 1, k) for k in (0, -1 % _count(values)))
        made = elementwise.true_divide(first, last) if how != -2 else elementwise.true_divide(last, first)
    else:
        made = e.mul(matrix_norm(a, ord=how), matrix_norm(inversion.inverse(_square(a)), ord=how))
    nan = comparisons.isnan(made)
    held = reductions.any(comparisons.isnan(a), (-2, -1))
    return e.select(e.bitwise_and(nan, e.bitwise_not(held)), float("inf"), made)


def _count(values: Any) -> int:
    return static_int(evaluator().number(shape_of(values)[-1]), "an extent")


# --- norms --------------------------------------------------------------------------------------------------


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The norm of vectors or matrices."""
    a = as_array(x)
    how = evaluator().static(ord, "the order of a norm")
    if how is None:
        return reductions.norm(a, axis, keepdims)
    given = axis if isinstance(axis, tuple | list) else tuple(range(rank_of(a))) if axis is None else (axis,)
    if len(given) == 1:
        if how in ("fro", "nuc") or isinstance(how, str):
            raise ValueError(f"Invalid norm order '{how}' for vectors")
        return reductions.norm_of_order(a, how, tuple(given), keepdims)
    if len(given) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    rows, columns = (normal_axis(k, rank_of(a)) for k in given)
    if rows == columns:
        raise ValueError("Duplicate axes given.")
    made = _matrix_norm(shapes.moveaxis(reductions.as_float(a), (rows, columns), (-2, -1)), how)
    return s.expand_dims(made, axis=tuple(sorted((rows, columns)))) if static_flag(keepdims, "keepdims") else made


def _matrix_norm(a: Any, how: Any) -> Any:
    if how in ("fro", "f"):
        return reductions.norm(a, (-2, -1))
    if how in (2, -2, "nuc"):
        values = f.svd(a, full=False)[0]
        return reductions.sum(values, -1) if how == "nuc" else reductions.extreme_size(values, how, -1)
    if how in (1, -1, float("inf"), -float("inf")):
        sums = reductions.sum(elementwise.absolute(a), -2 if abs(how) == 1 else -1)
        return reductions.extreme_size(sums, how, -1)
    raise ValueError("Invalid norm order for matrices.")


def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Any:
    """The norms of a stack of matrices."""
    return norm(_matrices(x), ord, (-2, -1), keepdims)


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    """The norms of vectors along an axis, or of all elements."""
    a = as_array(x)
    if axis is None:
        made = norm(shapes.ravel(a), ord)
        return (
            s.expand_dims(made, axis=tuple(range(rank_of(a))))
            if static_flag(keepdims, "keepdims") and rank_of(a)
            else made
        )
    if isinstance(axis, tuple | list):
        raise TypeError("vector_norm over several axes")
    return norm(a, ord, axis, keepdims)


def of_last_axes(function: Callable[..., Any]) -> Callable[..., Any]:
    """`np.linalg.diagonal` and `np.linalg.trace`: of the last two axes."""

    def call(x: Any, /, *, offset: Any = 0, **how: Any) -> Any:
        return function(x, offset, -2, -1, **how)

    return call


SCALARS: Final[dict[Any, Callable[..., Any]]] = {
    np.linalg.inv: inv, np.linalg.solve: solve, np.linalg.tensorsolve: tensorsolve, np.linalg.tensorinv: tensorinv,
    np.linalg.matrix_power: matrix_power, np.linalg.pinv: pinv, np.linalg.lstsq: lstsq, np.linalg.cholesky: cholesky,
    np.linalg.qr: qr, np.linalg.svd: svd, np.linalg.svdvals: svdvals, np.linalg.eigh: eigh,
    np.linalg.eigvalsh: eigvalsh, np.linalg.eig: eig, np.linalg.eigvals: eigvals, np.linalg.det: det,
    np.linalg.slogdet: slogdet, np.linalg.matrix_rank: matrix_rank, np.linalg.cond: cond, np.linalg.norm: norm,
    np.linalg.matrix_norm: matrix_norm, np.linalg.vector_norm: vector_norm,
    np.linalg.trace: of_last_axes(arrangement.trace), np.linalg.matmul: products.matmul,
    np.linalg.multi_dot: products.multi_dot,
}  # fmt: skip
"""By NumPy's function; their results of no dimensions are NumPy scalars."""

TABLE: Final[dict[Any, Callable[..., Any]]] = {
    np.linalg.tensordot: products.tensordot, np.linalg.outer: products.outer, np.linalg.cross: products.cross,
    np.linalg.diagonal: of_last_axes(arrangement.diagonal),
}  # fmt: skip
