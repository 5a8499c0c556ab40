"""match: literals, captures, sequences, mappings, classes, guards."""

# pyright: basic

from __future__ import annotations

import dataclasses

from programs.corpus import case


@dataclasses.dataclass
class Point:
    x: float
    y: float


@case((0,), (1,), (7,), (-3,))
def literals(n):
    match n:
        case 0:
            return "zero"
        case 1 | 2 | 3:
            return "few"
        case k if k < 0:
            return -k
        case _:
            return n * 2


@case(("add", 2, 3), ("neg", 2, 0), ("what", 1, 1))
def commands(name, a, b):
    match (name, a, b):
        case ("add", x, y):
            return x + y
        case ("neg", x, _):
            return -x
        case _:
            return None


@case((1, 2, 3), (0, 0, 0))
def sequences(a, b, c):
    match [a, b, c]:
        case [0, *rest]:
            return rest
        case [first, *_, last]:
            return first * 10 + last


@case(({"kind": "circle", "r": 2.0},), ({"kind": "square", "a": 3.0},), ({"other": 1.0},))
def mappings(shape):
    match shape:
        case {"kind": "circle", "r": r}:
            return 3 * r * r
        case {"kind": "square", "a": a}:
            return a * a
        case {**rest}:
            return len(rest)


@case((Point(0.0, 2.0),), (Point(1.0, 0.0),), (Point(3.0, 4.0),))
def classes(p):
    match p:
        case Point(x=0, y=y):
            return y
        case Point(x, 0):
            return -x
        case Point(x, y) if x < y:
            return x * y


@case((5,), (2.5,), (True,), (None,))
def types(v):
    match v:
        case None:
            return 0
        case bool():
            return 1
        case int(n):
            return n
        case float():
            return v / 2


@case((9,), (12,))
def automaton(n):
    state, total = "even", 0
    for k in range(n):
        match state:
            case "even":
                total += k
            case "odd":
                total -= 1
        state = "odd" if False else state
    return total
