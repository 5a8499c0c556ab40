"""Refused and odd uses of Cells, containers of Cells and Parameters, line by line."""
# pyright: basic, reportMissingImports=false

from collections import OrderedDict

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops
from mindspore.common.initializer import (
    Constant,
    HeNormal,
    Initializer,
    Normal,
    One,
    TruncatedNormal,
    Uniform,
    XavierUniform,
    Zero,
    initializer,
)

_F3 = Tensor(np.ones(3, np.float32))
_F23 = Tensor(np.ones((2, 3), np.float32))


def _p(name: str | None = "p"):
    return Parameter(Tensor(np.ones(3, np.float32)), name=name)


class _Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(x * self.w)


class _None(nn.Cell):
    pass


class _NoSuper(nn.Cell):
    def __init__(self):
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, x):
        return x


class _NoSuperCell(nn.Cell):
    def __init__(self):
        self.r = nn.ReLU()


class _Two(nn.Cell):
    def construct(self, x, y=1, *, z=2):
        return x + y


def eager_none_x():
    return _None()(_F3)


def eager_net_x_x():
    return _Net()(_F3, _F3)


def eager_n_net_n_w_x_type_n_w_name():
    n = _Net()
    n.w = _F3
    return type(n.w).__name__


def eager_n_net_n_w_nn_tanh():
    n = _Net()
    n.w = nn.Tanh()


def eager_n_nn_cell_n_a_p_none_n_a_name():
    n = nn.Cell()
    n.a = _p(None)
    return n.a.name


def eager_n_net_n_insert_param_to_cell_a_b_p():
    n = _Net()
    return n.insert_param_to_cell("a.b", _p())


def eager_n_net_n_insert_param_to_cell_a_x():
    n = _Net()
    return n.insert_param_to_cell("a", _F3)


def eager_n_net_n_to_float_ms_int8():
    n = _Net()
    return n.to_float(ms.int8)


def eager_n_net_n_training_a():
    n = _Net()
    n.training = "a"


def eager_n_net_n_register_forward_hook_a():
    n = _Net()
    return n.register_forward_hook("a")


def eager_n_net_n_register_buffer_b_1():
    n = _Net()
    return n.register_buffer("b", 1)


def eager_n_net_n_get_sub_cell_nonesuch():
    n = _Net()
    return n.get_sub_cell("nonesuch")


def eager_n_net_n_set_inputs():
    n = _Net()
    n.set_inputs()


def eager_n_net_n_recompute_nonesuch_1():
    n = _Net()
    return n.recompute(nonesuch=1)


def eager_n_net_n_add_flags_a_1_get_flags():
    n = _Net()
    return n.add_flags(a=1).get_flags()


def eager_n_net_len_n():
    n = _Net()
    return len(n)


def eager_nn_cell_flags_a_1_get_flags():
    return nn.Cell(flags={"a": 1}).get_flags()


def eager_nn_celllist_nn_relu_plus_1():
    return nn.CellList([nn.ReLU()]) + 1


def eager_c_nn_celllist_nn_relu_del_c_a():
    c = nn.CellList([nn.ReLU()])
    del c["a"]


def eager_c_nn_celllist_nn_relu_c_extend_nn_relu():
    c = nn.CellList([nn.ReLU()])
    return c.extend(nn.ReLU())


def eager_nn_relu_in_nn_celllist_nn_relu():
    return nn.ReLU() in nn.CellList([nn.ReLU()])


def eager_nn_sequentialcell_ordereddict_1_nn_relu():
    return nn.SequentialCell(OrderedDict([(1, nn.ReLU())]))


def eager_nn_sequentialcell_nn_relu_1_2():
    return nn.SequentialCell([nn.ReLU()])(1, 2)


def eager_c_nn_sequentialcell_nn_relu_del_c_x():
    c = nn.SequentialCell([nn.ReLU()])
    del c["x"]


def eager_nn_sequentialcell_nn_relu_plus_nn_sequentialcell_nn_relu():
    return nn.SequentialCell([nn.ReLU()]) + nn.SequentialCell([nn.ReLU()])


def eager_nn_celldict_1_nn_relu():
    return nn.CellDict({1: nn.ReLU()})


def eager_nn_celldict_keys_nn_relu():
    return nn.CellDict({"keys": nn.ReLU()})


def eager_c_nn_celldict_a_nn_relu_c_pop_b():
    c = nn.CellDict({"a": nn.ReLU()})
    return c.pop("b")


def eager_c_nn_celldict_a_nn_relu_c_update_b_nn_relu_1():
    c = nn.CellDict({"a": nn.ReLU()})
    return c.update([("b", nn.ReLU(), 1)])


def eager_parameter_none():
    return Parameter(None)


def eager_parameter_true_name_p():
    return Parameter(True, name="p")


def eager_parameter_a_1_name_p():
    return Parameter({"a": 1}, name="p")


def eager_parameter_x_requires_grad_1():
    return Parameter(_F3, requires_grad=1)


def eager_parameter_x_nonesuch_1():
    return Parameter(_F3, nonesuch=1)


def eager_p_p_p_name_1():
    p = _p()
    p.name = 1


def eager_p_p_p_requires_grad_x():
    p = _p()
    p.requires_grad = "x"


def eager_p_p_p_comm_fusion_minus_1():
    p = _p()
    p.comm_fusion = -1


def eager_p_p_p_set_data_a():
    p = _p()
    return p.set_data("a")


def eager_p_parameter_np_ones_3_np_int32_name_i_p_set_data_x():
    p = Parameter(Tensor(np.ones(3, np.int32)), name="i")
    return p.set_data(_F3)


def eager_p_p_p_dtype_ms_int32():
    p = _p()
    p.dtype = ms.int32


def eager_parametertuple_none():
    return ParameterTuple(None)


def eager_parametertuple_x():
    return ParameterTuple((_F3,))


def eager_parametertuple_p_a_clone_x_0_name():
    return ParameterTuple([_p("a")]).clone("x")[0].name


class _Product(nn.Cell):
    def construct(self, x, y):
        return x * y


def _product_in_a_graph(*args, **keywords):
    context.set_context(mode=context.GRAPH_MODE)
    try:
        return _Product()(*args, **keywords)
    finally:
        context.set_context(mode=context.PYNATIVE_MODE)


def eager_construct_with_an_unknown_keyword_in_place_of_an_argument():
    return _product_in_a_graph(_F3, z=_F3)


def eager_construct_with_keywords_alone_of_which_none_fits():
    return _product_in_a_graph(z=_F3)


def eager_construct_with_an_unknown_keyword_besides():
    return _product_in_a_graph(_F3, _F3, z=_F3)


def eager_construct_with_an_argument_twice():
    return _product_in_a_graph(_F3, x=_F3)


def eager_construct_without_its_first_argument():
    return _product_in_a_graph(y=_F3)


def eager_construct_with_an_argument_by_name():
    return _product_in_a_graph(_F3, y=_F3)
