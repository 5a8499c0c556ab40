"""Arguments nested deeply, chains of objects, and functions that make them: the same result as Python's, however deep they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jitcore import jit

pytestmark = pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
DEPTHS = (3, 99, 150, 3000)


class Link:
    def __init__(self, value: int, following: Any = None) -> None:
        self.value = value
        self.following = following


class Holder:
    def __init__(self, held: Any) -> None:
        self.held = held


def chain(n: int) -> Any:
    head = None
    for k in range(n):
        head = Link(k, head)
    return head


def total(head: Any) -> int:
    found = 0
    while head is not None:
        found += head.value
        head = head.following
    return found


def made_and_read(n: int) -> int:
    head = None
    for k in range(n):
        link = Link(k)
        link.following = head
        head = link
    found = 0
    while head is not None:
        found += head.value
        head = head.following
    return found


def depth(x: Any) -> int:
    found = 0
    while isinstance(x, list | tuple | dict):
        found += 1
        x = x[0]
    return found


def nested_in_the_function(n: int) -> Any:
    made = [1.5]
    for _ in range(n):
        made = [made]
    return made


NESTINGS: dict[str, Callable[[Any], Any]] = {
    "lists": lambda x: [x],
    "lists of two": lambda x: [x, 2],
    "tuples": lambda x: (x, 2),
    "dicts": lambda x: {0: x},
    "lists of tuples": lambda x: [(x,)],
}


def nested(n: int, wrap: Callable[[Any], Any]) -> Any:
    made: Any = 1.5
    for _ in range(n):
        made = wrap(made)
    return made


@pytest.mark.parametrize("n", DEPTHS)
def test_chains_of_objects(n: int) -> None:
    compiled = jit(total)
    assert [compiled(chain(n)) for _ in range(3)] == [total(chain(n))] * 3
    assert jit(made_and_read)(n) == made_and_read(n)


@pytest.mark.parametrize("n", DEPTHS)
@pytest.mark.parametrize("wrap", NESTINGS.values(), ids=NESTINGS)
def test_containers(n: int, wrap: Callable[[Any], Any]) -> None:
    given = nested(n, wrap)
    assert jit(depth)(given) == depth(given)


@pytest.mark.parametrize("n", DEPTHS)
def test_containers_and_objects_in_turn(n: int) -> None:
    def levels(x: Any) -> int:
        found = 0
        while isinstance(x, Holder):
            found += 1
            x = x.held[0]
        return found

    given = nested(n, lambda x: Holder([x]))
    compiled = jit(levels)
    assert [compiled(given) for _ in range(2)] == [n, n]


@pytest.mark.parametrize("n", DEPTHS)
def test_what_the_function_nests(n: int) -> None:
    assert depth(jit(nested_in_the_function)(n)) == n + 1
