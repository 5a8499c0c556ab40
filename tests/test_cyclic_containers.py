"""Containers from outside that hold themselves, or are very deep: a function that reads one ends quickly, and is right."""

from __future__ import annotations

from typing import Any

import pytest

from jitcore import jit
from jitcore.runtime.dispatch import FallbackWarning


def itself() -> Any:
    made: list[Any] = [1]
    made.append(made)
    return made


def twice() -> Any:
    made: list[Any] = [1]
    made += [made, [made, made], {"a": made}]
    return made


def by_key() -> Any:
    made: dict[Any, Any] = {0: 1}
    made["self"] = made
    return made


def by_tuple() -> Any:
    inner: list[Any] = []
    made = (1, inner)
    inner.append(made)
    return made


def each_other() -> Any:
    a: list[Any] = [1]
    b: dict[str, Any] = {"a": a}
    a.append(b)
    return a


def deep(kind: Any) -> Any:
    made: Any = kind(1)
    for _ in range(3000):
        made = kind(made)
    return made


DEEP = {"lists": lambda x: [1, x], "dicts": lambda x: {0: 1, 1: x}}


@pytest.mark.parametrize(
    "make", [itself, twice, by_key, by_tuple, each_other, *(lambda k=k: deep(k) for k in DEEP.values())]
)
def test_what_is_captured(make: Any) -> None:
    held = make()
    f = jit(lambda x: x + held[0])
    with pytest.warns(FallbackWarning, match="holds itself|nested more than"):
        assert [f(k) for k in range(3)] == [1, 2, 3]


def test_containers_that_are_shared_are_read_once() -> None:
    held: Any = [1]
    for _ in range(40):
        held = [held, held]
    f = jit(lambda x: x + len(held))
    assert [f(k) for k in range(3)] == [2, 3, 4]
    assert len(f.specialisations) == 1
