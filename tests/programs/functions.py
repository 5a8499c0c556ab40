"""Functions: nested, closures, lambdas, all kinds of parameters, decorators, partial, recursion, higher order."""

# pyright: basic

from __future__ import annotations

import functools

import numpy as np

from programs.corpus import case


def twice(function):
    @functools.wraps(function)
    def wrapper(*args, **keywords):
        return function(function(*args, **keywords))

    return wrapper


def scaled(by):
    def decorate(function):
        def wrapper(x):
            return by * function(x)

        return wrapper

    return decorate


@twice
def add_three(x):
    return x + 3


@scaled(10)
@scaled(0.5)
def squared(x):
    return x * x


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def compose(*functions):
    def composed(x):
        for f in functions:
            x = f(x)
        return x

    return composed


@case((5,), (1,), (15,))
def recursion(n):
    return factorial(n)


@case((2, 3), (1, 5), (0, 7))
def deep_recursion(m, n):
    return ackermann(m, n)


@case((10,), (7,))
def mutual_recursion(n):
    return is_even(n), is_odd(n)


@case((6,), (1,))
def local_recursion(n):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n)


@case((3,), (5,))
def towers_of_hanoi(n):
    def moves(k, a, b, c):
        if k == 0:
            return 0
        return moves(k - 1, a, c, b) + 1 + moves(k - 1, c, b, a)

    return moves(n, 0, 1, 2)


@case((4,), (-1.5,))
def decorated(x):
    return add_three(x), squared(x)


@case(
    (3,),
)
def closures(n):
    def adder(k):
        return lambda x: x + k + n

    one, two = adder(1), adder(2)
    n = n * 10
    return one(0), two(0), adder(n)(1)


@case(
    (5,),
)
def closure_sees_later_value(n):
    f = lambda: k * n
    k = 1
    first = f()
    k = 2
    return first, f()


@case(
    (2,),
)
def lambdas_in_a_loop(n):
    late = [lambda: k for k in range(3)]
    bound = [lambda k=k: k * n for k in range(3)]
    return [f() for f in late], [f() for f in bound]


@case((1, 2), (1.5, -2))
def all_kinds_of_parameters(a, b):
    def f(x, /, y, z=3, *rest, k, d=4, **others):
        return x, y, z, rest, k, d, others

    return f(a, b, k=1), f(a, y=b, k=2, z=b), f(a, b, 5, 6, 7, k=b, d=a, e=9, g=a)


@case((1, 2, 3))
def stars_in_calls(a, b, c):
    def f(*args, **keywords):
        return args, keywords

    t, d = (a, b), {"x": c}
    return f(*t), f(*t, c, *t), f(**d, y=a), f(*[a], **{"z": b}, **d)


@case(
    (4,),
)
def defaults_are_made_once(n):
    def f(x, k=n + 1):
        return x * k

    n = 100
    return f(2), f(2, n)


@case(
    (3.0,),
)
def partials(x):
    def f(a, b, c=1):
        return a - b * c

    g = functools.partial(f, x)
    h = functools.partial(g, c=10)
    return g(1), h(2), functools.partial(h, 5)(), functools.partial(max, x)(2.0)


@case((2,), (-3,))
def composition(x):
    return compose(lambda v: v + 1, abs, lambda v: v * v)(x), compose()(x)


@case((3, 4))
def functions_in_containers(a, b):
    table = {"add": lambda x, y: x + y, "mul": lambda x, y: x * y}
    operations = [table["add"], table["mul"], max, lambda x, y: x - y]
    return [f(a, b) for f in operations], table["add"](a, a)


@case((5,), (0,))
def function_chosen_at_run_time(n):
    f = (lambda x: x + 1) if n > 2 else (lambda x: x * 100)
    return f(n) + f(1)


@case(
    (10, 3),
)
def higher_order(n, k):
    def apply(f, times, x):
        for _ in range(times):
            x = f(x)
        return x

    return apply(lambda v: v * 2, k, n), apply(lambda v: v - n, 2, 0.5)


@case(
    (1, 2, 3),
)
def returns_many(a, b, c):
    def split(x, y, z):
        return (x, [y, z]), {"z": z}

    (first, rest), named = split(a, b, c)
    return first + rest[0] + named["z"], rest, named


@case((7,), (3,))
def early_returns_in_nested(n):
    def check(k):
        if k > 5:
            return "large"
        if k > 2:
            return "middle"

    return check(n), check(n - 3), check(0)


@case((np.arange(4.0), 3), (np.ones(2), 0))
def recursion_on_arrays(x, n):
    def halve(v, k):
        if k == 0:
            return v
        return halve(v * 0.5 + k, k - 1)

    return halve(x, n)


@case((10, 5), (100, 7))
def change_ways(amount, largest):
    def ways(rest, coin):
        if rest == 0:
            return 1
        if rest < 0 or coin == 0:
            return 0
        smaller = 5 if coin > 5 else 1 if coin > 1 else 0
        return ways(rest - coin, coin) + ways(rest, smaller)

    return ways(min(amount, 40), largest)


@case(
    (6, 4),
)
def tail_recursion_with_accumulator(n, k):
    def power(b, e, acc):
        return acc if e == 0 else power(b, e - 1, acc * b)

    return power(n, k, 1), power(float(n), k, 1.0)


@case(
    (3,),
)
def changes_what_it_is_given(n):
    def fill(box, k):
        box.append(k)
        box[0] += k
        return box

    box = [n]
    other = fill(box, 5)
    return box, other is box, fill([1], 2)


@case(
    (5,),
)
def generator_expressions(n):
    total = sum(k * n for k in (1, 2, 3))
    return total, max(abs(k - n) for k in (1, 9)), tuple(k for k in (n, 2) if k > 2), any(k > n for k in (1, 9))


@case((2.0,), (3,))
def map_filter_reduce(x):
    values = (1, 2, 3, 4)
    return (
        list(map(lambda v: v * x, values)),
        list(filter(lambda v: v % 2, values)),
        functools.reduce(lambda a, b: a * 10 + b, values),
        tuple(map(lambda a, b: a + b, values, (x, x))),
    )


@case((4, 2), (3, 3))
def binomial_by_recursion(n, k):
    def choose(n, k):
        if k == 0 or k == n:
            return 1
        return choose(n - 1, k - 1) + choose(n - 1, k)

    return choose(n, k)


@case((5,), (6,))
def catalan_memoised_in_an_array(n):
    memo = np.zeros(n + 1, dtype=np.int64)
    memo[0] = 1
    for k in range(1, n + 1):
        for i in range(k):
            memo[k] += memo[i] * memo[k - 1 - i]
    return int(memo[n])


@case((0.5, 1e-6), (2.0, 1e-9))
def fixed_point_by_functions(x, tolerance):
    def improve(f, guess):
        for _ in range(200):
            better = f(guess)
            if abs(better - guess) < tolerance:
                return better
            guess = better
        return guess

    return improve(lambda v: (v + 2 / v) / 2, x)


@case((0.0, 1.0, 8), (1.0, 3.0, 100))
def simpson(a, b, n):
    def integrate(f, a, b, n):
        h = (b - a) / n
        total = f(a) + f(b)
        for k in range(1, n):
            total += (4 if k % 2 else 2) * f(a + k * h)
        return total * h / 3

    return integrate(lambda x: x**3 - x, a, b, n), integrate(abs, a - 2, b, n)


OFFSET = 3.0


@case((1.0, 5), (1.0, 1), (0.5, 3))
def functions_that_a_branch_chooses_use_globals(x, n):
    def one(v):
        return squared(v) + OFFSET + n

    def other(v):
        return one(v) + add_three(v)

    step = (lambda v: is_small(v) * n + OFFSET) if n > 2 else (lambda v: is_small(v) - n)
    chosen = one if n > 3 else other
    for _ in range(n):
        x = step(x) + chosen(x) * 0.25
    return x


def is_small(v):
    return v if v < OFFSET else 1.0
