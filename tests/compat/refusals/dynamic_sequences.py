"""Refused and odd uses of sequences and numbers that `mutable` marks as variable, of arguments as indices, and of methods that change lists."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportIndexIssue=false, reportCallIssue=false, reportArgumentType=false

from mindspore import jit, mutable
from mindspore.ops import functional as F


# --- items ----------------------------------------------------------------------------------------
def item_past_the_end():
    return mutable((1, 2, 3), True)[5]


def item_before_the_start():
    return mutable([1, 2, 3], True)[-5]


def item_at_a_float():
    return mutable((1, 2, 3), True)[1.0]


def item_at_a_string():
    return mutable([1, 2, 3], True)["a"]


def item_of_an_empty():
    return mutable((), True)[0]


def item_within():
    return mutable((1, 2, 3), True)[mutable(-1)]


def part_by_zero():
    return mutable((1, 2, 3), True)[::0]


def part_within():
    return mutable([1, 2, 3], True)[1:] + [5]


def item_set_past_the_end():
    a = mutable([1, 2], True)
    a[5] = 5
    return a


def item_set_to_a_float():
    a = mutable([1, 2], True)
    a[0] = 0.5
    return a


def item_set_to_an_int():
    a = mutable([1, 2], True)
    a[0] = 5
    return a


def part_set():
    a = mutable([1, 2], True)
    a[0:1] = [7]
    return a


def item_of_a_mutable_tuple_set():
    a = mutable((1, 2))
    a[0] = 5
    return a


def item_of_a_mutable_list_set_to_a_string():
    a = mutable([1, 2, 3])
    a[0] = "a"
    return a


def spread_in_a_call():
    return max(*mutable((1, 2, 3), True))


# --- operators ------------------------------------------------------------------------------------
def sum_with_floats():
    return mutable((1, 2), True) + (0.5,)


def sum_with_mixed():
    return mutable((1, 2), True) + (1, 0.5)


def sum_with_ints():
    return (3,) + mutable((1, 2), True)


def sum_with_a_number():
    return mutable((1, 2), True) + 1


def sum_of_a_list_and_a_tuple():
    return mutable([1, 2], True) + (3,)


def sum_with_a_tensor(x):
    return mutable((1, 2), True) + x


def less_than_a_number():
    return mutable((1, 2), True) < 3


def less_than_floats():
    return mutable((1, 2), True) < (0.5, 3)


def equal_to_strings():
    return mutable((1, 2), True) == ("a", "b")


def times_a_float():
    return mutable([1, 2], True) * 0.5


def times_a_bool():
    return mutable((1, 2), True) * True


def times_an_int():
    return mutable((1, 2), True) * 2


def negated():
    return -mutable([1, 2], True)


def float_within():
    return 0.5 in mutable((1, 2), True)


def string_within():
    return "a" in mutable((1, 2), True)


def bool_within():
    return True in mutable((1, 2), True)


# --- methods --------------------------------------------------------------------------------------
def append_of_a_string():
    a = mutable([1, 2], True)
    a.append("a")
    return a


def append_of_a_tuple():
    a = mutable([1, 2], True)
    a.append((1, 2))
    return a


def append_to_an_empty():
    a = mutable([], True)
    a.append(1)
    return a


def insert_of_a_float():
    a = mutable([1, 2], True)
    a.insert(0, 0.5)
    return a


def pop_of_the_last():
    a = mutable([1, 2], True)
    return a.pop()


def extended():
    a = mutable([1, 2], True)
    a.extend([3])
    return a


def extended_by_a_dynamic():
    a = [1, 2]
    a.extend(mutable([1], True))
    return a


def sorted_in_place():
    a = mutable([2, 1], True)
    a.sort()
    return a


def count_of_a_string():
    return mutable((1, 2), True).count("a")


def index_of_a_missing():
    return mutable((1, 2), True).index(9)


def index_of_a_missing_in_a_mutable():
    return mutable([1, 2, 3]).index(9)


# --- functions ------------------------------------------------------------------------------------
def zipped():
    return list(zip(mutable((1, 2), True), (3, 4)))


def enumerated():
    return list(enumerate(mutable((1, 2), True)))


def mapped():
    return list(map(lambda a: a + 1, mutable((1, 2), True)))


def is_constant_length():
    return F.isconstant(len(mutable((1, 2), True))), F.isconstant(len(mutable((1, 2))))


def unknown_shape():
    return F.is_sequence_shape_unknown(mutable((1, 2), True)), F.is_sequence_value_unknown(mutable((1, 2)))


def of_mixed():
    return mutable((1, "a"), True)


def of_dicts():
    return mutable([{"a": 1}], True)


def of_a_dynamic():
    return mutable(mutable((1, 2), True))


# --- numbers --------------------------------------------------------------------------------------
def range_to_a_mutable_float():
    return range(mutable(0.5))


def range_to_a_mutable():
    return range(mutable(1), 5, mutable(2))


def tuple_item_at_a_mutable():
    return (1, 2, 3)[mutable(7)]


def list_item_at_a_mutable_float():
    return [1, 2][mutable(0.5)]


def list_item_set_at_a_mutable():
    a = [1, 2, 3]
    a[mutable(7)] = 5
    return a


def mixed_list_item_set_at_a_mutable():
    a = [1, 2, 0.5]
    a[mutable(0)] = 5
    return a


def floor_of_a_mutable_by_zero():
    return mutable(3) // 0


def string_times_a_mutable():
    return "ab" * mutable(2)


def dict_item_at_a_mutable():
    return {1: 1}[mutable(1)]


def dict_of_a_mutable_key():
    return {mutable(1): 1}


def mutable_is_constant():
    return F.isconstant(mutable(3))


# --- arguments as indices -------------------------------------------------------------------------
def tuple_item_at_an_argument(t, n):
    return t[n]


def list_item_at_an_argument(l, n):
    return l[n]


def dict_item_at_an_argument(d, s):
    return d[s]


@jit
def _item(x, k):
    return x[k]


def eager_item_at_an_argument():
    return [_item((1, 2, 3), k) for k in (0, -1, 2, -3)]


def eager_item_of_a_list_past_the_end():
    return _item([1, 2, 3], 7)


# --- lists ----------------------------------------------------------------------------------------
def removed():
    a = [1, 2, 3]
    a.remove(2)
    return a


def removed_of_a_missing():
    a = [1, 2, 3]
    a.remove(7)
    return a


def sorted_backwards(l):
    l.sort(reverse=True)
    return l


def added_tuple():
    a = [3, 2, 1]
    a += (1,)
    return a


def extend_gives_the_list():
    a = [1, 2]
    return a.extend([3])


def item_of_an_empty_list_set():
    a = []
    a[0] = 1
    return a


def item_set_at_a_bool(l):
    l[True] = 7
    return l


def tensor_index_of_itself(x):
    return [1, x].index(x)


def all_of_tensors(x):
    return all([x, x])


def enumerated_from():
    return list(enumerate((1, 2), start=5))


def dict_of_ints():
    return dict([1, 2])
