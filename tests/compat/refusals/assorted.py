"""Calls of the kinds of MindSpore's compiler tests, some of each: builtins, operators, functions, comparisons, settings, sequences, strings, gradients."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa

import numpy as np
import mindspore as ms
from mindspore import Tensor, Parameter, ParameterTuple, nn, ops, jit, mutable, context
from mindspore import grad, value_and_grad, get_grad
from mindspore.common import dtype as mstype
from mindspore.common.jit_config import JitConfig
from mindspore.ops import composite as C, functional as F, operations as P
from mindspore.ops.operations import _sequence_ops as S


class EWeight(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.array([1, 2, 3], np.float32)), name="w")
        self.limit = 2

    def construct(self, x):
        return self.w * x


class EBare(nn.Cell):
    def construct(self, x):
        return x * x


class EText(nn.Cell):
    def construct(self, x):
        return "text"


class ETwo(nn.Cell):
    def construct(self, x, y):
        return x * y, x + y


def _graph(net, *args, **kwargs):
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return net(*args, **kwargs)
    finally:
        ms.set_context(mode=before)


def _vec():
    return Tensor(np.array([1, 2, 3], np.float32))


def _double(v):
    return v * 2


def _both(p, q):
    return p + q


_e_over = C.MultitypeFuncGraph("e_over")


@_e_over.register("Tensor", "Tensor")
def _e_over_tensors(p, q):
    return p + q


@_e_over.register("Number", "Number")
def _e_over_numbers(p, q):
    return p - q


_e_text = C.MultitypeFuncGraph("e_text")


@_e_text.register("String")
def _e_text_string(p):
    return p


_e_hyper = C.HyperMap()
_e_hyper_add = C.HyperMap(_e_over)
_e_map = C.Map()


def range_float_stop(r):
    return [v for v in range(r)]


def range_zero_step():
    out = 0
    for v in range(1, 9, 0):
        out += v
    return out


def range_as_value_negative_step():
    return tuple(range(10, 2, -3))


def len_of_number(n):
    return len(n)


def len_of_scalar_tensor(k):
    return len(k)


def sum_of_string(s):
    return sum(s)


def max_number_and_string(n, s):
    return max(n, s)


def max_empty_tuple():
    return max(())


def max_tensor_number(k, n):
    return max(k, n)


def int_of_letters(s):
    return int(s)


def float_of_dict(d):
    return float(d)


def bool_of_many_elements(x):
    return bool(x)


def zip_with_number(t, n):
    return zip(t, n)


def zip_unequal(t):
    out = ()
    for p, q in zip(t, (7, 8)):
        out += (p * q,)
    return out


def enumerate_of_number(n):
    out = 0
    for p, q in enumerate(n):
        out += p
    return out


def filter_by_number(n, t):
    return filter(n, t)


def getattr_default_of_tensor(x):
    return getattr(x, "shapes", 7)


def getattr_name_is_number(x):
    return getattr(x, 3)


def abs_of_tuple(t):
    return abs(t)


def round_of_list(l):
    return round(l)


def pow_three_arguments(n):
    return pow(n, 2, 5)


def divmod_string(s, n):
    return divmod(s, n)


def any_of_mixed_tuple():
    return any((0, "", None, ())), all(("a", 1, 2.0))


def sorted_of_number(n):
    return sorted(n)


def reversed_of_number(n):
    return reversed(n)


def add_tensor_string(x, s):
    return x + s


def add_tuple_list(t, l):
    return t + l


def add_dict_number(d, n):
    return d + n


def sub_strings(s):
    return s - "c"


def mul_list_float(l, r):
    return l * r


def mul_string_number(s, n):
    return s * n


def div_list_number(l, n):
    return l / n


def floordiv_none(n):
    return n // None


def pow_string(s, n):
    return s**n


def matmul_numbers(n):
    return n @ 2


def and_floats(r):
    return r & 1.5


def lshift_float(r):
    return r << 1


def rshift_tensor_string(i, s):
    return i >> s


def negative_string(s):
    return -s


def invert_float(r):
    return ~r


def invert_bool_tensor(b):
    return ~b


def getitem_list_float(l):
    return l[1.0]


def getitem_list_outside(l):
    return l[5]


def getitem_dict_missing(d):
    return d["z"]


def getitem_none():
    v = None
    return v[0]


def getitem_tensor_string(x, s):
    return x[s]


def getitem_tensor_too_many(x):
    return x[0, 1, 2]


def getitem_tensor_none_ellipsis(x):
    return x[None, ..., 1]


def getitem_tuple_slice_string(t):
    return t["a":2]


def getitem_string_negative(s):
    return s[-1]


def setitem_tuple(t):
    t[0] = 4
    return t


def setitem_dict_new_key(d):
    d["c"] = 3
    return d


def setitem_tensor_bool_index(y):
    y[y > 0] = 9.0
    return y


def delete_item_number(n):
    del n[0]
    return n


def unpack_too_few(t):
    p, q = t
    return p + q


def ops_add_three(x):
    return ops.add(x, x, x)


def ops_mul_none(x):
    return ops.mul(x, None)


def ops_matmul_shapes(x, z):
    return ops.matmul(x, z)


def reshape_size(x):
    return x.reshape(4, 2)


def reshape_two_unknown(x):
    return ops.reshape(x, (-1, -1))


def transpose_repeated(x):
    return ops.transpose(x, (0, 0))


def cast_string_type(x):
    return ops.cast(x, "float33")


def concat_tensor(x):
    return ops.concat(x)


def stack_shapes(x, z):
    return ops.stack([x, z])


def stack_axis_outside(y):
    return ops.stack((y, y), axis=4)


def split_string(x):
    return ops.split(x, "1")


def split_uneven(y):
    return ops.split(y, 2)


def sum_method_axis_outside(x):
    return x.sum(axis=5)


def mean_axis_string(x):
    return ops.mean(x, "a")


def argmax_axis_float(x):
    return ops.argmax(x, 1.5)


def where_two(x):
    return ops.where(x > 1, x)


def gather_axis_missing(x, i):
    return ops.gather(x, i)


def expand_dims_outside(y):
    return ops.expand_dims(y, 5)


def squeeze_long_axis(x):
    return ops.squeeze(x, 0)


def softmax_of_ints(i):
    return ops.softmax(i)


def relu_number(n):
    return ops.relu(n)


def clip_method_swapped(y):
    return y.clip(2, 1)


def flatten_order(x):
    return ops.flatten(x, "Z")


def method_max_keyword_order(x):
    return x.max(axis=1, keepdims=True)


def expand_as_method_number(x):
    return x.expand_as(3)


def tuple_less_number(t, n):
    return t < n


def tuple_equal_list(t, l):
    return t == l, t != l


def dict_less_dict(d):
    return d < {"a": 2}


def string_greater_number(s, n):
    return s > n


def string_less_equal_string(s):
    return s <= "abd"


def none_less_number(n):
    return None < n


def list_and_tensor(l, b):
    return l and b


def not_dict(d):
    return not d


def is_list_same(l):
    return l is l


def tuple_of_tensors_equal(x):
    return (x, 1) == (x, 1)


def list_greater_none(l):
    return l > None


def string_and_many_elements(x, s):
    return x and s


def eager_context_unknown_keyword():
    ms.set_context(modes=0)


def eager_context_mode_string():
    ms.set_context(mode="graph")


def eager_context_depth_string():
    ms.set_context(max_call_depth="many")


def eager_context_save_graphs_level():
    ms.set_context(save_graphs=7)


def eager_jitconfig_level():
    return jit(_double, jit_config=JitConfig(jit_level="O1"))(_vec())


def eager_jitconfig_mode_unknown():
    return JitConfig(exc_mode="later")


def eager_jit_capture_mode_unknown():
    return jit(_double, capture_mode="trace_all")(_vec())


def eager_jit_fullgraph_number():
    return jit(_double, fullgraph=1)(_vec())


def eager_jit_of_number():
    return jit(3)


def eager_jit_input_signature_fewer():
    return jit(_both, dynamic=2)(_vec(), _vec())


def number_in_tensor(n, x):
    return n in x


def number_in_string(n, s):
    return n in s


def key_not_in_dict(d):
    return "c" not in d


def tensor_in_dict(x, d):
    return x in d


def list_in_number(l, n):
    return l in n


def none_in_list():
    return None in [1, None]


def list_not_in_string(l, s):
    return l not in s


def tensor_in_none(x):
    return x in None


def append_two(l):
    l.append(1, 2)
    return l


def append_of_tuple(t):
    t.append(4)
    return t


def insert_string_position(l):
    l.insert("a", 2)
    return l


def insert_far(l):
    l.insert(9, 5)
    return l


def pop_outside(l):
    return l.pop(8)


def pop_float(l):
    return l.pop(0.5)


def index_missing(l):
    return l.index(9)


def tuple_count_nothing(t):
    return t.count()


def reverse_gives_nothing(l):
    return l.reverse()


def list_sort_key(l):
    l.sort(key=1)
    return l


class _SeqLen(nn.Cell):
    def construct(self, v):
        return S.sequence_len()(v)


def sequence_count_primitive(t):
    return S.SequenceCount()(t, 2)


def sequence_slice_few(t):
    return S.SequenceSlice()(t, 0, 2)


def partial_of_tensor(x):
    return F.partial(x, x)


def tuple_getitem_outside(t):
    return F.tuple_getitem(t, 6)


def scalar_add_strings(s):
    return F.scalar_add(s, s)


def scalar_cast_tensor(k):
    return F.scalar_cast(k, mstype.int32)


def make_tuple_empty():
    return F.make_tuple()


def depend_one(x):
    return F.depend(x)


def np_float_alias(n):
    return np.float_(n)


def np_product(l):
    return np.product(l)


def np_array_dtype(a):
    return a.dtype


def np_array_of_dict(d):
    return Tensor(np.array(d))


def np_float_of_word(s):
    return np.float_(s)


def np_array_plus_string(a, s):
    return a + s


def format_missing_argument(s):
    return "{} {}".format(s)


def percent_format_number(n):
    return "%d items" % n


def fstring_tensor_shape(x):
    return f"{x.shape}"


def string_unknown_method(s):
    return s.uppercase()


def tensor_of_string():
    return Tensor("abc")


def join_numbers(s):
    return s.join([1, 2])


def hypermap_lengths(t):
    return _e_hyper(_both, t, (1, 2))


def map_nested(t):
    return _e_map(_double, ((1, 2), (3, 4)))


def map_without_sequence():
    return _e_map(_double)


def hypermap_dict_and_tuple(d, t):
    return _e_hyper(_both, d, t)


def eager_multitype_name_number():
    return C.MultitypeFuncGraph(3)


def eager_grad_position_outside():
    return grad(_double, 3)(_vec())


def eager_grad_output_string():
    return _graph(grad(EText()), _vec())


def eager_value_and_grad_aux_single():
    return value_and_grad(EBare(), 0, None, has_aux=True)(_vec())


def eager_get_grad_missing():
    net = EWeight()
    return get_grad(grad(net, 0, net.trainable_params(), return_ids=True)(_vec()), 4)


def eager_grad_weight_is_tensor():
    return grad(EWeight(), None, _vec())(_vec())
