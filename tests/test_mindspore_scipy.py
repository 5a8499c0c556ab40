"""MindSpore's `scipy`: what factorisations multiply to, solutions put into the equations, minima that are known; in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitcore
import jitcore.numpy as jnp
from jitcore import CSRTensor, Tensor, grad, jit, set_context
from jitcore.scipy import fft, linalg
from jitcore.scipy.operators import SolveTriangular, matrix_diag_part, matrix_set_diag
from jitcore.scipy.optimize import line_search, minimize
from jitcore.scipy.sparse import linalg as iterative

RNG = np.random.default_rng(0)
A = RNG.random((5, 5))
S = A @ A.T + np.eye(5)
B, C = RNG.random(5), RNG.random((5, 2))


@pytest.fixture(autouse=True)
def _strict() -> Any:
    set_context(jit_syntax_level=0)
    yield
    set_context(jit_syntax_level=2)


def both(function: Callable[..., Any], *args: Any) -> list[Any]:
    """What a function of arrays gives, line by line and compiled, as ndarrays."""
    made = []
    for f in (function, jit(function)):
        out = f(*[Tensor(a) for a in args])
        made.append([v.asnumpy() for v in out] if isinstance(out, tuple) else out.asnumpy())
    for one, other in zip(*([m] if isinstance(m, np.ndarray) else m for m in made), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12)
    return made[0]


@pytest.mark.parametrize("lower", [False, True])
def test_triangles(lower: bool) -> None:
    """Solutions with triangular matrices and Cholesky's factors; eigenvalues of a half of a matrix."""
    half = np.tril(A) if lower else np.triu(A)
    for trans, matrix in ((0, half), (1, half.T), ("C", half.T)):
        for b in (B, C):
            np.testing.assert_allclose(
                matrix @ both(lambda a, b, t=trans: linalg.solve_triangular(a, b, lower, t), A, b), b
            )
    unit = half - np.diag(np.diag(half)) + np.eye(5)
    np.testing.assert_allclose(
        unit @ both(lambda a, b: linalg.solve_triangular(a, b, lower, unit_diagonal=True), A, B), B
    )
    factor = both(lambda a: linalg.cholesky(a, lower), S)
    np.testing.assert_allclose(factor @ factor.T if lower else factor.T @ factor, S)
    np.testing.assert_allclose(S @ both(lambda a, b: linalg.cho_solve(linalg.cho_factor(a, lower), b), S, C), C)
    whole = half + half.T - np.diag(np.diag(half))
    values, vectors = both(lambda a: linalg.eigh(a, lower=lower), A)
    np.testing.assert_allclose(whole @ vectors, vectors * values, atol=1e-12)
    np.testing.assert_allclose(both(lambda a: linalg.eigh(a, lower=lower, eigvals_only=True), A), values)


@pytest.mark.parametrize("shape", [(5, 5), (3, 6), (6, 3), (12, 12)])
def test_lu(shape: tuple[int, int]) -> None:
    a = np.random.default_rng(1).random(shape)
    p, low, high = both(linalg.lu, a)
    np.testing.assert_allclose(p @ low @ high, a)
    assert (np.abs(low) <= 1).all()
    np.testing.assert_array_equal(p.sum(0), np.ones(shape[0]))
    np.testing.assert_array_equal(np.tril(high, -1), 0)
    np.testing.assert_allclose(both(lambda x: linalg.lu(x, True), a)[0], p @ low)


def test_solutions_by_lu() -> None:
    for trans, matrix in ((0, A), (1, A.T), (2, A.T)):
        for b in (B, C):
            np.testing.assert_allclose(
                matrix @ both(lambda a, b, t=trans: linalg.lu_solve(linalg.lu_factor(a), b, t), A, b), b
            )
    made = grad(lambda a: (linalg.lu_solve(linalg.lu_factor(a), Tensor(B)) ** 2).sum())(Tensor(A)).asnumpy()
    x = np.linalg.solve(A, B)
    np.testing.assert_allclose(made, -np.outer(np.linalg.solve(A.T, 2 * x), x), rtol=1e-7)


def test_matrices() -> None:
    np.testing.assert_allclose(both(linalg.inv, A) @ A, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(both(linalg.det, A), np.linalg.det(A))
    made = both(linalg.block_diag, A, C, B)
    np.testing.assert_array_equal(made[5:10, 5:7], C)
    assert made.shape == (11, 12)
    assert made.sum() == pytest.approx(A.sum() + C.sum() + B.sum())
    assert linalg.block_diag().shape == (1, 0)
    ints = Tensor(np.array([[2, 1], [1, 3]]))
    np.testing.assert_allclose(linalg.inv(ints).asnumpy() @ ints.asnumpy(), np.eye(2), atol=1e-12)


def test_operators() -> None:
    """Those that are set up first; many matrices at once; cosine transforms."""
    for low in (False, True):
        half = np.tril(A) if low else np.triu(A)
        whole = half + half.T - np.diag(np.diag(half))
        values, vectors = both(lambda a, low=low: jitcore.ops.Eigh(True, low)(a), A)
        np.testing.assert_allclose(whole @ vectors, vectors * values, atol=1e-12)
        np.testing.assert_allclose(both(lambda a, low=low: jitcore.ops.Eigh(False, low)(a), A), values)
    many, right = RNG.random((2, 3, 4, 4)) + np.eye(4), RNG.random((2, 3, 4))
    solve = SolveTriangular(True, False, "T")
    x = both(lambda a, b: solve(a, b), many, right)
    np.testing.assert_allclose(np.einsum("...ji,...j->...i", np.tril(many), x), right)
    made = both(lambda a, b: matrix_set_diag(a, b, k=1), A, B[:4])
    np.testing.assert_array_equal(made, A - np.diag(np.diag(A, 1), 1) + np.diag(B[:4], 1))
    np.testing.assert_array_equal(both(lambda a: matrix_diag_part(a, -1), A), np.diag(A, -1))
    cosines = np.cos(np.pi * np.outer(np.arange(5), 2 * np.arange(5) + 1) / 10)
    np.testing.assert_allclose(both(fft.dct, A), 2 * A @ cosines.T)
    np.testing.assert_allclose(both(lambda a: fft.idct(fft.dct(a, norm="ortho")), A), A)


SOLVERS: list[tuple[Callable[..., Any], Any]] = [
    (iterative.cg, S),
    (iterative.bicgstab, A + 3 * np.eye(5)),
    (iterative.gmres, A),
]


@pytest.mark.parametrize(("solver", "matrix"), SOLVERS, ids=lambda v: getattr(v, "__name__", ""))
def test_iterative_solvers(solver: Any, matrix: Any) -> None:
    """For Tensors, sparse Tensors and functions, with preconditioners; and the derivatives of the solution."""
    for m in (None, Tensor(np.eye(5)), Tensor(np.linalg.inv(matrix))):
        x, info = both(lambda a, b, m=m: solver(a, b, M=m, tol=1e-12), matrix, B)
        np.testing.assert_allclose(matrix @ x, B, rtol=1e-8)
        assert info == 0
    restart = {"restart": 2} if solver is iterative.gmres else {}
    assert both(lambda a, b: solver(a, b, tol=1e-12, maxiter=1, **restart), matrix, B)[1] == 1
    sparse = CSRTensor(Tensor(np.arange(0, 26, 5)), Tensor(np.tile(np.arange(5), 5)), Tensor(matrix.ravel()), (5, 5))
    for a in (sparse, lambda v: Tensor(matrix) @ v):
        x, _ = both(lambda b, a=a: solver(a, b, Tensor(np.ones(5)), tol=1e-12), B)
        np.testing.assert_allclose(matrix @ x, B, rtol=1e-8)
    column, _ = both(lambda a, b: solver(a, b, tol=1e-12), matrix, B[:, None])
    assert column.shape == (5, 1)
    back = np.linalg.solve(matrix.T, np.ones(5))
    by_a, by_b = both(lambda a, b: grad(lambda a, b: solver(a, b, tol=1e-10)[0].sum(), (0, 1))(a, b), matrix, B)
    np.testing.assert_allclose(by_b, back, rtol=1e-6)
    np.testing.assert_allclose(by_a, -np.outer(back, np.linalg.solve(matrix, B)), rtol=1e-6)


def _rosenbrock(x: Any) -> Any:
    return jnp.sum(100.0 * jnp.diff(x) ** 2 + (1.0 - x[:-1]) ** 2)


def _himmelblau(p: Any) -> Any:
    x, y = p
    return (x**2 + y - 11.0) ** 2 + (x + y**2 - 7.0) ** 2


def test_minimisation() -> None:
    for f, start, wanted in ((_rosenbrock, np.zeros(4), np.ones(4)), (_himmelblau, np.zeros(2), np.array([3.0, 2.0]))):
        for dtype, near in ((np.float64, 1e-6), (np.float32, 1e-3)):
            made = minimize(f, Tensor(start.astype(dtype)), method="BFGS", options={"maxiter": None, "gtol": 1e-6})
            np.testing.assert_allclose(made.x.asnumpy(), wanted, atol=near)
            assert made.x.asnumpy().dtype == dtype
        assert bool(made.fun < 1e-5)
    compiled = jit(lambda x: minimize(_himmelblau, x, method="BFGS").x)(Tensor(np.zeros(2)))
    np.testing.assert_allclose(compiled.asnumpy(), [3.0, 2.0], atol=1e-5)
    shifted = minimize(lambda x, c: ((x - c) ** 2).sum(), Tensor(np.zeros(2)), (Tensor([1.0, 2.0]),), "bfgs")
    np.testing.assert_allclose(shifted.x.asnumpy(), [1.0, 2.0], atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_line_search(seed: int) -> None:
    """The step fulfils Wolfe's conditions; where there is none, it says so."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=5)
    slope = 4 * x**3 + np.cos(x)
    direction = -slope * rng.random(5)

    def f(v: Any) -> Any:
        return (v**4 + jnp.sin(v)).sum()

    for search in (line_search, jit(lambda a, b: line_search(f, a, b))):
        made = (
            search(f, Tensor(x), Tensor(direction)) if search is line_search else search(Tensor(x), Tensor(direction))
        )
        step = float(made.a_k)
        assert not bool(made.failed)
        assert float(made.f_k) <= float(f(Tensor(x))) + 1e-4 * step * (slope @ direction)
        assert abs(made.g_k.asnumpy() @ direction) <= 0.9 * abs(slope @ direction)
    assert bool(line_search(f, Tensor(x), Tensor(slope), maxiter=3).failed)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: linalg.eigh(Tensor(A), lower=5.0), TypeError),
        (lambda: linalg.eigh(Tensor(A), Tensor(A)), ValueError),
        (lambda: linalg.eigh(Tensor(C)), ValueError),
        (lambda: linalg.inv(Tensor(A.astype(np.float16))), TypeError),
        (lambda: linalg.inv(Tensor(B)), ValueError),
        (lambda: linalg.solve_triangular(Tensor(A), Tensor(B[:3])), ValueError),
        (lambda: linalg.solve_triangular(Tensor(A), Tensor(B), trans="X"), ValueError),
        (lambda: linalg.solve_triangular(Tensor(A), Tensor(B.astype(np.float32))), TypeError),
        (lambda: iterative.cg(Tensor(C), Tensor(B)), ValueError),
        (lambda: iterative.cg(Tensor(A), [1.0]), TypeError),
        (lambda: iterative.gmres(Tensor(A), Tensor(B), restart=2.0), TypeError),
        (lambda: minimize(_rosenbrock, Tensor(B)), ValueError),
        (lambda: minimize(_rosenbrock, Tensor(B), method="LAGRANGE"), NotImplementedError),
    ],
)
def test_what_is_refused(make: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()
    assert jitcore.scipy.linalg is linalg
