"""A plugin of pytest that notes which lines of jitcore each test executes: `pytest -p tests.faults.line_contexts FILE`.

It needs `coverage`. The environment says where to: JITCORE_FAULTS_LINES names a JSON file, which gets the tests that
passed with their seconds, and for every line of every source file the quickest tests that executed it; no test is begun
after JITCORE_FAULTS_SECONDS. Lines that ran before the first test, when modules were imported, are no test's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import coverage  # pyright: ignore[reportMissingImports]  it is beside the environment
import pytest

from tests.faults.executed_lines import digest

MOST_TESTS = 40
"""Tests that are kept for a line."""


class LineContexts:
    """Measures one run of tests of the checkout at `root`, and writes what it found to `file`."""

    def __init__(self, root: Path, folders: list[str], file: Path, seconds: float) -> None:
        self.root, self.file = root, file
        self.until = perf_counter() + seconds
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        include = [f"{root}/{folder}/*" for folder in folders]
        self.coverage = coverage.Coverage(data_file=None, config_file=False, include=include)
        # tests whose work is another process's execute none of the lines, which is no error
        self.coverage.set_option("run:disable_warnings", ["no-data-collected"])
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if perf_counter() > self.until:
            item.session.shouldstop = "the time is over"
        self.coverage.switch_context(item.nodeid)
        began = perf_counter()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = perf_counter() - began
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        tests = {test: round(s, 3) for test, s in self.seconds.items() if test not in self.failed}
        names = sorted(tests, key=tests.__getitem__)
        rank = {test: k for k, test in enumerate(names)}
        data = self.coverage.get_data()
        lines: dict[str, dict[str, list[int]]] = {}
        for file in data.measured_files():
            found = {
                str(line): sorted(rank[test] for test in contexts if test in rank)[:MOST_TESTS]
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            lines[str(Path(file).relative_to(self.root))] = {line: ranks for line, ranks in found.items() if ranks}
        digests = {file: digest(self.root / file) for file in lines}
        self.file.write_text(
            json.dumps({"tests": [[test, tests[test]] for test in names], "lines": lines, "digests": digests})
        )


def pytest_configure(config: pytest.Config) -> None:
    folders = os.environ["JITCORE_FAULTS_FOLDERS"].split(os.pathsep)
    file, seconds = Path(os.environ["JITCORE_FAULTS_LINES"]), float(os.environ["JITCORE_FAULTS_SECONDS"])
    plugin = LineContexts(config.rootpath.resolve(), folders, file, seconds)
    config.pluginmanager.register(plugin, "line contexts")
