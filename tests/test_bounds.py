"""What a program keeps for ever is bounded: specialisations for what was passed once, containers that hold themselves or the
same ones again and again."""

# ruff: noqa: E731

from __future__ import annotations

import functools
import gc
import warnings
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, jit, nn
from jitcore.runtime import dispatch
from jitcore.runtime.dispatch import FallbackWarning

# --- containers that hold themselves ------------------------------------------------------------------

looped: list[Any] = [1.0]
looped.append(looped)
named: dict[str, Any] = {"a": 1.0}
named["me"] = named
through_a_tuple: tuple[Any, ...] = ([2.0],)
through_a_tuple[0].append(through_a_tuple)


class Node:
    def __init__(self) -> None:
        self.x = 3.0
        self.items: list[Any] = [self]
        self.me = self


node = Node()


class Looped(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.held: list[Any] = [2.0]
        self.held.append(self.held)

    def construct(self, x: Any) -> Any:
        return x * self.held[0]


def first(values: Any) -> Any:
    return values[0]


HOLDING_THEMSELVES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (first, (looped,)),
    (lambda d: d["a"] + len(d), (named,)),
    (lambda t: t[0][0], (through_a_tuple,)),
    (lambda n: n.me.me.x, (node,)),
    (lambda: looped[0] + len(looped), ()),
    (lambda: named["a"], ()),
    (lambda: sum(1.0 for _ in looped), ()),
    (lambda: through_a_tuple[0][0], ()),
    (lambda: node.items[0].x, ()),
    (lambda values: len(values), ([[looped]],)),
    (lambda a, b: len(a) + len(b), (looped, named)),
]


@pytest.mark.parametrize(("function", "args"), HOLDING_THEMSELVES)
def test_containers_that_hold_themselves_are_no_hindrance(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compiled = jit(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for _ in range(2):
            assert compiled(*args) == function(*args)
    assert compiled.explain()


def test_a_cell_with_a_list_that_holds_itself() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert Looped()(Tensor([1.5]))[0] == 3.0


def test_the_reason_names_what_was_found() -> None:
    with pytest.warns(FallbackWarning, match="holds itself"):
        jit(first)(looped)
    with pytest.warns(FallbackWarning, match="holds itself"):
        jit(lambda: looped[0])()


# --- the same containers again and again --------------------------------------------------------------


def levels(count: int, make: Callable[[Any], Any]) -> Any:
    tree: Any = 1.0
    for _ in range(count):
        tree = make(tree)
    return tree


lists = levels(40, lambda x: [x, x])
tuples = levels(40, lambda x: (x, x))
dicts = levels(40, lambda x: {"x": x, "y": x})
mixed = levels(14, lambda x: [(x, {"a": x}), (x, x)])
many = [[0.0] * 2] * 3
many_times: list[Any] = []
many_times += [many_times] * 20

SHARED: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (len, (lists,)),
    (len, (tuples,)),
    (len, (dicts,)),
    (len, (mixed,)),
    (len, (many_times,)),
    (lambda v: len(v) + v[0][1], (many,)),
    (lambda: len(lists), ()),
    (lambda: len(tuples), ()),
    (lambda: len(dicts), ()),
    (lambda: lists[0][1] is lists[1][1], ()),
]


@pytest.mark.parametrize(("function", "args"), SHARED)
def test_items_that_are_there_many_times_are_looked_at_once(
    function: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    if function is len:
        function = lambda v: len(v)
    compiled, expected = jit(function), function(*args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert compiled(*args) == expected


# --- what is kept of calls ----------------------------------------------------------------------------


def closure(k: int) -> tuple[Any, ...]:
    held = np.full(10, float(k))
    return (lambda x: x + held[0],)


class Adder:
    def __init__(self, k: int) -> None:
        self.k = k

    def add(self, x: float) -> float:
        return x + self.k


def adder(k: int) -> tuple[Any, ...]:
    return (Adder(k).add,)


def of_a_new_class(k: int) -> tuple[Any, ...]:
    return (type("Made", (Adder,), {})(k).add,)


def keys(k: int) -> tuple[Any, ...]:
    return ({f"a{k}": float(k), f"b{k}": 1.0},)


def lambdas(k: int) -> tuple[Any, ...]:
    return (lambda x, k=k: x + k,)


def partials(k: int) -> tuple[Any, ...]:
    return (functools.partial(closure(k)[0], 1.0),)


def in_tuples(k: int) -> tuple[Any, ...]:
    return ((closure(k)[0], k),)


def in_dicts(k: int) -> tuple[Any, ...]:
    return ({"f": lambda x: x * k, f"k{k}": 2.0},)


def of_nested_keys(k: int) -> tuple[Any, ...]:
    return ({"a": {f"b{k}": {f"c{k}": float(k)}}},)


def of_other_attributes(k: int) -> tuple[Any, ...]:
    made = SimpleNamespace(x=float(k))
    setattr(made, f"y{k}", 1.0)
    return (made,)


def of_other_lengths(k: int) -> tuple[Any, ...]:
    return (tuple(j if j % 2 else j * 0.5 for j in range(k + 1)),)


def ranges(k: int) -> tuple[Any, ...]:
    return (range(k, k + 2),)


KEPT: list[tuple[Callable[..., Any], Callable[[int], tuple[Any, ...]]]] = [
    (lambda g: g(1.0), closure),
    (lambda g: g(1.0), adder),
    (lambda g: g(1.0), of_a_new_class),
    (lambda g: g(1.0), lambdas),
    (lambda d: sum(d.values()), keys),
    (lambda r: sum(r), ranges),
    (lambda g: g(), partials),
    (lambda pair: pair[0](1.0) + pair[1], in_tuples),
    (lambda d: d["f"](3), in_dicts),
    (lambda d: sum(sum(e.values()) for b in d.values() for e in b.values()), of_nested_keys),
    (lambda held: held.x * 2, of_other_attributes),
    (lambda t: len(t) + sum(t), of_other_lengths),
]


@pytest.mark.parametrize(("function", "make"), KEPT, ids=[make.__name__ for _, make in KEPT])
def test_what_was_passed_once_is_let_go(
    function: Callable[..., Any], make: Callable[[int], tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "_MOST_CLASSES", 4)
    compiled = jit(function)
    seen: list[weakref.ref[Any]] = []
    for k in range(12):
        args = make(k)
        assert compiled(*args) == function(*args)
        if callable(args[0]) and not isinstance(args[0], type(Adder(0).add)):
            seen.append(weakref.ref(args[0]))
        del args
    assert len(compiled.specialisations) <= 4
    gc.collect()
    assert sum(ref() is not None for ref in seen) <= 5
    args = make(0)  # what was let go is compiled again
    assert compiled(*args) == function(*args)


def test_classes_of_calls_that_serve_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "_MOST_CLASSES", 4)
    compiled = jit(lambda g, x: g(x))
    often = closure(100)[0]
    compiled(often, 1.0)
    member = compiled.specialisations[0]
    for k in range(10):
        compiled(closure(k)[0], 1.0)
        assert compiled(often, 1.0) == 101.0
    assert member in compiled.specialisations


def test_a_jitted_function_goes_with_its_code() -> None:
    def make() -> tuple[weakref.ref[Any], weakref.ref[Any]]:
        compiled = jit(lambda x: x + 1.0)
        assert compiled(1.0) == 2.0
        return weakref.ref(compiled), weakref.ref(
            compiled.specialisations[0].compilation.loaded.code.keep_alive[0]._library.item()
        )

    gone: list[Any] = []
    for _ in range(3):
        gone += make()
    gc.collect()
    assert [ref() for ref in gone] == [None] * 6
