"""The logger `jitcore`."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from jitcore import FallbackWarning, PerformanceWarning, jit


def messages(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.name == "jitcore" and r.levelno == level]


def test_what_is_compiled_and_why(caplog: pytest.LogCaptureFixture) -> None:
    @jit
    def f(x: Any, k: int) -> Any:
        return (x * k).sum()

    with caplog.at_level(logging.INFO, "jitcore"):
        for n in (3, 4, 5):
            f(np.ones(n), 2)
    first, second = messages(caplog, logging.INFO)
    assert first.startswith("compiled f(f64[3], int) in ")
    assert first.endswith(" s: the first call with arguments of these types")
    assert second.endswith("axis 0 of array 0 had extent 3, now 4: it is symbolic from here on")
    assert not messages(caplog, logging.DEBUG)


def test_what_stages_take(caplog: pytest.LogCaptureFixture) -> None:
    def g(x: Any) -> Any:
        return x + 1

    with caplog.at_level(logging.DEBUG, "jitcore"):
        jit(g)(1.0)
    stages = [m.split(": ")[1].split(" took")[0] for m in messages(caplog, logging.DEBUG) if m.startswith("g: ")]
    assert stages[0] == "infer"
    assert {"inline", "fold", "fuse", "plan"} <= set(stages)
    assert stages[-1] == "machine code"


def test_what_the_interpreter_runs(caplog: pytest.LogCaptureFixture) -> None:
    @jit
    def f(x: Any) -> Any:
        return eval("x") + os.getpid()

    with pytest.warns(FallbackWarning):
        f(1)
    (message,) = messages(caplog, logging.WARNING)
    assert "runs in the interpreter" in message

    @jit
    def g(x: Any) -> Any:
        for _ in range(2):
            x = np.linalg.solve(x, x)
        return x

    with pytest.warns(PerformanceWarning):
        g(np.eye(2))
    assert "calls Python in loops" in messages(caplog, logging.WARNING)[-1]


SCRIPT = """
import sys
{first}
import numpy as np
from jitcore import jit
f = jit(lambda x: x + eval("x"))
f(1)
print("logging" in sys.modules)
"""


@pytest.mark.parametrize(
    ("first", "said", "loaded"),
    [("", False, "False"), ("import logging", False, "True"), ("import logging; logging.basicConfig()", True, "True")],
)
def test_it_is_silent_unless_it_was_set_up(first: str, said: bool, loaded: str, tmp_path: Any) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(first=first))
    done = subprocess.run([sys.executable, "-W", "ignore", str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == f"{loaded}\n"
    assert ("WARNING:jitcore:" in done.stderr) == said
    assert said or not done.stderr
