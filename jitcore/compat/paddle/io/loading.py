"""`paddle.io.DataLoader`: batches of a dataset, by one thread or by several that fetch ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from jitcore.compat.paddle.io.datasets import Dataset, IterableDataset
from jitcore.compat.paddle.io.samplers import BatchSampler
from jitcore.compat.paddle.tensor import Tensor
from jitcore.compat.torch.data import loading
from jitcore.compat.torch.data.collating import Samples, collated, converted

Collate = Callable[[list[Any]], Any]


def default_collate_fn(batch: Samples) -> Any:
    """One batch of many samples: Tensors of arrays and numbers."""
    return _with_lists(collated(batch, Tensor))


def default_convert_fn(batch: object) -> Any:
    """A sample, with its arrays as Tensors."""
    return converted(batch, Tensor)


def _with_lists(made: object) -> Any:
    """What is made of samples, with lists for tuples."""
    if isinstance(made, list | tuple):
        return [_with_lists(item) for item in cast("Sequence[object]", made)]
    if isinstance(made, dict):
        return {key: _with_lists(value) for key, value in cast("dict[Any, object]", made).items()}
    return made


class DataLoader(loading.DataLoader[Any]):
    """Batches of a dataset, as Paddle documents it: lists of Tensors."""

    def __init__(
        self,
        dataset: Dataset[Any],
        feed_list: Sequence[Any] | None = None,
        places: object = None,
        return_list: bool = True,
        batch_sampler: Iterable[Any] | None = None,
        batch_size: int | None = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Collate | None = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        reader_buffer_size: int = 2,
        prefetch_factor: int = 2,
        use_shared_memory: bool = True,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        persistent_workers: bool = False,
    ) -> None:
        del places, use_buffer_reader, reader_buffer_size, use_shared_memory
        self.return_list = return_list
        self.feed_list = feed_list
        iterable = isinstance(dataset, IterableDataset)
        if iterable and shuffle:
            raise ValueError(f"IterableDataset not support shuffle, but got shuffle={shuffle}")
        if iterable and batch_sampler is not None:
            raise ValueError("IterableDataset expect unspecified batch_sampler")
        if batch_sampler is not None and (batch_size != 1 or shuffle or drop_last):
            raise AssertionError("batch_size/shuffle/drop_last should not be set when batch_sampler is given")
        if batch_sampler is None and batch_size is not None and not iterable:
            batch_sampler = BatchSampler(dataset, None, shuffle, batch_size, drop_last)
        super().__init__(
            dataset,
            batch_size if iterable or batch_sampler is None else 1,
            batch_sampler=batch_sampler,
            num_workers=num_workers,
            collate_fn=_as_tensors(collate_fn, batch_size is not None),
            drop_last=drop_last and iterable,
            timeout=timeout,
            worker_init_fn=worker_init_fn,
            prefetch_factor=prefetch_factor if num_workers else None,
            persistent_workers=persistent_workers and num_workers > 0,
        )
        self.drop_last = drop_last

    def __call__(self) -> Iterator[Any]:
        return iter(self)

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            raise ValueError("length of IterableDataset not supported")
        return super().__len__()


def _as_tensors(collate: Collate | None, batched: bool) -> Collate:
    """What is made of samples: Tensors, also of the arrays that a user's function gives."""
    if collate is None:
        return default_collate_fn if batched else default_convert_fn
    return lambda batch: _with_lists(converted(collate(batch), Tensor))


def get_worker_info() -> loading.WorkerInfo | None:
    """Which worker this is; None outside of workers."""
    return loading.get_worker_info()
