"""Programs that fail: compiled, they raise what plain Python raises, at the same file, line and columns."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import faulty_programs
import numpy as np
import pytest
from faulty_programs import CASES

from jitcore import jit, nn


def failure(
    function: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[type, str, list[tuple[str, int | None, int | None, int | None]]]:
    """The exception a call raises: its type, message, and the frames of this file, outermost first."""
    with pytest.raises(Exception) as caught:  # noqa: PT011
        function(*args)
    frames = [
        (f.name, f.lineno, f.colno, f.end_colno)
        for f in traceback.extract_tb(caught.value.__traceback__)
        if f.filename in (__file__, faulty_programs.__file__) and f.name != "failure"
    ]
    return type(caught.value), str(caught.value), frames


@pytest.mark.parametrize(("function", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_fails_as_python_does(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    plain_type, plain_message, plain_frames = failure(function, args)
    found_type, found_message, found_frames = failure(jit(function), args)
    assert found_type is plain_type
    assert found_message == plain_message
    assert found_frames == plain_frames


@pytest.mark.usefixtures("strict")
def test_integer_overflow_is_an_error() -> None:
    def power(a: int, n: int) -> int:
        total = 1
        for _ in range(n):
            total = total * a
        return total

    found_type, _, frames = failure(jit(power), (10, 30))
    assert found_type is OverflowError
    assert power(10, 30) == 10**30
    (frame,) = frames
    assert frame[0] == "power"
    assert frame[1] == power.__code__.co_firstlineno + 3
    assert frame[2:] == (20, 29)


def test_missing_attribute_of_a_cell() -> None:
    class Net(nn.Cell):
        def construct(self, x: Any) -> Any:
            return self.nothing(x)

    found_type, message, frames = failure(Net(), (np.ones(3),))
    assert found_type is AttributeError
    assert "nothing" in message
    assert frames[-1][0] == "construct"


def test_every_unsupported_construct_is_reported_at_once() -> None:
    from jitcore import context
    from jitcore.source import UnsupportedError

    def odd(x: float) -> float:
        async def f() -> None:
            await g()  # noqa: F821

        class Inner:
            pass

        return x

    level = context.get_context("jit_syntax_level")
    context.set_context(jit_syntax_level="STRICT")
    try:
        with pytest.raises(UnsupportedError) as caught:
            jit(odd)(1.0)
    finally:
        context.set_context(jit_syntax_level=level)
    first = odd.__code__.co_firstlineno
    assert {p.span.line - first for p in caught.value.problems} >= {1, 4}
    assert all(p.hint for p in caught.value.problems)
