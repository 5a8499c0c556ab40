"""What the work of one program takes, in a process that has run thousands."""

from __future__ import annotations

import gc
import time


class Clock:
    """The seconds of the processor, in all threads, without those of the garbage collector, which goes through what all
    programs before have left."""

    def __init__(self) -> None:
        self._collecting = self._began = 0.0
        gc.callbacks.append(self._collected)

    def __call__(self) -> float:
        return time.process_time() - self._collecting

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.process_time()
        else:
            self._collecting += time.process_time() - self._began


clock = Clock()
