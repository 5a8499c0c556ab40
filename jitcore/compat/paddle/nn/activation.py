"""Activations, as Layers."""

from __future__ import annotations

from typing import Any

from jitcore.compat.paddle.networks import activation as functional
from jitcore.compat.paddle.nn.attributes import AttrLike
from jitcore.compat.paddle.nn.initializer import Constant
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.library.core.defaults import default_float
from jitcore.runtime.tensor import Tensor


class _Activation(Layer):
    """What activations have: a name, which their text tells."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def _told(self) -> str:
        """What the text tells before the name."""
        return ""

    def extra_repr(self) -> str:
        told = self._told()
        if not self._name:
            return told
        return f"{told}, name={self._name}" if told else f"name={self._name}"


class ReLU(_Activation):
    """The larger of x and 0."""

    def forward(self, x: Tensor) -> Any:
        return functional.relu(x)


class ReLU6(_Activation):
    """x between 0 and 6."""

    def forward(self, x: Tensor) -> Any:
        return functional.relu6(x)


class ELU(_Activation):
    """x, or alpha times (e to the power of x, less 1) where it is negative."""

    def __init__(self, alpha: float = 1.0, name: str | None = None) -> None:
        super().__init__(name)
        self._alpha = alpha

    def forward(self, x: Tensor) -> Any:
        return functional.elu(x, self._alpha)

    def _told(self) -> str:
        return f"alpha={self._alpha}"


class CELU(_Activation):
    """As ELU, with x / alpha as the exponent."""

    def __init__(self, alpha: float = 1.0, name: str | None = None) -> None:
        super().__init__(name)
        self._alpha = alpha

    def forward(self, x: Tensor) -> Any:
        return functional.celu(x, self._alpha)

    def _told(self) -> str:
        return f"alpha={self._alpha}"


class SELU(_Activation):
    """ELU that keeps mean and variance (Klambauer et al. 2017)."""

    def __init__(
        self, scale: float = 1.0507009873554805, alpha: float = 1.6732632423543772, name: str | None = None
    ) -> None:
        super().__init__(name)
        self._scale = scale
        self._alpha = alpha

    def forward(self, x: Tensor) -> Any:
        return functional.selu(x, self._scale, self._alpha)

    def _told(self) -> str:
        return f"scale={self._scale:.16f}, alpha={self._alpha:.16f}"


class GELU(_Activation):
    """x times the share of a normal distribution below it (Hendrycks and Gimpel 2016)."""

    def __init__(self, approximate: bool = False, name: str | None = None) -> None:
        super().__init__(name)
        self._approximate = approximate

    def forward(self, x: Tensor) -> Any:
        return functional.gelu(x, self._approximate)

    def _told(self) -> str:
        return f"approximate={self._approximate}"


class GLU(_Activation):
    """One half of an axis times the sigmoid of the other."""

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name)
        self._axis = axis

    def forward(self, x: Tensor) -> Any:
        return functional.glu(x, self._axis)

    def _told(self) -> str:
        return f"axis={self._axis}"


class LeakyReLU(_Activation):
    """x, or a share of it where it is negative."""

    def __init__(self, negative_slope: float = 0.01, name: str | None = None) -> None:
        super().__init__(name)
        self._negative_slope = negative_slope

    def forward(self, x: Tensor) -> Any:
        return functional.leaky_relu(x, self._negative_slope)

    def _told(self) -> str:
        return f"negative_slope={self._negative_slope}"


class Sigmoid(_Activation):
    """1 / (1 + e to the power of -x)."""

    def forward(self, x: Tensor) -> Any:
        return functional.sigmoid(x)


class LogSigmoid(_Activation):
    """The logarithm of the sigmoid."""

    def forward(self, x: Tensor) -> Any:
        return functional.log_sigmoid(x)


class Tanh(_Activation):
    """The hyperbolic tangent."""

    def forward(self, x: Tensor) -> Any:
        return functional.tanh(x)


class Tanhshrink(_Activation):
    """x less its hyperbolic tangent."""

    def forward(self, x: Tensor) -> Any:
        return functional.tanhshrink(x)


class Hardshrink(_Activation):
    """x where it is larger than a threshold, or smaller than its negative; else 0."""

    def __init__(self, threshold: float = 0.5, name: str | None = None) -> None:
        super().__init__(name)
        self._threshold = threshold

    def forward(self, x: Tensor) -> Any:
        return functional.hardshrink(x, self._threshold)

    def _told(self) -> str:
        return f"threshold={self._threshold}"


class Softshrink(_Activation):
    """x moved towards 0 by a threshold."""

    def __init__(self, threshold: float = 0.5, name: str | None = None) -> None:
        super().__init__(name)
        self._threshold = threshold

    def forward(self, x: Tensor) -> Any:
        return functional.softshrink(x, self._threshold)

    def _told(self) -> str:
        return f"threshold={self._threshold}"


class Hardtanh(_Activation):
    """x between two bounds."""

    def __init__(self, min: float = -1.0, max: float = 1.0, name: str | None = None) -> None:
        super().__init__(name)
        self._min = min
        self._max = max

    def forward(self, x: Tensor) -> Any:
        return functional.hardtanh(x, self._min, self._max)

    def _told(self) -> str:
        return f"min={self._min}, max={self._max}"


class Hardsigmoid(_Activation):
    """A line instead of the sigmoid."""

    def forward(self, x: Tensor) -> Any:
        return functional.hardsigmoid(x)


class Hardswish(_Activation):
    """x times a line instead of the sigmoid."""

    def forward(self, x: Tensor) -> Any:
        return functional.hardswish(x)


class Softplus(_Activation):
    """A smooth ReLU."""

    def __init__(self, beta: float = 1, threshold: float = 20, name: str | None = None) -> None:
        super().__init__(name)
        self._beta = beta
        self._threshold = threshold

    def forward(self, x: Tensor) -> Any:
        return functional.softplus(x, self._beta, self._threshold)

    def _told(self) -> str:
        return f"beta={self._beta}, threshold={self._threshold}"


class Softsign(_Activation):
    """x / (1 + its size)."""

    def forward(self, x: Tensor) -> Any:
        return functional.softsign(x)


class Silu(_Activation):
    """x times its sigmoid."""

    def __init__(self, inplace: bool = False, name: str | None = None) -> None:
        super().__init__(name)
        self._inplace = inplace

    def forward(self, x: Tensor) -> Any:
        return functional.silu(x, self._inplace)

    def _told(self) -> str:
        return f"inplace={self._inplace}"


class Swish(_Activation):
    """x times its sigmoid."""

    def forward(self, x: Tensor) -> Any:
        return functional.swish(x)


class Mish(_Activation):
    """x times the hyperbolic tangent of its softplus."""

    def forward(self, x: Tensor) -> Any:
        return functional.mish(x)


class ThresholdedReLU(_Activation):
    """x where it is above a threshold, else a value."""

    def __init__(self, threshold: float = 1.0, value: float = 0.0, name: str | None = None) -> None:
        super().__init__(name)
        self._threshold = threshold
        self._value = value

    def forward(self, x: Tensor) -> Any:
        return functional.thresholded_relu(x, self._threshold, self._value)

    def _told(self) -> str:
        return f"threshold={self._threshold}, value={self._value}"


class Softmax(_Activation):
    """Shares of an axis."""

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name)
        self._axis = axis

    def forward(self, x: Tensor) -> Any:
        return functional.softmax(x, self._axis)

    def _told(self) -> str:
        return f"axis={self._axis}"


class LogSoftmax(_Activation):
    """The logarithms of shares of an axis."""

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name)
        self._axis = axis

    def forward(self, x: Tensor) -> Any:
        return functional.log_softmax(x, self._axis)

    def _told(self) -> str:
        return f"axis={self._axis}"


class Maxout(_Activation):
    """The largest of each group of channels."""

    def __init__(self, groups: int, axis: int = 1, name: str | None = None) -> None:
        super().__init__(name)
        self._groups = groups
        self._axis = axis

    def forward(self, x: Tensor) -> Any:
        return functional.maxout(x, self._groups, self._axis)

    def _told(self) -> str:
        return f"groups={self._groups}, axis={self._axis}"


class Softmax2D(_Activation):
    """The shares of the channels of images."""

    def forward(self, x: Tensor) -> Any:
        if x.ndim not in (3, 4):
            raise AssertionError(f"Softmax2D requires a 3D or 4D tensor as input. Received: {x.ndim}D.")
        return functional.softmax(x, -3)


class RReLU(_Activation):
    """Leaky ReLU whose slope is of chance in training (Xu et al. 2015)."""

    def __init__(self, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, name: str | None = None) -> None:
        super().__init__(name)
        self._lower = lower
        self._upper = upper

    def forward(self, x: Tensor) -> Any:
        return functional.rrelu(x, self._lower, self._upper, self.training)

    def _told(self) -> str:
        return f"lower={self._lower}, upper={self._upper}, training={self.training}, dtype={self._dtype}"


class PReLU(_Activation):
    """Leaky ReLU whose slopes are learnt (He et al. 2015)."""

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        weight_attr: AttrLike = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        self._num_parameters = num_parameters
        self._init = init
        self._data_format = data_format
        self._dtype = default_float().numpy.name
        self._weight = self.create_parameter([num_parameters], weight_attr, default_initializer=Constant(init))

    def forward(self, x: Tensor) -> Any:
        return functional.prelu(x, self._weight, self._data_format)

    def _told(self) -> str:
        return (
            f"num_parameters={self._num_parameters}, data_format={self._data_format}, init={self._init}, "
            f"dtype={self._dtype}"
        )


SiLU = Silu
