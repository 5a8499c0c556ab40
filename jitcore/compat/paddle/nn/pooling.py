"""Pooling, as Layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.compat.paddle.networks import pooling as functional
from jitcore.compat.paddle.networks.layouts import Borders, Extents
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.runtime.tensor import Tensor


class _Windows(Layer):
    """What pools of windows have."""

    kernel_size: Any
    stride: Any
    padding: Any

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxPool1D(_Windows):
    """The largest element of each window of lines."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Borders = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.return_mask = return_mask
        self.ceil_mode = ceil_mode
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.max_pool1d(x, self.kernel_size, self.stride, self.padding, self.return_mask, self.ceil_mode)


class MaxPool2D(_Windows):
    """The largest element of each window of images."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Borders = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.return_mask = return_mask
        self.ceil_mode = ceil_mode
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.max_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.return_mask, self.ceil_mode, self.data_format
        )


class MaxPool3D(_Windows):
    """The largest element of each window of volumes."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Borders = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCDHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.return_mask = return_mask
        self.ceil_mode = ceil_mode
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.max_pool3d(
            x, self.kernel_size, self.stride, self.padding, self.return_mask, self.ceil_mode, self.data_format
        )


class AvgPool1D(_Windows):
    """The mean of each window of lines."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Borders = 0,
        exclusive: bool = True,
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.exclusive = exclusive
        self.ceil_mode = ceil_mode
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.avg_pool1d(x, self.kernel_size, self.stride, self.padding, self.exclusive, self.ceil_mode)


class AvgPool2D(_Windows):
    """The mean of each window of images."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Borders = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: float | None = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.exclusive = exclusive
        self.divisor_override = divisor_override
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.avg_pool2d(
            x,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.exclusive,
            self.divisor_override,
            self.data_format,
        )


class AvgPool3D(_Windows):
    """The mean of each window of volumes."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Borders = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: float | None = None,
        data_format: str = "NCDHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.exclusive = exclusive
        self.divisor_override = divisor_override
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.avg_pool3d(
            x,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.exclusive,
            self.divisor_override,
            self.data_format,
        )


class LPPool1D(_Windows):
    """The norm of each window of lines."""

    def __init__(
        self,
        norm_type: float,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Borders = 0,
        ceil_mode: bool = False,
        data_format: str = "NCL",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.norm_type = float(norm_type)
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.lp_pool1d(
            x, self.norm_type, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.data_format
        )

    def extra_repr(self) -> str:
        return f"norm_type={self.norm_type}, {super().extra_repr()}"


class LPPool2D(_Windows):
    """The norm of each window of images."""

    def __init__(
        self,
        norm_type: float,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Borders = 0,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.norm_type = float(norm_type)
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.lp_pool2d(
            x, self.norm_type, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.data_format
        )

    def extra_repr(self) -> str:
        return f"norm_type={self.norm_type}, {super().extra_repr()}"


class AdaptiveAvgPool1D(Layer):
    """Means of lines, as many as wanted."""

    def __init__(self, output_size: Extents, name: str | None = None) -> None:
        super().__init__()
        self.output_size = output_size
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.adaptive_avg_pool1d(x, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool2D(Layer):
    """Means of images, as many as wanted."""

    def __init__(self, output_size: Extents, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__()
        self.output_size = output_size
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.adaptive_avg_pool2d(x, self.output_size, self.data_format)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool3D(Layer):
    """Means of volumes, as many as wanted."""

    def __init__(self, output_size: Extents, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__()
        self.output_size = output_size
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.adaptive_avg_pool3d(x, self.output_size, self.data_format)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1D(Layer):
    """Largest elements of lines, as many as wanted."""

    def __init__(self, output_size: Extents, return_mask: bool = False, name: str | None = None) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_mask = return_mask
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.adaptive_max_pool1d(x, self.output_size, self.return_mask)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, return_mask={self.return_mask}"


class AdaptiveMaxPool2D(Layer):
    """Largest elements of images, as many as wanted."""

    def __init__(self, output_size: Extents, return_mask: bool = False, name: str | None = None) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_mask = return_mask
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.adaptive_max_pool2d(x, self.output_size, self.return_mask)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, return_mask={self.return_mask}"


class AdaptiveMaxPool3D(Layer):
    """Largest elements of volumes, as many as wanted."""

    def __init__(self, output_size: Extents, return_mask: bool = False, name: str | None = None) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_mask = return_mask
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.adaptive_max_pool3d(x, self.output_size, self.return_mask)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, return_mask={self.return_mask}"


class MaxUnPool1D(Layer):
    """The largest elements of windows of lines where they were, among zeros."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Extents = 0,
        data_format: str = "NCL",
        output_size: Sequence[int] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.data_format = data_format
        self.output_size = output_size
        self.name = name

    def forward(self, x: Tensor, indices: Tensor) -> Any:
        return functional.max_unpool1d(
            x, indices, self.kernel_size, self.stride, self.padding, self.data_format, self.output_size
        )

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class MaxUnPool2D(Layer):
    """The largest elements of windows of images where they were, among zeros."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Extents = 0,
        data_format: str = "NCHW",
        output_size: Sequence[int] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.data_format = data_format
        self.output_size = output_size
        self.name = name

    def forward(self, x: Tensor, indices: Tensor) -> Any:
        return functional.max_unpool2d(
            x, indices, self.kernel_size, self.stride, self.padding, self.data_format, self.output_size
        )

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class MaxUnPool3D(Layer):
    """The largest elements of windows of volumes where they were, among zeros."""

    def __init__(
        self,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Extents = 0,
        data_format: str = "NCDHW",
        output_size: Sequence[int] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.data_format = data_format
        self.output_size = output_size
        self.name = name

    def forward(self, x: Tensor, indices: Tensor) -> Any:
        return functional.max_unpool3d(
            x, indices, self.kernel_size, self.stride, self.padding, self.data_format, self.output_size
        )

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"
