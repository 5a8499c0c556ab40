"""What checks cost: loops whose ints may pass 64 bits and whose indices may be out of bounds, beside Numba, which checks neither."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from workload import Run, Workload

Inputs = Mapping[str, np.ndarray]
EXTENT = 1000
STEPS = 1_000_000


def stencil(x, y):
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
    return y[1, 1]


def int_sums(n):
    total = 0
    for i in range(n):
        total += i * (i & 7) - 3
    return total


def histogram(places, counts):
    for k in range(len(places)):
        counts[places[k]] += 1
    return counts[0] * 0


def _array() -> Inputs:
    return {"x": np.random.default_rng(1).normal(size=(EXTENT, EXTENT))}


def _places() -> Inputs:
    return {"places": np.random.default_rng(2).integers(0, 256, STEPS)}


def _on_arrays(compiled: Callable[..., object], inputs: Inputs) -> Run:
    x = np.array(inputs["x"])
    y = np.zeros_like(x)
    return lambda: compiled(x, y)


def _on_places(compiled: Callable[..., object], inputs: Inputs) -> Run:
    places = np.array(inputs["places"])
    counts = np.zeros(256, np.int64)
    return lambda: compiled(places, counts)


def _jit(function: Callable[..., object]) -> Callable[..., object]:
    import jitcore

    return jitcore.jit(function)


def _njit(function: Callable[..., object]) -> Callable[..., object]:
    import numba

    return numba.njit(function)


WORKLOADS = [
    Workload(
        "checked_stencil",
        f"four neighbours of each element of {EXTENT} × {EXTENT}, by index",
        {
            "jitcore": lambda inputs: _on_arrays(_jit(stencil), inputs),
            "numba": lambda inputs: _on_arrays(_njit(stencil), inputs),
        },
        _array,
        tolerance=1e-12,
    ),
    Workload(
        "checked_sums",
        f"sums and products of ints, {STEPS:,} rounds",
        {
            "jitcore": lambda inputs: (lambda f: lambda: f(STEPS))(_jit(int_sums)),
            "numba": lambda inputs: (lambda f: lambda: f(STEPS))(_njit(int_sums)),
        },
        tolerance=0,
    ),
    Workload(
        "checked_histogram",
        f"counts at {STEPS:,} places that an array says",
        {
            "jitcore": lambda inputs: _on_places(_jit(histogram), inputs),
            "numba": lambda inputs: _on_places(_njit(histogram), inputs),
        },
        _places,
        tolerance=0,
    ),
]
