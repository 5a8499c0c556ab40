"""The reference networks, whose first calls are measured (`benchmarks/compile_times.py`), whole: a training step is compiled
with nothing left to the interpreter, and does what it does line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from measured_steps import measured

from jitcore import GRAPH_MODE, PYNATIVE_MODE, context, set_seed

NETWORKS: dict[str, Callable[[], Any]] = measured().NETWORKS


def losses(network: Callable[[], Any], count: int, mode: int) -> list[Any]:
    """The losses of a few training steps."""
    np.random.seed(1)
    set_seed(1)
    context.set_context(mode=mode)
    step = measured().step(network, measured().OPTIMIZERS["SGD"]).call
    return [step() for _ in range(count)]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", NETWORKS)
def test_training_steps_compile_whole(name: str) -> None:
    expected = losses(NETWORKS[name], 2, PYNATIVE_MODE)
    found = losses(NETWORKS[name], 2, GRAPH_MODE)
    for got, want in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-4)


def test_steps_learn_something() -> None:
    first, *_, last = losses(NETWORKS["mlp"], 5, GRAPH_MODE)
    assert last.mean() < first.mean()
