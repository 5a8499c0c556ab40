"""Distributions with a location and a scale, and the uniform one."""

from __future__ import annotations

import math
from typing import Any

from jitcore import ops
from jitcore.nn.probability import arguments
from jitcore.nn.probability.distribution.base import Family
from jitcore.primitives.core.dialects import dialect_of
from jitcore.types import f32

_EULER = 0.57721566490153286
_LOG_ROOT_TAU = 0.5 * math.log(2 * math.pi)


class Normal(Family):
    """The normal distribution."""

    kind = "Normal"

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "Normal"
    ) -> None:
        arguments.float_dtype(dtype, "Normal")
        super().__init__({"mean": mean, "sd": sd}, seed, dtype, name, ("sd",))
        self._mean_value, self._sd_value = self.default_parameters

    def _mean(self, mean: Any = None, sd: Any = None) -> Any:
        return self._check_param_type(mean, sd)[0]

    def _mode(self, mean: Any = None, sd: Any = None) -> Any:
        return self._check_param_type(mean, sd)[0]

    def _sd(self, mean: Any = None, sd: Any = None) -> Any:
        return self._check_param_type(mean, sd)[1]

    def _entropy(self, mean: Any = None, sd: Any = None) -> Any:
        _, d = self._check_param_type(mean, sd)
        return ops.log(d) + (_LOG_ROOT_TAU + 0.5)

    def _log_prob(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        x = self._value(value)
        m, d = self._check_param_type(mean, sd)
        return ops.square((x - m) / d) * -0.5 - ops.log(d) - _LOG_ROOT_TAU

    def _cdf(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        x = self._value(value)
        m, d = self._check_param_type(mean, sd)
        return 0.5 * ops.erfc((m - x) / d * math.sqrt(0.5))

    def _survival_function(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        x = self._value(value)
        m, d = self._check_param_type(mean, sd)
        return 0.5 * ops.erfc((x - m) / d * math.sqrt(0.5))

    def _kl_loss(self, dist: Any, mean_b: Any, sd_b: Any, mean: Any = None, sd: Any = None) -> Any:
        m_b, d_b = self._of_own_kind(dist, mean_b, sd_b)
        m, d = self._check_param_type(mean, sd)
        gap = ops.log(d) - ops.log(d_b)
        return 0.5 * ops.square((m - m_b) / d_b) + 0.5 * ops.expm1(2 * gap) - gap

    def _sample(self, shape: Any = (), mean: Any = None, sd: Any = None) -> Any:
        m, d = self._check_param_type(mean, sd)
        return ops.cast(ops.standard_normal(self._extents(shape, m), self.seed) * d + m, self.dtype)


class HalfNormal(Family):
    """The distribution of mean + |x| for normal x: nothing is below the mean."""

    kind = "HalfNormal"

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "HalfNormal"
    ) -> None:
        arguments.float_dtype(dtype, "HalfNormal")
        super().__init__({"mean": mean, "sd": sd}, seed, dtype, name, ("sd",))

    def _log_prob(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        x = self._value(value)
        m, d = self._check_param_type(mean, sd)
        inside = ops.square((x - m) / d) * -0.5 - ops.log(d) + 0.5 * math.log(2 / math.pi)
        return ops.select(x >= m, inside, inside * 0 - math.inf)

    def _cdf(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        x = self._value(value)
        m, d = self._check_param_type(mean, sd)
        return ops.erf(ops.maximum(x - m, 0.0) / d * math.sqrt(0.5))

    def _sample(self, shape: Any = (), mean: Any = None, sd: Any = None) -> Any:
        m, d = self._check_param_type(mean, sd)
        return ops.cast(ops.abs(ops.standard_normal(self._extents(shape, m), self.seed)) * d + m, self.dtype)


class Laplace(Family):
    """Laplace's distribution; its `sd` is the scale."""

    kind = "Laplace"

    def __init__(
        self, mean: Any = None, sd: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "Laplace"
    ) -> None:
        arguments.float_dtype(dtype, "Laplace")
        super().__init__({"mean": mean, "sd": sd}, seed, dtype, name, ("sd",))

    def _log_prob(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        x = self._value(value)
        m, d = self._check_param_type(mean, sd)
        return -ops.abs(x - m) / d - ops.log(2 * d)

    def _cdf(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        x = self._value(value)
        m, d = self._check_param_type(mean, sd)
        z = (x - m) / d
        return 0.5 - 0.5 * ops.sign(z) * ops.expm1(-ops.abs(z))

    def _sample(self, shape: Any = (), mean: Any = None, sd: Any = None) -> Any:
        m, d = self._check_param_type(mean, sd)
        return ops.cast(ops.standard_laplace(self._extents(shape, m), self.seed) * d + m, self.dtype)


class StudentT(Family):
    """Student's t distribution with degrees of freedom `df`, moved and scaled."""

    kind = "StudentT"

    def __init__(
        self, df: Any = None, mean: Any = None, sd: Any = None, seed: Any = None,
        dtype: Any = f32, name: Any = "StudentT"
    ) -> None:  # fmt: skip
        arguments.float_dtype(dtype, "StudentT")
        super().__init__({"df": df, "mean": mean, "sd": sd}, seed, dtype, name, ("df", "sd"))

    def _log_prob(self, value: Any, df: Any = None, mean: Any = None, sd: Any = None) -> Any:
        x = self._value(value)
        n, m, d = self._check_param_type(df, mean, sd)
        z = (x - m) / d
        scale = ops.lgamma(0.5 * (n + 1)) - ops.lgamma(0.5 * n) - 0.5 * ops.log(n * math.pi) - ops.log(d)
        return scale - 0.5 * (n + 1) * ops.log1p(ops.square(z) / n)

    def _sample(self, shape: Any = (), df: Any = None, mean: Any = None, sd: Any = None) -> Any:
        n, m, d = self._check_param_type(df, mean, sd)
        z = ops.standard_normal(self._extents(shape, n), self.seed)
        spread = ops.gamma(shape, 0.5 * n, n * 0 + 0.5, self.seed)
        return ops.cast(z * ops.sqrt(n / spread) * d + m, self.dtype)


class _Scaled(Family):
    """A family with parameters `loc` and `scale`."""

    def __init__(self, loc: Any, scale: Any, seed: Any, dtype: Any, name: Any) -> None:
        arguments.float_dtype(dtype, self.kind)
        super().__init__({"loc": loc, "scale": scale}, seed, dtype, name, ("scale",))
        self._loc, self._scale = self.default_parameters

    @property
    def loc(self) -> Any:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale."""
        return self._scale

    def _standard(self, value: Any, loc: Any, scale: Any) -> Any:
        """(values less the location over the scale, the scale)."""
        x = self._value(value)
        m, d = self._check_param_type(loc, scale)
        return (x - m) / d, d

    def _mode(self, loc: Any = None, scale: Any = None) -> Any:
        return self._check_param_type(loc, scale)[0]


class Cauchy(_Scaled):
    """Cauchy's distribution. It has no mean and no variance: those raise ValueError."""

    kind = "Cauchy"

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "Cauchy"
    ) -> None:
        super().__init__(loc, scale, seed, dtype, name)

    def _mean(self, *args: Any, **keywords: Any) -> Any:
        raise ValueError("Cauchy's distribution has no mean.")

    def _sd(self, *args: Any, **keywords: Any) -> Any:
        raise ValueError("Cauchy's distribution has no standard deviation.")

    def _var(self, *args: Any, **keywords: Any) -> Any:
        raise ValueError("Cauchy's distribution has no variance.")

    def _entropy(self, loc: Any = None, scale: Any = None) -> Any:
        return ops.log(self._check_param_type(loc, scale)[1]) + math.log(4 * math.pi)

    def _log_prob(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        z, d = self._standard(value, loc, scale)
        return -ops.log1p(ops.square(z)) - ops.log(d) - math.log(math.pi)

    def _cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        z, _ = self._standard(value, loc, scale)
        return ops.atan(z) / math.pi + 0.5

    def _survival_function(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        z, _ = self._standard(value, loc, scale)
        return 0.5 - ops.atan(z) / math.pi

    def _kl_loss(self, dist: Any, loc_b: Any, scale_b: Any, loc: Any = None, scale: Any = None) -> Any:
        """Chyzak and Nielsen 2019."""
        m_b, d_b = self._of_own_kind(dist, loc_b, scale_b)
        m, d = self._check_param_type(loc, scale)
        return ops.log((ops.square(d + d_b) + ops.square(m - m_b)) / (4 * d * d_b))

    def _sample(self, shape: Any = (), loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        return ops.cast(ops.tan((self._unit(shape, m) - 0.5) * math.pi) * d + m, self.dtype)


class Logistic(_Scaled):
    """The logistic distribution."""

    kind = "Logistic"

    def __init__(
        self, loc: Any = None, scale: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "Logistic"
    ) -> None:
        super().__init__(loc, scale, seed, dtype, name)

    def _mean(self, loc: Any = None, scale: Any = None) -> Any:
        return self._check_param_type(loc, scale)[0]

    def _sd(self, loc: Any = None, scale: Any = None) -> Any:
        return self._check_param_type(loc, scale)[1] * (math.pi / math.sqrt(3))

    def _entropy(self, loc: Any = None, scale: Any = None) -> Any:
        return ops.log(self._check_param_type(loc, scale)[1]) + 2.0

    def _log_prob(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        z, d = self._standard(value, loc, scale)
        return -ops.abs(z) - 2.0 * ops.log1p(ops.exp(-ops.abs(z))) - ops.log(d)

    def _cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.sigmoid(self._standard(value, loc, scale)[0])

    def _log_cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.logsigmoid(self._standard(value, loc, scale)[0])

    def _survival_function(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.sigmoid(-self._standard(value, loc, scale)[0])

    def _log_survival(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.logsigmoid(-self._standard(value, loc, scale)[0])

    def _sample(self, shape: Any = (), loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        u = self._unit(shape, m)
        return ops.cast((ops.log(u) - ops.log1p(-u)) * d + m, self.dtype)


class Gumbel(_Scaled):
    """Gumbel's distribution, of the largest of many numbers."""

    kind = "Gumbel"

    def __init__(self, loc: Any, scale: Any, seed: Any = 0, dtype: Any = f32, name: Any = "Gumbel") -> None:
        super().__init__(loc, scale, seed, dtype, name)
        self._moved = dialect_of(self) is None

    def _mean(self, loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        return m + d * _EULER

    def _sd(self, loc: Any = None, scale: Any = None) -> Any:
        return self._check_param_type(loc, scale)[1] * (math.pi / math.sqrt(6))

    def _entropy(self, loc: Any = None, scale: Any = None) -> Any:
        return ops.log(self._check_param_type(loc, scale)[1]) + (1 + _EULER)

    def _log_prob(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        z, d = self._standard(value, loc, scale)
        return -z - ops.exp(-z) - ops.log(d)

    def _log_cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return -ops.exp(-self._standard(value, loc, scale)[0])

    def _survival_function(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return -ops.expm1(self._log_cdf(value, loc, scale))

    def _kl_loss(self, dist: Any, loc_b: Any, scale_b: Any, loc: Any = None, scale: Any = None) -> Any:
        """Bauckhage 2014; MindSpore leaves out the last term, of the difference of the locations."""
        m_b, d_b = self._of_own_kind(dist, loc_b, scale_b)
        m, d = self._check_param_type(loc, scale)
        ratio = d / d_b
        spread = ops.log(d_b) - ops.log(d) + (ratio - 1) * _EULER
        made = spread + ops.expm1((m_b - m) / d_b + ops.lgamma(ratio + 1))
        return made + (m - m_b) / d_b if self._moved else made

    def _sample(self, shape: Any = (), loc: Any = None, scale: Any = None) -> Any:
        m, d = self._check_param_type(loc, scale)
        return ops.cast(m - ops.log(-ops.log(self._unit(shape, m))) * d, self.dtype)


class Uniform(Family):
    """The uniform distribution from `low` to `high`."""

    kind = "Uniform"

    def __init__(
        self, low: Any = None, high: Any = None, seed: Any = None, dtype: Any = f32, name: Any = "Uniform"
    ) -> None:
        arguments.float_dtype(dtype, "Uniform")
        super().__init__({"low": low, "high": high}, seed, dtype, name)
        self._low, self._high = self.default_parameters
        if self._low is not None and self._high is not None and not (self._low.asnumpy() < self._high.asnumpy()).all():
            raise ValueError("For 'Uniform', 'low' must be less than 'high'.")

    @property
    def low(self) -> Any:
        """The lower end."""
        return self._low

    @property
    def high(self) -> Any:
        """The upper end."""
        return self._high

    def _mean(self, low: Any = None, high: Any = None) -> Any:
        a, b = self._check_param_type(low, high)
        return (a + b) * 0.5

    def _var(self, low: Any = None, high: Any = None) -> Any:
        a, b = self._check_param_type(low, high)
        return ops.square(b - a) / 12.0

    def _entropy(self, low: Any = None, high: Any = None) -> Any:
        a, b = self._check_param_type(low, high)
        return ops.log(b - a)

    def _prob(self, value: Any, low: Any = None, high: Any = None) -> Any:
        x = self._value(value)
        a, b = self._check_param_type(low, high)
        return ops.cast(ops.logical_and(x >= a, x <= b), self.parameter_type) / (b - a)

    def _cdf(self, value: Any, low: Any = None, high: Any = None) -> Any:
        x = self._value(value)
        a, b = self._check_param_type(low, high)
        return ops.minimum(ops.maximum((x - a) / (b - a), 0.0), 1.0)

    def _kl_loss(self, dist: Any, low_b: Any, high_b: Any, low: Any = None, high: Any = None) -> Any:
        a_b, b_b = self._of_own_kind(dist, low_b, high_b)
        a, b = self._check_param_type(low, high)
        inside = ops.log(b_b - a_b) - ops.log(b - a)
        return ops.select(ops.logical_and(a_b <= a, b_b >= b), inside, inside * 0 + math.inf)

    def _sample(self, shape: Any = (), low: Any = None, high: Any = None) -> Any:
        a, b = self._check_param_type(low, high)
        return ops.cast(self._unit(shape, a) * (b - a) + a, self.dtype)
