"""Shows on a terminal what is being compiled, once that has taken a while: one line, which is gone when it is done."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import Final, TextIO

from jitcore.config import settings
from jitcore.source import NOWHERE, Span

AFTER: Final = 2.0
"""Seconds until a compilation is shown."""
_EVERY: Final = 0.5
_ERASE: Final = "\r\x1b[K"

_shown: Final = threading.Lock()
"""Held by the compilation that may be shown: those of other threads, and within it, are not."""


class Progress:
    """One compilation. `enter` says which stage begins."""

    def __init__(self, name: str, span: Span, stream: TextIO, after: float) -> None:
        place = "" if span is NOWHERE else f" ({span.file}:{span.line})"
        self._subject = f"jitcore: compiling {name}{place}"
        self._stream = stream
        self._after = after
        self._started = monotonic()
        self._stage: Callable[[], str] = str
        self._done = threading.Event()
        self._written = False
        self._thread = threading.Thread(target=self._watch, name="jitcore-progress", daemon=True)

    def enter(self, stage: Callable[[], str]) -> None:
        """Another stage begins; `stage` gives its name when it is shown."""
        self._stage = stage

    def start(self) -> None:
        """Begin to wait."""
        self._thread.start()

    def stop(self) -> None:
        """The compilation is done: the line goes, and the thread with it."""
        self._done.set()
        self._thread.join()
        if self._written:
            self._stream.write(_ERASE)
            self._stream.flush()

    def _watch(self) -> None:
        wait = self._after
        while not self._done.wait(wait):
            wait = _EVERY
            text = f"{self._subject}: {self._stage()}, {monotonic() - self._started:.0f} s"
            try:
                self._stream.write(_ERASE + text[: shutil.get_terminal_size().columns - 1])
                self._stream.flush()
            except (OSError, ValueError):  # the terminal is gone
                return
            self._written = True


class Unshown:
    """Stands for a compilation that nobody watches."""

    def enter(self, stage: Callable[[], str]) -> None:
        """Another stage begins."""


@contextmanager
def watched(name: str, span: Span) -> Generator[Progress | Unshown]:
    """A compilation, shown while it lasts if stderr is a terminal and `settings.progress` says so."""
    stream = sys.stderr
    if not settings.progress or not _is_terminal(stream) or not _shown.acquire(blocking=False):
        yield Unshown()
        return
    try:
        made = Progress(name, span, stream, AFTER)
        made.start()
        try:
            yield made
        finally:
            made.stop()
    finally:
        _shown.release()


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it is closed
        return False
