"""LLVM in several threads: what it works on for long is done without llvmlite's lock, each thread in a context of its
own."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from functools import cache
from heapq import heappop, heappush
from typing import Any, Generic, TypeVar

import llvmlite.binding as llvm

from jitcore import stopping
from jitcore.forking import hold

_T = TypeVar("_T")


class _Gate:
    """Who is within LLVM without llvmlite's lock: before a process forks, nobody must be."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        hold(self._close, self._changed.release)

    def __enter__(self) -> None:
        with self._changed:
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()

    def _close(self) -> None:
        self._changed.acquire()
        while self._inside:
            self._changed.wait()


_gate = _Gate()


@cache
def unlocked(name: str) -> Callable[..., Any]:
    """A function of llvmlite's library that works on one context alone: llvmlite lets one thread at a time call any of
    them."""
    locked = getattr(llvm.ffi.lib, name)
    function = getattr(_library(), name)
    function.argtypes, function.restype = locked.argtypes, locked.restype

    def call(*args: Any) -> Any:
        with _gate:
            return function(*args)

    return call


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(llvm.ffi.lib._name)  # pyright: ignore[reportPrivateUsage] # as its stand-in for a CDLL has it


class Begun(Generic[_T]):
    """Work that a thread of its own does."""

    def __init__(self, work: Callable[[], _T]) -> None:
        self._work = work
        self._result: list[_T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="jitcore.llvm")
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result.append(self._work())
        except BaseException as error:
            self._error = error

    def result(self) -> _T:
        """What it gives, or raises, once it is done."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result[0]


class Works(Generic[_T]):
    """Works that are done several at a time, of those given the longest first: by threads from then on, by the
    caller, too, when it asks for the results."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pending: list[tuple[int, int, Callable[[], _T]]] = []
        self._results: dict[int, _T] = {}
        self._failed: dict[int, BaseException] = {}
        self._count = 0
        self._threads: list[threading.Thread] = []
        self._idle = _cores() - 1

    def add(self, work: Callable[[], _T], length: int = 0, *, is_last: bool = False) -> None:
        """Have it done. How long it takes is compared with others, in any unit. The last one that is given needs no
        other thread: the caller does it, or what takes longer."""
        with self._lock:
            heappush(self._pending, (-length, self._count, work))
            self._count += 1
            begin = self._idle > 0 and not is_last
            self._idle -= begin
        if begin:
            thread = threading.Thread(target=self._run, name="jitcore.llvm")
            self._threads.append(thread)
            thread.start()

    def _run(self) -> None:
        while True:
            stopping.check()
            with self._lock:
                if not self._pending or self._failed:
                    self._idle += 1
                    return
                _, k, work = heappop(self._pending)
            try:
                self._results[k] = work()
            except BaseException as error:
                self._failed[k] = error

    def results(self) -> list[_T]:
        """What they give, in order. If some raise, the first of them does here, when all that were begun have ended."""
        try:
            self._run()
            stopping.check()
        finally:
            self.stop()
        if self._failed:
            raise self._failed[min(self._failed)]
        return [self._results[k] for k in range(self._count)]

    def stop(self) -> None:
        """Begin none of those that are left, and wait for the others."""
        with self._lock:
            self._pending.clear()
        for thread in self._threads:
            thread.join()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
