"""A fixed-seed slice of AutoTest over the operators of PyTorch's front, where PyTorch is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
RUN = ROOT / "tests" / "autotest" / "operators" / "run.py"


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed: make autotest has it")
@pytest.mark.parametrize(
    "operators", ["^torch.(sum|matmul|add|max|cat|where)$", "^F.(mse_loss|conv2d|softmax)$", "^nn.Linear$"]
)
def test_operators_do_what_pytorch_does(operators: str) -> None:
    few = ["--cases", "6", "--specialisations", "3", "--workers", "1"]
    run = subprocess.run(
        [sys.executable, str(RUN), *few, "--state", "", "--only", operators],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
