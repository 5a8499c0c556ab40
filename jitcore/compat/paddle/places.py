"""Where memory is: the CPU. `CUDAPlace` and the like are the CPU, too, with one warning."""

from __future__ import annotations

import re
import warnings
from typing import Final

from jitcore.runtime.notices import user_level


class Place:
    """A device. All there is of them is the CPU.

    >>> CPUPlace()
    Place(cpu)
    """

    def is_cpu_place(self) -> bool:
        """Whether it is the CPU: yes."""
        return True

    def is_gpu_place(self) -> bool:
        """Whether it is a GPU: no."""
        return False

    def is_cuda_pinned_place(self) -> bool:
        """Whether it is memory that a GPU reads: no."""
        return False

    def is_xpu_place(self) -> bool:
        """Whether it is an XPU: no."""
        return False

    def is_custom_place(self) -> bool:
        """Whether it is another device: no."""
        return False

    def __repr__(self) -> str:
        return "Place(cpu)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place)

    def __hash__(self) -> int:
        return hash("cpu")


class CPUPlace(Place):
    """The CPU."""


_told: Final[set[str]] = set()
"""The devices whose lack has been told."""


def _tell_once(device: str) -> None:
    if device not in _told:
        _told.add(device)
        warnings.warn(
            f"there is no {device} here: jitcore computes on the CPU, which stands for it",
            UserWarning,
            stacklevel=user_level(),
        )


class CUDAPlace(Place):
    """A GPU, for which the CPU stands: a UserWarning says so once."""

    def __init__(self, device_id: int = 0) -> None:
        _tell_once("GPU")
        self._id = device_id

    def get_device_id(self) -> int:
        """The number that it was given."""
        return self._id


class CUDAPinnedPlace(Place):
    """Memory that a GPU reads, for which the CPU's stands: a UserWarning says so once."""

    def __init__(self) -> None:
        _tell_once("GPU")


class XPUPlace(Place):
    """An XPU, for which the CPU stands: a UserWarning says so once."""

    def __init__(self, device_id: int = 0) -> None:
        _tell_once("XPU")
        self._id = device_id

    def get_device_id(self) -> int:
        """The number that it was given."""
        return self._id


_DEVICE: Final = re.compile(r"(cpu|gpu|xpu|cuda|npu|ipu)(:\d+)?")


def place_of(device: object) -> Place:
    """The place that a text (`"cpu"`, `"gpu:0"`) or a place means; None is the CPU. A UserWarning says once that the
    CPU stands for another device. Raises ValueError for what is no device."""
    if device is None:
        return CPUPlace()
    if isinstance(device, Place):
        return device
    found = _DEVICE.fullmatch(device.lower()) if isinstance(device, str) else None
    if found is None:
        raise ValueError(
            f"The device must be a string which is like 'cpu', 'gpu', 'gpu:x' or 'xpu:x', or a place, not {device!r}"
        )
    if found[1] == "cpu":
        return CPUPlace()
    return XPUPlace() if found[1] == "xpu" else CUDAPlace(int((found[2] or ":0")[1:]))


def set_device(device: str) -> Place:
    """Have memory be on a device: the CPU, which stands for any. Raises ValueError for what is no device."""
    return place_of(device)


def get_device() -> str:
    """Where memory is.

    >>> get_device()
    'cpu'
    """
    return "cpu"


def is_compiled_with_cuda() -> bool:
    """Whether there may be GPUs: no."""
    return False


is_compiled_with_rocm = is_compiled_with_xpu = is_compiled_with_ipu = is_compiled_with_cuda
is_compiled_with_cinn = is_compiled_with_distribute = is_compiled_with_cuda


def is_compiled_with_custom_device(device_type: str) -> bool:
    """Whether there may be devices of a kind: no."""
    del device_type
    return False


def get_cudnn_version() -> None:
    """The version of cuDNN: there is none."""
