"""Gradients through `try`: the path taken, and what the body had done before it raised.

Compiled, reverse and forward mode agree with the tape line by line and with differences; so do gradients of gradients and rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from try_gradient_programs import CASES

from jitcore import Tensor, grad, jit, jvp, value_and_grad, vmap
from jitcore.source import CompileError

POINTS = [pytest.param(f, x, id=f"{f.__name__}-{x}") for f, points in CASES for x in points]


pytestmark = pytest.mark.usefixtures("strict")


def slope(function: Callable[[float], float], x: float) -> float:
    """A central difference, extrapolated."""

    def rough(h: float) -> float:
        return (float(function(x + h)) - float(function(x - h))) / (2 * h)

    return (4 * rough(1e-4) - rough(2e-4)) / 3


@pytest.mark.parametrize(("function", "x"), POINTS)
def test_reverse_mode(function: Callable[[float], float], x: float) -> None:
    value, found = jit(value_and_grad(function))(x)
    np.testing.assert_allclose(float(value), function(x), rtol=1e-14)
    np.testing.assert_allclose(float(found), slope(function, x), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(("function", "x"), POINTS)
def test_forward_mode(function: Callable[[float], float], x: float) -> None:
    value, found = jit(lambda v: jvp(function, (v,), (1.0,)))(x)
    np.testing.assert_allclose(float(value), function(x), rtol=1e-14)
    np.testing.assert_allclose(float(found), slope(function, x), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(("function", "x"), POINTS)
def test_second_derivatives(function: Callable[[float], float], x: float) -> None:
    found = jit(grad(grad(function)))(x)
    np.testing.assert_allclose(float(found), slope(jit(grad(function)), x), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(("function", "points"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_one_program_for_all_paths(function: Callable[[float], float], points: tuple[float, ...]) -> None:
    """One specialisation takes each path in turn, and leaves nothing behind."""
    compiled = jit(grad(function))
    wanted = [jit(grad(function))(x) for x in points]
    for _ in range(3):
        assert [compiled(x) for x in points] == wanted


def fill(a: Any, x: float, n: int) -> float:
    a[n] = a[n] * x
    return math.sqrt(x - 1) if n == 0 else fill(a, x, n - 1)


def filled(x: float) -> Any:
    a = np.ones(4) * x
    try:
        fill(a, x, 3)
    except ValueError:
        a[0] = x * 5
    return a.sum()


def test_what_a_recursive_function_wrote_before_it_raised_is_refused() -> None:
    with pytest.raises(CompileError, match="recursive function has written to places and raised") as caught:
        jit(grad(filled))(0.5)
    assert f"line {filled.__code__.co_firstlineno + 3}," in str(caught.value)


def rows(x: Tensor) -> Tensor:
    try:
        if x.sum() < 0:
            raise ValueError
        y = x * 3
    except ValueError:
        y = x * x
    return y.sum()


def test_rows() -> None:
    x = Tensor(np.array([[1.0, 2.0], [-1.0, -2.0]]))
    assert jit(vmap(rows))(x).asnumpy().tolist() == [9.0, 5.0]
    assert jit(vmap(grad(rows)))(x).asnumpy().tolist() == [[3.0, 3.0], [-2.0, -4.0]]
