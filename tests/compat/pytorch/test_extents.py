"""Functions of PyTorch's that calculate with extents, compiled once for extents of the run."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from jitcore.compat.torch import package

torch: Any = package()


def bags(rows: int, columns: int) -> Any:
    return torch.arange(rows * columns).reshape(rows, columns) % 7


def floats(*shape: int) -> Any:
    return torch.tensor(np.sin(np.arange(float(np.prod(shape)))).reshape(shape), requires_grad=True)


CASES: dict[str, tuple[Any, Any, list[tuple[int, ...]]]] = {
    "EmbeddingBag": (
        lambda: torch.nn.EmbeddingBag(7, 3, mode="sum"),
        bags,
        [(2, 4), (3, 3), (4, 2), (2, 5)],
    ),
    "InstanceNorm2d": (
        lambda: torch.nn.InstanceNorm2d(3, affine=True, track_running_stats=True).double(),
        floats,
        [(2, 3, 2, 3), (3, 3, 2, 4), (4, 3, 5, 3)],
    ),
    "kl_div": (
        lambda: lambda x: torch.nn.functional.kl_div(x, torch.exp(x * 2), reduction="batchmean"),
        floats,
        [(2, 3), (4, 3), (3, 5)],
    ),
    "narrow_copy": (lambda: lambda x: x.narrow_copy(0, 1, 2), floats, [(3, 2), (5, 2), (4, 3)]),
    "unfold": (lambda: lambda x: x.unfold(0, 3, 1), floats, [(4,), (6,), (5,)]),
}


@pytest.mark.parametrize("name", CASES)
def test_as_line_by_line(name: str) -> None:
    make, given, shapes = CASES[name]
    torch.manual_seed(1)
    eager = make()
    torch.manual_seed(1)
    compiled = torch.compile(make())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for shape in shapes:
            x, y = given(*shape), given(*shape)
            want, have = eager(x), compiled(y)
            assert have.shape == want.shape
            np.testing.assert_allclose(have.detach().numpy(), want.detach().numpy(), rtol=1e-6)
            if x.requires_grad:
                want.sum().backward()
                have.sum().backward()
                np.testing.assert_allclose(y.grad.numpy(), x.grad.numpy(), rtol=1e-6, atol=1e-12)
    if isinstance(eager, torch.nn.Module):
        for a, b in zip(eager.buffers(), compiled.buffers(), strict=True):
            np.testing.assert_allclose(b.numpy(), a.numpy(), rtol=1e-6)


EMPTY: dict[str, tuple[Any, int]] = {
    "reshape": (lambda x: x.reshape(0, 3), 0),
    "slice": (lambda x: x[1:1], 4),
    "slice, reshaped": (lambda x: x[:0].reshape(0, 2), 4),
    "cat": (lambda x: torch.cat([x, torch.ones(3)]), 0),
    "cat of another rank": (lambda x: torch.cat([x, torch.ones(2, 3)]), 0),
    "transpose": (lambda x: x.reshape(0, 3).t(), 0),
    "mul": (lambda x: x * 2, 0),
}


@pytest.mark.parametrize("name", EMPTY)
def test_gradients_go_through_what_has_no_elements(name: str) -> None:
    function, size = EMPTY[name]
    for _ in range(30):  # what is called often is served by machine code
        x = torch.ones(size, requires_grad=True)
        y = function(x)
        (found,) = torch.autograd.grad([y], [x], [torch.ones(*y.shape)])
        assert found.tolist() == [0.0] * size
