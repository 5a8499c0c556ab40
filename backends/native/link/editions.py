"""Code in two editions: one for the first moments of a process, and a better one where there is much to do.

What every program needs besides its own code (native calls, contractions) takes LLVM longer to do its best on than a
process of a few calls ever gets back. So a first edition is compiled in a moment; it runs at a half of the speed or
more, and takes what it has done from a number that all have in common, `jc_first_left`. When that is used up, the next
native call, or a program that looks for signals (`host.waiting`), has the better editions made, by a thread; each takes
the place of its first. First editions are made only where there are native calls to notice that, and where no process
before has left the better one in the cache.

Kernels of programs that have many are compiled so, too (`Later`): a program that is called again is made anew.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable
from typing import Final

from jitcore.forking import repair_in_child

ENOUGH: Final = 2000
"""Calls that first editions serve, or other work that is as long: what the better ones would have saved by then is a
thousandth of their price (0.2 s for the 0.1 µs that they save a call)."""
TOLD: Final = -(1 << 62)
"""What is left when the better editions have been asked for; it may be some less."""

_left: Final = ctypes.c_int64(TOLD)
LEFT: Final = ctypes.addressof(_left)
"""Where the number is that code knows as `jc_first_left`. It is above 0 while first editions may do more."""
_waiting: Final[list[Callable[[], object]]] = []
"""What makes better editions and puts them in their places; it stays here until it is done."""
_are_first: bool = False


def begin() -> None:
    """There are native calls, in their first edition."""
    global _are_first
    _are_first, _left.value = True, ENOUGH


def are_first() -> bool:
    """Whether what is compiled now is to be a first edition."""
    return _are_first


def follow(make: Callable[[], object]) -> None:
    """A first edition has been made: how its better one is made and put in its place."""
    _waiting.append(make)
    if not _are_first:
        enough()


def enough() -> None:
    """Have the better editions made. Machine code calls this, once, when first editions have done enough."""
    global _are_first
    _are_first = False
    with contextlib.suppress(RuntimeError):  # no thread can be had: all stays as it is
        threading.Thread(target=_make_all, name="jitcore.llvm").start()


def _make_all() -> None:
    for make in tuple(_waiting):
        try:
            make()
        except MemoryError:
            return
        if make in _waiting:  # another thread may have waited for the same
            _waiting.remove(make)


class Later:
    """What a thread does once something has been used several times; not the thread of a process that forked."""

    def __init__(self, uses: int, work: Callable[[], object]) -> None:
        self._left = uses
        self._work: Callable[[], object] | None = work
        self._begun_in = 0

    def use(self) -> None:
        """It is used once more."""
        self._left -= 1
        if self._left > 0 or self._work is None or self._begun_in == os.getpid():
            return
        self._begun_in = os.getpid()
        with contextlib.suppress(RuntimeError):  # no thread can be had: all stays as it is
            threading.Thread(target=self._run, args=(self._work,), name="jitcore.llvm").start()

    def _run(self, work: Callable[[], object]) -> None:
        with contextlib.suppress(MemoryError):
            work()
        self._work = None


def process_ends() -> bool:
    """Whether the main thread has ended, which waits for the others."""
    return not threading.main_thread().is_alive()


@repair_in_child
def _begin_child() -> None:
    """The thread that was making them is not in a forked child."""
    if _waiting:
        begin()
