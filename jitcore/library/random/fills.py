"""Tensors filled with random numbers, in place or as new ones; methods that draw."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from jitcore.library.array.assignment import changing
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, shape_of
from jitcore.library.math import elementwise
from jitcore.library.random import sampling
from jitcore.types import f32, i64


def _uniform(x: Any, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None) -> Any:
    """random numbers from [from_, to)."""
    unit = sampling.uniform01(shape_of(x), f32, sampling.generated(generator))
    return elementwise.add(elementwise.multiply(unit, elementwise.subtract(to, from_)), from_)


def _normal(x: Any, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Any:
    """random numbers of a normal distribution."""
    unit = sampling.normal01(shape_of(x), f32, sampling.generated(generator))
    return elementwise.add(elementwise.multiply(unit, std), mean)


def _log_normal(x: Any, mean: Any = 1.0, std: Any = 2.0, *, generator: Any = None) -> Any:
    """random numbers whose logarithms are of a normal distribution."""
    return elementwise.exp(_normal(x, mean, std, generator=generator))


def _cauchy(x: Any, median: Any = 0.0, sigma: Any = 1.0, *, generator: Any = None) -> Any:
    """random numbers of a Cauchy distribution."""
    unit = sampling.uniform01(shape_of(x), f32, sampling.generated(generator))
    turn = elementwise.tan(elementwise.multiply(elementwise.subtract(unit, 0.5), math.pi))
    return elementwise.add(elementwise.multiply(turn, sigma), median)


def _random(x: Any, from_: Any = 0, to: Any = None, *, generator: Any = None) -> Any:
    """random whole numbers from [from_, to)."""
    low, high = (0, from_) if to is None and from_ else (from_, to)
    if high is None:
        high = 2**24 if dtype_of_value(x).is_float else 2 ** (8 * dtype_of_value(x).itemsize - 1) - 1
    return sampling.integers(low, high, shape_of(x), stream=sampling.generated(generator))


for _name, _function in {
    "uniform_": _uniform, "normal_": _normal, "log_normal_": _log_normal, "cauchy_": _cauchy, "random_": _random,
}.items():  # fmt: skip
    changing(_name, _function)


def _filled_anew(name: str, function: Callable[..., Any]) -> None:
    def make(x: Any, *args: Any, **keywords: Any) -> Any:
        return as_array(function(x, *args, **keywords), dtype_of_value(x))

    make.__doc__ = f"A Tensor of the shape and dtype filled with {function.__doc__}"
    operator(f".{name}")(make)


_filled_anew("uniform", _uniform)
_filled_anew("cauchy", _cauchy)
_filled_anew("log_normal", _log_normal)


@operator(".bernoulli")
def bernoulli(x: Any, p: Any = 0.5, seed: Any = None) -> Any:
    """Ones with probability p, else zeros."""
    return sampling.bernoulli(x, p, seed)


@operator(".multinomial")
def multinomial(x: Any, num_samples: Any, replacement: Any = True, seed: Any = None) -> Any:
    """Places drawn with the Tensor's elements as weights."""
    return sampling.multinomial(x, num_samples, replacement, seed)


@operator(".random_categorical")
def random_categorical(x: Any, num_sample: Any, seed: Any = 0, dtype: Any = i64) -> Any:
    """Classes drawn with probabilities of softmax of the Tensor's rows."""
    return sampling.random_categorical(x, num_sample, seed, dtype)


def _exponential(x: Any, lambd: Any = 1.0, *, generator: Any = None) -> Any:
    """random numbers of an exponential distribution."""
    unit = elementwise.subtract(1.0, sampling.uniform01(shape_of(x), f32, sampling.generated(generator)))
    return elementwise.multiply(elementwise.log(unit), -1.0 / lambd)


changing("exponential_", _exponential)
