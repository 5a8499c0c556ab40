"""Odd keys of Tensors, and odd values that are written to them, in graphs and line by line: what they are taken for, and what is refused."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops


def g_x_0_1_1_0(x):
    return x[[[0, 1], [1, 0]]]


def g_x_0_1_2(x):
    return x[[[0, 1], 2]]


def g_x_0_1_1_2(x):
    return x[[(0, 1), (1, 2)]]


def g_x_none_0(x):
    return x[[None, 0]]


def g_x(x):
    return x[[...]]


def g_x_true_0(x):
    return x[[True, 0]]


def g_x_false_0(x):
    return x[False, 0]


def g_x_false(x):
    return x[..., False]


def g_x_0_none_false(x):
    return x[0, None, False]


def g_x_0_5_1(x):
    return x[0.5:, 1]


def g_x_0_a_2(x):
    return x[0, "a":2]


def g_x_np_array_0_1(x):
    return x[np.array([0, 1])]


def g_x_np_array_0_1_2(x):
    return x[np.array([0, 1]), 2]


def g_x_np_int32_0(x):
    return x[np.int32(0)]


def g_x_0_np_int32_1(x):
    return x[0, np.int32(1)]


def g_x_ms_float32(x):
    return x[ms.float32]


def g_x_int(x):
    return x[int]


def g_x_0_int(x):
    return x[0, int]


def g_x_x_1_x_1(x):
    return x[x > 1, x > 1]


def g_x_x_2_0(x):
    return x[x > 2, 0]


def g_x_tensor_0_5(x):
    return x[Tensor([0, 5])]


def g_y_i(y, i):
    return y[i]


def g_x_k(x, k):
    return x[k]


def g_x_0_5(x):
    return x[0, [5]]


def g_x_y_2(x, y):
    return x[y:2]


def g_x_1_m1_7_x(x):
    x[1::-1] = 7
    return x


def g_x_m1_7_x(x):
    x[::-1] = 7
    return x


def g_y_m2_7_y(y):
    y[::-2] = 7
    return y


def g_y_2_0_m1_7_y(y):
    y[2:0:-1] = 7
    return y


def g_x_0_m1_7_x(x):
    x[0, ::-1] = 7
    return x


def g_x_1_m1_7_x_2(x):
    x[1, ::-1] = 7
    return x


def g_x_m1_0_7_x(x):
    x[::-1, 0] = 7
    return x


def g_x_m1_y_x(x, y):
    x[:, ::-1] = y
    return x


def g_x_0_2_m1_7_x(x):
    x[0, 2::-1] = 7
    return x


def g_x_1_7_7_x(x):
    x[1.7] = 7
    return x


def g_x_2_5_7_x(x):
    x[2.5] = 7
    return x


def g_x_m0_5_7_x(x):
    x[-0.5] = 7
    return x


def g_x_0_1_7_7_x(x):
    x[0, 1.7] = 7
    return x


def g_x_tensor_0_5_7_x(x):
    x[Tensor([0.5])] = 7
    return x


def g_x_0_1_1_0_7_x(x):
    x[[[0, 1], [1, 0]]] = 7
    return x


def g_x_tensor_5_7_x(x):
    x[Tensor([5])] = 7
    return x


def g_x_k_y_x(x, y, k):
    x[k] = y
    return x


def g_x_0_np_array_1_2_3_x(x):
    x[0] = np.array([1, 2, 3])
    return x


def g_x_0_np_int32_7_x(x):
    x[0] = np.int32(7)
    return x


def g_x_0_ms_float32_x(x):
    x[0] = ms.float32
    return x


def g_x_0_int_x(x):
    x[0] = int
    return x


def g_x_0_slice_1_x(x):
    x[0] = slice(1)
    return x


def g_x_0_x(x):
    x[0] = ...
    return x


def g_x_0_a_b_c_x(x):
    x[0] = ["a", "b", "c"]
    return x


def g_x_0_a_1_2_x(x):
    x[0] = ("a", 1, 2)
    return x


def g_x_0_7_none_9_x(x):
    x[0] = [7, None, 9]
    return x


def g_x_0_none_x(x):
    x[0] = [None]
    return x


def g_x_0_y_a_x(x, y):
    x[0] = [y, "a"]
    return x


def g_x_0_2_y_1_2_x(x, y):
    x[0:2] = [y, (1, 2)]
    return x


def g_x_0_2_y_5_x(x, y):
    x[0:2] = [y, 5]
    return x


def g_x_0_2_5_y_x(x, y):
    x[0:2] = [5, y]
    return x


def g_x_0_2_5_6_6_x(x):
    x[0:2] = [[5, 6], [6]]
    return x


def g_x_0_2_5_6_x(x):
    x[0:2] = [[5], [6]]
    return x


def g_x_0_1_k_2_x(x, k):
    x[0] = [1, k, 2]
    return x


def g_x_0_1_5_tensor_2_0_2_x(x):
    x[0] = [1.5, Tensor(2.0), 2]
    return x


def g_x_0_x_2(x):
    x[0] = []
    return x


def g_x_0_1_x(x):
    x[0:1] = ()
    return x


def g_x_tensor_true_5_x(x):
    x[Tensor([True])] = 5
    return x


def g_x_tensor_true_false_true_5_x(x):
    x[Tensor([[True, False, True]])] = 5
    return x


def g_x_true_false_7_x(x):
    x[[True, False]] = 7
    return x


def g_x_0_true_false_true_7_x(x):
    x[0, [True, False, True]] = 7
    return x


def g_x_0_1_0_1_2_7_x(x):
    x[[0, 1], [0, 1, 2]] = 7
    return x


def g_x_0_5_2_7_x(x):
    x[0.5:2] = 7
    return x


def g_x_np_float64_0_5(x):
    return x[np.float64(0.5)]


def g_x_0_np_float64_1(x):
    return x[0, np.float64(1)]


def g_x_range_2(x):
    return x[range(2)]


def g_x_range_1(x):
    return x[range(1)]


def g_x_0_ms_float32(x):
    return x[0, ms.float32]


def g_x_true_false_x_x(x):
    x[[True, False]] = x
    return x


def g_x_true_7_x(x):
    x[[True]] = 7
    return x


def g_x_range_2_7_x(x):
    x[range(2)] = 7
    return x


def g_x_x_2_7_8_x(x):
    x[x > 2] = (7, 8)
    return x


def g_x_x_2_x(x):
    x[x > 2] = []
    return x


def g_ops_gather_x_i_0(x, i):
    return ops.gather(x, i, 0)


def g_x_index_select_0_i(x, i):
    return x.index_select(0, i)


def eager_x_0_1_1_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[[[0, 1], [1, 0]]]


def eager_x_0_1_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[[[0, 1], 2]]


def eager_x_0_1_1_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[[(0, 1), (1, 2)]]


def eager_x_none_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[[None, 0]]


def eager_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[[...]]


def eager_x_true_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[[True, 0]]


def eager_x_false_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[False, 0]


def eager_x_false():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[..., False]


def eager_x_0_none_false():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[0, None, False]


def eager_x_0_5_1():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[0.5:, 1]


def eager_x_0_a_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[0, "a":2]


def eager_x_np_array_0_1():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[np.array([0, 1])]


def eager_x_np_array_0_1_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[np.array([0, 1]), 2]


def eager_x_np_int32_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[np.int32(0)]


def eager_x_0_np_int32_1():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[0, np.int32(1)]


def eager_x_ms_float32():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[ms.float32]


def eager_x_int():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[int]


def eager_x_0_int():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[0, int]


def eager_x_x_1_x_1():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[x > 1, x > 1]


def eager_x_x_2_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[x > 2, 0]


def eager_x_tensor_0_5():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[Tensor([0, 5])]


def eager_y_i():
    y = Tensor(np.arange(3, dtype=np.float32))
    i = Tensor(np.array([1, 2, 3], np.int32))
    return y[i]


def eager_x_k():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    k = Tensor(2)
    return x[k]


def eager_x_0_5():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[0, [5]]


def eager_x_y_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    y = Tensor(np.arange(3, dtype=np.float32))
    return x[y:2]


def eager_x_1_m1_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[1::-1] = 7
    return x


def eager_x_m1_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[::-1] = 7
    return x


def eager_y_m2_7_y():
    y = Tensor(np.arange(3, dtype=np.float32))
    y[::-2] = 7
    return y


def eager_y_2_0_m1_7_y():
    y = Tensor(np.arange(3, dtype=np.float32))
    y[2:0:-1] = 7
    return y


def eager_x_0_m1_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0, ::-1] = 7
    return x


def eager_x_1_m1_7_x_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[1, ::-1] = 7
    return x


def eager_x_m1_0_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[::-1, 0] = 7
    return x


def eager_x_m1_y_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    y = Tensor(np.arange(3, dtype=np.float32))
    x[:, ::-1] = y
    return x


def eager_x_0_2_m1_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0, 2::-1] = 7
    return x


def eager_x_1_7_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[1.7] = 7
    return x


def eager_x_2_5_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[2.5] = 7
    return x


def eager_x_m0_5_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[-0.5] = 7
    return x


def eager_x_0_1_7_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0, 1.7] = 7
    return x


def eager_x_tensor_0_5_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[Tensor([0.5])] = 7
    return x


def eager_x_0_1_1_0_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[[[0, 1], [1, 0]]] = 7
    return x


def eager_x_tensor_5_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[Tensor([5])] = 7
    return x


def eager_x_k_y_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    y = Tensor(np.arange(3, dtype=np.float32))
    k = Tensor(2)
    x[k] = y
    return x


def eager_x_0_np_array_1_2_3_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = np.array([1, 2, 3])
    return x


def eager_x_0_np_int32_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = np.int32(7)
    return x


def eager_x_0_ms_float32_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = ms.float32
    return x


def eager_x_0_int_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = int
    return x


def eager_x_0_slice_1_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = slice(1)
    return x


def eager_x_0_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = ...
    return x


def eager_x_0_a_b_c_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = ["a", "b", "c"]
    return x


def eager_x_0_a_1_2_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = ("a", 1, 2)
    return x


def eager_x_0_7_none_9_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = [7, None, 9]
    return x


def eager_x_0_none_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = [None]
    return x


def eager_x_0_y_a_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    y = Tensor(np.arange(3, dtype=np.float32))
    x[0] = [y, "a"]
    return x


def eager_x_0_2_y_1_2_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    y = Tensor(np.arange(3, dtype=np.float32))
    x[0:2] = [y, (1, 2)]
    return x


def eager_x_0_2_y_5_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    y = Tensor(np.arange(3, dtype=np.float32))
    x[0:2] = [y, 5]
    return x


def eager_x_0_2_5_y_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    y = Tensor(np.arange(3, dtype=np.float32))
    x[0:2] = [5, y]
    return x


def eager_x_0_2_5_6_6_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0:2] = [[5, 6], [6]]
    return x


def eager_x_0_2_5_6_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0:2] = [[5], [6]]
    return x


def eager_x_0_1_k_2_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    k = Tensor(2)
    x[0] = [1, k, 2]
    return x


def eager_x_0_1_5_tensor_2_0_2_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = [1.5, Tensor(2.0), 2]
    return x


def eager_x_0_x_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = []
    return x


def eager_x_0_1_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0:1] = ()
    return x


def eager_x_tensor_true_5_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[Tensor([True])] = 5
    return x


def eager_x_tensor_true_false_true_5_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[Tensor([[True, False, True]])] = 5
    return x


def eager_x_true_false_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[[True, False]] = 7
    return x


def eager_x_0_true_false_true_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0, [True, False, True]] = 7
    return x


def eager_x_0_1_0_1_2_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[[0, 1], [0, 1, 2]] = 7
    return x


def eager_x_0_5_2_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0.5:2] = 7
    return x


def eager_x_i_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    i = Tensor(np.array([1, 2, 3], np.int32))
    return x[i, 0]


def eager_x_0_i():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    i = Tensor(np.array([1, 2, 3], np.int32))
    return x[0, i]


def eager_x_tensor_0_5_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[:, Tensor([0, 5])]


def eager_x_tensor_0_5_3():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[Tensor([0, 5]), :]


def eager_x_tensor_0_5_4():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[..., Tensor([0, 5])]


def eager_x_k_k():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    k = Tensor(2)
    return x[k, k]


def eager_x_tensor_0_1_5_0_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[Tensor([[0, 1], [5, 0]]), 0]


def eager_x_2_tensor_5_0():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[::2, Tensor([5, 0])]


def eager_im_0_i_tensor_9_1_2():
    i = Tensor(np.array([1, 2, 3], np.int32))
    im = Tensor(np.ones((1, 3, 8, 8), np.float32))
    return im[0, i, :, Tensor([9, 1, 2])]


def eager_z_i_9():
    z = Tensor(np.ones((4, 5), np.float32))
    i = Tensor(np.array([1, 2, 3], np.int32))
    return z[i, 9]


def eager_z_9_i():
    z = Tensor(np.ones((4, 5), np.float32))
    i = Tensor(np.array([1, 2, 3], np.int32))
    return z[9, i]


def eager_x_np_bool_true():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[np.bool_(True)]


def eager_x_0_np_float64_1():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[0, np.float64(1)]


def eager_x_0_2_a():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[0:2:"a"]


def eager_x_i_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    i = Tensor(np.array([1, 2, 3], np.int32))
    return x[i:2]


def eager_x_np_int64_0_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[np.int64(0)] = 7
    return x


def eager_x_0_np_int32_1_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0, np.int32(1)] = 7
    return x


def eager_x_0_np_bool_true_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = np.bool_(True)
    return x


def eager_x_0_7_8_9_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = [[7, 8, 9]]
    return x


def eager_x_0_1_7_8_9_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0:1] = [[[7, 8, 9]]]
    return x


def eager_x_0_tensor_7_8_9_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0] = Tensor([[7, 8, 9]])
    return x


def eager_x_0_1_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0, 1] = [7]
    return x


def eager_x_0_7_8_9_x_2():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[0, :] = [[7, 8, 9]]
    return x


def eager_x_k_m_1_7_8_9_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    k = Tensor(2)
    x[k - 1] = [7, 8, 9]
    return x


def eager_x_k_m_1_7_8_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    k = Tensor(2)
    x[k - 1] = (7, 8)
    return x


def eager_x_k_m_1_5_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    k = Tensor(2)
    x[k - 1] = 5
    return x


def eager_x_tensor_0_1_7_8_9_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[Tensor([0, 1])] = [7, 8, 9]
    return x


def eager_x_x_2_7_8_9_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[x > 2] = (7, 8, 9)
    return x


def eager_x_x_2_7_8_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[x > 2] = [7, 8]
    return x


def eager_x_x_2_tensor_7_8_9_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[x > 2] = Tensor([7, 8, 9])
    return x


def eager_x_b_1_2_3_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    b = Tensor(np.array([True, False]))
    x[b] = [1, 2, 3]
    return x


def eager_x_b_1_2_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    b = Tensor(np.array([True, False]))
    x[b] = (1, 2)
    return x


def eager_x_5_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[[]] = 5
    return x


def eager_x_x_2_0_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[x > 2, 0] = 7
    return x


def eager_x_tensor_m3_7_x():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x[Tensor([-3])] = 7
    return x


def eager_x_range_1():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    return x[range(1)]
