"""Refused and odd calls of operators, as functions, classes and methods."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mutable, nn, ops
from mindspore.ops import operations as P


def add_of_a_string(x):
    return ops.add(x, "a")


def add_of_two_strings():
    return ops.add("a", "b")


def add_of_none(x):
    return ops.add(x, None)


def add_of_a_list(x):
    return ops.add(x, [1, 2, 3])


def add_of_one(x):
    return ops.add(x)


def add_of_three(x):
    return ops.add(x, x, x)


def add_by_an_unknown_keyword(x):
    return ops.add(x, others=x)


def add_class_of_a_string(x):
    return ops.Add()(x, "a")


def add_class_of_one(x):
    return ops.Add()(x)


def add_class_of_three(x):
    return ops.Add()(x, x, x)


def add_class_with_an_option(x):
    return ops.Add(1)(x, x)


def add_of_unlike_shapes(x, z):
    return ops.add(x, z)


def add_method_of_a_string(x):
    return x.add("a")


def add_method_of_two(x):
    return x.add(x, 1)


def add_method_of_none(x):
    return x.add(None)


def add_method_of_nothing(x):
    return x.add()


def add_method_by_an_unknown_keyword(x):
    return x.add(y=x)


def sub_of_a_string(x):
    return ops.sub(x, "a")


def sub_of_unlike_shapes(x, z):
    return ops.sub(x, z)


def mul_of_a_tuple(x):
    return ops.mul(x, (1, 2, 3))


def mul_of_a_dict(x, d):
    return ops.mul(x, d)


def div_of_a_string(x):
    return ops.div(x, "a")


def div_of_an_unknown_rounding(x):
    return ops.div(x, x, rounding_mode="up")


def pow_of_a_string(x):
    return ops.pow(x, "a")


def maximum_of_a_string(x):
    return ops.maximum(x, "a")


def minimum_of_none(x):
    return ops.minimum(x, None)


def maximum_of_unlike_shapes(x, z):
    return ops.maximum(x, z)


def equal_of_unlike_shapes(x, z):
    return ops.equal(x, z)


def greater_of_a_string(x):
    return ops.greater(x, "a")


def less_of_none(x):
    return ops.less(x, None)


def logical_and_of_floats(x):
    return ops.logical_and(x, "a")


def logical_not_of_a_string():
    return ops.logical_not("a")


def abs_of_a_string():
    return ops.abs("a")


def abs_of_none():
    return ops.abs(None)


def abs_of_a_list():
    return ops.abs([1, 2])


def abs_of_an_int():
    return ops.abs(-1)


def exp_of_a_string():
    return ops.exp("a")


def exp_of_an_int():
    return ops.exp(1)


def log_of_a_tuple():
    return ops.log((1, 2))


def sqrt_of_none():
    return ops.sqrt(None)


def sin_of_a_string():
    return ops.sin("a")


def tanh_of_a_list():
    return ops.tanh([1.0])


def relu_of_a_string():
    return ops.relu("a")


def relu_of_an_int():
    return ops.relu(1)


def sigmoid_of_a_list():
    return ops.sigmoid([1.0])


def gelu_of_an_int_tensor(i):
    return ops.gelu(i)


def softmax_of_a_string_axis(x):
    return ops.softmax(x, "a")


def softmax_of_a_bad_axis(x):
    return ops.softmax(x, 5)


def softmax_class_of_a_bad_axis(x):
    return ops.Softmax(5)(x)


def softmax_class_of_a_float_axis(x):
    return ops.Softmax(0.5)(x)


def neg_of_a_string():
    return ops.neg("a")


def neg_class_of_none():
    return ops.Neg()(None)


def square_of_a_dict(d):
    return ops.square(d)


def matmul_of_unlike_widths(x, z):
    return ops.matmul(x, z)


def matmul_of_ints():
    return ops.matmul(1, 2)


def matmul_of_a_string(x):
    return ops.matmul(x, "a")


def matmul_class_of_unlike_widths(x, z):
    return ops.MatMul()(x, z)


def matmul_class_of_vectors(y):
    return ops.MatMul()(y, y)


def matmul_class_of_unlike_dtypes(x, i):
    return ops.MatMul()(x, ops.zeros((3, 2), ms.int32))


def matmul_class_transposed_by_an_int(x):
    return ops.MatMul(1)(x, x)


def batch_matmul_of_unlike_batches():
    return ops.BatchMatMul()(ops.ones((2, 3, 4), ms.float32), ops.ones((3, 4, 5), ms.float32))


def batch_matmul_of_unlike_widths():
    return ops.BatchMatMul()(ops.ones((2, 3, 4), ms.float32), ops.ones((2, 5, 6), ms.float32))


def concat_of_unlike_ranks(x, y):
    return ops.concat((x, y))


def concat_of_unlike_shapes(x, z):
    return ops.concat((x, z))


def concat_on_a_bad_axis(x):
    return ops.concat((x, x), 3)


def concat_on_a_string(x):
    return ops.concat((x, x), "a")


def concat_of_a_tensor(x):
    return ops.concat(x)


def concat_of_nothing():
    return ops.concat(())


def concat_of_ints():
    return ops.concat((1, 2))


def concat_class_of_unlike_ranks(x, y):
    return ops.Concat()((x, y))


def concat_class_of_a_bad_axis(x):
    return ops.Concat(4)((x, x))


def concat_class_with_a_string(x):
    return ops.Concat("a")((x, x))


def stack_of_unlike_shapes(x, y):
    return ops.stack((x, y))


def stack_on_a_bad_axis(x):
    return ops.stack((x, x), 5)


def stack_of_a_tensor(x):
    return ops.stack(x)


def stack_class_of_a_string_axis(x):
    return ops.Stack("a")((x, x))


def reshape_to_another_size(x):
    return ops.reshape(x, (4, 4))


def reshape_to_a_string(x):
    return ops.reshape(x, "a")


def reshape_to_an_int(x):
    return ops.reshape(x, 6)


def reshape_to_floats(x):
    return ops.reshape(x, (2.0, 3.0))


def reshape_with_two_unknown(x):
    return ops.reshape(x, (-1, -1))


def reshape_by_what_does_not_divide(x):
    return ops.reshape(x, (-1, 4))


def reshape_class_to_another_size(x):
    return ops.Reshape()(x, (5,))


def reshape_method_to_another_size(x):
    return x.reshape(7)


def view_to_another_size(x):
    return x.view(7)


def transpose_by_too_few(x):
    return ops.transpose(x, (0,))


def transpose_by_a_repeated_axis(x):
    return ops.transpose(x, (0, 0))


def transpose_by_a_bad_axis(x):
    return ops.transpose(x, (0, 3))


def transpose_by_a_string(x):
    return ops.transpose(x, "a")


def transpose_class_by_too_many(x):
    return ops.Transpose()(x, (0, 1, 2))


def expand_dims_on_a_bad_axis(x):
    return ops.expand_dims(x, 5)


def expand_dims_on_a_float(x):
    return ops.expand_dims(x, 0.5)


def expand_dims_on_a_string(x):
    return ops.ExpandDims()(x, "a")


def squeeze_of_an_axis_of_two(x):
    return ops.squeeze(x, 0)


def squeeze_on_a_bad_axis(x):
    return ops.squeeze(x, 7)


def squeeze_class_of_a_string(x):
    return ops.Squeeze("a")(x)


def sum_on_a_bad_axis(x):
    return ops.sum(x, 5)


def sum_on_a_string(x):
    return ops.sum(x, "a")


def sum_method_on_a_bad_axis(x):
    return x.sum(5)


def sum_method_on_a_string(x):
    return x.sum("a")


def sum_class_on_a_bad_axis(x):
    return ops.ReduceSum()(x, 5)


def sum_class_on_a_float(x):
    return ops.ReduceSum()(x, 0.5)


def sum_class_keeping_an_int(x):
    return ops.ReduceSum(keep_dims=1)(x)


def sum_of_a_string():
    return ops.sum("a")


def mean_on_a_bad_axis(x):
    return ops.mean(x, 5)


def mean_class_on_a_bad_axis(x):
    return ops.ReduceMean()(x, 3)


def mean_of_an_int():
    return ops.mean(1)


def max_on_a_bad_axis(x):
    return ops.max(x, 5)


def max_class_on_a_bad_axis(x):
    return ops.ReduceMax()(x, 4)


def prod_on_a_bad_axis(x):
    return ops.prod(x, 5)


def argmax_on_a_bad_axis(x):
    return ops.argmax(x, 5)


def argmax_class_on_a_bad_axis(x):
    return ops.Argmax(5)(x)


def argmax_class_of_a_float_type(x):
    return ops.Argmax(0, ms.float32)(x)


def cumsum_on_a_bad_axis(x):
    return ops.cumsum(x, 5)


def cumsum_on_a_string(x):
    return ops.cumsum(x, "a")


def tile_by_a_string(x):
    return ops.tile(x, "a")


def tile_by_floats(x):
    return ops.tile(x, (1.5, 2))


def tile_by_negatives(x):
    return ops.tile(x, (-1, 2))


def tile_class_by_an_int(x):
    return ops.Tile()(x, 2)


def broadcast_to_a_smaller_shape(x):
    return ops.broadcast_to(x, (3,))


def broadcast_to_an_unlike_shape(x):
    return ops.broadcast_to(x, (4, 5))


def broadcast_to_a_string(x):
    return ops.broadcast_to(x, "a")


def cast_to_a_string(x):
    return ops.cast(x, "a")


def cast_to_an_int(x):
    return ops.cast(x, 1)


def cast_of_a_string():
    return ops.cast("a", ms.float32)


def cast_to_nothing(x):
    return ops.cast(x, None)


def gather_on_a_bad_axis(x, i):
    return ops.gather(x, i, 5)


def gather_by_floats(x):
    return ops.gather(x, x, 0)


def gather_by_a_string(x):
    return ops.gather(x, "a", 0)


def gather_on_a_string(x, i):
    return ops.gather(x, i, "a")


def gather_class_of_two(x, i):
    return ops.Gather()(x, i)


def gather_nd_of_too_many(x):
    return ops.gather_nd(x, Tensor([[0, 0, 0]], ms.int32))


def scatter_nd_of_unlike_shapes(x):
    return ops.scatter_nd(Tensor([[0], [1]], ms.int32), Tensor([1.0, 2.0, 3.0]), (4,))


def one_hot_of_floats(x):
    return ops.one_hot(x, 3, 1.0, 0.0)


def one_hot_of_a_string_depth(i):
    return ops.one_hot(i, "a", Tensor(1.0), Tensor(0.0))


def one_hot_of_a_negative_depth(i):
    return ops.one_hot(i, -2, Tensor(1.0), Tensor(0.0))


def select_of_floats(x):
    return ops.select(x, x, x)


def select_of_unlike_shapes(b, x, z):
    return ops.select(b, x, z)


def where_of_a_string(x):
    return ops.where("a", x, x)


def split_into_what_does_not_divide(x):
    return ops.split(x, 4, 1)


def split_on_a_bad_axis(x):
    return ops.split(x, 1, 5)


def split_by_a_string(x):
    return ops.split(x, "a")


def split_class_into_what_does_not_divide(x):
    return ops.Split(1, 2)(x)


def split_class_on_a_bad_axis(x):
    return ops.Split(5, 2)(x)


def conv2d_of_other_channels(im):
    return ops.Conv2D(4, 3)(im, ops.ones((4, 5, 3, 3), ms.float32))


def conv2d_of_other_kernels(im):
    return ops.Conv2D(4, 3)(im, ops.ones((4, 3, 5, 5), ms.float32))


def conv2d_of_rank_two(x):
    return ops.Conv2D(4, 3)(x, ops.ones((4, 3, 3, 3), ms.float32))


def conv2d_class_without_channels():
    return ops.Conv2D(0, 3)


def conv2d_class_of_a_string_kernel():
    return ops.Conv2D(4, "a")


def conv2d_class_of_a_bad_mode():
    return ops.Conv2D(4, 3, pad_mode="around")


def conv2d_class_of_a_negative_stride():
    return ops.Conv2D(4, 3, stride=-1)


def conv2d_function_of_other_channels(im):
    return ops.conv2d(im, ops.ones((4, 5, 3, 3), ms.float32))


def max_pool_of_rank_two(x):
    return ops.MaxPool(2, 2)(x)


def max_pool_of_a_negative_kernel():
    return ops.MaxPool(-1, 2)


def max_pool_of_a_bad_mode():
    return ops.MaxPool(2, 2, "round")


def avg_pool_of_a_string():
    return ops.AvgPool("a")


def dropout_of_two(x):
    return ops.dropout(x, 2.0)


def dropout_class_of_zero():
    return ops.Dropout(2.0)


def bias_add_of_unlike_widths(x, z):
    return ops.bias_add(x, ops.ones((7,), ms.float32))


def bias_add_of_rank_two(x):
    return ops.BiasAdd()(x, x)


def layer_norm_of_unlike_shapes(x, y):
    return ops.LayerNorm()(x, ops.ones((4,), ms.float32), ops.ones((4,), ms.float32))


def cross_entropy_of_unlike_shapes(x, z):
    return ops.SoftmaxCrossEntropyWithLogits()(x, z)


def sparse_cross_entropy_of_floats(x, y):
    return ops.SparseSoftmaxCrossEntropyWithLogits()(x, y)


def mse_loss_of_unlike_shapes(x, z):
    return ops.mse_loss(x, z)


def mse_loss_of_a_bad_reduction(x):
    return ops.mse_loss(x, x, "average")


def nll_loss_of_unlike_batches(x, i):
    return ops.nll_loss(x, i)


def topk_of_a_float(x):
    return ops.topk(x, 1.5)


def topk_of_too_many(x):
    return ops.topk(x, 7)


def topk_of_a_string(x):
    return ops.TopK()(x, "a")


def sort_on_a_bad_axis(x):
    return ops.sort(x, 5)


def sort_class_on_a_string():
    return ops.Sort("a")


def eye_of_a_string():
    return ops.eye("a")


def eye_of_a_negative():
    return ops.eye(-2)


def zeros_of_a_string():
    return ops.zeros("a")


def zeros_of_a_negative():
    return ops.zeros((2, -3))


def zeros_of_floats():
    return ops.zeros((2.0, 3.0))


def ones_of_a_bad_type():
    return ops.ones((2, 3), "a")


def ones_of_none():
    return ops.ones(None)


def full_of_a_string():
    return ops.full((2,), "a")


def fill_of_a_bad_type():
    return ops.fill("a", (2,), 1)


def arange_of_a_string():
    return ops.arange("a")


def linspace_of_a_float_count():
    return ops.linspace(0.0, 1.0, 2.5)


def linspace_of_a_negative_count():
    return ops.linspace(0.0, 1.0, -2)


def zeros_like_of_a_string():
    return ops.zeros_like("a")


def ones_like_of_none():
    return ops.ones_like(None)


def shape_of_an_int():
    return ops.shape(1)


def shape_of_a_list():
    return ops.shape([1, 2])


def rank_of_a_string():
    return ops.rank("a")


def dtype_of_a_string():
    return ops.dtype("a")


def size_of_a_string():
    return ops.size("a")


def strided_slice_of_unlike_lengths(x):
    return ops.strided_slice(x, (0, 0), (1,), (1, 1))


def strided_slice_by_zero(x):
    return ops.strided_slice(x, (0, 0), (1, 1), (0, 1))


def slice_past_the_end(x):
    return ops.slice(x, (0, 0), (5, 5))


def slice_by_a_string(x):
    return ops.slice(x, "a", (1, 1))


def pad_by_negatives(x):
    return ops.Pad(((-1, 1), (0, 0)))(x)


def pad_by_too_few(x):
    return ops.Pad(((1, 1),))(x)


def clip_by_a_string(x):
    return ops.clip_by_value(x, "a", 1)


def clip_by_nothing(x):
    return ops.clip_by_value(x)


def clamp_by_nothing(x):
    return ops.clamp(x)


def norm_of_a_string(x):
    return ops.norm(x, "a")


def einsum_of_a_bad_equation(x):
    return ops.einsum("ij,jk", x)


def unsorted_segment_sum_of_floats(x):
    return ops.unsorted_segment_sum(x, x, 2)


def tensor_scatter_update_of_floats(x):
    return ops.tensor_scatter_update(x, x, x)


def assign_to_a_tensor(x):
    return ops.assign(x, x)


def assign_of_a_string(x):
    return ops.assign(x, "a")


def assign_add_to_an_int():
    return ops.assign_add(1, 2)


def depend_of_one(x):
    return ops.depend(x)


def print_of_nothing():
    return ops.print_()


def tuple_to_array_of_a_list():
    return ops.tuple_to_array([1, 2])


def tuple_to_array_of_mixed():
    return ops.tuple_to_array((1, 2.0))


def tuple_to_array_of_an_int():
    return ops.tuple_to_array(1)


def scalar_to_tensor_of_a_string():
    return ops.scalar_to_tensor("a")


def scalar_cast_of_a_tensor(x):
    return ops.scalar_cast(x, ms.int32)


def is_nan_of_an_int():
    return ops.isnan(1)


def floor_of_a_list():
    return ops.floor([1.5])


def flatten_of_a_string():
    return ops.flatten("a")


def flatten_on_a_bad_axis(x):
    return ops.flatten(x, start_dim=5)


def unstack_on_a_bad_axis(x):
    return ops.unstack(x, 5)


def meshgrid_of_an_int():
    return ops.meshgrid(1, 2)


def roll_on_a_bad_axis(x):
    return ops.roll(x, 1, 5)


def flip_on_a_bad_axis(x):
    return ops.flip(x, (5,))


def masked_fill_by_floats(x):
    return ops.masked_fill(x, x, 1.0)


def masked_fill_of_a_string(x):
    return ops.masked_fill(x, x > 1, "a")


def cosine_similarity_of_a_string(x):
    return ops.cosine_similarity(x, "a")


def addn_of_unlike_shapes(x, z):
    return ops.addn((x, z))


def addn_of_ints():
    return ops.addn((1, 2))


def addn_of_nothing():
    return ops.addn(())


def unknown_operator(x):
    return ops.nonesuch(x)


def unknown_class(x):
    return ops.Nonesuch()(x)


def unknown_module_attribute(x):
    return ms.nonesuch(x)


def argmin_of_a_string():
    return ops.argmin("a")


def bitwise_and_of_floats(x):
    return ops.bitwise_and(x, x)


def bitwise_or_of_a_string(i):
    return ops.bitwise_or(i, "a")


def invert_of_floats(x):
    return ops.invert(x)


def logical_or_of_a_string(b):
    return ops.logical_or(b, "a")


def floor_mod_of_a_string(x):
    return ops.floor_mod(x, "a")


def atan2_of_a_string(x):
    return ops.atan2(x, "a")


def real_div_of_none(x):
    return ops.RealDiv()(x, None)


def not_equal_of_a_dict(x, d):
    return ops.not_equal(x, d)


def greater_equal_class_of_a_string(x):
    return ops.GreaterEqual()(x, "a")


def less_equal_of_unlike_shapes(x, z):
    return ops.le(x, z)


def repeat_elements_of_a_string(x):
    return ops.repeat_elements(x, "a")


def lerp_of_a_string(x):
    return ops.lerp(x, x, "a")


def triu_of_a_string(x):
    return ops.triu(x, "a")


def tril_of_an_int():
    return ops.tril(1)


def diag_of_a_string():
    return ops.diag("a")


def dot_of_unlike_widths(x, z):
    return ops.dot(x, z)


def tensor_dot_of_unlike_widths(x, z):
    return ops.tensor_dot(x, z, 1)


def swapaxes_on_a_bad_axis(x):
    return ops.swapaxes(x, 0, 5)


def permute_method_by_too_few(x):
    return x.permute(0)


def mean_method_on_a_string(x):
    return x.mean("a")


def max_method_on_a_string(x):
    return x.max("a")


def astype_method_of_a_string(x):
    return x.astype("a")


def astype_method_of_an_int(x):
    return x.astype(1)


def transpose_method_by_too_few(x):
    return x.transpose(0)


def item_method_of_many(x):
    return x.item()


def unknown_method(x):
    return x.nonesuch()


def unknown_attribute(x):
    return x.nonesuch


def clip_method_by_a_string(x):
    return x.clip("a", 1)


def repeat_method_by_a_string(x):
    return x.repeat("a")


def split_method_by_a_string(x):
    return x.split("a")


def sub_method_of_a_string(x):
    return x.sub("a")


def mul_method_of_a_string(x):
    return x.mul("a")


def div_method_of_a_string(x):
    return x.div("a")


def pow_method_of_a_string(x):
    return x.pow("a")


def matmul_method_of_a_string(x):
    return x.matmul("a")


def exp_method_of_one(x):
    return x.exp(1)


def abs_method_of_one(x):
    return x.abs(1)


def sqrt_method_by_a_keyword(x):
    return x.sqrt(out=1)


def gather_method_of_a_string(x):
    return x.gather("a", 0)


def argmax_method_of_a_string(x):
    return x.argmax("a")


def cumsum_method_of_a_string(x):
    return x.cumsum("a")


def index_select_method_of_a_string(x):
    return x.index_select("a", 0)


def masked_fill_method_of_a_string(x):
    return x.masked_fill("a", 0)


def expand_as_method_of_an_int(x):
    return x.expand_as(1)


def topk_method_of_a_string(x):
    return x.topk("a")


def diag_of_a_matrix(x):
    return ops.diag(x)


def cdist_of_unlike_ranks(x):
    return ops.cdist(x, x[0])


def interpolate_by_a_mode_of_another_rank(im):
    return ops.interpolate(im, size=(4, 4), mode="linear")


def interpolate_by_no_mode(im):
    return ops.interpolate(im, size=(4, 4), mode="foo")


def interpolate_without_a_size(im):
    return ops.interpolate(im)


def interpolate_by_size_and_scale(im):
    return ops.interpolate(im, size=(4, 4), scale_factor=2.0)


def eager_interpolate_of_a_matrix():
    return ops.interpolate(Tensor(np.ones((2, 3), np.float32)), size=3)
