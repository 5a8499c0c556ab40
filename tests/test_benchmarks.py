"""The benchmark harness: that it measures, compares results, and reports what goes wrong. No times are judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent.parent / "benchmarks" / "run.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(RUN), *arguments], capture_output=True, text=True, check=False)


def test_peers_are_measured_and_their_results_agree(tmp_path: Path) -> None:
    file = tmp_path / "samples.json"
    done = run("--workloads", "call", "--peers", "jitcore", "numpy", "--rounds", "2", "--json", str(file))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("workload")
    samples = json.loads(file.read_text())
    for peer in ("jitcore", "numpy"):
        assert len(samples["call"][peer]["seconds"]) == 2
        assert samples["call"][peer]["error"] == ""


def test_operators_line_by_line_agree_with_numpy() -> None:
    done = run("--workloads", "eager_chain", "eager_reduction", "--peers", "jitcore", "numpy", "--rounds", "1")
    assert done.returncode == 0, done.stdout + done.stderr


def test_containers_are_compared_exactly() -> None:
    done = run("--workloads", "box_lru", "--peers", "jitcore", "python", "--rounds", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("box_lru ")]
    assert "error" not in row


@pytest.mark.usefixtures("strict")
def test_programs_with_containers_are_whole_in_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RUN.parent))
    from workloads import containers

    for case in containers.CASES:
        workload, arguments = case.workload(), case.arguments(min(case.size, 40))
        compiled, plain = (workload.saved(workload.peers[peer](arguments)()) for peer in ("jitcore", "python"))
        assert workload.agree(compiled, plain), case.name


def test_the_help_lists_the_workloads() -> None:
    done = run("--help")
    assert done.returncode == 0
    for name in (
        "call",
        "chain",
        "chain_first",
        "lenet_step",
        "import",
        "scalar_loop",
        "matmul",
        "eager_add",
        "eager_lenet",
        "box_words",
    ):
        assert f"  {name} " in done.stdout


def test_an_unknown_workload_is_a_usage_error() -> None:
    done = run("--workloads", "nothing")
    assert done.returncode == 2
    assert "invalid choice: 'nothing'" in done.stderr
