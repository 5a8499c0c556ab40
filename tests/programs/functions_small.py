"""Functions, one feature at a time."""

# pyright: basic

from __future__ import annotations

import functools
import math
import operator

from programs.corpus import case


@case((3,), (4,))
def nested_function(n):
    def square(k):
        return k * k

    return square(n) + square(n + 1)


@case(
    (3,),
)
def closure_sees_later_assignment(n):
    def read():
        return k

    k = n
    first = read()
    k = n * 10
    return first, read()


@case(
    (3,),
)
def nonlocal_counter(n):
    count = 0

    def bump(by=1):
        nonlocal count
        count += by
        return count

    bump()
    bump(n)
    return count, bump(by=5)


@case((3,), (0,))
def nonlocal_in_loop(n):
    total = 0.0

    def add(x):
        nonlocal total
        total += x

    for i in range(n):
        add(i * 0.5)
    return total


@case(
    (2, 5),
)
def lambdas(a, b):
    f = lambda x, y=3: x * y + a
    g = lambda *xs: len(xs)
    return f(b), f(b, 4), f(y=1, x=2), g(1, 2, 3), (lambda: a)()


@case(
    (5,),
)
def returned_closure_called(n):
    def adder(k):
        def add(x):
            return x + k

        return add

    plus = adder(n)
    return plus(1), adder(2)(3)


@case(
    (2.0,),
)
def composition(x):
    def compose(f, g):
        return lambda v: f(g(v))

    return compose(math.sqrt, lambda v: v * 8)(x)


@case(
    (1, 2),
)
def default_arguments(a, b):
    def f(x, y=10, *, z=100, w):
        return x + y * z - w

    return f(a, w=b), f(a, b, w=1), f(a, b, z=3, w=4), f(y=1, x=2, w=3)


@case(
    (1, 2, 3),
)
def star_arguments(a, b, c):
    def f(x, *rest, k=0, **named):
        return x, rest, k, named

    items = [b, c]
    table = {"k": a, "z": b}
    return f(a), f(*items), f(a, *items, 5), f(a, **table), f(*(1, 2), *items, y=3, **{"w": c})


@case(
    (1, 2),
)
def positional_only(a, b):
    def f(x, /, y, *, z=3):
        return x - y + z

    return f(a, b), f(a, y=b), f(a, b, z=0)


@case(
    (1,),
)
def positional_only_by_name(a):
    def f(x, /):
        return x

    return f(x=a)


@case((5,), (0,), (1,))
def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


@case((10,), (1,))
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def _is_even(n):
    return True if n == 0 else _is_odd(n - 1)


def _is_odd(n):
    return False if n == 0 else _is_even(n - 1)


@case((10,), (7,), (0,))
def mutual_recursion(n):
    return _is_even(n), _is_odd(n)


@case((2, 3), (0, 4))
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@case(
    (6,),
)
def local_recursion(n):
    def depth(k, acc):
        if k == 0:
            return acc
        return depth(k - 1, acc + k)

    return depth(n, 0.0)


@case(
    (5,),
)
def recursion_of_tuples(n):
    def pair(k):
        if k == 0:
            return 0, 1.0
        a, b = pair(k - 1)
        return a + 1, b * 0.5

    return pair(n)


@case((48, 18), (7, 0))
def recursive_gcd(a, b):
    return a if b == 0 else recursive_gcd(b, a % b)


@case(
    (4,),
)
def higher_order(n):
    def twice(f, x):
        return f(f(x))

    return twice(lambda v: v + n, 1), twice(_double, n)


def _double(x):
    return x * 2


@case(
    (4,),
)
def functions_in_containers(n):
    table = {"double": _double, "negate": lambda v: -v}
    steps = [_double, table["negate"]]
    for f in steps:
        n = f(n)
    return n, table["double"](n)


@case((3,), (-3,))
def function_chosen_at_run_time(n):
    f = _double if n > 0 else abs
    return f(n)


@case(
    (3,),
)
def partials(n):
    f = functools.partial(_power_sum, n)
    return f(2), f(y=3), functools.partial(_power_sum, y=1)(n)


def _power_sum(x, y=2):
    return x**y + x


@case(
    (3, 4),
)
def reduced(a, b):
    return functools.reduce(lambda x, y: x * y, (a, b, 2)), functools.reduce(operator.add, [a, b], 10)


GLOBAL_NUMBER = 2.5
GLOBAL_TABLE = {"a": 1, "b": 2.0}
GLOBAL_TUPLE = (1, 2, 3)


@case(
    (3,),
)
def reads_globals(n):
    return n * GLOBAL_NUMBER + GLOBAL_TABLE["b"] + GLOBAL_TUPLE[1], len(GLOBAL_TUPLE)


@case(
    (3,),
)
def too_many_arguments(n):
    return _double(n, n)


@case(
    (3,),
)
def unexpected_keyword(n):
    return _double(n, y=1)


@case(
    (3,),
)
def missing_arguments(n):
    def f(a, b, *, c, d):
        return a

    return f(n)


@case(
    (3,),
)
def missing_keyword_only(n):
    def f(a, *, c, d):
        return a

    return f(n)


@case(
    (3,),
)
def duplicate_argument(n):
    return _double(n, x=1)
