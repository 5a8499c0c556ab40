"""MindSpore programs of gradients: by keywords, of operators that users write, and what gradient functions of theirs write to."""

from __future__ import annotations

import numpy as np
import pytest
from mindspore_cases import floats

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, nn, ops  # noqa: E402
from mindspore._extends.parse.standard_method import ms_len  # noqa: E402
from mindspore.ops import composite as C  # noqa: E402
from mindspore.ops import operations as P  # noqa: E402
from mindspore.ops._grad.grad_base import bprop_getters  # noqa: E402
from mindspore.ops.primitive import Primitive, PrimitiveWithInfer, prim_attr_register  # noqa: E402

pytestmark = pytest.mark.usefixtures("mode")


def lists(found):
    return [g.asnumpy().tolist() for g in found]


# --- what gradient functions write to -----------------------------------------------------------------


class Accumulating(nn.Cell):
    """Adds up the gradients that go through it, where the sum is a weight itself."""

    def __init__(self, times):
        super().__init__()
        self.times = times
        self.weight = Parameter(floats(1, 1), name="weight")
        self.total = Parameter(floats(1, 1), name="total")
        self.insert = ops.InsertGradientOf(self.save)

    def save(self, dout):
        self.total = dout + self.total
        return dout

    def construct(self, x, y):
        z = x * self.weight
        self.total = self.total * 3
        i = 0
        while i < self.times:
            z = self.insert(z)
            i += 1
        return z * y


class ByWeights(nn.Cell):
    def __init__(self, network, weights):
        super().__init__()
        self.network = network
        self.weights = ParameterTuple(weights)

    def construct(self, x, y):
        gradients = C.GradOperation(get_by_list=True)(self.network, self.weights)(x, y)
        return gradients, self.network.total + 0


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("times", [Tensor(2), 2])
def test_a_gradient_function_writes_to_a_weight(count, times):
    network = Accumulating(times)
    gradients, total = ByWeights(network, [network.weight, network.total][:count])(floats(1, 1), floats(2, 2))
    assert lists(gradients) == [[2, 2], [0, 0]][:count]
    assert total.asnumpy().tolist() == network.total.asnumpy().tolist() == [7, 7]


# --- arguments of gradients -----------------------------------------------------------------------


class Keywords(nn.Cell):
    def construct(self, x, y, *rest, **more):
        return 2 * x + 3 * y + 4 * rest[0] + 5 * more["v"]


class OfKeywords(nn.Cell):
    def __init__(self, network):
        super().__init__()
        self.network = network
        self.gradients = C.GradOperation("grad_all_with_sens", get_all=True, sens_param=True)

    def construct(self, x, y, *rest, **more):
        return self.gradients(self.network)(x, y, *rest, **more)


def test_gradients_by_keywords():
    def ones(dtype):
        return Tensor(np.ones([2], dtype))

    found = OfKeywords(Keywords())(
        ones(np.int32),
        ones(np.float32),
        ones(np.float64),
        u=ones(np.float16),
        v=ones(np.int32),
        w=ones(np.float64),
        sens=ones(np.float64),
    )
    assert [int(g.asnumpy()[0]) for g in found] == [2, 3, 4, 0, 5, 0]
    assert [g.dtype for g in found] == [ms.int32, ms.float32, ms.float64, ms.float16, ms.int32, ms.float64]
    (gradient,) = (
        C.GradOperation(name="first", sens_param=True)(lambda x, y: x * y)(floats(2), y=floats(3), sens=floats(5)),
    )
    assert gradient.asnumpy().tolist() == [15]


def test_a_cell_without_construct():
    with pytest.raises(AttributeError, match=r"construct.* not defined"):
        nn.Cell()(floats(1))


# --- operators --------------------------------------------------------------------------------------

scalar_add = Primitive("scalar_add")
partial = Primitive("partial")
add = C.MultitypeFuncGraph("add")


@add.register("Number", "Number", "Number")
def _add_numbers(x, y, z):
    return scalar_add(scalar_add(x, y), z)


@add.register("Number", "Tensor", "Tensor")
def _add_tensors(x, y, z):
    return P.Add()(y, z) + x


@jit
def mapped(x, y):
    return C.HyperMap()(partial(add, 1), x, y)


def test_operators_by_name():
    assert mapped((1, 2), (3, 4)) == (5, 7)
    assert lists(mapped((floats(1),), (floats(2),))) == [[4]]
    assert Primitive("Add")(floats(1), floats(2)).asnumpy().tolist() == [3]
    assert isinstance(P.Add(), Primitive)
    assert isinstance(Primitive("Add"), P.Add)
    assert not isinstance(P.Add(), PrimitiveWithInfer)
    assert ms_len([1, 2]) == 2
    with pytest.raises(NotImplementedError, match="NoSuchOperator"):
        Primitive("NoSuchOperator")(1)


class Both(PrimitiveWithInfer):
    @prim_attr_register
    def __init__(self):
        pass

    def __call__(self, x, y):
        return x, y

    def get_bprop(self):
        def bprop(x, y, out, dout):
            return dout[0] * 3, dout[1]

        return bprop


class First(PrimitiveWithInfer):
    def __init__(self):
        super().__init__("First")

    def __call__(self, x, y):
        return x


@bprop_getters.register(First)
def _of_first(self):
    return lambda x, y, out, dout: (dout * 2, dout * 3)


class OfBoth(nn.Cell):
    def __init__(self):
        super().__init__()
        self.both = Both()

    def construct(self, x, y):
        x, y = self.both(x, y)
        return x * 2, ops.stop_gradient(y)


class OfFirst(nn.Cell):
    def construct(self, x, y):
        return First()(x, y)


def test_operators_that_users_write():
    x, y = floats(1, 2), floats(3, 4)
    assert lists(OfBoth()(x, y)) == [[2, 4], [3, 4]]
    assert lists(C.GradOperation(get_all=True)(OfBoth())(x, y)) == [[6, 6], [0, 0]]
    assert OfFirst()(x, y).asnumpy().tolist() == [1, 2]
    assert lists(C.GradOperation(get_all=True)(OfFirst())(x, y)) == [[2, 2], [3, 3]]
    assert [First().name, Both().name] == ["First", "Both"]


class Printing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.print = P.Print()
        self.para = Parameter(Tensor(0, ms.int32), name="para")
        self.w = Parameter(Tensor(np.ones((2, 2), np.float32)), name="w")

    def construct(self, x):
        while x < 2:
            x = x + 1
            self.para = x
            self.print("x:", x, "para:", self.para)
        self.print(self.w)
        ops.print_(x.shape)
        return x


def test_print(capfd):
    Printing()(Tensor(0, ms.int32))
    scalar = "Tensor(shape=[], dtype=Int32, value={})"
    expected = [line for k in (1, 2) for line in ("x:", scalar.format(k), "para:", scalar.format(k))]
    matrix = ["Tensor(shape=[2, 2], dtype=Float32, value=", "[[1. 1.]", " [1. 1.]])"]
    assert capfd.readouterr().out.splitlines() == [*expected, *matrix, "()"]


class Mixed(nn.Cell):
    def construct(self, x, n):
        out = x
        i = 0
        while i < n:
            out = P.Add()(*(x, out))
            if i % 2 == 0:
                out = out.astype(ms.float16)
            i += 1
        return P.Stack()([x, out.astype(ms.float32)])


def test_operators_of_containers_with_items_of_several_types():
    assert Mixed()(floats(1.5), 4).asnumpy().tolist() == [[1.5], [7.5]]


class Bounded(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fixed = Parameter(floats(1), name="fixed", requires_grad=False)
        self.weight = Parameter(floats(1), name="weight")

    def construct(self, x):
        return self.fixed * x + self.weight * x


def test_weights_without_gradients(mode):
    network = Bounded()
    gradients = C.GradOperation(get_by_list=True)(network, [network.fixed, network.weight])(floats(3))
    of_all = C.GradOperation(get_by_list=True)(network)(floats(3))
    assert lists(gradients) == [[0], [3]]
    assert lists(of_all) == ([[0], [3]] if mode == context.PYNATIVE_MODE else [[3]])
    if mode == context.GRAPH_MODE:
        slopes = jit(lambda x: C.GradOperation(get_by_list=True)(network, [network.fixed, network.weight])(x))
        for needed in (False, True, False):
            network.fixed.requires_grad = needed
            assert lists(slopes(floats(3))) == [[3 * needed], [3]]


class Counting(nn.Cell):
    def construct(self, x):
        return x.shape.index(3, 1)


def test_sens_of_a_result_without_arrays():
    x = Tensor(np.ones((3, 3), np.float32))
    found = Counting()(x)
    assert found == 1
    assert not C.GradOperation(sens_param=True)(Counting())(x, found).asnumpy().any()


def test_set_dtype():
    x = Tensor(np.array([1.5, 2.0]), ms.float64)
    assert x.set_dtype(ms.float32) == ms.float32
    x += 1
    assert x.dtype == ms.float32
    assert x.asnumpy().tolist() == [2.5, 3.0]
    x.set_dtype(ms.int32)
    assert x.asnumpy().tolist() == [2, 3]
