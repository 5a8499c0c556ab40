"""Normalisation: of batches, layers, groups, channels and rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.library.array import creation, shapes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    like,
    normal_axes,
    normal_axis,
    product_of,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import add, multiply, subtract, true_divide
from jitcore.library.nn import operands
from jitcore.library.nn.windows import require_nchw
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import Dim, f32


def normalise_layers(x: Any, gamma: Any, beta: Any, axis: Any = -1, epsilon: Any = 1e-5) -> Any:
    """x less its mean, over its standard deviation (from `axis` on), scaled by gamma and moved by beta."""
    a = reductions.as_float(x)
    first = normal_axis(axis, rank_of(a))
    axes = tuple(range(first, rank_of(a)))
    centred = e.sub(a, reductions.mean(a, axes, keepdims=True))
    spread = reductions.mean(e.mul(centred, centred), axes, keepdims=True)
    scaled = e.div(centred, t.sqrt(e.add(spread, float(evaluator().static(epsilon, "epsilon")))))
    g, b = promote("mul", gamma, beta)
    return e.add(*promote("add", e.mul(*promote("mul", scaled, g)), b))


@operator("l2_normalize")
def l2_normalize(x: Any, axis: Any = 0, epsilon: Any = 1e-4) -> Any:
    """x over the square root of its sum of squares along `axis`, which counts as `epsilon` at least."""
    a = reductions.as_float(x)
    total = r.reduce_sum(e.mul(a, a), axis=normal_axes(axis, rank_of(a)), keepdims=True)
    return e.div(a, t.sqrt(e.maximum(total, float(evaluator().static(epsilon, "epsilon")))))


@operator("L2Normalize")
def l2_normalize_set_up(x: Any, *, axis: Any = 0, epsilon: Any = 1e-4) -> Any:
    """x over its norm along an axis."""
    return l2_normalize(x, axis, epsilon)


def _per_channel(value: Any, rank: int) -> Any:
    return s.reshape(value, shape=(shape_of(value)[0],) + (1,) * (rank - 2))


def normalise_groups(x: Any, groups: int, gamma: Any, beta: Any, epsilon: float) -> Any:
    """x (N, C, …) normalised over each group of channels of each sample, then scaled and moved by channel."""
    a = reductions.as_float(x)
    if rank_of(a) < 2:
        raise ValueError(f"a group of channels is normalised of arrays of at least 2 dimensions, not {rank_of(a)}")
    shape, groups = shape_of(a), static_int(groups, "the number of groups")
    split = (shape[0], groups, _rest(shape, groups))
    flat = s.reshape(a, shape=split)
    centred = e.sub(flat, reductions.mean(flat, (2,), keepdims=True))
    spread = reductions.mean(e.mul(centred, centred), (2,), keepdims=True)
    made = s.reshape(e.div(centred, t.sqrt(e.add(spread, like(epsilon, spread)))), shape=shape)
    return _scaled("group_norm", made, gamma, beta)


def _rest(shape: Sequence[Dim], groups: int) -> Dim:
    """The number of elements in a group of a sample."""
    return product_of(shape[1:]) // groups


def _scaled(name: str, a: Any, gamma: object, beta: object) -> Any:
    g, b = promote("mul", gamma, beta)
    operands.require_channels(name, a, g)
    scaled = e.mul(*promote("mul", a, _per_channel(g, rank_of(a))))
    return e.add(*promote("add", scaled, _per_channel(b, rank_of(a))))


def channel_statistics(x: Any) -> tuple[Any, Any, Any]:
    """The mean and (biased) variance of each channel (axis 1), and n / (n - 1) for the n elements each is made of."""
    a = reductions.as_float(x)
    axes = tuple(k for k in range(rank_of(a)) if k != 1)
    mean = reductions.mean(a, axes)
    centred = e.sub(a, _per_channel(mean, rank_of(a)))
    variance = reductions.mean(e.mul(centred, centred), axes)
    count: Dim = 1
    for k in axes:
        count = count * shape_of(a)[k]
    number = as_array(evaluator().number(count), f32)
    return mean, variance, e.div(number, e.maximum(e.sub(number, 1), 1))


def normalise_channels(x: Any, mean: Any, variance: Any, gamma: Any, beta: Any, epsilon: float) -> Any:
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, by channel (axis 1)."""
    a = reductions.as_float(x)
    g, v = promote("mul", gamma, variance)
    operands.require_channels("batch_norm", a, g)
    scale = e.div(g, t.sqrt(e.add(v, like(epsilon, v))))
    centred = e.sub(*promote("sub", a, _per_channel(as_array(mean), rank_of(a))))
    scaled = e.mul(*promote("mul", centred, _per_channel(scale, rank_of(a))))
    made = e.add(*promote("add", scaled, _per_channel(as_array(beta), rank_of(a))))
    return made if dtype_of_value(made) is dtype_of_value(a) else e.cast(made, dtype=dtype_of_value(a))


def instance_norm(x: Any, gamma: Any, beta: Any, epsilon: float) -> Any:
    """x (N, C, …) normalised over each channel of each sample, then scaled and moved by channel."""
    a = reductions.as_float(x)
    axes = tuple(range(2, rank_of(a)))
    centred = e.sub(a, reductions.mean(a, axes, keepdims=True))
    spread = reductions.mean(e.mul(centred, centred), axes, keepdims=True)
    return _scaled("instance_norm", e.div(centred, t.sqrt(e.add(spread, like(epsilon, spread)))), gamma, beta)


@operator("normalize")
def normalize(input: Any, p: Any = 2, dim: Any = 1, eps: Any = 1e-12) -> Any:
    """x over its norm along an axis, `eps` at least."""
    a = as_float(input)
    return elementwise.true_divide(a, elementwise.maximum(reductions.norm_of_order(a, p, dim, True), eps))


@operator("batch_norm")
def batch_norm(
    input_x: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    training: Any = False,
    momentum: Any = 0.1,
    eps: Any = 1e-05,
) -> Any:
    """x normalised by channel (axis 1) by running statistics; when training by its own, which move the running ones."""
    if not evaluator().static(training, "training"):
        return normalise_channels(input_x, running_mean, running_var, weight, bias, eps)
    mean, variance, correction = channel_statistics(input_x)
    for running, now in ((running_mean, mean), (running_var, multiply(variance, correction))):
        moved = add(multiply(running, subtract(1, momentum)), multiply(e.stop_gradient(now), momentum))
        elementwise.assign(running, moved)
    return normalise_channels(input_x, mean, variance, weight, bias, eps)


@operator("BatchNorm")
def batch_norm_set_up(
    input_x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    *,
    is_training: Any = False,
    epsilon: Any = 1e-05,
    momentum: Any = 0.1,
    data_format: Any = "NCHW",
) -> Any:
    """(x normalised by channel, the mean, the variance, and both again for the gradient)."""
    require_nchw(data_format, "BatchNorm")
    of_channels = {"scale": scale, "bias": bias, "mean": mean, "variance": variance}
    for name, value in of_channels.items():
        if value is None or not is_array(value):
            raise TypeError(f"For 'BatchNorm', the {name} must be a Tensor, but got {type(value).__name__}.")
        if rank_of(value) != 1:
            raise ValueError(f"For 'BatchNorm', the dimension of {name} must be 1, but got {rank_of(value)}.")
        require_equal(
            shape_of(value)[0], shape_of(scale)[0], f"For 'BatchNorm', {name} has {{0}} elements, but scale has {{1}}."
        )
    if not is_training:
        out = normalise_channels(input_x, mean, variance, scale, bias, epsilon)
        return out, as_array(mean), as_array(variance), as_array(mean), as_array(variance)
    own, spread, correction = channel_statistics(input_x)
    out = normalise_channels(input_x, own, spread, scale, bias, epsilon)
    for running, now in ((mean, own), (variance, multiply(spread, correction))):
        moved = add(multiply(running, subtract(1, momentum)), multiply(e.stop_gradient(now), momentum))
        elementwise.assign(running, moved)
    return out, own, spread, own, spread


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
        mean, variance, _ = channel_statistics(input)
        return normalise_channels(input, mean, variance, weight, bias, eps)
    return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@operator("layer_norm")
def layer_norm(input: Any, normalized_shape: Any, gamma: Any = None, beta: Any = None, eps: Any = 1e-05) -> Any:
    """x less its mean, over its standard deviation, over its last axes; scaled and moved."""
    sizes = static_ints(normalized_shape, "the normalised shape")
    a = as_float(input)
    if not 0 < len(sizes) <= rank_of(a):
        raise ValueError(f"For 'layer_norm', the normalized_shape {sizes} does not fit {rank_of(a)} dimensions.")
    for have, want in zip(shape_of(a)[rank_of(a) - len(sizes) :], sizes, strict=True):
        require_equal(have, want, "For 'layer_norm', an axis has {0} elements, the normalized_shape {1}.")
    scaled = _normalised(a, rank_of(a) - len(sizes), eps)[0]
    scaled = scaled if gamma is None else multiply(scaled, gamma)
    return scaled if beta is None else add(scaled, beta)


@operator("LayerNorm")
def layer_norm_set_up(
    input_x: Any, gamma: Any, beta: Any, *, begin_norm_axis: Any = 1, begin_params_axis: Any = 1, epsilon: Any = 1e-07
) -> Any:
    """(x normalised from an axis on, scaled and moved; the mean; the variance)."""
    a = as_float(input_x)
    made, mean, variance = _normalised(a, normal_axis(begin_norm_axis, rank_of(a)), epsilon)
    params = rank_of(a) - normal_axis(begin_params_axis, rank_of(a))
    if rank_of(as_array(gamma)) > params:
        raise ValueError("For 'LayerNorm', gamma has more dimensions than the axes from begin_params_axis on.")
    return add(multiply(made, gamma), beta), mean, variance


def _normalised(a: Any, first: int, epsilon: Any) -> tuple[Any, Any, Any]:
    axes = tuple(range(first, rank_of(a)))
    mean = reductions.mean(a, axes, keepdims=True)
    centred = e.sub(a, mean)
    variance = reductions.mean(e.mul(centred, centred), axes, keepdims=True)
    return e.div(centred, t.sqrt(e.add(variance, float(evaluator().static(epsilon, "epsilon"))))), mean, variance


@operator("group_norm")
def group_norm(input: Any, num_groups: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-05) -> Any:
    """x (N, C, …) normalised over each group of channels of each sample."""
    a = as_float(input)
    channels = evaluator().number(shape_of(a)[1])
    scale = creation.ones((channels,), dtype_of_value(a)) if weight is None else weight
    move = creation.zeros((channels,), dtype_of_value(a)) if bias is None else bias
    return normalise_groups(a, num_groups, scale, move, eps)


@operator("lrn")
def lrn(
    x: Any,
    depth_radius: Any = 5,
    bias: Any = 1.0,
    alpha: Any = 1.0,
    beta: Any = 0.5,
    norm_region: Any = "ACROSS_CHANNELS",
) -> Any:
    """x over (bias + alpha * the sum of squares of channels near by) to the power beta."""
    if norm_region != "ACROSS_CHANNELS":
        raise ValueError("For 'LRN', the norm_region is 'ACROSS_CHANNELS'.")
    a = as_float(x)
    radius = static_int(depth_radius, "depth_radius")
    width = [(0, 0), (radius, radius), *[(0, 0)] * (rank_of(a) - 2)]
    squares = shapes.pad(e.mul(a, a), width)
    total: Any = 0.0
    for k in range(2 * radius + 1):
        total = add(total, shapes.slice_axis(squares, 1, k, shape_of(a)[1]))
    return true_divide(a, elementwise.power(add(multiply(total, alpha), bias), beta))


in_constructor("LRN", lrn, "depth_radius", "bias", "alpha", "beta", "norm_region")


@operator("rms_norm")
def rms_norm(x: Any, gamma: Any, epsilon: Any = 1e-06) -> Any:
    """(x over the root of the mean of its squares along its last axes, scaled; one over that root)."""
    a = as_float(x)
    axes = tuple(range(rank_of(a) - rank_of(as_array(gamma)), rank_of(a)))
    inverse = elementwise.rsqrt(add(reductions.mean(e.mul(a, a), axes, keepdims=True), epsilon))
    return multiply(e.mul(a, inverse), gamma), inverse


@operator("renorm .renorm")
def renorm(input: Any, p: Any, axis: Any, maxnorm: Any) -> Any:
    """The sub-Tensors along an axis scaled down to a norm of at most `maxnorm`."""
    a = as_float(input)
    k = normal_axis(axis, rank_of(a))
    others = tuple(n for n in range(rank_of(a)) if n != k)
    exponent = float(evaluator().static(p, "p"))
    size = true_divide(elementwise.power(elementwise.absolute(a), exponent), 1.0)
    norms = elementwise.power(reductions.sum(size, others, None, True), 1.0 / exponent)
    largest = as_array(maxnorm, dtype_of_value(norms))
    factor = elementwise.where(e.greater(norms, largest), true_divide(largest, add(norms, 1e-7)), 1.0)
    return multiply(a, factor)


@operator("Renorm")
def renorm_set_up(input_x: Any, *, p: Any, dim: Any, maxnorm: Any) -> Any:
    """Sub-Tensors along an axis scaled down to a norm."""
    return renorm(input_x, p, dim, maxnorm)
