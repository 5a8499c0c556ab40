"""`nn.Graph`: as the documents show it, and beyond."""

from __future__ import annotations

import copy
import re
import warnings
from collections import namedtuple
from pathlib import Path

import numpy as np
import oneflow as flow
import pytest
from oneflow import nn

from jitcore.nn.graph import Proxy

warnings.simplefilter("error")


class LinearGraph(nn.Graph):
    def __init__(self, linear=None):
        super().__init__()
        self.linear = nn.Linear(3, 8, False) if linear is None else linear

    def build(self, x):
        return self.linear(x)


def network():
    flow.manual_seed(3)
    return nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2)).double()


class Training(nn.Graph):
    def __init__(self, model, optimizer, schedule=None):
        super().__init__()
        self.model = model
        self.loss_fn = nn.CrossEntropyLoss()
        self.add_optimizer(optimizer, lr_sch=schedule)

    def build(self, x, y):
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        return loss


def eager_step(model, optimizer, x, y, schedule=None):
    optimizer.zero_grad(set_to_none=True)
    loss = nn.CrossEntropyLoss()(model(x), y)
    loss.backward()
    optimizer.step()
    if schedule is not None:
        schedule.step()
    return loss


def batches(count, size=4):
    rng = np.random.default_rng(8)
    for _ in range(count):
        yield flow.tensor(rng.normal(size=(size, 3))), flow.tensor(rng.integers(0, 2, size))


def weights(model):
    return [p.numpy().copy() for p in model.parameters()]


# --- calls ----------------------------------------------------------------------------------------------


def test_a_graph_computes_what_its_modules_do():
    graph, x = LinearGraph(), flow.randn(4, 3)
    for rows in (4, 4, 7, 1):
        x = flow.randn(rows, 3)
        out = graph(x)
        np.testing.assert_allclose(out.numpy(), x.numpy() @ graph.linear.weight.numpy().T, rtol=1e-5, atol=1e-6)
        assert not out.requires_grad
    out = LinearGraph(nn.Linear(3, 3))(flow.randn(1, 3))
    assert re.fullmatch(
        r"tensor\(\[\[ *-?\d\.\d{4}, +-?\d\.\d{4}, +-?\d\.\d{4}\]\], dtype=oneflow\.float32\)", str(out)
    )


def test_build_is_not_run_before_the_first_call():
    class Wrong(nn.Graph):
        def __init__(self):
            super().__init__()
            self.model = nn.Linear(3, 2)

        def build(self, x, y):
            y_pred = self.model(x)  # noqa: F841
            return loss  # noqa: F821

    graph = Wrong()
    with pytest.raises(NameError, match="loss") as raised:
        graph(flow.ones(1, 3), None)
    assert raised.traceback[-1].path.name == "test_graph.py"
    assert "return loss" in str(raised.traceback[-1].statement)


def test_an_error_in_build_leaves_a_graph_that_can_be_called():
    class Checked(nn.Graph):
        def __init__(self):
            super().__init__()
            self.model = nn.Linear(3, 2)

        def build(self, x):
            if x.shape[0] == 0:
                raise ValueError("no rows")
            return self.model(x)

    graph = Checked()
    with pytest.raises(ValueError, match="no rows"):
        graph(flow.ones(0, 3))
    assert not graph.is_compiled
    assert graph(flow.ones(2, 3)).shape == (2, 2)


def test_what_goes_in_and_comes_out_keeps_its_structure():
    Pair = namedtuple("Pair", "first second")

    class Structured(nn.Graph):
        def build(self, x, more=None, *, scale=1.0, flag=True, name="n"):
            y = x * scale if flag else x
            return (y,), {"a": [y + 1, None], "n": 3, "s": name}, Pair(y, more)

    graph = Structured()
    out = graph(flow.ones(2), scale=3.0, name="other")
    assert out[0][0].tolist() == [3.0, 3.0]
    assert (out[1]["a"][0].tolist(), out[1]["a"][1], out[1]["n"], out[1]["s"]) == ([4.0, 4.0], None, 3, "other")
    assert type(out[2]) is Pair
    assert out[2].second is None
    assert graph(flow.ones(2), [flow.zeros(1)], flag=False)[2].second[0].tolist() == [0.0]


def test_control_flow_is_pythons():
    class Loop(nn.Graph):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(2, 2, bias=False)

        def build(self, x):
            rounds = 0
            while x.norm() < 50:
                x = self.layer(x) + 3
                rounds += 1
                if rounds > 30:
                    break
            return x, rounds

    graph = Loop()
    flow.nn.init.eye_(graph.layer.weight)
    x, rounds = graph(flow.zeros(2))
    assert (x.tolist(), rounds) == ([36.0, 36.0], 12)
    assert graph(flow.ones(2) * 49)[1] == 0


def test_tensors_from_outside_are_seen_as_they_are():
    free = flow.ones(2)

    class Outside(nn.Graph):
        def build(self, x):
            return x + free

    graph = Outside()
    assert graph(flow.zeros(2)).tolist() == [1.0, 1.0]
    free.add_(4)
    assert graph(flow.zeros(2)).tolist() == [5.0, 5.0]


def test_graphs_in_graphs_and_functions():
    inner = LinearGraph()

    class Outer(nn.Graph):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def build(self, x):
            return self.inner(x) * 2

    x = flow.randn(2, 3)
    np.testing.assert_allclose(Outer()(x).numpy(), inner(x).numpy() * 2, rtol=1e-6)

    @nn.Graph.trace
    def double(x):
        return x * 2

    assert double(flow.tensor((1, 2), dtype=flow.float32)).tolist() == [2.0, 4.0]
    assert type(double).__name__ == "double_graph"
    with pytest.raises(AssertionError, match="only support function"):
        nn.Graph.trace(nn.Linear(1, 1))


def test_train_and_eval_are_followed():
    model = nn.Sequential(nn.Dropout(0.5))
    graph = LinearGraph(model)
    x = flow.ones(1000)
    assert 300 < (graph(x) == 0).sum().item() < 700
    model.eval()
    assert (graph(x) == 1).all()
    model.train()
    assert (graph(x) == 0).any()


def test_hooks_of_modules_are_run():
    model, seen = nn.Linear(3, 2), []
    graph = LinearGraph(model)
    model.register_forward_hook(lambda module, args, out: out * 0)
    model.register_forward_pre_hook(lambda module, args: seen.append(tuple(args[0].shape)))
    assert (graph(flow.ones(4, 3)) == 0).all()
    assert seen == [(4, 3)]


# --- training -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda p: flow.optim.SGD(p, lr=0.1),
        lambda p: flow.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01),
        lambda p: flow.optim.Adam(p, lr=0.05),
        lambda p: flow.optim.AdamW(p, lr=0.05),
        lambda p: flow.optim.RMSprop(p, lr=0.01),
    ],
)
def test_training_is_that_of_eager_mode(make):
    eager, model = network(), network()
    by_hand, optimizer = make(eager.parameters()), make(model.parameters())
    rates = [flow.optim.lr_scheduler.CosineDecayLR(o, decay_steps=10, alpha=0.1) for o in (by_hand, optimizer)]
    graph = Training(model, optimizer, rates[1])
    for x, y in [*batches(6), *batches(2, 3)]:
        wanted = eager_step(eager, by_hand, x, y, rates[0])
        assert graph(x, y).item() == pytest.approx(wanted.item(), rel=1e-12)
        assert optimizer.param_groups[0]["lr"] == by_hand.param_groups[0]["lr"]
        for p, q in zip(model.parameters(), eager.parameters(), strict=True):
            np.testing.assert_allclose(p.numpy(), q.numpy(), rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(p.grad.numpy(), q.grad.numpy(), rtol=1e-9, atol=1e-12)
    for have, want in zip(model.buffers(), eager.buffers(), strict=True):
        np.testing.assert_allclose(have.numpy(), want.numpy(), rtol=1e-10)


def test_several_losses_optimizers_and_conditions():
    a, b = nn.Linear(2, 2).double(), nn.Linear(2, 2).double()
    first, second = copy.deepcopy(a), copy.deepcopy(b)

    class Two(nn.Graph):
        def __init__(self):
            super().__init__()
            self.a, self.b = a, b
            self.add_optimizer(flow.optim.SGD(a.parameters(), lr=0.1))
            self.add_optimizer(flow.optim.SGD(b.parameters(), lr=0.2))

        def build(self, x, both):
            h = self.a(x)
            one = (h * h).sum()
            one.backward()
            if both:
                two = self.b(x).abs().sum()
                two.backward()
            return one

    graph, x = Two(), flow.ones(3, 2, dtype=flow.float64)
    optimizers = [flow.optim.SGD(first.parameters(), lr=0.1), flow.optim.SGD(second.parameters(), lr=0.2)]
    for both in (True, False, True):
        graph(x, both)
        for o in optimizers:
            o.zero_grad(set_to_none=True)
        (first(x) * first(x)).sum().backward()
        if both:
            second(x).abs().sum().backward()
        for o in optimizers:
            o.step()
        for have, want in zip([*weights(a), *weights(b)], [*weights(first), *weights(second)], strict=True):
            np.testing.assert_allclose(have, want, rtol=1e-12)


def test_parameters_without_a_gradient_are_left_alone():
    model = network()
    model.unused = nn.Linear(4, 4).double()
    graph = Training(nn.Sequential(*list(model)[:4]), flow.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.5))
    before = weights(model.unused)
    graph(*next(batches(1)))
    np.testing.assert_array_equal(before[0], weights(model.unused)[0])
    assert model.unused.weight.grad is None


def test_modules_are_shared_and_trained_in_place():
    model = network()
    held = model[0].weight
    graph, other = Training(model, flow.optim.SGD(model.parameters(), lr=0.1)), LinearGraph(model)
    x, y = next(batches(1))
    before = other(x).numpy()
    graph(x, y)
    assert model[0].weight is held
    assert graph.model.to(nn.Module) is model
    assert not np.array_equal(other(x).numpy(), before)


def test_gradients_may_be_accumulated_over_parts_of_a_batch():
    model, eager = nn.Linear(3, 8), nn.Linear(3, 8)
    eager.load_state_dict(model.state_dict())
    free = flow.tensor([1.0])

    class Accumulating(nn.Graph):
        def __init__(self):
            super().__init__()
            self.linear = model
            self.add_optimizer(flow.optim.SGD(model.parameters(), lr=0.01, momentum=0.9))
            self.config.set_gradient_accumulation_steps(4)

        def build(self, x):
            out = self.linear(x)
            out += free
            out = flow.reshape(out, shape=[-1])
            loss = out.sum()
            loss.backward()
            return out, loss

    graph, sgd, x = Accumulating(), flow.optim.SGD(eager.parameters(), lr=0.01, momentum=0.9), flow.randn(8, 3)
    for _ in range(3):
        out, losses = graph(x)
        wanted = []
        for k in range(4):
            part = flow.reshape(eager(x[2 * k : 2 * k + 2]) + free, shape=[-1]).sum()
            (part * 0.25).backward()
            wanted.append(part.item())
        sgd.step()
        sgd.zero_grad(set_to_none=True)
        assert (out.shape, losses.shape) == ((64,), (4,))
        np.testing.assert_allclose(losses.numpy(), wanted, rtol=1e-5)
        np.testing.assert_allclose(model.weight.numpy(), eager.weight.numpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="cannot be divided into 4 parts"):
        graph(flow.randn(6, 3))


def test_gradients_may_be_clipped_and_scaled():
    x, y = next(batches(1))
    norms = []
    for scaler in (None, flow.amp.GradScaler(init_scale=1024.0)):
        model = network()
        group = {"params": list(model.parameters()), "clip_grad_max_norm": 0.01, "clip_grad_norm_type": 2.0}
        graph = Training(model, flow.optim.SGD([group], lr=1.0))
        if scaler is not None:
            graph.set_grad_scaler(scaler)
        before = weights(model)
        graph(x, y)
        norms.append(np.sqrt(sum(((p - q) ** 2).sum() for p, q in zip(before, weights(model), strict=True))))
    assert norms == pytest.approx([0.01, 0.01], rel=1e-4)
    with pytest.raises(AssertionError, match="GradScaler"):
        graph.set_grad_scaler(3)


def test_updates_by_what_is_not_finite_are_left_out():
    model = nn.Linear(2, 1, bias=False)

    class Scaled(nn.Graph):
        def __init__(self):
            super().__init__()
            self.model = model
            self.add_optimizer(flow.optim.SGD(model.parameters(), lr=0.1))
            self.set_grad_scaler(flow.amp.GradScaler(init_scale=8.0))

        def build(self, x):
            loss = self.model(x).sum()
            loss.backward()
            return loss

    graph, before = Scaled(), model.weight.numpy().copy()
    graph(flow.tensor([[float("inf"), 1.0]]))
    np.testing.assert_array_equal(model.weight.numpy(), before)
    graph(flow.tensor([[1.0, 2.0]]))
    np.testing.assert_allclose(model.weight.numpy(), before - [[0.1, 0.2]], rtol=1e-6)


# --- states ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after_a_call", [False, True])
def test_a_saved_state_goes_on_where_it_was(tmp_path: Path, after_a_call: bool):
    def make():
        model = network()
        optimizer = flow.optim.Adam(model.parameters(), lr=0.05)
        schedule = flow.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
        return Training(model, optimizer, schedule)

    graph, data = make(), list(batches(8))
    for batch in data[:3]:
        graph(*batch)
    state = graph.state_dict()
    assert state["System-Train-TrainStep"].tolist() == [3]
    assert state["model"]["0.weight"].shape == (8, 3)
    assert state["model.0.weight-m"].shape == (8, 3)
    flow.save(state, tmp_path / "state")
    wanted = [graph(*batch).item() for batch in data[3:]]
    other = make()
    if after_a_call:
        other(*data[0])
    other.load_state_dict(flow.load(tmp_path / "state"))
    assert [other(*batch).item() for batch in data[3:]] == wanted


def test_the_state_of_another_graph_changes_nothing():
    model = network()
    graph = Training(model, flow.optim.SGD(model.parameters(), lr=0.1))
    before = weights(model)
    with pytest.raises(KeyError, match="another graph"):
        graph.load_state_dict(LinearGraph().state_dict())
    np.testing.assert_array_equal(before[0], weights(model)[0])
    with pytest.raises(AttributeError, match=r"graph\.state_dict\(\)"):
        graph.model.state_dict()


# --- texts ----------------------------------------------------------------------------------------------


def test_a_graph_as_text():
    graph = LinearGraph()
    number = graph.name.rpartition("_")[2]
    parameter = "(PARAMETER:linear.weight:tensor(..., size=(8, 3), dtype=oneflow.float32, requires_grad=True)): ()"
    before = f"""(GRAPH:LinearGraph_{number}:LinearGraph): (
  (CONFIG:config:GraphConfig(training=False, ))
  (MODULE:linear:Linear(in_features=3, out_features=8, bias=False)): (
    {parameter}
  )
)"""
    assert str(graph) == before
    graph(flow.randn(4, 3))
    assert (
        str(graph)
        == f"""(GRAPH:LinearGraph_{number}:LinearGraph): (
  (CONFIG:config:GraphConfig(training=False, ))
  (INPUT:_LinearGraph_{number}-input_0:tensor(..., size=(4, 3), dtype=oneflow.float32))
  (MODULE:linear:Linear(in_features=3, out_features=8, bias=False)): (
    (INPUT:_linear-input_0:tensor(..., is_lazy='True', size=(4, 3), dtype=oneflow.float32))
    {parameter}
    (OUTPUT:_linear-output_0:tensor(..., is_lazy='True', size=(4, 8), dtype=oneflow.float32))
  )
  (OUTPUT:_LinearGraph_{number}-output_0:tensor(..., size=(4, 8), dtype=oneflow.float32))
)"""
    )
    assert LinearGraph().name == f"LinearGraph_{int(number) + 1}"
    assert str(LinearGraph(nn.ReLU()).linear) == "(MODULE:linear:ReLU()): ()"


def test_long_lines_and_buffers():
    model = nn.Sequential(nn.Conv2d(3, 32, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(32))
    graph = LinearGraph(model)
    graph(flow.randn(64, 3, 32, 32))
    lines = str(graph).split("\n")
    at = next(k for k, line in enumerate(lines) if "linear.0-output_0" in line)
    assert lines[at].strip() == (
        "(OUTPUT:_linear.0-output_0:tensor(..., is_lazy='True', size=(64, 32, 16, 16), dtype=oneflow.float32))"
    )
    deeper = [line for line in lines if "running_mean" in line or "num_batches_tracked" in line]
    assert [line.strip() for line in deeper] == [
        "(BUFFER:linear.1.running_mean:tensor(..., size=(32,), dtype=oneflow.float32)): ()",
        "(BUFFER:linear.1.num_batches_tracked:tensor(..., size=(), dtype=oneflow.int64)): ()",
    ]
    wide = nn.Conv2d(100, 1000, (11, 11), bias=False)
    at = next(k for k, line in enumerate(str(LinearGraph(wide)).split("\n")) if "PARAMETER" in line)
    first, second = str(LinearGraph(wide)).split("\n")[at : at + 2]
    assert first == "    (PARAMETER:linear.weight:tensor(..., size=(1000, 100, 11, 11), dtype=oneflow.float32,"
    assert second == "           requires_grad=True)): ()"


def test_what_is_printed_while_a_graph_is_built(capsys: pytest.CaptureFixture[str]):
    graph = LinearGraph()
    graph.debug(0)
    graph(flow.randn(4, 3))
    graph(flow.randn(4, 3))
    heading = f"(GRAPH:{graph.name}:LinearGraph)"
    stages = [
        f"{heading} end building graph.",
        f"{heading} start compiling plan and init graph runtime.",
        f"{heading} end compiling plan and init graph rumtime.",
    ]
    assert capsys.readouterr().out.splitlines() == stages
    graph = LinearGraph()
    graph.debug(v_level=3)
    graph(flow.randn(4, 3))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "(MODULE:linear:Linear(in_features=3, out_features=8, bias=False)) start building."
    assert lines[1].startswith("(INPUT:_linear-input_0:tensor(..., is_lazy='True', size=(4, 3)")
    assert any(line.startswith("(OPERATOR: matmul_") and "test_graph.py:" in line for line in lines)
    for ranks in ([1, 2], 3):
        graph = LinearGraph()
        graph.debug(1, ranks=ranks)
        graph(flow.randn(4, 3))
        assert not capsys.readouterr().out
    with pytest.raises(AssertionError, match="level"):
        graph.debug(4)


# --- wrong use ------------------------------------------------------------------------------------------


def test_what_a_graph_may_not_hold():
    graph = LinearGraph()
    with pytest.raises(
        AttributeError, match=r"are not allowed to set Optimizer attribute named 'o', please use add_opt"
    ):
        graph.o = flow.optim.SGD(graph.linear.parameters(), lr=0.1)
    with pytest.raises(AttributeError, match="are not allowed to set Tensor attribute named 't'"):
        graph.t = flow.ones(2)
    assert isinstance(graph.linear, Proxy)
    assert not isinstance(graph.linear, nn.Module)
    graph.linear = None
    assert "MODULE" not in str(graph)


def test_init_must_be_called_first():
    class Forgotten(nn.Graph):
        def __init__(self):
            self.linear = nn.Linear(1, 1)

    with pytest.raises(AttributeError, match="has not been initialized"):
        Forgotten()

    class Empty(nn.Graph):
        def __init__(self):
            pass

    with pytest.raises(AttributeError, match="has not been initialized"):
        Empty()(1)
    with pytest.raises(NotImplementedError, match="build"):
        nn.Graph()(1)


def test_schedules_and_optimizers_that_do_not_fit():
    model = network()
    graph, optimizer = LinearGraph(model), flow.optim.SGD(model.parameters(), lr=0.1)
    other = flow.optim.lr_scheduler.StepLR(flow.optim.SGD(model.parameters(), lr=0.1), 3)
    with pytest.raises(AssertionError, match="must be the same optimizer"):
        graph.add_optimizer(optimizer, lr_sch=other)
    with pytest.raises(AssertionError, match="cannot be None"):
        graph.add_optimizer(None)
    with pytest.raises(AssertionError, match="instance of Optimizer"):
        graph.add_optimizer(model)
    for option in ("enable_amp", "allow_fuse_add_to_output", "enable_zero"):
        with pytest.raises(AssertionError):
            getattr(graph.config, option)(2)
    with pytest.raises(ValueError, match="1 or more"):
        graph.config.set_gradient_accumulation_steps(0)
