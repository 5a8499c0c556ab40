"""Refused and odd uses of MultitypeFuncGraph, HyperMap, Map, partial, depend, isconstant and typeof."""

import mindspore as ms
import mindspore.common.dtype as mstype
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P

_own = C.MultitypeFuncGraph("own")


@_own.register("Number", "Number")
def _own_numbers(x, y):
    return x + y


@_own.register("Tensor", "Tensor")
def _own_tensors(x, y):
    return x * y


_one = C.MultitypeFuncGraph("one")


@_one.register("Tensor")
def _one_tensor(x):
    return x * 2


@_one.register("Tuple")
def _one_tuple(x):
    return x


@_one.register("List")
def _one_list(x):
    return x


@_one.register("String")
def _one_string(x):
    return 7


_hyper = C.HyperMap(_own)


_hyper1 = C.HyperMap(_one)


_map = C.Map(_own)


_map1 = C.Map(_one)


_free = C.HyperMap()


_mfree = C.Map()


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


_plain = _Plain()


_weighted = _Weighted()


def one_of_a_tensor(y):
    return _one(y)


def one_of_an_int(n):
    return _one(n)


def one_of_a_float(r):
    return _one(r)


def one_of_a_string(s):
    return _one(s)


def one_of_a_tuple(t):
    return _one(t)


def one_of_a_list(l):
    return _one(l)


def one_of_none():
    return _one(None)


def one_of_a_dict(d):
    return _one(d)


def one_of_a_bool():
    return _one(True)


def one_of_a_complex():
    return _one(1j)


def one_of_a_function():
    return _one(_twice)


def one_of_nothing():
    return _one()


def one_of_two(y):
    return _one(y, y)


def one_of_a_dtype():
    return _one(ms.float32)


def one_of_a_slice():
    return _one(slice(1, 2))


def one_of_a_range():
    return _one(range(3))


def one_by_keyword(y):
    return _one(x=y)


def own_of_three(y):
    return _own(y, y, y)


def own_of_an_int_and_a_float():
    return _own(1, 0.5)


def own_of_a_list_and_an_int():
    return _own([1], 1)


def own_of_bool():
    return _own(True, 1)


def own_of_a_bool_tensor(b):
    return _own(b, 1)


def own_of_an_int_tensor(i, n):
    return _own(i, n)


def own_of_a_half_tensor(h):
    return _own(h, None)


def own_of_strings():
    return _own("a", "b")


def own_of_nested_tuples():
    return _own(((1,), 2), 3)


def own_of_a_tuple_of_tensors(y):
    return _own((y, y), 1)


def hyper_of_nothing():
    return _hyper()


def hyper_of_one(t):
    return _hyper(t)


def hyper_of_three(t):
    return _hyper(t, t, t)


def hyper_of_strings():
    return _hyper(("a", "b"), ("c", "d"))


def hyper_of_a_number_and_a_tuple():
    return _hyper(1, (1, 2))


def hyper_of_a_tensor_and_a_tuple(y):
    return _hyper(y, (y, y))


def hyper_of_a_tuple_and_a_tensor(y):
    return _hyper((y, y), y)


def hyper_of_nested_and_flat():
    return _hyper(((1, 2), 3), (4, 5))


def hyper_of_flat_and_nested():
    return _hyper((1, 2), ((4, 5), 6))


def hyper_of_nested_of_unlike_lengths():
    return _hyper(((1, 2), 3), ((4, 5, 6), 6))


def hyper_of_none_and_a_tuple():
    return _hyper(None, (1, 2))


def hyper_of_nones():
    return _hyper(None, None)


def hyper_of_tuples_with_none():
    return _hyper((1, None), (2, 3))


def hyper_of_dynamic():
    return _hyper(mutable((1, 2), True), mutable((1, 2), True))


def hyper_of_dynamic_and_fixed():
    return _hyper(mutable((1, 2), True), (1, 2))


def hyper_of_ranges():
    return _hyper(range(2), range(2))


def hyper_of_tensors(y):
    return _hyper(y, y)


def hyper_of_lists_in_tuples():
    return _hyper(([1, 2], 3), ([4, 5], 6))


def hyper_of_a_list_in_one():
    return _hyper(([1, 2], 3), ((4, 5), 6))


def hyper1_of_mixed(y):
    return _hyper1((y, 1))


def hyper1_of_tensors(y):
    return _hyper1((y, y))


def hyper1_of_strings():
    return _hyper1(("a", "b"))


def hyper1_of_a_dict(d):
    return _hyper1(d)


def hyper1_of_a_tensor(y):
    return _hyper1(y)


def hyper1_of_an_int():
    return _hyper1(1)


def hyper1_of_empty():
    return _hyper1(())


def free_of_nothing():
    return _free()


def free_of_a_function():
    return _free(_twice)


def free_of_an_int(t):
    return _free(1, t)


def free_of_a_string(t):
    return _free("a", t)


def free_of_none(t):
    return _free(None, t)


def free_of_a_tensor(y, t):
    return _free(y, t)


def free_of_too_few(t):
    return _free(_add2, t)


def free_of_three(t):
    return _free(_add2, t, t, t)


def free_of_a_lambda(t):
    return _free(lambda v: v + 1, t)


def free_of_a_primitive(y):
    return _free(P.Neg(), (y, y))


def free_of_a_primitive_on_ints(t):
    return _free(P.Neg(), t)


def free_of_a_builtin(t):
    return _free(len, t)


def free_of_a_cell(y):
    return _free(_plain, (y, y))


def free_of_an_ops_function(y):
    return _free(ops.neg, (y, y))


def free_of_unlike_lengths(t):
    return _free(_add2, t, (1,))


def free_of_a_tuple_and_a_list(t, l):
    return _free(_add2, t, l)


def free_of_a_scalar():
    return _free(_twice, 3)


def free_by_keyword(t):
    return _free(_twice, x=t)


def map_of_nothing():
    return _map()


def map_of_one(t):
    return _map(t)


def map_of_three(t):
    return _map(t, t, t)


def map_of_none():
    return _map(None, None)


def map_of_a_tensor(y):
    return _map(y, y)


def map_of_strings():
    return _map("ab", "cd")


def map_of_lists():
    return _map([1, 2], [3, 4])


def map_of_a_list_and_a_tuple():
    return _map([1, 2], (3, 4))


def map_of_a_tuple_and_an_int():
    return _map((1, 2), 3)


def map_of_a_dict(d):
    return _map(d, d)


def map_of_empty():
    return _map((), ())


def map_of_lists_of_unlike_lengths():
    return _map([1, 2, 3], [3, 4])


def map_of_dynamic():
    return _map(mutable((1, 2), True), mutable((1, 2), True))


def map1_of_nested(y):
    return _map1(((y, y), y))


def mfree_of_a_function(t):
    return _mfree(_twice, t)


def mfree_of_nothing():
    return _mfree()


def mfree_of_an_int(t):
    return _mfree(1, t)


def mfree_of_too_many(t):
    return _mfree(_twice, t, t)


def mfree_of_a_scalar():
    return _mfree(_twice, 3)


def eager_own_of_three():
    return _own(1, 2, 3)


def eager_own_of_none():
    return _own(None, 2)


def eager_own_of_tensor_and_list():
    return _own(_F3, [1])


def eager_own_of_tensors():
    return _own(_F3, _F3)


def eager_own_of_nothing():
    return _own()


def eager_own_of_a_dict():
    return _own({"a": 1}, 1)


def eager_own_of_a_numpy_array():
    return _own(np.ones(2), 1)


def eager_hyper_of_nothing():
    return _hyper()


def eager_hyper_of_unlike_lengths():
    return _hyper((1, 2), (3,))


def eager_hyper_of_a_tuple_and_an_int():
    return _hyper((1, 2), 3)


def eager_hyper_of_a_tuple_and_a_list():
    return _hyper((1, 2), [3, 4])


def eager_hyper_of_numbers():
    return _hyper(1, 2)


def eager_hyper_of_nested():
    return _hyper(((1, 2), 3), ((4, 5), 6))


def eager_free_of_an_int():
    return _free(1, (1, 2))


def eager_free_of_a_function():
    return _free(_twice, (1, 2))


def eager_free_of_nothing():
    return _free()


def eager_map_of_numbers():
    return _map(1, 2)


def eager_map_of_tuples():
    return _map((1, 2), (3, 4))


def eager_map_of_unlike_lengths():
    return _map((1, 2), (3,))


def eager_hyper_map_of_an_int():
    return C.HyperMap(1)


def eager_hyper_map_of_a_string():
    return C.HyperMap("a")


def eager_hyper_map_of_none():
    return C.HyperMap(None)


def eager_map_of_an_int():
    return C.Map(1)


def eager_map_of_a_bad_reverse():
    return C.Map(_own, "a")


def eager_hyper_map_of_three():
    return C.HyperMap(_own, False, 1)


def eager_multitype_of_none():
    return C.MultitypeFuncGraph(None)


def eager_multitype_of_nothing():
    return C.MultitypeFuncGraph()


def eager_multitype_of_a_bad_read_value():
    return C.MultitypeFuncGraph("a", "b").name


def eager_multitype_register_of_an_int():
    f = C.MultitypeFuncGraph("f")

    @f.register(1)
    def g(x):
        return x

    return f(1)


def eager_multitype_register_of_an_unknown_name():
    f = C.MultitypeFuncGraph("f")

    @f.register("Nonesuch")
    def g(x):
        return x

    return f(1)


def eager_multitype_register_of_a_dtype():
    f = C.MultitypeFuncGraph("f")

    @f.register(ms.int64)
    def g(x):
        return x

    return f(1)


def eager_multitype_without_entries():
    return C.MultitypeFuncGraph("f")(1)


def partial_of_a_function(n):
    return F.partial(_add2, n)(2)


def partial_of_nothing():
    return F.partial()


def partial_of_a_string(s):
    return F.partial(s, 1)(2)


def partial_of_none():
    return F.partial(None, 1)(2)


def partial_of_a_tensor(x):
    return F.partial(x, 1)(2)


def partial_of_a_tuple(t):
    return F.partial(t, 1)(2)


def partial_of_a_float(r):
    return F.partial(r)(2)


def partial_of_too_many(n):
    return F.partial(_add2, n, n, n)(2)


def partial_called_with_too_many(n):
    return F.partial(_add2, n)(2, 3)


def partial_called_with_too_few(n):
    return F.partial(_add2)(2)


def partial_of_a_primitive(y):
    return F.partial(P.Add(), y)(y)


def partial_of_a_cell(y):
    return F.partial(_plain, y)()


def partial_of_a_builtin(t):
    return F.partial(len, t)()


def partial_by_keyword(n):
    return F.partial(_add2, b=n)(2)


def partial_of_a_list(l):
    return F.partial(l)(1)


def partial_of_a_bool():
    return F.partial(True)(1)


def partial_of_a_dict(d):
    return F.partial(d)(1)


def partial_operator(n):
    return P.Partial()(_add2, n)(1)


def partial_operator_of_an_int(n):
    return P.Partial()(n, n)(1)


def eager_partial():
    return F.partial(_add2, 1)(2)


def eager_partial_of_an_int():
    return F.partial(1, 1)(2)


def depend(x, y):
    return F.depend(x, y)


def depend_of_three(x, y):
    return F.depend(x, y, y)


def depend_of_ints(n):
    return F.depend(n, n)


def depend_of_a_tuple(t, x):
    return F.depend(t, x)


def depend_of_nothing():
    return F.depend()


def depend_of_none(x):
    return F.depend(None, x)


def depend_on_none(x):
    return F.depend(x, None)


def depend_of_a_string(s, x):
    return F.depend(s, x)


def depend_operator(x, y):
    return P.Depend()(x, y)


def depend_operator_of_one(x):
    return P.Depend()(x)


def depend_of_a_function(x):
    return F.depend(_twice, x)(x)


def eager_depend():
    return F.depend(_F3, _F3)


def eager_depend_of_ints():
    return F.depend(1, 2)


def isconstant_of_an_int(n):
    return F.isconstant(n)


def isconstant_of_a_tensor(x):
    return F.isconstant(x)


def isconstant_of_a_constant():
    return F.isconstant(3)


def isconstant_of_a_mutable():
    return F.isconstant(mutable(3))


def isconstant_of_two(n):
    return F.isconstant(n, n)


def isconstant_of_a_tuple(t):
    return F.isconstant(t)


def isconstant_of_a_string(s):
    return F.isconstant(s)


def isconstant_of_none():
    return F.isconstant(None)


def isconstant_of_nothing():
    return F.isconstant()


def typeof_of_an_int(n):
    return F.typeof(n)


def typeof_of_a_float(r):
    return F.typeof(r)


def typeof_of_a_bool():
    return F.typeof(True)


def typeof_of_a_string(s):
    return F.typeof(s)


def typeof_of_none():
    return F.typeof(None)


def typeof_of_a_tuple(t):
    return F.typeof(t)


def typeof_of_a_list(l):
    return F.typeof(l)


def typeof_of_a_dict(d):
    return F.typeof(d)


def typeof_of_a_half(h):
    return F.typeof(h)


def typeof_of_a_bool_tensor(b):
    return F.typeof(b)


def typeof_of_a_complex_tensor(c):
    return F.typeof(c)


def typeof_of_a_tuple_of_tensors(x):
    return F.typeof((x, 1))


def typeof_of_a_function(x):
    return F.typeof(_twice)


def typeof_of_nothing():
    return F.typeof()


def typeof_of_two(x):
    return F.typeof(x, x)


def typeof_of_a_dtype():
    return F.typeof(ms.float32)


def typeof_compared(x):
    return F.typeof(x) == ms.tensor_type


def typeof_compared_to_an_int(n):
    return F.typeof(n) == ms.int64


def typeof_of_a_parameter(y):
    return F.typeof(_weighted.w)


def typeof_of_a_slice():
    return F.typeof(slice(1, 2))


def typeof_of_a_complex():
    return F.typeof(1j)


def eager_typeof():
    return F.typeof(_F3)


def eager_typeof_of_an_int():
    return F.typeof(1)


def eager_isconstant():
    return F.isconstant(1)


def zip_operation_of_a_tuple_and_a_list(t, l):
    return C.zip_operation(t, l)


def zip_operation_of_a_number(t):
    return C.zip_operation(t, 3)


def zip_operation_of_nothing():
    return C.zip_operation()


def zip_operation_of_unlike_lengths(t):
    return C.zip_operation(t, (4, 5))


def zip_operation_of_a_string(t, s):
    return C.zip_operation(t, s)


_SUMS = C.MultitypeFuncGraph("sums")


@_SUMS.register("Number", "Number")
def _sum_of_numbers(a, b):
    return a + b


_EACH_SUM = C.Map(_SUMS)


def map_of_a_number_and_a_tuple(t):
    return _EACH_SUM(3, t)


def map_of_none_and_a_list(l):
    return _EACH_SUM(None, l)


def map_of_a_string_and_a_list(l):
    return C.Map()(_SUMS, "abc", l)


def map_of_two_numbers(n):
    return _EACH_SUM(n, 4)


def map_of_a_function_alone():
    return C.Map()(_SUMS)


def hyper_of_an_operator_and_a_tuple_beside_a_tensor(x, y):
    return C.HyperMap()(ops.mul, (x,), y)


def hyper_of_an_operator_and_a_tensor_beside_a_tuple(x, y):
    return C.HyperMap()(ops.mul, x, (y,))


def hyper_of_an_operator_and_too_few(x):
    return C.HyperMap()(ops.mul, x)


def hyper_of_an_operator_and_too_few_in_a_tuple(x):
    return C.HyperMap()(ops.mul, (x, x))


def hyper_of_an_operator_and_unlike_shapes(x, i):
    return C.HyperMap()(ops.add, (x, x), (x, i[:2]))


def hyper_of_an_operator_and_strings(x, s):
    return C.HyperMap()(ops.relu, (x, s))


def hyper_of_an_operator_within_tuples(x, y):
    return C.HyperMap()(ops.sub, ((x,), x), ((y,), x))
