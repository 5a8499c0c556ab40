"""Schedules set the rates that PyTorch's set, by recorded facts."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest
from training import BAD_SCHEDULES, FACTS, PLATEAUS, SCHEDULES, plateau, rates, refused_schedule

from jitcore.compat import torch as compat

RECORDED = json.loads(FACTS.read_text())
TEXTS = [text for texts in SCHEDULES.values() for text in texts]


@pytest.fixture(scope="module")
def torch() -> Any:
    compat.install()
    import torch as ours
    import torch.nn
    import torch.optim.lr_scheduler

    yield ours
    compat.uninstall()


@pytest.mark.parametrize("text", TEXTS)
def test_rates_of_each_epoch(text: str, torch: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        have = rates(torch, text)
    np.testing.assert_allclose(have, RECORDED[text], rtol=1e-12, atol=1e-15)


def test_cycles_move_adams_first_beta(torch: Any) -> None:
    have = rates(torch, SCHEDULES["cosines and cycles"][4], adam=True)
    np.testing.assert_allclose(have, RECORDED["Adam's beta"], rtol=1e-12)


@pytest.mark.parametrize("text", PLATEAUS)
def test_plateaus(text: str, torch: Any) -> None:
    np.testing.assert_allclose(plateau(torch, text), RECORDED[text], rtol=1e-12)


@pytest.mark.parametrize("text", BAD_SCHEDULES)
def test_what_cannot_be_is_refused_in_pytorchs_words(text: str, torch: Any) -> None:
    kind, words = refused_schedule(torch, text)
    assert kind == RECORDED[text][0]
    assert words[:60] == RECORDED[text][1][:60]


def _one(torch: Any) -> Any:
    return torch.optim.SGD([torch.nn.Parameter(torch.ones(2))], lr=0.1)


def test_a_step_before_the_optimizers_is_warned_of(torch: Any) -> None:
    schedule = torch.optim.lr_scheduler.StepLR(_one(torch), 2)
    with pytest.warns(UserWarning, match=r"before `optimizer.step\(\)`"):
        schedule.step()


def test_get_lr_outside_of_a_step_is_warned_of(torch: Any) -> None:
    schedule = torch.optim.lr_scheduler.StepLR(_one(torch), 2)
    with pytest.warns(UserWarning, match="get_last_lr"):
        schedule.get_lr()


def test_a_rate_that_is_a_tensor_is_written_to(torch: Any) -> None:
    rate = torch.tensor(0.5)
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(2))], lr=rate)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    optimizer.step()
    schedule.step()
    assert optimizer.param_groups[0]["lr"] is rate
    assert float(rate) == 0.25


def test_schedules_of_ones_own(torch: Any) -> None:
    class Halving(torch.optim.lr_scheduler.LRScheduler):
        def get_lr(self) -> list[float]:
            return [base * 0.5**self.last_epoch for base in self.base_lrs]

    optimizer = _one(torch)
    schedule = Halving(optimizer)
    for _ in range(3):
        optimizer.step()
        schedule.step()
    assert schedule.get_last_lr() == [0.0125]
