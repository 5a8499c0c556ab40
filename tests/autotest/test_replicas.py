"""Modules that calls are run with are copied once, and what is then changed is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore.compat.torch import package
from jitcore.testing.autotest.replicas import Replicas

ours = package()


def layers() -> Any:
    return ours.nn.Sequential(ours.nn.Linear(2, 3), ours.nn.BatchNorm1d(3))


def test_a_module_has_one_copy_with_the_values_of_the_moment() -> None:
    module, replicas = layers(), Replicas(ours)
    first = replicas.of(module)
    assert first is not module
    first(ours.ones(4, 2))  # a batch changes the running statistics
    with ours.no_grad():
        module[0].weight.fill_(2.0)
    again = replicas.of(module)
    assert again is first
    assert np.array_equal(again[0].weight.detach().numpy(), np.full((3, 2), 2.0, np.float32))
    assert again[1].num_batches_tracked.item() == 0
    assert np.array_equal(again[1].running_mean.numpy(), np.zeros(3, np.float32))


@pytest.mark.parametrize(
    "change",
    [
        lambda module: module.eval(),
        lambda module: module[0].weight.requires_grad_(False),
        lambda module: setattr(module[0], "bias", None),
        lambda module: setattr(module[1], "momentum", 0.5),
        lambda module: module.append(ours.nn.Tanh()),
        lambda module: module[0].register_forward_hook(lambda *given: None),
    ],
    ids=["mode", "requires_grad", "no bias", "attribute", "module", "hook"],
)
def test_a_module_of_other_parts_is_copied_anew(change: Callable[[Any], object]) -> None:
    module, replicas = layers(), Replicas(ours)
    first = replicas.of(module)
    change(module)
    again = replicas.of(module)
    assert again is not first
    assert str(again) == str(module)
    assert again.training == module.training
    assert [p.requires_grad for p in again.parameters()] == [p.requires_grad for p in module.parameters()]
    assert again(ours.ones(4, 2)).shape == (4, 3)


def test_a_copy_that_changed_itself_is_copied_anew() -> None:
    class Counting(ours.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.calls = 0

        def forward(self, x: object) -> object:
            self.calls += 1
            return x

    module, replicas = Counting(), Replicas(ours)
    first = replicas.of(module)
    first(1)
    assert first.calls == 1
    assert replicas.of(module).calls == 0
