"""Random numbers of distributions, choices and permutations, with MindSpore's parameters."""

from __future__ import annotations

import math
from typing import Any

from jitcore.library.array import indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    dims,
    dtype_of_value,
    evaluator,
    is_array,
    promote,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math import elementwise
from jitcore.library.random import sampling
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import drawing as d
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining, special
from jitcore.primitives.ops import random as generator
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import DType, Shape, broadcast_shapes, f32, f64, i32, i64


def extents_of(shape: Any) -> Shape:
    return dims(tuple(static_ints(shape, "the shape")) if is_array(shape) else shape)


def drawn(kind: str, shape: Shape, dtype: DType, stream: Any, *params: Any) -> Any:
    return d.drawn(sampling.bits(shape, stream), *params, kind=kind, dtype=dtype)


def _float_dtype(dtype: Any) -> DType:
    return dtype if dtype.is_float else f32


def _gamma(shape: Any, alpha: Any, stream: Any) -> Any:
    a = as_float(alpha)
    return drawn("gamma", (*extents_of(shape), *shape_of(a)), _float_dtype(dtype_of_value(a)), stream, a)


@operator("random_gamma")
def random_gamma(shape: Any, alpha: Any, seed: Any = None) -> Any:
    """Numbers of gamma distributions with scale 1: a shape of them for each of `alpha`."""
    return _gamma(shape, alpha, sampling.stream_of(seed))


@operator("RandomGamma")
def random_gamma_set_up(shape: Any, alpha: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    """As `random_gamma`."""
    return _gamma(shape, alpha, sampling.stream_of(seed, seed2))


def _gamma_of_rate(shape: Any, alpha: Any, beta: Any, stream: Any) -> Any:
    a, b = promote("div", as_float(alpha), as_float(beta))
    both, _ = broadcast_shapes(shape_of(a), shape_of(b))
    whole = (*extents_of(shape), *both)
    return e.div(drawn("gamma", whole, _float_dtype(dtype_of_value(a)), stream, a), b)


@operator("gamma")
def gamma(shape: Any, alpha: Any, beta: Any, seed: Any = None) -> Any:
    """Numbers of gamma distributions with shape parameters `alpha` and rates `beta`."""
    return _gamma_of_rate(shape, alpha, beta, sampling.stream_of(seed))


@operator("Gamma")
def gamma_set_up(shape: Any, alpha: Any, beta: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    """As `gamma`."""
    return _gamma_of_rate(shape, alpha, beta, sampling.stream_of(seed, seed2))


@operator("random_poisson")
def random_poisson(shape: Any, rate: Any, seed: Any = None, dtype: Any = f32) -> Any:
    """Numbers of Poisson distributions: a shape of them for each rate."""
    a = as_array(rate)
    return drawn(
        "poisson", (*extents_of(shape), *shape_of(a)), as_dtype(dtype), sampling.stream_of(seed), as_array(a, f64)
    )


@operator("RandomPoisson")
def random_poisson_set_up(shape: Any, rate: Any, *, seed: Any = 0, seed2: Any = 0, dtype: Any = i64) -> Any:
    """As `random_poisson`."""
    a = as_array(rate)
    stream = sampling.stream_of(seed, seed2)
    return drawn("poisson", (*extents_of(shape), *shape_of(a)), as_dtype(dtype), stream, as_array(a, f64))


@operator("poisson")
def poisson(shape: Any, mean: Any, seed: Any = None) -> Any:
    """int32 numbers of Poisson distributions: a shape of them for each mean."""
    return random_poisson(shape, mean, seed, i32)


@operator("Poisson")
def poisson_set_up(shape: Any, mean: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    """As `poisson`."""
    return random_poisson_set_up(shape, mean, seed=seed, seed2=seed2, dtype=i32)


@operator("cauchy")
def cauchy(size: Any, median: Any = 0, sigma: Any = 1) -> Any:
    """Numbers of a Cauchy distribution."""
    share = sampling.uniform01(extents_of(size), f32)
    return e.add(e.mul(t.tan(e.mul(e.sub(share, 0.5), math.pi)), float(sigma)), float(median))


@operator("Cauchy")
def cauchy_set_up(*, size: Any, sigma: Any = 1.0, median: Any = 0.0) -> Any:
    """As `cauchy`."""
    return cauchy(size, median, sigma)


def _truncated(shape: Shape, dtype: DType, stream: Any) -> Any:
    """Standard normal numbers between -2 and 2: by the inverse of their distribution function."""
    inner = f64 if dtype is f64 else f32
    reach = math.erf(2 / math.sqrt(2))
    share = e.mul(e.sub(e.mul(sampling.uniform01(shape, inner, stream), 2), 1), reach)
    made = e.mul(special.erfinv(share), math.sqrt(2))
    return made if inner is dtype else e.cast(made, dtype=dtype)


@operator("TruncatedNormal")
def truncated_normal(shape: Any, *, seed: Any = 0, seed2: Any = 0, dtype: Any = f32) -> Any:
    """Numbers of the normal distribution cut off at two standard deviations."""
    return _truncated(extents_of(shape), as_dtype(dtype), sampling.stream_of(seed, seed2))


@operator("RandomCategorical")
def random_categorical_set_up(logits: Any, num_sample: Any, seed: Any = 0, *, dtype: Any = i64) -> Any:
    """Classes drawn with probabilities of softmax of the rows."""
    return sampling.random_categorical(logits, num_sample, seed, dtype)


@operator("multinomial_with_replacement")
def multinomial_with_replacement(x: Any, seed: Any, offset: Any, numsamples: Any, replacement: Any = False) -> Any:
    """Places drawn with the elements of x as weights, with replacement."""
    del offset, replacement
    start = static_ints(seed, "the seed")[0] if is_array(seed) else seed
    return sampling.multinomial(x, numsamples, True, start)


@operator("MultinomialWithReplacement")
def multinomial_with_replacement_set_up(
    x: Any, seed: Any, offset: Any, *, numsamples: Any, replacement: Any = False
) -> Any:
    """As `multinomial_with_replacement`."""
    return multinomial_with_replacement(x, seed, offset, numsamples, replacement)


def _choice(x: Any, count: Any, stream: Any) -> tuple[Any, Any]:
    a = as_array(x)
    if dtype_of_value(a).kind != "b":
        raise TypeError(f"For 'choice_with_mask', the input must be of bools, not {dtype_of_value(a)!r}.")
    wanted = static_int(count, "count")
    places = shapes.stack(indexing.nonzero(a), 1)
    found = shape_of(places)[0]
    order = generator.random_order(sampling.bits((found,), stream))
    picked = ix.gather(places, order, axis=0)
    numbers = joining.iota(length=wanted, dtype=i64)
    have = as_array(evaluator().number(found), i64)
    kept = e.less(numbers, have)
    zeros = joining.full(as_array(0, i64), shape=(wanted, rank_of(a)))
    padded = shapes.concatenate((picked, zeros), 0)
    return e.cast(e.select(s.expand_dims(kept, axis=(1,)), shapes.slice_axis(padded, 0, 0, wanted), 0), dtype=i32), kept


@operator("choice_with_mask")
def choice_with_mask(input_x: Any, count: Any = 256, seed: Any = None) -> Any:
    """(`count` places of true elements in random order, filled up with zeros; which of them are places)."""
    return _choice(input_x, count, sampling.stream_of(seed))


@operator("RandomChoiceWithMask")
def random_choice_with_mask(input_x: Any, *, count: Any = 256, seed: Any = 0, seed2: Any = 0) -> Any:
    """As `choice_with_mask`."""
    return _choice(input_x, count, sampling.stream_of(seed, seed2))


@operator("RandpermV2")
def randperm_v2(n: Any, *, seed: Any = 0, offset: Any = 0, dtype: Any = i64) -> Any:
    """0, 1, … n - 1 in random order."""
    del offset
    count = static_ints(n, "n")[0] if is_array(n) else n
    return elementwise.astype(sampling.randperm(count, seed), dtype)


@operator("NonDeterministicInts")
def non_deterministic_ints(shape: Any, *, dtype: Any = i64) -> Any:
    """Ints of chance."""
    drawn = sampling.bits(extents_of(shape))
    return e.cast(e.cast(drawn, dtype=i64), dtype=as_dtype(dtype))


@operator("ParameterizedTruncatedNormal")
def parameterized_truncated_normal(
    shape: Any, mean: Any, stdevs: Any, min: Any, max: Any, *, seed: Any = 0, seed2: Any = 0
) -> Any:
    """Numbers of normal distributions between bounds; the parameters are one of each, or one for each row."""
    extents = extents_of(shape)
    middle, spread, low, high = (_of_rows(as_float(v), extents) for v in (mean, stdevs, min, max))
    dtype = dtype_of_value(middle)
    inner = f64 if dtype is f64 else f32
    bounds = [_share_below(e.div(e.sub(bound, middle), spread)) for bound in (low, high)]
    unit = sampling.uniform01(extents, inner, sampling.stream_of(seed, seed2))
    share = e.add(bounds[0], e.mul(e.cast(unit, dtype=dtype), e.sub(bounds[1], bounds[0])))
    drawn = e.mul(special.erfinv(e.sub(e.mul(share, 2), 1)), math.sqrt(2))
    return e.minimum(e.maximum(e.add(middle, e.mul(drawn, spread)), low), high)


def _share_below(x: Any) -> Any:
    """The share of the standard normal distribution below a number."""
    return e.mul(e.add(t.erf(e.mul(x, math.sqrt(0.5))), 1), 0.5)


def _of_rows(v: Any, extents: Shape) -> Any:
    return s.reshape(v, shape=(*shape_of(v), *[1] * (len(extents) - 1))) if rank_of(v) == 1 else v


@operator("LogNormalReverse")
def log_normal_reverse(input: Any, *, mean: Any = 1.0, std: Any = 2.0) -> Any:
    """Numbers whose logarithms are of a normal distribution, in the shape of a Tensor."""
    a = as_float(input)
    dtype = dtype_of_value(a)
    unit = sampling.normal01(shape_of(a), f64 if dtype is f64 else f32)
    return e.cast(t.exp(e.add(e.mul(unit, float(std)), float(mean))), dtype=dtype)


@operator("randint_ext")
def randint_ext(
    *args: Any, low: Any = None, high: Any = None, size: Any = None, dtype: Any = None, generator: Any = None
) -> Any:
    """Ints from `low` (0 unless given) on and below `high`: `randint(high, size)` or `randint(low, high, size)`."""
    bounds = [*args]
    extents = bounds.pop() if size is None else size
    top = bounds.pop() if high is None else high
    least = bounds.pop() if bounds else 0 if low is None else low
    return sampling.randint(least, top, extents, dtype=dtype, generator=generator)


@operator("normal_ext")
def normal_ext(mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Any = None) -> Any:
    """Normally distributed numbers, of a shape or as many as there are means and deviations."""
    return sampling.normal(() if size is None else size, mean, std, generator=generator)


@operator("bernoulli_ext")
def bernoulli_ext(input: Any, *, generator: Any = None) -> Any:
    """1 with the probability that an element is, else 0."""
    return sampling.bernoulli(input, input, generator=generator)
