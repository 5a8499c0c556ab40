"""Calling a loaded program from Python, one word array in and one out: slow (microseconds), and the same everywhere."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jitcore.backends.native.host import traces
from jitcore.backends.native.host.context import INTERNAL_ERROR, MEMORY_ERROR, Area, Context
from jitcore.backends.protocol import LoadedProgram, Passed, ProgramError
from jitcore.program.nodes import ErrorSite
from jitcore.source import NOWHERE, InternalError

Words = npt.NDArray[np.uint64]

_RUN: Final = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_FREE: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("PyMem_RawFree", ctypes.pythonapi))
_OUT_OF_MEMORY: Final = ErrorSite("MemoryError", "not enough memory", NOWHERE)


def to_words(values: Sequence[bool | int | float | complex]) -> Words:
    """Numbers as words: a bool or int fills one, a float too (its bits), a complex two."""
    words: list[int] = []
    for value in values:
        if isinstance(value, float | complex):
            words += np.array([value]).view(np.uint64).tolist()
        else:
            words.append(int(value) & (1 << 64) - 1)
    return np.array(words, np.uint64)


def call(loaded: LoadedProgram, in_words: Words) -> Words:
    """Run a program, without the GIL. Blocks among the results belong to the caller (`runtime.release`).

    Raises ProgramError where the program ended at an error site; its `__cause__` is the exception that a host call
    or a signal's handler raised, if it was that.
    """
    program = loaded.program
    if in_words.dtype != np.uint64 or not in_words.flags.c_contiguous or in_words.size != program.in_words:
        raise InternalError(f"{program.name} takes {program.in_words} words, not {in_words.size} of {in_words.dtype}")
    out_words = np.zeros(program.out_words, np.uint64)
    context = Context()
    status = _RUN(loaded.run_address)(ctypes.addressof(context), in_words.ctypes.data, out_words.ctypes.data)
    if status != 0:
        raise_error(loaded, context)
    return out_words


def raise_error(loaded: LoadedProgram, context: Context) -> None:
    """Raise what a context says a program ended with."""
    handled: list[ProgramError] = []
    address = context.handled
    context.handled = None
    while address:
        area = Area.from_address(address)
        caught_at = loaded.program.sites[area.caught_at].span
        error = ProgramError(*_said(loaded, area), (), _way(loaded, area), caught_at)
        error.__cause__ = _taken_exception(area)
        handled.append(error)
        following = area.handled
        _FREE(address)
        address = following
    if context.site == INTERNAL_ERROR:
        raise InternalError(f"{loaded.program.name} popped an empty stack")
    way = _way(loaded, context)
    raise ProgramError(*_said(loaded, context), tuple(handled), way) from _taken_exception(context)


def _said(loaded: LoadedProgram, context: Context | Area) -> tuple[ErrorSite, tuple[int | float, ...]]:
    """The site and the values of what was raised."""
    if context.site == MEMORY_ERROR:
        return _OUT_OF_MEMORY, ()
    return loaded.program.sites[context.site], context.error_values()


def _way(loaded: LoadedProgram, context: Context | Area) -> list[Passed]:
    """The places that what was raised has come to, the innermost first."""
    address, context.trace = context.trace, None
    if not address:
        return []
    sites = traces.entries(address)
    _FREE(address)
    spans = [loaded.program.sites[s if s >= 0 else traces.raised_again_at(s)].span for s in sites]
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
