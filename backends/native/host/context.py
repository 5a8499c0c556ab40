"""The context of a call: the memory a running program keeps its bookkeeping in, and its layout for whoever calls it.

A caller makes one of zeros for each call (or zeroes it again), passes its address as `run`'s first argument, and
reads it when `run` returns 1. It must not be shared by calls that run at the same time.

    offset  field
    0       site            the error site's index, or MEMORY_ERROR, INTERNAL_ERROR
    8       kinds           two bits a value, the lowest for the first: 0 none, 1 i64, 2 f64
    16      values[3]       what goes into the error's message, as 64 bits each
    40      blocks          the first of the blocks this call has allocated (see `memory`)
    48      stack_limit     lowest address its frames may reach; set when a program recurses
    56      poll_count      how many more polls until the clock is read
    64      poll_interval   the count it starts from again
    72      poll_clock      when the clock was last read, in nanoseconds; 0: never
    80      poll_signals    when signals were last looked for
    88      exception[3]    type, value, traceback that a host call or signal raised (owned references); null if none
    112     handled         what was being handled where it was raised: the first of a list of areas (see `support`)
    120     origin          what was raised again: the number of what a handler caught; 0: what is raised is new
    128     origins         how many such numbers have been given
    136     trace           the calls that what was raised came out of (see `traces`); null if there are none
    144     parked          the first of a list of areas: exceptions put aside
    152     held            whether it was called with the GIL, which it may let go (see `waiting`)
    160     thread          Python's state of the thread, once it has let the GIL go: for who takes it back
    168     heap            the memory of the call's boxes (see `native.boxes.memory`); 0 while it has none
    176     parsed          a number that was read from a text (see `native.boxes.numerals`)
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

SITE: Final = 0
KINDS: Final = 8
VALUES: Final = 16
BLOCKS: Final = 40
STACK_LIMIT: Final = 48
POLL_COUNT: Final = 56
POLL_INTERVAL: Final = 64
POLL_CLOCK: Final = 72
POLL_SIGNALS: Final = 80
EXCEPTION: Final = 88
HANDLED: Final = 112
ORIGIN: Final = 120
ORIGINS: Final = 128
TRACE: Final = 136
PARKED: Final = 144
HELD: Final = 152
THREAD: Final = 160
HEAP: Final = 168
PARSED: Final = 176

MEMORY_ERROR: Final = -1
"""The site of an allocation that failed."""
INTERNAL_ERROR: Final = -2
"""The site of a program that broke its own rules (it popped an empty stack)."""

KIND_INT: Final = 1
KIND_FLOAT: Final = 2


class Context(ctypes.Structure):
    """The context as ctypes sees it."""

    _fields_ = (
        ("site", ctypes.c_int64),
        ("kinds", ctypes.c_int64),
        ("values", ctypes.c_int64 * 3),
        ("blocks", ctypes.c_void_p),
        ("stack_limit", ctypes.c_void_p),
        ("poll_count", ctypes.c_int64),
        ("poll_interval", ctypes.c_int64),
        ("poll_clock", ctypes.c_int64),
        ("poll_signals", ctypes.c_int64),
        ("exception", ctypes.c_void_p * 3),
        ("handled", ctypes.c_void_p),
        ("origin", ctypes.c_int64),
        ("origins", ctypes.c_int64),
        ("trace", ctypes.c_void_p),
        ("parked", ctypes.c_void_p),
        ("held", ctypes.c_int64),
        ("thread", ctypes.c_void_p),
        ("heap", ctypes.c_void_p),
        ("parsed", ctypes.c_int64),
    )

    def error_values(self) -> tuple[int | float, ...]:
        """The failed check's values, as Python numbers."""
        found: list[int | float] = []
        for index in range(3):
            kind = self.kinds >> 2 * index & 3
            if kind == KIND_INT:
                found.append(self.values[index])
            elif kind == KIND_FLOAT:
                found.append(ctypes.c_double.from_buffer(ctypes.c_int64(self.values[index])).value)
        return tuple(found)


SIZE: Final = ctypes.sizeof(Context)


class Area(ctypes.Structure):
    """What a handler keeps of what it caught: the first fields of the context, what Python raised, what was being
    handled where it was raised (an area that PyMem_RawMalloc made, or null), the number it is known by, the calls it
    came out of, the site of the `try` that caught it and, if it was put aside, what was before it."""

    _fields_ = (
        ("site", ctypes.c_int64),
        ("kinds", ctypes.c_int64),
        ("values", ctypes.c_int64 * 3),
        ("exception", ctypes.c_void_p * 3),
        ("handled", ctypes.c_void_p),
        ("origin", ctypes.c_int64),
        ("trace", ctypes.c_void_p),
        ("caught_at", ctypes.c_int64),
        ("next_parked", ctypes.c_void_p),
    )
    error_values = Context.error_values


AREA_SIZE: Final = ctypes.sizeof(Area)
AREA_EXCEPTION: Final = 40
AREA_HANDLED: Final = 64
AREA_ORIGIN: Final = 72
AREA_TRACE: Final = 80
AREA_CAUGHT_AT: Final = 88
AREA_NEXT_PARKED: Final = 96


def field_address(name: str, offset: int, context: str = "%ctx") -> str:
    """The LLVM instruction that puts the address of a field into `%name`."""
    return f"  %{name} = getelementptr i8, ptr {context}, i64 {offset}"


def offsets() -> dict[str, Any]:
    """The fields' offsets by name, as ctypes lays them out; a test compares them with the constants above."""
    return {name: getattr(Context, name).offset for name, *_ in Context._fields_}


def cleared(context: str = "%ctx") -> str:
    """LLVM instructions that zero a context."""
    words = [f"  %cleared{k} = getelementptr i8, ptr {context}, i64 {32 * k}" for k in range(SIZE // 32)]
    stores = [f"  store <4 x i64> zeroinitializer, ptr %cleared{k}, align 8" for k in range(SIZE // 32)]
    rest = range(SIZE // 32 * 4, SIZE // 8)
    words += [f"  %cleared.word{k} = getelementptr i8, ptr {context}, i64 {8 * k}" for k in rest]
    stores += [f"  store i64 0, ptr %cleared.word{k}" for k in rest]
    return "\n".join([*words, *stores])
