"""Activations."""

from __future__ import annotations

from typing import Any, Final

from jitcore import ops
from jitcore.compat.torch.arguments import DTypeLike
from jitcore.compat.torch.declaring import network
from jitcore.compat.torch.functions import pointwise, reductions
from jitcore.compat.torch.functions.axes import axes_in, axis_in, like_given, with_axis
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor


def written(input: Tensor, made: object, inplace: bool) -> Any:
    """What was made of a Tensor, or the Tensor itself with that written into it."""
    if not inplace:
        return made
    evaluator().write(input, made)
    return input


@network
def relu(input: Tensor, inplace: bool = False) -> Any:
    return written(input, ops.relu(input), inplace)


@network
def relu_(input: Tensor) -> Any:
    return written(input, ops.relu(input), True)


def _between(input: Tensor, low: float, high: float) -> Any:
    """A Tensor within bounds, at which its gradient is zero."""
    if values.dtype_of_value(input).kind != "f":
        return ops.hardtanh(input, low, high)
    return ops.where(ops.le(input, low), low, ops.where(ops.ge(input, high), high, input))


def _exponential(input: Tensor, alpha: float, width: float = 1.0) -> Any:
    """What is positive as it is, the rest as alpha (exp(x / width) - 1), whose gradient zero has."""
    positive = ops.gt(input, 0)
    rest = ops.expm1(ops.div(ops.where(positive, ops.zeros_like(input), input), width))
    return ops.where(positive, input, ops.mul(rest, alpha))


@network
def relu6(input: Tensor, inplace: bool = False) -> Any:
    return written(input, _between(input, 0, 6), inplace)


@network
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    return written(input, ops.leaky_relu_ext(input, negative_slope), inplace)


@network
def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Any:
    return written(input, ops.leaky_relu_ext(input, negative_slope), True)


@network
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    return written(input, _exponential(input, alpha), inplace)


@network
def elu_(input: Tensor, alpha: float = 1.0) -> Any:
    return written(input, _exponential(input, alpha), True)


_SELU: Final = 1.6732632423543772, 1.0507009873554805
"""Alpha and scale of Klambauer 2017, "Self-normalizing neural networks"."""


def _selu(input: Tensor) -> Any:
    return ops.mul(_exponential(input, _SELU[0]), _SELU[1])


@network
def selu(input: Tensor, inplace: bool = False) -> Any:
    return written(input, _selu(input), inplace)


@network
def selu_(input: Tensor) -> Any:
    return written(input, _selu(input), True)


@network
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    return written(input, _exponential(input, alpha, alpha), inplace)


@network
def celu_(input: Tensor, alpha: float = 1.0) -> Any:
    return written(input, _exponential(input, alpha, alpha), True)


@network
def gelu(input: Tensor, approximate: str = "none") -> Any:
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return ops.gelu(input, approximate)


@network
def silu(input: Tensor, inplace: bool = False) -> Any:
    return written(input, ops.silu(input), inplace)


@network
def mish(input: Tensor, inplace: bool = False) -> Any:
    return written(input, ops.mish(input), inplace)


@network
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Any:
    return ops.softplus(input, beta, threshold)


@network
def logsigmoid(input: Tensor) -> Any:
    return ops.neg(ops.softplus(ops.neg(input), 1, 1e30))


@network
def sigmoid(input: Tensor) -> Any:
    return ops.sigmoid(input)


@network
def tanh(input: Tensor) -> Any:
    return ops.tanh(input)


@network
def softsign(input: Tensor) -> Any:
    return ops.softsign(input)


@network
def tanhshrink(input: Tensor) -> Any:
    return ops.sub_ext(input, ops.tanh(input))


@network
def hardshrink(input: Tensor, lambd: float = 0.5) -> Any:
    return ops.hardshrink(input, lambd)


@network
def softshrink(input: Tensor, lambd: float = 0.5) -> Any:
    if values.with_known_numbers(lambd, "lambd") < 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {lambd:g}.")
    return ops.softshrink(input, lambd)


@network
def hardsigmoid(input: Tensor, inplace: bool = False) -> Any:
    return written(input, ops.div(_between(ops.add_ext(input, 3), 0, 6), 6), inplace)


@network
def hardswish(input: Tensor, inplace: bool = False) -> Any:
    return written(input, _hard_swish(input), inplace)


def _hard_swish(input: Tensor) -> Any:
    middle = ops.div(ops.mul(input, ops.add_ext(input, 3)), 6)
    return ops.where(ops.le(input, -3), ops.zeros_like(input), ops.where(ops.ge(input, 3), input, middle))


@network
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    low, high = values.with_known_numbers((min_val, max_val), "the bounds")
    if low > high:
        raise ValueError("min_val cannot be greater than max_val")
    return written(input, _between(input, min_val, max_val), inplace)


@network
def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    return written(input, _between(input, min_val, max_val), True)


@network
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Any:
    return written(input, ops.threshold(input, threshold, value), inplace)


@network
def threshold_(input: Tensor, threshold: float, value: float) -> Any:
    return written(input, ops.threshold(input, threshold, value), True)


@network
def glu(input: Tensor, dim: int = -1) -> Any:
    if values.rank_of(input) == 0:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    extent = values.static_extent(input, values.normal_axis(dim, values.rank_of(input)))
    if extent % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {extent}")
    return ops.glu(input, dim)


@network
def prelu(input: Tensor, weight: Tensor) -> Any:
    return ops.prelu(input, weight)


@network
def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Any:
    made = (
        ops.rrelu(input, lower, upper)
        if training
        else ops.leaky_relu_ext(input, sum(values.with_known_numbers((lower, upper), "the bounds")) / 2)
    )
    return written(input, made, inplace)


# --- over an axis -----------------------------------------------------------------------------------


def _softmax(input: Tensor, dim: int | None, dtype: DTypeLike, logarithm: bool) -> Any:
    axis = None if dim is None else axis_in(input, dim)
    function = ops.log_softmax_ext if logarithm else ops.softmax_ext
    return like_given(function(with_axis(input), axis, dtype), input)


@network
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: DTypeLike = None) -> Any:
    del _stacklevel
    return _softmax(input, dim, dtype, logarithm=False)


@network
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: DTypeLike = None) -> Any:
    del _stacklevel
    return _softmax(ops.neg(input), dim, dtype, logarithm=False)


@network
def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: DTypeLike = None) -> Any:
    del _stacklevel
    return _softmax(input, dim, dtype, logarithm=True)


@network
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    del eps
    uniform = ops.rand_like(logits)
    noise = ops.neg(ops.log(ops.clamp(ops.neg(ops.log(ops.clamp(uniform, 1e-20))), 1e-20)))
    soft = ops.softmax(ops.div(ops.add_ext(logits, noise), tau), dim)
    if not hard:
        return soft
    best = ops.eq(soft, ops.amax(soft, dim, True))
    return ops.add_ext(
        ops.stop_gradient(ops.sub_ext(elementwise.astype(best, values.dtype_of_value(soft)), soft)), soft
    )


@network
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None) -> Any:
    size = reductions.norm_over(input, p, axes_in(input, dim), True)
    made = ops.div(input, pointwise.clamp_min(size, eps))
    if out is None:
        return made
    evaluator().write(out, made)
    return out
