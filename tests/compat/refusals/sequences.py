"""Refused and odd uses of sequences, ranges and Python's operators in compiled code."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, mutable, nn, ops


# --- range ----------------------------------------------------------------------------------------
def range_to_a_float():
    return range(0.5)


def range_from_a_float():
    return range(0.5, 3)


def range_with_a_float_step():
    return range(0, 3, 0.5)


def range_of_a_string():
    return range("3")


def range_of_none():
    return range(None)


def range_of_a_tensor(x):
    return range(x)


def range_of_a_tuple():
    return range((1, 2))


def range_of_a_list():
    return range(0, [4])


def range_of_a_dict(d):
    return range(d)


def range_of_a_bool():
    return range(True)


def range_with_step_zero():
    return range(0, 5, 0)


def range_of_nothing():
    return range()


def range_of_four():
    return range(1, 2, 3, 4)


def range_backwards():
    return range(5, 0)


def range_backwards_by_minus_two():
    return range(5, 0, -2)


def range_forwards_by_minus_one():
    return range(0, 5, -1)


def loop_over_a_float():
    total = 0
    for k in range(2.0):
        total += k
    return total


def loop_over_a_mutable_range():
    total = 0
    for k in range(mutable(3)):
        total += k
    return total


def range_by_keyword():
    return range(stop=3)


# --- comparisons ----------------------------------------------------------------------------------
def list_less_than_int():
    return [1, 2] < 1


def list_less_than_string():
    return [1, 2] < "a"


def list_less_than_tuple():
    return [1, 2] < (1, 2)


def tuple_less_than_list():
    return (1, 2) < [3, 4]


def tuple_less_than_int():
    return (1, 2) < 3


def tuple_greater_than_float():
    return (1, 2) > 3.5


def tuple_at_most_string():
    return (1, 2) <= "a"


def tuple_at_least_none():
    return (1, 2) >= None


def list_greater_than_none():
    return [1] > None


def dict_less_than_dict(d):
    return d < d


def dict_less_than_int(d):
    return d < 1


def int_less_than_tuple():
    return 1 < (1, 2)


def int_less_than_list():
    return 1 < [1, 2]


def int_less_than_string():
    return 1 < "a"


def string_less_than_int(s):
    return s < 1


def string_less_than_string(s):
    return s < "abd"


def string_greater_than_none(s):
    return s > None


def none_less_than_none():
    return None < None


def none_less_than_int():
    return None < 1


def int_at_least_none(n):
    return n >= None


def tensor_less_than_none(x):
    return x < None


def tensor_less_than_string(x):
    return x < "a"


def tensor_greater_than_string(x):
    return x > "a"


def tensor_less_than_list(x):
    return x < [1, 2, 3]


def tensor_less_than_tuple(x):
    return x < (1, 2, 3)


def tuple_less_than_tensor(x):
    return (1, 2, 3) < x


def list_at_most_tensor(x):
    return [1, 2, 3] <= x


def tensor_less_than_dict(x, d):
    return x < d


def tensor_equals_none(x):
    return x == None  # noqa: E711


def tensor_equals_string(x):
    return x == "a"


def tensor_differs_from_string(x):
    return x != "a"


def tensor_equals_list(x):
    return x == [0, 1, 2]


def tensor_equals_tuple(x):
    return x == (0, 1, 2)


def list_equals_tuple():
    return [1, 2] == (1, 2)


def list_differs_from_tuple():
    return [1, 2] != (1, 2)


def list_equals_int():
    return [1] == 1


def tuple_equals_int():
    return (1,) == 1


def tuple_equals_string():
    return (1,) == "a"


def tuple_equals_none():
    return (1,) == None  # noqa: E711


def string_equals_int(s):
    return s == 1


def none_equals_int():
    return None == 1  # noqa: E711


def tuple_less_than_tuple():
    return (1, 2) < (1, 3)


def list_less_than_list():
    return [1, 2] < [1, 3]


def list_at_least_list():
    return [1, 2] >= [1, 3]


def tuple_of_strings_less_than_ints():
    return (1, "a") < (1, 2)


def list_of_none_less_than_ints():
    return [None] < [1]


def tuples_of_tensors_compared(x):
    return (x, x) < (x, x)


def tuple_of_tensors_equals(x, y):
    return (x,) == (y,)


def mutable_tuple_less_than_list():
    return mutable((1, 2)) < [1, 2]


def mutable_list_less_than_tuple():
    return mutable([1, 2]) < (1, 2)


def mutable_tuple_less_than_int():
    return mutable((1, 2)) < 1


def mutable_tuple_equals_list():
    return mutable((1, 2)) == [1, 2]


def complex_less_than_int():
    return 1j < 2


def chained_comparison_of_unlike():
    return 1 < 2 < "a"


# --- arithmetic -----------------------------------------------------------------------------------
def list_plus_int():
    return [1, 2] + 1


def list_plus_tuple():
    return [1, 2] + (3,)


def tuple_plus_list():
    return (1, 2) + [3]


def tuple_plus_int():
    return (1, 2) + 1


def tuple_plus_none():
    return (1, 2) + None


def tuple_plus_string():
    return (1, 2) + "a"


def int_plus_tuple():
    return 1 + (1, 2)


def int_plus_list():
    return 1 + [1, 2]


def string_plus_int(s):
    return s + 1


def int_plus_string(s):
    return 1 + s


def string_plus_none(s):
    return s + None


def string_plus_list(s):
    return s + [1]


def none_plus_int():
    return None + 1


def int_plus_none(n):
    return n + None


def none_plus_none():
    return None + None


def dict_plus_dict(d):
    return d + d


def dict_plus_int(d):
    return d + 1


def int_plus_dict(d):
    return 1 + d


def list_minus_list():
    return [1, 2] - [1]


def tuple_minus_tuple():
    return (1, 2) - (1,)


def tuple_minus_int():
    return (1, 2) - 1


def string_minus_string(s):
    return s - "a"


def string_minus_int(s):
    return s - 1


def list_times_list():
    return [1, 2] * [1]


def tuple_times_float():
    return (1, 2) * 1.5


def list_times_string():
    return [1, 2] * "a"


def string_times_string(s):
    return s * "a"


def string_times_float(s):
    return s * 1.5


def string_times_int(s):
    return s * 2


def int_times_string(s):
    return 2 * s


def list_times_int():
    return [1, 2] * 2


def int_times_tuple():
    return 2 * (1, 2)


def tuple_times_minus_one():
    return (1, 2) * -1


def none_times_int():
    return None * 2


def tuple_divided_by_int():
    return (1, 2) / 2


def string_divided_by_int(s):
    return s / 2


def list_floor_divided():
    return [1, 2] // 2


def string_modulo_int(s):
    return s % 2


def tuple_modulo():
    return (1, 2) % 2


def tuple_to_a_power():
    return (1, 2) ** 2


def none_to_a_power():
    return None**2


def string_to_a_power(s):
    return s**2


def int_to_a_string():
    return 2 ** "a"


def string_and_int(s):
    return s & 1


def float_and_int():
    return 1.5 & 1


def list_or_list():
    return [1] | [2]


def float_xor_int():
    return 1.5 ^ 1


def float_shifted():
    return 1.5 << 1


def string_shifted(s):
    return s >> 1


def tuple_matmul_int():
    return (1, 2) @ 2


def int_matmul_int():
    return 2 @ 3


def minus_string(s):
    return -s


def minus_tuple():
    return -(1, 2)


def minus_list():
    return -[1, 2]


def minus_none():
    return -None


def plus_string(s):
    return +s


def invert_float():
    return ~1.5


def invert_string(s):
    return ~s


def invert_tuple():
    return ~(1, 2)


def division_by_zero(n):
    return n / 0


def floor_division_by_zero(n):
    return n // 0


def modulo_by_zero(n):
    return n % 0


def float_division_by_zero(r):
    return r / 0.0


def shift_by_minus_one(n):
    return n << -1


# --- Tensors with other operands ------------------------------------------------------------------
def tensor_plus_string(x):
    return x + "a"


def string_plus_tensor(x):
    return "a" + x


def tensor_plus_none(x):
    return x + None


def none_plus_tensor(x):
    return None + x


def tensor_plus_dict(x, d):
    return x + d


def tensor_minus_string(x):
    return x - "a"


def tensor_minus_none(x):
    return x - None


def tensor_times_string(x):
    return x * "a"


def tensor_times_none(x):
    return x * None


def tensor_times_dict(x, d):
    return x * d


def tensor_divided_by_string(x):
    return x / "a"


def tensor_divided_by_none(x):
    return x / None


def tensor_floor_divided_by_string(x):
    return x // "a"


def tensor_modulo_string(x):
    return x % "a"


def tensor_modulo_none(x):
    return x % None


def tensor_to_a_string(x):
    return x ** "a"


def tensor_to_none(x):
    return x**None


def tensor_matmul_string(x):
    return x @ "a"


def tensor_matmul_int(x):
    return x @ 2


def tensor_and_string(i):
    return i & "a"


def tensor_or_none(i):
    return i | None


def tensor_xor_string(i):
    return i ^ "a"


def tensor_shifted_by_string(i):
    return i << "a"


def float_tensor_and_int(x):
    return x & 1


def tensor_plus_list(y):
    return y + [1, 2, 3]


def tensor_plus_tuple(y):
    return y + (1, 2, 3)


def list_plus_tensor(y):
    return [1, 2, 3] + y


def tuple_plus_tensor(y):
    return (1, 2, 3) + y


def tensor_plus_list_of_strings(y):
    return y + ["a", "b", "c"]


def tensor_plus_unlike_tensor(x, z):
    return x + z


def tensor_times_unlike_tensor(x, z):
    return x * z


def tensor_less_than_unlike_tensor(x, z):
    return x < z


def tensor_matmul_unlike_tensor(x, z):
    return x @ z


def minus_bool_tensor(b):
    return -b


def invert_float_tensor(x):
    return ~x


def tensor_minus_bool_tensor(b):
    return b - b


# --- in, is, not, and, or -------------------------------------------------------------------------
def int_in_int():
    return 1 in 2


def int_in_none():
    return 1 in None


def int_in_string(s):
    return 1 in s


def int_in_float():
    return 1 in 0.5


def string_in_string(s):
    return "a" in s


def string_in_tuple(s):
    return s in ("abc", 1)


def string_in_int(s):
    return s in 3


def int_in_tuple():
    return 1 in (1, 2)


def int_in_list_of_strings():
    return 1 in ["1", "a"]


def int_in_dict(d):
    return 1 in d


def string_in_dict(d):
    return "a" in d


def none_in_list():
    return None in [1, None]


def list_in_dict(d):
    return [1] in d


def tensor_in_list(x, y):
    return x in [x, y]


def tensor_in_tuple(x, y):
    return y in (x, x)


def tensor_not_in_list(x, y):
    return x not in [y, x]


def tensor_in_list_of_equal(x):
    return x in [x + 1, x * 1]


def tensor_in_list_of_ints(x):
    return x in [1, 2]


def tensor_in_empty_list(x):
    return x in []


def tensor_in_tensor(x, y):
    return x in y


def int_in_tensor(i):
    return 1 in i


def int_in_list_of_tensors(x):
    return 1 in [x, x]


def string_in_list_of_tensors(x):
    return "a" in [x]


def tensor_in_string(x):
    return x in "abc"


def tensor_in_int(x):
    return x in 3


def tensor_in_dict(x, d):
    return x in d


def tensor_in_none(x):
    return x in None


def int_not_in_int():
    return 1 not in 2


def int_is_int(n):
    return n is 3  # noqa: F632


def tensor_is_tensor(x, y):
    return x is y


def tensor_is_none(x):
    return x is None


def tensor_is_true(x):
    return x is True


def string_is_string(s):
    return s is "abc"  # noqa: F632


def not_tensor(x):
    return not x


def not_list():
    return not [1]


def not_string(s):
    return not s


def tensor_and_tensor(x, y):
    return x and y


def if_of_a_tensor(x):
    if x:
        return 1
    return 2


def while_of_a_tensor(x):
    while x:
        x = x - 1
    return x


def while_of_a_string(s):
    while s:
        s = ""
    return s


def if_of_a_string(s):
    if s:
        return 1
    return 2


def if_of_none():
    if None:
        return 1
    return 2


def if_of_a_list():
    if []:
        return 1
    return 2


def assert_of_a_tensor(x):
    assert x.sum() > 100
    return x


def assert_with_message():
    assert 1 == 2, "unlike"
    return 1
