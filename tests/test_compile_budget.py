"""The work of compiling is counted: what is done again is limited, how much there is in all is not."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import budget_programs as programs
import numpy as np
import pytest
from fuzz.comparison import define

from jitcore import Tensor, jit, nn
from jitcore.config import settings
from jitcore.passes.infer.engine import budget
from jitcore.passes.infer.engine.budget import Budget
from jitcore.runtime import compile as driver
from jitcore.runtime import specialiser
from jitcore.runtime.dispatch import FallbackWarning
from jitcore.source import CompileError, TooDearError


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small part of the work that may be done again."""
    monkeypatch.setattr(specialiser, "LIMIT", 400)
    monkeypatch.setattr(budget, "TIMES_OVER", 2)


@pytest.fixture
def strict() -> Iterator[None]:
    before = settings.jit_syntax_level
    settings.update(jit_syntax_level="STRICT")
    yield
    settings.update(jit_syntax_level=before)


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """Those of all compilations."""
    made: list[Budget] = []
    compile_call = driver._compile_call

    def noted(*args: Any) -> Any:
        made.append(args[3].budget)
        return compile_call(*args)

    monkeypatch.setattr(driver, "_compile_call", noted)
    return made


def outcome(function: Any, *args: Any) -> tuple[Any, list[str]]:
    """What a call gives, and the fallback warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*args)
    return result, [str(w.message) for w in caught if issubclass(w.category, FallbackWarning)]


ALL = [*programs.SPECIALISED, *programs.ROUNDS, *programs.OTHERS]


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_past_the_budget_the_interpreter_runs_it(function: Any, little: None) -> None:
    compiled = jit(function)
    result, told = outcome(compiled, 5)
    want = function(5)
    assert (result, type(result)) == (want, type(want))
    assert len(told) == 1
    assert "too dear to compile" in told[0]
    assert compiled(5) == want  # without another warning


@pytest.mark.parametrize("function", [*programs.SPECIALISED, *programs.OTHERS], ids=lambda f: f.__name__)
def test_within_the_budget_it_is_compiled(function: Any, strict: None) -> None:
    compiled = jit(function)
    want, got = function(5), compiled(5)
    assert (got, type(got)) == (want, type(want))
    assert not compiled.interpreted


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_it_is_cut_off_the_same_way_each_time(function: Any, little: None, strict: None) -> None:
    """Whatever was compiled before, and it is the same text in both modes."""
    found: list[str] = []
    for _ in range(2):
        with pytest.raises(TooDearError) as caught:
            jit(function)(5)
        found.append(str(caught.value))
        jit(lambda x: x + 1)(3)
    assert found[0] == found[1]


@pytest.mark.parametrize("function", programs.SPECIALISED, ids=lambda f: f.__name__)
def test_functions_that_are_specialised_are_named(function: Any, little: None, strict: None) -> None:
    with pytest.raises(
        CompileError, match=r"_\w+ was specialised \d+ times, for ever other forms of its arguments"
    ) as caught:
        jit(function)(5)
    (problem,) = caught.value.problems
    assert problem.span.function == function.__name__
    assert f"in {function.__name__}\n" in str(problem)


@pytest.mark.parametrize("function", programs.ROUNDS, ids=lambda f: f.__name__)
def test_loops_are_named_with_their_rounds(function: Any, little: None, strict: None) -> None:
    with pytest.raises(CompileError, match=r"this loop was worked out round by round: \d+ rounds") as caught:
        jit(function)(5)
    assert caught.value.problems[0].span.line > function.__code__.co_firstlineno


@pytest.fixture
def little_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small part of what may be left of a program that was worked out again."""
    monkeypatch.setattr(budget, "KEPT", 300)
    monkeypatch.setattr(budget, "TIMES_KEPT", 2)


MUCH_LEFT = [programs.through_a_tuple, programs.through_two_tuples, programs.through_a_dict, programs.through_pairs,
             programs.items_that_are_computed]  # fmt: skip


@pytest.mark.parametrize("function", MUCH_LEFT, ids=lambda f: f.__name__)
def test_loops_of_which_much_is_left_are_interpreted(function: Any, little_left: None) -> None:
    compiled = jit(function)
    want, (got, told) = function(5), outcome(compiled, 5)
    assert (got, type(got)) == (want, type(want))
    assert re.search(r"worked out round by round: \d+ rounds, [\d,]+ operations in all", told[0])


def test_what_is_around_the_cause_is_compiled(little: None) -> None:
    text = """
def f(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * i
    k = dear(FORMS)
    t = 0.0
    for i in range(x.shape[0]):
        t += x[i] + k
    return s, t
"""
    plain = define(text, "f", {"dear": programs._depth, "FORMS": programs._many_forms})
    x = np.arange(5.0)
    compiled = jit(plain)
    result, told = outcome(compiled, x)
    assert result == plain(x)
    assert len(told) == 1
    assert "line 6" in told[0]
    assert "compiled: lines 3-5" in compiled.explain()
    assert "compiled: lines 7-10" in compiled.explain()


def test_a_recursive_function_is_left_as_a_whole(little: None) -> None:
    compiled = jit(programs._depth)
    result, told = outcome(compiled, programs._many_forms)
    assert result == programs._depth(programs._many_forms)
    assert "_depth runs in the interpreter" in told[0]


def test_few_classes_of_calls_are_tried(little: None, budgets: list[Budget]) -> None:
    compiled = jit(lambda t: programs._depth(t))
    told: list[str] = []
    for k in range(6):
        told += outcome(compiled, (*programs._many_forms, *range(k)))[1]
    assert len(budgets) == 2
    assert len(told) <= 2


def test_the_work_of_a_functions_parts_is_limited(budgets: list[Budget], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each split leaves less for what remains, and the rest is not split without end."""
    monkeypatch.setattr(specialiser, "LIMIT", 1600)
    monkeypatch.setattr(budget, "TIMES_OVER", 2)
    text = "\n".join(
        ["def f(n):", "    s = 0"]
        + [f"    for x in T:\n        for y in T:\n            s += x * n - y * {k}" for k in range(8)]
        + ["    return s"]
    )
    plain = define(text, "f", {"T": tuple(k if k % 2 else k * 0.5 for k in range(24))})
    result, _ = outcome(jit(plain), 3)
    assert result == plain(3)
    assert sum(made.total for made in budgets) < 12 * 1600


class Layer(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 3)

    def construct(self, x):
        y = self.dense(x)
        return x + y * 0.01 if self.training else x + y * 0.02


class Network(nn.Cell):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.layers = nn.CellList([Layer() for _ in range(count)])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def test_layers_are_not_work_done_again(budgets: list[Budget], strict: None) -> None:
    x = Tensor(np.ones((2, 3), np.float32))
    few, many = Network(4), Network(200)
    few(x)
    many(x)
    small, large = budgets
    assert large.again <= 60 * max(small.again, 1)
    assert large.first >= 30 * small.first
    assert large.again < large.first


def test_layers_that_are_functions_of_arrays(
    budgets: list[Budget], strict: None, little: None, little_left: None
) -> None:
    def layer(w, b, x):
        y = x * w + b
        return y - x * 0.5

    def network(weights, x):
        for w, b in weights:
            x = layer(w, b, x)
        return x

    weights = [(np.full(2, 0.5 + k / 1e3), np.full(2, k * 1.0)) for k in range(200)]
    x = np.ones(2)
    np.testing.assert_allclose(jit(network)(weights, x), network(weights, x))
    assert budgets[0].again < 800


def test_long_straight_code_is_not_cut_off(
    budgets: list[Budget], strict: None, little: None, little_left: None
) -> None:
    text = (
        "def f(x):\n" + "".join(f"    x = x * {k % 7 + 1} - {k} % (x * x + 1)\n" for k in range(300)) + "    return x\n"
    )
    plain = define(text, "f", {})
    assert jit(plain)(0.5) == plain(0.5)
    assert budgets[0].first > 800
    assert budgets[0].again == 0


def test_types_that_double_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function whose result has three of its results is not worked out to the end."""
    monkeypatch.setattr(specialiser, "LIMIT", 5000)
    text = """
def tree(n):
    return None if n == 0 else (tree(n - 1), tree(n - 1), tree(n - 1), n)

def count(t):
    return 0 if t is None else t[3] + count(t[0]) + count(t[1]) + count(t[2])

def f(n):
    return count(tree(n))
"""
    plain = define(text, "f", {})
    result, told = outcome(jit(plain), 4)
    assert result == plain(4)
    assert "tree" in told[0]


def graph_of(count: int) -> list[list[tuple[int, float]]]:
    return [[((k * 7 + 3) % count, k % 5 + 1.0), ((k * 3 + 1) % count, 2.0)] for k in range(count)]


@pytest.mark.parametrize("function", programs.IN_BOXES, ids=lambda f: f.__name__)
def test_what_is_in_boxes_is_compiled_once(function: Any, budgets: list[Budget]) -> None:
    """However long the arguments are."""
    compiled = jit(function)
    for count in (40, 80):
        result, told = outcome(compiled, graph_of(count), 0)
        assert (result, told) == (function(graph_of(count), 0), [])
    assert len(compiled.specialisations) == 1
    assert sum(made.first + made.again for made in budgets) < budget.LIMIT // 4


@pytest.mark.parametrize("function", programs.REFUSED, ids=lambda f: f.__name__)
def test_what_is_refused_is_refused_early(function: Any, budgets: list[Budget]) -> None:
    """However long the arguments are, and far within the limit."""
    work: list[int] = []
    for count in (40, 80):
        budgets.clear()
        result, told = outcome(jit(function), graph_of(count), 0)
        assert result == function(graph_of(count), 0)
        assert len(told) == 1
        work.append(sum(made.first + made.again for made in budgets))
    assert max(work) < budget.LIMIT // 2
    assert work[1] < 2 * work[0]


@pytest.mark.parametrize("function", programs.DEEPER, ids=lambda f: f.__name__)
def test_what_is_deeper_in_each_round_is_cut_off(function: Any, budgets: list[Budget]) -> None:
    """The work is that of a short list: what the items of lists are compared for is counted, too."""
    work: list[int] = []
    for count in (100, 300):
        budgets.clear()
        given = [[1] for _ in range(count)]
        result, told = outcome(jit(function), given)
        assert result == function(given)
        assert len(told) <= 1
        work.append(sum(made.first + made.again for made in budgets))
    assert work[1] < max(2 * work[0], 4 * budget.LIMIT)
