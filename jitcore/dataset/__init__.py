"""Datasets: rows of arrays by column, from Python or NumPy, mapped, shuffled, batched and iterated over."""

from jitcore.dataset.samplers import (
    DistributedSampler,
    IterSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    Shuffle,
    SubsetRandomSampler,
    SubsetSampler,
    WeightedRandomSampler,
)
from jitcore.dataset.sources import GeneratorDataset, NumpySlicesDataset
from jitcore.dataset.stages import Dataset, zip_datasets

zip = zip_datasets

__all__ = [
    "Dataset",
    "DistributedSampler",
    "GeneratorDataset",
    "IterSampler",
    "NumpySlicesDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Shuffle",
    "SubsetRandomSampler",
    "SubsetSampler",
    "WeightedRandomSampler",
    "zip",
]
