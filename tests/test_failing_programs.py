"""Programs that fail when they run: compiled, the exception, its message and every place on its way are Python's."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import failing_programs
import numpy as np
import pytest
from failing_programs import CASES

from jitcore import context, jit

HERE = Path(failing_programs.__file__)


def failure(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What a call raises: class, message, arguments, cause; the frames in the programs' file; the arguments afterwards."""
    args = copy.deepcopy(args)
    with pytest.raises(Exception) as caught, np.errstate(all="ignore"):  # noqa: PT011, PT012
        function(*args)
    error: Any = caught.value
    frames = [
        (f.name, f.lineno, f.end_lineno, f.colno, f.end_colno)
        for f in traceback.extract_tb(error.__traceback__)
        if Path(f.filename) == HERE
    ]
    cause = (type(error.__cause__), str(error.__cause__))
    return (
        type(error),
        str(error),
        repr(error.args),
        cause,
        frames,
        repr([vars(a) if hasattr(a, "__dict__") else a for a in args]),
    )


_RECURSIVE = "frames of recursive calls are not told: only the innermost one's is"
_CONSUMED = "what consumes an iterator is not told as the place it is run from: what made the iterator is"
KNOWN = {
    "through_recursion": _RECURSIVE,
    "through_mutual_recursion": _RECURSIVE,
    "in_a_generator_expression": _CONSUMED,
    "in_a_mapped_function": _CONSUMED,
}


def marked(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    reason = KNOWN.get(function.__name__)
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason is not None else []
    return pytest.param(function, args, marks=marks, id=function.__name__)


@pytest.mark.parametrize(("function", "args"), [marked(*c) for c in CASES])
def test_fails_as_python_does(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    context.set_context(jit_syntax_level="STRICT")
    compiled = jit(function)
    expected = failure(function, args)
    assert failure(compiled, args) == expected
    assert failure(compiled, args) == expected


def test_there_are_enough() -> None:
    assert len({function.__name__ for function, _ in CASES}) == len(CASES) >= 100
