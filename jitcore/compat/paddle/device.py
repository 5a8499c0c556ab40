"""`paddle.device` and `paddle.device.cuda`: there are no devices besides the CPU."""

from __future__ import annotations

from jitcore.compat.paddle.places import get_device, set_device

__all__ = [
    "device_count",
    "empty_cache",
    "get_all_custom_device_type",
    "get_all_device_type",
    "get_available_custom_device",
    "get_available_device",
    "get_default_device",
    "get_device",
    "is_available",
    "set_device",
]


def device_count() -> int:
    """How many devices there are besides the CPU: none."""
    return 0


def is_available() -> bool:
    """Whether there are devices besides the CPU: no."""
    return False


def get_all_device_type() -> list[str]:
    """The kinds of devices that there are besides the CPU: none."""
    return []


get_available_device = get_all_custom_device_type = get_available_custom_device = get_all_device_type


def get_default_device() -> str:
    """Where memory is."""
    return get_device()


def empty_cache() -> None:
    """Nothing: there is no memory of a device."""
