"""Lists whose length is known only at run time: compiled, programs with them do what plain Python does.

Equal means: values bit for bit, Python types, exceptions with their messages and the line of the program they come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from growing_list_programs import CASES
from list_outcomes import outcome

from jitcore import Tensor, grad, jit
from jitcore.backends.interpreter import anf
from jitcore.runtime import compile as compile_
from jitcore.source import CompileError

IDS = [function.__name__ for function, _ in CASES]


pytestmark = pytest.mark.usefixtures("strict")


@pytest.mark.parametrize(("function", "calls"), CASES, ids=IDS)
def test_compiled_as_plain(function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> None:
    compiled = jit(function)
    for args in calls:
        wanted = outcome(function, function.__code__, args)
        for _ in range(2):
            assert outcome(compiled, function.__code__, args) == wanted, args


# --- gradients --------------------------------------------------------------------------------------


def squares(x: float, n: int) -> float:
    xs: list[float] = []
    for i in range(n):
        xs.append(x * i * x)
    total = 0.0
    for v in xs:
        total += v * v
    return total


def recurrence(x: float, n: int) -> float:
    xs = [x]
    for _ in range(n):
        xs.append(xs[-1] * x + 0.1)
    return xs[-1] * xs[n // 2]


def growing_and_shrinking(x: float, n: int) -> float:
    xs = [x]
    for i in range(n):
        if i % 3 == 1:
            xs.append(xs[-1] * x)
        elif len(xs) > 3:
            xs.pop()
    total = 0.0
    for v in xs:
        total += v * v
    return total


def by_index(x: float, n: int) -> float:
    xs = [0.0] * n
    for i in range(n):
        xs[i] = x * i
    for i in range(n):
        xs[i] = xs[i] * xs[n - 1 - i]
    total = 0.0
    for v in xs:
        total += v
    return total


def comprehensions(x: float, n: int) -> float:
    total = 0.0
    for k in range(3):
        xs = [v * x for v in range(n)]
        ys: list[float] = []
        for i in range(n):
            if xs[i] > 1.0:
                ys.append(xs[i] * xs[i] * k)
            else:
                ys.append(xs[i])
        total += sum(ys)
    return total


def nested_loops(x: float, n: int) -> float:
    xs: list[float] = []
    for i in range(n):
        for k in range(i):
            xs.append(x**k)
    total = 0.0
    for i in range(len(xs)):
        total += xs[i] * i
    return total


def pairs(x: float, n: int) -> float:
    xs = [(x, x * x)]
    for i in range(n):
        u, v = xs[i // 2]
        xs.append((u * v, u + v * 0.5))
    u, v = xs[-1]
    return u * v + xs[0][1]


def sum_of_a_comprehension(x: float, n: int) -> float:
    return sum([x * x * i for i in range(n)])


def extremes(x: float, n: int) -> float:
    return max([x * i * (5 - i) for i in range(n + 1)]) * min(x * i for i in range(1, n + 2))


def sorted_values(x: float, n: int) -> float:
    xs = sorted([x * (i * 7 % 5) for i in range(n + 2)], key=lambda v: -v)
    return xs[1] * xs[-2] + xs[0]


def taken_from_the_front(x: float, n: int) -> float:
    xs = [x * i for i in range(n + 1)]
    total = 0.0
    while len(xs) > 1:
        total += xs.pop(0) * xs[0]
        if len(xs) == 3:
            xs.insert(1, total)
            xs.pop()
    return total


@pytest.mark.parametrize("n", [0, 1, 5, 40])
@pytest.mark.parametrize(
    "function",
    [
        squares,
        recurrence,
        growing_and_shrinking,
        by_index,
        comprehensions,
        nested_loops,
        pairs,
        sum_of_a_comprehension,
        extremes,
        sorted_values,
        taken_from_the_front,
    ],
)
def test_gradient(function: Callable[[float, int], float], n: int) -> None:
    compiled = jit(lambda x, k: grad(function)(x, k))
    x, step = 0.7, 1e-6
    wanted = (function(x + step, n) - function(x - step, n)) / (2 * step)
    np.testing.assert_allclose(float(compiled(x, n)), wanted, rtol=1e-5, atol=1e-7)


def test_gradient_of_arrays_kept_in_a_list() -> None:
    def f(x: Any, n: int) -> Any:
        xs = [x * 1.0]
        for i in range(n):
            xs.append(xs[i // 2] * xs[-1] + x)
        return (xs[-1] * xs[1]).sum()

    x = np.array([0.3, -0.5, 0.8])
    got = jit(lambda a, n: grad(f)(a, n))(Tensor(x), 5).asnumpy()
    step = 1e-6
    wanted = [(f(x + step * e, 5) - f(x - step * e, 5)) / (2 * step) for e in np.eye(3)]
    np.testing.assert_allclose(got, wanted, rtol=1e-6)


def test_gradient_of_an_array_that_grows_in_a_loop() -> None:
    def f(x: Any, n: int) -> Any:
        ys = x * 1.0
        for _ in range(n):
            ys = np.concatenate((ys, ys[:1] * ys[:1]))
        return (ys * ys).sum()

    x = np.array([0.5, 0.25])
    got = np.asarray(jit(lambda a, n: grad(f)(a, n))(x, 3))
    np.testing.assert_allclose(got, [2.5, 0.5])


# --- cost -------------------------------------------------------------------------------------------


def test_a_million_items() -> None:
    def f(n: int) -> float:
        xs: list[float] = []
        for i in range(n):
            xs.append(i * 0.5)
        while len(xs) > n // 2:
            xs.pop()
        total = 0.0
        for x in xs:
            total += x
        return total

    assert jit(f)(1_000_000) == f(1_000_000)


# --- what is refused --------------------------------------------------------------------------------


def array_changed_in_a_list(n: int) -> Any:
    xs: list[Any] = []
    for i in range(n):
        xs.append(np.zeros(2) + i)
    xs[0][1] = 7.0
    return xs


@pytest.mark.parametrize(
    "function",
    [
        array_changed_in_a_list,
    ],
)
def test_what_would_not_be_exact_is_refused(function: Callable[[int], Any]) -> None:
    with pytest.raises(CompileError):
        jit(function)(40)


def test_arguments_in_a_returned_list_are_refused() -> None:
    def f(x: Any, n: int) -> Any:
        xs: list[Any] = []
        for _ in range(n):
            xs.append(x)
        return xs

    with pytest.raises(CompileError, match="holds arguments"):
        jit(f)(np.zeros(2), 3)


# --- the interpreter backend ------------------------------------------------------------------------


@pytest.mark.parametrize("function", [growing_and_shrinking, nested_loops, pairs, sum_of_a_comprehension])
def test_interpreter_gives_the_same_gradient(
    function: Callable[[float, int], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[Any] = []
    plan = compile_.plan

    def noting(module: Any, *rest: Any) -> Any:
        planned.append(module)
        return plan(module, *rest)

    monkeypatch.setattr(compile_, "plan", noting)
    got = jit(lambda x, n: grad(function)(x, n))(0.7, 20)
    (wanted,) = anf.run(planned[-1], [0.7, 20])
    assert float(got) == float(wanted)
