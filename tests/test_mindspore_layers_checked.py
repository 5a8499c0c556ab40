"""What layers, losses, optimizers, learning rates and callbacks of MindSpore refuse; its metrics of segmentations; rarer Cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, jit, nn, ops, train
from jitcore.ops.recurrent import LSTM

NET = nn.Dense(2, 2)


@pytest.fixture(params=[jitcore.GRAPH_MODE, jitcore.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request: pytest.FixtureRequest) -> Iterator[int]:
    jitcore.set_context(mode=request.param)
    yield request.param
    jitcore.set_context(mode=jitcore.GRAPH_MODE)


WRONG_KINDS = """
    nn.Dropout2d(1) | nn.Flatten('a') | nn.Conv2d(1, 2, 3, has_bias=1) | nn.BatchNorm2d(3, eps=1) | nn.Dense(3, 2, has_bias=1)
    nn.LayerNorm((3,), begin_norm_axis='1') | nn.LayerNorm((3,), epsilon='a')
    nn.GroupNorm(2, 4, eps='s') | nn.AdaptiveAvgPool1d('x') | nn.AdaptiveMaxPool1d(2.0) | nn.LeakyReLU('a') | nn.ELU('a') | nn.CELU('a')
    nn.Softmax('a') | nn.LogSoftmax(1.0) | nn.PReLU(2, 'x') | nn.GELU('x') | nn.HShrink('a') | nn.SoftShrink('a') | nn.Hardtanh('x')
    nn.Threshold('a', 1) | nn.Embedding(3, 2, use_one_hot=1) | nn.OneHot(axis='x') | nn.Pad([1, 1]) | nn.Norm('x') | nn.Norm(0, 'x')
    nn.ClipByNorm('x') | nn.Moments('a') | nn.ReduceLogSumExp('a') | nn.MatMul(1) | nn.ResizeBilinear('x') | nn.LSTM(2, 2, has_bias=1)
    nn.SoftmaxCrossEntropyWithLogits(sparse=1) | nn.CrossEntropyLoss(weight=3) | nn.CrossEntropyLoss(ignore_index='a')
    nn.NLLLoss(ignore_index=1.5) | nn.TripletMarginLoss(reduction=1) | nn.MarginRankingLoss('a') | nn.HingeEmbeddingLoss('a')
    nn.GRU(2, 2, bidirectional=1) | nn.LSTMCell(2, 2, has_bias=1) | nn.Momentum(P(), 0.1, 0.9, use_nesterov=1)
    nn.Adam(P(), use_locking=1) | nn.Adagrad(P(), update_slots=1) | nn.RMSProp(P(), centered=1) | nn.FTRL(P(), use_locking=1)
    nn.ASGD(P(), lambd='a') | nn.Rprop(P(), etas=[0.5, 1.2]) | nn.ExponentialDecayLR(1, 0.9, 4) | nn.CosineDecayLR(0, 0.1, 4)
    nn.PolynomialDecayLR(0.1, 0.01, 4, 1) | nn.WarmUpLR(1, 2) | nn.exponential_decay_lr(1, 0.9, 6, 2, 1) | nn.cosine_decay_lr(0, 0.1, 6, 2, 2)
    nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 1) | nn.WithEvalCell(NET, NET, 1) | nn.Perplexity('a')
    train.CheckpointConfig(save_checkpoint_steps='a') | train.LambdaCallback(on_x=3) | train.FixedLossScaleManager(1.0, 1)
    train.DynamicLossScaleManager(2.0, 2.5) | train.EarlyStopping(verbose=1) | train.EarlyStopping(monitor=3)
    train.EarlyStopping(baseline='a') | train.EarlyStopping(restore_best_weights=1) | nn.HausdorffDistance(3) | nn.MeanSurfaceDistance(1)
    nn.HausdorffDistance(percentile=5) | nn.ConfusionMatrixMetric(skip_channel=1) | nn.OcclusionSensitivity(1) | LSTM(2, 2, 1, 1, False, 0.0)
"""
WRONG_VALUES = """
    nn.Conv2d(1, 2, 3, pad_mode='pad', padding=-1) | nn.BatchNorm2d(3, eps=0.0) | nn.InstanceNorm2d(3, momentum=2.0) | nn.CELU(0.0)
    nn.AdaptiveAvgPool1d(0) | nn.SoftShrink(-1.0) | nn.Hardtanh(2.0, 1.0) | nn.Pad(((1, 1),) * 5) | nn.CrossEntropyLoss(label_smoothing=2.0)
    nn.TransformerEncoderLayer(4, 2, activation=3) | train.CheckpointConfig(save_checkpoint_steps=-1) | train.EarlyStopping(patience=-1)
    train.CheckpointConfig(keep_checkpoint_max=-1) | train.ReduceLROnPlateau(cooldown=-1) | train.EarlyStopping(mode='up')
    nn.HausdorffDistance('far') | nn.ConfusionMatrixMetric(decrease='x') | nn.MultiFieldEmbeddingLookup(3, 2, 2, operator='ADD')
    nn.MicroBatchInterleaved(NET, 0) | LSTM(2, 0, 1, True, False, 0.0)
"""


def calls(table: str) -> list[str]:
    return [text.strip() for line in table.strip().splitlines() for text in line.split("|")]


def refuse(text: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        eval(text, {"nn": nn, "train": train, "NET": NET, "LSTM": LSTM, "P": NET.trainable_params})
    assert type(caught.value) is error


@pytest.mark.parametrize("text", calls(WRONG_KINDS))
def test_wrong_kinds(text: str) -> None:
    refuse(text, TypeError)


@pytest.mark.parametrize("text", calls(WRONG_VALUES))
def test_wrong_values(text: str) -> None:
    refuse(text, ValueError)


WRONG_OPERANDS = """
    ValueError: ops.chunk(x, 0) | ops.arange(0, 5, 0) | ops.range(0, 1, 0) | ops.layer_norm(x, (4,))
    ValueError: ops.layer_norm(x, (1, 2, 3)) | ops.outer(x, v) | ops.ger(v, x) | ops.pixel_shuffle(c, 0) | ops.bernoulli(x, 2.0)
    ValueError: ops.adaptive_avg_pool2d(c, (0, 1)) | ops.unsorted_segment_sum(x, i[0, :2], 0)
    TypeError: ops.gather_nd(x, x[:1, :2]) | ops.gather_elements(x, 0, x) | ops.one_hot(x, 3, 1.0, 0.0) | ops.unsorted_segment_max(x, v[:2], 2)
    ValueError: ops.smooth_l1_loss(x, x, -1.0)
"""


@pytest.mark.parametrize("line", WRONG_OPERANDS.strip().splitlines())
def test_wrong_operands(line: str) -> None:
    kind, _, listed = line.partition(":")
    error: type[Exception] = {"ValueError": ValueError, "TypeError": TypeError, "RuntimeError": RuntimeError}[
        kind.strip()
    ]
    x, v, c = (Tensor(np.ones(shape, np.float32)) for shape in ((2, 3), (3,), (1, 2, 4, 4)))
    scope = {"ops": ops, "x": x, "v": v, "c": c, "i": Tensor(np.ones((2, 3), np.int32))}
    for text in listed.split("|"):
        with pytest.raises(error):
            eval(text.strip(), scope)
    assert ops.layer_norm(x, (2, 3)).shape == x.shape
    assert ops.outer(v, v).shape == (3, 3)


def test_what_is_checked_can_be_derived_from() -> None:
    class Wide(nn.Dense):
        def __init__(self, width: int) -> None:
            super().__init__(2, width, has_bias=False)

    assert Wide(3)(Tensor(np.ones((1, 2), np.float32))).shape == (1, 3)
    assert nn.Softmax((-1,))(Tensor([[1.0, 1.0]])).asnumpy().tolist() == [[0.5, 0.5]]
    assert nn.SoftShrink(1).lambd == 1
    assert nn.Dense.__init__.__name__ == "__init__"


# --- callbacks ------------------------------------------------------------------------------------------


class Told(dict):  # type: ignore[type-arg]
    """What a callback is told."""

    __getattr__ = dict.__getitem__


def watch(callback: Any, values: list[float], name: str, network: Any = NET, **more: Any) -> int:
    """After how many epochs a callback stops."""
    told = Told(train_network=network, net_outputs=None, **more)
    context = train.RunContext(told)
    callback.on_train_begin(context)
    for k, value in enumerate(values, 1):
        told.update(metrics={name: value}, cur_epoch_num=k)
        if name == "loss":
            told.update(metrics={}, net_outputs=Tensor(value))
        callback.on_train_epoch_end(context)
        if context.get_stop_requested():
            break
    callback.on_train_end(context)
    return k


@pytest.mark.parametrize(
    ("keywords", "values", "name", "wanted"),
    [
        ({"monitor": "loss", "patience": 2}, [3.0, 2.0, 2.5, 2.5, 1.0], "loss", 4),
        ({"monitor": "eval_loss", "patience": 1}, [3.0, 2.0, 2.0, 1.0], "loss_of_evaluation", 4),
        ({"monitor": "dice", "patience": 1}, [0.1, 0.2, 0.3, 0.3, 0.4], "dice", 4),
        ({"monitor": "dice", "patience": 1, "mode": "min"}, [0.3, 0.2, 0.3], "dice", 3),
        ({"monitor": "acc", "patience": 1, "min_delta": 0.5}, [0.1, 0.2, 0.9], "acc", 2),
        ({"monitor": "acc", "patience": 2, "baseline": 0.5}, [0.1, 0.2, 0.9], "acc", 2),
        ({"monitor": "acc"}, [0.1, 0.2], "acc", 1),
    ],
)
def test_early_stopping(keywords: dict[str, Any], values: list[float], name: str, wanted: int) -> None:
    assert watch(train.EarlyStopping(**keywords), values, name) == wanted


def test_the_best_weights_are_restored(capsys: Any) -> None:
    net = nn.Dense(1, 1, weight_init="zeros")

    class Learning(train.Callback):
        def epoch_end(self, run_context: Any) -> None:
            net.weight.set_data(net.weight + 1)

    stop = train.EarlyStopping("acc", patience=1, restore_best_weights=True, verbose=True)
    told = Told(train_network=net, net_outputs=None)
    context = train.RunContext(told)
    stop.on_train_begin(context)
    for k, value in enumerate([0.5, 0.7, 0.6], 1):
        net.weight.set_data(net.weight + 1)
        told.update(metrics={"acc": value}, cur_epoch_num=k)
        stop.on_train_epoch_end(context)
    stop.on_train_end(context)
    assert float(net.weight) == 2
    out = capsys.readouterr().out
    assert "Restoring model weights" in out
    assert "Epoch 00003: early stopping" in out


def test_lower_rates_on_plateaus(capsys: Any) -> None:
    rates = []
    optimizer = nn.SGD(NET.trainable_params(), 1.0)
    callback = train.ReduceLROnPlateau("acc", 0.5, 1, True, cooldown=1, min_lr=0.3)
    told = Told(train_network=NET, optimizer=optimizer, net_outputs=None)
    context = train.RunContext(told)
    callback.on_train_begin(context)
    for k, value in enumerate([0.5, 0.5, 0.5, 0.5, 0.5, 0.9, 0.9], 1):
        told.update(metrics={"acc": value}, cur_epoch_num=k)
        callback.on_train_epoch_end(context)
        rates.append(round(float(optimizer.learning_rate.asnumpy()), 3))
    assert rates == [1.0, 0.5, 0.3, 0.3, 0.3, 0.3, 0.3]
    assert "Epoch 00002: ReduceLROnPlateau reducing learning rate to 0.5." in capsys.readouterr().out


def test_loss_scales_by_hand() -> None:
    manager = train.DynamicLossScaleManager(8.0, 2, 2)
    scales = []
    for overflow in (False, True, False, False, True, True, True, True, True):
        manager.update_loss_scale(overflow)
        scales.append(manager.get_loss_scale())
    assert scales == [8, 4, 4, 8, 4, 2, 1, 1, 1]
    assert manager.get_drop_overflow_update()


# --- metrics --------------------------------------------------------------------------------------------

PREDICTED = np.array([[3, 0, 1], [1, 3, 0], [1, 0, 2]])
WANTED = np.array([[0, 2, 1], [1, 2, 1], [0, 0, 1]])


def test_distances_of_surfaces() -> None:
    """Distances of the zeros: 1, 1, sqrt 2 … by hand."""
    from jitcore.nn.surfaces import distances, surface

    there, back = [1, 2**0.5, 0], [1, 1, 0]
    cases: list[tuple[Any, float]] = [
        (nn.HausdorffDistance(), 2**0.5), (nn.HausdorffDistance(directed=True), 2**0.5), (nn.HausdorffDistance("chessboard"), 1),
        (nn.HausdorffDistance("taxicab", crop=False), 2), (nn.HausdorffDistance(percentile=50.0, directed=True), 1),
        (nn.MeanSurfaceDistance(), np.mean(there)), (nn.MeanSurfaceDistance(True), np.mean([np.mean(there), np.mean(back)])),
        (nn.RootMeanSquareDistance(), 1.0), (nn.RootMeanSquareDistance(True), np.sqrt(np.mean([1.0, 2 / 3]))),
    ]  # fmt: skip
    for metric, value in cases:
        with pytest.raises(RuntimeError, match="nothing"):
            metric.eval()
        metric.update(Tensor(PREDICTED), Tensor(WANTED), 0)
        np.testing.assert_allclose(metric.eval(), value)
        with pytest.raises(ValueError, match="label"):
            metric.update(PREDICTED, WANTED, 9)
        with pytest.raises(ValueError, match="label looked at"):
            metric.update(PREDICTED, WANTED)
    solid = np.zeros((6, 6), bool)
    solid[1:5, 1:5] = True
    assert surface(solid).sum() == 12
    assert distances(solid, ~solid & False, "euclidean").tolist() == [np.inf] * 16
    many = np.random.default_rng(0).random((30, 30)) < 0.5
    brute = np.abs(np.argwhere(many)[:, None] - np.argwhere(solid)).sum(-1).min(1)
    np.testing.assert_array_equal(distances(many, solid, "taxicab"), brute)


def test_rates() -> None:
    predicted = np.array([[[0], [1]], [[1], [0]], [[0], [1]], [[1], [1]]])
    wanted = np.array([[[0], [1]], [[0], [1]], [[0], [0]], [[1], [1]]])
    p, w = predicted.ravel(), wanted.ravel()
    tp, fp, tn, fn = (float(np.sum(c)) for c in (p & w, p & ~w & 1, (1 - p) & (1 - w), (1 - p) & w))
    for name, value in {
        "recall": tp / (tp + fn), "Specificity": tn / (tn + fp), "precision": tp / (tp + fp), "f1 score": 2 * tp / (2 * tp + fn + fp),
        "accuracy": (tp + tn) / 8, "npv": tn / (tn + fn), "miss rate": fn / (tp + fn), "threat score": tp / (tp + fn + fp),
        "balanced accuracy": (tp / (tp + fn) + tn / (tn + fp)) / 2, "informedness": tp / (tp + fn) + tn / (tn + fp) - 1,
    }.items():  # fmt: skip
        metric = nn.ConfusionMatrixMetric(metric_name=name)
        metric.update(predicted[:2], wanted[:2])
        metric.update(Tensor(predicted[2:]), Tensor(wanted[2:]))
        np.testing.assert_allclose(metric.eval(), [value], err_msg=name)
    images = np.random.default_rng(1).integers(0, 2, (2, 3, 2, 4, 4))
    each = nn.ConfusionMatrixMetric(metric_name="accuracy", calculation_method=True)
    each.update(images[0], images[1])
    np.testing.assert_allclose(each.eval(), (images[0] == images[1]).mean())
    with pytest.raises(NotImplementedError):
        nn.ConfusionMatrixMetric(metric_name="beauty")(predicted, wanted)
    assert isinstance(nn.get_metric_fn("confusion_matrix_metric"), nn.ConfusionMatrixMetric)


def test_occlusion() -> None:
    weights = np.array([[0.0, 0, 0, 0], [1, 2, 4, 8]], np.float32)
    net = nn.Dense(4, 2, weight_init=Tensor(weights), has_bias=False)
    image = np.ones((1, 4), np.float32)
    for metric, wanted in (
        (nn.OcclusionSensitivity(margin=1, n_batch=3), [1, 3, 6, 12]),
        (nn.OcclusionSensitivity(margin=1, b_box=[1, 2]), [3, 6]),
    ):
        metric.update(net, image, np.array(1))
        assert metric.eval().tolist() == wanted
    with pytest.raises(RuntimeError, match="one image"):
        metric.update(net, np.ones((2, 4), np.float32), np.array([1, 1]))


# --- Cells and operators ----------------------------------------------------------------------------------


def test_parts_of_batches(mode: int) -> None:
    x = Tensor(np.arange(12.0, dtype=np.float32).reshape(6, 2))
    wanted = NET(x).asnumpy()
    for cell, parts in (
        (nn.MicroBatchInterleaved(NET, 2), 2),
        (nn.PipelineCell(NET, 3), 3),
        (nn.GradAccumulationCell(NET, 6), 6),
    ):
        np.testing.assert_allclose(cell(x).asnumpy(), wanted.reshape(parts, -1, 2).sum(0), rtol=1e-5)

    class Three(nn.Cell):
        def construct(self, a: Any, b: Any, c: Any) -> Any:
            return a + b * c

    same = nn.VirtualDatasetCellTriple(Three())
    np.testing.assert_array_equal(same(x, x, x).asnumpy(), (x + x * x).asnumpy())


@pytest.mark.parametrize("operator", ["SUM", "MEAN", "MAX"])
def test_embeddings_of_fields(mode: int, operator: str) -> None:
    table = np.sin(np.arange(30, dtype=np.float32)).reshape(10, 3)
    net = nn.MultiFieldEmbeddingLookup(10, 3, 3, Tensor(table), operator=operator)
    rows, fields = np.array([[2, 4, 6, 0], [1, 3, 5, 7]]), np.array([[0, 1, 1, 2], [0, 0, 2, 2]])
    weights = np.array([[1, 2, 0.5, 0], [1, 1, 3, 1]], np.float32)
    made = net(Tensor(rows, jitcore.int32), Tensor(weights), Tensor(fields, jitcore.int32)).asnumpy()
    for b, f in np.ndindex(2, 3):
        chosen = (fields[b] == f) & (weights[b] != 0)
        parts = table[rows[b][chosen]] * weights[b][chosen, None]
        if not chosen.any():
            wanted = np.zeros(3)
        else:
            wanted = (
                parts.max(0)
                if operator == "MAX"
                else parts.sum(0) / (weights[b][chosen].sum() if operator == "MEAN" else 1)
            )
        np.testing.assert_allclose(made[b, f], wanted, rtol=1e-5)


@pytest.mark.parametrize(("layers", "directions", "bias"), [(1, 1, True), (2, 2, True), (2, 1, False)])
def test_lstms_with_weights_side_by_side(layers: int, directions: int, bias: bool) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(3)
    theirs = torch.nn.LSTM(3, 2, layers, bias=bias, bidirectional=directions == 2)
    x = torch.randn(5, 4, 3, requires_grad=True)
    h, c = (torch.randn(layers * directions, 4, 2) for _ in range(2))
    y, (last_h, last_c) = theirs(x, (h, c))
    (slope,) = torch.autograd.grad(y.sum(), x)
    names = [f"l{k}{end}" for k in range(layers) for end in ("", "_reverse")[:directions]]
    parts = [getattr(theirs, f"weight_{kind}_{name}") for kind in ("ih", "hh") for name in names]
    if bias:
        parts += [getattr(theirs, f"bias_ih_{name}") + getattr(theirs, f"bias_hh_{name}") for name in names]
    weights = Tensor(np.concatenate([p.detach().numpy().ravel() for p in parts]).reshape(-1, 1, 1))
    own = LSTM(3, 2, layers, bias, directions == 2, 0.0)
    given = [Tensor(v.detach().numpy()) for v in (x, h, c)]
    for function in (own, jit(lambda *v: own(*v))):
        for got, want in zip(function(*given, weights), (y, last_h, last_c), strict=False):
            np.testing.assert_allclose(got.asnumpy(), want.detach().numpy(), atol=1e-5)
        made = jitcore.grad(lambda v, function=function: function(v, *given[1:], weights)[0].sum())(given[0])
        np.testing.assert_allclose(made.asnumpy(), slope.numpy(), atol=1e-5)


@pytest.mark.parametrize(("layers", "directions", "same"), [(1, 1, True), (2, 1, False), (3, 2, False)])
def test_lstms_drop_between_layers(layers: int, directions: int, same: bool) -> None:
    x, states = Tensor(np.ones((4, 2, 3), np.float32)), Tensor(np.ones((layers * directions, 2, 2), np.float32))
    kept, dropping = (LSTM(3, 2, layers, True, directions == 2, p) for p in (0.0, 0.999999))
    size = kept.enters + 8 * layers * directions * 3
    weights = Tensor(np.linspace(-1, 1, size, dtype=np.float32).reshape(-1, 1, 1))
    whole, *_ = kept(x, states, states, weights)
    for function in (dropping, jit(lambda *v: dropping(*v))):
        made, _, last, *_ = function(x, states, states, weights)
        assert np.array_equal(made.asnumpy(), whole.asnumpy()) == same
        if not same:  # the last layer sees zeros: its inputs' weights do not matter
            at = kept.enters - directions * 8 * 2 * directions
            others = weights.asnumpy().copy()
            others[at : kept.enters] += 5
            np.testing.assert_array_equal(made.asnumpy(), function(x, states, states, Tensor(others))[0].asnumpy())
        assert last.shape == states.shape


def test_same_types() -> None:
    x = Tensor([1.0])
    assert ops.same_type_shape(x, x * 2).asnumpy().tolist() == [1]
    with pytest.raises(TypeError, match="differ"):
        ops.same_type_shape(x, Tensor([1]))
