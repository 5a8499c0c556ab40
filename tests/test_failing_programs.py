"""Programs that fail when they run: compiled, the exception, its message and every place on its way are Python's."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import failing_flow_programs
import failing_programs
import numpy as np
import pytest
from failing_programs import CASES

from jitcore import context, jit

HERE = {Path(m.__file__ or "") for m in (failing_programs, failing_flow_programs)}


def told(error: BaseException | None) -> Any:
    """An exception's class, message, arguments and frames in the programs' files, and that of what it was raised from or by."""
    if error is None:
        return None
    frames = [
        (f.name, f.lineno, f.end_lineno, f.colno, f.end_colno)
        for f in traceback.extract_tb(error.__traceback__)
        if Path(f.filename) in HERE
    ]
    rest = told(error.__cause__), told(error.__context__), error.__suppress_context__
    return type(error), str(error), repr(error.args), frames, rest


def failure(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What a call raises, and the arguments afterwards."""
    args = copy.deepcopy(args)
    with pytest.raises(Exception) as caught, np.errstate(all="ignore"):  # noqa: PT011, PT012
        function(*args)
    return told(caught.value), repr([vars(a) if hasattr(a, "__dict__") else a for a in args])


@pytest.mark.parametrize(("function", "args"), [pytest.param(*c, id=c[0].__name__) for c in CASES])
def test_fails_as_python_does(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    context.set_context(jit_syntax_level="STRICT")
    compiled = jit(function)
    expected = failure(function, args)
    assert failure(compiled, args) == expected
    assert failure(compiled, args) == expected


def test_there_are_enough() -> None:
    assert len({function.__name__ for function, _ in CASES}) == len(CASES) >= 100
