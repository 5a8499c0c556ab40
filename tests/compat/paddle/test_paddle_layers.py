"""What Paddle's Layers begin with and draw, and their training when they are made static."""

from __future__ import annotations

import gzip
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import pytest
from paddle import nn


@pytest.mark.parametrize(
    ("fill", "shape", "bound", "spread"),
    [
        (nn.initializer.XavierUniform(), [200, 100], math.sqrt(6 / 300), math.sqrt(2 / 300)),
        (nn.initializer.XavierNormal(), [200, 100], math.inf, math.sqrt(2 / 300)),
        (nn.initializer.XavierUniform(fan_in=50, fan_out=50), [200, 100], math.sqrt(6 / 100), math.sqrt(2 / 100)),
        (nn.initializer.KaimingUniform(), [64, 32, 3, 3], math.sqrt(6 / 288), math.sqrt(2 / 288)),
        (nn.initializer.KaimingNormal(), [200, 100], math.inf, math.sqrt(2 / 200)),
        (nn.initializer.KaimingNormal(negative_slope=1.0, nonlinearity="leaky_relu"), [200, 100], math.inf, 200**-0.5),
        (nn.initializer.Uniform(-0.5, 0.5), [100, 100], 0.5, 12**-0.5),
        (nn.initializer.Normal(0.0, 0.3), [100, 100], math.inf, 0.3),
        (nn.initializer.TruncatedNormal(0.0, 0.5, -1.0, 1.0), [100, 100], 1.0, None),
    ],
)
def test_an_initializer_draws_as_wide_as_it_says(
    fill: Any, shape: list[int], bound: float, spread: float | None
) -> None:
    paddle.seed(5)
    values = paddle.create_parameter(shape, "float32", default_initializer=fill).numpy()
    assert np.abs(values).max() <= bound * (1 + 1e-6)
    assert abs(values.mean()) < 3 * values.std() / math.sqrt(values.size)
    if spread is not None:
        assert values.std() == pytest.approx(spread, rel=0.03)


def test_layers_begin_as_paddles() -> None:
    paddle.seed(6)
    linear, conv, lstm = nn.Linear(300, 200), nn.Conv2D(16, 64, 3), nn.LSTM(8, 25)
    assert np.abs(linear.weight.numpy()).max() <= math.sqrt(6 / 500)
    assert linear.weight.numpy().std() == pytest.approx(math.sqrt(2 / 500), rel=0.03)
    assert conv.weight.numpy().std() == pytest.approx(math.sqrt(2 / 144), rel=0.03)
    assert not linear.bias.numpy().any()
    assert 0.15 < np.abs(lstm.weight_hh_l0.numpy()).max() <= 0.2
    assert np.abs(lstm.bias_ih_l0.numpy()).max() > 0.1
    norm = nn.BatchNorm2D(3)
    assert [p.numpy().tolist() for p in norm.parameters()] == [[1] * 3, [0] * 3, [0] * 3, [1] * 3]
    rows = nn.initializer.Orthogonal()(paddle.create_parameter([4, 6], "float32")).numpy()
    np.testing.assert_allclose(rows @ rows.T, np.eye(4), atol=1e-5)
    nn.initializer.set_global_initializer(nn.initializer.Constant(2.0), nn.initializer.Constant(3.0))
    try:
        told = nn.Linear(2, 2)
    finally:
        nn.initializer.set_global_initializer(None)
    assert (told.weight.numpy() == 2).all()
    assert (told.bias.numpy() == 3).all()


def test_dropout_drops_in_training_alone() -> None:
    paddle.seed(7)
    x = paddle.ones([100, 100])
    layer = nn.Dropout(0.3)
    kept = layer(x).numpy()
    assert (kept == 0).mean() == pytest.approx(0.3, abs=0.03)
    np.testing.assert_allclose(kept[kept != 0], 1 / 0.7, rtol=1e-6)
    rows = nn.functional.dropout(x, 0.5, axis=0).numpy()
    assert set(np.unique(rows.sum(1))) == {0.0, 200.0}
    later = nn.functional.dropout(x, 0.5, mode="downscale_in_infer").numpy()
    assert set(np.unique(later)) == {0.0, 1.0}
    layer.eval()
    assert (layer(x) == x).all()
    channels = nn.Dropout2D(0.5)(paddle.ones([10, 10, 3, 3])).numpy().reshape(100, 9)
    assert (channels.std(1) == 0).all()


def _network() -> Any:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Sequential(nn.Conv2D(1, 4, 3, padding="SAME"), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2))
            self.rnn = nn.GRU(12, 5, direction="bidirect")
            self.head = nn.Linear(10, 3)

        def forward(self, x: Any) -> Any:
            x = self.conv(x)
            x = paddle.transpose(x, [0, 2, 1, 3]).flatten(2)
            out, _ = self.rnn(x)
            return self.head(out.mean(axis=1))

    net = Net()
    for k, p in enumerate(net.parameters()):
        if not p.stop_gradient:
            p.set_value((np.sin(np.arange(p.size) * 1.3 + k).reshape(p.shape) * 0.4).astype("float32"))
    return net


def _trained(net: Any) -> list[float]:
    x = paddle.to_tensor(np.cos(np.arange(4 * 36)).reshape(4, 1, 6, 6).astype("float32"))
    y = paddle.to_tensor([0, 1, 2, 1])
    optimizer = paddle.optimizer.Momentum(0.05, parameters=net.parameters(), weight_decay=1e-3)
    losses = []
    for _ in range(4):
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    net.eval()
    return [*losses, *net(x).numpy().reshape(-1).tolist()]


def test_a_static_layer_trains_as_it_does_line_by_line() -> None:
    eager, static = _network(), _network()
    wanted, have = _trained(eager), _trained(paddle.jit.to_static(static))
    assert have == pytest.approx(wanted, rel=1e-5, abs=1e-6)
    for a, b in zip(eager.parameters(), static.parameters(), strict=True):
        np.testing.assert_allclose(b.numpy(), a.numpy(), rtol=1e-5, atol=1e-6)
    assert eager.conv[1]._mean.numpy().any()


def test_mnist_is_read_of_the_files_that_are_there(tmp_path: Path) -> None:
    images = (np.arange(3 * 28 * 28) % 256).astype(np.uint8)
    (tmp_path / "images.gz").write_bytes(gzip.compress(struct.pack(">IIII", 2051, 3, 28, 28) + images.tobytes()))
    (tmp_path / "labels.gz").write_bytes(gzip.compress(struct.pack(">II", 2049, 3) + bytes([7, 1, 4])))
    paths = {"image_path": str(tmp_path / "images.gz"), "label_path": str(tmp_path / "labels.gz")}
    transform = paddle.vision.transforms.ToTensor()
    data = paddle.vision.datasets.MNIST(**paths, mode="test", transform=transform)
    image, label = data[1]
    assert (len(data), image.shape, label.tolist()) == (3, [1, 28, 28], [1])
    np.testing.assert_allclose(image.numpy().reshape(-1), images[784:1568] / 255, rtol=1e-6)
    assert paddle.vision.datasets.MNIST(**paths, backend="cv2")[0][0].dtype == np.float32
    with pytest.raises(FileNotFoundError, match="downloads nothing"):
        paddle.vision.datasets.MNIST(image_path=str(tmp_path / "none.gz"))


def test_networks_for_images_have_paddles_parameters() -> None:
    for name, count in (("resnet18", 11699112), ("mobilenet_v2", 3538984)):
        net = getattr(paddle.vision.models, name)()
        assert sum(int(p.size) for p in net.parameters()) == count, name
    net = paddle.vision.models.resnet18(num_classes=4)
    net.eval()
    assert net(paddle.ones([1, 3, 32, 32])).shape == [1, 4]
