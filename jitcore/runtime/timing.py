"""What compiling takes, by stage: noted as it goes, and logged (`jitcore`, level DEBUG)."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Final

from jitcore.ir.nodes import Module
from jitcore.passes.registry import Pass

LOGGER: Final = logging.getLogger("jitcore")
"""What is compiled and why (INFO), what each stage takes (DEBUG), what the interpreter runs (WARNING). Silent, as those
of libraries are, until the program sets logging up."""
LOGGER.addHandler(logging.NullHandler())


class Stopwatch:
    """The seconds of each stage of a compilation, `subject`, in the order they are gone through first."""

    def __init__(self, subject: str) -> None:
        self.seconds: dict[str, float] = {}
        self._subject = subject
        self._last = perf_counter()

    def go_on(self) -> None:
        """What was done since the last stage ended is none of the compilation."""
        self._last = perf_counter()

    def ended(self, stage: str) -> None:
        """A stage has ended, and the next one begins."""
        now = perf_counter()
        took, self._last = now - self._last, now
        self.seconds[stage] = self.seconds.get(stage, 0.0) + took
        LOGGER.debug("%s: %s took %.2f ms", self._subject, stage, took * 1e3)

    def passed(self, done: Pass, _: Module) -> None:
        """A pass has ended (`run_passes`)."""
        self.ended(done.name)
