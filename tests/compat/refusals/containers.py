"""Methods of containers, unpacking, calls, Python's functions, Tensors and mutable values made in compiled code."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, jit, mutable, nn, ops


def list_pop_two():
    l = [1, 2]
    return l.pop(0, 1)


def list_pop_neg():
    l = [1, 2, 3]
    return l.pop(-4)


def list_pop_str():
    l = [1, 2, 3]
    return l.pop("a")


def list_pop_float():
    l = [1, 2, 3]
    return l.pop(1.0)


def list_pop_none():
    l = [1, 2, 3]
    return l.pop(None)


def list_pop_arg_list(l):
    return l.pop(7)


def list_pop_tensor_list(x):
    l = [x, x]
    return l.pop(3)


def list_pop_strings():
    l = ["a", "b"]
    return l.pop(2)


def list_pop_nested():
    l = [[1], [2]]
    return l.pop(2)


def list_append_none():
    l = [1]
    l.append()
    return l


def list_append_kw():
    l = [1]
    l.append(x=1)
    return l


def list_append_three():
    l = []
    l.append(1, 2, 3)
    return l


def list_insert_one():
    l = [1]
    l.insert(0)
    return l


def list_insert_three():
    l = [1]
    l.insert(0, 1, 2)
    return l


def list_insert_float():
    l = [1]
    l.insert(0.5, 1)
    return l


def list_insert_none():
    l = [1]
    l.insert(None, 1)
    return l


def list_insert_far():
    l = [1, 2]
    l.insert(9, 3)
    l.insert(-9, 4)
    return l


def list_insert_tensor(k):
    l = [1, 2]
    l.insert(k, 3)
    return l


def list_insert_list():
    l = [1, 2]
    l.insert([0], 3)
    return l


def list_insert_empty():
    l = []
    l.insert("a", 3)
    return l


def list_insert_on_tensors(x):
    l = [x]
    l.insert("a", 3)
    return l


def list_extend_none():
    l = [1]
    l.extend(None)
    return l


def list_extend_nothing():
    l = [1]
    l.extend()
    return l


def list_extend_two():
    l = [1]
    l.extend([1], [2])
    return l


def list_extend_str():
    l = [1]
    l.extend("ab")
    return l


def list_extend_float():
    l = [1]
    l.extend(1.5)
    return l


def list_extend_tensor(x):
    l = [1]
    l.extend(x)
    return l


def list_extend_dict(d):
    l = [1]
    l.extend(d)
    return l


def list_extend_tuple(t):
    l = [1]
    l.extend(t)
    return l


def list_extend_bool():
    l = [1]
    l.extend(True)
    return l


def list_extend_to_empty_int():
    l = []
    l.extend(3)
    return l


def list_extend_range():
    l = [1]
    l.extend(range(3))
    return l


def list_index_float(l):
    return l.index(7.5)


def list_index_str(l):
    return l.index("a")


def list_index_none(l):
    return l.index(None)


def list_index_tensor(l, x):
    return l.index(x)


def list_index_nothing(l):
    return l.index()


def list_index_start(l):
    return l.index(1, 1)


def list_index_start_end(l):
    return l.index(1, 1, 2)


def list_index_start_ok(l):
    return l.index(2, 1)


def list_index_start_str(l):
    return l.index(1, "a")


def list_index_start_float(l):
    return l.index(1, 0.5)


def list_tindex_float(t):
    return t.index(7.5)


def list_tindex_str(t):
    return t.index("a")


def list_tindex_start(t):
    return t.index(1, 1)


def list_tindex_nothing(t):
    return t.index()


def list_tindex_ok(t):
    return t.index(2)


def list_index_local():
    l = [1, 2]
    return l.index(5)


def list_index_strings():
    return ["a", "b"].index("c")


def list_index_empty():
    return [].index(1)


def list_tindex_empty():
    return ().index(1)


def list_index_in_tuple_list():
    return [(1, 2), (3, 4)].index((5, 6))


def list_count_nothing(l):
    return l.count()


def list_count_two(l):
    return l.count(1, 2)


def list_count_str(l):
    return l.count("a")


def list_tcount_nothing(t):
    return t.count()


def list_tcount(t):
    return t.count(2)


def list_remove_nothing():
    l = [1]
    l.remove()
    return l


def list_clear_one():
    l = [1, 2]
    l.clear(1)
    return l


def list_clear_ok():
    l = [1, 2]
    l.clear()
    return l


def list_reverse_one():
    l = [1, 2]
    l.reverse(1)
    return l


def list_reverse_ok():
    l = [1, 2]
    l.reverse()
    return l


def list_sort_mixed():
    l = [2, "a"]
    l.sort()
    return l


def list_copy_ok(l):
    return l.copy()


def list_copy_one(l):
    return l.copy(1)


def list_extend_self():
    l = [1, 2]
    l.extend(l)
    return l


def list_append_result():
    l = [1, 2]
    return l.append(3)


def list_del_item():
    l = [1, 2]
    del l[0]
    return l


def list_del_attr(x):
    del x.a
    return x


def list_del_two(x):
    y = x
    del x, y
    return 1


def list_del_in_branch(x):
    y = 1
    if x.shape[0] == 2:
        del y
    return x


def list_del_in_loop(x):
    for i in range(2):
        y = 1
        del y
    return x


def list_list_mul_str():
    return [1] * "a"


def list_list_add_int():
    return [1] + 1


def list_list_add_tuple():
    return [1] + (1,)


def dict_get_three(d):
    return d.get("a", 1, 2)


def dict_get_default(d):
    return d.get("c", 5)


def dict_get_int(d):
    return d.get(0)


def dict_get_tensor(d, x):
    return d.get(x)


def dict_get_list(d):
    return d.get([1])


def dict_get_kw(d):
    return d.get(key="a")


def dict_keys_one(d):
    return d.keys(1)


def dict_keys_ok(d):
    return d.keys()


def dict_values_ok(d):
    return d.values()


def dict_items_ok(d):
    return d.items()


def dict_values_one(d):
    return d.values(1)


def dict_items_one(d):
    return d.items(1)


def dict_update_nothing():
    d = {"a": 1}
    d.update()
    return d


def dict_update_list():
    d = {"a": 1}
    d.update([1, 2])
    return d


def dict_update_str():
    d = {"a": 1}
    d.update("ab")
    return d


def dict_update_none():
    d = {"a": 1}
    d.update(None)
    return d


def dict_update_tensor(x):
    d = {"a": 1}
    d.update(x)
    return d


def dict_update_pairs():
    d = {"a": 1}
    d.update([("b", 2)])
    return d


def dict_update_kw():
    d = {"a": 1}
    d.update(b=2)
    return d


def dict_update_two():
    d = {"a": 1}
    d.update({"b": 2}, {"c": 3})
    return d


def dict_update_ok():
    d = {"a": 1}
    d.update({"b": 2})
    return d


def dict_update_float():
    d = {"a": 1}
    d.update(0.5)
    return d


def dict_update_arg_int(n):
    d = {"a": 1}
    d.update(n)
    return d


def dict_update_tuple(t):
    d = {"a": 1}
    d.update(t)
    return d


def dict_clear_one():
    d = {"a": 1}
    d.clear(1)
    return d


def dict_clear_ok():
    d = {"a": 1}
    d.clear()
    return d


def dict_fromkeys_str():
    return dict.fromkeys("ab")


def dict_d_fromkeys(d):
    return d.fromkeys(["x", "y"], 1)


def dict_pop_default():
    d = {"a": 1}
    return d.pop("c", 7)


def dict_popitem():
    d = {"a": 1}
    return d.popitem()


def dict_copy_dict(d):
    return d.copy()


def dict_key_dict():
    return {{"a": 1}: 2}


def dict_key_set():
    return {{1}: 2}


def dict_key_none():
    return {None: 2}


def dict_key_tuple():
    return {(1, 2): 2}


def dict_key_tuple_list():
    return {(1, [2]): 2}


def dict_key_float():
    return {1.5: 2}


def dict_key_bool():
    return {True: 2}


def dict_key_type():
    return {int: 2}


def dict_key_list_arg(l):
    return {l: 2}


def dict_key_list_str():
    return {["a"]: 2}


def dict_key_list_tensor(x):
    return {[x]: 2}


def dict_key_tuple_tensor(x):
    return {(x, 1): 2}


def dict_key_empty_list():
    return {[]: 2}


def dict_key_const_tensor():
    return {Tensor(1): 2}


def dict_key_slice():
    return {slice(1): 2}


def dict_key_function():
    return {len: 2}


def dict_key_lambda():
    return {(lambda a: a): 2}


def dict_set_list_key():
    d = {"a": 1}
    d[[1]] = 2
    return d


def dict_set_tensor_key(x):
    d = {"a": 1}
    d[x] = 2
    return d


def dict_set_key_ok():
    d = {"a": 1}
    d["b"] = 2
    return d


def dict_set_int_key():
    d = {"a": 1}
    d[3] = 2
    return d


def dict_item_list_key(d):
    return d[[1]]


def dict_item_tensor_key(d, x):
    return d[x]


def dict_item_none_key(d):
    return d[None]


def dict_item_tuple_key(d):
    return d[("a", 1)]


def dict_item_slice_key(d):
    return d[0:1]


def dict_item_after_int_keys():
    return {1: 2, 2: 3}[5]


def dict_item_mixed_values(x):
    return {"a": x}["b"]


def dict_item_nested():
    return {"a": {"b": 1}}["a"]["c"]


def dict_item_list_value():
    return {"a": [1, 2], "b": (3,)}["c"]


def dict_item_str_value():
    return {"a": "q"}["c"]


def dict_item_none_value():
    return {"a": None}["c"]


def dict_item_float_value():
    return {"a": 0.5}["c"]


def dict_dict_add(d):
    return d + d


def dict_dict_or(d):
    return d | d


def dict_dict_len(d):
    return len(d)


def dict_dict_in(d):
    return "a" in d


def dict_dict_loop(d):
    out = 0
    for k in d:
        out = out + d[k]
    return out


def dict_dict_call():
    return dict(a=1, b=2)


def dict_dict_of_pairs():
    return dict([("a", 1)])


def dict_dict_of_dict(d):
    return dict(d)


def dict_dict_of_none():
    return dict(None)


def dict_dict_of_two(d):
    return dict(d, d)


def dict_dict_comp():
    return {str(k): k for k in range(3)}


def dict_dict_star(d):
    return {**d, "c": 3}


def dict_dict_eq(d):
    return d == {"a": 1}


def dict_dict_less(d):
    return d < d


def dict_dict_mul(d):
    return d * 2


def dict_dict_unpack(d):
    a, b = d
    return a


def dict_dict_bool(d):
    if d:
        return 1
    return 2


def dict_dict_neg(d):
    return -d


def dict_dict_not(d):
    return not d


def dict_dict_key_dup():
    return {"a": 1, "a": 2}


def _two(a, b):
    return a + b


def _opt(a, b=2):
    return a + b


def _var(*a):
    return len(a)


def _kwonly(a, *, b):
    return a + b


def _kwargs(**k):
    return k


def unpacking_four(t):
    a, b, c, d = t
    return a


def unpacking_two_list(l):
    a, b = l
    return b


def unpacking_one_list(l):
    (a,) = l
    return a


def unpacking_empty():
    a, b = ()
    return a


def unpacking_empty_list():
    a, b = []
    return a


def unpacking_dict(d):
    a, b = d
    return a


def unpacking_str_few(s):
    a, b, c, e = s
    return a


def unpacking_str_ok(s):
    a, b, c = s
    return a + c


def unpacking_tensor(x):
    a, b = x
    return b


def unpacking_tensor_less(x):
    (a,) = x
    return a


def unpacking_tensor_more(x):
    a, b, c, d = x
    return a


def unpacking_float(r):
    a, b = r
    return a


def unpacking_bool():
    a, b = True
    return a


def unpacking_range():
    a, b = range(3)
    return b


def unpacking_range_more():
    a, b, c, d = range(3)
    return b


def unpacking_zip(t):
    a, b = zip(t, t)
    return b


def unpacking_map(t):
    a, b = map(lambda v: v + 1, t)
    return b


def unpacking_enumerate(t):
    a, b = enumerate(t)
    return b


def unpacking_function():
    a, b = len
    return a


def unpacking_nested():
    (a, b), c = (1, 2, 3), 4
    return b


def unpacking_nested_int():
    (a, b), c = 1, 2
    return b


def unpacking_array(a):
    p, q = a
    return p


def unpacking_literal():
    a, b = 1, 2, 3
    return b


def unpacking_call(x):
    a, b = _two(x, x)
    return b


def unpacking_star_int(n):
    a, *b = n
    return a


def unpacking_star_tensor(x):
    a, *b = x
    return b


def unpacking_star_str(s):
    a, *b = s
    return b


def unpacking_star_list(l):
    *a, b = l
    return a, b


def calling_star_float(r):
    return _two(*r)


def calling_star_none():
    return _two(*None)


def calling_star_str():
    return _two(*"ab")


def calling_star_tuple(t):
    return _two(*t)


def calling_star_tuple_few():
    return _two(*(1,))


def calling_star_ok():
    return _two(*(1, 2))


def calling_star_list(l):
    return _two(*l)


def calling_star_range():
    return _two(*range(2))


def calling_star_mixed(x):
    return _two(1, *(x,))


def calling_star_bool():
    return _two(*True)


def calling_dstar_ok():
    return _two(**{"a": 1, "b": 2})


def calling_dstar_bad_key():
    return _two(**{"a": 1, "c": 2})


def calling_dstar_few():
    return _two(**{"a": 1})


def calling_dstar_dup():
    return _two(1, **{"a": 1, "b": 2})


def calling_dstar_int(n):
    return _two(**n)


def calling_dstar_none():
    return _two(**None)


def calling_dstar_list(l):
    return _two(**l)


def calling_dstar_str():
    return _two(**"ab")


def calling_opt_none():
    return _opt()


def calling_opt_unknown(x):
    return _opt(x, c=1)


def calling_opt_kw(x):
    return _opt(b=x)


def calling_var(x):
    return _var(x, x, x)


def calling_kwonly(x):
    return _kwonly(x, b=1)


def calling_kwonly_missing(x):
    return _kwonly(x)


def calling_kwargs(x):
    return _kwargs(a=1)


def calling_list(l):
    return l(1)


def calling_dict(d):
    return d(1)


def calling_bool():
    return True(1)


def calling_float(r):
    return r()


def calling_item(t):
    return t[0](1)


def calling_result(x):
    return _two(x, x)(1)


def calling_module(x):
    return np(x)


def calling_dtype(x):
    return ms.float32(x)


def calling_attr_int(x):
    return x.shape(0)


def calling_ndim(x):
    return x.ndim()


def calling_dtype_attr(x):
    return x.dtype()


def calling_lambda_many(x):
    return (lambda a: a)(x, x)


def calling_lambda_kw(x):
    return (lambda a: a)(b=x)


def calling_lambda_none():
    return (lambda a: a)()


def calling_method_missing(x):
    return x.foo()


def calling_method_list_missing(l):
    return l.foo


def calling_module_missing(x):
    return np.nonesuch(x)


def calling_ops_missing(x):
    return ops.nonesuch(x)


def calling_ms_missing(x):
    return ms.nonesuch(x)


def calling_nn_missing(x):
    return nn.Nonesuch()(x)


def builtin_divmod(n):
    return divmod(7, n)


def builtin_divmod_float(r):
    return divmod(7, r)


def builtin_divmod_zero():
    return divmod(7, 0)


def builtin_divmod_none():
    return divmod(7, None)


def builtin_divmod_one():
    return divmod(7)


def builtin_divmod_three():
    return divmod(7, 2, 1)


def builtin_divmod_tensor(x):
    return divmod(x, 2)


def builtin_divmod_list(l):
    return divmod(l, 2)


def builtin_divmod_str_str():
    return divmod("a", "b")


def builtin_map_none(l):
    return list(map(None, l))


def builtin_map_str(l):
    return list(map("a", l))


def builtin_map_one():
    return list(map(len))


def builtin_map_nothing():
    return list(map())


def builtin_map_two(l, t):
    return list(map(lambda a, b: a + b, l, t))


def builtin_map_unlike():
    return list(map(lambda a, b: a + b, [1, 2], [1, 2, 3]))


def builtin_map_str_seq():
    return list(map(lambda a: a, "ab"))


def builtin_map_dict(d):
    return list(map(lambda a: a, d))


def builtin_map_tensor(x):
    return list(map(lambda a: a + 1, x))


def builtin_map_none_seq():
    return list(map(len, None))


def builtin_map_float(r):
    return list(map(len, r))


def builtin_map_return(l):
    return map(lambda a: a + 1, l)


def builtin_map_tuple_list(t):
    return map(lambda a: a + 1, t)


def builtin_map_int_list(l):
    return list(map(5, l))


def builtin_zip_int_list(n, l):
    return list(zip(n, l))


def builtin_zip_none():
    return list(zip(None))


def builtin_zip_tensor(x):
    return list(zip(x, x))


def builtin_zip_str(s, t):
    return list(zip(s, t))


def builtin_zip_dict(d):
    return list(zip(d, d))


def builtin_zip_float(r):
    return zip(r)


def builtin_zip_return(t):
    return zip(t, t)


def builtin_zip_strict(t):
    return list(zip(t, t, strict=True))


def builtin_filter(l):
    return list(filter(lambda v: v > 1, l))


def builtin_filter_none(l):
    return list(filter(None, l))


def builtin_filter_one():
    return list(filter(len))


def builtin_filter_three(l):
    return list(filter(len, l, l))


def builtin_filter_none_seq():
    return list(filter(len, None))


def builtin_filter_str(s):
    return list(filter(lambda c: c == "a", s))


def builtin_filter_int_fn(l):
    return list(filter(1, l))


def builtin_filter_dict(d):
    return list(filter(lambda k: k == "a", d))


def builtin_enum(l):
    return list(enumerate(l))


def builtin_enum_start(l):
    return list(enumerate(l, 2))


def builtin_enum_nothing():
    return list(enumerate())


def builtin_enum_float(r):
    return enumerate(r)


def builtin_enum_str(s):
    return list(enumerate(s))


def builtin_enum_dict(d):
    return list(enumerate(d))


def builtin_enum_tensor(x):
    return list(enumerate(x))


def builtin_enum_scalar_tensor(k):
    return list(enumerate(k))


def builtin_enum_none():
    return enumerate(None)


def builtin_enum_start_float(l):
    return list(enumerate(l, 0.5))


def builtin_enum_start_none(l):
    return list(enumerate(l, None))


def builtin_enum_return(t):
    return enumerate(t)


def builtin_next_list(l):
    return next(l)


def builtin_next_tuple(t):
    return next(t)


def builtin_next_iter(l):
    return next(iter(l))


def builtin_next_empty():
    return next(iter([]))


def builtin_next_default():
    return next(iter([]), 5)


def builtin_next_int(n):
    return next(n)


def builtin_next_none():
    return next(None)


def builtin_next_str(s):
    return next(s)


def builtin_next_tensor(x):
    return next(x)


def builtin_next_dict(d):
    return next(d)


def builtin_next_nothing():
    return next()


def builtin_iter_none():
    return iter(None)


def builtin_iter_list(l):
    return iter(l)


def builtin_iter_str(s):
    return iter(s)


def builtin_iter_nothing():
    return iter()


def builtin_reversed_list(l):
    return list(reversed(l))


def builtin_reversed_none():
    return list(reversed(None))


def builtin_reversed_str(s):
    return list(reversed(s))


def builtin_reversed_tensor(x):
    return list(reversed(x))


def builtin_reversed_two(l):
    return list(reversed(l, l))


def builtin_sorted(l):
    return sorted(l)


def builtin_sorted_rev(l):
    return sorted(l, reverse=True)


def builtin_sorted_key(l):
    return sorted(l, key=lambda v: -v)


def builtin_sorted_none():
    return sorted(None)


def builtin_sorted_str(s):
    return sorted(s)


def builtin_sorted_nothing():
    return sorted()


def builtin_all_list(l):
    return all(l)


def builtin_all_nothing():
    return all()


def builtin_any_two(l):
    return any(l, l)


def builtin_any_tensor(b):
    return any(b)


def builtin_isinstance_tuple(n):
    return isinstance(n, (int, str))


def builtin_isinstance_tuple_bad(n):
    return isinstance(n, (int, 3))


def builtin_isinstance_three(n):
    return isinstance(n, int, str)


def builtin_isinstance_none(x):
    return isinstance(x, None)


def builtin_isinstance_tensor(x):
    return isinstance(x, Tensor)


def builtin_isinstance_kw(x):
    return isinstance(x, classinfo=int)


def builtin_isinstance_float(x):
    return isinstance(x, 0.5)


def builtin_isinstance_var(x):
    return isinstance(x, x)


def builtin_isinstance_ms(x):
    return isinstance(x, ms.float32)


def builtin_isinstance_fn(x):
    return isinstance(x, len)


def builtin_issubclass(x):
    return issubclass(int, object)


def builtin_issubclass_one():
    return issubclass(int)


def builtin_issubclass_str():
    return issubclass(int, "a")


def builtin_type_eq(n):
    return type(n) == int


def builtin_type_tensor_eq(x):
    return type(x) == Tensor


def builtin_type_none():
    return type(None)


def builtin_type_list(l):
    return type(l)


def builtin_type_str(s):
    return type(s)


def builtin_type_nothing():
    return type()


def builtin_type_two(x):
    return type(x, x)


def builtin_type_function():
    return type(len)


def builtin_type_tuple(t):
    return type(t)


def builtin_type_dict(d):
    return type(d)


def builtin_type_float(r):
    return type(r)


def builtin_type_call(n):
    return type(n)(2.5)


def builtin_type_name(n):
    return type(n).__name__


def builtin_callable(x):
    return callable(x)


def builtin_callable_fn():
    return callable(len)


def builtin_hash(n):
    return hash(n)


def builtin_ord(s):
    return ord(s)


def builtin_ord_a():
    return ord("a")


def builtin_ord_int(n):
    return ord(n)


def builtin_chr(n):
    return chr(n)


def builtin_chr_str(s):
    return chr(s)


def builtin_bin(n):
    return bin(n)


def builtin_bin_float(r):
    return bin(r)


def builtin_hex_str(s):
    return hex(s)


def builtin_oct(n):
    return oct(n)


def builtin_complex(n):
    return complex(n, 1)


def builtin_complex_str(s):
    return complex(s)


def builtin_slice_two():
    return slice(1, 2)


def builtin_slice_four():
    return slice(1, 2, 3, 4)


def builtin_slice_use(l):
    return l[slice(1, 2)]


def builtin_slice_kw():
    return slice(start=1)


def builtin_setattr_int(n):
    return setattr(n, "a", 1)


def builtin_setattr_tensor(x):
    setattr(x, "a", 1)
    return x


def builtin_setattr_two(x):
    setattr(x, "a")
    return x


def builtin_set_attr_list(l):
    l.a = 1
    return l


def builtin_set_attr_none():
    v = None
    v.a = 1
    return v


def builtin_set_attr_str(s):
    s.a = 1
    return s


def builtin_set_attr_tuple(t):
    t.a = 1
    return t


def builtin_set_attr_dict(d):
    d.a = 1
    return d


def builtin_set_attr_shape(x):
    x.shape = (3, 2)
    return x


def builtin_set_attr_dtype(x):
    x.dtype = ms.int32
    return x


def builtin_set_attr_read(x):
    x.nonesuch = 1
    return x.nonesuch


def builtin_set_attr_function():
    _two.a = 1
    return 1


def builtin_set_attr_module(x):
    np.foo = 1
    return x


def builtin_delattr(x):
    delattr(x, "a")
    return x


def builtin_getattr_one(x):
    return getattr(x)


def builtin_getattr_four(x):
    return getattr(x, "a", 1, 2)


def builtin_getattr_none(x):
    return getattr(x, None)


def builtin_hasattr_int(x):
    return hasattr(x, 1)


def builtin_hasattr_one(x):
    return hasattr(x)


def builtin_hasattr_list(l):
    return hasattr(l, "append")


def builtin_hasattr_int_shape(n):
    return hasattr(n, "shape")


FLAG = True


NUM = 3


def known_true(x):
    if True:
        v = x
    return v


def known_flag(x):
    if FLAG:
        v = x
    return v


def known_num(x):
    if NUM == 3:
        v = x
    return v


def known_none(x):
    if x is None:
        pass
    else:
        v = x
    return v


def known_not_none(x):
    if x is not None:
        v = x
    return v


def known_isinstance(x):
    if isinstance(x, Tensor):
        v = x
    return v


def known_literal_compare(x):
    if 1 < 2:
        v = x
    return v


def known_not_flag(x):
    if not FLAG:
        pass
    else:
        v = x
    return v


def known_local_const(x):
    f = True
    if f:
        v = x
    return v


def known_while_true_if(n):
    while True:
        n = n - 1
        if n < 0:
            v = n
            break
    return v


def known_expr(x):
    return v if x.sum() > 0 else 1
    v = 3


def known_nested_fn(x):
    if x.sum() > 0:
        v = x

    def g():
        return v

    return g()


def known_nested_fn_later(x):
    def g():
        return v

    v = x
    return g()


def known_lambda(x):
    if x.sum() > 0:
        v = x
    return (lambda: v)()


def known_comp(x):
    if x.sum() > 0:
        v = x
    return [v for k in range(2)]


def known_loop_in_if(x):
    if x.sum() > 0:
        for i in range(3):
            v = x
    return v


def known_if_in_loop(x):
    for i in range(3):
        if i > 0:
            v = x
        x = v
    return x


def known_loop_before_if(x):
    for i in range(3):
        if i == 0:
            v = x
        else:
            x = v
    return x


def known_global_same(x):
    if x.sum() > 0:
        NUM = 4
    return NUM


def known_continue(x):
    for i in range(3):
        if i == 0:
            continue
        else:
            v = x
        x = v + 1
    return x


def known_break_branch(x):
    for i in range(3):
        if i == 0:
            v = x
        else:
            break
        x = v + 1
    return x


def known_aug(x):
    if x.sum() > 0:
        v = 1
    v += 1
    return v


def known_unused_read(x):
    if x.sum() > 0:
        v = 1
    w = v
    return x


def known_tuple_target(x):
    if x.sum() > 0:
        a, b = 1, 2
    return b


def known_call_missing(x):
    if x.sum() > 0:
        pass
    else:
        a = 1
    return ops.relu(a)


def _callee(x):
    if x.sum() > 0:
        v = x
    return v


def known_callee(x):
    return _callee(x)


def _callee_del(x):
    del x
    return 1


def known_callee_del(x):
    return _callee_del(x)


def known_callee_del_untaken(x, n):
    if n == 4:
        return _callee_del(x)
    return x


class _Net(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            v = x
        return v


_net = _Net()


def known_cell(x):
    return _net(x)


def known_return_in_one(x):
    if x.sum() > 0:
        return x
    v = 1
    return v


def known_after(x):
    return x
    del x


def known_untaken_static(x, n):
    if n == 4:
        x + None
    return x


def known_untaken_item(x, t):
    if x.sum() > 100:
        return t[7]
    return 1


def known_untaken_attr(x, t):
    if x.sum() > 100:
        return x.nonesuch
    return x


def known_for_zero(x):
    for i in range(0):
        x = x + None
    return x


def tensor_strs_nested():
    return Tensor([["a"], ["b"]])


def tensor_mixed():
    return Tensor([1, "a"])


def tensor_none_list():
    return Tensor([None])


def tensor_empty():
    return Tensor([])


def tensor_dict():
    return Tensor({"a": 1})


def tensor_set():
    return Tensor(set([1]))


def tensor_type():
    return Tensor(int)


def tensor_dtype():
    return Tensor(ms.int32)


def tensor_tuple_ragged():
    return Tensor(((1, 2), (3,)))


def tensor_nothing():
    return Tensor()


def tensor_data_shape():
    return Tensor([1, 2], shape=(2,))


def tensor_bad_kw():
    return Tensor([1], foo=1)


def tensor_int_dtype():
    return Tensor([1, 2], 3)


def tensor_str_dtype_ok():
    return Tensor([1, 2], "float32")


def tensor_py_type():
    return Tensor([1, 2], float)


def tensor_np_dtype_kw():
    return Tensor([1, 2], dtype=np.int32)


def tensor_none_dtype():
    return Tensor([1, 2], None)


def tensor_list_dtype():
    return Tensor([1, 2], [1])


def tensor_scalar():
    return Tensor(3)


def tensor_scalar_dtype():
    return Tensor(3, ms.float16)


def tensor_complex():
    return Tensor([1, 2], ms.complex64)


def tensor_string_dtype():
    return Tensor("a", ms.string)


def tensor_bool():
    return Tensor(True)


def tensor_np():
    return Tensor(np.array([1, 2]))


def tensor_of_var_list(x):
    return Tensor([x, x])


def tensor_of_var_scalar(x):
    return Tensor(x.sum())


def tensor_of_nested_list_float():
    return Tensor([[1.5, 2], [3, 4]])


def tensor_float_int():
    return Tensor([1.7], ms.int32)


def tensor_arg_str(s):
    return Tensor(s)


def tensor_arg_dict(d):
    return Tensor(d)


def tensor_arg_list(l):
    return Tensor(l)


def tensor_bytes():
    return Tensor(b"ab")


def tensor_slice():
    return Tensor(slice(1))


def tensor_ellipsis():
    return Tensor(...)


def tensor_list_of_dict():
    return Tensor([{"a": 1}])


def tensor_param():
    return ms.Parameter(1)


def tensor_param_str():
    return ms.Parameter("a")


def tensor_as_tensor():
    return ms.tensor([1, 2])


def tensor_as_tensor_str():
    return ms.tensor("a")


def tensor_as_tensor_none():
    return ms.tensor(None)


def tensor_as_tensor_dtype():
    return ms.tensor([1, 2], np.float32)


def tensor_as_tensor_list_str():
    return ms.tensor(["a"])


def mutable_nothing():
    return mutable()


def mutable_three():
    return mutable(1, True, 2)


def mutable_int():
    return mutable(3)


def mutable_float():
    return mutable(0.5)


def mutable_bool():
    return mutable(True)


def mutable_tuple():
    return mutable((1, 2))


def mutable_list():
    return mutable([1, 2])


def mutable_dict():
    return mutable({"a": 1})


def mutable_dict_str():
    return mutable({"a": "b"})


def mutable_dict_none():
    return mutable({"a": None})


def mutable_nested_none():
    return mutable((1, (None, 2)))


def mutable_list_str():
    return mutable(["a"])


def mutable_type():
    return mutable(int)


def mutable_dtype():
    return mutable(ms.int32)


def mutable_tensor(x):
    return mutable(x)


def mutable_slice():
    return mutable(slice(1))


def mutable_ellipsis():
    return mutable(...)


def mutable_dyn_mixed():
    return mutable((1, 2.0), True)


def mutable_dyn_tensors(x, y):
    return mutable((x, y), True)


def mutable_dyn_ok():
    return mutable((1, 2), True)


def mutable_dyn_list():
    return mutable([1, 2], True)


def mutable_dyn_empty():
    return mutable((), True)


def mutable_dyn_dict():
    return mutable({"a": 1}, True)


def mutable_dyn_float():
    return mutable(0.5, True)


def mutable_dyn_none():
    return mutable(None, True)


def mutable_dyn_str_flag():
    return mutable((1, 2), "a")


def mutable_dyn_none_flag():
    return mutable((1, 2), None)


def mutable_dyn_float_flag():
    return mutable((1, 2), 0.5)


def mutable_dyn_zero_flag():
    return mutable((1, 2), 0)


def mutable_kw():
    return mutable(input_data=(1, 2))


def mutable_kw_dyn():
    return mutable((1, 2), dynamic_len=True)


def mutable_bad_kw():
    return mutable((1, 2), foo=True)


def mutable_dyn_mixed_shape(x, y):
    return mutable([x, y], True)


def mutable_dyn_nested():
    return mutable(((1, 2), (3,)), True)


def mutable_arg_str(s):
    return mutable(s)


def mutable_arg_tuple(t):
    return mutable(t)


def recursion_self(x):
    return recursion_self(x)


def recursion_add(x):
    return recursion_add(x) + 1


def recursion_mutual_a(x):
    return _mutual_b(x)


def _mutual_b(x):
    return recursion_mutual_a(x)


def recursion_cond(x):
    if x.sum() > 0:
        return recursion_cond(x - 1)
    return x


def recursion_deep(n):
    if n == 0:
        return 0
    return recursion_deep(n - 1) + 1


def _deep(n):
    if n == 0:
        return 0
    return _deep(n - 1) + 1


def of_lower(s):
    return s.lower()


def of_literal():
    return "abc".upper()


def of_split(s):
    return s.split("b")


def of_replace(s):
    return s.replace("a", "z")


def of_len_upper(s):
    return len(s.upper())


def of_concat_upper(s):
    return s.upper() + "x"


def of_strip(s):
    return s.strip()


def of_startswith(s):
    return s.startswith("a")


def of_join(s):
    return "-".join(["a", "b"])


def of_join_arg(s):
    return s.join(["a", "b"])


def of_format(s):
    return "{} x".format(s)


def of_percent(s):
    return "%s x" % s


def of_title_compare(s):
    return s.upper() == "ABC"


def of_count(s):
    return s.count("a")


def of_isdigit(s):
    return s.isdigit()


def of_index_missing(s):
    return s.index("z")


def of_add_int(s):
    return s + 1


def of_add_none(s):
    return s + None


def of_add_list(s):
    return s + [1]


def of_mul(s):
    return s * 2


def of_mul_str(s):
    return s * s


def of_sub(s):
    return s - "a"


def of_div(s):
    return s / 2


def of_mod(s):
    return s % 2


def of_neg(s):
    return -s


def of_in(s):
    return "a" in s


def of_in_int(s):
    return 1 in s


def of_less(s):
    return s < "b"


def of_less_int(s):
    return s < 1


def of_eq_int(s):
    return s == 1


def of_eq(s):
    return s == "abc"


def of_item_neg(s):
    return s[-1]


def of_item_neg_out(s):
    return s[-4]


def of_item_float(s):
    return s[0.5]


def of_item_none(s):
    return s[None]


def of_item_list(s):
    return s[[1]]


def of_item_tuple(s):
    return s[(0, 1)]


def of_item_bool(s):
    return s[True]


def of_item_tensor(s, k):
    return s[k]


def of_slice(s):
    return s[1:]


def of_slice_neg(s):
    return s[::-1]


def of_slice_float(s):
    return s[0.5:]


def of_slice_str(s):
    return s["a":]


def of_empty_item():
    return ""[0]


def of_literal_item_out():
    return "ab"[7]


def of_item_dict(s, d):
    return s[d]


def of_set_slice(s):
    s[0:1] = "q"
    return s


def of_iter_index(s):
    out = []
    for i in range(len(s)):
        out.append(s[i])
    return out


def of_loop_tensor_items(x):
    out = 0
    for r in x:
        out = out + r.sum()
    return out


def of_int_str():
    return int("12")


def of_int_str_base():
    return int("ff", 16)


def of_int_bad_base():
    return int(12, 16)


def of_int_three():
    return int(1, 2, 3)


def of_float_str():
    return float("1.5")


def of_float_list(l):
    return float(l)


def of_str_list(l):
    return str(l)


def of_str_tensor(x):
    return str(x.shape)


def of_str_none():
    return str(None)


def of_str_dict(d):
    return str(d)


def of_repr(s):
    return repr(s)


def of_bool_list(l):
    return bool(l)


def of_bool_two(l):
    return bool(l, l)


def of_int_dict(d):
    return int(d)


def of_int_tuple(t):
    return int(t)


def of_abs_dict(d):
    return abs(d)


def of_abs_tuple(t):
    return abs(t)


def of_abs_bool():
    return abs(True)


def of_abs_nothing():
    return abs()


def of_round_list(l):
    return round(l)


def of_round_two(r):
    return round(r, 1)


def of_round_str_digits(r):
    return round(r, "a")


def of_round_nothing():
    return round()


def of_pow_none(n):
    return pow(n, None)


def of_pow_list(l):
    return pow(l, 2)


def of_sum_none():
    return sum(None)


def of_sum_nothing():
    return sum()


def of_sum_str(s):
    return sum(s)


def of_sum_start(l):
    return sum(l, 5)


def of_sum_three(l):
    return sum(l, 1, 2)


def of_sum_tensors(x):
    return sum([x, x])


def of_sum_dict(d):
    return sum(d)


def of_sum_float(r):
    return sum(r)


def of_sum_nested():
    return sum([[1], [2]])


def of_sum_list_start():
    return sum([[1], [2]], [])


def of_max_none():
    return max(None)


def of_max_str(s):
    return max(s)


def of_max_list(l):
    return max(l)


def of_max_list_mixed():
    return max([1, "a"])


def of_max_none_int():
    return max(None, 1)


def of_max_list_int(l):
    return max(l, 1)


def of_max_default():
    return max([], default=1)


def of_max_key(l):
    return max(l, key=lambda v: -v)


def of_max_dict(d):
    return max(d)


def of_max_empty_tuple():
    return max(())


def of_min_empty():
    return min([])


def of_min_empty_str():
    return min("")


def of_max_float(r):
    return max(r)


def of_max_bool():
    return max(True)


def of_max_tensor(x):
    return max(x)


def of_max_tensor_1d(y):
    return max(y)


def of_max_scalar_tensor_int(k):
    return max(k, 5)


def of_max_tensor_list(x):
    return max([x, x])


def of_max_nested_tuple():
    return max((1, 2), (1, 3))


def of_min_strings():
    return min("b", "a")


def of_len_dict(d):
    return len(d)


def of_len_nothing():
    return len()


def of_len_function():
    return len(len)


def of_len_tensor(x):
    return len(x)


def of_len_kw(l):
    return len(obj=l)


def of_len_slice():
    return len(slice(1, 2))


def of_range_float():
    return list(range(1.5))


def of_range_str(s):
    return list(range(s))


def of_range_none():
    return list(range(None))


def of_range_zero_step():
    return list(range(1, 5, 0))


def of_range_nothing():
    return list(range())


def of_range_four():
    return list(range(1, 2, 3, 4))


def of_range_list(l):
    return list(range(l))


def of_range_bool():
    return list(range(True))


def of_list_nothing():
    return list()


def of_list_two(l):
    return list(l, l)


def of_tuple_two(t):
    return tuple(t, t)


def of_list_dict(d):
    return list(d)


def of_tuple_float(r):
    return tuple(r)


def of_tuple_tensor(x):
    return tuple(x)


def of_tuple_dict(d):
    return tuple(d)


def of_set_two(l):
    return set(l, l)


def of_set_nested():
    return set([[1]])


def of_frozenset(l):
    return frozenset(l)


def of_all_none():
    return all(None)


def of_any_int(n):
    return any(n)


def of_any_str(s):
    return any(s)


def of_any_two(l):
    return any(l, l)


def of_np_sum(x):
    return np.sum(x)


def of_np_mean(x):
    return np.mean(x)


def of_np_array_list(l):
    return np.array(l)


def of_np_ones_tensor():
    return Tensor(np.ones((2,), np.float32))


def of_np_arange():
    return np.arange(3)


def of_np_array_item():
    return np.array([1, 2, 3])[1]


def of_np_array_out():
    return np.array([1, 2])[5]


def of_np_array_shape():
    return np.array([[1, 2]]).shape


def of_np_sum_array():
    return np.array([1, 2]).sum()


def of_np_float32():
    return np.float32(1.5)


def of_np_int64(n):
    return np.int64(n)


def of_np_array_add(a):
    return a + 1


def of_np_reshape_bad(a):
    return a.reshape(2, 2)


def of_np_max(x):
    return np.max(x)


def of_np_dot(x):
    return np.dot(x, x)


def of_asnumpy_shape(x):
    return x.asnumpy().shape


def of_asnumpy_item(x):
    return x.asnumpy()[0]


def of_tolist(x):
    return x.tolist()


def of_item(k):
    return k.item()


def of_item_many(x):
    return x.item()


def list_copy_by_name(l):
    return l.copy(deep=True)


def list_remove_by_name(l):
    return l.remove(value=1)


def list_pop_of_a_tuple(l):
    return l.pop((0, 1))


def list_pop_of_a_list(l):
    return l.pop([0])


def list_pop_of_a_dict(l):
    return l.pop({"at": 0})


def list_pop_of_a_tensor(l, y):
    return l.pop(y)


def tuple_count_of_none(t):
    return t.count(None)


def dict_pop_of_nothing(d):
    return d.pop()


def dict_pop_by_name(d):
    return d.pop(key="a")


def dict_setdefault_of_nothing(d):
    return d.setdefault()


def dict_copy_of_a_number(d):
    return d.copy(1)


def dict_copy_by_name(d):
    return d.copy(deep=True)


def dict_keys_by_name(d):
    return d.keys(sort=True)


def dict_update_of_a_dict(d):
    return d.update({"c": 3})


def dict_cleared(d):
    return d.clear()


def dict_get_of_a_dict(d):
    return d.get({"a": 1})


def upper_of_a_number(s):
    return s.upper(1)


def lower_of_two(s):
    return s.lower("a", "b")


def join_of_a_number(s):
    return s.join(1)


def join_of_none(s):
    return s.join(None)


def join_by_name(s):
    return s.join(iterable=("a", "b"))


def range_at_a_tensor(k):
    return range(4)[k]


def range_at_a_range():
    return range(4)[range(2)]


def range_at_an_ellipsis():
    return range(4)[...]


def range_at_a_function():
    return range(4)[lambda v: v]


def tuple_at_a_range(t):
    return t[range(2)]


def list_at_an_ellipsis(l):
    return l[...]


def string_at_a_row_of_a_tensor(s, i):
    return s[i]


def string_at_a_number_outside(s, n):
    return s[n]


def dict_at_an_ellipsis(d):
    return d[...]


def dict_of_tensors_at_a_list(x):
    return {"a": x}[["a"]]


def dict_of_tensors_at_a_function(x):
    return {"a": x}[lambda v: v]
