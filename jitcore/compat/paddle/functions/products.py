"""Products of vectors and matrices, and what else linear algebra has in the modules `paddle` and `paddle.linalg`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from jitcore import ops
from jitcore.compat.paddle.arguments import Axes, DTypeLike
from jitcore.compat.paddle.declaring import FUNCTIONS, LINALG, METHODS, alias, function, linear, method
from jitcore.compat.paddle.functions.axes import axes_in, axis_in
from jitcore.compat.paddle.functions.pointwise import tensors
from jitcore.compat.torch import linalg as torch
from jitcore.compat.torch.functions import products, reductions
from jitcore.library.array import shapes
from jitcore.library.core import values
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor
from jitcore.types import i32, i64

_NOT_3: Final = 9
"""What `axis` is where the first axis of three elements is meant."""


def _pair(x: Tensor, y: Tensor, function: str) -> tuple[Any, Any]:
    """Tensors to be multiplied, of one dtype: an int one takes the other's."""
    first, second = values.promote("add", x, y)
    del function
    return first, second


def _of_one_dtype(x: Tensor, y: Tensor, function: str) -> tuple[Any, Any]:
    """Tensors in the dtype that Paddle computes in."""
    return cast("tuple[Any, Any]", values.promote("add", *tensors(x, y, function)))


def _transposed(x: Tensor) -> Any:
    return shapes.swapaxes(x, -2, -1) if values.rank_of(x) > 1 else x


@method
def matmul(x: Tensor, y: Tensor, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    first, second = _pair(x, y, "matmul")
    for tensor, name in ((first, "X"), (second, "Y")):
        if not values.rank_of(tensor):
            raise ValueError(f"(InvalidArgument) matmul: Input({name}) should have an axis at least, but it has none")
    return ops.matmul(_transposed(first) if transpose_x else first, _transposed(second) if transpose_y else second)


@method
def mm(input: Tensor, mat2: Tensor) -> Any:
    return matmul(input, mat2)


@method
def bmm(x: Tensor, y: Tensor) -> Any:
    for tensor, name in ((x, "X"), (y, "Y")):
        if values.rank_of(tensor) != 3:
            raise ValueError(
                f"(InvalidArgument) Shape of mul_op Input({name}) should be 3-D in BmmOp, but received "
                f"{values.rank_of(tensor)}-D"
            )
    return products.bmm(*_of_one_dtype(x, y, "bmm"))


@method
def mv(x: Tensor, vec: Tensor) -> Any:
    return products.mv(*_of_one_dtype(x, vec, "mv"))


@method
def dot(x: Tensor, y: Tensor) -> Any:
    first, second = _of_one_dtype(x, y, "dot")
    if values.rank_of(first) not in (1, 2) or values.rank_of(first) != values.rank_of(second):
        raise ValueError("(InvalidArgument) dot: both Tensors should have 1 axis, or 2")
    return ops.sum_ext(ops.mul(first, second), -1)


@linear
def vecdot(x: Tensor, y: Tensor, axis: int = -1) -> Any:
    return torch.vecdot(*_of_one_dtype(x, y, "vecdot"), dim=axis)


FUNCTIONS["vecdot"] = LINALG["vecdot"]


@method
def inner(x: Tensor, y: Tensor) -> Any:
    return products.inner(*_of_one_dtype(x, y, "inner"))


@method
def outer(x: Tensor, y: Tensor) -> Any:
    first, second = _of_one_dtype(x, y, "outer")
    return ops.mul(ops.reshape(first, (-1, 1)), ops.reshape(second, (1, -1)))


@method
def kron(x: Tensor, y: Tensor) -> Any:
    return ops.kron(*_of_one_dtype(x, y, "kron"))


@method
def cross(x: Tensor, y: Tensor, axis: int = _NOT_3) -> Any:
    first, second = _of_one_dtype(x, y, "cross")
    if axis != _NOT_3:
        where = axis_in(x, axis)
    else:
        of_three = [k for k, n in enumerate(values.static_extents(x)) if n == 3]
        if not of_three:
            raise ValueError("(InvalidArgument) cross: there must be an axis of 3 elements, but there is none")
        where = of_three[0]
    return ops.cross(first, second, where)


@method
def trace(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return ops.sum_ext(ops.diagonal(x, offset, axis_in(x, axis1), axis_in(x, axis2)), -1)


@function
def einsum(equation: str, *operands: Tensor) -> Any:
    return products.einsum(equation, *operands)


@function
def tensordot(x: Tensor, y: Tensor, axes: int | Sequence[Any] = 2) -> Any:
    first, second = _of_one_dtype(x, y, "tensordot")
    if isinstance(axes, int):
        return ops.tensordot(first, second, axes)
    given: list[Any] = list(axes)
    if all(isinstance(a, int) for a in given):
        given = [given, given]
    elif len(given) == 1:
        given = [given[0], given[0]]
    longer, shorter = sorted(map(list, given), key=len, reverse=True)
    if len(shorter) < len(longer):  # the rest is as the longer one's
        given = [[*one, *longer[len(one) :]] for one in map(list, given)]
    return ops.tensordot(first, second, given)


METHODS["tensordot"] = tensordot


@function
def vander(x: Tensor, n: int | None = None, increasing: bool = False) -> Any:
    return products.vander(x, n, increasing)


METHODS["vander"] = vander


@method
def cdist(x: Tensor, y: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Any:
    return products.cdist(x, y, p, compute_mode)


@function
def pdist(x: Tensor, p: float = 2.0) -> Any:
    return ops.pdist(x, p)


# --- norms ---------------------------------------------------------------------------------------------


@method
def norm(
    x: Tensor, p: float | str | None = None, axis: Axes = None, keepdim: bool = False, *, dtype: DTypeLike = None
) -> Any:
    given = x if dtype is None else elementwise.astype(x, as_dtype(dtype))
    axes = axes_in(given, axis)
    if p is None or p == "fro":
        return reductions.norm_over(given, 2, axes, keepdim)
    if axes is not None and len(axes) == 2:
        return torch.matrix_norm(given, _order(p), axes, keepdim)
    if isinstance(p, str):
        raise ValueError(f"(InvalidArgument) the norm {p!r} is one of matrices: axis should name two axes")
    if axes is None and keepdim is False:
        return reductions.norm_over(ops.reshape(given, (-1,)), float(p), (0,), False)
    return reductions.norm_over(given, float(p), axes, keepdim)


def _order(p: float | str) -> Any:
    """The order of a norm of matrices, where Paddle has the sum of powers for some."""
    return p


@linear
def vector_norm(x: Tensor, p: float = 2.0, axis: Axes = None, keepdim: bool = False, *, dtype: DTypeLike = None) -> Any:
    given = x if dtype is None else elementwise.astype(x, as_dtype(dtype))
    return reductions.norm_over(given, float(p), axes_in(given, axis), keepdim)


@linear
def matrix_norm(
    x: Tensor,
    p: float | str = "fro",
    axis: Sequence[int] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: DTypeLike = None,
) -> Any:
    return torch.matrix_norm(x, p, tuple(axis), keepdim, dtype=None if dtype is None else as_dtype(dtype))


# --- decompositions ------------------------------------------------------------------------------------


def _require_square(x: Tensor, function: str) -> None:
    shape = values.shape_of(x)
    if len(shape) < 2:
        raise ValueError(f"(InvalidArgument) {function}: the Tensor should have 2 axes at least, not {len(shape)}")
    values.require_equal(
        shape[-2], shape[-1], f"(InvalidArgument) {function}: the matrices should be square, not {{0}} by {{1}}"
    )


@method
def cholesky(x: Tensor, upper: bool = False) -> Any:
    _require_square(x, "cholesky")
    return torch.cholesky(x, upper=upper)


@method
def inverse(x: Tensor) -> Any:
    _require_square(x, "inverse")
    return torch.inv(x)


LINALG["inv"] = inverse


@linear
def det(x: Tensor) -> Any:
    _require_square(x, "det")
    return torch.det(x)


@linear
def slogdet(x: Tensor) -> Any:
    _require_square(x, "slogdet")
    return ops.stack(list(torch.slogdet(x)), 0)


METHODS["slogdet"] = slogdet


@linear
def matrix_power(x: Tensor, n: int) -> Any:
    _require_square(x, "matrix_power")
    return torch.matrix_power(x, n)


@linear
def matrix_exp(x: Tensor) -> Any:
    return torch.matrix_exp(x)


@linear
def multi_dot(x: Sequence[Tensor]) -> Any:
    return torch.multi_dot(x)


@linear
def solve(x: Tensor, y: Tensor, left: bool = True) -> Any:
    _require_square(x, "solve")
    return torch.solve(*_of_one_dtype(x, y, "solve"), left=left)


@linear
def triangular_solve(
    x: Tensor, y: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    first, second = _of_one_dtype(x, y, "triangular_solve")
    matrix = _transposed(first) if transpose else first
    return torch.solve_triangular(matrix, second, upper=upper != transpose, unitriangular=unitriangular)


@linear
def cholesky_solve(x: Tensor, y: Tensor, upper: bool = False) -> Any:
    return ops.cholesky_solve(x, y, upper)


@linear
def cholesky_inverse(x: Tensor, upper: bool = False) -> Any:
    return ops.cholesky_inverse(x, upper)


@linear
def lstsq(x: Tensor, y: Tensor, rcond: float | None = None, driver: str | None = None) -> Any:
    found = torch.lstsq(*_of_one_dtype(x, y, "lstsq"), rcond, driver=driver)
    return found[0], found[1], elementwise.astype(found[2], i32), found[3]


@linear
def pinv(x: Tensor, rcond: float | Tensor = 1e-15, hermitian: bool = False) -> Any:
    return ops.pinv(x, rtol=rcond, hermitian=hermitian)


@linear
def qr(x: Tensor, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"(InvalidArgument) qr: mode is one of 'reduced', 'complete' and 'r', not {mode!r}")
    made = torch.qr(x, mode)
    return made[1] if mode == "r" else tuple(made)


@linear
def svd(x: Tensor, full_matrices: bool = False) -> Any:
    return tuple(torch.svd(x, full_matrices))


@linear
def svdvals(x: Tensor) -> Any:
    return torch.svdvals(x)


@linear
def eig(x: Tensor) -> Any:
    _require_square(x, "eig")
    return tuple(torch.eig(x))


@linear
def eigvals(x: Tensor) -> Any:
    _require_square(x, "eigvals")
    return torch.eigvals(x)


@linear
def eigh(x: Tensor, UPLO: str = "L") -> Any:
    _require_square(x, "eigh")
    return tuple(torch.eigh(x, UPLO))


@linear
def eigvalsh(x: Tensor, UPLO: str = "L") -> Any:
    _require_square(x, "eigvalsh")
    return torch.eigvalsh(x, UPLO)


FUNCTIONS["eigvalsh"] = eigvalsh


@linear
def cond(x: Tensor, p: float | str | None = None) -> Any:
    return torch.cond(x, p)


@linear
def matrix_rank(
    x: Tensor,
    tol: float | Tensor | None = None,
    hermitian: bool = False,
    atol: float | Tensor | None = None,
    rtol: float | Tensor | None = None,
) -> Any:
    given: Any = atol if tol is None else tol
    made = torch.matrix_rank(
        x, atol=given, rtol=cast("Any", rtol) if given is None or rtol is not None else 0.0, hermitian=hermitian
    )
    return elementwise.astype(made, i64)


@linear
def cov(
    x: Tensor,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Any:
    rows = x if rowvar or values.rank_of(x) < 2 else _transposed(x)
    return reductions.cov(rows, correction=int(ddof), fweights=fweights, aweights=aweights)


@linear
def corrcoef(x: Tensor, rowvar: bool = True) -> Any:
    return reductions.corrcoef(x if rowvar or values.rank_of(x) < 2 else _transposed(x))


for _name in (
    *("cholesky_inverse", "cholesky_solve", "cond", "corrcoef", "cov", "eig", "eigvals", "eigvalsh", "lstsq"),
    *("matrix_power", "multi_dot", "pinv", "qr", "solve"),
):
    METHODS[_name] = LINALG[_name]
alias("ger", "outer")
