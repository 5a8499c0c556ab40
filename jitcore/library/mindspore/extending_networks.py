"""Operators of `mindspore.mint.nn.functional` whose namesakes in `ops` mean something else: these take PyTorch's
parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.array import creation
from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, evaluator, rank_of, shape_of, static_int
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import multiply, subtract
from jitcore.library.mindspore import activating, networking
from jitcore.library.mindspore import pooling as pools
from jitcore.library.nn import network, neural, volumes
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import f32, i64

# --- convolution ----------------------------------------------------------------------------------------


def _ends(padding: Any, rank: int) -> tuple[str, Any]:
    """MindSpore's pad mode and padding, (before, after) for each axis: 'same', 'valid', an int, or one for each
    axis."""
    given = evaluator().static(padding, "padding")
    if isinstance(given, str):
        return given, 0
    items = given if isinstance(given, tuple | list) else (given,)
    each = [static_int(n, "padding") for n in cast("Sequence[Any]", items)]
    each = each * rank if len(each) == 1 else each
    if len(each) != rank:
        raise ValueError(f"padding is an int or {rank} ints, not {given!r}")
    return "pad", tuple(n for n in each for _ in range(2))


@operator("conv1d_ext")
def conv1d_ext(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
) -> Any:
    """The cross-correlation of (N, C, L) with weight (O, C / groups, K)."""
    mode, ends = _ends(padding, 1)
    steps, spread = volumes.sizes(stride, 1, "stride")[0], volumes.sizes(dilation, 1, "dilation")[0]
    a, w = as_array(input), as_array(weight)
    single = rank_of(a) == 2
    a = s.expand_dims(a, axis=(0,)) if single else a
    around = ends if mode == "pad" else 0
    made = network.conv1d(a, w, bias, steps, mode, around, spread, groups)
    return s.squeeze(made, axis=(0,)) if single else made


@operator("conv2d_ext")
def conv2d_ext(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
) -> Any:
    """The cross-correlation of (N, C, H, W) with weight (O, C / groups, KH, KW)."""
    mode, ends = _ends(padding, 2)
    steps, spread = volumes.sizes(stride, 2, "stride"), volumes.sizes(dilation, 2, "dilation")
    return _conv2d(input, weight, bias, steps, mode, ends, spread, groups)


def _conv2d(x: Any, weight: Any, bias: Any, stride: Any, mode: str, ends: Any, dilation: Any, groups: Any) -> Any:
    """The convolution of images, or of one alone."""
    a = as_array(x)
    single = rank_of(a) == 3
    made = neural.conv2d(
        s.expand_dims(a, axis=(0,)) if single else a, weight, bias, stride, ends, mode, dilation, groups
    )
    return s.squeeze(made, axis=(0,)) if single else made


@operator("conv3d_ext")
def conv3d_ext(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
) -> Any:
    """The cross-correlation of (N, C, D, H, W) with weight (O, C / groups, KD, KH, KW)."""
    mode, ends = _ends(padding, 3)
    return volumes.conv3d(input, weight, bias, stride, ends, mode, dilation, groups)


@operator("conv_transpose2d")
def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: Any = 1,
    dilation: Any = 1,
) -> Any:
    """The transpose of `conv2d`: (N, C, H, W) with weight (C, O / groups, KH, KW)."""
    a = as_array(input)
    single = rank_of(a) == 3
    mode, ends = _ends(padding, 2)
    steps, spread = volumes.sizes(stride, 2, "stride"), volumes.sizes(dilation, 2, "dilation")
    extra = volumes.sizes(output_padding, 2, "output_padding")
    made = network.conv2d_transpose(
        s.expand_dims(a, axis=(0,)) if single else a,
        weight,
        bias,
        steps,
        mode,
        ends,
        spread,
        groups,
        extra,
        "conv_transpose2d",
    )
    return s.squeeze(made, axis=(0,)) if single else made


# --- pooling --------------------------------------------------------------------------------------------


@operator("avg_pool1d_ext")
def avg_pool1d_ext(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
) -> Any:
    """The means of windows over the last axis."""
    window = volumes.sizes(kernel_size, 1, "kernel_size")[0]
    steps = window if stride is None else volumes.sizes(stride, 1, "stride")[0]
    around = volumes.sizes(padding, 1, "padding")[0]
    return _averages(input, 1, window, steps, around, ceil_mode, count_include_pad, None)


@operator("avg_pool2d_ext")
def avg_pool2d_ext(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Any:
    """The means of windows over the last two axes."""
    window = volumes.sizes(kernel_size, 2, "kernel_size")
    steps = window if stride is None else volumes.sizes(stride, 2, "stride")
    around = tuple(n for n in volumes.sizes(padding, 2, "padding") for _ in range(2))
    return _averages(input, 2, window, steps, around, ceil_mode, count_include_pad, divisor_override)


def _averages(x: Any, rank: int, window: Any, steps: Any, around: Any, ceil: Any, include: Any, divisor: Any) -> Any:
    return network.avg_pool(x, rank, window, steps, "pad", around, ceil, include, divisor)


@operator("avg_pool3d_ext")
def avg_pool3d_ext(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Any:
    """The means of windows over the last three axes."""
    divisor = 0 if divisor_override is None else divisor_override
    steps = kernel_size if stride is None else stride
    return pools.avg_pool3d(input, kernel_size, steps, padding, ceil_mode, count_include_pad, divisor)


# --- normalisation, activation, losses --------------------------------------------------------------------


@operator("batch_norm_ext")
def batch_norm_ext(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: Any = False,
    momentum: Any = 0.1,
    eps: Any = 1e-5,
) -> Any:
    """The input normalised by channel: by running statistics, or when training (or without them) by its own, which move
    them."""
    channels = shape_of(as_array(input))[1]
    weight = creation.ones((channels,), f32) if weight is None else weight
    bias = creation.zeros((channels,), f32) if bias is None else bias
    if running_mean is None:
        mean, variance, _ = network.channel_statistics(input)
        return network.normalise_channels(input, mean, variance, weight, bias, eps)
    return networking.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@operator("leaky_relu_ext")
def leaky_relu_ext(input: Any, negative_slope: Any = 0.01) -> Any:
    """The input, its negative elements times `negative_slope`."""
    return activating.leaky_relu(input, negative_slope)


@operator("relu_", "raw")
def relu_in_place(input: Any) -> Any:
    """The input itself, its negative elements set to 0."""
    return elementwise.assign(input, elementwise.maximum(input, 0))


@operator("elu_", "raw")
def elu_in_place(input: Any, alpha: Any = 1.0) -> Any:
    """The input itself, alpha * (exp(x) - 1) where it is negative."""
    return elementwise.assign(input, activating.elu(input, alpha))


@operator("threshold_", "raw")
def threshold_in_place(input: Any, threshold: Any, value: Any) -> Any:
    """The input itself, `value` where it is not above the threshold."""
    return elementwise.assign(input, activating.threshold(input, threshold, value))


def _retyped(x: Any, dtype: Any) -> Any:
    return x if dtype is None else as_array(x, as_dtype(dtype))


@operator("softmax_ext")
def softmax_ext(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """exp(x) over its sum along an axis; without one the first of 0, 1 or 3 dimensions, else the second."""
    return neural.softmax(_retyped(input, dtype), _softmax_axis(input, dim))


@operator("log_softmax_ext")
def log_softmax_ext(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """log(softmax(x)) along an axis."""
    return neural.log_softmax(_retyped(input, dtype), _softmax_axis(input, dim))


def _softmax_axis(x: Any, dim: Any) -> Any:
    return dim if dim is not None else 0 if rank_of(as_array(x)) in (0, 1, 3) else 1


@operator("one_hot_ext")
def one_hot_ext(tensor: Any, num_classes: Any = -1) -> Any:
    """For each index the ints 0, but 1 at the index."""
    return e.cast(activating.one_hot(tensor, num_classes), dtype=i64)


@operator("smooth_l1_loss_ext")
def smooth_l1_loss_ext(input: Any, target: Any, reduction: Any = "mean", beta: Any = 1.0) -> Any:
    """Squared differences below `beta`, absolute ones above, reduced."""
    if evaluator().static(beta, "beta") == 0:
        return neural.l1_loss(input, target, reduction)
    return neural.smooth_l1_loss(input, target, beta, reduction)


@operator("kl_div_ext")
def kl_div_ext(input: Any, target: Any, reduction: Any = "mean", log_target: Any = False) -> Any:
    """The Kullback-Leibler divergence of the target (or `log_target`: its logarithm) from exp(input), reduced."""
    how = evaluator().static(reduction, "reduction")
    goal = as_array(target)
    if evaluator().static(log_target, "log_target"):
        losses = multiply(t.exp(goal), subtract(goal, input))
    else:
        positive = e.greater(goal, 0)
        log = t.log(elementwise.where(positive, goal, 1.0))
        losses = elementwise.where(positive, multiply(goal, subtract(log, input)), multiply(goal, 0.0))
    if how == "batchmean":
        return multiply(neural.reduced(losses, "sum"), 1.0 / evaluator().number(shape_of(as_array(input))[0]))
    return neural.reduced(losses, how)
