"""Rows of datasets, and how they are put together: as they are, or padded to one shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from jitcore.runtime.tensor import Tensor

Row: TypeAlias = "tuple[NDArray[Any], ...]"
Padding: TypeAlias = "Mapping[str, Any]"
"""By column (a shape, what fills it up): an extent of None is that of the largest row."""


def as_row(items: Any) -> Row:
    """What a source gives for a row, as arrays."""
    values = cast("Sequence[Any]", items) if isinstance(items, tuple | list) else (items,)
    return tuple(np.asarray(v.asnumpy() if isinstance(v, Tensor) else v) for v in values)


def stacked(values: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Arrays of one shape as one, with a new first axis. Raises RuntimeError for others."""
    shapes = {v.shape for v in values}
    if len(shapes) > 1:
        found = ", ".join(map(str, sorted(shapes)))
        raise RuntimeError(f"rows of different shapes cannot be put in one batch: {found}")
    return np.stack(values)


def padded(column: str, values: Sequence[NDArray[Any]], padding: Padding) -> list[NDArray[Any]]:
    """The values of a column in a batch, filled up to one shape."""
    if column not in padding:
        return list(values)
    given = padding[column]
    shape, fill = given if given is not None else (None, 0)
    rank = values[0].ndim
    if shape is None:
        shape = (None,) * rank
    if len(shape) != rank:
        raise RuntimeError(f"pad_info of {column!r} has {len(shape)} extents, but its rows have {rank}")
    whole = [max(v.shape[k] for v in values) if n in (None, -1) else int(n) for k, n in enumerate(shape)]
    made: list[NDArray[Any]] = []
    for value in values:
        room = np.full(whole, 0 if fill is None else fill, value.dtype)
        part = tuple(slice(0, min(n, most)) for n, most in zip(value.shape, whole, strict=True))
        room[part] = value[part]
        made.append(room)
    return made


def batch_of(columns: Sequence[str], rows: Sequence[Row], padding: Padding) -> Row:
    """Rows as one, with a new first axis."""
    return tuple(stacked(padded(c, vs, padding)) for c, vs in zip(columns, zip(*rows, strict=True), strict=True))
