"""What a loop costs does not depend on its trip count where it should not, and grows no faster than it where it must."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import math
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jitcore import grad, jit
from jitcore.backends.interpreter.anf import interpret


def few(x: float) -> float:
    total = 0.0
    for i in range(10):
        if i % 3 == 1:
            continue
        total = total * 0.5 + math.sin(x) * i
    return total


def many(x: float) -> float:
    total = 0.0
    for i in range(1000000):
        if i % 3 == 1:
            continue
        total = total * 0.5 + math.sin(x) * i
    return total


def few_arrays(x: np.ndarray) -> Any:
    y = np.zeros_like(x)
    for i in range(10):
        y[i % 3] += x[i % 2] * x.sum()
    return y * 2.0


def many_arrays(x: np.ndarray) -> Any:
    y = np.zeros_like(x)
    for i in range(1000000):
        y[i % 3] += x[i % 2] * x.sum()
    return y * 2.0


def optimised(function: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The optimised IR of a call, without where things stand and what the trip count and the function are called."""
    compiled = jit(function)
    compiled(*args)
    text = compiled.specialisations[0].compilation.text("opt")
    text = re.sub(r"#.*", "", text).replace("many", "few")
    return text.replace("1000000", "10")


@pytest.mark.parametrize(
    ("one", "other", "args"),
    [(few, many, (0.3,)), (few_arrays, many_arrays, (np.arange(4.0),))],
    ids=["scalars", "arrays"],
)
@pytest.mark.parametrize("differentiated", [False, True])
def test_the_ir_is_the_same_for_10_and_a_million_rounds(
    one: Callable[..., Any], other: Callable[..., Any], args: tuple[Any, ...], differentiated: bool
) -> None:
    if differentiated:
        first, second = one, other
        one, other = lambda x: grad(_summed(first))(x), lambda x: grad(_summed(second))(x)
    assert optimised(one, args) == optimised(other, args)


def _summed(function: Callable[..., Any]) -> Callable[..., Any]:
    def total(x: Any) -> Any:
        made = function(x)
        return made if isinstance(made, float) else made.sum()

    return total


def elementwise(x: np.ndarray) -> Any:
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = math.sin(x[i]) * x[i]
    return y.sum()


def work(function: Callable[..., Any], x: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How many operations the typed program of a call evaluates, and how many elements they give."""
    compiled = jit(function)
    compiled(x)
    module = compiled.specialisations[0].compilation.inferred.module
    operations, elements = 0, 0
    evaluate = interpret._primitive

    def counted(frame: Any, primitive: Any, binding: Any) -> Any:
        nonlocal operations, elements
        results = evaluate(frame, primitive, binding)
        operations += 1
        elements += sum(np.size(r) for r in results if isinstance(r, np.ndarray | np.generic | float | int))
        return results

    with monkeypatch.context() as patched:
        patched.setattr(interpret, "_primitive", counted)
        interpret.run(module, (x,))
    return operations, elements


def test_the_gradient_of_an_elementwise_loop_takes_linear_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def gradient(x: np.ndarray) -> Any:
        return grad(elementwise)(x)

    x = np.linspace(0.0, 1.0, 60)
    assert np.allclose(gradient(x), np.cos(x) * x + np.sin(x))
    counts = [work(gradient, np.linspace(0.0, 1.0, n), monkeypatch) for n in (20, 40, 80)]
    for first, second, third in zip(*counts, strict=True):
        assert third - second == 2 * (second - first), "the work is not linear in the number of rounds"


def test_the_gradient_of_an_elementwise_loop_takes_linear_memory(tmp_path: Path) -> None:
    program = """
        import math, resource
        import numpy as np
        from jitcore import grad, jit

        @jit
        def gradient(x):
            def f(x):
                y = np.zeros_like(x)
                for i in range(len(x)):
                    y[i] = math.sin(x[i]) * x[i]
                return y.sum()
            return grad(f)(x)

        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

        gradient(np.ones(3)), gradient(np.ones(4))
        n = 1 << 18
        before = peak()
        found = gradient(np.linspace(0.0, 1.0, n))
        first = peak() - before
        gradient(np.linspace(0.0, 1.0, 4 * n))
        second = peak() - before
        print(first // n, second // (4 * n))
    """
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    command = [sys.executable, "-W", "error", str(script)]
    ended = subprocess.run(command, capture_output=True, timeout=1200, check=True, text=True)
    bytes_a_round = [int(word) for word in ended.stdout.split()]
    assert all(n < 400 for n in bytes_a_round), bytes_a_round
