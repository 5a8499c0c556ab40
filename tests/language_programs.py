"""Small functions for every part of the language, with arguments: `CASES` holds (function, calls) pairs.

Apart from the tests, so that pytest leaves their asserts alone. Each must do compiled what it does in plain Python.
"""

# ruff: noqa: B006, B023, E731, F841, PLR1714, PLW0127, RUF005, RUF007, SIM101, SIM102, SIM103, SIM108, SIM110, SIM113, SIM114, SIM210, SIM211, SIM222, SIM223, UP031, UP032
# pyright: basic

from __future__ import annotations

import cmath
import functools
import math
import operator
from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Case = tuple[Callable[..., Any], Sequence[tuple[Any, ...]]]
CASES: list[Case] = []


def case(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the function below to the corpus, with the arguments of each call."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((function, calls))
        return function

    return add


INTS = ((7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5))
NAN = float("nan")
INF = float("inf")
FLOATS = ((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (0.0, -1.0), (-0.0, 3.0), (INF, 2.0), (NAN, 1.0), (5e-324, 1e308))


# --- arithmetic -------------------------------------------------------------------------------------


@case(*INTS)
def int_arithmetic(a, b):
    return a + b, a - b, a * b, a // b, a % b, a / b, -a, +b, abs(a), ~a


@case(*FLOATS)
def float_arithmetic(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, -a, +b, abs(a)


@case((7, 2.5), (-7, 2.5), (True, 0.5), (0, -0.1))
def mixed_arithmetic(a, b):
    return a + b, b - a, a * b, a / b, a // b, a % b, b + a, b * a


@case((2, 10), (-3, 3), (5, 0), (2, -2), (-2, -3), (0, 0), (0, -1))
def int_power(a, b):
    return a**b


@case((2.0, 10.0), (2.5, -2.0), (0.0, 0.0), (0.0, -1.0), (INF, 0.0), (NAN, 0.0), (1e308, 2.0))
def float_power(a, b):
    return a**b


@case((3,), (-4,), (0,))
def square_and_cube(a):
    return a**2, a**3, a**0, a**1


@case((12, 10), (-12, 10), (1, 63), (255, 8))
def bit_operations(a, b):
    return a & b, a | b, a ^ b, a >> b, ~a


@case((1, 10), (3, 61), (-1, 63), (1, 62))
def left_shift(a, b):
    return a << b


@case((True, False), (True, True), (False, False))
def bool_arithmetic(a, b):
    return a + b, a & b, a | b, a ^ b, -a, ~a, a * 3, a == b, a < b, not a


@case((7, 2), (-7, 2), (7, 0))
def int_divmod(a, b):
    return divmod(a, b)


@case((7.5, 2.0), (-7.5, 2.0), (7.5, 0.0))
def float_divmod(a, b):
    q, r = divmod(a, b)
    return q, r


@case((1 + 2j, 3.0), (0j, 1.0), (1 - 1j, -2.0))
def complex_arithmetic(z, x):
    return z + x, z * z, z - 1, z / (x + 1j), z.real, z.imag, z.conjugate(), abs(z)


@case((1 + 2j, 1 + 2j), (1 + 2j, 2j))
def complex_comparison(a, b):
    return a == b, a != b, bool(a)


@case((3, 4.0), (True, 1), (2, 2.0))
def comparisons(a, b):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


@case((NAN,), (1.0,))
def nan_comparisons(x):
    return x == x, x != x, x < x, x >= 0.0, not x < 1.0


@case((2**53 + 1,), (2**53,), (5,))
def int_against_large_float(a):
    return a == 9007199254740992.0, a < 9007199254740993.0, a > 9007199254740992.0


@case((1, 5, 9), (9, 5, 1), (5, 5, 5))
def chained(a, b, c):
    return a < b < c, a <= b <= c, a < b > c, a == b == c, a != b != c, 0 < a < 10 > c


@case((3.7,), (-3.7,), (2.5,), (-0.5,), (1e15,))
def conversions(x):
    return int(x), float(x), bool(x), round(x), int(x) + 1


@case((3,), (0,), (-1,))
def int_conversions(n):
    return float(n), bool(n), complex(n), int(True) + n, n.real


@case((2.675,), (1.005,), (-1234.5678,), (0.5,), (1.5,))
def rounding(x):
    return round(x), round(x, 2), round(x, 0)


@case((12345,), (-15,), (25,))
def int_rounding(n):
    return round(n), round(n, -1)


@case((INF,), (NAN,))
def int_of_no_number(x):
    return int(x)


@case((9223372036854775807,), (-9223372036854775808,), (0,))
def int_limits(n):
    return n, n // 2, n % 10, n > 0


@case((1e300, 10.0), (2.0, 3.0))
def float_overflow_in_product(a, b):
    return a * a * b


@case((0,), (1,), (-5,))
def float_of_int_division(n):
    return n / 4, n // 4, n % 4


# --- assignment -------------------------------------------------------------------------------------


@case((1, 2), (3.5, 4))
def swap(a, b):
    a, b = b, a
    return a, b


@case(
    (1, 2, 3),
)
def nested_unpacking(a, b, c):
    (x, (y, z)) = (a, (b, c))
    [p, *q] = [z, y, x]
    return x, y, z, p, q


@case(
    (1, 2, 3, 4),
)
def starred_unpacking(a, b, c, d):
    first, *middle, last = (a, b, c, d)
    *head, tail = [a, b]
    return first, middle, last, head, tail


@case((5,), (-2,))
def multiple_assignment(a):
    x = y = a * 2
    x += 1
    return x, y


@case((5, 3), (-5, 2))
def augmented(a, b):
    a += b
    a -= 1
    a *= b
    a //= 2
    a **= 2
    a %= 17
    a <<= 2
    a |= 1
    a ^= 5
    a &= 63
    a >>= 1
    return a


@case(
    (6.0, 4),
)
def augmented_changes_type(a, b):
    b /= 2
    a -= b
    return a, b


@case(
    (3,),
)
def annotated(n):
    total: float = 0.0
    k: int
    k = n
    total += k
    return total


@case((4,), (-4,))
def walrus(n):
    if (m := n * 2) > 0:
        return m
    return -m, (k := m + 1) * k


@case(
    (1,),
)
def deletion(x):
    y = x + 1
    del x
    x = y
    return x


@case(
    (1,),
)
def deletion_then_use(x):
    del x
    return x


@case(
    (1, 2.0),
)
def chained_target(a, b):
    t = [0, 0]
    t[0], t[1] = a, b
    i, t[i] = 1, 5
    return t


# --- conditions -------------------------------------------------------------------------------------


@case((5,), (0,), (-5,))
def if_elif_else(n):
    if n > 0:
        return "positive"
    elif n == 0:
        return "zero"
    else:
        return "negative"


@case((5,), (0,), (-5,))
def ternary(n):
    return n if n > 0 else -n if n < 0 else 100


@case((0, 5), (3, 0), (0, 0), (3, 4))
def and_or(a, b):
    return a and b, a or b, a and b or 7, (a or b) and 1, not a, not (a and b)


@case((0.0, 5), (3.5, 0))
def and_or_mixed(a, b):
    return a and b, a or b


@case((1, 0), (0, 1), (2, 2))
def short_circuit(a, b):
    return b != 0 and a / b > 0, b == 0 or a // b > 0


@case((3,), (-3,), (0,))
def branch_of_types(n):
    x = n * 0.5 if n > 0 else n
    return x


@case((3,), (-3,))
def value_or_none(n):
    x = n if n > 0 else None
    if x is None:
        return -1
    return x + 1


@case((3,), (-3,))
def returns_none(n):
    if n > 0:
        return n


@case((3,), (-3,))
def optional_result(n):
    return n * 2 if n > 0 else None


@case((5,), (15,), (25,))
def early_return(n):
    if n < 10:
        return n
    n = n * 2
    if n < 40:
        return -n
    return 0


@case((1,), (2,), (3,), (9,))
def membership(n):
    return n in (1, 2), n not in [2, 3], n in {1: "a", 3: "b"}, n in range(0, 10, 3)


@case((1.0,), (0.0,), (NAN,))
def float_truth(x):
    if x:
        return 1
    return 0


@case((5, None), (5, 3))
def identity(a, b):
    return b is None, b is not None, a is not None


@case((True,), (False,))
def bool_identity(flag):
    return flag is True, flag is False, flag == True  # noqa: E712


@case((2,), (0,), (7,))
def pass_and_ellipsis(n):
    if n:
        pass
    else:
        ...
    return n


# --- loops ------------------------------------------------------------------------------------------


@case((10,), (0,), (1,), (-3,))
def while_loop(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total, n


@case((10,), (0,), (1,))
def for_range(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


@case((0, 10, 3), (10, 0, -3), (5, 5, 1), (0, 10, -1), (-5, 5, 2))
def for_range_of_three(a, b, c):
    found = 0
    last = -100
    for i in range(a, b, c):
        found += 1
        last = i
    return found, last


@case(
    (1, 5, 0),
)
def range_step_zero(a, b, c):
    for i in range(a, b, c):
        a += i
    return a


@case((10,), (3,), (0,))
def for_break(n):
    for i in range(n):
        if i * i > 20:
            break
    else:
        return -1
    return i


@case((10,), (0,))
def for_continue(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        total += i
    return total


@case((27,), (1,), (6,))
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@case((5,), (50,), (0,))
def while_else(n):
    k = 0
    while k < n:
        k += 7
        if k == 21:
            break
    else:
        k = -k
    return k


@case((4, 5), (0, 3), (3, 0))
def nested_loops(a, b):
    total = 0
    for i in range(a):
        for j in range(b):
            if j > i:
                break
            total += i * j
        else:
            total += 100
    return total


@case((100,), (7,), (2,))
def return_from_nested_loop(n):
    for i in range(2, n):
        for j in range(2, n):
            if i * j == n - 1:
                return i, j
    return None


@case((3,), (0,))
def loop_variable_afterwards(n):
    i = -1
    for i in range(n):
        pass
    return i


@case((3,), (0,))
def loop_variable_unbound(n):
    for i in range(n):
        pass
    return i


@case((5,), (0,))
def changing_type_in_loop(n):
    total = 0
    for i in range(n):
        total = total + 0.5
    return total


@case((5,), (0,), (1,))
def none_before_loop(n):
    best = None
    for i in range(n):
        if best is None or i * (3 - i) > best:
            best = i * (3 - i)
    return best


@case((6,), (0,))
def loop_over_tuple(n):
    total = 0
    for k in (1, 2.5, n):
        total = total * 2 + k
    return total


@case(
    (6,),
)
def loop_over_dict(n):
    table = {"a": n, "b": n * 2}
    total = 0
    names = ""
    for k in table:
        names = names + k
    for v in table.values():
        total += v
    for k, v in table.items():
        total = total * 3 + v
    return names, total


@case((4,), (0,))
def loop_zip_enumerate(n):
    total = 0
    for i, (a, b) in enumerate(zip((1, 2, 3), [n, n + 1, n + 2])):
        total += i * a * b
    for i, k in enumerate(range(n), 5):
        total += i * k
    for i, k in zip(range(n), range(2, 100)):
        total -= i * k
    return total


@case((4,), (0,))
def loop_reversed(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 10 + i
    for i in reversed((1, 2, 3)):
        total = total * 10 + i
    return total


@case((5,), (0,), (1,))
def fibonacci_pair(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@case((2.0,), (9.0,), (1e-10,))
def newton_square_root(x):
    y = x if x > 1.0 else 1.0
    while True:
        z = 0.5 * (y + x / y)
        if abs(z - y) < 1e-12 * y:
            return z
        y = z


@case((20,), (2,), (1,))
def sieve_count(n):
    found = 0
    for k in range(2, n):
        prime = True
        for d in range(2, k):
            if k % d == 0:
                prime = False
                break
        if prime:
            found += 1
    return found


@case((3,), (0,))
def infinite_loop_with_exits(n):
    k = 0
    while 1:
        k += 1
        if k > 100:
            return "too far"
        if k % 2:
            continue
        if k > n:
            break
    return k


@case(
    (4,),
)
def loop_updates_containers(n):
    state = [0, 1.0]
    table = {"count": 0}
    for i in range(n):
        state[0] += i
        state[1] *= 0.5
        table["count"] += 1
    return state, table


@case(
    (3, 4),
)
def range_object(a, b):
    r = range(a, b * 5, a)
    return len(r), r[0], r[-1], r[1], 6 in r, 7 in r


@case((3,), (0,))
def while_with_walrus(n):
    total = 0
    while (n := n - 1) >= 0:
        total += n
    return total


@case(
    (10,),
)
def loop_bound_changed_inside(n):
    count = 0
    for i in range(n):
        n = 3
        count += n
    return count, n


# --- functions --------------------------------------------------------------------------------------


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


# --- containers -------------------------------------------------------------------------------------


@case(
    (1, 2.5),
)
def tuples(a, b):
    t = (a, b, a + b)
    return t[0], t[-1], t[1:], t[::-1], len(t), t + (1,), t * 2, b in t, t.index(b), t.count(a)


@case(
    (1, 2.5),
)
def lists(a, b):
    x = [a, b]
    x.append(a + b)
    x.insert(0, 9)
    x.extend((7, 8))
    last = x.pop()
    first = x.pop(0)
    x.reverse()
    y = x.copy()
    y[0] = -1
    x.remove(b)
    return x, y, first, last, x + [1], x * 2, len(x), x[1:], x.index(a), x.count(a)


@case(
    (1, 2),
)
def list_aliasing(a, b):
    x = [a]
    y = x
    y.append(b)
    z = x[:]
    z.append(0)
    x += [5]
    return x, y, z, x is y, x is z


@case(
    (1, 2),
)
def dicts(a, b):
    d = {"x": a, "y": b}
    d["z"] = a + b
    got = d.get("w", -1), d.get("x"), d.get("nothing")
    popped = d.pop("y")
    d.update({"q": 1}, r=2)
    d.setdefault("x", 100)
    d.setdefault("s", 7)
    return d, got, popped, list(d), list(d.values()), list(d.items()), "x" in d, len(d), {**d, "t": 0}


@case(
    (1, 2),
)
def dict_of_numbers(a, b):
    d = {1: a, 2.5: b, (1, 2): a * b, None: 0}
    return d[1], d[2.5], d[(1, 2)], d[None]


@case((3,), (-1,), (5,))
def tuple_index_at_run_time(i):
    return (1, 2, 3, 4)[i]


@case((3,), (-5,), (4,))
def list_index_at_run_time(i):
    items = [10, 20, 30, 40]
    return items[i]


@case((1,), (0,))
def unlike_tuple_index_at_run_time(i):
    return (1, 2.5)[i]


@case(
    (2,),
)
def list_item_assignment_at_run_time(i):
    items = [0, 0, 0]
    items[i] = 5
    items[i - 1] += 2
    return items


@case((5,), (0,))
def list_comprehension(n):
    return [n + k for k in (1, 2, 3)], [k * n for k in range(5) if k % 2], [(a, b) for a in (1, 2) for b in (n, 0)]


@case(
    (5,),
)
def dict_and_set_comprehension(n):
    return {k: n * k for k in (1, 2, 3)}, {k % 2 for k in (1, 2, 3)}, {name: len(name) for name in ("ab", "c")}


@case(
    (5,),
)
def comprehension_scope(k):
    inner = [k for k in (1, 2, 3)]
    return inner, k


@case(
    (5, 2),
)
def generator_expressions(n, m):
    return (
        sum(n * k for k in (1, 2, 3)),
        max(k + m for k in (n, m)),
        all(k > 0 for k in (n, m)),
        any(k > 4 for k in (n, m)),
    )


@case((7,), (0,))
def sum_over_range(n):
    return sum(range(n)), sum(i * i for i in range(n)), sum([1, 2, n]), sum((1.5, n), 2)


@case(
    (4,),
)
def nested_containers(n):
    tree = {"a": [n, (n + 1, {"b": n * 2})]}
    tree["a"].append(tree["a"][1][1]["b"])
    return tree


@case(([1, 2, 3],), ([4.5, 1, 2],))
def list_argument(items):
    return items[0] + items[-1], len(items), [k * 2 for k in items]


Point = namedtuple("Point", "x y")


class Particle(NamedTuple):
    position: float
    velocity: float = 1.0

    def moved(self, dt: float) -> Particle:
        return self._replace(position=self.position + self.velocity * dt)


@case((Point(1, 2.0),), (Point(3, 4),))
def named_tuple(p):
    q = Point(p.y, p.x)
    return q.x + p.x, q, p[0], q._asdict()["x"], p._replace(x=0)


@case(
    (0.5,),
)
def named_tuple_with_methods(dt):
    p = Particle(2.0)
    for _ in range(3):
        p = p.moved(dt)
    return p, p.position


@case((3,), (-3,))
def dict_built_on_both_paths(n):
    d = {"a": 1}
    if n > 0:
        d["b"] = n
    else:
        d["b"] = 0
    return d


@case((5,), (1,))
def list_built_with_condition_on_the_index(n):
    found = []
    for k in range(6):
        if k % 2 == 0:
            found.append(k * n)
    return found


@case((1, 2.5), (3, 3.0))
def extremes_of_unlike_numbers(a, b):
    low, high = min(a, b), max(a, b)
    return low + 1, high * 2, low == high, sorted((3, 1))


@case((1,), (2,), (7,))
def tuples_compared(n):
    return (n, 2) < (2, n), (n,) <= (n, 0), [n, 1] > [2], (n, 5.0) >= (n, 5), (1, "a") < (n, "b"), () < (n,)


@case(
    (3,),
)
def tuple_compared_with_list(n):
    return (n,) < [n]


@case(
    (3,),
)
def number_compared_with_string(n):
    return n < "3"


@case(
    (3,),
)
def length_of_number(n):
    return len(n)


@case(
    (3,),
)
def iterates_number(n):
    for k in n:
        return k


@case(
    (3,),
)
def string_plus_number(n):
    return "a" + n


@case(
    (3,),
)
def indexes_number(n):
    return n[0]


@case(
    (3, [1, 2]),
)
def adds_number_and_list(n, items):
    return items + n


@case(
    (3,),
)
def methods_of_sets(n):
    s = {3, 1, 2}
    s.add(7)
    s.discard(1)
    s |= {9}
    order = sorted(k for k in s)
    return s.union([4]), s.intersection({2, 3}), s.issubset({1, 2, 3, 7, 9}), s - {2}, order, n


@case(
    (2, 1, 3),
)
def methods_of_lists(a, b, c):
    x = [3, 1, 2]
    x.sort()
    x.sort(reverse=True)
    x.remove(1)
    y = [a, b, c]
    del y[0]
    y[0:1] = [7, 8]
    x.clear()
    return x, y, [1, 2, 3].index(2), [a] * 3


@case(
    (1,),
)
def sets(n):
    s = {1, 2, 3}
    return 2 in s, len(s), s | {4}, s & {1, 9}, s - {1}, {n}


@case(
    (3, 1, 2),
)
def sorting(a, b, c):
    return sorted([3, 1, 2]), sorted((3, 1, 2), reverse=True), sorted(["b", "a"], key=lambda s: s), (a, b, c)


@case(
    (3, 1),
)
def container_comparison(a, b):
    return (a, b) == (3, 1), [a, b] == [b, a], (a, b) < (b, a), (a, b) != (a, b), {"k": a} == {"k": 3}, (1,) < (1, 2)


@case(
    (1, 2),
)
def unpack_wrong_count(a, b):
    x, y, z = (a, b)
    return x


@case(
    (1,),
)
def unpack_a_number(a):
    x, y = a
    return x


@case((3,), (0,))
def tuple_carried_by_loop(n):
    state = (0, 1.0)
    for i in range(n):
        state = (state[0] + i, state[1] / 2)
    return state


@case(
    (5,),
)
def slices(n):
    s = slice(1, 3)
    return (1, 2, n, 4)[s], [1, 2, 3, n][-2:], "hello"[1:n]


# --- strings and output -----------------------------------------------------------------------------


@case((3, 2.5, True), (-1, INF, False))
def prints(n, x, flag):
    print("values", n, x, flag)
    print(n, x, sep=", ", end="!\n")
    print()
    print(f"{n} and {x:.3f} {x!r} {n:5d}|{n:<4}|{n:+}|{flag}")
    print((n, x), [n, "a"], {"k": x}, None)
    return None


@case((3,), (0,))
def prints_in_loop(n):
    for i in range(n):
        if i % 2:
            print("odd", i)
        else:
            print(f"even {i}")
    print("done")


@case(
    (3, 2.5),
)
def percent_and_format(n, x):
    print("%d items at %.2f" % (n, x))
    print("{} {:>6.1f} {name}".format(n, x, name="z"))
    print(str(n) + "/" + str(x))


@case((1e16,), (1e-5,), (0.1,), (123456789.123,), (NAN,), (-0.0,), (1e22,))
def float_text(x):
    print(x, str(x), repr(x), f"{x}", f"{x:g}", f"{x:10.2e}")


@case((2,), (5,))
def static_strings(n):
    s = "hello"
    t = s.upper() + "!" * 2
    return t, s[1], len(s), "ell" in s, s.replace("l", "L"), ",".join(["a", "b"]), s == "hello", s.split("l"), n


@case((3,), (-3,))
def raises_built_in(n):
    if n < 0:
        raise ValueError("negative")
    return n


class CustomError(Exception):
    pass


@case((3,), (-3,))
def raises_custom(n):
    if n < 0:
        raise CustomError(f"value {n} is bad", n) if n == 0 else CustomError(f"value {n}")
    return n


@case((3,), (-3,))
def raises_class(n):
    if n < 0:
        raise KeyError
    return n


@case((3,), (-3,))
def asserts(n):
    assert n > 0, f"n is {n}"
    return n


@case((0,), (1,))
def prints_before_raising(n):
    print("before", n)
    x = 1 // n
    print("after", x)
    return x


@case((5,), (2,))
def raises_in_loop(n):
    for i in range(n):
        print(i)
        if i == 3:
            raise RuntimeError(f"at {i}")
    return n


@case((3,), (0,))
def raise_from(n):
    if n:
        raise ValueError("outer") from KeyError("inner")
    return n


@case((2, 0), (1, 1))
def order_of_evaluation(a, b):
    def note(x):
        print("note", x)
        return x

    return note(a) + note(b) * note(3), [note(1), note(2)], {"k": note(4)}, note(5) < note(a) < note(7)


# --- builtins and math ------------------------------------------------------------------------------


@case((3, -2, 7), (1.5, 2, -1), (0, 0.0, -0.0))
def extremes(a, b, c):
    return min(a, b), max(a, b, c), min((a, b, c)), max([a, b]), max(a, b, key=lambda v: -v), min((), default=4)


@case(
    (3, 4.5),
)
def builtins_of_numbers(a, b):
    return abs(-a), abs(b), pow(a, 2), pow(b, 2), round(b), divmod(b, a), int(b), float(a), complex(a, b)


@case(
    (2, 10, 7),
)
def modular_power(a, b, m):
    return pow(2, 10), (a**b) % m


@case((0.5,), (0.0,), (1.0,), (-0.25,))
def math_functions(x):
    return (
        math.sin(x), math.cos(x), math.tan(x), math.asin(x), math.acos(x), math.atan(x), math.sinh(x), math.cosh(x),
        math.tanh(x), math.asinh(x), math.exp(x), math.expm1(x), math.log1p(x), math.erf(x), math.erfc(x),
    )  # fmt: skip


@case((2.5,), (1.0,), (700.0,), (1e-300,))
def math_of_positive(x):
    return (
        math.sqrt(x),
        math.log(x),
        math.log2(x),
        math.log10(x),
        math.gamma(min(x, 20.0)),
        math.lgamma(x),
        math.log(x, 3),
    )


@case((3.0, 4.0), (-3.0, 0.5), (0.0, -0.0))
def math_of_two(x, y):
    return math.hypot(x, y), math.atan2(x, y), math.copysign(x, y), math.fmod(x, 2.5), math.pow(abs(x), y), math.pi


@case((2.7,), (-2.7,), (5,))
def math_rounding(x):
    return math.floor(x), math.ceil(x), math.trunc(x), math.fabs(x), math.isnan(x), math.isinf(x), math.isfinite(x)


@case((12, 18), (0, 5))
def integer_math(a, b):
    return math.gcd(a, b), math.isqrt(a), math.factorial(5), math.comb(6, 2), math.prod((a, b, 2))


@case((800.0,), (1.0,))
def math_overflow(x):
    return math.exp(x)


@case((-1.0,), (4.0,))
def math_domain(x):
    return math.sqrt(x)


@case((0.0,), (1,))
def math_log_of_zero(x):
    return math.log(x)


@case((3,), (2.5,), (True,), ("text",), (None,))
def type_tests(x):
    return isinstance(x, int), isinstance(x, (float, str)), type(x) is int, x is None, callable(x), type(x).__name__


@case(
    (1, 2.0),
)
def attribute_functions(a, b):
    p = Point(a, b)
    return getattr(p, "x"), hasattr(p, "z"), getattr(p, "z", 5), hasattr(p, "y")  # noqa: B009


@case(
    (0, 1, 2),
)
def all_any(a, b, c):
    return all((a, b)), any((a, b)), all([]), any(()), all([b, c]), any(v > 1 for v in (a, b, c))


@case(
    (4,),
)
def map_filter_zip(n):
    return (
        list(map(lambda v: v * n, (1, 2))),
        list(filter(None, (0, 1, 2))),
        list(zip((1, 2), (n, 0))),
        tuple(map(abs, (-1, n))),
    )


@case(
    (3, 4),
)
def operators(a, b):
    return operator.add(a, b), operator.mul(a, b), operator.lt(a, b), operator.neg(a), operator.floordiv(b, a)


@case((1.0, 1.0), (1.0, 1.0 + 1e-12), (INF, INF), (INF, 1.0), (NAN, NAN), (0.0, 1e-12))
def close(x, y):
    return math.isclose(x, y), math.isclose(x, y, rel_tol=1e-3), math.isclose(x, y, abs_tol=1e-6)


@case((2, 0.5), (-3, -0.0), (0, INF))
def negation(n, x):
    return operator.neg(n), operator.neg(x), operator.pos(x), operator.invert(n)


@case((1 + 2j,), (0.5 + 0j,))
def complex_functions(z):
    return cmath.exp(z), cmath.sqrt(z), cmath.phase(z), abs(z), complex(z.real, z.imag), complex(z)


@case((7, 2.5, "x"), (-7, INF, "yz"))
def percent_formats(n, x, s):
    print("%5d|%-5d|%05d|%+d|%x|%o|%%" % (n, n, n, n, abs(n), abs(n)))
    print("%8.3f|%e|%g|%s|%r" % (x, x, x, x, x))
    print("%s %s %(n)s".replace("%(n)s", "z") % (n, s))
    print("%(a)d and %(b).1f" % {"a": n, "b": x})
    print("%d" % n, "%s" % x, "%6s|%-6s|" % (n, True))
    return "%d items" % n, ", ".join([s, f"{n}"]), "{:>8} {!r:>6} {b:.2f}".format(n, s, b=x)


@case((3,), (2.5,))
def percent_of_wrong_type(n):
    return "%x" % n


@case(
    (1,),
)
def percent_with_too_few(n):
    return "%d %d" % (n,)


@case((True, 2, 3.5, 4), (False, -1, 0.0, 5))
def raises_with_many_values(flag, a, b, c):
    raise ValueError(f"{flag} {a} {b} {c} {a + c}")


@case((1, 2.5), (3, NAN))
def raises_with_arguments(a, b):
    raise CustomError("text", a, (b, None))


@case(
    (np.arange(3.0),),
)
def raises_with_array(x):
    raise CustomError(f"bad array {x}")


@case(
    (3,),
)
def raises_number(n):
    raise KeyError(n)


class NeedsTwo(Exception):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{reason} ({code})")
        self.code = code


@case((3,), (0,))
def raises_with_own_constructor(n):
    if n:
        raise NeedsTwo(n, "because")
    raise NeedsTwo(0, "zero") from ValueError(f"cause {n}")


# --- objects ----------------------------------------------------------------------------------------


class Account:
    rate = 0.5

    def __init__(self, balance: float) -> None:
        self.balance = balance

    def interest(self, years: int) -> float:
        total = 0.0
        for _ in range(years):
            total += self.balance * self.rate
        return total

    @staticmethod
    def fee(amount: float) -> float:
        return amount * 0.01

    @classmethod
    def doubled_rate(cls) -> float:
        return cls.rate * 2

    @property
    def worth(self) -> float:
        return self.balance * 10

    def __call__(self, x: float) -> float:
        return x + self.balance


ACCOUNT = Account(100.0)


@case((3,), (0,))
def methods_of_objects(n):
    return ACCOUNT.interest(n), ACCOUNT.fee(5.0), ACCOUNT.doubled_rate(), ACCOUNT.worth, ACCOUNT(n), Account.rate


@case((Account(3.0), 2), (Account(4.0), 0))
def object_argument(account, n):
    return account.interest(n) + account.balance


@case((Account(3.0), 2.0), (Account(3.0), -2.0))
def attribute_written_on_one_path(account, x):
    if x > 0:
        account.balance = x
    return account.balance


@case((Account(3.0), 4), (Account(3.0), 0))
def attribute_written_in_loop(account, n):
    for i in range(n):
        account.balance += i
    return account.balance * 2


@case(
    (Account(3.0), 2.0),
)
def attribute_written(account, x):
    account.balance += x
    account.balance = account.balance * 2
    return account.balance


class Vector:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y

    def __add__(self, other):
        return self.x + other.x + self.y + other.y

    def __mul__(self, k):
        return self.x * k

    def __rmul__(self, k):
        return self.y * k

    def __iadd__(self, k):
        self.x += k
        return self

    def __eq__(self, other):
        return self.x == other.x

    __hash__ = None

    def __lt__(self, other):
        return self.x < other.x

    def __len__(self):
        return 3

    def __getitem__(self, k):
        return self.x * k

    def __setitem__(self, k, value):
        self.y = value + k

    def __contains__(self, value):
        return value == self.x

    def __bool__(self):
        return self.x > 0

    def __neg__(self):
        return -self.x

    def __float__(self):
        return self.x * 10

    def __abs__(self):
        return self.x + 1

    def __str__(self):
        return f"({self.x}, {self.y})"


@case((Vector(1.0, 2.0), Vector(3.0, 4.0), 2.0), (Vector(-1.0, 0.0), Vector(-1.0, 4.0), 3.0))
def operators_of_objects(v, w, k):
    return v + w, v * k, k * v, v == w, v != w, v < w, v > w, -v, len(v), v[k], k in v, float(v), abs(v)


@case((Vector(1.0, 2.0), 2.0), (Vector(-3.0, 2.0), 1.0))
def changed_objects(v, k):
    v += k
    v[2] = k
    print(v, f"{v}", str(v))
    return (1 if v else 2), v.x, not v


@case(
    (3,),
)
def imports_inside(n):
    import math as m
    from math import sqrt

    return m.floor(sqrt(n)), m.pi


@case(
    (3,),
)
def items_of_views_and_iterators(n):
    d = {"a": n, "b": 2}
    pairs = zip((1, 2), (n, 0))
    print(list(d.keys()), [*d.values()], dict(d.items()), len(d.keys()), "a" in d.keys(), bool(d.values()))  # noqa: SIM118
    return list(pairs), bool(zip()), tuple(reversed([1, n])), [k for k in enumerate((n,))], list(map(abs, (-n, 1)))


@case(
    (3,),
)
def index_of_a_view(n):
    return {"a": n}.values()[0]


@case(
    (3,),
)
def length_of_an_iterator(n):
    return len(zip((n,), (1,)))


# --- arrays -----------------------------------------------------------------------------------------

VECTOR = np.array([1.0, -2.0, 3.5, 0.25])
MATRIX = np.arange(12.0).reshape(3, 4)


@case((VECTOR, 2.0), (MATRIX, -1.5), (np.float32([1, 2]), 3))
def array_arithmetic(x, a):
    return x + a, a - x, x * x, x / 2, -x, x**2, abs(x), x > a, x == x, x @ x.T


@case((VECTOR,), (MATRIX,), (np.arange(6),))
def array_attributes(x):
    return x.shape, x.ndim, x.size, len(x), x.shape[0] * 2, x.T.shape


@case(
    (MATRIX,),
)
def array_reductions(x):
    return x.sum(), x.sum(axis=0), x.mean(axis=1), x.max(), x.min(axis=0), np.sum(x, axis=1), np.mean(x), x.argmax()


@case((MATRIX, 1), (MATRIX, -1), (MATRIX, 3))
def array_items(x, i):
    return x[i], x[i, 2], x[:, i % 4], x[1:, ::2], x[-1, -1], x[0][i % 2]


@case((VECTOR, 3), (VECTOR, 0))
def array_loop(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * i
    for v in x:
        total = total * 0.5 + v
    return total


@case((VECTOR,), (np.arange(5),))
def array_written(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = x[i] * 2
    y[0] += 1
    y[1:3] *= 3
    return y


@case(
    (VECTOR.copy(),),
)
def argument_written(x):
    x[0] = 100.0
    x += 1
    return x.sum()


@case(
    (VECTOR, VECTOR + 1),
)
def numpy_functions(x, y):
    return np.maximum(x, y), np.where(x > 0, x, y), np.sqrt(abs(x)), np.dot(x, y), np.abs(x), np.sum(x * y), np.floor(x)


@case((3,), (0,))
def array_creation(n):
    return np.zeros(n), np.ones((n, 2)), np.arange(n), np.full((2,), n), np.eye(3), np.linspace(0.0, 1.0, 5)


@case(
    (MATRIX,),
)
def array_shapes(x):
    return x.reshape(4, 3), x.T, x.reshape(-1), x[None].shape, np.concatenate([x, x]), np.stack([x, x]).shape, x.ravel()


@case(
    (VECTOR,),
)
def array_condition(x):
    if x.sum() > 1:
        x = x * 2
    if (x > 0).all():
        return x
    return -x


@case(
    (np.float64(2.5), np.int32(3)),
)
def numpy_scalars(a, b):
    return a + 1, a * b, b + 1, a > b, -a, b // 2, float(a), int(b)


@case((np.float32(0.1), 0.1), (np.float32(1e30), 1e30))
def numpy_scalar_promotion(a, b):
    return a + b, a * b, a == b


@case((np.int32(2**31 - 1),), (np.int32(5),))
def numpy_integers_wrap(a):
    with_one = np.array([1], np.int32) * a
    return with_one + with_one


@case(
    (MATRIX, VECTOR),
)
def iteration_over_matrix(m, v):
    total = 0.0
    for row in m:
        total += (row * v).sum()
    for i, row in enumerate(m):
        total += row[0] * i
    for a, b in zip(m, m):
        total += a[1] - b[2]
    return total


@case(
    (VECTOR,),
)
def array_views_share(x):
    y = x.copy()
    z = y[1:]
    z[0] = 50.0
    w = y.reshape(2, 2)
    w[0, 0] = -1
    return y, z, w


@case((VECTOR, 7), (VECTOR, -5))
def array_index_out_of_range(x, i):
    return x[i]


@case(
    (VECTOR, MATRIX[:, :3]),
)
def array_shape_mismatch(x, y):
    return x + y


@case(
    (VECTOR,),
)
def array_printed(x):
    print(x, x[0], x.sum())
    print("shape", x.shape)


@case(
    (4, VECTOR),
)
def array_carried_by_loop(n, x):
    acc = x * 0
    for i in range(n):
        if i % 2 == 0:
            acc = acc + x
        else:
            acc = acc * 2
    return acc


@case(
    (3, VECTOR),
)
def array_recursion(n, x):
    def go(k, y):
        if k == 0:
            return y
        return go(k - 1, y * 0.5)

    return go(n, x)


@case(
    (MATRIX, VECTOR),
)
def matmul(m, v):
    return m @ v, m.T @ m, np.dot(m, v), np.matmul(m, v)


@case(
    ((VECTOR, {"w": MATRIX}),),
)
def containers_of_arrays(pair):
    x, table = pair
    return {"out": [x + 1, (table["w"].sum(), len(x))], **table}


@case(
    (VECTOR > 0, VECTOR),
)
def boolean_arrays(mask, x):
    return mask & (x < 3), ~mask, mask.sum(), mask.any(), mask.all(), x * mask


@case((np.arange(4), 2), (np.arange(4, dtype=np.uint8), 3))
def integer_arrays(x, n):
    return x + n, x // n, x % n, x / n, x << 1, x & 1, x * 1.5, x.sum(), x.dtype == np.int64
