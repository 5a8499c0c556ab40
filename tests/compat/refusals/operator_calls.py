"""Refused calls of operators, functions and methods with one argument changed, dropped or added."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops
from mindspore.ops import operations as P


def tanh_function_1():
    return ops.tanh(1.5)


def logical_and_function_1(b):
    return ops.logical_and(None, b)


def floor_function_1(b):
    return ops.floor(b)


def all_function_1():
    return ops.all(None, 0)


def mul_function_1(x):
    return ops.mul(x, [1, 2])


def div_function_1(x):
    return ops.div(x, x, nonesuch=1)


def squeeze_function_1(x, i):
    return ops.squeeze(x, i)


def softmax_function_1(x):
    return ops.softmax(x, "a")


def maximum_function_1(x):
    return ops.maximum((1, 2), x)


def neg_function_1(b):
    return ops.neg(b)


def mean_function_1():
    return ops.mean(1, 0)


def div_function_2(x):
    return ops.div((1, 2), x)


def rank_function_1():
    return ops.rank("a")


def matmul_function_1(x):
    return ops.matmul(x, None)


def mul_function_2(x):
    return ops.mul("a", x)


def pow_function_1(x, h):
    return ops.pow(x, h)


def reciprocal_function_1():
    return ops.reciprocal("a")


def round_function_1(b):
    return ops.round(b)


def div_function_3(x, c):
    return ops.div(x, c)


def bitwise_and_function_1(i):
    return ops.bitwise_and(i, i, nonesuch=1)


def pow_function_2(x):
    return ops.pow(x, x, x)


def log_softmax_function_1(b):
    return ops.log_softmax(b, 0)


def erf_function_1():
    return ops.erf(1)


def div_function_4(x):
    return ops.div([1, 2], x)


def expand_dims_function_1():
    return ops.expand_dims(1.5, 0)


def sum_function_1():
    return ops.sum("a", 0)


def equal_function_1(x):
    return ops.equal(x, [1, 2])


def bitwise_and_function_2(i):
    return ops.bitwise_and("a", i)


def min_function_1(x):
    return ops.min(x, True)


def min_function_2(x):
    return ops.min(x, (0, 1))


def div_function_5(x, c):
    return ops.div(c, x)


def sum_function_2(x):
    return ops.sum(x, True)


def mean_function_2():
    return ops.mean([1, 2], 0)


def floor_function_2(c):
    return ops.floor(c)


def mul_function_3(x, b):
    return ops.mul(x, b)


def matmul_function_2(x, z):
    return ops.matmul(x, z, x)


def mul_function_4(x):
    return ops.mul(x, None)


def log_softmax_function_2(x):
    return ops.log_softmax(x, 5)


def flip_function_1():
    return ops.flip((0,))


def greater_function_1(x):
    return ops.greater((1, 2), x)


def log_function_1(x):
    return ops.log(x, nonesuch=1)


def round_function_2(c):
    return ops.round(c)


def greater_function_2(x, h):
    return ops.greater(x, h)


def softmax_function_2(x):
    return ops.softmax(x, (0, 1))


def equal_function_2(x, h):
    return ops.equal(h, x)


def sum_function_3():
    return ops.sum([1, 2], 0)


def rsqrt_function_1(x):
    return ops.rsqrt(x, x)


def log_softmax_function_3(x):
    return ops.log_softmax(x, (0, 5))


def squeeze_function_2():
    return ops.squeeze((1, 2), 0)


def argmax_function_1():
    return ops.argmax(None, 0)


def floor_div_function_1(x, h):
    return ops.floor_div(x, h)


def maximum_function_2(x):
    return ops.maximum(x, [1, 2])


def mean_function_3():
    return ops.mean(None, 0)


def prod_function_1():
    return ops.prod((1, 2), 0)


def floor_mod_function_1(x):
    return ops.floor_mod(None, x)


def square_function_1():
    return ops.square(1.5)


def maximum_function_3(x, h):
    return ops.maximum(h, x)


def log_softmax_function_4():
    return ops.log_softmax(1, 0)


def cumsum_function_1(x):
    return ops.cumsum(x, None)


def div_function_6(x, z):
    return ops.div(z, x)


def bmm_function_1(c):
    return ops.bmm(ops.ones((2, 3, 4)), c)


def permute_function_1():
    return ops.permute((1, 2), (1, 0))


def repeat_interleave_function_1(x):
    return ops.repeat_interleave(x, 2, 0, nonesuch=1)


def topk_function_1(x):
    return ops.topk(x, -1)


def celu_function_1(x):
    return ops.celu(x, x)


def cross_function_1():
    return ops.cross(Tensor([1.0, 2.0, 3.0]))


def prelu_function_1(i):
    return ops.prelu(i, Tensor([0.1]))


def nll_loss_function_1(x):
    return ops.nll_loss(x, Tensor([0, 1], ms.int32), nonesuch=1)


def tensor_scatter_add_function_1(x):
    return ops.tensor_scatter_add(x, Tensor([[0, 1]], ms.int32), Tensor([2.0]), nonesuch=1)


def dense_function_1(x):
    return ops.dense(x, x, Tensor([1.0, 2.0]), nonesuch=1)


def tril_function_1():
    return ops.tril(None, 1)


def bias_add_function_1(x, i):
    return ops.bias_add(x, i)


def swapaxes_function_1(x):
    return ops.swapaxes(x, x, 1)


def tensor_scatter_add_function_2():
    return ops.tensor_scatter_add((1, 2), Tensor([[0, 1]], ms.int32), Tensor([2.0]))


def strided_slice_function_1(x):
    return ops.strided_slice(x, 4, (2, 2), (1, 1))


def select_function_1(x, h):
    return ops.select(x > 1, h, x)


def xlogy_function_1(x):
    return ops.xlogy(x, x, nonesuch=1)


def strided_slice_function_2():
    return ops.strided_slice(1.5, (0, 0), (2, 2), (1, 1))


def broadcast_to_function_1(b):
    return ops.broadcast_to(b, (2, 3))


def tensor_dot_function_1(x, z):
    return ops.tensor_dot(x, z, 1)


def tensor_scatter_add_function_3():
    return ops.tensor_scatter_add([1, 2], Tensor([[0, 1]], ms.int32), Tensor([2.0]))


def mish_function_1(b):
    return ops.mish(b)


def celu_function_2(x):
    return ops.celu(x, None)


def pad_function_1():
    return ops.pad([1, 2], (1, 1), "constant")


def inverse_function_1():
    return ops.inverse()


def bias_add_function_2(y, c):
    return ops.bias_add(c, y)


def unsorted_segment_sum_function_1(x):
    return ops.unsorted_segment_sum(x, 1.5, 2)


def diagonal_function_1(x):
    return ops.diagonal(x, 0, 0, True)


def tile_function_1(x):
    return ops.tile(x, "a")


def gather_nd_function_1(x):
    return ops.gather_nd(x, 1)


def softplus_function_1(x):
    return ops.softplus(x, nonesuch=1)


def cross_entropy_function_1(x):
    return ops.cross_entropy(x, Tensor([0, 1], ms.int32), nonesuch=1)


def one_hot_function_1(i):
    return ops.one_hot(i, 4, (1, 2), Tensor(0.0))


def pad_function_2():
    return ops.pad(1, (1, 1), "constant")


def scatter_nd_function_1():
    return ops.scatter_nd(Tensor([[0], [1]], ms.int32), Tensor([1.0, 2.0]), ())


def elu_function_1(x):
    return ops.elu(x, 2)


def nll_loss_function_2(x):
    return ops.nll_loss(x, "a")


def reshape_function_1(z):
    return ops.reshape(z, (3, 2))


def cosine_similarity_function_1(x, h):
    return ops.cosine_similarity(x, h, 1)


def tile_function_2(x):
    return ops.tile(x)


def bmm_function_2(i):
    return ops.bmm(i, ops.ones((2, 4, 5)))


def tensor_dot_function_2(x, b):
    return ops.tensor_dot(x, b, 1)


def tensor_scatter_add_function_4(x):
    return ops.tensor_scatter_add(x, Tensor([[0, 1]], ms.int32), Tensor([2.0]), x)


def masked_select_function_1(x):
    return ops.masked_select(x, x > 1, x)


def isclose_function_1(x):
    return ops.isclose(x, 1, 0.1)


def roll_function_1():
    return ops.roll(1, 1, 0)


def diag_function_1():
    return ops.diag(1)


def celu_function_3():
    return ops.celu(1.0)


def triu_function_1(b):
    return ops.triu(b, 1)


def bias_add_function_3(x, y):
    return ops.bias_add(x, y, x)


def permute_function_2(x):
    return ops.permute(x)


def cast_function_1():
    return ops.cast(ms.int32)


def slice_function_1(x):
    return ops.slice(x, (0, 0), 4)


def gumbel_softmax_function_1():
    return ops.gumbel_softmax([1, 2], 1.0, dim=0)


def isclose_function_2(x):
    return ops.isclose(x, 0.1)


def cosine_similarity_function_2(x, h):
    return ops.cosine_similarity(h, x, 1)


def permute_function_3(x):
    return ops.permute(x, (2.0, 3.0))


def permute_function_4(b):
    return ops.permute(b, (1, 0))


def renorm_function_1():
    return ops.renorm(2.0, 0, 1.0)


def kl_div_function_1(x):
    return ops.kl_div((1, 2), x, "mean")


def n_l_l_loss_operator_1(x, y):
    return P.NLLLoss("zzz")(x, Tensor([0, 1], ms.int32), y)


def depth_to_space_operator_1():
    return P.DepthToSpace(2)(1)


def shape_operator_1():
    return P.Shape()((1, 2))


def meshgrid_operator_1(y):
    return P.Meshgrid((5, 5))((y, y))


def reverse_v2_operator_1():
    return P.ReverseV2((0,))()


def softmax_cross_entropy_with_logits_operator_1(x, b):
    return P.SoftmaxCrossEntropyWithLogits()(x, b)


def scalar_to_tensor_operator_1():
    return P.ScalarToTensor()(ms.float32)


def strided_slice_operator_3(x):
    return P.StridedSlice()(x, (0, 0), (1, 1))


def masked_fill_operator_1(x, c):
    return P.MaskedFill()(x, x > 1, c)


def cum_sum_operator_1():
    return P.CumSum(False, False)(None, 0)


def avg_pool_operator_1(im):
    return P.AvgPool(2, 2, 1)(im)


def mul_operator_5(x):
    return P.Mul()((1, 2), x)


def cum_sum_operator_2(x):
    return P.CumSum(False, False)(x, 0, nonesuch=1)


def reshape_operator_2():
    return P.Reshape()("a", (3, 2))


def lin_space_operator_1():
    return P.LinSpace()(Tensor(0.0), Tensor(1.0), 1.5)


def gather_d_operator_1(x):
    return P.GatherD()(x, 1, Tensor([[0, 0], [1, 1]], ms.int32), x)


def pow_operator_3(x):
    return P.Pow()(x, [1, 2])


def arg_max_with_value_operator_1(x):
    return P.ArgMaxWithValue(None)(x)


def mat_mul_operator_1():
    return P.MatMul()("a", Tensor(np.ones((3, 3), np.float32)))


def sparse_softmax_cross_entropy_with_logits_operator_1(i):
    return P.SparseSoftmaxCrossEntropyWithLogits()(i, Tensor([0, 1], ms.int32))


def gather_nd_operator_2(x):
    return P.GatherNd()(x, Tensor([[0, 1]], ms.int32), x)


def batch_mat_mul_operator_1():
    return P.BatchMatMul("a", False)(ops.ones((2, 3, 4)), ops.ones((2, 4, 5)))


def slice_operator_2(x):
    return P.Slice()(x, (0, 0), "a")


def slice_operator_3(b):
    return P.Slice()(b, (0, 0), (1, 2))


def pow_operator_4(x):
    return P.Pow()(x)


def split_operator_1(x):
    return P.Split(5, 2)(x)


def expand_dims_operator_2(x):
    return P.ExpandDims()(x, True)


def flatten_operator_1():
    return P.Flatten()((1, 2))


def slice_operator_4(x):
    return P.Slice()(x, (0, 0), ("a", 2))


def sqrt_operator_1():
    return P.Sqrt()(None)


def softmax_cross_entropy_with_logits_operator_2(x):
    return P.SoftmaxCrossEntropyWithLogits()((1, 2), x)


def one_hot_operator_2():
    return P.OneHot(-1)(True, 4, Tensor(1.0), Tensor(0.0))


def unsorted_segment_sum_operator_2(x):
    return P.UnsortedSegmentSum()(x, Tensor([0, 1], ms.int32), None)


def sqrt_operator_2():
    return P.Sqrt()(1)


def softmax_cross_entropy_with_logits_operator_3(x):
    return P.SoftmaxCrossEntropyWithLogits()([1, 2], x)


def unstack_operator_1(x):
    return P.Unstack("a")(x)


def scatter_nd_operator_2():
    return P.ScatterNd()(Tensor([[0], [1]], ms.int32), Tensor([1.0, 2.0]), (-1, -1))


def top_k_operator_1():
    return P.TopK(True)(1, 2)


def meshgrid_operator_2(y):
    return P.Meshgrid((-3, 2))((y, y))


def strided_slice_operator_4(x):
    return P.StridedSlice()(x, "a", (2, 2), (1, 1))


def mat_mul_operator_2(x):
    return P.MatMul(1, False)(x, Tensor(np.ones((3, 3), np.float32)))


def select_operator_2(x):
    return P.Select()(x > 1, x, (1, 2))


def split_operator_2():
    return P.Split(0, 2)(None)


def reshape_operator_3(x):
    return P.Reshape()(x, (2.0, 3.0))


def mat_mul_operator_3(x):
    return P.MatMul(0.5, False)(x, Tensor(np.ones((3, 3), np.float32)))


def masked_fill_operator_2(x, c):
    return P.MaskedFill()(c, x > 1, Tensor(2.0))


def mat_mul_operator_4(x):
    return P.MatMul(False, "a")(x, Tensor(np.ones((3, 3), np.float32)))


def max_pool_operator_1(im):
    return P.MaxPool("a", 2, "valid")(im)


def maximum_operator_4(x, b):
    return P.Maximum()(x, b)


def d_type_operator_1():
    return P.DType()("a")


def transpose_operator_1(i):
    return P.Transpose()(i, (1, 0))


def batch_mat_mul_operator_2():
    return P.BatchMatMul(False, False)(ops.ones((2, 3, 4)), ops.ones((2, 4, 5)), nonesuch=1)


def softmax_cross_entropy_with_logits_operator_4(x):
    return P.SoftmaxCrossEntropyWithLogits()(x, None)


def conv2_d_operator_1(im):
    return P.Conv2D(4, 1)(im, ops.ones((4, 3, 3, 3), ms.float32))


def select_operator_3(x, i):
    return P.Select()(i, x, x)


def scatter_nd_operator_3(x):
    return P.ScatterNd()(Tensor([[0], [1]], ms.int32), Tensor([1.0, 2.0]), (4,), x)


def sigmoid_operator_1():
    return P.Sigmoid()(1.5)


def sort_operator_1(x):
    return P.Sort(0, 0.5)(x)


def eye_operator_1():
    return P.Eye()(2, 3, ms.float32, nonesuch=1)


def ge_l_u_operator_1():
    return P.GeLU()(None)


def clip_method_1(x):
    return x.clip(1.0, (1.0,))


def min_method_3(x):
    return x.min(5)


def diag_method_2(y):
    return y.diag(0, nonesuch=1)


def view_as_method_1(x):
    return x.view_as()


def outer_method_1(y):
    return y.outer(y, nonesuch=1)


def matmul_method_3(x):
    return x.matmul()


def gather_method_1(x):
    return x.gather(1, 1)


def abs_method_1(x):
    return x.abs(x)


def chunk_method_1(x):
    return x.chunk(2, 1, nonesuch=1)


def masked_fill_method_3(x):
    return x.masked_fill([1, 2], 2.0)


def masked_fill_method_4(x, b):
    return x.masked_fill(b, 2.0)


def masked_fill_method_5(x):
    return x.masked_fill(None, 2.0)


def sum_method_4(x):
    return x.sum((0, 5))


def where_method_1(x):
    return x.where(x > 1, x, nonesuch=1)


def type_as_method_1(x):
    return x.type_as([1, 2])


def masked_fill_method_6(x, c):
    return x.masked_fill(c, 2.0)


def maximum_method_5(x, h):
    return x.maximum(h)


def var_method_1(x):
    return x.var(True)


def maximum_method_6(x):
    return x.maximum(x, nonesuch=1)


def cumprod_method_1(x):
    return x.cumprod(True)


def gather_elements_method_1(x):
    return x.gather_elements((0, 1), Tensor([[0, 0], [1, 1]], ms.int32))


def argmax_method_2(x):
    return x.argmax(-4)


def mean_method_4(x):
    return x.mean(-4)


def sort_method_2(x):
    return x.sort(5)


def lerp_method_1(x):
    return x.lerp(1.5, 0.5)


def matmul_method_4(x):
    return x.matmul((1, 2))


def sum_method_5(x):
    return x.sum(5)


def add_method_1(x):
    return x.add("a")


def sigmoid_method_2(x):
    return x.sigmoid(x)


def any_method_1(b):
    return b.any("a")


def roll_method_2(x):
    return x.roll(1.5, 0)


def sum_method_6(x):
    return x.sum(1.5)


def split_method_3(x):
    return x.split(1, "a")


def view_as_method_2(x):
    return x.view_as(1)


def div_method_7(x):
    return x.div("a")


def eq_method_1(x):
    return x.eq([1, 2])


def cumprod_method_2(x):
    return x.cumprod([0])


def chunk_method_2(x):
    return x.chunk(None, 1)


def all_method_2(x, b):
    return b.all(0, x)


def reshape_method_4(x):
    return x.reshape(3)


def argsort_method_1(x):
    return x.argsort("a")


def lerp_method_2(x):
    return x.lerp((1, 2), 0.5)


def where_method_2(x):
    return x.where(None, x)


def max_method_1(x):
    return x.max(0, nonesuch=1)


def max_method_2(x):
    return x.max(1.5)


def flatten_method_2(x):
    return x.flatten(None)


def gather_method_2(x, i):
    return x.gather(i, 1.5)


def where_method_3(x):
    return x.where(x > 1, [1, 2])


def norm_method_1(x):
    return x.norm(1.5)


def repeat_method_1(x):
    return x.repeat(None)


def gt_method_1(x, z):
    return x.gt(z)


def all_method_3(b):
    return b.all(5)


def sort_method_3(x):
    return x.sort((0, 1))


def permute_method_5(x):
    return x.permute(x)


def where_method_4(x):
    return x.where(x > 1, (1, 2))


def argmax_method_3(x):
    return x.argmax(5)


def unbind_method_1(x):
    return x.unbind("a")


def mul_method_6(x):
    return x.mul()


def cumprod_method_3(x):
    return x.cumprod((0, 1))


def new_zeros_method_1(x):
    return x.new_zeros((2, 3), nonesuch=1)
