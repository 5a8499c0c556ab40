"""assert and raise, and what operations raise: class, message, line, and what was changed before."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


class Refused(Exception):
    pass


class Limit(ValueError):
    def __init__(self, value, most):
        super().__init__(f"{value} is more than {most}")
        self.value = value


@case((3,), (-3,))
def checked(n):
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    return n**0.5


@case((3,), (30,))
def own_exception(n):
    if n > 10:
        raise Refused("no more than 10")
    return n


@case((2.5,), (20.0,))
def exception_with_constructor(x):
    if x > 10:
        raise Limit(x, 10)
    return x


@case((1,), (0,), (-1,))
def asserts(n):
    assert n >= 0
    assert n != 0, "zero"
    assert n > 0, f"n is {n}"
    return n


@case(([1, 2], 1), ([1, 2], 5))
def index_error(items, k):
    return items[k]


@case(({"a": 1}, "a"), ({"a": 1}, "b"))
def key_error(table, key):
    return table[key]


@case((6, 3), (6, 0))
def zero_division(a, b):
    return a // b + a % b


@case((5,), (0,), (1,))
def nested_functions(n):
    def check(k):
        if k == 0:
            raise Refused("zero", k)
        return 1 / (k - 1)

    return check(n)


@case((np.arange(4.0), 3), (np.arange(4.0), 9))
def after_changes(x, n):
    for k in range(n):
        x[k] = x[k] * 2
    return x


@case((1,), (2,), (3,), (4,))
def kinds(n):
    if n == 1:
        raise TypeError
    if n == 2:
        raise KeyError("k", n)
    if n == 3:
        raise RuntimeError(f"{n}", n)
    raise NotImplementedError


@case((10,), (3,))
def in_a_loop(n):
    total = 0
    for k in range(n):
        total += k
        if total > 20:
            raise OverflowError(f"total {total} at {k}")
    return total


@case((2**62, 2), (2**62, 1))
def int_overflow_by_addition(a, b):
    return a // 2 * b + 1


@case((3,), (0,))
def lookup_chain(n):
    table = ((1, 2), (3, 4))
    return table[n - 2][1] if n else table[5 - n]


@case((1.5,), (0.0,))
def exception_chained(x):
    if x == 0:
        raise RuntimeError("cannot") from ValueError("zero")
    return 1 / x


@case((4,), (5,))
def unbound(n):
    if n % 2 == 0:
        value = n
    return value
