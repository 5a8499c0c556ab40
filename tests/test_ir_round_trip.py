"""The text of what the frontend builds from real functions reads back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import frontend_programs
import numpy as np
import pytest
import test_chosen_place_gradients
import test_control_flow_gradients

from jitcore import grad, jit
from jitcore.frontend import source_of
from jitcore.ir.round_trip import check_round_trip
from jitcore.ir.verify import verify
from jitcore.passes import registry
from jitcore.runtime.records import keep_records
from jitcore.testing.run_text import run_text

FUNCTIONS = {function.__qualname__: function for function, _ in frontend_programs.PROGRAMS}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_untyped_graphs_read_back(function: Callable[..., Any]) -> None:
    graph = source_of(function).graph
    verify(graph)
    check_round_trip(graph)


def newton(a: float) -> float:
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = (x + a / x) / 2
    return x


def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


def scale(x: Any, k: int) -> Any:
    total = x * 0
    for i in range(k):
        total = total + x * i
    return total.sum() + total[0]


@pytest.mark.parametrize("stage", ["typed", "opt"])
@pytest.mark.parametrize(
    ("function", "args"), [(newton, (2.0,)), (collatz, (27,)), (factorial, (10,)), (scale, (np.arange(4.0), 5))]
)
def test_the_text_of_compiled_functions_runs_as_python(stage: str, function: Callable[..., Any], args: Any) -> None:
    with keep_records() as records:
        compiled = jit(function)(*args)
    text = records[0].texts[stage]()
    assert run_text(text, args) == compiled == function(*args)


def _gradients() -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    scalars = [(f, (x, *rest)) for f, rest, x in test_control_flow_gradients.CASES]
    return [*scalars, *((f, (np.arange(1.0, 4.0), n[-1])) for f, n in test_chosen_place_gradients.PROGRAMS)]


@pytest.mark.parametrize(("function", "args"), _gradients(), ids=lambda p: getattr(p, "__name__", ""))
def test_what_every_pass_gives_reads_back(
    function: Callable[..., Any], args: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def check(module: Any, *, after: str) -> None:
        verify(module, after=after)
        check_round_trip(module)
        seen.append(after)

    monkeypatch.setattr(registry, "verify", check)
    jit(grad(function))(*args)
    assert seen
