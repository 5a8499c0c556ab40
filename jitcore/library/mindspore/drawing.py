"""Operators that draw: distributions, choices, samples of classes."""

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
from jitcore.types import DType, Shape, broadcast_shapes, f32, f64, i32, i64, u8


def _shape(shape: Any) -> Shape:
    return dims(tuple(static_ints(shape, "the shape")) if is_array(shape) else shape)


def _drawn(kind: str, shape: Shape, dtype: DType, stream: Any, *params: Any) -> Any:
    return d.drawn(sampling.bits(shape, stream), *params, kind=kind, dtype=dtype)


def _float_dtype(dtype: Any) -> DType:
    return dtype if dtype.is_float else f32


# --- distributions ------------------------------------------------------------------------------------


def _gamma(shape: Any, alpha: Any, stream: Any) -> Any:
    a = as_float(alpha)
    return _drawn("gamma", (*_shape(shape), *shape_of(a)), _float_dtype(dtype_of_value(a)), stream, a)


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
    whole = (*_shape(shape), *both)
    return e.div(_drawn("gamma", whole, _float_dtype(dtype_of_value(a)), stream, a), b)


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
    return _drawn(
        "poisson", (*_shape(shape), *shape_of(a)), as_dtype(dtype), sampling.stream_of(seed), as_array(a, f64)
    )


@operator("RandomPoisson")
def random_poisson_set_up(shape: Any, rate: Any, *, seed: Any = 0, seed2: Any = 0, dtype: Any = i64) -> Any:
    """As `random_poisson`."""
    a = as_array(rate)
    stream = sampling.stream_of(seed, seed2)
    return _drawn("poisson", (*_shape(shape), *shape_of(a)), as_dtype(dtype), stream, as_array(a, f64))


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
    share = sampling.uniform01(_shape(size), f32)
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
    return _truncated(_shape(shape), as_dtype(dtype), sampling.stream_of(seed, seed2))


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


# --- choices ------------------------------------------------------------------------------------------


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


def _candidates(true_classes: Any, count: Any, unique: Any, top: Any, seed: Any, log: bool) -> tuple[Any, Any, Any]:
    """(classes drawn, how often each true class is expected among them, and each drawn one)."""
    extent, wanted = static_int(top, "range_max"), static_int(count, "num_sampled")
    once = bool(evaluator().static(unique, "unique"))
    if once and wanted > extent:
        raise ValueError(f"{wanted} different classes cannot be drawn of {extent}")
    if once:
        key, draw = generator.random_state(stream=sampling.stream_of(seed))
        chosen = d.distinct(draw, key, extent=extent, count=wanted)
    elif log:
        chosen = _drawn("log_uniform", (wanted,), i64, sampling.stream_of(seed), as_array(float(extent), f64))
    else:
        chosen = sampling.integers(0, extent, (wanted,), i64, sampling.stream_of(seed))

    def expected(classes: Any) -> Any:
        if not log:
            return e.add(e.mul(e.cast(classes, dtype=f32), 0), wanted / extent)
        x = e.cast(classes, dtype=f64)
        share = e.div(t.log(e.div(e.add(x, 2), e.add(x, 1))), math.log(extent + 1))
        return e.cast(e.mul(share, float(wanted)), dtype=f32)

    return chosen, expected(as_array(true_classes)), expected(chosen)


def _sampler(name: str, cls: str, log: bool) -> None:
    def function(
        true_classes: Any,
        num_true: Any = 1,
        num_sampled: Any = 5,
        unique: Any = True,
        range_max: Any = 5,
        seed: Any = 0,
    ) -> Any:
        del num_true
        return _candidates(true_classes, num_sampled, unique, range_max, seed, log)

    def uniform(
        true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any,
        seed: Any = 0, remove_accidental_hits: Any = False
    ) -> Any:  # fmt: skip
        del num_true, remove_accidental_hits
        return _candidates(true_classes, num_sampled, unique, range_max, seed, log)

    def set_up(
        true_classes: Any, *, num_true: Any = 1, num_sampled: Any = 5, unique: Any = True, range_max: Any = 5,
        seed: Any = 0, remove_accidental_hits: Any = False,
    ) -> Any:  # fmt: skip
        del num_true, remove_accidental_hits
        return _candidates(true_classes, num_sampled, unique, range_max, seed, log)

    function.__doc__ = uniform.__doc__ = set_up.__doc__ = "Classes drawn, and how often each is expected."
    operator(name)(function if log else uniform)
    operator(cls)(set_up)


_sampler("uniform_candidate_sampler", "UniformCandidateSampler", False)
_sampler("log_uniform_candidate_sampler", "LogUniformCandidateSampler", True)

# --- numbers of other distributions ---------------------------------------------------------------------


@operator("NonDeterministicInts")
def non_deterministic_ints(shape: Any, *, dtype: Any = i64) -> Any:
    """Ints of chance."""
    drawn = sampling.bits(_shape(shape))
    return e.cast(e.cast(drawn, dtype=i64), dtype=as_dtype(dtype))


@operator("ParameterizedTruncatedNormal")
def parameterized_truncated_normal(
    shape: Any, mean: Any, stdevs: Any, min: Any, max: Any, *, seed: Any = 0, seed2: Any = 0
) -> Any:
    """Numbers of normal distributions between bounds; the parameters are one of each, or one for each row."""
    extents = _shape(shape)
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


# --- random layers ------------------------------------------------------------------------------------


@operator("rrelu")
def rrelu(input: Any, lower: Any = 1.0 / 8, upper: Any = 1.0 / 3) -> Any:
    """x, or where it is negative x times a random number between two bounds."""
    a = as_float(input)
    low, high = (float(evaluator().static(v, "a bound")) for v in (lower, upper))
    if low > high:
        raise ValueError(f"For 'rrelu', lower is {low}, but must not be larger than upper, {high}.")
    share = sampling.uniform01(shape_of(a), dtype_of_value(a))
    slope = e.add(e.mul(share, high - low), low)
    return e.select(e.less(a, 0), e.mul(a, slope), a)


@operator("alpha_dropout")
def alpha_dropout(input: Any, p: Any = 0.5, training: Any = False) -> Any:
    """Elements set to the lowest value of SELU with probability `p`; mean and variance are kept (Klambauer et al.
    2017)."""
    a = as_float(input)
    if not evaluator().static(training, "training"):
        return a
    drop = float(evaluator().static(p, "p"))
    low = -1.0507009873554804934193349852946 * 1.6732632423543772848170429916717
    if drop >= 1:
        return e.mul(a, 0)
    scale = 1 / math.sqrt((1 - drop) * (1 + drop * low * low))
    kept = sampling.dropout_mask(shape_of(a), 1 - drop)
    return e.add(e.mul(e.select(kept, a, low), scale), -scale * drop * low)


@operator("DropoutGenMask")
def dropout_gen_mask(shape: Any, keep_prob: Any, *, Seed0: Any = 0, Seed1: Any = 0) -> Any:
    """A mask for DropoutDoMask: 1 for each element that is kept."""
    share = as_array(as_array(keep_prob), f32)
    drawn = sampling.uniform01(_shape(shape), f32, sampling.stream_of(Seed0, Seed1))
    return e.cast(e.less(drawn, share), dtype=u8)


@operator("DropoutDoMask")
def dropout_do_mask(input_x: Any, mask: Any, keep_prob: Any) -> Any:
    """The elements that a mask keeps, over the probability of that; zeros for others."""
    a = as_float(input_x)
    share = as_array(as_array(keep_prob), dtype_of_value(a))
    return e.select(e.not_equal(as_array(mask), 0), e.div(a, share), 0)
