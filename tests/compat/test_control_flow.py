"""MindSpore programs of control flow: on Tensors, in Cells, with gradients."""

from __future__ import annotations

import mindspore.nn as nn
import mindspore.ops.operations as P
import numpy as np
import pytest
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, ms_function, ops
from mindspore.common import dtype as mstype
from mindspore.ops import composite as C
from mindspore.ops import functional as F

pytestmark = pytest.mark.usefixtures("mode")
grad_all = C.GradOperation(get_all=True)
grad_by_list = C.GradOperation(get_by_list=True)


class GradNet(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net
        self.grad = C.GradOperation()

    def construct(self, *inputs):
        return self.grad(self.net)(*inputs)


class GradAllNet(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, *inputs):
        return grad_all(self.net)(*inputs)


def f32(*values):
    return Tensor(np.array(values if len(values) > 1 else values[0]), mstype.float32)


def close(found, expected):
    np.testing.assert_allclose(found.asnumpy(), np.asarray(expected), rtol=1e-5, atol=1e-6)


def test_while_with_tensor_condition():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.mul = P.Mul()
            self.add = P.Add()

        def construct(self, x, y):
            while x < y:
                z = self.mul(x, x)
                x = self.add(z, 1)
            return x

    net = Net()
    close(net(f32([1.1]), f32([8.0])), [35.6226305])
    gradients = GradAllNet(net)(f32([1.1]), f32([8.0]))
    close(gradients[0], [114.433983])
    close(gradients[1], [0.0])


def test_while_with_parameter_and_counter():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.max = P.ReduceMax()
            self.param = Parameter(Tensor(np.arange(8).reshape((2, 2, 2)), mstype.float32), name="weight")
            self.zero = Tensor(np.zeros([2, 2, 2]), mstype.float32)

        def construct(self, idx, end, x):
            out = self.zero
            while idx < end:
                part = x[idx, :, :]
                out = out + part + self.param
                idx = idx + 1
            return out

    class Grad(nn.Cell):
        def __init__(self, net):
            super().__init__()
            self.net = net
            self.weights = ParameterTuple(net.trainable_params())

        def construct(self, a, b, c):
            return grad_by_list(self.net, self.weights)(a, b, c)

    net = Net()
    idx, end = Tensor(np.array(0), mstype.int32), Tensor(np.array(2), mstype.int32)
    x = Tensor(np.arange(8).reshape(2, 2, 2).astype(np.float32))
    base = np.arange(8).reshape(2, 2, 2)
    close(net(idx, end, x), base[0] + base[1] + 2 * base)
    close(Grad(net)(idx, end, x)[0], np.full((2, 2, 2), 2.0))


def test_if_in_for_with_break_and_its_gradient():
    class Net(nn.Cell):
        def __init__(self, cycles):
            super().__init__()
            self.cycles = cycles
            self.zero = Tensor(np.array(0), mstype.float32)

        def construct(self, x, y):
            out = self.zero
            for _ in range(self.cycles):
                out = x * y + out
                if out > 20:
                    break
            return out

    net = Net(10)
    assert net(f32(1.0), f32(3.0)) == Tensor(21.0, mstype.float32)
    assert GradNet(net)(f32(1.0), f32(3.0)) == Tensor(21.0, mstype.float32)


def test_if_after_while_in_for_with_continue():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(Tensor(3.0, mstype.float32), name="a")

        def construct(self, x):
            out = x
            for i in range(5):
                if i == 2:
                    continue
                while out < self.a * i:
                    out = out + 2 * x
                if out > 10:
                    out = out - 5
                else:
                    out = out * 1.5
            return out

    def plain(x):
        out = x
        for i in range(5):
            if i == 2:
                continue
            while out < 3.0 * i:
                out = out + 2 * x
            out = out - 5 if out > 10 else out * 1.5
        return out

    close(Net()(f32(1.25)), plain(1.25))
    slope = (plain(1.25 + 1e-4) - plain(1.25 - 1e-4)) / 2e-4
    np.testing.assert_allclose(float(GradNet(Net())(f32(1.25))), slope, rtol=1e-3)


def test_elif_chain_on_tensors_returns_from_branches():
    class Net(nn.Cell):
        def construct(self, x, a, b):
            if a > b:
                return F.relu(x)
            elif a == b:
                return x + b
            return x * a

    net = Net()
    x = f32(-1.0, 2.0)
    close(net(x, f32(3.0), f32(2.0)), [0.0, 2.0])
    close(net(x, f32(2.0), f32(2.0)), [1.0, 4.0])
    close(net(x, f32(1.0), f32(2.0)), [-1.0, 2.0])


def test_nested_while_with_global_tensors():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.k = Tensor(2.0, mstype.float32)

        def construct(self, x):
            i = f32_zero
            out = x
            while i < 3:
                j = f32_zero
                while j < 2:
                    out = out * self.k + i
                    j = j + 1
                i = i + 1
            return out

    f32_zero = Tensor(0.0, mstype.float32)
    out = 1.0
    for i in range(3):
        for _ in range(2):
            out = out * 2 + i
    close(Net()(f32(1.0)), out)
    close(GradNet(Net())(f32(1.0)), 64.0)


def test_jit_function_with_while():
    @jit
    def f(x, limit):
        steps = 0
        while x < limit:
            x = x * 2
            steps += 1
        return x, steps

    x, steps = f(f32(1.0), f32(100.0))
    close(x, 128.0)
    assert steps == 7


def test_jit_function_without_arguments():
    @jit
    def f():
        x = Tensor(5)
        y = Tensor(2)
        z = Tensor(0)
        for i in range(-3, 0):
            if y < x:
                y += i
            else:
                z = x * 2 - y
        z = z + Tensor(1)
        if x + y >= z:
            y = y * x - z
        z = x + y
        return y + z

    assert f() == -37


def test_ms_function_method_of_a_cell():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(f32([1.0, 2.0]), name="w")

        @ms_function
        def scaled(self, x):
            return x * self.w

        def construct(self, x):
            return self.scaled(x) + 1

    close(Net()(f32([3.0, 4.0])), [4.0, 9.0])


def test_recursion():
    @jit
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    assert fibonacci(10) == 55


def test_for_over_tensor_rows_and_enumerate():
    class Net(nn.Cell):
        def construct(self, x):
            total = x[0] * 0
            for i, row in enumerate(x):
                total = total + row * i
            return total

    close(Net()(Tensor(np.arange(6).reshape(3, 2).astype(np.float32))), [10.0, 13.0])


def test_cells_in_a_list_chosen_in_a_loop():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([nn.ReLU(), nn.Tanh(), nn.Sigmoid()])

        def construct(self, x):
            for layer in self.layers:
                x = layer(x) + 1
            return x

    x = np.array([-1.0, 0.5])
    expected = 1 / (1 + np.exp(-(np.tanh(np.maximum(x, 0) + 1) + 1))) + 1
    close(Net()(f32([-1.0, 0.5])), expected)


def test_ternary_and_boolean_operators():
    @jit
    def f(x, y):
        a = x if x > y else y
        flag = x > 0 and y > 0 or not (x < y)
        return a * 2 if flag else a - 1

    close(f(f32(1.0), f32(2.0)), 4.0)
    close(f(f32(-1.0), f32(2.0)), 1.0)


@pytest.mark.parametrize("kind", ["while", "for"])
def test_while_else_and_for_else_are_refused(kind):
    @jit
    def of_while(x):
        i = 0
        while i < 3:
            i += 1
        else:
            x = x + 10
        return x

    @jit
    def of_for(x):
        for k in range(3):
            if k == 5:
                break
        else:
            x = x + 100
        return x

    with pytest.raises(RuntimeError, match=rf"The '{kind}\.\.\.else\.\.\.' statement is not supported now"):
        {"while": of_while, "for": of_for}[kind](f32(1.0))


def test_grad_of_branches_by_parameter():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(f32(2.0), name="w")
            self.b = Parameter(f32(3.0), name="b")

        def construct(self, x):
            if x > 0:
                return x * self.w + self.b
            return x * self.b

    net = Net()
    by_list = C.GradOperation(get_by_list=True)
    grads = by_list(net, ParameterTuple(net.trainable_params()))(f32(5.0))
    close(grads[0], 5.0)
    close(grads[1], 1.0)
    grads = by_list(net, ParameterTuple(net.trainable_params()))(f32(-5.0))
    close(grads[0], 0.0)
    close(grads[1], -5.0)


def test_second_order_gradient():
    def f(x):
        return x * x * x

    second = ops.grad(ops.grad(f))
    close(second(f32(2.0)), 12.0)


def test_assert_and_raise():
    @jit
    def f(x):
        if x.shape[0] > 3:
            raise ValueError(f"too long: {x.shape[0]}")
        assert x.ndim == 1
        return x + 1

    close(f(f32(1.0, 2.0)), [2.0, 3.0])
    with pytest.raises(ValueError, match="too long: 4"):
        f(f32(1.0, 2.0, 3.0, 4.0))
    with pytest.raises(AssertionError):
        f(Tensor(np.ones((2, 2), np.float32)))


def test_raise_on_a_tensor_condition():
    @jit
    def f(x):
        if x > 3:
            raise RuntimeError("x is too large")
        return x

    close(f(f32(1.0)), 1.0)
    with pytest.raises(RuntimeError, match="x is too large"):
        f(f32(4.0))


def test_context_mode_is_what_it_was_set_to(mode):
    assert context.get_context("mode") == (context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)


def test_cells_chosen_by_a_tensor_in_a_loop():
    class Times(nn.Cell):
        def __init__(self, i):
            super().__init__()
            self.i = i

        def construct(self, x):
            return self.i * x

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cells_ = nn.CellList()
            for i in (4, 5, 6):
                self.cells_.append(Times(i))

        def construct(self, t, x):
            out = t
            while x < 3:
                out = out + self.cells_[x](t)
                x += 1
            return out

    def arguments():
        return Tensor(10, mstype.int32), Tensor(0, mstype.int32)

    assert Net()(*arguments()) == 160
    assert GradNet(Net())(*arguments()) == 16


def test_a_parameter_written_in_nested_loops():
    class Net(nn.Cell):
        def __init__(self, cycles):
            super().__init__()
            self.cycles = cycles
            self.i = Tensor(np.array(0), mstype.int32)
            self.weight = Parameter(Tensor(np.array(0), mstype.int32), name="weight")

        def construct(self, x, y):
            i = self.i
            out = self.i
            while i < self.cycles:
                self.weight = i
                j = self.i
                while j < self.cycles + 3:
                    out = x * y + out
                    j = j + 1
                i = i + 1
            if out < 20:
                self.weight = out
            else:
                self.weight = x
            return out, self.weight

    x, y = Tensor(np.array(1), mstype.int32), Tensor(np.array(3), mstype.int32)
    out, weight = Net(3)(x, y)
    assert (int(out), int(weight)) == (54, 1)
    dx, dy = GradAllNet(Net(3))(x, y)
    assert (int(dx), int(dy)) == (54, 18)  # gradients ignore what is written to Parameters


def test_jit_of_a_construct_function():
    class Net(nn.Cell):
        def construct(self, x):
            while x[2] < 4:
                x[2] -= 1
                if x[0] > 2:
                    return x
                elif x[1] > 2:
                    x[2] += 1
                elif x[2] > 2:
                    x[1] += 1
                else:
                    x = x * x
            return x

    for mode in ("PSJit", "PIJit"):
        close(jit(fn=Net.construct, mode=mode)(Net(), f32([1.0, 2.0, 3.0])), [1.0, 4.0, 4.0])


def test_dynamic_inputs():
    class Net(nn.Cell):
        def construct(self, x):
            return x.sum() + x.shape[0]

    net = Net()
    net.set_inputs(Tensor(shape=[None, 2], dtype=mstype.float32))
    for n in (1, 2, 3):
        close(net(Tensor(np.ones((n, 2)), mstype.float32)), 3.0 * n)
