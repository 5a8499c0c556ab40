"""Functions with language that is not compiled: `CASES` holds (function, arguments, lines below `def` that are reported)."""

# pyright: basic

from __future__ import annotations

import collections
import json
from collections.abc import Callable
from typing import Any

import numpy as np

Case = tuple[Callable[..., Any], tuple[Any, ...], frozenset[int]]
CASES: list[Case] = []


def case(*args: Any, lines: tuple[int, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the function below to the corpus."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((function, args, frozenset(lines)))
        return function

    return add


@case(0, lines=(1,))
def catches(n):
    try:
        n = 1 // n
    except* ZeroDivisionError:
        n = -1
    return n


@case(3, lines=(1, 4, 6))
def three_places(n):
    try:
        n += 1
    except* ValueError:
        n = eval("2")

    class Local:
        value = n

    return Local.value


@case(4, lines=(0,))
def generator(n):
    for k in range(n):
        yield k * k


@case(4, lines=(4,))
def inner_generator(n):
    def squares():
        yield n

    class Local:
        value = n

    return next(squares()) + Local.value


@case(4, lines=(3,))
def dict_of_arrays_with_runtime_keys(n):
    found = {}
    for k in range(n):
        found[k * n] = np.ones(2) * k
    return len(found)


@case(4, lines=(1,))
def chain_of_dicts(n):
    found = collections.ChainMap()
    for k in range(n):
        found[k % 3] = k
    return found[0]


@case(3, lines=(1,))
def evaluates(n):
    return eval("n * 2")


@case(3, lines=(1,))
def calls_outside(n):
    return json.dumps({"n": n})


@case(12, lines=(1,))
def method_of_int(n):
    return n.to_bytes(2, "big")


COUNT = 0


@case(lines=(2,))
def writes_global():
    global COUNT
    COUNT += 1
    return COUNT > 0
