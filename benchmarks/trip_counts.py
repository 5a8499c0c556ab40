"""The time to compile a loop whose trip count is a literal: 10 against 10⁶, of the function and of its gradient.

    python benchmarks/trip_counts.py

Prints the medians of 20 compilations each, taken in turns in one process, without the cache of objects on disk.
"""

from __future__ import annotations

import math
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["JITCORE_CACHE_DIR"] = "off"
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import jitcore
from jitcore.runtime import compile as driver

SAMPLES = 20


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


def few_gradient(x: float) -> Any:
    return jitcore.grad(few)(x)


def many_gradient(x: float) -> Any:
    return jitcore.grad(many)(x)


def compile_seconds(function: Callable[..., Any]) -> float:
    """What the compilation of a function takes in its first call, without running it."""
    taken: list[float] = []
    compile_call = driver.compile_call

    def timed(*args: Any, **keywords: Any) -> Any:
        start = time.perf_counter()
        made = compile_call(*args, **keywords)
        taken.append(time.perf_counter() - start)
        return made

    driver.compile_call = timed
    try:
        jitcore.jit(function)(0.3)
    finally:
        driver.compile_call = compile_call
    assert len(taken) == 1, f"{len(taken)} compilations"
    return taken[0]


def main() -> None:
    for name, pair in {"function": (few, many), "gradient": (few_gradient, many_gradient)}.items():
        compile_seconds(pair[0]), compile_seconds(pair[1])
        found: tuple[list[float], list[float]] = ([], [])
        for k in range(SAMPLES):
            for n in (0, 1) if k % 2 else (1, 0):
                found[n].append(compile_seconds(pair[n]))
        low, high = (statistics.median(times) * 1e3 for times in found)
        print(f"{name}: {low:.2f} ms for 10 rounds, {high:.2f} ms for 10⁶: ratio {high / low:.3f}")


if __name__ == "__main__":
    main()
