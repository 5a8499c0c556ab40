"""Host calls that a signal's handler can cut short: NumPy's sorting, LAPACK and FFT never look for signals themselves.

A call that may be long (`HostCode.cost`) is made on a thread of its own, for copies of its arrays, while the main
thread waits: there Python runs handlers. What a handler raises ends the wait. Nobody looks at what the thread makes
then, and it is freed with the copies when the call ends. Exceptions of the call come out of the wait, and NumPy's error
state, a context variable, is carried over.
"""

from __future__ import annotations

import _thread
import contextvars
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from jitcore.forking import repair_in_child
from jitcore.primitives.core.registry import HostCode, Primitive

LONG: Final = 1 << 17
"""The cost of a call that takes some milliseconds: a thread of its own and copies are a few hundredths of that."""
FEW: Final = 1 << 14
"""Elements that no array of a long call has less than, if it is the largest."""
_PERIOD: Final = 0.05
"""Seconds between looks for signals on systems where they do not end a wait."""


def reference_of(primitive: Primitive, args: Sequence[Any], params: Mapping[str, Any]) -> Any:
    """What a primitive's reference gives; while it is computed on the host, signals' handlers run."""
    lowering = primitive.lowering
    if not isinstance(lowering, HostCode) or not may_be_left(primitive) or not _is_long(lowering, args):
        return primitive.reference(*args, **params)
    return interruptible(primitive.reference, args, params)


def may_be_left(primitive: Primitive) -> bool:
    """Whether nothing shows of a call that is never waited for."""
    effects = primitive.effects
    return not (effects.reads or effects.writes or effects.io)


def _is_long(code: HostCode, args: Sequence[Any]) -> bool:
    if all(a.size < FEW for a in args if type(a) is np.ndarray):
        return False
    return code.cost([a.shape for a in args if type(a) is np.ndarray]) >= LONG


def interruptible(function: Callable[..., Any], args: Sequence[Any], params: Mapping[str, Any]) -> Any:
    """What a function of arrays gives, or raises, unless a signal's handler raises before."""
    if threading.current_thread() is not threading.main_thread():
        return function(*args, **params)  # Python runs handlers in the main thread
    call = _Call(function, [a.copy(order="K") if type(a) is np.ndarray else a for a in args], params)
    try:
        _thread.start_new_thread(call.run, ())
    except RuntimeError:  # no more threads
        call.run()
    return call.wait()


class _Call:
    """A call on a thread of its own."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], params: Mapping[str, Any]) -> None:
        self._work: tuple[Any, ...] = (function, args, params)
        self._context = contextvars.copy_context()
        self._made: Any = None
        self._raised: BaseException | None = None
        self._has_ended = False
        self._running = _thread.allocate_lock()
        self._running.acquire()

    def run(self) -> None:
        """Make the call, for who waits for it."""
        self._context.run(self._compute)
        self._running.release()

    def _compute(self) -> None:
        function, args, params = self._work
        try:
            self._made = function(*args, **params)
        except BaseException as error:
            self._raised = error
        del args
        self._has_ended = True
        self._work = ()

    def wait(self) -> Any:
        """What it gave."""
        try:
            _waited_for.add(self)
            while not self._running.acquire(timeout=_PERIOD):
                pass
        finally:
            _waited_for.discard(self)
        if not self._has_ended:  # in a child that a handler forked
            self._compute()
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised
        return self._made

    def let_go(self) -> None:
        """End the wait for a thread that this process does not have."""
        if self._running.locked():
            self._running.release()


_waited_for: set[_Call] = set()


@repair_in_child
def _end_waits() -> None:
    for call in _waited_for:
        call.let_go()
