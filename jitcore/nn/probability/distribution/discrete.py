"""Distributions of whole numbers: Bernoulli, categorical, geometric, Poisson."""

from __future__ import annotations

import math
from typing import Any

from jitcore import ops
from jitcore.nn.probability import arguments
from jitcore.nn.probability.distribution.base import Family
from jitcore.types import f32, i32


class _Chance(Family):
    """A family whose parameter is a probability."""

    def __init__(self, probs: Any, seed: Any, dtype: Any, name: Any) -> None:
        arguments.number_dtype(dtype, self.kind)
        super().__init__({"probs": probs}, seed, dtype, name)
        self._probs = self.default_parameters[0]
        arguments.probability(self._probs, "probs")

    @property
    def probs(self) -> Any:
        """The probabilities."""
        return self._probs


class Bernoulli(_Chance):
    """1 with a probability, else 0."""

    kind = "Bernoulli"

    def __init__(self, probs: Any = None, seed: Any = None, dtype: Any = i32, name: Any = "Bernoulli") -> None:
        super().__init__(probs, seed, dtype, name)

    def _mean(self, probs: Any = None) -> Any:
        return self._check_param_type(probs)

    def _mode(self, probs: Any = None) -> Any:
        return ops.cast(self._check_param_type(probs) > 0.5, self.dtype)

    def _var(self, probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return p * (1.0 - p)

    def _entropy(self, probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return -p * ops.log(p) - (1.0 - p) * ops.log1p(-p)

    def _log_prob(self, value: Any, probs: Any = None) -> Any:
        return ops.log(self._prob(value, probs))

    def _prob(self, value: Any, probs: Any = None) -> Any:
        x, p = self._value(value), self._check_param_type(probs)
        return p * x + (1.0 - p) * (1.0 - x)

    def _cdf(self, value: Any, probs: Any = None) -> Any:
        x, p = ops.floor(self._value(value)), self._check_param_type(probs)
        below = ops.select(x + p * 0 < 0.0, ops.zeros_like(x + p), 1.0 - p + x * 0)
        return ops.select(x + p * 0 >= 1.0, ops.ones_like(below), below)

    def _kl_loss(self, dist: Any, probs_b: Any, probs: Any = None) -> Any:
        q, p = self._of_own_kind(dist, probs_b), self._check_param_type(probs)
        return p * ops.log(p / q) + (1.0 - p) * ops.log((1.0 - p) / (1.0 - q))

    def _sample(self, shape: Any = (), probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return ops.cast(self._unit(shape, p) < p, self.dtype)


class Geometric(_Chance):
    """The number of failures before the first success."""

    kind = "Geometric"

    def __init__(self, probs: Any = None, seed: Any = None, dtype: Any = i32, name: Any = "Geometric") -> None:
        super().__init__(probs, seed, dtype, name)

    def _mean(self, probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return (1.0 - p) / p

    def _mode(self, probs: Any = None) -> Any:
        return ops.cast(ops.zeros_like(self._check_param_type(probs)), self.dtype)

    def _var(self, probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return (1.0 - p) / ops.square(p)

    def _entropy(self, probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return (-p * ops.log(p) - (1.0 - p) * ops.log1p(-p)) / p

    def _prob(self, value: Any, probs: Any = None) -> Any:
        x, p = ops.floor(self._value(value)), self._check_param_type(probs)
        made = ops.exp(ops.maximum(x, 0.0) * ops.log1p(-p) + ops.log(p))
        return ops.select(x + p * 0 >= 0.0, made, ops.zeros_like(made))

    def _cdf(self, value: Any, probs: Any = None) -> Any:
        x, p = ops.floor(self._value(value)), self._check_param_type(probs)
        return -ops.expm1((ops.maximum(x, -1.0) + 1.0) * ops.log1p(-p))

    def _kl_loss(self, dist: Any, probs_b: Any, probs: Any = None) -> Any:
        q, p = self._of_own_kind(dist, probs_b), self._check_param_type(probs)
        return ops.log(p / q) + (1.0 - p) / p * ops.log((1.0 - p) / (1.0 - q))

    def _sample(self, shape: Any = (), probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return ops.cast(ops.floor(ops.log(self._unit(shape, p)) / ops.log1p(-p)), self.dtype)


class Poisson(Family):
    """The number of events that come at a rate."""

    kind = "Poisson"

    def __init__(self, rate: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "Poisson") -> None:
        arguments.number_dtype(dtype, "Poisson")
        super().__init__({"rate": rate}, seed, dtype, name, ("rate",))
        self._rate = self.default_parameters[0]

    @property
    def rate(self) -> Any:
        """The rate."""
        return self._rate

    def _mean(self, rate: Any = None) -> Any:
        return self._check_param_type(rate)

    def _var(self, rate: Any = None) -> Any:
        return self._check_param_type(rate)

    def _mode(self, rate: Any = None) -> Any:
        return ops.floor(self._check_param_type(rate))

    def _log_prob(self, value: Any, rate: Any = None) -> Any:
        x, r = self._value(value), self._check_param_type(rate)
        whole = ops.logical_and(x + r * 0 >= 0.0, ops.equal(ops.floor(x), x + r * 0))
        made = x * ops.log(r) - r - ops.lgamma(ops.maximum(x, 0.0) + 1.0)
        return ops.select(whole, made, ops.zeros_like(made) - math.inf)

    def _cdf(self, value: Any, rate: Any = None) -> Any:
        x, r = self._value(value), self._check_param_type(rate)
        inside = x + r * 0 >= 0.0
        made = ops.igammac(ops.floor(ops.maximum(x, 0.0)) + 1.0, r)
        return ops.select(inside, made, ops.zeros_like(made))

    def _kl_loss(self, dist: Any, rate_b: Any, rate: Any = None) -> Any:
        r_b, r = self._of_own_kind(dist, rate_b), self._check_param_type(rate)
        return r * (ops.log(r) - ops.log(r_b)) - r + r_b

    def _sample(self, shape: Any = (), rate: Any = None) -> Any:
        r = self._check_param_type(rate)
        self._extents(shape, r)
        return ops.random_poisson(shape, r, self.seed, self.dtype)


class Categorical(Family):
    """One of n classes, whose probabilities are along the last axis of `probs`."""

    kind = "Categorical"

    def __init__(self, probs: Any = None, seed: Any = None, dtype: Any = i32, name: Any = "Categorical") -> None:
        arguments.number_dtype(dtype, "Categorical")
        super().__init__({"probs": probs}, seed, dtype, name)
        self._probs = self.default_parameters[0]
        arguments.probability(self._probs, "probs")
        if self._probs is not None:
            if not self._probs.ndim:
                raise ValueError("For 'Categorical', 'probs' must have at least one axis.")
            if (abs(self._probs.asnumpy().sum(-1) - 1) > 1e-5).any():
                raise ValueError("For 'Categorical', 'probs' must add up to 1 along the last axis.")
            self._batch_shape = self._probs.shape[:-1]
            self._broadcast_shape = self._batch_shape

    @property
    def probs(self) -> Any:
        """The probabilities of the classes."""
        return self._probs

    def _classes(self, p: Any) -> Any:
        return ops.cast(ops.arange(p.shape[-1]), self.parameter_type)

    def _mean(self, probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return ops.reduce_sum(p * self._classes(p), -1)

    def _mode(self, probs: Any = None) -> Any:
        return ops.cast(ops.argmax(self._check_param_type(probs), -1), self.dtype)

    def _var(self, probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return ops.reduce_sum(p * ops.square(self._classes(p)), -1) - ops.square(self._mean(probs))

    def _entropy(self, probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        return -ops.reduce_sum(ops.xlogy(p, p), -1)

    def _prob(self, value: Any, probs: Any = None) -> Any:
        """The probability of a class; NaN for what is none."""
        x, p = ops.floor(self._value(value)), self._check_param_type(probs)
        picked = ops.reduce_sum(ops.cast(ops.equal(ops.expand_dims(x, -1), self._classes(p)), p.dtype) * p, -1)
        inside = ops.logical_and(x + picked * 0 >= 0.0, x + picked * 0 <= p.shape[-1] - 1.0)
        return ops.select(inside, picked, picked * 0 + math.nan)

    def _cdf(self, value: Any, probs: Any = None) -> Any:
        x, p = ops.floor(self._value(value)), self._check_param_type(probs)
        reached = ops.cast(ops.less_equal(self._classes(p), ops.expand_dims(x, -1)), p.dtype)
        return ops.reduce_sum(reached * p, -1)

    def _kl_loss(self, dist: Any, probs_b: Any, probs: Any = None) -> Any:
        q, p = self._of_own_kind(dist, probs_b), self._check_param_type(probs)
        return ops.reduce_sum(ops.xlogy(p, p) - ops.xlogy(p, q), -1)

    def _sample(self, shape: Any = (), probs: Any = None) -> Any:
        p = self._check_param_type(probs)
        drawn = ops.expand_dims(self._unit(shape, p[..., 0]), -1)
        passed = ops.cast(drawn >= ops.cumsum(p, -1), self.dtype)
        return ops.minimum(ops.cast(ops.reduce_sum(passed, -1), self.dtype), p.shape[-1] - 1)
