"""Functions with language that is not compiled: `CASES` holds (function, arguments, lines below `def` that are reported)."""

# pyright: basic

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

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


@case(4, lines=(2,))
def growing_list_of_strings(n):
    found = []
    for k in range(n):
        found.append(f"{k * n}")
    return found


@case(4, lines=(1,))
def growing_comprehension_of_strings(n):
    return [f"{k * n}" for k in range(n)]


@case({1, 2}, lines=(1,))
def set_of_the_caller_changed(items):
    items.add(3)
    return len(items)


@case(3, lines=(1,))
def evaluates(n):
    return eval("n * 2")


@case(3, lines=(1,))
def calls_outside(n):
    return json.dumps({"n": n})


@case(3, lines=(3,))
def dict_with_runtime_keys(n):
    table = {}
    for k in range(n):
        table[k % 2] = k
    return table


@case(12, lines=(1,))
def method_of_int(n):
    return n.to_bytes(2, "big")


@case(3, lines=(2,))
def compares_text(n):
    text = f"{n}"
    return text == "3", len(text)


@case(3, lines=(2,))
def different_structure(n):
    found = {"a": 1}
    if n > 0:
        found["b"] = n
    return found


COUNT = 0


@case(lines=(2,))
def writes_global():
    global COUNT
    COUNT += 1
    return COUNT > 0
