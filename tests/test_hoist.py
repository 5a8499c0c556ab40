"""Checks of indices that leave loops: the same results and exceptions, and a loop without checks where all hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import grad, jit
from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import COND, FOR
from jitcore.ir.nodes import Graph
from jitcore.passes.hoist import Hoist
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.registry import run_passes
from jitcore.primitives.ops.conversions import check_index


def stencil(x: Any, y: Any, n: int) -> Any:
    for i in range(1, n - 1):
        y[i] = x[i - 1] + x[i + 1] - 2.0 * x[i]
    return y.sum()


def backwards(x: Any, y: Any, n: int) -> Any:
    s = 0.0
    for i in range(n):
        s += x[4 - i] * y[-i]
    return s


def strided(x: Any, y: Any, n: int) -> Any:
    for i in range(0, n, 3):
        y[2 * i - n] += x[i]
    return y


def nested(x: Any, y: Any, n: int) -> Any:
    s = 0.0
    for i in range(n):
        for j in range(i, n + 1):
            if j > 2:
                s += x[j] * y[i + j]
    return s


def computed(x: Any, y: Any, n: int) -> Any:
    for i in range(n):
        x[int(y[i])] += x[i]
    return x


def inside(x: Any, y: Any, n: int) -> Any:
    for k in range(n):
        z = x[k:]
        z[0] = k
        y[k] += z.sum()
    return y


def flat(x: Any, y: Any, n: int) -> Any:
    s = 0
    for i in range(3):
        for j in range(n // 3):
            s += int(x[i * (n // 3) + j]) * j - i
    return s


def compacted(x: Any, y: Any, n: int) -> Any:
    k = 0
    for i in range(n):
        if x[i] > 3.0:
            y[k] = x[i]
            k += 1
    return k


def at_borders(x: Any, y: Any, n: int) -> Any:
    for i in range(n):
        if i > 0 and i + 1 < n:
            y[i] = x[i - 1] + x[i + 1]
        else:
            y[i] = x[i]
    return y


def from_the_end(x: Any, y: Any, n: int) -> Any:
    for i in range(n):
        y[-1 - i] = x[min(i, 4)] + x[i % 5]
    return y


def of_negative_divisors(x: Any, y: Any, n: int) -> Any:
    for i in range(n):
        y[i] = x[i % -5 + 3] - x[i % -3 + 2]
    return y


def one_before_the_first(x: Any, y: Any, n: int) -> Any:
    for i in range(n):
        if i >= 2:
            y[i] = x[i - 3]
    return y


def one_before_the_last(x: Any, y: Any, n: int) -> Any:
    for i in range(min(n, 40)):  # only the first rounds can raise
        if i <= 2:
            y[i] = x[1 - i]
    return y


def one_past_the_last(x: Any, y: Any, n: int) -> Any:
    for i in range(min(n, 40)):
        if len(x) >= i:
            y[0] += x[i]
    return y


def listed(x: Any, y: Any, n: int) -> Any:
    values = [0] * len(y)
    for i in range(n):
        values[i] = 2 * i
        if values[i - 1] > 7:
            values[-i] += values[i - 1]
    return values


def folded(x: Any, y: Any, n: int) -> Any:
    for i in range(len(x) - 2):
        for j in range(max(n - 2, 0)):
            s = 0.0
            for p in range(3):
                for q in range(3):
                    s += x[i + p] * y[j + q]
            y[j] = s
    return y


PROGRAMS = [
    stencil, backwards, strided, nested, computed, inside, flat, compacted, at_borders, from_the_end, of_negative_divisors, one_before_the_first,
    one_before_the_last, one_past_the_last, listed, folded,
]  # fmt: skip


def outcome(function: Callable[..., Any], extent: int, n: int) -> Any:
    x, y = np.arange(extent) ** 2.0, np.ones(extent)
    try:
        result = function(x, y, n)
    except Exception as error:
        result = type(error), str(error)
    return repr(result), x.tolist(), y.tolist()


@pytest.mark.parametrize("n", [0, 1, 3, 5, 9, 10, 11, 12, 30, -4, 1 << 40, 1 << 62])
@pytest.mark.parametrize("function", PROGRAMS)
def test_as_plain(function: Callable[..., Any], n: int) -> None:
    compiled = jit(function)
    for extent in (10, 12, 7, 0):
        assert outcome(compiled, extent, n) == outcome(function, extent, n)


def sums(a: int, b: int, n: int) -> Any:
    s, t, most = a, 0, b
    for i in range(n):
        s += b * (i & 3) - i
        t -= 3 if i % 2 else b
        most = max(most, i * b)
    return s, t, most


def recurring(a: int, b: int, n: int) -> Any:
    for i in range(n):
        a, b = b, a + b - i
    return a, b


def growing(a: int, b: int, n: int) -> Any:
    s = 1
    for i in range(n):
        s = s * 3 + a
        b = a + i
    return s, b


def generated(a: int, b: int, n: int) -> Any:
    total = 0.0
    state = a
    for i in range(n):
        state = (state % 4294967296 * 1664525 + 1013904223) % 4294967296
        total += state / 4294967296 + (b & 255) / 7 + (i % 8 if state >= 0 else b)
        if state < -1:
            total = b
    return total, state


def near_what_floats_are_exact_for(a: int, b: int, n: int) -> Any:
    found = 0
    for i in range(n):
        for number in (a, b):
            found += number % 16 + (number & 9007199254740991 <= 9007199254740991)
            if number <= 9007199254740992:
                found += 1
            if number < -9007199254740992 or number > 9007199254740991:
                found += 2
            if number % 18014398509481984 > 9007199254740992:
                found += i
    return found


EDGES = [
    0,
    1,
    -3,
    1 << 31,
    -(1 << 52),
    1 << 53,
    (1 << 53) + 1,
    -(1 << 53) - 1,
    1 << 57,
    (1 << 61) + 1,
    (1 << 63) - 1,
    -(1 << 63),
]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("function", [sums, recurring, growing, generated, near_what_floats_are_exact_for])
def test_ints_near_64_bits(function: Callable[..., Any]) -> None:
    compiled = jit(function)
    raised = 0
    for n in (0, 1, 2, 5, 33, 90, 10_000):
        for a in EDGES:
            for b in EDGES:
                want = function(a, b, n)
                try:
                    assert compiled(a, b, n) == want
                except OverflowError:
                    raised += 1
                    assert n  # without rounds nothing is past 64 bits
    assert raised < 7 * len(EDGES) ** 2
    assert raised or function in (generated, near_what_floats_are_exact_for)


@pytest.mark.parametrize("by", [-1, 0, 1])
@pytest.mark.parametrize("large", [1 << 52, 1 << 60, -(1 << 60), (1 << 63) - 2])
def test_comparisons_of_ints_that_are_no_floats(large: int, by: int) -> None:
    def ordered(a: int, b: int, n: int) -> int:
        for _ in range(n):
            assert a < b
            if a + 1 > b:
                raise ValueError
        return n

    def result(function: Callable[..., Any]) -> Any:
        try:
            return function(large + by, large, 3)
        except AssertionError as error:
            return type(error)

    assert result(jit(ordered)) == result(ordered)


def test_an_overflow_comes_in_its_round() -> None:
    def summed(x: Any, a: int, n: int) -> int:
        s = 0
        for i in range(n):
            s += a
            x[i] = 1.0
        return s

    x = np.zeros(100)
    with pytest.raises(OverflowError):
        jit(summed)(x, 1 << 60, 100)
    assert x.sum() == 7  # 8 * 2**60 does not fit


def _loops(graph: Graph) -> list[int]:
    """How many checks of indices each innermost loop has."""
    loops = [b for b in all_bindings(graph) if b.op is FOR]
    inner = [b for b in loops if not any(n.op is FOR for n in all_bindings(b.graphs[0]))]
    return sorted(sum(n.op is check_index for n in all_bindings(b.graphs[0])) for b in inner)


def test_there_is_a_loop_without_checks() -> None:
    compiled = jit(stencil)
    compiled(np.ones(9), np.ones(9), 9)
    compiled(np.ones(8), np.ones(8), 8)
    (symbolic, exact) = compiled.specialisations
    for member in (symbolic, exact):
        module = run_passes(member.compilation.inferred.module, OPTIMISATIONS)
        before = _loops(module.graphs[module.entry])
        after = _loops(Hoist().run(module).graphs[module.entry])
        assert len(before) == 1
        assert before[0] > 0
        assert after == [0, before[0]]


def test_what_is_not_known_before_stays() -> None:
    compiled = jit(computed)
    compiled(np.ones(9), np.ones(9), 3)
    module = run_passes(compiled.specialisations[0].compilation.inferred.module, OPTIMISATIONS)
    hoisted = Hoist().run(module)
    assert any(b.op is COND for b in all_bindings(hoisted.graphs[module.entry]))
    assert _loops(hoisted.graphs[module.entry]) == [1, 2]  # that of what the array says stays


def test_gradients() -> None:
    def loss(x: Any) -> Any:
        s = 0.0
        for i in range(1, 6):
            s = s + x[i] * x[i - 1] * i
        return s

    x = np.linspace(0.5, 2.0, 7)
    slope = jit(lambda v: grad(loss)(v))(x)
    step = 1e-6
    for k in range(7):
        e = np.eye(7)[k] * step
        np.testing.assert_allclose(slope[k], (loss(x + e) - loss(x - e)) / (2 * step), atol=1e-7)


def test_a_branch_that_is_always_taken_is_no_branch() -> None:
    def fractions(n: int) -> float:
        total = 0.0
        for i in range(n):
            total += i % 1000 / 7
        return total

    compiled = jit(fractions)
    assert compiled(5000) == fractions(5000)
    (member,) = compiled.specialisations
    module = Hoist().run(run_passes(member.compilation.inferred.module, OPTIMISATIONS))
    branches = [b.op is COND for b in all_bindings(module.graphs[module.entry])]
    assert sum(branches) <= 2  # the two loops, and a division of numbers past 2**53 in the one with checks
