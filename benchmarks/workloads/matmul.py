"""The product of two 1024 × 1024 matrices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from workload import Run, Workload

Inputs = Mapping[str, np.ndarray]


def matrices() -> Inputs:
    random = np.random.default_rng(0)
    return {name: random.standard_normal((1024, 1024), np.float32) for name in "xy"}


def product(x, y):
    return x @ y


def with_jitcore(inputs: Inputs) -> Run:
    import jitcore

    f = jitcore.jit(product)
    x, y = (jitcore.Tensor(inputs[name]) for name in "xy")
    return lambda: f(x, y)


def with_jax(inputs: Inputs) -> Run:
    import jax

    f = jax.jit(product)
    x, y = (jax.device_put(inputs[name]) for name in "xy")
    return lambda: f(x, y).block_until_ready()


def with_numpy(inputs: Inputs) -> Run:
    x, y = (inputs[name] for name in "xy")
    return lambda: x @ y


WORKLOADS = [
    Workload(
        "matmul",
        "x @ y, 1024 × 1024 float32",
        {"jitcore": with_jitcore, "jax": with_jax, "numpy": with_numpy},
        matrices,
        tolerance=1e-3,
    )
]
