"""What compiled code goes by outside of it may change: the next call notices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore import GRAPH_MODE, Tensor, jit, nn, set_context


class Plain:
    k = 2

    def method(self, x: int) -> int:
        return x * self.k

    def __call__(self, x: int) -> int:
        return x + self.k


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.f: Callable[..., Any] = lambda x: x * 2

    def construct(self, x: Tensor) -> Tensor:
        return self.half(self.f(x))

    def half(self, x: Tensor) -> Tensor:
        return x / 2


def test_methods_of_an_object_and_its_class() -> None:
    class Own(Plain):
        pass

    obj: Any = Own()
    f = jit(lambda x: (obj.method(x), obj(x)))
    assert f(3) == (6, 5)
    obj.method = lambda x: -x
    assert f(3) == (-3, 5)
    obj.method = lambda x: -2 * x
    assert f(3) == (-6, 5)
    del obj.method
    assert f(3) == (6, 5)
    Own.k = 5
    assert f(3) == (15, 8)
    Own.method = lambda self, x: x * 100  # type: ignore[method-assign, assignment]
    assert f(3) == (300, 8)
    Own.__call__ = lambda self, x: 0  # type: ignore[method-assign, assignment]
    assert f(3) == (300, 0)
    obj.k = 7
    assert f(3) == (300, 0)


def test_functions_and_classes_as_attributes() -> None:
    class Bag:
        pass

    obj: Any = Bag()
    obj.f, obj.b, obj.c = (lambda x: x * 2), abs, float
    f = jit(lambda x: (obj.f(x), obj.b(x), obj.c(x)))
    assert f(2) == (4, 2, 2.0)
    obj.f = lambda x: x * 3
    assert f(2)[0] == 6
    obj.b = bool
    assert f(2)[1] is True
    obj.c = int
    assert type(f(2)[2]) is int


def test_methods_of_a_cell() -> None:
    net: Any = Net()
    inside = jit(lambda x: net(x))
    set_context(mode=GRAPH_MODE)
    x = Tensor([2.0])

    def both() -> tuple[float, float]:
        return float(net(x)), float(inside(x))

    assert both() == (2.0, 2.0)
    net.f = lambda x: x * 6
    assert both() == (6.0, 6.0)
    net.half = lambda x: x * 0.25
    assert both() == (3.0, 3.0)
    net.construct = lambda x: x * 5
    assert both() == (10.0, 10.0)
    del net.construct
    assert both() == (3.0, 3.0)
    del net.half
    assert both() == (6.0, 6.0)


def test_methods_of_a_layer() -> None:
    layer: Any = nn.ReLU()
    f = jit(lambda x: layer(x))
    x = Tensor([-1.0])
    assert float(f(x)) == 0.0
    layer.construct = lambda x: x * 5
    assert float(f(x)) == -5.0


def test_containers_and_functions_outside() -> None:
    table: dict[str, Any] = {"a": lambda x: x}
    row: list[Any] = [lambda x: x * 2]

    def helper(x: int, k: int = 3) -> int:
        return x * k

    f = jit(lambda x: (table["a"](x), row[0](x), len(row), helper(x)))
    assert f(2) == (2, 4, 1, 6)
    table["a"], row[0] = (lambda x: 9), (lambda x: 8)
    assert f(2) == (9, 8, 1, 6)
    row.append(1)
    helper.__defaults__ = (7,)
    assert f(2) == (9, 8, 2, 14)
    helper.__code__ = (lambda x, k: k * 1000).__code__
    assert f(2) == (9, 8, 2, 7000)
