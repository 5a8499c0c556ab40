"""Matrices factorised, inverted and solved with."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    promote,
    rank_of,
    shape_of,
    static_flag,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.linalg.matrices import turned
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import factorisation as f
from jitcore.primitives.ops import inversion
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import broadcast_shapes, f64


def _stacked(a: Any, b: Any) -> tuple[Any, Any]:
    """Two stacks of matrices of one dtype, brought to the same leading axes."""
    left, right = promote("matmul", a, b)
    lead, _ = broadcast_shapes(shape_of(left)[:-2], shape_of(right)[:-2])
    return (
        shapes.broadcast_to(left, (*map(evaluator().number, lead), *map(evaluator().number, shape_of(left)[-2:]))),
        shapes.broadcast_to(right, (*map(evaluator().number, lead), *map(evaluator().number, shape_of(right)[-2:]))),
    )


def solved(a: Any, b: Any) -> Any:
    """X of a X = b; b may be vectors, one for each matrix."""
    left, right = promote("matmul", as_float(a), as_float(b))
    if rank_of(right) == rank_of(left) - 1:
        made = inversion.solve(left, s.expand_dims(right, axis=(rank_of(right),)))
        return s.squeeze(made, axis=(rank_of(made) - 1,))
    return inversion.solve(*_stacked(left, right))


@operator("inverse .inverse")
def inverse(input: Any) -> Any:
    """The inverses of square matrices."""
    return inversion.inverse(as_float(input))


@operator("MatrixInverse")
def inverse_set_up(x: Any, *, adjoint: Any = False) -> Any:
    """As `inverse`; with `adjoint`, of the adjoint matrices."""
    made = inversion.inverse(as_float(x))
    return turned(made) if static_flag(adjoint, "adjoint") else made


@operator("pinv .pinv")
def pinv(x: Any, *, atol: Any = None, rtol: Any = None, hermitian: Any = False) -> Any:
    """The pseudo-inverses; singular values not above max(atol, rtol * the largest) count as 0."""
    del hermitian
    a = as_float(x)
    if atol is not None:  # a share of the largest value cannot say an absolute bound
        return _bounded_pinv(a, atol, 0.0 if rtol is None else rtol)
    return inversion.pseudo_inverse(a, cutoff=None if rtol is None else float(evaluator().static(rtol, "rtol")))


def _bounded_pinv(a: Any, atol: Any, rtol: Any) -> Any:
    values, u, v = f.svd(a, full=False)
    bound = e.maximum(e.mul(r.reduce_max(values, axis=(rank_of(values) - 1,), keepdims=True), float(rtol)), float(atol))
    kept = e.greater(values, bound)
    inverted = e.select(kept, e.div(1, e.select(kept, values, 1)), 0)
    return products.matmul(e.mul(v, s.expand_dims(inverted, axis=(rank_of(values) - 1,))), turned(u))


@operator("matrix_solve")
def matrix_solve(matrix: Any, rhs: Any, adjoint: Any = False) -> Any:
    """X of `matrix @ X = rhs`."""
    a = as_float(matrix)
    return solved(turned(a) if static_flag(adjoint, "adjoint") else a, rhs)


@operator("MatrixSolve")
def matrix_solve_set_up(matrix: Any, rhs: Any, *, adjoint: Any = False) -> Any:
    """As `matrix_solve`."""
    return matrix_solve(matrix, rhs, adjoint)


def triangular(a: Any, lower: bool, unit: bool) -> Any:
    """The triangles of square matrices that a triangular solution reads."""
    made = shapes.tril(a) if lower else shapes.triu(a)
    if not unit:
        return made
    eye = creation.eye(evaluator().number(shape_of(a)[-1]), dtype=dtype_of_value(a))
    return e.select(e.not_equal(eye, 0), 1, made)


@operator("solve_triangular")
def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: Any = False, unit_diagonal: Any = False) -> Any:
    """X of `a @ X = b` for triangular a; `trans` 1 or 'T' transposes it, 2 or 'C' also conjugates."""
    made = triangular(as_float(a), static_flag(lower, "lower"), static_flag(unit_diagonal, "unit_diagonal"))
    how = evaluator().static(trans, "trans")
    if how in (1, "T"):
        made = shapes.swapaxes(made, -1, -2)
    elif how in (2, "C"):
        made = turned(made)
    elif how not in (0, "N"):
        raise ValueError(f"For 'solve_triangular', trans is 0, 1, 2, 'N', 'T' or 'C', not {how!r}.")
    return solved(made, b)


@operator("SolveTriangular")
def solve_triangular_set_up(a: Any, b: Any, trans: Any = 0, lower: Any = False, unit_diagonal: Any = False) -> Any:
    """As `solve_triangular`."""
    return solve_triangular(a, b, trans, lower, unit_diagonal)


@operator("MatrixTriangularSolve")
def matrix_triangular_solve(matrix: Any, rhs: Any, *, lower: Any = True, adjoint: Any = False) -> Any:
    """X of `matrix @ X = rhs` for triangular matrices."""
    return solve_triangular(matrix, rhs, 2 if static_flag(adjoint, "adjoint") else 0, lower)


@operator("lstsq .lstsq")
def lstsq(input: Any, A: Any) -> Any:
    """X with the least |input @ X - A|, and of these the shortest."""
    a, b = promote("matmul", as_float(input), as_float(A))
    if rank_of(a) != 2 or rank_of(b) not in (1, 2):
        raise ValueError("For 'lstsq', a matrix and a vector or matrix are needed.")
    made = products.matmul(inversion.pseudo_inverse(a), b if rank_of(b) == 2 else s.expand_dims(b, axis=(1,)))
    return made  # of a vector, too, one column


@operator("Lstsq")
def lstsq_set_up(x: Any, a: Any, *, fast: Any = True, l2_regularizer: Any = 0.0) -> Any:
    """As `lstsq`."""
    if evaluator().static(l2_regularizer, "l2_regularizer"):
        raise ValueError("For 'Lstsq', l2_regularizer is 0.")
    del fast
    return lstsq(x, a)


@operator("det matrix_determinant MatrixDeterminant .det")
def det(input: Any) -> Any:
    """The determinants of square matrices."""
    return inversion.determinant(as_float(input))


@operator("slogdet log_matrix_determinant LogMatrixDeterminant .slogdet .log_matrix_determinant")
def slogdet(input: Any) -> Any:
    """(the sign of the determinant, the logarithm of its magnitude)"""
    return inversion.log_determinant(as_float(input))


@operator("logdet .logdet")
def logdet(input: Any) -> Any:
    """The logarithm of the determinant, NaN where that is negative."""
    sign, size = inversion.log_determinant(as_float(input))
    return e.select(e.less(sign, 0), float("nan"), size)


@operator("cholesky .cholesky")
def cholesky(input_x: Any, upper: Any = False) -> Any:
    """L of `x = L L'` (`upper`: L'), for positive definite matrices."""
    made = f.cholesky(as_float(input_x))
    return turned(made) if static_flag(upper, "upper") else made


@operator("Cholesky")
def cholesky_set_up(input_x: Any, *, upper: Any = False) -> Any:
    """As `cholesky`."""
    return cholesky(input_x, upper)


def _product_of(factor: Any, upper: Any) -> Any:
    a = as_float(factor)
    if static_flag(upper, "upper"):
        a = shapes.triu(a)
        return products.matmul(turned(a), a)
    a = shapes.tril(a)
    return products.matmul(a, turned(a))


@operator("cholesky_inverse .cholesky_inverse")
def cholesky_inverse(input_x: Any, upper: Any = False) -> Any:
    """The inverse of the matrix whose Cholesky factor is given."""
    return inversion.inverse(_product_of(input_x, upper))


@operator("CholeskyInverse")
def cholesky_inverse_set_up(x: Any, *, upper: Any = False) -> Any:
    """As `cholesky_inverse`."""
    return cholesky_inverse(x, upper)


@operator("cholesky_solve .cholesky_solve")
def cholesky_solve(input: Any, input2: Any, upper: Any = False) -> Any:
    """X of `A @ X = input`, where `input2` is the Cholesky factor of A."""
    low = as_float(input2)
    low = turned(shapes.triu(low)) if static_flag(upper, "upper") else shapes.tril(low)
    return solved(turned(low), solved(low, input))


@operator("CholeskySolve")
def cholesky_solve_set_up(x1: Any, x2: Any, *, upper: Any = False) -> Any:
    """As `cholesky_solve`."""
    return cholesky_solve(x1, x2, upper)


@operator("qr .qr")
def qr(input: Any, mode: Any = "reduced") -> Any:
    """(Q, R) with orthonormal Q and upper triangular R; mode 'reduced', 'complete' or 'r' (R alone, after an empty
    Q)."""
    how = evaluator().static(mode, "mode")
    if how not in ("reduced", "complete"):
        raise ValueError(f"For 'qr', the arg 'mode' must be 'reduced' or 'complete', but got {how!r}.")
    return f.qr(as_float(input), complete=how == "complete")


@operator("Qr")
def qr_set_up(x: Any, *, full_matrices: Any = False) -> Any:
    """As `qr`."""
    return f.qr(as_float(x), complete=static_flag(full_matrices, "full_matrices"))


@operator("svd .svd")
def svd(input: Any, full_matrices: Any = False, compute_uv: Any = True) -> Any:
    """(singular values in descending order, U, V) with `U @ diag(s) @ V' = input`; the values alone without
    `compute_uv`."""
    made = f.svd(as_float(input), full=static_flag(full_matrices, "full_matrices"))
    return made if static_flag(compute_uv, "compute_uv") else made[0]


@operator("Svd")
def svd_set_up(input: Any, *, full_matrices: Any = False, compute_uv: Any = True) -> Any:
    """As `svd`."""
    values, u, v = f.svd(as_float(input), full=static_flag(full_matrices, "full_matrices"))
    if static_flag(compute_uv, "compute_uv"):
        return values, u, v
    nothing = creation.zeros((1,), dtype_of_value(u))
    return values, nothing, nothing


@operator("eig .eig")
def eig(A: Any) -> Any:
    """(eigenvalues, eigenvectors as columns), complex."""
    return f.eig(as_float(A))


@operator("Eig")
def eig_set_up(x: Any, *, compute_v: Any = False) -> Any:
    """(the eigenvalues, the eigenvectors if asked for)"""
    values, vectors = f.eig(as_float(x))
    return values, vectors if static_flag(compute_v, "compute_v") else creation.zeros((1,), dtype_of_value(vectors))


@operator("eigvals .eigvals")
def eigvals(A: Any) -> Any:
    """The eigenvalues, complex."""
    return f.eig(as_float(A))[0]


@operator("eigh")
def eigh(A: Any) -> Any:
    """(eigenvalues in ascending order, eigenvectors as columns) of symmetric matrices."""
    return f.eigh(as_float(A))


@operator("Eigh")
def eigh_set_up(a: Any, *, compute_eigenvectors: Any = True, lower: Any = True) -> Any:
    """As `eigh`, of the lower or the upper half of the matrices; without the vectors if they are not asked for."""
    whole = as_float(a)
    below = static_flag(lower, "lower")
    cut = shapes.tril if below else shapes.triu
    made = f.eigh(e.add(cut(whole), turned(cut(whole, -1 if below else 1))))
    return made if static_flag(compute_eigenvectors, "compute_eigenvectors") else made[0]


@operator("eigvalsh")
def eigvalsh(A: Any) -> Any:
    """The eigenvalues of symmetric matrices in ascending order."""
    return f.eigh(as_float(A))[0]


@operator("matrix_exp MatrixExp .matrix_exp")
def matrix_exp(input: Any) -> Any:
    """The exponential of square matrices."""
    return inversion.matrix_exponential(as_float(input))


def _permutation(pivots: Any, rows: Any) -> Any:
    """The permutation matrices that exchanges of rows (numbered from 1) amount to: P with P L U = A."""
    n = static_int(evaluator().number(rows), "the number of rows")
    count = static_int(evaluator().number(shape_of(pivots)[-1]), "the number of pivots")
    eye = creation.eye(n, dtype=f64)
    lead = shape_of(pivots)[:-1]
    made = s.broadcast_to(eye, shape=(*lead, n, n))
    for k in reversed(range(count)):
        place = e.sub(shapes.take_index(pivots, rank_of(pivots) - 1, k), 1)
        other = creation.one_hot(place, n, 1.0, 0.0)
        other = as_array(other, f64)
        mine = s.broadcast_to(shapes.take_index(eye, 0, k), shape=shape_of(other))
        # an exchange of rows k and p: I - (e_k - e_p)(e_k - e_p)'
        gap = e.sub(mine, other)
        column, row = s.expand_dims(gap, axis=(rank_of(gap),)), s.expand_dims(gap, axis=(rank_of(gap) - 1,))
        made = e.sub(made, e.mul(column, products.matmul(row, made)))
    return made


@operator("lu_unpack .lu_unpack")
def lu_unpack(LU_data: Any, LU_pivots: Any, unpack_data: Any = True, unpack_pivots: Any = True) -> Any:
    """(P, L, U) of a packed factorisation and its exchanges of rows; None for what is not asked for."""
    a = as_float(LU_data)
    m, n = shape_of(a)[-2:]
    low = high = permutation = None
    if static_flag(unpack_data, "unpack_data"):
        k = static_int(evaluator().number(m), "the extent"), static_int(evaluator().number(n), "the extent")
        eye = creation.eye(k[0], min(k), dtype=dtype_of_value(a))
        low = e.add(shapes.tril(shapes.slice_axis(a, rank_of(a) - 1, 0, min(k)), -1), eye)
        high = shapes.triu(shapes.slice_axis(a, rank_of(a) - 2, 0, min(k)))
    if static_flag(unpack_pivots, "unpack_pivots"):
        permutation = as_array(_permutation(as_array(LU_pivots), m), dtype_of_value(a))
    return permutation, low, high


@operator("LuUnpack")
def lu_unpack_set_up(LU_data: Any, LU_pivots: Any, *, unpack_data: Any = True, unpack_pivots: Any = True) -> Any:
    """As `lu_unpack`."""
    return lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots)


@operator("lu_solve LuSolve .lu_solve")
def lu_solve(b: Any, LU_data: Any, LU_pivots: Any) -> Any:
    """X of `A @ X = b` from the packed factorisation of A and its exchanges of rows."""
    permutation, low, high = lu_unpack(LU_data, LU_pivots)
    vector = rank_of(as_array(b)) == rank_of(low) - 1
    right = s.expand_dims(as_float(b), axis=(rank_of(as_array(b)),)) if vector else as_float(b)
    made = solved(high, solved(low, products.matmul(turned(permutation), right)))
    return s.squeeze(made, axis=(rank_of(made) - 1,)) if vector else made


def _reflected(other: Any, vectors: Any, tau: Any, numbers: Any) -> Any:
    """`other` after the reflections I - tau_k v_k v_k', where v_k is column k below the diagonal."""
    rows = static_int(evaluator().number(shape_of(vectors)[-2]), "the number of rows")
    rank = rank_of(vectors)
    low = shapes.tril(vectors, -1)
    for k in numbers:
        unit = as_array(creation.one_hot(k, rows, 1.0, 0.0), dtype_of_value(vectors))
        v = s.expand_dims(e.add(shapes.take_index(low, rank - 1, k), unit), axis=(rank - 1,))
        scale = s.expand_dims(shapes.take_index(tau, rank - 2, k), axis=(rank - 2, rank - 1))
        other = e.sub(other, e.mul(scale, products.matmul(v, products.matmul(turned(v), other))))
    return other


@operator("geqrf Geqrf .geqrf")
def geqrf(input: Any) -> Any:
    """(R, and below the diagonal the vectors of the reflections that make Q; their scales)"""
    return f.reflections(as_float(input))


@operator("orgqr Orgqr .orgqr")
def orgqr(input: Any, input2: Any) -> Any:
    """The first columns of the product of Householder reflections."""
    a, tau = promote("matmul", as_float(input), as_float(input2))
    m, n = shape_of(a)[-2:]
    eye = creation.eye(evaluator().number(m), evaluator().number(n), dtype=dtype_of_value(a))
    count = static_int(evaluator().number(shape_of(tau)[-1]), "the number of reflections")
    return _reflected(s.broadcast_to(eye, shape=shape_of(a)), a, tau, reversed(range(count)))


@operator("ormqr")
def ormqr(input: Any, tau: Any, other: Any, left: Any = True, transpose: Any = False) -> Any:
    """The product of Householder reflections (or its transpose) times `other`, or `other` times it."""
    a, scales, c = promote("matmul", as_float(input), as_float(tau), as_float(other))
    count = static_int(evaluator().number(shape_of(scales)[-1]), "the number of reflections")
    back = static_flag(transpose, "transpose")
    if static_flag(left, "left"):
        return _reflected(c, a, scales, range(count) if back else reversed(range(count)))
    return turned(_reflected(turned(c), a, scales, reversed(range(count)) if back else range(count)))


@operator("triangular_solve")
def triangular_solve(b: Any, A: Any, upper: Any = True, transpose: Any = False, unitriangular: Any = False) -> Any:
    """(the solution x of A @ x = b with one triangle of A, A)."""
    flag = evaluator().static(transpose, "transpose")
    return solve_triangular(A, b, int(flag), not evaluator().static(upper, "upper"), unitriangular), A
