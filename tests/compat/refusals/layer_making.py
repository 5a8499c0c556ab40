"""Layers, losses and optimizers made and called with arguments of another type or number; mappings made in graphs; directions of `jvp`."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, jvp, nn, ops
from mindspore.ops import composite as C

_x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
_im = Tensor(np.ones((1, 3, 8, 8), np.float32))
_params = nn.Dense(3, 2).trainable_params
_u, _v = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
_pair = C.MultitypeFuncGraph("pair_up")


@_pair.register("Tensor", "Tensor")
def _pair_tensors(a, b):
    return ops.add(a, b)


def _square(a):
    return a * a


def _product(a, b):
    return a * b


def eager_conv1d_of_nothing():
    return nn.Conv1d()


def eager_conv1d_of_a_string():
    return nn.Conv1d("a", 2, 3)


def eager_conv1d_of_a_float():
    return nn.Conv1d(3.5, 2, 3)


def eager_conv2d_with_an_unknown_keyword():
    return nn.Conv2d(3, 2, 3, bias=True)


def eager_conv2d_with_a_bias_of_an_int():
    return nn.Conv2d(3, 2, 3, has_bias=1)


def eager_conv2d_of_a_list_as_kernel():
    return nn.Conv2d(3, 2, [3, 3])


def eager_conv2d_of_weights_in_a_tuple():
    return nn.Conv2d(3, 2, 3, weight_init=(1, 2))


def eager_dense_of_a_dtype_in_a_string():
    return nn.Dense(3, 2, dtype="float32")


def eager_dense_of_too_many():
    return nn.Dense(*range(30))


def eager_dropout_of_a_string():
    return nn.Dropout("a")(_x)


def eager_dropout_of_a_list():
    return nn.Dropout(p=[0.5])(_x)


def eager_leaky_relu_of_a_string():
    return nn.LeakyReLU("a")(_x)


def eager_elu_of_none():
    return nn.ELU(None)(_x)


def eager_softmax_of_a_float():
    return nn.Softmax(1.5)(_x)


def eager_gelu_of_an_int():
    return nn.GELU(1)(_x)


def eager_max_pool_with_dilation():
    return nn.MaxPool2d(2, dilation=2)(_im)


def eager_max_pool_with_indices():
    return nn.MaxPool2d(2, return_indices=True)(_im)


def eager_max_pool3d_with_ceil_mode():
    return nn.MaxPool3d(2, ceil_mode=True)


def eager_avg_pool_of_a_string():
    return nn.AvgPool2d("a")


def eager_batch_norm_of_a_float():
    return nn.BatchNorm2d(3.5)


def eager_batch_norm_with_gamma_of_another_shape():
    return nn.BatchNorm2d(3, gamma_init=Tensor([1.0]))


def eager_layer_norm_of_an_int():
    return nn.LayerNorm(3)


def eager_embedding_of_a_string():
    return nn.Embedding("a", 3)


def eager_lstm_of_floats():
    return nn.LSTM(2.5, 3)


def eager_momentum_without_a_momentum():
    return nn.Momentum(_params(), 0.1)


def eager_sgd_of_a_number():
    return nn.SGD(3, 0.1)


def eager_rprop_of_strings():
    return nn.Rprop(["a"])


def eager_asgd_of_a_negative_rate():
    return nn.ASGD(_params(), -1.0)


def eager_adam_with_an_int_beta():
    return nn.Adam(_params(), beta1=1)


def eager_adam_of_nothing():
    return nn.Adam()


def eager_relu_of_nothing():
    return nn.ReLU()()


def eager_relu6_of_none():
    return nn.ReLU6()(None)


def eager_dense_of_two():
    return nn.Dense(3, 2)(_x, _x)


def eager_l1_loss_of_one():
    return nn.L1Loss()(_x)


def eager_l1_loss_of_none():
    return nn.L1Loss()(None, None)


def eager_hswish_of_a_string():
    return nn.HSwish()("a")


def eager_celu_of_a_number():
    return nn.CELU()(1)


def eager_relu_with_a_keyword():
    return nn.ReLU(foo=1)


def eager_l1_loss_with_a_keyword():
    return nn.L1Loss(foo=1)


def eager_accuracy_of_a_word():
    return nn.Accuracy("a")


def eager_recall_of_a_list():
    return nn.Recall(["a"])


def eager_cosine_rate_of_a_string():
    return nn.cosine_decay_lr("a", 0.1, 6, 2, 2)


def eager_warm_up_of_an_int():
    return nn.WarmUpLR(1, 2)


def eager_jvp_along_one_element():
    return jvp(_square, _u, Tensor([1.0]))


def eager_jvp_along_a_scalar():
    return jvp(_square, _u, Tensor(2.0))


def eager_jvp_along_ints():
    return jvp(_square, _u, Tensor([1, 1]))


def eager_jvp_along_halves():
    return jvp(_square, _u, Tensor([1.0, 1.0], ms.float16))


def eager_jvp_along_a_number():
    return jvp(_product, (_u, _v), (_u, 1.0))


def eager_jvp_along_none():
    return jvp(_product, (_u, _v), (None, _v))


def eager_jvp_along_a_string():
    return jvp(_product, (_u, _v), ("a", _v))


def eager_jvp_of_a_number():
    return jvp(_product, (_u, 2.0), (_u, 1.0))


def eager_jvp_along_a_row():
    return jvp(_square, _u, Tensor([[1.0, 1.0]]))


def map_made_in_a_graph(x):
    return C.Map(_pair)((x, x), (x, x))


def hyper_map_made_in_a_graph(x):
    return C.HyperMap(_pair)((x, x), (x, x))


def jvp_of_a_tuple(x):
    return jvp(_square, (x,), (x,))


def jvp_along_a_number(x):
    return jvp(_square, x, 1.0)


def jvp_along_one_element(x):
    return jvp(_square, x, Tensor([1.0]))


def jvp_along_a_row(x, y):
    return jvp(_square, x, y)


def jvp_beside_a_number(x):
    return jvp(_product, (x, 2.0), (x, 1.0))
