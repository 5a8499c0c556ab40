"""Bars for long work are on terminals alone, and change nothing that is printed."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, bars, nn
from jitcore.bars import bar
from jitcore.config import settings
from jitcore.train import LossMonitor, Model

pytest.importorskip("tqdm")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "AFTER", 0.0)
    monkeypatch.setattr(settings, "progress", True)


def rows() -> list[tuple[Tensor, Tensor]]:
    return [(Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 1), np.float32)))] * 4


def trained(stream: io.StringIO, data: Any) -> str:
    """What training prints, with this as stderr."""
    net = nn.Dense(3, 1, weight_init="ones")
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(stream):
        model.train(2, data, callbacks=[LossMonitor()])
    return printed.getvalue()


def test_training_shows_a_bar_on_a_terminal_alone() -> None:
    terminal, file = Terminal(), io.StringIO()
    on_terminal, elsewhere = trained(terminal, rows()), trained(file, rows())
    assert on_terminal == elsewhere
    assert on_terminal.count("loss is") == 8
    assert not file.getvalue()
    shown = terminal.getvalue()
    assert "epoch 1 of 2" in shown
    assert "epoch 2 of 2" in shown
    assert "/4" in shown
    assert not shown.rpartition("\r")[0].rpartition("\r")[2].strip()  # it is gone at the end


def test_a_dataset_of_unknown_length() -> None:
    terminal = Terminal()
    net = nn.Dense(3, 1)
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01))
    with contextlib.redirect_stderr(terminal):
        model.train(1, (row for row in rows()))
    assert "epoch 1 of 1" in terminal.getvalue()
    assert "/1" not in terminal.getvalue()


@pytest.mark.parametrize("without", ["tqdm", "setting"])
def test_there_is_none_without(without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if without == "tqdm":
        monkeypatch.setitem(sys.modules, "tqdm", None)
    else:
        monkeypatch.setattr(settings, "progress", False)
    terminal = Terminal()
    assert trained(terminal, rows()).count("loss is") == 8
    assert not terminal.getvalue()


def test_it_goes_when_the_work_fails() -> None:
    terminal = Terminal()

    def work() -> None:
        with bar("work", 10) as shown:
            shown.advance()
            raise KeyboardInterrupt

    with contextlib.redirect_stderr(terminal), pytest.raises(KeyboardInterrupt):
        work()
    assert "work" in terminal.getvalue()
    assert not terminal.getvalue().rpartition("\r")[0].rpartition("\r")[2].strip()
