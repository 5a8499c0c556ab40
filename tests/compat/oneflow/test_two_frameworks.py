"""Two frameworks in one process: each makes its own Tensors and layers."""

from __future__ import annotations

from collections.abc import Iterator

import oneflow as flow
import pytest

import jitcore
from jitcore.compat import torch as compat


@pytest.fixture
def torch() -> Iterator[object]:
    compat.install()
    import torch

    yield torch
    compat.uninstall()


def test_each_makes_its_own(torch) -> None:
    assert repr(torch.ones(2)) == "tensor([1., 1.])"
    assert repr(flow.ones(2)) == "tensor([1., 1.], dtype=oneflow.float32)"
    assert not isinstance(torch.ones(2), flow.Tensor)
    assert not isinstance(flow.ones(2), torch.Tensor)
    assert type(torch.nn.Linear(2, 2).weight) is torch.nn.Parameter
    assert type(flow.nn.Linear(2, 2).weight) is flow.nn.Parameter
    assert isinstance(flow.nn.Linear(2, 2), flow.nn.Module)
    assert not isinstance(torch.nn.Linear(2, 2), flow.nn.Module)
    assert repr(torch.ones(1, 2).shape) == "torch.Size([1, 2])"
    assert torch.float32 is not flow.float32
    assert flow.ones(1, dtype=flow.float64).dtype is flow.float64


def test_results_are_of_the_first_of_them(torch) -> None:
    x, y = torch.ones(2), flow.ones(2)
    assert isinstance(x + y, torch.Tensor)
    assert isinstance(y + x, flow.Tensor)
    assert isinstance(flow.zeros_like(x), flow.Tensor)
    assert isinstance(torch.zeros_like(y), torch.Tensor)
    assert isinstance(x.new_zeros(2), torch.Tensor)


def test_compiled_code_has_both(torch) -> None:
    @jitcore.jit
    def both(n):
        return torch.ones(n) * 2, flow.ones(n) * 3

    of_torch, of_flow = both(2)
    assert isinstance(of_torch, torch.Tensor)
    assert isinstance(of_flow, flow.Tensor)
    assert (of_torch.tolist(), of_flow.tolist()) == ([2.0, 2.0], [3.0, 3.0])


def test_optimizers_keep_tensors_of_the_parameters_kind(torch) -> None:
    for framework in (torch, flow):
        layer = framework.nn.Linear(2, 2)
        optimizer = framework.optim.Adam(layer.parameters())
        layer(framework.ones(1, 2)).sum().backward()
        optimizer.step()
        state = optimizer.state_dict()["state"][0]
        assert all(isinstance(t, framework.Tensor) for t in state.values())
