"""Refused and odd memberships, comparisons of sequences, ranges, and operators between operands of every two kinds."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, mutable, nn, ops


def tensor_not_in_itself(x):
    return x not in [x, x]


def tensor_not_in_others(x, y):
    return x not in [y, y]


def tensor_not_in_equal(x):
    return x not in [x + 0]


def tensor_not_in_ints(x):
    return x not in [1, 2]


def tensor_not_in_empty(x):
    return x not in []


def tensor_not_in_tuple(x, y):
    return x not in (x, y)


def tensor_not_in_a_dict(x, d):
    return x not in d


def scalar_in_ints(k):
    return k in (1, 2, 3)


def scalar_not_in_ints(k):
    return k not in (1, 2, 3)


def scalar_in_range(k):
    return k in range(3)


def scalar_in_tensors(k):
    return k in (k, k)


def scalar_not_in_tensors(k):
    return k not in (k, k)


def scalar_in_mutable(k):
    return k in mutable((1, 2))


def int_not_in_tensors(x):
    return 1 not in [x, x]


def string_not_in_tensors(x):
    return "a" not in [x, x]


def none_in_tensors(x):
    return None in [x, x]


def none_not_in_tensors(x):
    return None not in (x, 1)


def int_in_mixed(x):
    return 1 in (x, 1)


def int_in_mixed_last(x):
    return 5 in (x, 1)


def tuple_in_tensors(x):
    return (1, 2) in (x, x)


def tuple_in_tuple():
    return (1, 2) in ((1, 2), 3)


def list_in_tuple():
    return [1, 2] in ((1, 2), 3)


def tuple_in_tensor(x):
    return (1, 2) in x


def tuple_not_in_tensor(x):
    return (1, 2) not in x


def list_in_tensor(i):
    return [1] in i


def string_in_tensor(i):
    return "a" in i


def none_in_tensor(i):
    return None in i


def float_in_tensor(y):
    return 1.0 in y


def int_in_float_tensor(y):
    return 1 in y


def int_not_in_tensor(i):
    return 9 not in i


def int_in_two_axes(x):
    return 3 in x


def bool_in_tensor(b):
    return True in b


def tensor_in_tensor(x, y):
    return y in x


def scalar_in_tensor(i, k):
    return k in i


def dict_in_tensor(i, d):
    return d in i


def float_in_mutable():
    return 0.5 in mutable((1, 2))


def int_in_mutable():
    return 1 in mutable((1, 2))


def int_not_in_mutable():
    return 1 not in mutable([1, 2])


def bool_in_mutable():
    return True in mutable([1, 2])


def string_in_mutable():
    return "a" in mutable((1, 2))


def none_in_mutable():
    return None in mutable((1, 2))


def int_in_mutable_floats():
    return 1 in mutable((0.5, 1.5))


def int_in_mutable_dict():
    return "a" in mutable({"a": 1})


def tensor_in_mutable_tensors(x):
    return x in mutable((x, x))


def int_in_range():
    return 2 in range(3)


def float_in_range():
    return 2.0 in range(3)


def string_in_range():
    return "a" in range(3)


def int_in_dict_keys(d):
    return 1 in d.keys()


def string_in_dict_values(d):
    return "a" in d.values()


def string_not_in_string(s):
    return "z" not in s


def int_not_in_string(s):
    return 1 not in s


def none_not_in_none():
    return None not in None


def tensor_not_in_int(x):
    return x not in 1


def if_tensor_in_list(x):
    if x in [x]:
        return 1
    return 2


def if_tensor_not_in_list(x, y):
    if x not in [y]:
        return 1
    return 2


def tensors_equal(x):
    return (x, x) == (x, x)


def tensors_unequal(x, y):
    return (x, y) != (x, x)


def lists_of_tensors_equal(x):
    return [x, 1] == [x, 1]


def lists_of_tensors_unlike(x, y):
    return [x, y] == [y, x]


def tuple_of_tensors_equals_ints(x):
    return (x, 1) == (1, 1)


def list_of_ints_differs_from_tensors(x):
    return [1, 2] != [x, x]


def tuple_of_scalars_equal(k):
    return (k, k) == (2, 2)


def tuple_of_equal_scalars(k):
    return (k, k) == (k, k)


def tuple_of_tensors_longer(x):
    return (x, x) == (x,)


def tuple_of_none_equals(x):
    return (None, x) == (None, x)


def range_equals_tuple():
    return range(3) == (0, 1, 2)


def range_equals_range():
    return range(3) == range(0, 3, 1)


def range_equals_list():
    return range(3) == [0, 1, 2]


def range_plus_tuple():
    return range(3) + (3,)


def range_plus_range():
    return range(2) + range(2)


def range_times_int():
    return range(2) * 2


def range_less_than_range():
    return range(2) < range(3)


def range_slice():
    return range(5)[1:3]


def range_length():
    return len(range(5))


def range_returned():
    return range(3)


def range_in_a_tuple():
    return (range(3), 1)


def range_backwards(n):
    return range(n, 0, -1)


def range_the_wrong_way(n):
    return range(n, 0)


def range_empty():
    return range(0)


def range_of_minus():
    return range(-3)


def range_step_the_wrong_way():
    return range(0, 5, -2)


def list_of_range():
    return list(range(3))


def tuple_of_range():
    return tuple(range(3, 0, -1))


def sum_of_range():
    return sum(range(4))


def range_of_a_scalar_tensor(k):
    return range(k)


def loop_over_range_of_a_tensor(k):
    s = 0
    for i in range(k):
        s = s + i
    return s


def max_of_range():
    return max(range(4))


def range_index():
    return range(4)[2]


def range_index_past_the_end():
    return range(4)[7]


def reversed_of_range():
    return reversed(range(3))


def enumerate_of_range():
    return enumerate(range(2))


def zip_of_range():
    return zip(range(2), range(2))


def range_unpacked():
    a, b = range(2)
    return b


def range_attribute():
    return range(3).start


def isinstance_of_range():
    return isinstance(range(3), tuple)


def int_lt_str():
    return 3 < "ab"


def float_lt_float():
    return 0.5 < 0.5


def true_lt_mtuple():
    return True < mutable((1, 2))


def true_lt_mlist():
    return True < mutable([1, 2])


def none_lt_float():
    return None < 0.5


def none_lt_dict():
    return None < {"a": 1}


def none_lt_tensor(x):
    return None < x


def none_lt_mlist():
    return None < mutable([1, 2])


def dict_lt_mtuple():
    return {"a": 1} < mutable((1, 2))


def mlist_lt_tuple():
    return mutable([1, 2]) < (1, 2)


def mint_lt_int():
    return mutable(3) < 3


def mint_lt_tuple():
    return mutable(3) < (1, 2)


def complex_lt_none():
    return 1j < None


def complex_lt_range():
    return 1j < range(3)


def dtype_lt_none():
    return ms.float32 < None


def tuple_ge_list():
    return (1, 2) >= [1, 2]


def tensor_ge_str(x):
    return x >= "ab"


def range_ge_float():
    return range(3) >= 0.5


def range_ge_list():
    return range(3) >= [1, 2]


def range_ge_mint():
    return range(3) >= mutable(3)


def mtuple_ge_range():
    return mutable((1, 2)) >= range(3)


def mtuple_ge_scalar(k):
    return mutable((1, 2)) >= k


def mlist_ge_float():
    return mutable([1, 2]) >= 0.5


def scalar_ge_mint(k):
    return k >= mutable(3)


def func_ge_float():
    return len >= 0.5


def int_eq_func():
    return 3 == len


def float_eq_mint():
    return 0.5 == mutable(3)


def str_eq_str():
    return "ab" == "ab"


def list_eq_float():
    return [1, 2] == 0.5


def dict_eq_mtuple():
    return {"a": 1} == mutable((1, 2))


def mlist_eq_mint():
    return mutable([1, 2]) == mutable(3)


def mlist_eq_func():
    return mutable([1, 2]) == len


def mint_eq_dtype():
    return mutable(3) == ms.float32


def dtype_eq_true():
    return ms.float32 == True


def dtype_eq_complex():
    return ms.float32 == 1j


def float_in_true():
    return 0.5 in True


def float_in_mint():
    return 0.5 in mutable(3)


def true_in_mlist():
    return True in mutable([1, 2])


def none_in_true():
    return None in True


def str_in_list():
    return "ab" in [1, 2]


def tuple_in_func():
    return (1, 2) in len


def dict_in_scalar(k):
    return {"a": 1} in k


def tensor_in_mlist(x):
    return x in mutable([1, 2])


def tensor_in_mint(x):
    return x in mutable(3)


def range_in_tuple():
    return range(3) in (1, 2)


def mtuple_in_true():
    return mutable((1, 2)) in True


def mint_in_range():
    return mutable(3) in range(3)


def complex_in_none():
    return 1j in None


def func_in_mtuple():
    return len in mutable((1, 2))


def dtype_in_int():
    return ms.float32 in 3


def int_nin_range():
    return 3 not in range(3)


def none_nin_none():
    return None not in None


def tuple_nin_none():
    return (1, 2) not in None


def dict_nin_scalar(k):
    return {"a": 1} not in k


def range_nin_list():
    return range(3) not in [1, 2]


def mtuple_nin_str():
    return mutable((1, 2)) not in "ab"


def mtuple_nin_tensor(x):
    return mutable((1, 2)) not in x


def scalar_nin_range(k):
    return k not in range(3)


def complex_nin_mlist():
    return 1j not in mutable([1, 2])


def func_nin_complex():
    return len not in 1j


def strings_lt_dtype():
    return ("a", "b") < ms.float32


def mixed_lt_str():
    return (1, "a") < "ab"


def tensors_lt_mlist(x):
    return (x, x) < mutable([1, 2])


def tensors_lt_mint(x):
    return (x, x) < mutable(3)


def dyn_lt_func():
    return mutable((1, 2), True) < len


def range_lt_mixed():
    return range(3) < (1, "a")


def none_lt_ltensors(x):
    return None < [x, x]


def mixed_ge_mlist():
    return (1, "a") >= mutable([1, 2])


def nested_ge_elist():
    return ((1, 2), 3) >= []


def dyn_ge_str():
    return mutable((1, 2), True) >= "ab"


def dyn_ge_neg():
    return mutable((1, 2), True) >= -1


def floats_ge_range():
    return (0.5, 1.5) >= range(3)


def float_ge_neg():
    return 0.5 >= -1


def scalar_ge_neg(k):
    return k >= -1


def dtype_ge_neg():
    return ms.float32 >= -1


def int_ge_elist():
    return 3 >= []


def list_ge_floats():
    return [1, 2] >= (0.5, 1.5)


def etuple_eq_float():
    return () == 0.5


def elist_eq_mtuple():
    return [] == mutable((1, 2))


def strings_eq_list():
    return ("a", "b") == [1, 2]


def tensors_eq_tensor(x):
    return (x, x) == x


def tensors_eq_func(x):
    return (x, x) == len


def dyn_eq_true():
    return mutable((1, 2), True) == True


def floats_eq_strings():
    return (0.5, 1.5) == ("a", "b")


def mtuple_eq_ltensors(x):
    return mutable((1, 2)) == [x, x]


def float_eq_floats():
    return 0.5 == (0.5, 1.5)


def neg_ne_range():
    return -1 != range(3)


def neg_ne_mlist():
    return -1 != mutable([1, 2])


def mixed_ne_tensor(x):
    return (1, "a") != x


def mixed_ne_mixed():
    return (1, "a") != (1, "a")


def tensors_ne_etuple(x):
    return (x, x) != ()


def tensors_ne_ltensors(x):
    return (x, x) != [x, x]


def ltensors_ne_int(x):
    return [x, x] != 3


def ltensors_ne_range(x):
    return [x, x] != range(3)


def nested_ne_complex():
    return ((1, 2), 3) != 1j


def dyn_ne_strings():
    return mutable((1, 2), True) != ("a", "b")


def str_ne_etuple():
    return "ab" != ()


def scalar_ne_elist(k):
    return k != []


def list_ne_ltensors(x):
    return [1, 2] != [x, x]


def range_ne_dyn():
    return range(3) != mutable((1, 2), True)


def neg_in_str():
    return -1 in "ab"


def elist_in_tensor(x):
    return [] in x


def elist_in_mlist():
    return [] in mutable([1, 2])


def strings_in_mixed():
    return ("a", "b") in (1, "a")


def mixed_in_true():
    return (1, "a") in True


def mixed_in_strings():
    return (1, "a") in ("a", "b")


def mixed_in_mixed():
    return (1, "a") in (1, "a")


def tensors_in_range(x):
    return (x, x) in range(3)


def dyn_in_neg():
    return mutable((1, 2), True) in -1


def floats_in_str():
    return (0.5, 1.5) in "ab"


def mtuple_in_neg():
    return mutable((1, 2)) in -1


def str_in_etuple():
    return "ab" in ()


def range_in_etuple():
    return range(3) in ()


def str_in_strings():
    return "ab" in ("a", "b")


def tensor_in_strings(x):
    return x in ("a", "b")


def list_in_mixed():
    return [1, 2] in (1, "a")


def scalar_in_mixed(k):
    return k in (1, "a")


def true_in_nested():
    return True in ((1, 2), 3)


def str_in_nested():
    return "ab" in ((1, 2), 3)


def list_in_dyn():
    return [1, 2] in mutable((1, 2), True)


def none_add_true():
    return None + True


def none_add_mlist():
    return None + mutable([1, 2])


def list_add_func():
    return [1, 2] + len


def dict_add_tensor(x):
    return {"a": 1} + x


def tensor_add_mtuple(x):
    return x + mutable((1, 2))


def mtuple_add_tuple():
    return mutable((1, 2)) + (1, 2)


def func_add_dict():
    return len + {"a": 1}


def func_add_scalar(k):
    return len + k


def list_sub_tensor(x):
    return [1, 2] - x


def complex_sub_dict():
    return 1j - {"a": 1}


def func_sub_tuple():
    return len - (1, 2)


def func_sub_mint():
    return len - mutable(3)


def true_mul_str():
    return True * "ab"


def true_mul_range():
    return True * range(3)


def str_mul_list():
    return "ab" * [1, 2]


def tuple_mul_tuple():
    return (1, 2) * (1, 2)


def mint_mul_none():
    return mutable(3) * None


def float_div_str():
    return 0.5 / "ab"


def str_div_complex():
    return "ab" / 1j


def str_div_dtype():
    return "ab" / ms.float32


def tuple_div_dict():
    return (1, 2) / {"a": 1}


def list_div_tuple():
    return [1, 2] / (1, 2)


def mlist_div_true():
    return mutable([1, 2]) / True


def mlist_div_tensor(x):
    return mutable([1, 2]) / x


def scalar_div_func(k):
    return k / len


def dtype_div_list():
    return ms.float32 / [1, 2]


def str_fdiv_range():
    return "ab" // range(3)


def scalar_fdiv_true(k):
    return k // True


def dtype_fdiv_range():
    return ms.float32 // range(3)


def none_mod_float():
    return None % 0.5


def str_mod_true():
    return "ab" % True


def dict_mod_dtype():
    return {"a": 1} % ms.float32


def tensor_mod_list(x):
    return x % [1, 2]


def tensor_mod_dtype(x):
    return x % ms.float32


def mtuple_mod_true():
    return mutable((1, 2)) % True


def mtuple_mod_mlist():
    return mutable((1, 2)) % mutable([1, 2])


def scalar_mod_none(k):
    return k % None


def dtype_mod_tensor(x):
    return ms.float32 % x


def int_pow_complex():
    return 3**1j


def none_pow_float():
    return None**0.5


def tuple_pow_true():
    return (1, 2) ** True


def mlist_pow_int():
    return mutable([1, 2]) ** 3


def mlist_pow_tuple():
    return mutable([1, 2]) ** (1, 2)


def mlist_pow_func():
    return mutable([1, 2]) ** len


def mint_pow_none():
    return mutable(3) ** None


def mint_pow_scalar(k):
    return mutable(3) ** k


def int_and_str():
    return 3 & "ab"


def none_and_none():
    return None & None


def dict_and_int():
    return {"a": 1} & 3


def range_and_mlist():
    return range(3) & mutable([1, 2])


def mlist_and_tuple():
    return mutable([1, 2]) & (1, 2)


def mint_and_true():
    return mutable(3) & True


def scalar_and_dict(k):
    return k & {"a": 1}


def scalar_and_mint(k):
    return k & mutable(3)


def true_xor_tuple():
    return True ^ (1, 2)


def none_xor_int():
    return None ^ 3


def none_xor_dtype():
    return None ^ ms.float32


def str_xor_scalar(k):
    return "ab" ^ k


def str_xor_dtype():
    return "ab" ^ ms.float32


def list_xor_dict():
    return [1, 2] ^ {"a": 1}


def list_xor_scalar(k):
    return [1, 2] ^ k


def dict_xor_tuple():
    return {"a": 1} ^ (1, 2)


def range_xor_tensor(x):
    return range(3) ^ x


def range_xor_func():
    return range(3) ^ len


def range_xor_dtype():
    return range(3) ^ ms.float32


def complex_xor_mint():
    return 1j ^ mutable(3)


def complex_xor_dtype():
    return 1j ^ ms.float32


def dtype_xor_dtype():
    return ms.float32 ^ ms.float32


def int_shl_dtype():
    return 3 << ms.float32


def tensor_shl_mint(x):
    return x << mutable(3)


def tensor_shl_scalar(x, k):
    return x << k


def tensor_shl_func(x):
    return x << len


def mlist_shl_tuple():
    return mutable([1, 2]) << (1, 2)


def complex_shl_mtuple():
    return 1j << mutable((1, 2))


def true_mat_float():
    return True @ 0.5


def true_mat_scalar(k):
    return True @ k


def none_mat_none():
    return None @ None


def tuple_mat_dict():
    return (1, 2) @ {"a": 1}


def tensor_mat_mtuple(x):
    return x @ mutable((1, 2))


def mint_mat_mlist():
    return mutable(3) @ mutable([1, 2])


def number_not_in_a_tuple_with_a_tensor(k):
    return 2 not in (k, 5)


def other_number_not_in_a_tuple_with_a_tensor(k):
    return 7 not in (4, k)


def number_not_in_a_list_with_a_tensor(k):
    return 5 not in [k, 5]


def float_not_in_a_list_with_a_tensor(k):
    return 2.0 not in [1, k]


def string_not_in_a_tuple_with_a_tensor(k):
    return "b" not in (k, "a"), "a" not in (k, "a")


def none_not_in_a_tuple_with_a_tensor(k):
    return None not in (k, 1)


def number_in_a_list_with_a_tensor(k):
    return 2 in [5, k], 3 in (k, 5)


def number_in_a_list_of_known_tensors():
    return 1 in [Tensor([1]), Tensor([2])], 5 in (Tensor(1), Tensor(2))


def number_not_in_a_list_of_known_tensors():
    return 5 not in [Tensor(1), Tensor(2)], 2 not in (Tensor(1), Tensor(2))


def number_in_a_list_of_tensors_of_the_run(k):
    return 1 in (k, 1), 2 in (1, k)
