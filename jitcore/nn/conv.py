"""Convolutions and their transposes."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.common.initializer import initializer
from jitcore.common.parameter import Parameter
from jitcore.library.core.marking import library
from jitcore.library.nn import convolutions
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.types import f32

_conv1d = library("tensor")(convolutions.conv1d)
_conv1d_transpose = library("tensor")(convolutions.conv1d_transpose)
_conv2d_transpose = library("tensor")(convolutions.conv2d_transpose)


class ConvBase(Cell):
    """What convolutions have in common: channels, groups, weight and bias."""

    def _make(
        self,
        channels: tuple[int, int],
        window: tuple[int, ...],
        group: int,
        has_bias: bool,
        weight_init: Any,
        bias_init: Any,
        dtype: Any,
        transposed: bool = False,
    ) -> None:
        name = type(self).__name__
        self.in_channels = arguments.positive(channels[0], "in_channels", name)
        self.out_channels = arguments.positive(channels[1], "out_channels", name)
        self.group = arguments.positive(group, "group", name)
        self.has_bias = has_bias
        if self.in_channels % self.group or self.out_channels % self.group:
            raise ValueError(f"the channels of {name} must be divisible by its {group} groups")
        first, second = (self.in_channels, self.out_channels) if transposed else (self.out_channels, self.in_channels)
        shape = (first, second // self.group, *window)
        weight = "normal" if weight_init is None else weight_init
        bias = "zeros" if bias_init is None else bias_init
        self.weight = Parameter(initializer(weight, shape, dtype), name="weight")
        self.bias = Parameter(initializer(bias, (self.out_channels,), dtype), name="bias") if has_bias else None

    kernel_size: Any
    stride: Any
    dilation: Any
    pad_mode: str
    padding: Any

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}"
        )


class Conv2d(ConvBase):
    """The cross-correlation of x (N, C, H, W) with a weight (out, in / group, KH, KW), plus a bias (out,).

    `pad_mode`: 'same' (an output of extent ceil(n / stride)), 'valid' (no padding) or 'pad' (by `padding`: one int, or
    top, bottom, left and right). Without `weight_init` and `bias_init` the weight is normal with a deviation of 0.01
    and the bias zero, as in MindSpore 1.
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
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCHW",
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.kernel_size = arguments.pair(kernel_size, "kernel_size", "Conv2d")
        self.stride = arguments.pair(stride, "stride", "Conv2d")
        self.dilation = arguments.pair(dilation, "dilation", "Conv2d")
        self.pad_mode = arguments.pad_mode(pad_mode, padding, "Conv2d")
        arguments.data_format(data_format, "Conv2d")
        self.padding = padding
        self._make((in_channels, out_channels), self.kernel_size, group, has_bias, weight_init, bias_init, dtype)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in, H, W)."""
        return ops.conv2d(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )


class Conv1d(ConvBase):
    """The cross-correlation of x (N, C, L) with a weight (out, in / group, 1, K), plus a bias (out,)."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.kernel_size = arguments.single(kernel_size, "kernel_size", "Conv1d")
        self.stride = arguments.single(stride, "stride", "Conv1d")
        self.dilation = arguments.single(dilation, "dilation", "Conv1d")
        self.pad_mode = arguments.pad_mode(pad_mode, padding, "Conv1d")
        self.padding = padding
        window = (1, self.kernel_size)
        self._make((in_channels, out_channels), window, group, has_bias, weight_init, bias_init, dtype)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in, L)."""
        return _conv1d(x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group)


class Conv2dTranspose(ConvBase):
    """The transpose of Conv2d: x (N, in, H, W), a weight (in, out / group, KH, KW), plus a bias (out,)."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        output_padding: int | tuple[int, int] = 0,
        dilation: int | tuple[int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.kernel_size = arguments.pair(kernel_size, "kernel_size", "Conv2dTranspose")
        self.stride = arguments.pair(stride, "stride", "Conv2dTranspose")
        self.dilation = arguments.pair(dilation, "dilation", "Conv2dTranspose")
        self.pad_mode = arguments.pad_mode(pad_mode, padding, "Conv2dTranspose")
        self.padding = padding
        self.output_padding = output_padding
        self._make((in_channels, out_channels), self.kernel_size, group, has_bias, weight_init, bias_init, dtype, True)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in, H, W)."""
        return _conv2d_transpose(
            x,
            self.weight,
            self.bias,
            self.stride,
            self.pad_mode,
            self.padding,
            self.dilation,
            self.group,
            self.output_padding,
        )


class Conv1dTranspose(ConvBase):
    """The transpose of Conv1d: x (N, in, L), a weight (in, out / group, 1, K), plus a bias (out,)."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.kernel_size = (1, arguments.single(kernel_size, "kernel_size", "Conv1dTranspose"))
        self.stride = (1, arguments.single(stride, "stride", "Conv1dTranspose"))
        self.dilation = (1, arguments.single(dilation, "dilation", "Conv1dTranspose"))
        self.pad_mode = arguments.pad_mode(pad_mode, padding, "Conv1dTranspose")
        self.padding = (0, 0, padding, padding) if padding else 0
        self._make((in_channels, out_channels), self.kernel_size, group, has_bias, weight_init, bias_init, dtype, True)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in, L)."""
        return _conv1d_transpose(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )
