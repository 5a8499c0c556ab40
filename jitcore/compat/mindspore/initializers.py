"""MindSpore's `initializer`, and functions of its module of initializers that carry an underscore and that networks'
own initializers use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from jitcore.common.initializer import INITIALIZERS, FillError, Initializer, fans, gain
from jitcore.common.initializer import initializer as plain_initializer
from jitcore.compat.mindspore.refusals import initializers as refused
from jitcore.compat.mindspore.refusals import tensors
from jitcore.compat.mindspore.tensor import Tensor, of_framework
from jitcore.runtime import random
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.types import DType, f32

_C = TypeVar("_C", bound=type[Initializer])


def assignment(arr: NDArray[Any], num: Any) -> NDArray[Any]:
    """Write a number, or the elements of an array, into an array; gives it."""
    arr[...] = num if np.ndim(num) == 0 else np.reshape(num, arr.shape)
    return arr


def correct_fan(shape: Sequence[int], mode: str) -> int:
    """The number of inputs ('fan_in') or outputs ('fan_out') of a weight. Raises ValueError for another mode."""
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"'mode' {mode} not supported, please use one of ['fan_in', 'fan_out'].")
    return fans(shape)[mode == "fan_out"]


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """What the deviation of weights is multiplied by, for the activation function behind them."""
    if nonlinearity.startswith("conv"):
        return 1.0
    return gain(nonlinearity, 0.01 if param is None else param)


def init_random_normal(mean: float, sigma: float, shape: Sequence[int]) -> NDArray[Any]:
    """Elements of the normal distribution."""
    return random.generator().normal(mean, sigma, tuple(shape)).astype(np.float32)


def init_random_uniform(a: float, b: float, shape: Sequence[int]) -> NDArray[Any]:
    """Elements of the uniform distribution."""
    return random.generator().uniform(a, b, tuple(shape)).astype(np.float32)


def register(*aliases: str) -> Callable[[_C], _C]:
    """Have an initializer's class found by its name and others."""

    def named(cls: _C) -> _C:
        for alias in (cls.__name__, *aliases):
            INITIALIZERS[alias.lower()] = cls
        return cls

    return named


def initializer(init: Any, shape: Any = None, dtype: Any = f32) -> Tensor:
    """As `jitcore.common.initializer.initializer`, which refuses in MindSpore's words."""
    if not isinstance(init, AnyTensor | int | float | str | Initializer):
        raise TypeError(
            "For 'initializer', the type of the 'init' argument should be 'Tensor', 'number', 'string' or "
            f"'initializer', but got {type(init)}."
        )
    if isinstance(init, AnyTensor):
        if shape is not None and tuple(shape) != tuple(init.shape):
            raise ValueError(
                "For 'initializer', the shape of the 'init' argument should be same as the argument 'shape', but got "
                f"the 'init' shape {list(init.shape)} and the 'shape' {list(shape)}."
            )
    elif shape is not None:
        extents = (shape,) if isinstance(shape, int) else shape
        if isinstance(extents, str) or any(not isinstance(n, int) or n <= 0 for n in extents):
            raise ValueError(
                "For 'initializer', the argument 'shape' is invalid, "
                f"the value of 'shape' must be positive integer, but got {extents}"
            )
    if not isinstance(dtype, DType):
        raise tensors.without_dtype(dtype.__name__ if isinstance(dtype, type) else repr(dtype))
    try:
        return of_framework(plain_initializer(init, shape, dtype))
    except FillError as error:
        raise refused.of_fill(error) from None
