"""MindSpore's tutorial on its two modes runs and prints what it prints there, in both modes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("mode", ["GRAPH_MODE", "PYNATIVE_MODE"])
def test_tutorial(mode: str) -> None:
    script = ROOT / "tests" / "mindspore_tutorial.py"
    made = subprocess.run(
        [sys.executable, "-W", "error", str(script), mode],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**__import__("os").environ, "PYTHONPATH": str(ROOT)},
    )
    assert made.returncode == 0, made.stderr
    lines = made.stdout.splitlines()
    assert lines[0] == "(1, 4, 5, 5)"
    assert lines[1:4] == ["[[3. 3. 3.]", " [3. 3. 3.]", " [3. 3. 3.]]"]
    assert lines[4] == "[ 4. 10. 18.]"
    assert lines[5:9] == ["[[2. 2. 2. 2.]", " [2. 2. 2. 2.]", " [2. 2. 2. 2.]", " [2. 2. 2. 2.]]"]
    assert lines[9] == "(2, 4, 3, 3)"
    assert float(lines[10]) == pytest.approx(2.3026, abs=0.002)
    assert lines[11] == "[1 2 3]"
