"""Objects of which there is one for each key, as long as anything refers to it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from jitcore.forking import process_lock

_K = TypeVar("_K", bound=Hashable)
_T = TypeVar("_T")


class Interned(Generic[_K, _T]):
    """The objects that are in use, by what they were made from."""

    __slots__ = ("_lock", "_used")

    def __init__(self) -> None:
        self._used: WeakValueDictionary[_K, _T] = WeakValueDictionary()
        self._lock = process_lock()

    def get(self, key: _K) -> _T | None:
        """The object for a key; None if there is none now."""
        return self._used.get(key)

    def keep(self, key: _K, made: _T) -> _T:
        """The object for a key: `made`, unless another thread was first."""
        with self._lock:
            found = self._used.get(key)
            if found is None:
                self._used[key] = found = made
        return found
