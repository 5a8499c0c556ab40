"""Containers from outside that hold themselves, or are very deep: a function that reads one ends quickly, and is right."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from jitcore import Tensor, context, grad, jit, nn
from jitcore.runtime.dispatch import FallbackWarning
from jitcore.runtime.trees import distinct_leaves, leaves, map_leaves


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


class Pair(NamedTuple):
    first: int
    second: Any


DEEP = {
    "lists": lambda x: [1, x],
    "dicts": lambda x: {0: 1, 1: x},
    "tuples": lambda x: (1, x),
    "first in tuples": lambda x: (1, x, 2.0),
    "named tuples": lambda x: Pair(1, x),
    "lists in tuples": lambda x: (1, [x]),
    "dicts in tuples": lambda x: (1, {"a": x}),
}


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


def shared() -> Any:
    made: Any = [1.0, 2.0]
    for _ in range(40):
        made = [made, made]
    return made


def shared_dicts() -> Any:
    made: Any = {"a": 1.0}
    for _ in range(40):
        made = {"a": made, "b": made}
    return made


def shared_arrays() -> Any:
    made: Any = np.ones(2)
    for _ in range(40):
        made = (made, made)
    return made


class Holding(nn.Cell):
    def __init__(self, held: Any) -> None:
        super().__init__()
        self.held = held

    def construct(self, x):
        return x + len(self.held)


class Taking(nn.Cell):
    def construct(self, x, held):
        return x + 1.0


def with_default(held: Any) -> Any:
    def f(x, k=held):
        return x + 1.0

    return jit(f)(1.0)


T = Tensor([1.0, 2.0])
USES = {
    "argument": lambda held: jit(lambda x, held: x + 1.0)(1.0, held),
    "by name": lambda held: jit(lambda x, held: x + 1.0)(1.0, held=held),
    "in a list": lambda held: jit(lambda x, held: x + 1.0)(1.0, [held]),
    "returned": lambda held: len(jit(lambda held: held)(held)),
    "captured": lambda held: jit(lambda x: x + len(held))(1.0),
    "default": with_default,
    "attribute of a Cell": lambda held: Holding(held)(T),
    "argument of a Cell": lambda held: Taking()(T, held),
    "captured by a gradient": lambda held: grad(lambda x: (x * len(held)).sum())(T),
    "argument of a gradient": lambda held: grad(lambda x, held: (x * x).sum())(T, held),
}


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize(
    "make", [itself, twice, by_key, by_tuple, each_other, shared, shared_dicts, shared_arrays], ids=lambda f: f.__name__
)
def test_calls_with_containers_that_have_no_end(mode: int, make: Any, use: Any) -> None:
    """As Python has it: nothing looks at all that they hold."""
    assert use(make()) is not None


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize("make", [itself, by_key, by_tuple, shared, shared_dicts])
def test_what_has_no_end_is_not_differentiated_by(make: Any) -> None:
    context.set_context(mode=context.PYNATIVE_MODE)
    try:
        with pytest.raises((RecursionError, ValueError, TypeError), match=r"hold themselves|held several times|floats"):
            grad(lambda held: T.sum())(make())
    finally:
        context.set_context(mode=context.GRAPH_MODE)


def test_leaves_are_in_order() -> None:
    tree = [1, (2, {"a": 3, "b": [4, []]}), 5, ()]
    assert leaves(tree) == [1, 2, 3, 4, 5]
    assert sorted(distinct_leaves([tree, tree])) == [1, 2, 3, 4, 5]
    assert map_leaves(lambda k: -k, tree) == [-1, (-2, {"a": -3, "b": [-4, []]}), -5, ()]
    assert leaves(7) == [7]
