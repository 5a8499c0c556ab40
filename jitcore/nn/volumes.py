"""Layers of volumes (N, C, D, H, W): convolution and pooling; and layers that put maxima back where they were."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.nn.conv import ConvBase
from jitcore.types import f32


class Conv3d(ConvBase):
    """The cross-correlation of x (N, C, D, H, W) with a weight (out, in / group, KD, KH, KW), plus a bias (out,)."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.kernel_size = arguments.triple(kernel_size, "kernel_size", "Conv3d")
        self.stride = arguments.triple(stride, "stride", "Conv3d")
        self.dilation = arguments.triple(dilation, "dilation", "Conv3d")
        self.pad_mode = arguments.pad_mode(pad_mode, padding, "Conv3d")
        arguments.data_format(data_format, "Conv3d", "NCDHW")
        self.padding = padding
        self._make((in_channels, out_channels), self.kernel_size, group, has_bias, weight_init, bias_init, dtype)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in, D, H, W)."""
        return ops.conv3d(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )


class Conv3dTranspose(ConvBase):
    """The transpose of Conv3d: x (N, in, D, H, W), a weight (in, out / group, KD, KH, KW), plus a bias (out,)."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        output_padding: Any = 0,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.kernel_size = arguments.triple(kernel_size, "kernel_size", "Conv3dTranspose")
        self.stride = arguments.triple(stride, "stride", "Conv3dTranspose")
        self.dilation = arguments.triple(dilation, "dilation", "Conv3dTranspose")
        self.pad_mode = arguments.pad_mode(pad_mode, padding, "Conv3dTranspose")
        arguments.data_format(data_format, "Conv3dTranspose", "NCDHW")
        self.padding = padding
        self.output_padding = output_padding
        self._make((in_channels, out_channels), self.kernel_size, group, has_bias, weight_init, bias_init, dtype, True)
        self.transposed = ops.Conv3DTranspose(
            self.in_channels,
            self.out_channels,
            self.kernel_size,
            pad_mode=self.pad_mode,
            pad=padding,
            stride=self.stride,
            dilation=self.dilation,
            group=self.group,
            output_padding=output_padding,
        )

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in, D, H, W)."""
        made = self.transposed(x, self.weight)
        return made if self.bias is None else made + self.bias.reshape(1, -1, 1, 1, 1)


class _Pool3d(Cell):
    def __init__(self, kernel_size: Any, stride: Any, pad_mode: str, padding: Any, ceil_mode: bool) -> None:
        super().__init__()
        name = type(self).__name__
        self.kernel_size = arguments.triple(kernel_size, "kernel_size", name)
        self.stride = arguments.triple(stride, "stride", name)
        self.pad_mode = arguments.pad_mode(pad_mode, padding, name)
        self.padding = padding
        self.ceil_mode = bool(ceil_mode)

    def extend_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode.upper()}"


class MaxPool3d(_Pool3d):
    """The largest element of each window of x (N, C, D, H, W) or (C, D, H, W)."""

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode)
        self.dilation = dilation
        self.return_indices = return_indices
        self.indexed = return_indices or dilation not in (1, (1, 1, 1))
        if self.indexed and self.pad_mode == "same":
            raise ValueError("pad_mode of MaxPool3d with indices or a dilation is 'valid' or 'pad'")
        self.plain = ops.MaxPool3D(self.kernel_size, self.stride, self.pad_mode, _six(padding), self.ceil_mode)

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        if self.indexed:
            return ops.max_pool3d(
                x, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
            )
        return self.plain(x)


class AvgPool3d(_Pool3d):
    """The mean of each window of x (N, C, D, H, W) or (C, D, H, W)."""

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode)
        if divisor_override is not None and divisor_override <= 0:
            raise ValueError(f"divisor_override of AvgPool3d must be positive, but is {divisor_override}")
        self.plain = ops.AvgPool3D(
            self.kernel_size,
            self.stride,
            self.pad_mode,
            _six(padding),
            self.ceil_mode,
            count_include_pad,
            divisor_override or 0,
        )

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return self.plain(x)


def _six(padding: Any) -> Any:
    """A padding for both ends of each axis."""
    if isinstance(padding, tuple | list):
        items = tuple(padding)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        if len(items) == 1:
            return items * 6
        return tuple(n for n in items for _ in range(2)) if len(items) == 3 else items
    return padding


class AdaptiveAvgPool3d(Cell):
    """The means of windows of x (…, D, H, W), `output_size` many (None: as many as there are)."""

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def construct(self, input: Any) -> Any:
        """The layer applied to x."""
        return ops.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool3d(Cell):
    """The largest elements of windows of x (…, D, H, W), `output_size` many; perhaps with their places."""

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def construct(self, input: Any) -> Any:
        """The layer applied to x."""
        return ops.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _MaxUnpool(Cell):
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding


class MaxUnpool1d(_MaxUnpool):
    """The maxima of windows of a sequence put back where they were, zeros elsewhere."""

    def construct(self, x: Any, indices: Any, output_size: Any = None) -> Any:
        """The layer applied to maxima and their places."""
        return ops.max_unpool1d(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_MaxUnpool):
    """The maxima of windows of an image put back where they were, zeros elsewhere."""

    def construct(self, x: Any, indices: Any, output_size: Any = None) -> Any:
        """The layer applied to maxima and their places."""
        return ops.max_unpool2d(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_MaxUnpool):
    """The maxima of windows of a volume put back where they were, zeros elsewhere."""

    def construct(self, x: Any, indices: Any, output_size: Any = None) -> Any:
        """The layer applied to maxima and their places."""
        return ops.max_unpool3d(x, indices, self.kernel_size, self.stride, self.padding, output_size)
