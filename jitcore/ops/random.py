"""MindSpore's random operators, as functions and as classes. What they draw is the same in both modes for the same
seed."""

from __future__ import annotations

from typing import Any

from jitcore.ops.primitives import make_primitive
from jitcore.primitives.functions import comparisons, creation, elementwise, random, shapes
from jitcore.primitives.library import dims, library
from jitcore.types import f32, i32

_public = library("tensor")

standard_normal = _public(random.standard_normal)
normal = _public(random.normal)
uniform = _public(random.uniform)
rand = _public(random.rand)
randn = _public(random.randn)
rand_like = _public(random.rand_like)
randn_like = _public(random.randn_like)
randint = _public(random.randint)
randint_like = _public(random.randint_like)
randperm = _public(random.randperm)
shuffle = random_shuffle = _public(random.shuffle)
bernoulli = _public(random.bernoulli)
multinomial = _public(random.multinomial)
dropout = _public(random.dropout)
standard_laplace = _public(random.standard_laplace)
laplace = _public(random.laplace)
gumbel_softmax = _public(random.gumbel_softmax)
random_categorical = _public(random.random_categorical)


@_public
def dropout1d(input: Any, p: Any = 0.5, training: Any = True) -> Any:
    """x (N, C, L) with whole channels set to zero with probability `p` and the others scaled up."""
    return random.dropout_channels(input, p, training)


@_public
def dropout2d(input: Any, p: Any = 0.5, training: Any = True) -> Any:
    """As `dropout1d`, of x (N, C, H, W)."""
    return random.dropout_channels(input, p, training)


@_public
def dropout3d(input: Any, p: Any = 0.5, training: Any = True) -> Any:
    """As `dropout1d`, of x (N, C, D, H, W)."""
    return random.dropout_channels(input, p, training)


# --- classes ----------------------------------------------------------------------------------------


def _standard_normal(shape: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return random.normal01(dims(shape), f32, random.stream_of(seed, seed2))


def _standard_laplace(shape: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return random.standard_laplace(shape, seed or seed2)


def _uniform_real(shape: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return random.uniform01(dims(shape), f32, random.stream_of(seed, seed2))


def _uniform_int(shape: Any, minval: Any, maxval: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return random.integers(minval, maxval, dims(shape), i32, random.stream_of(seed, seed2))


def _shuffle(x: Any, *, seed: Any = 0, seed2: Any = 0) -> Any:
    return random.shuffle(x, seed or seed2)


def _multinomial(x: Any, num_samples: Any, *, seed: Any = 0, seed2: Any = 0, dtype: Any = i32) -> Any:
    return elementwise.astype(random.multinomial(x, num_samples, True, seed or seed2), dtype)


def _bernoulli(x: Any, p: Any = 0.5, *, seed: Any = 0, offset: Any = 0) -> Any:
    del offset
    return random.bernoulli(x, p, 0 if seed == -1 else seed)


def _randperm(n: Any, *, max_length: Any = 1, pad: Any = -1, dtype: Any = i32) -> Any:
    made = elementwise.astype(random.randperm(n), dtype)
    return shapes.pad(made, ((0, max_length - n),), pad) if max_length > n else made


StandardNormal = make_primitive("StandardNormal", _standard_normal)
StandardLaplace = make_primitive("StandardLaplace", _standard_laplace)
UniformReal = make_primitive("UniformReal", _uniform_real)
UniformInt = make_primitive("UniformInt", _uniform_int)
RandomShuffle = make_primitive("RandomShuffle", _shuffle)
Multinomial = make_primitive("Multinomial", _multinomial)
Bernoulli = make_primitive("Bernoulli", _bernoulli)
Randperm = make_primitive("Randperm", _randperm)
Dropout = make_primitive("Dropout", random.dropout_with_mask)


def _dropout2d(x: Any, *, keep_prob: Any = 0.5) -> Any:
    ones = creation.ones_like(x)
    kept = random.dropout_channels(ones, 1 - keep_prob, True)
    return elementwise.multiply(x, kept), comparisons.not_equal(kept, 0)


Dropout2D = Dropout3D = make_primitive("Dropout2D", _dropout2d)
