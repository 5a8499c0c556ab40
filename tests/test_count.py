"""`while` loops that count: their rounds are known before, and they do what they did, at the edges of 64 bits too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import grad, jit
from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import FOR, WHILE
from jitcore.passes.count import Count
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.registry import run_passes


def below(a: int, b: int) -> Any:
    rounds = 0
    while a < b:
        a += 3
        rounds += 1
    return a, rounds


def up_to(a: int, b: int) -> Any:
    rounds = 0
    while b >= a:
        rounds += 1
        a = 7 + a
        if rounds > 20:
            a = a + 1
    return a, rounds


def above(a: int, b: int) -> Any:
    rounds = 0
    while a > b - 1:
        a = a - 2
        rounds += 1
    return a, rounds


def down_to(a: int, b: int) -> Any:
    s = 0
    while b <= a:
        s += a & 15
        a -= 1 << 40
    return a, s


EDGES = [0, 1, -1, 5, 30, -40, 1 << 41]
LIMITS = [(1 << 63) - 1, -(1 << 63)]


def near(a: int, b: int) -> bool:
    return abs(a - b) < 100


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("function", [below, up_to, above, down_to])
def test_as_plain(function: Callable[..., Any]) -> None:
    compiled = jit(function)
    pairs = [(a, b) for a in EDGES for b in EDGES if function is down_to or near(a, b) or a > b]
    pairs = [(a, b) for a, b in pairs if function is not above or abs(a - b) < 1000]
    pairs += [(limit + k, limit + m) for limit in LIMITS for k in range(-9, 10) for m in range(-9, 10)]
    for a, b in pairs:
        if not all(-(1 << 63) <= x < 1 << 63 for x in (a, b)):
            continue
        want = function(a, b)
        try:
            assert compiled(a, b) == want
        except OverflowError:
            assert a not in EDGES


@pytest.mark.usefixtures("strict")
def test_far_apart() -> None:
    def steps(a: int, b: int, n: int) -> int:
        rounds = 0
        while a < b:
            a += n
            rounds += 1
            if rounds == 10:
                raise IndexError(rounds)
        return rounds

    with pytest.raises(IndexError, match="10"):
        jit(steps)(-(1 << 63), (1 << 63) - 1, 1)

    def overflows(a: int, b: int) -> int:
        while a <= b:
            a += 1 << 62
        return a

    with pytest.raises(OverflowError):
        jit(overflows)(-(1 << 63), (1 << 63) - 1)

    def away(a: int, b: int) -> int:
        while a < b:
            a -= 1 << 61
        return a

    with pytest.raises(OverflowError):
        jit(away)(0, 1)
    assert jit(away)(1, 0) == 1


def test_the_bound_is_asked_once_where_it_stays() -> None:
    def shifted(x: Any, n: int) -> Any:
        i = 0
        while i < len(x) - n:
            x[i] = x[i + n]
            i += 1
        return i

    x, y = np.arange(9.0), np.arange(9.0)
    assert jit(shifted)(x, 2) == shifted(y, 2)
    assert x.tolist() == y.tolist()
    with pytest.raises(OverflowError):
        jit(shifted)(x, -(1 << 63))


def counted(function: Callable[..., Any], *args: Any) -> list[Any]:
    compiled = jit(function)
    compiled(*args)
    module = run_passes(compiled.specialisations[0].compilation.inferred.module, (*OPTIMISATIONS, Count()))
    return [b.op for b in all_bindings(module.main) if b.op in (FOR, WHILE)]


def test_what_counts() -> None:
    def shrinking(a: int, b: int) -> int:
        while a < b:
            a += 1
            b -= 1
        return a

    def leaving(a: int, b: int) -> int:
        while a < b:
            if a * a > 50:
                break
            a += 1
        return a

    def by_variable(a: int, b: int) -> int:
        while a < b:
            a += b
        return a

    assert counted(below, 1, 50) == [FOR]
    assert counted(up_to, 1, 50) == [WHILE]  # what is added is not the same on both paths
    for function in (shrinking, leaving, by_variable):
        assert counted(function, 1, 50) == [WHILE]
        for pair in ((1, 50), (3, 2), (1, 8)):
            assert jit(function)(*pair) == function(*pair)


def test_gradients() -> None:
    def loss(x: Any) -> Any:
        s, i = 0.0, 0
        while i < 5:
            s = s + x[i] * x[i] * i
            i += 1
        return s

    x = np.linspace(0.5, 2.0, 7)
    np.testing.assert_allclose(jit(lambda v: grad(loss)(v))(x), [*(2 * x[:5] * np.arange(5)), 0, 0])
