"""Pooling: what is left of windows of an image or a sequence."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.library.core.marking import library
from jitcore.library.nn import adaptive_pooling, max_pooling, pooling
from jitcore.nn import arguments
from jitcore.nn.cell import Cell

_max_pool_indexed = library("tensor")(max_pooling.max_pool_indexed)
_max_pool = library("tensor")(pooling.max_pool)
_avg_pool = library("tensor")(pooling.avg_pool)
_adaptive_avg_pool = library("tensor")(adaptive_pooling.adaptive_avg_pool)
_adaptive_max_pool = library("tensor")(adaptive_pooling.adaptive_max_pool)


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
        self._given = (kernel_size, stride)

    def extend_repr(self) -> str:
        kernel_size, stride = self._given
        return f"kernel_size={kernel_size}, stride={stride}, pad_mode={self.pad_mode.upper()}"


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
        self.dilation = dilation
        self.return_indices = return_indices
        self.indexed = return_indices or dilation not in (1, (1,), (1, 1))
        if self.indexed and self.pad_mode == "same":
            raise ValueError(f"pad_mode of {type(self).__name__} with indices or a dilation is 'valid' or 'pad'")

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, …); with `return_indices`, (the elements, their places in their channel)."""
        if self.indexed:
            values, places = _max_pool_indexed(
                x, self.rank, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.pad_mode
            )
            return (values, places) if self.return_indices else values
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
    """The largest elements of windows of x (…, H, W), `output_size` many (None: as many as there are); perhaps with
    their places."""

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        if self.return_indices:
            return ops.adaptive_max_pool2d(x, self.output_size, True)
        return _adaptive_max_pool(x, self.rank, self.output_size)


class AdaptiveMaxPool1d(AdaptiveMaxPool2d):
    """The largest elements of windows of x (…, L), `output_size` many."""

    rank = 1

    def __init__(self, output_size: int) -> None:
        super().__init__(output_size)


class _LPPool(Cell):
    """(sum of x^p)^(1/p) of windows: p = 1 is the sum, p -> infinity the largest element."""

    rank = 2

    def __init__(self, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        name = type(self).__name__
        if isinstance(norm_type, bool) or not isinstance(norm_type, int | float):
            raise TypeError(f"norm_type of {name} is a number, not {type(norm_type).__name__}")
        if norm_type == 0:
            raise ValueError(f"norm_type of {name} must not be 0")
        check = arguments.pair if self.rank == 2 else arguments.single
        self.norm_type = float(norm_type)
        self.kernel_size = check(kernel_size, "kernel_size", name)
        self.stride = self.kernel_size if stride is None else check(stride, "stride", name)
        if not isinstance(ceil_mode, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"ceil_mode of {name} is a bool, not {type(ceil_mode).__name__}")
        self.ceil_mode = ceil_mode

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        size = self.kernel_size
        count = size[0] * size[1] if isinstance(size, tuple) else size
        batched = x.ndim == self.rank + 2
        powers = (x if batched else x.expand_dims(0)) ** self.norm_type
        means = _avg_pool(powers, self.rank, size, self.stride, "valid", 0, self.ceil_mode, True, None)
        made = ops.sign(means) * ops.relu(ops.abs(means)) * count
        made = made ** (1.0 / self.norm_type)
        return made if batched else made[0]


class LPPool1d(_LPPool):
    """The p-norm of windows of x (N, C, L) or (C, L)."""

    rank = 1


class LPPool2d(_LPPool):
    """The p-norm of windows of x (N, C, H, W) or (C, H, W)."""
