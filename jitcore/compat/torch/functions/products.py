"""Products of vectors and matrices, and what else linear algebra has in the module `torch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore import ops
from jitcore.compat.torch.declaring import alias, function, method
from jitcore.compat.torch.functions.reductions import norm_over
from jitcore.compat.torch.functions.results import TYPES
from jitcore.library.core import values
from jitcore.primitives.ops import factorisation
from jitcore.runtime.tensor import Tensor


def _require_ranks(*wanted: tuple[Tensor, int, str]) -> None:
    for tensor, rank, what in wanted:
        if values.rank_of(tensor) != rank:
            raise RuntimeError(f"{what} must be a {rank}D tensor, got {values.rank_of(tensor)}D")


def _require_one_dtype(*tensors: Tensor) -> None:
    kinds = [values.dtype_of_value(t) for t in tensors]
    if len(set(kinds)) > 1:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {kinds[0]} != {kinds[-1]}")


@method
def matmul(input: Tensor, other: Tensor) -> Any:
    _require_one_dtype(input, other)
    if not values.rank_of(input) or not values.rank_of(other):
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {values.rank_of(input)}D and "
            f"{values.rank_of(other)}D"
        )
    return ops.matmul(input, other)


@method
def mm(input: Tensor, mat2: Tensor) -> Any:
    _require_ranks((input, 2, "self"), (mat2, 2, "mat2"))
    _require_one_dtype(input, mat2)
    return ops.matmul(input, mat2)


@method
def bmm(input: Tensor, mat2: Tensor) -> Any:
    _require_ranks((input, 3, "batch1"), (mat2, 3, "batch2"))
    _require_one_dtype(input, mat2)
    a, b = values.shape_of(input)[0], values.shape_of(mat2)[0]
    values.require_equal(
        a, b, "Expected size for first two dimensions of batch2 tensor to match batch1", "RuntimeError"
    )
    return ops.matmul(input, mat2)


@method
def mv(input: Tensor, vec: Tensor) -> Any:
    _require_ranks((input, 2, "self"), (vec, 1, "vec"))
    _require_one_dtype(input, vec)
    return ops.matmul(input, vec)


@method
def dot(input: Tensor, tensor: Tensor) -> Any:
    _require_ranks((input, 1, "self"), (tensor, 1, "tensor"))
    _require_one_dtype(input, tensor)
    return ops.matmul(input, tensor)


@method
def vdot(input: Tensor, other: Tensor) -> Any:
    return ops.matmul(ops.conj(input), other)


@method
def inner(input: Tensor, other: Tensor) -> Any:
    if not values.rank_of(input) or not values.rank_of(other):
        return ops.mul(input, other)
    return ops.inner(input, other)


@method
def outer(input: Tensor, vec2: Tensor) -> Any:
    _require_ranks((input, 1, "outer: self"), (vec2, 1, "outer: vec2"))
    return ops.mul(ops.unsqueeze(input, 1), vec2)


def _added(input: Tensor, product: Tensor, beta: complex, alpha: complex) -> Any:
    scaled = product if alpha == 1 else ops.mul(product, alpha)
    if beta == 0:
        return ops.where(False, input, scaled)  # nothing of the input, but a gradient of zero
    return ops.add(input if beta == 1 else ops.mul(input, beta), scaled)


@method
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: complex = 1, alpha: complex = 1) -> Any:
    return _added(input, mm(mat1, mat2), beta, alpha)


@method
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: complex = 1, alpha: complex = 1) -> Any:
    return _added(input, mv(mat, vec), beta, alpha)


@method
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: complex = 1, alpha: complex = 1) -> Any:
    return _added(input, outer(vec1, vec2), beta, alpha)


@method
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: complex = 1, alpha: complex = 1) -> Any:
    return _added(input, bmm(batch1, batch2), beta, alpha)


@method
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: complex = 1, alpha: complex = 1) -> Any:
    return _added(input, ops.sum_ext(bmm(batch1, batch2), 0), beta, alpha)


@function
def chain_matmul(*matrices: Tensor) -> Any:
    made = matrices[0]
    for matrix in matrices[1:]:
        made = mm(made, matrix)
    return made


@function
def einsum(equation: str, *operands: Tensor | Sequence[Tensor]) -> Any:
    first = operands[0] if len(operands) == 1 else operands
    given = cast("Sequence[Tensor]", first) if isinstance(first, tuple | list) else operands
    return ops.einsum(equation, *given)


@function
def tensordot(a: Tensor, b: Tensor, dims: int | Sequence[Sequence[int]] = 2) -> Any:
    return ops.tensordot(a, b, dims)


@method
def kron(input: Tensor, other: Tensor) -> Any:
    return ops.kron(input, other)


@method
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Any:
    axis = dim
    if axis is None:
        of_three = [k for k, n in enumerate(values.static_extents(input)) if n == 3]
        axis = of_three[0] if of_three else -1
    return ops.cross(input, other, axis)


@method
def trace(input: Tensor) -> Any:
    _require_ranks((input, 2, "trace: expected a matrix, input"))
    return ops.sum_ext(ops.diagonal(input))


@method
def det(input: Tensor) -> Any:
    return ops.det(input)


@method
def logdet(input: Tensor) -> Any:
    return ops.logdet(input)


@method
def slogdet(input: Tensor) -> Any:
    return TYPES["slogdet"](*ops.slogdet(input))


@method
def inverse(input: Tensor) -> Any:
    return ops.inverse(input)


@method
def pinverse(input: Tensor, rcond: float = 1e-15) -> Any:
    return ops.pinv(input, rtol=rcond)


@method
def matrix_power(input: Tensor, n: int) -> Any:
    return ops.matrix_power(input, n)


@method
def matrix_exp(input: Tensor) -> Any:
    return ops.matrix_exp(input)


@method
def cholesky(input: Tensor, upper: bool = False) -> Any:
    low = factorisation.cholesky(ops.adjoint(input) if upper else input, by_lower=True)
    return ops.adjoint(low) if upper else low


@method
def qr(input: Tensor, some: bool = True) -> Any:
    return TYPES["qr"](*ops.qr(input, "reduced" if some else "complete"))


@method
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    s, u, v = ops.svd(input, not some, compute_uv)
    return TYPES["svd"](u, s, v)


@method
def cholesky_inverse(L: Tensor, upper: bool = False) -> Any:
    return ops.cholesky_inverse(L, upper)


@method
def cholesky_solve(B: Tensor, L: Tensor, upper: bool = False) -> Any:
    return ops.cholesky_solve(B, L, upper)


@method
def geqrf(input: Tensor) -> Any:
    return tuple(ops.geqrf(input))


@function
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str | None = None) -> Any:
    del compute_mode
    if p == 2 and values.rank_of(x1) == values.rank_of(x2) > 1:
        return norm_over(ops.sub_ext(ops.unsqueeze(x1, -2), ops.unsqueeze(x2, -3)), 2, (-1,), False)
    return ops.cdist(x1, x2, p)


@function
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Any:
    made = ops.vander(x, N)
    return ops.flip(made, (-1,)) if increasing else made


alias("ger", "outer")
