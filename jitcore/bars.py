"""Bars on a terminal for work that takes long: `tqdm`'s, where it is installed (`pip install jitcore[progress]`).

    with bar("epoch 1", steps) as shown:
        for step in ...:
            ...
            shown.hide()           # before something else is printed
            shown.advance()

Where stderr is no terminal, or `settings.progress` is off, or there is no `tqdm`, nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, TextIO

from jitcore.config import settings

AFTER: Final = 1.0
"""Seconds until a bar is shown."""


class Bar:
    """What is shown of some work: a bar of tqdm's, or nothing."""

    def __init__(self, shown: object = None) -> None:
        self._bar: Any = shown
        self._is_shown = False

    def advance(self) -> None:
        """One more step is done."""
        if self._bar is not None:
            self._is_shown = bool(self._bar.update()) or self._is_shown

    def hide(self) -> None:
        """Take it away until the next step: something else is written."""
        if self._bar is not None and self._is_shown:
            self._is_shown = False
            self._bar.clear()


@contextmanager
def bar(label: str, steps: int | None) -> Generator[Bar]:
    """A bar for so many steps (None: nobody knows how many), which is gone when they are done."""
    made = _bar_class()
    if made is None:
        yield Bar()
        return
    with made(desc=label, total=steps, leave=False, delay=AFTER, file=sys.stderr, dynamic_ncols=True) as shown:
        yield Bar(shown)


def _bar_class() -> Any:
    """tqdm's class, if there is something to show and somebody to see it."""
    try:
        stream: TextIO | None = sys.stderr
        if not settings.progress or stream is None or not stream.isatty():
            return None
    except ValueError:  # it is closed
        return None
    try:
        return import_module("tqdm").tqdm
    except ImportError:  # a nicety: without it there is no bar
        return None
