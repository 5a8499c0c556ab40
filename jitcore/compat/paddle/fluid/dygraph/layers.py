"""`fluid.dygraph.Layer`, and layers that hold others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from jitcore.compat.paddle.fluid.declaring import in_mode
from jitcore.compat.paddle.fluid.tensor import Parameter, Variable
from jitcore.compat.paddle.fluid.types import dtype_named
from jitcore.compat.paddle.nn import containers, layer
from jitcore.compat.paddle.nn.attributes import AttrLike, Fill
from jitcore.compat.paddle.nn.parameter import Parameter as LayerParameter

__all__ = ["Layer", "LayerList", "ParameterList", "Sequential"]


class Layer(layer.Layer):
    """The base of networks, as fluid documents it: subclasses define `forward`.

    >>> import numpy as np
    >>> from jitcore.compat.paddle.fluid.dygraph.base import guard, to_variable
    >>> class Double(Layer):
    ...     def forward(self, x):
    ...         return x * 2.0
    >>> with guard():
    ...     print(Double()(to_variable(np.ones(2, np.float32))).numpy())
    [2. 2.]
    """

    _tensor_type: ClassVar[Any] = Variable
    _parameter_type: ClassVar[Any] = Parameter

    def __init__(self, name_scope: str | None = None, dtype: object = "float32") -> None:
        super().__init__(name_scope, dtype_named(dtype))

    def create_parameter(
        self,
        shape: int | Sequence[int],
        attr: AttrLike = None,
        dtype: object = None,
        is_bias: bool = False,
        default_initializer: Fill | None = None,
    ) -> Any:
        """A Parameter with a name of the Layer's; None for `attr=False`."""
        made = super().create_parameter(shape, attr, dtype_named(dtype), is_bias, default_initializer)
        return None if made is None else parameter_of(made)

    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Forget the gradients of its Parameters."""
        for parameter in self.parameters():
            parameter.clear_gradient(set_to_zero)

    def __call__(self, *args: object, **keywords: object) -> Any:
        with in_mode():
            return super().__call__(*args, **keywords)


def parameter_of(made: LayerParameter) -> Parameter:
    """Paddle's Parameter as one of fluid's, in the same memory."""
    parameter = Parameter(made, made.trainable, made.name)
    for name in ("optimize_attr", "regularizer", "need_clip", "do_model_average", "is_bias"):
        setattr(parameter, name, getattr(made, name))
    return parameter


class Sequential(containers.Sequential, Layer):
    """Layers, one behind another."""


class LayerList(containers.LayerList, Layer):
    """Layers in a list."""


class ParameterList(containers.ParameterList, Layer):
    """Parameters in a list."""
