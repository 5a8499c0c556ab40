"""Which tests execute which lines: learnt once for each file of tests, and kept in a folder as a JSON file each."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from tests.faults.mutations import Fault

_SECONDS = 30.0
"""How long the tests chosen for a fault took when their lines were learnt."""
_MOST = 120
_FILES = 12
"""Tests and files of tests that are chosen for a fault; each file is to be imported."""


class ExecutedLines:
    """What the files in `folder` say of the sources of the checkout at `root`."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self._of: dict[str, dict[str, Any]] = {f.stem: json.loads(f.read_text()) for f in sorted(folder.glob("*.json"))}

    def tests(self, fault: Fault) -> list[str]:
        """The tests to run for a fault: quick ones that execute it, those of a file named like the module or its folder
        and those written for faults first, then of several files in turn.

        For what modules do when they are imported, whichever test that was in, for lines that no test executes, and
        for sources that have changed since, these are tests that execute anything of the file.
        """
        found = (self._executing(fault) if fault.function else None) or self._reaching(fault)
        path = Path(fault.file)
        names = (f"test_{path.stem}", f"test_{path.parent.name}", "test_faults_found")
        own = [found.pop(name) for name in names if name in found]
        files = sorted(found.values(), key=lambda tests: tests[0])[:_FILES]
        return _within(chain(*own, chain.from_iterable(zip_longest(*files))))

    def _executing(self, fault: Fault) -> dict[str, list[tuple[float, str]]]:
        return self._of_lines(fault, range(fault.line, fault.last + 1))

    def _reaching(self, fault: Fault) -> dict[str, list[tuple[float, str]]]:
        return self._of_lines(fault, None)

    def _of_lines(self, fault: Fault, lines: range | None) -> dict[str, list[tuple[float, str]]]:
        """By file of tests, the tests that execute some of the lines, or any if they are None, and those that are named
        for the primitive that is declared there: these first, then the quickest."""
        found: dict[str, list[tuple[float, str]]] = {}
        now = digest(self.root / fault.file)
        for name, learnt in self._of.items():
            if lines is not None and learnt["digests"].get(fault.file) != now:
                continue
            executed = learnt["lines"].get(fault.file, {})
            ranks = {
                rank for line in (executed if lines is None else map(str, lines)) for rank in executed.get(line, [])
            }
            declared = [test for test in learnt["tests"] if _is_of(fault, test[0])]
            others = sorted((learnt["tests"][rank] for rank in ranks), key=lambda test: test[1])
            tests = [*declared, *(test for test in others if test not in declared)]
            if tests:
                found[name] = [(seconds, test) for test, seconds in tests]
        return found


def _is_of(fault: Fault, test: str) -> bool:
    """Whether a test is named for the primitive that a module declares where the fault is."""
    name = fault.function.split(".")[0]
    return f"[{name}-" in test or f"[{name}]" in test or f"-{name}]" in test


def _within(tests: Iterable[tuple[float, str] | None]) -> list[str]:
    """As many as the time allows, and one at least."""
    chosen: list[str] = []
    total = 0.0
    for item in tests:
        if item is not None and (not chosen or total + item[0] <= _SECONDS):
            total += item[0]
            chosen.append(item[1])
    return by_file(chosen[:_MOST])


def by_file(tests: Sequence[str]) -> list[str]:
    """The same tests, those of a file together, the files in order of their first."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.split("::")[0]].append(test)
    return list(chain.from_iterable(files.values()))


def digest(file: Path) -> str:
    """What tells a source file from what it was."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]
