"""Where Programs run, and what parts of them are called: on the CPU, and nothing."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from jitcore.compat.paddle.places import CPUPlace, Place, place_of


def cpu_places(device_count: int | None = None) -> list[Place]:
    """So many times the CPU."""
    return [CPUPlace() for _ in range(device_count or 1)]


def cuda_places(device_ids: Sequence[int] | None = None) -> list[Place]:
    """The CPU in the place of GPUs, of which there are none."""
    return [place_of(f"gpu:{k}") for k in device_ids or [0]]


@contextmanager
def device_guard(device: str | None = None) -> Generator[None]:
    """Record for a device: the CPU stands for each. Raises ValueError for what is none."""
    place_of(device)
    yield


@contextmanager
def name_scope(prefix: str | None = None) -> Generator[None]:
    """Record under a heading, which says nothing."""
    del prefix
    yield
