"""Cells and Parameters as MindSpore's, its executors, optimizers, learning rates, metrics, mixed precision, Models and callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Model, Parameter, ParameterTuple, Tensor, amp, nn, ops  # noqa: E402
from mindspore.common.api import _cell_graph_executor, _executor  # noqa: E402
from mindspore.nn import dynamic_lr  # noqa: E402
from mindspore.nn.layer.conv import Conv2d  # noqa: E402
from mindspore.train.callback import (  # noqa: E402
    BackupAndRestore,
    Callback,
    LearningRateScheduler,
    ReduceLROnPlateau,
)


class Line(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(4, 3)

    def construct(self, x: Any) -> Any:
        return self.dense(x)


X, Y = Tensor(np.linspace(0, 1, 8).reshape(2, 4).astype(np.float32)), Tensor(np.ones((2, 3), np.float32))

# --- Cells and Parameters -------------------------------------------------------------------------------


def test_attributes_keep_their_kind() -> None:
    cell = nn.Cell()
    cell.weight = Parameter(Tensor([1.0]), name="weight")
    cell.weight = None
    for other in (3, [1]):
        with pytest.raises(TypeError, match="'weight' already exists"):
            cell.weight = other
    with pytest.raises(KeyError, match="weight child cell already exists"):
        cell.weight = nn.ReLU()
    cell.part = nn.ReLU()
    with pytest.raises(TypeError, match="'part' already exists"):
        cell.part = Tensor([1.0])
    del cell.part
    cell.part = 3
    assert cell.part == 3


def test_parts_are_inserted() -> None:
    cell, weight = nn.Cell(), Parameter(Tensor([1.0]), name="weight")
    for _ in range(2):
        cell.insert_param_to_cell("weight", weight)
    cell.insert_child_to_cell("later", None)
    assert [name for name, _ in cell.cells_and_names()] == [""]
    for name in ("", "a.b"):
        with pytest.raises(KeyError):
            cell.insert_child_to_cell(name, nn.ReLU())
    with pytest.raises(TypeError):
        cell.insert_child_to_cell("weight2", weight)


def test_two_parameters_of_one_name() -> None:
    cell = nn.Cell(auto_prefix=False)
    cell.a, cell.b = (Parameter(Tensor([k]), name="same") for k in (1.0, 2.0))
    assert list(cell.parameters_dict()) == ["same"]
    with pytest.raises(ValueError, match="same"):
        _executor.compile(cell)
    with pytest.raises(AttributeError, match="construct"):
        nn.Cell()()


def test_what_parameters_are_made_of() -> None:
    with pytest.raises(ValueError, match="bool"):
        Parameter(True, name="x")
    with pytest.raises(ValueError, match="name"):
        Parameter(Tensor([1.0]), name=3)
    for flag in ("requires_grad", "layerwise_parallel"):
        with pytest.raises(TypeError, match=flag):
            Parameter(Tensor([1.0]), name="x", **{flag: 1})
    made = Parameter(Tensor([1.0, 2.0]), name="x")
    memory = made.asnumpy()
    made.data = Tensor([3.0, 4.0])
    assert memory.tolist() == [3.0, 4.0]


def test_executors_compile_and_call() -> None:
    net = Line()
    name, fresh = _cell_graph_executor.compile(net, X)
    assert (name, fresh) == ("Line", True)
    np.testing.assert_array_equal(_cell_graph_executor(net, X).asnumpy(), net(X).asnumpy())
    assert Conv2d is nn.Conv2d
    assert net.set_comm_fusion(2).dense.weight.comm_fusion == 2
    assert not net.has_bprop
    with pytest.raises(ValueError, match="boost_type"):
        net.set_boost("faster")


# --- optimizers -----------------------------------------------------------------------------------------


def reference_adafactor(p: Any, gradients: list[Any], rate: float) -> Any:
    row, column, moment = np.zeros(p.shape[0]), np.zeros(p.shape[1]), np.zeros(p.shape)
    for k, g in enumerate(gradients):
        keep = 1 - (k + 1.0) ** -0.8
        square = g**2 + 1e-30
        row = row * keep + square.mean(1) * (1 - keep)
        column = column * keep + square.mean(0) * (1 - keep)
        update = g / np.sqrt(np.outer(row / row.mean(), column))
        update /= max(1.0, np.sqrt((update**2).mean()))
        moment = moment * 0.9 + update * rate * 0.1
        p = p - moment
    return p


@pytest.mark.usefixtures("mode")
def test_adafactor_and_proximal_adagrad() -> None:
    start = np.arange(1.0, 7.0, dtype=np.float32).reshape(2, 3)
    gradients = [np.sin(start * k).astype(np.float32) for k in (1, 2, 3)]
    p = Parameter(Tensor(start), name="p")
    optimizer = nn.AdaFactor([p], learning_rate=0.1, scale_parameter=False, relative_step=False)
    for g in gradients:
        optimizer((Tensor(g),))
    np.testing.assert_allclose(p.asnumpy(), reference_adafactor(start, gradients, 0.1), rtol=1e-4)
    q = Parameter(Tensor(start), name="q")
    nn.ProximalAdagrad([q], accum=0.1, learning_rate=0.5, l1=0.2, l2=0.1)((Tensor(gradients[0]),))
    rate = 0.5 / np.sqrt(0.1 + gradients[0] ** 2)  # MindSpore 2.10's; its documentation has 0.5 from here on
    moved = start - rate * gradients[0]
    wanted = np.sign(moved) * np.maximum(np.abs(moved) - rate * 0.2, 0) / (1 + rate * 0.1)
    np.testing.assert_allclose(q.asnumpy(), wanted, rtol=1e-5)
    net = Line()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.AdaFactor(net.trainable_params()))
    first = float(step(X, Y))
    for _ in range(5):
        last = float(step(X, Y))
    assert last < first


def test_what_optimizers_say_of_themselves() -> None:
    net = Line()
    weight, bias = net.trainable_params()
    plain = nn.Momentum([weight, bias], 0.1, 0.9, weight_decay=0.01)
    assert (plain.dynamic_lr, plain.is_group_lr, plain.weight_decay, plain.target) == (False, False, 0.01, "CPU")
    grouped = nn.SGD([{"params": [weight], "lr": [0.1, 0.2]}, {"params": [bias]}], 0.3)
    assert (grouped.dynamic_lr, grouped.is_group_lr, len(grouped.group_params)) == (True, True, 2)
    with pytest.raises(ValueError, match="For 'Optimizer', the argument parameters must not be empty"):
        nn.Adam([])
    with pytest.raises(ValueError, match="None"):
        nn.Lamb(None, 0.1)
    with pytest.raises(RuntimeError):
        nn.Adam([{"params": [weight]}, {"params": [weight]}])
    lars = nn.LARS(plain)
    nn.TrainOneStepCell(net, lars).check_names()


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda: dynamic_lr.piecewise_constant_lr([1.0, 2], [0.1, 0.2]), TypeError),
        (lambda: dynamic_lr.piecewise_constant_lr([1, 2], [1, 2]), TypeError),
        (lambda: dynamic_lr.piecewise_constant_lr([2, 1], [0.1, 0.2]), ValueError),
        (lambda: dynamic_lr.exponential_decay_lr(0.1, -1.0, 6, 2, 1), ValueError),
        (lambda: dynamic_lr.exponential_decay_lr(0.1, 0.9, 6, 2, -1), ValueError),
        (lambda: dynamic_lr.exponential_decay_lr(0.1, 0.9, 6, 2, 1, 1), TypeError),
        (lambda: dynamic_lr.polynomial_decay_lr(0.1, -1.0, 6, 2, 1, 0.5), ValueError),
        (lambda: dynamic_lr.polynomial_decay_lr(0.1, 0.01, 6, 2, 1, True), TypeError),
        (lambda: dynamic_lr.cosine_decay_lr(True, 0.1, 6, 2, 1), TypeError),
        (lambda: dynamic_lr.cosine_decay_lr(0.2, 0.1, 6, 2, 1), ValueError),
    ],
)
def test_wrong_learning_rates(function: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        function()


@pytest.mark.usefixtures("mode")
def test_a_random_slope() -> None:
    x = np.array([-1.0, -2.0, 3.0], np.float32)
    made = nn.RReLU(0.1, 0.3)(Tensor(x)).asnumpy()
    assert made[2] == 3
    assert np.all((made[:2] / x[:2] >= 0.1) & (made[:2] / x[:2] <= 0.3))
    with pytest.raises(ValueError, match="lower"):
        nn.RReLU(0.9, 0.1)
    assert nn.Dense(2, 2, activation="").activation is None


# --- metrics --------------------------------------------------------------------------------------------


def test_metrics() -> None:
    scores, labels = np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), np.array([1, 0, 1])
    both = nn.Fbeta(1)
    f1 = nn.F1()
    for metric in (both, f1):
        metric.update(Tensor(scores), Tensor(labels))
    np.testing.assert_allclose(both.eval(), f1.eval(), rtol=1e-5)
    matrix = nn.ConfusionMatrix(2, normalize="target")
    matrix.update(np.array([1, 0, 1, 0]), np.array([1, 0, 0, 1]))
    np.testing.assert_array_equal(matrix.eval(), [[0.5, 0.5], [0.5, 0.5]])
    dice = nn.Dice()
    dice.update(scores, np.eye(2)[labels])
    assert dice.eval() == pytest.approx(2 * 1.4 / (1.56 + 3) / 3, rel=1e-4)
    bleu = nn.BleuScore(2)
    bleu.update([["a", "b", "c"]], [[["a", "b", "d"], ["x"]]])
    assert float(bleu.eval()) == pytest.approx((2 / 3 * 1 / 2) ** 0.5)
    rows = nn.CosineSimilarity(reduction="sum", zero_diagonal=False)
    rows.update(np.array([[3.0, 4.0], [4.0, 3.0]]))
    np.testing.assert_allclose(rows.eval(), [1.96, 1.96])
    curve = nn.ROC(pos_label=1)
    curve.update(np.array([0.1, 0.4, 0.35, 0.8]), np.array([0, 0, 1, 1]))
    false, true, _ = curve.eval()
    assert nn.auc(false, true) == pytest.approx(0.75)
    with pytest.raises(ValueError, match="add 1, but got y_pred dimension"):
        nn.Accuracy().update(scores, np.ones((3, 2)))
    with pytest.raises(RuntimeError):
        nn.Dice().eval()


# --- mixed precision and Models ---------------------------------------------------------------------------


class Normed(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(4, 3)
        self.norm = nn.BatchNorm1d(3)
        self.seen: list[Any] = []

    def construct(self, x: Any) -> Any:
        return self.norm(self.dense(x))


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize(
    ("level", "dtype"), [("O0", "Float32"), ("O1", "Float32"), ("O2", "Float32"), ("O3", "Float16")]
)
def test_mixed_precision(level: str, dtype: str) -> None:
    plain, net = Normed(), Normed()
    ms.load_param_into_net(net, plain.parameters_dict())
    mixed = amp.auto_mixed_precision(net, level)
    made = mixed(X)
    assert str(made.dtype) == dtype
    np.testing.assert_allclose(made.asnumpy(), plain(X).asnumpy(), rtol=2e-3, atol=2e-3)
    assert sorted(p.name for p in mixed.get_parameters()) == sorted(p.name for p in plain.get_parameters())
    step = amp.build_train_network(Normed(), nn.SGD(Normed().trainable_params()), nn.MSELoss(), level=level)
    assert np.isfinite(float(step(X, Y)))


@pytest.mark.usefixtures("mode")
def test_custom_precision_and_wrong_levels() -> None:
    net = amp.custom_mixed_precision(Normed(), white_list=[nn.Dense])
    assert str(net.dense(X).dtype) == "Float32"
    assert nn.Dense in amp.get_white_list()
    with pytest.raises(ValueError, match="amp_level"):
        amp.auto_mixed_precision(Normed(), "O4")
    with pytest.raises(TypeError):
        amp.auto_mixed_precision(3, "O2")
    with pytest.raises(ValueError, match="white_list"):
        amp.custom_mixed_precision(Normed())


@pytest.mark.usefixtures("mode")
def test_scales_of_losses() -> None:
    net = Line()
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    scaler = amp.DynamicLossScaler(4.0, 2, 2)

    def loss(x: Any, y: Any) -> Any:
        return scaler.scale(((net(x) - y) ** 2).mean())

    slopes = ms.value_and_grad(loss, None, optimizer.parameters)

    @ms.jit
    def step(x: Any, y: Any) -> Any:
        value, gradients = slopes(x, y)
        gradients = scaler.unscale(gradients)
        finite = amp.all_finite(gradients)
        scaler.adjust(finite)
        optimizer(gradients)
        return value, finite

    scales = []
    for factor in (1.0, 1.0, np.inf):
        step(X * factor, Y)
        scales.append(float(scaler.scale_value))
    assert scales == [4.0, 8.0, 4.0]


def batches() -> list[tuple[Any, Any]]:
    return [(X, Y), (X, Y)]


def model(**options: Any) -> Model:
    net = Line()
    return Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), **options)


@pytest.mark.usefixtures("mode")
def test_models() -> None:
    seen: list[int] = []

    class Epochs(Callback):
        def epoch_end(self, run_context: Any) -> None:
            seen.append(run_context.original_args().cur_epoch_num)

    for level in ("O0", "O2"):
        model(amp_level=level).train(2, batches(), callbacks=Epochs(), dataset_sink_mode=True, initial_epoch=1)
    assert seen == [2, 2]
    for error, options in (
        (TypeError, {"dataset_sink_mode": 1}),
        (TypeError, {"initial_epoch": "1"}),
        (ValueError, {"initial_epoch": 3}),
    ):
        with pytest.raises(error):
            model().train(3, batches(), **options)
    for error, options in (
        (KeyError, {"metrics": {"top1"}}), (TypeError, {"metrics": {"top5": None}}), (TypeError, {"metrics": ["acc"]}), (TypeError, {"metrics": ()}),
    ):  # fmt: skip
        with pytest.raises(error):
            model(**options)
    with pytest.raises(ValueError, match="eval_network"):
        Model(Line(), metrics={"acc"})
    with pytest.raises(ValueError, match="eval_indexes"):
        Model(Line(), eval_network=Line(), eval_indexes=[], metrics={"acc"})


def test_callbacks_that_set_the_learning_rate(tmp_path: Any) -> None:
    trained = model()
    rate = trained._optimizer.learning_rate
    trained.train(1, batches(), callbacks=LearningRateScheduler(lambda lr, step: lr / step))
    assert float(rate) == pytest.approx(0.05)
    trained.train(3, batches(), callbacks=ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=1e9))
    assert float(rate) == pytest.approx(0.05 / 4)
    kept = BackupAndRestore(str(tmp_path), delete_checkpoint=False)
    trained.train(1, batches(), callbacks=kept)
    other = model()
    other.train(1, [], callbacks=BackupAndRestore(str(tmp_path)))
    np.testing.assert_array_equal(
        other.predict_network.dense.weight.asnumpy(), trained.predict_network.dense.weight.asnumpy()
    )
    assert not list(tmp_path.iterdir())


def test_parameter_tuples() -> None:
    made = ParameterTuple([Parameter(Tensor([1.0]), name="a")])
    assert made.clone(prefix="b")[0].name == "b.a"
    assert ops.is_tensor(made[0])
    for wrong in (made[0], "ab", 3):
        with pytest.raises(TypeError):
            ParameterTuple(wrong)


def test_dtypes_that_layers_compute_in() -> None:
    """What is said of a layer goes by its own dtype, not by that of others of its class."""
    plain, half = nn.Dense(4, 3), nn.Dense(4, 3, dtype=ms.float16)
    for dtype in (np.float16, np.float32, np.float64):
        x = Tensor(np.ones((2, 4), dtype))
        assert str(nn.Dense(4, 3).to_float(ms.float16)(x).dtype) == "Float16"
        for layer, taken in ((plain, np.float32), (half, np.float16)):
            if dtype is taken:
                assert layer(x).shape == (2, 3)
                continue
            with pytest.raises(TypeError, match="'x2' should be same as 'x1'"):
                layer(x)
