"""Where compiling ends when it is to be stopped: at `check`, which is called again and again, and nowhere else.

What a signal's handler raises could come out of any code, after a lock was taken and before that was noted, say. So it
waits (`ask`) until the main thread gets to a place that may raise.
"""

from __future__ import annotations

import threading

from jitcore.forking import repair_in_child


class Carried(BaseException):
    """What a signal's handler raised, on its way out of the compiler."""

    def __init__(self, exception: BaseException) -> None:
        super().__init__()
        self.exception = exception


_asked: BaseException | None = None
_thread = 0
"""The thread that is to stop."""


def ask(exception: BaseException) -> None:
    """Have this thread stop what it compiles, because of an exception."""
    global _asked, _thread
    _asked, _thread = exception, threading.get_ident()


def forget() -> None:
    """It has stopped."""
    global _asked
    _asked = None


def check() -> None:
    """A place where compiling may end. Raises Carried, once, if it is to."""
    if _asked is not None and threading.get_ident() == _thread:
        exception = _asked
        forget()
        raise Carried(exception)


@repair_in_child
def _forget_others() -> None:
    if threading.get_ident() != _thread:
        forget()
