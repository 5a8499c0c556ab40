"""The benchmark of first calls: its programs are what it says, and what fails is told. No times are judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from jitcore import nn
from jitcore.nn import grouped

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER / "compile_times.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_program_is_measured_beside_another_checkout(tmp_path: Path) -> None:
    file = tmp_path / "samples.json"
    done = run(
        "--programs", "11 parameters SGD", "--baseline", str(FOLDER.parent), "--json", str(file), "--timeout", "1200"
    )
    assert done.returncode == 0, done.stderr
    assert "geometric mean of 1 ratios" in done.stdout
    ours, theirs = json.loads(file.read_text())["11 parameters SGD"]
    for measured in (ours, theirs):
        assert measured["parameters"] == 11
        assert measured["regions"] == 0
        assert len(measured["seconds"]) == 1
        assert measured["error"] == ""


def test_what_takes_too_long_is_told() -> None:
    done = run("--programs", "mlp SGD", "--timeout", "0.01")
    assert done.returncode == 1
    assert "mlp SGD: over 0.01 s" in done.stderr


def test_there_is_every_optimizer_and_network() -> None:
    from compile_programs import EVERY, PROGRAMS, corpus, training

    assert len(PROGRAMS) >= 60
    assert len(EVERY) >= len(training.NETWORKS) * len(training.OPTIMIZERS)
    named = {name.rpartition(".")[2] for name in training.OPTIMIZERS}
    for module, base in ((nn, nn.Optimizer), (grouped, grouped.Optimizer)):
        kinds = {k for k, v in vars(module).items() if isinstance(v, type) and issubclass(v, base) and v is not base}
        assert kinds - {"Ftrl"} <= named  # Ftrl is FTRL's other name
    for name in corpus.NAMES:
        corpus.prepare(name).call()


def test_functions_compute_what_they_should() -> None:
    from compile_programs import functions

    assert functions.sort([3, 1, 2, 1]) == [1, 1, 2, 3]
    assert functions.hanoi(3) == (7, [], [], [3, 2, 1])
    assert functions.leaves_of(functions.tree_of((2, 2, 2, 2, 3))) == 48 * 3.0
    assert functions.edit_distance("kitten", "sitting") == 3
    assert functions.dijkstra([[(1, 2.0), (2, 5.0)], [(2, 1.0)], []], 0) == [0.0, 2.0, 3.0]
