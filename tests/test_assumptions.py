"""What inference takes for granted only goes up from attempt to attempt, and nothing else begins another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Parameter, Tensor, context, grad, jit, nn
from jitcore.passes.infer.domain.assumptions import Assumptions, Lists, NeedsStaticError
from jitcore.passes.infer.domain.values import Restart
from jitcore.passes.infer.engine import entry
from jitcore.source import NOWHERE, CompileError, InternalError, Problem

LOG: list[float] = []


def writes(x: Any, y: Any) -> Any:
    x[0] = y[0]
    y *= 2
    return x + y


def reads(x: Any, y: Any) -> Any:
    return x + y[0]


def axis_by_flag(x: Any, flag: Any) -> Any:
    return x.sum(axis=0 if flag else 1)


def lists_of_lists(n: Any) -> Any:
    rows: list[list[int]] = []
    for i in range(n):
        rows.append([i])
        if i > 2:
            rows[0].append(i)
    return sum(sum(row) for row in rows)


def unlike_lists(n: Any) -> Any:
    rows: list[list[Any]] = []
    for i in range(n):
        rows.append([])
        if i % 2:
            rows[-1].append(i + 0.5)
        else:
            rows[-1].append(i)
    return [row[0] for row in rows]


def recursive(n: Any) -> Any:
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


def unrolled(x: Any) -> Any:
    parts = (x, x + 1.0, x[:1])
    total = 0.0
    for k in range(3):
        total = total + parts[k].sum()
    return total


def logged(x: Any) -> Any:
    LOG.append(x)
    return x + 1


def differentiated(x: Any) -> Any:
    return grad(lambda v: v * v if v > 0 else -v)(x)


class Running(nn.Cell):
    """A network with a state."""

    def __init__(self) -> None:
        super().__init__()
        self.mean = Parameter(Tensor(np.zeros(3, np.float32)), name="mean")
        self.count = 0

    def construct(self, x: Any) -> Any:
        self.mean += x
        self.count = self.count + 1
        return self.mean * self.count


CALLS: dict[str, tuple[Callable[[], Any], tuple[Any, ...]]] = {
    "writes": (lambda: writes, (np.arange(3.0), np.arange(3.0) + 1)),
    "axis by flag": (lambda: axis_by_flag, (np.ones((2, 3)), True)),
    "lists of lists": (lambda: lists_of_lists, (6,)),
    "unlike lists": (lambda: unlike_lists, (5,)),
    "recursive": (lambda: recursive, (9,)),
    "unrolled": (lambda: unrolled, (np.arange(4.0),)),
    "logged": (lambda: logged, (1.0,)),
    "differentiated": (lambda: differentiated, (3.0,)),
    "network": (lambda: Running().construct, (Tensor(np.ones(3, np.float32)),)),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_attempt_ends_higher(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settled, heights = entry._settled, list[tuple[Any, Any, bool]]()

    def watched(state: Any, *rest: Any) -> Any:
        before = state.assumptions.height()
        made = settled(state, *rest)
        heights.append((before, state.assumptions.height(), made is not None))
        return made

    monkeypatch.setattr(entry, "_settled", watched)
    make, args = CALLS[name]
    jit(make())(*args)
    *others, last = heights
    assert all(after > before and not is_last for before, after, is_last in others)
    assert last[2]
    assert len(heights) < 8


def test_nothing_learned_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def attempt(*args: Any) -> Any:
        raise Restart

    monkeypatch.setattr(entry, "_attempt", attempt)
    with pytest.raises(InternalError, match="nothing learned"):
        jit(recursive)(3)


@pytest.mark.parametrize("error", [ZeroDivisionError("of ours"), KeyError("of ours"), AssertionError("of ours")])
def test_faults_of_the_compiler_begin_no_attempt(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    def attempt(*args: Any) -> Any:
        tries.append(1)
        raise error

    monkeypatch.setattr(entry, "_attempt", attempt)
    with pytest.raises(InternalError, match="of ours"):
        jit(writes)(np.zeros(3), np.zeros(3))
    assert len(tries) == 1


@pytest.mark.parametrize(("function", "attempts"), [(reads, 2), (writes, 3)])
def test_what_is_refused_whatever_is_known_begins_no_attempt(
    function: Any, attempts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But one with its containers and strings in boxes, and one without the expectation that arrays are written to, which
    is a guess that may be why it is refused."""
    tries: list[int] = []

    def attempt(*args: Any) -> Any:
        tries.append(1)
        raise CompileError([Problem(NOWHERE, "of no use")])

    monkeypatch.setattr(entry, "_attempt", attempt)
    context.set_context(jit_syntax_level="STRICT")
    with pytest.raises(CompileError, match="of no use"):
        jit(function)(np.zeros(3), np.zeros(3))
    assert len(tries) == attempts


def test_lists_go_up_the_ladder() -> None:
    made = Assumptions()
    heights = [made.height()]
    made.add_statics([("loop", ("f", 1)), ("arg", 0)])
    heights.append(made.height())
    with pytest.raises(Restart):
        made.begin_pools()
    heights.append(made.height())
    assert made.uses_pools
    assert made.statics == {("arg", 0)}, "loops need not be unrolled for lists in pools"
    made.pools.append((None, True))
    with pytest.raises(Restart):
        made.join_pools()
    heights.append(made.height())
    made.end_pools()
    heights.append(made.height())
    assert heights == sorted(set(heights))
    assert made.lists is Lists.UNPOOLED
    made.begin_pools()  # which has been tried


def test_expected_writes_are_corrected_once() -> None:
    made = Assumptions()
    made.expect(frozenset([("input", 1), ("input", 2)]))
    before = made.height()
    made.correct([("input", 2)])
    assert made.refs == {("input", 1)}
    assert made.height() > before


def test_a_refusal_names_what_may_decide() -> None:
    error = NeedsStaticError([], "cannot be compiled", frozenset([("arg", 1)]))
    assert isinstance(error, CompileError)
    assert error.paths == {("arg", 1)}
