"""Library functions that draw random numbers from the process's streams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, cast

from jitcore.library.array import creation, indexing
from jitcore.library.core import values
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    dims,
    dtype_of_value,
    evaluator,
    is_array,
    product_of,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.nn import activations
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining, random
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.primitives.ops.random import Stream
from jitcore.types import Dim, DType, Shape, broadcast_shapes, f32, f64, i32, i64, u64

OWN: Final[Stream] = (0, 0)
"""The process's own stream."""


def stream_of(seed: Any, seed2: Any = 0, generator: Any = None) -> Stream:
    """The stream of an operator that was set up with seeds, or given a generator. Raises ValueError for negative
    seeds."""
    if generator is not None:
        return generated(generator)
    first = 0 if seed is None else static_int(seed, "the seed")
    second = 0 if seed2 is None else static_int(seed2, "the seed")
    if first < 0 or second < 0:
        raise ValueError(f"a seed must not be negative, but is {min(first, second)}")
    return first, second


def generated(generator: Any) -> Stream:
    """The stream of a generator; the process's own of None."""
    if generator is None:
        return OWN
    stream = getattr(evaluator().static(generator, "the generator"), "stream", None)
    if not isinstance(stream, tuple):
        raise TypeError(f"the generator must be a Generator, not {type(generator).__name__}")
    return cast(Stream, stream)


def bits(shape: Shape, stream: Stream = OWN) -> Any:
    """64 random bits for each element."""
    key, draw = random.random_state(stream=stream)
    count = product_of(shape)
    index = joining.iota(length=count, dtype=u64)
    if len(shape) != 1:
        index = s.reshape(index, shape=shape)
    return random.philox(index, draw, key)


def _unit(drawn: Any, dtype: DType) -> Any:
    """Bits as floats in [0, 1), every multiple of 2**-24 (of f64: 2**-53) equally likely."""
    if dtype is f64:
        whole = e.cast(e.cast(e.right_shift(drawn, 11), dtype=i64), dtype=f64)
        return e.mul(whole, 2.0**-53)
    whole = e.cast(e.cast(e.right_shift(drawn, 40), dtype=i32), dtype=f32)
    made = e.mul(whole, 2.0**-24)
    if dtype is f32:
        return made
    if not dtype.is_float:
        raise TypeError(f"random numbers of {dtype!r} are not drawn from a continuous distribution")
    return e.cast(made, dtype=dtype)  # may round up to 1


def uniform01(shape: Shape, dtype: DType = f32, stream: Stream = OWN) -> Any:
    """New numbers, uniform in [0, 1)."""
    return _unit(bits(shape, stream), dtype)


def normal01(shape: Shape, dtype: DType = f32, stream: Stream = OWN) -> Any:
    """New numbers of the standard normal distribution (Box and Muller 1958)."""
    if not dtype.is_float:
        raise TypeError(f"normally distributed numbers are floats, not {dtype!r}")
    drawn = bits(shape, stream)
    inner = f64 if dtype is f64 else f32
    first = e.cast(e.cast(e.right_shift(drawn, 33), dtype=i32), dtype=inner)
    second = e.cast(e.cast(e.bitwise_and(drawn, 0x7FFFFFFF), dtype=i32), dtype=inner)
    distance = t.sqrt(e.mul(t.log(e.mul(e.add(first, 1), 2.0**-31)), -2))
    made = e.mul(distance, t.cos(e.mul(second, 2.0**-30 * math.pi)))
    return made if dtype is inner else e.cast(made, dtype=dtype)


def integers(low: Any, high: Any, shape: Shape, dtype: DType = i64, stream: Stream = OWN) -> Any:
    """New ints from `low` on and below `high` (arrays or numbers that broadcast with the shape)."""
    if dtype.kind not in "iuf":
        raise TypeError(f"random ints are of a dtype of numbers, not {dtype!r}")
    first, last = as_array(low, i64), as_array(high, i64)
    # 63 bits modulo the span: off by less than span / 2**63 from uniform
    drawn = e.cast(e.right_shift(bits(shape, stream), 1), dtype=i64)
    return e.cast(e.add(first, e.mod(drawn, e.sub(last, first))), dtype=dtype)


def permutation(length: Dim, dtype: DType = i64, stream: Stream = OWN) -> Any:
    """0, 1, … length - 1 in random order."""
    order = random.random_order(bits((length,), stream))
    return order if dtype is i64 else e.cast(order, dtype=dtype)


def _float_dtype(dtype: Any) -> DType:
    return f32 if dtype is None else as_dtype(dtype)


def standard_normal(shape: Any, seed: Any = None) -> Any:
    """float32 numbers of the standard normal distribution."""
    return normal01(dims(shape), f32, stream_of(seed))


def normal(shape: Any, mean: Any, stddev: Any, seed: Any = None, *, generator: Any = None) -> Any:
    """Normally distributed float32 numbers; mean and deviation broadcast with the shape."""
    extents = _with(dims(shape), mean, stddev)
    m, d = as_array(mean, f32), as_array(stddev, f32)
    return e.add(e.mul(normal01(extents, f32, stream_of(seed, 0, generator)), d), m)


def _with(extents: Shape, *others: Any) -> Shape:
    """The shape that arrays broadcast to with `extents`."""
    return broadcast_shapes(extents, *(shape_of(o) for o in others if is_array(o)))[0]


def uniform(shape: Any, minval: Any, maxval: Any, seed: Any = None, dtype: Any = None) -> Any:
    """Numbers from `minval` on and below `maxval`: float32, or ints for an integer dtype."""
    chosen = _float_dtype(dtype)
    extents = _with(dims(shape), minval, maxval)
    if chosen.is_integer:
        return integers(minval, maxval, extents, chosen, stream_of(seed))
    low, high = as_array(minval, chosen), as_array(maxval, chosen)
    return e.add(e.mul(uniform01(extents, chosen, stream_of(seed)), e.sub(high, low)), low)


def _extents(size: Sequence[Any]) -> Shape:
    """A shape given as one sequence or as ints."""
    return dims(size[0]) if len(size) == 1 and isinstance(size[0], list | tuple) else dims(tuple(size))


def rand(*size: Any, dtype: Any = None, seed: Any = None, generator: Any = None) -> Any:
    """Numbers uniform in [0, 1)."""
    return uniform01(_extents(size), _float_dtype(dtype), stream_of(seed, 0, generator))


def randn(*size: Any, dtype: Any = None, seed: Any = None, generator: Any = None) -> Any:
    """Numbers of the standard normal distribution."""
    return normal01(_extents(size), _float_dtype(dtype), stream_of(seed, 0, generator))


def _like(x: Any, dtype: Any) -> tuple[Shape, DType]:
    a = as_array(x)
    own = dtype_of_value(a)
    return shape_of(a), own if dtype is None else as_dtype(dtype)


def rand_like(input: Any, seed: Any = None, *, dtype: Any = None) -> Any:
    """Numbers uniform in [0, 1), of the shape of an array."""
    return uniform01(*_like(input, dtype), stream_of(seed))


def randn_like(input: Any, seed: Any = None, *, dtype: Any = None) -> Any:
    """Numbers of the standard normal distribution, of the shape of an array."""
    return normal01(*_like(input, dtype), stream_of(seed))


def _check_span(low: Any, high: Any) -> None:
    if isinstance(low, int) and isinstance(high, int) and low >= high:
        raise ValueError(f"low must be below high, but they are {low} and {high}")


def randint(low: Any, high: Any, size: Any, seed: Any = None, *, dtype: Any = None, generator: Any = None) -> Any:
    """Ints from `low` on and below `high`."""
    _check_span(low, high)
    stream = stream_of(seed, 0, generator)
    return integers(low, high, dims(size), i64 if dtype is None else as_dtype(dtype), stream)


def randint_like(input: Any, low: Any, high: Any, seed: Any = None, *, dtype: Any = None) -> Any:
    """Ints from `low` on and below `high`, of the shape of an array."""
    _check_span(low, high)
    shape, chosen = _like(input, dtype)
    return integers(low, high, shape, chosen, stream_of(seed))


def randperm(n: Any, seed: Any = 0, offset: Any = 0, dtype: Any = None, *, generator: Any = None) -> Any:
    """0, 1, … n - 1 in random order."""
    del offset
    stream = stream_of(seed, 0, generator)
    return permutation(evaluator().dim(n), i64 if dtype is None else as_dtype(dtype), stream)


def shuffle(x: Any, seed: Any = None) -> Any:
    """The rows of x (along axis 0) in random order."""
    a = as_array(x)
    if rank_of(a) == 0:
        return a
    return indexing.take(a, permutation(shape_of(a)[0], i64, stream_of(seed)), 0)


def bernoulli(input: Any, p: Any = 0.5, seed: Any = None, *, generator: Any = None) -> Any:
    """1 with probability `p`, else 0, in the shape and dtype of `input`."""
    a = as_array(input)
    if isinstance(p, int | float) and not 0 <= p <= 1:
        raise ValueError(f"a probability is between 0 and 1, not {p}")
    chance = as_array(p, f32) if not is_array(p) else p
    drawn = uniform01(_with(shape_of(a), chance), f32, stream_of(seed, 0, generator))
    return e.cast(e.less(*values.promote("less", drawn, chance)), dtype=dtype_of_value(a))


def multinomial(
    input: Any, num_samples: Any, replacement: Any = True, seed: Any = None, *, generator: Any = None
) -> Any:
    """Indices drawn with probabilities proportional to the last axis of `input` (of 1 or 2 dimensions)."""
    stream = stream_of(seed, 0, generator)
    a = reductions.as_float(input)
    count = evaluator().dim(num_samples)
    batch = shape_of(a)[:-1]
    if rank_of(a) not in (1, 2):
        raise ValueError(f"multinomial takes an array of 1 or 2 dimensions, not {rank_of(a)}")
    if evaluator().static(replacement, "replacement"):
        return _with_replacement(a, (*batch, count), stream)
    # the largest log p + Gumbel noise (Gumbel 1954): an order drawn without replacement
    noise = t.log(e.neg(t.log(e.add(uniform01(shape_of(a), dtype_of_value(a), stream), 2.0**-25))))
    order = random.random_order(e.sub(noise, t.log(a)))
    length = shape_of(a)[-1]
    if isinstance(count, int) and isinstance(length, int) and count > length:
        raise ValueError(f"{count} of {length} indices cannot be drawn without replacement")
    return indexing.getitem(order, (Ellipsis, slice(None, evaluator().number(count))))


def _with_replacement(a: Any, shape: Shape, stream: Stream) -> Any:
    last = rank_of(a) - 1
    total = reductions.sum(a, last, keepdims=True)
    bounds = reductions.cumsum(e.div(a, total), last)
    drawn = s.expand_dims(uniform01(shape, dtype_of_value(a), stream), axis=(last + 1,))
    below = e.less_equal(s.expand_dims(bounds, axis=(last,)), drawn)
    found = reductions.sum(e.cast(below, dtype=i64), last + 1)
    top = evaluator().number(shape_of(a)[last])
    return elementwise.minimum(found, elementwise.subtract(top, 1))


def standard_laplace(shape: Any, seed: Any = None) -> Any:
    """float32 numbers of the Laplace distribution around 0 with scale 1."""
    return laplace(shape, 0.0, 1.0, seed)


def laplace(shape: Any, mean: Any, lambda_param: Any, seed: Any = None) -> Any:
    """float32 numbers of the Laplace distribution; mean and scale broadcast with the shape."""
    extents = _with(dims(shape), mean, lambda_param)
    drawn = e.sub(uniform01(extents, f32, stream_of(seed)), 0.5)  # in [-1/2, 1/2)
    rest = e.maximum(e.sub(1, e.mul(e.abs(drawn), 2)), 2.0**-24)
    return e.sub(as_array(mean, f32), e.mul(e.mul(e.sign(drawn), t.log(rest)), as_array(lambda_param, f32)))


def _gumbel(shape: Shape, dtype: DType, stream: Stream) -> Any:
    """Numbers of the Gumbel distribution."""
    return e.neg(t.log(e.neg(t.log(e.add(e.mul(uniform01(shape, dtype, stream), 1 - 2.0**-23), 2.0**-25)))))


def gumbel_softmax(logits: Any, tau: Any = 1.0, hard: Any = False, dim: Any = -1) -> Any:
    """softmax((logits + Gumbel noise) / tau) (Jang et al. 2017); `hard`: one-hot, with the gradient of the soft one."""
    a = reductions.as_float(logits)
    noisy = e.add(a, _gumbel(shape_of(a), dtype_of_value(a), OWN))
    soft = activations.softmax(e.div(noisy, as_array(tau, dtype_of_value(a))), dim)
    if not evaluator().static(hard, "hard"):
        return soft
    axis = static_int(dim, "the axis") % rank_of(a)
    chosen = reductions.argmax(soft, axis)
    hot = creation.one_hot(chosen, evaluator().number(shape_of(a)[axis]), axis=axis)
    return e.add(e.sub(e.cast(hot, dtype=dtype_of_value(a)), e.stop_gradient(soft)), soft)


def random_categorical(logits: Any, num_sample: Any, seed: Any = 0, dtype: Any = None) -> Any:
    """Classes (N, num_sample) drawn with probabilities softmax(logits) (N, C)."""
    drawn = multinomial(activations.softmax(logits, -1), num_sample, True, seed)
    return drawn if dtype is None else elementwise.astype(drawn, dtype)
