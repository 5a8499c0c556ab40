"""Borders, images of another size, and channels for pixels, as Modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from jitcore.compat.torch.arguments import Extents
from jitcore.compat.torch.networks import convolutions as windows
from jitcore.compat.torch.networks import images as functions
from jitcore.compat.torch.nn.module import Module
from jitcore.runtime.tensor import Tensor


class _Pad(Module):
    """A border around the last axes."""

    _rank: ClassVar[int]
    _mode: ClassVar[str]

    def __init__(self, padding: Extents) -> None:
        super().__init__()
        self.padding = (padding,) * (2 * self._rank) if isinstance(padding, int) else tuple(padding)

    def forward(self, input: Tensor) -> Any:
        return functions.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(_Pad):
    _mode: ClassVar[str] = "constant"

    def __init__(self, padding: Extents, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Any:
        return functions.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: Extents) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ConstantPad1d(_ConstantPad):
    """A border of a number, around the last axis."""

    _rank: ClassVar[int] = 1


class ConstantPad2d(_ConstantPad):
    """A border of a number, around the last two axes."""

    _rank: ClassVar[int] = 2


class ConstantPad3d(_ConstantPad):
    """A border of a number, around the last three axes."""

    _rank: ClassVar[int] = 3


class ZeroPad1d(_ZeroPad):
    """A border of zeros, around the last axis."""

    _rank: ClassVar[int] = 1


class ZeroPad2d(_ZeroPad):
    """A border of zeros, around the last two axes."""

    _rank: ClassVar[int] = 2


class ZeroPad3d(_ZeroPad):
    """A border of zeros, around the last three axes."""

    _rank: ClassVar[int] = 3


class ReflectionPad1d(_Pad):
    """A border that mirrors what is within, the edge itself once, around the last axis."""

    _rank: ClassVar[int] = 1
    _mode: ClassVar[str] = "reflect"


class ReflectionPad2d(_Pad):
    """A border that mirrors what is within, the edge itself once, around the last two axes."""

    _rank: ClassVar[int] = 2
    _mode: ClassVar[str] = "reflect"


class ReflectionPad3d(_Pad):
    """A border that mirrors what is within, the edge itself once, around the last three axes."""

    _rank: ClassVar[int] = 3
    _mode: ClassVar[str] = "reflect"


class ReplicationPad1d(_Pad):
    """A border that repeats the edge, around the last axis."""

    _rank: ClassVar[int] = 1
    _mode: ClassVar[str] = "replicate"


class ReplicationPad2d(_Pad):
    """A border that repeats the edge, around the last two axes."""

    _rank: ClassVar[int] = 2
    _mode: ClassVar[str] = "replicate"


class ReplicationPad3d(_Pad):
    """A border that repeats the edge, around the last three axes."""

    _rank: ClassVar[int] = 3
    _mode: ClassVar[str] = "replicate"


class CircularPad1d(_Pad):
    """A border of what is at the other end, around the last axis."""

    _rank: ClassVar[int] = 1
    _mode: ClassVar[str] = "circular"


class CircularPad2d(_Pad):
    """A border of what is at the other end, around the last two axes."""

    _rank: ClassVar[int] = 2
    _mode: ClassVar[str] = "circular"


class CircularPad3d(_Pad):
    """A border of what is at the other end, around the last three axes."""

    _rank: ClassVar[int] = 3
    _mode: ClassVar[str] = "circular"


class Upsample(Module):
    """Images of another size."""

    def __init__(
        self,
        size: Extents | None = None,
        scale_factor: float | Sequence[float] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        if isinstance(scale_factor, Sequence):
            self.scale_factor: Any = tuple(map(float, scale_factor))
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Any:
        return functions.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def extra_repr(self) -> str:
        text = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{text}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Images of another size, by the nearest pixels."""

    def __init__(self, size: Extents | None = None, scale_factor: float | Sequence[float] | None = None) -> None:
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """Images of another size, corners being kept."""

    def __init__(self, size: Extents | None = None, scale_factor: float | Sequence[float] | None = None) -> None:
        super().__init__(size, scale_factor, "bilinear", True)


class PixelShuffle(Module):
    """Channels as pixels."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Any:
        return windows.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Pixels as channels."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Any:
        return windows.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """Channels of groups in turn."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Any:
        return windows.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"


class Unfold(Module):
    """The windows of images as columns."""

    def __init__(self, kernel_size: Extents, dilation: Extents = 1, padding: Extents = 0, stride: Extents = 1) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Any:
        return windows.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"


class Fold(Module):
    """Columns added up to images."""

    def __init__(
        self,
        output_size: Extents,
        kernel_size: Extents,
        dilation: Extents = 1,
        padding: Extents = 0,
        stride: Extents = 1,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Any:
        return windows.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )
