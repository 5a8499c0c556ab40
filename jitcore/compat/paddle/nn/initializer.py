"""`paddle.nn.initializer`: how Parameters begin."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.compat.torch.nn import init
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor, wrap_like

__all__ = [
    "Assign",
    "Bilinear",
    "Constant",
    "Dirac",
    "Initializer",
    "KaimingNormal",
    "KaimingUniform",
    "Normal",
    "Orthogonal",
    "TruncatedNormal",
    "Uniform",
    "XavierNormal",
    "XavierUniform",
    "calculate_gain",
    "set_global_initializer",
]


class Initializer:
    """The base: subclasses define `fill`, which fills the memory of a Tensor."""

    def __call__(self, param: Tensor, block: object = None) -> Any:
        del block
        self.fill(param)
        return param

    def fill(self, param: Tensor) -> None:
        """Fill the memory of a Tensor."""
        raise NotImplementedError


def fans(param: Tensor) -> tuple[int, int]:
    """(Inputs, outputs) of a weight: of a matrix (inputs, outputs), or of a convolution (outputs, inputs, …)."""
    shape = tuple(param.shape)
    if len(shape) < 2:
        return (shape[0], shape[0]) if shape else (1, 1)
    if len(shape) == 2:
        return shape[0], shape[1]
    reach = math.prod(shape[2:])
    return shape[1] * reach, shape[0] * reach


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much weights before a nonlinearity are to be larger. Raises ValueError for one that is not known."""
    of_transposes = ("conv1d_transpose", "conv2d_transpose", "conv3d_transpose")
    known = {"sigmoid", "linear", "conv1d", "conv2d", "conv3d", "tanh", "relu", "leaky_relu", "selu"}
    if nonlinearity in of_transposes:
        return 1
    if nonlinearity not in known:
        raise ValueError(f"nonlinearity function {nonlinearity} is not supported now.")
    return init.calculate_gain(nonlinearity, param)


class Constant(Initializer):
    """The same number everywhere."""

    def __init__(self, value: float = 0.0) -> None:
        self._value = value

    def fill(self, param: Tensor) -> None:
        init.constant_(param, self._value)


class Uniform(Initializer):
    """Numbers from [low, high)."""

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None) -> None:
        del name
        self._low, self._high = low, high

    def fill(self, param: Tensor) -> None:
        init.uniform_(param, self._low, self._high)


class Normal(Initializer):
    """Numbers of a normal distribution."""

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> None:
        del name
        self._mean, self._std = mean, std

    def fill(self, param: Tensor) -> None:
        init.normal_(param, self._mean, self._std)


class TruncatedNormal(Initializer):
    """Numbers of a normal distribution without those outside of [a, b]."""

    def __init__(
        self, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, name: str | None = None
    ) -> None:
        del name
        self._mean, self._std, self._bounds = mean, std, (a, b)

    def fill(self, param: Tensor) -> None:
        init.trunc_normal_(param, self._mean, self._std, *self._bounds)


class XavierUniform(Initializer):
    """Uniform, as wide as fits inputs and outputs (Glorot and Bengio 2010)."""

    def __init__(
        self, fan_in: float | None = None, fan_out: float | None = None, gain: float = 1.0, name: str | None = None
    ) -> None:
        del name
        self._fans, self._gain = (fan_in, fan_out), gain

    def _scale(self, param: Tensor) -> float:
        """The standard deviation."""
        both = sum(own if given is None else given for given, own in zip(self._fans, fans(param), strict=True))
        return self._gain * math.sqrt(2.0 / both) if both else 0.0

    def fill(self, param: Tensor) -> None:
        bound = math.sqrt(3.0) * self._scale(param)
        init.uniform_(param, -bound, bound)


class XavierNormal(XavierUniform):
    """Normal, as wide as fits inputs and outputs."""

    def fill(self, param: Tensor) -> None:
        init.normal_(param, 0.0, self._scale(param))


class KaimingUniform(Initializer):
    """Uniform, as wide as fits the inputs of a nonlinearity (He et al. 2015)."""

    def __init__(
        self,
        fan_in: float | None = None,
        negative_slope: float = 0.0,
        nonlinearity: str = "relu",
        mode: str = "fan_in",
    ) -> None:
        if mode not in ("fan_in", "fan_out"):
            raise ValueError(f"mode is 'fan_in' or 'fan_out', not {mode!r}")
        self._fan, self._slope, self._kind, self._mode = fan_in, negative_slope, nonlinearity, mode

    def _scale(self, param: Tensor) -> float:
        own = fans(param)[self._mode == "fan_out"]
        count = own if self._fan is None else self._fan
        return calculate_gain(self._kind, self._slope) / math.sqrt(count) if count else 0.0

    def fill(self, param: Tensor) -> None:
        bound = math.sqrt(3.0) * self._scale(param)
        init.uniform_(param, -bound, bound)


class KaimingNormal(KaimingUniform):
    """Normal, as wide as fits the inputs of a nonlinearity."""

    def fill(self, param: Tensor) -> None:
        init.normal_(param, 0.0, self._scale(param))


class Assign(Initializer):
    """Numbers that are given."""

    def __init__(self, value: Tensor | np.ndarray[Any, Any] | Sequence[Any], name: str | None = None) -> None:
        del name
        self._value = value

    def fill(self, param: Tensor) -> None:
        given: Any = self._value
        array = np.asarray(given.asnumpy() if isinstance(given, Tensor) else given)
        if array.shape != tuple(param.shape):
            array = array.reshape(tuple(param.shape))
        _write(param, array)


def _write(param: Tensor, array: np.ndarray[Any, Any]) -> None:
    dtype = values.dtype_of_value(param).numpy
    with nodes.recording(False):
        evaluator().write(param, wrap_like(param, np.ascontiguousarray(array, dtype)))


class Orthogonal(Initializer):
    """Rows, or columns, that are orthogonal (Saxe et al. 2013)."""

    def __init__(self, gain: float = 1.0, name: str | None = None) -> None:
        del name
        self._gain = gain

    def fill(self, param: Tensor) -> None:
        init.orthogonal_(param, self._gain)


class Dirac(Initializer):
    """Weights of a convolution that give its input again."""

    def __init__(self, groups: int = 1, name: str | None = None) -> None:
        del name
        self._groups = groups

    def fill(self, param: Tensor) -> None:
        init.dirac_(param, self._groups)


class Bilinear(Initializer):
    """Weights of a transposed convolution that enlarges images."""

    def fill(self, param: Tensor) -> None:
        shape = tuple(param.shape)
        if len(shape) != 4 or shape[2] != shape[3]:
            raise ValueError(f"Bilinear takes weights (outputs, inputs, k, k), not of shape {list(shape)}")
        size = shape[3]
        factor = math.ceil(size / 2.0)
        centre = (2 * factor - 1 - factor % 2) / (2.0 * factor)
        line = 1 - np.abs(np.arange(size) / factor - centre)
        _write(param, np.broadcast_to(np.outer(line, line), shape))


class _Global:
    """What Parameters begin with that are told nothing else."""

    weight: Any = None
    bias: Any = None


Fill: TypeAlias = Callable[[Any], Any]


_GLOBAL: Final = _Global()


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Have Parameters begin otherwise, where a Layer or its user say nothing; None for as before."""
    _GLOBAL.weight, _GLOBAL.bias = weight_init, bias_init


def default_initializer(given: Fill | None, is_bias: bool) -> Any:
    """What a Parameter begins with, of which its Layer says `given`."""
    chosen = _GLOBAL.bias if is_bias else _GLOBAL.weight
    if chosen is not None:
        return chosen
    if given is not None:
        return given
    return Constant(0.0) if is_bias else XavierUniform()
