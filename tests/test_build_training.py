"""Libraries for C that train: steps that update the handle's parameters, and gradients."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, nn
from tests.built_libraries import library_of

RANDOM = np.random.default_rng(4)
X, Y = (Tensor(RANDOM.standard_normal((6, n)).astype(np.float32)) for n in (4, 2))


class Trained:
    """A network, its loss, gradients and a step of an optimiser."""

    def __init__(self, optimiser: Any) -> None:
        self.net = nn.SequentialCell(nn.Dense(4, 8), nn.Tanh(), nn.Dense(8, 2))
        self.loss = nn.MSELoss()
        self.optimiser = optimiser(self.net.trainable_params(), 0.1)
        self.gradient = jitcore.value_and_grad(self.forward, None, self.optimiser.parameters)

    def forward(self, x: Any, y: Any) -> Any:
        return self.loss(self.net(x), y)

    def step(self, x: Any, y: Any) -> Any:
        loss, gradients = self.gradient(x, y)
        self.optimiser(gradients)
        return loss


@pytest.mark.parametrize("optimiser", [nn.SGD, nn.Adam])
def test_steps_are_those_of_python(optimiser: Any, tmp_path: Path) -> None:
    made = Trained(optimiser)
    library = library_of(made.step, (X, Y), tmp_path, "step")
    other = ctypes.c_void_p(library["new"]())
    model = jitcore.load(tmp_path / "step")
    want = [float(model(X, Y)) for _ in range(6)]
    assert want[-1] < want[0]
    for handle in (library.handle, other):  # each has parameters of its own
        library.handle = handle
        assert [float(library(X, Y)[0]) for _ in range(6)] == want
    library["delete"](other)


def test_gradients_are_those_of_python(tmp_path: Path) -> None:
    made = Trained(nn.SGD)
    library = library_of(made.gradient, (X, Y), tmp_path, "gradient", 5)
    loss, gradients = made.gradient(X, Y)
    for have, want in zip(library(X, Y), (loss, *gradients), strict=True):
        np.testing.assert_array_equal(have, want.asnumpy())
