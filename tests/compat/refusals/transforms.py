"""Refused and odd gradients, directional derivatives, Jacobians and maps over rows, line by line."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops
from mindspore.ops import GradOperation
from mindspore.ops import composite as C

_F3 = Tensor(np.ones(3, np.float32))
_F23 = Tensor(np.ones((2, 3), np.float32))
_I3 = Tensor(np.ones(3, np.int32))


def _sq(x):
    return x * x


def _mul(x, y):
    return x * y


def _two(x, y):
    return x * y, x + y


def _aux(x, y):
    return (x * y).sum(), x


def _none(x):
    return None


def _const(x):
    return 1


def _string(x):
    return "a"


def _tuple_in(t):
    return t[0] * t[1]


def _kw(x, y=2):
    return x * y


def _scalar(x):
    return (x * x).sum()


def _intres(x):
    return x.astype(ms.int32)


def _dictres(x):
    return {"a": x * x}


def _listres(x):
    return [x * x, x]


class _Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")
        self.b = Parameter(Tensor(np.zeros(3, np.float32)), name="b", requires_grad=False)

    def construct(self, x):
        return x * self.w + self.b


class _NoParam(nn.Cell):
    def construct(self, x):
        return x * x


class _Bprop(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return x * 3, y * 4


class _BpropOne(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return x * 3


class _BpropThree(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return x, y, y


class _BpropShort(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, out, dout):
        return x, x


class _BpropNone(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return None


class _BpropShape(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (Tensor(np.ones((2, 2), np.float32)),)


class _BpropType(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (Tensor(np.ones(3, np.int32)),)


class _BpropStr(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return ("a",)


class _BpropInt(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (5,)


class _BpropParam(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, x):
        return x * self.w

    def bprop(self, x, out, dout):
        return (x,)


def eager_ops_grad_sq_x():
    return ops.grad(_sq)(_F3)


def eager_ops_grad_sq_1_x():
    return ops.grad(_sq, 1)(_F3)


def eager_ops_grad_sq_none_x():
    return ops.grad(_sq, None)(_F3)


def eager_ops_grad_sq_0_x():
    return ops.grad(_sq, "0")(_F3)


def eager_ops_grad_sq_0_a():
    return ops.grad(_sq, (0, "a"))


def eager_ops_grad_mul_0_true_x_x():
    return ops.grad(_mul, (0, True))(_F3, _F3)


def eager_ops_grad_mul_x_x_y_x():
    return ops.grad(_mul)(x=_F3, y=_F3)


def eager_ops_grad_sq_none():
    return ops.grad(_sq)(None)


def eager_ops_grad_none_x():
    return ops.grad(_none)(_F3)


def eager_ops_grad_sq_has_aux_true_x():
    return ops.grad(_sq, has_aux=True)(_F3)


def eager_ops_grad_mul_0_1_return_ids_true_x_x():
    return ops.grad(_mul, (0, 1), return_ids=True)(_F3, _F3)


def eager_ops_grad_sq_nonesuch_1():
    return ops.grad(_sq, nonesuch=1)


def eager_ops_grad():
    return ops.grad()


def eager_n_net_ops_grad_n_none_n_w_x():
    n = _Net()
    return ops.grad(n, None, n.w)(_F3)


def eager_n_net_ops_grad_n_none_1_5_x():
    n = _Net()
    return ops.grad(n, None, 1.5)(_F3)


def eager_n_net_ops_grad_n_none_n_w_1_x():
    n = _Net()
    return ops.grad(n, None, (n.w, 1))(_F3)


def eager_n_net_ops_grad_n_none_n_w_a_x():
    n = _Net()
    return ops.grad(n, None, [n.w, "a"])(_F3)


def eager_n_net_ops_grad_n_0_n_w_return_ids_true_x():
    n = _Net()
    return ops.grad(n, 0, [n.w], return_ids=True)(_F3)


def eager_n_net_g_ops_grad_n_0_n_w_return_ids_true_x_ops_get_grad_g_1():
    n = _Net()
    g = ops.grad(n, 0, [n.w], return_ids=True)(_F3)
    return ops.get_grad(g, 1.5)


def eager_n_net_m_net_ops_grad_n_none_m_w_x():
    n = _Net()
    m = _Net()
    return ops.grad(n, None, m.w)(_F3)


def eager_n_noparam_gradoperation_get_by_list_true_n_n_trainable_param():
    n = _NoParam()
    return GradOperation(get_by_list=True)(n, n.trainable_params())(_F3)


def eager_gradoperation_1():
    return GradOperation(1)


def eager_gradoperation_nonesuch_1():
    return GradOperation(nonesuch=1)


def eager_gradoperation_true_true_true_true():
    return GradOperation(True, True, True, True)


def eager_gradoperation_1_x():
    return GradOperation()(1)(_F3)


def eager_gradoperation_sens_param_true_sq_x():
    return GradOperation(sens_param=True)(_sq)(_F3)


def eager_gradoperation_sens_param_true_sq_x_none():
    return GradOperation(sens_param=True)(_sq)(_F3, None)


def eager_gradoperation_sens_param_true_sq_x_sens_x_times_2():
    return GradOperation(sens_param=True)(_sq)(_F3, sens=_F3 * 2)


def eager_gradoperation_sens_param_true_two_x_x_x():
    return GradOperation(sens_param=True)(_two)(_F3, _F3, _F3)


def eager_gradoperation_sens_param_true_two_x_x_x_again():
    return GradOperation(sens_param=True)(_two)(_F3, _F3, (_F3,))


def eager_ops_value_and_grad_sq_1_x():
    return ops.value_and_grad(_sq, 1)(_F3)


def eager_ops_value_and_grad_sq_true_x():
    return ops.value_and_grad(_sq, True)(_F3)


def eager_ops_value_and_grad_aux_has_aux_true_x_x():
    return ops.value_and_grad(_aux, has_aux=True)(_F3, _F3)


def eager_n_net_ops_value_and_grad_n_none_x():
    n = _Net()
    return ops.value_and_grad(n, None, [])(_F3)


def eager_ops_vjp_sq_x_1_a():
    return ops.vjp(_sq, _F3)[1]("a")


def eager_ops_vjp_1_x():
    return ops.vjp(1, _F3)


def eager_ops_vjp_sq_a():
    return ops.vjp(_sq, "a")


def eager_n_net_ops_vjp_n_x_weights_w_1_x():
    n = _Net()
    return ops.vjp(n, _F3, weights="w")[1](_F3)


def eager_ops_jvp_sq_1_0_x():
    return ops.jvp(_sq, 1.0, _F3)


def eager_ops_jvp_sq_x_none():
    return ops.jvp(_sq, _F3, None)


def eager_ops_jvp_mul_x_x_x_again():
    return ops.jvp(_mul, (_F3, _F3), _F3)


def eager_ops_jvp_sq_x_x_has_aux_true():
    return ops.jvp(_sq, _F3, _F3, has_aux=True)


def eager_ops_jacfwd_sq_1_x():
    return ops.jacfwd(_sq, 1)(_F3)


def eager_ops_jacfwd_sq_0_x():
    return ops.jacfwd(_sq, (0,))(_F3)


def eager_ops_jacfwd_1_x():
    return ops.jacfwd(1)(_F3)


def eager_ops_jacrev_sq_minus_1_x():
    return ops.jacrev(_sq, -1)(_F3)


def eager_ops_jacrev_sq_x():
    return ops.jacrev(_sq, ())(_F3)


def eager_ops_vmap_sq_2_f23():
    return ops.vmap(_sq, 2)(_F23)


def eager_ops_vmap_sq_minus_3_f23():
    return ops.vmap(_sq, -3)(_F23)


def eager_ops_vmap_sq_none_f23_again():
    return ops.vmap(_sq, (None,))(_F23)


def eager_ops_vmap_two_f23_f23():
    return ops.vmap(_two)(_F23, _F23)


def eager_ops_vmap_sq_a():
    return ops.vmap(_sq)("a")


def eager_ops_vmap_sq():
    return ops.vmap(_sq)()


def eager_ops_grad_bpropthree_0_1_x_x():
    return ops.grad(_BpropThree(), (0, 1))(_F3, _F3)


def eager_ops_derivative_sq_x_order_2():
    return ops.derivative(_sq, _F3, order=2)


def eager_nn_forwardvalueandgrad_net_x():
    return nn.ForwardValueAndGrad(_Net())(_F3)
