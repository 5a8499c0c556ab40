"""Datasets: by index or by iteration, of Tensors, one after the other, and parts of them."""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, SupportsIndex, TypeVar, cast

from jitcore.compat.torch.data.chance import Source, permutation
from jitcore.runtime.tensor import Tensor

T_co = TypeVar("T_co", covariant=True)


class Dataset(Generic[T_co]):
    """Samples by index: subclasses define `__getitem__`, and mostly `__len__`."""

    def __getitem__(self, index: SupportsIndex) -> T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[Any]) -> ConcatDataset[Any]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co]):
    """Samples one after the other: subclasses define `__iter__`."""

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other: Dataset[Any]) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[Any]):
    """Tuples of the items of Tensors along their first axes."""

    tensors: tuple[Tensor, ...]

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensors[0].shape[0] != tensor.shape[0] for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: SupportsIndex) -> Any:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


class StackDataset(Dataset[Any]):
    """Tuples, or dicts, of the samples of several datasets."""

    def __init__(self, *args: Dataset[Any], **kwargs: Dataset[Any]) -> None:
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output"
            )
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        held: Any = args or kwargs
        found = list(args or kwargs.values())
        if any(len(cast("Any", d)) != len(cast("Any", found[0])) for d in found):
            raise ValueError("Size mismatch between datasets")
        self._length = len(cast("Any", found[0]))
        self.datasets = held

    def __getitem__(self, index: SupportsIndex) -> Any:
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in cast("dict[str, Any]", self.datasets).items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[T_co]):
    """Datasets one after the other."""

    datasets: list[Dataset[T_co]]
    cumulative_sizes: list[int]

    def __init__(self, datasets: Iterable[Dataset[T_co]]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(d, IterableDataset) for d in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(itertools.accumulate(len(cast("Any", d)) for d in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: SupportsIndex) -> T_co:
        place = index.__index__()
        if place < 0:
            if -place > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            place += len(self)
        k = bisect.bisect_right(self.cumulative_sizes, place)
        before = self.cumulative_sizes[k - 1] if k else 0
        return self.datasets[k][place - before]


class ChainDataset(IterableDataset[Any]):
    """Iterable datasets one after the other."""

    def __init__(self, datasets: Iterable[Dataset[Any]]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield from dataset

    def __len__(self) -> int:
        return sum(len(cast("Any", dataset)) for dataset in self.datasets)


class Subset(Dataset[T_co]):
    """The samples of a dataset at some indices."""

    dataset: Dataset[T_co]
    indices: Sequence[int]

    def __init__(self, dataset: Dataset[T_co], indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: SupportsIndex) -> T_co:
        if isinstance(index, list):
            return cast("Any", self.dataset)[[self.indices[k] for k in cast("list[int]", index)]]
        return self.dataset[self.indices[index.__index__()]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Dataset[T_co], lengths: Sequence[int | float], generator: Source | None = None
) -> list[Subset[T_co]]:
    """Subsets of some lengths, or shares, of a dataset in an order of chance."""
    total = len(cast("Any", dataset))
    sizes = split_lengths(total, lengths)
    if sum(sizes) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = permutation(total, generator)
    ends = list(itertools.accumulate(sizes))
    return [Subset(dataset, indices[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def split_lengths(total: int, lengths: Sequence[int | float]) -> list[int]:
    """The lengths; of shares, whose remainder goes to the first ones."""
    if not (math.isclose(sum(lengths), 1) and sum(lengths) <= 1):
        return [int(n) for n in lengths]
    for k, share in enumerate(lengths):
        if not 0 <= share <= 1:
            raise ValueError(f"Fraction at index {k} is not between 0 and 1")
    sizes = [math.floor(total * share) for share in lengths]
    for k in range(total - sum(sizes)):
        sizes[k % len(sizes)] += 1
    for k, size in enumerate(sizes):
        if size == 0:
            warnings.warn(f"Length of split at index {k} is 0. This might result in an empty dataset.", stacklevel=3)
    return sizes
