"""Branches, loops, raises, assertions and statements that MindSpore does not parse, in compiled code."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, jit, mutable, nn, ops


class Mine(Exception):
    pass


class MyValue(ValueError):
    pass


class MyInit(Exception):
    def __init__(self, a):
        super().__init__("init " + str(a))


def raise_empty_msg():
    raise ValueError("")


def raise_call_empty():
    raise ValueError()


def raise_int_msg():
    raise ValueError(3)


def raise_float_msg():
    raise ValueError(0.5)


def raise_none_msg():
    raise ValueError(None)


def raise_tuple_msg():
    raise ValueError((1, 2))


def raise_list_msg():
    raise ValueError([1, "a"])


def raise_dict_msg():
    raise ValueError({"a": 1})


def raise_bool_msg():
    raise ValueError(True)


def raise_tensor_msg(x):
    raise ValueError(x)


def raise_const_tensor_msg():
    raise ValueError(Tensor(3))


def raise_two_ints():
    raise ValueError(1, 2)


def raise_str_int():
    raise ValueError("a", 1)


def raise_three(n):
    raise TypeError("a", n, 0.5)


def raise_name_error():
    raise NameError("k")


def raise_attribute_error():
    raise AttributeError("k")


def raise_not_implemented():
    raise NotImplementedError("k")


def raise_runtime():
    raise RuntimeError("k")


def raise_zero_division():
    raise ZeroDivisionError("k")


def raise_stop_iteration():
    raise StopIteration("k")


def raise_assertion():
    raise AssertionError("k")


def raise_import_error():
    raise ImportError("k")


def raise_os_error():
    raise OSError("k")


def raise_os_error_two():
    raise OSError(2, "k")


def raise_eof():
    raise EOFError("k")


def raise_memory():
    raise MemoryError("k")


def raise_overflow():
    raise OverflowError("k")


def raise_arithmetic():
    raise ArithmeticError("k")


def raise_lookup():
    raise LookupError("k")


def raise_unicode():
    raise UnicodeError("k")


def raise_exception():
    raise Exception("k")


def raise_warning():
    raise UserWarning("k")


def raise_timeout():
    raise TimeoutError("k")


def raise_file_not_found():
    raise FileNotFoundError("k")


def raise_syntax():
    raise SyntaxError("k")


def raise_unbound():
    raise UnboundLocalError("k")


def raise_recursion():
    raise RecursionError("k")


def raise_custom():
    raise Mine("k")


def raise_custom_bare():
    raise Mine


def raise_custom_value():
    raise MyValue("k")


def raise_custom_init():
    raise MyInit(3)


def raise_custom_two():
    raise Mine("a", 1)


def raise_multiline():
    raise ValueError("first\nsecond")


def raise_quote():
    raise ValueError("it's")


def raise_dquote():
    raise ValueError('say "x"')


def raise_backslash():
    raise ValueError("a\\b")


def raise_unicode_text():
    raise ValueError("ä")


def raise_concat():
    raise ValueError("a" + "b")


def raise_percent(n):
    raise ValueError("%d" % n)


def raise_format(n):
    raise ValueError("{} x".format(n))


def raise_fstring_arg(s):
    raise ValueError(f"<{s}>")


def raise_arg_str(s):
    raise ValueError(s)


def raise_arg_int(n):
    raise ValueError(n)


def raise_fstring_tensor(x):
    raise ValueError(f"x {x}")


def raise_fstring_shape(x):
    raise ValueError(f"x {x.shape}")


def raise_variable():
    m = "message"
    raise ValueError(m)


def raise_bare_of_variable():
    e = ValueError("q")
    raise e


def raise_from():
    raise ValueError("a") from TypeError("b")


def raise_from_none():
    raise ValueError("a") from None


def raise_string():
    raise "a"


def raise_none():
    raise None


def raise_tuple():
    raise (ValueError, "a")


def raise_type():
    raise int


def raise_type_call():
    raise int(3)


def raise_undefined():
    raise Undefined("a")


def raise_if_static(n):
    if n == 3:
        raise ValueError("three")
    return n


def raise_if_static_else(n):
    if n == 4:
        return n
    else:
        raise ValueError("not four")


def raise_if_static_no(n):
    if n == 4:
        raise ValueError("four")
    return n


def raise_if_dyn(x):
    if x.sum() > 1:
        raise ValueError("large")
    return x


def raise_if_dyn_no(x):
    if x.sum() > 100:
        raise ValueError("large")
    return x


def raise_if_dyn_else(x):
    if x.sum() > 100:
        return x
    else:
        raise TypeError("small")


def raise_if_dyn_fstring(x):
    if x.sum() > 1:
        raise ValueError(f"sum {x.sum()}")
    return x


def raise_if_dyn_bare(x):
    if x.sum() > 1:
        raise ValueError
    return x


def raise_if_dyn_int(x):
    if x.sum() > 1:
        raise ValueError(3)
    return x


def raise_if_dyn_two(x):
    if x.sum() > 1:
        raise ValueError("a", "b")
    return x


def raise_if_dyn_custom(x):
    if x.sum() > 1:
        raise Mine("a")
    return x


def raise_if_dyn_key(x):
    if x.sum() > 1:
        raise KeyError("a")
    return x


def raise_in_loop(x):
    for i in range(3):
        if i == 1:
            raise ValueError("one")
    return x


def raise_in_while(n):
    while n > 0:
        n = n - 1
        if n == 1:
            raise ValueError("one")
    return n


def raise_in_dyn_while(k):
    while k > 0:
        k = k - 1
        if k == 1:
            raise ValueError("one")
    return k


def _fails(v):
    raise ValueError("inner")


def raise_in_call(x):
    return _fails(x)


def _fails_if(v, n):
    if n == 3:
        raise TypeError("is three")
    return v


def raise_in_call_if(x, n):
    return _fails_if(x, n)


def assert_false():
    assert False, "no"


def assert_none():
    assert None


def assert_zero():
    assert 0, "zero"


def assert_str():
    assert "", "s"


def assert_int_msg():
    assert False, 3


def assert_tuple_msg():
    assert False, (1, 2)


def assert_fstring_msg(n):
    assert n > 5, f"n is {n}"


def assert_none_msg():
    assert False, None


def assert_shape(x):
    assert x.shape == (3, 3), "shape"


def assert_dyn(x):
    assert x.sum() > 100, "small"
    return x


def assert_dyn_bare(x):
    assert x.sum() > 100
    return x


def assert_dyn_ok(x):
    assert x.sum() > 1, "small"
    return x


def assert_ok(n):
    assert n == 3, "q"
    return n


def assert_tensor(x):
    assert x
    return x


def assert_scalar_tensor(k):
    assert k == 3, "k is not 3"
    return k


def assert_isinstance(x):
    assert isinstance(x, int), "not an int"


def assert_in(l):
    assert 7 in l, "absent"


def assert_list_empty():
    assert [], "empty"


def assert_in_call(x):
    return _asserting(x, 1)


def _asserting(v, n):
    assert n == 2, "two"
    return v


def assert_tensor_msg(x):
    assert False, x


def assert_two_line():
    assert False, "a\nb"


def join_ret_dtype(x, i):
    if x.sum() > 0:
        return x
    return i


def join_ret_dtype_h(x, h):
    if x.sum() > 0:
        return x
    return h


def join_ret_shape(x, y):
    if x.sum() > 0:
        return x
    return y


def join_ret_shape_rank(x, k):
    if x.sum() > 100:
        return x
    return x.sum()


def join_var_shape(x, y):
    if x.sum() > 0:
        out = x
    else:
        out = y
    return out


def join_var_shape_use(x, y):
    if x.sum() > 0:
        out = x
    else:
        out = y
    return out + 1


def join_var_dtype_use(x, i):
    if x.sum() > 0:
        out = x
    else:
        out = i
    return out + 1


def join_tensor_int(x):
    if x.sum() > 0:
        return x
    return 1


def join_tensor_float(x):
    if x.sum() > 0:
        return x
    return 1.0


def join_scalar_tensor_int(x):
    if x.sum() > 0:
        return x.sum()
    return 1


def join_scalar_tensor_float(x):
    if x.sum() > 0:
        return x.sum()
    return 1.0


def join_scalar_tensor_bool(x):
    if x.sum() > 0:
        return x.sum() > 1
    return True


def join_ints(x):
    if x.sum() > 0:
        return 1
    return 2


def join_int_float(x):
    if x.sum() > 0:
        return 1
    return 2.0


def join_int_bool(x):
    if x.sum() > 0:
        return 1
    return True


def join_tensor_nothing(x):
    if x.sum() > 0:
        return x


def join_str_int(x):
    if x.sum() > 0:
        return "a"
    return 1


def join_str_tensor(x):
    if x.sum() > 0:
        return "a"
    return x


def join_tuple_tensor(x):
    if x.sum() > 0:
        return (x, x)
    return x


def join_tuple_len(x):
    if x.sum() > 0:
        return (x, x)
    return (x,)


def join_tuple_shape(x, y):
    if x.sum() > 0:
        return (x, x)
    return (x, y)


def join_tuple_dtype(x, i):
    if x.sum() > 0:
        return (x, x)
    return (x, i)


def join_tuple_types(x):
    if x.sum() > 0:
        return (x, 1)
    return (x, x)


def join_tuple_ints(x):
    if x.sum() > 0:
        return (1, 2)
    return (3, 4)


def join_tuple_ints_len(x):
    if x.sum() > 0:
        return (1, 2)
    return (3, 4, 5)


def join_tuple_list(x):
    if x.sum() > 0:
        return (x, x)
    return [x, x]


def join_list_len(x):
    if x.sum() > 0:
        return [x, x]
    return [x]


def join_list_ok(x):
    if x.sum() > 0:
        return [x, x]
    return [x, x + 1]


def join_list_ints(x):
    if x.sum() > 0:
        return [1, 2]
    return [3, 4]


def join_list_ints_len(x):
    if x.sum() > 0:
        return [1, 2]
    return [3]


def join_dict_ok(x):
    if x.sum() > 0:
        return {"a": x}
    return {"a": x + 1}


def join_dict_keys(x):
    if x.sum() > 0:
        return {"a": x}
    return {"b": x + 1}


def join_dict_tensor(x):
    if x.sum() > 0:
        return {"a": x}
    return x


def join_dict_ints(x):
    if x.sum() > 0:
        return {"a": 1}
    return {"a": 2}


def join_var_none(x):
    out = None
    if x.sum() > 0:
        out = x
    return out


def join_var_int_tensor(x):
    out = 0
    if x.sum() > 0:
        out = x
    return out


def join_var_int_scalar_tensor(x):
    out = 0
    if x.sum() > 0:
        out = x.sum()
    return out


def join_var_int_float(x):
    out = 0
    if x.sum() > 0:
        out = 0.5
    return out


def join_var_int_str(x):
    out = 0
    if x.sum() > 0:
        out = "a"
    return out


def join_var_unused(x, i):
    out = 0
    if x.sum() > 0:
        out = "a"
    return x


def join_var_ints_used(x):
    out = 0
    if x.sum() > 0:
        out = 5
    return x + out


def join_var_int_tensor_used(x):
    out = 0
    if x.sum() > 0:
        out = x
    return out + 1


def join_else_none_implicit(x):
    out = x
    if x.sum() > 0:
        out = None
    return out


def join_expr_dtype(x, i):
    return x if x.sum() > 0 else i


def join_expr_int(x):
    return x if x.sum() > 0 else 1


def join_expr_str(x):
    return "a" if x.sum() > 0 else 1


def join_expr_shape(x, y):
    return x if x.sum() > 0 else y


def join_expr_none(x):
    return x if x.sum() > 0 else None


def join_nested(x, i):
    if x.sum() > 0:
        if x.sum() > 1:
            return x
        return i
    return x


def join_elif(x, i):
    if x.sum() > 100:
        return x
    elif x.sum() > 50:
        return i
    return x


def join_static_cond(x, i, n):
    if n == 3:
        return x
    return i


def join_static_str(x, n):
    if n == 3:
        return "a"
    return x


def join_lambda(x):
    if x.sum() > 0:
        f = lambda v: v
    else:
        f = lambda v: v + 1
    return f(x)


def join_function_tensor(x):
    if x.sum() > 0:
        f = ops.relu
    else:
        f = x
    return x


def join_call(x, i):
    def g(v):
        if v.sum() > 0:
            return v
        return i

    return g(x)


def _joins(v, w):
    if v.sum() > 0:
        return v
    return w


def join_call_other(x, i):
    return _joins(x, i)


def join_call_shape(x, y):
    return _joins(x, y) * 2


def join_while_dtype(x, i):
    while x.sum() < 100:
        x = i
    return x


def join_while_type(x):
    k = Tensor(0)
    v = 0
    while k < 3:
        v = x
        k = k + 1
    return v


def join_while_int_float(x):
    k = Tensor(0)
    v = 0
    while k < 3:
        v = v + 0.5
        k = k + 1
    return v


def join_while_int(x):
    k = Tensor(0)
    v = 0
    while k < 3:
        v = v + 1
        k = k + 1
    return v


def join_while_int_tensor(x):
    k = Tensor(0)
    v = 0
    while k < 3:
        v = v + k
        k = k + 1
    return v


def join_while_none(x):
    k = Tensor(0)
    v = None
    while k < 3:
        v = x
        k = k + 1
    return v


def join_while_tuple(x):
    k = Tensor(0)
    v = ()
    while k < 3:
        v = v + (x,)
        k = k + 1
    return v


def join_while_list(x):
    k = Tensor(0)
    v = []
    while k < 3:
        v.append(x)
        k = k + 1
    return v


def join_while_rank(x):
    k = Tensor(0)
    while k < 1:
        x = x.sum()
        k = k + 1
    return x


def join_while_cast(x):
    k = Tensor(0)
    while k < 3:
        x = x.astype(ms.int32)
        k = k + 1
    return x


def join_while_reshape(x):
    k = Tensor(0)
    while k < 3:
        x = x.reshape(3, 2)
        k = k + 1
    return x


def join_while_row(x):
    k = Tensor(0)
    while k < 1:
        x = x[0]
        k = k + 1
    return x


def join_for_shape(x):
    for i in range(3):
        x = ops.concat((x, x))
    return x


def join_for_dtype(x):
    for i in range(3):
        x = x.astype(ms.int32)
    return x


def join_while_static_shape(x):
    k = 0
    while k < 3:
        x = ops.concat((x, x))
        k = k + 1
    return x


def join_while_static_str(x):
    k = 0
    v = "a"
    while k < 3:
        v = v + "b"
        k = k + 1
    return v


def unbound_one(x):
    if x.sum() > 100:
        out = 1
    return out


def unbound_one_taken(x):
    if x.sum() > 1:
        out = x
    return out


def unbound_else(x):
    if x.sum() > 100:
        pass
    else:
        out = 1
    return out


def unbound_else_other(x):
    if x.sum() > 100:
        a = x
    else:
        b = x
    return a


def unbound_two(x):
    if x.sum() > 100:
        a = x
        b = x
    return a + b


def unbound_while(x):
    k = Tensor(0)
    while k < 3:
        v = x
        k = k + 1
    return v


def unbound_for(x):
    for i in range(3):
        v = x
    return v


def unbound_for_zero(x):
    for i in range(0):
        v = x
    return v


def unbound_for_var(x):
    for i in range(3):
        pass
    return i


def unbound_for_var_zero(x):
    for i in range(0):
        pass
    return i


def unbound_static(x, n):
    if n == 3:
        v = x
    return v


def unbound_static_no(x, n):
    if n == 4:
        v = x
    return v


def unbound_static_while(x, n):
    while n < 0:
        v = x
    return v


def unbound_while_zero(x):
    k = 5
    while k < 3:
        v = x
    return v


def unbound_nested(x):
    if x.sum() > 0:
        if x.sum() > 1:
            v = x
    return v


def unbound_elif(x):
    if x.sum() > 100:
        v = x
    elif x.sum() > 50:
        w = x
    else:
        v = x
    return v


def unbound_unused(x):
    if x.sum() > 100:
        out = 1
    return x


def unbound_used_in_branch(x):
    if x.sum() > 100:
        out = x
    if x.sum() > 100:
        return out
    return x


def unbound_after_return(x):
    if x.sum() > 100:
        out = x
    else:
        return x
    return out


def unbound_raise_else(x):
    if x.sum() > 1:
        out = x
    else:
        raise ValueError("a")
    return out


def unbound_never(x):
    return never_there


def unbound_local_never(x):
    v = w
    w = 1
    return v


def unbound_aug(x):
    v += 1
    return v


def unbound_in_loop(x):
    for i in range(3):
        if i > 0:
            x = x + prev
        prev = x
    return x


def unbound_in_loop_bad(x):
    for i in range(3):
        x = x + prev
        prev = x
    return x


def unbound_comp_var(x):
    y = [q for q in range(3)]
    return q


def unbound_try(x):
    try:
        v = x
    except ValueError:
        pass
    return v


def unbound_walrus(x):
    if (v := x.sum()) > 1:
        return v
    return x


def syntax_try(x):
    try:
        return x + 1
    except ValueError:
        return x


def syntax_try_finally(x):
    try:
        y = x
    finally:
        z = 1
    return y


def syntax_walrus(x):
    y = (z := x + 1)
    return y + z


def syntax_walrus_while(n):
    while (m := n) > 3:
        n = n - 1
    return n


def syntax_set(x):
    return {1, 2}


def syntax_setcomp(x):
    return {k for k in range(3)}


def syntax_genexp(x):
    return sum(k for k in range(3))


def syntax_genexp_list(x):
    return list(k for k in range(3))


def syntax_class(x):
    class A:
        pass

    return x


def syntax_yield(x):
    yield x


def syntax_yield_from(x):
    yield from [x]


async def syntax_async(x):
    return x


def syntax_await(x):
    async def f():
        return 1

    return x


def syntax_async_for(x):
    async def f():
        async for k in x:
            pass

    return x


def syntax_import(x):
    import math

    return math.pi


def syntax_import_from(x):
    from math import pi

    return pi


def syntax_nonlocal(x):
    v = 1

    def g():
        nonlocal v
        v = 2

    g()
    return v


def syntax_global_read(x):
    global COUNT
    return COUNT


COUNT = 5


def syntax_star_assign(t):
    a, *b = t
    return a, b


def syntax_star_middle(t):
    a, *b, c = t
    return a, b, c


def syntax_star_too_few(t):
    a, b, c, d, *e = t
    return a


def syntax_star_list(t):
    return [*t, 4]


def syntax_star_tuple(t):
    return (*t, 4)


def syntax_star_of_int(n):
    return [*n]


def syntax_star_of_tensor(x):
    return [*x]


def syntax_star_of_str(s):
    return [*s]


def syntax_star_of_none():
    return [*None]


def syntax_match(n):
    match n:
        case 3:
            return 1
        case _:
            return 2


def syntax_lambda_default(x):
    return (lambda a, b=2: a + b)(x)


def syntax_lambda_star(x):
    return (lambda *a: a[0])(x)


def syntax_annassign(x):
    y: int = 3
    return y


def syntax_annonly(x):
    y: int
    return x


def syntax_augassign_attr(x):
    x.foo += 1
    return x


def syntax_aug_item(l):
    l = [1, 2]
    l[0] += 5
    return l


def syntax_chain_assign(x):
    a = b = x
    return a + b


def syntax_chain_compare(n):
    return 1 < n < 5


def syntax_chain_compare_tensor(k):
    return 1 < k < 5


def syntax_pass(x):
    pass


def syntax_empty_return(x):
    return


def syntax_ellipsis(x):
    ...
    return x


def syntax_docstring(x):
    """Doc."""
    return x


def syntax_fstring(n):
    return f"{n}"


def syntax_fstring_spec(n):
    return f"{n:03d}"


def syntax_fstring_conv(s):
    return f"{s!r}"


def syntax_bytes():
    return b"ab"


def syntax_bytes_index():
    return b"ab"[0]


def syntax_complex():
    return 1j


def syntax_complex_add():
    return 1j + 2


def syntax_big_literal():
    return 123456789012345678901234567890


def syntax_for_else(x):
    for i in range(3):
        pass
    else:
        x = x + 1
    return x


def syntax_while_else(n):
    while n > 0:
        n = n - 1
    else:
        n = 10
    return n


def syntax_break_else(x):
    for i in range(3):
        if i == 1:
            break
    else:
        x = x + 1
    return x


def syntax_continue(x):
    for i in range(3):
        if i == 1:
            continue
        x = x + 1
    return x


def syntax_break_dyn(x):
    for i in range(3):
        if x.sum() > 20:
            break
        x = x + 1
    return x


def syntax_return_in_loop(x):
    for i in range(3):
        if i == 1:
            return x
        x = x + 1
    return x


def syntax_return_in_while(n):
    while True:
        n = n - 1
        if n < 0:
            return n


def syntax_with_none():
    with None:
        return 1


def syntax_with_tensor(x):
    with x:
        return x


def syntax_with_str(s):
    with s as q:
        return q


def syntax_with_list(l):
    with l:
        return l


class _Ctx:
    def __enter__(self):
        return self

    def __exit__(self, *a):
        return None


_ctx = _Ctx()


def syntax_assert_tuple(x):
    assert (x is None, "msg")
    return x


def syntax_nested_function(x):
    def g(a, *b, c=1, **d):
        return a

    return g(x)


def syntax_nested_decorated(x):
    @jit
    def g(a):
        return a + 1

    return g(x)


def syntax_recursive_inner(n):
    def g(k):
        if k <= 0:
            return 0
        return k + g(k - 1)

    return g(n)


def syntax_default_mutable(x, a=[]):
    return x


def syntax_unpack_nested(x):
    (a, b), c = (1, 2), 3
    return a + b + c


def syntax_unpack_swap(n, r):
    n, r = r, n
    return n, r


def syntax_for_tuple_target():
    out = 0
    for a, b in ((1, 2), (3, 4)):
        out += a * b
    return out


def syntax_for_tuple_target_bad():
    out = 0
    for a, b in ((1, 2, 3), (3, 4, 5)):
        out += a * b
    return out


def syntax_for_tuple_target_few():
    out = 0
    for a, b in ((1,), (3,)):
        out += a * b
    return out


def syntax_comp_if():
    return [k for k in range(5) if k % 2]


def syntax_comp_two():
    return [a + b for a in range(2) for b in range(2)]


def syntax_comp_tensor(x):
    return [k.sum() for k in x]


def syntax_comp_str(s):
    return [c for c in s]


def syntax_comp_dict(d):
    return [k for k in d]


def syntax_comp_over_float(r):
    return [k for k in r]


def syntax_comp_over_scalar_tensor(k):
    return [v for v in k]


def syntax_slice_assign():
    l = [1, 2, 3]
    l[0:2] = [7]
    return l


def syntax_slice_assign_int():
    l = [1, 2, 3]
    l[0:2] = 7
    return l


def syntax_slice_del():
    l = [1, 2, 3]
    del l[0:2]
    return l


def syntax_print(n):
    print(n)
    return n


def syntax_exec(x):
    exec("a = 1")
    return x


def syntax_open():
    return open("nonesuch")


def syntax_input():
    return input()


def syntax_id(x):
    return id(x) > 0


def syntax_dir(n):
    return len(dir(n)) > 3


def syntax_matmul_op(x):
    return x @ x


def syntax_is_none(x):
    return x is None


def syntax_is_int(n):
    return n is 3


def syntax_is_tensor(x, y):
    return x is y


def syntax_is_not(x):
    return x is not None


def syntax_is_string(s):
    return s is "abc"


def syntax_is_true(x):
    return True is True


def syntax_not_tensor(x):
    return not x


def syntax_and_tensor(x):
    return x and x


def syntax_and_scalar(k):
    return k and 1


def syntax_or_int(n):
    return n or 5


def syntax_and_str(s):
    return s and 1


def syntax_or_none():
    return None or 3


def syntax_ternary_str(s):
    return 1 if s else 2


def syntax_ternary_list(l):
    return 1 if l else 2


def syntax_if_none():
    if None:
        return 1
    return 2


def syntax_if_string(s):
    if s:
        return 1
    return 2


def syntax_if_function():
    if len:
        return 1
    return 2


def syntax_while_list(l):
    l = [1, 2]
    while l:
        l.pop()
    return l


def syntax_while_string(s):
    while s:
        s = s[1:]
    return s


def syntax_while_none():
    while None:
        pass
    return 1


class Mine(Exception):
    pass


class Holder:
    E = Mine


def raising_untaken_custom(n):
    if n == 4:
        raise Mine("a")
    return n


def raising_untaken_int(n):
    if n == 4:
        raise 1
    return n


def raising_untaken_bare(n):
    if n == 4:
        raise
    return n


def raising_attr_bare():
    raise Holder.E


def raising_str_call():
    raise str("a")


def raising_after_dyn(x, n):
    if x.sum() > 100:
        raise ValueError("a")
    raise TypeError("b")


def raising_after_dyn_assert(x, n):
    assert x.sum() > 1, "small"
    assert n == 5, "n"
    return x


def raising_while_dyn(x):
    while x.sum() > 0:
        raise ValueError("in while")
    return x


def raising_for(x):
    for i in range(3):
        raise ValueError(i)
    return x


def raising_for_text(x):
    for i in range(3):
        if i == 2:
            raise ValueError(f"at {i}")
    return x


def raising_nested_dyn(x, n):
    if n == 3:
        if x.sum() > 1:
            raise ValueError("dyn")
    return x


def raising_dyn_static(x, n):
    if x.sum() > 1:
        if n == 3:
            raise ValueError("dyn")
    return x


def raising_untaken_dyn(x):
    if x.sum() > 100:
        raise ValueError("dyn")
    return x


def raising_assert_not_dyn(k):
    assert not k, "k"
    return k


def raising_assert_and(x, n):
    assert n == 3 and x.shape == (1,), "both"
    return x


def raising_list_msg(l):
    raise ValueError(l)


def raising_tuple_strs():
    raise ValueError(("a", "b"))


def raising_float_long():
    raise ValueError(0.1 + 0.2)


def raising_big_float():
    raise ValueError(1e20)


def raising_neg():
    raise ValueError(-3)


def raising_starred(t):
    raise ValueError(*t)


def raising_msg_none_second():
    raise ValueError("a", None)


def raising_msg_list_second():
    raise ValueError("a", [1, 2])


def raising_msg_float_second():
    raise ValueError("a", 2.0)


def raising_msg_bool_second():
    raise ValueError("a", True)


def raising_msg_quote_second():
    raise ValueError("it's", "b")


def raising_msg_type():
    raise ValueError(type(3))


def raising_msg_dtype(x):
    raise TypeError(f"bad {x.dtype}")


def raising_msg_str_shape(x):
    raise TypeError("bad " + str(x.shape))


def raising_msg_len(l):
    raise TypeError(f"bad {len(l)}")


def raising_msg_percent_two(n, r):
    raise TypeError("%s and %s" % (n, r))


def raising_msg_concat_arg(s):
    raise TypeError("got " + s)


def raising_msg_join(l):
    raise TypeError(", ".join(["a", "b"]))


def raising_msg_tab():
    raise TypeError("a\tb")


def raising_msg_percent():
    raise TypeError("100%")


def raising_msg_brace():
    raise TypeError("{}")


def raising_msg_list_literal():
    raise TypeError(["a", 1])


def raising_msg_empty_list():
    raise TypeError([])


def raising_msg_empty_tuple():
    raise TypeError(())


def raising_msg_nested_tuple():
    raise TypeError((1, ("a", 2)))


def raising_assert_list_msg():
    assert False, [1, 2]


def raising_assert_dict_msg():
    assert False, {"a": 1}


def raising_assert_call_msg(n):
    assert n == 4, str(n)


def raising_assert_dyn_fstring(x, n):
    assert x.sum() > 100, f"n {n}"
    return x


def raising_assert_dyn_int(x):
    assert x.sum() > 100, 3
    return x


def raising_assert_tensor_all(x):
    assert (x > 100).all(), "all"
    return x


def raising_assert_none_var(x):
    v = None
    assert v is not None, "v"


def raising_assert_len(l):
    assert len(l) == 2, "two"


def raising_assert_shape_msg(x):
    assert x.shape[0] == 3, f"shape {x.shape}"


def raising_assert_dtype(x):
    assert x.dtype == ms.int32, "dtype"


def raising_assert_ndim(x):
    assert x.ndim == 3


def raising_assert_compare_str(s):
    assert s == "b", "s"


def raising_assert_isinstance(n):
    assert isinstance(n, str), "n"


class _Net(nn.Cell):
    def construct(self, x):
        raise ValueError("in cell")


class _Net2(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = 3

    def construct(self, x):
        if self.n == 3:
            raise ValueError(f"n is {self.n}")
        return x


_net, _net2 = _Net(), _Net2()


def raising_cell(x):
    return _net(x)


def raising_cell2(x):
    return _net2(x)


def eager_cell():
    return _net(Tensor([1.0]))


def eager_cell2():
    return _net2(Tensor([1.0]))
