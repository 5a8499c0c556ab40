"""The library of boxes, compiled and loaded: what programs are linked against, and what Python calls of it."""

from __future__ import annotations

import collections
import ctypes
import importlib
import inspect
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from jitcore.backends.native.boxes import characters, outside, translate
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime
from jitcore.backends.native.host.context import Context
from jitcore.backends.native.link import object_cache
from jitcore.program import boxes
from jitcore.signature import struct_layout
from jitcore.source import InternalError

_MODULES: Final = (
    "memory",
    "points",
    "comparing",
    "tables",
    "rounds",
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
_ROOTS: Final = (
    "make_heap",
    "new_chunk",
    "alloc_in_new_chunk",
    "take",
    "list_repeat",
    "text_repeat",
    "text_replace",
    "object_given",
)
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


@engine.once
def _parsed() -> tuple[dict[str, translate.Function], dict[str, int]]:
    functions, constants = translate.functions_in(_sources())
    return functions, constants | _of_python()


@engine.once
def _of_python() -> dict[str, int]:
    """What the library takes from how this Python keeps its objects."""
    return {
        "REUSES": _reuses_slots(),
        "TAGGED_INTS": int(sys.version_info >= (3, 12)),
        "PY_STR_KIND": 16 if sys.version_info >= (3, 14) else 2,
        "PY_STR_ASCII": sys.getsizeof("") - 1,
        "PY_STR_LATIN": sys.getsizeof("\xe9") - 2,
    }


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


@engine.once
def short() -> frozenset[str]:
    """The functions that are written out where programs call them (`write_out`)."""
    functions, constants = _parsed()
    free = (name for name, takes in takes_context().items() if not takes)
    return frozenset(name for name in free if translate.is_short(functions, constants, name))


def write_out(name: str, words: Sequence[str], value: Callable[[str], str], line: Callable[[str], object]) -> str:
    """Write a short function's instructions, each by `value`, which names what it gives, or by `line`: the name of the
    result."""
    return translate.written_out(*_parsed(), name, words, value, line)


class _Library:
    """The library in memory; never unloaded."""

    def __init__(self) -> None:
        key = "".join([*_sources(), inspect.getsource(translate), outside.TEXT, str(_of_python())])
        part = object_cache.Part(
            key, engine.LIBRARY, engine.host(), lambda: engine.compile_object(library_text(), engine.LIBRARY), 0.0
        )
        python = {name: runtime.address_of(name) for name in outside.SYMBOLS}
        python |= {name: runtime.symbols()[name] for name in ("jc_alloc", "jc_drop")}
        names = [translate.PREFIX + name for name in takes_context()]
        exports = [
            *names,
            "jb_fill_characters",
            "jb_deque",
            "jb_secret",
            "jb_poison",
            "jb_types_table",
            "jb_factories_table",
            "jb_read_numpy",
            "jb_numpy_descrs",
        ]
        self.loaded = object_cache.linked([part], lambda codes: engine.load_object(codes, exports, python))
        self.addresses = {name: self.loaded.addresses[name] for name in names}
        self._blocks: dict[int, object] = {}
        self._fill = _FILL(self._block)
        place = ctypes.c_void_p.from_address(self.loaded.addresses["jb_fill_characters"])
        place.value = ctypes.cast(self._fill, ctypes.c_void_p).value
        ctypes.c_int64.from_address(self.loaded.addresses["jb_deque"]).value = id(collections.deque)
        ctypes.c_int64.from_address(self.loaded.addresses["jb_secret"]).value = outside.seed()
        table = (ctypes.c_int64 * len(outside.TYPES)).from_address(self.loaded.addresses["jb_types_table"])
        table[:] = list(outside.TYPES)
        ctypes.c_int64.from_address(self.loaded.addresses["jb_factories_table"]).value = outside.factories()
        layout = struct_layout.layout()
        known = (
            ctypes.cast(outside.read_numpy, ctypes.c_void_p).value if layout is None else layout.numpy["PyArray_Scalar"]
        )
        ctypes.c_void_p.from_address(self.loaded.addresses["jb_read_numpy"]).value = known
        descrs = (ctypes.c_int64 * len(boxes.NUMPY)).from_address(self.loaded.addresses["jb_numpy_descrs"])
        descrs[:] = [id(np.dtype(cls)) for cls in boxes.NUMPY]

    def _block(self, index: int) -> int:
        made = self._blocks.setdefault(index, characters.block(index))
        return made.ctypes.data  # type: ignore[attr-defined]


@engine.once
def _library() -> _Library:
    return _Library()


def poison(whether: bool) -> None:
    """Fill freed boxes with ones, or leave them: for tests."""
    ctypes.c_int64.from_address(_library().loaded.addresses["jb_poison"]).value = whether


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
