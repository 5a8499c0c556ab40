"""Activations as Cells."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn.cell import Cell


class ReLU(Cell):
    """max(x, 0)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.relu(x)


class ReLU6(Cell):
    """min(max(x, 0), 6)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.relu6(x)


class LeakyReLU(Cell):
    """x, but alpha * x where x is negative."""

    def __init__(self, alpha: float = 0.2) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.leaky_relu(x, self.alpha)


class ELU(Cell):
    """x, but alpha * (exp(x) - 1) where x is negative."""

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.elu(x, self.alpha)


class GELU(Cell):
    """x times the normal distribution function of x, by tanh if `approximate`."""

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = "tanh" if approximate else "none"

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.gelu(x, self.approximate)


class SiLU(Cell):
    """x * sigmoid(x)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.silu(x)


class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.sigmoid(x)


class Tanh(Cell):
    """The hyperbolic tangent."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.tanh(x)


class HSigmoid(Cell):
    """min(max(x + 3, 0), 6) / 6."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.hardsigmoid(x)


class HSwish(Cell):
    """x * min(max(x + 3, 0), 6) / 6."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.hardswish(x)


class Softmax(Cell):
    """exp(x) over its sum along `axis`."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.softmax(x, self.axis)


class LogSoftmax(Cell):
    """log(softmax(x)) along `axis`."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.log_softmax(x, self.axis)


ACTIVATIONS: dict[str, type[Cell]] = {
    "relu": ReLU,
    "relu6": ReLU6,
    "leakyrelu": LeakyReLU,
    "elu": ELU,
    "gelu": GELU,
    "silu": SiLU,
    "sigmoid": Sigmoid,
    "tanh": Tanh,
    "hsigmoid": HSigmoid,
    "hswish": HSwish,
    "softmax": Softmax,
    "logsoftmax": LogSoftmax,
}
"""Activations by the names they have as strings."""


def get_activation(activation: Any) -> Any:
    """An activation by name; a Cell or function as it is. Raises ValueError for an unknown name."""
    if not isinstance(activation, str):
        return activation
    if activation not in ACTIVATIONS:
        raise ValueError(f"there is no activation {activation!r}; there are {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[activation]()
