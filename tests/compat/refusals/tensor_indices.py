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
