"""Programs that fail when they run, with the arguments that make them: `CASES` holds (function, arguments) pairs.

Apart from the tests, so that pytest leaves their asserts alone. Compiled, each raises what it raises in plain Python, from
the same place.
"""

# ruff: noqa: E731
# pyright: basic

from __future__ import annotations

import cmath
import dataclasses
import functools
import math
import operator
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

Case = tuple[Callable[..., Any], tuple[Any, ...]]
CASES: list[Case] = []


def case(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the function below, with its arguments."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((function, args))
        return function

    return add


class TooHot(Exception):
    pass


class Limit(ValueError):
    def __init__(self, value, most):
        super().__init__(value, most)
        self.value = value


class Meter:
    scale = 2.0

    def __init__(self, level):
        self.level = level

    def read(self, by):
        return self.level / by

    @property
    def inverse(self):
        return 1.0 / self.level

    def __add__(self, other):
        return self.level // other

    def __getitem__(self, k):
        return (1.0, 2.0)[k]

    def __len__(self):
        return -1

    def __call__(self, x):
        return math.log(x)


@dataclasses.dataclass
class Point:
    x: float
    y: float

    def slope(self):
        return self.y / self.x


Pair = namedtuple("Pair", "left right")


# --- numbers --------------------------------------------------------------------------------------------


@case(1, 0)
def divides_ints(a, b):
    return a / b


@case(1.5, 0.0)
def divides_floats(a, b):
    c = a * 2
    return (c + 1) / (b * c)


@case(1.5, 0.0)
def floor_divides_floats(a, b):
    return 1 + a // b


@case(1.5, 0.0)
def float_remainder(a, b):
    return a % b


@case(5, 0)
def int_divmod(a, b):
    q, r = divmod(a, b)
    return q + r


@case(5.0, 0)
def float_divmod(a, b):
    return divmod(a, b)


@case(0, -1)
def zero_to_a_negative_power(a, b):
    return a**b


@case(0.0, -2)
def zero_point_to_a_negative_power(a, b):
    return pow(a, b)


@case(1e300, 2)
def float_power_overflows(a, b):
    return a**b


@case(1j, 0)
def complex_division(z, k):
    return z / k


@case(3, -1)
def right_shift_by_a_negative(a, b):
    return a >> b


@case(float("inf"))
def int_of_infinity(x):
    return int(x)


@case(float("nan"))
def round_of_nan(x):
    return round(x)


@case(float("inf"))
def floor_of_infinity(x):
    return math.floor(x)


@case(-1.0)
def log_of_a_negative(x):
    return math.log(x)


@case(0.0)
def log_of_zero(x):
    return 2.0 * math.log(x) + 1.0


@case(2.0)
def arc_sine(x):
    return math.asin(x)


@case(1000.0)
def exponential_overflows(x):
    return math.exp(x)


@case(0.0, -1.0)
def math_power(x, y):
    return math.pow(x, y)


@case(1.0, 0.0)
def math_remainder(x, y):
    return math.fmod(x, y)


@case(-5)
def factorial_of_a_negative(n):
    return math.factorial(n)


@case(-4)
def integer_root(n):
    return math.isqrt(n)


@case(0j)
def complex_log(z):
    return cmath.log(z)


@case(2.0)
def float_as_index(x):
    return (1, 2, 3)[x]


@case(2.5)
def float_range(x):
    total = 0
    for k in range(x):
        total += k
    return total


@case(0)
def range_of_no_step(k):
    total = 0
    for i in range(0, 10, k):
        total += i
    return total


@case(1, 2j)
def orders_complex(a, b):
    return a < b


@case(1.5, 2)
def bits_of_a_float(a, b):
    return a & b


@case(1.5)
def inverts_a_float(a):
    return ~a


@case(3, None)
def adds_none(a, b):
    return a + b


@case(3, "a")
def compares_with_text(a, b):
    return a < b


@case((1, 2), 3)
def adds_to_a_tuple(a, b):
    return a + b


# --- names and attributes -------------------------------------------------------------------------------


@case(1)
def global_that_is_not_there(x):
    return x + there_is_none(x)


@case(1)
def local_before_assignment(x):
    y = x + later
    later = 1
    return y + later


@case(0)
def local_of_one_branch(n):
    if n > 0:
        found = n
    elif n < 0:
        found = -n
    return n + found


@case(0)
def local_of_a_loop_that_does_not_run(n):
    for k in range(n):
        last = k
    return last


@case(0)
def loop_variable_that_is_not_bound(n):
    for k in range(n):
        pass
    return k


@case(3)
def deleted(n):
    m = n
    del m
    return n + m


@case(1)
def free_variable_before_assignment(x):
    def inner():
        return x + y

    z = inner()
    y = 1
    return z


@case(1)
def attribute_of_an_int(n):
    return n.append(1)


@case((1, 2))
def attribute_of_a_tuple(t):
    return t.first


@case(Point(1.0, 2.0))
def attribute_of_an_object(p):
    return p.x + p.z


@case(Pair(1, 2))
def attribute_of_a_namedtuple(p):
    return p.middle


@case(np.ones(3))
def attribute_of_an_array(x):
    y = x * 2
    return y.average


@case(2.0)
def attribute_of_a_module(x):
    return math.square(x)


@case(2.0)
def attribute_of_none(x):
    y = None
    return y.real + x


@case(Point(0.0, 2.0))
def method_fails(p):
    return 1.0 + p.slope()


@case(Meter(1.0), 0.0)
def method_with_argument_fails(m, by):
    return m.read(by)


@case(Meter(0.0))
def property_fails(m):
    return m.inverse


@case(Meter(3), 0)
def operator_method_fails(m, k):
    return m + k


@case(Meter(3), 5)
def item_method_fails(m, k):
    return m[k]


@case(Meter(3), -1.0)
def call_method_fails(m, x):
    return m(x) * 2


@case(Meter(3))
def length_method_fails(m):
    return len(m)


# --- calls ----------------------------------------------------------------------------------------------


def divide(a, b):
    return a / b


def twice_divided(a, b):
    c = divide(a, b)
    return divide(c, b)


def recursive(n):
    if n == 0:
        return 1 // n
    return recursive(n - 1) + n


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    if n == 3:
        raise TooHot("three")
    return n != 0 and is_even(n - 1)


def checked(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) // 0

    return wrapper


@checked
def decorated(x):
    return x + 1


@case(1.0, 0.0)
def through_two_calls(a, b):
    return 1.0 + twice_divided(a, b)


@case(3)
def through_recursion(n):
    return recursive(n)


@case(10)
def through_mutual_recursion(n):
    return is_even(n)


@case(10)
def through_a_decorator(n):
    return decorated(n)


@case(1.0)
def too_few(x):
    return divide(x)


@case(1.0)
def too_many(x):
    return divide(x, x, x)


@case(1.0)
def unexpected_keyword(x):
    return divide(x, c=x)


@case(1.0)
def twice_the_same(x):
    return divide(x, a=x)


@case(1.0)
def missing_keyword_only(x):
    def inner(a, *, b):
        return a + b

    return inner(x)


@case(1.0)
def positional_only_by_name(x):
    def inner(a, /, b):
        return a + b

    return inner(a=x, b=x)


@case((1, 2, 3))
def stars_too_many(t):
    return divide(*t)


@case(2)
def calls_a_number(n):
    return n(1) + 1


@case(2.0)
def calls_a_tuple(x):
    pair = (x, x)
    return pair(0)


@case(0.0)
def in_a_lambda(x):
    f = lambda a, b: a / b
    return f(1.0, x)


@case(0)
def in_a_closure(n):
    def by(k):
        return lambda v: v % k

    return by(n)(7)


@case((3, 2, 0, 1))
def in_a_comprehension(t):
    return [6 // v for v in t]


@case((3, 2, 0, 1))
def in_a_generator_expression(t):
    return sum(6 // v for v in t)


@case((3, 2, 0, 1))
def in_a_mapped_function(t):
    return list(map(lambda v: 6 % v, t))


@case((3, 2, 0, 1))
def in_a_reduced_function(t):
    return functools.reduce(lambda a, b: a // b, t)


@case(5, 0)
def in_an_operator_function(a, b):
    return operator.floordiv(a, b)


# --- containers -----------------------------------------------------------------------------------------


@case(5)
def tuple_index(k):
    return (1, 2, 3)[k]


@case(-4)
def list_index(k):
    items = [1.0, 2.0, 3.0]
    return items[k] * 2


@case(3)
def list_assignment(k):
    items = [1, 2, 3]
    items[k] = 5
    return items


@case({"a": 1.0})
def dict_key(d):
    return d["a"] + d["b"]


@case(1)
def dict_key_deleted(x):
    d = {"a": x}
    del d["b"]
    return d


@case(1)
def pops_an_empty_list(x):
    items = [x]
    items.pop()
    return items.pop()


@case(4)
def index_of_what_is_not_in(x):
    return (1, 2, 3).index(x)


@case(4)
def removes_what_is_not_in(x):
    items = [1, 2, 3]
    items.remove(x)
    return items


@case((1, 2, 3))
def unpacks_too_many(t):
    a, b = t
    return a + b


@case((1, 2))
def unpacks_too_few(t):
    a, b, c = t
    return a + b + c


@case((1,))
def unpacks_too_few_for_a_star(t):
    a, *b, c = t
    return a, b, c


@case(3)
def unpacks_a_number(n):
    a, b = n
    return a + b


@case(3)
def iterates_over_a_number(n):
    total = 0
    for k in n:
        total += k
    return total


@case(())
def maximum_of_nothing(t):
    return max(t)


@case(1)
def changes_a_tuple(x):
    t = (x, x)
    t[0] = 2
    return t


@case(3)
def length_of_a_number(n):
    return len(n)


@case(1)
def sums_text(n):
    return sum((n, "a"))


@case(1)
def unhashable_key(n):
    return {[n]: 1}


# --- arrays ---------------------------------------------------------------------------------------------


@case(np.arange(6.0), 6)
def array_index(x, k):
    return x[0] + x[k]


@case(np.arange(6.0).reshape(2, 3), -3)
def array_row(x, k):
    return x[k].sum()


@case(np.arange(6.0).reshape(2, 3), 3)
def array_column(x, k):
    return x[:, k]


@case(np.arange(4.0))
def array_too_many_indices(x):
    return x[0, 0]


@case(np.arange(4.0), 7)
def array_assignment(x, k):
    x[1] = 10.0
    x[k] = 1.0
    return x


@case(np.arange(4.0), 7)
def array_update_in_a_loop(x, n):
    for k in range(n):
        x[k] += k
    return x


@case(np.ones(3), np.ones(4))
def array_shapes(x, y):
    z = x + 1.0
    return (z * 2.0) - y


@case(np.ones(3), np.ones(2))
def array_assignment_of_another_shape(x, y):
    x[:] = y
    return x


@case(np.ones((2, 3)), np.ones((4, 3)))
def array_product(x, y):
    return 1.0 + x @ y


@case(np.ones(6), 4)
def array_reshape(x, n):
    return x.reshape(n, 2)


@case(np.ones((2, 3)))
def array_axis(x):
    return x.sum(axis=2)


@case(np.ones(3))
def array_truth(x):
    return 1 if x else 2


@case(np.ones(0))
def empty_maximum(x):
    return x.max()


@case(np.ones(3))
def array_as_number(x):
    return float(x)


@case(np.ones((2, 3)), np.ones((3, 3)))
def array_concatenation(x, y):
    return np.concatenate((x, y), axis=1)


@case(np.ones((2, 3)), np.ones((3, 2)))
def array_stack(x, y):
    return np.stack([x, y])


@case(np.ones(3), np.array([0, 5]))
def array_by_indices(x, k):
    return x[k]


@case(np.ones(3), np.array([True, False]))
def array_by_mask(x, k):
    return x[k]


@case(3)
def array_of_negative_extent(n):
    return np.zeros(1 - n)


# --- raising --------------------------------------------------------------------------------------------


@case(7)
def raises_a_class(n):
    if n > 5:
        raise ValueError
    return n


@case(7.5)
def raises_with_text(x):
    if x > 5:
        raise ValueError(f"x is {x:.2f}, more than {5}")
    return x


@case(7)
def raises_with_values(n):
    if n > 5:
        raise KeyError(n, n * 2)
    return n


@case(101.5)
def raises_the_user_s_own(x):
    if x > 100.0:
        raise TooHot("too hot")
    return x


@case(101.5)
def raises_the_user_s_own_with_values(x):
    if x > 100.0:
        raise TooHot(x, "is too hot")
    return x


@case(4)
def raises_from(n):
    if n > 3:
        raise RuntimeError("large") from ValueError(n)
    return n


@case(4)
def raises_from_none(n):
    if n > 3:
        raise RuntimeError("large") from None
    return n


@case(4)
def raises_a_number(n):
    raise n


@case(10)
def raises_in_a_loop(n):
    total = 0
    for k in range(n):
        total += k
        if total > 20:
            raise StopIteration(total)
    return total


@case(3)
def raises_in_else(n):
    for k in range(n):
        pass
    else:
        raise LookupError(f"none of {n}")
    return n


@case(3.0)
def asserts_with_a_value(x):
    y = x * 2
    assert y < 5, y
    return y


@case(3)
def asserts_with_a_pair(n):
    assert n == 2, ("not two", n)
    return n


@case(np.array([1.0, -1.0]))
def asserts_of_an_array(x):
    assert np.all(x > 0), "all positive"
    return x


@case(5)
def not_implemented(n):
    if n > 3:
        raise NotImplementedError
    return n


@case(
    6,
)
def first_of_several_errors(n):
    a = (1 // (n - 6)) + (1, 2)[n]
    return a + undefined_too


@case(2)
def over_several_lines(n):
    return n + (1 // (n - 2)) + 4


@case(np.ones(3))
def chained_methods(x):
    return x.sum().reshape(2).mean()
