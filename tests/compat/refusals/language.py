"""Refused and odd uses of the language in compiled code: items, attributes, names, unpacking, calls, branches."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, jit, mutable, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F


# --- items ----------------------------------------------------------------------------------------
def tuple_item_past_the_end(t):
    return t[3]


def tuple_item_before_the_start(t):
    return t[-4]


def list_item_past_the_end(l):
    return l[3]


def list_item_before_the_start(l):
    return l[-4]


def tuple_item_of_a_float(t):
    return t[1.0]


def tuple_item_of_a_string(t):
    return t["a"]


def tuple_item_of_none(t):
    return t[None]


def list_item_of_a_float(l):
    return l[0.5]


def list_item_of_a_string(l):
    return l["a"]


def list_item_of_a_tuple(l):
    return l[(0, 1)]


def tuple_item_of_a_tensor(t, k):
    return t[k]


def tuple_item_of_a_long_tensor(t, i):
    return t[i]


def empty_tuple_item():
    return ()[0]


def empty_list_item():
    return [][0]


def dict_item_of_no_key(d):
    return d["c"]


def dict_item_of_an_int(d):
    return d[0]


def string_item_past_the_end(s):
    return s[5]


def string_item_of_a_string(s):
    return s["a"]


def string_item(s):
    return s[1]


def int_item(n):
    return n[0]


def float_item(r):
    return r[0]


def none_item():
    return None[0]


def function_item():
    return len[0]


def tensor_item_past_the_end(x):
    return x[5]


def tensor_item_of_too_many(x):
    return x[0, 0, 0]


def tensor_item_of_a_string(x):
    return x["a"]


def tensor_item_of_a_float(x):
    return x[0.5]


def tensor_item_of_a_dict(x, d):
    return x[d]


def scalar_tensor_item(k):
    return k[0]


def tensor_slice_by_zero(x):
    return x[::0]


def tensor_slice_by_a_string(x):
    return x["a":]


def tensor_slice_by_a_float(x):
    return x[0.5:]


def tensor_item_of_an_unlike_mask(x, b):
    return x[b, b]


def tuple_slice_by_a_string(t):
    return t["a":]


def tuple_slice_by_a_float(t):
    return t[0.5:]


def tuple_slice_by_zero(t):
    return t[::0]


def list_slice_by_a_float(l):
    return l[:1.5]


def list_slice_by_zero(l):
    return l[::0]


def string_slice_by_zero(s):
    return s[::0]


def tuple_item_set(t):
    t[0] = 1
    return t


def list_item_set_past_the_end(l):
    l = [1, 2]
    l[5] = 1
    return l


def list_item_set_by_a_string():
    l = [1, 2]
    l["a"] = 1
    return l


def string_item_set(s):
    s[0] = "b"
    return s


def int_item_set(n):
    n[0] = 1
    return n


def none_item_set():
    v = None
    v[0] = 1
    return v


def tensor_item_set_past_the_end(x):
    x[7] = 1
    return x


def tensor_item_set_to_a_string(x):
    x[0] = "a"
    return x


def tensor_item_set_to_none(x):
    x[0] = None
    return x


def tensor_item_set_to_an_unlike_shape(x, z):
    x[0] = z
    return x


def tensor_item_set_by_a_string(x):
    x["a"] = 1
    return x


# --- methods of containers ------------------------------------------------------------------------
def list_pop_of_nothing():
    l = []
    return l.pop()


def list_pop_past_the_end():
    l = [1, 2]
    return l.pop(5)


def list_append_of_two():
    l = [1]
    l.append(1, 2)
    return l


def list_insert_by_a_string():
    l = [1]
    l.insert("a", 1)
    return l


def list_extend_by_an_int():
    l = [1]
    l.extend(1)
    return l


def list_remove_of_what_is_not_there():
    l = [1]
    l.remove(5)
    return l


def list_index_of_what_is_not_there(l):
    return l.index(7)


def list_count(l):
    return l.count(1)


def tuple_index_of_what_is_not_there(t):
    return t.index(7)


def tuple_append(t):
    t.append(1)
    return t


def list_of_no_method(l):
    return l.nonesuch()


def tuple_of_no_method(t):
    return t.nonesuch()


def dict_of_no_method(d):
    return d.nonesuch()


def string_of_no_method(s):
    return s.nonesuch()


def int_of_no_method(n):
    return n.nonesuch()


def none_of_no_method():
    return None.nonesuch()


def dict_update_by_an_int():
    d = {"a": 1}
    d.update(1)
    return d


def dict_get_of_nothing(d):
    return d.get()


def dict_get_of_no_key(d):
    return d.get("c")


def dict_pop_of_no_key():
    d = {"a": 1}
    return d.pop("c")


def dict_from_keys_of_an_int():
    return dict.fromkeys(1)


def dict_of_an_int():
    return dict(1)


def dict_with_a_list_key():
    return {[1]: 2}


def dict_with_an_int_key():
    return {1: 2}


def dict_with_a_tensor_key(x):
    return {x: 2}


# --- unpacking and calls --------------------------------------------------------------------------
def unpacking_too_few(t):
    a, b, c, d = t
    return a


def unpacking_too_many(t):
    a, b = t
    return a


def unpacking_an_int(n):
    a, b = n
    return a


def unpacking_none():
    a, b = None
    return a


def unpacking_a_tensor_of_more_rows(x):
    a, b, c = x
    return a


def unpacking_a_scalar_tensor(k):
    a, b = k
    return a


def unpacking_a_string(s):
    a, b = s
    return a


def loop_over_an_int(n):
    for k in n:
        pass
    return n


def loop_over_none():
    for k in None:
        pass
    return 1


def loop_over_a_float(r):
    for k in r:
        pass
    return r


def loop_over_a_scalar_tensor(k):
    for j in k:
        pass
    return k


def loop_over_a_string(s):
    out = 0
    for c in s:
        out += 1
    return out


def calling_an_int(n):
    return n(1)


def calling_a_tensor(x):
    return x(1)


def calling_none():
    return None(1)


def calling_a_string(s):
    return s(1)


def calling_a_tuple(t):
    return t(1)


def _two(a, b):
    return a + b


def calling_with_too_few(x):
    return _two(x)


def calling_with_too_many(x):
    return _two(x, x, x)


def calling_by_an_unknown_keyword(x):
    return _two(x, c=x)


def calling_with_a_value_twice(x):
    return _two(x, a=x)


def calling_with_a_starred_int(n):
    return _two(*n)


def calling_with_double_starred_tuple(t):
    return _two(**t)


def undefined_name():
    return undefined


def undefined_function(x):
    return undefined_function_of(x)


def used_before_assignment(x):
    y = late + 1
    late = x
    return y


def assigned_in_one_branch(x):
    if x.sum() > 100:
        out = 1
    return out


def attribute_of_an_int(n):
    return n.shape


def attribute_of_a_list(l):
    return l.shape


def attribute_of_none():
    return None.shape


def attribute_of_a_tuple(t):
    return t.shape


def attribute_of_a_string(s):
    return s.shape


def getattr_of_what_is_missing(x):
    return getattr(x, "nonesuch")


def getattr_with_a_default(x):
    return getattr(x, "nonesuch", 5)


def getattr_by_an_int(x):
    return getattr(x, 1)


def hasattr_of_what_is_missing(x):
    return hasattr(x, "nonesuch")


def setattr_of_a_tensor(x):
    x.nonesuch = 1
    return x


def setattr_of_an_int(n):
    n.a = 1
    return n


# --- builtins -------------------------------------------------------------------------------------
def len_of_an_int(n):
    return len(n)


def len_of_a_float(r):
    return len(r)


def len_of_none():
    return len(None)


def len_of_a_bool():
    return len(True)


def len_of_a_scalar_tensor(k):
    return len(k)


def len_of_two(l):
    return len(l, l)


def len_of_a_string(s):
    return len(s)


def int_of_a_string(s):
    return int(s)


def int_of_none():
    return int(None)


def int_of_a_list(l):
    return int(l)


def int_of_a_tensor(x):
    return int(x)


def float_of_a_string(s):
    return float(s)


def float_of_none():
    return float(None)


def float_of_a_tensor(x):
    return float(x)


def bool_of_a_tensor(x):
    return bool(x)


def bool_of_none():
    return bool(None)


def str_of_an_int(n):
    return str(n)


def abs_of_a_string(s):
    return abs(s)


def abs_of_none():
    return abs(None)


def abs_of_a_list(l):
    return abs(l)


def sum_of_an_int(n):
    return sum(n)


def sum_of_strings():
    return sum(["a", "b"])


def sum_of_a_list(l):
    return sum(l)


def max_of_nothing():
    return max()


def max_of_an_int(n):
    return max(n)


def max_of_an_empty_list():
    return max([])


def max_of_mixed():
    return max(1, "a")


def min_of_none():
    return min(None)


def max_of_tensors(x):
    return max(x, x)


def round_of_a_string(s):
    return round(s)


def round_of_none():
    return round(None)


def pow_of_strings(s):
    return pow(s, 2)


def divmod_of_strings(s):
    return divmod(s, 2)


def enumerate_of_an_int(n):
    return list(enumerate(n))


def enumerate_from_a_string(l):
    return list(enumerate(l, "a"))


def zip_of_an_int(n):
    return list(zip(n))


def zip_of_nothing():
    return list(zip())


def zip_of_unlike_lengths(l):
    return list(zip(l, (1, 2)))


def map_of_an_int(n):
    return list(map(len, n))


def map_of_no_function(l):
    return list(map(1, l))


def filter_of_an_int(n):
    return list(filter(None, n))


def reversed_of_an_int(n):
    return list(reversed(n))


def sorted_of_an_int(n):
    return sorted(n)


def sorted_of_mixed():
    return sorted([1, "a"])


def list_of_an_int(n):
    return list(n)


def tuple_of_an_int(n):
    return tuple(n)


def tuple_of_none():
    return tuple(None)


def list_of_a_string(s):
    return list(s)


def list_of_a_scalar_tensor(k):
    return list(k)


def all_of_an_int(n):
    return all(n)


def any_of_none():
    return any(None)


def isinstance_of_no_type(x):
    return isinstance(x, 1)


def isinstance_of_a_string_type(x):
    return isinstance(x, "Tensor")


def isinstance_of_one(x):
    return isinstance(x)


def isinstance_of_a_list_of_types(x):
    return isinstance(x, [int, float])


def issubclass_of_an_int():
    return issubclass(1, int)


def type_of_a_tensor(x):
    return type(x)


def type_of_an_int(n):
    return type(n)


def print_of_a_tensor(x):
    print(x.shape)
    return 1


def iter_of_an_int(n):
    return next(iter(n))


def next_of_a_list(l):
    return next(l)


def slice_of_nothing():
    return slice()


def set_of_a_list(l):
    return set(l)


def set_of_an_int(n):
    return set(n)


def format_of_too_few():
    return "{} {}".format(1)


def format_of_a_missing_name():
    return "{a}".format(b=1)


def percent_of_too_few():
    return "%d %d" % 1


def percent_of_a_string_as_int():
    return "%d" % "a"


def join_of_ints(l):
    return ",".join(l)


def split_by_an_int(s):
    return s.split(1)


def upper(s):
    return s.upper()


def string_find(s):
    return s.find("c")


# --- branches and raises --------------------------------------------------------------------------
def branches_of_unlike_shapes(x, y):
    if x.sum() > 0:
        return x
    return y


def branches_of_unlike_dtypes(x, i):
    if x.sum() > 0:
        out = x
    else:
        out = i
    return out


def branches_of_a_tensor_and_none(x):
    if x.sum() > 0:
        return x
    return None


def branches_of_a_tensor_and_an_int(x):
    if x.sum() > 0:
        return x
    return 1


def branches_of_a_tuple_and_a_tensor(x):
    if x.sum() > 0:
        return (x, x)
    return x


def branches_of_unlike_tuples(x):
    if x.sum() > 0:
        return (x, x)
    return (x,)


def branches_of_a_string_and_an_int(x):
    if x.sum() > 0:
        return "a"
    return 1


def while_that_changes_the_shape(x):
    k = Tensor(0)
    while k < 3:
        x = ops.concat((x, x))
        k = k + 1
    return x


def raise_of_value_error(x):
    raise ValueError("this is wrong")


def raise_of_type_error_with_numbers(n):
    raise TypeError(f"not {n}")


def raise_of_two_arguments():
    raise ValueError("a", "b")


def raise_of_a_bare_class():
    raise ValueError


def raise_of_index_error_by_condition(x):
    if x.shape[0] == 2:
        raise IndexError("two rows")
    return x


def raise_of_runtime_error_by_value(x):
    if x.sum() > 1:
        raise RuntimeError("too large")
    return x


def raise_of_an_int():
    raise 1


def assert_of_false():
    assert False


def assert_of_false_with_a_message(n):
    assert n == 5, "n is not 5"
    return n


def recursion_without_end(x):
    return recursion_without_end(x)


def star_unpacking(t):
    a, *b = t
    return b


def global_statement(x):
    global counter
    counter = 1
    return x


def lambda_of_too_few(x):
    return (lambda a, b: a)(x)


def comprehension_over_an_int(n):
    return [k for k in n]


def comprehension_over_none():
    return [k for k in None]


def dict_comprehension_over_an_int(n):
    return {k: 1 for k in n}


def conditional_expression_of_a_tensor(x):
    return 1 if x else 2


def with_of_an_int(n):
    with n:
        pass
    return n


def delete_of_a_name(x):
    del x
    return x


def asnumpy_in_a_graph(x):
    return x.asnumpy().sum()


def numpy_of_a_tensor(x):
    return np.sum(x)


def numpy_array_of_strings():
    return np.array(["a", "b"])


def numpy_array_of_strings_indexed():
    return np.array(["a", "b"])[0]


def tensor_of_strings():
    return Tensor(["a", "b"])


def tensor_of_a_string():
    return Tensor("a")


def tensor_of_none():
    return Tensor(None)


def tensor_of_a_dict(d):
    return Tensor(d)


def tensor_of_a_bad_dtype():
    return Tensor([1, 2], "nonesuch")


def tensor_of_ragged_lists():
    return Tensor([[1, 2], [3]])


def tensor_of_a_numpy_dtype():
    return Tensor([1, 2], np.float32)


def mutable_of_a_string():
    return mutable("a")


def mutable_of_none():
    return mutable(None)


def mutable_of_a_tuple_with_a_string():
    return mutable((1, "a"))


def mutable_of_an_int_of_dynamic_length():
    return mutable(1, True)


def mutable_of_dynamic_length_by_an_int():
    return mutable((1, 2), 1)
