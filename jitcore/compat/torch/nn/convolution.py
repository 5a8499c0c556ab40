"""Convolutions, as Modules."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from jitcore.compat.torch.arguments import Device, DTypeLike, Extents
from jitcore.compat.torch.networks import convolutions as functions
from jitcore.compat.torch.networks import images
from jitcore.compat.torch.nn import init
from jitcore.compat.torch.nn.linear import parameter
from jitcore.compat.torch.nn.module import Module
from jitcore.runtime.tensor import Tensor

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


def several(given: Extents, rank: int) -> tuple[int, ...]:
    """An int for each of the last axes."""
    return (given,) * rank if isinstance(given, int) else tuple(given)


class _AnyConvolution(Module):
    """What all convolutions have."""

    _rank: ClassVar[int]
    _transposed: ClassVar[bool] = False
    bias: Any
    padding: Any

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Extents,
        stride: Extents,
        padding: Extents | str,
        dilation: Extents,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Device,
        dtype: DTypeLike,
        output_padding: Extents = 0,
    ) -> None:
        super().__init__()
        self._require(in_channels, out_channels, groups, padding_mode)
        rank = self._rank
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = several(kernel_size, rank)
        self.stride = several(stride, rank)
        self.padding = padding if isinstance(padding, str) else several(padding, rank)
        self._require_padding()
        self.dilation = several(dilation, rank)
        self.transposed = self._transposed
        self.output_padding = several(output_padding, rank)
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._borders()
        first, second = (in_channels, out_channels) if self._transposed else (out_channels, in_channels)
        self.weight = parameter(self, (first, second // groups, *self.kernel_size), device, dtype)
        self.register_parameter("bias", parameter(self, (out_channels,), device, dtype) if bias else None)
        self.reset_parameters()

    def _require(self, in_channels: int, out_channels: int, groups: int, padding_mode: str) -> None:
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        if padding_mode not in _PADDING_MODES:
            raise ValueError(
                f"padding_mode must be one of {set(_PADDING_MODES)}, but got padding_mode='{padding_mode}'"
            )
        if self._transposed and padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')

    def _require_padding(self) -> None:
        if not isinstance(self.padding, str):
            return
        if self.padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {self.padding!r}, should be one of {{'valid', 'same'}}")
        if self.padding == "same" and any(s != 1 for s in self.stride):
            raise ValueError("padding='same' is not supported for strided convolutions")

    def reset_parameters(self) -> None:
        """Begin anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init.fans(self.weight)
            if fan_in:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _borders(self) -> tuple[int, ...]:
        """The border that a mode other than zeros puts around, from the last axis on."""
        if self.padding == "valid":
            return (0,) * (2 * self._rank)
        if isinstance(self.padding, str):
            totals = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
            return tuple(n for t in reversed(totals) for n in (t // 2, t - t // 2))
        return tuple(n for p in reversed(self.padding) for n in (p, p))

    def extra_repr(self) -> str:
        none, ones = (0,) * self._rank, (1,) * self._rank
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != none:
            text += f", padding={self.padding}"
        if self.dilation != ones:
            text += f", dilation={self.dilation}"
        if self.output_padding != none:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        return text if self.padding_mode == "zeros" else f"{text}, padding_mode={self.padding_mode}"


class _Convolution(_AnyConvolution):
    """What convolutions have."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Extents,
        stride: Extents = 1,
        padding: Extents | str = 0,
        dilation: Extents = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype
        )

    def _convolved(self, function: Callable[..., Any], input: Tensor) -> Any:
        if self.padding_mode == "zeros":
            return function(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)
        around = images.pad(input, self._reversed_padding_repeated_twice, self.padding_mode)
        return function(around, self.weight, self.bias, self.stride, 0, self.dilation, self.groups)


class _Transposed(_AnyConvolution):
    """What all transposes of convolutions have."""

    _transposed: ClassVar[bool] = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Extents,
        stride: Extents = 1,
        padding: Extents = 0,
        output_padding: Extents = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Extents = 1,
        padding_mode: str = "zeros",
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device,
            dtype, output_padding,
        )  # fmt: skip

    def _spread(self, function: Callable[..., Any], input: Tensor, output_size: Sequence[int] | None) -> Any:
        more = self._more(input, output_size)
        return function(input, self.weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation)

    def _more(self, input: Tensor, output_size: Sequence[int] | None) -> tuple[int, ...]:
        """The output padding, such that the result has a size. Raises ValueError for one that it cannot have."""
        if output_size is None:
            return self.output_padding
        wanted = tuple(output_size)[-self._rank :]
        least = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(
                input.shape[-self._rank :],
                self.stride,
                self.padding,
                self.dilation,
                self.kernel_size,
                strict=True,
            )
        ]
        for want, low, step in zip(wanted, least, self.stride, strict=True):
            if not low <= want <= low + step - 1:
                raise ValueError(
                    f"requested an output size of {output_size}, but valid sizes range from {least} to "
                    f"{[n + s - 1 for n, s in zip(least, self.stride, strict=True)]} (for an input of "
                    f"{input.shape[-self._rank :]})"
                )
        return tuple(want - low for want, low in zip(wanted, least, strict=True))


class Conv1d(_Convolution):
    """A convolution of sequences (N, C, L)."""

    _rank: ClassVar[int] = 1

    def forward(self, input: Tensor) -> Any:
        return self._convolved(functions.conv1d, input)


class Conv2d(_Convolution):
    """A convolution of images (N, C, H, W)."""

    _rank: ClassVar[int] = 2

    def forward(self, input: Tensor) -> Any:
        return self._convolved(functions.conv2d, input)


class Conv3d(_Convolution):
    """A convolution of volumes (N, C, D, H, W)."""

    _rank: ClassVar[int] = 3

    def forward(self, input: Tensor) -> Any:
        return self._convolved(functions.conv3d, input)


class ConvTranspose1d(_Transposed):
    """The transpose of a convolution of sequences (N, C, L)."""

    _rank: ClassVar[int] = 1

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Any:
        return self._spread(functions.conv_transpose1d, input, output_size)


class ConvTranspose2d(_Transposed):
    """The transpose of a convolution of images (N, C, H, W)."""

    _rank: ClassVar[int] = 2

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Any:
        return self._spread(functions.conv_transpose2d, input, output_size)


class ConvTranspose3d(_Transposed):
    """The transpose of a convolution of volumes (N, C, D, H, W)."""

    _rank: ClassVar[int] = 3

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Any:
        return self._spread(functions.conv_transpose3d, input, output_size)
