"""Distributions of positive numbers: exponential, gamma, beta, log-normal."""

from __future__ import annotations

import math
from typing import Any

from jitcore import ops
from jitcore.nn.probability import arguments
from jitcore.nn.probability.distribution.base import Family
from jitcore.types import f32

_LOG_ROOT_TAU = 0.5 * math.log(2 * math.pi)


def _inside(inside: Any, values: Any, outside: float) -> Any:
    """The values where they hold, elsewhere a number."""
    return ops.select(inside, values, ops.zeros_like(values) + outside)


class Exponential(Family):
    """The exponential distribution with a rate."""

    kind = "Exponential"

    def __init__(self, rate: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "Exponential") -> None:
        arguments.float_dtype(dtype, "Exponential")
        super().__init__({"rate": rate}, seed, dtype, name, ("rate",))
        self._rate = self.default_parameters[0]

    @property
    def rate(self) -> Any:
        """The rate."""
        return self._rate

    def _mean(self, rate: Any = None) -> Any:
        return 1.0 / self._check_param_type(rate)

    def _sd(self, rate: Any = None) -> Any:
        return 1.0 / self._check_param_type(rate)

    def _mode(self, rate: Any = None) -> Any:
        return ops.zeros_like(self._check_param_type(rate))

    def _entropy(self, rate: Any = None) -> Any:
        return 1.0 - ops.log(self._check_param_type(rate))

    def _log_prob(self, value: Any, rate: Any = None) -> Any:
        x, r = self._value(value), self._check_param_type(rate)
        made = ops.log(r) - r * x
        return _inside(x + r * 0 >= 0.0, made, -math.inf)

    def _prob(self, value: Any, rate: Any = None) -> Any:
        x, r = self._value(value), self._check_param_type(rate)
        made = r * ops.exp(-r * ops.maximum(x, 0.0))
        return _inside(x + r * 0 >= 0.0, made, 0.0)

    def _cdf(self, value: Any, rate: Any = None) -> Any:
        x, r = self._value(value), self._check_param_type(rate)
        return -ops.expm1(-r * ops.maximum(x, 0.0))

    def _log_survival(self, value: Any, rate: Any = None) -> Any:
        x, r = self._value(value), self._check_param_type(rate)
        return -r * ops.maximum(x, 0.0)

    def _kl_loss(self, dist: Any, rate_b: Any, rate: Any = None) -> Any:
        r_b, r = self._of_own_kind(dist, rate_b), self._check_param_type(rate)
        return ops.log(r) - ops.log(r_b) + r_b / r - 1.0

    def _sample(self, shape: Any = (), rate: Any = None) -> Any:
        r = self._check_param_type(rate)
        return ops.cast(-ops.log(self._unit(shape, r)) / r, self.dtype)


class Gamma(Family):
    """The gamma distribution with a concentration and a rate."""

    kind = "Gamma"

    def __init__(
        self, concentration: Any = None, rate: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "Gamma"
    ) -> None:
        arguments.float_dtype(dtype, "Gamma")
        super().__init__({"concentration": concentration, "rate": rate}, seed, dtype, name, ("concentration", "rate"))
        self._concentration, self._rate = self.default_parameters

    @property
    def concentration(self) -> Any:
        """The concentration."""
        return self._concentration

    @property
    def rate(self) -> Any:
        """The rate."""
        return self._rate

    def _mean(self, concentration: Any = None, rate: Any = None) -> Any:
        a, r = self._check_param_type(concentration, rate)
        return a / r

    def _var(self, concentration: Any = None, rate: Any = None) -> Any:
        a, r = self._check_param_type(concentration, rate)
        return a / ops.square(r)

    def _mode(self, concentration: Any = None, rate: Any = None) -> Any:
        a, r = self._check_param_type(concentration, rate)
        return _inside(a > 1.0, (a - 1.0) / r, math.nan)

    def _entropy(self, concentration: Any = None, rate: Any = None) -> Any:
        a, r = self._check_param_type(concentration, rate)
        return a - ops.log(r) + ops.lgamma(a) + (1.0 - a) * ops.digamma(a)

    def _log_prob(self, value: Any, concentration: Any = None, rate: Any = None) -> Any:
        x = self._value(value)
        a, r = self._check_param_type(concentration, rate)
        return ops.xlogy(a - 1.0, x) - r * x + a * ops.log(r) - ops.lgamma(a)

    def _cdf(self, value: Any, concentration: Any = None, rate: Any = None) -> Any:
        x = self._value(value)
        a, r = self._check_param_type(concentration, rate)
        return ops.igamma(a, r * x)

    def _kl_loss(
        self, dist: Any, concentration_b: Any, rate_b: Any, concentration: Any = None, rate: Any = None
    ) -> Any:
        a_b, r_b = self._of_own_kind(dist, concentration_b, rate_b)
        a, r = self._check_param_type(concentration, rate)
        made = (a - a_b) * ops.digamma(a) + ops.lgamma(a_b) - ops.lgamma(a)
        return made + a_b * (ops.log(r) - ops.log(r_b)) + a * (r_b / r - 1.0)

    def _sample(self, shape: Any = (), concentration: Any = None, rate: Any = None) -> Any:
        a, r = self._check_param_type(concentration, rate)
        self._extents(shape, a)
        return ops.cast(ops.gamma(shape, a, r, self.seed), self.dtype)


class Beta(Family):
    """The beta distribution, with concentrations of 1 and of 0."""

    kind = "Beta"

    def __init__(
        self, concentration1: Any = None, concentration0: Any = None, seed: Any = None,
        dtype: Any = f32, name: Any = "Beta"
    ) -> None:  # fmt: skip
        arguments.float_dtype(dtype, "Beta")
        given = {"concentration1": concentration1, "concentration0": concentration0}
        super().__init__(given, seed, dtype, name, ("concentration1", "concentration0"))
        self._concentration1, self._concentration0 = self.default_parameters

    @property
    def concentration1(self) -> Any:
        """The concentration of 1."""
        return self._concentration1

    @property
    def concentration0(self) -> Any:
        """The concentration of 0."""
        return self._concentration0

    def _mean(self, concentration1: Any = None, concentration0: Any = None) -> Any:
        a, b = self._check_param_type(concentration1, concentration0)
        return a / (a + b)

    def _var(self, concentration1: Any = None, concentration0: Any = None) -> Any:
        a, b = self._check_param_type(concentration1, concentration0)
        total = a + b
        return a * b / (ops.square(total) * (total + 1.0))

    def _mode(self, concentration1: Any = None, concentration0: Any = None) -> Any:
        a, b = self._check_param_type(concentration1, concentration0)
        return _inside(ops.logical_and(a > 1.0, b > 1.0), (a - 1.0) / (a + b - 2.0), math.nan)

    def _log_beta(self, a: Any, b: Any) -> Any:
        return ops.lgamma(a) + ops.lgamma(b) - ops.lgamma(a + b)

    def _entropy(self, concentration1: Any = None, concentration0: Any = None) -> Any:
        a, b = self._check_param_type(concentration1, concentration0)
        made = self._log_beta(a, b) - (a - 1.0) * ops.digamma(a) - (b - 1.0) * ops.digamma(b)
        return made + (a + b - 2.0) * ops.digamma(a + b)

    def _log_prob(self, value: Any, concentration1: Any = None, concentration0: Any = None) -> Any:
        x = self._value(value)
        a, b = self._check_param_type(concentration1, concentration0)
        return ops.xlogy(a - 1.0, x) + (b - 1.0) * ops.log1p(-x) - self._log_beta(a, b)

    def _kl_loss(
        self,
        dist: Any,
        concentration1_b: Any,
        concentration0_b: Any,
        concentration1: Any = None,
        concentration0: Any = None,
    ) -> Any:
        a_b, b_b = self._of_own_kind(dist, concentration1_b, concentration0_b)
        a, b = self._check_param_type(concentration1, concentration0)
        total, total_b = a + b, a_b + b_b
        made = self._log_beta(a_b, b_b) - self._log_beta(a, b) - (a_b - a) * ops.digamma(a)
        return made - (b_b - b) * ops.digamma(b) + (total_b - total) * ops.digamma(total)

    def _sample(self, shape: Any = (), concentration1: Any = None, concentration0: Any = None) -> Any:
        a, b = self._check_param_type(concentration1, concentration0)
        self._extents(shape, a)
        one = ops.ones_like(a)
        first = ops.gamma(shape, a, one, self.seed)
        second = ops.gamma(shape, b, one, self.seed + 1)
        return ops.cast(first / (first + second), self.dtype)


class LogNormal(Family):
    """The distribution of exp(x) for normal x."""

    kind = "LogNormal"

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: Any = 0, dtype: Any = f32, name: Any = "LogNormal"
    ) -> None:
        arguments.float_dtype(dtype, "LogNormal")
        super().__init__({"loc": loc, "scale": scale}, seed, dtype, name, ("scale",))
        self._loc, self._scale = self.default_parameters

    @property
    def loc(self) -> Any:
        """The mean of the logarithms."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The deviation of the logarithms."""
        return self._scale

    def _mean(self, loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        return ops.exp(m + 0.5 * ops.square(d))

    def _var(self, loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        return ops.expm1(ops.square(d)) * ops.exp(2.0 * m + ops.square(d))

    def _mode(self, loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        return ops.exp(m - ops.square(d))

    def _entropy(self, loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        return m + ops.log(d) + (_LOG_ROOT_TAU + 0.5)

    def _log_prob(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        x = ops.log(self._value(value))
        m, d = self._check_param_type(loc, scale)
        return ops.square((x - m) / d) * -0.5 - ops.log(d) - _LOG_ROOT_TAU - x

    def _cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        x = ops.log(self._value(value))
        m, d = self._check_param_type(loc, scale)
        return 0.5 * ops.erfc((m - x) / d * math.sqrt(0.5))

    def _survival_function(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        x = ops.log(self._value(value))
        m, d = self._check_param_type(loc, scale)
        return 0.5 * ops.erfc((x - m) / d * math.sqrt(0.5))

    def _kl_loss(self, dist: Any, loc_b: Any, scale_b: Any, loc: Any = None, scale: Any = None) -> Any:
        m_b, d_b = self._of_own_kind(dist, loc_b, scale_b)
        m, d = self._check_param_type(loc, scale)
        gap = ops.log(d) - ops.log(d_b)
        return 0.5 * ops.square((m - m_b) / d_b) + 0.5 * ops.expm1(2 * gap) - gap

    def _sample(self, shape: Any = (), loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        return ops.cast(ops.exp(ops.standard_normal(self._extents(shape, m), self.seed) * d + m), self.dtype)
