"""Exceptions of signal handlers: they end whatever jitcore was doing, and nothing is tried again because of them.

Python runs a signal's handler between any two steps of the main thread, so that its exception, of any class, comes out
of code that has nothing to do with it. Compiling catches exceptions of what it tries, and takes locks: there, handlers
are run by a stand-in, and what they raise waits until a place that may raise is reached (`carried`, `stopping`).
Elsewhere an exception that is about to be taken for something else is asked where it is from (`is_from_handler`).
"""

from __future__ import annotations

# `signal` turns numbers into enums, and drops a TypeError or ValueError of a handler that runs meanwhile
import _signal  # pyright: ignore[reportMissingModuleSource]
import signal
import threading
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any, Final, TypeVar

from jitcore import stopping
from jitcore.forking import repair_in_child
from jitcore.runtime.errors import reraise
from jitcore.source import InternalError
from jitcore.stopping import Carried

_T = TypeVar("_T")
_SIGNALS: Final = tuple(sorted(signal.valid_signals()))


class _Carrier:
    """One compilation that handlers' exceptions are carried out of."""

    __slots__ = ("raised", "thread")

    def __init__(self) -> None:
        self.raised: BaseException | None = None
        self.thread = threading.get_ident()


class _StandIn:
    """Runs a handler while the main thread compiles. Where it is still installed afterwards, it does what the handler
    does."""

    __slots__ = ("_carrier", "handler")

    def __init__(self, handler: Callable[..., Any], carrier: _Carrier) -> None:
        self.handler = handler
        self._carrier: _Carrier | None = carrier

    def __call__(self, number: int, frame: Any) -> Any:
        carrier = self._carrier
        if carrier is None:
            return self.handler(number, frame)
        try:
            return self.handler(number, frame)
        except BaseException as error:
            if carrier.raised is None:
                carrier.raised = error
            stopping.ask(carrier.raised)
            return None

    @property
    def thread(self) -> int | None:
        """The thread that compiles."""
        return self._carrier.thread if self._carrier is not None else None

    def retire(self) -> None:
        """Run the handler as if there were no stand-in."""
        self._carrier = None


def carried(work: Callable[[], _T]) -> _T:
    """What `work` gives. Exceptions of signal handlers end it where it looks for them (`stopping.check`), whatever it
    catches, and come out of it as they are; what is raised after it looked for the last time comes when it has
    ended."""
    if threading.current_thread() is not threading.main_thread():
        return work()  # Python runs handlers in the main thread
    carrier = _Carrier()
    placed: list[tuple[int, _StandIn]] = []
    try:
        _place(carrier, placed)
        if carrier.raised is None:
            return work()
    except Carried as error:
        if error.exception is not carrier.raised:
            raise  # of a compilation around this one
    finally:
        for number, stand_in in placed:
            if _signal.getsignal(number) is stand_in:  # the handler may have installed another
                _signal.signal(number, stand_in.handler)
            stand_in.retire()
        if carrier.raised is not None:
            stopping.forget()
            reraise(carrier.raised)
    raise InternalError("a compilation ended without a result")


def _place(carrier: _Carrier, placed: list[tuple[int, _StandIn]]) -> None:
    for number in _SIGNALS:
        handler = _signal.getsignal(number)
        if callable(handler) and not isinstance(handler, _StandIn):
            stand_in = _StandIn(handler, carrier)
            placed.append((number, stand_in))
            _signal.signal(number, stand_in)


@repair_in_child
def _forget_others() -> None:
    """The main thread of the parent may have been compiling while another forked."""
    for number in _SIGNALS:
        stand_in = _signal.getsignal(number)
        if isinstance(stand_in, _StandIn) and stand_in.thread != threading.get_ident():
            _signal.signal(number, stand_in.handler)
            stand_in.retire()


def is_from_handler(error: BaseException) -> bool:
    """Whether an exception came out of a signal's handler: a frame it passed was given the frame it was called from, or
    runs the code of a handler."""
    if isinstance(error, KeyboardInterrupt):
        return True
    codes: set[CodeType] | None = None
    entry = error.__traceback__
    while entry is not None:
        frame, caller = entry.tb_frame, entry.tb_frame.f_back
        if caller is not None and frame.f_code.co_argcount + bool(frame.f_code.co_flags & 4):
            given = frame.f_locals.values()
            if any(v is caller or (type(v) is tuple and any(p is caller for p in v)) for v in given):
                return True
        codes = _handler_codes() if codes is None else codes
        if frame.f_code in codes:
            return True
        entry = entry.tb_next
    return False


def _handler_codes() -> set[CodeType]:
    """The code of the functions that handle signals now."""
    found: set[CodeType] = set()
    for number in _SIGNALS:
        handler: Any = _signal.getsignal(number)
        handler = handler.handler if isinstance(handler, _StandIn) else handler
        if callable(handler) and not isinstance(handler, FunctionType | MethodType):
            handler = type(handler).__call__
        if isinstance(handler, MethodType):
            handler = handler.__func__
        if isinstance(handler, FunctionType):
            found.add(handler.__code__)
    return found
