"""What Cells are written with — flags, lists of Cells, attributes, inheritance, closures: the same in both modes."""

# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import GRAPH_MODE, PYNATIVE_MODE, Parameter, Tensor, context, jit, nn, ops

CASES: list[Callable[[], Any]] = []


def case(function: Callable[[], Any]) -> Callable[[], Any]:
    """Add a function to the corpus: what it gives is compared between the modes."""
    CASES.append(function)
    return function


def counted(*shape: int) -> Tensor:
    """1, 2, 3 … in a shape."""
    return Tensor(np.arange(1, 1 + int(np.prod(shape)), dtype=np.float32).reshape(shape))


@case
def flags_and_settings() -> Any:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.k = 2
            self.kind = "a"

        def construct(self, x):
            if self.training:
                return x * self.k
            return x + 100 if self.kind == "b" else x - self.k

    net = Net()
    found = [net(counted(2))]
    net.set_train()
    found.append(net(counted(2)))
    net.set_train(False)
    net.k = 5
    found.append(net(counted(2)))
    net.kind = "b"
    return [*found, net(counted(2))]


@case
def parts_of_sequences_of_cells() -> Any:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.SequentialCell([nn.Sigmoid(), nn.Tanh(), nn.ReLU()])
            self.listed = nn.CellList([nn.Tanh(), nn.Sigmoid()])
            self.named = nn.CellDict({"a": nn.Tanh(), "b": nn.Sigmoid()})

        def construct(self, x):
            y, z = x, x
            for layer in self.layers[0:2]:
                x = layer(x)
            for k, layer in enumerate(self.listed[1:]):
                y = layer(y) + k
            for name in self.named:
                z = self.named[name](z)
            return x, y, z, [layer(z) for layer in self.layers[::-1]]

    return Net()(counted(3))


@case
def containers_of_cells_and_functions() -> Any:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([nn.ReLU(), nn.Sigmoid()])
            self.table = {"a": 2.0}
            self.functions = [lambda v: v + 1, ops.relu]

        def construct(self, x, which=0):
            for layer in self.layers:
                x = layer(x)
            for function in self.functions:
                x = function(x)
            return self.layers[-1](x) * self.table["a"] if which == 0 else self.layers[which](x)

    net = Net()
    found = [net(counted(2)), net(counted(2), 1)]
    net.table["a"] = 3.0
    found.append(net(counted(2)))
    net.layers.append(nn.Tanh())
    found.append(net(counted(2)))
    net.functions.append(lambda v: v * 0)
    found.append(net(counted(2)))
    net.layers[0] = nn.Tanh()
    return [*found, net(-counted(2))]


@case
def state() -> Any:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = 0
            self.total = Parameter(Tensor(np.zeros(2, np.float32)), name="total")
            self.last = None

        def construct(self, x):
            self.count += 1
            ops.assign_add(self.total, x)
            self.last = x * 2
            return self.total * self.count

    net = Net()
    return [net(counted(2)), net(counted(2)), net.count, net.total, net.last]


@case
def inheritance() -> Any:
    class Base(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor(np.ones(2, np.float32)), name="weight")

        def scaled(self, x, *, k=1):
            return x * self.weight * k

        @property
        def two(self):
            return 2

        @staticmethod
        def shifted(x):
            return x + 1

    class Net(Base):
        def scaled(self, x, *, k=1):
            return super().scaled(x, k=k) + self.two

        def construct(self, x):
            return self.shifted(self.scaled(x, k=3))

    net = Net()
    before = net(counted(2))
    net.weight.set_data(Tensor(np.full(2, 5, np.float32)))
    return before, net(counted(2))


@case
def gradients() -> Any:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 1, weight_init="ones")

        def construct(self, x):
            return self.dense(x).sum()

    net = Net()
    by_weights = ops.GradOperation(get_by_list=True)(net, net.trainable_params())(counted(3, 2))
    by_input = ops.GradOperation()(net)(counted(3, 2))
    net.dense.weight.requires_grad = False
    return list(by_weights), by_input, [p.name for p in net.trainable_params()]


@case
def captured_tensors() -> Any:
    weight, k = Tensor(np.ones(2, np.float32)), 2.0

    @jit
    def f(x):
        return x * weight * k

    found = [f(counted(2)).asnumpy().tolist()]
    k = 3.0
    found.append(f(counted(2)).asnumpy().tolist())
    weight = Tensor(np.full(2, 7, np.float32))
    found.append(f(counted(2)).asnumpy().tolist())
    weight[0] = 0
    found.append(f(counted(2)).asnumpy().tolist())
    weight = Tensor(np.ones(1, np.float32))
    found.append(f(counted(2)).asnumpy().tolist())
    weight = 2.5
    return [*found, f(counted(2)).asnumpy().tolist()]


@case
def shapes_as_values() -> Any:
    class Net(nn.Cell):
        def construct(self, x):
            rows, columns = x.shape
            y = x.reshape(rows * columns) if rows > 1 else x.reshape(-1)
            return y.sum() * columns, x.shape, x.ndim

    net = Net()
    return [net(counted(*shape)) for shape in ((2, 3), (4, 3), (1, 3), (5, 1))]


@case
def recurrent() -> Any:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cell = nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
            self.start = Tensor(np.zeros((1, 2), np.float32))

        def construct(self, x, steps):
            h = self.start
            for i in range(steps):
                h = ops.tanh(self.cell(x[i : i + 1]) + h)
            return h, [h * i for i in range(2)]

    net = Net()
    return [net(counted(4, 2) * 0.01, steps) for steps in (3, 2)]


@case
def chosen_cell() -> Any:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.one, self.other = nn.ReLU(), nn.Sigmoid()

        def construct(self, x, k):
            cell = self.one if k > 0 else self.other
            return cell(x)

    net = Net()
    return net(-counted(2), 1), net(-counted(2), -1)


@case
def starred_arguments() -> Any:
    class Net(nn.Cell):
        def construct(self, x, *args, scale=1.0, **more):
            for arg in args:
                x = x + arg
            return x * scale + more.get("bias", 0)

    net = Net()
    return net(counted(2)), net(counted(2), 1, counted(2)), net(counted(2), scale=2.0, bias=3)


@case
def replaced_cell() -> Any:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = nn.ReLU()

        def construct(self, x):
            return self.inner(x)

    net = Net()
    found = [net(-counted(2))]
    net.inner = nn.Sigmoid()
    found.append(net(counted(2)))
    del net.inner
    with pytest.raises(AttributeError, match="inner"):
        net(counted(2))
    return found


def plain(value: Any) -> Any:
    """A result with its Tensors as lists, rounded as far as both modes must agree."""
    if isinstance(value, Tensor):
        return str(value.dtype), np.round(value.asnumpy().astype(float), 5).tolist()
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return value


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_both_modes_agree(function: Callable[[], Any]) -> None:
    context.set_context(jit_syntax_level="STRICT", mode=GRAPH_MODE)
    compiled = plain(function())
    context.set_context(mode=PYNATIVE_MODE)
    assert compiled == plain(function())
