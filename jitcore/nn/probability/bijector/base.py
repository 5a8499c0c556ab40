"""Bijectors in general: their parameters, and what they are called with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jitcore import ops
from jitcore.nn.probability import arguments
from jitcore.nn.probability.distribution.base import Distribution
from jitcore.nn.probability.invertible import Invertible, transformed
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

_METHODS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


class Bijector(Invertible):
    """A function with an inverse. A derived class defines `_forward`, `_inverse`, `_forward_log_jacobian`,
    `_inverse_log_jacobian` (the logarithms of the derivatives' magnitudes). With a dtype, values and parameters must
    have it; else any one of floats.

    Called with a distribution, it makes the distribution of its values.
    """

    def __init__(
        self,
        is_constant_jacobian: Any = False,
        is_injective: Any = True,
        name: Any = None,
        dtype: Any = None,
        param: Any = None,
    ) -> None:
        super().__init__()
        cell = type(self).__name__
        self._name = arguments.name(name, cell)
        for key, value in (("is_constant_jacobian", is_constant_jacobian), ("is_injective", is_injective)):
            if not isinstance(value, bool):
                raise TypeError(f"For '{cell}', {key} must be a bool, not {type(value).__name__}.")
        if dtype is not None:
            arguments.float_dtype(dtype, cell)
        self._dtype = dtype
        given: dict[str, Any] = param or {}
        self._parameters = {k: v for k, v in given.items() if k not in ("self", "param") and not k.startswith("_")}
        self._is_constant_jacobian, self._is_injective = is_constant_jacobian, is_injective
        self.default_parameters: list[Any] = []
        self.parameter_names: list[str] = []
        self.common_dtype: DType | None = None
        if "bijector" not in given:
            own: dict[str, Any] | None = self._parameters.get("param_dict")
            self._batch_shape = None if own is None else arguments.batch_shape(own.values())
            self._is_scalar_batch = own is not None and all(
                v is None or isinstance(v, int | float) for v in own.values()
            )

    @property
    def name(self) -> Any:
        """The name that the bijector was given."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of values; None if it may be any one of floats."""
        return self._dtype

    @property
    def parameters(self) -> Any:
        """The arguments of the constructor."""
        return self._parameters

    @property
    def is_injective(self) -> Any:
        """Whether different values become different ones."""
        return self._is_injective

    def _add_parameter(self, value: Any, name: str) -> Any:
        """The Tensor of a parameter. Raises TypeError if it is not of floats, or not of the dtype of others."""
        if value is None or isinstance(value, bool | str):
            raise TypeError(f"{name} of {self.name} must be a number or an array, not {type(value).__name__}.")
        made = Tensor(value)
        wanted = self.dtype or self.common_dtype
        if not made.dtype.is_float or (wanted is not None and made.dtype is not wanted):
            raise TypeError(
                f"{name} of {self.name} has the dtype {made.dtype!r}, which is not that of the others, "
                "or none of floats."
            )
        self.common_dtype = made.dtype
        self.default_parameters = [*self.default_parameters, value]
        self.parameter_names = [*self.parameter_names, name]
        return made

    def _check_value_dtype(self, value: Any) -> Any:
        """A Tensor of floats, of the bijector's dtype if it has one. Raises TypeError for others."""
        arguments.tensor(value, "The value of a bijector")
        if self.dtype is None:
            arguments.float_dtype(value.dtype, self.name)
        elif value.dtype != self.dtype:
            raise TypeError(f"{self.name} takes values of {self.dtype}, not of {value.dtype}.")
        return value

    def _check_value(self, value: Any, name: str) -> Any:
        """A value that is a Tensor."""
        return arguments.tensor(value, name)

    def cast_param_by_value(self, value: Any, para: Any) -> Any:
        """A parameter in the dtype of a value."""
        return ops.cast(para, value.dtype)

    def _shape_mapping(self, shape: Any) -> Any:
        return (
            shape
            if self.batch_shape is None
            else arguments.batch_shape([ops.zeros(shape), ops.zeros(self.batch_shape)])
        )

    def shape_mapping(self, shape: Any) -> Any:
        """The shape of the values for values of a shape."""
        return self._shape_mapping(shape)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What derived classes define."""

    def forward(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The function's value."""
        return self._forward(value, *args, **keywords)

    def inverse(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """What the function makes a value of."""
        return self._inverse(value, *args, **keywords)

    def forward_log_jacobian(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The logarithm of the derivative's magnitude."""
        return self._forward_log_jacobian(value, *args, **keywords)

    def inverse_log_jacobian(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The logarithm of the magnitude of the inverse's derivative."""
        return self._inverse_log_jacobian(value, *args, **keywords)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if args and isinstance(args[0], Distribution):
            return transformed(self, args[0])
        return super().__call__(*args, **keywords)

    def construct(self, name: str, *args: Any, **keywords: Any) -> Any:
        """Calls the method with a name."""
        if name in _METHODS:
            return getattr(self, name)(*args, **keywords)
        raise NotImplementedError(f"{self.name} does not have {name}.")
