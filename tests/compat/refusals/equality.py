"""Refused and odd equalities, orders, identities and sums of sequences with Tensors."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportIndexIssue=false, reportOperatorIssue=false


def ints_equal_floats(t):
    return t == (1.0, 2.0, 3.0), t == (1, 2, 3)


def dicts_of_tensors_equal(x):
    return {"a": x} == {"a": x}


def strings_in_order():
    return ("a", "b") >= ("a", "c")


def decided_before_a_string():
    return (1, "a") < (2, "a")


def list_is_itself(l):
    return l is l


def float_is_a_float():
    return 0.5 is 1.5


def tensor_is_itself(x):
    return x is x, x is not None


def none_in_a_mixed_tuple(x):
    return None in (x, None), "a" in ("a", x), "b" not in ("a", x)


def list_of_ints_plus_a_tensor(i):
    return [1, 2, 3] + i, i * (0.5, 1.5, 2.5), [7, -7, 5] / i


def tensor_to_the_power_of_a_list(i):
    return i ** [1, 2, 3]


def bools_plus_a_list(b):
    return b + [1, 2]


def nested_list_and_tuple(l, t):
    return [l] == [t], (t,) == (l,), [l, 1] == [t, 1], [l, t] == [t, l]


def nested_list_and_tuple_unequal(l, t):
    return (1, t) != (1, l), [l] != [(1, 2)]


def nested_of_other_items(n):
    return ([1, n],) == ((1, 4),), ([n],) == ((3.0,),)


def deeply_nested_list_and_tuple(n):
    return [[(1, n), "a"], 2] == [([1, 3], "a"), 2]


def dict_of_a_list_and_a_tuple(l, t):
    return {"a": l} == {"a": t}


def list_and_tuple_themselves(l, t):
    return l == t, t != l
