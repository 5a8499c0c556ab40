"""Axes that are given twice or are none, options that are no bools, dtypes that are none, and places of extremes, line by line and in graphs."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, nn, ops


def _w():
    return Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4))


def _m():
    return Tensor(np.array([[1.0, 5.0], [3.0, 2.0]], np.float32))


def _in_cell(function, *args):
    class Net(nn.Cell):
        def construct(self, *given):
            return function(*given)

    return Net()(*args)


# --- axes that are exchanged ------------------------------------------------------------------------


def transpose_by_one_axis_twice(z):
    return z.transpose(1, 1)


def transpose_by_a_tuple_of_one_axis_twice(im):
    return im.transpose((3, 0, 0, 1))


def transpose_by_an_axis_and_its_negative(z):
    return z.transpose((1, -1))


def transpose_by_an_axis_that_is_far(z):
    return z.transpose(0, -3)


def transpose_by_too_few(im):
    return im.transpose((2, 1))


def transpose_by_a_word(x):
    return x.transpose("10")


def transpose_by_floats(x):
    return x.transpose(1, 0.0)


def transpose_by_a_tuple_with_a_float(x):
    return x.transpose((1, 0.5))


def transpose_by_none(x):
    return x.transpose(None)


def transpose_by_named_axes(im):
    return im.transpose(dim0=1, dim1=3).shape


def swapdims_of_an_axis_that_is_far(x):
    return x.swapdims(2, 0)


def movedim_of_more_than_there_are_places(x):
    return ops.movedim(x, (0, 1), 1)


def mint_transpose_of_an_axis_that_is_far(z):
    return mint.transpose(z, -4, 1)


def mint_transpose_by_a_float(z):
    return mint.transpose(z, 1, 1.0)


def t_of_an_image(im):
    return im.t().shape


def eager_transpose_by_one_axis_twice():
    return _w().transpose(2, 2)


def eager_transpose_of_a_matrix_exchanges():
    return _m().transpose(0, 1)


def eager_transpose_in_a_cell_exchanges():
    return _in_cell(lambda m: m.transpose(0, 1), _m())


def eager_transpose_by_a_tuple_of_one_axis_twice():
    return _m().transpose((1, 1))


def eager_transpose_by_an_axis_that_is_far():
    return _w().transpose(1, 4)


def eager_transpose_by_too_few():
    return _w().transpose(2)


def eager_transpose_by_an_int_and_a_word():
    return _m().transpose(1, "0")


def eager_transpose_by_floats():
    return _m().transpose(1.0, 0.0)


def eager_mint_transpose_of_an_axis_that_is_far():
    return mint.transpose(_m(), 0, 2)


def eager_t_of_more_axes():
    return _w().t().shape


# --- axes that are reduced --------------------------------------------------------------------------


def sum_over_one_axis_twice(z):
    return ops.sum(z, (1, -1))


def mean_method_over_one_axis_twice(z):
    return z.mean((0, 0))


def reduce_all_over_one_axis_twice(b):
    return ops.ReduceAll()(b, (0, 0))


def max_method_over_one_axis_twice(im):
    return im.max((2, 3, 2))


def var_over_one_axis_twice(z):
    return ops.var(z, (0, -2))


def nansum_over_one_axis_twice(z):
    return ops.nansum(z, (1, 1))


def flip_of_one_axis_twice(z):
    return ops.flip(z, (1, -1))


def squeeze_of_one_axis_twice(im):
    return im.squeeze((0, -4)).shape


def eager_prod_over_one_axis_twice():
    return ops.ReduceProd()(_m(), (0, -2))


def eager_amin_over_one_axis_twice():
    return ops.amin(_w(), (2, 0, 2))


def eager_std_method_over_one_axis_twice():
    return _m().std((0, 0))


# --- options that are no bools ----------------------------------------------------------------------


def std_keepdims_of_a_word(z):
    return ops.std(z, 0, 0, "yes")


def median_keepdims_of_an_int(z):
    return ops.median(z, 1, 0)


def logsumexp_keepdim_of_none(z):
    return ops.logsumexp(z, 1, None)


def nansum_keepdims_of_a_float(z):
    return ops.nansum(z, 1, 1.0)


def topk_largest_of_an_int(y):
    return ops.topk(y, 1, largest=0)


def count_nonzero_keep_dims_of_a_word(z):
    return ops.count_nonzero(z, 0, "no")


def isclose_equal_nan_of_an_int(y):
    return ops.isclose(y, y, 1e-5, 1e-8, 1)


def max_pool_ceil_mode_of_a_word(im):
    return ops.max_pool2d(im, 2, ceil_mode="up")


def eager_sum_keepdim_of_an_int():
    return ops.sum(_m(), 0, 1)


def eager_mean_keep_dims_of_a_word():
    return ops.mean(_m(), 0, "true")


def eager_max_keepdims_of_none():
    return ops.max(_m(), 1, None)


def eager_sort_descending_of_an_int():
    return ops.sort(_m(), 0, 0)


def eager_norm_keepdim_of_a_word():
    return ops.norm(_m(), 2, 1, "a")


def eager_reduce_sum_made_with_a_word():
    return ops.ReduceSum("keep")(_m(), 0)


def eager_svd_full_matrices_of_an_int():
    return ops.svd(_m(), 1)


def eager_mint_mean_keepdim_of_a_list():
    return mint.mean(_m(), 1, [True])


def eager_unique_consecutive_return_counts_of_an_int():
    return ops.unique_consecutive(Tensor([1, 1, 2]), False, 1)


# --- dtypes that are none ---------------------------------------------------------------------------


def cast_to_a_class(z):
    return ops.cast(z, float)


def full_of_a_dtypes_name():
    return ops.full((2,), 3, dtype="int32")


def softmax_of_a_dtypes_name(y):
    return ops.softmax(y, 0, dtype="float16")


def eager_cast_to_a_class():
    return ops.cast(_m(), np.int32)


def eager_cast_to_a_name():
    return ops.cast(_m(), "int64")


def eager_sum_of_a_dtypes_name():
    return ops.sum(_m(), dtype="float64")


def eager_zeros_like_of_a_class():
    return ops.zeros_like(_m(), dtype=bool)


def eager_eye_of_a_name_for_a_dtype():
    return ops.eye(2, 3, "float32")


def eager_eye_without_a_dtype():
    return ops.eye(2, None, None)


# --- places of extremes -----------------------------------------------------------------------------


def argmax_of_all_that_keeps_axes(z):
    return z.argmax(None, True)


def argmin_of_all_that_keeps_axes(z):
    return ops.argmin(z, None, True)


def argmin_along_an_axis(x):
    return x.argmin(1, True)


def max_of_all_that_keeps_axes(x):
    return x.max(keepdims=True), ops.max(x, keepdims=True)


def min_of_all_with_its_place(x):
    return x.min(return_indices=True)


def amax_of_all_that_keeps_axes(x):
    return ops.amax(x, None, True)


def eager_argmax_of_all_that_keeps_axes():
    return ops.argmax(_m(), keepdim=True), _m().argmax(keepdims=True)


def eager_arg_min_with_value():
    return ops.ArgMinWithValue(1)(_m())


def eager_max_of_all():
    return ops.max(_m()), ops.min(_m()), _m().argmin()


def eager_l2_normalize_along_an_axis():
    return ops.L2Normalize(0)(Tensor([3.0, 4.0], ms.float32))


# --- methods that Python runs -----------------------------------------------------------------------


def asnumpy_of_an_argument(y):
    return y.asnumpy("f")


def numpy_of_a_name(y):
    return y.numpy(copy=True)


def dim_of_an_argument(z):
    return z.dim(0)


def contiguous_of_an_argument(z):
    return z.contiguous(True)


def assign_value_in_a_graph(z):
    return z.assign_value(z)


def item_of_a_matrix(z):
    return z.item()


def itemset_of_a_matrix(z):
    return z.itemset(3)


def astype_of_no_dtypes_name(z):
    return z.astype("int99")


def astype_of_a_name_with_capitals(y):
    return y.astype("INT32")


def astype_of_none(y):
    return y.astype(None)


def eager_item_of_a_matrix():
    return _m().item()


def eager_item_of_nothing():
    return Tensor(np.zeros((2, 0), np.float32)).item()


def eager_item_in_a_cell_of_a_matrix():
    return _in_cell(lambda m: m.item(), _m())


def eager_itemset_of_an_element_of_several():
    return _m().itemset(1.0)


def eager_itemset_of_three():
    return _m().itemset(0, 1, 2.0)


def eager_astype_of_no_dtypes_name():
    return _m().astype("real")


def eager_astype_of_a_name_with_capitals():
    return _m().astype("Float16")


def eager_astype_of_none():
    return _m().astype(None)


def eager_astype_of_a_numpy_dtype():
    return _m().astype(np.dtype("int32"))


def eager_astype_of_a_list():
    return _m().astype(["int32"])


def eager_astype_of_str():
    return _m().astype(str)


def eager_astype_in_a_cell_of_no_dtypes_name():
    return _in_cell(lambda m: m.astype("real"), _m())


def eager_to_a_dtypes_name():
    return _m().to("int32")


def eager_from_numpy_of_two():
    return Tensor.from_numpy(np.ones(2), np.ones(2))


def eager_sum_of_a_class_for_a_dtype():
    return _m().sum(dtype=int)


# --- operands of methods ----------------------------------------------------------------------------


def masked_fill_by_ints(y, i):
    return y.masked_fill(i, 2.5)


def masked_fill_by_too_few(x, b):
    return x.masked_fill(b, 1.5)


def eager_masked_fill_of_an_int():
    return _m().masked_fill(_m() > 2, 7)


def eager_masked_fill_of_a_vector():
    return _m().masked_fill(_m() > 2, Tensor([7.0]))


def eager_comparisons_with_numbers():
    return _m().gt(2), _m().le(2.5), _m().ne(True), _m().maximum(2), _m().subtract(1)


def eager_maximum_of_a_word():
    return _m().maximum("2")


def eager_masked_fill_by_ints():
    return _m().masked_fill(Tensor([[1, 0], [0, 1]]), 2.5)
