"""MindSpore's tutorial on PyNative and graph mode, cell by cell, in both modes, on the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitcore.nn as nn
import jitcore.ops as ops
from jitcore import ParameterTuple, Tensor, context, ms_function
from jitcore.common.initializer import Normal
from jitcore.nn import Momentum, WithLossCell


@pytest.fixture(params=["GRAPH", "PYNATIVE"], autouse=True)
def _mode(request: pytest.FixtureRequest) -> Iterator[None]:
    mode = context.GRAPH_MODE if request.param == "GRAPH" else context.PYNATIVE_MODE
    context.set_context(mode=mode, device_target="CPU")
    yield
    context.set_context(mode=context.GRAPH_MODE)


def test_one_operator() -> None:
    conv = nn.Conv2d(3, 4, 3, bias_init="zeros")
    input_data = Tensor(np.ones([1, 3, 5, 5]).astype(np.float32))
    output = conv(input_data).asnumpy()
    assert output.shape == (1, 4, 5, 5)
    np.testing.assert_allclose(output[:, :, 1:4, 1:4], output[:, :, 1:2, 1:2].repeat(3, 2).repeat(3, 3), rtol=1e-5)


def test_a_plain_function(capsys: pytest.CaptureFixture[str]) -> None:
    def add_func(x: Any, y: Any) -> Any:
        z = ops.add(x, y)
        z = ops.add(z, x)
        return z

    x = Tensor(np.ones([3, 3], dtype=np.float32))
    y = Tensor(np.ones([3, 3], dtype=np.float32))
    output = add_func(x, y)
    print(output.asnumpy())
    assert capsys.readouterr().out == "[[3. 3. 3.]\n [3. 3. 3.]\n [3. 3. 3.]]\n"


class MulNet(nn.Cell):
    def __init__(self) -> None:
        super(MulNet, self).__init__()  # noqa: UP008 # as the tutorial has it
        self.mul = ops.Mul()

    def construct(self, x: Any, y: Any) -> Any:
        return self.mul(x, y)


def test_a_network(capsys: pytest.CaptureFixture[str]) -> None:
    x = Tensor(np.array([1.0, 2.0, 3.0]).astype(np.float32))
    y = Tensor(np.array([4.0, 5.0, 6.0]).astype(np.float32))
    net = MulNet()
    print(net(x, y))
    assert capsys.readouterr().out == "[ 4. 10. 18.]\n"


add = ops.Add()


@ms_function
def add_fn(x: Any, y: Any) -> Any:
    res = add(x, y)
    return res


def test_a_compiled_function(capsys: pytest.CaptureFixture[str]) -> None:
    x = Tensor(np.ones([4, 4]).astype(np.float32))
    y = Tensor(np.ones([4, 4]).astype(np.float32))
    z = add_fn(x, y)
    print(z.asnumpy())
    row = "[2. 2. 2. 2.]"
    assert capsys.readouterr().out == f"[{row}\n {row}\n {row}\n {row}]\n"


def test_a_compiled_function_of_a_cell() -> None:
    conv_obj = nn.Conv2d(in_channels=3, out_channels=4, kernel_size=3, stride=2, padding=0)
    conv_obj.init_parameters_data()

    @ms_function
    def conv_fn(x: Any) -> Any:
        res = conv_obj(x)
        return res

    input_data = np.random.randn(2, 3, 6, 6).astype(np.float32)
    z = conv_fn(Tensor(input_data))
    assert z.asnumpy().shape == (2, 4, 3, 3)
    np.testing.assert_allclose(z.asnumpy(), conv_obj.construct(Tensor(input_data)).asnumpy(), rtol=1e-4, atol=1e-5)


class LeNet5(nn.Cell):
    def __init__(self, num_class: int = 10, num_channel: int = 1) -> None:
        super(LeNet5, self).__init__()  # noqa: UP008 # as the tutorial has it
        self.conv1 = nn.Conv2d(num_channel, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(16 * 5 * 5, 120, weight_init=Normal(0.02))
        self.fc2 = nn.Dense(120, 84, weight_init=Normal(0.02))
        self.fc3 = nn.Dense(84, num_class, weight_init=Normal(0.02))
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x: Any) -> Any:
        x = self.conv1(x)
        x = self.relu(x)
        x = self.max_pool2d(x)
        x = self.conv2(x)
        x = self.relu(x)
        x = self.max_pool2d(x)
        x = self.flatten(x)
        x = self.fc1(x)
        x = self.relu(x)
        x = self.fc2(x)
        x = self.relu(x)
        x = self.fc3(x)
        return x


class GradWrap(nn.Cell):
    def __init__(self, network: nn.Cell) -> None:
        super(GradWrap, self).__init__(auto_prefix=False)  # noqa: UP008 # as the tutorial has it
        self.network = network
        self.weights = ParameterTuple(filter(lambda x: x.requires_grad, network.get_parameters()))

    def construct(self, x: Any, label: Any) -> Any:
        weights = self.weights
        return ops.GradOperation(get_by_list=True)(self.network, weights)(x, label)


def test_gradients_and_training() -> None:
    net = LeNet5()
    optimizer = Momentum(filter(lambda x: x.requires_grad, net.get_parameters()), 0.1, 0.9)
    criterion = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    net_with_criterion = WithLossCell(net, criterion)
    train_network = GradWrap(net_with_criterion)
    train_network.set_train()
    input_data = Tensor(np.ones([32, 1, 32, 32]).astype(np.float32) * 0.01)
    label = Tensor(np.ones([32]).astype(np.int32))
    output = net(Tensor(input_data))
    loss_output = criterion(output, label)
    grads = train_network(input_data, label)
    success = optimizer(grads)
    loss = loss_output.asnumpy()
    assert success
    assert abs(float(loss) - 2.3026) < 0.002
    assert [g.shape for g in grads] == [p.shape for p in net.trainable_params()]
    assert float(criterion(net(input_data), label)) < float(loss)


class FallbackNet(nn.Cell):
    def construct(self) -> Any:
        x = np.array([1, 2, 3])
        y = Tensor(x)
        return y


def test_numpy_inside_a_network(capsys: pytest.CaptureFixture[str]) -> None:
    net = FallbackNet()
    print(net())
    assert capsys.readouterr().out == "[1 2 3]\n"
