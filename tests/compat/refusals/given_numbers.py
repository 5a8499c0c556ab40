"""Numbers and strings among the arguments, which refusals name: constants of MindSpore's programs."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, grad, jit, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def ops_topk_x_n_plus_5(x, n):
    return ops.topk(x, n + 5)


def ops_topk_x_n_n(x, n):
    return ops.topk(x, n, n)


def ops_zeros_n_minus_5_ms_float32(x, n):
    return ops.zeros((n - 5,), ms.float32)


def ops_ones_2_n_minus_9(x, n):
    return ops.ones((2, n - 9))


def ops_one_hot_i_minus_n_1_0(x, n):
    return ops.one_hot(i, -n, 1, 0)


def ops_one_hot_i_minus_n_t_1_0_t_0_0(i, n):
    return ops.one_hot(i, -n, Tensor(1.0), Tensor(0.0))


def ops_reshape_x_n_n(x, n):
    return ops.reshape(x, (n, n))


def x_reshape_n_n(x, n):
    return x.reshape(n, n)


def x_reshape_minus_1_n_plus_1(x, n):
    return x.reshape(-1, n + 1)


def x_view_n_n(x, n):
    return x.view(n, n)


def x_transpose_n_0(x, n):
    return x.transpose(n, 0)


def x_swapaxes_0_n(x, n):
    return x.swapaxes(0, n)


def x_sum_n(x, n):
    return x.sum(n)


def x_mean_axis_n(x, n):
    return x.mean(axis=n)


def ops_argmax_x_n(x, n):
    return ops.argmax(x, n)


def ops_concat_x_x_n(x, n):
    return ops.concat((x, x), n)


def ops_stack_x_x_n_plus_1(x, n):
    return ops.stack((x, x), n + 1)


def ops_split_x_n_plus_2_n(x, n):
    return ops.split(x, n + 2, n)


def ops_split_x_n_n_0(x, n):
    return ops.split(x, (n, n), 0)


def ops_chunk_x_minus_n(x, n):
    return ops.chunk(x, -n)


def ops_tile_x_n_minus_n(x, n):
    return ops.tile(x, (n, -n))


def x_broadcast_to_n_n(x, n):
    return x.broadcast_to((n, n))


def ops_expand_dims_x_n_plus_1(x, n):
    return ops.expand_dims(x, n + 1)


def ops_squeeze_x_n(x, n):
    return ops.squeeze(x, n)


def x_squeeze_n_minus_2(x, n):
    return x.squeeze(n - 2)


def ops_unsqueeze_x_n_plus_3(x, n):
    return ops.unsqueeze(x, n + 3)


def ops_gather_x_t_0_n(x, n):
    return ops.gather(x, Tensor([0]), n)


def x_n(x, n):
    return x[n]


def x_0_n(x, n):
    return x[0, n]


def x_n_to_n_minus_1_to_0(x, n):
    return x[n : n - 1 : 0]


def x_step_n_minus_3(x, n):
    return x[:: n - 3]


def x_to_to_n(x, n):
    return x[:, :, n]


def t_n(t, n):
    return t[n]


def t_n_to_0_to_n_minus_3(t, n):
    return t[n : 0 : n - 3]


def l_n_plus_4(l, n):
    return l[n + 4]


def s_n(s, n):
    return s[n]


def abc_n_plus_2(n):
    return "abc"[n + 2]


def n1_2_times_n_plus_n(n):
    return (1, 2) * n + n


def n1_plus_n(n):
    return [1] + n


def n_floordiv_r_minus_0_5(n, r):
    return n // (r - 0.5)


def n_div_n_minus_3(n):
    return n / (n - 3)


def n_mod_n_minus_3(n):
    return n % (n - 3)


def range_n_n_plus_1(n):
    return range(n)[n + 1]


def range_1_n_n_minus_3(n):
    return range(1, n, n - 3)


def range_r(n, r):
    return range(r)


def tuple_range_n_9(n):
    return tuple(range(n))[9]


def t_n_x(n):
    return Tensor([n, "x"])


def t_n_n(n):
    return Tensor([n, [n]])


def t_n_float33(n):
    return Tensor(n, "float33")


def t_shape_n_dtype_ms_float32(n):
    return Tensor(shape=(n,), dtype=ms.float32)


def ops_gradoperation_get_all_n_lambda_q_to_q_x(x, n):
    return ops.GradOperation(get_all=n)(lambda q: q)(x)


def ops_grad_lambda_q_to_q_times_2_n_x(x, n):
    return ops.grad(lambda q: q * 2, n)(x)


def ops_grad_lambda_q_to_q_times_2_0_n_x(x, n):
    return ops.grad(lambda q: q * 2, (0, n))(x)


def ms_value_and_grad_lambda_q_to_q_times_2_n_x(x, n):
    return ms.value_and_grad(lambda q: q * 2, n)(x)


def ops_vmap_lambda_q_to_q_n_x(x, n):
    return ops.vmap(lambda q: q, n)(x)


def ops_vmap_lambda_q_to_q_0_n_x(x, n):
    return ops.vmap(lambda q: q, 0, n)(x)


def ops_cast_x_n(x, n):
    return ops.cast(x, n)


def x_astype_n(x, n):
    return x.astype(n)


def x_to_n(x, n):
    return x.to(n)


def x_astype_s(x, s):
    return x.astype(s)


def x_sum_s(x, s):
    return x.sum(s)


def ops_reduce_sum_x_s(x, s):
    return ops.reduce_sum(x, s)


def ops_reduce_sum_x_r(x, r):
    return ops.reduce_sum(x, r)


def x_reshape_r(x, r):
    return x.reshape(r)


def ops_tile_x_r(x, r):
    return ops.tile(x, r)


def ops_full_2_2_r_dtype_r(x, r):
    return ops.full((2, 2), r, dtype=r)


def ops_eye_r(x, r):
    return ops.eye(r)


def ops_eye_minus_n(n):
    return ops.eye(-n)


def ops_linspace_0_n_minus_n(n):
    return ops.linspace(0, n, -n)


def ops_pad_x_n_minus_n(x, n):
    return ops.pad(x, (n, -n))


def ops_pad_x_1_times_n(x, n):
    return ops.pad(x, (1,) * n)


def ops_flip_x_n(x, n):
    return ops.flip(x, (n,))


def ops_cumsum_x_n(x, n):
    return ops.cumsum(x, n)


def ops_sort_x_n(x, n):
    return ops.sort(x, n)


def ops_softmax_x_n(x, n):
    return ops.softmax(x, n)


def ops_log_softmax_x_n(x, n):
    return ops.log_softmax(x, n)


def ops_norm_x_n_n(x, n):
    return ops.norm(x, n, n)


def ops_dropout_x_n(x, n):
    return ops.dropout(x, n)


def ops_dropout_x_p_n(x, n):
    return ops.dropout(x, p=n)


def ops_max_x_n(x, n):
    return ops.max(x, n)


def ops_all_x_n(x, n):
    return ops.all(x, n)


def ops_tril_x_n(x, n):
    return ops.tril(x, "n")


def ops_tril_y_n(y, n):
    return ops.tril(y, n)


def ops_diag_y_n(y, n):
    return ops.diag(y, n)


def ops_repeat_interleave_x_minus_n(x, n):
    return ops.repeat_interleave(x, -n)


def ops_repeat_interleave_x_n_n(x, n):
    return ops.repeat_interleave(x, n, n)


def ops_unbind_x_n(x, n):
    return ops.unbind(x, n)


def ops_unstack_x_n(x, n):
    return ops.unstack(x, n)


def ops_strided_slice_x_0_0_n_n_n_minus_3_1(x, n):
    return ops.strided_slice(x, (0, 0), (n, n), (n - 3, 1))


def ops_slice_x_0_n_1_1(x, n):
    return ops.slice(x, (0, n), (1, 1))


def ops_max_pool2d_im_n_minus_3(im, n):
    return ops.max_pool2d(im, n - 3)


def ops_avg_pool2d_im_n_minus_n(im, n):
    return ops.avg_pool2d(im, n, -n)


def ops_interpolate_im_size_n(im, n):
    return ops.interpolate(im, size=n)


def ops_interpolate_im_size_n_n_n(im, n):
    return ops.interpolate(im, size=(n, n, n))


def ops_adaptive_avg_pool2d_im_minus_n(im, n):
    return ops.adaptive_avg_pool2d(im, -n)


def ops_pixel_shuffle_im_n_plus_1(im, n):
    return ops.pixel_shuffle(im, n + 1)


def n_to_1_a(n):
    return {n: 1}["a"]


def d_n(n, d):
    return d[n]


def len_n(n):
    return len(n)


def n_shape(n):
    return n.shape


def n(n):
    return n()


def n_0(n):
    return n[0]


def n_plus_s(n, s):
    return n + s


def s_mod_n(n, s):
    return s % n


def s_times_s(n, s):
    return s * s


def n_lt_s(n, s):
    return n < s


def max_n(n):
    return max(n)


def sum_n(n):
    return sum(n)


def min_default_n(n):
    return min((), default=n)


def isinstance_n_n(n):
    return isinstance(n, n)


def hasattr_n_n(n):
    return hasattr(n, n)


def getattr_n_foo(n):
    return getattr(n, "foo")


def raise_valueerror_n_is_n(n):
    raise ValueError("n is", n)


def raise_valueerror_f_n_is_n_and_r(n, r):
    raise ValueError(f"n is {n} and {r}")


def raise_valueerror_n(n):
    raise ValueError(n)


def raise_runtimeerror_s(n, s):
    raise RuntimeError(s)


def assert_n_gt_5_f_bad_n(n):
    assert n > 5, f"bad {n}"


def assert_n_gt_5_n(n):
    assert n > 5, n


def assert_n_lt_0(n):
    assert n < 0


def x_y_t_x(n, t):
    x, y = t
    return x


def a_b_c_e_t_a(n, t):
    a, b, c, e = t
    return a


def x_y_d_x(n, d):
    x, y = d
    return x


def x_y_d_x_plus_y(d):
    x, y = d
    return x + y
