"""Python's operators between Tensors and what else a program holds, compiled and line by line."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, nn


class _Cell(nn.Cell):
    def construct(self, x):
        return x


_cell = _Cell()
_p = Parameter(Tensor(np.ones(3, np.float32)), name="p")


def _g(x):
    return x


def none_minus_tensor(x):
    return None - x


def list_floordiv_tensor(y, l):
    return l // y


def tensor_mod_none(y):
    return y % None


def str_pow_tensor(y):
    return "a" ** y


def tensor_matmul_int(x):
    return x @ 2


def tensor_lshift_int(i):
    return i << 1


def tensor_rshift_float(i, r):
    return i >> r


def int_lshift_tensor(i, n):
    return n << i


def tensor_or_str(i, s):
    return i | s


def tensor_xor_float(i, r):
    return i ^ r


def ilshift_int(i):
    i <<= 2
    return i


def invert_tuple(t):
    return ~t


def and_tensor(x, y):
    return x and y


def is_tensor(x, y):
    return x is y


def function_plus_tensor(x):
    return _g + x


def tensor_plus_cell(x):
    return x + _cell


def tensor_plus_ndarray(y, a):
    return y + np.array([1, 2, 3])


def ndarray_times_tensor(y):
    return np.array([1.0, 2, 3]) * y


def dtype_plus_tensor(x):
    return ms.float32 + x


def tensor_eq_cell(x):
    return x == _cell


def tensor_plus_slice(x):
    return x + slice(1, 2)


def tensor_plus_ellipsis(x):
    return x + ...


def dict_minus_int(d):
    return d - 1


def str_lt_tensor(x, s):
    return s < x


def complex_lt_complex(c):
    return c < c


def complex_mod(c):
    return c % c


def eager_none_minus_tensor():
    return None - Tensor([1.0, 2])


def eager_tensor_times_str():
    return Tensor([1.0, 2]) * "a"


def eager_str_plus_tensor():
    return "a" + Tensor([1.0, 2])


def eager_tensor_div_tuple():
    return Tensor([1.0, 2]) / (1, 2)


def eager_tuple_div_tensor():
    return (1, 2) / Tensor([1.0, 2])


def eager_list_plus_tensor():
    return [1, 2] + Tensor([1.0, 2])


def eager_tensor_floordiv_none():
    return Tensor([1.0, 2]) // None


def eager_tensor_mod_str():
    return Tensor([1.0, 2]) % "a"


def eager_str_mod_tensor():
    return "a%s" % Tensor([1.0, 2])


def eager_none_pow_tensor():
    return None ** Tensor([1.0, 2])


def eager_int_matmul_tensor():
    return 2 @ Tensor([1.0, 2])


def eager_tensor_lshift():
    return Tensor([1, 2]) << 1


def eager_float_tensor_rshift():
    return Tensor([1.0, 2]) >> 1


def eager_tensor_or_str():
    return Tensor([1, 2]) | "a"


def eager_none_or_tensor():
    return None | Tensor([1, 2])


def eager_float_tensor_xor_int():
    return Tensor([1.0, 2]) ^ 1


def eager_invert_float():
    return ~Tensor([1.0, 2])


def eager_neg_bool():
    return -Tensor([True, False])


def eager_not_many():
    return not Tensor([1.0, 2])


def eager_tensor_lt_none():
    return Tensor([1.0, 2]) < None


def eager_tensor_ge_str():
    return Tensor([1.0, 2]) >= "a"


def eager_tensor_eq_list():
    return Tensor([1.0, 2]) == [1.0, 2]


def eager_tensor_lt_list():
    return Tensor([1.0, 2]) < [1.0, 2]


def eager_tensor_eq_unlike():
    return Tensor([1.0, 2]) == Tensor([1.0, 2, 3])


def eager_tensor_plus_dict():
    return Tensor([1.0, 2]) + {}


def eager_tensor_times_function():
    return Tensor([1.0, 2]) * _g


def eager_cell_plus_tensor():
    return _cell + Tensor([1.0, 2])


def eager_tensor_plus_dtype():
    return Tensor([1.0, 2]) + ms.float32


def eager_tensor_plus_ndarray():
    return Tensor([1.0, 2]) + np.array([1.0, 2])


def eager_ndarray_plus_tensor():
    return np.array([1.0, 2]) + Tensor([1.0, 2])


def eager_tensor_plus_strings():
    return Tensor([1.0, 2]) + np.array(["a", "b"])


def eager_param_iadd_str():
    q = Parameter(Tensor([1.0, 2]), name="q")
    q += "a"
    return q


def eager_tensor_iadd_none():
    x = Tensor([1.0, 2])
    x += None
    return x


def eager_none_in_tensor():
    return None in Tensor([1, 2])


def eager_in_list_of_tensors():
    return Tensor(1) in [Tensor(1), Tensor(2)]


def tensor_plus_object(x):
    return x + _Cell


def unsigned_times_tensor(y):
    return Tensor(np.array([1, 2, 3], np.uint16)) * y


def matmul_of_unlike_dtypes(y, i):
    return y @ i


def unsigned_times_tensor_in_place(y):
    y *= Tensor(np.array([1, 2, 3], np.uint16))
    return y


def range_plus_tensor(y):
    return range(3) + y


def text_of_a_tensor(k):
    return "abc" % k


def augmented_by_a_dict(y, d):
    y += d
    return y


def tensor_in_a_cell(y):
    return y in _cell


def string_array_equals(y):
    return np.array(["a", "b", "c"]) == y


def eager_numpy_scalar_on_the_right():
    return Tensor([1, 2]) + np.float64(2)


def eager_numpy_in_place():
    a = np.ones(2, np.float32)
    a += Tensor([1.0, 2.0])
    return a


def eager_len_of_a_scalar():
    return len(Tensor(1))


def eager_index_of_a_float():
    return [1, 2][Tensor(1.0)]


def eager_format_of_many():
    return f"{Tensor([1.5, 2.0]):.2f}"


class _Own:
    def __radd__(self, other):
        return "added"


def eager_added_by_its_own_class():
    return Tensor([1.0]) + _Own()


def mint_add_of_a_string(x):
    return mint.add(x, "a")


def mint_add_of_one(x):
    return mint.add(x)


def mint_add_with_an_alpha(x):
    return mint.add(x, x, alpha=2)


def mint_max_of_a_string(x):
    return mint.max(x, "a")


def mint_max_of_an_axis(x):
    return mint.max(x, 0)


def eager_mint_add_of_none():
    return mint.add(Tensor([1.0]), None)


def eager_mint_add_of_one():
    return mint.add(Tensor([1.0]))


def eager_mint_max_of_a_string():
    return mint.max(Tensor([1.0]), "a")


def eager_sum_method_of_a_string():
    return Tensor([1.0]).sum("a")


def eager_max_method_of_a_string():
    return Tensor([1.0]).max("a")


def eager_view_of_another_size():
    return Tensor([1.0]).view(1, 1)


def tuple_sub_numpy_scalar(t):
    return t - np.float32(1)


def numpy_scalar_sub_list(l):
    return np.float32(1) - l


def dict_sub_numpy_scalar(d):
    return d - np.float32(1)


def numpy_scalar_sub_dict(d):
    return np.float32(1) - d


def dict_sub_array(d, a):
    return d - a


def array_floordiv_dict(a, d):
    return a // d


def ellipsis_sub_dtype():
    return ... - ms.float32


def dtype_floordiv_class():
    return ms.float32 // int


def numpy_scalar_sub_dtype():
    return np.float32(1) - ms.float32


def string_floordiv_numpy_scalar(s):
    return s // np.float32(1)


def int_sub_numpy_scalar(n):
    return n - np.float32(1)


def array_sub_int(a, n):
    return a - n


def tensor_sub_numpy_scalar(x):
    return x - np.float32(1)


def numpy_float_times_a_tensor(x):
    return np.float64(2) * x, x - np.float64(0.5)


def numpy_int_beside_an_int_tensor(i):
    return i + np.int64(2), np.int8(3) * i


def numpy_float_beside_an_int_tensor(i):
    return i * np.float64(0.5), i / np.int64(2)


def numpy_float_beside_a_half_tensor(h):
    return h + np.float32(1), np.float64(1) / (h + 1)


def numpy_int_beside_a_bool_tensor(b):
    return b + np.int8(1)


def numpy_scalar_compared_with_a_tensor(x, i):
    return x > np.float64(1), np.int64(2) == i, i != np.int64(1)


def numpy_result_times_a_tensor(x):
    return np.sum(np.array([1.5, 2.5])) * x


def numpy_item_added_in_place(x):
    y = x * 1
    y += np.array([1.5, 2.5])[1]
    return y


def not_of_a_tensor(k):
    return not k, not k > 5


def not_of_an_element(x):
    return not x[0, 0], not x[0, 1]


def not_of_a_known_tensor():
    return not Tensor(0), not Tensor([1])


def not_of_a_condition(k):
    if not k:
        return 1
    return not (k and 0)


def tensor_of_numpys_floats():
    return Tensor(np.float64(2.5)), Tensor(np.float16(1.5)), Tensor(np.array([1.0, 2.0]).sum())


def tensor_of_numpys_ints():
    return Tensor(np.int32(2)), Tensor(np.int64(2)), Tensor(np.bool_(True))


def add_of_a_number_with_alpha(i, x):
    return i.add(True, alpha=2), i.add(1, alpha=2), x.add(1, alpha=2)


def add_of_a_float_with_alpha(i):
    return i.add(1.5, alpha=2)


def sub_of_a_number_with_alpha(i):
    return i.sub(1, alpha=2), i.sub(i, alpha=2)


def dict_and_a_dict(d):
    return d + {"c": 3}, {"a": 5} + d


def dicts_of_tensors(x):
    return {"a": x} + {"b": 1}
