"""Layers followed by normalisation and an activation."""

from __future__ import annotations

from typing import Any

from jitcore.nn.activation import LeakyReLU, get_activation
from jitcore.nn.cell import Cell
from jitcore.nn.conv import Conv2d
from jitcore.nn.layers import Dense
from jitcore.nn.normalization import BatchNorm1d, BatchNorm2d


def _activation(given: Any, alpha: float, cell: str) -> Any:
    if given == "leakyrelu":
        return LeakyReLU(alpha)
    made = get_activation(given) if isinstance(given, str) else given
    if made is not None and not isinstance(made, Cell):
        raise TypeError(f"activation of {cell} is a str or a Cell, not {type(given).__name__}")
    return made


class Conv2dBnAct(Cell):
    """A convolution, then perhaps a batch normalisation, then perhaps an activation."""

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
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bn: bool = False,
        momentum: float = 0.997,
        eps: float = 1e-5,
        activation: Any = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None:
        super().__init__()
        del after_fake  # of quantisation
        self.conv = Conv2d(
            *(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group),
            *(has_bias, weight_init, bias_init),
        )
        self.has_bn = has_bn
        self.has_act = activation is not None
        self.batchnorm = BatchNorm2d(out_channels, eps, momentum) if has_bn else None
        self.activation = _activation(activation, alpha, "Conv2dBnAct")

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in, H, W)."""
        x = self.conv(x)
        if self.batchnorm is not None:
            x = self.batchnorm(x)
        return x if self.activation is None else self.activation(x)


class DenseBnAct(Cell):
    """A dense layer, then perhaps a batch normalisation, then perhaps an activation."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        has_bn: bool = False,
        momentum: float = 0.9,
        eps: float = 1e-5,
        activation: Any = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None:
        super().__init__()
        del after_fake  # of quantisation
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self.has_bn = has_bn
        self.has_act = activation is not None
        self.batchnorm = BatchNorm1d(out_channels, eps, momentum) if has_bn else None
        self.activation = _activation(activation, alpha, "DenseBnAct")

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, in)."""
        x = self.dense(x)
        if self.batchnorm is not None:
            x = self.batchnorm(x)
        return x if self.activation is None else self.activation(x)
