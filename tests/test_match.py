"""`match`: compiled, it does what plain Python does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from match_programs import CASES
from outcomes import outcome

from jitcore import jit


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("function", "calls"), CASES, ids=[function.__name__ for function, _ in CASES])
def test_compiled_as_plain(
    function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], capfd: pytest.CaptureFixture[str]
) -> None:
    compiled = jit(function)
    for args in calls:
        assert outcome(compiled, args, capfd) == outcome(function, args, capfd), args
