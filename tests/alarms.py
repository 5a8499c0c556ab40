"""Signals at moments that the machine's speed does not decide: a timer's handler that looks where the main thread is before it raises."""

from __future__ import annotations

import signal
import time
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from jitcore.runtime.interrupts import carried

PATIENCE = 120.0
"""Seconds after which an exception is taken to be lost; it waits where it would be lost, while jitcore compiles."""


@contextmanager
def alarm(
    raised: BaseException, is_due: Callable[[FrameType], bool], period: float = 0.01
) -> Iterator[Callable[..., Any]]:
    """While the block runs a handler of SIGALRM, which it is given, is called every `period` seconds. The first time that `is_due` says so of
    the frame that it interrupts, it raises `raised`; never in code whose exceptions Python drops. If that does not end the block, an
    AssertionError says where it was raised."""
    over = False
    lost_at, raised_at = 0.0, ""

    def handler(signum: int, frame: FrameType) -> None:
        nonlocal over, lost_at, raised_at
        if not over and not finalises(frame) and is_due(frame):
            over = True
            lost_at, raised_at = time.monotonic() + PATIENCE, "".join(traceback.format_stack(frame))
            raise raised
        if lost_at and time.monotonic() > lost_at:
            raise AssertionError(f"{raised!r} did not end what it was raised in, {PATIENCE} s ago:\n{raised_at}")

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, period, period)
    try:
        yield handler
    finally:
        over, lost_at = True, 0.0
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        # a last one may still be on its way to another thread: nobody waits for it, and the system is not to end the process
        signal.signal(signal.SIGALRM, (lambda *_: None) if before in (signal.SIG_DFL, signal.SIG_IGN) else before)


def standing(ticks: int = 3) -> Callable[[FrameType], bool]:
    """Whether the main thread has been in one instruction for so many ticks, and compiles nothing: it runs machine code."""
    last, count = (0, 0), 0

    def is_due(frame: FrameType) -> bool:
        nonlocal last, count
        place = (id(frame), frame.f_lasti)
        count = count + 1 if place == last and not compiles(frame) else 0
        last = place
        return count >= ticks

    return is_due


def compiling(ticks: int) -> Callable[[FrameType], bool]:
    """Whether so many ticks have found the main thread compiling."""
    count = 0

    def is_due(frame: FrameType) -> bool:
        nonlocal count
        count += compiles(frame)
        return count > ticks

    return is_due


def after(seconds: float) -> Callable[[FrameType], bool]:
    """Whether so many seconds are over."""
    began = time.monotonic()
    return lambda _: time.monotonic() - began >= seconds


def compiles(frame: FrameType) -> bool:
    return any(f.f_code is carried.__code__ for f in _stack(frame))


def finalises(frame: FrameType) -> bool:
    """Whether an exception would be dropped: in `__del__`, and in what is called when an object has died."""
    for f in _stack(frame):
        code = f.f_code
        if code.co_name == "__del__":
            return True
        given = code.co_varnames[: code.co_argcount]
        if given and any(isinstance(f.f_locals.get(name), weakref.ref) for name in given):
            return True
    return False


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
