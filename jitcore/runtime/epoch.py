"""The epoch of Cells: it changes whenever an attribute of one does, so that compiled calls need not look at each of them.

A class whose instances tell of every change of their attributes by `changed()`, or never change, says so by
`__jitcore_epoch__ = True`.
"""

from __future__ import annotations


class _Epoch:
    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0


_epoch = _Epoch()


def now() -> int:
    """The present epoch."""
    return _epoch.value


def changed() -> None:
    """An attribute of a Cell was set or deleted."""
    _epoch.value += 1
