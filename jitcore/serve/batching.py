"""Requests that are computed together: a queue for each model, from which one call at a time is made of as many as fit.

    {"x": [[1, 2]]}, {"x": [[3, 4], [5, 6]]} -> x = [[1, 2], [3, 4], [5, 6]] -> rows 0 and 1..2 of each output

Whether a model computes each row by itself, its types do not say (`x - x.mean(axis=0)` does not): the first requests
that are put together are computed alone, too. If what comes out differs by more than rounding, none are put together
from then on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeAlias

import numpy as np

from jitcore.serve.errors import RequestError
from jitcore.serve.interface import Array
from jitcore.serve.limits import Limits
from jitcore.serve.metrics import Metrics
from jitcore.serve.models import Model
from jitcore.structs import dataclass

Outputs: TypeAlias = "dict[str, Array]"
Outcome: TypeAlias = "Outputs | RequestError"

_ROUNDING: Final = {"float16": 3e-2, "float32": 1e-3, "float64": 1e-8}
"""How far sums in another order may be apart, relative to the largest element: about the root of each epsilon."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """A request in the queue. Those of one `key` can be put together; None: it is computed alone."""

    arrays: Sequence[Array]
    key: object
    rows: int
    since: float
    answered: asyncio.Future[Outputs]


class Batcher:
    """The queue of a loaded model. Its methods are called in the event loop; the model runs in a thread of its own."""

    def __init__(self, model: Model, limits: Limits, metrics: Metrics) -> None:
        self._calls = _Calls(model, metrics)
        self._limits = limits
        self._length = metrics.waiting.labels(model.name)
        self._waiting: list[_Waiting] = []
        self._coming = 0
        self._arrived = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, f"jitcore serves {model.name}")
        self._worker: asyncio.Task[None] | None = None

    async def infer(self, arrays: Sequence[Array]) -> Outputs:
        """The outputs of a call with these arrays. Raises RequestError if the model does."""
        loop = asyncio.get_running_loop()
        request = _Waiting(arrays, *self._fit(arrays), loop.time(), loop.create_future())
        self._waiting.append(request)
        self._length.inc()
        self._arrived.set()
        if self._worker is None:
            self._worker = loop.create_task(self._work())
        return await request.answered

    @contextmanager
    def expecting(self) -> Generator[None]:
        """While a request is read, for which those that wait may wait."""
        self._coming += 1
        try:
            yield
        finally:
            self._coming -= 1
            self._arrived.set()

    def _fit(self, arrays: Sequence[Array]) -> tuple[object, int]:
        """What requests that are put together have in common, and how many rows this one has."""
        extents = {array.shape[0] for array in arrays} if self._calls.are_joined and self._limits.max_batch > 1 else ()
        rows = next(iter(extents)) if len(extents) == 1 else 0
        return (tuple(array.shape[1:] for array in arrays), rows) if rows else (None, 1)

    async def _work(self) -> None:
        """Serve what waits, until nothing does."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch = await self._next()
            try:
                outcomes = await loop.run_in_executor(self._thread, self._calls.run, [r.arrays for r in batch])
            except Exception as error:  # a fault of the server's own: each request is answered with it
                _answer(batch, [error] * len(batch))
            else:
                _answer(batch, outcomes)
        self._worker = None

    async def _next(self) -> list[_Waiting]:
        """Take the first request, and those that are computed with it, out of the queue; wait for more while there is
        room for them, some are being read, and the first has not waited long enough."""
        loop = asyncio.get_running_loop()
        first = self._waiting[0]
        until = first.since + self._limits.max_latency
        while True:
            batch, is_full = self._fitting(first)
            left = until - loop.time()
            if is_full or left <= 0 or not self._coming:
                break
            self._arrived.clear()
            try:
                await asyncio.wait_for(self._arrived.wait(), left)
            except TimeoutError:
                batch, _ = self._fitting(first)
                break
        self._waiting = [r for r in self._waiting if r not in batch]
        self._length.dec(len(batch))
        return batch

    def _fitting(self, first: _Waiting) -> tuple[list[_Waiting], bool]:
        """The requests that can be computed with the first, and whether no more can."""
        if first.key is None or not self._calls.are_joined:
            return [first], True
        batch, rows = [first], first.rows
        for request in self._waiting:
            if request is first or request.key != first.key:
                continue
            if rows + request.rows > self._limits.max_batch:
                return batch, True
            batch.append(request)
            rows += request.rows
        return batch, rows >= self._limits.max_batch


def _answer(batch: Sequence[_Waiting], outcomes: Sequence[Outputs | Exception]) -> None:
    for request, outcome in zip(batch, outcomes, strict=True):
        if request.answered.done():  # whoever asked is gone
            continue
        if isinstance(outcome, Exception):
            request.answered.set_exception(outcome)
        else:
            request.answered.set_result(outcome)


class _Calls:
    """A model's calls, and what is known of putting requests together. `run` is called by one thread at a time."""

    def __init__(self, model: Model, metrics: Metrics) -> None:
        self._model = model
        self._rows = metrics.rows.labels(model.name)
        self._is_tried = False
        self.are_joined = model.interface.has_rows

    def run(self, requests: Sequence[Sequence[Array]]) -> Sequence[Outcome]:
        """The outputs of each request, or why there are none."""
        if len(requests) == 1 or not self.are_joined:
            return self._each(requests)
        joined = [np.concatenate(arrays) for arrays in zip(*requests, strict=True)]
        whole = self._outcome(joined, len(joined[0]))
        if isinstance(whole, RequestError):  # of one of them, perhaps: the others do not fail for it
            return self._each(requests)
        parts = _split(whole, [len(arrays[0]) for arrays in requests])
        if parts is None:
            self.are_joined = False
            return self._each(requests)
        return parts if self._is_tried else self._tried(requests, parts)

    def _tried(self, requests: Sequence[Sequence[Array]], parts: Sequence[Outputs]) -> Sequence[Outcome]:
        """What each gives alone, and note whether that is what they give together. Requests that are all the same show
        nothing."""
        alone = self._each(requests)
        if any(isinstance(outcome, RequestError) for outcome in alone):
            return alone
        self.are_joined = all(map(_agree, alone, parts))
        self._is_tried = any(not _same(requests[0], arrays) for arrays in requests[1:])
        return alone

    def _each(self, requests: Sequence[Sequence[Array]]) -> Sequence[Outcome]:
        is_rows = self._model.interface.has_rows
        return [self._outcome(arrays, len(arrays[0]) if is_rows else 1) for arrays in requests]

    def _outcome(self, arrays: Sequence[Array], rows: int) -> Outcome:
        self._rows.observe(rows)
        try:
            return self._model.call(arrays)
        except RequestError as error:
            return error


def _split(outputs: Outputs, rows: Sequence[int]) -> list[Outputs] | None:
    """The outputs' rows by request; None if there are not as many as went in."""
    if any(array.ndim == 0 or len(array) != sum(rows) for array in outputs.values()):
        return None
    ends = np.cumsum(rows)[:-1]
    pieces = {name: np.split(array, ends) for name, array in outputs.items()}
    return [{name: pieces[name][k] for name in pieces} for k in range(len(rows))]


def _same(one: Sequence[Array], other: Sequence[Array]) -> bool:
    return all(a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


def _agree(alone: Outcome, together: Mapping[str, Array]) -> bool:
    """Whether outputs are the same, but for rounding."""
    if isinstance(alone, RequestError) or list(alone) != list(together):
        return False
    return all(_near(alone[name], together[name]) for name in together)


def _near(one: Array, other: Array) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype.kind != "f":
        return np.array_equal(one, other)
    finite = np.abs(one[np.isfinite(one)].astype(np.float64))
    most = _ROUNDING[one.dtype.name] * float(finite.max(initial=0.0))
    return np.allclose(one.astype(np.float64), other.astype(np.float64), rtol=0.0, atol=most, equal_nan=True)
