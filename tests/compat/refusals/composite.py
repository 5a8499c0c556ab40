"""Refused and odd uses of HyperMap, MultitypeFuncGraph, gradients, sequence operators, layers and settings."""

import mindspore as ms
import mindspore.common.dtype as mstype
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.ops.operations import _sequence_ops as S

_add = C.MultitypeFuncGraph("own")


@_add.register("Number", "Number")
def _add_numbers(x, y):
    return F.scalar_add(x, y)


@_add.register("Tensor", "Tensor")
def _add_tensors(x, y):
    return F.tensor_add(x, y)


_hyper = C.HyperMap(_add)
_map = C.Map(_add)
_free = C.HyperMap()


def _plus(a, b):
    return a + b


def _twice(a):
    return a * 2


# --- MultitypeFuncGraph, HyperMap, Map ------------------------------------------------------------
def multitype_of_numbers():
    return _add(1, 2)


def multitype_of_tensors(x):
    return _add(x, x)


def multitype_of_a_string(x):
    return _add(x, "a")


def multitype_of_a_number_and_a_tensor(x):
    return _add(1, x)


def multitype_of_one(x):
    return _add(x)


def multitype_of_tuples():
    return _add((1, 2), (3, 4))


def multitype_of_none(x):
    return _add(x, None)


def hyper_map_of_tuples():
    return _hyper((1, 2), (3, 4))


def hyper_map_of_lists(x):
    return _hyper([x, x], [x, x])


def hyper_map_of_nested():
    return _hyper(((1, 2), 3), ((4, 5), 6))


def hyper_map_of_unlike_lengths():
    return _hyper((1, 2), (3, 4, 5))


def hyper_map_of_unlike_lists():
    return _hyper([1, 2], [3, 4, 5])


def hyper_map_of_a_list_and_a_tuple():
    return _hyper([1, 2], (3, 4))


def hyper_map_of_a_tuple_and_an_int():
    return _hyper((1, 2), 3)


def hyper_map_of_numbers():
    return _hyper(1, 2)


def hyper_map_of_a_tensor_and_a_string(x):
    return _hyper((x, x), (x, "a"))


def hyper_map_of_nothing():
    return _hyper()


def hyper_map_of_empty_tuples():
    return _hyper((), ())


def hyper_map_of_a_dict(d):
    return _hyper(d, d)


def hyper_map_of_a_function():
    return _free(_plus, (1, 2), (3, 4))


def hyper_map_without_a_function():
    return _free((1, 2), (3, 4))


def hyper_map_of_a_unary_function(t):
    return _free(_twice, t)


def hyper_map_of_too_many_arguments(t):
    return _free(_twice, t, t)


def hyper_map_of_a_partial(t):
    return _free(F.partial(_plus, 10), t)


def map_of_tuples():
    return _map((1, 2), (3, 4))


def map_of_unlike_lengths():
    return _map((1, 2), (3,))


def map_of_numbers():
    return _map(1, 2)


def map_of_nested():
    return _map(((1, 2), 3), ((4, 5), 6))


def eager_multitype_of_a_string():
    return _add(1, "a")


def eager_multitype_of_numbers():
    return _add(1, 2)


def eager_hyper_map_of_tuples():
    return _hyper((1, 2), (3, 4))


def eager_multitype_by_a_number():
    return C.MultitypeFuncGraph(1)


def eager_hyper_map_of_a_bad_reverse():
    return C.HyperMap(_add, 1)


# --- sequence operators ---------------------------------------------------------------------------
def tuple_to_tensor(t):
    return S.TupleToTensor()(t, ms.float32)


def tuple_to_tensor_of_a_list(l):
    return S.TupleToTensor()(l, ms.float32)


def list_to_tensor(l):
    return S.ListToTensor()(l, ms.float32)


def scalar_to_tensor():
    return S.ScalarToTensor()(1, ms.float32)


def tensor_to_tuple(i):
    return S.TensorToTuple()(i)


def tensor_to_list(i):
    return S.TensorToList()(i)


def tensor_to_scalar(k):
    return S.TensorToScalar()(k)


def tensor_to_scalar_of_many(i):
    return S.TensorToScalar()(i)


def tensor_to_tuple_of_two_axes(x):
    return S.TensorToTuple()(x)


def sequence_len(t):
    return S.sequence_len()(t)


def sequence_len_of_an_int(n):
    return S.sequence_len()(n)


def list_append():
    return S.ListAppend()(mutable([1, 2]), 3)


def list_append_and_insert():
    return S.ListInsert()(mutable([1, 2]), 0, 3)


def sequence_count(t):
    return S.SequenceCount()(t, 2)


def sequence_index(t):
    return S.SequenceIndex()(t, 2, 0, 3)


def sequence_index_of_what_is_missing(t):
    return S.SequenceIndex()(t, 9, 0, 3)


def sequence_max(t):
    return S.SequenceMax()(t)


def sequence_min(t):
    return S.SequenceMin()(t)


def sequence_mul(t):
    return S.SequenceMul()(t, 2)


def sequence_add(t):
    return S.SequenceAdd()(t, t)


def sequence_add_of_a_tuple_and_a_list(t, l):
    return S.SequenceAdd()(t, l)


def sequence_slice(t):
    return S.SequenceSlice()(t, 0, 2, 1)


def sequence_zero_like(t):
    return S.SequenceZerosLike()(t)


def in_sequence(t):
    return S.InSequence()(2, t)


def sequence_add_n(x):
    return S.SequenceAddN()((x, x))


def sequence_to_tensor_of_none():
    return S.TupleToTensor()(None, ms.float32)


def tuple_equal(t):
    return S.tuple_equal()(t, t)


def list_equal(l):
    return S.list_equal()(l, l)


def tuple_less_than(t):
    return S.tuple_lt()(t, (1, 2, 4))


def tuple_greater_equal(t):
    return S.tuple_ge()(t, (1, 2, 4))


def tuple_less_than_a_list(t, l):
    return S.tuple_lt()(t, l)


def make_range(n):
    return F.make_range(n)


def make_range_of_two(n):
    return F.make_range(1, n)


def make_range_of_a_float():
    return F.make_range(1.5)


def make_range_of_a_tensor(x):
    return F.make_range(x)


# --- F.switch and friends -------------------------------------------------------------------------
def switch_of_a_true_bool(x, y):
    return F.switch(True, x, y)


def switch_of_a_false_bool(x, y):
    return F.switch(False, x, y)


def switch_of_a_bool_tensor(x):
    return F.switch(x.sum() > 0, x, x + 1)


def switch_of_an_int(x):
    return F.switch(1, x, x)


def switch_of_a_string(x):
    return F.switch("a", x, x)


def switch_of_two(x):
    return F.switch(True, x)


def switch_of_functions(x):
    return F.switch(True, _twice, _twice)(x)


def switch_of_unlike(x):
    return F.switch(x.sum() > 0, x, 1)


def scalar_add(n):
    return F.scalar_add(n, 1)


def scalar_add_of_a_string(n):
    return F.scalar_add(n, "a")


def scalar_add_of_a_tensor(x):
    return F.scalar_add(x, 1)


def scalar_mul_of_none(n):
    return F.scalar_mul(n, None)


def scalar_div_by_zero(n):
    return F.scalar_div(n, 0)


def scalar_lt_of_a_string(n):
    return F.scalar_lt(n, "a")


def tuple_getitem_past_the_end(t):
    return F.tuple_getitem(t, 5)


def list_getitem_past_the_end(l):
    return F.list_getitem(l, 5)


def tuple_getitem_by_a_string(t):
    return F.tuple_getitem(t, "a")


def dict_getitem_of_no_key(d):
    return F.dict_getitem(d, "z")


def tuple_len_of_an_int(n):
    return F.tuple_len(n)


def bool_not_of_an_int(n):
    return F.bool_not(n)


def stop_gradient_of_a_string():
    return F.stop_gradient("a")


def isinstance_of_functional(x):
    return F.isinstance_(x, mstype.tensor_type)


def typeof_of_functional(x):
    return F.typeof(x)


def shape_of_functional_int(n):
    return F.shape(n)


def partial_of_an_int(n):
    return F.partial(n, 1)(2)


# --- gradients ------------------------------------------------------------------------------------
def _square(v):
    return v * v


class _Plain(nn.Cell):
    def construct(self, v):
        return v * 2


class _Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, v):
        return v * self.w


_F3 = Tensor(np.ones(3, np.float32))


def eager_grad():
    return ops.grad(_square)(_F3)


def eager_grad_by_a_bad_position():
    return ops.grad(_square, 1)(_F3)


def eager_grad_by_a_negative_position():
    return ops.grad(_square, -1)(_F3)


def eager_grad_by_a_string_position():
    return ops.grad(_square, "a")(_F3)


def eager_grad_by_a_float_position():
    return ops.grad(_square, 0.5)(_F3)


def eager_grad_by_no_position():
    return ops.grad(_square, None)(_F3)


def eager_grad_by_repeated_positions():
    return ops.grad(_square, (0, 0))(_F3)


def eager_grad_of_an_int():
    return ops.grad(1)(_F3)


def eager_grad_of_weights_that_are_none():
    return ops.grad(_Plain(), None, None)(_F3)


def eager_grad_with_a_bad_aux():
    return ops.grad(_square, 0, None, 1)(_F3)


def eager_grad_with_aux_of_one_result():
    return ops.grad(_square, 0, None, True)(_F3)


def eager_grad_by_weights_of_a_network_without():
    return ops.grad(_Plain(), None, ParameterTuple([]))(_F3)


def eager_grad_by_weights():
    net = _Weighted()
    return ops.grad(net, None, net.trainable_params())(_F3)


def eager_grad_by_a_string_weight():
    return ops.grad(_Weighted(), None, "w")(_F3)


def eager_grad_by_unused_weights():
    return ops.grad(_Plain(), None, _Weighted().trainable_params())(_F3)


def eager_value_and_grad():
    return ops.value_and_grad(_square)(_F3)


def eager_value_and_grad_by_a_string():
    return ops.value_and_grad(_square, "a")(_F3)


def eager_grad_operation():
    return C.GradOperation()(_square)(_F3)


def eager_grad_operation_of_a_bad_flag():
    return C.GradOperation(get_all=1)


def eager_grad_operation_of_a_bad_list_flag():
    return C.GradOperation(get_by_list="a")


def eager_grad_operation_of_a_bad_sens_flag():
    return C.GradOperation(sens_param=None)


def eager_grad_operation_by_list_without_weights():
    return C.GradOperation(get_by_list=True)(_Plain())(_F3)


def eager_grad_operation_by_list_of_a_function():
    return C.GradOperation(get_by_list=True)(_square)(_F3)


def eager_grad_operation_by_an_empty_list():
    return C.GradOperation(get_by_list=True)(_Plain(), ParameterTuple([]))(_F3)


def eager_grad_operation_by_a_list_of_strings():
    return C.GradOperation(get_by_list=True)(_Weighted(), ["w"])(_F3)


def eager_grad_operation_by_a_list():
    net = _Weighted()
    return C.GradOperation(get_by_list=True)(net, ParameterTuple(net.trainable_params()))(_F3)


def eager_grad_operation_with_sens():
    return C.GradOperation(sens_param=True)(_square)(_F3, _F3)


def eager_grad_operation_without_its_sens():
    return C.GradOperation(sens_param=True)(_square)(_F3)


def eager_grad_operation_with_an_unlike_sens():
    return C.GradOperation(sens_param=True)(_square)(_F3, Tensor(np.ones(5, np.float32)))


def eager_grad_operation_all_of_nothing():
    return C.GradOperation(get_all=True)(lambda: 1)()


def eager_grad_operation_of_none():
    return C.GradOperation()(None)(_F3)


def eager_grad_of_too_many_arguments():
    return ops.grad(_square)(_F3, _F3)


def grad_in_a_graph(y):
    return ops.grad(_square)(y)


def grad_in_a_graph_by_a_bad_position(y):
    return ops.grad(_square, 3)(y)


def grad_operation_in_a_graph(y):
    return C.GradOperation()(_square)(y)


def grad_operation_in_a_graph_by_list(y):
    return C.GradOperation(get_by_list=True)(_plain_net)(y)


_plain_net = _Plain()


def grad_in_a_graph_by_no_weights(y):
    return ops.grad(_plain_net, None, ())(y)


def grad_of_an_int_in_a_graph(n):
    return ops.grad(_square)(n)


# --- settings -------------------------------------------------------------------------------------
def eager_context_of_an_unknown_name():
    return ms.set_context(nonesuch=1)


def eager_context_of_a_jit_level():
    return ms.set_context(jit_level="O1")


def eager_context_of_a_bad_jit_level():
    return ms.set_context(jit_level="O7")


def eager_context_of_a_jit_config():
    return ms.set_context(jit_config={"jit_level": "O0"})


def eager_context_of_a_bad_jit_config():
    return ms.set_context(jit_config={"jit_level": "O9"})


def eager_context_of_an_unknown_jit_config():
    return ms.set_context(jit_config={"nonesuch": "O0"})


def eager_context_of_a_jit_config_of_an_int():
    return ms.set_context(jit_config=1)


def eager_context_of_a_bad_mode():
    return ms.set_context(mode=7)


def eager_context_of_a_string_mode():
    return ms.set_context(mode="graph")


def eager_context_of_a_bad_target():
    return ms.set_context(device_target="TPU")


def eager_context_of_an_int_target():
    return ms.set_context(device_target=1)


def eager_context_of_a_bad_device():
    return ms.set_context(device_id="a")


def eager_context_of_a_negative_device():
    return ms.set_context(device_id=-1)


def eager_context_of_save_graphs():
    return ms.set_context(save_graphs=False)


def eager_context_of_bad_save_graphs():
    return ms.set_context(save_graphs=7)


def eager_context_of_a_string_save_graphs():
    return ms.set_context(save_graphs="yes")


def eager_context_of_a_call_depth():
    return ms.set_context(max_call_depth=100)


def eager_context_of_a_bad_call_depth():
    return ms.set_context(max_call_depth=0)


def eager_context_of_a_string_call_depth():
    return ms.set_context(max_call_depth="a")


def eager_context_of_a_syntax_level():
    return ms.set_context(jit_syntax_level=ms.LAX)


def eager_context_of_a_bad_syntax_level():
    return ms.set_context(jit_syntax_level=7)


def eager_context_of_memory():
    return ms.set_context(memory_optimize_level="O1")


def eager_context_of_a_bad_memory_level():
    return ms.set_context(memory_optimize_level="O5")


def eager_context_of_memory_offload():
    return ms.set_context(memory_offload="OFF")


def eager_context_of_a_bad_memory_offload():
    return ms.set_context(memory_offload="MAYBE")


def eager_context_of_a_device_memory():
    return ms.set_context(max_device_memory="2GB")


def eager_context_of_a_bad_device_memory():
    return ms.set_context(max_device_memory="2")


def eager_context_of_a_block_size():
    return ms.set_context(mempool_block_size="1GB")


def eager_context_of_a_bad_block_size():
    return ms.set_context(mempool_block_size="big")


def eager_context_of_determinism():
    return ms.set_context(deterministic="ON")


def eager_context_of_bad_determinism():
    return ms.set_context(deterministic="maybe")


def eager_context_of_threads():
    return ms.set_context(runtime_num_threads=2)


def eager_context_of_negative_threads():
    return ms.set_context(runtime_num_threads=-1)


def eager_context_of_parallel_threads():
    return ms.set_context(inter_op_parallel_num=2)


def eager_context_of_negative_parallel_threads():
    return ms.set_context(inter_op_parallel_num=-1)


def eager_context_of_a_graph_kernel():
    return ms.set_context(enable_graph_kernel=False)


def eager_context_of_graph_kernel_flags():
    return ms.set_context(graph_kernel_flags="--opt_level=1")


def eager_context_of_a_compile_cache():
    return ms.set_context(enable_compile_cache=False)


def eager_context_of_a_cache_path():
    return ms.set_context(compile_cache_path="/tmp/cache")


def eager_context_of_a_debug_level():
    return ms.set_context(debug_level=ms.context.DEBUG)


def eager_context_of_a_bad_debug_level():
    return ms.set_context(debug_level=9)


def eager_context_of_a_bprop_check():
    return ms.set_context(check_bprop=True)


def eager_context_of_reduced_precision():
    return ms.set_context(enable_reduce_precision=True)


def eager_context_of_class_names():
    return ms.set_context(reserve_class_name_in_scope=False)


def eager_context_of_synchronisation():
    return ms.set_context(pynative_synchronize=False)


def eager_context_of_scalar_gradients():
    return ms.set_context(grad_for_scalar=False)


def eager_context_of_an_operator_timeout():
    return ms.set_context(op_timeout=100)


def eager_context_of_a_bad_operator_timeout():
    return ms.set_context(op_timeout="a")


def eager_context_of_an_exec_order():
    return ms.set_context(exec_order="bfs")


def eager_context_of_a_bad_exec_order():
    return ms.set_context(exec_order="random")


def eager_context_of_inferring():
    return ms.set_context(infer_boost="on")


def eager_context_of_positional():
    return ms.set_context(1)


def eager_get_context_of_an_unknown_name():
    return ms.get_context("nonesuch")


def eager_get_context_of_an_int():
    return ms.get_context(1)


def eager_get_context_of_a_jit_level():
    ms.set_context(jit_level="O0")
    return ms.get_context("jit_level")


def eager_jit_of_a_bad_level():
    return jit(_square, jit_level="O9")


def eager_jit_of_a_bad_backend():
    return jit(_square, backend="nonesuch")


def eager_jit_of_a_bad_capture():
    return jit(_square, capture_mode="nonesuch")


def eager_jit_of_a_bad_fullgraph():
    return jit(_square, fullgraph=1)


def eager_jit_of_a_bad_dynamic():
    return jit(_square, dynamic=5)


def eager_jit_of_an_int():
    return jit(1)


def eager_jit_config_of_a_bad_level():
    return ms.JitConfig(jit_level="O9")


def eager_jit_config_of_a_bad_mode():
    return ms.JitConfig(exc_mode="nonesuch")


def eager_jit_config_of_a_bad_syntax_level():
    return ms.JitConfig(jit_syntax_level="nonesuch")


# --- Tensors, Parameters, layers ------------------------------------------------------------------
def eager_tensor_of_a_string():
    return Tensor("a")


def eager_tensor_of_none():
    return Tensor(None)


def eager_tensor_of_nothing():
    return Tensor()


def eager_tensor_of_strings():
    return Tensor(["a", "b"])


def eager_tensor_of_a_dict():
    return Tensor({"a": 1})


def eager_tensor_of_a_bad_dtype():
    return Tensor([1], "nonesuch")


def eager_tensor_of_a_ragged_list():
    return Tensor([[1, 2], [3]])


def eager_tensor_of_a_shape_without_init():
    return Tensor(shape=(2, 3), dtype=ms.float32)


def eager_tensor_of_data_and_init():
    return Tensor([1, 2], shape=(2,), dtype=ms.float32, init="ones")


def eager_tensor_of_a_set():
    return Tensor({1, 2})


def eager_tensor_of_a_string_array():
    return Tensor(np.array(["a", "b"]))


def eager_tensor_of_an_object_array():
    return Tensor(np.array([None, 1], dtype=object))


def eager_tensor_of_an_old_float():
    return Tensor(np.float_(1.5))


def eager_tensor_of_an_old_int():
    return Tensor(np.int_(1))


def eager_tensor_of_old_arrays():
    return Tensor(np.array([1, 2], np.float_))


def eager_parameter_of_a_string():
    return Parameter("a")


def eager_parameter_of_none():
    return Parameter(None)


def eager_parameter_of_a_bad_name():
    return Parameter(Tensor([1.0]), name=1)


def eager_parameter_of_a_bad_requires_grad():
    return Parameter(Tensor([1.0]), name="p", requires_grad=1)


def eager_parameter_of_a_bad_layerwise():
    return Parameter(Tensor([1.0]), name="p", layerwise_parallel=1)


def eager_parameter_of_a_list():
    return Parameter([1.0, 2.0], name="p")


def eager_parameter_set_to_another_shape():
    return Parameter(Tensor([1.0]), name="p").set_data(Tensor([1.0, 2.0]))


def eager_parameter_set_to_a_string():
    return Parameter(Tensor([1.0]), name="p").set_data("a")


def eager_parameter_tuple_of_ints():
    return ParameterTuple([1, 2])


def eager_parameter_tuple_of_an_int():
    return ParameterTuple(1)


def eager_dense_of_a_bad_width():
    return nn.Dense(4, 2)(Tensor(np.ones((2, 3), np.float32)))


def eager_dense_of_zero_channels():
    return nn.Dense(0, 2)


def eager_dense_of_a_string():
    return nn.Dense("a", 2)


def eager_dense_of_a_float():
    return nn.Dense(4.5, 2)


def eager_dense_of_nothing():
    return nn.Dense()


def eager_dense_of_a_bad_bias():
    return nn.Dense(4, 2, has_bias=1)


def eager_dense_of_a_bad_activation():
    return nn.Dense(4, 2, activation="nonesuch")


def eager_dense_of_an_int_activation():
    return nn.Dense(4, 2, activation=1)


def eager_dense_of_an_unlike_weight():
    return nn.Dense(4, 2, weight_init=Tensor(np.ones((3, 3), np.float32)))


def eager_conv2d_of_zero_channels():
    return nn.Conv2d(0, 2, 3)


def eager_conv2d_of_a_string_kernel():
    return nn.Conv2d(3, 2, "a")


def eager_conv2d_of_a_negative_kernel():
    return nn.Conv2d(3, 2, -1)


def eager_conv2d_of_a_bad_mode():
    return nn.Conv2d(3, 2, 3, pad_mode="around")


def eager_conv2d_of_a_bad_group():
    return nn.Conv2d(3, 2, 3, group=2)


def eager_conv2d_of_padding_without_mode():
    return nn.Conv2d(3, 2, 3, padding=1)


def eager_conv2d_of_other_channels():
    return nn.Conv2d(4, 2, 3)(Tensor(np.ones((1, 3, 8, 8), np.float32)))


def eager_conv2d_of_rank_two():
    return nn.Conv2d(3, 2, 3)(Tensor(np.ones((3, 8), np.float32)))


def eager_batch_norm_of_zero():
    return nn.BatchNorm2d(0)


def eager_batch_norm_of_a_bad_momentum():
    return nn.BatchNorm2d(3, momentum=2)


def eager_batch_norm_of_other_channels():
    return nn.BatchNorm2d(4)(Tensor(np.ones((1, 3, 8, 8), np.float32)))


def eager_layer_norm_of_an_int():
    return nn.LayerNorm(3)


def eager_layer_norm_of_a_string():
    return nn.LayerNorm("a")


def eager_dropout_of_two():
    return nn.Dropout(p=2.0)


def eager_dropout_of_a_string():
    return nn.Dropout(p="a")


def eager_embedding_of_zero():
    return nn.Embedding(0, 3)


def eager_embedding_of_a_string():
    return nn.Embedding("a", 3)


def eager_max_pool_of_zero():
    return nn.MaxPool2d(0)


def eager_max_pool_of_a_string():
    return nn.MaxPool2d("a")


def eager_max_pool_of_a_bad_mode():
    return nn.MaxPool2d(2, pad_mode="around")


def eager_flatten_of_a_scalar():
    return nn.Flatten()(Tensor(1.0))


def eager_softmax_of_a_string():
    return nn.Softmax("a")


def eager_leaky_relu_of_a_string():
    return nn.LeakyReLU("a")


def eager_sequential_of_ints():
    return nn.SequentialCell([1, 2])


def eager_sequential_of_an_int():
    return nn.SequentialCell(1)


def eager_cell_list_of_ints():
    return nn.CellList([1, 2])


def eager_cell_list_index():
    return nn.CellList([nn.ReLU()])[3]


def eager_cell_without_construct():
    return nn.Cell()(_F3)


def eager_cell_of_a_missing_attribute():
    return nn.ReLU().nonesuch


def eager_cell_of_too_many_arguments():
    return _Plain()(_F3, _F3)


def eager_cell_of_no_arguments():
    return _Plain()()


def eager_momentum_of_a_string_rate():
    return nn.Momentum(_Weighted().trainable_params(), "a", 0.9)


def eager_momentum_of_a_negative_rate():
    return nn.Momentum(_Weighted().trainable_params(), -0.1, 0.9)


def eager_momentum_of_no_parameters():
    return nn.Momentum([], 0.1, 0.9)


def eager_sgd_of_ints():
    return nn.SGD([1, 2], 0.1)


def eager_adam_of_a_bad_beta():
    return nn.Adam(_Weighted().trainable_params(), beta1=2.0)


def eager_loss_of_a_bad_reduction():
    return nn.MSELoss("average")


def eager_get_activation_of_nonesuch():
    return nn.get_activation("nonesuch")


class _Missing(nn.Cell):
    def construct(self, v):
        return v + self.nonesuch


def eager_cell_that_uses_a_missing_attribute():
    net = _Missing()
    return jit(net.construct)(_F3)


def multitype_of_three(x):
    return _add(x, x, x)


def multitype_of_a_list_and_a_tensor(x):
    return _add([x], x)


def multitype_of_a_float_and_a_string():
    return _add(1.5, "a")


def multitype_of_a_dict(d):
    return _add(d, 1)
