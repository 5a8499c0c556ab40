"""Cotangents that are given for gradients in graphs, Tensors with gradients among constants, and functions by type."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F


def _graph(run):
    context.set_context(mode=context.GRAPH_MODE)
    try:
        return run()
    finally:
        context.set_context(mode=context.PYNATIVE_MODE)


def _ones(*s):
    return Tensor(np.ones(s, np.float32))


class _Mul(nn.Cell):
    def construct(self, u, v):
        return u * v


class _Sq(nn.Cell):
    def construct(self, u):
        return u * u


class _W(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(_ones(3), name="w")
        self.b = Parameter(_ones(3), name="b")

    def construct(self, u):
        return u * self.w + self.b


class _Pair(nn.Cell):
    def construct(self, u, v):
        return u * v, u + v


class _MatMul(nn.Cell):
    def construct(self, u, v):
        return ops.matmul(u, v)


class _GradNet(nn.Cell):
    def __init__(self, net, **kw):
        super().__init__()
        self.net = net
        self.grad = C.GradOperation(**kw)

    def construct(self, *args):
        return self.grad(self.net)(*args)


class _ListNet(nn.Cell):
    def __init__(self, net, params=None):
        super().__init__()
        self.net = net
        self.params = ParameterTuple(net.trainable_params()) if params is None else params
        self.grad = C.GradOperation(get_by_list=True)

    def construct(self, *args):
        return self.grad(self.net, self.params)(*args)


class _Quotient(nn.Cell):
    def construct(self, u, v):
        return u / v


class _Exponential(nn.Cell):
    def construct(self, u):
        return ops.exp(u)


class _Tangent(nn.Cell):
    def construct(self, u):
        return ops.tanh(u)


def eager_sens_shape_mul():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Sq())(_ones(2, 3), _ones(5)))


def eager_sens_shape_matmul():
    return _graph(lambda: C.GradOperation(sens_param=True)(_MatMul())(_ones(2, 3), _ones(3, 4), _ones(2, 5)))


def eager_sens_shape_add():
    class Net(nn.Cell):
        def construct(self, u, v):
            return u + v

    return _graph(lambda: C.GradOperation(sens_param=True)(Net())(_ones(2, 3), _ones(2, 3), _ones(4)))


def eager_sens_shape_relu():
    class Net(nn.Cell):
        def construct(self, u):
            return ops.relu(u)

    return _graph(lambda: C.GradOperation(sens_param=True)(Net())(_ones(2, 3), _ones(4)))


def eager_sens_shape_broadcasting():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Sq())(_ones(2, 3), _ones(3)))


def eager_sens_dtype():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Sq())(_ones(2, 3), Tensor(np.ones((2, 3)), ms.float16)))


def eager_sens_missing():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Mul())(_ones(2), _ones(2)))


def eager_sens_extra():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Sq())(_ones(2), _ones(2), _ones(2)))


def eager_sens_tuple_for_tensor():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Sq())(_ones(2), (_ones(2),)))


def eager_sens_tensor_for_pair():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Pair())(_ones(2), _ones(2), _ones(2)))


def eager_sens_int():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Sq())(_ones(2), 1))


def eager_sens_pair_of_three():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Pair())(_ones(2), _ones(2), (_ones(2), _ones(2), _ones(2))))


def eager_net_sens_missing():
    return _graph(lambda: _GradNet(_Sq(), sens_param=True)(_ones(2)))


def eager_net_of_int_arguments():
    return _graph(lambda: _GradNet(_Mul(), get_all=True)(2, 3))


def eager_net_of_string_argument():
    class Net(nn.Cell):
        def construct(self, u, mode):
            if mode == "double":
                return u * 2
            return u

    return _graph(lambda: _GradNet(Net(), get_all=True)(_ones(2), "double"))


def eager_by_list_python_list():
    w = _W()
    return _graph(lambda: _ListNet(w, w.trainable_params())(_ones(3)))


def eager_by_list_foreign():
    p = Parameter(_ones(3), name="foreign")
    return _graph(lambda: _ListNet(_W(), ParameterTuple([p]))(_ones(3)))


def eager_by_list_duplicate():
    w = _W()
    return _graph(lambda: _ListNet(w, (w.w, w.w))(_ones(3)))


def eager_grad_in_graph_position_past():
    return _graph(lambda: ms.grad(_Mul(), 2)(_ones(2), _ones(2)))


def eager_grad_in_graph_aux_of_one():
    return _graph(lambda: ms.grad(_Sq(), 0, None, True)(_ones(2)))


def eager_vjp_graph_wrong():
    return _graph(lambda: ms.vjp(_Sq(), _ones(2))[1](_ones(3)))


def eager_jacrev_graph_past():
    return _graph(lambda: ms.jacrev(_Sq(), 1)(_ones(2)))


def eager_jacfwd_graph_repeated():
    return _graph(lambda: ms.jacfwd(_Mul(), (0, 0))(_ones(2), _ones(2)))


def eager_jacfwd_graph_int():
    return _graph(lambda: ms.jacfwd(_Sq())(Tensor([1, 2])))


def eager_dict_with_string_in_jit_grad():
    @jit
    def inner(m):
        return 2 * m["x"][0] + m["y"]

    def outer(u, v):
        return inner({"x": (u * 3, "a"), "y": v})

    return C.GradOperation()(outer)(_ones(3), _ones(3))


def eager_list_with_none_in_jit_grad():
    @jit
    def inner(m):
        return 2 * m[0]

    def outer(u):
        return inner([u * 3, None])

    return C.GradOperation()(outer)(_ones(3))


def eager_tuple_with_string_in_jit_no_grad():
    @jit
    def inner(m):
        return 2 * m[0]

    def outer(u):
        return inner((u * 3, "a"))

    return outer(_ones(3))


def eager_tuple_with_int_in_jit_grad():
    @jit
    def inner(m):
        return m[0] * m[1]

    def outer(u):
        return inner((u * 3, 4))

    return C.GradOperation()(outer)(_ones(3))


def eager_tuple_of_untracked_and_string_in_jit_grad():
    k = _ones(3)

    @jit
    def inner(v, m):
        return v * m[0]

    def outer(u):
        return inner(u, (k, "a"))

    return C.GradOperation()(outer)(_ones(3))


def eager_sens_of_a_quotient():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Quotient())(_ones(2, 3), _ones(2, 3), _ones(5)))


def eager_sens_of_an_exponential():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Exponential())(_ones(2, 3), _ones(5)))


def eager_sens_of_a_tangent():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Tangent())(_ones(2, 3), _ones(2, 1)))


def eager_sens_with_more_axes():
    return _graph(lambda: C.GradOperation(sens_param=True)(_Sq())(_ones(3), _ones(2, 3)))


def sens_missing_in_a_graph(y):
    return C.GradOperation(sens_param=True)(_func)(y, y)


_neg = C.MultitypeFuncGraph("neg")


@_neg.register("Tensor")
def _neg_tensor(u):
    return -u


@_neg.register("Number")
def _neg_number(u):
    return -u


def _func(u, v):
    return u + v


def eager_unknown_name():
    graph = C.MultitypeFuncGraph("odd")

    @graph.register("Tensr")
    def _one(u):
        return u

    return graph(_ones(2))


def eager_unknown_name_int():
    graph = C.MultitypeFuncGraph("odd")

    @graph.register("int")
    def _one(u):
        return u

    return graph(2)


def eager_name_dict():
    graph = C.MultitypeFuncGraph("odd")

    @graph.register("Dictionary")
    def _one(u):
        return 1

    @graph.register("List")
    def _two(u):
        return 2

    return graph({"a": 1})


def eager_name_dict_short():
    graph = C.MultitypeFuncGraph("odd")

    @graph.register("Dict")
    def _one(u):
        return 1

    return graph({"a": 1})


def eager_name_tensor_of_float():
    graph = C.MultitypeFuncGraph("odd")

    @graph.register("Tensor[Float32]")
    def _one(u):
        return 1

    @graph.register("Tensor[Int32]")
    def _two(u):
        return 2

    return graph(Tensor([1], ms.int32))


def eager_register_python_type():
    graph = C.MultitypeFuncGraph("odd")

    @graph.register(int)
    def _one(u):
        return 1

    return graph(1)


def eager_register_none():
    graph = C.MultitypeFuncGraph("odd")

    @graph.register(None)
    def _one(u):
        return 1

    return graph(None)


def eager_no_match_ndarray():
    return _neg(np.ones(2))


def eager_hyper_reverse_string():
    return type(C.HyperMap(F.add, reverse="yes")).__name__


def eager_hyper_of_cell():
    return C.HyperMap(_Mul())((_ones(2),), (_ones(2),))


def eager_hyper_of_builtin():
    return C.HyperMap(abs)((-1, 2))


def eager_hyper_nested():
    return C.HyperMap(_neg)((1, (2, _ones(1))))


def eager_hyper_free():
    return C.HyperMap()(_func, (1, 2), (3, 4))


def eager_map_reverse_string():
    return type(C.Map(F.add, "yes")).__name__
