"""`paddle.vision.models`: networks for images, which begin anew: weights are not downloaded."""

from __future__ import annotations

from typing import Any

from jitcore.compat.paddle.nn.activation import ReLU, ReLU6
from jitcore.compat.paddle.nn.containers import Sequential
from jitcore.compat.paddle.nn.convolution import Conv2D
from jitcore.compat.paddle.nn.dense import Linear
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.compat.paddle.nn.normalisation import BatchNorm2D, Dropout
from jitcore.compat.paddle.nn.pooling import AdaptiveAvgPool2D, MaxPool2D
from jitcore.runtime.tensor import Tensor

__all__ = [
    "VGG",
    "LeNet",
    "MobileNetV2",
    "ResNet",
    "mobilenet_v2",
    "resnet18",
    "resnet34",
    "resnet50",
    "resnet101",
    "resnet152",
    "vgg11",
    "vgg13",
    "vgg16",
    "vgg19",
]


def _require_none(pretrained: bool) -> None:
    if pretrained:
        raise NotImplementedError(
            "pretrained=True: jitcore downloads nothing; make the network with pretrained=False and give it "
            "`set_state_dict(paddle.load(path))` of weights that are there"
        )


class LeNet(Layer):
    """LeCun et al. 1998, for images (N, 1, 28, 28)."""

    def __init__(self, num_classes: int = 10) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = Sequential(
            Conv2D(1, 6, 3, stride=1, padding=1),
            ReLU(),
            MaxPool2D(2, 2),
            Conv2D(6, 16, 5, stride=1, padding=0),
            ReLU(),
            MaxPool2D(2, 2),
        )
        if num_classes > 0:
            self.fc = Sequential(Linear(400, 120), Linear(120, 84), Linear(84, num_classes))

    def forward(self, inputs: Tensor) -> Any:
        x = self.features(inputs)
        if self.num_classes > 0:
            x = self.fc(x.flatten(1))
        return x


# --- residual networks ----------------------------------------------------------------------------------


class BasicBlock(Layer):
    """Two convolutions, and what they were given."""

    expansion = 1

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: int = 1,
        downsample: Layer | None = None,
        groups: int = 1,
        base_width: int = 64,
    ) -> None:
        super().__init__()
        del groups, base_width
        self.conv1 = Conv2D(inplanes, planes, 3, stride=stride, padding=1, bias_attr=False)
        self.bn1 = BatchNorm2D(planes)
        self.relu = ReLU()
        self.conv2 = Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = BatchNorm2D(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Tensor) -> Any:
        kept = x if self.downsample is None else self.downsample(x)
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return self.relu(out + kept)


class BottleneckBlock(Layer):
    """A narrow convolution between two of single pixels, and what they were given."""

    expansion = 4

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: int = 1,
        downsample: Layer | None = None,
        groups: int = 1,
        base_width: int = 64,
    ) -> None:
        super().__init__()
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = Conv2D(inplanes, width, 1, bias_attr=False)
        self.bn1 = BatchNorm2D(width)
        self.conv2 = Conv2D(width, width, 3, stride=stride, padding=1, groups=groups, bias_attr=False)
        self.bn2 = BatchNorm2D(width)
        self.conv3 = Conv2D(width, planes * self.expansion, 1, bias_attr=False)
        self.bn3 = BatchNorm2D(planes * self.expansion)
        self.relu = ReLU()
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Tensor) -> Any:
        kept = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        return self.relu(self.bn3(self.conv3(out)) + kept)


_BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


class ResNet(Layer):
    """He et al. 2016, for images (N, 3, H, W)."""

    def __init__(
        self,
        block: type[BasicBlock | BottleneckBlock],
        depth: int = 50,
        width: int = 64,
        num_classes: int = 1000,
        with_pool: bool = True,
        groups: int = 1,
    ) -> None:
        super().__init__()
        self.groups = groups
        self.base_width = width
        self.num_classes = num_classes
        self.with_pool = with_pool
        self.inplanes = 64
        self.conv1 = Conv2D(3, 64, 7, stride=2, padding=3, bias_attr=False)
        self.bn1 = BatchNorm2D(64)
        self.relu = ReLU()
        self.maxpool = MaxPool2D(3, 2, 1)
        for k, (planes, blocks) in enumerate(zip((64, 128, 256, 512), _BLOCKS[depth], strict=True), 1):
            setattr(self, f"layer{k}", self._make_layer(block, planes, blocks, 1 if k == 1 else 2))
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = Linear(512 * block.expansion, num_classes)

    layer1: Any
    layer2: Any
    layer3: Any
    layer4: Any

    def _make_layer(
        self, block: type[BasicBlock | BottleneckBlock], planes: int, blocks: int, stride: int
    ) -> Sequential:
        given = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != given:
            downsample = Sequential(Conv2D(self.inplanes, given, 1, stride=stride, bias_attr=False), BatchNorm2D(given))
        layers: list[Layer] = [block(self.inplanes, planes, stride, downsample, self.groups, self.base_width)]
        self.inplanes = given
        layers += [block(given, planes, 1, None, self.groups, self.base_width) for _ in range(1, blocks)]
        return Sequential(*layers)

    def forward(self, x: Tensor) -> Any:
        out = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        out = self.layer4(self.layer3(self.layer2(self.layer1(out))))
        if self.with_pool:
            out = self.avgpool(out)
        if self.num_classes > 0:
            out = self.fc(out.flatten(1))
        return out


def resnet18(pretrained: bool = False, num_classes: int = 1000, with_pool: bool = True) -> ResNet:
    """The residual network of 18 layers."""
    _require_none(pretrained)
    return ResNet(BasicBlock, 18, num_classes=num_classes, with_pool=with_pool)


def resnet34(pretrained: bool = False, num_classes: int = 1000, with_pool: bool = True) -> ResNet:
    """The residual network of 34 layers."""
    _require_none(pretrained)
    return ResNet(BasicBlock, 34, num_classes=num_classes, with_pool=with_pool)


def resnet50(pretrained: bool = False, num_classes: int = 1000, with_pool: bool = True) -> ResNet:
    """The residual network of 50 layers."""
    _require_none(pretrained)
    return ResNet(BottleneckBlock, 50, num_classes=num_classes, with_pool=with_pool)


def resnet101(pretrained: bool = False, num_classes: int = 1000, with_pool: bool = True) -> ResNet:
    """The residual network of 101 layers."""
    _require_none(pretrained)
    return ResNet(BottleneckBlock, 101, num_classes=num_classes, with_pool=with_pool)


def resnet152(pretrained: bool = False, num_classes: int = 1000, with_pool: bool = True) -> ResNet:
    """The residual network of 152 layers."""
    _require_none(pretrained)
    return ResNet(BottleneckBlock, 152, num_classes=num_classes, with_pool=with_pool)


# --- networks for small devices -------------------------------------------------------------------------


def _divisible(value: float, divisor: int = 8) -> int:
    """The nearest multiple of a divisor that is at least 90 % of a value."""
    found = max(divisor, int(value + divisor / 2) // divisor * divisor)
    return found + divisor if found < 0.9 * value else found


def _normed(taken: int, given: int, kernel: int = 3, stride: int = 1, groups: int = 1) -> Sequential:
    """A convolution, normalisation and ReLU6."""
    return Sequential(
        Conv2D(taken, given, kernel, stride, (kernel - 1) // 2, groups=groups, bias_attr=False),
        BatchNorm2D(given),
        ReLU6(),
    )


class InvertedResidual(Layer):
    """Channels widened, convolved one by one, and narrowed again."""

    def __init__(self, inp: int, oup: int, stride: int, expand_ratio: float) -> None:
        super().__init__()
        hidden = round(inp * expand_ratio)
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        layers = [] if expand_ratio == 1 else [_normed(inp, hidden, 1)]
        self.conv = Sequential(
            *layers,
            _normed(hidden, hidden, 3, stride, hidden),
            Conv2D(hidden, oup, 1, 1, 0, bias_attr=False),
            BatchNorm2D(oup),
        )

    def forward(self, x: Tensor) -> Any:
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(Layer):
    """Sandler et al. 2018, for images (N, 3, H, W)."""

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.with_pool = with_pool
        width = _divisible(32 * scale)
        self.last_channel = _divisible(1280 * max(1.0, scale))
        features: list[Any] = [_normed(3, width, stride=2)]
        for ratio, channels, count, stride in (
            (1, 16, 1, 1),
            (6, 24, 2, 2),
            (6, 32, 3, 2),
            (6, 64, 4, 2),
            (6, 96, 3, 1),
            (6, 160, 3, 2),
            (6, 320, 1, 1),
        ):
            given = _divisible(channels * scale)
            for k in range(count):
                features.append(InvertedResidual(width, given, stride if k == 0 else 1, ratio))
                width = given
        self.features = Sequential(*features, _normed(width, self.last_channel, 1))
        if with_pool:
            self.pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = Sequential(Dropout(0.2), Linear(self.last_channel, num_classes))

    def forward(self, x: Tensor) -> Any:
        out = self.features(x)
        if self.with_pool:
            out = self.pool2d_avg(out)
        if self.num_classes > 0:
            out = self.classifier(out.flatten(1))
        return out


def mobilenet_v2(
    pretrained: bool = False, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True
) -> MobileNetV2:
    """MobileNetV2."""
    _require_none(pretrained)
    return MobileNetV2(scale, num_classes, with_pool)


# --- plain stacks ---------------------------------------------------------------------------------------


class VGG(Layer):
    """Simonyan and Zisserman 2015, for images (N, 3, H, W)."""

    def __init__(self, features: Layer, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.features = features
        self.num_classes = num_classes
        self.with_pool = with_pool
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D((7, 7))
        if num_classes > 0:
            self.classifier = Sequential(
                Linear(512 * 7 * 7, 4096),
                ReLU(),
                Dropout(),
                Linear(4096, 4096),
                ReLU(),
                Dropout(),
                Linear(4096, num_classes),
            )

    def forward(self, x: Tensor) -> Any:
        out = self.features(x)
        if self.with_pool:
            out = self.avgpool(out)
        if self.num_classes > 0:
            out = self.classifier(out.flatten(1))
        return out


def _stack(counts: tuple[int, ...], batch_norm: bool) -> Sequential:
    """Convolutions of 64 to 512 channels, so many of each, and a pool after each kind."""
    layers: list[Any] = []
    taken = 3
    for count, given in zip(counts, (64, 128, 256, 512, 512), strict=True):
        for _ in range(count):
            layers.append(Conv2D(taken, given, 3, padding=1))
            layers += [BatchNorm2D(given), ReLU()] if batch_norm else [ReLU()]
            taken = given
        layers.append(MaxPool2D(2, 2))
    return Sequential(*layers)


def vgg11(pretrained: bool = False, batch_norm: bool = False, num_classes: int = 1000, with_pool: bool = True) -> VGG:
    """The stack of 11 layers."""
    _require_none(pretrained)
    return VGG(_stack((1, 1, 2, 2, 2), batch_norm), num_classes, with_pool)


def vgg13(pretrained: bool = False, batch_norm: bool = False, num_classes: int = 1000, with_pool: bool = True) -> VGG:
    """The stack of 13 layers."""
    _require_none(pretrained)
    return VGG(_stack((2, 2, 2, 2, 2), batch_norm), num_classes, with_pool)


def vgg16(pretrained: bool = False, batch_norm: bool = False, num_classes: int = 1000, with_pool: bool = True) -> VGG:
    """The stack of 16 layers."""
    _require_none(pretrained)
    return VGG(_stack((2, 2, 3, 3, 3), batch_norm), num_classes, with_pool)


def vgg19(pretrained: bool = False, batch_norm: bool = False, num_classes: int = 1000, with_pool: bool = True) -> VGG:
    """The stack of 19 layers."""
    _require_none(pretrained)
    return VGG(_stack((2, 2, 4, 4, 4), batch_norm), num_classes, with_pool)
