"""MindSpore programs of control flow with Tensors and Parameters, and of gradients with everything that goes with them."""
# pyright: basic, reportMissingImports=false, reportArgumentType=false

from __future__ import annotations

import warnings

import numpy as np
import pytest
from mindspore_cases import BY_LINES, close, floats

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, ParameterTuple, Tensor, jit, mutable, nn, ops  # noqa: E402
from mindspore.ops import composite as C  # noqa: E402
from mindspore.ops import functional as F  # noqa: E402
from mindspore.ops import operations as P  # noqa: E402
from mindspore.ops.function.grad.grad_func import custom_vjp  # noqa: E402

pytestmark = pytest.mark.usefixtures("mode")


"""What compiled gradients cannot see is differentiated line by line, with a notice."""


def ints(*values):
    return Tensor(np.array(values, np.int32))


# --- augmented assignment and Parameters --------------------------------------------------------------


class Countdown(nn.Cell):
    def __init__(self):
        super().__init__()
        self.steps = Parameter(Tensor(0, ms.int32), name="steps")

    def construct(self, x, y):
        total = y
        while x > 0:
            x -= 1
            total *= 2
            self.steps += 1
        return total


def test_augmented_assignment_leaves_arguments_alone():
    net, x, y = Countdown(), Tensor(3, ms.int32), Tensor(1.5)
    steps = net.steps
    close(net(x, y), 12.0)
    close(net(x, y), 12.0)
    assert int(x) == 3
    assert float(y) == 1.5
    assert net.steps is steps
    assert int(steps) == 6
    close(ms.grad(net, 1)(x, y), 8.0)


@jit
def grown(x, n):
    total = Tensor(0)
    for i in range(n):
        total += x * i
    return total


def test_augmented_assignment_takes_another_dtype_and_shape():
    found = grown(floats(1, 2), 3)
    assert found.dtype == ms.float32
    close(found, [3, 6])
    a = b = ints(1, 2)
    a += 0.5
    assert b.dtype == ms.int32
    close(a, [1.5, 2.5])
    close(b, [1, 2])


def test_parameters_are_written():
    a = b = Parameter(floats(1, 2), name="a")
    a -= 1
    assert a is b
    close(b, [0, 1])


class Overwriting(nn.Cell):
    def __init__(self, by_assign):
        super().__init__()
        self.w = Parameter(floats(2), name="w")
        self.by_assign = by_assign

    def construct(self, x):
        y = self.w * 5
        if self.by_assign:
            F.assign(self.w, x * x)
        else:
            self.w = x * x
        return y + self.w * 3 + x


@pytest.mark.parametrize("by_assign", [False, True])
def test_gradients_ignore_what_is_written_to_parameters(by_assign):
    net = Overwriting(by_assign)
    (dx,), (dw,) = C.GradOperation(get_all=True, get_by_list=True)(net, ParameterTuple(net.trainable_params()))(
        floats(4)
    )
    close(dx, [1])
    close(dw, [8])
    close(net.w, [16])


class OneElement(nn.Cell):
    def __init__(self):
        super().__init__()
        self.p = Parameter(Tensor(5.0), name="p")

    def construct(self, x):
        self.p = x + self.p
        ops.assign(self.p, x + self.p)
        return self.p * 1


def test_one_element_fits_a_parameter_without_dimensions():
    net = OneElement()
    found = net(floats(6))
    assert found.shape == ()
    close(found, 17.0)
    with pytest.raises(ValueError, match=r"could not broadcast|must have the same rank"):
        net(floats(6, 7))


# --- loops over functions ---------------------------------------------------------------------------


@jit
def powers(x, limit):
    return ops.WhileLoop()(lambda v: v < limit, lambda v: v * 2, x)


@jit
def summed(x):
    loop = ops.ForiLoop()
    return loop(0, 4, lambda i, v: v + i * x, x)


@jit
def scanned(x, xs):
    return ops.Scan()(lambda carry, el: (carry + el, carry * el), x, xs, len(xs))


def test_loops_over_functions():
    close(powers(Tensor(3.0), 50.0), 96.0)
    close(ms.grad(powers)(Tensor(3.0), 50.0), 32.0)
    close(summed(Tensor(2.0)), 14.0)
    close(ms.grad(summed)(Tensor(2.0)), 7.0)
    carry, products = scanned(Tensor(1.0), [1, 2, 3])
    close(carry, 7.0)
    assert [float(p) for p in products] == [1.0, 4.0, 12.0]
    assert ops.fori_loop(2, 5, lambda i, v: v + i, 0) == 9
    with pytest.raises(ValueError, match="3 items"):
        ops.scan(lambda c, x: (c, x), 0, [1, 2, 3], 2)


class Clipped(nn.Cell):
    def __init__(self):
        super().__init__()
        self.partial = P.Partial()
        self.map = C.HyperMap()

    def construct(self, *xs):
        return self.map(self.partial(F.mul, 3), xs)


def test_partial():
    a, b = Clipped()(floats(1), floats(2, 3))
    close(a, [3])
    close(b, [6, 9])


# --- what gradient functions give ---------------------------------------------------------------------


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(floats(2, 3), name="w")

    def construct(self, x):
        return x * self.w


class OfNothing(Weighted):
    def construct(self):
        return self.w * 2


def test_gradients_by_nothing():
    assert C.GradOperation()(OfNothing())() == ()
    assert C.GradOperation(get_all=True)(OfNothing())() == ()
    assert ms.grad(lambda x, y: x + y, return_ids=True)(1, 2) == ()
    net = Weighted()
    with pytest.raises(RuntimeError, match="should not be empty"):
        ms.grad(net, grad_position=(), weights=net.trainable_params())(floats(1, 1))
    found = ms.grad(net, 0, net.trainable_params(), return_ids=True)(floats(1, 1))
    close(ops.get_grad(found, net.w), [1, 1])
    with pytest.raises(RuntimeError, match="for position or Parameter 1"):
        ops.get_grad(found, 1)


def test_bools_have_a_gradient_too():
    dx, dflag, dy = C.GradOperation(get_all=True)(lambda x, flag, y: x * y * flag)(
        floats(2, 3), Tensor([True, False]), floats(5, 7)
    )
    close(dx, [5, 0])
    close(dy, [2, 0])
    assert dflag.dtype == ms.bool_
    assert dflag.shape == (2,)


def nested(x):
    return {"a": x * 2, "b": (x, [x * x])}


def test_cotangents_in_containers():
    x = floats(3, 4)
    close(C.GradOperation(sens_param=True)(nested)(x, nested(x)), 4 * x.asnumpy() + x.asnumpy() + 2 * x.asnumpy() ** 3)
    with pytest.raises((RuntimeError, IndexError)):
        C.GradOperation(sens_param=True)(nested)(x, {"a": x, "b": (x, [])})


def test_gradients_by_containers_are_like_them():
    pair = mutable([floats(1, 2), {"b": floats(3, 4)}])
    found = C.GradOperation()(lambda z: z[0] * z[1]["b"])(pair)
    assert isinstance(found, list)
    close(found[0], [3, 4])
    close(found[1]["b"], [1, 2])


def test_vjp():
    x, v = floats(1, 2), floats(1, 10)
    value, back = ms.vjp(lambda x: x**3, x)
    close(value, [1, 8])
    (dx,) = back(v)
    close(dx, [3, 120])
    net = Weighted()
    value, back = ops.vjp(net, x, weights=net.trainable_params())
    (dx,), (dw,) = back(v)
    close(dx, [2, 30])
    close(dw, [1, 20])
    _, back, aux = ops.vjp(lambda x, y: (x * y, x + y), x, v, has_aux=True)
    dx, dy = back(v)
    close(dx, [1, 100])
    close(dy, [1, 20])
    close(aux, [2, 12])


def test_custom_vjp():
    @custom_vjp
    def scaled(x, y):
        return 2 * x + y

    def backward(x, y, out, dout):
        return dout * out, y

    scaled.defbwd(backward)
    _, back = ops.vjp(lambda x, y: scaled(x, y) + x, floats(1), floats(5))
    dx, dy = back(floats(10))
    close(dx, [80])
    close(dy, [5])


def test_linearize_and_taylor_series():
    x = floats(1, 2)
    value, along = F.linearize(lambda x: x * x, x)
    close(value, [1, 4])
    close(along(floats(1, 10)), [2, 40])
    close(along(x), [2, 8])
    rows = Tensor(np.array([[1, 1], [2, 0], [0, 0]], np.float32))
    value, found = F.jet(lambda x: x**3, x, rows)
    close(value, [1, 8])
    close(found, [[3, 12], [12, 12], [42, 6]])  # of (1 + t + t²)³ and (2 + t)³ at 0
    value, third = F.derivative(lambda x, y: (x * x * y, y), (x, x), 3)
    close(third[0], [6, 6])
    close(third[1], [0, 0])
    with pytest.raises(ValueError, match="order"):
        F.derivative(lambda x: x, x, 0)


# --- what gradients do not see, and what sees them ------------------------------------------------------


class Paused(nn.Cell):
    def construct(self, x):
        y = x * x
        with ms._no_grad():
            z = y * x
        return y * z


class Undifferentiated(nn.Cell):
    @ms._no_grad()
    def construct(self, x):
        return x * x


@BY_LINES
def test_no_grad():
    close(ms.grad(Paused())(floats(2)), [32])
    close(ms.grad(lambda x: Undifferentiated()(x) * x)(floats(3)), [9])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        close(Paused()(floats(2)), [32])


@BY_LINES
def test_hooks_of_tensors():
    seen = []

    def doubled(gradient):
        seen.append(gradient.asnumpy().tolist())
        return gradient * 2

    def f(x, y):
        z = x * y
        z.register_hook(doubled)
        return z * y

    dx, dy = ms.grad(f, (0, 1))(floats(1, 2), floats(3, 4))
    assert seen == [[3.0, 4.0]]
    close(dx, [18, 32])
    close(dy, [9, 24])


@BY_LINES
def test_hooks_of_arguments_and_parameters():
    net, x = Weighted(), floats(1, 2)
    handles = [
        net.w.register_hook(lambda g: g * 10),
        net.w.register_hook(lambda g: None),
        x.register_hook(lambda g: -g),
    ]
    gradient = C.GradOperation(get_all=True, get_by_list=True)(net, ParameterTuple([net.w]))
    (dx,), (dw,) = gradient(x)
    close(dx, [-2, -3])
    close(dw, [10, 20])
    for handle in handles:
        handle.remove()
        handle.remove()
    (dx,), (dw,) = gradient(x)
    close(dx, [2, 3])
    close(dw, [1, 2])
    with pytest.raises(TypeError, match="Expected a callable hook function"):
        x.register_hook("no function")


class Doubled(nn.Cell):
    def construct(self, x):
        return x * 2


@BY_LINES
def test_backward_hooks_by_cell_id_get_the_output_s_gradient_first():
    seen = []

    def hook(cell_id, grad_input, grad_output):
        seen.append((cell_id.startswith("Doubled"), float(grad_input[0][0]), float(grad_output[0][0])))
        return (grad_output[0] * 10,)

    net = Doubled()
    net.register_backward_hook(hook)
    close(ms.grad(lambda x: net(x) * 3)(floats(1)), [60])
    assert seen == [(True, 3.0, 6.0)]


def test_constant_arguments():
    x = Tensor([1.0, 2.0], const_arg=True)
    x.set_const_arg(False)
    close(ms.grad(lambda x: x * x)(x), [2, 4])
    with pytest.raises(TypeError, match="const_arg"):
        x.set_const_arg(1)
