"""Methods of Tensors line by line: what they are given by count, name and type, and calls beside those that are taken."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
import numpy as np
from mindspore import Tensor

_X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
_Y = Tensor(np.arange(3, dtype=np.float32))
_Z = Tensor(np.ones((4, 5), np.float32))
_I = Tensor(np.array([1, 2, 3], np.int32))
_B = Tensor(np.array([True, False]))
_K = Tensor(2)


def eager_x_view():
    return _X.view()


def eager_x_clamp_a():
    return _X.clamp("a")


def eager_x_max_1_1():
    return _X.max(1, [1])


def eager_x_max_1_1_2():
    return _X.max(1, 1)


def eager_x_reshape():
    return _X.reshape()


def eager_x_sum_keepdims_1():
    return _X.sum(keepdims=1)


def eager_x_mean_axis_x():
    return _X.mean(axis="x")


def eager_x_squeeze_a():
    return _X.squeeze("a")


def eager_x_unsqueeze():
    return _X.unsqueeze()


def eager_x_expand_dims_a():
    return _X.expand_dims("a")


def eager_x_repeat_a():
    return _X.repeat("a")


def eager_x_ravel_1():
    return _X.ravel(1)


def eager_x_argmin_0_1():
    return _X.argmin(0, 1)


def eager_x_sort_descending_1():
    return _X.sort(descending=1)


def eager_x_topk_a():
    return _X.topk("a")


def eager_x_cumsum_5():
    return _X.cumsum(5)


def eager_x_cumsum_a():
    return _X.cumsum("a")


def eager_x_index_select_0_1():
    return _X.index_select(0, 1)


def eager_x_masked_fill_x_1_a():
    return _X.masked_fill(_X > 1, "a")


def eager_x_masked_select_1():
    return _X.masked_select(1)


def eager_x_where_1_2():
    return _X.where(1, 2)


def eager_x_split_a():
    return _X.split("a")


def eager_x_item_7():
    return _X.item(7)


def eager_x_item_0_0():
    return _X.item((0, 0))


def eager_x_item_a():
    return _X.item("a")


def eager_x_std_a():
    return _X.std("a")


def eager_x_var_ddof_a():
    return _X.var(ddof="a")


def eager_x_prod_a():
    return _X.prod("a")


def eager_x_all_a():
    return _X.all("a")


def eager_x_matmul_3():
    return _X.matmul(3)


def eager_x_matmul_a():
    return _X.matmul("a")


def eager_x_dot_3():
    return _X.dot(3)


def eager_x_add_a():
    return _X.add("a")


def eager_x_add_y_2():
    return _X.add(_Y, 2)


def eager_x_add_y_alpha_a():
    return _X.add(_Y, alpha="a")


def eager_x_sub():
    return _X.sub()


def eager_x_div_2_3():
    return _X.div(2, 3)


def eager_x_pow_a():
    return _X.pow("a")


def eager_x_pow_2_3():
    return _X.pow(2, 3)


def eager_x_eq_a():
    return _X.eq("a")


def eager_x_gt_a():
    return _X.gt("a")


def eager_x_lt_none():
    return _X.lt(None)


def eager_x_ne_1_2():
    return _X.ne([1, 2])


def eager_x_astype():
    return _X.astype()


def eager_x_to_ms_int32_3():
    return _X.to(ms.int32, 3)


def eager_x_float_1():
    return _X.float(1)


def eager_x_int_a():
    return _X.int("a")


def eager_x_abs_1():
    return _X.abs(1)


def eager_x_exp_a():
    return _X.exp("a")


def eager_x_sqrt_2():
    return _X.sqrt(2)


def eager_x_softmax():
    return _X.softmax()


def eager_x_numpy_1():
    return _X.numpy(1)


def eager_x_copy_1():
    return _X.copy(1)


def eager_x_clone_1():
    return _X.clone(1)


def eager_x_contiguous_1():
    return _X.contiguous(1)


def eager_x_numel_1():
    return _X.numel(1)


def eager_x_tril_a():
    return _X.tril("a")


def eager_x_triu_0_5():
    return _X.triu(0.5)


def eager_x_roll_a():
    return _X.roll("a")


def eager_x_take_9():
    return _X.take(9)


def eager_x_bool_a():
    return _X.bool("a")


def eager_x_logical_and_a():
    return _X.logical_and("a")


def eager_x_logical_not_1():
    return _X.logical_not(1)


def eager_x_fill__a():
    return _X.fill_("a")


def eager_x_new_full_2_a():
    return _X.new_full((2,), "a")


def eager_x_zero__1():
    return _X.zero_(1)


def eager_x_lerp_y_a():
    return _X.lerp(_Y, "a")


def eager_x_lerp_a_1():
    return _X.lerp("a", 1)


def eager_x_isclose_1():
    return _X.isclose(1)


def eager_x_allclose_1():
    return _X.allclose(1)


def eager_i_bincount_a():
    return _I.bincount("a")


def eager_x_histc_a():
    return _X.histc("a")


def eager_x_unique_a():
    return _X.unique("a")


def eager_x_nonzero_a():
    return _X.nonzero("a")


def eager_x_logsumexp_a():
    return _X.logsumexp("a")


def eager_x_median_a():
    return _X.median("a")


def eager_x_addcmul_y():
    return _X.addcmul(_Y)


def eager_x_masked_scatter_1_y():
    return _X.masked_scatter(1, _Y)


def eager_x_view_3_2():
    return _X.view((3, 2))


def eager_x_view_3_2_2():
    return _X.view([3, 2])


def eager_x_clamp_k_4():
    return _X.clamp(_K, 4)


def eager_x_clamp_1_k():
    return _X.clamp(1, _K)


def eager_x_clip_4_1():
    return _X.clip(4, 1)


def eager_x_max_axis_0_1():
    return _X.max(axis=(0, 1))


def eager_x_type_float16():
    return _X.type("float16")


def eager_x_reshape_2_3_1():
    return _X.reshape(2, 3, 1)


def eager_x_permute_1_0():
    return _X.permute((1, 0))


def eager_x_permute():
    return _X.permute()


def eager_x_squeeze_0():
    return _X.squeeze(0)


def eager_x_broadcast_to_2_m1():
    return _X.broadcast_to((2, -1))


def eager_x_cumsum():
    return _X.cumsum()


def eager_x_where_x_1_y():
    return _X.where(_X > 1, _Y)


def eager_x_split_2():
    return _X.split(2)


def eager_x_split_4():
    return _X.split(4)


def eager_x_t_2():
    return _X.T


def eager_x_mt():
    return _X.mT
