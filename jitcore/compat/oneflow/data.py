"""`oneflow.utils.data`: PyTorch's, with batches of OneFlow's Tensors."""

from __future__ import annotations

from typing import Any, TypeVar

from jitcore.compat.oneflow.tensor import Tensor
from jitcore.compat.torch.data import (
    BatchSampler,
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    RandomSampler,
    Sampler,
    SequentialSampler,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    get_worker_info,
    loading,
    random_split,
)
from jitcore.compat.torch.data.collating import Samples, collated, converted

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

T_co = TypeVar("T_co", covariant=True)


def default_collate(batch: Samples) -> Any:
    """One batch of many samples."""
    return collated(batch, Tensor)


def default_convert(data: object) -> Any:
    """A sample, with its arrays as Tensors: what is done where there are no batches."""
    return converted(data, Tensor)


class DataLoader(loading.DataLoader[T_co]):
    """Batches of a dataset, as OneFlow documents it."""

    _collate = staticmethod(default_collate)
    _convert = staticmethod(default_convert)
