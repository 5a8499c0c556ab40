"""`flowvision.models`: MobileNetV2 (Sandler et al. 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jitcore.compat.oneflow import nn as layers
from jitcore.compat.oneflow.nn.module import Module
from jitcore.compat.torch.nn import init
from jitcore.runtime.tensor import Tensor

nn: Any = layers  # whose classes are made when it is imported

__all__ = ["MobileNetV2", "mobilenet_v2"]

_STAGES: Final = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
"""Table 2 of the paper: by how much blocks widen within, how wide they are, how many, and the stride of the first."""


def _divisible(width: float, divisor: int) -> int:
    """The nearest multiple of a divisor, by no more than a tenth less."""
    made = max(divisor, int(width + divisor / 2) // divisor * divisor)
    return made + divisor if made < 0.9 * width else made


class ConvBNActivation(nn.Sequential):
    """A convolution, a normalisation and ReLU6."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 3, stride: int = 1, groups: int = 1) -> None:
        padding = (kernel - 1) // 2
        convolution = nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False)
        super().__init__(convolution, nn.BatchNorm2d(outputs), nn.ReLU6(inplace=True))
        self.out_channels = outputs


class InvertedResidual(Module):
    """A block that is wide within and narrow at its ends, which are added where they are alike."""

    def __init__(self, inputs: int, outputs: int, stride: int, widening: int) -> None:
        super().__init__()
        wide = inputs * widening
        self.use_res_connect = stride == 1 and inputs == outputs
        self.conv = nn.Sequential(
            *([ConvBNActivation(inputs, wide, 1)] if widening != 1 else []),
            ConvBNActivation(wide, wide, stride=stride, groups=wide),
            nn.Conv2d(wide, outputs, 1, 1, 0, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.out_channels = outputs

    def forward(self, x: Tensor) -> Any:
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(Module):
    """MobileNetV2, for images (N, 3, height, width); gives (N, num_classes).

    `inverted_residual_setting` has rows as the paper's table 2: widening, width, blocks, stride of the first.
    """

    def __init__(
        self,
        num_classes: int = 1000,
        width_mult: float = 1.0,
        inverted_residual_setting: Sequence[Sequence[int]] | None = None,
        round_nearest: int = 8,
    ) -> None:
        super().__init__()
        stages = _STAGES if inverted_residual_setting is None else inverted_residual_setting
        if not stages or any(len(stage) != 4 for stage in stages):
            raise ValueError(f"inverted_residual_setting must be rows of 4 numbers, not {stages}")
        width = _divisible(32 * width_mult, round_nearest)
        self.last_channel = _divisible(1280 * max(1.0, width_mult), round_nearest)
        features: list[Module] = [ConvBNActivation(3, width, stride=2)]
        for widening, wide, count, stride in stages:
            outputs = _divisible(wide * width_mult, round_nearest)
            for k in range(count):
                features.append(InvertedResidual(width, outputs, stride if k == 0 else 1, widening))
                width = outputs
        features.append(ConvBNActivation(width, self.last_channel, 1))
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(self.last_channel, num_classes))
        self._begin()

    def _begin(self) -> None:
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                init.kaiming_normal_(module.weight, mode="fan_out")
            elif isinstance(module, nn.Linear):
                init.normal_(module.weight, 0, 0.01)
                init.zeros_(module.bias)

    def forward(self, x: Tensor) -> Any:
        x = self.features(x)
        return self.classifier(x.mean((2, 3)))


def mobilenet_v2(
    pretrained: bool = False,
    progress: bool = True,
    num_classes: int = 1000,
    width_mult: float = 1.0,
    inverted_residual_setting: Sequence[Sequence[int]] | None = None,
    round_nearest: int = 8,
) -> MobileNetV2:
    """MobileNetV2, with the options of the class. Raises NotImplementedError for trained weights: nothing is
    downloaded.

    >>> mobilenet_v2(num_classes=10).last_channel
    1280
    """
    del progress
    if pretrained:
        raise NotImplementedError(
            "pretrained=True: jitcore downloads no weights; load them with model.load_state_dict(flow.load(folder))"
        )
    return MobileNetV2(num_classes, width_mult, inverted_residual_setting, round_nearest)
