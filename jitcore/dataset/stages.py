"""A dataset and what can be done to one: each stage is a dataset that draws its rows from the one before.

A row is a tuple of NumPy arrays, one a column. Rows are made when they are asked for, anew in every epoch.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from jitcore.dataset.rows import Padding, Row, as_row, batch_of
from jitcore.primitives.core.dialects import Dialect, dialect_of
from jitcore.runtime import random
from jitcore.runtime.tensor import made_of, wrap
from jitcore.types import dtype_of


def positive(value: Any, name: str) -> int:
    """A positive int. Raises TypeError or ValueError naming the argument."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, but is {value}")
    return int(value)


class Dataset:
    """Rows of arrays by column.

    >>> from jitcore import dataset
    >>> data = dataset.NumpySlicesDataset([1, 2, 3, 4, 5], ["x"], shuffle=False).map(lambda x: x * 10).batch(2)
    >>> [row["x"].tolist() for row in data.create_dict_iterator(output_numpy=True)]
    [[10, 20], [30, 40], [50]]
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = list(columns)

    @property
    def dialect(self) -> Dialect | None:
        """The framework whose Tensors it gives: that of what its rows come from; None: jitcore's own."""
        return dialect_of(self)

    def rows(self) -> Iterator[Row]:
        """The rows of one epoch."""
        raise NotImplementedError

    def size(self) -> int:
        """How many rows an epoch has."""
        return sum(1 for _ in self.rows())

    # --- stages -----------------------------------------------------------------------------------------

    def batch(
        self,
        batch_size: int,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        *,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: Any = None,
        output_columns: Any = None,
        pad_info: Any = None,
        **_: Any,
    ) -> Dataset:
        """`batch_size` rows at a time as one, with a new first axis; the last is smaller, or dropped. `pad_info`: by
        column (a shape, what fills rows up to it)."""
        del num_parallel_workers
        made = _Batched(self, positive(batch_size, "batch_size"), drop_remainder, pad_info or {})
        if per_batch_map is None:
            return made
        function = per_batch_map
        return made.map(lambda *columns: function(*columns, None), input_columns, output_columns)

    def padded_batch(
        self,
        batch_size: int,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: Any = None,
    ) -> Dataset:
        """`batch`, the rows of every column (or of those in `pad_info`) filled up to one shape."""
        padding = dict.fromkeys(self.columns) if pad_info is None else pad_info
        return self.batch(batch_size, drop_remainder, num_parallel_workers, pad_info=padding)

    def bucket_batch_by_length(
        self,
        column_names: Any,
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: Any = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> Dataset:
        """Rows of about the same length at a time as one; see `Buckets`."""
        padding = dict.fromkeys(self.columns) if pad_info is None else pad_info
        return Buckets(
            self,
            _names(column_names),
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            padding,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def split(self, sizes: Sequence[float], randomize: bool = True) -> list[Dataset]:
        """Parts of so many rows each, or of such shares of all; in random order, the same in every epoch, unless said
        otherwise."""
        return parts(self, sizes, randomize)

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What a function makes of it."""
        if not callable(apply_func):
            raise TypeError("apply_func must be a function.")
        made = apply_func(self)
        if not isinstance(made, Dataset):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("apply_func must return a dataset.")
        return made

    def shuffle(self, buffer_size: int) -> Dataset:
        """The rows in random order, each drawn from the next `buffer_size`."""
        return _Shuffled(self, positive(buffer_size, "buffer_size"))

    def map(
        self, operations: Any, input_columns: Any = None, output_columns: Any = None, *_: Any, **__: Any
    ) -> Dataset:
        """Functions, one after the other, applied to columns (the first, unless said otherwise) of every row."""
        functions = list(cast("Sequence[Any]", operations)) if isinstance(operations, list | tuple) else [operations]
        for function in functions:
            if not callable(function):
                raise TypeError(f"operations of map are functions, not {type(function).__name__}")
        columns = _names(input_columns) or self.columns[:1]
        return _Mapped(self, functions, columns, _names(output_columns) or columns)

    def filter(self, predicate: Callable[..., Any], input_columns: Any = None, *_: Any, **__: Any) -> Dataset:
        """The rows that a predicate of columns (all, unless said otherwise) holds for."""
        return _Filtered(self, predicate, _names(input_columns) or self.columns)

    def repeat(self, count: int | None = None) -> Dataset:
        """The rows `count` times over; None or -1: without end."""
        if count is not None and count != -1:
            positive(count, "count")
        return _Repeated(self, None if count in (None, -1) else count)

    def take(self, count: int = -1) -> Dataset:
        """The first `count` rows; -1: all."""
        return self if count == -1 else _Sliced(self, 0, positive(count, "count"))

    def skip(self, count: int) -> Dataset:
        """The rows after the first `count`."""
        if count < 0:
            raise ValueError(f"count must not be negative, but is {count}")
        return _Sliced(self, count, None)

    def project(self, columns: Any) -> Dataset:
        """Some of the columns, in that order."""
        return _Projected(self, _names(columns))

    def rename(self, input_columns: Any, output_columns: Any) -> Dataset:
        """Columns under other names."""
        renamed = dict(zip(_names(input_columns), _names(output_columns), strict=True))
        made = _Projected(self, self.columns)
        made.columns = [renamed.get(c, c) for c in self.columns]
        return made

    def zip(self, datasets: Any) -> Dataset:
        """The columns of several datasets side by side."""
        return zip_datasets((self, *(datasets if isinstance(datasets, tuple) else (datasets,))))

    def concat(self, datasets: Any) -> Dataset:
        """The rows of several datasets, one after the other."""
        return _Concatenated([self, *(datasets if isinstance(datasets, list | tuple) else [datasets])])

    def __add__(self, other: Dataset) -> Dataset:
        return self.concat(other)

    # --- iteration --------------------------------------------------------------------------------------

    def create_tuple_iterator(
        self, columns: Any = None, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = True
    ) -> Any:
        """What gives the rows as lists of Tensors (or arrays), an epoch each time it is iterated over."""
        del do_copy
        chosen = self if columns is None else self.project(columns)
        return _Epochs(num_epochs, lambda: ([self._output(v, output_numpy) for v in row] for row in chosen.rows()))

    def create_dict_iterator(self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = True) -> Any:
        """What gives the rows as dicts of Tensors (or arrays) by column, an epoch each time it is iterated over."""
        del do_copy
        return _Epochs(
            num_epochs,
            lambda: (
                {c: self._output(v, output_numpy) for c, v in zip(self.columns, row, strict=True)}
                for row in self.rows()
            ),
        )

    def _output(self, value: NDArray[Any], as_numpy: bool) -> Any:
        if as_numpy or value.dtype.kind not in "biufc":
            return value
        dialect = self.dialect
        return wrap(np.array(value)) if dialect is None else made_of(dialect.cls, np.array(value))

    def __iter__(self) -> Iterator[list[Any]]:
        return iter(self.create_tuple_iterator(num_epochs=1))

    def __len__(self) -> int:
        return self.size()

    # --- asking -----------------------------------------------------------------------------------------

    def get_dataset_size(self) -> int:
        """How many rows an epoch has."""
        return self.size()

    def get_col_names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def get_batch_size(self) -> int:
        """How many rows of the source are in one of these."""
        return 1

    def get_repeat_count(self) -> int:
        """How often the rows are repeated."""
        return 1

    def output_shapes(self) -> list[list[int]]:
        """The shape of each column in the first row."""
        return [list(v.shape) for v in next(self.rows())]

    def output_types(self) -> list[Any]:
        """The dtype of each column in the first row."""
        return [dtype_of(v.dtype) for v in next(self.rows())]

    def reset(self) -> None:
        """Begin anew: every iteration does."""


class _Epochs:
    """Gives the rows of an epoch each time it is iterated over, `left` times (-1: without end)."""

    def __init__(self, left: int, rows: Callable[[], Iterator[Any]]) -> None:
        self.left = left
        self._rows = rows
        self._current: Iterator[Any] | None = None

    def __iter__(self) -> Iterator[Any]:
        if self.left == 0:
            return iter(())
        if self.left > 0:
            self.left -= 1
        self._current = self._rows()
        return self._current

    def __next__(self) -> Any:
        if self._current is None:
            self._current = self._rows()
        return next(self._current)

    def get_next(self) -> Any:
        """The next row."""
        return next(self)


def _names(columns: Any) -> list[str]:
    if columns is None:
        return []
    return [columns] if isinstance(columns, str) else list(cast("Iterable[str]", columns))


class _Stage(Dataset):
    def __init__(self, source: Dataset, columns: Sequence[str] | None = None) -> None:
        super().__init__(source.columns if columns is None else columns)
        self.source = source

    @property
    def dialect(self) -> Dialect | None:
        return self.source.dialect

    def get_batch_size(self) -> int:
        return self.source.get_batch_size()

    def get_repeat_count(self) -> int:
        return self.source.get_repeat_count()

    def size(self) -> int:
        return self.source.size()

    def places(self, columns: Sequence[str]) -> list[int]:
        """Where columns are in the source's rows. Raises ValueError for one that is not there."""
        for column in columns:
            if column not in self.source.columns:
                raise ValueError(f"there is no column {column!r}; there are {', '.join(self.source.columns)}")
        return [self.source.columns.index(c) for c in columns]


class _Batched(_Stage):
    def __init__(self, source: Dataset, count: int, drop: bool, padding: Any) -> None:
        super().__init__(source)
        self.count = count
        self.drop = drop
        self.padding = padding

    def rows(self) -> Iterator[Row]:
        source = self.source.rows()
        while batch := list(itertools.islice(source, self.count)):
            if len(batch) < self.count and self.drop:
                return
            yield batch_of(self.columns, batch, self.padding)

    def size(self) -> int:
        n = self.source.size()
        return n // self.count if self.drop else -(-n // self.count)

    def get_batch_size(self) -> int:
        return self.count


class _Shuffled(_Stage):
    def __init__(self, source: Dataset, buffer: int) -> None:
        super().__init__(source)
        self.buffer = buffer

    def rows(self) -> Iterator[Row]:
        generator = random.generator()
        held: list[Row] = []
        for row in self.source.rows():
            held.append(row)
            if len(held) >= self.buffer:
                k = int(generator.integers(len(held)))
                held[k], held[-1] = held[-1], held[k]
                yield held.pop()
        for k in generator.permutation(len(held)):
            yield held[int(k)]


class _Mapped(_Stage):
    def __init__(self, source: Dataset, functions: list[Any], inputs: list[str], outputs: list[str]) -> None:
        super().__init__(source)
        self.functions = functions
        self.taken = self.places(inputs)
        self.outputs = outputs
        kept = [c for c in source.columns if c not in inputs]
        self.kept = self.places(kept)
        self.columns = source.columns if outputs == inputs else [*outputs, *kept]
        self.in_place = outputs == inputs

    def rows(self) -> Iterator[Row]:
        for row in self.source.rows():
            values: Any = tuple(row[k] for k in self.taken)
            for function in self.functions:
                made = function(*values)
                values = made if isinstance(made, tuple) else (made,)
            values = as_row(values)
            if len(values) != len(self.outputs):
                raise RuntimeError(f"map gave {len(values)} columns, but {len(self.outputs)} are named")
            if not self.in_place:
                yield (*values, *(row[k] for k in self.kept))
                continue
            items = list(row)
            for k, value in zip(self.taken, values, strict=True):
                items[k] = value
            yield tuple(items)


class _Filtered(_Stage):
    def __init__(self, source: Dataset, predicate: Callable[..., Any], inputs: list[str]) -> None:
        super().__init__(source)
        self.predicate = predicate
        self.taken = self.places(inputs)

    def rows(self) -> Iterator[Row]:
        return (row for row in self.source.rows() if bool(self.predicate(*(row[k] for k in self.taken))))

    def size(self) -> int:
        return Dataset.size(self)


class _Repeated(_Stage):
    def __init__(self, source: Dataset, count: int | None) -> None:
        super().__init__(source)
        self.count = count

    def rows(self) -> Iterator[Row]:
        rounds = itertools.count() if self.count is None else range(self.count)
        return (row for _ in rounds for row in self.source.rows())

    def size(self) -> int:
        return self.source.size() * (1 if self.count is None else self.count)

    def get_repeat_count(self) -> int:
        return -1 if self.count is None else self.count


class _Sliced(_Stage):
    def __init__(self, source: Dataset, start: int, count: int | None) -> None:
        super().__init__(source)
        self.start = start
        self.stop = None if count is None else start + count

    def rows(self) -> Iterator[Row]:
        return itertools.islice(self.source.rows(), self.start, self.stop)

    def size(self) -> int:
        n = self.source.size()
        return max((n if self.stop is None else min(n, self.stop)) - self.start, 0)


class _Projected(_Stage):
    def __init__(self, source: Dataset, columns: list[str]) -> None:
        super().__init__(source, columns)
        self.taken = self.places(columns)

    def rows(self) -> Iterator[Row]:
        return (tuple(row[k] for k in self.taken) for row in self.source.rows())


class _Concatenated(Dataset):
    def __init__(self, datasets: list[Dataset]) -> None:
        super().__init__(datasets[0].columns)
        for other in datasets[1:]:
            if other.columns != self.columns:
                raise ValueError(f"datasets of columns {self.columns} and {other.columns} cannot be joined")
        self.datasets = datasets

    @property
    def dialect(self) -> Dialect | None:
        return self.datasets[0].dialect

    def rows(self) -> Iterator[Row]:
        return itertools.chain.from_iterable(d.rows() for d in self.datasets)

    def size(self) -> int:
        return sum(d.size() for d in self.datasets)


class _Zipped(Dataset):
    def __init__(self, datasets: tuple[Dataset, ...]) -> None:
        super().__init__([c for d in datasets for c in d.columns])
        if len(set(self.columns)) != len(self.columns):
            raise ValueError(f"the columns of datasets side by side must differ, but are {self.columns}")
        self.datasets = datasets

    @property
    def dialect(self) -> Dialect | None:
        return self.datasets[0].dialect

    def rows(self) -> Iterator[Row]:
        parts = (d.rows() for d in self.datasets)
        return (tuple(itertools.chain.from_iterable(rows)) for rows in zip(*parts, strict=False))

    def size(self) -> int:
        return min(d.size() for d in self.datasets)


def zip_datasets(datasets: tuple[Dataset, ...]) -> Dataset:
    """The columns of several datasets side by side, as many rows as the shortest has."""
    if len(datasets) < 2:
        raise ValueError("at least two datasets are put side by side")
    return _Zipped(tuple(datasets))


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

    @property
    def dialect(self) -> Dialect | None:
        """See `Dataset.dialect`."""
        return self.source.dialect

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

    @property
    def dialect(self) -> Dialect | None:
        return self.shared.source.dialect

    def rows(self) -> Iterator[Row]:
        return iter(self.shared.rows()[self.start : self.stop])

    def size(self) -> int:
        return self.stop - self.start


def parts(source: Dataset, sizes: Sequence[float], randomize: bool) -> list[Dataset]:
    """A dataset in parts of so many rows each, or of such shares of all."""
    if not sizes:
        raise ValueError("sizes cannot be empty.")
    if any(
        isinstance(n, bool) or not isinstance(n, int | float) or n <= 0  # pyright: ignore[reportUnnecessaryIsInstance]
        for n in sizes
    ):
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
