"""`paddle.static.nn`: layers with parameters of their own in a Program, and control flow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from jitcore.compat.paddle import declaring, naming
from jitcore.compat.paddle.networks.layouts import Borders
from jitcore.compat.paddle.nn.attributes import AttrLike
from jitcore.compat.paddle.nn.initializer import Constant, Normal
from jitcore.compat.paddle.static.control import case, cond, switch_case, while_loop
from jitcore.compat.paddle.static.creation import create_parameter
from jitcore.compat.paddle.static.variables import Value

__all__ = [
    "batch_norm",
    "case",
    "cond",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "embedding",
    "fc",
    "group_norm",
    "layer_norm",
    "prelu",
    "switch_case",
    "while_loop",
]

Sizes = int | Sequence[int]


def function(name: str) -> Any:
    """A function of Paddle's, by its name there."""
    return declaring.FUNCTIONS.get(name) or declaring.NETWORK[name]


def activated(x: Value, act: str | None) -> Any:
    """What an activation, by its name, makes of a Tensor. Raises ValueError for one that there is not."""
    if act is None:
        return x
    if act not in declaring.NETWORK and act not in declaring.FUNCTIONS:
        raise ValueError(f"there is no activation {act!r}")
    return (declaring.NETWORK.get(act) or declaring.FUNCTIONS[act])(x)


def fc(
    x: Value,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: AttrLike | Sequence[AttrLike] = None,
    bias_attr: AttrLike = None,
    activation: str | None = None,
    name: str | None = None,
) -> Any:
    """x (or the sum over several), seen as a matrix whose rows are the first axes, times a weight, and a bias."""
    owner = name or naming.generate("fc")
    given = list(x) if isinstance(x, list | tuple) else [x]
    attrs: list[Any] = list(weight_attr) if isinstance(weight_attr, list | tuple) else [weight_attr] * len(given)
    made: Any = None
    for one, attr in zip(given, attrs, strict=True):
        ahead = num_flatten_dims if num_flatten_dims >= 0 else len(one.shape) + num_flatten_dims
        columns = math.prod(one.shape[ahead:])
        if columns < 0:
            raise ValueError(
                f"fc takes inputs whose extents from axis {ahead} on are known, not the shape {list(one.shape)}"
            )
        weight = create_parameter([columns, size], one.dtype, attr=attr, owner=owner)
        flat = function("flatten")(one, ahead, -1) if len(one.shape) > ahead + 1 else one
        product = function("matmul")(flat, weight)
        made = product if made is None else made + product
    bias = create_parameter([size], given[0].dtype, attr=bias_attr, is_bias=True, owner=owner)
    return activated(made if bias is None else made + bias, activation)


def embedding(
    input: Value,
    size: Sequence[int],
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: AttrLike = None,
    dtype: object = "float32",
) -> Any:
    """The rows of a table at the numbers of `input`."""
    del is_distributed
    weight = create_parameter(list(size), dtype, attr=param_attr, owner=naming.generate("embedding"))
    return function("embedding")(input, weight, padding_idx, sparse=is_sparse)


def _each(value: Sizes, rank: int) -> list[int]:
    return [value] * rank if isinstance(value, int) else list(value)


def _convolution(
    rank: int,
    input: Value,
    num_filters: int,
    filter_size: Sizes,
    stride: Sizes,
    padding: Borders,
    dilation: Sizes,
    groups: int | None,
    attrs: tuple[AttrLike, AttrLike],
    act: str | None,
    data_format: str,
) -> Any:
    owner = naming.generate(f"conv{rank}d")
    channels = input.shape[-1 if data_format.endswith("C") else 1]
    shape = [num_filters, channels // (groups or 1), *_each(filter_size, rank)]
    spread = math.sqrt(2.0 / (math.prod(shape[2:]) * channels))
    weight = create_parameter(shape, input.dtype, attr=attrs[0], default_initializer=Normal(0.0, spread), owner=owner)
    bias = create_parameter([num_filters], input.dtype, attr=attrs[1], is_bias=True, owner=owner)
    made = function(f"conv{rank}d")(input, weight, bias, stride, padding, dilation, groups or 1, data_format)
    return activated(made, act)


def conv2d(
    input: Value,
    num_filters: int,
    filter_size: Sizes,
    stride: Sizes = 1,
    padding: Borders = 0,
    dilation: Sizes = 1,
    groups: int | None = None,
    param_attr: AttrLike = None,
    bias_attr: AttrLike = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Any:
    """The cross-correlation of images with filters, and a bias."""
    del use_cudnn, name
    attrs = param_attr, bias_attr
    return _convolution(2, input, num_filters, filter_size, stride, padding, dilation, groups, attrs, act, data_format)


def conv3d(
    input: Value,
    num_filters: int,
    filter_size: Sizes,
    stride: Sizes = 1,
    padding: Borders = 0,
    dilation: Sizes = 1,
    groups: int | None = None,
    param_attr: AttrLike = None,
    bias_attr: AttrLike = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCDHW",
) -> Any:
    """The cross-correlation of volumes with filters, and a bias."""
    del use_cudnn, name
    attrs = param_attr, bias_attr
    return _convolution(3, input, num_filters, filter_size, stride, padding, dilation, groups, attrs, act, data_format)


def conv2d_transpose(
    input: Value,
    num_filters: int,
    output_size: Sizes | None = None,
    filter_size: Sizes | None = None,
    padding: Borders = 0,
    stride: Sizes = 1,
    dilation: Sizes = 1,
    groups: int | None = None,
    param_attr: AttrLike = None,
    bias_attr: AttrLike = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Any:
    """The transpose of a convolution of images. Raises ValueError where neither the size of the filters nor that of the
    result is given."""
    del use_cudnn, name
    channels = input.shape[-1 if data_format.endswith("C") else 1]
    if filter_size is None:
        if output_size is None:
            raise ValueError("output_size and filter_size of conv2d_transpose are both None: one is needed")
        steps, ends, spread = (_each(v, 2) for v in (stride, cast("Sizes", padding), dilation))
        extents = input.shape[1:3] if data_format.endswith("C") else input.shape[2:4]
        filter_size = [
            (out - (n - 1) * s + 2 * p - 1) // d + 1
            for out, n, s, p, d in zip(_each(output_size, 2), extents, steps, ends, spread, strict=True)
        ]
    owner = naming.generate("conv2d_transpose")
    weight = create_parameter(
        [channels, num_filters // (groups or 1), *_each(filter_size, 2)], input.dtype, attr=param_attr, owner=owner
    )
    bias = create_parameter([num_filters], input.dtype, attr=bias_attr, is_bias=True, owner=owner)
    made = function("conv2d_transpose")(
        input, weight, bias, stride, padding, 0, dilation, groups or 1, output_size, data_format
    )
    return activated(made, act)


def batch_norm(
    input: Value,
    act: str | None = None,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    param_attr: AttrLike = None,
    bias_attr: AttrLike = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
) -> Any:
    """The channels, each with mean 0 and variance 1 over the batch, scaled and shifted; where nothing is trained by
    running statistics."""
    del in_place, do_model_average_for_mean_and_var
    owner = name or naming.generate("batch_norm")
    count = [input.shape[-1 if data_layout == "NHWC" else 1]]
    kept = [
        create_parameter(count, input.dtype, attr=attr, is_bias=bias, default_initializer=Constant(first), owner=owner)
        for attr, bias, first in ((param_attr, False, 1.0), (bias_attr, True, 0.0))
    ]
    running = [
        create_parameter(
            count, input.dtype, name=named or naming.generate(f"{owner}.w"), default_initializer=Constant(first)
        )
        for named, first in ((moving_mean_name, 0.0), (moving_variance_name, 1.0))
    ]
    for statistic in running:
        statistic.stop_gradient = True
    made = function("batch_norm")(
        input, *running, *kept, not is_test, momentum, epsilon, data_layout, use_global_stats or None
    )
    return activated(made, act)


def layer_norm(
    input: Value,
    scale: bool = True,
    shift: bool = True,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-05,
    param_attr: AttrLike = None,
    bias_attr: AttrLike = None,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """What is from an axis on, with mean 0 and variance 1, scaled and shifted by elements."""
    owner = name or naming.generate("layer_norm")
    extents = list(input.shape[begin_norm_axis:])
    size = [math.prod(extents)]
    weight = (
        create_parameter(size, input.dtype, attr=param_attr, default_initializer=Constant(1.0), owner=owner)
        if scale
        else None
    )
    bias = create_parameter(size, input.dtype, attr=bias_attr, is_bias=True, owner=owner) if shift else None
    shaped = [None if p is None else function("reshape")(p, extents) for p in (weight, bias)]
    return activated(function("layer_norm")(input, extents, *shaped, epsilon), act)


def group_norm(
    input: Value,
    groups: int,
    epsilon: float = 1e-05,
    param_attr: AttrLike = None,
    bias_attr: AttrLike = None,
    act: str | None = None,
    data_layout: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Groups of channels, each with mean 0 and variance 1, scaled and shifted by channels."""
    owner = name or naming.generate("group_norm")
    count = [input.shape[-1 if data_layout == "NHWC" else 1]]
    weight = create_parameter(count, input.dtype, attr=param_attr, default_initializer=Constant(1.0), owner=owner)
    bias = create_parameter(count, input.dtype, attr=bias_attr, is_bias=True, owner=owner)
    return activated(function("group_norm")(input, groups, epsilon, weight, bias, data_layout), act)


def prelu(x: Value, mode: str, param_attr: AttrLike = None, data_format: str = "NCHW", name: str | None = None) -> Any:
    """x, or a learned share of it where it is negative: one share for "all", one for each "channel". Raises ValueError
    for other modes."""
    if mode not in ("all", "channel"):
        raise ValueError(f"mode of prelu is 'all' or 'channel', not {mode!r}")
    count = 1 if mode == "all" else x.shape[-1 if data_format == "NHWC" else 1]
    weight = create_parameter(
        [count], x.dtype, attr=param_attr, default_initializer=Constant(0.25), owner=name or naming.generate("prelu")
    )
    return function("prelu")(x, weight, data_format)
