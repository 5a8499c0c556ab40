"""Bijectors of elementary functions: powers and exp, affine functions, softplus, Gumbel's distribution function; and
inverses."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn.probability.bijector.base import Bijector


class PowerTransform(Bijector):
    """(1 + x * power) ** (1 / power), and exp(x) for a power of 0 (Box and Cox 1964)."""

    def __init__(self, power: Any = 0.0, name: Any = "PowerTransform") -> None:
        super().__init__(name=name, param={"power": power, "name": name, "param_dict": {"power": power}})
        self._power = self._add_parameter(power, "power")
        if (self._power.asnumpy() < 0).any():
            raise ValueError(f"power of {name} must not be negative, but is {power}.")
        self._by_exp = bool((self._power.asnumpy() == 0).all())

    @property
    def power(self) -> Any:
        """The exponent."""
        return self._power

    def _given(self, value: Any) -> Any:
        """(a value, the power where it is not 0, where it is)."""
        x = self._check_value_dtype(value)
        c = self.cast_param_by_value(x, self.power) + ops.zeros_like(x)
        zero = ops.equal(c, 0.0)
        return x + ops.zeros_like(c), ops.select(zero, ops.ones_like(c), c), zero

    def _forward(self, x: Any) -> Any:
        if self._by_exp:
            return ops.exp(self._check_value_dtype(x))
        v, c, zero = self._given(x)
        return ops.select(zero, ops.exp(v), ops.exp(ops.log1p(v * c) / c))

    def _inverse(self, y: Any) -> Any:
        if self._by_exp:
            return ops.log(self._check_value_dtype(y))
        v, c, zero = self._given(y)
        return ops.select(zero, ops.log(v), ops.expm1(ops.log(v) * c) / c)

    def _forward_log_jacobian(self, x: Any) -> Any:
        if self._by_exp:
            return self._check_value_dtype(x) * 1.0
        v, c, zero = self._given(x)
        return ops.select(zero, v, (1.0 / c - 1.0) * ops.log1p(v * c))

    def _inverse_log_jacobian(self, y: Any) -> Any:
        if self._by_exp:
            return -ops.log(self._check_value_dtype(y))
        v, c, zero = self._given(y)
        return ops.select(zero, -ops.log(v), (c - 1.0) * ops.log(v))


class Exp(PowerTransform):
    """exp(x)."""

    def __init__(self, name: Any = "Exp") -> None:
        super().__init__(0.0, name)


class ScalarAffine(Bijector):
    """x * scale + shift."""

    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: Any = "ScalarAffine") -> None:
        given = {"scale": scale, "shift": shift}
        super().__init__(True, True, name, None, {**given, "name": name, "param_dict": given})
        self._scale = self._add_parameter(scale, "scale")
        self._shift = self._add_parameter(shift, "shift")

    @property
    def scale(self) -> Any:
        """The factor."""
        return self._scale

    @property
    def shift(self) -> Any:
        """The summand."""
        return self._shift

    def _forward(self, x: Any) -> Any:
        v = self._check_value_dtype(x)
        return v * self.cast_param_by_value(v, self.scale) + self.cast_param_by_value(v, self.shift)

    def _inverse(self, y: Any) -> Any:
        v = self._check_value_dtype(y)
        return (v - self.cast_param_by_value(v, self.shift)) / self.cast_param_by_value(v, self.scale)

    def _forward_log_jacobian(self, x: Any) -> Any:
        v = self._check_value_dtype(x)
        return ops.log(ops.abs(self.cast_param_by_value(v, self.scale)))

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return -self._forward_log_jacobian(y)


class Softplus(Bijector):
    """log(1 + exp(x * sharpness)) / sharpness."""

    def __init__(self, sharpness: Any = 1.0, name: Any = "Softplus") -> None:
        given = {"sharpness": sharpness}
        super().__init__(name=name, param={**given, "name": name, "param_dict": given})
        self._sharpness = self._add_parameter(sharpness, "sharpness")

    @property
    def sharpness(self) -> Any:
        """How fast the function leaves 0."""
        return self._sharpness

    def _forward(self, x: Any) -> Any:
        v = self._check_value_dtype(x)
        k = self.cast_param_by_value(v, self.sharpness)
        return -ops.logsigmoid(-v * k) / k

    def _inverse(self, y: Any) -> Any:
        v = self._check_value_dtype(y)
        k = self.cast_param_by_value(v, self.sharpness)
        return v + ops.log(-ops.expm1(-v * k)) / k

    def _forward_log_jacobian(self, x: Any) -> Any:
        v = self._check_value_dtype(x)
        return ops.logsigmoid(v * self.cast_param_by_value(v, self.sharpness))

    def _inverse_log_jacobian(self, y: Any) -> Any:
        v = self._check_value_dtype(y)
        return -ops.log(-ops.expm1(-v * self.cast_param_by_value(v, self.sharpness)))


class GumbelCDF(Bijector):
    """exp(-exp(-(x - loc) / scale)), between 0 and 1."""

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: Any = "GumbelCDF") -> None:
        given = {"loc": loc, "scale": scale}
        super().__init__(name=name, param={**given, "name": name, "param_dict": given})
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")
        if (self._scale.asnumpy() <= 0).any():
            raise ValueError(f"scale of {name} must be positive, but is {scale}.")

    @property
    def loc(self) -> Any:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale."""
        return self._scale

    def _standard(self, x: Any) -> Any:
        v = self._check_value_dtype(x)
        return (v - self.cast_param_by_value(v, self.loc)) / self.cast_param_by_value(v, self.scale)

    def _forward(self, x: Any) -> Any:
        return ops.exp(-ops.exp(-self._standard(x)))

    def _inverse(self, y: Any) -> Any:
        v = self._check_value_dtype(y)
        return self.cast_param_by_value(v, self.loc) - ops.log(-ops.log(v)) * self.cast_param_by_value(v, self.scale)

    def _forward_log_jacobian(self, x: Any) -> Any:
        z = self._standard(x)
        return -z - ops.exp(-z) - ops.log(self.cast_param_by_value(x, self.scale))

    def _inverse_log_jacobian(self, y: Any) -> Any:
        v = self._check_value_dtype(y)
        return ops.log(self.cast_param_by_value(v, self.scale)) - ops.log(-v * ops.log(v))


class Invert(Bijector):
    """The inverse of a bijector."""

    def __init__(self, bijector: Any, name: Any = "") -> None:
        if not isinstance(bijector, Bijector):
            raise TypeError(f"For 'Invert', {bijector!r} is not a bijector.")
        chosen = (name or f"Invert{bijector.name}") if isinstance(name, str) else name
        super().__init__(
            bijector.is_constant_jacobian, bijector.is_injective, chosen, bijector.dtype, {"bijector": bijector}
        )
        self._bijector = bijector
        self._batch_shape, self._is_scalar_batch = bijector.batch_shape, bijector.is_scalar_batch

    @property
    def bijector(self) -> Any:
        """What is inverted."""
        return self._bijector

    def _forward(self, x: Any) -> Any:
        return self.bijector.inverse(x)

    def _inverse(self, y: Any) -> Any:
        return self.bijector.forward(y)

    def _forward_log_jacobian(self, x: Any) -> Any:
        return self.bijector.inverse_log_jacobian(x)

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return self.bijector.forward_log_jacobian(y)
