"""Linear algebra: factorisations, solutions with them, inverses."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.runtime.tensor import Tensor
from jitcore.scipy import arguments
from jitcore.types import f32, f64, i32, i64


def block_diag(*arrs: Any) -> Any:
    """The matrix with the given ones along its diagonal."""
    if not arrs:
        return ops.zeros((1, 0), f32)
    return ops.block_diag(*arrs)


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The inverse of a square matrix."""
    arguments.truth("inv", "overwrite_a", overwrite_a)
    arguments.truth("inv", "check_finite", check_finite)
    return ops.inverse(arguments.square("inv", a))


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The determinant of a square matrix."""
    arguments.truth("det", "overwrite_a", overwrite_a)
    arguments.truth("det", "check_finite", check_finite)
    return ops.det(arguments.square("det", a))


# --- triangular matrices, Cholesky --------------------------------------------------------------------


def solve_triangular(
    A: Any,
    b: Any,
    lower: Any = False,
    trans: Any = 0,
    unit_diagonal: Any = False,
    overwrite_b: Any = False,
    debug: Any = None,
    check_finite: Any = True,
) -> Any:
    """x with A @ x = b for a triangular matrix; `trans` 1 ('T') or 2 ('C') for the transposed, or adjoint, one."""
    for name, value in (
        ("lower", lower), ("unit_diagonal", unit_diagonal), ("overwrite_b", overwrite_b),
        ("check_finite", check_finite),
    ):  # fmt: skip
        arguments.truth("solve_triangular", name, value)
    if debug is not None:
        raise ValueError("For 'solve_triangular', debug is not supported.")
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"For 'solve_triangular', trans is 0, 1, 2, 'N', 'T' or 'C', not {trans!r}.")
    a = arguments.square("solve_triangular", A)
    if not isinstance(b, Tensor):
        raise TypeError(f"For 'solve_triangular', b must be a Tensor, not {type(b).__name__}.")
    if b.ndim not in (1, 2) or b.shape[0] != a.shape[0]:
        raise ValueError(f"For 'solve_triangular', b of the shape {b.shape} does not fit a matrix of {a.shape}.")
    if b.dtype != a.dtype and not (b.dtype in (i32, i64) and a.dtype == f64):
        raise TypeError(f"For 'solve_triangular', the dtypes {a.dtype} and {b.dtype} differ.")
    right = ops.cast(b, a.dtype)
    column = ops.expand_dims(right, 1) if right.ndim == 1 else right
    made = ops.solve_triangular(a, column, trans, lower, unit_diagonal)
    return made[:, 0] if right.ndim == 1 else made


def cholesky(a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """The triangular matrix L with L @ L.T = a, or if not `lower` U with U.T @ U = a."""
    for name, value in (("lower", lower), ("overwrite_a", overwrite_a), ("check_finite", check_finite)):
        arguments.truth("cholesky", name, value)
    made = ops.cholesky(arguments.square("cholesky", a))
    return made if lower else made.T


def cho_factor(a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """(the triangular factor of a positive definite matrix, `lower`), for `cho_solve`."""
    return cholesky(a, lower, overwrite_a, check_finite), lower


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: Any = False, check_finite: Any = True) -> Any:
    """x with a @ x = b for the factor that `cho_factor` gives."""
    factor, lower = c_and_lower
    arguments.truth("cho_solve", "lower", lower)
    first, second = ("N", "T") if lower else ("T", "N")
    middle = solve_triangular(factor, b, lower, first, False, overwrite_b, None, check_finite)
    return solve_triangular(factor, middle, lower, second)


# --- eigenvalues --------------------------------------------------------------------------------------


def eigh(
    a: Any,
    b: Any = None,
    lower: Any = True,
    eigvals_only: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    turbo: Any = True,
    eigvals: Any = None,
    type: Any = 1,
    check_finite: Any = True,
) -> Any:
    """(the eigenvalues of a symmetric or Hermitian matrix in order, the eigenvectors as columns), of its lower or upper
    half."""
    for name, value in (
        ("lower", lower), ("eigvals_only", eigvals_only), ("overwrite_a", overwrite_a), ("overwrite_b", overwrite_b),
        ("turbo", turbo), ("check_finite", check_finite),
    ):  # fmt: skip
        arguments.truth("eigh", name, value)
    if b is not None or eigvals is not None or type != 1:
        raise ValueError("For 'eigh', only the eigenvalues of one matrix, all of them, are computed.")
    whole = arguments.square("eigh", a)
    half = ops.tril(whole) if lower else ops.triu(whole)
    strict = ops.tril(whole, -1) if lower else ops.triu(whole, 1)
    values, vectors = ops.eigh(half + ops.conj(strict.T))
    return values if eigvals_only else (values, vectors)


# --- LU -----------------------------------------------------------------------------------------------


def lu_factor(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """(L below the diagonal and U from it on, in one matrix; with which row each row was exchanged), by partial
    pivoting."""
    arguments.truth("lu_factor", "overwrite_a", overwrite_a)
    arguments.truth("lu_factor", "check_finite", check_finite)
    return _factored(arguments.square("lu_factor", a))


def _factored(a: Any) -> Any:
    m, n = a.shape
    count = m if m < n else n
    rows = ops.arange(m)
    columns = ops.arange(n)
    exchanged = ops.zeros((count,), i32)
    for k in range(count):
        size = ops.select(rows >= k, ops.abs(a[:, k]), ops.zeros_like(ops.abs(a[:, k])) - 1)
        best = ops.argmax(size, 0)
        exchanged = ops.select(ops.arange(count) == k, ops.cast(best, i32) + ops.zeros_like(exchanged), exchanged)
        order = ops.select(
            rows == k, best + ops.zeros_like(rows), ops.select(rows == best, k + ops.zeros_like(rows), rows)
        )
        a = a[order]
        pivot = a[k, k]
        safe = ops.select(ops.equal(pivot, 0), ops.ones_like(pivot), pivot)
        below = ops.cast(rows > k, a.dtype)
        factors = a[:, k] / safe * below
        right = ops.cast(columns > k, a.dtype)
        rest = a - ops.expand_dims(factors, 1) * ops.expand_dims(a[k] * right, 0)
        is_column = ops.expand_dims(below, 1) * ops.expand_dims(ops.cast(columns == k, a.dtype), 0)
        a = rest * (1 - is_column) + ops.expand_dims(factors, 1) * is_column
    return a, exchanged


def _order(exchanged: Any, m: Any) -> Any:
    """The rows of the matrix in the order in which pivoting puts them."""
    rows = ops.arange(m)
    order = rows
    for k in range(exchanged.shape[0]):
        other = ops.cast(exchanged[k], i64)
        kept = order[k]
        order = ops.select(
            rows == k,
            order[other] + ops.zeros_like(rows),
            ops.select(rows == other, kept + ops.zeros_like(rows), order),
        )
    return order


def lu(a: Any, permute_l: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """(P, L, U) with P @ L @ U = a; with `permute_l` (P @ L, U)."""
    for name, value in (("permute_l", permute_l), ("overwrite_a", overwrite_a), ("check_finite", check_finite)):
        arguments.truth("lu", name, value)
    whole = arguments.matrix("lu", a)
    made, exchanged = _factored(whole)
    m, n = whole.shape
    count = m if m < n else n
    low = ops.tril(made[:, :count], -1) + ops.eye(m, count, made.dtype)
    high = ops.triu(made[:count])
    order = _order(exchanged, m)
    permutation = ops.cast(ops.equal(ops.expand_dims(ops.arange(m), 1), ops.expand_dims(order, 0)), made.dtype)
    return (ops.matmul(permutation, low), high) if permute_l else (permutation, low, high)


def lu_solve(lu_and_piv: Any, b: Any, trans: Any = 0, overwrite_b: Any = False, check_finite: Any = True) -> Any:
    """x with a @ x = b for what `lu_factor` gives; `trans` 1 for the transposed, 2 for the adjoint matrix."""
    arguments.truth("lu_solve", "overwrite_b", overwrite_b)
    arguments.truth("lu_solve", "check_finite", check_finite)
    made, exchanged = lu_and_piv
    if trans not in (0, 1, 2):
        raise ValueError(f"For 'lu_solve', trans is 0, 1 or 2, not {trans!r}.")
    order = _order(exchanged, made.shape[0])
    if trans == 0:
        return solve_triangular(made, solve_triangular(made, b[order], True, 0, True), False)
    middle = solve_triangular(made, solve_triangular(made, b, False, trans), True, trans, True)
    return middle[ops.argsort(order)]
