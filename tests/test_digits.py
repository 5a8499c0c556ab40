"""The demo's training: both modes give the same losses, and learn."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from jitcore import context

FILE = Path(__file__).parent.parent / "examples" / "digits.py"


@pytest.fixture
def digits(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("digits", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "digits", module)
    spec.loader.exec_module(module)
    return module


def test_both_modes_learn_alike(digits: ModuleType) -> None:
    digits.set_seed(0)
    data = digits.Digits.load(0)
    weights = {name: parameter.asnumpy().copy() for name, parameter in digits.Net().parameters_and_names()}
    context.set_context(mode=context.GRAPH_MODE, jit_syntax_level="STRICT")
    compiled = digits.train("GRAPH", data, weights, 2)
    context.set_context(mode=context.PYNATIVE_MODE)
    eager = digits.train("PYNATIVE", data, weights, 2)
    np.testing.assert_allclose(compiled.losses, eager.losses, rtol=1e-4)
    assert np.mean(compiled.losses[-10:]) < 0.8 * np.mean(compiled.losses[:10])
