"""Conditions, one form at a time."""

# pyright: basic

from __future__ import annotations

from programs.corpus import case

NAN = float("nan")


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
