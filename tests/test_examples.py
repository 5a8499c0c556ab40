"""The examples train: their losses fall, and are the same line by line and compiled."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
EXAMPLES = {
    "oneflow_mobilenet": (3, 16),
    "oneflow_resnet": (4, 8),
    "torch_lstm": (20, 16),
    "torch_transformer": (10, 8),
    "oneflow_vae": (40, 64),
}
"""How many steps they are given, of how many samples each."""

_NUMBER = r"(\d+\.\d+(?:e[+-]\d+)?)"
_PRINTED = re.compile(
    rf"largest relative difference of the losses in float64: {_NUMBER}\n"
    rf"loss {_NUMBER} at first, {_NUMBER} at last\n"
    rf"eager {_NUMBER} ms, graph {_NUMBER} ms a step; first graph call {_NUMBER} s\n"
)


def test_all_examples_of_the_frameworks_are_tested() -> None:
    assert {file.stem for file in (REPOSITORY / "examples").glob("*_*.py")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_trains_alike_in_both_modes(name: str) -> None:
    framework = name.partition("_")[0]
    steps, batch = EXAMPLES[name]
    command = [sys.executable, "-W", "error", "-m", f"jitcore.compat.{framework}", f"examples/{name}.py"]
    options = ["--steps", str(steps), "--batch", str(batch)]
    run = subprocess.run([*command, *options], capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert (run.returncode, run.stderr) == (0, "")
    found = _PRINTED.fullmatch(run.stdout)
    assert found is not None, run.stdout
    difference, first, last = (float(n) for n in found.groups()[:3])
    assert difference <= 1e-6
    assert last < first
