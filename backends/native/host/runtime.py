"""The runtime support of compiled programs: compiled once a machine, loaded once a process; what Python asks of it.

`symbols()` are the names programs are linked against. Memory that a program returned is given back with
`release(owner)`, and `Owner` does so when NumPy drops the last array over it.
"""

from __future__ import annotations

import atexit
import ctypes
import math
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import (
    free_lists,
    memory,
    number_calls,
    stacks,
    support,
    system_memory,
    threads,
    waiting,
)
from jitcore.backends.native.link import editions, object_cache
from jitcore.config import settings
from jitcore.source import InternalError

_EXPORTS: Final = (*memory.EXPORTS, *stacks.EXPORTS, *support.EXPORTS, *threads.EXPORTS, *waiting.EXPORTS)
_DEFAULT_CACHE: Final = 1 << 30


def support_text(platform: str = sys.platform, machine: str | None = None) -> str:
    """The LLVM text of the runtime support, for the system that `sys.platform` names, and a machine (this one)."""
    parts = (
        system_memory.support_text(platform),
        memory.support_text(),
        stacks.support_text(),
        support.support_text(platform),
        threads.support_text(platform, machine),
        waiting.TEXT,
    )
    seen: set[str] = set()
    lines: list[str] = []
    for line in "".join(parts).splitlines():
        if not line.startswith("declare") or line not in seen:  # several parts may declare the same function
            lines.append(line)
        seen.add(line)
    return "\n".join(lines) + "\n"


class _Support:
    """The runtime support in memory; never unloaded, since the threads of the pool run in it."""

    def __init__(self) -> None:
        text, target = support_text(), engine.host()
        part = object_cache.Part(text, engine.BRIEF, target, lambda: engine.compile_object(text, engine.BRIEF))
        python = {name: address_of(name) for name in _PYTHON_SYMBOLS}
        python |= {"jc_enough": id(editions.enough), "jc_first_left": editions.LEFT}
        self._loaded = object_cache.linked([part], lambda codes: engine.load_object(codes, _EXPORTS, python))
        self.addresses = self._loaded.addresses
        self._math = tuple(getattr(math, name) for name in support.MATH_FUNCTIONS)
        table = (ctypes.c_void_p * len(self._math)).from_address(self.addresses["jc_math_functions"])
        table[:] = [id(function) for function in self._math]
        prototype = ctypes.PYFUNCTYPE
        if prototype(ctypes.c_int)(self.addresses["jc_prepare"])() != 0:
            raise InternalError("the runtime support could not be set up: no thread-specific values are left")
        self.retain = prototype(None, ctypes.c_size_t)(self.addresses["jc_retain"])
        self.release = prototype(None, ctypes.c_size_t)(self.addresses["jc_release"])
        self.alloc = prototype(ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t)(self.addresses["jc_alloc"])
        self.unwind = prototype(None, ctypes.c_size_t)(self.addresses["jc_unwind"])
        self.trim = prototype(None)(self.addresses["jc_trim"])
        self.cache_limit = ctypes.c_int64.from_address(self.addresses["jc_cache_limit"])
        self.cached = ctypes.c_int64.from_address(self.addresses["jc_cached_bytes"])
        self.cache_limit.value = min(_physical_memory() // 8, _DEFAULT_CACHE)
        self._main_thread = ctypes.c_int64.from_address(self.addresses["jc_main_thread"])
        self._main_thread.value = threading.main_thread().ident or 0
        # without the GIL: they may wait for tasks of a thread that needs it
        self.set_thread_count = ctypes.CFUNCTYPE(None, ctypes.c_int64)(self.addresses["jc_set_thread_count"])
        self.thread_count = ctypes.CFUNCTYPE(ctypes.c_int64)(self.addresses["jc_thread_count"])
        self.worker_count = ctypes.CFUNCTYPE(ctypes.c_int64)(self.addresses["jc_pool_workers"])
        self.set_thread_count(settings.threads or available_cores())
        atexit.register(self.set_thread_count, 1)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin_child)

    def class_field(self, index: int, offset: int) -> ctypes.c_int64:
        """A word of a size class's entry."""
        return ctypes.c_int64.from_address(self.addresses["jc_classes"] + index * free_lists.CLASS_BYTES + offset)

    def _begin_child(self) -> None:
        """Open the locks that other threads held when the process was forked: they do not exist here. Every store
        made under a lock leaves the lists whole, so at worst a block is lost."""
        for index in range(free_lists.CLASS_COUNT):
            self.class_field(index, 0).value = 0
        self._main_thread.value = threading.get_ident()  # the one that forked


_PYTHON_SYMBOLS: Final = (
    "PyGILState_Ensure",
    "PyGILState_Release",
    "PyErr_CheckSignals",
    "PyErr_ExceptionMatches",
    "PyErr_Fetch",
    "PyErr_Clear",
    "PyObject_CallFunction",
    "PyFloat_AsDouble",
    "Py_IncRef",
    "Py_DecRef",
    "PyMem_RawMalloc",
    "PyMem_RawFree",
    "PyExc_OverflowError",
    *number_calls.SYMBOLS,
    *waiting.SYMBOLS,
)


def address_of(name: str) -> int:
    """The address of a function or variable of Python's C API."""
    if name.startswith("PyExc_"):
        return ctypes.addressof(ctypes.c_void_p.in_dll(ctypes.pythonapi, name))
    address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    if address is None:
        raise InternalError(f"Python's C API has no {name}")
    return address


def _physical_memory() -> int:
    """Bytes of memory this machine has; a guess of 8 GB where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 << 30


def available_cores() -> int:
    """How many cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@engine.once
def _support() -> _Support:
    return _Support()


def symbols() -> dict[str, int]:
    """The addresses of the runtime support's functions, by name."""
    return dict(_support().addresses)


def set_thread_count(count: int) -> None:
    """Use `count` threads from the next kernel on (1: the caller alone). Results don't depend on it."""
    if count < 1:
        raise ValueError(f"a number of threads is 1 or more, not {count}")
    _support().set_thread_count(count)


def thread_count() -> int:
    """How many threads kernels may use."""
    return _support().thread_count()


def worker_count() -> int:
    """How many workers the pool has now: it starts with the first region that is worth it."""
    return _support().worker_count()


def allocate(context: int, size: int) -> int:
    """A new block for the call with this context: its owner. Raises MemoryError."""
    owner = _support().alloc(context, size)
    if not owner:
        raise MemoryError(f"no memory for {size} bytes")
    return owner


def retain(owner: int) -> None:
    """Python takes a reference to a block (an even owner other than 0)."""
    _support().retain(owner)


def release(owner: int) -> None:
    """Python gives back a reference to a block (an even owner other than 0)."""
    _support().release(owner)


def unwinding() -> Callable[[int], None]:
    """What frees the blocks of a call, by the address of its context."""
    return _support().unwind


def blocks_in_use() -> int:
    """How many blocks programs and Python hold."""
    support_ = _support()
    return sum(support_.class_field(i, free_lists.CLASS_IN_USE).value for i in range(free_lists.CLASS_COUNT))


def cached_bytes() -> int:
    """How many bytes of large free blocks are kept for reuse."""
    return _support().cached.value


def set_cache_limit(limit: int) -> None:
    """Keep at most `limit` bytes of large free blocks for reuse (an eighth of the machine's memory, at most 1 GB,
    unless set)."""
    _support().cache_limit.value = limit


def trim() -> None:
    """Give all free blocks back to the system."""
    _support().trim()


class Owner:
    """Holds one reference to a block for Python, and the NumPy array over it until NumPy has taken it.

    `numpy.asarray(owner)` is an array over the block that keeps the owner alive.
    """

    __slots__ = ("__array_interface__", "_held")

    def __init__(self, owner: int, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface
        self._held = (_support().release, owner)  # the function itself: this module may be gone when it is called

    def __del__(self) -> None:
        release, owner = getattr(self, "_held", (None, 0))  # a signal's handler may have ended the constructor
        if release is not None:
            release(owner)
