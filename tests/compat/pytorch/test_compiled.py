"""Training in compiled functions: `backward()` and updates mean what they mean line by line, and nobody is told that
they are no part of the compiled code."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import pytest

from jitcore.compat.torch import package
from jitcore.runtime import differentiated

torch: Any = package()
nn, F, D = torch.nn, torch.nn.functional, torch.float64


@pytest.fixture(autouse=True)
def _nothing_is_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def leaf(rows: int, columns: int) -> Any:
    return (torch.arange(rows * columns, dtype=D).reshape(rows, columns) / 7 - 0.4).requires_grad_()


def network() -> Any:
    made = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 1)).double()
    for k, p in enumerate(made.parameters()):
        p.data = torch.arange(p.numel(), dtype=D).reshape(p.shape) / 10 - 0.1 * k
    return made


class Trainer:
    def __init__(self, make):
        self.net = network()
        self.optimizer = make(self.net.parameters())
        self.schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, 2, 0.5)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.net(x), y)
        loss.backward()
        self.optimizer.step()
        self.schedule.step()
        return loss.detach()


@pytest.mark.parametrize(
    "make",
    [lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9), lambda p: torch.optim.Adam(p, lr=0.05)],
    ids=["SGD", "Adam"],
)
def test_a_whole_step(make):
    eager, compiled = Trainer(make), Trainer(make)
    step = torch.compile(compiled.step)
    for rows in (4, 4, 4, 6, 2, 4):
        x, y = leaf(rows, 3).detach(), torch.ones(rows, 1, dtype=D)
        assert step(x, y).item() == pytest.approx(eager.step(x, y).item(), rel=1e-12)
        for p, q in zip(compiled.net.parameters(), eager.net.parameters(), strict=True):
            assert torch.allclose(p, q, rtol=1e-10)
            assert torch.allclose(p.grad, q.grad, rtol=1e-9)


def test_backward_in_a_loop_and_under_a_branch():
    def train(w, x, n, also):
        losses = []
        for _ in range(n):
            loss = (x @ w).pow(2).mean()
            loss.backward()
            if also:
                (w.sum() * 0.5).backward()
            with torch.no_grad():
                w.sub_(0.1 * w.grad)
                w.grad = None
            losses.append(loss.item())
        return losses

    compiled, x = torch.compile(train), leaf(2, 3).detach()
    for n, also in ((3, True), (3, True), (5, False)):
        a, b = leaf(3, 2), leaf(3, 2)
        assert compiled(a, x, n, also) == pytest.approx(train(b, x, n, also), rel=1e-12)
        assert torch.allclose(a, b)


def test_gradients_go_on_through_what_was_computed_before():
    w = leaf(3, 2)
    h = torch.tanh(leaf(2, 3).detach() @ w)

    @torch.compile
    def finish(h):
        loss = (h * h).sum()
        loss.backward()
        return loss

    finish(h)
    have, w.grad = w.grad, None
    (torch.tanh(leaf(2, 3).detach() @ w) ** 2).sum().backward()
    assert torch.allclose(have, w.grad)


def test_a_compiled_module_in_a_loop_of_its_users():
    model, eager = network(), network()
    compiled = torch.compile(model)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (model, eager)]
    for _ in range(4):
        x = leaf(5, 3).detach()
        losses = [F.smooth_l1_loss(m(x), torch.zeros(5, 1, dtype=D)) for m in (compiled, eager)]
        for loss, optimizer in zip(losses, optimizers, strict=True):
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        assert losses[0].item() == pytest.approx(losses[1].item(), rel=1e-12)
    assert copy.deepcopy(model)(x).shape == (5, 1)


def test_a_function_that_only_steps():
    w = leaf(1, 2)
    optimizer = torch.optim.SGD([w], lr=1.0)

    @torch.compile
    def step():
        optimizer.step()

    w.sum().backward()
    before = w.detach().clone()
    step()
    assert torch.equal(w, before - 1)


def test_exceptions_are_pytorchs():
    multiply = torch.compile(lambda x, w: x @ w)
    with pytest.raises(RuntimeError, match="5"):
        multiply(torch.ones(2, 5, dtype=D), leaf(3, 2))
    with pytest.raises(RuntimeError, match="same dtype"):
        torch.compile(lambda x, w: torch.matmul(x, w.float()))(torch.ones(2, 3, dtype=D), leaf(3, 2))


def test_steps_as_many_as_the_run_says():
    layer = nn.Linear(4, 4).double()

    def run(x):
        h, made = x[0], []
        for t in range(x.shape[0]):
            h = torch.tanh(layer(h) + x[t])
            made.append(h)
        return torch.stack(made, 0).sum() + torch.cat(made, 0).pow(2).sum()

    compiled = torch.compile(run)
    for steps in (3, 7, 1, 5):
        x = leaf(steps, 4).detach().reshape(steps, 1, 4)
        grads = []
        for function in (compiled, run):
            layer.zero_grad()
            function(x).backward()
            grads.append(layer.weight.grad.clone())
        assert torch.allclose(*grads, rtol=1e-10)


def test_ways_back_are_compiled_beside_ways_there_where_they_are_gone(monkeypatch):
    noted: list[str] = []
    begin, execute = differentiated.begin, differentiated.execute
    monkeypatch.setattr(differentiated, "begin", lambda *given: noted.append("begin") or begin(*given))
    monkeypatch.setattr(differentiated, "execute", lambda *given: noted.append("back") or execute(*given))

    def loss_of(w, x):
        return (x @ w).sigmoid().sum()

    def train(w, x):
        loss = loss_of(w, x)
        loss.backward()
        return loss.detach()

    x, w, v = leaf(4, 3).detach(), leaf(3, 2), leaf(3, 2)
    torch.compile(train)(w, x)
    assert noted[:3] == ["begin", "begin", "back"]
    noted.clear()
    loss = torch.compile(loss_of)(v, x)
    assert noted == ["begin"]
    loss.backward()
    assert noted == ["begin", "begin", "back"]
    assert torch.equal(v.grad, w.grad)


def test_flags_of_functions_that_are_called_often_with_gradients():
    for _ in range(14):
        for n in (3, 4, 6, 5):
            x = torch.arange(n, dtype=D).requires_grad_()
            x.var(unbiased=False).backward()
            assert torch.allclose(x.grad, (x.detach() - x.detach().mean()) * 2 / n)
    by_flag = torch.compile(lambda x, unbiased: x.var(unbiased=unbiased))
    assert [by_flag(torch.tensor([1.0, 2.0, 4.0]), flag).item() for flag in (True, False)] == pytest.approx(
        [7 / 3, 14 / 9]
    )
