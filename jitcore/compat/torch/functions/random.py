"""Tensors of random numbers: not PyTorch's, but repeatable by a seed as its are."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from jitcore.common import generator as streams
from jitcore.compat.torch.arguments import DTypeLike, Extents, Operand
from jitcore.compat.torch.declaring import CATEGORY, creating, function, in_category, made_like
from jitcore.compat.torch.functions.axes import extents
from jitcore.compat.torch.sizes import device as Place
from jitcore.library.core import marking, values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import comparisons, elementwise
from jitcore.library.random import sampling
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType, Shape, f32, f64, i64


class Generator(streams.Generator):
    """A stream of random numbers.

    >>> Generator().manual_seed(5).initial_seed()
    5
    """

    _category: ClassVar[str] = CATEGORY
    """Of the Tensors that states are."""

    def __init__(self, device: Place | str = "cpu") -> None:
        super().__init__()
        self.device = Place(device)

    def manual_seed(self, seed: int) -> Self:
        """Begin anew from a seed; the generator itself."""
        super().manual_seed(seed % 2**64)
        return self

    def get_state(self) -> Any:
        """All that the next numbers depend on, in bytes."""
        return in_category(super().get_state(), self._category)

    def set_state(self, state: Tensor) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Go on from a state that `get_state` gave."""
        super().set_state(state)
        return self


class _Default(Generator):
    """The process's own stream."""

    def __init__(self) -> None:
        super().__init__()
        self.stream = streams.default_generator.stream


default_generator = _Default()
"""What is drawn from unless another generator is given."""


def manual_seed(seed: int) -> Generator:
    """Begin the random numbers anew."""
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Begin the random numbers anew from a seed of chance; gives it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the random numbers began from."""
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """All that the next random numbers depend on, in bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Go on from a state that `get_rng_state` gave."""
    default_generator.set_state(new_state)


# --- drawing -------------------------------------------------------------------------------------------


def _uniform(shape: Shape, dtype: DType, generator: Generator | None) -> Any:
    """Numbers of [0, 1)."""
    own = f64 if dtype is f64 else f32
    return elementwise.astype(sampling.uniform01(shape, own, sampling.generated(generator)), dtype)


def _normal(shape: Shape, dtype: DType, generator: Generator | None) -> Any:
    """Numbers of the standard normal distribution."""
    own = f64 if dtype is f64 else f32
    return elementwise.astype(sampling.normal01(shape, own, sampling.generated(generator)), dtype)


def _floats(dtype: DTypeLike, what: str) -> DType:
    made = default_float() if dtype is None else as_dtype(dtype)
    if not made.is_float:
        raise NotImplementedError(f"\"{what}\" not implemented for '{made.numpy.name.capitalize()}'")
    return made


def _like(input: Tensor, dtype: DTypeLike) -> DTypeLike:
    return values.dtype_of_value(input) if dtype is None else dtype


@creating
def rand(
    *extent: Extents, size: Extents | None = None, generator: Generator | None = None, dtype: DTypeLike = None
) -> Any:
    return _uniform(values.dims(extents(extent, size)), _floats(dtype, "check_uniform_bounds"), generator)


@creating
def randn(
    *extent: Extents, size: Extents | None = None, generator: Generator | None = None, dtype: DTypeLike = None
) -> Any:
    return _normal(values.dims(extents(extent, size)), _floats(dtype, "normal_kernel_cpu"), generator)


@creating
def rand_like(input: Tensor, *, dtype: DTypeLike = None, generator: Generator | None = None) -> Any:
    return _uniform(values.shape_of(input), _floats(_like(input, dtype), "check_uniform_bounds"), generator)


@creating
def randn_like(input: Tensor, *, dtype: DTypeLike = None, generator: Generator | None = None) -> Any:
    return _normal(values.shape_of(input), _floats(_like(input, dtype), "normal_kernel_cpu"), generator)


def integers(low: int, high: int, shape: Shape, dtype: DType, generator: Generator | None) -> Any:
    """Ints from `low`, below `high`."""
    if values.evaluator().static(low, "low") >= values.evaluator().static(high, "high"):
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    return elementwise.astype(sampling.integers(low, high, shape, stream=sampling.generated(generator)), dtype)


@creating
def randint(
    low: int = 0,
    high: int | Extents | None = None,
    size: Extents | None = None,
    *,
    generator: Generator | None = None,
    dtype: DTypeLike = None,
) -> Any:
    if size is None:  # the lower limit is left out
        low, high, size = 0, low, high
    assert size is not None
    top = values.static_int(high, "high")
    return integers(low, top, values.dims(size), i64 if dtype is None else as_dtype(dtype), generator)


@creating
def randint_like(
    input: Tensor,
    low: int,
    high: int | None = None,
    *,
    dtype: DTypeLike = None,
    generator: Generator | None = None,
) -> Any:
    first, last = (0, low) if high is None else (low, high)
    return integers(first, last, values.shape_of(input), as_dtype(_like(input, dtype)), generator)


@creating
def randperm(n: int, *, generator: Generator | None = None, dtype: DTypeLike = None) -> Any:
    order = sampling.permutation(values.evaluator().dim(n), i64, sampling.generated(generator))
    return order if dtype is None else elementwise.astype(order, as_dtype(dtype))


@creating
def normal(
    mean: Operand = 0.0,
    std: Operand = 1.0,
    size: Extents | None = None,
    *,
    generator: Generator | None = None,
    dtype: DTypeLike = None,
) -> Any:
    given = [v for v in (mean, std) if values.is_array(v)]
    if not given:
        assert size is not None
        made = _normal(values.dims(size), _floats(dtype, "normal_kernel_cpu"), generator)
    else:
        whole = elementwise.add(given[0], given[-1])
        made = _normal(values.shape_of(whole), values.dtype_of_value(whole), generator)
    return elementwise.add(elementwise.multiply(made, std), mean)


@function
def bernoulli(input: Tensor, p: float | None = None, *, generator: Generator | None = None) -> Any:
    dtype = values.dtype_of_value(input)
    chance = input if p is None else p
    drawn = _uniform(values.shape_of(input), f64 if dtype is f64 else f32, generator)
    return elementwise.astype(comparisons.less(drawn, chance), dtype)


@function
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None
) -> Any:
    if not replacement and num_samples > values.static_extent(input, -1):
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    return elementwise.astype(sampling.multinomial(input, num_samples, replacement, None, generator=generator), i64)


@function
def poisson(input: Tensor, generator: Generator | None = None) -> Any:
    if evaluation.is_tracing():
        raise TypeError("torch.poisson belongs outside of compiled code")
    state = default_generator if generator is None else generator
    numbers = np.random.default_rng(int(integers(0, 2**62, (), i64, state)))
    drawn = numbers.poisson(input.asnumpy()).astype(input.asnumpy().dtype)
    return made_like(input, marking.finish(drawn, "tensor"))


# --- in place ------------------------------------------------------------------------------------------


def uniform_values(input: Tensor, low: float, high: float, generator: Generator | None) -> Any:
    """Numbers of [low, high) in the shape and dtype of a Tensor."""
    if low > high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low} > to={high}")
    unit = _uniform(values.shape_of(input), values.dtype_of_value(input), generator)
    return elementwise.add(elementwise.multiply(unit, high - low), low)


def normal_values(input: Tensor, mean: float, std: float, generator: Generator | None) -> Any:
    """Numbers of a normal distribution in the shape and dtype of a Tensor."""
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    unit = _normal(values.shape_of(input), values.dtype_of_value(input), generator)
    return elementwise.add(elementwise.multiply(unit, std), mean)
