"""Libraries for C that train: steps that update the handle's parameters, and gradients."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, nn
from jitcore.build import BuildError, build
from tests.built_libraries import Library, library_of

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


def test_functions_of_one_handle_have_its_parameters(tmp_path: Path) -> None:
    made = Trained(nn.SGD)
    for name, function, inputs in (
        ("net", made.net, X),
        ("step", made.step, (X, Y)),
        ("gradient", made.gradient, (X, Y)),
    ):
        jitcore.export(function, inputs, tmp_path / name)
    built = build([tmp_path / n for n in ("net", "step", "gradient")], tmp_path / "out", name="net")
    assert built.shared is not None
    library = Library(built.shared, "net", 1)
    untrained = library(X)[0]
    np.testing.assert_array_equal(untrained, made.net(X).asnumpy())
    forward = library.code.net_call
    for _ in range(3):
        loss = made.step(X, Y)
        library.code.net_call = library.code.net_step
        np.testing.assert_array_equal(library(X, Y)[0], loss.asnumpy())
        library.code.net_call = forward
        np.testing.assert_array_equal(library(X)[0], made.net(X).asnumpy())
    header = built.header.read_text()
    library.code.net_call, library.outputs = library.code.net_gradient, 5
    loss, gradients = made.gradient(X, Y)
    for have, want in zip(library(X, Y), (loss, *gradients), strict=True):
        np.testing.assert_array_equal(have, want.asnumpy())
    assert "#define NET_STEP_INPUTS 2\n#define NET_STEP_OUTPUTS 1\n" in header
    library.code.net_call, library.outputs = forward, 1
    other = ctypes.c_void_p(library["new"]())
    trained, library.handle = library.handle, other
    np.testing.assert_array_equal(library(X)[0], untrained)
    library["delete"](trained)


def test_parameters_that_differ_are_not_one(tmp_path: Path) -> None:
    made = Trained(nn.SGD)
    jitcore.export(made.net, X, tmp_path / "net")
    made.step(X, Y)
    jitcore.export(made.step, (X, Y), tmp_path / "step")
    with pytest.raises(BuildError, match=r"two models have another '0\.weight' each"):
        build([tmp_path / "net", tmp_path / "step"], tmp_path / "out")
    with pytest.raises(BuildError, match="two functions of the library would be called 'step'"):
        build([tmp_path / "step"] * 3, tmp_path / "out")


def test_gradients_are_those_of_python(tmp_path: Path) -> None:
    made = Trained(nn.SGD)
    library = library_of(made.gradient, (X, Y), tmp_path, "gradient", 5)
    loss, gradients = made.gradient(X, Y)
    for have, want in zip(library(X, Y), (loss, *gradients), strict=True):
        np.testing.assert_array_equal(have, want.asnumpy())
