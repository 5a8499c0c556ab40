"""Paddle's optimizers and schedules do what Paddle 3.3.1's do: recorded facts (`recording_training.py`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from training_cases import OPTIMIZERS, runs

FACTS = {
    fact["case"]: fact
    for fact in map(json.loads, Path(__file__).with_name("training_facts.jsonl").read_text().splitlines())
}


@pytest.fixture(scope="module")
def paddle() -> Any:
    import paddle as ours

    return ours


def close(have: Any, want: Any, where: str) -> None:
    if isinstance(want, dict):
        assert list(have) == list(want), where
        for name, value in want.items():
            close(have[name], value, f"{where} {name}")
    elif isinstance(want, list):
        assert have == pytest.approx(want, rel=2e-5, abs=2e-6), where
    elif isinstance(want, float):
        assert have == pytest.approx(want, rel=1e-6, abs=1e-9), where
    else:
        assert have == want, where


@pytest.mark.parametrize(("run", "text"), runs(), ids=lambda v: v if isinstance(v, str) else "")
def test_does_what_paddle_does(run: Any, text: str, paddle: Any) -> None:
    have, want = run(text, paddle), FACTS[text]
    if text in OPTIMIZERS:
        for k, (a, b) in enumerate(zip(have.pop("parameters"), want["parameters"], strict=True)):
            close(a, b, f"parameter {k}")
    for part, value in have.items():
        close(value, want[part], part)
