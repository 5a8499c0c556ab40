"""Cells, layers, initializers, optimizers and training, in both modes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Parameter, ParameterTuple, Tensor, context, nn, ops, train
from jitcore.common import initializer as init
from jitcore.common import set_seed
from jitcore.compat import mindspore


@pytest.fixture(params=["GRAPH", "PYNATIVE"])
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    context.set_context(mode=context.GRAPH_MODE if request.param == "GRAPH" else context.PYNATIVE_MODE)
    yield request.param
    context.set_context(mode=context.GRAPH_MODE)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, pad_mode="valid", has_bias=True)
        self.blocks = nn.CellList([nn.Dense(4, 4), nn.Dense(4, 4)])
        self.head = nn.SequentialCell(nn.ReLU(), nn.Dense(4, 3, activation="tanh"))
        self.scale = Parameter(Tensor([2.0]), name="scale")

    def construct(self, x: Any) -> Any:
        x = ops.relu(self.conv(x)).mean((2, 3))
        for block in self.blocks:
            x = x + block(x)
        return self.head(x) * self.scale


# --- Cells ----------------------------------------------------------------------------------------------


def test_parameters_have_paths_as_names() -> None:
    net = Net()
    names = [
        "scale", "conv.weight", "conv.bias", "blocks.0.weight", "blocks.0.bias", "blocks.1.weight", "blocks.1.bias",
        "head.1.weight", "head.1.bias",
    ]  # fmt: skip
    assert [p.name for p in net.get_parameters()] == names
    assert [n for n, _ in net.parameters_and_names()] == names
    assert list(net.parameters_dict()) == names
    assert [n for n, _ in net.cells_and_names()][:3] == ["", "conv", "blocks"]
    assert [type(c).__name__ for c in net.cells()] == ["Conv2d", "CellList", "SequentialCell"]


def test_wrappers_leave_names_alone() -> None:
    net = Net()
    nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    assert net.conv.weight.name == "conv.weight"


def test_attributes_register_and_unregister() -> None:
    net = Net()
    with pytest.raises(TypeError, match="scale is a Parameter"):
        net.scale = 3
    net.scale = None
    assert "scale" not in net.parameters_dict()
    del net.conv
    assert not any(n.startswith("conv") for n in net.parameters_dict())
    net.insert_param_to_cell("extra", Parameter(Tensor([1.0])))
    assert net.parameters_dict()["extra"] is net.extra
    with pytest.raises(KeyError):
        net.insert_child_to_cell("extra", nn.ReLU())
    with pytest.raises(TypeError):
        net.insert_child_to_cell("other", 3)  # type: ignore[arg-type]


def test_the_base_must_be_initialised() -> None:
    class Forgetful(nn.Cell):
        def __init__(self) -> None:
            self.layer = nn.ReLU()

    with pytest.raises(AttributeError, match="super"):
        Forgetful()


def test_training_flags() -> None:
    net = Net()
    assert not net.training
    assert net.set_train() is net
    assert all(c.training for _, c in net.cells_and_names())
    net.conv.weight.requires_grad = False
    assert len(net.trainable_params()) == len(list(net.get_parameters())) - 1
    assert [p.name for p in net.untrainable_params()] == ["conv.weight"]


def test_cells_without_construct() -> None:
    with pytest.raises(AttributeError, match="construct"):
        nn.Cell().construct()


def test_repr_shows_the_parts() -> None:
    assert "(conv): Conv2d<input_channels=1" in repr(Net())


@pytest.mark.parametrize("by_mindspore", [False, True])
def test_layers_are_copied(by_mindspore: bool) -> None:
    if by_mindspore:
        mindspore.install()
    layers = (
        nn.Conv2d(3, 4, 3),
        nn.Conv3d(3, 2, (4, 3, 3)),
        nn.LSTM(3, 4),
        nn.BatchNorm2d(3),
        nn.TransformerEncoderLayer(8, 2),
        nn.SequentialCell(nn.Dense(3, 4), nn.ReLU()),
    )
    for layer in layers:
        for again in (copy.deepcopy(layer), copy.copy(layer), pickle.loads(pickle.dumps(layer))):
            assert type(again) is type(layer)
            for p, q in zip(again.get_parameters(), layer.get_parameters(), strict=True):
                assert np.array_equal(p.asnumpy(), q.asnumpy())
    assert nn.Transformer(8, 2, 1, 1, 16, dropout=0.0).encoder is not None


def test_cells_are_pickled() -> None:
    net = Net()
    again = pickle.loads(pickle.dumps(net))
    x = Tensor(np.ones((1, 1, 5, 5), np.float32))
    np.testing.assert_allclose(again(x).asnumpy(), net(x).asnumpy(), rtol=1e-6)


def test_containers_behave_as_lists() -> None:
    cells = nn.CellList([nn.ReLU(), nn.Tanh()])
    cells.append(nn.Sigmoid())
    cells.insert(0, nn.Flatten())
    assert [type(c).__name__ for c in cells] == ["Flatten", "ReLU", "Tanh", "Sigmoid"]
    assert len(cells[1:3]) == 2
    del cells[0]
    assert isinstance(cells[-1], nn.Sigmoid)
    with pytest.raises(TypeError):
        cells.append(3)  # type: ignore[arg-type]


def test_calls_in_both_modes_agree(mode: str) -> None:
    set_seed(0)
    net = Net()
    x = np.random.default_rng(1).normal(size=(2, 1, 5, 6)).astype(np.float32)
    got = net(Tensor(x))
    want = net.construct(Tensor(x))
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=2e-5, atol=1e-6)


def test_changed_attributes_are_seen(mode: str) -> None:
    class Scaled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.factor = 2
            self.on = True
            self.weight = Parameter(Tensor([1.0]), name="w")

        def construct(self, x: Any) -> Any:
            return x * self.factor * self.weight if self.on else x

    cell = Scaled()
    x = Tensor([3.0])
    seen = [cell(x).tolist()]
    cell.factor = 5
    seen.append(cell(x).tolist())
    cell.weight = Parameter(Tensor([10.0]), name="w")
    seen.append(cell(x).tolist())
    cell.weight.set_data(Tensor([100.0]))
    seen.append(cell(x).tolist())
    cell.on = False
    seen.append(cell(x).tolist())
    assert seen == [[6.0], [15.0], [150.0], [1500.0], [3.0]]


# --- layers ---------------------------------------------------------------------------------------------

LAYERS: list[tuple[Any, tuple[int, ...]]] = [
    (lambda: nn.Dense(3, 2), (4, 3)), (lambda: nn.Dense(3, 2, has_bias=False, activation="relu"), (2, 5, 3)),
    (lambda: nn.Conv2d(2, 4, 3), (1, 2, 6, 5)), (lambda: nn.Conv2d(2, 4, (3, 2), 2, "valid", group=2), (2, 2, 7, 6)),
    (lambda: nn.Conv2d(2, 3, 3, 2, "pad", (1, 0, 2, 1), has_bias=True), (1, 2, 5, 5)),
    (lambda: nn.MaxPool2d(2, 2), (1, 2, 4, 6)), (lambda: nn.MaxPool2d(3, 2, "same"), (1, 1, 5, 5)),
    (lambda: nn.AvgPool2d(2, 1), (1, 2, 4, 4)), (lambda: nn.AvgPool2d(3, 2, "same"), (1, 1, 5, 5)),
    (lambda: nn.Flatten(), (2, 3, 4)), (lambda: nn.LayerNorm((5,)), (3, 5)), (lambda: nn.BatchNorm2d(2), (3, 2, 4, 4)),
    (lambda: nn.BatchNorm2d(2).set_train(), (3, 2, 4, 4)), (lambda: nn.BatchNorm1d(4).set_train(), (6, 4)),
    (lambda: nn.Dropout(0.5), (3, 3)), (lambda: nn.Softmax(), (2, 3)), (lambda: nn.LogSoftmax(0), (2, 3)),
    *[(cls, (2, 3)) for cls in (nn.ReLU, nn.ReLU6, nn.LeakyReLU, nn.ELU, nn.GELU, nn.SiLU, nn.Sigmoid, nn.Tanh, nn.HSwish)],
]  # fmt: skip


@pytest.mark.parametrize(("make", "shape"), LAYERS)
def test_layers_compiled_and_eager_agree(make: Any, shape: tuple[int, ...]) -> None:
    layer = make()
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    got = layer(Tensor(x)).asnumpy()
    context.set_context(mode=context.PYNATIVE_MODE)
    np.testing.assert_allclose(got, layer(Tensor(x)).asnumpy(), rtol=2e-5, atol=1e-6)


def test_convolution_by_hand(mode: str) -> None:
    x = np.random.default_rng(0).normal(size=(2, 3, 5, 6)).astype(np.float32)
    layer = nn.Conv2d(3, 4, 3, pad_mode="same", has_bias=True, bias_init="ones")
    w = layer.weight.asnumpy()
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    want = np.einsum("nchwij,ocij->nohw", windows, w) + 1
    np.testing.assert_allclose(layer(Tensor(x)).asnumpy(), want, rtol=1e-4, atol=1e-5)


def test_dropout_in_training() -> None:
    context.set_context(mode=context.PYNATIVE_MODE)
    set_seed(3)
    out = nn.Dropout(p=0.25).set_train()(Tensor(np.ones(1000, np.float32))).asnumpy()
    assert set(np.unique(out)) == {np.float32(0), np.float32(1 / 0.75)}
    assert 0.65 < (out > 0).mean() < 0.85


def test_batch_statistics_move(mode: str) -> None:
    layer = nn.BatchNorm1d(2, momentum=0.5).set_train()
    x = np.array([[1.0, 4.0], [3.0, 8.0]], np.float32)
    out = layer(Tensor(x)).asnumpy()
    np.testing.assert_allclose(out, [[-1, -1], [1, 1]], atol=1e-4)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), [1.0, 3.0])
    np.testing.assert_allclose(layer.moving_variance.asnumpy(), [0.5 + 0.5 * 2, 0.5 + 0.5 * 8])


def test_embedding(mode: str) -> None:
    layer = nn.Embedding(5, 3)
    ids = Tensor(np.array([[1, 4], [0, 1]]))
    np.testing.assert_array_equal(layer(ids).asnumpy(), layer.embedding_table.asnumpy()[ids.asnumpy()])


@pytest.mark.parametrize(
    "make",
    [
        lambda: nn.Conv2d(3, 4, 3, pad_mode="some"), lambda: nn.Conv2d(3, 4, 3, padding=1), lambda: nn.Dense(0, 1),
        lambda: nn.Conv2d(3, 4, 3, group=2), lambda: nn.MSELoss("most"), lambda: nn.get_activation("spin"),
        lambda: nn.Dropout(p=1.0),
    ],
)  # fmt: skip
def test_arguments_that_are_wrong(make: Any) -> None:
    with pytest.raises((ValueError, KeyError), match=r"."):
        make()


# --- losses ---------------------------------------------------------------------------------------------


def test_losses(mode: str) -> None:
    logits = np.array([[1.0, 2.0, 0.5], [0.1, -0.3, 2.0]], np.float32)
    labels = np.array([1, 2], np.int32)
    logs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    each = -logs[[0, 1], labels]
    x, y, hot = Tensor(logits), Tensor(labels), Tensor(np.eye(3, dtype=np.float32)[labels])
    got = [
        nn.SoftmaxCrossEntropyWithLogits(sparse=True)(x, y),
        nn.SoftmaxCrossEntropyWithLogits()(x, hot),
        nn.SoftmaxCrossEntropyWithLogits(True, "mean")(x, y),
        nn.CrossEntropyLoss(reduction="sum")(x, y),
        nn.NLLLoss()(Tensor(logs), y),
        nn.CrossEntropyLoss(ignore_index=2)(x, y),
        nn.CrossEntropyLoss(label_smoothing=0.3)(x, y),
    ]
    want = [each, each, each.mean(), each.sum(), each.mean(), each[0], (0.7 * each - 0.3 * logs.mean(1)).mean()]
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b, rtol=1e-5)


def test_regression_losses(mode: str) -> None:
    a, b = np.array([1.0, -2.0, 0.5]), np.array([0.5, 1.0, 0.25])
    x, y = Tensor(a), Tensor(b)
    assert float(nn.MSELoss()(x, y)) == pytest.approx(np.mean((a - b) ** 2))
    assert float(nn.L1Loss("sum")(x, y)) == pytest.approx(np.abs(a - b).sum())
    small = np.abs(a - b)
    want = np.where(small < 1, 0.5 * small**2, small - 0.5)
    np.testing.assert_allclose(nn.SmoothL1Loss()(x, y).asnumpy(), want)


# --- initializers ---------------------------------------------------------------------------------------


def test_initializers() -> None:
    set_seed(1)
    shape = (64, 32, 3, 3)
    deviations = {
        "normal": 0.01, "xavier_uniform": np.sqrt(2 / (96 * 9)), "he_normal": np.sqrt(2 / (32 * 9)),
        "XavierNormal": np.sqrt(2 / (96 * 9)), "HeUniform": np.sqrt(2 / (32 * 9)), "uniform": 0.07 / np.sqrt(3),
    }  # fmt: skip
    for name, want in deviations.items():
        drawn = init.initializer(name, shape).asnumpy()
        assert drawn.dtype == np.float32
        assert drawn.std() == pytest.approx(want, rel=0.05)
    cut = init.initializer(init.TruncatedNormal(1.0), (10000,)).asnumpy()
    assert np.abs(cut).max() <= 2
    assert init.initializer(3, (2,), jitcore.int32).tolist() == [3, 3]
    with pytest.raises(ValueError, match="the class corresponding to 'strange' was not found"):
        init.initializer("strange", (2,))
    with pytest.raises(ValueError, match="2 dimensions"):
        init.initializer("xavier_uniform", (2,))


def test_seeds_repeat() -> None:
    set_seed(7)
    first = init.initializer("normal", (4,)).tolist()
    set_seed(7)
    assert init.initializer("normal", (4,)).tolist() == first
    for wrong in (-1, 1.5, True):
        with pytest.raises((TypeError, ValueError)):
            set_seed(wrong)  # type: ignore[arg-type]


# --- optimizers -----------------------------------------------------------------------------------------


def _reference(name: str, p: np.ndarray[Any, Any], grads: list[Any], **k: Any) -> np.ndarray[Any, Any]:
    """What an optimizer makes of a Parameter, step by step."""
    m, v = np.zeros_like(p), np.zeros_like(p)
    for t, g in enumerate(grads, 1):
        g = g / k.get("loss_scale", 1.0) + k.get("weight_decay", 0.0) * p
        if name == "Adam":
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            p = p - k["lr"] * np.sqrt(1 - 0.999**t) / (1 - 0.9**t) * m / (np.sqrt(v) + 1e-8)
        else:
            m = k.get("momentum", 0.0) * m + (g if t == 1 or name == "Momentum" else g * (1 - k.get("dampening", 0.0)))
            p = p - k["lr"] * (g + k["momentum"] * m if k.get("nesterov") else m)
    return p


OPTIMIZERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("Momentum", {"momentum": 0.9}, {"momentum": 0.9}),
    ("Momentum", {"momentum": 0.8, "use_nesterov": True, "weight_decay": 0.1}, {"momentum": 0.8, "nesterov": True, "weight_decay": 0.1}),
    ("SGD", {}, {}), ("SGD", {"momentum": 0.9, "dampening": 0.5, "loss_scale": 2.0}, {"momentum": 0.9, "dampening": 0.5, "loss_scale": 2.0}),
    ("SGD", {"momentum": 0.9, "nesterov": True}, {"momentum": 0.9, "nesterov": True}), ("Adam", {}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "meaning"), OPTIMIZERS)
def test_optimizers(mode: str, name: str, options: dict[str, Any], meaning: dict[str, Any]) -> None:
    start = np.array([1.0, -2.0, 3.0], np.float32)
    grads = [np.array(g, np.float32) for g in ([0.5, 1.0, -1.0], [0.1, -0.2, 2.0], [1.0, 1.0, 1.0])]
    p = Parameter(Tensor(start), name="p")
    memory = p.asnumpy()
    optimizer = getattr(nn, name)([p], learning_rate=0.1, **options)
    for g in grads:
        optimizer((Tensor(g),))
    np.testing.assert_allclose(p.asnumpy(), _reference(name, start, grads, lr=0.1, **meaning), rtol=1e-5)
    assert p.asnumpy() is memory
    assert int(optimizer.global_step) == 3


def test_learning_rates(mode: str) -> None:
    a, b = Parameter(Tensor([0.0]), name="a"), Parameter(Tensor([0.0]), name="b")
    optimizer = nn.SGD([{"params": [a], "lr": [1.0, 10.0]}, {"params": [b]}], learning_rate=0.5)
    for _ in range(3):
        optimizer((Tensor([1.0]), Tensor([1.0])))
    assert (a.tolist(), b.tolist()) == ([-21.0], [-1.5])
    optimizer.rates[1].set_data(Tensor(2.0))
    optimizer((Tensor([0.0]), Tensor([1.0])))
    assert b.tolist() == [-3.5]


def test_optimizers_refuse_what_is_wrong() -> None:
    p = Parameter(Tensor([0.0]), name="p")
    for make in (
        lambda: nn.SGD([], 0.1),
        lambda: nn.SGD([p, p], 0.1),
        lambda: nn.SGD([p], -0.1),
        lambda: nn.SGD([{"weights": [p]}], 0.1),
        lambda: nn.Momentum([p], 0.1, -1.0),
        lambda: nn.SGD([p], 0.1, nesterov=True),
    ):
        with pytest.raises(ValueError, match=r"."):
            make()
    with pytest.raises(TypeError):
        nn.SGD([Tensor([1.0])], 0.1)


# --- training -------------------------------------------------------------------------------------------


def test_training_converges(mode: str) -> None:
    set_seed(5)
    rng = np.random.default_rng(5)
    x = rng.normal(size=(64, 2)).astype(np.float32)
    labels = (x[:, 0] * x[:, 1] > 0).astype(np.int32)
    net = nn.SequentialCell(nn.Dense(2, 16, "he_uniform"), nn.Tanh(), nn.Dense(16, 2, "he_uniform"))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Adam(net.trainable_params(), 0.05)).set_train()
    losses = [float(step(Tensor(x), Tensor(labels))) for _ in range(80)]
    assert losses[-1] < 0.1 < losses[0]
    predicted = net(Tensor(x)).argmax(1).asnumpy()
    assert (predicted == labels).mean() > 0.95


def test_both_modes_train_alike() -> None:
    curves: list[list[float]] = []
    x = np.random.default_rng(2).normal(size=(8, 1, 6, 6)).astype(np.float32)
    y = np.arange(8, dtype=np.int32) % 3
    for mode in (context.GRAPH_MODE, context.PYNATIVE_MODE):
        context.set_context(mode=mode)
        set_seed(11)
        net = Net()
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.1, 0.9), sens=2.0)
        curves.append([float(step(Tensor(x), Tensor(y))) for _ in range(6)])
    np.testing.assert_allclose(curves[0], curves[1], rtol=1e-4)


def test_gradients_by_weights(mode: str) -> None:
    layer = nn.Dense(2, 1, "ones", "zeros")
    net = nn.WithLossCell(layer, nn.MSELoss())
    x, y = Tensor([[1.0, 2.0]]), Tensor([[1.0]])
    weights = ParameterTuple(layer.trainable_params())
    by_list = ops.GradOperation(get_by_list=True)(net, weights)(x, y)
    assert [g.tolist() for g in by_list] == [[[4.0, 8.0]], [4.0]]
    assert [g.tolist() for g in nn.WithGradCell(layer, nn.MSELoss())(x, y)] == [[[4.0, 8.0]], [4.0]]
    value, grads = nn.ForwardValueAndGrad(net, weights, get_by_list=True)(x, y)
    assert (float(value), grads[1].tolist()) == (4.0, [4.0])


def test_checkpoints(tmp_path: Path) -> None:
    net, other = Net(), Net()
    file = tmp_path / "net.ckpt"
    train.save_checkpoint(net, file)
    missing, unused = train.load_param_into_net(other, train.load_checkpoint(file))
    assert (missing, unused) == ([], [])
    assert other.conv.weight.tolist() == net.conv.weight.tolist()
