"""Pooling: what is left of windows of an image or a sequence."""

from __future__ import annotations

from typing import Any

from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.primitives.functions import network
from jitcore.primitives.library import library

_max_pool = library("tensor")(network.max_pool)
_avg_pool = library("tensor")(network.avg_pool)
_adaptive_avg_pool = library("tensor")(network.adaptive_avg_pool)
_adaptive_max_pool = library("tensor")(network.adaptive_max_pool)


class _Pool(Cell):
    """What pooling layers have in common. `rank`: over how many axes."""

    rank = 2

    def __init__(
        self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        name = type(self).__name__
        check = arguments.pair if self.rank == 2 else arguments.single
        self.kernel_size = check(kernel_size, "kernel_size", name)
        self.stride = check(stride, "stride", name)
        self.pad_mode = arguments.pad_mode(pad_mode, padding, name)
        self.padding = padding
        self.ceil_mode = bool(ceil_mode)

    def extend_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode.upper()}"


class _MaxPool(_Pool):
    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: int = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode)
        arguments.data_format(data_format, type(self).__name__)
        if dilation not in (1, (1, 1)) or return_indices:
            raise ValueError(f"{type(self).__name__} has no dilation and gives no indices")

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, …)."""
        return _max_pool(x, self.rank, self.kernel_size, self.stride, self.pad_mode, self.padding, self.ceil_mode)


class MaxPool2d(_MaxPool):
    """The largest element of each window of x (N, C, H, W)."""


class MaxPool1d(_MaxPool):
    """The largest element of each window of x (N, C, L)."""

    rank = 1


class _AvgPool(_Pool):
    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode)
        arguments.data_format(data_format, type(self).__name__)
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, …)."""
        return _avg_pool(
            x,
            self.rank,
            self.kernel_size,
            self.stride,
            self.pad_mode,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool2d(_AvgPool):
    """The mean of each window of x (N, C, H, W)."""


class AvgPool1d(_AvgPool):
    """The mean of each window of x (N, C, L)."""

    rank = 1


class _Adaptive(Cell):
    rank = 2

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extend_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool2d(_Adaptive):
    """The means of windows of x (…, H, W), `output_size` many (None: as many as there are)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _adaptive_avg_pool(x, self.rank, self.output_size)


class AdaptiveAvgPool1d(AdaptiveAvgPool2d):
    """The means of windows of x (…, L), `output_size` many."""

    rank = 1


class AdaptiveMaxPool2d(_Adaptive):
    """The largest elements of windows of x (…, H, W), `output_size` many (None: as many as there are)."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _adaptive_max_pool(x, self.rank, self.output_size)


class AdaptiveMaxPool1d(AdaptiveMaxPool2d):
    """The largest elements of windows of x (…, L), `output_size` many."""

    rank = 1
