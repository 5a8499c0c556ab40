"""What is changed of the interpreter while something is compiled: its recursion limit, and whether it collects garbage.

Threads may compile at once: the first one changes it, the last one puts it back. In a forked child, what threads
changed that are not there is put back at once.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from jitcore.forking import process_lock, repair_in_child


class _Change:
    """A change that lasts while threads want it."""

    def __init__(self, change: Callable[[Any], Any], restore: Callable[[Any], None]) -> None:
        self._change = change
        self._restore = restore
        self._lock = process_lock()
        self._wanted: dict[int, int] = {}
        """How often each thread wants it."""
        self._before: Any = None

    @contextmanager
    def made(self, argument: Any = None) -> Generator[None]:
        thread = threading.get_ident()
        with self._lock:
            before = self._change(argument)
            if not self._wanted:
                self._before = before
            self._wanted[thread] = self._wanted.get(thread, 0) + 1
        try:
            yield
        finally:
            with self._lock:
                self._wanted[thread] -= 1
                self._forget(lambda ident: self._wanted[ident] == 0)

    def forget_others(self) -> None:
        """Other threads are not there any more."""
        own = threading.get_ident()
        self._forget(lambda ident: ident != own)

    def _forget(self, which: Callable[[int], bool]) -> None:
        if not self._wanted:
            return
        for ident in [ident for ident in self._wanted if which(ident)]:
            del self._wanted[ident]
        if not self._wanted:
            self._restore(self._before)


def _raise_limit(least: int) -> int:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, least))
    return before


def _stop_collecting(_: None) -> bool:
    before = gc.isenabled()
    gc.disable()
    return before


class _Collecting:
    """What begins to collect again. What was made meanwhile is old at once, every other time: the collector would go
    through all of it in the next moment, and a second time soon. What it does not see as new does not make it look for
    garbage among the old, hence not always. Not in a process that has frozen objects, which would be old, too."""

    def __init__(self) -> None:
        self._spare = False
        self._frozen = False

    def __call__(self, was_enabled: bool) -> None:
        self._spare = not self._spare
        if self._spare and not self._frozen:
            self._frozen = bool(gc.get_freeze_count())  # it counts them one by one
            if not self._frozen:
                gc.freeze()
                gc.unfreeze()
        if was_enabled:
            gc.enable()


_limit = _Change(_raise_limit, sys.setrecursionlimit)
_collector = _Change(_stop_collecting, _Collecting())
repair_in_child(_limit.forget_others)
repair_in_child(_collector.forget_others)


def room_to_recurse(least: int) -> AbstractContextManager[None]:
    """A context in which Python functions may nest their calls so deep: those take no C stack for it."""
    return _limit.made(least)


def without_collector() -> AbstractContextManager[None]:
    """A context without garbage collection: the many small objects of a compilation live until its end, so looking for
    garbage among them takes long and finds little."""
    return _collector.made()
