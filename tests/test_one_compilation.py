"""Scalars and extents are values of the run: a thousand of them cost at most two compilations, and `explain` says why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, nn, ops


def looping(x: float, k: int, n: int) -> float:
    s = 0.0
    for i in range(n):
        if i % 2:
            s += x * k
        else:
            s -= i
    return s


def of_rows(x: Any, w: Any) -> Any:
    return ((x @ w).sum(axis=1) * 2 + x[:, 0]).mean()


def chosen_and_reshaped(x: Any, y: Any) -> Any:
    return x[x > 0.5] * 2, y.reshape(-1, 2).T, x.cumsum(), y[1:] - y[:-1]


def floats() -> Iterator[tuple[Any, ...]]:
    yield from ((k * 0.37 - 99, 3, 4) for k in range(1000))


def ints() -> Iterator[tuple[Any, ...]]:
    yield from ((0.5, k * 7919 - 10**6, k % 17) for k in range(1000))


def batches() -> Iterator[tuple[Any, ...]]:
    w = np.ones((3, 4))
    yield from ((np.full((n, 3), 0.5), w) for n in range(2, 1002))


def lengths() -> Iterator[tuple[Any, ...]]:
    yield from ((np.linspace(0, 1, n), np.linspace(1, 2, n)) for n in range(2, 400, 2))


@pytest.mark.parametrize(
    ("function", "calls", "most"),
    [(looping, floats, 1), (looping, ints, 1), (of_rows, batches, 2), (chosen_and_reshaped, lengths, 2)],
    ids=["floats", "ints", "batches", "lengths"],
)
def test_values_of_arguments(
    function: Callable[..., Any], calls: Callable[[], Iterator[tuple[Any, ...]]], most: int
) -> None:
    compiled = jit(function)
    for k, args in enumerate(calls()):
        got = compiled(*args)
        if k % 97 == 0:
            np.testing.assert_equal(got, function(*args))
    assert compiled.explain().startswith(f"{function.__name__}: {most} specialisation")
    if most == 2:
        assert "it is symbolic from here on" in compiled.explain()


def test_batches_of_a_network_and_its_gradient() -> None:
    network = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))

    def loss(x: Tensor, y: Tensor) -> Tensor:
        return ops.reduce_mean((network(x) - y) ** 2)

    compiled, slope = jit(loss), jit(grad(loss))
    for n in range(2, 60):
        x, y = Tensor(np.ones((n, 4), np.float32)), Tensor(np.ones((n, 2), np.float32))
        compiled(x, y)
        assert slope(x, y).shape == (n, 4)
    assert "loss: 2 specialisations" in compiled.explain()
    assert ": 2 specialisations" in slope.explain()


def test_changes_outside_are_noticed() -> None:
    scale = 2.0
    network = nn.Dense(2, 2, weight_init="ones")

    def compute(x: Tensor) -> Tensor:
        return network(x) * scale

    compiled = jit(compute)
    x = Tensor(np.ones((1, 2), np.float32))
    assert compiled(x).asnumpy().tolist() == [[4.0, 4.0]]
    scale = 3.0
    assert compiled(x).asnumpy().tolist() == [[6.0, 6.0]]
    network.weight.set_data(Tensor(np.zeros((2, 2), np.float32)))
    assert compiled(x).asnumpy().tolist() == [[0.0, 0.0]]
    network.construct = lambda x: x
    assert compiled(x).asnumpy().tolist() == [[3.0, 3.0]]
