"""Datasets, Models, callbacks, metrics and checkpoints."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Parameter, Tensor, dataset, nn, ops, train
from jitcore.common import set_seed
from jitcore.nn import metrics
from jitcore.train.callback import Callback, RunContext

# --- datasets -------------------------------------------------------------------------------------------


class Numbers:
    def __len__(self) -> int:
        return 7

    def __getitem__(self, k: int) -> tuple[Any, Any]:
        return np.float32(k), np.array([k, k * k])


def column(data: dataset.Dataset, name: str) -> list[Any]:
    return [row[name].tolist() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]


def test_sources() -> None:
    data = dataset.GeneratorDataset(Numbers(), ["x", "y"], shuffle=False)
    assert data.get_dataset_size() == 7
    assert column(data, "x") == [0, 1, 2, 3, 4, 5, 6]
    assert column(data, "y")[2] == [2, 4]
    assert data.output_shapes() == [[], [2]]
    assert data.output_types() == [jitcore.float32, jitcore.int64]
    assert data.get_col_names() == ["x", "y"]
    assert sorted(column(dataset.GeneratorDataset(Numbers(), ["x", "y"]), "x")) == [0, 1, 2, 3, 4, 5, 6]
    assert column(dataset.GeneratorDataset(Numbers(), ["x", "y"], sampler=[3, 1]), "x") == [3, 1]
    assert column(dataset.GeneratorDataset(Numbers(), ["x", "y"], num_shards=3, shard_id=1, shuffle=False), "x") == [
        1,
        4,
    ]
    made = dataset.GeneratorDataset(lambda: ((k,) for k in range(3)), "x", num_samples=2)
    assert column(made, "x") == column(made, "x") == [0, 1]
    slices = dataset.NumpySlicesDataset({"a": [1, 2], "b": np.eye(2)}, shuffle=False)
    assert column(slices, "b") == [[1.0, 0.0], [0.0, 1.0]]
    assert dataset.NumpySlicesDataset(([1], [2])).get_col_names() == ["column_0", "column_1"]


def test_stages() -> None:
    data = dataset.NumpySlicesDataset(np.arange(7), ["x"], shuffle=False)
    assert column(data.batch(3), "x") == [[0, 1, 2], [3, 4, 5], [6]]
    assert column(data.batch(3, drop_remainder=True), "x") == [[0, 1, 2], [3, 4, 5]]
    assert data.batch(3).get_dataset_size() == 3
    assert data.batch(3, True).get_dataset_size() == 2
    assert data.batch(3).get_batch_size() == 3
    assert column(data.map([lambda x: x + 1, lambda x: x * 2], ["x"]), "x") == [2, 4, 6, 8, 10, 12, 14]
    two = data.map(lambda x: (x, -x), "x", ["x", "minus"])
    assert two.get_col_names() == ["x", "minus"]
    assert column(two, "minus") == [0, -1, -2, -3, -4, -5, -6]
    assert column(two.project("minus").rename("minus", "m"), "m")[-1] == -6
    assert column(data.filter(lambda x: x % 2 == 0), "x") == [0, 2, 4, 6]
    assert column(data.repeat(2).take(9).skip(5), "x") == [5, 6, 0, 1]
    assert data.repeat(2).get_dataset_size() == 14
    assert data.repeat().get_repeat_count() == -1
    assert column(data.concat(data), "x") == column(data.repeat(2), "x")
    zipped = dataset.zip((data, data.rename("x", "y").skip(2)))
    assert column(zipped, "y") == [2, 3, 4, 5, 6]
    assert column(data.batch(2, per_batch_map=lambda x, info: x * 10), "x")[0] == [0, 10]


def test_shuffling_follows_the_seed() -> None:
    def order() -> list[int]:
        set_seed(3)
        return column(dataset.NumpySlicesDataset(np.arange(20), ["x"], shuffle=False).shuffle(8), "x")

    first = order()
    assert first == order()
    assert first != sorted(first)
    assert sorted(first) == list(range(20))
    assert all(x <= k + 8 for k, x in enumerate(first))  # from the next 8


def test_iteration() -> None:
    data = dataset.NumpySlicesDataset(([1.0, 2.0], [3, 4]), ["x", "y"], shuffle=False)
    for x, y in data.create_tuple_iterator():
        assert isinstance(x, Tensor)
        assert isinstance(y, Tensor)
    epochs = data.create_dict_iterator(num_epochs=2)
    assert [len(list(epochs)) for _ in range(3)] == [2, 2, 0]
    assert [x.dtype for x, _ in data] == [jitcore.float64] * 2
    assert next(data.create_tuple_iterator(["y"], output_numpy=True))[0] == 3


def test_datasets_that_are_wrong() -> None:
    data = dataset.NumpySlicesDataset([1, 2], ["x"])
    wrong: list[tuple[type[Exception], Any]] = [
        (ValueError, lambda: data.batch(0)),
        (TypeError, lambda: data.batch(2.5)),  # type: ignore[arg-type]
        (ValueError, lambda: data.map(abs, ["z"])),
        (TypeError, lambda: data.map(3)),
        (ValueError, lambda: dataset.NumpySlicesDataset(([1], [1, 2]))),
        (ValueError, lambda: dataset.GeneratorDataset([1])),
        (TypeError, lambda: dataset.GeneratorDataset(3, "x")),
        (ValueError, lambda: dataset.zip((data, data))),
        (RuntimeError, lambda: list(dataset.GeneratorDataset([(1, 2)], "x"))),
        (RuntimeError, lambda: list(dataset.GeneratorDataset([[1], [1, 2]], "x", shuffle=False).map(np.ones).batch(2))),
    ]
    for error, function in wrong:
        with pytest.raises(error):
            function()


# --- models ---------------------------------------------------------------------------------------------


def lines(count: int = 24) -> dataset.Dataset:
    x = np.random.default_rng(0).normal(size=(count, 3)).astype(np.float32)
    y = x @ np.array([[1.0], [-2.0], [0.5]], np.float32) + 0.3
    return dataset.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(8)


class Record(Callback):
    def __init__(self, stop_at: int | None = None) -> None:
        self.events: list[str] = []
        self.losses: list[float] = []
        self.stop_at = stop_at

    def begin(self, run_context: RunContext) -> None:
        self.events.append("begin")

    def epoch_begin(self, run_context: RunContext) -> None:
        self.events.append("epoch")

    def step_end(self, run_context: RunContext) -> None:
        args = run_context.original_args()
        self.losses.append(float(args.net_outputs[0] if isinstance(args.net_outputs, tuple) else args.net_outputs))
        if args.cur_step_num == self.stop_at:
            run_context.request_stop()

    def end(self, run_context: RunContext) -> None:
        self.events.append("end")


def make_model(**how: Any) -> tuple[nn.Dense, train.Model]:
    set_seed(1)
    net = nn.Dense(3, 1)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    return net, train.Model(net, nn.MSELoss(), optimizer, metrics={"mse", "mae", "loss"}, **how)


def test_training(mode: int, capsys: pytest.CaptureFixture[str]) -> None:
    net, model = make_model()
    record = Record()
    model.train(12, lines(), callbacks=[record, train.LossMonitor(6), train.TimeMonitor()], dataset_sink_mode=False)
    assert record.events == ["begin", *["epoch"] * 12, "end"]
    assert len(record.losses) == 36
    assert record.losses[-1] < record.losses[0] / 20
    out = capsys.readouterr().out
    assert out.count("loss is") == 6
    assert "epoch: 2 step: 3, loss is" in out
    assert out.count("per step time") == 12
    assert net.training
    found = model.eval(lines())
    assert not net.training
    assert set(found) == {"mse", "mae", "loss"}
    assert math.isclose(found["mse"], found["loss"], rel_tol=1e-4)
    x = np.ones((2, 3), np.float32)
    np.testing.assert_allclose(model.predict(Tensor(x)).asnumpy(), [[-0.2], [-0.2]], atol=0.2)


def test_stopping() -> None:
    _, model = make_model()
    record = Record(stop_at=4)
    model.train(5, lines(), record)
    assert len(record.losses) == 4
    _, model = make_model()
    history = train.History()
    stop = train.EarlyStopping("loss", min_delta=1e9, patience=1)
    model.fit(9, lines(), lines(), callbacks=[history, stop])
    assert history.epoch["epoch"] == [1, 2]
    assert len(history.history["mae"]) == 2


def test_a_loss_that_is_not_finite_ends_training() -> None:
    net = nn.Dense(3, 1)
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 1e30))
    with pytest.raises(ValueError, match="Invalid loss"):
        model.train(5, lines(), train.LossMonitor(0))


def test_loss_scale_managers(mode: int) -> None:
    for manager in (train.FixedLossScaleManager(64.0), train.DynamicLossScaleManager(2.0**8, 2, 4)):
        _, model = make_model(loss_scale_manager=manager)
        record = Record()
        model.train(8, lines(), record)
        assert record.losses[-1] < record.losses[0] / 10


def test_models_that_are_wrong() -> None:
    net, model = make_model()
    with pytest.raises(ValueError, match="epochs"):
        model.train(0, lines())
    with pytest.raises(ValueError, match="metrics"):
        train.Model(net, nn.MSELoss()).eval(lines())
    with pytest.raises(TypeError, match="callbacks"):
        model.train(1, lines(), [3])  # type: ignore[list-item]
    with pytest.raises(KeyError, match="no metric"):
        train.Model(net, metrics={"beauty"})
    with pytest.raises(TypeError, match="no method"):
        train.LambdaCallback(on_holiday=print)


# --- metrics --------------------------------------------------------------------------------------------


def test_metrics() -> None:
    scores = Tensor([[0.7, 0.2, 0.1], [0.1, 0.5, 0.4], [0.6, 0.3, 0.1], [0.2, 0.2, 0.6]])
    labels = Tensor([0, 2, 1, 2])
    want = {"accuracy": 0.5, "top_1_accuracy": 0.5, "top_5_accuracy": 1.0}
    for name, value in want.items():
        metric = metrics.get_metric_fn(name)
        metric.update(scores, labels)
        assert metric.eval() == value
    for name, values in {"precision": [0.5, 0, 1], "recall": [1, 0, 0.5], "F1": [2 / 3, 0, 2 / 3]}.items():
        metric = metrics.get_metric_fn(name)
        metric.update(scores, labels)
        np.testing.assert_allclose(metric.eval(), values)
    top = nn.TopKCategoricalAccuracy(2)
    top.update(scores, labels)
    assert top.eval() == 1.0
    plexity = nn.Perplexity()
    plexity.update(scores, labels)
    np.testing.assert_allclose(plexity.eval(), np.exp(-np.log([0.7, 0.4, 0.3, 0.6]).mean()), rtol=1e-5)
    with pytest.raises(RuntimeError):
        nn.Accuracy().eval()
    both = nn.Accuracy("multilabel")
    both.update(Tensor([[0.9, 0.2], [0.8, 0.7]]), Tensor([[1, 0], [0, 1]]))
    assert both.eval() == 0.5


# --- checkpoints ----------------------------------------------------------------------------------------


class TwoLayers(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Dense(2, 3)
        self.norm = nn.BatchNorm1d(3)
        self.second = nn.Dense(3, 1)

    def construct(self, x: Any) -> Any:
        return self.second(ops.relu(self.norm(self.first(x))))


def test_checkpoints(tmp_path: Path) -> None:
    net, other = TwoLayers(), TwoLayers()
    train.save_checkpoint(net, tmp_path / "net", append_dict={"epoch": 3})
    assert [p.name for p in tmp_path.iterdir()] == ["net.ckpt"]
    found = train.load_checkpoint(tmp_path / "net.ckpt")
    assert set(found) == {p.name for p in net.get_parameters()} | {"epoch"}
    assert int(found["epoch"]) == 3
    assert train.load_param_into_net(other, found) == ([], ["epoch"])
    for a, b in zip(net.get_parameters(), other.get_parameters(), strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    assert set(train.load_checkpoint(tmp_path / "net", specify_prefix="first")) == {"first.weight", "first.bias"}
    left = train.load_checkpoint(tmp_path / "net", filter_prefix=["first", "norm", "epoch"])
    assert set(left) == {"second.weight", "second.bias"}
    train.save_checkpoint([{"name": "a", "data": Tensor([1.0])}], tmp_path / "list.npz")
    assert train.load_checkpoint(tmp_path / "list.npz")["a"].asnumpy() == [1.0]
    train.save_checkpoint({"first.weight": Parameter(np.zeros((3, 2), np.float32))}, tmp_path / "part")
    assert len(train.load_param_into_net(net, train.load_checkpoint(tmp_path / "part"))[0]) == 7
    assert not net.first.weight.asnumpy().any()
    within = {f"backbone.{name}": p for name, p in net.parameters_dict().items()}
    assert train.load_param_into_net(other, within) == ([], [])
    assert not other.first.weight.asnumpy().any()
    assert len(train.load_param_into_net(other, within, strict_load=True)[0]) == len(within)


def test_checkpoints_that_are_wrong(tmp_path: Path) -> None:
    (tmp_path / "text.ckpt").write_text("nothing")
    with pytest.raises(ValueError, match="no checkpoint"):
        train.load_checkpoint(tmp_path / "text")
    with pytest.raises(FileNotFoundError):
        train.load_checkpoint(tmp_path / "none")
    with pytest.raises(TypeError):
        train.save_checkpoint(3, tmp_path / "x")
    with pytest.raises(RuntimeError, match="shape"):
        train.load_param_into_net(TwoLayers(), {"first.weight": Parameter(np.zeros(3, np.float32))})
    with pytest.raises(RuntimeError, match="is of"):
        train.load_param_into_net(
            TwoLayers(), {"first.bias": Parameter(np.zeros(3, np.float64), name="first.bias")}, strict_load=True
        )
    with pytest.raises(RuntimeError, match="is of"):
        train.load_param_into_net(TwoLayers(), {"first.bias": Parameter(np.zeros(3, np.int32), name="first.bias")})
    with pytest.raises(TypeError, match="dict of Parameters"):
        train.load_param_into_net(TwoLayers(), {"first.bias": 3})
    assert [p.name for p in tmp_path.iterdir()] == ["text.ckpt"]


def test_checkpoints_while_training(tmp_path: Path) -> None:
    net, model = make_model()
    config = train.CheckpointConfig(save_checkpoint_steps=2, keep_checkpoint_max=3, saved_network=net)
    keeper = train.ModelCheckpoint("run", tmp_path / "kept", config)
    model.train(4, lines(), keeper)
    assert sorted(p.name for p in (tmp_path / "kept").iterdir()) == ["run-3_2.ckpt", "run-4_1.ckpt", "run-4_3.ckpt"]
    last = train.load_checkpoint(keeper.latest_ckpt_file_name)
    np.testing.assert_array_equal(last["weight"].asnumpy(), net.weight.asnumpy())
