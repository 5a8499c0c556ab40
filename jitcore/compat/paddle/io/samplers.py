"""Samplers: which indices come in which order, and in which batches. Those of chance draw from NumPy's generator, as
Paddle's do: `numpy.random.seed` makes them repeatable, here and there the same."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, TypeVar

import numpy as np

from jitcore.compat.paddle.io.datasets import IterableDataset
from jitcore.compat.torch.data.chance import permutation
from jitcore.runtime.tensor import Tensor

T_co = TypeVar("T_co", covariant=True)


class Sampler(Generic[T_co]):
    """The base: subclasses define `__iter__`, and mostly `__len__`."""

    def __init__(self, data_source: Sized | None = None) -> None:
        self.data_source: Any = data_source

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError


class SequenceSampler(Sampler[int]):
    """All indices in order."""

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Indices in an order of chance, once each or drawn anew each time; or those that a generator gives."""

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Iterator[int] | None = None,
    ) -> None:
        super().__init__(data_source)
        if not isinstance(replacement, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"expect boolean value for replacement, but got replacement={replacement}")
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if type(self.num_samples) is not int or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer, but got num_samples={self.num_samples}")
        if not replacement and self.num_samples > len(data_source):
            raise ValueError(
                "num_samples should be smaller than or equal to length of data_source when replacement is False, but "
                f"got num_samples: {self.num_samples} > data_source: {len(data_source)}"
            )

    @property
    def num_samples(self) -> int:
        """How many indices there are."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        if self.generator is not None:
            return itertools.islice(self.generator, self.num_samples)
        every = np.arange(len(self.data_source))
        return iter(np.random.choice(every, self.num_samples, replace=self.replacement).tolist())

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Some indices in an order of chance."""

    def __init__(self, indices: Sequence[int]) -> None:
        super().__init__()
        if len(indices) == 0:
            raise ValueError("The length of `indices` in SubsetRandomSampler should be greater than 0.")
        self.indices = indices

    def __iter__(self) -> Iterator[int]:
        return (self.indices[k] for k in permutation(len(self.indices), None))

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices by their weights."""

    def __init__(
        self, weights: Tensor | np.ndarray[Any, Any] | Sequence[float], num_samples: int, replacement: bool = True
    ) -> None:
        super().__init__()
        if not isinstance(num_samples, int) or num_samples <= 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("num_samples should be a positive integer")
        if not isinstance(replacement, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("replacement should be a boolean value")
        self.weights = weights
        self.num_samples = num_samples
        self.replacement = replacement

    def __iter__(self) -> Iterator[int]:
        given = self.weights.asnumpy() if isinstance(self.weights, Tensor) else np.asarray(self.weights)
        if given.ndim > 2 or (given < 0).any() or not np.isfinite(given).all():
            raise AssertionError("weights should be a 1-D or 2-D array of positive values")
        rows = given.reshape(-1, given.shape[-1])
        shares = rows / rows.sum(1, keepdims=True)
        for row in shares:
            chosen = np.random.choice(len(row), self.num_samples, self.replacement, row)
            yield from chosen.tolist()

    def __len__(self) -> int:
        shape = np.shape(self.weights)
        return self.num_samples * math.prod(shape[:-1])


# --- batches --------------------------------------------------------------------------------------------


def _require_batches(batch_size: int, drop_last: bool) -> None:
    if type(batch_size) is not int or batch_size <= 0:
        raise AssertionError(f"batch_size should be a positive integer, but got {batch_size}")
    if not isinstance(drop_last, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise AssertionError(f"drop_last should be a boolean value, but got {type(drop_last)}")


class BatchSampler(Sampler[list[int]]):
    """Lists of so many indices of a dataset, or of another sampler's."""

    def __init__(
        self,
        dataset: Sized | None = None,
        sampler: Sampler[int] | Iterable[int] | None = None,
        shuffle: bool = False,
        batch_size: int = 1,
        drop_last: bool = False,
    ) -> None:
        super().__init__(dataset)
        if (dataset is None) == (sampler is None):
            raise AssertionError("either dataset or sampler should be set, and not both")
        if dataset is None and shuffle:
            raise AssertionError("shuffle should be False when sampler is set")
        if isinstance(dataset, IterableDataset):
            raise AssertionError("dataset should not be a paddle.io.IterableDataset")
        _require_batches(batch_size, drop_last)
        self.sampler: Any = sampler
        if dataset is not None:
            self.sampler = RandomSampler(dataset) if shuffle else SequenceSampler(dataset)
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        return in_batches(self.sampler, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


def in_batches(indices: Iterable[int], size: int, drop_last: bool) -> Iterator[list[int]]:
    """Lists of so many indices; of those that are left at the end, unless they are dropped."""
    left = iter(indices)
    while batch := list(itertools.islice(left, size)):
        if len(batch) == size or not drop_last:
            yield batch


class DistributedBatchSampler(BatchSampler):
    """The batches of one of several processes: all of them, where there is one. Shuffled by the number of the epoch."""

    def __init__(
        self,
        dataset: Sized,
        batch_size: int,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = False,
        drop_last: bool = False,
    ) -> None:
        Sampler.__init__(self, dataset)
        _require_batches(batch_size, drop_last)
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last
        self.nranks = 1 if num_replicas is None else num_replicas
        self.local_rank = 0 if rank is None else rank
        self.epoch = 0
        self.num_samples = -(-len(dataset) // self.nranks)
        self.total_size = self.num_samples * self.nranks

    def set_epoch(self, epoch: int) -> None:
        """Shuffle as in an epoch."""
        self.epoch = epoch

    def __iter__(self) -> Iterator[list[int]]:
        own = list(itertools.islice(itertools.cycle(range(len(self.dataset))), self.total_size))
        if self.shuffle:
            np.random.RandomState(self.epoch).shuffle(own)
            self.epoch += 1
        return in_batches(self._of_rank(own), self.batch_size, self.drop_last)

    def _of_rank(self, indices: list[int]) -> list[int]:
        """Every so manieth batch, and a share of what is left."""
        step = self.batch_size * self.nranks
        whole = len(indices) - len(indices) % step
        starts = range(self.local_rank * self.batch_size, whole, step)
        share = (len(indices) - whole) // self.nranks
        rest = whole + self.local_rank * share
        return [i for k in starts for i in indices[k : k + self.batch_size]] + indices[rest : rest + share]

    def __len__(self) -> int:
        n = self.num_samples
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
