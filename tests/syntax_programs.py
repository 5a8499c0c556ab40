"""Functions that use the rest of Python's syntax, with arguments, as `language_programs` has them."""

# ruff: noqa: F841, B023, E731, PLC0415, S101, PLW0120, RUF005, C416, B011, RUF018
# pyright: basic

from __future__ import annotations

import numpy as np

CASES: list = []


def case(*calls):
    def add(function):
        CASES.append((function, calls))
        return function

    return add


@case((2.0,), (0.25,))
def imports(x):
    import math
    import os.path as paths
    from math import exp as e
    from math import floor, log

    return math.sqrt(x) + e(x) * log(x), floor(x), paths.sep


@case((2.0,))
def import_in_a_branch(x):
    if x > 1:
        from math import sin
    else:
        from math import cos as sin
    return sin(x)


@case((3,), (0,))
def nonlocal_counter(n):
    count = 0
    names = ()

    def bump(by, /, *, times=1):
        nonlocal count, names
        for _ in range(times):
            count += by
        names = (*names, by)
        return count

    first = bump(2)
    second = bump(3, times=n)
    return count, names, first, second


@case((4,))
def walrus_in_comprehensions(n):
    kept = [y := k * k for k in range(n)]
    some = [last for k in range(n) if (last := k + 1) % 2]
    any((found := k) > 1 for k in range(n))
    return kept, some, y, last, found


@case((1, 2, 3))
def stars(a, b, c):
    first, *rest = a, b, c
    *start, end = [a, b, c]
    x, (y, *z), w = a, (b, c, a), b
    both = [*rest, *start, 0]
    merged = {**{"a": a}, "b": b, **{"a": c}}

    def total(*args, scale=1, **more):
        return sum(args) * scale + sum(more.values())

    return both, merged, z, total(*rest, a, scale=b, **{"k": c}), total(*both, *z), first, end, x, y, w


@case((1, 2))
def parameters(a, b):
    def f(x, /, y=b, *, z=a + b, w):
        return x * 1000 + y * 100 + z * 10 + w

    g = lambda x, *args, k=3: x + len(args) + k
    return f(1, w=4), f(1, 2, z=3, w=4), f(1, w=0, y=9), g(1), g(1, 2, 3, k=4)


@case((1,))
def wrong_keyword(a):
    def f(x, /, *, y):
        return x + y

    return f(x=a, y=2)


@case((3.0,))
def assignments(x):
    a = b = c = x + 1
    d: float = a * 2
    e: int
    (f): float = d
    g, h = k = (a, b)
    a += (b := 2.0)
    return a, b, c, d, f, g, h, k


@case((np.arange(4.0),))
def deletions(x):
    items = [x[0], x[1], x[2], 5]
    del items[1]
    del items[-1:]
    table = {"a": 1, "b": x[3]}
    del table["a"]
    y, z = 1, 2
    del y, z
    return len(items), items[1], table["b"]


@case((1,))
def deleted_is_unbound(x):
    y = x
    del y
    return y


@case((5,), (1,), (0,))
def loops_with_else(n):
    found = -1
    for i in range(n):
        if i * i > 10:
            found = i
            break
    else:
        found = 100
    k = n
    while k > 0:
        k -= 2
        if k == 1:
            break
    else:
        k = -50
    return found, k


@case((1,), (-1,), (0,))
def assertions(n):
    assert n >= 0
    assert n, f"n is {n}, not {n + 1}"
    assert n < 5, ("a tuple", 1)
    return n


@case((1, 2.5), (2, 2.5), (3, 0.0), (4, -1.0), (5, 1.0))
def messages(n, x):
    if n == 1:
        raise ValueError(f"{n} and {x:.2f}")
    if n == 2:
        raise KeyError(n, x)
    if n == 3:
        raise TypeError
    if n == 4:
        raise RuntimeError("static") from ValueError("cause")
    raise ValueError("text " + str(n)) from None


@case((2, 3))
def conditional_chains(a, b):
    x = a if a > b else b if b > 2 else 0
    y = not a > 1 or (b and a)
    z = a < b <= 3 != 4
    return x, y, z, (a, b)[a < b], [a, b][-1]


@case((3,))
def nested_functions(n):
    def outer(k):
        def inner(j):
            return j * k + n

        return inner

    return [outer(k)(k + 1) for k in range(n)], (lambda *, a: a)(a=n)


@case((7, 3))
def text(a, b):
    return f"{a!r:>5}|{b:03d}|{a / b:.3e}|{a=}|{'nested ' + f'{b}'}", "%d-%s" % (a, b), "{0}{1}".format(a, b)


@case((2, 5))
def ellipsis_and_slices(a, b):
    s = slice(None, b, a)
    x = np.arange(12.0).reshape(3, 4)
    return x[..., 1].sum(), x[s].sum(), x[::-1, 1:3].sum(), (1, 2, 3, 4)[s]


@case((2,))
def matrix_product(n):
    a = np.ones((n, n))
    a @= a
    return (a @ a).sum()


@case((3,), (1,))
def while_with_walrus(n):
    total = 0
    while (n := n - 1) >= 0:
        if n == 1:
            continue
        total += n
    return total, n


@case((3,))
def global_function(n):
    global helper
    return helper(n)


def helper(n):
    return n + 1


@case((float("nan"), 2.0), (1.0, 2.0), (1.0, float("nan")))
def one_object_equals_itself(x, y):
    p = [y, x]
    found = x in p
    if found:
        p.remove(x)
    return (
        (x, 1) < (x, 2), (x, 1) == (x, 1), (x,) != (x,), x in (x,), [x, 1].index(x), [x, y].count(x), (x, 1) <= (x, 2), (x,) == (y,),
        ((x, 1), 2) == ((x, 1), 2), (x + 0.0,) == (x,), found, p, x == x,
    )  # fmt: skip


@case((float("nan"),), (1.0,))
def list_equals_itself(x):
    p = []
    for i in range(int(x == 1.0) + 2):
        p.append(x * i)
    return p == p, p != p
