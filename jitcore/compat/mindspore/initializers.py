"""Functions of MindSpore's module of initializers that carry an underscore and that networks' own initializers use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from jitcore.common.initializer import INITIALIZERS, Initializer, fans, gain
from jitcore.runtime import random

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
