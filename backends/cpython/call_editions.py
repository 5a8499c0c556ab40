"""Native calls' code in two editions (`backends.native.link.editions`): what both remember they have in common."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Mapping
from typing import Final

from jitcore.backends.cpython import call_modules
from jitcore.backends.cpython.array_calls import HostRecord
from jitcore.backends.native.engine import engine
from jitcore.backends.native.link import editions, object_cache
from jitcore.forking import process_lock
from jitcore.program.nodes import HostCall


def parts(text: str, level: int = engine.EVERYTHING) -> object_cache.Parts:
    """The object code of a text in the making."""
    made = object_cache.Parts()
    made.add(_part(text, level))
    return made


def _part(text: str, level: int) -> object_cache.Part:
    target = engine.host()
    return object_cache.Part(text, level, target, lambda: engine.compile_object(text, level, target=target))


class Better:
    """The better edition of a text. `first`: the addresses of the first one; `symbols`: what both need from outside;
    `install`: what has to be done to put it in its place, given its addresses."""

    def __init__(
        self,
        text: str,
        first: Mapping[str, int],
        symbols: Mapping[str, int],
        install: Callable[[Mapping[str, int]], None],
    ) -> None:
        self._of: Final = text
        self._serving: Final = first["jc_serving"]
        self._symbols: Final = {**symbols, **{name: first[name] for name in call_modules.STATE}}
        self._install: Final = install
        self.loaded: Final = engine.once(self._load)
        """The edition, made when first asked for."""

    def begin(self) -> None:
        """Have it serve calls when it is time; at once where it is in the cache."""
        if object_cache.folder() is not None and object_cache.is_kept(_part(self._text(), engine.EVERYTHING)):
            self.loaded()
        else:
            editions.begin()
            editions.follow(self.loaded)

    def _text(self) -> str:
        return call_modules.better_text(self._of)

    def _load(self) -> engine.LoadedObject:
        exports = (*call_modules.BETTER, *call_modules.SHARED)
        made = parts(self._text()).linked(lambda codes: engine.load_object(codes, exports, self._symbols))
        self._install(made.addresses)
        ctypes.c_void_p.from_address(self._serving).value = made.addresses["jc_vectorcall"]
        return made


class ArrayCalls:
    """The code that calls functions of arrays for programs: its first edition calls native calls' own, the better one
    theirs."""

    def __init__(
        self, text: Callable[[], str], first: Mapping[str, int], symbols: Mapping[str, int], better: Better
    ) -> None:
        self._text: Final = text
        self._first: Final = first
        self._symbols: Final = symbols
        self._better: Final = better
        self._records: Final[weakref.WeakSet[HostRecord]] = weakref.WeakSet()
        self._lock: Final = process_lock()
        self._code: Final = engine.once(self._made)
        self._kept: Final[list[engine.LoadedObject]] = []
        """The editions, the one that new records are given last: calls may be running in any of them."""

    def record(self, call: HostCall) -> HostRecord:
        """What has a host call made."""
        self._code()
        record = HostRecord(call)
        with self._lock:
            self._records.add(record)
            record.run(self._address)
        return record

    @property
    def _address(self) -> int:
        return self._kept[-1].addresses["jc_call_of_arrays"]

    def _made(self) -> None:
        if editions.are_first():
            self._load(engine.BRIEF, self._first)
            editions.follow(self._improve)
        else:
            self._improve()

    def _improve(self) -> None:
        self._load(engine.EVERYTHING, self._better.loaded().addresses)
        with self._lock:
            for record in self._records:
                record.run(self._address)

    def _load(self, level: int, shared: Mapping[str, int]) -> None:
        needed = {**self._symbols, **{name: shared[name] for name in call_modules.SHARED}}
        made = parts(self._text(), level)
        self._kept.append(made.linked(lambda codes: engine.load_object(codes, ("jc_call_of_arrays",), needed)))
