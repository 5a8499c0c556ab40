"""Refused and odd Tensors, their items and operators, line by line."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import (
    Constant,
    Dirac,
    HeNormal,
    Identity,
    Initializer,
    Normal,
    One,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierUniform,
    Zero,
    initializer,
)

_F3 = Tensor(np.ones(3, np.float32))
_F23 = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
_I3 = Tensor(np.array([1, 2, 3], np.int32))
_B2 = Tensor(np.array([True, False]))
_S = Tensor(2.0)


def eager_tensor():
    return Tensor()


def eager_tensor_none():
    return Tensor(None)


def eager_tensor_1_2_3():
    return Tensor([[1, 2], [3]])


def eager_tensor_a_1():
    return Tensor({"a": 1})


def eager_tensor_nn_relu():
    return Tensor(nn.ReLU())


def eager_tensor_object():
    return Tensor(object())


def eager_tensor_again():
    return Tensor([[]])


def eager_tensor_true_2():
    return Tensor([True, 2])


def eager_np_array_none():
    return Tensor(np.array([None]))


def eager_tensor_minus_2_timestimes_70():
    return Tensor(-(2**70))


def eager_tensor_1_float32():
    return Tensor(1, "float32")


def eager_tensor_1_5():
    return Tensor(1, 5)


def eager_tensor_1_none():
    return Tensor(1, None)


def eager_tensor_a_ms_float32():
    return Tensor("a", ms.float32)


def eager_tensor_shape_2_dtype_ms_float32_init_ones():
    return Tensor(shape=(2,), dtype=ms.float32, init="ones")


def eager_tensor_shape_minus_1_dtype_ms_float32_init_one():
    return Tensor(shape=(-1,), dtype=ms.float32, init=One())


def eager_tensor_init_one():
    return Tensor(init=One())


def eager_tensor_1_ms_float32_2():
    return Tensor(1, ms.float32, (2,))


def eager_ms_tensor_a():
    return ms.tensor("a")


def eager_tensor_from_numpy_1():
    return Tensor.from_numpy(1)


def eager_ms_from_numpy_a():
    return ms.from_numpy("a")


def eager_x_ndim_1():
    _F3.ndim = 1


def eager_x_t_1():
    _F3.T = 1


def eager_x_a():
    return _F3["a"]


def eager_x_1_0():
    return _F3[1.0]


def eager_x():
    return _F3[..., ...]


def eager_x_0():
    return _F3[::0]


def eager_x_tensor_5():
    return _F3[Tensor([5])]


def eager_x_true():
    return _F3[True]


def eager_x_0_5():
    return _F3[[0, 5]]


def eager_f23_0_3():
    return _F23[0, 3]


def eager_f23_2_0():
    return _F23[2, 0]


def eager_f23_5():
    return _F23[:, 5]


def eager_f23_0_1_0_1_2():
    return _F23[[0, 1], [0, 1, 2]]


def eager_s():
    return _S[:]


def eager_x_tensor_1_0_2_0_3_0_x_a_1():
    x = Tensor([1.0, 2.0, 3.0])
    x["a"] = 1


def eager_x_tensor_1_0_2_0_3_0_x_0_2_tensor_1_0_2_0_3_0():
    x = Tensor([1.0, 2.0, 3.0])
    x[0:2] = Tensor([1.0, 2.0, 3.0])


def eager_x_tensor_1_0_2_0_3_0_x_0_2_1_2_3():
    x = Tensor([1.0, 2.0, 3.0])
    x[0:2] = [1, 2, 3]


def eager_x_tensor_1_0_2_0_3_0_x_0_0_1():
    x = Tensor([1.0, 2.0, 3.0])
    x[0, 0] = 1


def eager_s_item():
    return _S.item()


def eager_bool_tensor():
    return bool(Tensor([]))


def eager_int_x():
    return int(_F3)


def eager_complex_x():
    return complex(_F3)


def eager_list_s():
    return list(_S)


def eager_range_x():
    return range(_F3)


def eager_1_0_in_x():
    return 1.0 in _F3


def eager_x_plus_none():
    return _F3 + None


def eager_x_plus_a_1():
    return _F3 + {"a": 1}


def eager_x_plus_np_ones_2_np_float32():
    return _F3 + Tensor(np.ones(2, np.float32))


def eager_x_minus_1():
    return _F3 - [1]


def eager_none_minus_x():
    return None - _F3


def eager_x_times_none():
    return _F3 * None


def eager_x_times_a():
    return _F3 * "a"


def eager_x_none():
    return _F3 / None


def eager_a_x():
    return "a" / _F3


def eager_x_tensor_1_0_2_0():
    return _F3 / Tensor([1.0, 2.0])


def eager_a_x_again():
    return "a" // _F3


def eager_x_1_2_3():
    return _F3 // [1, 2, 3]


def eager_none_x():
    return None % _F3


def eager_x_tensor_1_0_2_0_again():
    return _F3 % Tensor([1.0, 2.0])


def eager_none_timestimes_x():
    return None**_F3


def eager_a_timestimes_x():
    return "a" ** _F3


def eager_x_1_again():
    return _F3 @ [1]


def eager_s_s():
    return _S @ _S


def eager_x_1_again_again():
    return _F3 & 1


def eager_i3_a():
    return _I3 & "a"


def eager_b2_i3():
    return _B2 & _I3


def eager_i3_1_0():
    return _I3 | 1.0


def eager_x_1_again_again_again():
    return _F3 ^ 1


def eager_i3_ltlt_a():
    return _I3 << "a"


def eager_i3_gtgt_none():
    return _I3 >> None


def eager_x_lt_tensor_1_0_2_0():
    return _F3 < Tensor([1.0, 2.0])


def eager_x_lt_a():
    return _F3 <= "a"


def eager_x_gt_none():
    return _F3 > None


def eager_x_gt_a():
    return _F3 >= "a"


def eager_x_none_again():
    return _F3 != None


def eager_plus_b2():
    return +_B2


def eager_divmod_x_2():
    return divmod(_F3, 2)


def eager_x_tensor_1_0_2_0_x_plus_a():
    x = Tensor([1.0, 2.0])
    x += "a"


def eager_x_tensor_1_0_2_0_x_plus_1_2_x():
    x = Tensor([1.0, 2.0])
    x += [1, 2]
    return x


def eager_x_tensor_1_0_2_0_x_timestimes_none():
    x = Tensor([1.0, 2.0])
    x **= None


def eager_x_tolist():
    return _F3.tolist()


def eager_x_requires_grad():
    return _F3.requires_grad


def eager_initializer_ones_minus_1():
    return initializer("ones", -1)


def eager_initializer_ones_2_0():
    return initializer("ones", (2, 0))


def eager_initializer_x_2():
    return initializer(_F3, [2])


def eager_initializer_x_3_shape():
    return initializer(_F3, [3]).shape


def eager_initializer_constant_a_2():
    return initializer(Constant("a"), [2])


def eager_sum_by_its_older_form():
    x = Tensor(np.ones((2, 2), np.float32))
    return x.sum(0, None, True), x.sum(0, None, False, 1.0), x.sum(0, True), x.sum((0, 1), True)


def eager_max_along_an_axis():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).max(0)


def eager_max_along_an_axis_kept():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).max(1, True)


def eager_max_along_no_axis():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).max(5)


def eager_max_along_an_axis_by_name():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).max(axis=0)


def eager_max_along_an_axis_kept_by_name():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).max(0, keepdims=True)


def eager_min_along_an_axis():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).min(-1)


def eager_min_along_an_axis_unkept():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).min(0, False)


def eager_min_of_two_ints():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).min(0, 1)


def eager_max_of_a_bool():
    return Tensor(np.array([[1, 5, 2], [7, 0, 3]], np.float32)).max(True)
