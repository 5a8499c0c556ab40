"""`torch.cuda`: there is none, and programs that ask are told so."""

from __future__ import annotations

from typing import Any, NoReturn

from jitcore.compat.torch.sizes import device


def is_available() -> bool:
    """Whether there is a GPU."""
    return False


def device_count() -> int:
    """How many GPUs there are."""
    return 0


def is_initialized() -> bool:
    """Whether the GPU is in use."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the GPU has bfloat16."""
    del including_emulation
    return False


def manual_seed(seed: int) -> None:
    """Nothing: there are no generators to begin anew."""


def manual_seed_all(seed: int) -> None:
    """Nothing: there are no generators to begin anew."""


def empty_cache() -> None:
    """Nothing: nothing is cached."""


def memory_allocated(device: device | int | None = None) -> int:
    """The bytes in use."""
    del device
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def _absent(*args: object, **keywords: object) -> NoReturn:
    raise AssertionError("Torch not compiled with CUDA enabled")


synchronize: Any = _absent
current_device: Any = _absent
set_device: Any = _absent
get_device_name: Any = _absent
get_device_properties: Any = _absent
get_device_capability: Any = _absent
current_stream: Any = _absent
