"""A while loop over Python numbers, a million times."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from workload import Run, Workload

Inputs = Mapping[str, np.ndarray]
STEPS = 1_000_000


def series(n):
    i = 0
    total = 0.0
    while i < n:
        total += 1.0 / (i * i + 1.0)
        i += 1
    return total


def with_jitcore(inputs: Inputs) -> Run:
    import jitcore

    f = jitcore.jit(series)
    return lambda: f(STEPS)


def with_jax(inputs: Inputs) -> Run:
    import jax

    jax.config.update("jax_enable_x64", True)

    @jax.jit
    def f(n):
        def step(carry):
            i, total = carry
            return i + 1, total + 1.0 / (i * i + 1.0)

        return jax.lax.while_loop(lambda carry: carry[0] < n, step, (0, 0.0))[1]

    return lambda: f(STEPS).block_until_ready()


def with_numba(inputs: Inputs) -> Run:
    import numba

    f = numba.njit(series)
    return lambda: f(STEPS)


def with_python(inputs: Inputs) -> Run:
    return lambda: series(STEPS)


WORKLOADS = [
    Workload(
        "scalar_loop",
        "a while loop over Python numbers, 10⁶ steps (numpy: plain Python)",
        {"jitcore": with_jitcore, "jax": with_jax, "numba": with_numba, "numpy": with_python},
        tolerance=1e-12,
    )
]
