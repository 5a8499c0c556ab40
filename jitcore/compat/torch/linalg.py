"""`torch.linalg`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore import ops
from jitcore.compat.torch.arguments import Dims, DTypeLike
from jitcore.compat.torch.declaring import declared
from jitcore.compat.torch.functions import products, reductions
from jitcore.compat.torch.functions.axes import axes_in
from jitcore.compat.torch.functions.results import TYPES
from jitcore.library.core import values
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.primitives.ops import factorisation
from jitcore.runtime.tensor import Tensor
from jitcore.types import i32

__all__ = [
    "cholesky", "cholesky_ex", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv",
    "inv_ex", "lstsq", "matmul", "matrix_exp", "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm",
    "pinv", "qr", "slogdet", "solve", "solve_triangular", "svd", "svdvals", "vander", "vecdot", "vector_norm",
]  # fmt: skip


def _typed(input: Tensor, dtype: DTypeLike) -> Any:
    return input if dtype is None else elementwise.astype(input, as_dtype(dtype))


def _require_square(A: Tensor, what: str) -> None:
    shape = values.shape_of(A)
    if len(shape) < 2:
        raise RuntimeError(f"linalg.{what}: The input tensor A must have at least 2 dimensions.")
    values.require_equal(
        shape[-2], shape[-1], f"linalg.{what}: A must be batches of square matrices", exception="RuntimeError"
    )


# --- norms ---------------------------------------------------------------------------------------------


@declared
def vector_norm(x: Tensor, ord: float = 2, dim: Dims = None, keepdim: bool = False, *, dtype: DTypeLike = None) -> Any:
    return reductions.norm_over(_typed(x, dtype), ord, axes_in(x, dim), keepdim)


@declared
def matrix_norm(
    A: Tensor,
    ord: float | str = "fro",
    dim: Sequence[int] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: DTypeLike = None,
) -> Any:
    if ord == "fro":
        return reductions.norm_over(_typed(A, dtype), 2, axes_in(A, dim), keepdim)
    return ops.matrix_norm_ext(_typed(A, dtype), ord, axes_in(A, dim), keepdim)


@declared
def norm(
    A: Tensor, ord: float | str | None = None, dim: Dims = None, keepdim: bool = False, *, dtype: DTypeLike = None
) -> Any:
    given, axes = _typed(A, dtype), axes_in(A, dim)
    count = values.rank_of(A) if axes is None else len(axes)
    if ord is None or (ord == "fro" and count == 2):
        return reductions.norm_over(given, 2, axes, keepdim)
    if count == 2:
        return ops.matrix_norm_ext(given, ord, (0, 1) if axes is None else axes, keepdim)
    if isinstance(ord, str):
        raise RuntimeError(f"linalg.norm: the norm {ord!r} is of matrices")
    return reductions.norm_over(given, ord, axes, keepdim)


@declared
def cond(A: Tensor, p: float | str | None = None) -> Any:
    if p is None or p == 2:
        found = svdvals(A)
        return ops.div(ops.select_ext(found, -1, 0), ops.select_ext(found, -1, -1))
    return ops.mul(matrix_norm(A, p), matrix_norm(inv(A), p))


@declared
def matrix_rank(
    A: Tensor,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    hermitian: bool = False,
    tol: float | None = None,
) -> Any:
    del hermitian
    found = svdvals(A)
    largest = ops.amax(found, -1, True)
    extents = values.static_extents(A)[-2:]
    if tol is not None:
        atol, rtol = tol, 0.0
    relative = rtol if rtol is not None else 0.0 if atol is not None else _precision(A) * max(extents)
    bound = ops.maximum(ops.mul(largest, relative), 0.0 if atol is None else atol)
    return ops.sum_ext(ops.gt(found, bound), -1)


def _precision(A: Tensor) -> float:
    return 2.0**-52 if values.dtype_of_value(A).itemsize == 8 else 2.0**-23


# --- solved and inverted ---------------------------------------------------------------------------------


@declared
def inv(A: Tensor) -> Any:
    _require_square(A, "inv")
    return ops.inverse(A)


@declared
def inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:
    del check_errors
    return TYPES["linalg_inv_ex"](ops.inverse(A), _no_trouble(A))


def _no_trouble(A: Tensor) -> Any:
    return ops.zeros(tuple(map(values.evaluator().number, values.shape_of(A)[:-2])), i32)


@declared
def pinv(
    A: Tensor,
    rcond: float | None = None,
    hermitian: bool = False,
    *,
    atol: float | None = None,
    rtol: float | None = None,
) -> Any:
    return ops.pinv(A, atol=atol, rtol=rtol if rcond is None else rcond, hermitian=hermitian)


@declared
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Any:
    _require_square(A, "solve")
    if not left:
        turned = ops.matrix_solve(ops.swapaxes(A, -1, -2), ops.swapaxes(B, -1, -2))
        return ops.swapaxes(turned, -1, -2)
    is_vector = values.rank_of(B) == 1 or (
        values.rank_of(B) == values.rank_of(A) - 1 and values.static_extents(B) == values.static_extents(A)[:-1]
    )
    if is_vector:
        return ops.squeeze(ops.matrix_solve(A, ops.unsqueeze(B, -1)), -1)
    return ops.matrix_solve(A, B)


@declared
def solve_triangular(A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    if not left:
        turned = ops.solve_triangular(ops.swapaxes(A, -1, -2), ops.swapaxes(B, -1, -2), 0, upper, unitriangular)
        return ops.swapaxes(turned, -1, -2)
    return ops.solve_triangular(A, B, 0, not upper, unitriangular)


@declared
def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> Any:
    del driver
    solution = ops.matmul(ops.pinv(A, rtol=rcond), B)
    none = ops.zeros((0,), values.dtype_of_value(A))
    rows, columns = values.static_extents(A)[-2:]
    left = none
    if rows > columns:
        left = ops.sum_ext(ops.square(ops.sub(ops.matmul(A, solution), B)), -2)
    return TYPES["linalg_lstsq"](solution, left, matrix_rank(A), none)


# --- determinants and products ---------------------------------------------------------------------------


@declared
def det(A: Tensor) -> Any:
    _require_square(A, "det")
    return ops.det(A)


@declared
def slogdet(A: Tensor) -> Any:
    _require_square(A, "slogdet")
    return TYPES["linalg_slogdet"](*ops.slogdet(A))


@declared
def matmul(input: Tensor, other: Tensor) -> Any:
    return products.matmul(input, other)


@declared
def matrix_power(A: Tensor, n: int) -> Any:
    _require_square(A, "matrix_power")
    return ops.matrix_power(A, n)


@declared
def matrix_exp(A: Tensor) -> Any:
    return ops.matrix_exp(A)


@declared
def multi_dot(tensors: Sequence[Tensor]) -> Any:
    made = tensors[0]
    for tensor in tensors[1:]:
        made = ops.matmul(made, tensor)
    return made


@declared
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Any:
    return ops.vecdot(x, y, axis=dim)


@declared
def cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Any:
    return ops.cross(input, other, dim)


@declared
def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    return ops.diagonal(A, offset, dim1, dim2)


@declared
def vander(x: Tensor, N: int | None = None) -> Any:
    return products.vander(x, N, True)


# --- factorised ------------------------------------------------------------------------------------------


@declared
def cholesky(A: Tensor, *, upper: bool = False) -> Any:
    _require_square(A, "cholesky")
    return products.cholesky(A, upper)


@declared
def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    del check_errors
    return TYPES["linalg_cholesky_ex"](products.cholesky(A, upper), _no_trouble(A))


@declared
def qr(A: Tensor, mode: str = "reduced") -> Any:
    return TYPES["linalg_qr"](*ops.qr(A, mode))


@declared
def svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None) -> Any:
    del driver
    s, u, v = ops.svd(A, full_matrices)
    return TYPES["linalg_svd"](u, s, ops.adjoint(v))


@declared
def svdvals(A: Tensor, *, driver: str | None = None) -> Any:
    del driver
    return ops.svd(A, False, False)


@declared
def eig(A: Tensor) -> Any:
    return TYPES["linalg_eig"](*ops.eig(A))


@declared
def eigvals(A: Tensor) -> Any:
    return ops.eigvals(A)


@declared
def eigh(A: Tensor, UPLO: str = "L") -> Any:
    return TYPES["linalg_eigh"](*_of_triangle(A, UPLO, "eigh"))


@declared
def eigvalsh(A: Tensor, UPLO: str = "L") -> Any:
    return _of_triangle(A, UPLO, "eigvalsh")[0]


def _of_triangle(A: Tensor, UPLO: str, what: str) -> Any:
    """(eigenvalues, eigenvectors) of the Hermitian matrix that a triangle of a matrix says."""
    _require_square(A, what)
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    return factorisation.eigh(A if UPLO.upper() == "L" else ops.adjoint(A), by_lower=True)
