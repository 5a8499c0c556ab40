"""MindSpore's random operators, as functions and as classes. What they draw is the same in both modes for the same
seed."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation, shapes
from jitcore.library.core.marking import library
from jitcore.library.core.values import dims
from jitcore.library.math import comparisons, elementwise
from jitcore.library.nn import dropout as dropouts
from jitcore.library.random import sampling
from jitcore.ops.primitives import make_primitive
from jitcore.types import f32, i32

_public = library("tensor")

standard_normal = _public(sampling.standard_normal)
normal = _public(sampling.normal)
uniform = _public(sampling.uniform)
rand = _public(sampling.rand)
randn = _public(sampling.randn)
rand_like = _public(sampling.rand_like)
randn_like = _public(sampling.randn_like)
randint = _public(sampling.randint)
randint_like = _public(sampling.randint_like)
randperm = _public(sampling.randperm)
shuffle = random_shuffle = _public(sampling.shuffle)
bernoulli = _public(sampling.bernoulli)
multinomial = _public(sampling.multinomial)
dropout = _public(dropouts.dropout)
standard_laplace = _public(sampling.standard_laplace)
laplace = _public(sampling.laplace)
gumbel_softmax = _public(sampling.gumbel_softmax)
random_categorical = _public(sampling.random_categorical)


@_public
def dropout1d(input: Any, p: Any = 0.5, training: Any = True) -> Any:
    """x (N, C, L) with whole channels set to zero with probability `p` and the others scaled up."""
    return dropouts.dropout_channels(input, p, training)


@_public
def dropout2d(input: Any, p: Any = 0.5, training: Any = True) -> Any:
    """As `dropout1d`, of x (N, C, H, W)."""
    return dropouts.dropout_channels(input, p, training)


@_public
def dropout3d(input: Any, p: Any = 0.5, training: Any = True) -> Any:
    """As `dropout1d`, of x (N, C, D, H, W)."""
    return dropouts.dropout_channels(input, p, training)


# --- classes ----------------------------------------------------------------------------------------


def _standard_normal(shape: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return sampling.normal01(dims(shape), f32, sampling.stream_of(seed, seed2))


def _standard_laplace(shape: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return sampling.standard_laplace(shape, seed or seed2)


def _uniform_real(shape: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return sampling.uniform01(dims(shape), f32, sampling.stream_of(seed, seed2))


def _uniform_int(shape: Any, minval: Any, maxval: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return sampling.integers(minval, maxval, dims(shape), i32, sampling.stream_of(seed, seed2))


def _shuffle(x: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return sampling.shuffle(x, seed or seed2)


def _multinomial(x: Any, num_samples: Any, *, seed: Any = 0, seed2: Any = 0, dtype: Any = i32) -> Any:
    return elementwise.astype(sampling.multinomial(x, num_samples, True, seed or seed2), dtype)


def _bernoulli(x: Any, p: Any = 0.5, *, seed: Any = 0, offset: Any = 0) -> Any:
    del offset
    return sampling.bernoulli(x, p, 0 if seed == -1 else seed)


def _randperm(n: Any, *, max_length: Any = 1, pad: Any = -1, dtype: Any = i32) -> Any:
    made = elementwise.astype(sampling.randperm(n), dtype)
    return shapes.pad(made, ((0, max_length - n),), pad) if max_length > n else made


StandardNormal = make_primitive("StandardNormal", _standard_normal)
StandardLaplace = make_primitive("StandardLaplace", _standard_laplace)
UniformReal = make_primitive("UniformReal", _uniform_real)
UniformInt = make_primitive("UniformInt", _uniform_int)
RandomShuffle = make_primitive("RandomShuffle", _shuffle)
Multinomial = make_primitive("Multinomial", _multinomial)
Bernoulli = make_primitive("Bernoulli", _bernoulli)
Randperm = make_primitive("Randperm", _randperm)
Dropout = make_primitive("Dropout", dropouts.dropout_with_mask)


def _dropout2d(x: Any, *, keep_prob: Any = 0.5) -> Any:
    ones = creation.ones_like(x)
    kept = dropouts.dropout_channels(ones, 1 - keep_prob, True)
    return elementwise.multiply(x, kept), comparisons.not_equal(kept, 0)


Dropout2D = Dropout3D = make_primitive("Dropout2D", _dropout2d)
