"""Type checkers know what decorated functions take and give: pyright finds what `typing_programs.py` says it finds, and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).with_name("typing_programs.py")


def test_pyright_finds_what_is_wrong_and_nothing_else() -> None:
    pytest.importorskip("pyright", reason="`make types` installs it")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", str(PROGRAMS)]
    run = subprocess.run(command, cwd=PROGRAMS.parent.parent, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stderr  # nothing wrong, something wrong
    found: defaultdict[int, set[str]] = defaultdict(set)
    for diagnostic in json.loads(run.stdout)["generalDiagnostics"]:
        found[diagnostic["range"]["start"]["line"] + 1].add(diagnostic.get("rule", diagnostic["message"]))
    wanted = {
        number: set(rules[1].split())
        for number, line in enumerate(PROGRAMS.read_text().splitlines(), 1)
        if (rules := re.search(r"# error: (.*)", line))
    }
    assert len(wanted) > 20
    assert dict(found) == wanted
