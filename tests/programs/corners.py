"""Corners where a compiler is easily wrong without a sign: equality across types, aliases, order of evaluation, scopes."""

# pyright: basic

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from programs.corpus import case

Pair = namedtuple("Pair", "a b")


@case((1, 1.0), (0, -0.0), (2**53 + 1, 2.0**53))
def numbers_of_other_types_equal(n, x):
    return (
        n == x,
        (n,) == (x,),
        [n] == [x],
        {"k": n} == {"k": x},
        n != x,
        (n, 1) < (x, 2),
        n in (x,),
        x in [n],
        n == complex(x),
    )


@case((1,), (0,))
def keys_of_other_types_collide(n):
    d = {1: "int", True: "bool", 1.0: "float", 0: "zero", False: "false"}
    s = {1, True, 1.0, 0, False}
    return d, len(s), d[True], d.get(0.0), {**{1: n}, True: 5}


@case((1,), (2.5,))
def equality_across_kinds(n):
    return (
        n == "1",
        (n,) == [n],
        [n] == (n,),
        {"a"} == frozenset("a"),
        None == n,
        n != None,
        () == [],
        "" == (),
        {} == [],
        Pair(n, 1) == (n, 1),
    )  # noqa: E711


@case((float("nan"),))
def nan_in_containers(x):
    return (
        x == x,
        x != x,
        min(x, 1.0),
        max(1.0, x),
        sorted([2.0, 1.0]),
        not x,
        x > 1 or x <= 1,
        math.isnan(x),
    )


@case((2, 3))
def order_of_evaluation(a, b):
    seen = []

    def f(k, v):
        seen.append(k)
        return v

    r = f(1, a) + f(2, b) * f(3, a) - f(4, b)
    t = f(5, a) if f(6, True) else f(7, b)
    f(8, 0) < f(9, a) < f(10, 1) < f(11, 5)
    f(12, a) and f(13, 0) and f(14, b)
    d = {f(15, "k"): f(16, a), f(17, "l"): f(18, b)}
    g = f(19, max)(f(20, a), f(21, b))
    x = [0, 0, 0]
    x[f(22, 1)] = f(23, a)
    x[f(24, 1)] += f(25, b)
    return r, t, d, g, x, seen


@case((3,))
def unpacking_aliases(n):
    a = [1, 2, 3]
    i = 0
    i, a[i] = 1, n
    a[0], a[1], a[2] = a[2], a[0], a[1]
    b = a
    b, a = [9], b
    (c, d), e = (a, b), a
    c[0] = 100
    return a, b, i, d, e


@case((np.arange(4.0),))
def array_aliases(x):
    y = x[1:]
    z = y[::2]
    z[0] = 50.0
    w = x.copy()
    w[0] = -1.0
    y = y + 0
    y[0] = 7.0
    u = x.reshape(2, 2)
    u[1, 1] = 9.0
    v = x
    v *= 2
    return x, y, z, w, u


@case((np.arange(6.0),))
def overlapping_assignment(x):
    x[1:] = x[:-1]
    x[::2], x[1::2] = x[1::2].copy(), x[::2].copy()
    x[:3] += x[3:]
    return x


@case((np.arange(4), 2))
def swaps_of_views_are_no_swaps(x, k):
    x[0], x[k] = x[k], x[0]
    a, b = x[:2], x[2:]
    a[:], b[:] = b, a
    return x


@case((3,), (0,))
def default_evaluated_once(n):
    calls = []

    def make(k):
        calls.append(k)
        return k

    def f(x, y=make(n)):  # noqa: B008
        return x + y

    return f(1), f(2), f(3, 4), calls


@case((5,))
def late_binding(n):
    functions = []
    for k in (1, 2, 3):
        functions.append(lambda x: x * k + n)
    k = 10
    n = 0
    return [f(1) for f in functions]


@case((2,))
def shadowed_names(n):
    sum = n * 2
    max = [sum]

    def len(x):
        return -1

    return sum, max, len(max), [sum for sum in (1, 2)], sum


@case((4,), (1,))
def loop_else_and_variables(n):
    for i in range(n):
        if i == 2:
            break
    else:
        i = -1
    while n > 0:
        n -= 2
        if n == 0:
            break
    else:
        return i, "odd", n
    return i, "even", n


@case((7, 2), (-7, 2), (7, -2), (-7, -2))
def signs_of_division(a, b):
    x, y = float(a), float(b)
    return (
        a // b,
        a % b,
        x // y,
        x % y,
        math.fmod(a, b),
        divmod(a, b),
        divmod(x, b),
        round(a / b),
        int(a / b),
        -a // b,
        -(a // b),
        -a % b,
    )


@case((2,), (-2,), (0,))
def precedence(n):
    return (
        -(n**2),
        -(n**2),
        2**-n if n > 0 else None,
        not n == 1,
        n & 1 == 1,
        ~n + 1,
        n << 1 + 1 if n >= 0 else None,
        1 if n else 2 if n > 1 else 3,
        -n % 3,
    )


@case((0.1,), (1e16,), (-0.0,))
def float_sums_are_not_reordered(x):
    total = 0.0
    for v in (x, 1.0, -1.0, x, 1e-17):
        total += v
    return total, x + 1.0 - 1.0, (x + 0.2) + 0.3, x + (0.2 + 0.3), x * 3 - x * 3, x + 0.0, x - x, 0.0 - x, x * 0, -x + x


@case((1e308, 10.0), (5e-324, 0.5), (-1e308, 10.0))
def float_extremes(x, y):
    return x * y, x / y, x + x, x - -x, abs(x * y) == math.inf, x * y - x * y == 0, x // 1e300


@case((2**62,), (-(2**62),))
def ints_near_the_limit(n):
    return n + (2**62 - 1), n // 3, n % 1000, -n, n >> 60, n ^ -1, n == float(n), float(n), abs(n), n * 1


@case((2**62, 2), (-(2**62), 3), (2**62, 4))
def ints_past_the_limit_are_refused_not_wrapped(n, k):
    try_first = n // k
    return try_first * k


@case((True,), (False,))
def bools_are_ints(b):
    return (
        b + b,
        b * 3,
        -b,
        ~b,
        b / 2,
        b // 1,
        b**2,
        [10, 20][b],
        b == 1,
        b is True,
        (b, b) == (1, 1),
        sum((b, b)),
        b & 1,
        b | False,
        b ^ True,
        max(b, 0),
        str(b),
        f"{b:d}",
    )


@case((3,), (-3,))
def types_of_results(n):
    return (
        type(n / 1),
        type(n // 1.0),
        type(n**2),
        type(n**-1),
        type(True + True),
        type(n and 1.0),
        type(round(n / 2)),
        type(round(n / 2, 0)),
        type(divmod(n, 2.0)),
        type(abs(n)),
        type(sum([])),
        type(max(n, 1.5)),
    )


@case((np.float32(1.5), 2), (np.float64(-2.5), 3))
def numpy_scalar_types(x, n):
    return (
        x + n,
        n + x,
        x * 1.5,
        x**n,
        x / n,
        x // n,
        -x,
        abs(x),
        x > n,
        x == x,
        round(x),
        float(x) + n,
        int(x),
        x + np.float32(1),
        x + np.arange(2),
    )


@case((np.array([1, 2, 3], dtype=np.int32),))
def array_dtypes(x):
    return (
        x + 1,
        x * 1.5,
        x / 2,
        x // 2,
        x**2,
        x + True,
        x > 1,
        -x,
        x.sum(),
        x.mean(),
        x[0],
        x[0] + 1,
        x * np.float32(2),
        x.cumsum(),
        abs(x),
    )


@case((3, 4))
def closures_share_variables(a, b):
    total = a

    def add(k):
        nonlocal total
        total += k

    def get():
        return total

    add(b)
    first = get()
    add(first)
    return first, get(), total


@case((2,))
def lists_in_tuples_change(n):
    t = ([1], [2])
    t[0].append(n)
    u = t
    u[1][0] = n * 10
    v = (*t, [3])
    v[0][0] = -1
    return t, u, v


@case((3,))
def copies_are_shallow(n):
    a = [[n], [2]]
    b, c, d = a[:], list(a), a * 1
    a[0][0] = 7
    a[1] = "new"
    return a, b, c, d


@case((4,))
def repeated_rows_are_one(n):
    grid = [[0] * 2] * 3
    grid[0][1] = n
    other = [[0] * 2 for _ in range(3)]
    other[0][1] = n
    return grid, other


@case((5,), (6,))
def augmented_assignment_evaluates_its_place_once(n):
    seen = []
    box = {"a": [n, 1]}

    def place(k):
        seen.append(k)
        return k

    box["a"][place(0)] += 5
    box["a"][place(1)] *= box["a"][0]
    return box, seen


@case((1, 2, 3))
def chained_comparison_evaluates_once(a, b, c):
    seen = []

    def v(x):
        seen.append(x)
        return x

    return v(a) < v(b) < v(c), v(c) < v(b) < v(a), seen


@case((np.array([1.0, np.nan]),))
def nan_in_arrays(x):
    return (
        x == x,
        x.max(),
        x.min(),
        x.sum(),
        np.maximum(x, 0),
        (x > 0).sum(),
        np.nan in x,
        x.argmax(),
        np.sort(x) if False else x,
    )


@case((2,), (0,))
def returned_closures_are_called(n):
    def outer(k):
        def inner(x, *rest, scale=k, **named):
            return x * scale + sum(rest) + named.get("extra", 0)

        return inner

    f = outer(n)
    return f(3), f(3, 1, 2), f(3, scale=10), f(1, 1, extra=100)


@case((3,), (-3,))
def conditional_definitions(n):
    if n > 0:

        def f(x):
            return x + n
    else:

        def f(x):
            return x - n

    return f(10)


@case((6,))
def del_and_rebind(n):
    x = [n]
    y = x
    del x
    x = 5
    d = {"a": y, "b": n}
    del d["a"], y[0]
    return x, y, d


@case((2.5,), (3,))
def string_of_numbers(x):
    return (
        f"{x}",
        str(x),
        repr(x),
        f"{x!r:>6}",
        f"{x:>8}|{x:<8}|{x:^8}",
        f"{x:08.3f}",
        f"{x:+.1e}",
        "%s|%5.1f|%d" % (x, x, x),
        f"{-x}",
        f"{x=}",
    )
