"""Programs and expressions written at random, a slice of them (`python tests/fuzz/run.py` runs as many as wanted), and what they
found once."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from fuzz.comparison import define, difference, forget
from fuzz.expressions import NAMESPACE
from fuzz.run import (
    Tally,
    run_expressions,
    run_gradients,
    run_long_ints,
    run_loops,
    run_odd_calls,
    run_places,
    run_programs,
    run_recursion,
)

from jitcore import grad, jit


def test_expressions() -> None:
    tally = Tally()
    run_expressions(7, 200, tally)
    assert tally.made == 200
    assert tally.fallbacks == 0
    assert not tally.differences, tally.differences[0]


def test_programs() -> None:
    tally = Tally()
    run_programs(7, 36, tally)
    assert tally.made >= 36
    assert not tally.differences, tally.differences[0]


def test_loops() -> None:
    tally = Tally()
    run_loops(7, 24, tally)
    assert tally.made == 24
    assert not tally.differences, tally.differences[0]


def test_recursion() -> None:
    tally = Tally()
    run_recursion(7, 8, tally)
    assert tally.made == 8
    assert not tally.differences, tally.differences[0]


def test_long_ints() -> None:
    tally = Tally()
    run_long_ints(7, 30, tally)
    assert tally.made == 30
    assert not tally.differences, tally.differences[0]


def test_odd_calls() -> None:
    tally = Tally()
    run_odd_calls(7, 400, tally)
    assert tally.made > 300
    assert not tally.differences, tally.differences[0]


FOUND: list[tuple[str, list[tuple[Any, ...]]]] = [
    # a list that is another one on one path, changed afterwards under both names
    ("def f(a, x):\n    p = [1.0, 2.0, x]\n    if a:\n        p = [4.0, x, 6.0]\n    p[0] = 9.0\n    return p[0] + p[1]\n", [(0, 1.5), (1, 1.5)]),
    ("def f(a, x):\n    p = [1.0, 2.0, x]\n    q = p if a else [4.0, x, 6.0]\n    q[0] = 9.0\n    return p[0] * 100 + q[0]\n", [(0, 1.5), (1, 1.5)]),
    ("def f(a, x):\n    p = [1.0, 2.0, x]\n    q = p if a else [4.0, x]\n    q.append(3.0)\n    return len(p) * 100 + len(q)\n", [(0, 1.5), (1, 1.5)]),
    # two names of a list that is made anew on each path, or in each round
    ("def f(c, x):\n    if c:\n        p = [1.0, 2.0]\n        q = p\n    else:\n        p = [3.0, x]\n        q = p\n    p[0] = 9.0\n    return q[0]\n", [(0, 1.5), (1, 1.5)]),
    ("def f(n, x):\n    p = [x, 2.0]\n    q = p\n    for i in range(n):\n        q[0] = 5.0\n        p = [p[1], p[0]]\n        q = p\n    return q[0] + p[1]\n", [(0, 1.5), (3, 1.5)]),
    # a list made on a path and read after two joins
    ("def f(a, b):\n    p = [a, b, 3]\n    if a:\n        pass\n    else:\n        p = p[1:] + p[:1]\n        if b:\n            p = p[1:] + p[:1]\n    return a in p, p[0]\n", [(0, 1), (1, 1), (0, 0)]),
    # a recursive function inside, made anew where what it captures is another value
    ("def f(a, b):\n    u = 0\n    for m in (1, 2, a):\n        def g(n, z=1.0):\n            if n > 0:\n                return z + m\n            return g(n + 1, z) + 1.0\n        u = g(min(a, b))\n    return u\n", [(0, 1), (3, 0)]),
    ("def f(n):\n    memo = [1.0, 2.0]\n    def r(n):\n        return memo[0] if n <= 0 else r(n - 1) + memo[1]\n    a = r(n)\n    memo[0] = 5.0\n    memo[1] = 7.0\n    return a, r(n)\n", [(3,), (0,)]),
    # an array written to on the one path, another result on the other
    ("def f(c, xs):\n    s = np.zeros(4)\n    s[0] = 2.0\n    if c:\n        return xs\n    return s, 1.0\n", [(0, np.ones(3)), (1, np.ones(3))]),
    # a computed extent that is 1 in a later call, and broadcasts
    ("def f(x, y):\n    return (x[1:] * y).sum()\n", [(np.arange(4.0), np.ones(3)), (np.arange(6.0), np.ones(5)), (np.arange(2.0), np.ones(7)), (np.arange(3.0), np.ones(4))]),
    # an int past 64 bits on a path not taken; a greatest common divisor of the lowest int
    ("def f(w, b):\n    if w == 0:\n        return b ** 2\n    if w == 1:\n        return math.trunc(math.hypot(-3.08, 1e22))\n", [(0, 3), (1, 3), (2, 3)]),
    ("def f(a, b):\n    return math.gcd(a, b)\n", [(-(1 << 63), 3), (-(1 << 63), -(1 << 63)), (12, -18)]),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize(("text", "calls"), FOUND, ids=range(len(FOUND)))
def test_found(text: str, calls: list[tuple[Any, ...]]) -> None:
    plain = define(text, "f", {**NAMESPACE, "np": np})
    compiled = jit(plain)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for args in calls:
                assert difference(text, "f", plain, compiled, args) is None
    finally:
        forget(plain)


def _captured_by_recursion(x: Any, n: int) -> Any:
    def g(z: Any, k: int) -> Any:
        if k <= 0:
            return z * x.sum()
        return g(z, k - 1)

    return g(x[0] * x[1], n)


def _one_of_two_places(x: Any, n: int) -> Any:
    s, t = x * 1.0, x * 2.0
    s[0] = 2.0
    t[1] = x[0]
    e = s if n > 1 else t[::-1]
    e[2] = x[0] * 3.0
    e[0] *= x[1]
    return s[1] * s[2] + t[1] * t[2] + s[0]


def _a_place_a_round(x: Any, n: int) -> Any:
    s = x * 1.0
    for i in range(n):
        e = s if x[i] > 1.5 else s[::-1]
        e[1] = e[0] * x[i]
    return s.sum()


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("function", [_captured_by_recursion, _one_of_two_places, _a_place_a_round])
def test_found_gradients(function: Any, n: int) -> None:
    x, h = np.array([1.0, 2.0, 3.0]), 1e-6
    slopes = [(function(x + h * e, n) - function(x - h * e, n)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(grad(function)(x, n), slopes, rtol=1e-6)


def test_gradients() -> None:
    tally = Tally()
    run_gradients(4, 3, tally)
    assert tally.calls == 3
    assert not tally.differences, tally.differences[0]


def test_places() -> None:
    tally = Tally()
    run_places(2, 12, tally)
    assert tally.calls > 8
    assert not tally.differences, tally.differences[0]
