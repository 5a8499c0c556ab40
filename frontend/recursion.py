"""Work that recurses as deep as a program nests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from jitcore.headroom import room_to_recurse

_T = TypeVar("_T")
_DEEP_LIMIT: Final = 100_000


def deeply(work: Callable[[], _T]) -> _T:
    """Do work, again with more room if Python's recursion limit is in its way; RecursionError if that is not enough.

    Calls of Python functions by Python functions use no C stack from Python 3.11 on, so a higher limit is safe for
    them.
    """
    try:
        return work()
    except RecursionError:
        with room_to_recurse(_DEEP_LIMIT):
            return work()
