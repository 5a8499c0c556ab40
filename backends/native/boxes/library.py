"""The library of boxes, compiled and loaded: what programs are linked against, and what Python calls of it."""

from __future__ import annotations

import collections
import ctypes
import importlib
import inspect
import threading
from collections.abc import Mapping
from typing import Final

from jitcore.backends.native.boxes import characters, outside, translate
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime
from jitcore.backends.native.host.context import Context
from jitcore.backends.native.link import object_cache
from jitcore.program import boxes
from jitcore.source import InternalError

_MODULES: Final = (
    "memory",
    "comparing",
    "tables",
    "sets",
    "sequences",
    "letters",
    "texts",
    "cases",
    "numerals",
    "dict_classes",
    "deques",
    "slices",
    "giving",
    "class_entering",
    "entering",
)
_ROOTS: Final = ("alloc_in_new_chunk", "list_repeat", "text_repeat", "text_replace", "object_given")
"""The functions that give `FAIL` themselves."""
_FILL: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


def library_text() -> str:
    """The LLVM text of the library."""
    functions, constants = _parsed()
    return outside.TEXT + _without_repeats(
        translate.translated(functions, constants, outside.COUNTS, fallible()), outside.TEXT
    )


def _without_repeats(text: str, other: str) -> str:
    known = {line for line in other.splitlines() if line.startswith("declare")}
    return "\n".join(line for line in text.splitlines() if line not in known) + "\n"


@engine.once
def _sources() -> tuple[str, ...]:
    package = __name__.rpartition(".")[0]
    return tuple(inspect.getsource(importlib.import_module(f"{package}.{name}")) for name in _MODULES)


def _parsed() -> tuple[dict[str, translate.Function], dict[str, int]]:
    functions, constants = translate.functions_in(_sources())
    return functions, constants | {"REUSES": _reuses_slots()}


def _reuses_slots() -> int:
    """Whether sets of this Python put new items where others were removed."""
    probe = {9, 19}  # 1 belongs where 9 is
    probe.discard(9)
    probe.add(1)
    return int(list(probe) == [1, 19])


@engine.once
def fallible() -> frozenset[str]:
    """The functions that give `translate.FAIL` where there is no memory."""
    return translate.fallible(_parsed()[0], _ROOTS)


@engine.once
def takes_context() -> Mapping[str, bool]:
    """The library's functions: whether the first word that one takes is the call's context."""
    functions, _ = _parsed()
    return {name: bool(f.args.args) and f.args.args[0].arg == "ctx" for name, f in functions.items()}


class _Library:
    """The library in memory; never unloaded."""

    def __init__(self) -> None:
        key = "".join([*_sources(), inspect.getsource(translate), outside.TEXT, str(_reuses_slots())])
        part = object_cache.Part(
            key, engine.EVERYTHING, engine.host(), lambda: engine.compile_object(library_text(), engine.EVERYTHING), 0.0
        )
        python = {name: runtime.address_of(name) for name in outside.SYMBOLS}
        python |= {name: runtime.symbols()[name] for name in ("jc_alloc", "jc_drop")}
        names = [translate.PREFIX + name for name in takes_context()]
        exports = [*names, "jb_fill_characters", "jb_deque", "jb_types_table", "jb_factories_table"]
        self.loaded = object_cache.linked([part], lambda codes: engine.load_object(codes, exports, python))
        self.addresses = {name: self.loaded.addresses[name] for name in names}
        self._blocks: dict[int, object] = {}
        self._fill = _FILL(self._block)
        place = ctypes.c_void_p.from_address(self.loaded.addresses["jb_fill_characters"])
        place.value = ctypes.cast(self._fill, ctypes.c_void_p).value
        ctypes.c_int64.from_address(self.loaded.addresses["jb_deque"]).value = id(collections.deque)
        table = (ctypes.c_int64 * len(outside.TYPES)).from_address(self.loaded.addresses["jb_types_table"])
        table[:] = list(outside.TYPES)
        ctypes.c_int64.from_address(self.loaded.addresses["jb_factories_table"]).value = outside.factories()

    def _block(self, index: int) -> int:
        made = self._blocks.setdefault(index, characters.block(index))
        return made.ctypes.data  # type: ignore[attr-defined]


@engine.once
def _library() -> _Library:
    return _Library()


def symbols() -> Mapping[str, int]:
    """The addresses of the library's functions, by their names in LLVM."""
    return _library().addresses


class _Own(threading.local):
    """The context for calls of the library that no program makes."""

    def __init__(self) -> None:
        self.context = Context()


_own: Final = _Own()


def call(name: str, *words: int, context: int | None = None) -> int:
    """Call a function of the library from Python, in a context (this thread's own, whose boxes stay until `forget`).

    Raises MemoryError.
    """
    given = words
    if takes_context()[name]:
        given = (ctypes.addressof(_own.context) if context is None else context, *words)
    address = symbols().get(translate.PREFIX + name)
    if address is None:
        raise InternalError(f"the library of boxes has no {name}")
    # with the GIL: the library may call into Python
    made = ctypes.PYFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(given))(address)(*given)
    if made == translate.FAIL and name in fallible():
        raise MemoryError("not enough memory")
    return made


@boxes.call_library.model
def _called(function: str, words: tuple[int, ...]) -> int:
    return call(function, *words)


def forget() -> None:
    """Give the memory of this thread's own boxes back."""
    call("free_heap")
