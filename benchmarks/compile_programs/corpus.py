"""Programs of the tests' corpus, `tests/programs`."""

from __future__ import annotations

import copy
import importlib
import sys
from functools import partial
from pathlib import Path

from compile_programs.program import Prepared, Program
from jitcore import jit

_TESTS = Path(__file__).parent.parent.parent / "tests"

NAMES = (
    "classics.queens",
    "classics.regions_of_a_grid",
    "classics.sorted_by_a_heap",
    "recursive_lists.permutations",
    "mixed_lists.paths_in_a_grid",
    "objects_made.objects_over_an_array",
)


def prepare(name: str) -> Prepared:
    """A program of the corpus by its module's and its function's name."""
    if str(_TESTS) not in sys.path:
        sys.path.append(str(_TESTS))
    module, _, _ = name.partition(".")
    importlib.import_module(f"programs.{module}")
    cases = importlib.import_module("programs.corpus").CASES
    case = next(c for c in cases if c.name == name)
    compiled = jit(case.function)
    return Prepared(lambda: compiled(*copy.deepcopy(case.calls[0])))


PROGRAMS = [Program(f"corpus {name}", partial(prepare, name)) for name in NAMES]
