"""Elementwise work: the overhead of a call, a fused chain, and the first call of that chain."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from workload import Call, Run, Workload

Inputs = Mapping[str, np.ndarray]


def small() -> Inputs:
    return {"x": np.array([1, 2, 3, 4], np.float32), "y": np.array([0.5, -1, 2, 0], np.float32)}


def large() -> Inputs:
    random = np.random.default_rng(0)
    return {name: random.standard_normal((1024, 1024), np.float32) for name in "xy"}


# --- x * y + x ------------------------------------------------------------------------------------------


def multiply_add(x, y):
    return x * y + x


def jitcore_call(inputs: Inputs) -> Run:
    import jitcore

    f = jitcore.jit(multiply_add)
    x, y = (jitcore.Tensor(inputs[name]) for name in "xy")
    return Call(f, x, y)


def jax_call(inputs: Inputs) -> Run:
    import jax

    f = jax.jit(multiply_add)
    x, y = (jax.device_put(inputs[name]) for name in "xy")
    return Call(lambda x, y: f(x, y).block_until_ready(), x, y)


def numba_call(inputs: Inputs) -> Run:
    import numba

    f = numba.njit(multiply_add)
    x, y = (inputs[name] for name in "xy")
    return Call(f, x, y)


def numpy_call(inputs: Inputs) -> Run:
    x, y = (inputs[name] for name in "xy")
    return Call(multiply_add, x, y)


# --- tanh(x*y+x) * sigmoid(y) - exp(-x*x) ---------------------------------------------------------------


def jitcore_chain(inputs: Inputs) -> Run:
    import jitcore
    from jitcore import ops

    @jitcore.jit
    def chain(x, y):
        return ops.tanh(x * y + x) * ops.sigmoid(y) - ops.exp(-x * x)

    x, y = (jitcore.Tensor(inputs[name]) for name in "xy")
    return lambda: chain(x, y)


def jax_chain(inputs: Inputs) -> Run:
    import jax
    import jax.numpy as jnp

    @jax.jit
    def chain(x, y):
        return jnp.tanh(x * y + x) * jax.nn.sigmoid(y) - jnp.exp(-x * x)

    x, y = (jax.device_put(inputs[name]) for name in "xy")
    return lambda: chain(x, y).block_until_ready()


def numba_chain(inputs: Inputs) -> Run:
    import numba

    @numba.njit(parallel=True)
    def chain(x, y):
        return np.tanh(x * y + x) / (np.float32(1) + np.exp(-y)) - np.exp(-x * x)

    x, y = (inputs[name] for name in "xy")
    return lambda: chain(x, y)


def numpy_chain(inputs: Inputs) -> Run:
    x, y = (inputs[name] for name in "xy")
    return lambda: np.tanh(x * y + x) / (1 + np.exp(-y)) - np.exp(-x * x)


# --- first calls ----------------------------------------------------------------------------------------


def another(call: Callable[[Inputs], Run]) -> Callable[[], object]:
    """Compile and run something else before."""
    return lambda: call(small())()


WORKLOADS = [
    Workload(
        "call",
        "x * y + x on 4 float32: the overhead of a call",
        {"jitcore": jitcore_call, "jax": jax_call, "numba": numba_call, "numpy": numpy_call},
        small,
    ),
    Workload(
        "chain",
        "tanh(x*y+x) * sigmoid(y) - exp(-x*x) on 1024² float32",
        {"jitcore": jitcore_chain, "jax": jax_chain, "numba": numba_chain, "numpy": numpy_chain},
        large,
    ),
    Workload(
        "chain_first",
        "the first call of chain, after another function was compiled in the process",
        {"jitcore": jitcore_chain, "jax": jax_chain, "numba": numba_chain},
        large,
        kind="first",
        before={"jitcore": another(jitcore_call), "jax": another(jax_call), "numba": another(numba_call)},
    ),
    Workload(
        "chain_process_first",
        "the first call of chain, the first that is compiled in the process",
        {"jitcore": jitcore_chain, "jax": jax_chain, "numba": numba_chain},
        large,
        kind="first",
    ),
]
