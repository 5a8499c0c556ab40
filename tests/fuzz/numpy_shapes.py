"""Calls of NumPy's functions with arrays of other extents and layouts than the first ones: one compiled function serves them all.

A call is written as ever (`numpy_calls`); then each of its extents other than 1 is given another number, the same one wherever it stands, and the
arrays are filled with what they held, repeated. So extents of the run, many elements and loops over no elements are compared, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import numpy as np

_EXTENTS: Final = ((5, 4), (2, 3), (0, 3), (3, 0), (1, 2), (7, 1), (1, 1), (41, 60), (2000, 3), (3, 2500))
"""What the extents 2 and 3 become."""
_LAYOUTS: Final = ("", "", "strided", "reversed", "columns", "readonly", "broadcast")

_MOST: Final = 2_000_000
"""Elements that an outer product of all arrays has."""


def variants(args: Sequence[Any], random: Random, count: int) -> list[tuple[Any, ...]]:
    """Other arguments of the same dtypes and ranks, `count` times: mostly larger ones at first."""
    chosen = [*_EXTENTS[:1], *random.sample(_EXTENTS[1:], count - 1)] if count else []
    made: list[tuple[Any, ...]] = []
    for two, three in chosen:
        known = {2: two, 3: three}
        shapes = [tuple(known.get(n, n) for n in np.shape(a)) for a in args]
        if math.prod(max(1, math.prod(shape)) for shape in shapes) <= _MOST:
            made.append(tuple(_resized(a, shape, random) for a, shape in zip(args, shapes, strict=True)))
    return made


def _resized(value: Any, shape: tuple[int, ...], random: Random) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    whole = np.resize(value, shape) if value.size else np.zeros(shape, value.dtype)
    return laid_out(np.array(whole), random.choice(_LAYOUTS))


def laid_out(array: np.ndarray, layout: str) -> np.ndarray:
    """An array with the same elements, laid out otherwise in memory."""
    if layout == "strided" and array.ndim:
        held = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        held[..., ::2] = array
        return held[..., ::2]
    if layout == "reversed" and array.ndim:
        return np.array(array[::-1])[::-1]
    if layout == "columns":
        return np.asfortranarray(array)
    if layout == "broadcast" and array.ndim and array.shape[0]:
        return np.broadcast_to(array[:1], array.shape)
    if layout == "readonly":
        array.flags.writeable = False
    return array
