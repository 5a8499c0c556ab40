"""Long lists of numbers or tuples of them, and lists of such lists, as arguments: the arrays they are passed as.

Of lists of lists, at each depth, a list that is there in several places counts once. Of `[[1, 2], [3]]` the arrays are
which list stands where ([0, 1]); how long they are ([2, 1]); and what they hold ([1, 2, 3]). Deeper lists go on with
which list stands where in those. Tuples of numbers that they hold, or that a long list holds, are an array for each of
their items.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, cast

import numpy as np

from jitcore.primitives.core.code_points import DTYPES, column_of
from jitcore.primitives.ops.growing import LONG
from jitcore.structs import dataclass
from jitcore.types import DType, bool_, c128, f64, i64

NUMBERS: Final[dict[type, DType]] = {bool: bool_, int: i64, float: f64, complex: c128}
"""The dtypes of Python's numbers."""
_DEEPEST: Final = 16
"""Deeper lists, those that hold themselves among them, are no arrays."""
_MOST_ROWS_APART: Final = 3
"""Of short lists."""


# --- lists of numbers --------------------------------------------------------------------------------


def column_dtype(items: Sequence[Any]) -> DType | None:
    """The dtype of the array that a list is passed as: if it is long, and of numbers of one type."""
    if len(items) < LONG:
        return None
    types = set(map(type, items))
    return NUMBERS.get(types.pop()) if len(types) == 1 else None


def as_column(items: Any, dtype: DType) -> np.ndarray[Any, Any] | None:
    """The array that a list is passed as; None for what is no list of numbers of its type, that fit it."""
    if type(items) is not list:
        return None
    numbers = cast("list[Any]", items)
    if not all(NUMBERS.get(cls) is dtype for cls in set(map(type, numbers))):
        return None
    try:
        return np.array(numbers, dtype.numpy)
    except OverflowError:
        return None


# --- lists of strings --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Strings:
    """What kind of strings: their class, and whether each is a single character."""

    cls: type
    single: bool


def strings_of(items: Any) -> Strings | None:
    """The kind of a list of several strings, which is passed as arrays; None for others."""
    types = set(map(type, items))
    cls = types.pop() if len(types) == 1 and len(items) > 1 else None
    if cls not in DTYPES:
        return None
    return Strings(cls, single=cls is str and set(map(len, items)) == {1})


def arrays_of_strings(items: Any, kind: Strings) -> list[np.ndarray[Any, Any]] | None:
    """The arrays that a list of strings is passed as; None for one of another kind: the code points of single
    characters, or else those of all the strings, where each begins, and how long it is."""
    if type(items) is not list or strings_of(items) != kind:
        return None
    strings = cast("list[Any]", items)
    if kind.single:
        return [np.array(list(map(ord, strings)), np.int64)]
    lengths = np.array(list(map(len, strings)), np.int64)
    return [column_of(kind.cls().join(strings)), np.cumsum(lengths) - lengths, lengths]


# --- lists of lists ----------------------------------------------------------------------------------


class Rows(list[list[Any]]):
    """The different lists at a depth."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """What kind of lists: how deep they are, and of what numbers, or tuples of which."""

    depth: int
    dtypes: tuple[DType, ...]
    of_tuples: bool

    @property
    def arrays(self) -> tuple[DType, ...]:
        """The dtypes of the arrays that such a list is passed as."""
        return (*(i64 for _ in range(2 * self.depth - 2)), *self.dtypes)


def nesting_of(items: Any) -> Nesting | None:
    """The kind of a list that holds many lists of numbers of one type, or tuples of numbers; None for others."""
    rows: Sequence[Any] = items
    depth, count = 1, len(rows)
    while rows and depth <= _DEEPEST:
        types = set(map(type, rows))
        if len(types) > 1:
            return None
        cls = types.pop()
        if cls is not list:
            many = len(rows) >= LONG or (depth > 1 and count > _MOST_ROWS_APART)
            dtypes = _dtypes_of(rows, cls) if many and (depth > 1 or cls is tuple) else ()
            return Nesting(depth, dtypes, cls is tuple) if dtypes else None
        rows, depth = list(chain.from_iterable(_distinct(cast("Sequence[list[Any]]", rows)))), depth + 1
    return None


def _dtypes_of(items: Sequence[Any], cls: type) -> tuple[DType, ...]:
    """The dtypes of numbers of a type, or of the items of tuples that all have numbers of the same types; () for
    others."""
    if cls is not tuple:
        return (NUMBERS[cls],) if cls in NUMBERS else ()
    if len(set(map(len, items))) > 1:
        return ()
    types = [set(map(type, column)) for column in zip(*items, strict=True)]
    found = [NUMBERS.get(kinds.pop()) for kinds in types if len(kinds) == 1]
    dtypes = tuple(dtype for dtype in found if dtype is not None)
    return dtypes if len(dtypes) == len(types) else ()


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
    columns = list(zip(*rows, strict=True)) if nesting.of_tuples else [rows]
    try:
        made += [np.array(c, dtype.numpy) for c, dtype in zip(columns, nesting.dtypes, strict=True)]
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
    return made + [(len(rows),)] * len(nesting.dtypes)
