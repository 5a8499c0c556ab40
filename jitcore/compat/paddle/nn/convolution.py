"""Convolutions and their transposes, as Layers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from jitcore.compat.paddle.networks import convolution as functional
from jitcore.compat.paddle.networks import images
from jitcore.compat.paddle.networks.layouts import Borders, Extents
from jitcore.compat.paddle.nn.attributes import AttrLike
from jitcore.compat.paddle.nn.initializer import Normal
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.library.core.defaults import default_float
from jitcore.runtime.tensor import Tensor


def listed(given: Extents, rank: int) -> list[int]:
    """An int for each of the last axes."""
    known: list[int] = [given] * rank if isinstance(given, int) else list(given)
    return known * rank if len(known) == 1 else known


class _Any(Layer):
    """What convolutions and their transposes have."""

    _rank: ClassVar[int] = 2
    _formats: ClassVar[tuple[str, str]] = ("NCHW", "NHWC")
    bias: Any

    def _begin(
        self,
        channels: tuple[int, int],
        kernel_size: Extents,
        stride: Extents,
        padding: Borders,
        dilation: Extents,
        groups: int,
        attrs: tuple[AttrLike, AttrLike],
        data_format: str,
        transposed: bool,
    ) -> None:
        taken, given = channels
        if attrs[0] is False:
            raise AssertionError("weight_attr should not be False in Conv.")
        if data_format not in self._formats:
            raise ValueError(f"data_format must be one of {list(self._formats)}, but got data_format={data_format!r}")
        if groups < 1 or taken % groups or given % groups:
            raise ValueError(f"in_channels and out_channels must be divisible by groups, not {channels} by {groups}.")
        self._in_channels, self._out_channels = channels
        self._kernel_size = listed(kernel_size, self._rank)
        self._stride = listed(stride, self._rank)
        self._padding = padding
        self._dilation = listed(dilation, self._rank)
        self._groups = groups
        self._data_format = data_format
        self._padding_mode = "zeros"
        self.output_padding: Extents = 0
        self._dtype = default_float().numpy.name
        first, second = (taken, given // groups) if transposed else (given, taken // groups)
        spread = math.sqrt(2.0 / (math.prod(self._kernel_size) * taken))
        self.weight = self.create_parameter(
            [first, second, *self._kernel_size],
            attrs[0],
            default_initializer=None if transposed else Normal(0.0, spread),
        )
        self.bias = self.create_parameter([given], attrs[1], is_bias=True)

    def extra_repr(self) -> str:
        text = f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"
        for name, value, default in (
            ("stride", self._stride, [1] * self._rank),
            ("padding", self._padding, 0),
            ("padding_mode", self._padding_mode, "zeros"),
            ("output_padding", self.output_padding, 0),
            ("dilation", self._dilation, [1] * self._rank),
            ("groups", self._groups, 1),
        ):
            text += "" if value == default else f", {name}={value}"
        return f"{text}, data_format={self._data_format}"


_MODES = ("zeros", "reflect", "replicate", "circular")


class _Convolution(_Any):
    """What convolutions have."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Extents,
        stride: Extents = 1,
        padding: Borders = 0,
        dilation: Extents = 1,
        groups: int = 1,
        padding_mode: str = "zeros",
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        data_format: str | None = None,
    ) -> None:
        super().__init__()
        self._begin(
            (in_channels, out_channels),
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            (weight_attr, bias_attr),
            self._formats[0] if data_format is None else data_format,
            False,
        )
        if padding_mode not in _MODES:
            raise ValueError(f"padding_mode must be one of {set(_MODES)}, but got padding_mode={padding_mode!r}")
        self._padding_mode = padding_mode
        self._around: list[int] = []
        if padding_mode != "zeros":
            if isinstance(padding, str):
                raise ValueError(f"when padding_mode in {_MODES[1:]}, type of padding must be int")
            ends = listed(padding, self._rank)  # pyright: ignore[reportArgumentType]
            self._around = [n for end in reversed(ends) for n in (end, end)]

    def _bordered(self, x: Tensor) -> Any:
        if self._padding_mode == "zeros":
            return x
        return images.pad(x, self._around, self._padding_mode, data_format=self._data_format)

    def _outside(self) -> Any:
        """The border that the convolution itself adds."""
        return self._padding if self._padding_mode == "zeros" else 0


class Conv1D(_Convolution):
    """The cross-correlation of lines (N, C, L)."""

    _rank = 1
    _formats = ("NCL", "NLC")

    def forward(self, x: Tensor) -> Any:
        return functional.conv1d(
            self._bordered(x),
            self.weight,
            self.bias,
            self._stride,
            self._outside(),
            self._dilation,
            self._groups,
            self._data_format,
        )


class Conv2D(_Convolution):
    """The cross-correlation of images (N, C, H, W)."""

    def forward(self, x: Tensor) -> Any:
        return functional.conv2d(
            self._bordered(x),
            self.weight,
            self.bias,
            self._stride,
            self._outside(),
            self._dilation,
            self._groups,
            self._data_format,
        )


class Conv3D(_Convolution):
    """The cross-correlation of volumes (N, C, D, H, W)."""

    _rank = 3
    _formats = ("NCDHW", "NDHWC")

    def forward(self, x: Tensor) -> Any:
        return functional.conv3d(
            self._bordered(x),
            self.weight,
            self.bias,
            self._stride,
            self._outside(),
            self._dilation,
            self._groups,
            self._data_format,
        )


# --- transposes -----------------------------------------------------------------------------------------


class Conv1DTranspose(_Any):
    """The transpose of a convolution of lines."""

    _rank = 1
    _formats = ("NCL", "NLC")

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Extents,
        stride: Extents = 1,
        padding: Borders = 0,
        output_padding: Extents = 0,
        groups: int = 1,
        dilation: Extents = 1,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        data_format: str = "NCL",
    ) -> None:
        super().__init__()
        channels, attrs = (in_channels, out_channels), (weight_attr, bias_attr)
        self._begin(channels, kernel_size, stride, padding, dilation, groups, attrs, data_format, True)
        self.output_padding = output_padding

    def forward(self, x: Tensor, output_size: Extents | None = None) -> Any:
        return functional.conv1d_transpose(
            x,
            self.weight,
            self.bias,
            self._stride,
            self._padding,
            self.output_padding if output_size is None else 0,
            self._groups,
            self._dilation,
            output_size,
            self._data_format,
        )


class Conv2DTranspose(_Any):
    """The transpose of a convolution of images."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Extents,
        stride: Extents = 1,
        padding: Borders = 0,
        output_padding: Extents = 0,
        dilation: Extents = 1,
        groups: int = 1,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__()
        channels, attrs = (in_channels, out_channels), (weight_attr, bias_attr)
        self._begin(channels, kernel_size, stride, padding, dilation, groups, attrs, data_format, True)
        self.output_padding = output_padding

    def forward(self, x: Tensor, output_size: Extents | None = None) -> Any:
        return functional.conv2d_transpose(
            x,
            self.weight,
            self.bias,
            self._stride,
            self._padding,
            self.output_padding if output_size is None else 0,
            self._dilation,
            self._groups,
            output_size,
            self._data_format,
        )


class Conv3DTranspose(_Any):
    """The transpose of a convolution of volumes."""

    _rank = 3
    _formats = ("NCDHW", "NDHWC")

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Extents,
        stride: Extents = 1,
        padding: Borders = 0,
        output_padding: Extents = 0,
        dilation: Extents = 1,
        groups: int = 1,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        data_format: str = "NCDHW",
    ) -> None:
        super().__init__()
        channels, attrs = (in_channels, out_channels), (weight_attr, bias_attr)
        self._begin(channels, kernel_size, stride, padding, dilation, groups, attrs, data_format, True)
        self.output_padding = output_padding

    def forward(self, x: Tensor, output_size: Extents | None = None) -> Any:
        return functional.conv3d_transpose(
            x,
            self.weight,
            self.bias,
            self._stride,
            self._padding,
            self.output_padding if output_size is None else 0,
            self._groups,
            self._dilation,
            output_size,
            self._data_format,
        )
