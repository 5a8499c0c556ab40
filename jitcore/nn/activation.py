"""Activations as Cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore import ops
from jitcore.common.initializer import initializer
from jitcore.common.parameter import Parameter
from jitcore.library.core.marking import library
from jitcore.library.core.values import shape_of
from jitcore.library.math import elementwise
from jitcore.library.nn import activations, logistic
from jitcore.library.random import sampling
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32

_public = library("tensor")
_selu = _public(activations.selu)
_celu = _public(activations.continuous_elu)
_mish = _public(activations.mish)
_softsign = _public(activations.softsign)
_log_sigmoid = _public(logistic.logsigmoid)
_hard_shrink = _public(activations.hardshrink)
_soft_shrink = _public(activations.softshrink)
_tanh_shrink = _public(activations.tanhshrink)
_threshold = _public(activations.threshold)
_hard_tanh = _public(activations.hard_tanh)
_fast_gelu = _public(activations.fast_gelu)
_glu = _public(activations.glu)
_prelu = _public(activations.prelu)


@_public
def _slopes(x: Any, lower: Any, upper: Any) -> Any:
    """Random numbers from [lower, upper), one for each element of x."""
    span = elementwise.subtract(upper, lower)
    return elementwise.add(elementwise.multiply(sampling.uniform01(shape_of(x)), span), lower)


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


class SeLU(Cell):
    """The scaled exponential unit (Klambauer et al. 2017)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _selu(x)


class Mish(Cell):
    """x * tanh(softplus(x))."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _mish(x)


class Softsign(Cell):
    """x / (1 + |x|)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _softsign(x)


class Softplus(Cell):
    """log(1 + exp(x))."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.softplus(x)


class LogSigmoid(Cell):
    """log(sigmoid(x))."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _log_sigmoid(x)


class Tanhshrink(Cell):
    """x - tanh(x)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _tanh_shrink(x)


class FastGelu(Cell):
    """x * sigmoid(1.702 x)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _fast_gelu(x)


class LeakyReLU(Cell):
    """x, but alpha * x where x is negative."""

    def __init__(self, alpha: float = 0.2) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.leaky_relu(x, self.alpha)

    def extend_repr(self) -> str:
        return f"alpha={self.alpha}"


class RReLU(Cell):
    """x, but a * x where x is negative, a drawn anew for each from [lower, upper) (Xu et al. 2015)."""

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3) -> None:
        super().__init__()
        for what, value in (("lower", lower), ("upper", upper)):
            if isinstance(value, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
                value, int | float
            ):
                raise TypeError(f"{what} of RReLU is a number, not {type(value).__name__}")
        if lower > upper:
            raise ValueError(f"lower of RReLU must not be above upper, but they are {lower} and {upper}")
        self.lower = float(lower)
        self.upper = float(upper)

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        slope = ops.cast(_slopes(x, self.lower, self.upper), x.dtype)
        return ops.where(x < 0, x * slope, x)


class ELU(Cell):
    """x, but alpha * (exp(x) - 1) where x is negative."""

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.elu(x, self.alpha)

    def extend_repr(self) -> str:
        return f"alpha={self.alpha}"


class CELU(Cell):
    """x, but alpha * (exp(x / alpha) - 1) where x is negative."""

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _celu(x, self.alpha)

    def extend_repr(self) -> str:
        return f"alpha={self.alpha}"


class HShrink(Cell):
    """x, but 0 within `lambd` of 0."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _hard_shrink(x, self.lambd)

    def extend_repr(self) -> str:
        return f"lambd={self.lambd}"


class SoftShrink(Cell):
    """x moved towards 0 by `lambd`, and no further."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _soft_shrink(x, self.lambd)

    def extend_repr(self) -> str:
        return f"lambd={self.lambd}"


class Threshold(Cell):
    """x where it is above `threshold`, else `value`."""

    def __init__(self, threshold: float, value: float) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _threshold(x, self.threshold, self.value)

    def extend_repr(self) -> str:
        return f"threshold={self.threshold}, value={self.value}"


class Hardtanh(Cell):
    """x clipped to [min_val, max_val]."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0) -> None:
        super().__init__()
        if min_val > max_val:
            raise ValueError(f"max_val of Hardtanh must not be below min_val, but they are {max_val} and {min_val}")
        self.min_val = min_val
        self.max_val = max_val

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _hard_tanh(x, self.min_val, self.max_val)

    def extend_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}"


class GLU(Cell):
    """The first half of x along `axis`, times the sigmoid of the second."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _glu(x, self.axis)

    def extend_repr(self) -> str:
        return f"axis={self.axis}"


class Softmax(Cell):
    """exp(x) over its sum along `axis`."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.softmax(x, self.axis)

    def extend_repr(self) -> str:
        return f"axis={self.axis}"


class Softmin(Cell):
    """exp(-x) over its sum along `axis`."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.softmax(-x, self.axis)

    def extend_repr(self) -> str:
        return f"axis={self.axis}"


class LogSoftmax(Cell):
    """log(softmax(x)) along `axis`."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.log_softmax(x, self.axis)

    def extend_repr(self) -> str:
        return f"axis={self.axis}"


class GELU(Cell):
    """x times the normal distribution function of x, by tanh if `approximate`."""

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = "tanh" if approximate else "none"

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.gelu(x, self.approximate)


class Softmax2d(Cell):
    """exp(x) over its sum along the channels of x (N, C, H, W) or (C, H, W)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.softmax(x, -3)


class PReLU(Cell):
    """x, but w * x where x is negative; w (channel,) is a Parameter: one for each channel (axis 1), or one for all."""

    def __init__(self, channel: int = 1, w: Any = 0.25, dtype: Any = f32) -> None:
        super().__init__()
        if channel <= 0:
            raise ValueError(f"channel of PReLU must be positive, but is {channel}")
        given = np.asarray(w.asnumpy() if isinstance(w, Tensor) else w, np.float32)
        if given.ndim and given.shape != (channel,):
            raise ValueError(f"w of PReLU has shape {given.shape}, but there are {channel} channels")
        self.channel = channel
        self.w = Parameter(initializer(Tensor(np.broadcast_to(given, (channel,)).copy()), (channel,), dtype), name="a")

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _prelu(x, self.w)


ACTIVATIONS: dict[str, type[Cell]] = {
    "softmin": Softmin,
    "softmax": Softmax,
    "softmax2d": Softmax2d,
    "logsoftmax": LogSoftmax,
    "relu": ReLU,
    "relu6": ReLU6,
    "silu": SiLU,
    "tanh": Tanh,
    "gelu": GELU,
    "fast_gelu": FastGelu,
    "elu": ELU,
    "sigmoid": Sigmoid,
    "prelu": PReLU,
    "leakyrelu": LeakyReLU,
    "hswish": HSwish,
    "hsigmoid": HSigmoid,
    "logsigmoid": LogSigmoid,
    "selu": SeLU,
    "mish": Mish,
    "softplus": Softplus,
    "softsign": Softsign,
    "tanhshrink": Tanhshrink,
    "hshrink": HShrink,
    "softshrink": SoftShrink,
    "hardtanh": Hardtanh,
    "celu": CELU,
    "glu": GLU,
}
"""Activations by the names they have as strings."""


def get_activation(name: Any, prim_name: str | None = None) -> Any:
    """An activation by name (None for None or ''); a Cell or function as it is. Raises KeyError for an unknown name."""
    if not isinstance(name, str):
        return name
    if not name:
        return None
    if name.lower() not in ACTIVATIONS:
        where = f" for {prim_name}" if prim_name else ""
        raise KeyError(f"there is no activation {name!r}{where}; there are {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[name.lower()]()
