"""Scripts of OneFlow's documents run as they are."""

from __future__ import annotations

import re
import subprocess
import sys
import unittest
from pathlib import Path

import oneflow as flow
import pytest
from cifar import write_cifar10

SCRIPTS = Path(__file__).parent / "scripts"
REPOSITORY = Path(__file__).parents[3]


@pytest.mark.parametrize("name", ["eager_cifar10", "graph_cifar10"])
def test_a_network_is_trained_on_cifar10(tmp_path: Path, name: str) -> None:
    write_cifar10(tmp_path / "data", 65)
    script = tmp_path / "train.py"
    script.write_text((SCRIPTS / f"{name}.txt").read_text())
    command = [sys.executable, "-m", "jitcore.compat.oneflow", str(script)]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env={"PYTHONPATH": str(REPOSITORY)}
    )
    assert run.returncode == 0, run.stderr
    device, epoch, dashes, *losses = run.stdout.splitlines()
    assert (device, epoch, dashes) == ("Using cpu device", "Epoch 1", "-" * 31)
    found = [re.fullmatch(r"loss: (\d\.\d{6})  \[( *\d+)/( *\d+)\]", line) for line in losses]
    assert [(m[2], m[3]) for m in found if m] == [("    0", "  325"), ("  320", "  325")]
    assert found[0]
    assert 6.6 <= float(found[0][1]) <= 7.3


def test_a_saved_graph_goes_on_in_another_process(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "jitcore.compat.oneflow", str(SCRIPTS / "resumed.py"), str(tmp_path / "state")]
    losses = []
    for more in ([], ["resumed"]):
        run = subprocess.run(
            [*command, *more], capture_output=True, text=True, check=False, env={"PYTHONPATH": str(REPOSITORY)}
        )
        assert run.returncode == 0, run.stderr
        losses.append(run.stdout.split())
    assert len(losses[0]) == 5
    assert losses[0] == losses[1]


def test_test_cases_that_need_more_machines_are_skipped() -> None:
    @flow.unittest.skip_unless_1n1d()
    class One(flow.unittest.TestCase):
        def test(test_case):
            assert flow.ones(2).sum().item() == 2

    @flow.unittest.skip_unless_1n2d()
    class Two(flow.unittest.TestCase):
        def test(test_case):
            raise AssertionError

    ran, skipped = (unittest.TestResult() for _ in range(2))
    unittest.defaultTestLoader.loadTestsFromTestCase(One).run(ran)
    unittest.defaultTestLoader.loadTestsFromTestCase(Two).run(skipped)
    assert (ran.testsRun, ran.wasSuccessful(), len(ran.skipped)) == (1, True, 0)
    assert (skipped.wasSuccessful(), len(skipped.skipped)) == (True, 1)


_TAKEN_AWAY = """
from jitcore.compat import oneflow as compat
compat.install()
import oneflow, flowvision
compat.uninstall()
assert not compat.is_installed()
try:
    import oneflow
except ModuleNotFoundError:
    print("gone")
"""


def test_it_can_be_taken_away_again(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _TAKEN_AWAY]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env={"PYTHONPATH": str(REPOSITORY)}
    )
    assert run.stdout == "gone\n", run.stderr
