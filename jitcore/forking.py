"""Forks: locks that are free in a child whoever held them, and what is put right there.

A forked child has the thread that forked and no other, with memory as it was: a lock that another thread held is held
for good, and what that thread was about to put back stays as it is. `process_lock` is for what may be held for long,
while something is compiled: they are free in a child. What outside libraries hold is waited for before the fork
(`hold`).
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

_locks: weakref.WeakSet[Any] = weakref.WeakSet()
_repairs: list[Callable[[], None]] = []
_held: list[tuple[Callable[[], None], Callable[[], None]]] = []
_taken: list[Callable[[], None]] = []
"""What gives back what has been taken for the fork that is under way."""


def process_lock() -> threading.RLock:
    """A reentrant lock that no thread of the parent process holds in a forked child, the one that forked excepted.

    It is an RLock, so that `with` takes it in one step, which no signal's handler comes between.
    """
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def repair_in_child(repair: Callable[[], None]) -> Callable[[], None]:
    """A decorator: have a function called in each forked child, before anything else runs there."""
    _repairs.append(repair)
    return repair


def hold(take: Callable[[], None], give: Callable[[], None]) -> None:
    """Have something held by the thread that forks while it forks, so that no other holds it in the child."""
    _held.append((take, give))


def _before() -> None:
    for take, give in _held:
        take()
        _taken.append(give)


def _after() -> None:
    while _taken:
        _taken.pop()()


def _in_child() -> None:
    for lock in _locks:
        if not lock._is_owned():
            lock._at_fork_reinit()
    _after()
    for repair in _repairs:
        repair()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_in_child)
