"""Indices of Tensors that are out of range or do not fit, in graphs, beside some that are taken; and shapes of Tensors that none has."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
from mindspore import Tensor


def g_x_0_5(x):
    return x[0, 5]


def g_x_none_none_0_0_0(x):
    return x[None, None, 0, 0, 0]


def g_x_5_2(x):
    return x[..., 5]


def g_x_tensor_0_1_5(x):
    return x[Tensor([0, 1]), 5]


def g_x_tensor_0_1_tensor_0_1_2(x):
    return x[Tensor([0, 1]), Tensor([0, 1, 2])]


def g_x(x):
    return x[[]]


def g_x_2(x):
    return x[()]


def g_x_0_5_7(x):
    return x[0:5, 7]


def g_x_1_0_m1(x):
    return x[1:0:-1]


def g_x_0_3(x):
    return x[:, ::0]


def g_x_tensor_1(x):
    return x[Tensor(1)]


def g_x_b(x, b):
    return x[b]


def g_x_x_1(x):
    return x[x > 1]


def g_x_y_1(x, y):
    return x[y > 1]


def g_x_y_1_2(x, y):
    return x[:, y > 1]


def g_x_true(x):
    return x[True]


def g_x_false(x):
    return x[False]


def g_x_true_0(x):
    return x[True, 0]


def g_x_n_2(x, n):
    return x[n:]


def g_x_k_2(x, k):
    return x[k:]


def g_x_k_k(x, k):
    return x[:k, k]


def g_x_slice_0_1(x):
    return x[slice(0, 1)]


def g_k_2(k):
    return k[...]


def g_k_none(k):
    return k[None]


def g_im_0_9(im):
    return im[0, :, 9]


def g_x_0_0_1(x):
    return x[0, (0, 1)]


def g_x_0_1_0_1(x):
    return x[(0, 1), (0, 1)]


def g_x_0_1_0_1_2(x):
    return x[[0, 1], [0, 1, 2]]


def g_x_0_1_none(x):
    return x[[0, 1], None]


def g_x_0_none_5(x):
    return x[0, None, 5]


def g_x_true_false(x):
    return x[[True, False]]


def g_x_true_false_true(x):
    return x[[True, False, True]]


def g_x_data(x):
    return x.data


def g_x_t_t(x):
    return x.T.T


def g_x_x_0_5_1_x(x):
    x
    x[0, 5] = 1
    return x


def g_x_x_0_y_2_x(x, y):
    x
    x[0] = y[:2]
    return x


def g_x_x_0_1_2_3_x(x):
    x
    x[0] = (1, 2, 3)
    return x


def g_x_x_tensor_0_1_y_x(x, y):
    x
    x[Tensor([0, 1])] = y
    return x


def g_x_x_x_1_5_x(x):
    x
    x[x > 1] = 5
    return x


def g_x_x_b_5_x(x, b):
    x
    x[b] = 5
    return x


def g_x_x_y_1_5_x_2(x, y):
    x
    x[:, y > 1] = 5
    return x


def g_x_x_none_1_x(x):
    x
    x[None] = 1
    return x


def g_x_x_1_x(x):
    x
    x[...] = 1
    return x


def g_x_x_0_y_x(x, y):
    x
    x[..., 0] = y
    return x


def g_x_x_0_1_x(x):
    x
    x[::0] = 1
    return x


def g_x_x_0_1_5_1_x(x):
    x
    x[0:1, 5] = 1
    return x


def g_x_x_0_0_0_1_x(x):
    x
    x[0, 0, 0] = 1
    return x


def g_x_x_1_x_2(x):
    x
    x[()] = 1
    return x


def g_x_x_0_1_7_x(x):
    x
    x[[0, 1]] = 7
    return x


def g_x_x_true_7_x(x):
    x
    x[True] = 7
    return x


def g_x_x_0_1_2_3_x_2(x):
    x
    x[0] = [[1, 2, 3]]
    return x


def g_x_x_z_x(x, z):
    x
    x[:] = z
    return x


def g_x_x_0_2_z_x(x, z):
    x
    x[:, 0:2] = z
    return x


def g_x_x_0_0_1_x(x):
    x
    x[0, 0] += 1
    return x


def eager_tensor_shape_m5_2_dtype_ms_float32():
    return Tensor(shape=(-5, 2), dtype=ms.float32)


def eager_tensor_shape_2_a_dtype_ms_float32():
    return Tensor(shape=(2, "a"), dtype=ms.float32)


_PAIR = Tensor([1.0, 2.0])


def put_constant_over_rows(z):
    z[1:3] = Tensor([[1.0, 2.0], [3.0, 4.0]])
    return z


def put_constant_of_outside_at_row(z):
    z[2] = _PAIR
    return z


def put_constant_reshaped(x):
    x[:, 1:] = _PAIR.reshape((1, 2)) * 2
    return x


def put_constant_that_is_longer(x):
    x[0, 1:] = Tensor([5.0, 6.0, 7.0])
    return x


def put_list_at_row(x):
    x[1] = [9.0, 8.0]
    return x


def put_list_of_given(z, n):
    z[0:2] = [n, n]
    return z


def put_constant_of_more_axes(x):
    x[0:1] = Tensor([[[1.0, 2.0, 3.0]]])
    return x


def put_row_of_the_run(x, z):
    x[1:] = z[0]
    return x


def put_list_of_the_run(x, k):
    x[0] = [k, k]
    return x


def put_of_more_axes_at_an_element(x, y):
    x[1, 2] = y
    return x


def put_of_more_axes_in_a_column(x, z):
    x[:, 1] = z
    return x


def put_row_behind_an_int(x, y):
    x[0, :] = y.reshape((1, 3))
    return x


def put_by_list_of_rows(x, y):
    x[[1, 0]] = y[1:]
    return x


def put_by_tensors(x, y):
    x[Tensor([1, 0]), Tensor([0, 2])] = y
    return x


def put_behind_a_new_axis(x, y):
    x[None] = y[1:]
    return x


def put_over_all_of_another_size(x):
    x[...] = Tensor([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]], [[7.0, 8.0]]])
    return x


def put_in_nothing(x, y):
    x[2:1] = y[:2]
    return x


def put_by_mask_row_by_row(x):
    x[x > 2] = _PAIR
    return x


def put_by_mask_of_elements(x):
    x[x > 2] = Tensor([7.0, 8.0, 9.0])
    return x


def put_by_mask_whole(x):
    x[x < 3] = x * 10
    return x


def put_by_mask_of_rows(x, b, y):
    x[b] = y
    return x


def put_by_mask_of_others(x, i):
    x[i > 1] = 4
    return x


def eager_put_behind_a_new_axis():
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    x[None] = _PAIR
    return x


def eager_put_by_tensors():
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    x[Tensor([1, 0]), Tensor([0, 2])] = Tensor([1.0, 2.0, 3.0])
    return x


def row_of_a_number_outside(x, n):
    return x[n]


def element_of_a_number_outside(x, n):
    return x[0, n]


def element_of_a_negative_number_outside(y, n):
    return y[-n - 1]


def scalar_sliced(k):
    return k[::2]


def scalar_at_a_number(k):
    return k[0]


def scalar_at_a_list(k):
    return k[[0]]


def scalar_at_a_mask(k, b):
    return k[b]


def scalar_at_a_row(k, i):
    return k[i]


def row_at_a_mask_of_a_matrix(x, y):
    return y[x > 2]


def put_at_two_ellipses(x):
    x[..., ...] = 1
    return x


def put_at_two_ellipses_and_a_number(x):
    x[0, ..., ...] = 1
    return x


def put_at_a_list_outside(x):
    x[[0, 5]] = 1
    return x


def put_at_a_list(x):
    x[[0, 1]] = 1
    return x
