"""More programs that fail when they run, on their way through loops, functions, classes, handlers and recursion.

Apart from the tests, so that pytest leaves their asserts alone. They are added to `failing_programs.CASES`.
"""

# ruff: noqa: E731, PERF203, B904, B012, TRY201, SIM105, RSE102, TRY203, B007, C416
# pyright: basic

from __future__ import annotations

import functools
import math
from collections import namedtuple
from typing import Any

import numpy as np
from failing_programs import TooHot, case

# --- loops ----------------------------------------------------------------------------------------------


@case(5)
def in_a_for_loop(n):
    total = 0
    for k in range(n):
        total += 10 // (3 - k)
    return total


@case(5)
def in_a_while_loop(n):
    total = 0
    while n > -2:
        total += 10 % n
        n -= 1
    return total


@case(4)
def in_the_test_of_a_while_loop(n):
    while 12 // n > 2:
        n -= 2
    return n


@case(3)
def in_nested_loops(n):
    table = [1, 2, 3]
    total = 0
    for i in range(n):
        for j in range(n):
            total += table[i + j]
    return total


@case((1, 2), (3, 0))
def over_pairs(a, b):
    return [x // y for x, y in zip(a, b)]


@case((0, 1, 2))
def in_a_nested_comprehension(t):
    return [[j // (i - 2) for j in t] for i in t]


@case((3, 1, 2))
def in_the_test_of_a_comprehension(t):
    return [v for v in t if 6 // (v - 1)]


@case((3, 1, 2))
def in_a_dict_comprehension(t):
    return {v: 1.0 / (v - 1) for v in t}


@case(4)
def in_the_else_of_a_loop(n):
    for k in range(n):
        if k > n:
            break
    else:
        return k // (n - 4)
    return 0


@case((2, 1, 0))
def in_a_generator_taken_by_next(t):
    g = (2 // v for v in t)
    a = next(g) + next(g)
    return a + next(g)


@case((2, 0))
def in_a_generator_taken_by_a_loop(t):
    total = 0
    for part in (4 // v for v in t):
        total += part
    return total


@case((2, 0))
def in_a_generator_that_a_call_takes(t):
    return smallest(4 // v for v in t)


@case((1, 2, 0))
def in_nested_generators(t):
    return max(2 * x for x in (2 // v for v in t))


@case((1, 2))
def takes_more_than_there_is(t):
    i = iter(t)
    return next(i) + next(i) + next(i)


@case((3, 0))
def in_a_mapped_function_taken_by_a_loop(t):
    total = 0
    for v in map(reciprocal, t):
        total += v
    return total


@case((3, 0))
def in_a_key(t):
    return sorted(t, key=lambda v: 6 // v)


# --- functions ------------------------------------------------------------------------------------------


def smallest(values):
    best = 100
    for v in values:
        best = min(best, v)
    return best


def reciprocal(v):
    return 1.0 / v


def apply_twice(function, x):
    return function(function(x))


def scaled(by):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(x):
            return function(x) / by

        return wrapper

    return decorate


@scaled(0)
def scaled_by_zero(x):
    return x * 2


@case(3)
def through_a_function_given(x):
    return apply_twice(lambda v: 2 // (v - 2), x)


@case(2.0)
def through_a_decorator_with_an_argument(x):
    return scaled_by_zero(x) + 1.0


@case(3)
def through_nested_functions(n):
    def outer(k):
        def inner(j):
            return j // (k - n)

        return inner(k) + 1

    return outer(n)


@case(3)
def through_a_default(n):
    def f(k, by=0):
        return k // by

    return f(n)


@case((1, 0))
def through_stars(pair):
    def f(a, b):
        return a // b

    return f(*pair)


@case(0.0)
def through_a_partial(x):
    return functools.partial(math.pow, x)(-1.0)


# --- recursion ------------------------------------------------------------------------------------------


def countdown(n):
    if n < 0:
        raise ValueError(f"{n} is below zero")
    return 1 + countdown(n - 1)


def halves(n, low):
    if n <= low:
        return 1 // (n - 1)
    return halves(n // 2, low) + halves(n // 3, low)


def hailstone(n, steps):
    if n == 1:
        raise TooHot(steps)
    return down(n, steps) if n % 2 == 0 else up(n, steps)


def down(n, steps):
    return hailstone(n // 2, steps + 1)


def up(n, steps):
    return hailstone(3 * n + 1, steps + 1)


def asserting(n):
    assert n != 2, ("n", n)
    return asserting(n - 1) * 2


def guarded(n):
    try:
        return 6 // n + guarded(n - 1)
    except ArithmeticError as e:
        raise LookupError(n) from e


def cleaned(n):
    try:
        return 6 // n + cleaned(n - 1)
    finally:
        n += 1


def passed_on(n):
    try:
        return 6 // n + passed_on(n - 1)
    except ArithmeticError:
        raise


def row_sum(x, n):
    return x[n] + row_sum(x, n + 1)


def inner_recursion(n):
    def go(k):
        if k == 0:
            return n // k
        return go(k - 1)

    return go(n)


class Tree:
    def __init__(self, limit):
        self.limit = limit

    def grow(self, depth):
        if depth > self.limit:
            raise TooHot(f"depth {depth}")
        return 1 + self.grow(depth + 1)


@case(40)
def through_deep_recursion(n):
    return countdown(n)


@case(20, 1)
def through_two_recursions(n, low):
    return halves(n, low)


@case(6)
def through_recursion_of_three(n):
    return hailstone(n, 0)


@case(5)
def through_an_assertion(n):
    return asserting(n)


@case(2)
def through_handlers_of_each_call(n):
    return guarded(n)


@case(3)
def through_a_finally_of_each_call(n):
    return cleaned(n)


@case(3)
def through_handlers_that_pass_on(n):
    return passed_on(n)


@case(np.arange(3.0))
def through_recursion_over_an_array(x):
    return row_sum(x, 0)


@case(3)
def through_a_nested_recursion(n):
    return inner_recursion(n) + 1


@case(Tree(3))
def through_a_recursive_method(tree):
    return tree.grow(0)


@case(3)
def caught_recursion(n):
    try:
        return countdown(n)
    except ValueError:
        return n // 0


@case(3)
def caught_in_a_called_function(n):
    return recovers(n) + 1


def recovers(n):
    try:
        return countdown(n)
    except ValueError as e:
        raise KeyError(n) from e


@case(3)
def raised_after_a_caught_recursion(n):
    try:
        countdown(n)
    except ValueError:
        n = 0
    return countdown(n)


# --- classes --------------------------------------------------------------------------------------------


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __truediv__(self, other):
        return self.x / other.x

    def __eq__(self, other):
        return self.x // other == 1

    def __lt__(self, other):
        raise NotImplementedError("no order")

    def __contains__(self, item):
        return 1 % item

    def __bool__(self):
        return self.x // self.y > 0

    def __neg__(self):
        return -self.x % self.y

    @staticmethod
    def ratio(a, b):
        return a / b

    @classmethod
    def of(cls, x):
        return x.real / 0


class Longer(Vector):
    def __truediv__(self, other):
        return super().__truediv__(other) + 1.0


@case(Vector(1.0, 0.0), Vector(0.0, 1.0))
def operator_of_a_class(a, b):
    return 1 + a / b


@case(Longer(1.0, 0.0), Vector(0.0, 1.0))
def operator_of_a_base_class(a, b):
    return a / b


@case(Vector(3, 0))
def comparison_of_a_class(a):
    return a == 0


@case(Vector(3, 0))
def order_of_a_class(a):
    return a < 3


@case(Vector(3, 0))
def truth_of_a_class(a):
    return 1 if a else 2


@case(Vector(3, 0))
def negation_of_a_class(a):
    return -a


@case(Vector(3, 0))
def membership_of_a_class(a):
    return 0 in a


@case(Vector(3, 0))
def static_method_fails(a):
    return a.ratio(a.x, a.y)


@case(Vector(3, 0))
def class_method_fails(a):
    return a.of(a.x)


@case(Vector(3, 0))
def missing_attribute_of_an_object(a):
    return a.x + a.z


# --- handlers -------------------------------------------------------------------------------------------


@case(0)
def raised_in_a_handler(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        return (1, 2)[n + 5]


@case(0)
def raised_again(n):
    try:
        n = 1 // n
    except ZeroDivisionError:
        n += 1
        raise
    return n


@case(0)
def raised_again_by_name(n):
    try:
        n = 1 // n
    except ZeroDivisionError as e:
        raise e
    return n


@case(0)
def raised_from_what_was_caught(n):
    try:
        return divided(1, n)
    except ZeroDivisionError as e:
        raise TooHot("no division") from e


def divided(a, b):
    return a // b


@case(0)
def raised_from_none_in_a_handler(n):
    try:
        return divided(1, n)
    except ZeroDivisionError:
        raise TooHot("no division") from None


@case(0)
def raised_in_finally(n):
    try:
        return 1 // n
    finally:
        n = (1, 2)[n + 2]


@case(0)
def through_finally(n):
    try:
        n = divided(1, n)
    finally:
        n = 3
    return n


@case(2)
def raised_in_the_else_of_a_try(n):
    try:
        k = 4 // n
    except ZeroDivisionError:
        k = 1
    else:
        k //= n - 2
    return k


@case(0)
def not_the_class_that_is_caught(n):
    try:
        return (1, 2)[n + 3] + 1
    except (ArithmeticError, KeyError):
        return 0


@case(0)
def handled_twice(n):
    try:
        try:
            return divided(1, n)
        except ZeroDivisionError:
            return (1, 2)[n + 5]
    except IndexError:
        return {1: 2}[n]


@case(4)
def raised_in_a_loop_of_handlers(n):
    total = 0
    for k in range(n):
        try:
            total += 6 // k
        except ZeroDivisionError:
            total += 10
    return total // (total - 21)


@case(3)
def raised_again_in_a_loop(n):
    for k in range(n):
        try:
            n += 6 // (k - 1)
        except ZeroDivisionError:
            if k == 1:
                raise
    return n


@case(0)
def chain_through_calls(n):
    try:
        return divided(1, n)
    except ArithmeticError:
        return recovers(n)


# --- conversions and numbers ----------------------------------------------------------------------------


@case(1)
def int_of_text(n):
    return n + int("x")


@case(1)
def float_of_text(n):
    return n + float("1.5.2")


@case(-1)
def left_shift_by_a_negative(n):
    return 3 << n


@case(-2)
def power_of_zero(n):
    return 0**n


@case(-1.0)
def root_of_a_negative(x):
    return 2.0 + math.sqrt(x)


@case(4611686018427387904)
def integer_overflow_is_refused_in_an_index(n):
    return (1, 2)[n]


@case(800.0)
def hyperbolic_overflow(x):
    return math.cosh(x) - 1.0


@case(math.inf)
def sine_of_infinity(x):
    return math.sin(x)


@case(171.0)
def gamma_overflow(x):
    return math.gamma(x + 1.0)


@case(0.0)
def logarithm_of_base(x):
    return math.log(2.0, x + 1.0)


@case(3.5)
def index_by_a_float(x):
    return (1, 2, 3)[x]


@case("ab")
def text_times_text(s):
    return s * s


@case(np.ones((2, 3)), np.ones((2, 3)))
def matrix_product_in_a_call(x, y):
    def product(a, b):
        return a @ b

    return product(x, y).sum()


@case(np.ones((2, 3)), np.ones(4))
def shapes_in_a_loop(x, y):
    total = np.zeros(3)
    for k in range(2):
        total = total + x[k] * y
    return total


@case(np.ones(3))
def transposed_by_wrong_axes(x):
    return x.transpose(1, 0)


Pair = namedtuple("Pair", "left right")


@case(Pair(1, 0))
def field_that_is_not_there(p):
    return p.left + p.middle


@case((1, 2))
def tuple_times_a_class(t):
    return t * int


@case((1, 2))
def class_times_a_tuple(t):
    return float * t


@case((1, 2))
def tuple_at_a_class(t):
    return t[int]


@case(4)
def range_at_a_string(n):
    return range(n)["a"]


@case(4)
def range_at_a_float(n):
    return range(n)[0.5]


@case(4)
def range_at_a_function(n):
    return range(n)[abs]


@case(4)
def range_outside(n):
    return range(n)[np.int64(4)]
