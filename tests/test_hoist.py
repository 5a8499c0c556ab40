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
from jitcore.primitives.conversions import check_index


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
        x[i * i % 7] += y[i]
    return x


def inside(x: Any, y: Any, n: int) -> Any:
    for k in range(n):
        z = x[k:]
        z[0] = k
        y[k] += z.sum()
    return y


PROGRAMS = [stencil, backwards, strided, nested, computed, inside]


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
    assert _loops(hoisted.graphs[module.entry]) == [1, 2]  # the square's check stays


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
