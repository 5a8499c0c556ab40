"""Programs in memory, ready to run: one word array in and one out, slow (microseconds), and the same everywhere."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

import numpy as np

from jitcore.backends.native.host import runtime, traces
from jitcore.backends.native.host.context import INTERNAL_ERROR, MEMORY_ERROR, Area, Context
from jitcore.backends.native.link.editions import Later
from jitcore.backends.protocol import Passed, ProgramError, Suspended, Words
from jitcore.program.nodes import ErrorSite, Program
from jitcore.source import NOWHERE, InternalError
from jitcore.structs import dataclass

_RUN: Final = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_FREE: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("PyMem_RawFree", ctypes.pythonapi))
_OUT_OF_MEMORY: Final = ErrorSite("MemoryError", "not enough memory", NOWHERE)


class Suspension:
    """See `backends.protocol.Suspended`: the context of a call, with its blocks."""

    def __init__(self, context: Context) -> None:
        self._context: Context | None = context
        self._unwind = runtime.unwinding()  # the function itself: the module may be gone when it is called

    @property
    def is_used(self) -> bool:
        """See `Suspended`."""
        return self._context is None

    def taken(self) -> Context:
        """The context, for the call that goes on with it."""
        before, self._context = self._context, None
        if before is None:
            raise InternalError("a program goes on with what another one has used up")
        context = Context()
        context.blocks = before.blocks
        return context

    def __del__(self) -> None:
        if self._context is not None:
            self._unwind(ctypes.addressof(self._context))


@dataclass(frozen=True, slots=True)
class MachineCode:
    """`run_address` is a C function `int32 run(ctx*, const word* in, word* out)`: 0, or 1 when it ended in an error
    described by the context (`context`). The code is there as long as `keep_alive` is."""

    run_address: int
    keep_alive: Any


@dataclass(eq=False)
class NativeProgram:
    """See `backends.protocol.LoadedProgram`."""

    program: Program
    code: MachineCode
    texts: Mapping[str, Callable[[], str]]
    kept: tuple[int, int] = (0, 0)
    better: Later | None = None
    """What makes a better edition of the code, if there is to be one, and puts it in its place."""

    @property
    def is_settled(self) -> bool:
        """See `LoadedProgram`."""
        return self.better is None

    @property
    def run_address(self) -> int:
        """Where the code is."""
        return self.code.run_address

    def run(self, in_words: Words, after: Suspended | None = None) -> Words:
        """See `LoadedProgram`. Blocks among the results belong to the caller (`runtime.release`)."""
        if after is None:
            return self._run(in_words, Context())
        assert isinstance(after, Suspension)
        return self._run(in_words, after.taken())

    def start(self, in_words: Words) -> tuple[Words, Suspended]:
        """See `LoadedProgram`."""
        context = Context()
        return self._run(in_words, context), Suspension(context)

    def _run(self, in_words: Words, context: Context) -> Words:
        program = self.program
        if in_words.dtype != np.uint64 or not in_words.flags.c_contiguous or in_words.size != program.in_words:
            given = f"{in_words.size} of {in_words.dtype}"
            raise InternalError(f"{program.name} takes {program.in_words} words, not {given}")
        out_words = np.zeros(program.out_words, np.uint64)
        if (better := self.better) is not None:
            better.use()
        code = self.code  # which is there until it has run, though another may take its place
        if _RUN(code.run_address)(ctypes.addressof(context), in_words.ctypes.data, out_words.ctypes.data):
            _raise_error(program, context)
        return out_words

    def failed(self, context: int) -> ProgramError:
        """See `LoadedProgram`."""
        try:
            _raise_error(self.program, Context.from_address(context))
        except ProgramError as error:
            return error.with_traceback(None)  # whose frames would hold what holds it


def _raise_error(program: Program, context: Context) -> NoReturn:
    """Raise what a context says a program ended with."""
    handled: list[ProgramError] = []
    address = context.handled
    context.handled = None
    while address:
        area = Area.from_address(address)
        caught_at = program.sites[area.caught_at].span
        error = ProgramError(*_said(program, area), (), _way(program, area), caught_at)
        error.__cause__ = _taken_exception(area)
        handled.append(error)
        following = area.handled
        _FREE(address)
        address = following
    if context.site == INTERNAL_ERROR:
        raise InternalError(f"{program.name} popped an empty stack")
    way = _way(program, context)
    raise ProgramError(*_said(program, context), tuple(handled), way) from _taken_exception(context)


def _said(program: Program, context: Context | Area) -> tuple[ErrorSite, tuple[int | float, ...]]:
    """The site and the values of what was raised."""
    if context.site == MEMORY_ERROR:
        return _OUT_OF_MEMORY, ()
    return program.sites[context.site], context.error_values()


def _way(program: Program, context: Context | Area) -> list[Passed]:
    """The places that what was raised has come to, the innermost first."""
    address, context.trace = context.trace, None
    if not address:
        return []
    sites = traces.entries(address)
    _FREE(address)
    spans = [program.sites[s if s >= 0 else traces.raised_again_at(s)].span for s in sites]
    return [Passed(span, site < 0) for span, site in zip(spans, sites, strict=True)]


def _taken_exception(context: Context | Area) -> BaseException | None:
    """The exception kept in a context, which then has none; None if there is none."""
    if context.exception[0] is None:
        return None
    restore: Any = ctypes.pythonapi.PyErr_Restore
    restore.argtypes, restore.restype = [ctypes.c_void_p] * 3, None
    kept = tuple(context.exception)
    context.exception[:] = [None, None, None]
    try:
        restore(*kept)  # ctypes looks for an exception after every call of the C API, and raises it
    except BaseException as exception:
        return exception
    raise InternalError("an exception kept by a program could not be restored")
