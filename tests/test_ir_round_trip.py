"""The text of what the frontend builds from real functions reads back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import frontend_programs
import pytest

from jitcore.frontend import source_of
from jitcore.ir.round_trip import check_round_trip
from jitcore.ir.verify import verify

FUNCTIONS = {function.__qualname__: function for function, _ in frontend_programs.PROGRAMS}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_untyped_graphs_read_back(function: Callable[..., Any]) -> None:
    graph = source_of(function).graph
    verify(graph)
    check_round_trip(graph)
