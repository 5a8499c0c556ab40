"""Convolutions with PyTorch's parameters."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from jitcore import ops
from jitcore.common.initializer import HeUniform, initializer
from jitcore.common.parameter import Parameter
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.nn.mint.layers import bias_of
from jitcore.types import f32


def _each(value: Any, rank: int) -> tuple[int, ...]:
    """An int for each of `rank` axes."""
    return (
        tuple(value)  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(value, tuple | list)
        else (value,) * rank
    )


class _Conv(Cell):
    """What convolutions have in common. `rank`: over how many axes."""

    rank: ClassVar[int] = 2
    transposed: ClassVar[bool] = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        dtype: Any = None,
    ) -> None:
        super().__init__()
        name, kind = type(self).__name__, f32 if dtype is None else dtype
        self.in_channels = arguments.positive(in_channels, "in_channels", name)
        self.out_channels = arguments.positive(out_channels, "out_channels", name)
        self.groups = arguments.positive(groups, "groups", name)
        if in_channels % groups or out_channels % groups:
            raise ValueError(f"the channels of {name} must be divisible by its {groups} groups")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(f"padding_mode of {name} is 'zeros', 'reflect', 'replicate' or 'circular'")
        self.kernel_size, self.stride = _each(kernel_size, self.rank), _each(stride, self.rank)
        self.dilation = _each(dilation, self.rank)
        self.padding = padding if isinstance(padding, str) else _each(padding, self.rank)
        self.padding_mode = padding_mode
        self._zeros = padding_mode == "zeros" or isinstance(padding, str)
        self._around = self.padding if self._zeros else 0
        """The padding of zeros."""
        self._ends = () if isinstance(self.padding, str) else tuple(n for n in self.padding[::-1] for _ in range(2))
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = (first, second // groups, *self.kernel_size)
        self.weight = Parameter(initializer(HeUniform(math.sqrt(5)), shape, kind), name="weight")
        self.bias = bias_of(out_channels, math.prod(shape[1:]), kind) if bias else None

    def padded(self, x: Any) -> Any:
        """The input with what is not zeros around it."""
        return x if self._zeros else ops.pad(x, self._ends, mode=self.padding_mode)

    def extend_repr(self) -> str:
        return (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"padding={self.padding}, dilation={self.dilation}, groups={self.groups}, bias={self.bias is not None}"
        )


class Conv1d(_Conv):
    """The cross-correlation of (N, C, L) with a weight (out, in / groups, K), plus a bias."""

    rank = 1

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        x = self.padded(input)
        return ops.conv1d_ext(x, self.weight, self.bias, self.stride, self._around, self.dilation, self.groups)


class Conv2d(_Conv):
    """The cross-correlation of (N, C, H, W) with a weight (out, in / groups, KH, KW), plus a bias."""

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        x = self.padded(input)
        return ops.conv2d_ext(x, self.weight, self.bias, self.stride, self._around, self.dilation, self.groups)


class Conv3d(_Conv):
    """The cross-correlation of (N, C, D, H, W) with a weight (out, in / groups, KD, KH, KW), plus a bias."""

    rank = 3

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        x = self.padded(input)
        return ops.conv3d_ext(x, self.weight, self.bias, self.stride, self._around, self.dilation, self.groups)


class ConvTranspose2d(_Conv):
    """The transpose of `Conv2d`, with a weight (in, out / groups, KH, KW), plus a bias."""

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError("padding_mode of ConvTranspose2d is 'zeros'")
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype
        )
        self.output_padding = _each(output_padding, 2)

    def construct(self, input: Any, output_size: Any = None) -> Any:
        """The layer applied to the input; `output_size` says which of the possible sizes is meant."""
        extra = self.output_padding
        if output_size is not None:
            whole = tuple(output_size)[-2:]
            least = [
                (n - 1) * st - 2 * p + d * (k - 1) + 1
                for n, st, p, d, k in zip(
                    input.shape[-2:], self.stride, self.padding, self.dilation, self.kernel_size, strict=True
                )
            ]
            extra = tuple(w - n for w, n in zip(whole, least, strict=True))
        return ops.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )
