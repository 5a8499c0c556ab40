"""Functions that use `with`, with arguments, as `language_programs` has them."""

# pyright: basic

from __future__ import annotations

import contextlib

import numpy as np

CASES: list = []


def case(*calls):
    def add(function):
        CASES.append((function, calls))
        return function

    return add


class Manager:
    def __init__(self, name, swallows=()):
        self.name = name
        self.swallows = swallows

    def __enter__(self):
        print("enter", self.name)
        return self.name

    def __exit__(self, cls, error, traceback):
        print("exit", self.name, cls is None, error is None, traceback is None)
        return cls is not None and issubclass(cls, self.swallows)


class Silent:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        return True

    def double(self, x):
        return 2 * x


OUTER, INNER = Manager("outer"), Manager("inner", (ZeroDivisionError,))
SILENT = Silent()
NOT_ONE = 3


@case((3, 2), (3, 0))
def plain(a, b):
    with OUTER as name:
        print("inside", name)
        c = a // b
    return c


@case((3, 2), (3, 0))
def swallowed(a, b):
    c = -1
    with INNER:
        c = a // b
        print("after")
    return c


@case((3, 2), (3, 0))
def several(a, b):
    c = -1
    with OUTER as x, INNER as y:
        print(x, y)
        c = a // b
    return c


@case((3, 2), (3, 0), (-1, 0))
def returns(a, b):
    with OUTER:
        if a < 0:
            return "negative"
        with INNER:
            return a // b
    return None


@case((6,), (2,))
def in_a_loop(n):
    total = 0
    for i in range(n):
        with OUTER:
            if i == 1:
                continue
            if i == 4:
                break
            total += i
    return total


@case((3, 2), (3, 0))
def everything_is_swallowed(a, b):
    with SILENT as s:
        return s.double(a) // b
    return 0


@case((np.arange(3.0), 0.0), (np.arange(3.0), 2.0))
def errstate(x, y):
    with np.errstate(all="ignore"):
        z = x / y
    return z


@case((3, 2), (3, 0))
def suppress(a, b):
    c = -1
    with contextlib.suppress(ZeroDivisionError):
        c = a // b
    return c


@case((3,))
def nullcontext(a):
    with contextlib.nullcontext(a + 1) as b:
        c = b * 2
    return c


@case((3,))
def no_manager(a):
    with NOT_ONE as b:
        c = b * 2
    return c


@case((3, 0))
def within_try(a, b):
    try:
        with OUTER:
            c = a // b
    except ZeroDivisionError:
        c = 0
    finally:
        print("done")
    return c
