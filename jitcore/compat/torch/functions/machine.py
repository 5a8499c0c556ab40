"""Settings of the process that PyTorch has, and questions whose answer is the same here for all Tensors."""

from __future__ import annotations

import os
from typing import Any, Final

from jitcore.compat.torch.declaring import METHODS, method, only_method, require_device
from jitcore.compat.torch.sizes import device
from jitcore.library import tables
from jitcore.library.core import marking
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor

_state: Final[dict[str, Any]] = {"deterministic": False, "precision": "highest", "threads": os.cpu_count() or 1}


def get_num_threads() -> int:
    """The number that `set_num_threads` was given."""
    return _state["threads"]


def set_num_threads(int: int) -> None:
    """Note a number of threads: jitcore takes its own from its settings."""
    if int <= 0:
        raise RuntimeError("Expected positive integer for set_num_threads")
    _state["threads"] = int


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Note whether results are to be the same in every run, which here they always are."""
    del warn_only
    _state["deterministic"] = bool(mode)


def are_deterministic_algorithms_enabled() -> bool:
    """What `use_deterministic_algorithms` was told."""
    return _state["deterministic"]


def set_float32_matmul_precision(precision: str) -> None:
    """Note how exact products of float32 are to be: here always as exact as they can."""
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"set_float32_matmul_precision: {precision!r} is none of 'highest', 'high', 'medium'")
    _state["precision"] = precision


def get_float32_matmul_precision() -> str:
    """What `set_float32_matmul_precision` was told."""
    return _state["precision"]


def set_default_device(where: device | str | None) -> None:
    """Raise RuntimeError unless memory is there."""
    require_device(where)


def get_default_device() -> device:
    """Where memory is."""
    return device("cpu")


def set_flush_denormal(mode: bool) -> bool:
    """Whether denormal numbers can be made 0: no."""
    del mode
    return False


@method
def resolve_conj(input: Tensor) -> Any:
    return input


@method
def resolve_neg(input: Tensor) -> Any:
    return input


@method
def conj_physical(input: Tensor) -> Any:
    return elementwise.conjugate(input)


@method
def is_conj(input: Tensor) -> Any:
    del input
    return False


@method
def is_neg(input: Tensor) -> Any:
    del input
    return False


@method
def is_inference(input: Tensor) -> Any:
    del input
    return False


@only_method
def is_pinned(input: Tensor) -> Any:
    del input
    return False


@only_method
def is_shared(input: Tensor) -> Any:
    del input
    return False


@only_method
def pin_memory(input: Tensor) -> Any:
    return input


@only_method
def share_memory_(input: Tensor) -> Any:
    return input


@only_method
def get_device(input: Tensor) -> Any:
    del input
    return -1


def _is(answer: bool) -> property:
    def of(input: Tensor) -> bool:
        del input
        return answer

    return property(of)


@marking.library()
def _transposed(input: Tensor) -> Any:
    return elementwise.conjugate(tables.ARRAY_PROPERTIES["mT"](input))


_PROPERTIES: Final[dict[str, Any]] = {
    "is_cpu": _is(True), "is_cuda": _is(False), "is_meta": _is(False), "is_mps": _is(False), "is_xpu": _is(False),
    "is_sparse": _is(False), "is_quantized": _is(False), "is_nested": _is(False), "H": property(_transposed),
    "mH": property(_transposed),
}  # fmt: skip
METHODS.update(_PROPERTIES)
