"""Counts the calls into Python of compiled programs, where that was asked for before they were made: machine code does
not count them, since that would slow it down.

    with counting():
        f(x)                    # compiled here
    f.explain()                 # says how often it called Python
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from jitcore.forking import process_lock
from jitcore.program.nodes import HostCall, Program
from jitcore.structs import dataclass, replace


@dataclass(slots=True)
class _State:
    askers: int = 0
    lock: Any = None


_state: Final = _State(0, process_lock())


@contextmanager
def counting() -> Generator[None]:
    """What is compiled inside counts its calls into Python, from then on."""
    with _state.lock:
        _state.askers += 1
    try:
        yield
    finally:
        with _state.lock:
            _state.askers -= 1


class Counter:
    """A function that counts its calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.calls = 0

    def __call__(self, *args: object) -> Any:
        self.calls += 1
        return self.function(*args)

    def __repr__(self) -> str:
        return repr(self.function)


def counted(program: Program) -> Program:
    """A program whose calls into Python are counted, if that is asked for."""
    if not _state.askers or not program.host_calls:
        return program
    calls: Sequence[HostCall] = program.host_calls
    return replace(
        program, host_calls=tuple(replace(call, function=Counter(call.function), direct=None) for call in calls)
    )


def calls_of(call: HostCall) -> int | None:
    """How often a call into Python was made; None if nobody counts."""
    return call.function.calls if isinstance(call.function, Counter) else None
