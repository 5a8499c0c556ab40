"""Tensors of random numbers: not Paddle's, but repeatable by a seed as its are."""

from __future__ import annotations

from typing import Any, Final

from jitcore import ops
from jitcore.compat.paddle.arguments import DTypeLike, Extents, Operand
from jitcore.compat.paddle.declaring import CATEGORY, creating, dtype_or, function, method
from jitcore.compat.paddle.functions.axes import extents
from jitcore.compat.paddle.tensor import Tensor as PaddleTensor
from jitcore.compat.torch.functions import random as torch
from jitcore.library.core import values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.library.random import sampling
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType, Shape, f32, f64, i64


class Generator(torch.Generator):
    """A stream of random numbers."""

    _category = CATEGORY


class _Default(Generator):
    """The process's own stream."""

    def __init__(self) -> None:
        super().__init__()
        self.stream = torch.default_generator.stream


default_generator: Final = _Default()
"""What is drawn from."""


def seed(seed: int) -> Generator:
    """Begin the random numbers anew; gives the generator."""
    return default_generator.manual_seed(int(seed))


manual_seed = seed


def get_rng_state(device: str | None = None) -> list[PaddleTensor]:
    """All that the next random numbers depend on."""
    del device
    return [default_generator.get_state()]


def set_rng_state(state_list: list[PaddleTensor], device: str | None = None) -> None:
    """Go on from a state that `get_rng_state` gave."""
    del device
    default_generator.set_state(state_list[0])


def _floats(dtype: DTypeLike, function: str) -> DType:
    wanted = dtype_or(dtype, default_float())
    if not wanted.is_float:
        raise TypeError(f"{function}: the dtype should be one of floats, not {wanted.numpy.name}")
    return wanted


def _own(dtype: DType) -> DType:
    return f64 if dtype is f64 else f32


def uniform_numbers(shape: Shape, dtype: DType, low: float, high: float) -> Any:
    """Numbers of [low, high)."""
    drawn = sampling.uniform01(shape, _own(dtype), sampling.generated(None))
    return elementwise.astype(
        ops.add(
            ops.mul(drawn, ops.sub(high, low) if values.is_array(low) or values.is_array(high) else high - low), low
        ),
        dtype,
    )


def normal_numbers(shape: Shape, dtype: DType, mean: Operand, std: Operand) -> Any:
    """Numbers of a normal distribution."""
    drawn = sampling.normal01(shape, _own(dtype), sampling.generated(None))
    return elementwise.astype(ops.add(ops.mul(drawn, std), mean), dtype)


@creating
def rand(shape: Extents, dtype: DTypeLike = None) -> Any:
    return uniform_numbers(values.dims(extents(shape)), _floats(dtype, "rand"), 0.0, 1.0)


@creating
def uniform(shape: Extents, dtype: DTypeLike = None, min: float = 0.0, max: float = 1.0, seed: int = 0) -> Any:
    del seed
    return uniform_numbers(values.dims(extents(shape)), _floats(dtype, "uniform"), min, max)


@creating
def randn(shape: Extents, dtype: DTypeLike = None) -> Any:
    return normal_numbers(values.dims(extents(shape)), _floats(dtype, "randn"), 0.0, 1.0)


@creating
def standard_normal(shape: Extents, dtype: DTypeLike = None) -> Any:
    return normal_numbers(values.dims(extents(shape)), _floats(dtype, "standard_normal"), 0.0, 1.0)


@creating
def normal(mean: Operand = 0.0, std: Operand = 1.0, shape: Extents | None = None) -> Any:
    given = [v for v in (mean, std) if values.is_array(v)]
    if not given:
        wanted = values.dims(extents([1] if shape is None else shape))
        return normal_numbers(wanted, default_float(), mean, std)
    whole: Any = elementwise.add(given[0], given[-1])
    return normal_numbers(values.shape_of(whole), values.dtype_of_value(whole), mean, std)


@creating
def log_normal(mean: Operand = 1.0, std: Operand = 2.0, shape: Extents | None = None) -> Any:
    return ops.exp(normal(mean, std, shape))


@creating
def randint(low: int = 0, high: int | None = None, shape: Extents = (1,), dtype: DTypeLike = None) -> Any:
    return _integers(low, high, values.dims(extents(shape)), dtype_or(dtype, i64))


def _integers(low: int, high: int | None, shape: Shape, dtype: DType) -> Any:
    first, last = (0, low) if high is None else (low, high)
    if last <= first:
        raise ValueError(f"randint's low must less then high, but received low = {first}, high = {last}")
    return elementwise.astype(sampling.integers(first, last, shape, stream=sampling.generated(None)), dtype)


@function
def rand_like(input: Tensor, *, dtype: DTypeLike = None) -> Any:
    wanted = values.dtype_of_value(input) if dtype is None else as_dtype(dtype)
    return uniform_numbers(values.shape_of(input), _floats(wanted, "rand_like"), 0.0, 1.0)


@function
def randn_like(x: Tensor, dtype: DTypeLike = None) -> Any:
    wanted = values.dtype_of_value(x) if dtype is None else as_dtype(dtype)
    return normal_numbers(values.shape_of(x), _floats(wanted, "randn_like"), 0.0, 1.0)


@function
def randint_like(x: Tensor, low: int = 0, high: int | None = None, dtype: DTypeLike = None) -> Any:
    wanted = values.dtype_of_value(x) if dtype is None else as_dtype(dtype)
    return _integers(low, high, values.shape_of(x), wanted)


@creating
def randperm(n: int, dtype: DTypeLike = "int64") -> Any:
    if n < 1:
        raise ValueError(f"The input n should be greater than 0 in randperm(), but received {n}")
    order = sampling.permutation(values.evaluator().dim(n), i64, sampling.generated(None))
    return elementwise.astype(order, as_dtype(dtype))


@function
def bernoulli(x: Tensor, p: float | None = None) -> Any:
    return torch.bernoulli(x, p)


@function
def poisson(x: Tensor) -> Any:
    return torch.poisson(x)


@method
def multinomial(x: Tensor, num_samples: int = 1, replacement: bool = False) -> Any:
    if values.rank_of(x) not in (1, 2):
        raise ValueError(f"(InvalidArgument) multinomial: the Tensor should have 1 or 2 axes, not {values.rank_of(x)}")
    return torch.multinomial(x, num_samples, replacement)
