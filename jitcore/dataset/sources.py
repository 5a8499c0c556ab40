"""Where rows come from: Python objects that give them, and NumPy arrays cut into rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from jitcore.dataset.rows import Row, as_row
from jitcore.dataset.samplers import Sampler
from jitcore.dataset.stages import Dataset, positive
from jitcore.runtime import random
from jitcore.runtime.tensor import Tensor


class GeneratorDataset(Dataset):
    """The rows that `source` gives: an object with `__getitem__` and `__len__`, an iterable, or a function that gives
    one.

    A source with `__getitem__` is read in random order unless `shuffle` is False or a `sampler` gives the order. Of
    `num_shards` only the rows k with k % num_shards == shard_id are read.
    """

    def __init__(
        self,
        source: Any,
        column_names: Any = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: Any = None,
        **_: Any,
    ) -> None:
        del num_parallel_workers, python_multiprocessing, max_rowsize, schema
        names = [column_names] if isinstance(column_names, str) else list(column_names or ())
        if not names:
            raise ValueError("column_names of GeneratorDataset name the columns that the source gives")
        super().__init__(names)
        self.source = source
        self.types = column_types
        self.random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if not self.random_access and not callable(source) and not hasattr(source, "__iter__"):
            raise TypeError(f"a source gives rows; {type(source).__name__} gives none")
        if sampler is not None and not self.random_access:
            raise ValueError("a sampler needs a source with __getitem__ and __len__")
        self.shuffled = self.random_access and sampler is None and shuffle is not False
        self.sampler = sampler
        self.num_samples = None if num_samples is None else positive(num_samples, "num_samples")
        self.shards = (1, 0) if num_shards is None else (positive(num_shards, "num_shards"), int(shard_id or 0))

    def _order(self) -> list[int]:
        """The positions that are read, in order."""
        count = len(self.source)
        if isinstance(self.sampler, Sampler):
            order = self.sampler.positions(count)
        elif self.sampler is not None:
            order = [int(k) for k in self.sampler]
        elif self.shuffled:
            order = [int(k) for k in random.generator().permutation(count)]
        else:
            order = list(range(count))
        shards, own = self.shards
        order = order[own::shards]
        return order if self.num_samples is None else order[: self.num_samples]

    def _given(self) -> Iterator[Any]:
        if self.random_access:
            return (self.source[k] for k in self._order())
        made = cast("Callable[[], Any]", self.source)() if callable(self.source) else self.source
        rows = (row for k, row in enumerate(made) if k % self.shards[0] == self.shards[1])
        return (
            rows if self.num_samples is None else (row for row, _ in zip(rows, range(self.num_samples), strict=False))
        )

    def rows(self) -> Iterator[Row]:
        """The rows of one epoch."""
        for given in self._given():
            row = as_row(given)
            if len(row) != len(self.columns):
                raise RuntimeError(f"the source gave {len(row)} columns, but {len(self.columns)} are named")
            if self.types is not None:
                row = tuple(v.astype(t.numpy) for v, t in zip(row, self.types, strict=True))
            yield row

    def size(self) -> int:
        """How many rows an epoch has."""
        return len(self._order()) if self.random_access and self.sampler is None else super().size()


class _Slices:
    """Arrays whose first axes are the rows."""

    def __init__(self, columns: Sequence[Any]) -> None:
        self.columns = columns
        lengths = {len(c) for c in columns}
        if len(lengths) != 1:
            raise ValueError(f"the columns of a dataset must be of one length, but are of {sorted(lengths)}")

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, k: int) -> tuple[Any, ...]:
        return tuple(c[k] for c in self.columns)


class NumpySlicesDataset(GeneratorDataset):
    """The slices of arrays along their first axes: of one array, a tuple of them, or a dict of them by column.

    The rows come in random order unless `shuffle` is False or a `sampler` gives the order.
    """

    def __init__(
        self,
        data: Any,
        column_names: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        names = [column_names] if isinstance(column_names, str) else column_names
        if isinstance(data, Mapping):
            named = cast("Mapping[str, Any]", data)
            columns: list[Any] = list(named.values())
            names = names or list(named)
        else:
            columns = list(cast("tuple[Any, ...]", data)) if isinstance(data, tuple) else [data]
            names = names or (["data"] if len(columns) == 1 else [f"column_{k}" for k in range(len(columns))])
        arrays = [np.asarray(c.asnumpy() if isinstance(c, Tensor) else c) for c in columns]
        super().__init__(
            _Slices(arrays),
            names,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )
