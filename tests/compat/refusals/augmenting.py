"""`x += y` of Tensors, compiled and line by line."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, grad, jit, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def _aug(x):
    x += 1
    return (x * x).sum()


def _aug2(x):
    y = x * x
    y += x
    y *= 2
    return y.sum()


def _aug3(x):
    y = x
    y += 1
    return (x * y).sum()


def _aug4(x):
    s = 0
    s += x
    s += x
    return s


def _aug5(x):
    s = Tensor(0)
    for i in range(3):
        s += x.sum()
    return s


def _aug6(x, n):
    while n > 0:
        x += 1
        n -= 1
    return x


def _aug7(x):
    if x.sum() > 0:
        x += 1
    else:
        x -= 1
    return x


def _aug8(t):
    t[0] += 1
    return t


def _aug9(t):
    t[0] += 1
    return t


def _aug10(x):
    y = x[0]
    y += 1
    return x, y


def _aug11(x):
    x[0] += 1
    return x


def _aug12(x):
    def g(q):
        q += 1
        return q

    return g(x), x


def _aug13(x):
    y = x * x
    for i in range(3):
        y += y * x
    return y


def _aug14(x):
    y = ops.zeros_like(x)
    z = y
    y += x
    return y, z


def _aug15(x, y):
    x += 1
    return x + y


def eager_jit_ndef_f_q_to_n_q_plus_1_n_q_nx_t_1_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q += 1
        return q

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_plus_1_5_n_q_nx_t_1_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q += 1.5
        return q

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_div_2_n_q_nx_t_1_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q /= 2
        return q

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_power_2_n_q_nx_t_1_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q **= 2
        return q

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_q_n_q_nx_t_1_0_2_3_4_ny_f_x_nx_y():
    @jit
    def f(q):
        q @= q
        return q

    x = Tensor([[1.0, 2], [3, 4]])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_floordiv_2_n_q_nx_t_1_0_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q //= 2
        return q

    x = Tensor([1.0, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_mod_2_n_q_nx_t_1_0_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q %= 2
        return q

    x = Tensor([1.0, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_times_2_5_n_q_nx_t_1_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q *= 2.5
        return q

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_minus_2_5_n_q_nx_t_1_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q -= 2.5
        return q

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_z_q_times_2_n_z_minus_2_5_n_z_nx_t_1_2_ny():
    @jit
    def f(q):
        z = q * 2
        z -= 2.5
        return z

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_r_to_n_q_plus_r_n_q_nx_t_1_2_ny_f_x_t_1_2_3_4_n():
    @jit
    def f(q, r):
        q += r
        return q

    x = Tensor([[1], [2]])
    y = f(x, Tensor([[1, 2], [3, 4]]))
    return x, y


def eager_jit_ndef_f_q_r_to_n_q_plus_r_n_q_nx_t_1_2_ms_int32_ny_f_x_t():
    @jit
    def f(q, r):
        q += r
        return q

    x = Tensor([1, 2], ms.int32)
    y = f(x, Tensor([1.5, 2.5]))
    return x, y


def eager_jit_ndef_f_q_r_to_n_q_plus_r_n_q_nx_t_1_ny_f_x_t_1_5_2_5_nx():
    @jit
    def f(q, r):
        q += r
        return q

    x = Tensor(1)
    y = f(x, Tensor([1.5, 2.5]))
    return x, y


def eager_jit_ndef_f_q_r_to_n_q_plus_r_n_q_nx_t_1_2_ms_float16_ny_f_x():
    @jit
    def f(q, r):
        q += r
        return q

    x = Tensor([1, 2], ms.float16)
    y = f(x, Tensor([1.5, 2.5]))
    return x, y


def eager_jit_ndef_f_q_to_n_q_1_n_q_nx_t_1_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q &= 1
        return q

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_true_n_q_nx_t_true_false_ny_f_x_nx_y():
    @jit
    def f(q):
        q |= True
        return q

    x = Tensor([True, False])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_lt_lt_1_n_q_nx_t_1_2_ny_f_x_nx_y():
    @jit
    def f(q):
        q <<= 1
        return q

    x = Tensor([1, 2])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_plus_true_n_q_nx_t_true_false_ny_f_x_nx():
    @jit
    def f(q):
        q += True
        return q

    x = Tensor([True, False])
    y = f(x)
    return x, y


def eager_jit_ndef_f_q_to_n_q_q_plus_1_n_q_nx_t_true_false_ny_f_x_nx_y():
    @jit
    def f(q):
        q = q + 1
        return q

    x = Tensor([True, False])
    y = f(x)
    return x, y


def eager_x_t_1_2_y_x_y_plus_1_x_y():
    x = Tensor([1, 2])
    y = x
    y += 1
    return x, y


def eager_x_t_1_2_y_x_y_plus_1_5_x_y():
    x = Tensor([1, 2])
    y = x
    y += 1.5
    return x, y


def eager_x_t_1_2_y_x_y_div_2_x_y():
    x = Tensor([1, 2])
    y = x
    y /= 2
    return x, y


def eager_x_t_1_2_y_x_y_times_2_5_x_y():
    x = Tensor([1, 2])
    y = x
    y *= 2.5
    return x, y


def eager_x_t_1_0_2_y_x_y_minus_2_x_y():
    x = Tensor([1.0, 2])
    y = x
    y -= 2
    return x, y


def eager_x_t_1_0_2_y_x_y_floordiv_2_x_y():
    x = Tensor([1.0, 2])
    y = x
    y //= 2
    return x, y


def eager_x_t_1_0_2_y_x_y_mod_2_x_y():
    x = Tensor([1.0, 2])
    y = x
    y %= 2
    return x, y


def eager_x_t_1_0_2_y_x_y_power_2_x_y():
    x = Tensor([1.0, 2])
    y = x
    y **= 2
    return x, y


def eager_x_t_1_2_y_x_y_plus_t_1_2_3_4_x_y():
    x = Tensor([[1], [2]])
    y = x
    y += Tensor([[1, 2], [3, 4]])
    return x, y


def eager_x_t_1_y_x_y_plus_t_1_2_3_4_x_y():
    x = Tensor([1])
    y = x
    y += Tensor([[1, 2], [3, 4]])
    return x, y


def eager_x_t_1_0_2_grad_aug_x_x():
    x = Tensor([1.0, 2])
    return grad(_aug)(x), x


def eager_x_t_1_0_2_jit_grad_aug_x_x():
    x = Tensor([1.0, 2])
    return jit(grad(_aug))(x), x


def eager_x_t_1_0_2_jit_grad_aug2_x_x():
    x = Tensor([1.0, 2])
    return jit(grad(_aug2))(x), x


def eager_x_t_1_0_2_grad_aug2_x_x():
    x = Tensor([1.0, 2])
    return grad(_aug2)(x), x


def eager_x_t_1_0_2_jit_grad_aug3_x_x():
    x = Tensor([1.0, 2])
    return jit(grad(_aug3))(x), x


def eager_x_t_1_0_2_jit_aug3_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug3)(x), x


def eager_x_t_1_0_2_jit_aug4_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug4)(x), x


def eager_x_t_1_0_2_jit_aug5_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug5)(x), x


def eager_x_t_1_2_jit_aug5_x_x():
    x = Tensor([1, 2])
    return jit(_aug5)(x), x


def eager_x_t_1_0_2_jit_aug6_x_3_x():
    x = Tensor([1.0, 2])
    return jit(_aug6)(x, 3), x


def eager_x_t_1_0_2_jit_aug6_x_t_3_x():
    x = Tensor([1.0, 2])
    return jit(_aug6)(x, Tensor(3)), x


def eager_x_t_1_0_2_jit_aug7_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug7)(x), x


def eager_p_parameter_t_1_0_2_name_p_n_jit_ndef_f_to_n_q_p_n_q_plus_1():
    p = Parameter(Tensor([1.0, 2]), name="p")

    @jit
    def f():
        q = p
        q += 1
        return q

    return f(), p


def eager_p_parameter_t_1_2_name_p_n_jit_ndef_f_to_n_q_p_n_q_plus_1_5():
    p = Parameter(Tensor([1, 2]), name="p")

    @jit
    def f():
        q = p
        q += 1.5
        return q

    return f(), p


def eager_p_parameter_t_1_2_name_p_q_p_q_plus_1_p_q():
    p = Parameter(Tensor([1, 2]), name="p")
    q = p
    q += 1
    return p, q


def eager_x_t_1_0_2_jit_aug8_x_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug8)((x, x)), x


def eager_x_t_1_0_2_jit_aug9_x_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug9)([x, x]), x


def eager_x_t_1_0_2_jit_aug10_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug10)(x), x


def eager_x_t_1_0_2_jit_aug11_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug11)(x), x


def eager_x_t_1_0_2_jit_aug12_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug12)(x), x


def eager_x_t_1_0_2_jit_ms_value_and_grad_aug_x_x():
    x = Tensor([1.0, 2])
    return jit(ms.value_and_grad(_aug))(x), x


def eager_x_t_1_0_2_jit_ms_vmap_aug_x_x():
    x = Tensor([[1.0, 2]])
    return jit(ms.vmap(_aug))(x), x


def eager_x_t_2_0_jit_grad_aug13_x_x():
    x = Tensor(2.0)
    return jit(grad(_aug13))(x), x


def eager_x_t_1_0_2_jit_aug14_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug14)(x), x


def eager_x_t_1_0_2_jit_aug15_x_x_x():
    x = Tensor([1.0, 2])
    return jit(_aug15)(x, x), x


def eager_x_t_true_false_y_x_y_plus_1_x_y():
    x = Tensor([True, False])
    y = x
    y += 1
    return x, y


def eager_x_t_1_y_x_y_plus_1_x_y():
    x = Tensor(1)
    y = x
    y += 1
    return x, y


def eager_x_t_1_jit_aug_x_x():
    x = Tensor(1)
    return jit(_aug)(x), x
