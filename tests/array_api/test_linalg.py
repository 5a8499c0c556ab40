"""Linear algebra: NumPy's values and what factorisations are for, of matrices and stacks, line by line and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import assert_same, both

import jitcore.numpy as xp

_RNG = np.random.default_rng(1)
_EPS = {"float32": 1e-4, "float64": 1e-9, "complex64": 1e-4, "complex128": 1e-9}


def _given(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    made = _RNG.standard_normal(shape)
    return (made + 1j * _RNG.standard_normal(shape) if dtype.startswith("complex") else made).astype(dtype)


def _definite(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A Hermitian, positive definite matrix."""
    return a @ a.swapaxes(-1, -2).conj() + 3 * np.eye(a.shape[-1], dtype=a.dtype)


la, nla = xp.linalg, np.linalg
_SQUARE: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "inv": (lambda a, b: la.inv(a), lambda a, b: nla.inv(a)),
    "solve": (lambda a, b: la.solve(a, b), lambda a, b: nla.solve(a, b)),
    "solve one": (lambda a, b: la.solve(a, b[0, :, 0]), lambda a, b: nla.solve(a, b[0, :, 0])),
    "det": (lambda a, b: la.det(a), lambda a, b: nla.det(a)),
    "slogdet": (lambda a, b: la.slogdet(a), lambda a, b: tuple(nla.slogdet(a))),
    "cholesky": (lambda a, b: la.cholesky(a), lambda a, b: nla.cholesky(a)),
    "cholesky upper": (
        lambda a, b: la.cholesky(a, upper=True),
        lambda a, b: nla.cholesky(a).swapaxes(-1, -2).conj(),
    ),
    "eigvalsh": (lambda a, b: la.eigvalsh(a), lambda a, b: nla.eigvalsh(a)),
    "svdvals": (lambda a, b: la.svdvals(b), lambda a, b: nla.svd(b, compute_uv=False)),
    "matrix_power": (
        lambda a, b: [la.matrix_power(a, n) for n in (0, 1, 3, -2)],
        lambda a, b: [nla.matrix_power(a, n) for n in (0, 1, 3, -2)],
    ),
    "pinv": (lambda a, b: la.pinv(b), lambda a, b: nla.pinv(b)),
    "pinv bounded": (lambda a, b: la.pinv(b, rtol=0.5), lambda a, b: nla.pinv(b, rcond=0.5)),
    "pinv bounded each": (
        lambda a, b: la.pinv(b, rtol=xp.asarray([0.5, 0.0])),
        lambda a, b: np.stack([nla.pinv(m, rcond=r) for m, r in zip(b, (0.5, 0.0), strict=True)]),
    ),
    "matrix_rank": (lambda a, b: la.matrix_rank(b), lambda a, b: nla.matrix_rank(b)),
    "matrix_rank bounded": (
        lambda a, b: la.matrix_rank(b, rtol=xp.asarray([0.99, 0.0])),
        lambda a, b: np.array([1, 2]),
    ),
    "diagonal": (lambda a, b: la.diagonal(b, offset=-1), lambda a, b: np.diagonal(b, -1, -2, -1)),
    "trace": (lambda a, b: la.trace(b, offset=1), lambda a, b: np.trace(b, 1, -2, -1)),
    "cross": (lambda a, b: la.cross(a, a[..., ::-1]), lambda a, b: np.cross(a, a[..., ::-1])),
    "cross along": (lambda a, b: la.cross(a, b[..., :1], axis=-2), lambda a, b: np.cross(a, b[..., :1], axis=-2)),
    "outer": (lambda a, b: la.outer(a[0, 0], b[0, 0]), lambda a, b: np.outer(a[0, 0], b[0, 0])),
    "matmul": (lambda a, b: la.matmul(a, b), lambda a, b: a @ b),
    "tensordot": (
        lambda a, b: (la.tensordot(a, b, axes=((0, 2), (0, 1))), la.tensordot(a[0], b[0], axes=1)),
        lambda a, b: (np.tensordot(a, b, ((0, 2), (0, 1))), a[0] @ b[0]),
    ),
    "vecdot": (lambda a, b: la.vecdot(a, b[..., :1], axis=-2), lambda a, b: (a.conj() * b[..., :1]).sum(-2)),
    "matrix_transpose": (lambda a, b: la.matrix_transpose(b), lambda a, b: b.swapaxes(-1, -2)),
}


@pytest.mark.parametrize("name", _SQUARE)
def test_functions_of_matrices(name: str) -> None:
    ours, theirs = _SQUARE[name]
    dtypes = ("float32", "complex128")
    arrays = [v for d in dtypes for v in (_definite(_given(d, 2, 3, 3)), _given(d, 2, 3, 2))]

    def run(*given: Any) -> Any:
        return [ours(a, b) for a, b in zip(given[::2], given[1::2], strict=True)]

    for made in both(run, *map(xp.asarray, arrays)):
        for k, dtype in enumerate(dtypes):
            assert_same(made[k], theirs(*arrays[2 * k : 2 * k + 2]), 10 * _EPS[dtype])


@pytest.mark.parametrize("dtype", _EPS)
@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 3, 3), (0, 2, 2)])
def test_factorisations_multiply_to_the_matrix(dtype: str, shape: tuple[int, ...]) -> None:
    def run(a: Any) -> Any:
        q, r = la.qr(a)
        whole = la.qr(a, mode="complete")
        u, s, vh = la.svd(a, full_matrices=False)
        return (q @ r, whole.Q @ whole.R, (u * s[..., None, :]) @ vh, whole.Q.mT.conj() @ whole.Q, la.svd(a))

    a = _given(dtype, *shape)
    rows, columns = shape[-2:]
    for first, second, third, unit, full in both(run, xp.asarray(a)):
        for made in (first, second, third):
            assert_same(made, a, _EPS[dtype])
        assert_same(unit, np.broadcast_to(np.eye(rows, dtype=dtype), (*shape[:-2], rows, rows)), _EPS[dtype])
        assert [v.shape[-2:] for v in (full[0], full[2])] == [(rows, rows), (columns, columns)]
        assert full[1].dtype == a.real.dtype


def test_eigenvectors() -> None:
    a = _definite(_given("complex128", 2, 3, 3))

    def run(a: Any) -> Any:
        found = la.eigh(a)
        return a @ found.eigenvectors, found.eigenvectors * found.eigenvalues[..., None, :], found.eigenvalues

    for left, right, values in both(run, xp.asarray(a)):
        assert_same(left, right, 1e-9)
        assert_same(values, nla.eigvalsh(a), 1e-9)


@pytest.mark.parametrize("order", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_norms_of_matrices(order: Any) -> None:
    a = _given("float32", 2, 3, 2)

    def run(a: Any) -> Any:
        return la.matrix_norm(a, ord=order), la.matrix_norm(a, ord=order, keepdims=True)

    wanted = nla.norm(a, order, (-2, -1))
    for made in both(run, xp.asarray(a)):
        assert_same(made, (wanted, wanted[:, None, None]), 1e-5)


@pytest.mark.parametrize("order", [0, 1, 2, 3, 0.5, -1, np.inf, -np.inf])
def test_norms_of_vectors(order: Any) -> None:
    a = _given("complex64", 2, 3, 2)
    size = np.abs(a).astype(np.float64)

    def norm(x: Any, axis: Any) -> Any:
        if order == 0:
            return (x != 0).sum(axis)
        if abs(order) == np.inf:
            return x.max(axis) if order > 0 else x.min(axis)
        return (x**order).sum(axis) ** (1 / order)

    def run(a: Any) -> Any:
        return (
            la.vector_norm(a, ord=order),
            la.vector_norm(a, ord=order, axis=1, keepdims=True),
            la.vector_norm(a, ord=order, axis=(0, -1)),
        )

    wanted = (norm(size, None), norm(size, 1)[:, None], norm(size, (0, 2)))
    for made in both(run, xp.asarray(a)):
        assert_same(made, tuple(np.asarray(w, np.float32) for w in wanted), 1e-5)


def test_what_is_wrong_is_said() -> None:
    a = xp.ones((2, 3))
    for call in (lambda: la.inv(a), lambda: la.det(xp.ones(3)), lambda: la.inv(xp.zeros((2, 2)))):
        with pytest.raises(nla.LinAlgError):
            call()
    with pytest.raises(ValueError, match="extent 3"):
        la.cross(xp.ones((2, 2)), xp.ones((2, 2)))
    with pytest.raises(ValueError, match="two vectors"):
        la.outer(a, xp.ones(2))
    with pytest.raises(ValueError, match="'reduced' or 'complete'"):
        la.qr(a, mode="r")
    with pytest.raises(ValueError, match="mismatch"):
        xp.matmul(a, a)


def test_functions_that_numpy_has_besides() -> None:
    a, b = _given("float64", 4, 2), _given("float64", 4)

    def run(a: Any, b: Any) -> Any:
        return la.norm(a), la.norm(a, 1, axis=0), la.lstsq(a, b)[0], la.multi_dot([a.T, a, a.T])

    wanted = (nla.norm(a), nla.norm(a, 1, axis=0), nla.lstsq(a, b)[0], nla.multi_dot([a.T, a, a.T]))
    for made in both(run, xp.asarray(a), xp.asarray(b)):
        assert_same(made, wanted, 1e-9)
