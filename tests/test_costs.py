"""What calls cost, worked out without running them: kernels, loops of numbers, what is not known; and by line."""

from __future__ import annotations

import copy
import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import programs.arrays_small
import programs.loops  # noqa: F401
import pytest
from numpy_backend import WordRun
from programs.corpus import CASES, Case

from jitcore import Tensor, grad, jit, nn
from jitcore.backends import lookup
from jitcore.kernel.build import ArrayLayout, KernelBuilder
from jitcore.kernel.cost import Cost, cost_of
from jitcore.program.cost import Count, count
from jitcore.runtime.explain.lines import LineInfo, lines, lines_of
from jitcore.runtime.notices import FallbackWarning
from jitcore.types import f32, f64


def counted(function: Callable[..., Any], *args: Any) -> Count:
    compiled = jit(function)
    compiled(*args)
    member = compiled.specialisations[0]
    return count(member.compilation.code.program, [w for p in member.inputs(args, {}) or () for w in p.words])


def by_line(found: list[LineInfo], function: Callable[..., Any]) -> dict[int, LineInfo]:
    """The lines of a function, counted from its first one."""
    return {info.line - function.__code__.co_firstlineno: info for info in found}


def test_a_stencil_reads_each_element_once() -> None:
    k = KernelBuilder("blur", {n: ArrayLayout.contiguous(f32, (size,)) for n, size in (("x", 1002), ("y", 1000))}, {})
    (i,) = k.axes((1000,))
    left, right = k.load("x", (i,)), k.load("x", (i + 2,))
    k.store("y", (i,), k("add", f32, left, right))
    kernel, _ = k.finish()
    assert cost_of(kernel, {}) == Cost(1000, 1002 * 4, 1000 * 4)


def test_what_a_matrix_product_costs() -> None:
    def f(a: Any, b: Any) -> Any:
        return a @ b

    total = counted(f, np.ones((20, 30)), np.ones((30, 40))).total
    assert total == Cost(2 * 20 * 30 * 40, (20 * 30 + 30 * 40) * 8, 20 * 40 * 8)


def test_extents_of_the_call_are_followed() -> None:
    @jit
    def f(x: Any) -> Any:
        return (x * 2.0 + 1.0).sum()

    for n in (3, 1000):
        f(np.ones(n))
    member = f.specialisations[0]
    program = member.compilation.code.program
    for n in (50, 2000):
        words = [w for p in member.inputs((np.ones(n),), {}) or () for w in p.words]
        (entry,) = count(program, words).kernels.values()
        assert entry.cost == Cost(3 * n, 8 * n, 8)
    (entry,) = count(program).kernels.values()
    assert entry.cost is None


def product(a: Any, b: Any) -> Any:
    n = a.shape[0]
    c = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            t = 0.0
            for k in range(n):
                t += a[i, k] * b[k, j]
            c[i, j] = t
    return c


def test_loops_of_numbers_are_counted_by_their_rounds() -> None:
    x = np.ones((50, 50))
    found = counted(product, x, x)
    assert found.total == Cost(2 * 50**3, 2 * 50**3 * 8, 50**2 * 8)
    assert not found.unknown
    assert (found.allocations, found.allocated) == (1, 50 * 50 * 8)


def test_a_long_loop_is_not_gone_through() -> None:
    def f(n: int) -> float:
        s = 0.0
        for i in range(n):
            s += i * 0.5
        return s

    assert counted(f, 10_000_000).total.flops == 20_000_000


def test_what_data_decides_is_said_to_be_unknown() -> None:
    def f(x: Any) -> float:
        s = 0.0
        for i in range(len(x)):
            if x[i] > 0.0:
                s += x[i] * 3.0
        while s > 1.0:
            s = s / 2.0
        return s

    found = counted(f, np.ones(100))
    first = f.__code__.co_firstlineno
    assert {s.line - first: why for s, why in found.unknown.items()} == {
        3: "which branch is taken",
        5: "how often a loop goes round",
    }
    assert found.total.flops == 100 * 2 + 1


def test_recursion_ends() -> None:
    def deep(n: int) -> int:
        return 0 if n < 1 else deep(n - 1) + 1

    assert "how deep a function calls itself" in counted(jit(deep), 200).unknown.values()


def mixed(x: Any, w: Any) -> Any:
    y = x @ w
    z = np.tanh(y) + 1.0
    s = z.sum()
    v = np.linalg.solve(w, y)
    return s + v[0, 0]


def test_lines() -> None:
    f = jit(mixed)
    f(np.ones((64, 64)), np.eye(64))
    found = by_line(lines(f.specialisations[0]), mixed)
    assert found[1].vectorised
    assert found[1].threaded
    assert found[1].flops == 2 * 64**3
    assert found[2].kernels == found[3].kernels
    assert found[2].flops + found[3].flops == 3 * 64 * 64
    assert not found[2].threaded
    assert (found[4].called_out, found[4].kernels) == (["solve"], [])
    assert all(info.file == __file__ and info.is_exact for info in found.values())


def test_what_a_line_checks_and_allocates() -> None:
    f = jit(product)
    for n in (5, 6):
        f(np.ones((n, n)), np.ones((n, n)))
    found = by_line(lines(f.specialisations[0]), product)
    assert found[2].allocations == 1
    assert any(check.startswith("IndexError: index {0}") for check in found[7].checks)
    assert not found[6].is_exact  # how often the loop goes round
    assert found[7].native
    assert not found[7].vectorised


def test_loops_that_may_be_on_vectors() -> None:
    def f(n: int, m: int) -> int:
        s = 0
        for i in range(n):
            s ^= i & m
        t = 0.5
        for i in range(n):
            t = t * 0.5 + i
        return s + int(t)

    compiled = jit(f)
    compiled(1000, 3)
    found = by_line(lines(compiled.specialisations[0]), f)
    assert found[3].vectorised is None
    assert found[6].vectorised is False


def test_lines_of_the_way_back() -> None:
    x = Tensor(np.ones((8, 16), np.float32))
    net = nn.Dense(16, 4)

    @jit
    def f(x: Tensor) -> Tensor:
        return grad(lambda y: (net(y) ** 2).sum())(x)

    f(x)
    plain = f.__wrapped__
    found = by_line(lines(f.specialisations[0]), plain)[2]
    products = [k for k in found.kernels if k.startswith("matmul")]
    assert len(products) == 2
    assert found.flops > 2 * (2 * 8 * 16 * 4)


def test_what_the_interpreter_runs() -> None:
    @jit
    def f(x: Any) -> Any:
        y = np.tanh(x * 2.0) + x
        z = os.getpid()
        return y + z

    with pytest.warns(FallbackWarning):
        f(np.ones(3))
    members = [m for s in f.regions.segments() for m in s.compiled.specialisations]
    found = by_line(lines_of(members, f.regions.all()), f.__wrapped__)
    assert "getpid" in found[3].interpreted
    assert not found[3].native
    assert found[2].native
    assert not found[2].interpreted


def test_how_kernels_run() -> None:
    @jit
    def f(x: Any) -> Any:
        return x + 1.0

    def form(*sizes: int) -> Any:
        for n in sizes:
            f(np.ones(n))
        program = f.specialisations[0].compilation.code.program
        (kernel,) = program.kernels
        return lookup("CPU").form(program, kernel)

    assert form(3).threads is False
    assert form(10**6).threads is None
    g = jit(lambda x: x + 1.0)
    g(np.ones(10**6))
    program = g.specialisations[0].compilation.code.program
    (kernel,) = program.kernels
    made = lookup("CPU").form(program, kernel)
    assert made.threads
    assert made.lanes * f64.itemsize >= 16


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.name.startswith(("loops.", "arrays_small."))][::6], ids=lambda c: c.name
)
def test_what_is_counted_is_what_happens(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    """The launches of a call, and not more allocations than it makes."""
    compiled = jit(case.function)
    for args in case.calls:
        compiled(*copy.deepcopy(args))
        served = compiled.serving(args, {})
        assert served is not None
        member, found = served
        words = [w for p in found[: len(member.compilation.inferred.inputs)] for w in p.words]
        program = member.compilation.code.program
        counted = count(program, words)
        run = WordRun(program)
        run.run(np.array(words, np.uint64))  # type: ignore[arg-type]
        launches = Counter[str]()
        for (kernel, _), entry in counted.kernels.items():
            launches[kernel] += entry.times
        if not counted.unknown:
            assert launches == Counter(run.counts.launches)
            assert counted.allocations <= run.counts.allocs
