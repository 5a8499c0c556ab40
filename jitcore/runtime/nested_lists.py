"""Lists of lists of numbers as arguments: the arrays they are passed as, and the lists at each depth.

At each depth, a list that is there in several places counts once. Of `[[1, 2], [3]]` the arrays are which list stands where ([0, 1]); how long
they are ([2, 1]); and what they hold ([1, 2, 3]). Deeper lists go on with which list stands where in those.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, cast

import numpy as np

from jitcore.passes.infer.buffers import LONG
from jitcore.structs import dataclass
from jitcore.types import DType, bool_, c128, f64, i64

_NUMBERS: Final[dict[type, DType]] = {bool: bool_, int: i64, float: f64, complex: c128}
_MOST_ROWS_APART: Final = 3
"""Of short lists."""


class Rows(list[list[Any]]):
    """The different lists at a depth."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """What kind of lists: how deep they are, and of what numbers."""

    depth: int
    dtype: DType


def nesting_of(items: Any) -> Nesting | None:
    """The kind of a list that holds many lists of numbers of one type; None for others."""
    rows: Sequence[Any] = items
    depth, count = 1, len(rows)
    while rows:
        types = set(map(type, rows))
        if len(types) > 1:
            return None
        cls = types.pop()
        if cls is not list:
            many = depth > 1 and (len(rows) >= LONG or count > _MOST_ROWS_APART)
            dtype = _NUMBERS.get(cls)
            return Nesting(depth, dtype) if many and dtype is not None else None
        rows, depth = list(chain.from_iterable(cast("Sequence[list[Any]]", rows))), depth + 1
    return None


def rows_of(items: Any, depth: int) -> Rows:
    """The different lists at a depth, of which 1 is the first."""
    rows = cast("Sequence[list[Any]]", items)
    for _ in range(depth - 1):
        rows = list(chain.from_iterable(_distinct(rows)))
    return Rows(_distinct(rows))


def _distinct(rows: Sequence[list[Any]]) -> list[list[Any]]:
    return list({id(row): row for row in rows}.values())


def arrays_of(items: Any, nesting: Nesting) -> list[np.ndarray[Any, Any]] | None:
    """The arrays that a list is passed as; None for one of another kind, or with ints past 64 bits."""
    if type(items) is not list or nesting_of(items) != nesting:
        return None
    rows, made = cast("Sequence[Any]", items), list[np.ndarray[Any, Any]]()
    for _ in range(nesting.depth - 1):
        distinct = _distinct(rows)
        places = {id(row): k for k, row in enumerate(distinct)}
        made.append(np.array([places[id(row)] for row in rows], np.int64))
        made.append(np.array(list(map(len, distinct)), np.int64))
        rows = list(chain.from_iterable(distinct))
    try:
        made.append(np.array(rows, nesting.dtype.numpy))
    except OverflowError:
        return None
    return made


def extents_of(items: Any, nesting: Nesting) -> list[tuple[int, ...]]:
    """The shapes of those arrays."""
    rows, made = cast("Sequence[Any]", items), list[tuple[int, ...]]()
    for _ in range(nesting.depth - 1):
        distinct = _distinct(rows)
        made += [(len(rows),), (len(distinct),)]
        rows = list(chain.from_iterable(distinct))
    return [*made, (len(rows),)]
