"""More calls of the kinds of `assorted`."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa

import math
import numpy as np
import mindspore as ms
from mindspore import Tensor, Parameter, ParameterTuple, nn, ops, jit, mutable, context
from mindspore import grad, value_and_grad, get_grad
from mindspore import numpy as mnp
from mindspore.common.jit_config import JitConfig
from mindspore.ops import composite as C, functional as F, operations as P
from mindspore.ops.operations import _sequence_ops as S


class _Thing:
    size = 4


class FScale(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = Parameter(Tensor(2.0), name="scale")
        self.shift = Parameter(Tensor(1.0), name="shift", requires_grad=False)
        self.names = ["p", "q"]

    def construct(self, x):
        return x * self.scale + self.shift


class FPlain(nn.Cell):
    def construct(self, x, y):
        return x * y


class FNumber(nn.Cell):
    def construct(self, x):
        return 1


class FDict(nn.Cell):
    def construct(self, x):
        return {"out": x * 3}


class FGrad(nn.Cell):
    def __init__(self, net, **kwargs):
        super().__init__()
        self.net = net
        self.op = C.GradOperation(**kwargs)
        self.weights = ParameterTuple(net.trainable_params())

    def construct(self, *args):
        return self.op(self.net, self.weights)(*args)


def _graph(net, *args, **kwargs):
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return net(*args, **kwargs)
    finally:
        ms.set_context(mode=before)


def _row():
    return Tensor(np.array([2, 4], np.float32))


def _half(v):
    return v / 2


def _less(p, q):
    return p - q


_f_kind = C.MultitypeFuncGraph("f_kind")


@_f_kind.register("Number", "Tensor")
def _f_kind_number(p, q):
    return q * p


@_f_kind.register("Tuple", "Tuple")
def _f_kind_tuple(p, q):
    return p[0] + q[0]


_f_one = C.MultitypeFuncGraph("f_one")


@_f_one.register("Tensor")
def _f_one_tensor(p):
    return p + 1


_f_hyper = C.HyperMap(_f_kind)
_f_free = C.HyperMap()
_f_map = C.Map(_f_one)


def range_none_stop():
    out = 0
    for v in range(None):
        out += v
    return out


def len_of_none():
    return len(None)


def sum_tensor_axis_start(x):
    return sum(x, 10)


def sum_three_arguments(l):
    return sum(l, 0, 1)


def min_nothing():
    return min()


def min_lists(l):
    return min(l, [0, 9])


def min_many_elements(x, y):
    return min(x, y)


def int_of_decimal_text():
    return int("3.5")


def int_of_many_elements(i):
    return int(i)


def float_of_list(l):
    return float(l)


def bool_of_empty_things():
    return bool([]), bool({}), bool(""), bool("0")


def isinstance_string_type(n):
    return isinstance(n, "int")


def zip_nothing():
    return zip()


def enumerate_nothing():
    out = 0
    for p, q in enumerate():
        out += p
    return out


def enumerate_from_ten(t):
    out = ()
    for p, q in enumerate(t, 10):
        out = out + (p - q,)
    return out


def map_number(n):
    return map(_half, n)


def filter_lambda(l):
    return list(filter(lambda p: p % 2 == 1, l))


def filter_on_number(n):
    return filter(lambda p: p > 1, n)


def hasattr_number_name(x):
    return hasattr(x, 1)


def getattr_of_number(n):
    return getattr(n, "shape")


def round_digits_string(r):
    return round(r, "1")


def round_half():
    return round(2.5), round(-1.55, 1)


def pow_none(n):
    return pow(n, None)


def divmod_zero(n):
    return divmod(n, 0)


def sorted_mixed():
    return sorted([1, "a", 2])


def add_none_tensor(x):
    return None + x


def add_list_tensor(l, y):
    return l + y


def add_dicts(d):
    return d + d


def sub_tuple_number(t, n):
    return t - n


def mul_none_string(s):
    return None * s


def mul_tuple_negative(t):
    return t * -2


def div_tensor_none(x):
    return x / None


def div_zero_float(r):
    return r / 0.0


def mod_list_number(l, n):
    return l % n


def pow_none_number(n):
    return None**n


def matmul_tensor_string(x, s):
    return x @ s


def or_dicts(d):
    return d | {"c": 3}


def xor_bools_ints(n):
    return True ^ n


def rshift_floats(r):
    return 8 >> r


def negative_list(l):
    return -l


def getitem_tuple_none(t):
    return t[None]


def getitem_string_outside(s):
    return s[10]


def getitem_dict_list(d, l):
    return d[l]


def getitem_tensor_outside(x):
    return x[4]


def getitem_tensor_zero_step(y):
    return y[::0]


def getitem_tensor_negative_step(y):
    return y[::-1]


def getitem_list_slice_step(l):
    return l[2:0:-1]


def getitem_list_slice_float(l):
    return l[0.5:]


def setitem_list_slice_number(l):
    l[0:2] = 5
    return l


def setitem_none():
    v = None
    v[1] = 2
    return v


def setitem_tensor_wrong_shape(x, z):
    x[0] = z
    return x


def setitem_tensor_none(x):
    x[1] = None
    return x


def setitem_tensor_tuple_value(x):
    x[0] = (7, 8, 9)
    return x


def augmented_dict(d):
    d -= 1
    return d


def unpack_starred(t):
    p, *q = t
    return p, q


def ops_div_rounding(x):
    return ops.div(x, 2, rounding_mode="up")


def matmul_method_string(x, s):
    return x.matmul(s)


def view_nothing(x):
    return x.view()


def transpose_method_outside(x):
    return x.transpose(0, 3)


def swapaxes_string(x):
    return x.swapaxes("a", 0)


def cast_to_number(x):
    return ops.cast(x, 3)


def cat_axis_string(x):
    return ops.cat((x, x), axis="0")


def stack_empty():
    return ops.stack([])


def split_axis_outside(x):
    return ops.split(x, 1, 3)


def split_sections_sum(y):
    return ops.split(y, [1, 1])


def ops_prod_axis_tuple(x):
    return ops.prod(x, (0, 4))


def mean_of_ints(i):
    return i.mean()


def max_axis_float(x):
    return ops.max(x, 0.5)


def where_numbers(x):
    return ops.where(x > 2, 1.0, 0.0)


def where_shapes(x, z):
    return ops.where(x > 0, x, z)


def gather_axis_outside(x, i):
    return ops.gather(x, i, 7)


def unsqueeze_nothing(x):
    return x.unsqueeze()


def squeeze_method_float(im):
    return im.squeeze(0.5)


def gelu_approximate(x):
    return ops.gelu(x, approximate="cosh")


def broadcast_to_smaller(x):
    return ops.broadcast_to(x, (3,))


def ones_like_number(n):
    return ops.ones_like(n)


def one_hot_depth_string(i):
    return ops.one_hot(i, "4", 1, 0)


def sum_method_of_bools(b):
    return b.sum()


def transpose_method_list(x):
    return x.transpose([1, 0])


def clamp_only_max(y):
    return ops.clamp(y, max=1)


def tuple_greater_tuple(t):
    return t > (1, 1, 9), t >= t


def list_less_equal_tuple(l, t):
    return l <= t


def list_less_string(l, s):
    return l < s


def dict_greater_number(d, n):
    return d >= n


def string_equal_tensor(s, x):
    return s == x


def none_greater_string(s):
    return None >= s


def tuple_lengths_less():
    return (1, 2) < (1, 2, 0), ("b",) > ("a", 5)


def tuple_mixed_less():
    return (1, "a") < (1, 2)


def dict_or_list(d, l):
    return {} or l, d and 0


def is_tensor(x, y):
    return x is y


def tensor_less_list(y, l):
    return y < l


def tensor_greater_none(y):
    return y > None


def eager_context_enable_pynative_sync_number():
    ms.set_context(pynative_synchronize=1)


def eager_context_level_string():
    ms.set_context(jit_level="O2")


def eager_context_depth_negative():
    ms.set_context(max_call_depth=-5)


def eager_context_syntax_level():
    ms.set_context(jit_syntax_level=5)


def eager_context_get_unknown():
    return ms.get_context("modes")


def eager_context_jit_config_level():
    ms.set_context(jit_config={"jit_level": "O7"})


def eager_jitconfig_unknown_keyword():
    return JitConfig(jit_level="O0", colour="red").jit_config_dict["colour"]


def eager_jitconfig_syntax_unknown():
    return JitConfig(jit_syntax_level="HARD")


def eager_jit_level_unknown():
    return jit(_half, jit_level="O5")(_row())


def eager_jit_config_is_dict():
    return jit(_half, jit_config={"jit_level": "O0"})(_row())


def tensor_in_tensor(k, i):
    return k in i


def number_in_tuple_of_tensors(n, x):
    return n in (x, 3)


def string_in_string(s):
    return "bc" in s, "ca" not in s


def tensor_in_string(x, s):
    return x in s


def list_in_list(l):
    return [1] in [l, [1]], l in [[1, 2, 3]]


def list_in_dict(l, d):
    return l in d


def string_in_float(s, r):
    return s in r


def none_in_string(s):
    return None in s


def append_of_string(s):
    s.append("d")
    return s


def insert_one(l):
    l.insert(1)
    return l


def insert_negative(l):
    l.insert(-1, "w")
    return l


def extend_none(l):
    l.extend(None)
    return l


def extend_tensor(l, y):
    l.extend(y)
    return l


def tuple_index_range(t):
    return t.index(1, 2)


def list_count_string(l):
    return l.count("1"), l.count(1)


def list_remove_missing(l):
    l.remove(8)
    return l


def dict_pop_missing(d):
    return d.pop("q")


def tuple_to_tensor_string(s):
    return S.TupleToTensor()((s, s), ms.float32)


def sequence_mul_primitive_float(t, r):
    return S.SequenceMul()(t, r)


def sequence_zeros_like_number(n):
    return S.SequenceZerosLike()(n)


def switch_two(x):
    return F.switch(True, x)


def partial_nothing():
    return F.partial()


def partial_kept(x):
    f = F.partial(_less, x)
    return f(1)


def tuple_setitem_outside(t):
    return F.tuple_setitem(t, 5, 1)


def scalar_mul_tuple(t):
    return F.scalar_mul(t, 2)


def scalar_lt_string(s, n):
    return F.scalar_lt(s, n)


def np_prod_string(s):
    return np.prod(s)


def np_array_ragged():
    return np.array([[1, 2], [3]])


def np_array_unknown_method(a):
    return a.summed()


def np_dtype_name():
    return np.array([1.5]).dtype.name


def np_object_tensor():
    return Tensor(np.array([None, 1]))


def np_float_alias_dtype():
    return Tensor(np.array([1, 2], dtype=np.float_))


def fstring_two(n, s):
    return f"{s}-{n:03d}"


def format_named_missing():
    return "{name}".format(nam=1)


def format_bad_spec(s):
    return "{:d}".format(s)


def string_find_number(s):
    return s.find(1)


def string_array_tensor():
    return Tensor(np.array(["a", "b"]))


def string_tensor_plus():
    return Tensor(np.array(["a"])) + 1


def hypermap_list_and_tuple(l, t):
    return _f_free(_less, l, t)


def hypermap_nothing():
    return _f_free()


def map_lengths(x):
    return _f_map((x, x), (x,))


def multitype_tuples():
    return _f_kind((1, 5), (2,))


def hypermap_strings(s):
    return _f_free(_half, (s, 2))


def eager_grad_position_repeated():
    return _graph(grad(FPlain(), (0, 0)), _row(), _row())


def eager_grad_output_number():
    return _graph(grad(FNumber()), _row())


def eager_gradoperation_sens_missing():
    return _graph(FGrad(FScale(), get_by_list=True, sens_param=True))


def eager_parametertuple_of_tensors():
    return ParameterTuple([_row(), _row()])


def eager_grad_weights_of_other_net():
    return grad(FScale(), None, FScale().trainable_params())(_row())
