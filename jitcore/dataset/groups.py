"""Rows put together: padded to one shape, by length in buckets, and the parts that a dataset is split into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jitcore.dataset.stages import Dataset, Row, as_row, stacked
from jitcore.runtime import random

Padding: TypeAlias = "Mapping[str, Any]"
"""By column (a shape, what fills it up): an extent of None is that of the largest row."""


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


class Buckets(Dataset):
    """Rows in batches of rows of about the same length."""

    def __init__(
        self,
        source: Dataset,
        columns: Sequence[str],
        boundaries: Sequence[int],
        sizes: Sequence[int],
        length: Callable[..., int] | None,
        padding: Padding,
        to_boundary: bool,
        drop: bool,
    ) -> None:
        super().__init__(source.columns)
        if not boundaries or list(boundaries) != sorted(set(boundaries)):
            raise ValueError("bucket_boundaries must be in order, and there must be some")
        if len(sizes) != len(boundaries) + 1:
            raise ValueError("bucket_batch_sizes must contain one element more than bucket_boundaries.")
        if length is None and len(columns) != 1:
            raise ValueError("without element_length_function there is one column, whose first extent is the length")
        self.source = source
        self.taken = [source.columns.index(c) for c in columns]
        self.boundaries, self.sizes = list(boundaries), list(sizes)
        self.length = length
        self.padding, self.to_boundary, self.drop = padding, to_boundary, drop

    def rows(self) -> Iterator[Row]:
        """The batches of one epoch: each when it is full, the rest at the end."""
        held: list[list[Row]] = [[] for _ in self.sizes]
        for row in self.source.rows():
            values = [row[k] for k in self.taken]
            size = int(self.length(*values)) if self.length is not None else len(values[0])
            k = int(np.searchsorted(self.boundaries, size, side="right"))
            held[k].append(row)
            if len(held[k]) == self.sizes[k]:
                yield self._batch(k, held[k])
                held[k] = []
        if not self.drop:
            for k, rows in enumerate(held):
                if rows:
                    yield self._batch(k, rows)

    def _batch(self, k: int, rows: list[Row]) -> Row:
        padding: dict[str, Any] = dict(self.padding)
        if self.to_boundary:
            if k == len(self.boundaries):
                raise RuntimeError("pad_to_bucket_boundary: a row is longer than the last boundary")
            for name, given in padding.items():
                shape, fill = given if given is not None else (None, 0)
                place = self.source.columns.index(name)
                extents = [None] * rows[0][place].ndim if shape is None else list(shape)
                padding[name] = ([self.boundaries[k] - 1 if n is None else n for n in extents], fill)
        return batch_of(self.columns, rows, padding)


class _Shared:
    """The rows of a dataset as they come once, in one order for good."""

    def __init__(self, source: Dataset, randomize: bool) -> None:
        self.source = source
        self.randomize = randomize
        self._rows: list[Row] | None = None

    def rows(self) -> list[Row]:
        if self._rows is None:
            rows = [as_row(row) for row in self.source.rows()]
            order = random.generator().permutation(len(rows)) if self.randomize else range(len(rows))
            self._rows = [rows[int(k)] for k in order]
        return self._rows


class _Part(Dataset):
    def __init__(self, columns: Sequence[str], shared: _Shared, start: int, stop: int) -> None:
        super().__init__(columns)
        self.shared = shared
        self.start, self.stop = start, stop

    def rows(self) -> Iterator[Row]:
        return iter(self.shared.rows()[self.start : self.stop])

    def size(self) -> int:
        return self.stop - self.start


def parts(source: Dataset, sizes: Sequence[float], randomize: bool) -> list[Dataset]:
    """A dataset in parts of so many rows each, or of such shares of all."""
    if not sizes:
        raise ValueError("sizes cannot be empty.")
    if any(isinstance(n, bool) or not isinstance(n, int | float) or n <= 0 for n in sizes):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError("sizes are positive ints, or floats that add up to 1")
    count = source.size()
    if all(isinstance(n, int) for n in sizes):
        counts = [int(n) for n in sizes]
        if sum(counts) != count:
            raise RuntimeError(f"Sum of split sizes {sum(counts)} is not equal to dataset size {count}.")
    else:
        if abs(sum(sizes) - 1) > 1e-9:
            raise ValueError("sizes is a list of float, but the percentages do not sum up to 1.")
        counts = [round(n * count) for n in sizes]
        counts[0] += count - sum(counts)
    if min(counts) < 1:
        raise RuntimeError("a part of the dataset would have no rows")
    shared, made, start = _Shared(source, randomize), list[Dataset](), 0
    for n in counts:
        made.append(_Part(source.columns, shared, start, start + n))
        start += n
    return made
