"""Layers with weights, and those that change shapes: Dense, Conv2d, normalisation, pooling, Flatten, Dropout, Embedding."""

from __future__ import annotations

from typing import Any, cast

from jitcore import ops
from jitcore.common.initializer import initializer
from jitcore.common.parameter import Parameter
from jitcore.nn.cell import Cell
from jitcore.types import f32


def positive(value: Any, name: str, cell: str) -> int:
    """A positive int. Raises TypeError or ValueError naming the argument."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} of {cell} must be an int, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} of {cell} must be positive, but is {value}")
    return int(value)


def pair(value: Any, name: str, cell: str) -> tuple[int, int]:
    """Two positive ints, given as an int or two."""
    if isinstance(value, tuple | list):
        items = cast("list[Any]", value)
        if len(items) != 2:
            raise ValueError(f"{name} of {cell} must be an int or two, not {value!r}")
        return positive(items[0], name, cell), positive(items[1], name, cell)
    size = positive(value, name, cell)
    return size, size


class Dense(Cell):
    """`activation(x @ weight.T + bias)`, over the last axis of x; weight (out, in), bias (out,)."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.in_channels = positive(in_channels, "in_channels", "Dense")
        self.out_channels = positive(out_channels, "out_channels", "Dense")
        self.has_bias = has_bias
        shape = (self.out_channels, self.in_channels)
        self.weight = Parameter(initializer(weight_init, shape, dtype), name="weight")
        self.bias = Parameter(initializer(bias_init, (self.out_channels,), dtype), name="bias") if has_bias else None
        from jitcore.nn.activation import get_activation

        self.activation = get_activation(activation)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (…, in)."""
        x = ops.dense(x, self.weight, self.bias)
        if self.activation is not None:
            x = self.activation(x)
        return x

    def extend_repr(self) -> str:
        return f"input_channels={self.in_channels}, output_channels={self.out_channels}, has_bias={self.has_bias}"


class Conv2d(Cell):
    """The cross-correlation of x (N, C, H, W) with a weight (out, in / group, KH, KW), plus a bias (out,).

    `pad_mode`: 'same' (an output of extent ceil(n / stride)), 'valid' (no padding) or 'pad' (by `padding`: one int, or top,
    bottom, left and right).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        data_format: str = "NCHW",
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.in_channels = positive(in_channels, "in_channels", "Conv2d")
        self.out_channels = positive(out_channels, "out_channels", "Conv2d")
        self.kernel_size = pair(kernel_size, "kernel_size", "Conv2d")
        self.stride = pair(stride, "stride", "Conv2d")
        self.dilation = pair(dilation, "dilation", "Conv2d")
        self.group = positive(group, "group", "Conv2d")
        if self.in_channels % self.group or self.out_channels % self.group:
            raise ValueError(f"the channels of Conv2d must be divisible by its {group} groups")
        if pad_mode not in ("same", "valid", "pad"):
            raise ValueError(f"pad_mode of Conv2d is 'same', 'valid' or 'pad', not {pad_mode!r}")
        if pad_mode != "pad" and padding not in (0, (0, 0, 0, 0)):
            raise ValueError(f"padding={padding!r} of Conv2d needs pad_mode='pad', not {pad_mode!r}")
        if data_format != "NCHW":
            raise ValueError(f"data_format of Conv2d is 'NCHW', not {data_format!r}")
        self.pad_mode = pad_mode
        self.padding = padding
        self.has_bias = has_bias
        shape = (self.out_channels, self.in_channels // self.group, *self.kernel_size)
        self.weight = Parameter(initializer(weight_init, shape, dtype), name="weight")
        self.bias = Parameter(initializer(bias_init, (self.out_channels,), dtype), name="bias") if has_bias else None

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in, H, W)."""
        return ops.conv2d(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}"
        )


class MaxPool2d(Cell):
    """The largest element of each window of x (N, C, H, W)."""

    def __init__(
        self,
        kernel_size: int | tuple[int, int] = 1,
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
    ) -> None:
        super().__init__()
        self.kernel_size = pair(kernel_size, "kernel_size", "MaxPool2d")
        self.stride = pair(stride, "stride", "MaxPool2d")
        self.pad_mode = pad_mode.lower()
        self.padding = padding

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, H, W)."""
        return ops.max_pool2d(x, self.kernel_size, self.stride, self.pad_mode, self.padding)

    def extend_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


class AvgPool2d(Cell):
    """The mean of each window of x (N, C, H, W)."""

    def __init__(
        self,
        kernel_size: int | tuple[int, int] = 1,
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
    ) -> None:
        super().__init__()
        self.kernel_size = pair(kernel_size, "kernel_size", "AvgPool2d")
        self.stride = pair(stride, "stride", "AvgPool2d")
        self.pad_mode = pad_mode.lower()
        self.padding = padding

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, H, W)."""
        return ops.avg_pool2d(x, self.kernel_size, self.stride, self.pad_mode, self.padding)

    def extend_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


class Flatten(Cell):
    """x with the axes from `start_dim` to `end_dim` made one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Dropout(Cell):
    """In training, elements set to zero with probability `p` (or 1 - keep_prob), the others scaled up; else x itself."""

    def __init__(self, keep_prob: float = 0.5, p: float | None = None) -> None:
        super().__init__()
        self.p = 1 - keep_prob if p is None else p
        if not 0 <= self.p < 1:
            raise ValueError(f"the probability of Dropout is in [0, 1), not {self.p}")

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        if not self.training:
            return x
        return ops.dropout(x, self.p, True)

    def extend_repr(self) -> str:
        return f"p={self.p}"


class LayerNorm(Cell):
    """x less its mean, over its standard deviation (over the axes from `begin_norm_axis`), scaled and moved by Parameters."""

    def __init__(
        self,
        normalized_shape: tuple[int, ...],
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        epsilon: float = 1e-7,
    ) -> None:
        super().__init__()
        if begin_params_axis != begin_norm_axis:
            raise ValueError("begin_params_axis of LayerNorm must be its begin_norm_axis")
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis = begin_norm_axis
        self.epsilon = epsilon
        self.gamma = Parameter(initializer(gamma_init, self.normalized_shape), name="gamma")
        self.beta = Parameter(initializer(beta_init, self.normalized_shape), name="beta")

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.layer_norm(x, self.gamma, self.beta, self.begin_norm_axis, self.epsilon)


class _BatchNorm(Cell):
    """Normalisation of each channel (axis 1) by the statistics of the batch in training, by running ones else."""

    axes: tuple[int, ...] = (0,)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
    ) -> None:
        super().__init__()
        shape = (positive(num_features, "num_features", "BatchNorm"),)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.use_batch_statistics = use_batch_statistics
        self.gamma = Parameter(initializer(gamma_init, shape), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape), name="beta", requires_grad=affine)
        self.moving_mean = Parameter(initializer(moving_mean_init, shape), name="moving_mean", requires_grad=False)
        self.moving_variance = Parameter(
            initializer(moving_var_init, shape), name="moving_variance", requires_grad=False
        )

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, …)."""
        per_channel = (1, self.num_features) + (1,) * (len(self.axes) - 1)
        use_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if use_batch:
            mean = ops.reduce_mean(x, self.axes)
            centred = x - ops.reshape(mean, per_channel)
            variance = ops.reduce_mean(centred * centred, self.axes)
            count = x.size / self.num_features
            kept = self.momentum
            unbiased = ops.stop_gradient(variance) * (count / max(count - 1, 1))
            ops.assign(self.moving_mean, self.moving_mean * kept + ops.stop_gradient(mean) * (1 - kept))
            ops.assign(self.moving_variance, self.moving_variance * kept + unbiased * (1 - kept))
        else:
            centred = x - ops.reshape(self.moving_mean, per_channel)
            variance = self.moving_variance
        scale = self.gamma * ops.rsqrt(variance + self.eps)
        return centred * ops.reshape(scale, per_channel) + ops.reshape(self.beta, per_channel)

    def extend_repr(self) -> str:
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}"


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of x (N, C)."""


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of x (N, C, H, W)."""

    axes = (0, 2, 3)


class Embedding(Cell):
    """The rows of a table (vocab_size, embedding_size) at int indices."""

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        shape = (
            positive(vocab_size, "vocab_size", "Embedding"),
            positive(embedding_size, "embedding_size", "Embedding"),
        )
        self.vocab_size, self.embedding_size = shape
        self.use_one_hot = use_one_hot
        self.embedding_table = Parameter(initializer(embedding_table, shape, dtype), name="embedding_table")

    def construct(self, ids: Any) -> Any:
        """The rows at the indices."""
        if self.use_one_hot:
            return ops.matmul(ops.one_hot(ids, self.vocab_size), self.embedding_table)
        return ops.gather(self.embedding_table, ids, 0)
