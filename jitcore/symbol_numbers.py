"""The numbers in the names of symbolic dimensions: each is given out once in a process."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 15
"""Digits, of a number that comes from a text."""
_numbers = iter(range(1 << 62))


def following() -> int:
    """A number that no name has."""
    return next(_numbers)


def reserve(names: Iterable[str]) -> None:
    """Give out none of the numbers at the ends of these names, which come from a text, and none before them. Raises
    ValueError for numbers past all counting."""
    global _numbers
    found = [name[len(name.rstrip("0123456789")) :] for name in names]
    if any(len(number) > _LONGEST for number in found):
        raise ValueError("a dimension has a name with too long a number")
    first = max([following(), *(int(number) + 1 for number in found if number)])
    _numbers = iter(range(first, 1 << 62))
