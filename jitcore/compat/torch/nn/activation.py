"""Activations, as Modules."""

from __future__ import annotations

from typing import Any

from jitcore.compat.torch.arguments import Device, DTypeLike
from jitcore.compat.torch.declaring import require_device
from jitcore.compat.torch.functions.creation import full
from jitcore.compat.torch.networks import activations as functions
from jitcore.compat.torch.nn.module import Module
from jitcore.runtime.tensor import Tensor


class _InPlace(Module):
    """An activation that may be written into its input."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


def _and_in_place(text: str, inplace: bool) -> str:
    return f"{text}, inplace=True" if inplace else text


class ReLU(_InPlace):
    """max(x, 0)."""

    def forward(self, input: Tensor) -> Any:
        return functions.relu(input, self.inplace)


class SELU(_InPlace):
    """Self-normalising ELU (arXiv:1706.02515)."""

    def forward(self, input: Tensor) -> Any:
        return functions.selu(input, self.inplace)


class SiLU(_InPlace):
    """x * sigmoid(x)."""

    def forward(self, input: Tensor) -> Any:
        return functions.silu(input, self.inplace)


class Mish(_InPlace):
    """x * tanh(softplus(x))."""

    def forward(self, input: Tensor) -> Any:
        return functions.mish(input, self.inplace)


class Hardsigmoid(_InPlace):
    """min(max(x + 3, 0), 6) / 6."""

    def forward(self, input: Tensor) -> Any:
        return functions.hardsigmoid(input, self.inplace)


class Hardswish(_InPlace):
    """x * hardsigmoid(x)."""

    def forward(self, input: Tensor) -> Any:
        return functions.hardswish(input, self.inplace)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input: Tensor) -> Any:
        return functions.sigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Tensor) -> Any:
        return functions.tanh(input)


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input: Tensor) -> Any:
        return functions.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input: Tensor) -> Any:
        return functions.tanhshrink(input)


class LogSigmoid(Module):
    """log(sigmoid(x))."""

    def forward(self, input: Tensor) -> Any:
        return functions.logsigmoid(input)


class GELU(Module):
    """x times the normal distribution function of x, exact or by `tanh`."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Any:
        return functions.gelu(input, self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Hardshrink(Module):
    """x, but 0 where |x| <= lambd."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Any:
        return functions.hardshrink(input, self.lambd)

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Softshrink(Module):
    """x moved towards 0 by lambd."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Any:
        return functions.softshrink(input, self.lambd)

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class GLU(Module):
    """One half of x along an axis times the sigmoid of the other."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return functions.glu(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmax(Module):
    """exp(x) over its sum along an axis."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return functions.softmax(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmin(Module):
    """softmax(-x)."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return functions.softmin(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class LogSoftmax(Module):
    """log(softmax(x))."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return functions.log_softmax(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class LeakyReLU(Module):
    """x, its negative elements times a slope."""

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return functions.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return _and_in_place(f"negative_slope={self.negative_slope}", self.inplace)


class ELU(Module):
    """x, but alpha * (exp(x) - 1) where it is negative."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return functions.elu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        return _and_in_place(f"alpha={self.alpha}", self.inplace)


class CELU(Module):
    """x, but alpha * (exp(x / alpha) - 1) where it is negative."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return functions.celu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        return _and_in_place(f"alpha={self.alpha}", self.inplace)


class Softplus(Module):
    """log(1 + exp(beta x)) / beta; x itself where beta x is above a threshold."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Any:
        return functions.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class Hardtanh(Module):
    """x clipped to an interval."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace
        if max_val <= min_val:
            raise AssertionError(f"max_val must be larger than min_val, got {min_val} >= {max_val}")

    def forward(self, input: Tensor) -> Any:
        return functions.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return _and_in_place(f"min_val={self.min_val}, max_val={self.max_val}", self.inplace)


class ReLU6(Hardtanh):
    """min(max(x, 0), 6)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Threshold(Module):
    """x, but a value where it is not above a threshold."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return functions.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        return _and_in_place(f"threshold={self.threshold}, value={self.value}", self.inplace)


class RReLU(Module):
    """x, its negative elements times random numbers between two bounds; their mean if not training."""

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return functions.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        return _and_in_place(f"lower={self.lower}, upper={self.upper}", self.inplace)


class PReLU(Module):
    """x, its negative elements times a weight that is learnt, one for all channels or for each."""

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Device = None, dtype: DTypeLike = None
    ) -> None:
        super().__init__()
        require_device(device)
        self.num_parameters = num_parameters
        self.init = init
        self.weight = self._as_parameter(full((num_parameters,), init, dtype=dtype))

    def forward(self, input: Tensor) -> Any:
        return functions.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Softmax2d(Module):
    """softmax over the channels of images."""

    def forward(self, input: Tensor) -> Any:
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return functions.softmax(input, -3)
