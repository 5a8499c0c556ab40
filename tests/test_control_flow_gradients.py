"""Gradients through native control flow: ten programs whose loops, breaks and recursion depend on data.

Each is compared with central differences of the plain Python function at two step sizes; where those agree, the gradient
must agree with them to 1e-6 (relative to the larger of 1 and its size).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import grad, jit


def newton(x: float) -> float:
    """The square root by Newton's method, until it converges."""
    guess = x
    while abs(guess * guess - x) > 1e-12 * x:
        guess = 0.5 * (guess + x / guess)
    return guess


def power_iteration(a: float) -> float:
    """The largest eigenvalue of [[2, a], [a, 3]], until it converges."""
    u, v = 1.0, 1.0
    last, value = 0.0, 1.0
    while abs(value - last) > 1e-13:
        p, q = 2.0 * u + a * v, a * u + 3.0 * v
        norm = math.sqrt(p * p + q * q)
        last, value = value, norm
        u, v = p / norm, q / norm
    return value


def logistic_map(r: float) -> float:
    """Steps of the logistic map until it passes a threshold that depends on r."""
    x, steps = 0.2, 0
    while x < 0.6 + 0.01 * r and steps < 50:
        x = r * x * (1.0 - x)
        steps += 1
    return x * steps


def nested_break(x: float) -> float:
    """Nested loops with break and continue."""
    total = 0.0
    for i in range(8):
        row = 1.0
        for j in range(10):
            if j == 3:
                continue
            row = row * x / (1.0 + j)
            if row < 0.05 * (i + 1):
                break
            total += row
        if total > 20.0:
            break
    return total


def factorial_like(x: float, n: int) -> float:
    """x (x + 1) … (x + n - 1), recursively."""
    if n <= 1:
        return x
    return factorial_like(x, n - 1) * (x + (n - 1))


def fibonacci_like(x: float, n: int) -> float:
    """A recursion that calls itself twice."""
    if n < 2:
        return x * (n + 1)
    return fibonacci_like(x, n - 1) + 0.5 * math.sin(fibonacci_like(x, n - 2))


def rnn(w: float) -> float:
    """A scalar recurrent network over a loop."""
    h = 0.0
    for k in range(64):
        h = math.tanh(w * h + 0.1 * k)
    return h * h


def early_return(x: float) -> float:
    """A loop left by return."""
    y = x
    for k in range(100):
        if y > 50.0:
            return y / (k + 1.0)
        y = y * y * 0.3 + x
    return y


def bisection(c: float) -> float:
    """A product of the interval's ends while a root of t³ = c is bracketed (differentiable through the ends)."""
    low, high = 0.0, c + 1.0
    weight = 1.0
    for _ in range(12):
        middle = 0.5 * (low + high)
        if middle * middle * middle < c:
            low = middle
        else:
            high = middle
        weight = weight * 0.9 + 0.1 * high
    return weight


def while_else(x: float) -> float:
    """A while with else, a conditional expression and boolean operators."""
    k, s = 0, 1.0
    while k < 20:
        s = s * x if s < 3.0 or k == 2 else s - 0.5 * x
        if s > 9.0 and x > 1.0:
            break
        k += 1
    else:
        s = s + x * x
    return s


def one_of_two_types(x: float) -> float:
    """A float on one path, a NumPy scalar on the other."""
    y = x * 2 if x > 1 else np.sin(x)
    return y * y


def result_of_two_types(x: float) -> float:
    """Such a value is the result, of a recursion of calls."""

    def step(y: float) -> float:
        return np.float64(y) * x if y > 2 else y * 2 + x

    return step(step(x)) * step(x + 1)


def carry_of_two_types(x: float) -> float:
    """Such a value is carried by a loop."""
    y = x
    for k in range(5):
        y = np.sqrt(y) * x if y > 3 else float(y * x + k)
    return y * y


def with_arguments(function: Callable[..., float], *rest: int) -> Callable[[float], float]:
    return lambda x: function(x, *rest)


CASES = [
    (newton, (), 2.0),
    (power_iteration, (), 0.7),
    (logistic_map, (), 3.1),
    (nested_break, (), 1.7),
    (factorial_like, (6,), 1.3),
    (fibonacci_like, (9,), 0.4),
    (rnn, (), 0.8),
    (early_return, (), 1.9),
    (bisection, (), 2.345),
    (while_else, (), 1.4),
    (one_of_two_types, (), 0.7),
    (one_of_two_types, (), 1.7),
    (result_of_two_types, (), 1.4),
    (result_of_two_types, (), 0.4),
    (carry_of_two_types, (), 0.7),
    (carry_of_two_types, (), 2.7),
]
IDS = [f"{f.__name__}-{x}" for f, _, x in CASES]


def central(function: Callable[[float], float], x: float, h: float) -> float:
    return (function(x + h) - function(x - h)) / (2 * h)


def expected(function: Callable[[float], float], x: float, steps: tuple[float, float] = (1e-5, 3e-6)) -> float:
    """The derivative by differences; the two step sizes must agree, or the case tests nothing."""
    coarse, fine = (central(function, x, h * max(1.0, abs(x))) for h in steps)
    assert abs(coarse - fine) <= 1e-6 * max(1.0, abs(fine)), "the case is not smooth here"
    return fine


@pytest.mark.parametrize(("function", "rest", "x"), CASES, ids=IDS)
def test_gradient_of_python_floats(function: Callable[..., float], rest: tuple[int, ...], x: float) -> None:
    value = jit(function)(x, *rest)
    assert value == function(x, *rest)
    found = jit(grad(function))(x, *rest)
    want = expected(with_arguments(function, *rest), x)
    assert found == pytest.approx(want, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    "name", ["newton-2.0", "factorial_like-1.3", "rnn-0.8", "while_else-1.4", "carry_of_two_types-2.7"]
)
def test_gradient_of_gradient(name: str) -> None:
    function, rest, x = CASES[IDS.index(name)]
    first = jit(grad(function))
    second = jit(grad(grad(function)))(x, *rest)
    want = expected(with_arguments(first, *rest), x, (1e-4, 5e-5))
    assert second == pytest.approx(want, rel=1e-6, abs=1e-6)


def scaled_items(x: np.ndarray, k: float) -> np.ndarray:
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = math.sin(k) * x[i] * x[i]
    return y.sum()


def test_gradient_of_item_writes() -> None:
    x = np.linspace(-1.0, 2.0, 7)
    found = jit(grad(scaled_items))(x, 0.5)
    np.testing.assert_allclose(np.asarray(found), 2 * math.sin(0.5) * x, rtol=1e-12)


def tensor_rnn(w: jitcore.Tensor, x: jitcore.Tensor) -> jitcore.Tensor:
    h = jitcore.ops.zeros((4,), jitcore.float64)
    for k in range(x.shape[0]):
        h = jitcore.ops.tanh(jitcore.ops.matmul(w, h) + x[k])
    return h.sum()


def test_gradient_of_an_rnn_over_rows() -> None:
    rng = np.random.default_rng(0)
    w, x = rng.normal(size=(4, 4)) * 0.5, rng.normal(size=(6, 4))

    def plain(weights: np.ndarray, rows: np.ndarray) -> float:
        h = np.zeros(4)
        for row in rows:
            h = np.tanh(weights @ h + row)
        return float(h.sum())

    by_w, by_x = (g.asnumpy() for g in jit(grad(tensor_rnn, (0, 1)))(jitcore.Tensor(w), jitcore.Tensor(x)))
    for array, found, call in ((w, by_w, lambda a: plain(a, x)), (x, by_x, lambda a: plain(w, a))):
        for index in np.ndindex(array.shape):
            step = np.zeros_like(array)
            step[index] = 1e-6
            want = (call(array + step) - call(array - step)) / 2e-6
            assert found[index] == pytest.approx(want, rel=1e-6, abs=1e-6)


def of_two_types(y: Any, n: int) -> Any:
    if n == 0:
        return y
    return np.sin(of_two_types(y * 1.5, n - 1)) if n % 2 else of_two_types(y, n - 1) * y


def test_gradient_of_a_recursion_that_gives_values_of_two_types() -> None:
    def function(x: float) -> float:
        return of_two_types(x, 5) * x + of_two_types(np.float64(x), 4)

    assert jit(grad(function))(1.3) == pytest.approx(expected(function, 1.3), rel=1e-6)


@pytest.mark.parametrize("n", [2, 3])
def test_gradient_by_an_item_of_what_is_written_to_or_a_number(n: int) -> None:
    def function(x: Any, n: int) -> Any:
        s = np.sin(x)
        total = x[0] * 0.5
        for _ in range(n):
            total = total + (s[2] if n > 2 else -1.5) * x[1]
            s[0] = total
        return total + s[0] * x[2]

    x = np.array([0.3, -0.7, 1.1])
    compiled = jit(grad(function))
    found = np.asarray(compiled(jitcore.Tensor(x), n))
    wanted = [(function(x + e, n) - function(x - e, n)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-7)
