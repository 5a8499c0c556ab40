"""Inverses, solutions, determinants and exponentials of stacks of matrices, by NumPy's LAPACK on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import (
    Nondifferentiable,
    Sample,
    Vjp,
)
from jitcore.primitives.core.rules import common_dtype, differ, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops.linalg import matmul, swap_last
from jitcore.primitives.ops.matrices import (
    as_computed,
    as_matrices,
    declare_on_host,
    identity,
    matrices,
    product,
    regular,
    require_real,
    square,
    square_samples,
)
from jitcore.primitives.ops.views import view_index
from jitcore.types import TensorType, Type, c64, c128, f32, f64, shape_text

# --- inverses and solutions ---------------------------------------------------------------------------

inverse = declare_on_host(
    "inverse",
    lambda x: square(x, "inverse"),
    lambda x: as_computed(x, np.linalg.inv(x)),
    # d(X^-1) = -X^-1 dX X^-1
    Vjp(
        lambda cts, outs, x: (e.neg(product(swap_last(outs[0]), cts[0], swap_last(outs[0]))),),
        lambda ts, outs, x: (e.neg(product(outs[0], ts[0], outs[0])),),
    ),
    square_samples,
    "The inverses of square matrices. LinAlgError (a ValueError) if one is singular.",
)


def _solve_rule(a: Type, b: Type) -> Type:
    left, right = square(a, "solve"), matrices(b, "solve")
    common_dtype((left, right), "solve")
    if left.rank != right.rank or any(differ(n, m) for n, m in zip(left.shape[:-1], right.shape, strict=False)):
        raise ValueError(f"solve: matrices of shapes {shape_text(left.shape)} and {shape_text(right.shape)}")
    return right


def _solve_vjp(cts: Sequence[Any], outs: Sequence[Any], a: Any, b: Any) -> Sequence[Any]:
    by_right = solve(swap_last(a), cts[0])
    return e.neg(matmul(by_right, swap_last(outs[0]))), by_right


def _solve_jvp(ts: Sequence[Any], outs: Sequence[Any], a: Any, b: Any) -> Sequence[Any]:
    rest = ts[1]
    if ts[0] is not None:
        moved = matmul(ts[0], outs[0])
        rest = e.neg(moved) if rest is None else e.sub(rest, moved)
    return (solve(a, rest),)


solve = declare_on_host(
    "solve",
    _solve_rule,
    lambda a, b: as_computed(b, np.linalg.solve(a, b)),
    # A X = B: dX = A^-1 (dB - dA X)
    Vjp(_solve_vjp, _solve_jvp),
    lambda: (
        Sample((regular(3), spread((3, 2)))),
        Sample((regular(2, f64, 3), spread((3, 2, 1)))),
        Sample((regular(3, f32), spread((3, 2), dtype=f32))),
    ),
    "X of A X = B, for square A and as many stacked matrices B.",
    "a b",
)


def _transposed_type(type_: TensorType) -> TensorType:
    return TensorType(type_.dtype, (*type_.shape[:-2], type_.shape[-1], type_.shape[-2]))


def _pseudo_residuals(x: Any, p: Any) -> tuple[Any, Any]:
    """(I - X P, I - P X)."""
    return e.sub(identity(x, -2), matmul(x, p)), e.sub(identity(x, -1), matmul(p, x))


def _pseudo_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, **how: Any) -> Sequence[Any]:
    (ct,), (p,) = cts, outs
    require_real(x, "pseudo_inverse")
    left, right = _pseudo_residuals(x, p)
    pt, turned = swap_last(p), swap_last(ct)
    total = e.sub(product(left, turned, p, pt), product(pt, ct, pt))
    return (e.add(total, product(pt, p, turned, right)),)


def _pseudo_jvp(ts: Sequence[Any], outs: Sequence[Any], x: Any, **how: Any) -> Sequence[Any]:
    (t,), (p,) = ts, outs
    require_real(x, "pseudo_inverse")
    left, right = _pseudo_residuals(x, p)
    pt, turned = swap_last(p), swap_last(t)
    total = e.sub(product(p, pt, turned, left), product(p, t, p))
    return (e.add(total, product(right, turned, pt, p)),)


pseudo_inverse = declare_on_host(
    "pseudo_inverse",
    lambda x, **how: _transposed_type(matrices(x, "pseudo_inverse")),
    lambda x, *, cutoff=None: as_computed(
        x, np.linalg.pinv(x, rcond=max(x.shape[-2:]) * np.finfo(x.dtype).eps if cutoff is None else cutoff)
    ),
    # Golub and Pereyra 1973: dP = -P dX P + P P' dX' (I - X P) + (I - P X) dX' P' P, for constant rank
    Vjp(_pseudo_vjp, _pseudo_jvp),
    lambda: (
        Sample((spread((4, 2)),)),
        Sample((spread((2, 2, 3)),)),
        Sample((regular(3, f32),)),
        Sample((spread((3, 2)),), {"cutoff": 1e-3}),
    ),
    "The Moore-Penrose inverses; singular values not above `cutoff` times the largest count as 0.",
)

# --- determinants -------------------------------------------------------------------------------------


def _numbers_rule(what: str) -> Callable[..., Any]:
    def rule(x: Type) -> TensorType:
        type_ = square(x, what)
        return TensorType(type_.dtype, type_.shape[:-2])

    return rule


def _cofactors(x: Any) -> Any:
    """By the SVD, so that singular matrices have them: det(U) det(V') conj(U diag(products of the other values) V')."""
    u, values, vt = np.linalg.svd(x)
    n = x.shape[-1]
    others = np.stack([np.prod(np.delete(values, k, -1), -1) for k in range(n)], -1) if n else values
    sign = np.linalg.det(u) * np.linalg.det(vt)
    return as_computed(x, sign[..., None, None] * ((u * others[..., None, :]) @ vt).conj())


cofactors = declare_on_host(
    "cofactors",
    lambda x: square(x, "cofactors"),
    _cofactors,
    Nondifferentiable("second derivatives of determinants are not defined", zero=False),
    lambda: (
        Sample((regular(3),)),
        Sample((np.array([[1.0, 2.0], [2.0, 4.0]]),)),
        Sample((regular(2, f32, 2),)),
        Sample((regular(1),)),
        Sample((mixed((3, 3), 5, c128),)),
    ),
    "The matrices of cofactors: the derivatives of the determinants.",
)
determinant = declare_on_host(
    "determinant",
    _numbers_rule("determinant"),
    lambda x: as_computed(x, np.linalg.det(x)),
    # Jacobi's formula
    Vjp(
        lambda cts, outs, x: (e.mul(as_matrices(cts[0]), cofactors(x)),),
        lambda ts, outs, x: (r.reduce_sum(e.mul(cofactors(x), ts[0]), axis=_last_two(x), keepdims=False),),
    ),
    square_samples,
    "The determinants of square matrices.",
)


def _last_two(x: Any) -> tuple[int, int]:
    rank = tensor_type(x).rank
    return rank - 2, rank - 1


def _log_rule(x: Type) -> Any:
    type_ = _numbers_rule("log_determinant")(x)
    return type_, TensorType(f32 if type_.dtype is c64 else f64 if type_.dtype is c128 else type_.dtype, type_.shape)


def _log_vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any) -> Sequence[Any]:
    require_real(x, "log_determinant")
    return (None if cts[1] is None else e.mul(as_matrices(cts[1]), swap_last(inverse(x))),)


def _log_jvp(ts: Sequence[Any], outs: Sequence[Any], x: Any) -> Sequence[Any]:
    require_real(x, "log_determinant")
    share = r.reduce_sum(e.mul(swap_last(inverse(x)), ts[0]), axis=_last_two(x), keepdims=False)
    return None, share


def _log_reference(x: Any) -> Any:
    sign, size = np.linalg.slogdet(x)
    return np.asarray(sign, x.dtype), np.asarray(size, x.real.dtype)


log_determinant = declare_on_host(
    "log_determinant",
    _log_rule,
    _log_reference,
    Vjp(_log_vjp, _log_jvp),
    lambda: (
        Sample((regular(3),), differentiable=False),
        Sample((-regular(3, f32, 2),), differentiable=False),
        Sample((np.zeros((2, 2)),), differentiable=False),
    ),
    "(the sign of the determinant, the logarithm of its magnitude)",
)

# --- the exponential ----------------------------------------------------------------------------------


_PADE = (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
         10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0,
         16380.0, 182.0, 1.0)  # fmt: skip


def _exponential_reference(x: Any) -> Any:
    """Scaling and squaring with the Padé approximant of degree 13 (Higham 2005)."""
    wide = x.astype(np.result_type(x.dtype, np.float64))
    norm = float(np.abs(wide).sum(-2).max()) if wide.size else 0.0
    halvings = max(0, int(np.ceil(np.log2(norm / 5.371920351148152)))) if norm > 0 and np.isfinite(norm) else 0
    a = wide / 2.0**halvings
    powers = [np.eye(a.shape[-1]), a]
    for _ in range(12):
        powers.append(powers[-1] @ a)
    even = sum(_PADE[k] * powers[k] for k in range(0, 14, 2))
    odd = sum(_PADE[k] * powers[k] for k in range(1, 14, 2))
    made = np.linalg.solve(np.broadcast_to(even - odd, a.shape), np.broadcast_to(even + odd, a.shape))
    for _ in range(halvings):
        made = made @ made
    return as_computed(x, made)


def _directional(x: Any, direction: Any) -> Any:
    """The derivative of the exponential in a direction: a block of exp((X E; 0 X)) (Mathias 1996)."""
    type_ = tensor_type(x)
    axis = type_.rank - 1
    top = joining.concatenate(x, direction, axis=axis)
    bottom = joining.concatenate(broadcasting.zeros(type_), x, axis=axis)
    whole = matrix_exponential(joining.concatenate(top, bottom, axis=axis - 1))
    *batch, n, _ = type_.shape
    spec = (*(("s", 0, 1, d) for d in batch), ("s", 0, 1, n), ("s", n, 1, n))
    return view_index(whole, spec=spec)


matrix_exponential = declare_on_host(
    "matrix_exponential",
    lambda x: square(x, "matrix_exponential"),
    _exponential_reference,
    Vjp(
        lambda cts, outs, x: (_directional(swap_last(x), cts[0]),),
        lambda ts, outs, x: (_directional(x, ts[0]),),
    ),
    lambda: (
        Sample((mixed((3, 3), 1),)),
        Sample((mixed((2, 2, 2), 2),)),
        Sample((mixed((2, 2), 3, f32),)),
        Sample((mixed((2, 2), 4) * 20,), differentiable=False),
    ),
    "The sums of x^k / k!.",
)
