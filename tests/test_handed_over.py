"""Columns that functions change are handed over to them and back: recursion takes no copy of a list at each call."""

from __future__ import annotations

import re
from typing import Any

import handed_over_programs as programs
import pytest

from jitcore import jit


@pytest.mark.parametrize("function", programs.CASES, ids=lambda f: f.__name__)
def test_lists_are_what_they_are_in_python(function: Any) -> None:
    compiled = jit(function)
    for n in (6, 0, 1, 2, 9):
        assert compiled(n) == function(n)


_WITHOUT_COPIES = (programs.moves_of_hanoi, programs.inorder, programs.two_lists, programs.counted, programs.returned)


@pytest.mark.parametrize("function", _WITHOUT_COPIES, ids=lambda f: f.__name__)
def test_functions_keep_no_count_of_what_they_hand_over(function: Any) -> None:
    compiled = jit(function)
    compiled(4)
    (made,) = compiled.specialisations
    program = made.compilation.text("kernels").partition("# program")[2]
    recursive = [part for part in re.split(r"\n\n(?=def )", program) if part.startswith("def go")]
    assert recursive
    assert not any("retain(" in part for part in recursive)
