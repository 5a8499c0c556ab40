"""`oneflow.cuda`: there is none, and programs that ask are told so."""

from __future__ import annotations

from typing import NoReturn

from jitcore.compat.torch.cuda import device_count, empty_cache, is_available, manual_seed, manual_seed_all

__all__ = [
    "current_device",
    "device_count",
    "empty_cache",
    "is_available",
    "manual_seed",
    "manual_seed_all",
    "set_device",
    "synchronize",
]


def _refuse() -> NoReturn:
    raise RuntimeError("there is no GPU here: jitcore computes on the CPU")


def current_device() -> NoReturn:
    """RuntimeError: there is no GPU."""
    _refuse()


def set_device(device: object) -> NoReturn:
    """RuntimeError: there is no GPU."""
    del device
    _refuse()


def synchronize(device: object = None) -> NoReturn:
    """RuntimeError: there is no GPU."""
    del device
    _refuse()
