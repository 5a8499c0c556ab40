"""Activations."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, evaluator, like, normal_axes, normal_axis, promote, rank_of, shape_of
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import multiply
from jitcore.library.nn import logistic, operands
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import u8


@operator("relu ReLU .relu")
def relu(x: Any) -> Any:
    """max(x, 0); its derivative at 0 is 0."""
    a = as_array(x)
    return e.select(e.less_equal(a, 0), 0, a)


@operator("relu6 ReLU6")
def relu6(x: Any) -> Any:
    """min(max(x, 0), 6); its derivative at 0 is 0."""
    a = relu(x)
    return e.select(e.greater(a, 6), 6, a)


@operator("leaky_relu LeakyReLU .leaky_relu")
def leaky_relu(input: Any, alpha: Any = 0.2) -> Any:
    """x, but alpha * x where x is negative."""
    a = reductions.as_float(input)
    return e.select(e.greater(a, 0), a, multiply(a, alpha))


@operator("leaky_relu_ext")
def leaky_relu_ext(input: Any, negative_slope: Any = 0.01) -> Any:
    """The input, its negative elements times `negative_slope`."""
    return leaky_relu(input, negative_slope)


@operator("elu")
def elu(input_x: Any, alpha: Any = 1.0) -> Any:
    """x, but alpha * (exp(x) - 1) where x is negative."""
    a = reductions.as_float(input_x)
    return e.select(e.greater(a, 0), a, multiply(t.expm1(e.minimum(a, 0)), alpha))


@operator("Elu")
def elu_set_up(x: Any, *, alpha: Any = 1.0) -> Any:
    """As `elu`."""
    return elu(x, alpha)


@operator("gelu")
def gelu(input: Any, approximate: Any = "none") -> Any:
    """x times the normal distribution function of x, exact or by tanh."""
    if approximate not in ("none", "tanh", True, False):
        raise ValueError(f"For ops.gelu, approximate value should be either 'none' or 'tanh', but got {approximate}.")
    a = reductions.as_float(input)
    is_exact = evaluator().static(approximate, "approximate") in (False, "none")
    return elementwise.rounded_once(_gelu_by_erf if is_exact else _gelu_by_tanh, a)


def _gelu_by_erf(a: object) -> Any:
    return e.mul(e.mul(a, 0.5), e.add(t.erf(e.mul(a, 0.7071067811865476)), 1))


def _gelu_by_tanh(a: object) -> Any:
    cubic = e.mul(e.mul(e.mul(a, a), a), 0.044715)
    return e.mul(e.mul(a, 0.5), e.add(t.tanh(e.mul(e.add(a, cubic), 0.7978845608028654)), 1))


@operator("GeLU")
def gelu_set_up(x: Any) -> Any:
    """x times the normal distribution function of x, by tanh."""
    return gelu(x, "tanh")


@operator("silu swish SiLU .silu")
def silu(x: Any) -> Any:
    """x * sigmoid(x)."""
    a = reductions.as_float(x)
    return e.mul(a, t.sigmoid(a))


@operator("hardsigmoid hsigmoid HSigmoid .hardsigmoid .hsigmoid")
def hsigmoid(x: Any) -> Any:
    """min(max(x + 3, 0), 6) / 6."""
    a = reductions.as_float(x)
    return e.div(e.minimum(e.maximum(e.add(a, 3), 0), 6), 6)


@operator("hardswish hswish HSwish .hardswish")
def hswish(x: Any) -> Any:
    """x * hsigmoid(x)."""
    a = reductions.as_float(x)
    return e.mul(a, hsigmoid(a))


def _cast_first(x: Any, dtype: Any) -> Any:
    return x if dtype is None else elementwise.astype(x, dtype)


@operator("softmax .softmax")
def softmax(input: Any, axis: Any = -1, *, dtype: Any = None) -> Any:
    """exp(x) over its sum along an axis."""
    a = reductions.as_float(_cast_first(input, dtype))
    axes = normal_axes(axis, rank_of(a))
    powers = t.exp(e.sub(a, e.stop_gradient(r.reduce_max(a, axis=axes, keepdims=True))))
    return e.div(powers, r.reduce_sum(powers, axis=axes, keepdims=True))


@operator("Softmax")
def softmax_set_up(x: Any, *, axis: Any = -1) -> Any:
    """As `softmax`."""
    return softmax(x, axis)


@operator("softmax_ext")
def softmax_ext(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """exp(x) over its sum along an axis; without one the first of 0, 1 or 3 dimensions, else the second."""
    return softmax(_retyped(input, dtype), _softmax_axis(input, dim))


@operator("log_softmax .log_softmax")
def log_softmax(logits: Any, axis: Any = -1) -> Any:
    """log(softmax(x))."""
    a = reductions.as_float(logits)
    axes = normal_axes(axis, rank_of(a))
    centred = e.sub(a, e.stop_gradient(r.reduce_max(a, axis=axes, keepdims=True)))
    return e.sub(centred, t.log(r.reduce_sum(t.exp(centred), axis=axes, keepdims=True)))


@operator("LogSoftmax")
def log_softmax_set_up(x: Any, *, axis: Any = -1) -> Any:
    """As `log_softmax`."""
    return log_softmax(x, axis)


@operator("log_softmax_ext")
def log_softmax_ext(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """log(softmax(x)) along an axis."""
    return log_softmax(_retyped(input, dtype), _softmax_axis(input, dim))


@operator("selu SeLU")
def selu(input_x: Any) -> Any:
    """Self-normalising ELU (arXiv:1706.02515)."""
    a = reductions.as_float(input_x)
    below = e.mul(t.expm1(e.minimum(a, 0)), 1.6732632423543772)
    return e.mul(e.select(e.greater(a, 0), a, below), 1.0507009873554805)


def continuous_elu(x: Any, alpha: float) -> Any:
    """x, but alpha * (exp(x / alpha) - 1) where x is negative."""
    a = reductions.as_float(x)
    scale = like(alpha, a)
    return e.select(e.greater(a, 0), a, e.mul(t.expm1(e.div(e.minimum(a, 0), scale)), scale))


@operator("mish Mish .mish")
def mish(x: Any) -> Any:
    """x * tanh(softplus(x))."""
    a = reductions.as_float(x)
    return e.mul(a, t.tanh(logistic.softplus(a)))


@operator("softsign Softsign")
def softsign(x: Any) -> Any:
    """x / (1 + |x|)."""
    a = reductions.as_float(x)
    return e.div(a, e.add(e.abs(a), 1))


@operator("hardshrink .hardshrink")
def hardshrink(x: Any, lambd: Any = 0.5) -> Any:
    """x, but 0 where |x| <= lambd."""
    a = as_array(x)
    return e.select(e.greater(e.abs(a), like(lambd, a)), a, 0)


@operator("HShrink")
def hardshrink_set_up(x: Any, *, lambd: Any = 0.5) -> Any:
    """As `hardshrink`."""
    return hardshrink(x, lambd)


@operator("softshrink")
def softshrink(x: Any, lambd: Any = 0.5) -> Any:
    """x moved towards 0 by lambd, 0 where that would cross it."""
    a = as_array(x)
    edge = like(lambd, a)
    return e.select(e.greater(a, edge), e.sub(a, edge), e.select(e.less(a, e.neg(edge)), e.add(a, edge), 0))


@operator("SoftShrink")
def softshrink_set_up(x: Any, *, lambd: Any = 0.5) -> Any:
    """As `softshrink`."""
    return softshrink(x, lambd)


@operator("tanhshrink")
def tanhshrink(input: Any) -> Any:
    """x - tanh(x)."""
    a = reductions.as_float(input)
    return e.sub(a, t.tanh(a))


@operator("threshold")
def threshold(input: Any, thr: Any, value: Any) -> Any:
    """x, but `value` where x is not above `thr`."""
    a = as_array(input)
    return e.select(e.greater(a, like(thr, a)), a, like(value, a))


def hard_tanh(x: Any, low: float, high: float) -> Any:
    """x clipped to [low, high]."""
    a = as_array(x)
    return e.minimum(e.maximum(a, like(low, a)), like(high, a))


@operator("FastGeLU FastGelu fast_gelu")
def fast_gelu(x: Any) -> Any:
    """x * sigmoid(1.702 x), as MindSpore's kernels compute it."""
    a = reductions.as_float(x)
    return e.mul(a, t.sigmoid(e.mul(a, 1.702)))


@operator("glu")
def glu(x: Any, axis: Any = -1) -> Any:
    """One half of x along an axis times the sigmoid of the other."""
    a = reductions.as_float(x)
    axis = normal_axis(axis, rank_of(a))
    operands.require_parts("glu", shape_of(a)[axis], 2, f"elements along axis {axis}")
    first, second = shapes.split(a, 2, axis)
    return e.mul(first, t.sigmoid(second))


@operator("GLU")
def glu_set_up(x: Any, *, axis: Any = -1) -> Any:
    """As `glu`."""
    return glu(x, axis)


@operator("prelu PReLU")
def prelu(x: Any, weight: Any) -> Any:
    """x, but weight * x where x is negative; one weight, or one for each channel (axis 1)."""
    a, w = promote("mul", x, weight)
    if rank_of(w) == 1 and rank_of(a) > 1:
        if shape_of(w)[0] != 1:
            operands.require_channels("prelu", a, w)
        w = s.reshape(w, shape=(shape_of(w)[0],) + (1,) * (rank_of(a) - 2))
    return e.select(e.greater(a, 0), a, e.mul(a, w))


operator("sigmoid Sigmoid .sigmoid")(elementwise.sigmoid)
operator("tanh Tanh .tanh")(elementwise.tanh)


@operator("celu")
def celu(x: Any, alpha: Any = 1.0) -> Any:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    if evaluator().static(alpha, "alpha") == 0:
        raise ValueError("For 'celu', alpha must not be 0.")
    return continuous_elu(x, alpha)


in_constructor("CeLU", celu, "alpha")


@operator("softplus")
def softplus(input: Any, beta: Any = 1, threshold: Any = 20) -> Any:
    """log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold."""
    scale, limit = float(evaluator().static(beta, "beta")), float(evaluator().static(threshold, "threshold"))
    a = as_float(input)
    scaled = a if scale == 1 else e.mul(a, scale)
    made = logistic.softplus(scaled)
    made = made if scale == 1 else e.div(made, scale)
    return e.select(e.greater(scaled, limit), a, made)


@operator("hardtanh")
def hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0) -> Any:
    """The input not below one bound and not above another."""
    return elementwise.clip(input, min_val, max_val)


@operator("softmin")
def softmin(x: Any, axis: Any = -1, *, dtype: Any = None) -> Any:
    """softmax(-x)."""
    return softmax(elementwise.negative(_cast_first(x, dtype)), axis)


def _retyped(x: Any, dtype: Any) -> Any:
    return x if dtype is None else as_array(x, as_dtype(dtype))


def _softmax_axis(x: Any, dim: Any) -> Any:
    return dim if dim is not None else 0 if rank_of(as_array(x)) in (0, 1, 3) else 1


operator("Gelu")(lambda x: gelu(x, "tanh"))


@operator("swiglu Swiglu")
def swiglu(input: Any, dim: Any = -1) -> Any:
    """silu of one half of the input along an axis, times the other."""
    a = as_float(input)
    left, right = shapes.split(a, 2, normal_axis(dim, rank_of(a)))
    return e.mul(silu(left), right)


@operator("ReLUV2")
def relu_v2(input_x: Any) -> Any:
    """(x where it is positive, else 0; where that is)."""
    a = as_array(input_x)
    return relu(a), e.cast(e.greater(a, 0), dtype=u8)
