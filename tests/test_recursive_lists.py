"""Recursive functions on lists and trees are compiled whole, in few specialisations, whatever order their lists come in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import recursive_argument_programs
import recursive_list_programs as programs
from fuzz.comparison import define

from jitcore import jit
from jitcore.config import settings
from jitcore.ir.analysis import all_bindings
from jitcore.passes.infer.engine.budget import Budget
from jitcore.runtime import compile as driver


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    before = settings.jit_syntax_level
    settings.update(jit_syntax_level="STRICT")
    yield
    settings.update(jit_syntax_level=before)


@pytest.mark.parametrize("function", programs.CASES, ids=lambda f: f.__name__)
def test_it_takes_few_specialisations(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Budget] = []
    compile_call = driver._compile_call

    def noted(*args: Any) -> Any:
        made.append(args[3].budget)
        return compile_call(*args)

    monkeypatch.setattr(driver, "_compile_call", noted)
    compiled = jit(function)
    for n in (6, 0, 1, 2, 9):
        assert compiled(n) == function(n)
    (budget,) = made
    assert sum(budget.specialised.values()) <= 80
    assert budget.again < 60_000


@pytest.mark.parametrize("function", recursive_argument_programs.CASES, ids=lambda f: f.__name__)
def test_lists_handed_on_have_any_length(function: Any) -> None:
    compiled = jit(function)
    for items in ([3, 6, 1], [], list(range(20)), list(range(31, 0, -1))):
        for k in (3, 0, 4):
            got, want = compiled(list(items), k), function(list(items), k)
            assert (got, type(got)) == (want, type(want))


class Box:
    def __init__(self, items: list[Any], n: int = 0) -> None:
        self.items, self.n = items, n

    def with_item(self, item: Any) -> Box:
        return Box([*self.items, item], self.n + 1)


def _boxed(b: Box, x: list[Any], k: int) -> Box:
    if k == 0 or not x:
        return b
    if k * 0.5 - 1 != x[0]:
        b.items = b.items + x[:1]
        return _boxed(b.with_item(k), x[1:], k - 1)
    return _boxed(Box(x[:1]), x[:-1], k - 1)


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
@pytest.mark.parametrize("x", [[-1.0, 1.0, 3.0, 2.5], [-1.0, 4.5]], ids=str)
def test_longer_lists_in_objects(x: list[float]) -> None:
    """Which of two classes of objects, of lists of other lengths, one is of is told by all the lengths."""
    settings.update(jit_syntax_level="LAX")

    def function(x: list[float], k: int) -> Any:
        b = Box([])
        made = _boxed(b, x, k)
        return made.items, made.n, b.items, b.n

    compiled = jit(function)
    for k in (1, 0, 3):
        assert compiled(list(x), k) == function(list(x), k)


def test_an_expressions_tree_as_an_argument() -> None:
    compiled = jit(lambda e, x: programs._value(programs._derived(e), x))
    for e in (("*", "x", ("+", "x", 2)), ("+", 1, ("*", "x", ("*", "x", "x"))), ("*", ("+", "x", 1), "x")):
        assert compiled(e, 3) == programs._value(programs._derived(e), 3)


def test_new_lists_need_no_specialisation_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that a function calls itself with are in a pool; others that it gets afterwards are moved there."""
    made: list[Any] = []
    plan = driver.plan
    monkeypatch.setattr(driver, "plan", lambda module, *rest: made.append(module) or plan(module, *rest))
    compiled = jit(programs.sorted_by_halves)
    assert compiled([3, 1.5, 2]) == programs.sorted_by_halves([3, 1.5, 2])
    (module,) = made
    assert len([name for name in module.graphs if "sort_halves" in name]) == 2


def test_items_of_several_types_are_stored_without_telling_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    plan = driver.plan
    monkeypatch.setattr(driver, "plan", lambda module, *rest: made.append(module) or plan(module, *rest))

    def copied(n):
        first = []
        for k in range(n):
            first.append(k)
            first.append(k * 0.5)
        second = [0.5, 1]
        for k in range(2, n):
            second.append(k)
        for v in first:
            second.append(v)
            second[0] = v
        return second

    compiled = jit(copied)
    for n in (3, 0, 9):
        assert list(map(repr, compiled(n))) == list(map(repr, copied(n)))
    (module,) = made
    stored = sum(binding.op.name == "put_row" for binding in all_bindings(module))
    assert stored <= 32


@pytest.mark.parametrize("count", [2, 12])
def test_appending_to_a_list_in_a_pool_is_written_down_once(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a program does it, and whatever else its functions change."""
    made: list[Budget] = []
    compile_call = driver._compile_call

    def noted(*args: Any) -> Any:
        made.append(args[3].budget)
        return compile_call(*args)

    monkeypatch.setattr(driver, "_compile_call", noted)
    appends = "\n".join(f"        rows[(i + {k}) % n].append(i * {k})" for k in range(count))
    text = f"def f(n):\n    rows = [[] for _ in range(n)]\n    for i in range(3 * n):\n{appends}\n    return rows\n"
    plain = define(text, "f", {})
    compiled = jit(plain)
    for n in (3, 0, 1, 5):
        assert compiled(n) == plain(n)
    (budget,) = made
    assert max(budget.specialised.values()) <= 3


def test_lists_of_the_call_are_changed() -> None:
    compiled = jit(programs._quicksort)
    for items in ([5, 3, 9, 1], []):
        given = list(items)
        compiled(given)
        assert given == sorted(items)


def test_types_that_hold_themselves_are_refused_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once they have thousands of parts."""
    settings.update(jit_syntax_level="LAX")

    def tree(n):
        return [] if n == 0 else [tree(n - 1), tree(n - 1), tree(n - 1), (tree(n - 1), 1j)]

    with pytest.warns(UserWarning, match="the type that .*tree returns never settles|a value of type complex"):
        assert jit(tree)(2) == tree(2)
