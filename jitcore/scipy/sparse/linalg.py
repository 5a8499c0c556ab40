"""Conjugate gradients, stabilised biconjugate gradients, generalised minimal residuals."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.common.sparse_tensor import CSRTensor
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32, f64, i32


def _apply(a: Any, x: Any) -> Any:
    """The product of a matrix, given as a Tensor, a CSRTensor, a function, or None for 1, and a vector (n,) or (n,
    1)."""
    if a is None:
        return x
    if isinstance(a, CSRTensor):
        return a.mv(x)
    if isinstance(a, Tensor):
        return ops.matmul(a, x)
    return a(x)


def _check(name: str, a: Any, b: Any, x0: Any) -> None:
    if not isinstance(b, Tensor) or not (x0 is None or isinstance(x0, Tensor)):
        raise TypeError(f"For '{name}', b and x0 must be Tensors.")
    if b.dtype not in (f32, f64) and not b.dtype.is_integer:
        raise TypeError(f"For '{name}', b must be of float32 or float64, not {b.dtype}.")
    if b.ndim not in (1, 2) or (b.ndim == 2 and b.shape[1] != 1):
        raise ValueError(f"For '{name}', b must have the shape (n,) or (n, 1), not {b.shape}.")
    if isinstance(a, Tensor | CSRTensor):
        if len(a.shape) != 2 or a.shape[0] != a.shape[1]:
            raise ValueError(f"For '{name}', the matrix must be square, not of the shape {a.shape}.")
        if a.shape[0] != b.shape[0]:
            raise ValueError(f"For '{name}', a matrix of the shape {a.shape} does not fit b of {b.shape}.")
        if a.dtype != b.dtype:
            raise TypeError(f"For '{name}', the dtypes {a.dtype} and {b.dtype} differ.")
    elif not callable(a):
        raise TypeError(f"For '{name}', A must be a Tensor, a CSRTensor or a function, not {type(a).__name__}.")
    if x0 is not None and x0.shape != b.shape:
        raise ValueError(f"For '{name}', x0 of the shape {x0.shape} does not fit b of {b.shape}.")


def _near(b: Any, tol: Any, atol: Any) -> Any:
    """The residual's norm that is small enough."""
    return ops.maximum(ops.sqrt((b * b).sum()) * tol, ops.zeros_like(b.sum()) + atol)


def _limit(maxiter: Any, b: Any) -> Any:
    return 10 * b.shape[0] if maxiter is None else maxiter


def _conjugate(a: Any, b: Any, x0: Any, tol: Any, atol: Any, maxiter: Any, m: Any) -> Any:
    """Hestenes and Stiefel 1952."""
    x = ops.zeros_like(b) if x0 is None else x0
    r = b - _apply(a, x)
    z = _apply(m, r)
    p = z
    rho = (r * z).sum()
    near = _near(b, tol, atol)
    steps = 0
    while steps < maxiter and ops.sqrt((r * r).sum()) > near:
        q = _apply(a, p)
        alpha = rho / (p * q).sum()
        x = x + alpha * p
        r = r - alpha * q
        z = _apply(m, r)
        before = rho
        rho = (r * z).sum()
        p = z + rho / before * p
        steps = steps + 1
    return x, _info(b, r, near, maxiter)


def _info(b: Any, r: Any, near: Any, maxiter: Any) -> Any:
    """0 for success, else the number of steps."""
    failed = ops.sqrt((r * r).sum()) > near
    steps = ops.zeros((), i32) + maxiter
    return ops.select(failed, steps, ops.zeros_like(steps))


def _stabilised(a: Any, b: Any, x0: Any, tol: Any, atol: Any, maxiter: Any, m: Any) -> Any:
    """van der Vorst 1992."""
    x = ops.zeros_like(b) if x0 is None else x0
    r = b - _apply(a, x)
    start = r
    one = ops.ones_like(b.sum())
    rho, alpha, omega = one, one, one
    p, q = ops.zeros_like(b), ops.zeros_like(b)
    near = _near(b, tol, atol)
    steps = 0
    while steps < maxiter and ops.sqrt((r * r).sum()) > near:
        before = rho
        rho = (start * r).sum()
        p = r + rho / before * alpha / omega * (p - omega * q)
        turned = _apply(m, p)
        q = _apply(a, turned)
        alpha = rho / (start * q).sum()
        s = r - alpha * q
        half = x + alpha * turned
        if ops.sqrt((s * s).sum()) <= near:
            x = half
            r = s
        else:
            again = _apply(m, s)
            t = _apply(a, again)
            omega = (t * s).sum() / (t * t).sum()
            x = half + omega * again
            r = s - omega * t
        steps = steps + 1
    return x, _info(b, r, near, maxiter)


def _restarted(a: Any, b: Any, x0: Any, tol: Any, atol: Any, maxiter: Any, m: Any, restart: Any) -> Any:
    """Saad and Schultz 1986, with the preconditioner on the left; vectors are made orthogonal twice."""
    flat = ops.reshape(b, (-1,))
    n = flat.shape[0]
    k = n if restart > n else restart
    x = ops.zeros_like(flat) if x0 is None else ops.reshape(x0, (-1,))
    near = _near(_apply(m, flat), tol, atol)
    r = _apply(m, flat - _apply(a, x))
    steps = 0
    while steps < maxiter and ops.sqrt((r * r).sum()) > near:
        size = ops.sqrt((r * r).sum())
        basis = ops.expand_dims(r / size, 1)
        basis = ops.concat((basis, ops.zeros((n, k), flat.dtype)), 1)
        weights = ops.zeros((k + 1, k), flat.dtype)
        number, column = ops.arange(k + 1), ops.arange(k)
        for j in range(k):
            w = _apply(m, _apply(a, basis[:, j]))
            h = ops.matmul(basis.T, w)
            w = w - ops.matmul(basis, h)
            more = ops.matmul(basis.T, w)
            w = w - ops.matmul(basis, more)
            length = ops.sqrt((w * w).sum())
            w = ops.select(length > 1e-7 * size, w / length, ops.zeros_like(w))
            kept = ops.cast(number == j + 1, flat.dtype)
            basis = basis + ops.expand_dims(w, 1) * ops.expand_dims(kept, 0)
            own = ops.cast(column == j, flat.dtype)
            weights = weights + ops.expand_dims(h + more + length * kept, 1) * ops.expand_dims(own, 0)
        wanted = ops.cast(number == 0, flat.dtype) * size
        x = x + ops.matmul(basis[:, :k], ops.matmul(ops.pinv(weights), wanted))
        r = _apply(m, flat - _apply(a, x))
        steps = steps + 1
    return ops.reshape(x, b.shape), _info(flat, r, near, maxiter)


def _differentiable(a: Any, b: Any, x: Any) -> Any:
    """The solution x, with the derivatives by a matrix and b: a dx = db - da x."""
    rest = b - _apply(a, x)
    dense = ops.stop_gradient(a.to_dense() if isinstance(a, CSRTensor) else a)
    column = ops.reshape(rest - ops.stop_gradient(rest), (-1, 1))
    return x + ops.reshape(ops.matrix_solve(dense, column), b.shape)


def _solved(
    name: str, method: Any, a: Any, b: Any, x0: Any, tol: Any, atol: Any, maxiter: Any, m: Any, *more: Any
) -> Any:
    _check(name, a, b, x0)
    right = ops.cast(b, f64) if b.dtype.is_integer else b
    x, info = method(a, right, x0, tol, atol, _limit(maxiter, b), m, *more)
    if isinstance(a, Tensor | CSRTensor):
        x = _differentiable(a, right, ops.stop_gradient(x))
    return x, info


def cg(A: Any, b: Any, x0: Any = None, *, tol: Any = 1e-5, atol: Any = 0.0, maxiter: Any = None, M: Any = None) -> Any:
    """(x with A @ x = b for a positive definite matrix, 0 or the number of steps that did not suffice), by conjugate
    gradients."""
    return _solved("cg", _conjugate, A, b, x0, tol, atol, maxiter, M)


def bicgstab(
    A: Any, b: Any, x0: Any = None, *, tol: Any = 1e-5, atol: Any = 0.0, maxiter: Any = None, M: Any = None
) -> Any:
    """(x with A @ x = b, 0 or the number of steps that did not suffice), by stabilised biconjugate gradients."""
    return _solved("bicgstab", _stabilised, A, b, x0, tol, atol, maxiter, M)


def gmres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    tol: Any = 1e-5,
    restart: Any = 20,
    maxiter: Any = None,
    M: Any = None,
    callback: Any = None,
    restrt: Any = None,
    atol: Any = 0.0,
    callback_type: Any = None,
    solve_method: Any = "batched",
) -> Any:
    """(x with A @ x = b, 0 or the number of restarts that did not suffice), by generalised minimal residuals."""
    if callback is not None or restrt is not None or callback_type is not None:
        raise ValueError("For 'gmres', callback, restrt and callback_type are not supported.")
    if solve_method not in ("batched", "incremental"):
        raise ValueError(f"For 'gmres', solve_method is 'batched' or 'incremental', not {solve_method!r}.")
    if isinstance(restart, bool) or not isinstance(restart, int):
        raise TypeError(f"For 'gmres', restart must be an int, not {type(restart).__name__}.")
    return _solved("gmres", _restarted, A, b, x0, tol, atol, maxiter, M, restart)
