"""Native calls' code in two editions: the one that first calls run, and a better one for where there are many.

To have LLVM do its best takes 0.2 seconds of the processor, ten times what code that runs at half of the speed takes:
more than a program of a few calls ever gets back. So the first edition is compiled in a moment. It counts the calls;
when there have been `MANY_CALLS`, a thread compiles the second one, which then takes its place. Where a process before
has left the second one in the cache, it is loaded at once. What both remember (spare objects) they have in common.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Callable, Mapping
from typing import Final

from jitcore.backends.cpython import call_code, call_modules
from jitcore.backends.native.engine import engine
from jitcore.backends.native.link import object_cache
from jitcore.forking import repair_in_child


def parts(text: str, level: int = engine.EVERYTHING) -> object_cache.Parts:
    """The object code of a text in the making."""
    made = object_cache.Parts()
    made.add(_part(text, level))
    return made


def _part(text: str, level: int) -> object_cache.Part:
    target = engine.host()
    return object_cache.Part(text, level, target, lambda: engine.compile_object(text, level, target=target))


class Better:
    """The second edition, once it is wanted."""

    def __init__(self, text: str) -> None:
        self._text: Final = call_modules.better_text(text)
        self._first: Mapping[str, int] = {}
        self._symbols: Mapping[str, int] = {}
        self._install: Callable[[Mapping[str, int]], None] = lambda addresses: None
        self._is_there = False
        self.many_calls: Final = self._begin
        """What the first edition calls; it must be kept as long as that."""
        self.loaded: Final = engine.once(self._load)
        """The edition, made when first asked for."""

    def follow(
        self, first: Mapping[str, int], symbols: Mapping[str, int], install: Callable[[Mapping[str, int]], None]
    ) -> None:
        """Know the first edition's addresses, what both need from outside, and what has to be done to put another in
        its place."""
        shared = {name: first[name] for name in call_modules.STATE}
        self._first, self._symbols, self._install = first, {**symbols, **shared}, install
        repair_in_child(self._count_anew)
        if object_cache.is_kept(_part(self._text, engine.EVERYTHING)):
            self.loaded()

    def _begin(self) -> None:
        with contextlib.suppress(RuntimeError):  # no thread can be had: calls are served as they were
            threading.Thread(target=self._make, name="jitcore.llvm").start()

    def _make(self) -> None:
        with contextlib.suppress(MemoryError):
            self.loaded()

    def _load(self) -> engine.LoadedObject:
        exports = (*call_modules.BETTER, *call_modules.SHARED)
        made = parts(self._text).linked(lambda codes: engine.load_object(codes, exports, self._symbols))
        self._install(made.addresses)
        ctypes.c_void_p.from_address(self._first["jc_serving"]).value = made.addresses["jc_vectorcall"]
        self._is_there = True
        return made

    def _count_anew(self) -> None:
        """In a forked child, which has not the thread that may be making it."""
        if not self._is_there:
            ctypes.c_int64.from_address(self._first["jc_calls_left"]).value = call_code.MANY_CALLS
