"""Dicts, sets, lists, strings and objects of the run: programs of plain Python, whole in compiled code."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from box_programs import inputs, programs
from workload import EQUAL, Prepare, Run, Workload

Inputs = Mapping[str, Any]


def _with_jitcore(program: Callable[..., Any]) -> Prepare:
    def prepare(arguments: Inputs) -> Run:
        import jitcore

        compiled, given = jitcore.jit(program), tuple(arguments.values())
        compiled(*given)
        account = compiled.explain().as_dict()
        assert account["specialisations"], compiled.explain()
        assert not account["interpreted"] + account["regions"], compiled.explain()
        return lambda: compiled(*given)

    return prepare


def _with_python(program: Callable[..., Any]) -> Prepare:
    def prepare(arguments: Inputs) -> Run:
        given = tuple(arguments.values())
        return lambda: program(*given)

    return prepare


def _with_numba(program: Callable[..., Any]) -> Prepare:
    """Lists are typed before calls, and typed containers that are returned stay what they are: nothing is converted."""

    def prepare(arguments: Inputs) -> Run:
        import numba
        from numba.typed import List

        theirs = importlib.import_module("box_programs.in_numba")
        compiled = getattr(theirs, program.__name__, None) or numba.njit(program)
        given = tuple(List(value) if isinstance(value, list) else value for value in arguments.values())
        return lambda: compiled(*given)

    return prepare


@dataclass(frozen=True)
class Case:
    """A program, and what it is called with: made in the size that is measured, or a smaller one."""

    name: str
    doc: str
    program: Callable[..., Any]
    arguments: Callable[[int], Inputs]
    size: int
    numba: bool = True

    def workload(self) -> Workload:
        """The row of the table."""
        peers = {"jitcore": _with_jitcore(self.program), "python": _with_python(self.program)}
        if self.numba:
            peers["numba"] = _with_numba(self.program)
        return Workload(f"box_{self.name}", self.doc, peers, lambda: self.arguments(self.size), tolerance=EQUAL)


CASES = [
    Case("words", "words of a text of 1 MB counted", programs.word_count, inputs.prose, 1_000_000),
    Case("index", "an inverted index of a text of 1 MB", programs.inverted_index, inputs.prose, 1_000_000),
    Case("tokens", "tokens of a text of 1 MB, as tuples", programs.tokens, inputs.source, 1_000_000),
    # Numba has no float() of strings
    Case("numbers", "20,000 numbers of a text", programs.numbers, inputs.written_numbers, 20_000, numba=False),
    Case("dijkstra", "shortest paths from one of 2,000 nodes", programs.dijkstra, inputs.edges, 2000),
    # with a dict: jitcore refuses functools.cache and lru_cache (J0202), so does Numba
    Case("memo", "recursion with a dict of 40,000 results", programs.memoised, inputs.square, 200),
    Case("union_find", "20,000 unions of sets in a dict", programs.union_find, inputs.pairs, 20_000),
    Case("levenshtein", "the distance of strings of 400", programs.levenshtein, inputs.strings, 400),
    Case("common", "what strings of 400 have in common", programs.longest_common, inputs.strings, 400),
    Case("sudoku", "a sudoku with 57 blanks, by sets", programs.sudoku, inputs.puzzle, 57),
    Case("lru", "20,000 requests to an LRU cache", programs.least_recent, inputs.requests, 20_000),
]

WORKLOADS = [case.workload() for case in CASES]
