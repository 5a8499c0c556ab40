"""Pooling, padding and patches with PyTorch's parameters."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn import padding
from jitcore.nn.cell import Cell


class MaxPool2d(Cell):
    """The largest element of each window of the last two axes, and their places if asked for."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.max_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.return_indices, self.ceil_mode
        )


class _AvgPool(Cell):
    """What means of windows have in common."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override


class AvgPool1d(_AvgPool):
    """The means of windows of the last axis."""

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.avg_pool1d_ext(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class AvgPool2d(_AvgPool):
    """The means of windows of the last two axes."""

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.avg_pool2d_ext(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3d(_AvgPool):
    """The means of windows of the last three axes."""

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.avg_pool3d_ext(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class ZeroPad1d(padding.ConstantPad1d):
    """The input with zeros at both ends of its last axis."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0)


class ZeroPad3d(padding.ConstantPad3d):
    """The input with zeros at both ends of its last three axes."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0)


class Unfold(Cell):
    """The windows of images (N, C, H, W), each as a column."""

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input: Any) -> Any:
        """The columns."""
        return ops.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Cell):
    """Images of the sums of windows, each given as a column."""

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input: Any) -> Any:
        """The images."""
        return ops.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)
