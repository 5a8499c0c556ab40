"""Refused and odd uses of gradients, `vjp`, `jvp`, Jacobians and `vmap`."""

import mindspore as ms
import mindspore.common.dtype as mstype
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def _sq(v):
    return v * v


def _two(v, w):
    return v * w


def _aux(v, w):
    return v * w, v + w


def _int_out(v):
    return 3


def _str_out(v):
    return "a"


def _none_out(v):
    return None


def _dict_out(v):
    return {"a": v}


def _list_out(v):
    return [v, v]


class _Plain(nn.Cell):
    def construct(self, v):
        return v * 2


class _Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, v):
        return v * self.w


class _Frozen(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w", requires_grad=False)

    def construct(self, v):
        return v * self.w


_F3 = Tensor(np.ones(3, np.float32))


_I3 = Tensor(np.ones(3, np.int32))


_F5 = Tensor(np.ones(5, np.float32))


_plain = _Plain()


_weighted = _Weighted()


_frozen = _Frozen()


def eager_grad_of_two():
    return ops.grad(_two, (0, 1))(_F3, _F3)


def eager_grad_of_two_by_second():
    return ops.grad(_two, 1)(_F3, _F3)


def eager_grad_by_a_list():
    return ops.grad(_two, [0, 1])(_F3, _F3)


def eager_grad_by_an_empty_tuple():
    return ops.grad(_two, ())(_F3, _F3)


def eager_grad_by_a_tuple_of_strings():
    return ops.grad(_two, ("a",))(_F3, _F3)


def eager_grad_by_a_tuple_past_the_end():
    return ops.grad(_two, (0, 5))(_F3, _F3)


def eager_grad_by_a_bool():
    return ops.grad(_two, True)(_F3, _F3)


def eager_grad_by_negative_tuple():
    return ops.grad(_two, (0, -1))(_F3, _F3)


def eager_grad_of_a_string():
    return ops.grad("f")(_F3)


def eager_grad_of_none():
    return ops.grad(None)(_F3)


def eager_grad_of_nothing():
    return ops.grad()(_F3)


def eager_grad_of_too_few_arguments():
    return ops.grad(_two)(_F3)


def eager_grad_with_an_int_argument():
    return ops.grad(_sq)(3)


def eager_grad_with_a_float_argument():
    return ops.grad(_sq)(3.0)


def eager_grad_with_an_int_tensor():
    return ops.grad(_sq)(_I3)


def eager_grad_with_a_list_argument():
    return ops.grad(_sq)([1, 2])


def eager_grad_with_none_argument():
    return ops.grad(_sq)(None)


def eager_grad_of_an_int_result():
    return ops.grad(_int_out)(_F3)


def eager_grad_of_a_string_result():
    return ops.grad(_str_out)(_F3)


def eager_grad_of_a_none_result():
    return ops.grad(_none_out)(_F3)


def eager_grad_of_a_dict_result():
    return ops.grad(_dict_out)(_F3)


def eager_grad_of_a_list_result():
    return ops.grad(_list_out)(_F3)


def eager_grad_of_a_tuple_result():
    return ops.grad(_aux)(_F3, _F3)


def eager_grad_with_aux():
    return ops.grad(_aux, 0, None, True)(_F3, _F3)


def eager_grad_with_aux_by_both():
    return ops.grad(_aux, (0, 1), None, True)(_F3, _F3)


def eager_grad_with_aux_of_a_string():
    return ops.grad(_aux, 0, None, "a")(_F3, _F3)


def eager_grad_with_ids():
    return ops.grad(_sq, 0, None, False, True)(_F3)


def eager_grad_with_bad_ids():
    return ops.grad(_sq, 0, None, False, "a")(_F3)


def eager_grad_by_keyword():
    return ops.grad(_sq, grad_position=0)(_F3)


def eager_grad_by_a_bad_keyword():
    return ops.grad(_sq, position=0)(_F3)


def eager_grad_by_a_list_of_strings():
    return ops.grad(_weighted, None, ["w"])(_F3)


def eager_grad_by_an_int_weight():
    return ops.grad(_weighted, None, 1)(_F3)


def eager_grad_by_a_tensor_weight():
    return ops.grad(_weighted, None, _F3)(_F3)


def eager_grad_by_a_single_weight():
    return ops.grad(_weighted, None, _weighted.w)(_F3)


def eager_grad_by_a_frozen_weight():
    return ops.grad(_frozen, None, _frozen.w)(_F3)


def eager_grad_by_trainables_of_frozen():
    return ops.grad(_frozen, None, _frozen.trainable_params())(_F3)


def eager_grad_by_weight_and_position():
    return ops.grad(_weighted, 0, _weighted.trainable_params())(_F3)


def eager_grad_by_a_dict_of_weights():
    return ops.grad(_weighted, None, {"w": _weighted.w})(_F3)


def eager_value_and_grad_by_none():
    return ops.value_and_grad(_sq, None)(_F3)


def eager_value_and_grad_by_a_bad_position():
    return ops.value_and_grad(_sq, 4)(_F3)


def eager_value_and_grad_of_an_int():
    return ops.value_and_grad(3)(_F3)


def eager_value_and_grad_with_aux():
    return ops.value_and_grad(_aux, 0, None, True)(_F3, _F3)


def eager_value_and_grad_with_aux_of_one():
    return ops.value_and_grad(_sq, 0, None, True)(_F3)


def eager_value_and_grad_by_weights():
    return ops.value_and_grad(_weighted, None, _weighted.trainable_params())(_F3)


def eager_value_and_grad_of_weights_that_are_none():
    return ops.value_and_grad(_weighted, None, None)(_F3)


def eager_value_and_grad_of_a_bad_aux():
    return ops.value_and_grad(_sq, 0, None, 1)(_F3)


def eager_value_and_grad_by_a_string_weight():
    return ops.value_and_grad(_weighted, None, "w")(_F3)


def eager_grad_operation_get_all():
    return C.GradOperation(get_all=True)(_two)(_F3, _F3)


def eager_grad_operation_positional():
    return C.GradOperation(True, False, False)(_two)(_F3, _F3)


def eager_grad_operation_of_a_string_flag():
    return C.GradOperation("a")


def eager_grad_operation_of_four():
    return C.GradOperation(True, False, False, 1)


def eager_grad_operation_of_a_bad_keyword():
    return C.GradOperation(nonesuch=True)


def eager_grad_operation_of_an_int():
    return C.GradOperation()(3)


def eager_grad_operation_of_nothing():
    return C.GradOperation()()


def eager_grad_operation_with_two_sens():
    return C.GradOperation(sens_param=True)(_sq)(_F3, _F3, _F3)


def eager_grad_operation_with_an_int_sens():
    return C.GradOperation(sens_param=True)(_sq)(_F3, 1)


def eager_grad_operation_with_a_float_sens():
    return C.GradOperation(sens_param=True)(_sq)(_F3, 2.0)


def eager_grad_operation_with_a_string_sens():
    return C.GradOperation(sens_param=True)(_sq)(_F3, "a")


def eager_grad_operation_with_a_tuple_sens():
    return C.GradOperation(sens_param=True)(_sq)(_F3, (_F3,))


def eager_grad_operation_with_an_int_tensor_sens():
    return C.GradOperation(sens_param=True)(_sq)(_F3, _I3)


def eager_grad_operation_with_none_sens():
    return C.GradOperation(sens_param=True)(_sq)(_F3, None)


def eager_grad_operation_with_sens_of_two_axes():
    return C.GradOperation(sens_param=True)(_sq)(_F3, Tensor(np.ones((3, 1), np.float32)))


def eager_grad_operation_with_sens_of_tuples():
    return C.GradOperation(sens_param=True)(_aux)(_F3, _F3, (_F3, _F3))


def eager_grad_operation_with_too_few_sens_of_tuples():
    return C.GradOperation(sens_param=True)(_aux)(_F3, _F3, (_F3,))


def eager_grad_operation_with_one_sens_of_tuples():
    return C.GradOperation(sens_param=True)(_aux)(_F3, _F3, _F3)


def eager_grad_operation_of_no_arguments():
    return C.GradOperation()(_sq)()


def eager_grad_operation_all_of_no_arguments():
    return C.GradOperation(get_all=True)(_sq)()


def eager_grad_operation_by_list_and_all():
    return C.GradOperation(get_all=True, get_by_list=True)(_weighted, ParameterTuple(_weighted.trainable_params()))(_F3)


def eager_grad_operation_by_list_of_a_plain_list():
    return C.GradOperation(get_by_list=True)(_weighted, _weighted.trainable_params())(_F3)


def eager_grad_operation_by_list_of_one_parameter():
    return C.GradOperation(get_by_list=True)(_weighted, _weighted.w)(_F3)


def eager_grad_operation_by_list_of_none():
    return C.GradOperation(get_by_list=True)(_weighted, None)(_F3)


def eager_grad_operation_by_list_of_ints():
    return C.GradOperation(get_by_list=True)(_weighted, [1])(_F3)


def eager_grad_operation_by_list_of_tensors():
    return C.GradOperation(get_by_list=True)(_weighted, [_F3])(_F3)


def eager_grad_operation_by_list_of_a_string():
    return C.GradOperation(get_by_list=True)(_weighted, "w")(_F3)


def eager_grad_operation_by_list_of_frozen():
    return C.GradOperation(get_by_list=True)(_frozen)(_F3)


def eager_grad_operation_by_list_of_others_weights():
    return C.GradOperation(get_by_list=True)(_plain, ParameterTuple(_weighted.trainable_params()))(_F3)


def eager_grad_operation_of_a_jitted():
    return C.GradOperation()(jit(_sq))(_F3)


def eager_grad_operation_with_a_keyword():
    return C.GradOperation()(_sq)(v=_F3)


def eager_grad_operation_with_a_bad_keyword():
    return C.GradOperation()(_sq)(nonesuch=_F3)


def eager_vjp():
    return ops.vjp(_sq, _F3)[0]


def eager_vjp_called():
    return ops.vjp(_sq, _F3)[1](_F3)


def eager_vjp_of_an_int():
    return ops.vjp(1, _F3)


def eager_vjp_of_nothing():
    return ops.vjp(_sq)


def eager_vjp_of_an_unlike_sens():
    return ops.vjp(_sq, _F3)[1](_F5)


def eager_vjp_without_sens():
    return ops.vjp(_sq, _F3)[1]()


def eager_vjp_of_a_bad_aux():
    return ops.vjp(_sq, _F3, has_aux="a")


def eager_vjp_of_aux():
    return ops.vjp(_aux, _F3, _F3, has_aux=True)[2]


def eager_vjp_of_aux_of_one():
    return ops.vjp(_sq, _F3, has_aux=True)


def eager_vjp_by_weights():
    return ops.vjp(_weighted, _F3, weights=_weighted.trainable_params())[1](_F3)


def eager_vjp_by_a_string():
    return ops.vjp(_weighted, _F3, weights="w")


def eager_jvp():
    return ops.jvp(_sq, _F3, _F3)


def eager_jvp_of_an_int():
    return ops.jvp(1, _F3, _F3)


def eager_jvp_of_unlike_tangents():
    return ops.jvp(_sq, _F3, _F5)


def eager_jvp_of_an_int_tensor():
    return ops.jvp(_sq, _I3, _I3)


def eager_jvp_of_too_many_tangents():
    return ops.jvp(_sq, (_F3,), (_F3, _F3))


def eager_jvp_of_lists():
    return ops.jvp(_sq, [_F3], [_F3])


def eager_jvp_of_ints():
    return ops.jvp(_sq, 1, 1)


def eager_jvp_of_a_bad_aux():
    return ops.jvp(_sq, _F3, _F3, has_aux=1)


def eager_jvp_of_aux_of_one():
    return ops.jvp(_sq, _F3, _F3, has_aux=True)


def eager_jacfwd():
    return ops.jacfwd(_sq)(_F3)


def eager_jacfwd_by_a_string():
    return ops.jacfwd(_sq, "a")(_F3)


def eager_jacfwd_by_a_bad_position():
    return ops.jacfwd(_sq, 3)(_F3)


def eager_jacrev_by_a_string():
    return ops.jacrev(_sq, "a")(_F3)


def eager_jacrev_by_a_negative():
    return ops.jacrev(_sq, -1)(_F3)


def eager_jacrev_of_a_bad_aux():
    return ops.jacrev(_sq, 0, 1)(_F3)


def eager_jacrev():
    return ops.jacrev(_sq)(_F3)


def eager_vmap():
    return ops.vmap(_sq)(_F3)


def eager_vmap_of_an_int():
    return ops.vmap(1)(_F3)


def eager_vmap_of_a_string_axis():
    return ops.vmap(_sq, "a")(_F3)


def eager_vmap_of_a_bad_axis():
    return ops.vmap(_sq, 3)(_F3)


def eager_vmap_of_no_axes():
    return ops.vmap(_two, (None, None))(_F3, _F3)


def eager_vmap_of_unlike_sizes():
    return ops.vmap(_two, 0)(_F3, _F5)


def eager_vmap_of_too_many_axes():
    return ops.vmap(_sq, (0, 0))(_F3)


def eager_vmap_of_a_bad_out_axis():
    return ops.vmap(_sq, 0, "a")(_F3)


def eager_vmap_of_a_float_axis():
    return ops.vmap(_sq, 0.5)(_F3)


def eager_get_grad():
    return ops.get_grad(ops.grad(_sq, 0, None, False, True)(_F3), 0)


def eager_get_grad_of_a_missing_id():
    return ops.get_grad(ops.grad(_sq, 0, None, False, True)(_F3), 5)


def eager_get_grad_of_a_string():
    return ops.get_grad(ops.grad(_sq, 0, None, False, True)(_F3), "a")


def eager_stop_gradient():
    return ops.stop_gradient(_F3)


def eager_stop_gradient_of_an_int():
    return ops.stop_gradient(1)


def eager_ms_grad_of_an_int():
    return ms.grad(1)(_F3)


def eager_ms_value_and_grad_of_a_string():
    return ms.value_and_grad("a")(_F3)


def grad_by_a_string_position(y):
    return ops.grad(_sq, "a")(y)


def grad_by_a_negative_position(y):
    return ops.grad(_sq, -1)(y)


def grad_by_repeated_positions(y):
    return ops.grad(_two, (0, 0))(y, y)


def grad_by_no_position(y):
    return ops.grad(_sq, None)(y)


def grad_by_a_list_of_positions(y):
    return ops.grad(_two, [0, 1])(y, y)


def grad_by_two(y):
    return ops.grad(_two, (0, 1))(y, y)


def grad_with_aux(y):
    return ops.grad(_aux, 0, None, True)(y, y)


def grad_with_aux_of_one(y):
    return ops.grad(_sq, 0, None, True)(y)


def grad_with_a_bad_aux(y):
    return ops.grad(_sq, 0, None, 1)(y)


def grad_by_weights(y):
    return ops.grad(_weighted, None, _weighted.trainable_params())(y)


def grad_by_a_string_weight(y):
    return ops.grad(_weighted, None, "w")(y)


def grad_by_unused_weights(y):
    return ops.grad(_plain, None, _weighted.trainable_params())(y)


def grad_by_one_weight(y):
    return ops.grad(_weighted, None, _weighted.w)(y)


def grad_of_an_int(y):
    return ops.grad(1)(y)


def grad_of_none(y):
    return ops.grad(None)(y)


def grad_of_a_string(y):
    return ops.grad("f")(y)


def grad_of_too_many_arguments(y):
    return ops.grad(_sq)(y, y)


def grad_of_too_few_arguments(y):
    return ops.grad(_two)(y)


def grad_of_a_tuple(t):
    return ops.grad(_sq)(t)


def grad_of_a_string_argument(s):
    return ops.grad(_sq)(s)


def grad_of_a_lambda(y):
    return ops.grad(lambda v: v * 3)(y)


def grad_of_a_mutable():
    return ops.grad(_sq)(mutable(3.0))


def grad_of_a_float(r):
    return ops.grad(_sq)(r)


def value_and_grad_in_a_graph(y):
    return ops.value_and_grad(_sq)(y)


def value_and_grad_by_a_bad_position_in_a_graph(y):
    return ops.value_and_grad(_sq, 3)(y)


def value_and_grad_with_aux_in_a_graph(y):
    return ops.value_and_grad(_aux, 0, None, True)(y, y)


def grad_operation_all(y):
    return C.GradOperation(get_all=True)(_two)(y, y)


def grad_operation_sens(y):
    return C.GradOperation(sens_param=True)(_sq)(y, y)


def grad_operation_without_sens(y):
    return C.GradOperation(sens_param=True)(_sq)(y)


def grad_operation_of_an_unlike_sens(x, y):
    return C.GradOperation(sens_param=True)(_sq)(y, x)


def grad_operation_of_an_int_sens(y):
    return C.GradOperation(sens_param=True)(_sq)(y, 1)


def grad_operation_of_a_bad_flag(y):
    return C.GradOperation(get_all=1)(_sq)(y)


def grad_operation_by_list(y):
    return C.GradOperation(get_by_list=True)(_weighted, _weighted.trainable_params())(y)


def grad_operation_by_list_without_weights(y):
    return C.GradOperation(get_by_list=True)(_weighted)(y)


def grad_operation_by_list_of_a_function(y):
    return C.GradOperation(get_by_list=True)(_sq)(y)


def grad_operation_by_empty_list(y):
    return C.GradOperation(get_by_list=True)(_plain, ParameterTuple([]))(y)


def grad_operation_by_strings(y):
    return C.GradOperation(get_by_list=True)(_weighted, ["w"])(y)


def grad_operation_of_none(y):
    return C.GradOperation()(None)(y)


def grad_operation_of_an_int(y):
    return C.GradOperation()(1)(y)


def grad_operation_of_nothing(y):
    return C.GradOperation()()(y)


def grad_operation_of_no_arguments():
    return C.GradOperation()(lambda: 1)()


def grad_operation_all_of_no_arguments():
    return C.GradOperation(get_all=True)(lambda: 1)()


def grad_operation_twice(y):
    return C.GradOperation()(C.GradOperation()(_sq))(y)


def jvp_in_a_graph(y):
    return ops.jvp(_sq, y, y)


def jvp_of_unlike_tangents(x, y):
    return ops.jvp(_sq, y, x)


def vmap_in_a_graph(y):
    return ops.vmap(_sq)(y)


def vmap_of_an_int_in_a_graph(y):
    return ops.vmap(1)(y)
