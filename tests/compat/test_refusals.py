"""Refused and odd programs raise what they raise under MindSpore 2.10: the same class, the same first line; or give the same value.

`refusals/*.py` are the programs, `refusals/facts/*.txt` what MindSpore makes of them (`refusals/record.py` writes it), `refusals/differing.txt` those that
are known to differ here.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compat.refusals import record

DIFFERING = set((record.HERE / "differing.txt").read_text().split())


def _comparable(outcome: str) -> str:
    """An outcome without addresses, the folder of a file, and the numbers that MindSpore gives to functions."""
    outcome = re.sub(r"(?<=In file )\S*/", "", outcome)
    return re.sub(r"0x[0-9a-f]+|::\d{9,}|(?<=unction:)(\w+?)_\d+\b", r"\1@", outcome)


@pytest.fixture(scope="module")
def forking() -> Iterator[subprocess.Popen[str]]:
    """A process whose forks run the modules."""
    command = [sys.executable, "-m", "jitcore.compat.mindspore", str(record.HERE / "forked.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.mark.parametrize("module", record.MODULES)
def test_outcomes_are_mindspores(module: str, forking: subprocess.Popen[str], tmp_path: Path) -> None:
    def run(module: Path, done: int) -> tuple[int, str, str]:
        assert forking.stdin is not None
        assert forking.stdout is not None
        print(json.dumps([str(module), done, str(tmp_path)]), file=forking.stdin, flush=True)
        code = int(forking.stdout.readline())
        return code, (tmp_path / "printed").read_text(), (tmp_path / "complaints").read_text()

    facts = record.read(record.HERE / "facts" / f"{module}.txt")
    found = record.outcomes(run, record.HERE / f"{module}.py")
    assert found.keys() == facts.keys()
    same = {name for name, outcome in found.items() if _comparable(outcome) == _comparable(facts[name])}
    wrong = [f"{n}: {found[n]}, not {facts[n]}" for n in facts if n not in same and f"{module}.{n}" not in DIFFERING]
    assert not wrong, "\n".join(wrong)
    mended = [name for name in same if f"{module}.{name}" in DIFFERING]
    assert not mended, f"no longer differ: {mended}"


_SCRIPT = """
from mindspore import Tensor, context, nn

class Net(nn.Cell):
    def construct(self, x):
        while x < 3:
            x = x + 1
        else:
            x = x + 10
        return x

print(Net()(Tensor(1)))
context.set_context(mode=context.GRAPH_MODE)
try:
    Net()(Tensor(1))
except RuntimeError as error:
    print(error)
"""


def test_cells_are_refused_in_a_mode_that_was_chosen(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    command = [sys.executable, "-m", "jitcore.compat.mindspore", str(script)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["13", "The 'while...else...' statement is not supported now."]


_TOO_FEW = """
from mindspore import Tensor, context, jit, ops
import numpy as np

context.set_context(mode=context.GRAPH_MODE)
x = Tensor(np.ones((2, 3)))
calls = {
    "reshape": lambda x: x.reshape(), "expand_dims": lambda x: x.expand_dims(), "Reshape": lambda x: ops.Reshape()(x),
    "Gather": lambda x: ops.Gather()(x), "Split": lambda x: ops.split(x), "MatMul": lambda x: ops.MatMul()(x),
    "Concat": lambda x: ops.Concat()(), "Tile": lambda x: ops.Tile()(x), "BroadcastTo": lambda x: x.broadcast_to(),
}
for name, call in calls.items():
    try:
        jit(call)(x)
        print(name, "is taken")
    except (TypeError, ValueError, RuntimeError, KeyError) as error:
        print(name, "InternalError" if type(error).__name__ == "InternalError" else "refused")
"""


def test_operands_that_are_left_out_are_no_internal_error(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_TOO_FEW)
    command = [sys.executable, "-m", "jitcore.compat.mindspore", str(script)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert {line.partition(" ")[2] for line in run.stdout.splitlines()} == {"refused"}, run.stdout
