"""Gradients that a user's `bprop` gives, cotangents and tangents that a program gives: too few, of other shapes and dtypes, of other structures."""
# pyright: basic, reportMissingImports=false, reportMissingParameterType=false

import mindspore as ms
import numpy as np
from mindspore import Tensor, jit, nn
from mindspore.nn.grad import Jvp, Vjp
from mindspore.ops import composite as C

_x = Tensor(np.ones((2, 3), np.float32))
_z = Tensor(np.ones((3, 3), np.float32))


class _Doubling(nn.Cell):
    def construct(self, v):
        return v * 2


class _Nothing(_Doubling):
    def bprop(self, v, out, dout):
        return ()


class _Tensor(_Doubling):
    def bprop(self, v, out, dout):
        return dout * v


class _Int(_Doubling):
    def bprop(self, v, out, dout):
        return 1


class _IntInTuple(_Doubling):
    def bprop(self, v, out, dout):
        return (1,)


class _None(_Doubling):
    def bprop(self, v, out, dout):
        return None


class _NoneInTuple(_Doubling):
    def bprop(self, v, out, dout):
        return (None,)


class _Shape(_Doubling):
    def bprop(self, v, out, dout):
        return (Tensor(np.ones((2, 2), np.float32)),)


class _Dtype(_Doubling):
    def bprop(self, v, out, dout):
        return (dout.astype(ms.float16),)


class _List(_Doubling):
    def bprop(self, v, out, dout):
        return [dout]


class _String(_Doubling):
    def bprop(self, v, out, dout):
        return ("a",)


class _Many(_Doubling):
    def bprop(self, v, out, dout):
        return dout, dout


class _Sum(nn.Cell):
    def construct(self, p, q):
        return p * 2 + q


class _Few(_Sum):
    def bprop(self, p, q, out, dout):
        return (dout,)


class _Listed(_Sum):
    def bprop(self, p, q, out, dout):
        return [dout, dout * 2]


class _Three(_Sum):
    def bprop(self, p, q, out, dout):
        return dout, dout * 2, dout


class _Pair(nn.Cell):
    def construct(self, p):
        return 2 * p, 3 * p


def _gradient(make, graph, check=False, count=1):
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE, check_bprop=check)
    try:
        return C.GradOperation(get_all=True)(make())(*(_x + k for k in range(count)))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE, check_bprop=False)


# --- line by line ---------------------------------------------------------------------------------
def eager_no_gradients():
    return _gradient(_Nothing, False)


def eager_a_tensor_for_one():
    return _gradient(_Tensor, False)


def eager_an_int():
    return _gradient(_Int, False)


def eager_none():
    return _gradient(_None, False)


def eager_another_shape():
    return _gradient(_Shape, False)


def eager_another_dtype():
    return _gradient(_Dtype, False)


def eager_a_string():
    return _gradient(_String, False)


def eager_more_than_needed():
    return _gradient(_Many, False)


def eager_too_few():
    return _gradient(_Few, False, count=2)


def eager_a_list():
    return _gradient(_Listed, False, count=2)


def eager_three_for_two():
    return _gradient(_Three, False, count=2)


def eager_checked_more_than_needed():
    return _gradient(_Many, False, True)


def eager_checked_int():
    return _gradient(_IntInTuple, False, True)


def eager_checked_none():
    return _gradient(_NoneInTuple, False, True)


def eager_checked_shape():
    return _gradient(_Shape, False, True)


def eager_checked_dtype():
    return _gradient(_Dtype, False, True)


def eager_checked_too_few():
    return _gradient(_Few, False, True, 2)


def eager_checked_and_right():
    return _gradient(_Tensor, False, True)


# --- in a graph -----------------------------------------------------------------------------------
def eager_graph_no_gradients():
    return _gradient(_Nothing, True)


def eager_graph_an_int():
    return _gradient(_Int, True)


def eager_graph_a_list():
    return _gradient(_List, True)


def eager_graph_none():
    return _gradient(_None, True)


def eager_graph_a_tensor():
    return _gradient(_Tensor, True)


def eager_graph_too_few():
    return _gradient(_Few, True, count=2)


def eager_graph_more_than_needed():
    return _gradient(_Many, True)


def eager_graph_checked_tensor():
    return _gradient(_Tensor, True, True)


def eager_graph_checked_more_than_needed():
    return _gradient(_Many, True, True)


def eager_graph_checked_int():
    return _gradient(_IntInTuple, True, True)


def eager_graph_checked_shape():
    return _gradient(_Shape, True, True)


def eager_graph_checked_dtype():
    return _gradient(_Dtype, True, True)


_few = _Few()


def too_few_in_a_function(x):
    return C.GradOperation(get_all=True)(_few)(x, x)


# --- cotangents and tangents ----------------------------------------------------------------------
def eager_cotangent_of_another_shape():
    return C.GradOperation(sens_param=True)(_Doubling())(_x, _z)


def eager_cotangent_of_another_dtype():
    return C.GradOperation(sens_param=True)(_Doubling())(_x, _x.astype(ms.float16))


def eager_two_cotangents_for_one():
    return C.GradOperation(sens_param=True)(_Doubling())(_x, (_x, _x))


def eager_cotangent_for_a_pair():
    _, back = ms.vjp(_Pair(), _x)
    return back(_x)


_double, _both = _Doubling(), _Pair()


def two_cotangents_for_one(x):
    return C.GradOperation(sens_param=True)(_double)(x, (x, x))


def cotangent_for_a_pair(x):
    return C.GradOperation(sens_param=True)(_both)(x, x)


def cotangents_for_a_pair(x):
    return C.GradOperation(sens_param=True)(_both)(x, (x, x))


def eager_jvp_of_two_tangents():
    return Jvp(_Doubling())(_x, (_x, _x))


def eager_jvp_of_a_tuple_of_one():
    return Jvp(_Doubling())(_x, (_x,))


def eager_jvp_of_too_many_inputs():
    return Jvp(_Doubling())(_x, _x, _x)


def eager_jvp_of_a_tuple_of_inputs():
    return Jvp(_Sum())((_x, _x), (_x, _x))


def eager_jvp_of_one_tangent_for_two():
    return Jvp(_Sum())(_x, _x, _x)


def eager_jvp_of_too_few_tangents():
    return Jvp(_Sum())(_x, _x, (_x,))


def eager_jvp_of_a_list_of_tangents():
    return Jvp(_Sum())(_x, _x, [_x, _x])


def eager_jvp_of_an_int():
    return Jvp(_Doubling())(_x, 1)


def eager_jvp_of_none():
    return Jvp(_Doubling())(_x, None)


def eager_jvp_of_another_dtype():
    return Jvp(_Doubling())(_x, _x.astype(ms.int32))


def eager_jvp_without_tangent():
    return Jvp(_Doubling())(_x)


def eager_jvp_of_an_int_as_function():
    return Jvp(1)(_x, _x)


def eager_jvp_of_two():
    return Jvp(_Sum())(_x, _x, (_x, _x))


def eager_vjp_of_two_cotangents():
    return Vjp(_Doubling())(_x, (_x, _x))


def eager_vjp_of_one_for_a_pair():
    return Vjp(_Pair())(_x, _x)


def eager_vjp_of_too_few():
    return Vjp(_Pair())(_x, (_x,))


def eager_vjp_of_too_many_inputs():
    return Vjp(_Doubling())(_x, _x, _x)


def eager_vjp_of_an_int():
    return Vjp(_Doubling())(_x, 1)


def eager_vjp_of_a_pair():
    return Vjp(_Pair())(_x, (_x, _x))


def eager_function_jvp_of_one_tangent():
    return ms.jvp(_Sum(), (_x, _x), _x)


def eager_function_jvp_of_one_input():
    return ms.jvp(_Sum(), _x, _x)


@jit
def _jvp_of_one_input(x):
    return ms.jvp(_sum, x, x)


_sum = _Sum()


def eager_compiled_jvp_of_one_input():
    return _jvp_of_one_input(_x)
