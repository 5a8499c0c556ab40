"""Initializers: how the elements of new Parameters are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from jitcore.primitives.core import constructing
from jitcore.runtime import random
from jitcore.runtime.initial import as_numpy_dtype
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.tensor import Tensor, wrap
from jitcore.types import f32

Array: TypeAlias = "NDArray[Any]"


def set_seed(seed: int) -> None:
    """Make what initializers, dropout and NumPy's global generator draw from here on the same in every run.

    Raises TypeError or ValueError if the seed is not a non-negative int.
    """
    random.seed(seed)


def get_seed() -> int | None:
    """The seed that `set_seed` was given last; None before that."""
    return random.present_seed()


class FillError(ValueError):
    """An array, of some shape, that an initializer does not fill, or a Tensor's elements do not."""

    def __init__(self, message: str, filler: Initializer | Tensor, shape: tuple[int, ...]) -> None:
        super().__init__(message)
        self.filler = filler
        self.shape = shape


class Initializer:
    """Fills arrays. Subclasses define `_initialize`."""

    def __init__(self, **keywords: Any) -> None:
        self._kwargs = keywords

    def _initialize(self, array: Array) -> None:
        """Write the elements of a new array."""
        raise NotImplementedError

    def __call__(self, array: Array) -> None:
        try:
            self._initialize(array)
        except ValueError as error:
            if is_from_handler(error):
                raise
            raise FillError(str(error), self, array.shape) from None


class Constant(Initializer):
    """One value."""

    def __init__(self, value: float | Array) -> None:
        self.value = value

    def _initialize(self, array: Array) -> None:
        array[...] = self.value


class Zero(Constant):
    """Zeros."""

    def __init__(self) -> None:
        super().__init__(0)


class One(Constant):
    """Ones."""

    def __init__(self) -> None:
        super().__init__(1)


class Normal(Initializer):
    """The normal distribution with deviation `sigma` around `mean`."""

    def __init__(self, sigma: float = 0.01, mean: float = 0.0) -> None:
        self.sigma = sigma
        self.mean = mean

    def _initialize(self, array: Array) -> None:
        array[...] = random.generator().normal(self.mean, self.sigma, array.shape)


class TruncatedNormal(Initializer):
    """The normal distribution, redrawn where it is more than two deviations from the mean."""

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0) -> None:
        if not a < b:
            raise ValueError(f"the lower bound {a} must be below the upper bound {b}")
        self.sigma = sigma
        self.mean = mean
        self.a = a
        self.b = b

    def _initialize(self, array: Array) -> None:
        drawn = random.generator().standard_normal(array.shape)
        outside = (drawn < self.a) | (drawn > self.b)
        while outside.any():
            drawn[outside] = random.generator().standard_normal(int(outside.sum()))
            outside = (drawn < self.a) | (drawn > self.b)
        array[...] = self.mean + self.sigma * drawn


class Uniform(Initializer):
    """The uniform distribution between -scale and scale."""

    def __init__(self, scale: float = 0.07) -> None:
        self.scale = scale

    def _initialize(self, array: Array) -> None:
        array[...] = random.generator().uniform(-self.scale, self.scale, array.shape)


def fans(shape: Sequence[int]) -> tuple[int, int]:
    """The numbers of inputs and outputs of a weight (O, I, …). Raises ValueError for fewer than two dimensions."""
    if len(shape) < 2:
        raise ValueError(f"a weight of shape {tuple(shape)} has no fan in and fan out: 2 dimensions are needed")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


class XavierUniform(Initializer):
    """Uniform within gain * sqrt(6 / (fan in + fan out)) (Glorot and Bengio 2010)."""

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def _initialize(self, array: Array) -> None:
        limit = self.gain * math.sqrt(6.0 / sum(fans(array.shape)))
        array[...] = random.generator().uniform(-limit, limit, array.shape)


class XavierNormal(Initializer):
    """Normal with deviation gain * sqrt(2 / (fan in + fan out)) (Glorot and Bengio 2010)."""

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def _initialize(self, array: Array) -> None:
        sigma = self.gain * math.sqrt(2.0 / sum(fans(array.shape)))
        array[...] = random.generator().normal(0.0, sigma, array.shape)


def gain(nonlinearity: str, slope: float) -> float:
    """What the deviation of weights is multiplied by, for the activation function behind them."""
    gains = {"relu": math.sqrt(2.0), "tanh": 5.0 / 3, "sigmoid": 1.0, "linear": 1.0}
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + slope * slope))
    if nonlinearity not in gains:
        raise ValueError(f"nonlinearity is leaky_relu, {', '.join(gains)}, not {nonlinearity!r}")
    return gains[nonlinearity]


class _He(Initializer):
    def __init__(self, negative_slope: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> None:
        self.negative_slope = negative_slope
        self.nonlinearity = nonlinearity
        self.mode = mode

    def sigma(self, shape: Sequence[int]) -> float:
        """The deviation for a weight. Raises ValueError for another mode, or nonlinearity."""
        if self.mode not in ("fan_in", "fan_out"):
            raise ValueError(f"mode is 'fan_in' or 'fan_out', not {self.mode!r}")
        return gain(self.nonlinearity, self.negative_slope) / math.sqrt(fans(shape)[self.mode == "fan_out"])


class HeUniform(_He):
    """Uniform with the deviation gain / sqrt(fan) (He et al. 2015)."""

    def _initialize(self, array: Array) -> None:
        limit = math.sqrt(3.0) * self.sigma(array.shape)
        array[...] = random.generator().uniform(-limit, limit, array.shape)


class HeNormal(_He):
    """Normal with the deviation gain / sqrt(fan) (He et al. 2015)."""

    def _initialize(self, array: Array) -> None:
        array[...] = random.generator().normal(0.0, self.sigma(array.shape), array.shape)


class Identity(Initializer):
    """A matrix with ones on the diagonal."""

    def _initialize(self, array: Array) -> None:
        if array.ndim != 2:
            raise ValueError(f"Identity fills matrices, not arrays of {array.ndim} dimensions")
        array[...] = np.eye(*array.shape)


class Dirac(Initializer):
    """A convolution's weight that leaves as many channels as it can as they are, in each of `groups`."""

    def __init__(self, groups: int = 1) -> None:
        if groups < 1:
            raise ValueError(f"groups must be positive, but is {groups}")
        self.groups = groups

    def _initialize(self, array: Array) -> None:
        if array.ndim not in (3, 4, 5):
            raise ValueError(f"Dirac fills weights of convolutions, not arrays of {array.ndim} dimensions")
        if array.shape[0] % self.groups:
            raise ValueError(f"{array.shape[0]} channels cannot be split into {self.groups} groups")
        array[...] = 0
        each = array.shape[0] // self.groups
        middle = tuple(n // 2 for n in array.shape[2:])
        for group in range(self.groups):
            for k in range(min(each, array.shape[1])):
                array[(group * each + k, k, *middle)] = 1


class Orthogonal(Initializer):
    """A matrix (all axes but the first made one) whose rows or columns are orthogonal, of length `gain` (Saxe et al.
    2014)."""

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def _initialize(self, array: Array) -> None:
        if array.ndim < 2:
            raise ValueError(f"Orthogonal fills arrays of at least 2 dimensions, not {array.ndim}")
        rows, columns = array.shape[0], math.prod(array.shape[1:])
        drawn = random.generator().standard_normal((max(rows, columns), min(rows, columns)))
        q, r = np.linalg.qr(drawn)
        q = q * np.sign(np.diagonal(r))
        array[...] = (self.gain * (q if rows >= columns else q.T)).reshape(array.shape)


class Sparse(Initializer):
    """A matrix in whose columns a share `sparsity` of the elements is zero, the others normal (Martens 2010)."""

    def __init__(self, sparsity: float, sigma: float = 0.01) -> None:
        self.sparsity = sparsity
        self.sigma = sigma

    def _initialize(self, array: Array) -> None:
        if array.ndim != 2:
            raise ValueError(f"Sparse fills matrices, not arrays of {array.ndim} dimensions")
        array[...] = random.generator().normal(0.0, self.sigma, array.shape)
        count = math.ceil(self.sparsity * array.shape[0])
        for column in range(array.shape[1]):
            array[random.generator().permutation(array.shape[0])[:count], column] = 0


class VarianceScaling(Initializer):
    """The variance scale / n, n being the 'fan_in', 'fan_out' or their mean ('fan_avg'), of the 'truncated_normal',
    'untruncated_normal' or 'uniform' distribution."""

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal") -> None:
        unfit = None
        if scale <= 0:
            unfit = f"scale must be positive, but is {scale}"
        elif mode not in ("fan_in", "fan_out", "fan_avg"):
            unfit = f"mode is 'fan_in', 'fan_out' or 'fan_avg', not {mode!r}"
        elif distribution not in ("truncated_normal", "untruncated_normal", "uniform"):
            unfit = f"there is no distribution {distribution!r}"
        if unfit is not None:
            error = ValueError(unfit)
            raise constructing.worded(type(self), error, scale=scale, mode=mode, distribution=distribution)
        self.scale = scale
        self.mode = mode
        self.distribution = distribution

    def _initialize(self, array: Array) -> None:
        inputs, outputs = fans(array.shape)
        count = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}[self.mode]
        deviation = math.sqrt(self.scale / max(1.0, count))
        if self.distribution == "uniform":
            Uniform(math.sqrt(3.0) * deviation)(array)
        elif self.distribution == "untruncated_normal":
            Normal(deviation)(array)
        else:  # the deviation of what truncation at 2 leaves of the standard normal distribution
            TruncatedNormal(deviation / 0.87962566103423978)(array)


INITIALIZERS: dict[str, Callable[[], Initializer]] = {
    "zero": Zero,
    "zeros": Zero,
    "one": One,
    "ones": One,
    "normal": Normal,
    "truncatednormal": TruncatedNormal,
    "uniform": Uniform,
    "xavier_uniform": XavierUniform,
    "xavieruniform": XavierUniform,
    "xavier_normal": XavierNormal,
    "xaviernormal": XavierNormal,
    "he_uniform": HeUniform,
    "heuniform": HeUniform,
    "he_normal": HeNormal,
    "henormal": HeNormal,
    "identity": Identity,
    "dirac": Dirac,
    "orthogonal": Orthogonal,
    "variance_scaling": VarianceScaling,
    "variancescaling": VarianceScaling,
}
"""Initializers by the names they have as strings, in lower case."""


def initializer(init: Any, shape: Any = None, dtype: Any = f32) -> Tensor:
    """A new Tensor filled by an Initializer, by one's name ('normal', 'zeros', 'XavierUniform' …), with a number, or
    with a Tensor's elements.

    Raises ValueError for an unknown name or a Tensor of another shape.

    >>> initializer("ones", (2,)).asnumpy().tolist()
    [1.0, 1.0]
    """
    if isinstance(init, Tensor):
        if shape is not None and tuple(shape) != init.shape:
            unlike = f"a Tensor of shape {init.shape} cannot initialise one of shape {tuple(shape)}"
            raise FillError(unlike, init, tuple(shape))
        return Tensor(init, dtype=dtype)
    extents = (shape,) if isinstance(shape, int) else tuple(cast("Sequence[int]", shape or ()))
    made: Array = np.zeros(extents, as_numpy_dtype(dtype))
    _filler(init)(made)
    return wrap(made)


def _filler(init: Any) -> Initializer:
    if isinstance(init, Initializer):
        return init
    if isinstance(init, int | float):
        return Constant(init)
    if isinstance(init, str):
        made = INITIALIZERS.get(init.lower())
        if made is None:
            raise ValueError(
                f"For 'initializer', the class corresponding to '{init}' was not found.\n"
                f"There are {', '.join(INITIALIZERS)}."
            )
        return made()
    raise TypeError(f"init is an Initializer, its name, a number or a Tensor, not {type(init).__name__}")


__all__ = [
    "Constant",
    "Dirac",
    "HeNormal",
    "HeUniform",
    "Identity",
    "Initializer",
    "Normal",
    "One",
    "Orthogonal",
    "Sparse",
    "TruncatedNormal",
    "Uniform",
    "VarianceScaling",
    "XavierNormal",
    "XavierUniform",
    "Zero",
    "get_seed",
    "initializer",
    "set_seed",
]
