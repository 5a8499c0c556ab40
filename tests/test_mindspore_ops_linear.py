"""MindSpore's operators that factorise, invert and solve, by rows, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operator_rows import Row, check_gradients, check_values, require_close

import jitcore
from jitcore import Tensor, jit, ops


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


M, D, V = "F(n, n) + 3 * np.eye(n)", "F(n, n) @ F(n, n).T + np.eye(n)", "F(n, 2)"
LONG, WIDE = "F(n + 1, n - 1) * P(n + 1, n - 1)", "F(n - 1, n + 1) * P(n - 1, n + 1)"


def _exponential(x: Any) -> Any:
    values, vectors = np.linalg.eig(x)
    return (vectors @ np.diag(np.exp(values)) @ np.linalg.inv(vectors)).real


def _svd_signless(x: Any) -> Any:
    return np.linalg.svd(x, compute_uv=False), x


def _lower_inverse(x: Any) -> Any:
    low = np.tril(x)
    return np.linalg.inv(low @ low.T)


ROWS = [
    Row("ops.inverse(x), ops.MatrixInverse(adjoint=True)(x), x.inverse()", lambda x: (np.linalg.inv(x), np.linalg.inv(x).T, np.linalg.inv(x)), x=M),
    Row("ops.det(x), ops.MatrixDeterminant()(x), x.det()", lambda x: (np.linalg.det(x),) * 3, x=M),
    Row("ops.slogdet(x), ops.logdet(x), ops.LogMatrixDeterminant()(x)", lambda x: (*np.linalg.slogdet(x), np.linalg.slogdet(x)[1], *np.linalg.slogdet(x)), x=M),
    Row("ops.cholesky(x), ops.Cholesky(upper=True)(x)", lambda x: (np.linalg.cholesky(x), np.linalg.cholesky(x).T), x=D),
    Row("ops.cholesky_inverse(x), ops.cholesky_solve(y, x), ops.CholeskySolve(upper=True)(y, ops.t(x))", lambda x, y: (_lower_inverse(x), _lower_inverse(x) @ y, _lower_inverse(x) @ y), x=M, y=V),
    Row("ops.matrix_solve(x, y), ops.MatrixSolve(adjoint=True)(x, y)", lambda x, y: (np.linalg.solve(x, y), np.linalg.solve(x.T, y)), x=M, y=V),
    Row("ops.MatrixSolve()(x, y)", lambda x, y: np.linalg.solve(x, y), x="F(2, n, n) + 3 * np.eye(n)", y="F(2, n, 2)"),
    Row("ops.solve_triangular(x, y, lower=True), ops.MatrixTriangularSolve(lower=False)(x, y)", lambda x, y: (np.linalg.solve(np.tril(x), y), np.linalg.solve(np.triu(x), y)), x=M, y=V),
    Row("ops.solve_triangular(x, y[:, 0], 'T', True, True)", lambda x, y: np.linalg.solve((np.tril(x, -1) + np.eye(len(x))).T, y[:, 0]), x=M, y=V),
    Row("ops.pinv(x), ops.pinv(x, atol=1e-9)", lambda x: (np.linalg.pinv(x),) * 2, x=LONG),
    Row("ops.pinv(x)", np.linalg.pinv, x=WIDE),
    Row("ops.lstsq(x, y)", lambda x, y: np.linalg.lstsq(x, y)[0], x=LONG, y="F(n + 1, 2)"),
    Row("ops.svd(x)[0], (lambda s, u, v: (u * s) @ ops.t(v))(*ops.svd(x)), ops.svd(x, compute_uv=False)", lambda x: (*_svd_signless(x), _svd_signless(x)[0]), x=LONG),
    Row("(lambda s, u, v: (u ** 2, v ** 2))(*ops.Svd()(x))", lambda x: tuple(v * v for v in (np.linalg.svd(x, False)[0], np.linalg.svd(x, False)[2].T)), x="F(n, 2) * P(n, 2)"),
    Row("(lambda w, v: (w, v ** 2))(*ops.eigh(x))", lambda x: (np.linalg.eigh(x)[0], np.linalg.eigh(x)[1] ** 2), x="(F(n, n) * P(n, n)) @ (F(n, n) * P(n, n)).T"),
    Row("(lambda q, r: (q @ r, ops.abs(q), ops.abs(r)))(*ops.qr(x))", lambda x: (x, *map(np.abs, np.linalg.qr(x))), x="F(4, 2) * n"),
    Row("(lambda q, r: (q @ r, ops.abs(q), ops.abs(r)))(*ops.qr(x))", lambda x: (x, *map(np.abs, np.linalg.qr(x))), x="F(2, 4) * n"),
    no("ops.qr(x, 'complete'), ops.Qr()(x)", lambda x: (*np.linalg.qr(x, "complete"), *np.linalg.qr(x)), x=LONG),
    no("(lambda w, v: x.astype(ms.complex128) @ v - v * w)(*ops.eig(x)), ops.eigvals(x)", lambda x: (np.zeros((len(x), len(x)), complex), np.linalg.eigvals(x).astype(complex)), x=M),
    Row("ops.matrix_exp(x)", _exponential, x="F(n, n)"),
    Row("ops.matrix_norm(x), ops.matrix_norm(x, 'nuc'), ops.matrix_norm(x, 2), ops.matrix_norm(x, 1, keepdims=True)", lambda x: (np.linalg.norm(x), np.linalg.norm(x, "nuc"), np.linalg.norm(x, 2), np.linalg.norm(x, 1, keepdims=True)), x="F(n, 3) * P(n, 3)"),
    Row("ops.matrix_power(x, 3), ops.matrix_power(x, -2), ops.MatrixPower(n=0)(x)", lambda x: (np.linalg.matrix_power(x, 3), np.linalg.matrix_power(x, -2), np.eye(len(x))), x=M),
    Row("ops.Cross(dim=0)(x, y), ops.Cross()(x, y)", lambda x, y: (np.cross(x, y, axis=0),) * 2, x="F(3, n)", y="P(3, n)"),
    Row("ops.TridiagonalMatMul()(a, b, c, y)", lambda a, b, c, y: a[0][:, None] * np.concatenate([y[1:], y[:1] * 0]) + b[0][:, None] * y + c[0][:, None] * np.concatenate([y[:1] * 0, y[:-1]]), a="F(1, n)", b="P(1, n)", c="F(1, n) * 2", y=V),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_values(row: Row) -> None:
    check_values(row)


@pytest.mark.parametrize("row", [r for r in ROWS if r.gradient], ids=str)
def test_gradients(row: Row) -> None:
    check_gradients(row)


def both(function: Callable[..., Any], *operands: Any) -> Any:
    """The result, which is the same in both modes."""
    eager = function(*operands)
    require_close(jit(function)(*operands), eager, 1e-6)
    return eager


def test_lu() -> None:
    x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]])
    packed = Tensor(np.array([[7.0, 8.0, 10.0], [1 / 7, 6 / 7, 11 / 7], [4 / 7, 0.5, -0.5]]))
    pivots = Tensor(np.array([3, 3, 3], np.int32))
    permutation, low, high = both(ops.lu_unpack, packed, pivots)
    np.testing.assert_allclose((permutation @ low @ high).asnumpy(), x, atol=1e-12)
    b = Tensor(np.array([[1.0], [2.0], [4.0]]))
    np.testing.assert_allclose(both(ops.lu_solve, b, packed, pivots).asnumpy(), np.linalg.solve(x, b.asnumpy()))


def test_reflections() -> None:
    x = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 2.0]])
    raw, tau = np.linalg.qr(x, "raw")
    packed, scales = both(ops.geqrf, Tensor(x))
    np.testing.assert_allclose(packed.asnumpy(), raw.T)
    np.testing.assert_allclose(scales.asnumpy(), tau)
    q = both(ops.orgqr, packed, scales)
    np.testing.assert_allclose(q.asnumpy(), np.linalg.qr(x)[0], atol=1e-12)
    whole = both(lambda a, b: ops.ormqr(a, b, ops.eye(3, 3, jitcore.float64)), packed, scales)
    np.testing.assert_allclose(whole.asnumpy(), np.linalg.qr(x, "complete")[0], atol=1e-12)
    back = both(lambda a, b, c: ops.ormqr(a, b, c, True, True), packed, scales, Tensor(x))
    np.testing.assert_allclose(back.asnumpy()[:2], np.linalg.qr(x)[1], atol=1e-12)


def test_bands() -> None:
    x = Tensor(np.array([[8, 9, 0], [1, 2, 3], [0, 4, 5]], np.float32))
    made = both(lambda v: ops.matrix_diag(v, Tensor([-1, 1], jitcore.int32), 3, 3, 7.0, "LEFT_RIGHT"), x)
    assert made.asnumpy().tolist() == [[1, 8, 7], [4, 2, 9], [7, 5, 3]]
    part = both(lambda v: ops.matrix_diag_part(v, Tensor([-1, 1], jitcore.int32), 0.0), made)
    assert part.asnumpy().tolist() == [[0, 8, 9], [1, 2, 3], [4, 5, 0]]
    assert both(lambda v: ops.matrix_diag_part(v, 0, 0.0), made).asnumpy().tolist() == [1, 2, 3]
    filled = both(lambda v: ops.matrix_set_diag(v, Tensor([5.0, 6.0], jitcore.float32), 1), made)
    assert filled.asnumpy().tolist() == [[1, 5, 7], [4, 2, 6], [7, 5, 3]]
    plain = both(lambda v: ops.matrix_diag(v), Tensor(np.array([[1.0, 2.0], [3.0, 4.0]])))
    assert plain.asnumpy().tolist() == [[[1, 0], [0, 2]], [[3, 0], [0, 4]]]


@pytest.mark.parametrize("function", [ops.inverse, lambda x: ops.cholesky(x - 1)])
def test_what_has_no_result_is_an_error(function: Callable[..., Any]) -> None:
    singular = Tensor(np.ones((2, 2)))
    for call in (function, jit(function)):
        with pytest.raises(np.linalg.LinAlgError):
            call(singular)
