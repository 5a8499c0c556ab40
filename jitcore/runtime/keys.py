"""Keys of arrays: `x[key]`."""

from __future__ import annotations

from typing import Any, Final, cast

PLACES: Final = frozenset([int, slice, type(None), type(Ellipsis)])
"""The classes of what basic keys are made of."""


def is_basic(key: object) -> bool:
    """Whether a key is made of Python's ints, slices of such, None and ellipses."""
    if isinstance(key, slice):
        return all(type(n) is int or n is None for n in (key.start, key.stop, key.step))
    if type(key) is tuple:
        return all(type(k) in PLACES and is_basic(k) for k in cast("tuple[Any, ...]", key))
    return type(key) in PLACES
