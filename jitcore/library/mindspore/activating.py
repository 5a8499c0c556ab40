"""Activation operators."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import as_array, category, dtype_of_value, evaluator
from jitcore.library.math import elementwise
from jitcore.library.nn import network, neural
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.types import i64

operator("relu ReLU .relu")(neural.relu)
operator("relu6 ReLU6")(neural.relu6)
operator("silu swish SiLU .silu")(neural.silu)
operator("hardsigmoid hsigmoid HSigmoid .hardsigmoid .hsigmoid")(neural.hsigmoid)
operator("hardswish hswish HSwish .hardswish")(neural.hswish)
operator("sigmoid Sigmoid .sigmoid")(elementwise.sigmoid)
operator("tanh Tanh .tanh")(elementwise.tanh)


@operator("leaky_relu LeakyReLU .leaky_relu")
def leaky_relu(input: Any, alpha: Any = 0.2) -> Any:
    """x, but alpha * x where x is negative."""
    return neural.leaky_relu(input, alpha)


@operator("elu")
def elu(input_x: Any, alpha: Any = 1.0) -> Any:
    """x, but alpha * (exp(x) - 1) where x is negative."""
    return neural.elu(input_x, alpha)


@operator("Elu")
def elu_set_up(x: Any, *, alpha: Any = 1.0) -> Any:
    """As `elu`."""
    return neural.elu(x, alpha)


@operator("selu SeLU")
def selu(input_x: Any) -> Any:
    """Self-normalising ELU (arXiv:1706.02515)."""
    return network.selu(input_x)


@operator("celu")
def celu(x: Any, alpha: Any = 1.0) -> Any:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    if evaluator().static(alpha, "alpha") == 0:
        raise ValueError("For 'celu', alpha must not be 0.")
    return network.celu(x, alpha)


in_constructor("CeLU", celu, "alpha")


@operator("gelu")
def gelu(input: Any, approximate: Any = "none") -> Any:
    """x times the normal distribution function of x, exact or by tanh."""
    if approximate not in ("none", "tanh", True, False):
        raise ValueError(f"For ops.gelu, approximate value should be either 'none' or 'tanh', but got {approximate}.")
    return neural.gelu(input, approximate)


@operator("GeLU")
def gelu_set_up(x: Any) -> Any:
    """x times the normal distribution function of x, by tanh."""
    return neural.gelu(x, "tanh")


@operator("FastGeLU FastGelu fast_gelu")
def fast_gelu(x: Any) -> Any:
    """x * sigmoid(1.702 x), as MindSpore's kernels compute it."""
    return network.fast_gelu(x)


@operator("mish Mish .mish")
def mish(x: Any) -> Any:
    """x * tanh(softplus(x))."""
    return network.mish(x)


@operator("softplus")
def softplus(input: Any, beta: Any = 1, threshold: Any = 20) -> Any:
    """log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold."""
    scale, limit = float(evaluator().static(beta, "beta")), float(evaluator().static(threshold, "threshold"))
    a = as_float(input)
    scaled = a if scale == 1 else e.mul(a, scale)
    made = neural.softplus(scaled)
    made = made if scale == 1 else e.div(made, scale)
    return e.select(e.greater(scaled, limit), a, made)


operator("Softplus")(neural.softplus)


@operator("softsign Softsign")
def softsign(x: Any) -> Any:
    """x / (1 + |x|)."""
    return network.softsign(x)


@operator("logsigmoid LogSigmoid")
def logsigmoid(x: Any) -> Any:
    """log(sigmoid(x))."""
    return network.log_sigmoid(x)


@operator("tanhshrink")
def tanhshrink(input: Any) -> Any:
    """x - tanh(x)."""
    return network.tanh_shrink(input)


@operator("hardshrink .hardshrink")
def hardshrink(x: Any, lambd: Any = 0.5) -> Any:
    """x, but 0 where |x| <= lambd."""
    return network.hard_shrink(x, lambd)


@operator("HShrink")
def hardshrink_set_up(x: Any, *, lambd: Any = 0.5) -> Any:
    """As `hardshrink`."""
    return hardshrink(x, lambd)


@operator("softshrink")
def softshrink(x: Any, lambd: Any = 0.5) -> Any:
    """x moved towards 0 by lambd, 0 where that would cross it."""
    return network.soft_shrink(x, lambd)


@operator("SoftShrink")
def softshrink_set_up(x: Any, *, lambd: Any = 0.5) -> Any:
    """As `softshrink`."""
    return softshrink(x, lambd)


@operator("hardtanh")
def hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0) -> Any:
    """The input not below one bound and not above another."""
    return elementwise.clip(input, min_val, max_val)


@operator("threshold")
def threshold(input: Any, thr: Any, value: Any) -> Any:
    """x, but `value` where x is not above `thr`."""
    return network.threshold(input, thr, value)


@operator("prelu PReLU")
def prelu(x: Any, weight: Any) -> Any:
    """x, but weight * x where x is negative; one weight, or one for each channel (axis 1)."""
    return network.prelu(x, weight)


@operator("glu")
def glu(x: Any, axis: Any = -1) -> Any:
    """One half of x along an axis times the sigmoid of the other."""
    return network.glu(x, axis)


@operator("GLU")
def glu_set_up(x: Any, *, axis: Any = -1) -> Any:
    """As `glu`."""
    return glu(x, axis)


def _cast_first(x: Any, dtype: Any) -> Any:
    return x if dtype is None else elementwise.astype(x, dtype)


@operator("softmax .softmax")
def softmax(input: Any, axis: Any = -1, *, dtype: Any = None) -> Any:
    """exp(x) over its sum along an axis."""
    return neural.softmax(_cast_first(input, dtype), axis)


@operator("Softmax")
def softmax_set_up(x: Any, *, axis: Any = -1) -> Any:
    """As `softmax`."""
    return neural.softmax(x, axis)


@operator("softmin")
def softmin(x: Any, axis: Any = -1, *, dtype: Any = None) -> Any:
    """softmax(-x)."""
    return neural.softmax(elementwise.negative(_cast_first(x, dtype)), axis)


@operator("log_softmax .log_softmax")
def log_softmax(logits: Any, axis: Any = -1) -> Any:
    """log(softmax(x))."""
    return neural.log_softmax(logits, axis)


@operator("LogSoftmax")
def log_softmax_set_up(x: Any, *, axis: Any = -1) -> Any:
    """As `log_softmax`."""
    return neural.log_softmax(x, axis)


@operator("normalize")
def normalize(input: Any, p: Any = 2, dim: Any = 1, eps: Any = 1e-12) -> Any:
    """x over its norm along an axis, `eps` at least."""
    a = as_float(input)
    return elementwise.true_divide(a, elementwise.maximum(reductions.norm_of_order(a, p, dim, True), eps))


@operator("L2Normalize")
def l2_normalize_set_up(x: Any, *, axis: Any = 0, epsilon: Any = 1e-4) -> Any:
    """x over its norm along an axis."""
    return neural.l2_normalize(x, axis, epsilon)


@operator("OneHot")
def one_hot_set_up(indices: Any, depth: Any, on_value: Any = 1.0, off_value: Any = 0.0, *, axis: Any = -1) -> Any:
    """For each index, `depth` values along a new axis."""
    if not dtype_of_value(indices).is_integer:
        raise TypeError(f"For 'OneHot', the 'indices' must be ints, but got {dtype_of_value(indices)!r}.")
    return creation.one_hot(indices, depth, on_value, off_value, axis)


@operator("one_hot")
def one_hot(indices: Any, depth: Any = -1, on_value: Any = 1, off_value: Any = 0, axis: Any = -1) -> Any:
    """For each index, `depth` values along a new axis: `on_value` at the index, `off_value` elsewhere; ints are
    int64."""
    on = as_array(on_value) if category(on_value) == "int" else on_value
    count = depth
    if isinstance(depth, int) and depth == -1:  # one more than the largest index
        largest = reductions.max(as_array(as_array(indices), i64))
        count = elementwise.number(e.add(largest, 1))
    return creation.one_hot(indices, count, on, off_value, axis)
