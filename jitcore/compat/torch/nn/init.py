"""`torch.nn.init`: Tensors filled in place, as parameters begin."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore import ops
from jitcore.compat.torch.declaring import made_like
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.library.random import sampling
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_",
    "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse",
    "sparse_", "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_", "xavier_uniform",
    "xavier_uniform_", "zeros_",
]  # fmt: skip


def _filled(tensor: Tensor, made: object) -> Any:
    """The Tensor, with what was made written into it."""
    with nodes.recording(False):
        evaluator().write(tensor, made_like(tensor, elementwise.astype(made, values.dtype_of_value(tensor))))
    return tensor


def _drawn(tensor: Tensor, kind: Callable[..., Any], scale: float, shift: float, generator: object) -> Any:
    with nodes.recording(False):
        unit = kind(tuple(tensor.shape), f32, sampling.generated(generator))
        return ops.add_ext(ops.mul(unit, scale), shift)


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: object = None) -> Any:
    """Numbers from [a, b)."""
    return _filled(tensor, _drawn(tensor, sampling.uniform01, b - a, a, generator))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: object = None) -> Any:
    """Numbers of a normal distribution."""
    return _filled(tensor, _drawn(tensor, sampling.normal01, std, mean, generator))


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: object = None
) -> Any:
    """Numbers of a normal distribution without those outside of [a, b]."""
    low, high = (math.erf((bound - mean) / std / math.sqrt(2)) for bound in (a, b))
    unit = _drawn(tensor, sampling.uniform01, high - low, low, generator)
    made = ops.add_ext(ops.mul(ops.erfinv(unit), std * math.sqrt(2)), mean)
    return _filled(tensor, ops.clamp(made, a, b))


def constant_(tensor: Tensor, val: float) -> Any:
    """The same number everywhere."""
    return _filled(tensor, ops.full(tuple(tensor.shape), val))


def ones_(tensor: Tensor) -> Any:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Any:
    """Zeros."""
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Any:
    """The identity matrix. Raises ValueError for what is no matrix."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return _written(tensor, np.eye(tensor.shape[0], tensor.shape[1]))


def _written(tensor: Tensor, array: np.ndarray[Any, Any]) -> Any:
    return _filled(tensor, Tensor(array))


def dirac_(tensor: Tensor, groups: int = 1) -> Any:
    """Weights of a convolution that give its input again. Raises ValueError for what is no such weight."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    array = np.zeros(tuple(tensor.shape))
    each = tensor.shape[0] // groups
    centre = tuple(n // 2 for n in tensor.shape[2:])
    for group in range(groups):
        for k in range(min(each, tensor.shape[1])):
            array[(group * each + k, k, *centre)] = 1
    return _written(tensor, array)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much weights before a nonlinearity are to be larger. Raises ValueError for one that is not known."""
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        known = isinstance(slope, int | float)  # pyright: ignore[reportUnnecessaryIsInstance]
        if isinstance(slope, bool) or not known:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    known = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4, "sigmoid": 1}
    linear = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
    if nonlinearity in linear:
        return 1
    if nonlinearity not in known:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return known[nonlinearity]


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:  # pyright: ignore[reportUnusedFunction]
    return fans(tensor)


def fans(tensor: Tensor) -> tuple[int, int]:
    """How many elements go into one of a layer's results, and come of one of its inputs. Raises ValueError for a Tensor
    of less than 2 dimensions."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    window = math.prod(tensor.shape[2:])
    return tensor.shape[1] * window, tensor.shape[0] * window


def _fan(tensor: Tensor, mode: str) -> int:
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return fans(tensor)[mode.lower() == "fan_out"]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: object = None) -> Any:
    """Glorot and Bengio 2010: uniform."""
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: object = None) -> Any:
    """Glorot and Bengio 2010: normal."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(fans(tensor))), generator)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: object = None,
) -> Any:
    """He et al. 2015: uniform."""
    if 0 in tensor.shape:
        return tensor
    bound = math.sqrt(3.0) * calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: object = None,
) -> Any:
    """He et al. 2015: normal."""
    if 0 in tensor.shape:
        return tensor
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode)), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: object = None) -> Any:
    """Saxe et al. 2013: a matrix with orthonormal rows or columns. Raises ValueError for less than 2 dimensions."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    rows = tensor.shape[0]
    columns = math.prod(tensor.shape[1:])
    flat = Tensor(np.zeros((rows, columns), np.float32))
    drawn = normal_(flat, generator=generator).asnumpy().astype(np.float64)
    q, r = np.linalg.qr(drawn.T if rows < columns else drawn)
    q = q * np.sign(np.diag(r))
    return _written(tensor, gain * (q.T if rows < columns else q).reshape(tuple(tensor.shape)))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: object = None) -> Any:
    """A matrix of a normal distribution, a part of each column 0. Raises ValueError for what is no matrix."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows = tensor.shape[0]
    order = _drawn(tensor, sampling.uniform01, 1.0, 0.0, generator).asnumpy().argsort(0)
    drawn = _drawn(tensor, sampling.normal01, std, 0.0, generator).asnumpy()
    return _written(tensor, np.where(order < math.ceil(sparsity * rows), 0, drawn))


uniform, normal, constant, eye, dirac = uniform_, normal_, constant_, eye_, dirac_
xavier_uniform, xavier_normal, kaiming_uniform = xavier_uniform_, xavier_normal_, kaiming_uniform_
kaiming_normal, orthogonal, sparse = kaiming_normal_, orthogonal_, sparse_
