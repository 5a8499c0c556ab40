"""`DataLoader`: batches of a dataset, by one thread or by several that fetch ahead.

Workers are threads, not processes: they share the dataset and need no pickling. Batches come in the order of the
sampler, and what a worker raises is raised where the batch is asked for.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotDoneError
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, cast

from jitcore.compat.torch.data import chance
from jitcore.compat.torch.data.collating import default_collate, default_convert
from jitcore.compat.torch.data.datasets import Dataset, IterableDataset
from jitcore.compat.torch.data.samplers import BatchSampler, RandomSampler, Sampler, SequentialSampler
from jitcore.structs import dataclass

T_co = TypeVar("T_co", covariant=True)
Collate: TypeAlias = Callable[[list[Any]], Any]
Index: TypeAlias = "int | Iterable[Any]"
"""What a sampler gives: an index, or those of a batch."""

_AHEAD: Final = 2
"""Batches that each worker fetches ahead: PyTorch's default."""
_END: Final = object()


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """What `get_worker_info` gives in a worker."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


class _Place(threading.local):
    info: WorkerInfo | None = None


_place = _Place()


def get_worker_info() -> WorkerInfo | None:
    """Which worker this is; None outside of workers."""
    return _place.info


class DataLoader(Generic[T_co]):
    """Batches of a dataset, as PyTorch documents it."""

    _collate: ClassVar[Callable[..., Any]] = staticmethod(default_collate)
    """What makes batches, unless it is told."""
    _convert: ClassVar[Callable[..., Any]] = staticmethod(default_convert)
    """What is made of samples where there are no batches."""

    def __init__(
        self,
        dataset: Dataset[T_co],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Sampler[Any] | Iterable[Any] | None = None,
        batch_sampler: Sampler[Any] | Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Collate | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: object = None,
        generator: chance.Source | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _require_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        iterable = isinstance(dataset, IterableDataset)
        if iterable:
            _require_unspecified(shuffle=shuffle, sampler=sampler, batch_sampler=batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None and not iterable:
            sized: Any = dataset
            sampler = RandomSampler(sized, generator=generator) if shuffle else SequentialSampler(sized)
        if batch_size is not None and batch_sampler is None:
            given: Any = itertools.repeat(None) if sampler is None else sampler
            batch_sampler = BatchSampler(given, batch_size, drop_last)
        self.dataset = dataset
        self.batch_size = batch_size
        self.sampler: Any = sampler
        self.batch_sampler: Any = batch_sampler
        self.num_workers = num_workers
        self.drop_last = drop_last
        self.timeout = timeout
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.generator = generator
        self.prefetch_factor = (_AHEAD if num_workers else None) if prefetch_factor is None else prefetch_factor
        self.persistent_workers = persistent_workers
        self.in_order = in_order
        self.collate_fn = (
            (self._collate if batch_sampler is not None else self._convert) if collate_fn is None else collate_fn
        )
        self._workers: list[_Worker] = []

    def __len__(self) -> int:
        if not isinstance(self.dataset, IterableDataset):
            return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
        n = len(cast("Any", self.dataset))
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        seed = chance.seed(self.generator)
        if self.num_workers == 0:
            return map(self.collate_fn, self._samples())
        return self._ahead(seed)

    # --- what is fetched ------------------------------------------------------------------------------

    def _samples(self) -> Iterator[Any]:
        """The samples of each batch, or sample by sample."""
        if isinstance(self.dataset, IterableDataset):
            return self._of_iterable()
        return map(self._fetch, iter(self.sampler if self.batch_sampler is None else self.batch_sampler))

    def _fetch(self, index: Index) -> Any:
        dataset: Any = self.dataset
        if self.batch_sampler is None or isinstance(index, int):
            return dataset[index]
        many = getattr(dataset, "__getitems__", None)
        return [dataset[k] for k in index] if many is None else many(index)

    def _of_iterable(self) -> Iterator[Any]:
        samples = iter(cast("Any", self.dataset))
        if self.batch_size is None:
            yield from samples
            return
        while batch := list(itertools.islice(samples, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    # --- by workers -----------------------------------------------------------------------------------

    def _ahead(self, seed: int) -> Generator[Any]:
        """Batches, of which the next ones are being fetched."""
        workers = self._workers or [_Worker(self, k, seed) for k in range(self.num_workers)]
        if self.persistent_workers:
            self._workers = workers
        if isinstance(self.dataset, IterableDataset):
            return self._in_turn(workers)
        return self._in_order(workers)

    def _in_order(self, workers: list[_Worker]) -> Generator[Any]:
        indices = iter(self.sampler if self.batch_sampler is None else self.batch_sampler)
        turns = itertools.cycle(workers)
        pending: deque[Future[Any]] = deque()
        depth = len(workers) * (self.prefetch_factor or 1)
        try:
            pending.extend(next(turns).submit(self._collated, i) for i in itertools.islice(indices, depth))
            while pending:
                made = self._result(pending.popleft())
                pending.extend(next(turns).submit(self._collated, i) for i in itertools.islice(indices, 1))
                yield made
        finally:
            self._end(workers, pending)

    def _collated(self, index: Index) -> Any:
        return self.collate_fn(self._fetch(index))

    def _in_turn(self, workers: list[_Worker]) -> Generator[Any]:
        """Batches of workers that each iterate the dataset: one of each in turn, while it has some."""
        streams: dict[_Worker, Iterator[Any]] = {}

        def begin(worker: _Worker) -> None:
            streams[worker] = map(self.collate_fn, self._of_iterable())

        def following(worker: _Worker) -> Any:
            if worker not in streams:
                begin(worker)
            return next(streams[worker], _END)

        pending = deque((w, w.submit(following, w)) for _ in range(self.prefetch_factor or 1) for w in workers)
        try:
            while pending:
                worker, future = pending.popleft()
                made = self._result(future)
                if made is _END:
                    continue
                pending.append((worker, worker.submit(following, worker)))
                yield made
        finally:
            self._end(workers, [future for _, future in pending])

    def _result(self, future: Future[Any]) -> Any:
        try:
            return future.result(self.timeout or None)
        except NotDoneError:
            if future.done():
                raise
            raise RuntimeError(f"DataLoader timed out after {self.timeout} seconds") from None

    def _end(self, workers: list[_Worker], pending: Iterable[Future[Any]]) -> None:
        for future in pending:
            future.cancel()
        if not self.persistent_workers:
            for worker in workers:
                worker.end()


class _Worker:
    """A thread that knows which worker it is."""

    def __init__(self, loader: DataLoader[Any], number: int, seed: int) -> None:
        info = WorkerInfo(number, loader.num_workers, seed + number, loader.dataset)
        begin = loader.worker_init_fn
        self._threads = ThreadPoolExecutor(1, f"DataLoader worker {number}")
        self._begun = self._threads.submit(_begin, info, begin)

    def submit(self, function: Callable[..., Any], *args: object) -> Future[Any]:
        """Have the thread compute something; what went wrong as it began is raised then."""
        return self._threads.submit(self._after_beginning, function, args)

    def _after_beginning(self, function: Callable[..., Any], args: tuple[object, ...]) -> Any:
        self._begun.result()
        return function(*args)

    def end(self) -> None:
        """Let the thread end when it is done."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _begin(info: WorkerInfo, function: Callable[[int], None] | None) -> None:
    _place.info = info
    if function is not None:
        function(info.id)


# --- what is refused --------------------------------------------------------------------------------


def _require_workers(num_workers: int, timeout: float, prefetch_factor: int | None, persistent: bool) -> None:
    if num_workers < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
            "multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _require_unspecified(**options: object) -> None:
    for name, value in options.items():
        if value is not None and value is not False:
            raise ValueError(
                f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
            )
