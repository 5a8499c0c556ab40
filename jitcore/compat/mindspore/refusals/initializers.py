"""What MindSpore says of arrays that an initializer does not fill, and of what one is made with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jitcore.common import initializer as kinds
from jitcore.common.initializer import FillError, Initializer

_FANS: Final = (kinds.XavierUniform, kinds.XavierNormal, kinds.HeUniform, kinds.HeNormal, kinds.VarianceScaling)
"""Initializers that go by the numbers of a weight's inputs and outputs."""
_ARGUMENTS: Final = {
    "scale": "greater than 0",
    "mode": "fan_in, fan_out or fan_avg",
    "distribution": "uniform, truncated_norm or untruncated_norm",
}


def worded(cls: type[Initializer], given: Mapping[str, Any], error: BaseException) -> BaseException:
    """The exception for arguments, of which `error` was raised."""
    name = next(name for name in _ARGUMENTS if name in str(error))
    return ValueError(
        f"For {cls.__name__} initializer, the argument '{name}' must be {_ARGUMENTS[name]}, but got {given[name]}."
    )


def of_fill(error: FillError) -> BaseException:
    """The exception for an array, or for the shape of a Tensor."""
    if isinstance(error.filler, Initializer):
        return _unfilled(error.filler, error.shape) or ValueError(str(error))
    return ValueError(
        "For 'initializer', the shape of the 'init' argument should be same as the argument 'shape', but got the "
        f"'init' shape {list(error.filler.shape)} and the 'shape' {list(error.shape)}."
    )


def _unfilled(filled: Initializer, shape: tuple[int, ...]) -> BaseException | None:
    rank, subject = len(shape), f"For {type(filled).__name__} initializer, "
    wanted = f"{subject}the dimension of the initialized tensor should be"
    match filled:
        case kinds.Identity() | kinds.Sparse() if rank != 2:
            return ValueError(f"{wanted} 2, but got {rank}.")
        case kinds.Orthogonal() if rank < 2:
            return ValueError(f"{wanted} no less than 2, but got {rank}.")
        case kinds.Dirac() if rank not in (3, 4, 5):
            return ValueError(
                f"{subject}only support to initialize tensor with dimension of 3, 4 or 5, but got {rank}."
            )
        case kinds.Dirac():
            return ValueError(
                f"{subject}the first dimension ofthe initialized tensor must be divisible by groups, but got first "
                f"dimension{shape[0]}, groups{filled.groups}."
            )
        case kinds.HeUniform() | kinds.HeNormal() if filled.mode not in ("fan_in", "fan_out"):
            return ValueError(f"'mode' {filled.mode} not supported, please use one of ['fan_in', 'fan_out']")
        case _ if isinstance(filled, _FANS) and rank < 2:
            return ValueError(
                "'fan_in' and 'fan_out' can not be computed for tensor with fewer than 2 dimensions, but got "
                f"dimensions {rank}."
            )
        case kinds.HeUniform() | kinds.HeNormal():
            return ValueError(
                "For 'HeUniform', the argument 'nonlinearity' should be one of ['sigmoid', 'tanh', 'relu' or "
                f"'leaky_relu'], but got {filled.nonlinearity}."
            )
        case _:
            return None
