"""Samplers: which indices come in which order, and in which batches."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, TypeVar

import numpy as np

from jitcore.compat.torch.data.chance import Source, drawn, permutation

T_co = TypeVar("T_co", covariant=True)


class Sampler(Generic[T_co]):
    """The base: subclasses define `__iter__`, and mostly `__len__`."""

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """All indices in order."""

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


def _require_count(num_samples: int | None) -> None:
    if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
        raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")


class RandomSampler(Sampler[int]):
    """Indices in an order of chance, once each or drawn anew each time."""

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Source | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        _require_count(self.num_samples)

    @property
    def num_samples(self) -> int:
        """How many indices there are."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n, count = len(self.data_source), self.num_samples
        chance = drawn(self.generator)
        if self.replacement:
            yield from chance.integers(0, n, count).tolist()
            return
        for start in range(0, count, n):
            yield from chance.permutation(n).tolist()[: count - start]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Some indices in an order of chance."""

    def __init__(self, indices: Sequence[int], generator: Source | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        return (self.indices[k] for k in permutation(len(self.indices), self.generator))

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices by their weights."""

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Source | None = None,
    ) -> None:
        _require_count(num_samples)
        if not isinstance(replacement, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights: Any = np.array([float(w) for w in weights])
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        shares = self.weights / self.weights.sum()
        chosen = drawn(self.generator).choice(len(shares), self.num_samples, self.replacement, shares)
        yield from chosen.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of so many of another sampler's indices."""

    def __init__(self, sampler: Sampler[int] | Iterable[int], batch_size: int, drop_last: bool) -> None:
        if type(batch_size) is not int or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if not isinstance(drop_last, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler: Any = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
