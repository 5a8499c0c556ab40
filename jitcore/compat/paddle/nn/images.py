"""Borders, images of other extents, channels and windows, as Layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from jitcore.compat.paddle.networks import images as functional
from jitcore.compat.paddle.networks.layouts import Extents
from jitcore.compat.paddle.nn.dense import named
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.runtime.tensor import Tensor

# --- borders --------------------------------------------------------------------------------------------


class _Border(Layer):
    """What borders have."""

    _rank: ClassVar[int]
    _format: ClassVar[str]

    def __init__(
        self,
        padding: Extents,
        mode: str = "constant",
        value: float = 0.0,
        data_format: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.padding = [padding] * (2 * self._rank) if isinstance(padding, int) else list(padding)
        self._mode = mode
        self.value = value
        self._data_format = self._format if data_format is None else data_format
        self._name = name

    def forward(self, x: Tensor) -> Any:
        return functional.pad(x, self.padding, self._mode, self.value, self._data_format)

    def extra_repr(self) -> str:
        text = f"padding={self.padding}, mode={self._mode}, value={self.value}, data_format={self._data_format}"
        return named(text, self._name)


class Pad1D(_Border):
    """Lines with a border."""

    _rank = 1
    _format = "NCL"


class Pad2D(_Border):
    """Images with a border."""

    _rank = 2
    _format = "NCHW"


class Pad3D(_Border):
    """Volumes with a border."""

    _rank = 3
    _format = "NCDHW"


class ConstantPad1D(Pad1D):
    """Lines with a border of a number."""

    def __init__(self, padding: Extents, value: float, data_format: str = "NCL", name: str | None = None) -> None:
        super().__init__(padding, "constant", value, data_format, name)


class ConstantPad2D(Pad2D):
    """Images with a border of a number."""

    def __init__(self, padding: Extents, value: float, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(padding, "constant", value, data_format, name)


class ConstantPad3D(Pad3D):
    """Volumes with a border of a number."""

    def __init__(self, padding: Extents, value: float, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__(padding, "constant", value, data_format, name)


class ZeroPad1D(Pad1D):
    """Lines with a border of zeros."""

    def __init__(self, padding: Extents, data_format: str = "NCL", name: str | None = None) -> None:
        super().__init__(padding, "constant", 0.0, data_format, name)


class ZeroPad2D(Pad2D):
    """Images with a border of zeros."""

    def __init__(self, padding: Extents, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(padding, "constant", 0.0, data_format, name)


class ZeroPad3D(Pad3D):
    """Volumes with a border of zeros."""

    def __init__(self, padding: Extents, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__(padding, "constant", 0.0, data_format, name)


class ReflectionPad1D(Pad1D):
    """Lines with a border that mirrors them."""

    def __init__(self, padding: Extents, data_format: str = "NCL", name: str | None = None) -> None:
        super().__init__(padding, "reflect", 0.0, data_format, name)


class ReflectionPad2D(Pad2D):
    """Images with a border that mirrors them."""

    def __init__(self, padding: Extents, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(padding, "reflect", 0.0, data_format, name)


class ReflectionPad3D(Pad3D):
    """Volumes with a border that mirrors them."""

    def __init__(self, padding: Extents, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__(padding, "reflect", 0.0, data_format, name)


class ReplicationPad1D(Pad1D):
    """Lines with a border of their edges."""

    def __init__(self, padding: Extents, data_format: str = "NCL", name: str | None = None) -> None:
        super().__init__(padding, "replicate", 0.0, data_format, name)


class ReplicationPad2D(Pad2D):
    """Images with a border of their edges."""

    def __init__(self, padding: Extents, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(padding, "replicate", 0.0, data_format, name)


class ReplicationPad3D(Pad3D):
    """Volumes with a border of their edges."""

    def __init__(self, padding: Extents, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__(padding, "replicate", 0.0, data_format, name)


class CircularPad1D(Pad1D):
    """Lines with a border of their other sides."""

    def __init__(self, padding: Extents, data_format: str = "NCL", name: str | None = None) -> None:
        super().__init__(padding, "circular", 0.0, data_format, name)


class CircularPad2D(Pad2D):
    """Images with a border of their other sides."""

    def __init__(self, padding: Extents, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(padding, "circular", 0.0, data_format, name)


class CircularPad3D(Pad3D):
    """Volumes with a border of their other sides."""

    def __init__(self, padding: Extents, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__(padding, "circular", 0.0, data_format, name)


# --- extents --------------------------------------------------------------------------------------------


class Upsample(Layer):
    """Images of other extents."""

    def __init__(
        self,
        size: Extents | None = None,
        scale_factor: float | Sequence[float] | None = None,
        mode: str = "nearest",
        align_corners: bool = False,
        align_mode: int = 0,
        data_format: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode.lower()
        self.align_corners = align_corners
        self.align_mode = align_mode
        self.data_format = data_format
        self.name = name

    def forward(self, x: Tensor) -> Any:
        return functional.interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.align_mode, self.data_format
        )

    def _wanted(self) -> str:
        return f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"

    def extra_repr(self) -> str:
        text = f"{self._wanted()}, mode={self.mode}, align_corners={self.align_corners}, align_mode={self.align_mode}"
        return named(f"{text}, data_format={self.data_format}", self.name)


class UpsamplingNearest2D(Upsample):
    """Images of other extents, whose elements are the nearest ones."""

    def __init__(
        self,
        size: Extents | None = None,
        scale_factor: float | Sequence[float] | None = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__(size, scale_factor, "nearest", False, 0, data_format, name)

    def extra_repr(self) -> str:
        return named(f"{self._wanted()}, data_format={self.data_format}", self.name)


class UpsamplingBilinear2D(Upsample):
    """Images of other extents, bilinearly between corners that stay."""

    def __init__(
        self,
        size: Extents | None = None,
        scale_factor: float | Sequence[float] | None = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__(size, scale_factor, "bilinear", True, 0, data_format, name)

    def extra_repr(self) -> str:
        return named(f"{self._wanted()}, data_format={self.data_format}", self.name)


# --- channels and windows -------------------------------------------------------------------------------


class _Channels(Layer):
    """What changes of channels have."""

    _option: ClassVar[str]
    _count: int

    def __init__(self, count: int, data_format: str, name: str | None) -> None:
        super().__init__()
        self._count = count
        self._data_format = data_format
        self._name = name

    def extra_repr(self) -> str:
        text = f"{self._option}={self._count}"
        return named(text if self._data_format == "NCHW" else f"{text}, data_format={self._data_format}", self._name)


class PixelShuffle(_Channels):
    """Channels as pixels."""

    _option = "upscale_factor"

    def __init__(self, upscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(upscale_factor, data_format, name)

    def forward(self, x: Tensor) -> Any:
        return functional.pixel_shuffle(x, self._count, self._data_format)


class PixelUnshuffle(_Channels):
    """Pixels as channels."""

    _option = "downscale_factor"

    def __init__(self, downscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(downscale_factor, data_format, name)

    def forward(self, x: Tensor) -> Any:
        return functional.pixel_unshuffle(x, self._count, self._data_format)


class ChannelShuffle(_Channels):
    """The channels of groups, in turn."""

    _option = "groups"

    def __init__(self, groups: int, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(groups, data_format, name)

    def forward(self, x: Tensor) -> Any:
        return functional.channel_shuffle(x, self._count, self._data_format)


class Unfold(Layer):
    """The windows of images as columns."""

    def __init__(
        self,
        kernel_sizes: Extents,
        dilations: Extents = 1,
        paddings: Extents = 0,
        strides: Extents = 1,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_sizes = kernel_sizes
        self.dilations = dilations
        self.paddings = paddings
        self.strides = strides
        self.name = name

    def forward(self, input: Tensor) -> Any:
        return functional.unfold(input, self.kernel_sizes, self.strides, self.paddings, self.dilations)

    def extra_repr(self) -> str:
        text = f"kernel_size={self.kernel_sizes}, dilation={self.dilations}, padding={self.paddings}"
        return named(f"{text}, stride={self.strides}", self.name)


class Fold(Unfold):
    """The sums of windows where they lie."""

    def __init__(
        self,
        output_sizes: Extents,
        kernel_sizes: Extents,
        dilations: Extents = 1,
        paddings: Extents = 0,
        strides: Extents = 1,
        name: str | None = None,
    ) -> None:
        super().__init__(kernel_sizes, dilations, paddings, strides, name)
        self.output_sizes = output_sizes

    def forward(self, input: Tensor) -> Any:
        return functional.fold(input, self.output_sizes, self.kernel_sizes, self.strides, self.paddings, self.dilations)
