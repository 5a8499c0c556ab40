"""`paddle.batch` and `paddle.reader`: functions that give iterators, and others made of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

__all__ = ["buffered", "cache", "chain", "compose", "firstn", "map_readers", "shuffle", "xmap_readers"]

Reader = Callable[[], Iterable[Any]]


def _parts(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Lists of so many items, the last of which may be shorter."""
    rest = iter(items)
    while part := list(itertools.islice(rest, size)):
        yield part


def batch(reader: Reader, batch_size: int, drop_last: bool = False) -> Reader:
    """A reader of lists of `batch_size` items; the last may be shorter unless `drop_last`. Raises ValueError for a size
    below 1.

    >>> list(batch(lambda: range(5), 2)())
    [[0, 1], [2, 3], [4]]
    """
    if int(batch_size) < 1:
        raise ValueError(f"batch_size should be a positive integer, not {batch_size}")

    def batches() -> Iterator[list[Any]]:
        for items in _parts(reader(), int(batch_size)):
            if len(items) == batch_size or not drop_last:
                yield items

    return batches


def shuffle(reader: Reader, buf_size: int) -> Reader:
    """A reader of the same in another order: each `buf_size` items are shuffled."""

    def shuffled() -> Iterator[Any]:
        for items in _parts(reader(), buf_size):
            random.shuffle(items)
            yield from items

    return shuffled


def map_readers(func: Callable[..., Any], *readers: Reader) -> Reader:
    """A reader of what a function makes of the items of others."""
    return lambda: map(func, *(reader() for reader in readers))


def xmap_readers(
    mapper: Callable[[Any], Any], reader: Reader, process_num: int, buffer_size: int, order: bool = False
) -> Reader:
    """A reader of what a function makes of another's items, one after another."""
    del process_num, buffer_size, order
    return map_readers(mapper, reader)


def chain(*readers: Reader) -> Reader:
    """A reader of the items of one reader after those of another."""
    return lambda: itertools.chain(*(reader() for reader in readers))


def compose(*readers: Reader, check_alignment: bool = True) -> Reader:
    """A reader of tuples with the items of several. Raises ValueError where they have different numbers of them, unless
    not `check_alignment`."""

    def composed() -> Iterator[Any]:
        for items in zip(*(reader() for reader in readers), strict=check_alignment):
            yield tuple(part for item in items for part in (item if isinstance(item, tuple) else (item,)))

    return composed


def firstn(reader: Reader, n: int) -> Reader:
    """A reader of the first items."""
    return lambda: itertools.islice(reader(), n)


def buffered(reader: Reader, size: int) -> Reader:
    """A reader of the same."""
    del size
    return reader


def cache(reader: Reader) -> Reader:
    """A reader that keeps the items of another."""
    held = tuple(reader())
    return lambda: iter(held)
