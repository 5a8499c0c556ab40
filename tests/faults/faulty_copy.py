"""A copy of the checkout that faults are put into, and the tests that are run against it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from tests.faults.mutations import Fault, faulty

LIMIT = 60.0
"""Seconds after which no test of a fault is begun; one that is running has half as many left."""
_COPIED = ("jitcore", "frontend", "backends", "tests", "examples")
_BEING_WRITTEN = shutil.ignore_patterns("*.pyc.*")


@dataclass(frozen=True)
class Outcome:
    """What the tests said of a fault."""

    state: str
    """`killed`, `survived`, or `unreached` if no test executes it."""
    by: str = ""
    """The first test that failed."""
    text: str = ""
    """How it failed: the exception's first line, `it hangs`, or how the process ended."""


class FaultyCopy:
    """A copy of the checkout at `root`, in the empty folder `folder`."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.folder = folder / "checkout"
        self.folder.mkdir()
        self._report, self._scratch = folder / "report.json", folder / "scratch"
        self._objects = folder / "objects"
        self._objects.mkdir(mode=0o700)
        for name in _COPIED:
            shutil.copytree(root / name, self.folder / name, symlinks=True, ignore=_BEING_WRITTEN)
        shutil.copy2(root / "pyproject.toml", self.folder / "pyproject.toml")

    @contextmanager
    def planted(self, fault: Fault) -> Generator[None]:
        """The copy has the fault for as long."""
        file = self.folder / fault.file
        source = file.read_text()
        try:
            self._write(file, faulty(source, fault))
            yield
        finally:
            self._write(file, source)

    def _write(self, file: Path, source: str) -> None:
        """What was compiled of it goes: it is told from the new text by size and seconds only."""
        file.write_text(source)
        Path(cache_from_source(str(file))).unlink(missing_ok=True)

    def outcome(self, tests: Sequence[str], limit: float = LIMIT) -> Outcome:
        """Run tests until one fails; `tests` are pytest's names of them, from the root of the checkout."""
        if not tests:
            return Outcome("unreached")
        self._report.unlink(missing_ok=True)
        code, output = self._run(
            ["-x", "-p", "tests.faults.first_failure", *tests],
            {"JITCORE_FAULTS_REPORT": str(self._report), "JITCORE_FAULTS_SECONDS": str(limit)},
            limit * 1.5,
        )
        if not self._report.exists():
            if code == 0 or "no match in any of" in output:
                raise RuntimeError(f"pytest ran none of the tests:\n{output[-2000:]}")
            return Outcome("killed", "importing", output.strip().splitlines()[-1][:200])
        report = json.loads(self._report.read_text())
        if report["state"] == "failed":
            return Outcome("killed", report["test"], report["text"])
        if code is None:
            return Outcome("killed", report["test"], "it hangs")
        if code < 0:
            return Outcome("killed", report["test"], f"the process ended by {signal.Signals(-code).name}")
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.INTERRUPTED):
            return Outcome("killed", report["test"], f"pytest ended with exit code {code}")
        return Outcome("survived", text=f"{report['passed']} tests")

    def learn_lines(self, test_file: str, folders: Sequence[str], file: Path, limit: float) -> None:
        """Have the lines that a file's tests execute written to `file`, of as many as the time allows."""
        settings = {
            "JITCORE_FAULTS_LINES": str(file),
            "JITCORE_FAULTS_FOLDERS": os.pathsep.join(folders),
            "JITCORE_FAULTS_SECONDS": str(limit),
        }
        _, output = self._run(["-p", "tests.faults.line_contexts", test_file], settings, limit * 3)
        if not file.exists():
            raise RuntimeError(f"the lines of {test_file} were not written:\n{output[-2000:]}")

    def _run(self, arguments: Sequence[str], settings: dict[str, str], limit: float) -> tuple[int | None, str]:
        """Run pytest in a group of processes of its own; its exit code, None if the time was over, and its output."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
        path = os.pathsep.join(filter(None, [str(self.folder), os.environ.get("PYTHONPATH", "")]))
        environment = {**os.environ, **settings, "PYTHONPATH": path, "JITCORE_CACHE_DIR": str(self._objects)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        process = subprocess.Popen(
            [*command, "--basetemp", str(self._scratch), *arguments],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
