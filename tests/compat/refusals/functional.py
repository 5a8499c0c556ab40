"""Refused and odd uses of `ops.functional`'s functions of Python's values."""

import mindspore as ms
import mindspore.common.dtype as mstype
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def _add2(a, b):
    return a + b


def _twice(a):
    return a * 2


def _sq(v):
    return v * v


def _two(v, w):
    return v * w


def _aux(v, w):
    return v * w, v + w


class _Plain(nn.Cell):
    def construct(self, v):
        return v * 2


class _Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, v):
        return v * self.w


class _Pair(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, v):
        return v * self.w, v + 1


_F3 = Tensor(np.ones(3, np.float32))


_I3 = Tensor(np.ones(3, np.int32))


_F5 = Tensor(np.ones(5, np.float32))


_plain = _Plain()


_weighted = _Weighted()


def switch_of_an_int_zero(x):
    return F.switch(0, x, x + 1)


def switch_of_none(x):
    return F.switch(None, x, x)


def switch_of_a_float(x):
    return F.switch(0.5, x, x)


def switch_of_a_tuple(x):
    return F.switch((1, 2), x, x)


def switch_of_a_list(x):
    return F.switch([1], x, x)


def switch_of_a_dict(x, d):
    return F.switch(d, x, x)


def switch_of_a_tensor_of_many(x):
    return F.switch(x, x, x)


def switch_of_a_float_tensor(x):
    return F.switch(x.sum(), x, x + 1)


def switch_of_unlike_shapes(x, y):
    return F.switch(x.sum() > 0, x, y)


def switch_of_unlike_dtypes(y, i):
    return F.switch(y.sum() > 0, y, i)


def switch_of_ints(n):
    return F.switch(True, n, 2)


def switch_of_ints_by_tensor(x, n):
    return F.switch(x.sum() > 0, n, 2)


def switch_of_strings_by_tensor(x):
    return F.switch(x.sum() > 0, "a", "b")


def switch_of_tuples_by_tensor(x, y):
    return F.switch(x.sum() > 0, (x, y), (x, y))


def switch_of_unlike_tuples(x, y):
    return F.switch(x.sum() > 0, (x, y), (x, y, y))


def switch_of_none_and_tensor(x):
    return F.switch(x.sum() > 0, x, None)


def switch_of_four(x):
    return F.switch(True, x, x, x)


def switch_of_nothing():
    return F.switch()


def switch_of_functions_by_tensor(x):
    return F.switch(x.sum() > 0, _twice, _sq)(x)


def switch_constant_unlike(x):
    return F.switch(True, x, 1)


def switch_of_a_mutable_bool(x):
    return F.switch(mutable(3) > 2, x, x + 1)


def switch_operator(x):
    return P.Switch()(True, x, x)


def merge(x):
    return P.Merge()((x, x))


def geswitch(x):
    return P.GeSwitch()(x, Tensor(True))


def eager_switch():
    return F.switch(True, 1, 2)


def scalar_add_of_floats(r):
    return F.scalar_add(r, 1.5)


def scalar_add_of_bools():
    return F.scalar_add(True, True)


def scalar_add_of_none(n):
    return F.scalar_add(n, None)


def scalar_add_of_a_tuple(t):
    return F.scalar_add(t, 1)


def scalar_add_of_a_list(l):
    return F.scalar_add(1, l)


def scalar_add_of_one(n):
    return F.scalar_add(n)


def scalar_add_of_three(n):
    return F.scalar_add(n, n, n)


def scalar_add_of_a_mutable():
    return F.scalar_add(mutable(3), 1)


def scalar_add_of_strings(s):
    return F.scalar_add(s, s)


def scalar_sub_of_a_tensor(x):
    return F.scalar_sub(1, x)


def scalar_sub(n):
    return F.scalar_sub(n, 0.5)


def scalar_mul_of_a_string(s):
    return F.scalar_mul(2, s)


def scalar_div_of_ints(n):
    return F.scalar_div(n, 2)


def scalar_div_of_floats(r):
    return F.scalar_div(r, 0.0)


def scalar_div_of_a_string(n):
    return F.scalar_div(n, "a")


def scalar_floordiv(n):
    return F.scalar_floordiv(n, 2)


def scalar_floordiv_by_zero(n):
    return F.scalar_floordiv(n, 0)


def scalar_floordiv_of_negatives():
    return F.scalar_floordiv(-7, 2)


def scalar_mod(n):
    return F.scalar_mod(-7, 3)


def scalar_mod_by_zero(n):
    return F.scalar_mod(n, 0)


def scalar_mod_of_none(n):
    return F.scalar_mod(None, n)


def scalar_pow(n):
    return F.scalar_pow(n, 2)


def scalar_pow_of_a_string(n):
    return F.scalar_pow(n, "a")


def scalar_eq_of_unlike(n):
    return F.scalar_eq(n, 3.0)


def scalar_eq_of_strings(s):
    return F.scalar_eq(s, "abc")


def scalar_lt_of_floats(r):
    return F.scalar_lt(r, 1)


def scalar_gt_of_a_tensor(x):
    return F.scalar_gt(x, 1)


def scalar_ge_of_none():
    return F.scalar_ge(None, 1)


def scalar_ne(n):
    return F.scalar_ne(n, 3)


def scalar_uadd_of_a_string(s):
    return F.scalar_uadd(s)


def scalar_usub_of_a_bool():
    return F.scalar_usub(True)


def scalar_usub_of_a_tuple(t):
    return F.scalar_usub(t)


def scalar_usub(n):
    return F.scalar_usub(n)


def scalar_log(r):
    return F.scalar_log(2.0)


def scalar_log_of_an_int(n):
    return F.scalar_log(n)


def scalar_cast(n):
    return F.scalar_cast(n, ms.float32)


def scalar_cast_of_a_string(s):
    return F.scalar_cast(s, ms.float32)


def scalar_cast_to_a_string(n):
    return F.scalar_cast(n, "float32")


def scalar_cast_of_a_tensor(x):
    return F.scalar_cast(x, ms.float32)


def scalar_to_tensor_function(n):
    return F.scalar_to_tensor(n, ms.float32)


def scalar_to_tensor_of_a_tensor(x):
    return F.scalar_to_tensor(x)


def scalar_to_tensor_of_a_string(s):
    return F.scalar_to_tensor(s)


def scalar_to_tensor_of_none():
    return F.scalar_to_tensor(None)


def bool_not_of_none():
    return F.bool_not(None)


def bool_not_of_a_bool():
    return F.bool_not(True)


def bool_not_of_a_string(s):
    return F.bool_not(s)


def bool_not_of_a_tensor(x):
    return F.bool_not(x)


def bool_and_of_bools():
    return F.bool_and(True, False)


def bool_and_of_ints(n):
    return F.bool_and(n, 1)


def bool_or_of_a_string(s):
    return F.bool_or(s, True)


def bool_eq_of_bools():
    return F.bool_eq(True, False)


def string_eq(s):
    return F.string_eq(s, "abc")


def string_eq_of_an_int(s):
    return F.string_eq(s, 1)


def string_concat(s):
    return F.string_concat(s, "d")


def string_concat_of_an_int(s):
    return F.string_concat(s, 1)


def tuple_len(t):
    return F.tuple_len(t)


def tuple_len_of_a_list(l):
    return F.tuple_len(l)


def tuple_len_of_a_tensor(x):
    return F.tuple_len(x)


def tuple_len_of_a_string(s):
    return F.tuple_len(s)


def list_len_of_a_tuple(t):
    return F.list_len(t)


def list_len_of_none():
    return F.list_len(None)


def dict_len(d):
    return F.dict_len(d)


def dict_len_of_a_list(l):
    return F.dict_len(l)


def array_len(x):
    return F.array_len(x)


def tuple_getitem(t):
    return F.tuple_getitem(t, 1)


def tuple_getitem_of_a_list(l):
    return F.tuple_getitem(l, 1)


def tuple_getitem_of_an_int(n):
    return F.tuple_getitem(n, 0)


def tuple_getitem_of_a_tensor(x):
    return F.tuple_getitem(x, 0)


def tuple_getitem_by_a_float(t):
    return F.tuple_getitem(t, 0.5)


def tuple_getitem_by_a_tensor(t, k):
    return F.tuple_getitem(t, k)


def tuple_getitem_by_a_slice(t):
    return F.tuple_getitem(t, slice(0, 2))


def tuple_getitem_of_one(t):
    return F.tuple_getitem(t)


def tuple_getitem_before_the_start(t):
    return F.tuple_getitem(t, -4)


def tuple_getitem_of_empty():
    return F.tuple_getitem((), 0)


def list_getitem_of_a_tuple(t):
    return F.list_getitem(t, 0)


def list_getitem_by_none(l):
    return F.list_getitem(l, None)


def tuple_setitem(t):
    return F.tuple_setitem(t, 0, 9)


def tuple_setitem_past_the_end(t):
    return F.tuple_setitem(t, 5, 9)


def tuple_setitem_by_a_string(t):
    return F.tuple_setitem(t, "a", 9)


def tuple_setitem_of_an_int(n):
    return F.tuple_setitem(n, 0, 9)


def list_setitem(l):
    return F.list_setitem(l, 0, 9)


def list_setitem_past_the_end(l):
    return F.list_setitem(l, 5, 9)


def list_setitem_of_a_tuple(t):
    return F.list_setitem(t, 0, 9)


def dict_getitem(d):
    return F.dict_getitem(d, "a")


def dict_getitem_of_an_int(n):
    return F.dict_getitem(n, "a")


def dict_getitem_by_an_int(d):
    return F.dict_getitem(d, 1)


def dict_setitem(d):
    return F.dict_setitem(d, "a", 5)


def dict_setitem_of_a_list(l):
    return F.dict_setitem(l, "a", 5)


def tuple_reversed(t):
    return F.tuple_reversed(t)


def tuple_reversed_of_a_list(l):
    return F.tuple_reversed(l)


def tuple_div(t):
    return F.tuple_div((4, 6), (2, 3))


def tuple_div_of_unlike(t):
    return F.tuple_div(t, (1, 2))


def tuple_div_inexact():
    return F.tuple_div((5, 6), (2, 3))


def tuple_to_array(t):
    return F.tuple_to_array(t)


def tuple_equal_function(t):
    return F.tuple_equal(t, t)


def make_tuple(n):
    return F.make_tuple(n, 1)


def make_list(n):
    return F.make_list(n, 1)


def make_slice(n):
    return F.make_slice(0, n, 1)


def make_dict(t):
    return F.make_dict(("a", "b"), (1, 2))


def make_dict_of_unlike():
    return F.make_dict(("a", "b"), (1, 2, 3))


def make_range_of_three(n):
    return F.make_range(0, n, 2)


def make_range_of_a_zero_step(n):
    return F.make_range(0, n, 0)


def make_range_backwards(n):
    return F.make_range(n, 0, -1)


def make_range_the_wrong_way(n):
    return F.make_range(n, 0)


def make_range_of_a_string(s):
    return F.make_range(s)


def make_range_of_nothing():
    return F.make_range()


def make_range_of_four(n):
    return F.make_range(n, n, n, n)


def make_range_of_a_mutable():
    return F.make_range(mutable(3))


def is_same(x):
    return F.is_(x, None)


def is_not_same(x):
    return F.is_not(x, None)


def in_dict(d):
    return F.in_dict("a", d)


def not_in_dict(d):
    return F.not_in_dict("a", d)


def in_dict_of_a_list(l):
    return F.in_dict("a", l)


def shape_of_a_string(s):
    return F.shape(s)


def shape_of_a_tuple(t):
    return F.shape(t)


def shape_of_none():
    return F.shape(None)


def dtype_of_an_int(n):
    return F.dtype(n)


def rank_of_an_int(n):
    return F.rank(n)


def size_of_an_int(n):
    return F.size(n)


def identity(x):
    return F.identity(x)


def identity_of_two(x):
    return F.identity(x, x)


def stop_gradient_of_an_int(n):
    return F.stop_gradient(n)


def stop_gradient_of_none():
    return F.stop_gradient(None)


def stop_gradient_of_a_tuple(t):
    return F.stop_gradient(t)


def stop_gradient_of_nothing():
    return F.stop_gradient()


def stop_gradient_of_two(x):
    return F.stop_gradient(x, x)


def zeros_like_of_an_int(n):
    return F.zeros_like(n)


def ones_like_of_a_string(s):
    return F.ones_like(s)


def hastype_(x):
    return F.hastype(x, ms.tensor_type)


def env_get(x):
    return F.env_get(1, 2)


def same_type_shape(x):
    return F.same_type_shape(x, x)


def cast_function(x):
    return F.cast(x, ms.int32)


def getattr_function(x):
    return F.getattr(x, "shape")


def missing_functional(x):
    return F.nonesuch(x)


def missing_composite(x):
    return C.nonesuch(x)


def missing_operation(x):
    return P.Nonesuch()(x)


def missing_ops(x):
    return ops.nonesuch(x)


def missing_ms(x):
    return ms.nonesuch(x)


def missing_nn(x):
    return nn.Nonesuch()(x)


def missing_np(x):
    return np.nonesuch(x)


def missing_ops_class(x):
    return ops.Nonesuch()(x)
