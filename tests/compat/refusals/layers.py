"""Refused and odd uses of layers, optimizers, Parameters, Tensors and settings, line by line."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops

_F3 = Tensor(np.ones(3, np.float32))


_IM = Tensor(np.ones((1, 3, 8, 8), np.float32))


class _None(nn.Cell):
    pass


class _Two(nn.Cell):
    def construct(self, x, y):
        return x + y


def eager_cell_list_of_a_string_index():
    return nn.CellList([nn.ReLU()])["a"]


def eager_cell_list_negative_index():
    return nn.CellList([nn.ReLU()])[-2]


def eager_cell_list_float_index():
    return nn.CellList([nn.ReLU()])[0.5]


def eager_cell_list_set_past_the_end():
    c = nn.CellList([nn.ReLU()])
    c[3] = nn.ReLU()


def eager_cell_list_set_to_an_int():
    c = nn.CellList([nn.ReLU()])
    c[0] = 1


def eager_cell_list_delete_past_the_end():
    c = nn.CellList([nn.ReLU()])
    del c[3]


def eager_cell_list_append_of_an_int():
    nn.CellList([nn.ReLU()]).append(1)


def eager_cell_list_insert_past_the_end():
    nn.CellList([nn.ReLU()]).insert(5, nn.ReLU())


def eager_cell_list_extend_by_an_int():
    nn.CellList([nn.ReLU()]).extend(1)


def eager_cell_list_extend_by_ints():
    nn.CellList([nn.ReLU()]).extend([1])


def eager_cell_list_called():
    return nn.CellList([nn.ReLU()])(_F3)


def eager_cell_list_length():
    return len(nn.CellList([nn.ReLU(), nn.ReLU()]))


def eager_sequential_index_past_the_end():
    return nn.SequentialCell([nn.ReLU()])[4]


def eager_sequential_string_index():
    return nn.SequentialCell([nn.ReLU()])["a"]


def eager_sequential_append_of_an_int():
    nn.SequentialCell([nn.ReLU()]).append(1)


def eager_sequential_set_past_the_end():
    c = nn.SequentialCell([nn.ReLU()])
    c[3] = nn.ReLU()


def eager_sequential_of_none():
    return nn.SequentialCell(None)


def eager_sequential_of_a_string():
    return nn.SequentialCell("a")


def eager_sequential_insert():
    nn.SequentialCell([nn.ReLU()]).insert(7, nn.ReLU())


def eager_insert_child_of_an_int():
    nn.Cell().insert_child_to_cell("a", 1)


def eager_insert_child_of_a_bad_name():
    nn.Cell().insert_child_to_cell(1, nn.ReLU())


def eager_insert_child_twice():
    c = nn.Cell()
    c.insert_child_to_cell("a", nn.ReLU())
    c.insert_child_to_cell("a", nn.ReLU())


def eager_insert_param_of_an_int():
    nn.Cell().insert_param_to_cell("a", 1)


def eager_insert_param_of_a_bad_name():
    nn.Cell().insert_param_to_cell(1, Parameter(_F3, name="p"))


def eager_insert_param_of_an_empty_name():
    nn.Cell().insert_param_to_cell("", Parameter(_F3, name="p"))


def eager_insert_param_with_a_dot():
    nn.Cell().insert_param_to_cell("a.b", Parameter(_F3, name="p"))


def eager_set_train_of_a_string():
    return nn.ReLU().set_train("a").training


def eager_set_grad_of_a_string():
    return nn.ReLU().set_grad("a").requires_grad


def eager_to_float_of_a_string():
    return nn.ReLU().to_float("a")


def eager_to_float_of_int32():
    return nn.ReLU().to_float(ms.int32)


def eager_cell_of_no_construct():
    return _None()(_F3)


def eager_cell_of_too_few():
    return _Two()(_F3)


def eager_cell_of_too_many():
    return _Two()(_F3, _F3, _F3)


def eager_cell_of_a_keyword():
    return _Two()(_F3, z=_F3)


def eager_get_parameters_of_a_bad_expand():
    return list(nn.ReLU().get_parameters("a"))


def eager_dense_of_a_bad_bias():
    return nn.Dense(3, 4, bias_init=Tensor(np.ones(3, np.float32)))


def eager_dense_of_a_negative():
    return nn.Dense(-3, 4)


def eager_dense_of_a_bool():
    return nn.Dense(True, 4)


def eager_dense_of_a_bad_dtype():
    return nn.Dense(3, 4, dtype="float32")


def eager_dense_of_an_unknown_init():
    return nn.Dense(3, 4, weight_init="nonesuch")


def eager_dense_of_a_width_of_three():
    return nn.Dense(3, 4, weight_init=Tensor(np.ones((4, 3, 1), np.float32)))


def eager_dense_called_on_another_width():
    return nn.Dense(4, 2)(_F3)


def eager_dense_called_on_ints():
    return nn.Dense(3, 2)(Tensor(np.ones((2, 3), np.int32)))


def eager_dense_called_on_a_list():
    return nn.Dense(3, 2)([1.0, 2.0, 3.0])


def eager_embedding_of_a_negative():
    return nn.Embedding(-1, 3)


def eager_embedding_of_a_float():
    return nn.Embedding(2.5, 3)


def eager_embedding_of_a_bad_padding():
    return nn.Embedding(4, 3, padding_idx=9)


def eager_embedding_of_a_string_padding():
    return nn.Embedding(4, 3, padding_idx="a")


def eager_batch_norm_of_a_string():
    return nn.BatchNorm2d("a")


def eager_batch_norm_of_a_negative_eps():
    return nn.BatchNorm2d(3, eps=-1.0)


def eager_batch_norm_of_two_axes():
    return nn.BatchNorm2d(3)(Tensor(np.ones((2, 3), np.float32)))


def eager_batch_norm_1d_of_three_axes():
    return nn.BatchNorm1d(3)(_IM)


def eager_batch_norm_of_a_bad_statistics():
    return nn.BatchNorm2d(3, use_batch_statistics=1)


def eager_layer_norm_of_unlike():
    return nn.LayerNorm((4,))(_F3)


def eager_group_norm_of_uneven():
    return nn.GroupNorm(2, 3)


def eager_group_norm_of_other_channels():
    return nn.GroupNorm(2, 4)(_IM)


def eager_conv2d_of_a_float_kernel():
    return nn.Conv2d(3, 4, 1.5)


def eager_conv2d_of_a_kernel_of_three():
    return nn.Conv2d(3, 4, (1, 2, 3))


def eager_conv2d_of_zero_stride():
    return nn.Conv2d(3, 4, 3, stride=0)


def eager_conv2d_of_a_negative_dilation():
    return nn.Conv2d(3, 4, 3, dilation=-1)


def eager_conv2d_of_a_bad_format():
    return nn.Conv2d(3, 4, 3, data_format="ABCD")


def eager_conv2d_of_a_negative_padding():
    return nn.Conv2d(3, 4, 3, pad_mode="pad", padding=-1)


def eager_conv2d_of_a_string_bias():
    return nn.Conv2d(3, 4, 3, has_bias="a")


def eager_conv1d_of_a_tuple_kernel():
    return nn.Conv1d(3, 4, (3,))


def eager_conv2d_called_on_three_axes():
    return nn.Conv2d(3, 4, 3)(Tensor(np.ones((3, 8, 8), np.float32)))


def eager_conv2d_called_on_other_channels():
    return nn.Conv2d(5, 4, 3)(_IM)


def eager_conv2d_transpose_of_zero():
    return nn.Conv2dTranspose(0, 4, 3)


def eager_max_pool_of_a_negative_stride():
    return nn.MaxPool2d(2, -1)


def eager_max_pool_called_on_two_axes():
    return nn.MaxPool2d(2)(Tensor(np.ones((2, 3), np.float32)))


def eager_avg_pool_of_zero():
    return nn.AvgPool2d(0)


def eager_avg_pool_of_a_float():
    return nn.AvgPool2d(1.5)


def eager_dropout_of_one():
    return nn.Dropout(p=1.0)


def eager_dropout_of_a_negative():
    return nn.Dropout(p=-0.5)


def eager_dropout_of_a_keep():
    return nn.Dropout(keep_prob=2.0)


def eager_flatten_of_a_string_dim():
    return nn.Flatten("a")


def eager_flatten_of_a_far_dim():
    return nn.Flatten(5)(_F3)


def eager_prelu_of_a_string():
    return nn.PReLU("a")


def eager_prelu_of_zero():
    return nn.PReLU(0)


def eager_elu_of_a_string():
    return nn.ELU("a")


def eager_lstm_of_a_string():
    return nn.LSTM("a", 3)


def eager_lstm_of_zero():
    return nn.LSTM(3, 0)


def eager_lstm_of_a_bad_dropout():
    return nn.LSTM(3, 4, dropout=2.0)


def eager_lstm_of_no_layers():
    return nn.LSTM(3, 4, 0)


def eager_gru_cell_of_a_string():
    return nn.GRUCell("a", 3)


def eager_one_hot_of_a_string():
    return nn.OneHot(depth="a")


def eager_pad_of_a_bad_mode():
    return nn.Pad(((1, 1),), mode="NONE")


def eager_pad_of_an_int():
    return nn.Pad(1)


def eager_cross_entropy_of_a_bad_reduction():
    return nn.CrossEntropyLoss(reduction="nonesuch")


def eager_softmax_cross_entropy_of_a_bad_flag():
    return nn.SoftmaxCrossEntropyWithLogits(sparse="a")


def eager_mse_of_unlike():
    return nn.MSELoss()(_F3, Tensor(np.ones(4, np.float32)))


def eager_l1_of_an_int():
    return nn.L1Loss()(_F3, 1)


def eager_bce_of_a_bad_reduction():
    return nn.BCELoss(reduction="x")


def eager_momentum_of_a_negative_momentum():
    return nn.Momentum([Parameter(_F3, name="w")], 0.1, -0.5)


def eager_momentum_without_a_momentum():
    return nn.Momentum([Parameter(_F3, name="w")], 0.1)


def eager_sgd_of_a_bad_dampening():
    return nn.SGD([Parameter(_F3, name="w")], 0.1, dampening=-1.0)


def eager_sgd_of_an_int_dampening():
    return nn.SGD([Parameter(_F3, name="w")], 0.1, dampening=1)


def eager_adam_of_a_string_eps():
    return nn.Adam([Parameter(_F3, name="w")], eps="a")


def eager_adam_of_zero_eps():
    return nn.Adam([Parameter(_F3, name="w")], eps=0.0)


def eager_adam_of_an_int_beta():
    return nn.Adam([Parameter(_F3, name="w")], beta1=1)


def eager_adam_of_none():
    return nn.Adam(None)


def eager_adam_of_a_bad_loss_scale():
    return nn.Adam([Parameter(_F3, name="w")], loss_scale=0.0)


def eager_adam_of_a_bad_weight_decay():
    return nn.Adam([Parameter(_F3, name="w")], weight_decay="a")


def eager_adam_of_repeated():
    w = Parameter(_F3, name="w")
    return nn.Adam([w, w])


def eager_adam_of_a_dict_without_params():
    return nn.Adam([{"lr": 0.1}])


def eager_adam_of_an_empty_group():
    return nn.Adam([{"params": []}])


def eager_parameter_of_an_int():
    return Parameter(1, name="p")


def eager_parameter_of_a_float():
    return Parameter(1.5, name="p")


def eager_parameter_of_an_empty_name():
    return Parameter(_F3, name="").name


def eager_parameter_of_a_string_flag():
    return Parameter(_F3, name="p", requires_grad="a")


def eager_parameter_of_a_numpy_array():
    return Parameter(np.ones(2, np.float32), name="p")


def eager_parameter_set_to_another_dtype():
    p = Parameter(_F3, name="p")
    p.set_data(Tensor(np.ones(3, np.float16)))
    return p.dtype


def eager_parameter_set_to_none():
    Parameter(_F3, name="p").set_data(None)


def eager_parameter_set_to_an_int():
    Parameter(_F3, name="p").set_data(1)


def eager_parameter_name_set_to_an_int():
    p = Parameter(_F3, name="p")
    p.name = 1


def eager_parameter_requires_grad_set_to_an_int():
    p = Parameter(_F3, name="p")
    p.requires_grad = 1


def eager_parameter_cloned_with_an_int():
    return Parameter(_F3, name="p").clone(1)


def eager_parameter_tuple_of_a_string():
    return ParameterTuple("a")


def eager_parameter_tuple_of_none():
    return ParameterTuple(None)


def eager_parameter_tuple_of_repeated_names():
    return ParameterTuple([Parameter(_F3, name="p"), Parameter(_F3, name="p")])


def eager_parameter_tuple_clone():
    return ParameterTuple([Parameter(_F3, name="p")]).clone(1)


def eager_tensor_of_a_bad_shape():
    return Tensor(shape="a", dtype=ms.float32, init="ones")


def eager_tensor_of_a_negative_shape():
    return Tensor(shape=(-1,), dtype=ms.float32, init="ones")


def eager_tensor_of_shape_and_dtype():
    return Tensor(shape=(2,), dtype=ms.float32)


def eager_tensor_of_a_range():
    return Tensor(range(3))


def eager_tensor_of_a_complex():
    return Tensor(1j)


def eager_tensor_of_bytes():
    return Tensor(b"abc")


def eager_tensor_of_a_function():
    return Tensor(len)


def eager_tensor_of_mixed():
    return Tensor([1, "a"])


def eager_tensor_of_nones():
    return Tensor([None])


def eager_tensor_of_an_int_dtype():
    return Tensor([1], 5)


def eager_tensor_of_a_python_type():
    return Tensor([1], float)


def eager_tensor_of_a_numpy_type():
    return Tensor([1], np.float32)


def eager_tensor_of_strings_dtype():
    return Tensor([1], "float32")


def eager_tensor_of_five():
    return Tensor([1], ms.float32, None, None, False, False, 1)


def eager_tensor_of_a_bad_keyword():
    return Tensor([1], nonesuch=1)


def eager_tensor_shape_set():
    x = Tensor([1, 2])
    x.shape = (1, 2)


def eager_tensor_dtype_set():
    x = Tensor([1, 2])
    x.dtype = ms.float32


def eager_tensor_of_a_missing_attribute():
    return Tensor([1, 2]).nonesuch


def eager_tensor_item_past_the_end():
    return Tensor([1, 2])[5]


def eager_tensor_item_of_a_string():
    return Tensor([1, 2])["a"]


def eager_tensor_item_of_a_float():
    return Tensor([1, 2])[0.5]


def eager_tensor_item_of_too_many():
    return Tensor([1, 2])[0, 0]


def eager_tensor_item_set_to_a_string():
    x = Tensor([1, 2])
    x[0] = "a"


def eager_tensor_item_set_to_none():
    x = Tensor([1, 2])
    x[0] = None


def eager_tensor_item_method_of_many():
    return Tensor([1, 2]).item()


def eager_tensor_bool_of_many():
    return bool(Tensor([1, 2]))


def eager_tensor_int_of_many():
    return int(Tensor([1, 2]))


def eager_tensor_float_of_many():
    return float(Tensor([1.0, 2.0]))


def eager_tensor_len_of_a_scalar():
    return len(Tensor(1))


def eager_tensor_iter_of_a_scalar():
    return list(Tensor(1))


def eager_tensor_hash():
    return hash(Tensor([1])) is not None


def eager_tensor_plus_none():
    return Tensor([1]) + None


def eager_tensor_plus_a_string():
    return Tensor([1]) + "a"


def eager_tensor_less_than_none():
    return Tensor([1]) < None


def eager_tensor_equals_none():
    return Tensor([1]) == None


def eager_tensor_matmul_an_int():
    return Tensor([1.0]) @ 2


def eager_tensor_plus_unlike():
    return Tensor([1, 2]) + Tensor([1, 2, 3])


def eager_tensor_reshape_of_another_size():
    return Tensor([1, 2]).reshape(3)


def eager_tensor_from_numpy_of_a_list():
    return Tensor.from_numpy([1, 2])


def eager_from_numpy_of_a_list():
    return ms.from_numpy([1, 2])


def eager_set_seed_of_a_string():
    return ms.set_seed("a")


def eager_set_seed_of_a_negative():
    return ms.set_seed(-1)


def eager_set_seed_of_a_bool():
    return ms.set_seed(True)


def eager_set_context_of_two_unknown():
    return ms.set_context(nonesuch=1, other=2)


def eager_get_context_of_an_unknown():
    return ms.get_context("nonesuch")


def eager_set_device_of_nonesuch():
    return ms.set_device("nonesuch")


def eager_set_device_of_an_int():
    return ms.set_device(1)


def eager_set_device_of_a_bad_id():
    return ms.set_device("CPU", "a")


def eager_set_deterministic_of_a_string():
    return ms.set_deterministic("a")


def eager_set_recursion_limit_of_a_string():
    return ms.set_recursion_limit("a")


def eager_set_recursion_limit_of_zero():
    return ms.set_recursion_limit(0)


def eager_jit_config_of_an_unknown_level():
    return ms.JitConfig(jit_level="O9")


def eager_jit_of_a_string_level():
    return jit(_two_fn, jit_level=1)


def eager_jit_of_a_bad_keyword():
    return jit(_two_fn, nonesuch=1)


def eager_jit_of_two_functions():
    return jit(_two_fn, _two_fn)


def _two_fn(a, b):
    return a + b


def eager_jit_called_with_too_few():
    return jit(_two_fn)(_F3)


def eager_jit_called_with_too_many():
    return jit(_two_fn)(_F3, _F3, _F3)


def eager_jit_called_with_a_keyword():
    return jit(_two_fn)(_F3, c=_F3)


def eager_jit_called_with_a_string():
    return jit(_two_fn)(_F3, "a")


def eager_initializer_of_nonesuch():
    return ms.common.initializer.initializer("nonesuch", (2,))


def eager_initializer_of_a_bad_shape():
    return ms.common.initializer.initializer("ones", (0, 2))


def eager_initializer_of_a_string_shape():
    return ms.common.initializer.initializer("ones", "a")


def eager_save_checkpoint_of_an_int():
    return ms.save_checkpoint(1, "a.ckpt")


def eager_load_checkpoint_of_an_int():
    return ms.load_checkpoint(1)


def eager_load_param_into_an_int():
    return ms.load_param_into_net(1, {})


def eager_load_param_of_a_list():
    return ms.load_param_into_net(nn.ReLU(), [])
