"""OneFlow's optimizers and schedules, held to the formulas that its documentation states."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import oneflow as flow
import pytest

Step = Callable[[int, Any, Any, list[Any]], tuple[Any, list[Any]]]
"""(t, Parameter, gradient, what is kept) -> the Parameter and what is kept, after step t."""


def _sgd(t, p, g, kept):
    g = g + 0.1 * p
    v = 0.9 * kept[0] + 0.5 * g
    return p - 0.2 * v, [v]


def _adam(t, p, g, kept, eps=1e-8):
    g = g + 0.1 * p
    m, v = 0.8 * kept[0] + 0.2 * g, 0.9 * kept[1] + 0.1 * g * g
    return p - 0.2 * (m / (1 - 0.8**t)) / (np.sqrt(v / (1 - 0.9**t)) + eps), [m, v]


def _plain_adam(t, p, g, kept):
    m, v = 0.8 * kept[0] + 0.2 * g, 0.9 * kept[1] + 0.1 * g * g
    return p - 0.2 * m / (np.sqrt(v) + 1e-8), [m, v]


def _adam_w(t, p, g, kept):
    m, v = 0.8 * kept[0] + 0.2 * g, 0.9 * kept[1] + 0.1 * g * g
    return p - 0.2 * ((m / (1 - 0.8**t)) / (np.sqrt(v / (1 - 0.9**t)) + 1e-8) + 0.1 * p), [m, v]


def _adagrad(t, p, g, kept):
    s = kept[0] + g * g
    return p - 0.2 / (1 + (t - 1) * 0.5) * g / (np.sqrt(s) + 1e-10), [s]


def _adadelta(t, p, g, kept):
    s = 0.9 * kept[0] + 0.1 * g * g
    step = np.sqrt(kept[1] + 1e-6) / np.sqrt(s + 1e-6) * g
    return p - step, [s, 0.9 * kept[1] + 0.1 * step * step]


def _rms_prop(t, p, g, kept):
    s = 0.9 * kept[0] + 0.1 * g * g
    return p - 0.2 * g / np.sqrt(s + 1e-3), [s]


def _centred_rms_prop(t, p, g, kept):
    s, m = 0.9 * kept[0] + 0.1 * g * g, 0.9 * kept[1] + 0.1 * g
    return p - 0.2 * g / np.sqrt(s - m * m + 1e-3), [s, m]


def _lamb(t, p, g, kept, decay=0.0, penalty=0.1):
    g = g + penalty * p
    m, v = 0.8 * kept[0] + 0.2 * g, 0.9 * kept[1] + 0.1 * g * g
    step = (m / (1 - 0.8**t)) / (np.sqrt(v) / np.sqrt(1 - 0.9**t) + 1e-8)
    trust = np.linalg.norm(p) / np.linalg.norm(step)
    return p - 0.2 * trust * (step + decay * p), [m, v]


def _decoupled_lamb(t, p, g, kept):
    return _lamb(t, p, g, kept, decay=0.1, penalty=0.0)


BETAS = (0.8, 0.9)


@pytest.mark.parametrize(
    ("name", "options", "rule"),
    [
        ("SGD", {"momentum": 0.9, "dampening": 0.5, "weight_decay": 0.1}, _sgd),
        ("Adam", {"betas": BETAS, "weight_decay": 0.1}, _adam),
        ("Adam", {"betas": BETAS, "do_bias_correction": False}, _plain_adam),
        ("AdamW", {"betas": BETAS, "weight_decay": 0.1}, _adam_w),
        ("Adagrad", {"lr_decay": 0.5}, _adagrad),
        ("Adadelta", {"lr": 1.0}, _adadelta),
        ("RMSprop", {"alpha": 0.9, "eps": 1e-3}, _rms_prop),
        ("RMSprop", {"alpha": 0.9, "eps": 1e-3, "centered": True}, _centred_rms_prop),
        ("LAMB", {"betas": BETAS, "weight_decay": 0.1}, _decoupled_lamb),
        ("LAMB", {"betas": BETAS, "weight_decay": 0.1, "adam_w_mode": False}, _lamb),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_optimizers_step_by_their_formulas(name: str, options: dict[str, Any], rule: Step) -> None:
    rng = np.random.default_rng(1)
    start = rng.normal(size=5)
    p = flow.tensor(start, requires_grad=True)
    optimizer = getattr(flow.optim, name)([p], **{"lr": 0.2, **options})
    want, kept = start, [np.zeros(5), np.zeros(5)]
    for t in range(1, 5):
        gradient = rng.normal(size=5)
        optimizer.zero_grad()
        (p * flow.tensor(gradient)).sum().backward()
        optimizer.step()
        want, kept = rule(t, want, gradient, kept)
        np.testing.assert_allclose(p.numpy(), want, rtol=1e-6)


def test_parameters_without_gradients_are_left_alone_and_there_may_be_none() -> None:
    used, unused = (flow.nn.Parameter(flow.ones(2)) for _ in range(2))
    optimizer = flow.optim.SGD([used, unused], lr=0.5, weight_decay=0.1)
    used.sum().backward()
    optimizer.step()
    assert unused.tolist() == [1.0, 1.0]
    assert used.tolist() != [1.0, 1.0]
    optimizer.zero_grad()
    assert used.grad.tolist() == [0.0, 0.0]
    optimizer.zero_grad(set_to_none=True)
    assert used.grad is None
    empty = flow.optim.SGD([], lr=0.1)
    empty.step()
    assert empty.param_groups[0].parameters == []


def test_groups_clip_gradients() -> None:
    p = flow.nn.Parameter(flow.ones(4))
    group = {"params": [p], "lr": 0.5, "clip_grad_max_norm": 1.0, "clip_grad_norm_type": 2.0}
    optimizer = flow.optim.SGD([group])
    (p * 100).sum().backward()
    optimizer.clip_grad()
    np.testing.assert_allclose(p.grad.numpy(), 0.5, rtol=1e-5)
    assert optimizer.param_groups[0]["lr"] == optimizer.param_groups[0].options["lr"] == 0.5


def test_states_are_saved_and_loaded() -> None:
    def trained(steps: int, state: Any = None) -> tuple[Any, Any]:
        p = flow.nn.Parameter(flow.ones(2) if state is None else state[0])
        optimizer = flow.optim.Adam([p], lr=0.1)
        if state is not None:
            optimizer.load_state_dict(state[1])
        for _ in range(steps):
            optimizer.zero_grad()
            (p * p).sum().backward()
            optimizer.step()
        return p, optimizer.state_dict()

    half = trained(3)
    assert half[1]["state"]["step"] == 3
    whole = trained(6)[0]
    assert trained(3, (flow.tensor(half[0].numpy()), half[1]))[0].tolist() == whole.tolist()


# --- schedules ------------------------------------------------------------------------------------------


def _rates(make: Callable[[Any], Any], steps: int = 5, lr: float = 1.0) -> list[float]:
    optimizer = flow.optim.SGD([flow.nn.Parameter(flow.ones(1))], lr=lr)
    schedule = make(optimizer)
    rates = [optimizer.param_groups[0]["lr"]]
    for _ in range(steps):
        schedule.step()
        rates.append(optimizer.param_groups[0]["lr"])
    return rates


S = flow.optim.lr_scheduler


@pytest.mark.parametrize(
    ("make", "rates"),
    [
        (lambda o: S.StepLR(o, 2, 0.5), [1, 1, 0.5, 0.5, 0.25, 0.25]),
        (lambda o: S.MultiStepLR(o, [1, 3], 0.5), [1, 0.5, 0.5, 0.25, 0.25, 0.25]),
        (lambda o: S.ExponentialLR(o, 0.5), [1, 0.5, 0.25, 0.125, 0.0625, 0.03125]),
        (lambda o: S.ConstantLR(o, 0.5, 2), [0.5, 0.5, 1, 1, 1, 1]),
        (lambda o: S.LinearLR(o, 0.5, total_iters=4), [0.5, 0.625, 0.75, 0.875, 1, 1]),
        (lambda o: S.PolynomialLR(o, 4, 0.2), [1, 0.8, 0.6, 0.4, 0.2, 0.2]),
        (lambda o: S.PolynomialLR(o, 2, 0.0, cycle=True), [0.5, 0.5, 0, 0.25, 0, 1 / 6]),
        (lambda o: S.LambdaLR(o, lambda step: 0.9**step), [0.9**k for k in range(6)]),
        (lambda o: S.CosineDecayLR(o, 2, 0.5), [1, 0.75, 0.5, 0.5, 0.5, 0.5]),
        (lambda o: S.CosineAnnealingLR(o, 2, 0.5), [1, 0.75, 0.5, 0.75, 1, 0.75]),
        (lambda o: S.CosineAnnealingWarmRestarts(o, 2), [1, 0.5, 1, 0.5, 1, 0.5]),
        (lambda o: S.CosineAnnealingWarmRestarts(o, 1, 2, decay_rate=0.5), [1, 0.5, 0.25, 0.25, (1 + math.sqrt(0.5)) / 8, 0.125]),
        (lambda o: S.CosineAnnealingWarmRestarts(o, 2, restart_limit=1, eta_min=0.1), [1, 0.55, 0.1, 0.1, 0.1, 0.1]),
        (lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9)]), [0.1, 0.09, 0.81, 0.729, 0.6561, 0.59049]),
        (lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9)], [2], True), [0.1, 0.1, 1, 0.9, 0.81, 0.729]),
        (lambda o: S.WarmupLR(o, 0.5, 5, "constant"), [0.5] * 5 + [1]),
        (lambda o: S.WarmupLR(o, 0.5, 5), [0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        (lambda o: S.WarmupLR(S.CosineDecayLR(o, 5, 0.1), 0.5, 2), [0.5, 0.5 + (0.689058 - 0.5) / 2, 0.689058, 0.410942, 0.185942, 0.1]),
        (lambda o: S.WarmupLR(S.StepLR(o, 2, 0.5), 0.5, 2, warmup_prefix=True), [0.5, 0.75, 1, 1, 0.5, 0.5]),
    ],
)  # fmt: skip
def test_schedules_follow_their_formulas(make: Callable[[Any], Any], rates: list[float]) -> None:
    np.testing.assert_allclose(_rates(make), rates, rtol=1e-5, atol=1e-12)


def test_verbose_schedules_print_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    _rates(lambda o: S.CosineDecayLR(o, decay_steps=100, alpha=0.98, verbose=True), steps=1, lr=1e-3)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"Last step {k} of {S.CosineDecayLR} adjusting learning rate of param_groups[0] to 0.00100" for k in (0, 1)
    ]
    assert str(S.CosineDecayLR).startswith("<class '")


def test_a_schedule_goes_on_from_its_state() -> None:
    optimizer = flow.optim.SGD([flow.nn.Parameter(flow.ones(1))], lr=1.0)

    def make() -> Any:
        return S.SequentialLR(optimizer, [S.ConstantLR(optimizer, 0.1, 2), S.ExponentialLR(optimizer, 0.9)], [2])

    first = make()
    for _ in range(3):
        first.step()
    state = first.state_dict()
    second = make()
    second.load_state_dict(state)
    second.step()
    assert second.last_step == 4
    assert second.get_last_lr() == [pytest.approx(0.9**4)]


def test_a_plateau_lowers_the_rates(capsys: pytest.CaptureFixture[str]) -> None:
    optimizer = flow.optim.SGD([flow.nn.Parameter(flow.ones(1))], lr=1.0)
    schedule = S.ReduceLROnPlateau(optimizer, "min", factor=0.5, patience=1, verbose=True)
    for loss in (1.0, 1.0, 1.0, 0.5):
        schedule.step(loss)
    assert optimizer.param_groups[0]["lr"] == 0.5
    assert capsys.readouterr().out == "Epoch     3: reducing learning rate of group 0 to 5.0000e-01.\n"


@pytest.mark.parametrize(
    "make",
    [
        lambda o: flow.optim.SGD([], lr=-1.0),
        lambda o: flow.optim.RMSprop([], momentum=0.5),
        lambda o: flow.optim.Adam([], betas=(1.0, 0.9)),
        lambda o: S.StepLR(o, 0),
        lambda o: S.MultiStepLR(o, [3, 1]),
    ],
)
def test_options_that_cannot_be_are_refused(make: Callable[[Any], Any]) -> None:
    with pytest.raises(AssertionError, match=r"Invalid|Not support|must"):
        make(flow.optim.SGD([], lr=0.1))
