"""Factorisations of stacks of matrices: Cholesky, QR, SVD, eigenvalues, by NumPy's LAPACK on the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import (
    NoDerivativeError,
    Nondifferentiable,
    Sample,
    Vjp,
)
from jitcore.primitives.core.rules import tensor_type
from jitcore.primitives.core.sampling import spread
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops.inversion import solve
from jitcore.primitives.ops.linalg import matmul, swap_last
from jitcore.primitives.ops.matrices import (
    COMPLEX,
    as_columns,
    as_computed,
    as_rows,
    declare_on_host,
    gaps,
    halved_lower,
    identity,
    lower,
    matrices,
    product,
    regular,
    require_real,
    square,
    symmetric,
)
from jitcore.primitives.ops.views import view_index
from jitcore.types import Shape, TensorType, Type, c64, dim_min, f32, f64

# --- Cholesky -----------------------------------------------------------------------------------------


def _cholesky_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, *, by_lower: bool = False) -> Sequence[Any]:
    (low,) = outs
    require_real(x, "cholesky")
    turned = swap_last(low)
    inner = solve(turned, halved_lower(matmul(turned, cts[0])))
    return (symmetric(swap_last(solve(turned, swap_last(inner)))),)


def _cholesky_jvp(ts: Sequence[Any], outs: Sequence[Any], x: Any, *, by_lower: bool = False) -> Sequence[Any]:
    (low,) = outs
    require_real(x, "cholesky")
    inner = solve(low, swap_last(solve(low, symmetric(ts[0]))))
    return (matmul(low, halved_lower(inner)),)


def _definite(n: int, dtype: Any = f64, *batch: int) -> Any:
    x = regular(n, dtype, *batch)
    return (x @ np.swapaxes(x, -1, -2)).astype(dtype.numpy)


def _cholesky_reference(x: Any, *, by_lower: bool = False) -> Any:
    return as_computed(x, np.linalg.cholesky(x if by_lower else _hermitian(x)))  # NumPy reads lower triangles alone


def _hermitian(x: Any) -> Any:
    """The Hermitian parts: what depends on them alone has the derivative by every element that is that of the function
    computed."""
    turned = np.swapaxes(x, -1, -2).conj()
    with np.errstate(all="ignore"):
        return np.where(x == turned, x, (x + turned) * x.dtype.type(0.5))  # equal ones may overflow when added


cholesky = declare_on_host(
    "cholesky",
    lambda x, by_lower=False: square(x, "cholesky"),
    _cholesky_reference,
    # Murray 2016, "Differentiation of the Cholesky decomposition"
    Vjp(_cholesky_vjp, _cholesky_jvp),
    lambda: (
        Sample((_definite(3),)),
        Sample((_definite(2, f64, 3),)),
        Sample((_definite(3, f32),)),
        Sample((_definite(3) + np.triu(np.ones((3, 3)), 1),), {"by_lower": True}, differentiable=False),
    ),
    "The lower triangular factors of (the symmetric parts of) positive definite matrices; `by_lower`: of those whose "
    "lower triangles are given. Derivatives are those by symmetric matrices.",
)

# --- QR -----------------------------------------------------------------------------------------------


def _qr_rule(x: Type, *, complete: bool = False) -> Any:
    type_ = matrices(x, "qr")
    *batch, m, n = type_.shape
    k = m if complete or m is n else dim_min(m, n)
    return TensorType(type_.dtype, (*batch, m, k)), TensorType(type_.dtype, (*batch, k, n))


def _qr_tall(q: Any, upper: Any, by_q: Any, by_r: Any) -> Any:
    inner = e.sub(matmul(upper, swap_last(by_r)), matmul(swap_last(by_q), q))
    mirrored = e.add(lower(inner), swap_last(lower(inner, strict=True)))
    return swap_last(solve(upper, swap_last(e.add(by_q, matmul(q, mirrored)))))


def _qr_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, *, complete: bool = False) -> Sequence[Any]:
    q, upper = outs
    by_q, by_r = (broadcasting.zeros(tensor_type(o)) if c is None else c for c, o in zip(cts, outs, strict=True))
    m, n = tensor_type(x).shape[-2:]
    require_real(x, "qr")
    if m is n or (isinstance(m, int) and isinstance(n, int) and m >= n):
        if complete and m is not n and m != n:
            raise NoDerivativeError("the complete factors of a tall matrix have no derivative")
        return (_qr_tall(q, upper, by_q, by_r),)
    if not (isinstance(m, int) and isinstance(n, int)):
        raise NoDerivativeError(
            "for the derivative of qr, the extents of its matrices must be known when it is compiled"
        )
    # a wide matrix is (A B) = Q (U V), where A = Q U is a square factorisation and V = Q' B
    parts = [_columns_of(y, 0, m) for y in (upper, by_r)]
    other, by_v = _columns_of(x, m, n), _columns_of(by_r, m, n)
    left = _qr_tall(q, parts[0], e.add(by_q, matmul(other, swap_last(by_v))), parts[1])
    return (joining.concatenate(left, matmul(q, by_v), axis=tensor_type(x).rank - 1),)


def _columns_of(x: Any, start: int, stop: int) -> Any:
    type_ = tensor_type(x)
    spec = [*(("s", 0, 1, d) for d in type_.shape[:-1]), ("s", start, 1, stop - start)]
    return view_index(x, spec=tuple(spec))


def _qr_reference(x: Any, *, complete: bool = False) -> Any:
    return as_computed(x, *np.linalg.qr(x, "complete" if complete else "reduced"))


qr = declare_on_host(
    "qr",
    _qr_rule,
    _qr_reference,
    # Roberts and Roberts 2020, "QR and LQ decomposition matrix backpropagation algorithms …"
    Vjp(_qr_vjp, None),
    lambda: (
        Sample((spread((3, 2)),), differentiable=False),
        Sample((spread((2, 2, 3)),), {"complete": True}, differentiable=False),
        Sample((regular(3, f32),), {"complete": True}, differentiable=False),
    ),
    "(orthonormal Q, upper triangular R) with Q R = x: as many columns of Q as the "
    "smaller extent, or (`complete`) as rows.",
)


def _reflections_rule(x: Type) -> Any:
    type_ = matrices(x, "reflections", "f")
    *batch, m, n = type_.shape
    return type_, TensorType(type_.dtype, (*batch, m if m is n else dim_min(m, n)))


def _reflections_reference(x: Any) -> Any:
    packed, scales = np.linalg.qr(x, "raw")
    return as_computed(x, np.swapaxes(packed, -1, -2).copy(), scales)


reflections = declare_on_host(
    "reflections",
    _reflections_rule,
    _reflections_reference,
    Nondifferentiable("derivatives of the reflections that make a QR factorisation are not defined", zero=False),
    lambda: (Sample((spread((3, 2)),)), Sample((spread((2, 2, 3), dtype=f32),))),
    "(R, and below the diagonal Householder vectors whose first element is 1; their scales)",
)

# --- eigenvalues and singular values --------------------------------------------------------------------


def _svd_rule(x: Type, *, full: bool = False) -> Any:
    type_ = matrices(x, "svd")
    *batch, m, n = type_.shape
    k = m if m is n else dim_min(m, n)
    real = f32 if type_.dtype in (f32, c64) else f64
    rows: Shape = (*batch, m, m if full else k)
    return (
        TensorType(real, (*batch, k)),
        TensorType(type_.dtype, rows),
        TensorType(type_.dtype, (*batch, n, n if full else k)),
    )


def _svd_reference(x: Any, *, full: bool = False) -> Any:
    u, values, vt = np.linalg.svd(x, full_matrices=full)
    return values.astype(x.real.dtype), *as_computed(x, u, np.swapaxes(vt.conj(), -1, -2).copy())


def _svd_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, *, full: bool = False) -> Sequence[Any]:
    (by_s, by_u, by_v), (values, u, v) = cts, outs
    require_real(x, "svd")
    if full and not (by_u is None and by_v is None):
        raise NoDerivativeError(
            "the complete factors of svd have no derivative: ask for those with full_matrices=False"
        )
    if full:
        _, u, v = svd(x, full=False)
    middle = None if by_s is None else e.mul(identity(values), as_rows(by_s))
    apart = gaps(e.mul(values, values))
    outer: Any = None
    if by_u is not None:
        inner = matmul(swap_last(u), by_u)
        middle = _sum(middle, e.mul(e.mul(apart, e.sub(inner, swap_last(inner))), as_rows(values)))
        outer = matmul(e.div(e.sub(by_u, matmul(u, inner)), as_rows(values)), swap_last(v))
    if by_v is not None:
        inner = matmul(swap_last(v), by_v)
        middle = _sum(middle, e.mul(as_columns(values), e.mul(apart, e.sub(inner, swap_last(inner)))))
        rest = swap_last(e.div(e.sub(by_v, matmul(v, inner)), as_rows(values)))
        outer = _sum(outer, matmul(u, rest))
    return (None if middle is None else _sum(outer, product(u, middle, swap_last(v))),)


def _sum(total: Any, more: Any) -> Any:
    return more if total is None else e.add(total, more)


svd = declare_on_host(
    "svd",
    _svd_rule,
    _svd_reference,
    # Townsend 2016, "Differentiating the singular value decomposition"
    Vjp(_svd_vjp, None),
    lambda: (
        Sample((spread((3, 2)),), differentiable=False),
        Sample((spread((2, 2, 3)),), {"full": True}, differentiable=False),
        Sample((regular(3, f32),), differentiable=False),
    ),
    "(singular values in descending order, U, V) with U diag(s) V' = x.",
)


def _eigh_rule(x: Type, *, by_lower: bool = False) -> Any:
    type_ = square(x, "eigh")
    real = f32 if type_.dtype in (f32, c64) else f64
    return TensorType(real, type_.shape[:-1]), type_


def _eigh_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, *, by_lower: bool = False) -> Sequence[Any]:
    (by_w, by_v), (values, v) = cts, outs
    require_real(x, "eigh")
    middle = None if by_w is None else e.mul(identity(values), as_rows(by_w))
    if by_v is not None:
        middle = _sum(middle, e.mul(gaps(values), matmul(swap_last(v), by_v)))
    return (None if middle is None else symmetric(product(v, middle, swap_last(v))),)


def _eigh_reference(x: Any, *, by_lower: bool = False) -> Any:
    values, vectors = np.linalg.eigh(x if by_lower else _hermitian(x))  # NumPy reads lower triangles alone
    return values.astype(x.real.dtype), as_computed(x, vectors)


eigh = declare_on_host(
    "eigh",
    _eigh_rule,
    _eigh_reference,
    # Giles 2008, "An extended collection of matrix derivative results …"
    Vjp(_eigh_vjp, None),
    lambda: (
        Sample((_definite(3),), differentiable=False),
        Sample((_definite(2, f32, 2),), differentiable=False),
        Sample((regular(3),), {"by_lower": True}, differentiable=False),
    ),
    "(eigenvalues in ascending order, eigenvectors as columns) of (the symmetric parts of) matrices; `by_lower`: of "
    "the symmetric ones whose lower triangles are given. Derivatives are those by symmetric matrices.",
)


def _eig_rule(x: Type) -> Any:
    type_ = square(x, "eig")
    dtype = COMPLEX.get(type_.dtype, type_.dtype)
    return TensorType(dtype, type_.shape[:-1]), TensorType(dtype, type_.shape)


def _eig_reference(x: Any) -> Any:
    values, vectors = np.linalg.eig(x)
    dtype = np.result_type(x.dtype, np.complex64)
    return values.astype(dtype), vectors.astype(dtype)


eig = declare_on_host(
    "eig",
    _eig_rule,
    _eig_reference,
    Nondifferentiable("derivatives of eigenvalues that may be complex are not defined", zero=False),
    lambda: (Sample((regular(3),)), Sample((regular(2, f32, 2),))),
    "(eigenvalues, eigenvectors as columns), complex.",
)
