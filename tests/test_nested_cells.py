"""Cells in Cells of their own class, and Cells that call themselves: compiled as line by line, with their gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import GRAPH_MODE, PYNATIVE_MODE, Parameter, Tensor, context, nn, ops, value_and_grad
from jitcore.passes.infer.engine import entry


def in_both_modes(program: Callable[[], list[Any]]) -> list[Any]:
    """What a program gives; both modes give the same."""
    found: list[list[Any]] = []
    try:
        for mode in (PYNATIVE_MODE, GRAPH_MODE):
            context.set_context(mode=mode, jit_syntax_level=0)
            found.append([v.asnumpy() for v in program()])
    finally:
        context.set_context(mode=GRAPH_MODE, jit_syntax_level=2)
    for line_by_line, compiled in zip(*found, strict=True):
        np.testing.assert_allclose(compiled, line_by_line, rtol=1e-5, atol=1e-6)
    return found[1]


class Scaled(nn.Cell):
    def __init__(self, value: float) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.array([value], np.float32)), name="w")

    def construct(self, x: Any) -> Any:
        return ops.tanh(x * self.w)


class Chain(nn.Cell):
    """Calls Cells in order, after counting down by calls of itself."""

    def __init__(self, *cells: nn.Cell) -> None:
        super().__init__()
        self.cells_ = nn.CellList(cells)

    def construct(self, x: Any, n: int = 1) -> Any:
        if n > 3:
            return self.construct(x, n - 1)
        for cell in self.cells_:
            x = cell(x)
        return x


class Twice(nn.Cell):
    """The value by a call, then with the gradients by the weights."""

    def __init__(self, net: nn.Cell) -> None:
        super().__init__()
        self.net = net
        self.both = value_and_grad(self.total, None, list(net.trainable_params()))

    def total(self, x: Any, n: int) -> Any:
        return self.net(x, n).sum()

    def construct(self, x: Any, n: int) -> Any:
        first = self.net(x, n).sum()
        value, gradients = self.both(x, n)
        return (first, value, *gradients)


def test_recursive_cells_are_differentiated_by_their_weights_after_a_plain_call() -> None:
    def program() -> list[Any]:
        net = Chain(Scaled(0.5), Chain(Scaled(0.6), Chain(Scaled(0.7), Scaled(0.2)), Scaled(1.0)))
        return list(Twice(net)(Tensor(np.array([1.0, 2.0], np.float32)), 5))

    given = in_both_modes(program)
    assert all(abs(g) > 1e-3 for g in given[2:])


class Accumulating(nn.Cell):
    """A recursive method that writes to Parameters, one of which the result depends on."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.array([0.5, 0.3], np.float32)), name="w")
        self.sum = Parameter(Tensor(np.zeros(2, np.float32)), name="sum", requires_grad=False)
        self.mean = Parameter(Tensor(np.zeros(2, np.float32)), name="mean", requires_grad=False)

    def go(self, n: int, x: Any) -> Any:
        if n <= 0:
            return x
        self.sum += x * self.w
        self.mean = 0.9 * self.mean + 0.1 * x
        return self.go(n - 1, x * self.w)

    def construct(self, n: int, x: Any) -> Any:
        y = self.go(n, x)
        return (y * y).sum() + (self.sum * self.sum).sum()


@pytest.mark.parametrize("of_all", [False, True])
def test_places_that_recursive_functions_write_to(of_all: bool) -> None:
    def program() -> list[Any]:
        net = Accumulating()
        weights = list(net.get_parameters() if of_all else net.trainable_params())
        both = value_and_grad(net, 1, weights)
        given: list[Any] = []
        for n in (3, 1, 0):
            value, (by_x, by_weights) = both(n, Tensor(np.array([1.0, 2.0], np.float32)))
            given += [value, by_x, *by_weights, net.sum, net.mean]
        return given

    in_both_modes(program)


def test_the_number_of_attempts_does_not_grow_with_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = 0
    attempt = entry._attempt  # pyright: ignore[reportPrivateUsage]

    def counted(*args: Any) -> Any:
        nonlocal attempts
        attempts += 1
        return attempt(*args)

    monkeypatch.setattr(entry, "_attempt", counted)
    needed: list[int] = []
    for layers in (2, 12):
        attempts = 0
        net = nn.SequentialCell([nn.SequentialCell(nn.LayerNorm((3,)), nn.Dropout(p=0.1)) for _ in range(layers)])
        net.set_train()
        net(Tensor(np.ones((2, 3), np.float32)))
        needed.append(attempts)
    assert needed[0] == needed[1] <= 3


def test_squeezing_computed_extents() -> None:
    class Tail(nn.Cell):
        def construct(self, x: Any) -> Any:
            return ops.squeeze(x[1:])

    tail = Tail()
    for rows in (3, 5, 2, 7, 2, 1):
        x = Tensor(np.ones((rows, 4), np.float32))
        assert tail(x).shape == np.squeeze(x.asnumpy()[1:]).shape
