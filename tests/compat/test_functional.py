"""MindSpore programs of gradients and of functions over structures: GradOperation, grad, HyperMap, MultitypeFuncGraph."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.numpy as mnp
import numpy as np
import pytest
from mindspore import Parameter, ParameterTuple, Tensor, jit, ops
from mindspore.common.initializer import Normal, One, initializer
from mindspore.ops import composite as C
from mindspore.ops import constexpr
from mindspore.ops import functional as F
from mindspore.ops import operations as P

pytestmark = pytest.mark.usefixtures("mode")


def close(found, expected, rtol=1e-5):
    np.testing.assert_allclose(found.asnumpy(), np.asarray(expected), rtol=rtol, atol=1e-6)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = P.MatMul()
        self.z = Parameter(Tensor(np.array([2.0], np.float32)), name="z")

    def construct(self, x, y):
        return self.matmul(x * self.z, y)


X = Tensor([[0.8, 0.6, 0.2], [1.8, 1.3, 1.1]], ms.float32)
Y = Tensor([[0.11, 3.3, 1.1], [1.1, 0.2, 1.4], [1.1, 2.2, 0.3]], ms.float32)
DX = np.tile(2 * Y.asnumpy().sum(1), (2, 1))
DY = np.tile(2 * X.asnumpy().sum(0)[:, None], (1, 3))
DZ = [(X.asnumpy() @ Y.asnumpy()).sum()]


def test_grad_operation_first():
    close(C.GradOperation()(Net())(X, Y), DX)


def test_grad_operation_all():
    dx, dy = C.GradOperation(get_all=True)(Net())(X, Y)
    close(dx, DX)
    close(dy, DY)


def test_grad_operation_by_list():
    net = Net()
    (dz,) = C.GradOperation(get_by_list=True)(net, ParameterTuple(net.trainable_params()))(X, Y)
    close(dz, DZ)


def test_grad_operation_all_and_by_list():
    net = Net()
    (dx, dy), (dz,) = C.GradOperation(get_all=True, get_by_list=True)(net, ParameterTuple(net.trainable_params()))(X, Y)
    close(dx, DX)
    close(dy, DY)
    close(dz, DZ)


def test_grad_operation_sens():
    sens = Tensor(np.full((2, 3), 0.5), ms.float32)
    close(C.GradOperation(sens_param=True)(Net())(X, Y, sens), DX / 2)
    net = Net()
    grads = C.GradOperation(get_all=True, get_by_list=True, sens_param=True)(
        net, ParameterTuple(net.trainable_params())
    )
    (dx, _), (dz,) = grads(X, Y, sens)
    close(dx, DX / 2)
    close(dz, [DZ[0] / 2])


def test_grad_in_construct():
    class GradNet(nn.Cell):
        def __init__(self, net):
            super().__init__()
            self.net = net
            self.grad_op = ops.GradOperation(sens_param=True)
            self.sens = Tensor(np.ones((2, 3)), ms.float32)

        def construct(self, x, y):
            return self.grad_op(self.net)(x, y, self.sens)

    close(GradNet(Net())(X, Y), DX)


def test_ms_grad_positions_and_weights():
    net = Net()
    dx, dy = ms.grad(net, (0, 1))(X, Y)
    close(dx, DX)
    close(dy, DY)
    close(ops.grad(net, grad_position=1)(X, Y), DY)
    inputs, params = ms.grad(net, 0, weights=net.trainable_params())(X, Y)
    close(inputs, DX)
    close(params[0], DZ)
    assert len(ms.grad(net, None, weights=net.trainable_params())(X, Y)) == 1


def test_value_and_grad_with_aux():
    def forward(x, y):
        loss = (x * y).sum()
        return loss, x + 1

    (loss, aux), grads = ms.value_and_grad(forward, (0, 1), None, has_aux=True)(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    close(loss, 11.0)
    close(aux, [2.0, 3.0])
    close(grads[0], [3.0, 4.0])
    close(grads[1], [1.0, 2.0])


def test_stop_gradient():
    def f(x, y):
        c = x * y
        return c + ops.stop_gradient(c)

    dx, dy = ms.grad(f, (0, 1))(Tensor([2.0]), Tensor([5.0]))
    close(dx, [5.0])
    close(dy, [2.0])


def test_training_step_with_forward_function():
    ms.set_seed(1)
    net = nn.Dense(2, 1, weight_init=Normal(0.02))
    loss_fn = nn.MSELoss()
    optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)

    def forward(data, label):
        logits = net(data)
        return loss_fn(logits, label), logits

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    @jit
    def step(data, label):
        (loss, _), grads = grad_fn(data, label)
        optimizer(grads)
        return loss

    data = Tensor(np.random.RandomState(0).randn(32, 2), ms.float32)
    label = Tensor(data.asnumpy() @ np.array([[1.0], [-2.0]], np.float32) + 0.5)
    losses = [float(step(data, label)) for _ in range(60)]
    assert losses[-1] < 1e-3 * losses[0]
    close(net.weight, [[1.0, -2.0]], 0.05)


def test_train_one_step_cell_with_gradient_clipping():
    clip_grad = C.MultitypeFuncGraph("clip_grad")

    @clip_grad.register("Number", "Number", "Tensor")
    def _clip_grad(clip_type, clip_value, grad):
        if clip_type not in (0, 1):
            return grad
        if clip_type == 0:
            return C.clip_by_value(grad, F.cast(-clip_value, F.dtype(grad)), F.cast(clip_value, F.dtype(grad)))
        return nn.ClipByNorm()(grad, F.cast(clip_value, F.dtype(grad)))

    class TrainOneStep(nn.Cell):
        def __init__(self, network, optimizer):
            super().__init__(auto_prefix=False)
            self.network = network
            self.network.set_grad()
            self.weights = optimizer.parameters
            self.optimizer = optimizer
            self.grad = C.GradOperation(get_by_list=True, sens_param=True)
            self.hyper_map = C.HyperMap()

        def construct(self, x, y):
            loss = self.network(x, y)
            sens = P.Fill()(P.DType()(loss), P.Shape()(loss), 1.0)
            grads = self.grad(self.network, self.weights)(x, y, sens)
            grads = self.hyper_map(F.partial(clip_grad, 0, 0.5), grads)
            return F.depend(loss, self.optimizer(grads))

    net = nn.Dense(2, 1, weight_init="zeros", bias_init="zeros")
    train = TrainOneStep(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.0))
    loss = train(Tensor([[100.0, 1.0]]), Tensor([[10.0]]))
    close(loss, 100.0)
    close(net.weight, [[0.05, 0.05]])


def test_multitype_func_graph():
    add = C.MultitypeFuncGraph("add")

    @add.register("Number", "Number")
    def add_numbers(x, y):
        return x + y

    @add.register("Tensor", "Tensor")
    def add_tensors(x, y):
        return x + y * 10

    @add.register("Tensor", "Number")
    def add_number(x, y):
        return x + y * 100

    @add.register("Tuple", "String")
    def add_tuple(x, y):
        return x[0], y

    class Adder(nn.Cell):
        def construct(self, x):
            return add(x, x), add(x, 1), add(1, 2), add((x, 2), "s")[1]

    a, b, c, d = Adder()(Tensor([1.0]))
    close(a, [11.0])
    close(b, [101.0])
    assert (c, d) == (3, "s")
    with pytest.raises(ValueError, match="cannot find fn match given args"):
        add("a", 1)


def test_hyper_map():
    square = C.HyperMap()

    @jit
    def f(xs, ys):
        nested = square(lambda v: v * v, (xs, [ys[0], 3]))
        return nested, C.HyperMap()(lambda a, b: a + b, xs, ys)

    (squares, others), sums = f((Tensor([2.0]), 4), (Tensor([3.0]), 1))
    close(squares[0], [4.0])
    assert squares[1] == 16
    close(others[0], [9.0])
    assert others[1] == 9
    close(sums[0], [5.0])
    assert sums[1] == 5


def test_map():
    @jit
    def f(xs, ys):
        return C.Map()(lambda a, b: a * b, xs, ys)

    made = f((Tensor([2.0]), 4), (Tensor([3.0]), 5))
    close(made[0], [6.0])
    assert made[1] == 20


def test_constexpr():
    @constexpr
    def shape_with(shape, n):
        return tuple(list(shape) + [n])

    @constexpr
    def table(n):
        return Tensor(np.arange(n), ms.float32)

    class Cellular(nn.Cell):
        def construct(self, x):
            y = ops.reshape(x, shape_with(x.shape, 1))
            return y.shape, x + table(x.shape[0])

    shape, y = Cellular()(Tensor([1.0, 2.0]))
    assert shape == (2, 1)
    close(y, [1.0, 3.0])


def test_numpy_module():
    @jit
    def f(x):
        return mnp.sum(mnp.ones((2, 3)) * x) + mnp.arange(3)[1] + mnp.where(x > 0, x, mnp.zeros_like(x)).mean()

    close(f(Tensor([1.0, -1.0, 3.0])), 6 + 1 + 4 / 3)
    assert mnp.newaxis is None
    assert (mnp.float_, mnp.int_) == (ms.float32, ms.int32)
    close(mnp.mod(Tensor([5.0]), 3.0), [2.0])


def test_tensor_with_initializer():
    made = Tensor(shape=(2, 3), dtype=ms.float32, init=One())
    close(made.init_data(), np.ones((2, 3)))
    close(initializer("zeros", [2], ms.int32), [0, 0])
    assert Parameter(initializer(Normal(), [4, 4]), name="w").shape == (4, 4)
    assert ms.tensor([1, 2], ms.float16).dtype == ms.float16


def test_vmap_jvp_vjp():
    def f(x, y):
        return (x * y).sum()

    rows = Tensor(np.arange(6).reshape(3, 2), ms.float32)
    close(ops.vmap(f, in_axes=(0, None))(rows, Tensor([1.0, 2.0])), [2.0, 8.0, 14.0])
    value, tangent = ops.jvp(lambda x: x * x, Tensor([3.0]), Tensor([1.0]))
    close(value, [9.0])
    close(tangent, [6.0])
    value, back = ops.vjp(lambda x: x * x, Tensor([3.0]))
    (dx,) = back(Tensor([1.0]))
    close(dx, [6.0])


def test_gradient_of_a_loop_over_a_list_of_parameters():
    class Stack(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.SequentialCell([nn.Dense(2, 2, weight_init="ones") for _ in range(3)])

        def construct(self, x):
            return self.layers(x).sum()

    net = Stack()
    grads = ms.grad(net, None, net.trainable_params())(Tensor([[1.0, 1.0]]))
    assert len(grads) == 6
    close(grads[0], np.full((2, 2), 4.0))


def test_custom_bprop():
    class Cube(nn.Cell):
        def construct(self, x):
            return x * x * x

        def bprop(self, x, out, dout):
            return (dout * 100,)

    close(ms.grad(Cube())(Tensor([2.0])), [100.0])


def test_gradients_of_integers():
    class Net(nn.Cell):
        def construct(self, x, y):
            out = Tensor(np.array(0), ms.int32)
            for _ in range(3):
                out = x * y + out
                if out > 20:
                    break
            return out

    x, y = Tensor(np.array(1), ms.int32), Tensor(np.array(3), ms.int32)
    found = C.GradOperation()(Net())(x, y)
    assert found == 9
    assert found.dtype == ms.int32
    dx, dy = C.GradOperation(get_all=True)(Net())(x, y)
    assert (int(dx), int(dy)) == (9, 3)


def test_gradients_by_all_arguments_keep_their_places():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.max = P.ReduceMax()

        def construct(self, idx, end, x):
            while idx < end:
                part = x[idx, :, :]
                x[idx, :, 0:2] = self.max(part)
                idx = idx + 1
            return x

    x = np.array([[[4, 0], [0, 0]], [[0, 4], [0, 0]]]).astype(np.float32)
    idx, end = Tensor(np.array(0), ms.int32), Tensor(np.array(2), ms.int32)
    grads = C.GradOperation(get_all=True)(Net())(idx, end, Tensor(x.copy()))
    assert (int(grads[0]), int(grads[1])) == (0, 0)
    close(grads[2], x)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: (x * x).sum(), [2, 4, 6]),
        (lambda x: x**3, [3, 12, 27]),
        (lambda x: x[1:] * 2 - x[:-1], [-1, 1, 2]),
        (lambda x: x.astype(ms.float32) * 2.5, [2, 2, 2]),
        (lambda x: x.reshape(3, 1).max(), [0, 0, 1]),
        (lambda x: ops.where(x > 1, x * 4, 0), [0, 4, 4]),
        (lambda x: ops.concat((x, -x, x)), [1, 1, 1]),
    ],
)
def test_gradients_of_integer_operators(function, expected):
    found = ops.grad(function)(Tensor([1, 2, 3], ms.int32))
    assert found.dtype == ms.int32
    assert found.asnumpy().tolist() == expected


def test_sens_param_of_grad():
    def function(x, y):
        return x**2 * y, x * y

    sens = (Tensor([2.0]), Tensor([10.0]))
    close(F.grad(function, grad_position=0, sens_param=True)(Tensor([3.0]), Tensor([5.0]), sens), [110.0])
    (dy,) = F.grad(function, (1,), True)(Tensor([3.0]), Tensor([5.0]), sens)
    close(dy, [48.0])


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([6], ms.int32), name="w")
        self.b = Parameter(Tensor([2], ms.int32), name="b")

    def construct(self, x, y):
        return self.w * x + self.b * y


class GradientOf(nn.Cell):
    def __init__(self, net, weights, **flags):
        super().__init__(auto_prefix=False)
        self.net = net
        self.weights = weights
        self.grad = ops.GradOperation(**flags)

    def construct(self, *args):
        return self.grad(self.net, self.weights)(*args)


def as_ints(value):
    return tuple(map(as_ints, value)) if isinstance(value, tuple) else int(value)


def test_the_structure_of_gradients():
    x, y = Tensor([10], ms.int32), Tensor([20], ms.int32)
    net = Weighted()
    w, b = net.trainable_params()
    assert as_ints(GradientOf(net, w, get_by_list=True)(x, y)) == 10
    assert as_ints(GradientOf(net, [w, b], get_by_list=True)(x, y)) == (10, 20)
    assert as_ints(GradientOf(net, None, get_by_list=True)(x, y)) == (10, 20)
    assert as_ints(GradientOf(net, w, get_all=True, get_by_list=True)(x, y)) == ((6, 2), 10)
    assert as_ints(ops.grad(net, 0, w)(x, y)) == (6, 10)
    assert as_ints(ops.grad(net, None, w)(x, y)) == 10
    assert as_ints(ops.grad(net, (0, 1), [w])(x, y)) == ((6, 2), (10,))
    with pytest.raises((IndexError, RuntimeError), match="Position index 5"):
        ops.grad(net, (0, 5))(x, y)
    with pytest.raises(ValueError, match="can not be None at the same time"):
        ops.grad(net, None)


def test_gradients_with_identifiers():
    x, y = Tensor([10], ms.int32), Tensor([20], ms.int32)
    net = Weighted()
    w, b = net.trainable_params()
    found = ops.grad(net, (0, 1), [w, b], return_ids=True)(x, y)
    assert found == (((0, x * 0 + 6), (1, x * 0 + 2)), (("w", x), ("b", y)))
    assert int(ops.get_grad(found, 1)) == 2
    assert int(ms.get_grad(found, b)) == 20
    value, one = ms.value_and_grad(net, None, w, return_ids=True)(x, y)
    assert (int(value), one) == (100, ("w", x))

    @jit
    def compiled(x, y):
        return ops.get_grad(ops.grad(net, (0, 1), [w, b], return_ids=True)(x, y), w)

    assert compiled(x, y) == 10
    with pytest.raises(RuntimeError, match="the gradient for position or Parameter 7"):
        ops.get_grad(found, 7)


def test_operators_of_functional():
    @jit
    def f(x):
        return F.scalar_add(1, 2), F.tensor_mul(x, 2), F.tuple_getitem((1, 2), 1), F.scalar_lt(1, 2), F.bool_not(True)

    a, b, c, d, e = f(Tensor([3.0]))
    close(b, [6.0])
    assert (a, c, d, e) == (3, 2, True, False)


def test_ndarrays_are_no_part_of_gradients():
    x = Tensor([1.0, 2.0])
    close(ops.grad(lambda x: x * Tensor(x.asnumpy()))(x), [1.0, 2.0])
    close(ops.grad(lambda x: Tensor(np.exp(x.asnumpy())) + x)(x), [1.0, 1.0])
