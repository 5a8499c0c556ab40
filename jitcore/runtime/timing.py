"""What compiling takes, by stage: noted as it goes, and logged."""

from __future__ import annotations

from time import perf_counter

from jitcore.ir.nodes import Module
from jitcore.passes.registry import Pass
from jitcore.runtime.logs import DEBUG, log


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
        log(DEBUG, "%s: %s took %.2f ms", self._subject, stage, took * 1e3)

    def passed(self, done: Pass, _: Module) -> None:
        """A pass has ended (`run_passes`)."""
        self.ended(done.name)
