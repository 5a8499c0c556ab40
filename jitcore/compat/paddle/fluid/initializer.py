"""`fluid.initializer`: how parameters begin, under fluid's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.compat.paddle.nn import initializer

__all__ = [
    "Bilinear",
    "BilinearInitializer",
    "Constant",
    "ConstantInitializer",
    "MSRA",
    "MSRAInitializer",
    "Normal",
    "NormalInitializer",
    "NumpyArrayInitializer",
    "TruncatedNormal",
    "TruncatedNormalInitializer",
    "Uniform",
    "UniformInitializer",
    "Xavier",
    "XavierInitializer",
]


class ConstantInitializer(initializer.Constant):
    """The same number everywhere."""

    def __init__(self, value: float = 0.0, force_cpu: bool = False) -> None:
        del force_cpu
        super().__init__(value)


class UniformInitializer(initializer.Uniform):
    """Numbers from [low, high)."""

    def __init__(self, low: float = -1.0, high: float = 1.0, seed: int = 0, **keywords: object) -> None:
        del seed, keywords
        super().__init__(low, high)


class NormalInitializer(initializer.Normal):
    """Numbers of a normal distribution."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        del seed
        super().__init__(loc, scale)


class TruncatedNormalInitializer(initializer.TruncatedNormal):
    """Numbers of a normal distribution, without those that are two deviations away or more."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        del seed
        super().__init__(loc, scale, loc - 2 * scale, loc + 2 * scale)


def XavierInitializer(
    uniform: bool = True, fan_in: float | None = None, fan_out: float | None = None, seed: int = 0
) -> Any:
    """Uniform or normal, as wide as fits inputs and outputs (Glorot and Bengio 2010)."""
    del seed
    kind = initializer.XavierUniform if uniform else initializer.XavierNormal
    return kind(fan_in, fan_out)


def MSRAInitializer(uniform: bool = True, fan_in: float | None = None, seed: int = 0) -> Any:
    """Uniform or normal, as wide as fits the inputs of a rectifier (He et al. 2015)."""
    del seed
    kind = initializer.KaimingUniform if uniform else initializer.KaimingNormal
    return kind(fan_in)


class NumpyArrayInitializer(initializer.Assign):
    """Numbers that are given."""

    def __init__(self, value: np.ndarray[Any, Any]) -> None:
        if not isinstance(value, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"NumpyArrayInitializer takes an ndarray, not {type(value).__name__}")
        super().__init__(value)


BilinearInitializer = initializer.Bilinear
Constant, Uniform, Normal = ConstantInitializer, UniformInitializer, NormalInitializer
TruncatedNormal, Xavier, MSRA = TruncatedNormalInitializer, XavierInitializer, MSRAInitializer
Bilinear = BilinearInitializer
