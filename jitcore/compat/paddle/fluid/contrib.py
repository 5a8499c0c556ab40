"""`fluid.contrib.reader`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jitcore.compat.paddle.fluid.dygraph.parallel import ParallelEnv

__all__ = ["distributed_batch_reader"]


def distributed_batch_reader(batch_reader: Callable[[], Iterable[Any]]) -> Callable[[], Iterator[Any]]:
    """A reader of this process's batches: of as many as there are processes, the one of its number."""
    env = ParallelEnv()
    return lambda: itertools.islice(iter(batch_reader()), env.local_rank, None, env.nranks)
