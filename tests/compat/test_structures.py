"""MindSpore programs with lists, tuples, dicts, strings, None, *args, **kwargs and attributes in construct."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import numpy as np
import pytest
from mindspore import Parameter, Tensor, jit, jit_class, mutable, ops
from mindspore.ops import functional as F
from mindspore.ops import operations as P

pytestmark = pytest.mark.usefixtures("mode")


def close(found, expected):
    np.testing.assert_allclose(found.asnumpy(), np.asarray(expected), rtol=1e-5, atol=1e-6)


def test_list_methods():
    @jit
    def f(x):
        xs = [x, x + 1]
        xs.append(x + 2)
        xs.insert(0, x * 10)
        xs.extend([x - 1, x - 2])
        last = xs.pop()
        first = xs.pop(0)
        xs.reverse()
        return xs, last, first, len(xs)

    xs, last, first, count = f(Tensor([1.0]))
    assert isinstance(xs, list)
    assert [float(v) for v in xs] == [0.0, 3.0, 2.0, 1.0]
    assert (float(last), float(first), count) == (-1.0, 10.0, 4)


def test_list_of_numbers():
    @jit
    def f():
        xs = [3, 1, 2, 1]
        ones = xs.count(1)
        place = xs.index(2)
        xs.clear()
        xs.append("s")
        return xs, ones, place

    assert f() == (["s"], 2, 2)


def test_list_append_in_a_loop_and_stack():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.stack = P.Stack(axis=0)

        def construct(self, x):
            outs = []
            for i in range(3):
                outs.append(x * i)
            return self.stack(outs)

    close(Net()(Tensor([1.0, 2.0])), [[0, 0], [1, 2], [2, 4]])


def test_list_comprehension_and_nested():
    @jit
    def f(x):
        a = [x * i for i in range(4) if i % 2]
        b = [[i * j for j in range(2)] for i in range(2)]
        return a, b

    a, b = f(Tensor([2.0]))
    assert [float(v) for v in a] == [2.0, 6.0]
    assert b == [[0, 0], [0, 1]]


def test_dict_methods():
    @jit
    def f(x, y):
        d = {"a": x, "b": y}
        d["c"] = x + y
        d.update({"d": x - y})
        keys = list(d.keys())
        total = x * 0
        for value in d.values():
            total = total + value
        for name, value in d.items():
            if name == "a":
                total = total + value * 100
        return d, keys, total, d.get("z", 5), "b" in d, len(d)

    d, keys, total, missing, held, count = f(Tensor([2.0]), Tensor([3.0]))
    assert keys == ["a", "b", "c", "d"] == list(d)
    assert (float(total), missing, held, count) == (209.0, 5, True, 4)


def test_dict_as_argument_and_result():
    class Net(nn.Cell):
        def construct(self, inputs):
            return {"out": inputs["x"] * inputs["scale"], "n": 3}

    made = Net()({"x": Tensor([1.0, 2.0]), "scale": 3.0})
    close(made["out"], [3.0, 6.0])
    assert made["n"] == 3


def test_tuple_slicing_and_unpacking():
    @jit
    def f(t):
        a, *rest = t
        head = t[:2]
        back = t[::-1]
        return a, rest, head, back, t[-1], len(t), t + (1,)

    t = (Tensor([1.0]), 2, 3.5)
    a, rest, head, back, last, count, longer = f(t)
    assert float(a) == 1.0
    assert (rest, head[1], back[0], last, count, longer[3]) == ([2, 3.5], 2, 3.5, 3.5, 3, 1)


def test_isinstance():
    @jit
    def f(x, n, t):
        kinds = []
        if isinstance(x, Tensor):
            kinds.append("tensor")
        if isinstance(n, int):
            kinds.append("int")
        if isinstance(t, (tuple, list)):
            kinds.append("sequence")
        if isinstance(x, (int, float)):
            kinds.append("number")
        return kinds

    assert f(Tensor([1.0]), 1, (1, 2)) == ["tensor", "int", "sequence"]


def test_none_arguments():
    class Net(nn.Cell):
        def construct(self, x, mask=None):
            if mask is None:
                return x
            return x * mask

    net = Net()
    close(net(Tensor([1.0, 2.0])), [1.0, 2.0])
    close(net(Tensor([1.0, 2.0]), None), [1.0, 2.0])
    close(net(Tensor([1.0, 2.0]), Tensor([0.0, 1.0])), [0.0, 2.0])


def test_varargs_and_keywords():
    class Net(nn.Cell):
        def construct(self, x, *args, scale=1.0, **kwargs):
            for a in args:
                x = x + a
            if "shift" in kwargs:
                x = x + kwargs["shift"]
            return x * scale

    net = Net()
    close(net(Tensor([1.0]), 1.0, Tensor([2.0]), scale=2.0, shift=10.0), [28.0])
    close(net(Tensor([1.0])), [1.0])


def test_parameter_updates_in_construct():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor(0, ms.int32), name="count")
            self.total = Parameter(Tensor([0.0, 0.0], ms.float32), name="total")
            self.assign_add = P.AssignAdd()

        def construct(self, x):
            self.count += 1
            self.assign_add(self.total, x)
            ops.assign(self.total, self.total * 2)
            return self.total + self.count

    net = Net()
    close(net(Tensor([1.0, 2.0])), [3.0, 5.0])
    close(net(Tensor([1.0, 2.0])), [8.0, 14.0])
    assert int(net.count) == 2


def test_setitem_in_construct():
    class Net(nn.Cell):
        def construct(self, x, v):
            y = x.copy()
            y[0] = v
            y[1:3, 0] = 7.0
            y[y > 10] = -1.0
            y[-1] += 0.5
            return y

    x = np.arange(12).reshape(4, 3).astype(np.float32)
    expected = x.copy()
    expected[0] = 2.0
    expected[1:3, 0] = 7.0
    expected[expected > 10] = -1.0
    expected[-1] += 0.5
    close(Net()(Tensor(x), Tensor(2.0, ms.float32)), expected)


def test_getitem_forms():
    @jit
    def f(x):
        return x[..., 1], x[None, 0], x[1:, ::2], x[:, -1], x[[0, 1]], x[True]

    x = np.arange(6).reshape(2, 3).astype(np.float32)
    for found, expected in zip(
        f(Tensor(x)), (x[..., 1], x[None, 0], x[1:, ::2], x[:, -1], x[[0, 1]], x[True]), strict=True
    ):
        close(found, expected)


def test_nested_cell_attributes():
    class Inner(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scale = 3
            self.names = ["a", "b"]
            self.table = {"k": Tensor([10.0])}
            self.p = Parameter(Tensor([1.0]), name="p")

        def construct(self, x):
            return x * self.scale + self.table["k"] + len(self.names)

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Inner()
            self.scale = self.inner.scale

        def construct(self, x):
            return self.inner(x) + self.inner.p * self.inner.scale + self.scale

    net = Outer()
    close(net(Tensor([1.0])), [21.0])
    assert [p.name for p in net.trainable_params()] == ["inner.p"]
    net.inner.scale = 4
    close(net(Tensor([1.0])), [23.0])


def test_attributes_written_in_construct():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.calls = 0
            self.last = Tensor([0.0])

        def construct(self, x):
            self.calls = self.calls + 1
            self.last = x * 2
            return x + self.calls

    net = Net()
    close(net(Tensor([1.0])), [2.0])
    close(net(Tensor([1.0])), [3.0])
    assert net.calls == 2
    close(net.last, [2.0])


def test_jit_class():
    @jit_class
    class Scaler:
        def __init__(self, factor):
            self.factor = factor

        def __call__(self, x):
            return x * self.factor

        def shifted(self, x, by=1):
            return self(x) + by

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scaler = Scaler(3)

        def construct(self, x):
            return self.scaler(x) + self.scaler.shifted(x, by=2) + self.scaler.factor

    close(Net()(Tensor([1.0])), [11.0])
    with pytest.raises(TypeError, match="class type"):
        jit_class(lambda x: x)


def test_mutable_inputs():
    @jit
    def f(t):
        return t[0] + t[1]

    for k in range(3):
        close(f(mutable((Tensor([1.0 + k]), Tensor([2.0])))), [3.0 + k])
    assert mutable([1, 2]) == [1, 2]


def test_strings():
    @jit
    def f(x, how):
        name = "re" + "lu"
        label = f"{name}:{how}".upper()
        if how == name:
            x = F.relu(x)
        return x, label, name in label.lower(), label[:4]

    x, label, held, head = f(Tensor([-1.0]), "relu")
    close(x, [0.0])
    assert (label, held, head) == ("RELU:RELU", True, "RELU")


def test_builtin_functions():
    @jit
    def f(x, n):
        pairs = [(a, b) for a, b in zip((1, 2), (3, 4))]  # noqa: B905
        return (
            max(n, 3),
            min([4, 2]),
            sum((1, 2, 3)),
            abs(-n),
            round(2.6),
            pow(2, n),
            list(map(lambda v: v * 2, (1, 2))),
            pairs,
            divmod(7, n),
        )

    assert f(Tensor([1.0]), 2) == (3, 2, 6, 2, 3, 4, [2, 4], [(1, 3), (2, 4)], (3, 1))


def test_print_primitive(capfd):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.print = P.Print()

        def construct(self, x):
            self.print("x:", x)
            print("twice", x * 2)
            return x

    Net()(Tensor([1.0]))
    shown = capfd.readouterr().out
    assert shown.index("x:") < shown.index("twice")


def test_closures_lambdas_and_partial():
    @jit
    def f(x):
        k = 2

        def inner(y):
            return y * k + x

        plus = F.partial(lambda a, b: a + b, 10)
        return plus(inner(x)), (lambda z: z - 1)(x)

    a, b = f(Tensor([3.0]))
    close(a, [19.0])
    close(b, [2.0])


def test_super_and_inheritance():
    class Base(nn.Cell):
        def __init__(self):
            super().__init__()
            self.k = 2

        def construct(self, x):
            return x * self.k

        def helper(self, x):
            return x + 100

    class Net(Base):
        def construct(self, x):
            return super().construct(x) + self.helper(x)

    close(Net()(Tensor([1.0])), [103.0])


def test_getattr_hasattr():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = 5

        def construct(self, x):
            if hasattr(self, "missing"):
                return x
            return x * getattr(self, "a") + getattr(self, "b", 1)

    close(Net()(Tensor([2.0])), [11.0])


def test_numpy_fallback_in_construct():
    @jit
    def f(x):
        a = np.array([1.0, 2.0], np.float32)
        b = Tensor(a + np.ones(2, np.float32))
        return x + b

    close(f(Tensor([1.0, 1.0])), [3.0, 4.0])


def test_tensor_methods_and_properties():
    @jit
    def f(x):
        y = x.reshape((3, 2)).transpose((1, 0))
        return y.shape, y.dtype, y.ndim, y.size, y.sum(axis=0), y.mean(), x.astype(ms.int32), x.max(), x.view(-1), x.T

    x = np.arange(6).reshape(2, 3).astype(np.float32)
    shape, dtype, ndim, size, total, mean, ints, top, flat, turned = f(Tensor(x))
    y = x.reshape(3, 2).T
    assert (shape, dtype, ndim, size, ints.dtype) == ((2, 3), ms.float32, 2, 6, ms.int32)
    close(total, y.sum(0))
    close(mean, y.mean())
    close(top, 5.0)
    close(flat, np.arange(6))
    close(turned, x.T)
