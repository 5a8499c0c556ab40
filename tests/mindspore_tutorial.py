"""The code cells of MindSpore 1.6's tutorial on its two modes, in order, with `mindspore` written as `jitcore`.

Run with GRAPH_MODE or PYNATIVE_MODE as its argument; `test_mindspore_tutorial.py` compares what it prints.
"""

import sys

import numpy as np

import jitcore.nn as nn
import jitcore.ops as ops
from jitcore import ParameterTuple, Tensor, context, ms_function
from jitcore.common.initializer import Normal
from jitcore.nn import Momentum, WithLossCell

MODE = getattr(context, sys.argv[1])
context.set_context(mode=MODE, device_target="CPU")

# one operator
conv = nn.Conv2d(3, 4, 3, bias_init="zeros")
input_data = Tensor(np.ones([1, 3, 5, 5]).astype(np.float32))
output = conv(input_data)
print(output.asnumpy().shape)


# a plain function
def add_func(x, y):
    z = ops.add(x, y)
    z = ops.add(z, x)
    return z


x = Tensor(np.ones([3, 3], dtype=np.float32))
y = Tensor(np.ones([3, 3], dtype=np.float32))
output = add_func(x, y)
print(output.asnumpy())


# a network
class Net(nn.Cell):
    def __init__(self):
        super(Net, self).__init__()  # noqa: UP008
        self.mul = ops.Mul()

    def construct(self, x, y):
        return self.mul(x, y)


x = Tensor(np.array([1.0, 2.0, 3.0]).astype(np.float32))
y = Tensor(np.array([4.0, 5.0, 6.0]).astype(np.float32))

net = Net()
print(net(x, y))

# staging
context.set_context(mode=MODE, device_target="CPU")

add = ops.Add()


@ms_function
def add_fn(x, y):
    res = add(x, y)
    return res


x = Tensor(np.ones([4, 4]).astype(np.float32))
y = Tensor(np.ones([4, 4]).astype(np.float32))
z = add_fn(x, y)
print(z.asnumpy())

conv_obj = nn.Conv2d(in_channels=3, out_channels=4, kernel_size=3, stride=2, padding=0)
conv_obj.init_parameters_data()


@ms_function
def conv_fn(x):
    res = conv_obj(x)
    return res


input_data = np.random.randn(2, 3, 6, 6).astype(np.float32)
z = conv_fn(Tensor(input_data))
print(z.asnumpy().shape)


# gradients
class LeNet5(nn.Cell):
    """
    LeNet
    """

    def __init__(self, num_class=10, num_channel=1):
        super(LeNet5, self).__init__()  # noqa: UP008
        self.conv1 = nn.Conv2d(num_channel, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(16 * 5 * 5, 120, weight_init=Normal(0.02))
        self.fc2 = nn.Dense(120, 84, weight_init=Normal(0.02))
        self.fc3 = nn.Dense(84, num_class, weight_init=Normal(0.02))
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
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


net = LeNet5()


class GradWrap(nn.Cell):
    """The gradients of a network by its weights."""

    def __init__(self, network):
        super(GradWrap, self).__init__(auto_prefix=False)  # noqa: UP008
        self.network = network
        self.weights = ParameterTuple(filter(lambda x: x.requires_grad, network.get_parameters()))

    def construct(self, x, label):
        weights = self.weights
        return ops.GradOperation(get_by_list=True)(self.network, weights)(x, label)


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
print(loss)


# constants
class Constant(nn.Cell):
    def construct(self):
        x = np.array([1, 2, 3])
        y = Tensor(x)
        return y


net = Constant()
print(net())
