"""A plugin of pytest for tests of faulty code: what the first failure is, within a time and an amount of memory.

The environment says how: JITCORE_FAULTS_REPORT names a JSON file, which says which test runs, while it does, and in the
end which failed; no test is begun after JITCORE_FAULTS_SECONDS.
"""

from __future__ import annotations

import json
import os
import re
import resource
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

_MEMORY = 10 << 30
"""Bytes of address space: what a fault may ask for without end is refused."""


class FirstFailure:
    """Writes to a file how far the tests have come."""

    def __init__(self, file: Path, seconds: float) -> None:
        self.file = file
        self.until = monotonic() + seconds
        self.passed = 0

    def write(self, state: str, test: str, text: str = "") -> None:
        self.file.write_text(json.dumps({"state": state, "test": test, "text": text, "passed": self.passed}))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if monotonic() > self.until:
            item.session.shouldstop = "the time is over"
        else:
            self.write("running", item.nodeid)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.write("failed", report.nodeid, _last_line(report))
        elif report.when == "call":
            self.passed += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and report.nodeid:  # the session's own says that it ends
            self.write("failed", report.nodeid, _last_line(report))

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.OK:
            self.write("passed", "")


def _last_line(report: pytest.TestReport | pytest.CollectReport) -> str:
    """What was raised: the first case that failed of those of a group (`tests.grouped`) says it."""
    lines = report.longreprtext.splitlines()
    raised = [line[1:].strip() for line in lines if line.startswith("E ")]
    raised += [found for line in lines if _RAISED.match(found := line.strip(" |+-"))]
    return raised[0][:200] if raised else ""


_RAISED = re.compile(r"[\w.]*(Error|Exception|Failed)(: |$)")


def pytest_configure(config: pytest.Config) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    file, seconds = Path(os.environ["JITCORE_FAULTS_REPORT"]), float(os.environ["JITCORE_FAULTS_SECONDS"])
    config.pluginmanager.register(FirstFailure(file, seconds), "first failure")
