"""Objects of users' classes in graphs, those of a `jit_class` among them; Cells by their classes: attributes' names, `construct`, `bprop`, `has_aux`."""
# pyright: basic, reportMissingImports=false, reportMissingParameterType=false

import numpy as np
from mindspore import Parameter, Tensor, context, jit, jit_class, nn, ops
from mindspore.ops import GradOperation

_F3 = Tensor(np.arange(1, 4).astype(np.float32))


def _graph(run):
    context.set_context(mode=context.GRAPH_MODE)
    try:
        return run()
    finally:
        context.set_context(mode=context.PYNATIVE_MODE)


@jit_class
class _Counter:
    def __init__(self, start=1):
        self.start = start

    def count(self, n):
        return self.start + n


class _Plain:
    def __init__(self, start=1):
        self.start = start

    def __radd__(self, other):
        return 100


@jit_class
class _Called(_Counter):
    def __call__(self, n):
        return self.start * n


@jit_class
class _Iterated(_Counter):
    def __iter__(self):
        return iter((1, 2, 3))


_counter = _Counter()
_plain = _Plain()
_called = _Called(3)
_iterated = _Iterated()


def made_and_called(n):
    return _Counter(n)(4)


def outside_and_called(n):
    return _counter(n)


def plain_made_and_called(n):
    return _Plain(n)(4)


def with_a_call(n):
    return _called(n), _Called(2)(n)


def made_without_an_attribute():
    return _Counter().total


def made_without_a_method(n):
    return _Counter().total(n)


def made_by_getattr():
    return getattr(_Counter(), "total", 7), getattr(_Counter(), "total")


def length_of_one_that_was_made():
    return len(_Counter(2))


def length_of_a_plain_one():
    return len(_Plain(2))


def loop_over_one_that_was_made():
    total = 0
    for k in _Counter(2):
        total = total + k
    return total


def list_of_one_that_was_made():
    return list(_Counter(2))


def list_of_one_that_iterates():
    return tuple(_iterated)


def sum_of_one():
    return sum(_counter)


def enumerate_one():
    return list(enumerate(_counter))


def enumerate_a_plain_one():
    return list(enumerate(_plain))


def map_over_one():
    return list(map(str, _counter))


def range_of_one():
    return range(_Counter())


def absolute_value_of_one():
    return abs(_counter)


def rounded_one():
    return round(_Counter(3))


def inverted_one():
    return ~_counter


def inverted_plain_one():
    return ~_Plain()


def identity_of_one():
    return _counter is _counter


def no_identity_of_a_made_one():
    return 1 is not _Counter()


def its_class():
    return type(_counter) is _Counter


def product_of_one():
    return _counter @ _counter


def starred_one():
    return max(*_counter)


def unpacked_one():
    a, b = _counter
    return a + b


def unpacked_made_one():
    a, b = _Plain()
    return a + b


def as_an_index(x):
    return x[_Counter(1)]


def in_an_f_string():
    return f"{_counter}"


def as_a_tensor():
    return Tensor(_counter)


def after_a_tensor(x):
    return x + _plain


def after_a_number():
    return 3 + _plain


class _Square(nn.Cell):
    def construct(self, x):
        return x * x


class _Product(nn.Cell):
    def construct(self, x, y):
        return x * y


class _Nothing(nn.Cell):
    pass


class _WithNothing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = _Nothing()

    def construct(self, x):
        return self.inner(x) + 1


_nothing = _Nothing()


def _backward(function):
    net = type("_Backward", (_Product,), {"bprop": function})()
    return _graph(lambda: GradOperation(get_all=True)(net)(_F3, _F3))


def eager_bprop_of_the_cell_alone():
    def bprop(self):
        return _F3, _F3

    return _backward(bprop)


def eager_bprop_of_one():
    def bprop(self, x):
        return x, x

    return _backward(bprop)


def eager_bprop_without_out_and_dout():
    def bprop(self, x, y):
        return x, y

    return _backward(bprop)


def eager_bprop_without_an_input():
    def bprop(self, x, out, dout):
        return dout, dout

    return _backward(bprop)


def eager_bprop_of_any_number():
    def bprop(self, *args):
        return args[0], args[1]

    return _backward(bprop)


def eager_bprop_with_a_default():
    def bprop(self, x, y, out, dout=None):
        return x, y

    return _backward(bprop)


def eager_bprop_without_an_input_line_by_line():
    net = _Product()
    type(net)
    made = type("_Backward", (_Product,), {"bprop": lambda self, x, out, dout: (dout, dout)})()
    return GradOperation(get_all=True)(made)(_F3, _F3)


def has_aux_of_one(x):
    return ops.value_and_grad(_square, has_aux=True)(x)


def _square(x):
    return x * x


def _alone(x):
    return (x * x,)


def has_aux_of_a_tuple_of_one(x):
    return ops.grad(_alone, has_aux=True)(x)


def has_aux_of_a_vjp(x):
    return ops.vjp(_square, x, has_aux=True)


def has_aux_of_a_jvp(x):
    return ops.jvp(_square, x, x, has_aux=True)


def has_aux_of_a_jacobian(y):
    return ops.jacrev(_square, has_aux=True)(y)


def eager_has_aux_of_a_tuple_of_one():
    return ops.grad(_alone, has_aux=True)(_F3)


def eager_has_aux_of_a_jacobian():
    return ops.jacfwd(_square, has_aux=True)(_F3)


def eager_has_aux_in_a_graph():
    made = ops.grad(_Square(), has_aux=True)
    return _graph(lambda: made(_F3))


def eager_no_construct():
    return _Nothing()(_F3)


def eager_no_construct_in_a_graph():
    return _graph(lambda: _Nothing()(_F3))


def eager_no_construct_within():
    return _graph(lambda: _WithNothing()(_F3))


def no_construct(x):
    return _nothing(x)


def eager_cells_named_cells():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cells = nn.CellList([nn.ReLU()])

    return Net()


def eager_parameter_named_phase():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.phase = Parameter(_F3, name="p")

    return Net()


def eager_cell_named_construct():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.construct = nn.ReLU()

    return Net()


def eager_parameter_named_like_a_method():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scale = Parameter(_F3, name="p")

        def scale(self):
            return 1

    return Net()


def eager_cell_named_like_a_class_attribute():
    class Net(nn.Cell):
        body = None

        def __init__(self):
            super().__init__()
            self.body = nn.ReLU()

    return Net()


def eager_parts_of_a_sequence_in_a_graph():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.SequentialCell([nn.ReLU(), nn.Flatten(), nn.ReLU()])

        def construct(self, x):
            for layer in self.layers[1:]:
                x = layer(x) + 1
            return self.layers[0:2](x), len(self.layers[::2])

    return _graph(lambda: Net()(_F3.reshape(1, 3)))


def eager_list_of_cells_called_in_a_graph():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([nn.ReLU()])

        def construct(self, x):
            return self.layers(x)

    return _graph(lambda: Net()(_F3))
