"""Functions that HyperMap, Map, map and filter apply in compiled code, and operators of numbers alone."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, grad, jit, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def _user(p, q):
    return p + q


_multi = C.MultitypeFuncGraph("m")


@_multi.register("Tensor", "Tensor")
def _m1(p, q):
    return p * q


def c_hypermap_ops_add_x_x_x_x(x):
    return C.HyperMap(ops.add)((x, x), (x, x))


def ops_hypermap_ops_add_x_x_x_x(x):
    return ops.HyperMap(ops.add)((x, x), (x, x))


def f_c_hypermap_ops_add_f_x_x_x_x(x):
    f = C.HyperMap(ops.add)
    return f((x, x), (x, x))


def f_c_hypermap_lambda_p_q_to_p_plus_q_f_x_x_x_x(x):
    f = C.HyperMap(lambda p, q: p + q)
    return f((x, x), (x, x))


def c_hypermap_user_x_x_x_x(x):
    return C.HyperMap(_user)((x, x), (x, x))


def c_hypermap_p_add_x_x_x_x(x):
    return C.HyperMap(P.Add())((x, x), (x, x))


def c_hypermap_multi_x_x_x_x(x):
    return C.HyperMap(_multi)((x, x), (x, x))


def c_hypermap_multi_1_x_1_x(x):
    return C.HyperMap(_multi)((1, x), (1, x))


def c_hypermap_f_tensor_add_x_x_x_x(x):
    return C.HyperMap(F.tensor_add)((x, x), (x, x))


def c_hypermap_f_relu_x_x(x):
    return C.HyperMap(F.relu)((x, x))


def c_hypermap_f_add_x_x(x):
    return C.HyperMap(F.add)(x, x)


def c_hypermap_len_x_x(x):
    return C.HyperMap(len)((x, x))


def c_map_ops_add_x_x_x_x(x):
    return C.Map(ops.add)((x, x), (x, x))


def c_map_user_x_x_x_x(x):
    return C.Map(_user)((x, x), (x, x))


def c_map_lambda_p_q_to_p_plus_q_x_x_x_x(x):
    return C.Map(lambda p, q: p + q)((x, x), (x, x))


def c_map_multi_x_x_x_x(x):
    return C.Map(_multi)((x, x), (x, x))


def c_map_len_x_x(x):
    return C.Map(len)((x, x))


def c_map_p_relu_x_x(x):
    return C.Map(P.ReLU())((x, x))


def c_hypermap_none_ops_relu_x_x(x):
    return C.HyperMap(None)(ops.relu, (x, x))


def c_hypermap_true_x_x(x):
    return C.HyperMap(True)((x, x))


def c_hypermap_ops_add_reverse_true_x_x_x_x(x):
    return C.HyperMap(ops.add, reverse=True)((x, x), (x, x))


def c_hypermap_user_true_x_x_x_x(x):
    return C.HyperMap(_user, True)((x, x), (x, x))


def c_hypermap_multi_true_x_x_x_x(x):
    return C.HyperMap(_multi, True)((x, x), (x, x))


def c_hypermap_multi_reverse_1_x_x_x_x(x):
    return C.HyperMap(_multi, reverse=1)((x, x), (x, x))


def c_hypermap_nn_relu_x_x(x):
    return C.HyperMap(nn.ReLU())((x, x))


def c_hypermap_c_gradoperation_x_x(x):
    return C.HyperMap(C.GradOperation())((x, x))


def c_hypermap_ops_mul(x):
    return C.HyperMap(ops.mul)


def c_map_ops_mul(x):
    return C.Map(ops.mul)


def c_multitypefuncgraph_f(x):
    return C.MultitypeFuncGraph("f")


def c_multitypefuncgraph_3(x):
    return C.MultitypeFuncGraph(3)


def ops_multitypefuncgraph_f_x(x):
    return ops.MultitypeFuncGraph("f")(x)


def eager_c_hypermap_ops_add_1_2_3_4():
    return C.HyperMap(ops.add)((1, 2), (3, 4))


def eager_c_hypermap_user_1_2_3_4():
    return C.HyperMap(_user)((1, 2), (3, 4))


def eager_c_map_user_1_2_3_4():
    return C.Map(_user)((1, 2), (3, 4))


def eager_c_map_ops_add_1_2_3_4():
    return C.Map(ops.add)((1, 2), (3, 4))


def eager_m_c_hypermap_multi_n_jit_ndef_f_q_to_n_m_q_q_q_q_nf_t_1_2():
    m = C.HyperMap(_multi)

    @jit
    def f(q):
        return m((q, q), (q, q))

    return f(Tensor([1, 2]))


def eager_m_c_hypermap_n_jit_ndef_f_q_to_n_m_ops_relu_q_q_q_q_nf_t_1_2():
    m = C.HyperMap()

    @jit
    def f(q):
        return m(ops.relu, (q, q), (q, q))

    return f(Tensor([1, 2]))


def eager_m_c_hypermap_n_jit_ndef_f_q_to_n_m_ops_relu_q_q_nf_1_2():
    m = C.HyperMap()

    @jit
    def f(q):
        return m(ops.relu, (q, q))

    return f((1, 2))


def eager_m_c_hypermap_n_jit_ndef_f_q_to_n_m_ops_add_q_q_q_q_nf_2():
    m = C.HyperMap()

    @jit
    def f(q):
        return m(ops.add, (q, q), (q, q))

    return f(2)


def eager_m_c_hypermap_n_jit_ndef_f_q_to_n_m_user_q_q_q_1_nf_a():
    m = C.HyperMap()

    @jit
    def f(q):
        return m(_user, (q, q), (q, 1))

    return f("a")


def list_map_ops_relu_t(t):
    return list(map(ops.relu, t))


def list_map_ops_relu_x_1(t, x):
    return list(map(ops.relu, (x, 1)))


def list_map_ops_relu_s(t, s):
    return list(map(ops.relu, s))


def list_map_ops_abs_t(t, x):
    return list(map(ops.abs, t))


def list_map_ops_add_t_x_x_x(t, x):
    return list(map(ops.add, t, (x, x, x)))


def list_map_ops_add_t_t(t, x):
    return list(map(ops.add, t, t))


def list_map_ops_add_t(t, x):
    return list(map(ops.add, t))


def tuple_map_p_relu_t(t, x):
    return tuple(map(P.ReLU(), t))


def tuple_map_ops_exp_1_a(t, x):
    return tuple(map(ops.exp, [1, "a"]))


def tuple_map_len_x(x):
    return tuple(map(len, x))


def tuple_map_len_n(n):
    return tuple(map(len, n))


def tuple_map_abs_n_a(n, t):
    return tuple(map(abs, (n, "a")))


def tuple_map_int_3_a(n, t):
    return tuple(map(int, ("3", "a")))


def tuple_map_lambda_p_to_p_shape_t(t):
    return tuple(map(lambda p: p.shape, t))


def tuple_map_user_t(t):
    return tuple(map(_user, t))


def tuple_map_none_t(t):
    return tuple(map(None, t))


def ops_relu_p_for_p_in_t(t):
    return [ops.relu(p) for p in t]


def list_filter_lambda_p_to_p_gt_1_x(x):
    return list(filter(lambda p: p > 1, x))


def tuple_filter_lambda_p_to_p_x(x):
    return tuple(filter(lambda p: p, x))


def ops_add_1_2():
    return ops.add(1, 2)


def ops_sub_1_2():
    return ops.sub(1, 2)


def ops_mul_2_2_0():
    return ops.mul(2, 2.0)


def ops_add_0_5_0_5():
    return ops.add(0.5, 0.5)


def ops_maximum_1_2():
    return ops.maximum(1, 2)


def ops_minimum_1_0_2():
    return ops.minimum(1.0, 2)


def ops_div_1_2():
    return ops.div(1, 2)


def ops_floor_div_5_2():
    return ops.floor_div(5, 2)


def ops_floor_mod_5_2():
    return ops.floor_mod(5, 2)


def ops_pow_3_2():
    return ops.pow(3, 2)


def p_add_1_2():
    return P.Add()(1, 2)


def ops_add_true_true():
    return ops.add(True, True)


def ops_add_true_1():
    return ops.add(True, 1)


def ops_bitwise_and_3_2():
    return ops.bitwise_and(3, 2)


def ops_atan2_1_2():
    return ops.atan2(1, 2)


def ops_fmod_5_3():
    return ops.fmod(5, 3)


def ops_add_true_true_2(n):
    return ops.add(True, True)


def ops_add_true_n(n):
    return ops.add(True, n)


def ops_mul_n_r(n, r):
    return ops.mul(n, r)


def ops_minimum_r_n(n, r):
    return ops.minimum(r, n)


def ops_floor_mod_n_2(n):
    return ops.floor_mod(n, 2)


def ops_bitwise_and_n_2(n):
    return ops.bitwise_and(n, 2)


def ops_bitwise_or_n_2(n):
    return ops.bitwise_or(n, 2)
