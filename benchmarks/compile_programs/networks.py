"""The reference networks: each function gives a network and a batch of inputs and labels, or targets, for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore import Tensor, nn, ops

Batch = tuple[Tensor, Tensor]


def _floats(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(0).standard_normal(shape).astype(np.float32))


def _classes(count: int, *shape: int) -> Tensor:
    return Tensor(np.random.default_rng(1).integers(0, count, shape).astype(np.int32))


# --- without convolutions -----------------------------------------------------------------------------


def mlp(layers: int = 3) -> tuple[nn.Cell, Batch]:
    """A perceptron: two Parameters a layer."""
    cells: list[nn.Cell] = []
    for _ in range(layers - 1):
        cells += [nn.Dense(16, 16), nn.ReLU()]
    return nn.SequentialCell(*cells, nn.Dense(16, 10)), (_floats(8, 16), _classes(10, 8))


def mlp_of(parameters: int) -> tuple[nn.Cell, Batch]:
    """A perceptron of so many Parameters, the last layer without a bias if their number is odd."""
    network, batch = mlp(parameters // 2)
    if parameters % 2:
        network = nn.SequentialCell(network, nn.Dense(10, 10, has_bias=False))
    return network, batch


class Recurrent(nn.Cell):
    """A recurrent layer, and classes by its last state."""

    def __init__(self, layer: nn.Cell) -> None:
        super().__init__()
        self.layer = layer
        self.classes = nn.Dense(16, 10)

    def construct(self, x):
        output, _ = self.layer(x)
        return self.classes(output[:, -1])


def rnn() -> tuple[nn.Cell, Batch]:
    return Recurrent(nn.RNN(8, 16, num_layers=2, batch_first=True)), (_floats(4, 7, 8), _classes(10, 4))


def lstm() -> tuple[nn.Cell, Batch]:
    return Recurrent(nn.LSTM(8, 16, num_layers=2, batch_first=True)), (_floats(4, 7, 8), _classes(10, 4))


def gru() -> tuple[nn.Cell, Batch]:
    return Recurrent(nn.GRU(8, 16, batch_first=True, bidirectional=False)), (_floats(4, 7, 8), _classes(10, 4))


class Attention(nn.Cell):
    """Causal self-attention."""

    def __init__(self, width: int, heads: int, length: int) -> None:
        super().__init__()
        self.heads = heads
        self.width = width
        self.joined = nn.Dense(width, 3 * width)
        self.out = nn.Dense(width, width)
        self.mask = Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

    def construct(self, x):
        n, length, width = x.shape
        split = self.joined(x).reshape(n, length, 3, self.heads, width // self.heads).transpose(2, 0, 3, 1, 4)
        q, k, v = split[0], split[1], split[2]
        scores = ops.matmul(q, k.transpose(0, 1, 3, 2)) / (width // self.heads) ** 0.5 + self.mask
        mixed = ops.matmul(ops.softmax(scores, axis=-1), v).transpose(0, 2, 1, 3)
        return self.out(mixed.reshape(n, length, width))


class DecoderLayer(nn.Cell):
    """Attention and two dense layers, each after a norm and around a short cut."""

    def __init__(self, width: int, heads: int, length: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm((width,))
        self.attention = Attention(width, heads, length)
        self.norm2 = nn.LayerNorm((width,))
        self.dense1 = nn.Dense(width, 4 * width)
        self.dense2 = nn.Dense(4 * width, width)
        self.gelu = nn.GELU()

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.dense2(self.gelu(self.dense1(self.norm2(x))))


class Decoder(nn.Cell):
    """Tokens to logits of the next ones."""

    def __init__(self, layers: int, width: int, heads: int, length: int, tokens: int) -> None:
        super().__init__()
        self.tokens = tokens
        self.embedding = nn.Embedding(tokens, width)
        self.positions = nn.Embedding(length, width)
        self.at = Tensor(np.arange(length, dtype=np.int32))
        self.layers = nn.CellList([DecoderLayer(width, heads, length) for _ in range(layers)])
        self.norm = nn.LayerNorm((width,))
        self.head = nn.Dense(width, tokens, has_bias=False)

    def construct(self, x):
        x = self.embedding(x) + self.positions(self.at)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x)).reshape(-1, self.tokens)


def transformer(layers: int = 4) -> tuple[nn.Cell, Batch]:
    return Decoder(layers, 64, 4, 16, 50), (_classes(50, 2, 16), _classes(50, 32))


# --- convolutions -------------------------------------------------------------------------------------


class LeNet5(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(400, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


def lenet() -> tuple[nn.Cell, Batch]:
    return LeNet5(), (_floats(32, 1, 32, 32), _classes(10, 32))


class BasicBlock(nn.Cell):
    """Two convolutions around a short cut (He et al. 2015)."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, pad_mode="pad", padding=1)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, pad_mode="pad", padding=1)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU()
        self.down = None
        if stride != 1 or inputs != outputs:
            self.down = nn.SequentialCell(nn.Conv2d(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

    def construct(self, x):
        short = x if self.down is None else self.down(x)
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + short)


class ResNet(nn.Cell):
    def __init__(self, widths: tuple[int, ...], blocks: int, classes: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, widths[0], 3, pad_mode="pad", padding=1)
        self.bn = nn.BatchNorm2d(widths[0])
        self.relu = nn.ReLU()
        cells: list[nn.Cell] = []
        last = widths[0]
        for k, width in enumerate(widths):
            for b in range(blocks):
                cells.append(BasicBlock(last, width, 2 if k and not b else 1))
                last = width
        self.blocks = nn.SequentialCell(*cells)
        self.classes = nn.Dense(last, classes)

    def construct(self, x):
        x = self.blocks(self.relu(self.bn(self.conv(x))))
        return self.classes(x.mean((2, 3)))


def resnet18() -> tuple[nn.Cell, Batch]:
    """ResNet-18 with a first convolution for small images, a quarter as wide."""
    return ResNet((16, 32, 64, 128), 2, 10), (_floats(4, 3, 32, 32), _classes(10, 4))


class Bottleneck(nn.Cell):
    """An inverted residual (Sandler et al. 2018): wider by a factor, a convolution of each channel, narrower."""

    def __init__(self, inputs: int, outputs: int, stride: int, factor: int) -> None:
        super().__init__()
        hidden = inputs * factor
        cells: list[nn.Cell] = []
        if factor != 1:
            cells += [nn.Conv2d(inputs, hidden, 1), nn.BatchNorm2d(hidden), nn.ReLU6()]
        cells += [
            nn.Conv2d(hidden, hidden, 3, stride, pad_mode="pad", padding=1, group=hidden),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(),
            nn.Conv2d(hidden, outputs, 1),
            nn.BatchNorm2d(outputs),
        ]
        self.conv = nn.SequentialCell(*cells)
        self.short = stride == 1 and inputs == outputs

    def construct(self, x):
        y = self.conv(x)
        return x + y if self.short else y


class MobileNetV2(nn.Cell):
    """Width 1.0, for 1,000 classes: 158 Parameters."""

    SETTINGS = (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    )

    def __init__(self) -> None:
        super().__init__()
        cells: list[nn.Cell] = [
            nn.Conv2d(3, 32, 3, 2, pad_mode="pad", padding=1),
            nn.BatchNorm2d(32),
            nn.ReLU6(),
        ]
        last = 32
        for factor, width, count, stride in self.SETTINGS:
            for k in range(count):
                cells.append(Bottleneck(last, width, 1 if k else stride, factor))
                last = width
        cells += [nn.Conv2d(last, 1280, 1), nn.BatchNorm2d(1280), nn.ReLU6()]
        self.features = nn.SequentialCell(*cells)
        self.classes = nn.Dense(1280, 1000)

    def construct(self, x):
        return self.classes(self.features(x).mean((2, 3)))


def mobilenet_v2() -> tuple[nn.Cell, Batch]:
    return MobileNetV2(), (_floats(2, 3, 96, 96), _classes(1000, 2))


# --- a diffusion U-Net --------------------------------------------------------------------------------


class Residual(nn.Cell):
    """Two convolutions after group norms, the time's embedding added between them."""

    def __init__(self, inputs: int, outputs: int, times: int) -> None:
        super().__init__()
        self.norm1 = nn.GroupNorm(4, inputs)
        self.conv1 = nn.Conv2d(inputs, outputs, 3, pad_mode="pad", padding=1, has_bias=True)
        self.time = nn.Dense(times, outputs)
        self.norm2 = nn.GroupNorm(4, outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, pad_mode="pad", padding=1, has_bias=True)
        self.silu = nn.SiLU()
        self.short = nn.Conv2d(inputs, outputs, 1, has_bias=True) if inputs != outputs else None

    def construct(self, x, t):
        y = self.conv1(self.silu(self.norm1(x)))
        y = y + self.time(self.silu(t)).reshape(t.shape[0], -1, 1, 1)
        y = self.conv2(self.silu(self.norm2(y)))
        return y + (x if self.short is None else self.short(x))


class Stage(nn.Cell):
    """Two of them."""

    def __init__(self, inputs: int, outputs: int, times: int) -> None:
        super().__init__()
        self.one = Residual(inputs, outputs, times)
        self.two = Residual(outputs, outputs, times)

    def construct(self, x, t):
        return self.two(self.one(x, t), t)


class SpatialAttention(nn.Cell):
    """Every pixel attends to all others."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.norm = nn.GroupNorm(4, channels)
        self.joined = nn.Conv2d(channels, 3 * channels, 1, has_bias=True)
        self.out = nn.Conv2d(channels, channels, 1, has_bias=True)

    def construct(self, x):
        n, c, h, w = x.shape
        q, k, v = ops.split(self.joined(self.norm(x)).reshape(n, 3 * c, h * w), c, 1)
        weights = ops.softmax(ops.matmul(q.transpose(0, 2, 1), k) / c**0.5, axis=-1)
        return x + self.out(ops.matmul(v, weights.transpose(0, 2, 1)).reshape(n, c, h, w))


class UNet(nn.Cell):
    """The noise in an image at a time (Ho et al. 2020); `levels` of half the extents each."""

    def __init__(self, width: int, levels: int) -> None:
        super().__init__()
        self.width = width
        times = 4 * width
        self.time1 = nn.Dense(width, times)
        self.time2 = nn.Dense(times, times)
        self.silu = nn.SiLU()
        self.frequencies = Tensor(np.exp(np.linspace(0, -9, width // 2)).astype(np.float32))
        self.first = nn.Conv2d(3, width, 3, pad_mode="pad", padding=1, has_bias=True)
        widths = [width * 2**k for k in range(levels)]
        downs, shrinks, ups, grows = [], [], [], []
        last = width
        for k, w in enumerate(widths):
            downs.append(Stage(last, w, times))
            if k < levels - 1:
                shrinks.append(nn.Conv2d(w, w, 3, 2, pad_mode="pad", padding=1, has_bias=True))
            last = w
        self.middle1 = Residual(last, last, times)
        self.attention = SpatialAttention(last)
        self.middle2 = Residual(last, last, times)
        for k, w in reversed(list(enumerate(widths))):
            ups.append(Stage(last + w, w, times))
            if k:
                grows.append(nn.Conv2d(w, w, 3, pad_mode="pad", padding=1, has_bias=True))
            last = w
        self.downs, self.shrinks = nn.CellList(downs), nn.CellList(shrinks)
        self.ups, self.grows = nn.CellList(ups), nn.CellList(grows)
        self.norm = nn.GroupNorm(4, width)
        self.last = nn.Conv2d(width, 3, 3, pad_mode="pad", padding=1, has_bias=True)

    def construct(self, x):
        angles = x[:, 0, 0, :1] * self.frequencies
        t = self.time2(self.silu(self.time1(ops.concat((ops.sin(angles), ops.cos(angles)), 1))))
        x = self.first(x)
        kept = []
        for k, stage in enumerate(self.downs):
            x = stage(x, t)
            kept.append(x)
            if k < len(self.shrinks):
                x = self.shrinks[k](x)
        x = self.middle2(self.attention(self.middle1(x, t)), t)
        for k, stage in enumerate(self.ups):
            x = stage(ops.concat((x, kept[len(kept) - 1 - k]), 1), t)
            if k < len(self.grows):
                n, c, h, w = x.shape
                x = ops.broadcast_to(x.reshape(n, c, h, 1, w, 1), (n, c, h, 2, w, 2)).reshape(n, c, 2 * h, 2 * w)
                x = self.grows[k](x)
        return self.last(self.silu(self.norm(x)))


def unet(levels: int = 3) -> tuple[nn.Cell, tuple[Any, Any]]:
    return UNet(16, levels), (_floats(2, 3, 16, 16), _floats(2, 3, 16, 16))


def unet2() -> tuple[nn.Cell, tuple[Any, Any]]:
    return unet(2)
