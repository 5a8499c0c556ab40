"""Datasets: by index or by iteration, of Tensors, one after the other, and parts of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, SupportsIndex, TypeVar, cast

from jitcore.compat.torch.data import datasets
from jitcore.compat.torch.data.chance import permutation
from jitcore.runtime.tensor import Tensor

T_co = TypeVar("T_co", covariant=True)


class Dataset(datasets.Dataset[T_co]):
    """Samples by index: subclasses define `__getitem__` and `__len__`."""

    def __init__(self) -> None:
        pass

    def __getitem__(self, idx: SupportsIndex) -> T_co:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise NotImplementedError(f"'__getitem__' not implement in class {type(self).__name__}")

    def __len__(self) -> int:
        raise NotImplementedError(f"'__len__' not implement in class {type(self).__name__}")


class IterableDataset(  # pyright: ignore[reportIncompatibleMethodOverride]
    Dataset[T_co], datasets.IterableDataset[T_co]
):
    """Samples one after the other: subclasses define `__iter__`."""

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError(f"'__iter__' not implement in class {type(self).__name__}")

    def __getitem__(self, idx: SupportsIndex) -> NoReturn:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError(f"'__getitem__' should not be called for IterableDataset{type(self).__name__}")

    def __len__(self) -> NoReturn:
        raise RuntimeError(f"'__len__' should not be called for IterableDataset{type(self).__name__}")


class TensorDataset(Dataset[Any]):
    """Tuples of the items of Tensors along their first axes."""

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        if any(tensor.shape[0] != tensors[0].shape[0] for tensor in tensors):
            raise AssertionError("tensors not have same shape of the 1st dimension")
        self.tensors = tensors

    def __getitem__(self, idx: SupportsIndex) -> Any:
        return tuple(tensor[idx] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


class ComposeDataset(Dataset[Any]):
    """The fields of the samples of several datasets, together."""

    def __init__(self, datasets: Iterable[Dataset[Any]]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("input datasets should not be empty")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("paddle.io.IterableDataset not supported")
        if any(len(dataset) != len(self.datasets[0]) for dataset in self.datasets):
            raise AssertionError("lengths of datasets should be same")

    def __getitem__(self, idx: SupportsIndex) -> Any:
        samples = (dataset[idx] for dataset in self.datasets)
        return tuple(field for sample in samples for field in _fields(sample))

    def __len__(self) -> int:
        return len(self.datasets[0])


def _fields(sample: object) -> Sequence[Any]:
    return cast("Sequence[Any]", sample) if isinstance(sample, list | tuple) else [sample]


class ChainDataset(IterableDataset[Any]):
    """Iterable datasets one after the other."""

    def __init__(self, datasets: Iterable[IterableDataset[Any]]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("input datasets should not be empty")
        given: list[object] = [*self.datasets]
        if not all(isinstance(d, IterableDataset) for d in given):
            raise AssertionError("ChainDataset only support paddle.io.IterableDataset")

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self.datasets)


class ConcatDataset(datasets.ConcatDataset[Any], Dataset[Any]):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Datasets one after the other."""


class Subset(datasets.Subset[Any], Dataset[Any]):  # pyright: ignore[reportIncompatibleMethodOverride]
    """The samples of a dataset at some indices."""


def random_split(dataset: Dataset[Any], lengths: Sequence[float], generator: object = None) -> list[Subset]:
    """Subsets of some lengths, or shares, of a dataset in an order of chance."""
    del generator
    sizes = datasets.split_lengths(len(dataset), lengths)
    if sum(sizes) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = permutation(len(dataset), None)
    ends = itertools.accumulate(sizes)
    return [Subset(dataset, indices[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
