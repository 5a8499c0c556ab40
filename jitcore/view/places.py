"""Where things stand in the source, as numbers: what lines of all stages have in common."""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import jitcore
from jitcore.ir.nodes import Binding
from jitcore.source import NOWHERE, Span

_COMPOUND: Final = re.compile(r"\s*(@|(async\s+)?(def|class|for|while|if|elif|else|with|try|except|match|case)\b)")
_OURS: Final = str(Path(jitcore.__file__).parent.resolve())


class Files:
    """The source files that are shown."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """Of a file, by its name."""
        return self._numbers.setdefault(name, len(self._numbers))

    def shown(self) -> list[dict[str, object]]:
        """For the page: names, whether they are of jitcore, and lines. What a file had is not to be found any more has
        none."""
        return [
            {"name": name, "ours": _is_ours(name), "lines": [line.rstrip("\n") for line in linecache.getlines(name)]}
            for name in self._numbers
        ]


def _last_line(span: Span) -> int:
    """Where a place ends: that of a statement with others in it at its own line."""
    return span.line if _COMPOUND.match(linecache.getline(span.file, span.line)) else span.end_line


def _is_ours(file: str) -> bool:
    return file == NOWHERE.file or Path(file).resolve().is_relative_to(_OURS)


class Places:
    """The places of one compilation: where in the source, by which calls, in which Cells.

    Of the calls that led to a place those in the user's own files are kept, or all if there are none."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._ours: dict[str, bool] = {}
        self._numbers: dict[tuple[tuple[int, ...], tuple[str, ...]], int] = {}
        self._known: dict[int, tuple[Span, int]] = {}
        self._sets: dict[frozenset[int], int] = {frozenset(): 0}

    def number(self, span: Span) -> int:
        """Of the place that a span is at."""
        known = self._known.get(id(span))
        if known is None:
            frames = list(span.frames())
            mine = [f for f in frames if not self._is_ours(f.file)] or frames
            where = tuple(n for f in mine for n in (self._files.number(f.file), f.line, _last_line(f)))
            place = self._numbers.setdefault((where, cells_of(span)), len(self._numbers))
            known = self._known[id(span)] = (span, place)  # which keeps the span, and its id
        return known[1]

    def _is_ours(self, file: str) -> bool:
        found = self._ours.get(file)
        if found is None:
            found = self._ours[file] = _is_ours(file)
        return found

    def set_of(self, spans: Iterable[Span]) -> int:
        """The number of a set of places."""
        return self.set_number(frozenset(self.number(span) for span in spans if span != NOWHERE))

    def set_number(self, places: frozenset[int]) -> int:
        """The same, of places that have numbers."""
        return self._sets.setdefault(places, len(self._sets))

    def union(self, sets: Iterable[int]) -> int:
        """The number of the set of all that is in some sets."""
        numbers = frozenset(sets)
        if len(numbers) == 1:
            return next(iter(numbers))
        every = list(self._sets)
        return self.set_number(frozenset(place for n in numbers for place in every[n]))

    def shown(self) -> dict[str, object]:
        """For the page: of each place file, line and last line of each frame, innermost first, and the number of the
        Cells it is in; these; and the sets."""
        cells: dict[tuple[str, ...], int] = {}
        places = [[cells.setdefault(path, len(cells)), *where] for where, path in self._numbers]
        return {"places": places, "cells": list(cells), "sets": [sorted(found) for found in self._sets]}


def cells_of(span: Span) -> tuple[str, ...]:
    """The Cells that a place is in, outermost first."""
    return tuple(frame.cell for frame in reversed(list(span.frames())) if frame.cell)


def spans_of(binding: Binding) -> Sequence[Span]:
    """Where what a binding computes stands: a group of operations stands in several places."""
    if binding.op.name == "fused":
        return [inner.span for graph in binding.graphs for inner in graph.body]
    return (binding.span,)
