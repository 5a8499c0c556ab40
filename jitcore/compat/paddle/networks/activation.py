"""`paddle.nn.functional`: activations."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.compat.paddle.declaring import alias, network
from jitcore.compat.torch.networks import activations
from jitcore.library.core import values
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.library.nn import dropout
from jitcore.runtime.tensor import Tensor


@network
def relu(x: Tensor, name: str | None = None) -> Any:
    return ops.relu(x)


@network
def relu_(x: Tensor, name: str | None = None) -> Any:
    return activations.relu(x, True)


@network
def relu6(x: Tensor, name: str | None = None) -> Any:
    return activations.relu6(x)


@network
def elu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Any:
    return activations.elu(x, alpha)


@network
def elu_(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Any:
    return activations.elu(x, alpha, True)


@network
def celu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Any:
    if values.with_known_numbers(alpha, "alpha") == 0:
        raise ZeroDivisionError("alpha cannot be 0 for celu")
    return activations.celu(x, alpha)


@network
def selu(
    x: Tensor, scale: float = 1.0507009873554805, alpha: float = 1.6732632423543772, name: str | None = None
) -> Any:
    scale, alpha = (values.with_known_numbers(v, "a parameter of selu") for v in (scale, alpha))
    if scale <= 1.0:
        raise ValueError(f"The scale must be greater than 1.0. Received: {scale}.")
    if alpha < 0:
        raise ValueError(f"The alpha must be no less than zero. Received: {alpha}.")
    return ops.mul(activations.elu(x, alpha), scale)


@network
def gelu(x: Tensor, approximate: bool = False, name: str | None = None) -> Any:
    return activations.gelu(x, "tanh" if evaluator().static(approximate, "approximate") in (True, "tanh") else "none")


@network
def leaky_relu(x: Tensor, negative_slope: float = 0.01, name: str | None = None) -> Any:
    return activations.leaky_relu(x, negative_slope)


@network
def leaky_relu_(x: Tensor, negative_slope: float = 0.01, name: str | None = None) -> Any:
    return activations.leaky_relu(x, negative_slope, True)


@network
def prelu(x: Tensor, weight: Tensor, data_format: str = "NCHW", name: str | None = None) -> Any:
    rank = values.rank_of(x)
    if data_format not in ("NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC", "NDHWC"):
        raise ValueError(
            f"data_format must be one of 'NC', 'NCL', 'NCHW', 'NCDHW', 'NLC', 'NHWC', 'NDHWC' but receive {data_format}"
        )
    slope = weight
    if values.shape_of(weight)[0] != 1 and rank > 1:
        after = 0 if data_format[1] != "C" else rank - 2
        slope = ops.reshape(weight, (-1,) + (1,) * after)
    return ops.where(ops.gt(x, 0), x, ops.mul(x, slope))


@network
def rrelu(
    x: Tensor, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, training: bool = True, name: str | None = None
) -> Any:
    if not training:
        return activations.leaky_relu(x, (lower + upper) / 2)
    return dropout.rrelu(x, lower, upper)


@network
def sigmoid(x: Tensor, name: str | None = None) -> Any:
    return ops.sigmoid(x)


@network
def log_sigmoid(x: Tensor, name: str | None = None) -> Any:
    return activations.logsigmoid(x)


@network
def tanh(x: Tensor, name: str | None = None) -> Any:
    return ops.tanh(x)


@network
def tanh_(x: Tensor, name: str | None = None) -> Any:
    return activations.written(x, ops.tanh(x), True)


@network
def tanhshrink(x: Tensor, name: str | None = None) -> Any:
    return activations.tanhshrink(x)


@network
def hardshrink(x: Tensor, threshold: float = 0.5, name: str | None = None) -> Any:
    return activations.hardshrink(x, threshold)


@network
def softshrink(x: Tensor, threshold: float = 0.5, name: str | None = None) -> Any:
    if values.with_known_numbers(threshold, "threshold") < 0:
        raise ValueError(f"The threshold must be no less than zero. Received: {threshold}.")
    return activations.softshrink(x, threshold)


@network
def hardtanh(x: Tensor, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Any:
    return activations.hardtanh(x, min, max)


@network
def hardtanh_(x: Tensor, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Any:
    return activations.hardtanh(x, min, max, True)


@network
def hardsigmoid(x: Tensor, slope: float = 0.1666667, offset: float = 0.5, name: str | None = None) -> Any:
    line = ops.add_ext(ops.mul(x, slope), offset)
    return activations.hardtanh(line, 0.0, 1.0)


@network
def hardswish(x: Tensor, name: str | None = None) -> Any:
    return activations.hardswish(x)


@network
def softplus(x: Tensor, beta: float = 1, threshold: float = 20, name: str | None = None) -> Any:
    return activations.softplus(x, beta, threshold)


@network
def softsign(x: Tensor, name: str | None = None) -> Any:
    return activations.softsign(x)


@network
def silu(x: Tensor, inplace: bool = False, name: str | None = None) -> Any:
    return activations.silu(x, inplace)


@network
def swish(x: Tensor, name: str | None = None) -> Any:
    return activations.silu(x)


@network
def mish(x: Tensor, name: str | None = None) -> Any:
    return activations.mish(x)


@network
def swiglu(x: Tensor, y: Tensor | None = None, name: str | None = None) -> Any:
    if y is None:
        x, y = ops.chunk(x, 2, -1)
    return ops.mul(activations.silu(x), y)


@network
def thresholded_relu(x: Tensor, threshold: float = 1.0, value: float = 0.0, name: str | None = None) -> Any:
    return activations.threshold(x, threshold, value)


@network
def thresholded_relu_(x: Tensor, threshold: float = 1.0, value: float = 0.0, name: str | None = None) -> Any:
    return activations.threshold(x, threshold, value, True)


@network
def maxout(x: Tensor, groups: int, axis: int = 1, name: str | None = None) -> Any:
    if values.static_int(axis, "axis") not in (1, -1, 3):
        raise ValueError(
            f"Attr(axis) should be 1 when data format is NCHW, -1 or 3 when data format is NHWC, not {axis}"
        )
    axis %= values.rank_of(x)
    shape = [evaluator().number(n) for n in values.shape_of(x)]
    split = (*shape[:axis], shape[axis] // groups, groups, *shape[axis + 1 :])
    return ops.amax(ops.reshape(x, split), axis + 1)


@network
def glu(x: Tensor, axis: int = -1, name: str | None = None) -> Any:
    return activations.glu(x, axis)


# --- shares ---------------------------------------------------------------------------------------------


def _of_dtype(x: Tensor, dtype: object) -> Any:
    return x if dtype is None else elementwise.astype(x, as_dtype(dtype))


@network
def softmax(x: Tensor, axis: int = -1, dtype: object = None, name: str | None = None) -> Any:
    return ops.softmax(_of_dtype(x, dtype), axis)


@network
def softmax_(x: Tensor, axis: int = -1, dtype: object = None, name: str | None = None) -> Any:
    return activations.written(x, ops.softmax(_of_dtype(x, dtype), axis), True)


@network
def log_softmax(x: Tensor, axis: int = -1, dtype: object = None, name: str | None = None) -> Any:
    return ops.log_softmax(_of_dtype(x, dtype), axis)


@network
def gumbel_softmax(
    x: Tensor, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: str | None = None
) -> Any:
    return activations.gumbel_softmax(x, temperature, hard, dim=axis)


alias("logsigmoid", "log_sigmoid")
