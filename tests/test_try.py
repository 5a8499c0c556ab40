"""`try`: compiled, it does what plain Python does."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np
import pytest
from chaining_programs import CASES as CHAINING
from chaining_programs import REGIONS
from outcomes import outcome
from try_programs import CASES

from jitcore import context, jit
from jitcore.backends.native.host import runtime
from jitcore.passes.infer.engine import branching


@pytest.fixture
def lax() -> Generator[None]:
    level = context.get_context("jit_syntax_level")
    context.set_context(jit_syntax_level="LAX")
    yield
    context.set_context(jit_syntax_level=level)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("function", "calls"), CASES, ids=[function.__name__ for function, _ in CASES])
def test_compiled_as_plain(
    function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], capfd: pytest.CaptureFixture[str]
) -> None:
    compiled = jit(function)
    for args in calls:
        assert outcome(compiled, args, capfd) == outcome(function, args, capfd), args


@pytest.mark.usefixtures("strict")
def test_what_is_raised_again_stands_where_it_was_raised_first() -> None:
    def again(n: int) -> int:
        x = 1
        try:
            x = 1 // n
        except ZeroDivisionError:
            x = 2
            raise
        return x

    with pytest.raises(ZeroDivisionError) as plain:
        again(0)
    with pytest.raises(ZeroDivisionError) as compiled:
        jit(again)(0)
    assert compiled.traceback[-1].lineno == plain.traceback[-1].lineno


@pytest.mark.usefixtures("strict")
def test_memory_of_bodies_left_halfway_is_given_back() -> None:
    def many(n: int) -> Any:
        total = 0.0
        for i in range(n):
            try:
                x = np.full(1000, 1.0 * i) * 2.0
                total += x[999 + i % 2]
            except IndexError:
                total += 1.0
        return total, np.full(3, total)

    compiled = jit(many)
    compiled(3)
    gc.collect()
    before = runtime.blocks_in_use()
    for _ in range(3):
        total, array = compiled(500)
        assert (total, array.tolist()) == (many(500)[0], many(500)[1].tolist())
    del array
    assert runtime.blocks_in_use() == before


def nested(n: int) -> int:
    total = 0
    for i in range(n):
        try:
            total += 6 // (i - 1)
            for j in range(i):
                try:
                    total += 6 // (j - 2)
                    for k in range(j):
                        try:
                            total += 6 // (k - 3)
                            for m in range(k):
                                try:
                                    total += 6 // (m - 4)
                                except ZeroDivisionError:
                                    total += m
                        except ZeroDivisionError:
                            total += k
                except ZeroDivisionError:
                    total += j
        except ZeroDivisionError:
            total += i
    return total


@pytest.mark.usefixtures("strict")
def test_nested_ones_are_not_inferred_ever_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four bodies, each in a loop in the one around it."""
    run, count = branching.trial, [0]

    def counted(infer: Any, name: str, *rest: Any) -> Any:
        count[0] += name == "body"
        return run(infer, name, *rest)

    monkeypatch.setattr(branching, "trial", counted)
    assert jit(nested)(9) == nested(9)
    assert count[0] < 120


def told(error: BaseException | None) -> Any:
    """An exception with all that hangs on it."""
    if error is None:
        return None
    is_one = error.__cause__ is error.__context__
    notes = getattr(error, "__notes__", None)
    rest = told(error.__cause__), told(error.__context__), error.__suppress_context__, is_one, notes
    return type(error), error.args, str(error), *rest


def left(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return told(error)


def compare_chains(function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> None:
    compiled = jit(function)
    for args in calls:
        expected = left(function, args)
        assert [left(compiled, args) for _ in range(3)] == [expected] * 3
        try:
            raise KeyError("around")
        except KeyError:
            assert [left(compiled, args) for _ in range(3)] == [left(function, args)] * 3


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("function", "calls"), CHAINING, ids=[function.__name__ for function, _ in CHAINING])
def test_exceptions_are_chained(function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> None:
    compare_chains(function, calls)


@pytest.mark.usefixtures("lax")
@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize(("function", "calls"), REGIONS, ids=[function.__name__ for function, _ in REGIONS])
def test_exceptions_are_chained_in_regions(function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> None:
    compare_chains(function, calls)


@pytest.mark.usefixtures("strict")
def test_what_was_being_handled_is_given_back() -> None:
    def many(n: int) -> int:
        caught = 0
        for i in range(n):
            try:
                try:
                    try:
                        caught += 1 // (i - i)
                    except ZeroDivisionError:
                        raise ValueError("first") from None
                except ValueError:
                    try:
                        raise
                    finally:
                        caught += [1, 2][i + 2]
            except IndexError:
                caught += 1
        return caught

    compiled = jit(many)
    assert compiled(20) == 20
    tracemalloc.start()
    try:
        compiled(10)
        before = tracemalloc.get_traced_memory()[0]
        assert compiled(500) == 500
        assert tracemalloc.get_traced_memory()[0] - before < 5000
    finally:
        tracemalloc.stop()
