"""Datasets as MindSpore's trainers go through them by hand, and checkpoints read in the background."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from jitcore.train.model import batches, length
from jitcore.train.serialization import load_checkpoint

__all__ = ["DatasetHelper", "async_ckpt_thread_status", "load_checkpoint_async"]


class DatasetHelper:
    """Goes through a dataset, batch by batch, for some epochs.

    >>> [row[0] for row in DatasetHelper([(1, 2), (3, 4)], dataset_sink_mode=False)]
    [1, 3]
    """

    def __init__(
        self, dataset: Iterable[Any], dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1
    ) -> None:
        if not isinstance(dataset_sink_mode, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"dataset_sink_mode is a bool, not {type(dataset_sink_mode).__name__}")
        for what, given in (("sink_size", sink_size), ("epoch_num", epoch_num)):
            if isinstance(given, bool) or not isinstance(given, int):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{what} of DatasetHelper is an int, not {type(given).__name__}")
        if sink_size < -1 or sink_size == 0:
            raise ValueError(f"sink_size is -1 or positive, not {sink_size}")
        if dataset_sink_mode:
            raise RuntimeError("datasets are not sunk into a CPU: dataset_sink_mode must be False")
        self.dataset, self.epoch_num = dataset, epoch_num

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(batches(self.dataset))

    def sink_size(self) -> int:
        """How many batches each step takes."""
        return 1

    def get_dataset_size(self) -> int:
        """How many batches there are."""
        return length(self.dataset)

    def types_shapes(self) -> tuple[list[Any], list[Any]]:
        """The dtypes and shapes of a batch."""
        first = next(iter(self))
        return [x.dtype for x in first], [list(x.shape) for x in first]

    def stop_send(self) -> None:
        """Nothing is sent anywhere."""

    def release(self) -> None:
        """Nothing is held anywhere."""

    def continue_send(self) -> None:
        """Nothing is sent anywhere."""


_readers = ThreadPoolExecutor(1, "checkpoint")


def load_checkpoint_async(ckpt_file_name: Any, net: Any = None, *args: Any, **keywords: Any) -> Future[Any]:
    """A future of the Parameters in a file, as `load_checkpoint` gives them: `result()` waits for it."""
    return _readers.submit(load_checkpoint, ckpt_file_name, net, *args, **keywords)


def async_ckpt_thread_status() -> bool:
    """Whether a checkpoint is being written in the background: they are not."""
    return False
