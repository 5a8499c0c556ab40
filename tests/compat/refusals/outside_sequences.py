"""Refused and odd uses of lists, tuples and dicts of the code outside, and of functions and operators of sequences line by line."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportIndexIssue=false, reportCallIssue=false, reportArgumentType=false

import mindspore as ms
import numpy as np
from mindspore import Tensor, context, jit, mutable
from mindspore.ops import functional as F
from mindspore.ops.operations import _sequence_ops as S

_names = ["ada", "bob", "cyd"]
_entries = {"a": 1, "b": Tensor([1.0, 2.0])}
_nested = {"u": [1, 2, {"v": (3, 4)}], "w": ({"k": 5},)}
_tuple = (1, "b", 3.5)
_t = Tensor(np.arange(6).reshape(2, 3).astype(np.float32))
_beside = {"a": Tensor(1.5), "b": (Tensor([1, 2]), "x"), "c": Tensor([True, False]), "d": None, "f": 1.5, "g": "x"}
_long = {"a": Tensor(np.ones(200, np.float32)), 2: "x"}
_matrix = {"a": _t}
_array = {"a": np.array([1, 2])}
_nested_entries = {"a": {"b": 1.0}, "c": [1, "x"]}
_s = {"b": True, "c": 1e10, "d": 0.1, "f": 123456789.0, "x": {2: 3}, "l": [], "t": ()}


def _ones(*shape):
    return Tensor(np.ones(shape, np.float32))


# --- lists, tuples and dicts of the code outside ---


def names_past_end():
    return _names[5]


def names_item():
    return _names[-1]


def names_float():
    return _names[1.0]


def names_string():
    return _names["x"]


def dict_missing():
    return _entries["zz"]


def dict_int_missing():
    return _entries[3]


def dict_get_missing():
    return _entries.get("zz", 8)


def dict_item():
    return _entries["b"] + 1


def nested_deep():
    return _nested["u"][2]["v"][2]


def nested_deep_ok():
    return _nested["u"][2]["v"][1]


def nested_missing():
    return _nested["w"][0]["q"]


def nested_wrong():
    return _nested["u"]["v"]


def tuple_outside_past():
    return _tuple[3]


def names_index_missing():
    return _names.index("zed")


def names_count():
    return _names.count("bob")


def names_in():
    return "bob" in _names


def names_mul_float():
    return _names * 1.5


def dict_keys_index():
    return _entries.keys()[0]


def dict_values_index():
    return _entries.values()[5]


def dict_items_ok():
    return _entries.items()


def dict_attr():
    return _entries.foo


def dict_call():
    return _entries()


def entry_missing_beside_tensors():
    return _beside["q"]


def entry_missing_beside_a_long_tensor():
    return _long["q"]


def entry_missing_beside_a_matrix():
    return _matrix["q"]


def entry_missing_beside_an_array():
    return _array["q"]


def entry_missing_in_nested():
    return _nested_entries["q"]


def entry_missing_beside_numbers():
    return _s["q"]


def entry_of_true_missing():
    return _s[True]


def entry_missing_in_a_display():
    return {"a": _t}["b"]


# --- line by line, and functions of `ops.functional` ---


def eager_index_none():
    return S.SequenceIndex()((1, 2), 2)


def eager_index_missing():
    return S.SequenceIndex()((1, 2), 5, 0, 2)


def eager_index_list_missing():
    return S.SequenceIndex()([1, 2], 5, 0, 2)


def eager_add_mixed():
    return S.SequenceAdd()((1, 2), [3])


def eager_add_lists():
    return S.SequenceAdd()([1, 2], [3])


def eager_slice_list():
    return S.SequenceSlice()([1, 2, 3], 0, 2, 1)


def eager_t2t_list():
    return S.TupleToTensor()([1, 2], ms.float32)


def eager_l2t_tuple():
    return S.ListToTensor()((1, 2), ms.float32)


def eager_l2t_none():
    return S.ListToTensor()([None], ms.float32)


def eager_tt2():
    return S.TensorToTuple()(_ones(2, 2))


def eager_tt0():
    return S.TensorToTuple()(Tensor(2))


def eager_tti():
    return S.TensorToTuple()(2)


def eager_tl2():
    return S.TensorToList()(_ones(2, 2))


def eager_tl0():
    return S.TensorToList()(Tensor(2))


def eager_ts2():
    return S.TensorToScalar()(_ones(2))


def eager_range3():
    return S.make_range()(0, 5, 2)


def eager_range1():
    return S.make_range()(5)


def eager_shape_mul():
    return S.shape_mul()((2, 3))


def eager_shape_mul_list():
    return S.shape_mul()([2, 3])


def eager_teq():
    return S.tuple_equal()((1,), [1])


def eager_ge_int():
    return S.tuple_greater_equal()((1,), 1)


def functional_make_slice_few(n):
    return F.make_slice(1)


def functional_make_slice_str(s):
    return F.make_slice(s, 1, 1)


def functional_make_dict_one():
    return F.make_entries(("a", "b"))


def functional_make_entries():
    return F.make_entries(("a", "b"), (1, 2))


def functional_tuple_len(t):
    return F.tuple_len(t)


def functional_tuple_len_entries(d):
    return F.tuple_len(d)


def functional_list_len_two(l):
    return F.list_len(l, l)


def functional_tuple_div0(t):
    return F.tuple_div(t, (1, 2, 0))


def functional_tuple_div_odd(t):
    return F.tuple_div(t, (1, 2, 2))


def functional_tuple_div_floats():
    return F.tuple_div((1.0, 2.0), (1.0, 2.0))


def functional_tuple_div_strs():
    return F.tuple_div(("a",), (1,))


def functional_tuple_div_neg():
    return F.tuple_div((-4, 6), (2, -3))


def functional_tuple_div_mut():
    return F.tuple_div(mutable((4, 6)), (2, 3))


def functional_tuple_setitem_tensor(t, k):
    return F.tuple_setitem(t, k, 1)


def functional_tuple_getitem_bool(t):
    return F.tuple_getitem(t, True)


def functional_string_concat_one(s):
    return F.string_concat(s)


def functional_list_equal_tuple(l, t):
    return F.list_equal(l, t)
