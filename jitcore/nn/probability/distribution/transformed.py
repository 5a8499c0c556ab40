"""Distributions of what a bijector makes of numbers of another distribution."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn.probability.distribution.base import Distribution
from jitcore.nn.probability.invertible import Invertible, transformed


class TransformedDistribution(Distribution):
    """The distribution of bijector(x) for x of a distribution; parameters that methods take are that distribution's."""

    def __init__(
        self, bijector: Any, distribution: Any, seed: Any = None, name: Any = "transformed_distribution"
    ) -> None:
        if not isinstance(bijector, Invertible):
            raise TypeError(f"For 'TransformedDistribution', {bijector!r} is not a bijector.")
        if not isinstance(distribution, Distribution):
            raise TypeError(f"For 'TransformedDistribution', {distribution!r} is not a distribution.")
        super().__init__(seed, distribution.dtype, name, {"bijector": bijector, "distribution": distribution})
        self._bijector, self._distribution = bijector, distribution
        self._is_linear_transformation = bijector.is_constant_jacobian
        self.default_parameters = distribution.default_parameters
        self.parameter_names = distribution.parameter_names
        self.parameter_type = distribution.parameter_type
        self._batch_shape = self._broadcast_shape = distribution.batch_shape
        self._is_scalar_batch = distribution.is_scalar_batch and (
            bijector.is_scalar_batch or bijector.batch_shape is None
        )

    @property
    def bijector(self) -> Any:
        """What makes the numbers."""
        return self._bijector

    @property
    def distribution(self) -> Any:
        """What they are made of."""
        return self._distribution

    @property
    def is_linear_transformation(self) -> Any:
        """Whether the bijector's derivative is constant."""
        return self._is_linear_transformation

    def _log_prob(self, value: Any, *args: Any, **keywords: Any) -> Any:
        before = self.bijector.inverse(value)
        return self.distribution.log_prob(before, *args, **keywords) + self.bijector.inverse_log_jacobian(value)

    def _cdf(self, value: Any, *args: Any, **keywords: Any) -> Any:
        return self.distribution.cdf(self.bijector.inverse(value), *args, **keywords)

    def _log_cdf(self, value: Any, *args: Any, **keywords: Any) -> Any:
        return self.distribution.log_cdf(self.bijector.inverse(value), *args, **keywords)

    def _survival_function(self, value: Any, *args: Any, **keywords: Any) -> Any:
        return self.distribution.survival_function(self.bijector.inverse(value), *args, **keywords)

    def _log_survival(self, value: Any, *args: Any, **keywords: Any) -> Any:
        return self.distribution.log_survival(self.bijector.inverse(value), *args, **keywords)

    def _mean(self, *args: Any, **keywords: Any) -> Any:
        """Known where the bijector is linear."""
        if not self.is_linear_transformation:
            raise self._missing("mean")
        return self.bijector.forward(self.distribution.mean(*args, **keywords))

    def _entropy(self, *args: Any, **keywords: Any) -> Any:
        """Known where the bijector is linear."""
        if not self.is_linear_transformation:
            raise self._missing("entropy")
        zero = ops.zeros_like(self.distribution.mean(*args, **keywords))
        return self.distribution.entropy(*args, **keywords) + self.bijector.forward_log_jacobian(zero)

    def _sample(self, *args: Any, **keywords: Any) -> Any:
        return self.bijector.forward(self.distribution.sample(*args, **keywords))


transformed.model(TransformedDistribution)
