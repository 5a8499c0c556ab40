"""The oracle for programs whose surroundings change between calls: what the plain function gives, before and after each change."""

from __future__ import annotations

import itertools
import linecache
import math
from collections.abc import Callable, Generator
from types import ModuleType
from typing import Any

import numpy as np

from jitcore import Tensor, jit

_numbers = itertools.count()


def _outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        made = function(*args)
    except Exception as error:
        return type(error), str(error)
    return type(made), made.tolist() if isinstance(made, np.ndarray | Tensor) else made


def follow(program: Callable[[], Generator[Any]]) -> None:
    """Check that a compiled function gives what the plain one does, whatever a program changes between its yields."""
    changes = program()
    plain, *given = next(changes)
    compiled, args = jit(plain), tuple(given)
    before: Any = None
    while True:
        expected = _outcome(plain, args)
        assert expected != before, "the change must show"
        assert [_outcome(compiled, args) for _ in range(3)] == [expected] * 3
        before = expected
        try:
            next(changes)
        except StopIteration:
            break
    expected = _outcome(plain, args)  # of what was put back at the end
    assert [_outcome(compiled, args) for _ in range(2)] == [expected] * 2


def module(text: str) -> Any:
    """A module with this text, `math`, `np` and `jit` besides."""
    made: Any = ModuleType("changing")
    file = f"<changing {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    vars(made).update(math=math, np=np, jit=jit)
    exec(compile(text, file, "exec"), vars(made))
    return made
