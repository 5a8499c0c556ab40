"""Samplers: which rows of a source are read, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

import numpy as np

from jitcore.runtime import random


class Shuffle(StrEnum):
    """How datasets of files are shuffled: whole, file by file, or within files too."""

    GLOBAL = "global"
    FILES = "files"
    INFILE = "infile"
    ADAPTIVE = "adaptive"


def _count(value: Any, name: str) -> int | None:
    """A positive int, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if value < 0:
        raise ValueError(f"{name} must be positive, but is {value}")
    return int(value) or None


class Sampler:
    """The base of samplers that users write: `__iter__` gives the places of an epoch's rows, or, without one,
    `indices`.

    `dataset_size` is the number of rows there are, from when the sampler is used.
    """

    def __init__(self, num_samples: int | None = None) -> None:
        self.num_samples = _count(num_samples, "num_samples")
        self.dataset_size = 0
        self.child_sampler: Sampler | None = None

    def add_child(self, sampler: Sampler) -> None:
        """Choose among what another sampler chooses."""
        if self.child_sampler is not None:
            raise RuntimeError("Cannot add child sampler, this sampler already has a child.")
        self.child_sampler = sampler

    def use_sampler(self, sampler: Sampler) -> None:
        """As `add_child`."""
        self.add_child(sampler)

    def indices(self, count: int) -> Iterable[int]:
        """The places that an epoch reads, of `count` rows."""
        return (int(k) for k in self)  # type: ignore[attr-defined]

    def positions(self, count: int) -> list[int]:
        """The places that an epoch reads, at most `num_samples` of them."""
        self.dataset_size = count
        within = list(range(count)) if self.child_sampler is None else self.child_sampler.positions(count)
        self.dataset_size = len(within)
        chosen = [within[k] for k in self.indices(len(within))]
        return chosen if self.num_samples is None else chosen[: self.num_samples]


class SequentialSampler(Sampler):
    """The rows in order, from `start_index` on."""

    def __init__(self, start_index: int | None = None, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.start_index = 0 if start_index is None else start_index

    def indices(self, count: int) -> Iterable[int]:
        """The places that an epoch reads, of `count` rows."""
        return range(self.start_index, count)


class RandomSampler(Sampler):
    """The rows in random order; with `replacement`, each drawn from all."""

    def __init__(self, replacement: bool = False, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        if not isinstance(replacement, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"replacement must be a bool, not {type(replacement).__name__}")
        self.replacement = replacement

    def indices(self, count: int) -> Iterable[int]:
        """The places that an epoch reads, of `count` rows."""
        generator = random.generator()
        drawn = (
            generator.integers(count, size=self.num_samples or count)
            if self.replacement
            else generator.permutation(count)
        )
        return map(int, drawn)


class SubsetSampler(Sampler):
    """The rows at given places, in that order."""

    def __init__(self, indices: Sequence[int], num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.places = [
            int(k)
            for k in (
                indices
                if isinstance(indices, Iterable)  # pyright: ignore[reportUnnecessaryIsInstance]
                else [indices]
            )
        ]

    def indices(self, count: int) -> Iterable[int]:
        """The places that an epoch reads, of `count` rows."""
        for k in self.places:
            if not 0 <= k < count:
                raise RuntimeError(f"Sampler refers to an invalid sample id: {k}, there are {count} rows.")
        return self.places


class SubsetRandomSampler(SubsetSampler):
    """The rows at given places, in random order."""

    def indices(self, count: int) -> Iterable[int]:
        """The places that an epoch reads, of `count` rows."""
        places = list(super().indices(count))
        return [places[int(k)] for k in random.generator().permutation(len(places))]


class WeightedRandomSampler(Sampler):
    """Rows drawn with probabilities in proportion to weights."""

    def __init__(self, weights: Sequence[float], num_samples: int | None = None, replacement: bool = True) -> None:
        super().__init__(num_samples)
        self.weights = np.asarray(weights, np.float64)
        if self.weights.ndim != 1 or not self.weights.size or (self.weights < 0).any() or not self.weights.any():
            raise ValueError("weights are numbers that are not negative, and not all zero")
        self.replacement = replacement

    def indices(self, count: int) -> Iterable[int]:
        """The places that an epoch reads, of `count` rows."""
        chances = self.weights / self.weights.sum()
        wanted = self.num_samples or len(chances)
        return map(int, random.generator().choice(len(chances), size=wanted, replace=self.replacement, p=chances))


class DistributedSampler(Sampler):
    """One of `num_shards` equal parts of the rows, filled up with the first ones."""

    def __init__(
        self, num_shards: int, shard_id: int, shuffle: bool = True, num_samples: int | None = None, offset: int = -1
    ) -> None:
        super().__init__(num_samples)
        if num_shards < 1 or not 0 <= shard_id < num_shards:
            raise ValueError(f"shard_id is in [0, {num_shards}), not {shard_id}")
        self.num_shards = num_shards
        self.shard_id = shard_id
        self.shuffle = shuffle
        self.offset = max(offset, 0)
        self._epoch = 0

    def indices(self, count: int) -> Iterable[int]:
        """The places that an epoch reads, of `count` rows: the parts of an epoch belong together."""
        self._epoch += 1
        order = np.random.default_rng(self._epoch).permutation(count) if self.shuffle else np.arange(count)
        each = -(-(count + self.offset) // self.num_shards)
        places = (np.arange(each) * self.num_shards + self.shard_id - self.offset) % max(count, 1)
        return (int(order[k]) for k in places)


class IterSampler(Sampler):
    """The places that any iterable gives, anew in each epoch."""

    def __init__(self, sampler: Iterable[int], num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.sampler = sampler

    def __iter__(self) -> Iterator[int]:
        return iter(self.sampler)
