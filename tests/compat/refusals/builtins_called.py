"""Python's functions with too many, too few and odd arguments; powers and divisions of numbers."""

import mindspore as ms
from mindspore import jit, ops


def _by(v):
    return 5 // v


def _mod(v):
    return 5 % v


def _div(v):
    return 5 / v


def abs_two(n):
    return abs(n, n)


def abs_three(r):
    return abs(r, 1, 2)


def abs_kw(n):
    return abs(x=n)


def abs_tensor_two(x):
    return abs(x, x)


def abs_function():
    return abs(_by)


def pow_two(n):
    return pow(n, 2)


def pow_three(n):
    return pow(n, 2, 5)


def pow_four(n):
    return pow(n, 2, 5, 6)


def pow_one(n):
    return pow(n)


def pow_nothing():
    return pow()


def pow_three_tensor(x):
    return pow(x, 2, 5)


def pow_neg_mod(n):
    return pow(n, -1, 7)


def round_two(r):
    return round(r, 1)


def round_tensor(x):
    return round(x)


def round_tensor_two(x):
    return round(x, 1)


def round_kw(r):
    return round(r, ndigits=1)


def dict_tensor(x):
    return dict(x)


def dict_triples():
    return dict([("a", 1, 2)])


def dict_pairs():
    return dict([("a", 1), ("b", 2)])


def dict_strs():
    return dict(["ab", "cd"])


def dict_zip(t):
    return dict(zip(("a", "b", "c"), t))


def min_two(n, r):
    return min(n, r)


def min_tensor_int(k, n):
    return min(k, n)


def min_tensor_list(k, l):
    return min(k, l)


def min_list_tensor(k, l):
    return min(l, k)


def min_tensor_tuple(k, t):
    return min(k, t)


def min_tensor_none(k):
    return min(k, None)


def min_tensor_str(k, s):
    return min(k, s)


def min_tensor_dict(k, d):
    return min(k, d)


def min_three_tensor(k):
    return min(k, 1, 2)


def min_tensor0(k):
    return min(k)


def max_tensor_list(k, l):
    return max(k, l)


def max_list_tensor(k, l):
    return max(l, k)


def max_tensor_str(k, s):
    return max(k, s)


def sum_tensor0(k):
    return sum(k)


def sum_by():
    return sum(_by)


def sum_tensors(x):
    return sum([x, x])


def sum_start(l):
    return sum(l, 10)


def len_ell():
    return len(...)


def len_dtype():
    return len(ms.float32)


def max_of_list_and_tensor(k, l):
    return max(l, k)


def zero_pow_neg():
    return 0**-1


def zerof_pow_neg():
    return 0.0**-1


def zero_pow_negf():
    return 0**-1.0


def two_pow_neg():
    return 2**-1


def three_pow_neg(n):
    return n**-2


def neg_pow_neg():
    return (-1) ** -1


def eager_mutable_pow():
    def run(v):
        return v**-1

    return jit(run)(ms.mutable(0))


def pow_kw_mod(n):
    return pow(n, 2, mod=5)


def eager_arg_mod():
    return jit(_mod)(0)


def eager_arg_div():
    return jit(_div)(0)


def bool_pow_neg():
    return True**-1


def bool_pow_bool():
    return True**True


def int_pow_big():
    return 10**20


def int_pow_bigger():
    return 3**41


def float_pow_big():
    return 10.0**400


def float_pow():
    return 2.0**-1


def int_pow_float():
    return 2**-1.0


def int_pow_zero():
    return 0**0


def pow_builtin_neg():
    return pow(2, -1)


def pow_builtin_zero():
    return pow(0, -1)


def pow_builtin_n(n):
    return pow(n, -1)


def round_int_kw(n):
    return round(n, ndigits=1)


def round_tensor_kw(x):
    return round(x, decimals=1)


def round_tensor_zero(x):
    return round(x, 0)


def round_tensor_neg(x):
    return round(x, -1)


def dict_tensor_pair():
    return dict(ops.ones((3, 2), ms.int32))


def dict_bad_second():
    return dict([("a", 1), ("b",)])


def dict_vector(y):
    return dict(y)


def dict_scalar(k):
    return dict(k)


def dict_str_one():
    return dict(["a"])


def abs_none_two():
    return abs(None, 1)


def abs_str_two():
    return abs("a", 1)


def abs_two_kw(n):
    return abs(n, x=n)


def max_x_list(x, l):
    return max(x, l)


def max_k_none(k):
    return max(k, None)


def max_none_k(k):
    return max(None, k)


def min_k_dtype(k):
    return min(k, ms.float32)


def min_k_float(k, r):
    return min(k, r)


def sum_k_start(k):
    return sum(k, 1)


def pow_three_neg():
    return pow(2, -1, 5)


def loop_pow(n):
    out = 0.0
    for j in range(n):
        out = out + 2.0**-j
    return out


def loop_ipow(n):
    out = 0
    for j in range(n):
        out = out + 2**j
    return out


def neg_pow_big():
    return (-10) ** 21


def pow_tensor_neg(x):
    return pow(x, -1)


def iop_pow():
    m = 3
    m **= -1
    return m


def neg_half():
    return (-2.0) ** 0.5


def negzero_pow():
    return (-0.0) ** -1


def max_of_tensor_number(k, n):
    return max(k, n), min(n, k)


def dict_from_pairs_of_list():
    return dict([["a", 1], ["b", 2]])


def enumerate_from_a_float_by_name(t):
    return list(enumerate(t, start=0.5))


def enumerate_from_a_bool(t):
    return list(enumerate(t, False))


def enumerate_from_a_tuple(t):
    return list(enumerate(t, (1, 2)))


def enumerate_from_a_string(l):
    return list(enumerate(l, "first"))


def sum_of_strings_from_a_string(s):
    return sum(("x", s, "y"), "")


def sum_of_a_string_from_a_string(s):
    return sum(s, ">")


def sum_of_keys_from_a_string(d):
    return sum(d, "")


def sum_of_strings_and_a_number(s):
    return sum((s, 1), "")


def sum_of_lists_from_a_list(l):
    return sum([l, [4]], [])


def isinstance_of_a_number_among_nested_classes(x):
    return isinstance(x, (int, (str, 2)))


def isinstance_of_a_list_among_nested_classes(n):
    return isinstance(n, (str, (float, [int])))


def isinstance_of_nested_classes(n):
    return isinstance(n, (str, (float, (int,))))


def range_by_a_step_that_comes_to_zero(n):
    return [i for i in range(0, n, n - 3)]


def range_by_an_item_that_is_zero(l):
    return list(range(5, 0, l[2] - 3))


def range_by_a_value_that_is_zero(d):
    total = 0
    for i in range(d["a"], 4, d["b"] - 2):
        total += i
    return total


def next_of_a_range():
    return next(range(3))


def next_of_an_empty_string():
    return next("")


def next_of_an_empty_dict():
    return next({})


def next_of_a_scalar_tensor(k):
    return next(k)


def next_of_a_class():
    return next(int)


def iter_of_a_dict(d):
    return iter(d)


def iter_of_a_tensor(y):
    return iter(y)


def iter_of_a_class():
    return iter(int)


def list_of_a_class():
    return list(int)


def list_of_a_function():
    return list(lambda v: v)


def reversed_class():
    return reversed(int)


def reversed_scalar_tensor(k):
    return reversed(k)


def map_of_a_number_alone(n):
    return map(n)


def map_of_a_string_alone(s):
    return map(s)


def float_of_a_list_of_tensors(x):
    return float([x, x])


def int_of_a_function():
    return int(lambda v: v)


def float_of_a_row(y):
    return float(y)


def abs_of_a_list_of_tensors(x):
    return abs([x, x])


def round_of_a_tuple_of_tensors(x):
    return round((x, 1))


def all_of_a_matrix(x):
    return all(x)


def any_of_a_matrix(x):
    return any(x)


def set_of_a_scalar_tensor(k):
    return set(k)


def sorted_scalar_tensor(k):
    return sorted(k)


def zip_of_a_scalar_tensor(k):
    return zip(k)


def chr_of_a_row(y):
    return chr(y)


def enumerate_of_a_function():
    return enumerate(lambda v: v)
