"""Conditions: if, and/or/not, comparisons, chains, in, is, walrus, on run-time values."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((0,), (59,), (60,), (75,), (85,), (100,))
def grade(score):
    if score >= 90:
        return "A"
    elif score >= 80:
        return "B"
    elif score >= 70:
        return "C"
    elif score >= 60:
        return "D"
    return "F"


@case((1.0,), (-0.5,), (0.25,), (7.0,))
def piecewise(x):
    return 0.0 if x < 0 else x * x if x < 1 else 2 * x - 1 if x < 5 else 9.0


@case((5, 0, 10), (-5, 0, 10), (15, 0, 10))
def clamp(x, low, high):
    return low if x < low else high if x > high else x


@case((1, 2, 3), (3, 2, 1), (2, 1, 3), (2, 2, 2))
def sort_three(a, b, c):
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return a, b, c


@case((3, 3), (-1, 4), (0, 0), (-2, -2))
def quadrant(x, y):
    if x == 0 or y == 0:
        return None
    return (1 if y > 0 else 4) if x > 0 else (2 if y > 0 else 3)


@case((0, 1), (5, 0), (0, 0), (3, 4))
def logic(a, b):
    first = a or b or -1
    last = a and b and a + b
    return first, last, not a, not (a or b), (a and not b) or (b and not a)


@case((1, 10), (0, 10))
def guarded_division(d, n):
    return d != 0 and n // d > 3, d == 0 or n % d == 0


@case((5,), (None,), (0,))
def optional_argument(x):
    if x is None:
        x = 10
    return x * 2


@case((3,), (-3,))
def optional_local(n):
    found = None
    if n > 0:
        found = n * 2.0
    return found if found is not None else -1.0


@case((7,), (0,), (-7,))
def walrus_in_condition(n):
    if (half := n // 2) > 1:
        return half, "large"
    elif half == 0:
        return half, "zero"
    return half, "small"


@case((1, 5, 10), (5, 1, 10), (1, 5, 5))
def chains(a, b, c):
    return a < b < c, a < b <= c, a <= b == c, not a < b < c, a < b > a != c


@case((3,), (4,), (99,))
def membership(n):
    evens, table = (0, 2, 4), {1: "one", 3: "three"}
    return n in evens, n not in evens, n in table, n in [3, 99], n in range(0, 100, 3)


@case((2.5,), (-2.5,), (0.0,))
def branches_of_other_types(x):
    value = int(x) if x > 0 else x
    return value, value * 2


@case((2,), (0,))
def tuple_or_none(n):
    pair = (n, n * n) if n else None
    if pair is None:
        return 0
    a, b = pair
    return a + b


@case((True, 3), (False, 3))
def flag_and_number(flag, n):
    sign = -1 if flag else 1
    return sign * n + flag, flag * n, n if not flag else None


@case((np.array([1.0, -2.0, 3.0]), 2.0), (np.array([-1.0, -2.0]), 0.5))
def array_condition(x, k):
    if x.sum() > 0:
        y = x * k
    else:
        y = x - k
    return y if np.all(y > -100) else None


@case((np.arange(5.0),), (np.zeros(3),))
def nested_array_conditions(x):
    if x.max() > 3:
        if x.min() < 0:
            return x
        x = x[1:]
    return x * (2 if len(x) > 3 else 1)


@case((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))
def state_machine_step(start, stop, reset):
    state = "idle"
    if start and not stop:
        state = "running"
    if stop:
        state = "stopped"
    if reset:
        state = "idle"
    return ("idle", "running", "stopped").index(state)


@case((12, 31), (2, 30), (0, 1), (4, 31))
def valid_date(month, day):
    return 1 <= month <= 12 and 1 <= day <= (
        29 if month == 2 else 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31
    )


@case((5,), (15,), (25,), (35,))
def returns_in_every_branch(n):
    if n < 10:
        if n % 2:
            return 1
        return 2
    else:
        if n < 20:
            return 3
        elif n < 30:
            return 4
    return 5


@case((3, 3.0), (3, 4), (0, False))
def equality_and_identity(a, b):
    return a == b, a is None, b is not None, (a == b) is True, type(a) is type(b)
