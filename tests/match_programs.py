"""Functions that use `match`, with arguments, as `language_programs` has them."""

# pyright: basic

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np

Case = tuple
CASES: list = []


def case(*calls):
    def add(function):
        CASES.append((function, calls))
        return function

    return add


class Limits:
    low = 2
    high = 7.5


@dataclass(frozen=True)
class Circle:
    radius: float


@dataclass(frozen=True)
class Box:
    width: float
    height: float = 1.0


class Reversed:
    __match_args__ = ("second", "first")

    def __init__(self, first, second):
        self.first = first
        self.second = second


class Plain:
    def __init__(self, value):
        self.value = value


Pair = namedtuple("Pair", "left right")


@case((0,), (1,), (5,), (-3,))
def literals(n):
    match n:
        case 0:
            return "none"
        case 1 | 2 | 3:
            return "few"
        case -3:
            return "negative"
        case _:
            return "many"


@case((2,), (7.5,), (3,))
def value_patterns(n):
    match n:
        case Limits.low:
            return 1
        case Limits.high:
            return 2
    return 3


@case((True,), (1,), (None,), (False,), (0,), (1.0,))
def singletons(x):
    match x:
        case True:
            return "true"
        case None:
            return "none"
        case False:
            return "false"
        case 1:
            return "one"
    return "other"


@case((3, 1.5), (0, 2.0), (-4, 0.25))
def guards(n, x):
    match n:
        case k if k > 0:
            y = x * k
        case k if k < 0 and x < 1:
            y = x - k
        case _:
            y = x
    return k, y


@case((1, 2), (1, 3), (0, 4), (5, 0))
def sequences(a, b):
    match (a, b):
        case (1, 2):
            return "exact"
        case [1, y]:
            return y
        case (x, 0):
            return -x
        case x, y:
            return x + y


@case(([1, 2, 3, 4],), ([1],), ([],), ((5, 6),), ("ab",), (3,), (range(3),))
def stars(values):
    match values:
        case []:
            return "empty"
        case [x]:
            return x
        case (5, *rest):
            return tuple(rest), 1
        case [first, *middle, last]:
            return tuple(middle), first + last
        case str() | bytes():
            return "text"
        case _:
            return None


@case(([1, [2, 3]],), ([1, [2, 4]],), ([2, (9, 9)],), ([2, 3],))
def nested(values):
    match values:
        case [1, [2, 3]]:
            return "all"
        case [1, [a, b] as inner]:
            return a, b, tuple(inner)
        case [_, (x, y)]:
            return x * y
        case [*_]:
            return "some"


@case(({"kind": "add", "x": 1, "y": 2},), ({"kind": "neg", "x": 3},), ({"x": 3, "z": 4, "w": 1},), ({},), ([1],))
def mappings(d):
    match d:
        case {"kind": "add", "x": x, "y": y}:
            return x + y
        case {"kind": "neg", "x": x}:
            return -x
        case {"x": 3, **rest}:
            return len(rest), rest["w"], "x" in rest
        case {}:
            return "mapping"
        case _:
            return "other"


@case((Circle(2.0),), (Box(3.0),), (Box(2.0, 2.0),), (Pair(1, 2),), (3,), (Reversed(1, 2),), (Plain(5),))
def classes(shape):
    match shape:
        case Circle(radius=r):
            return r * r
        case Box(w, h) if w == h:
            return "square", w
        case Box(w, height=h):
            return w * h
        case Pair(left, right):
            return left - right
        case Reversed(2, x):
            return x
        case Plain(value=5) | Plain(missing=1):
            return "plain"
        case int(n):
            return n
    return None


@case((1,), (2.5,), ("s",), (True,), ([1],), ((1, 2),))
def builtin_classes(x):
    match x:
        case bool(b):
            return "bool", b
        case int(n):
            return "int", n
        case float() as f:
            return "float", f
        case str(s):
            return "str", s
        case list([y]):
            return y
        case _:
            return "?"


@case((1, 2), (2, 1), (3, 3), (4, 9))
def alternatives_that_bind(a, b):
    match a, b:
        case (1, y) | (y, 1):
            return y
        case ((3 | 4) as x, 9 | 3 as y):
            return x * y
    return None


@case((6,), (7,))
def in_a_loop(n):
    total = 0
    for i in range(n):
        match i % 4:
            case 0:
                continue
            case 1:
                total += 10
            case 3 if i > 6:
                break
            case r:
                total += r
    return total


@case((np.arange(4.0), 2), (np.arange(3.0), 1))
def with_arrays(x, mode):
    match mode:
        case 1:
            y = x + 1
        case 2:
            y = x * 2
        case _:
            y = x
    return y.sum()


@case((Circle(1.0),), (Plain(1),), (3,))
def too_many(shape):
    match shape:
        case Circle(a, b):
            return a, b
        case Plain(a):
            return a
        case int(a, b):
            return a, b
    return None


@case((2,), (5,))
def names_stay_bound(n):
    match n:
        case k if k > 4:
            pass
        case _:
            pass
    return k


@case((1,), (2,))
def missing_name(n):
    match n:
        case 1:
            y = 2
    return y


class Hidden:
    __match_args__ = ()

    def __init__(self, x):
        self.__x = x
        self.items = [x, 2, 3]

    def attribute(self):
        match self:
            case Hidden(__x=v):  # not a private name, unlike what is captured
                return v
        return None

    def captured(self):
        match self:
            case Hidden(items=[__a, *__rest]):
                return __a, __rest
        return None


@case((Hidden(1),), (Hidden(2.0),))
def private_names(hidden):
    return hidden.attribute(), hidden.captured()
