"""Recursive functions that change what is around them: their gradients, and attributes of Cells."""

from __future__ import annotations

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, nn, set_context
from jitcore.config import GRAPH_MODE


def accumulated(x: float, n: int) -> float:
    t = 0.0

    def go(k: int, y: float) -> None:
        nonlocal t
        if k == 0:
            return
        t = t + y * y
        go(k - 1, y * 0.5)

    go(n, x)
    return t


def collected(x: float, n: int) -> float:
    out: list[float] = []

    def go(y: float, k: int) -> None:
        if k == 0:
            return
        out.append(y * y)
        go(y * 2, k - 1)

    go(x, n)
    return sum(out)


@pytest.mark.parametrize(("function", "n", "slope"), [(accumulated, 4, 1.328125), (collected, 3, 21.0)])
def test_gradients(function, n, slope) -> None:  # type: ignore[no-untyped-def]
    assert jit(grad(function))(3.0, n) == grad(function)(3.0, n) == 2 * slope * 3.0
    assert jit(grad(grad(function)))(3.0, n) == 2 * slope


def test_gradient_of_tensors() -> None:
    def best_of(x: Tensor, n: int) -> Tensor:
        best = x * 0

        def go(y: Tensor, k: int) -> None:
            nonlocal best
            if k == 0:
                best = best + y * y
                return
            go(y * 2, k - 1)
            go(y + 1, k - 1)

        go(x, n)
        return best.sum()

    x = Tensor([1.0, 2.0])
    np.testing.assert_allclose(jit(grad(best_of))(x, 3).asnumpy(), grad(best_of)(x, 3).asnumpy())


def test_attribute_of_a_cell() -> None:
    class Counting(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.calls = 0

        def construct(self, x: Tensor, k: int) -> Tensor:
            return self.go(x, k)

        def go(self, x: Tensor, k: int) -> Tensor:
            self.calls += 1
            return x if k == 0 else self.go(x * 2, k - 1)

    set_context(mode=GRAPH_MODE)
    cell = Counting()
    assert cell(Tensor([1.0]), 3).asnumpy().tolist() == [8.0]
    assert cell.calls == 4
    cell(Tensor([1.0]), 2)
    assert cell.calls == 7


def test_deep() -> None:
    @jit
    def total(n: int) -> int:
        s = 0

        def go(k: int) -> None:
            nonlocal s
            s += k
            if k:
                go(k - 1)

        go(n)
        return s

    assert total(20_000) == 200_010_000


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
def test_seen_by_a_handler() -> None:
    def caught(n: int) -> int:
        k = 0

        def go(m: int) -> None:
            nonlocal k
            k += 1
            if m == 0:
                raise ValueError(k)
            go(m - 1)

        try:
            go(n)
        except ValueError:
            k += 100
        return k

    assert jit(caught)(5) == caught(5) == 106
