"""`oneflow.framework.tensor`: the Tensor, and tuples of them."""

from __future__ import annotations

from typing import Any

from jitcore.compat.oneflow.tables import functions
from jitcore.compat.oneflow.tensor import Tensor

tensor: Any = vars(functions)["tensor"]

__all__ = ["Tensor", "TensorTuple", "is_nonzero", "tensor", "zero_"]


class TensorTuple(list[Any]):
    """Tensors in order."""

    def __repr__(self) -> str:
        return f"TensorTuple({super().__repr__()})"


def is_nonzero(input: Tensor) -> bool:
    """Whether the one element of a Tensor is not 0. Raises RuntimeError if it has not one."""
    return bool(input)


def zero_(input: Tensor) -> Any:
    """The Tensor, all 0."""
    return input.zero_()
