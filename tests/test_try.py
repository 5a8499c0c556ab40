"""`try`: compiled, it does what plain Python does."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np
import pytest
from test_language import outcome
from try_programs import CASES

from jitcore import Tensor, context, grad, jit
from jitcore.backends.llvm import runtime
from jitcore.source import CompileError


@pytest.fixture
def strict() -> Generator[None]:
    level = context.get_context("jit_syntax_level")
    context.set_context(jit_syntax_level="STRICT")
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
    before = runtime.blocks_in_use()
    for _ in range(3):
        total, array = compiled(500)
        assert (total, array.tolist()) == (many(500)[0], many(500)[1].tolist())
    del array
    assert runtime.blocks_in_use() == before


@pytest.mark.usefixtures("strict")
def test_a_gradient_through_try_is_refused() -> None:
    def loss(x: Any, n: int) -> Any:
        try:
            return (x * x).sum() * (6 // n)
        except ZeroDivisionError:
            return x.sum()

    with pytest.raises(CompileError, match="derivative of try_"):
        jit(grad(loss))(Tensor([1.0, 2.0]), 2)
