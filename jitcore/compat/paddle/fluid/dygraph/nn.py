"""`fluid.dygraph.nn`: layers with fluid's names of their options."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore.compat.paddle.fluid.declaring import activated, functional, layer, paddle
from jitcore.compat.paddle.fluid.dygraph.layers import Layer
from jitcore.compat.paddle.fluid.layers import networks
from jitcore.compat.paddle.fluid.tensor import Variable
from jitcore.compat.paddle.networks.layouts import Borders, Extents
from jitcore.compat.paddle.nn.attributes import AttrLike
from jitcore.compat.paddle.nn.initializer import Constant, Normal
from jitcore.compat.paddle.static.variables import Value
from jitcore.runtime.tensor import made_of

__all__ = [
    "FC",
    "BatchNorm",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Dropout",
    "Embedding",
    "GroupNorm",
    "InstanceNorm",
    "LayerNorm",
    "Linear",
    "PRelu",
    "Pool2D",
]

Sizes = int | Sequence[int]


def _each(value: Sizes, rank: int) -> list[int]:
    return [value] * rank if isinstance(value, int) else list(value)


# --- calls that are one operation -----------------------------------------------------------------------


@layer
def _linear(x: Value, weight: Value, bias: Value | None, act: str | None) -> Any:
    made = paddle.matmul(x, weight)
    return activated(made if bias is None else made + bias, act)


@layer
def _flat_linear(x: Value, weight: Value, bias: Value | None, ahead: int, act: str | None) -> Any:
    flat = paddle.flatten(x, ahead, -1) if len(x.shape) > ahead + 1 else x
    made = paddle.matmul(flat, weight)
    return activated(made if bias is None else made + bias, act)


@layer
def _conv2d(
    x: Value,
    weight: Value,
    bias: Value | None,
    stride: Extents,
    padding: Borders,
    dilation: Extents,
    groups: int,
    act: str | None,
) -> Any:
    return activated(functional.conv2d(x, weight, bias, stride, padding, dilation, groups), act)


@layer
def _conv3d(
    x: Value,
    weight: Value,
    bias: Value | None,
    stride: Extents,
    padding: Borders,
    dilation: Extents,
    groups: int,
    act: str | None,
) -> Any:
    return activated(functional.conv3d(x, weight, bias, stride, padding, dilation, groups), act)


@layer
def _conv2d_transpose(
    x: Value,
    weight: Value,
    bias: Value | None,
    stride: Extents,
    padding: Borders,
    dilation: Extents,
    groups: int,
    output_size: Extents | None,
    act: str | None,
) -> Any:
    made = functional.conv2d_transpose(x, weight, bias, stride, padding, 0, dilation, groups, output_size)
    return activated(made, act)


@layer
def _batch_norm(
    x: Value,
    mean: Value,
    variance: Value,
    weight: Value | None,
    bias: Value | None,
    momentum: float,
    epsilon: float,
    data_layout: str,
    act: str | None,
    is_test: bool,
) -> Any:
    made = functional.batch_norm(x, mean, variance, weight, bias, not is_test, momentum, epsilon, data_layout)
    return activated(made, act)


@layer
def _layer_norm(
    x: Value, extents: Sequence[int], weight: Value | None, bias: Value | None, epsilon: float, act: str | None
) -> Any:
    shaped = [None if p is None else paddle.reshape(p, list(extents)) for p in (weight, bias)]
    return activated(functional.layer_norm(x, list(extents), *shaped, epsilon), act)


@layer
def _group_norm(
    x: Value, groups: int, epsilon: float, weight: Value | None, bias: Value | None, act: str | None
) -> Any:
    return activated(functional.group_norm(x, groups, epsilon, weight, bias), act)


@layer
def _instance_norm(x: Value, weight: Value | None, bias: Value | None, epsilon: float) -> Any:
    return functional.instance_norm(x, weight=weight, bias=bias, eps=epsilon)


@layer
def _embedding(x: Value, weight: Value, padding_idx: int | None) -> Any:
    last = len(x.shape) > 1 and x.shape[-1] == 1
    return functional.embedding(paddle.squeeze(x, -1) if last else x, weight, padding_idx)


@layer
def _prelu(x: Value, weight: Value) -> Any:
    return functional.prelu(x, weight)


# --- layers ---------------------------------------------------------------------------------------------


class Linear(Layer):
    """The input times a weight (input_dim, output_dim), and a bias."""

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        param_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        act: str | None = None,
        dtype: object = "float32",
    ) -> None:
        super().__init__(None, dtype)
        self._act = act
        self.weight = self.create_parameter([input_dim, output_dim], param_attr, dtype)
        self.bias = self.create_parameter([output_dim], bias_attr, dtype, is_bias=True)

    def forward(self, input: Value) -> Any:
        return _linear(input, self.weight, self.bias, self._act)


class FC(Layer):
    """The input, seen as a matrix, times a weight that is made at the first call, and a bias."""

    def __init__(
        self,
        name_scope: str | None,
        size: int,
        num_flatten_dims: int = 1,
        param_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        act: str | None = None,
        is_test: bool = False,
        dtype: object = "float32",
    ) -> None:
        del is_test
        super().__init__(name_scope, dtype)
        self._size, self._num_flatten_dims, self._act = size, num_flatten_dims, act
        self._attrs = param_attr, bias_attr
        self._made = dtype
        self.weight: Any = None
        self.bias: Any = None

    def forward(self, input: Value) -> Any:
        if self.weight is None:
            columns = math.prod(input.shape[self._num_flatten_dims :])
            self.weight = self.create_parameter([columns, self._size], self._attrs[0], self._made)
            self.bias = self.create_parameter([self._size], self._attrs[1], self._made, is_bias=True)
        return _flat_linear(input, self.weight, self.bias, self._num_flatten_dims, self._act)


class _Convolution(Layer):
    _rank = 2

    def __init__(
        self,
        num_channels: int,
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
        dtype: object = "float32",
    ) -> None:
        del use_cudnn
        super().__init__(None, dtype)
        if param_attr is False:
            raise ValueError(f"param_attr should not be False in {type(self).__name__}")
        count = groups or 1
        if num_channels % count:
            raise ValueError(f"num_channels {num_channels} must be divisible by groups {count}")
        self._options = stride, padding, dilation, count, act
        size = _each(filter_size, self._rank)
        spread = math.sqrt(2.0 / (math.prod(size) * num_channels))
        self.weight = self.create_parameter(
            [num_filters, num_channels // count, *size], param_attr, dtype, default_initializer=Normal(0.0, spread)
        )
        self.bias = self.create_parameter([num_filters], bias_attr, dtype, is_bias=True)


class Conv2D(_Convolution):
    """The cross-correlation of images with filters, and a bias."""

    def forward(self, input: Value) -> Any:
        return _conv2d(input, self.weight, self.bias, *self._options)


class Conv3D(_Convolution):
    """The cross-correlation of volumes with filters, and a bias."""

    _rank = 3

    def forward(self, input: Value) -> Any:
        return _conv3d(input, self.weight, self.bias, *self._options)


class Conv2DTranspose(Layer):
    """The transpose of a convolution of images."""

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: Sizes,
        output_size: Sizes | None = None,
        padding: Borders = 0,
        stride: Sizes = 1,
        dilation: Sizes = 1,
        groups: int | None = None,
        param_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        use_cudnn: bool = True,
        act: str | None = None,
        dtype: object = "float32",
    ) -> None:
        del use_cudnn
        super().__init__(None, dtype)
        self._options = stride, padding, dilation, groups or 1, output_size, act
        shape = [num_channels, num_filters // (groups or 1), *_each(filter_size, 2)]
        self.weight = self.create_parameter(shape, param_attr, dtype)
        self.bias = self.create_parameter([num_filters], bias_attr, dtype, is_bias=True)

    def forward(self, input: Value) -> Any:
        return _conv2d_transpose(input, self.weight, self.bias, *self._options)


class Pool2D(Layer):
    """The largest, or the mean, of each window."""

    def __init__(
        self,
        pool_size: Sizes = -1,
        pool_type: str = "max",
        pool_stride: Sizes = 1,
        pool_padding: Borders = 0,
        global_pooling: bool = False,
        use_cudnn: bool = True,
        ceil_mode: bool = False,
        exclusive: bool = True,
    ) -> None:
        super().__init__()
        if pool_type not in ("max", "avg"):
            raise ValueError(f"Unknown pool_type: '{pool_type}'. It can only be 'max' or 'avg'.")
        self._options = pool_size, pool_type, pool_stride, pool_padding, global_pooling, use_cudnn, ceil_mode, exclusive

    def forward(self, input: Value) -> Any:
        return networks.pool2d(input, *self._options)


class Embedding(Layer):
    """The rows of a table at numbers."""

    def __init__(
        self,
        size: Sequence[int],
        is_sparse: bool = False,
        is_distributed: bool = False,
        padding_idx: int | None = None,
        param_attr: AttrLike = None,
        dtype: object = "float32",
    ) -> None:
        del is_sparse, is_distributed
        super().__init__(None, dtype)
        rows = int(size[0])
        self._padding_idx = padding_idx if padding_idx is None or padding_idx >= 0 else rows + padding_idx
        self.weight = self.create_parameter(list(size), param_attr, dtype)

    def forward(self, input: Value) -> Any:
        return _embedding(input, self.weight, self._padding_idx)


class BatchNorm(Layer):
    """The channels, each with mean 0 and variance 1 over the batch, scaled and shifted."""

    _mean: Any
    _variance: Any

    def __init__(
        self,
        num_channels: int,
        act: str | None = None,
        is_test: bool = False,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        param_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        dtype: object = "float32",
        data_layout: str = "NCHW",
        in_place: bool = False,
        moving_mean_name: str | None = None,
        moving_variance_name: str | None = None,
        do_model_average_for_mean_and_var: bool = True,
        use_global_stats: bool = False,
        trainable_statistics: bool = False,
    ) -> None:
        del in_place, do_model_average_for_mean_and_var, trainable_statistics
        super().__init__(None, dtype)
        self.weight = self.create_parameter([num_channels], param_attr, dtype, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_channels], bias_attr, dtype, is_bias=True)
        self._options = momentum, epsilon, data_layout, act
        self._still = is_test or use_global_stats
        named = (("_mean", moving_mean_name, 0.0), ("_variance", moving_variance_name, 1.0))
        for attribute, name, first in named:
            buffer: Any = made_of(
                Variable, np.full(num_channels, first, self.bias.numpy().dtype if self.bias is not None else np.float32)
            )
            buffer.name = name or f"{self.full_name()}.w_{1 + (attribute == '_variance')}"
            buffer.persistable = True
            self.register_buffer(attribute, buffer)

    def forward(self, input: Value) -> Any:
        is_test = self._still or not self.training
        return _batch_norm(input, self._mean, self._variance, self.weight, self.bias, *self._options, is_test)


class LayerNorm(Layer):
    """The last axes, with mean 0 and variance 1, scaled and shifted by elements."""

    def __init__(
        self,
        normalized_shape: Sizes,
        scale: bool = True,
        shift: bool = True,
        epsilon: float = 1e-05,
        param_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        act: str | None = None,
        dtype: object = "float32",
    ) -> None:
        super().__init__(None, dtype)
        self._normalized = _each(normalized_shape, 1)
        self._options = epsilon, act
        size = [math.prod(self._normalized)]
        self.weight = (
            self.create_parameter(size, param_attr, dtype, default_initializer=Constant(1.0)) if scale else None
        )
        self.bias = self.create_parameter(size, bias_attr, dtype, is_bias=True) if shift else None

    def forward(self, input: Value) -> Any:
        return _layer_norm(input, self._normalized, self.weight, self.bias, *self._options)


class GroupNorm(Layer):
    """Groups of channels, each with mean 0 and variance 1, scaled and shifted by channels."""

    def __init__(
        self,
        channels: int,
        groups: int,
        epsilon: float = 1e-05,
        param_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        act: str | None = None,
        data_layout: str = "NCHW",
        dtype: object = "float32",
    ) -> None:
        super().__init__(None, dtype)
        if data_layout != "NCHW":
            raise ValueError(f"unsupported data layout: {data_layout}")
        self._groups, self._epsilon, self._act = groups, epsilon, act
        self.weight = self.create_parameter([channels], param_attr, dtype, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([channels], bias_attr, dtype, is_bias=True)

    def forward(self, input: Value) -> Any:
        return _group_norm(input, self._groups, self._epsilon, self.weight, self.bias, self._act)


class InstanceNorm(Layer):
    """Each channel of each row, with mean 0 and variance 1, scaled and shifted by channels."""

    def __init__(
        self,
        num_channels: int,
        epsilon: float = 1e-5,
        param_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        dtype: object = "float32",
    ) -> None:
        super().__init__(None, dtype)
        self._epsilon = epsilon
        self.scale = self.create_parameter([num_channels], param_attr, dtype, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_channels], bias_attr, dtype, is_bias=True)

    def forward(self, input: Value) -> Any:
        return _instance_norm(input, self.scale, self.bias, self._epsilon)


class Dropout(Layer):
    """Zeros in the place of elements, each with a probability."""

    def __init__(
        self,
        p: float = 0.5,
        seed: int | None = None,
        dropout_implementation: str = "downgrade_in_infer",
        is_test: bool = False,
    ) -> None:
        super().__init__()
        self._p, self._seed, self._implementation, self._is_test = p, seed, dropout_implementation, is_test

    def forward(self, input: Value) -> Any:
        is_test = self._is_test or not self.training
        return networks.dropout(input, self._p, is_test, self._seed, self._implementation)


class PRelu(Layer):
    """x, or a learned share of it where it is negative."""

    def __init__(
        self,
        mode: str,
        channel: int = 1,
        input_shape: Sequence[int] | None = None,
        param_attr: AttrLike = None,
        dtype: object = "float32",
    ) -> None:
        super().__init__(None, dtype)
        if mode not in ("all", "channel"):
            raise ValueError(f"mode of PRelu is 'all' or 'channel', not {mode!r}")
        del input_shape
        self.weight = self.create_parameter(
            [1 if mode == "all" else channel], param_attr, dtype, default_initializer=Constant(0.25)
        )

    def forward(self, input: Value) -> Any:
        return _prelu(input, self.weight)
