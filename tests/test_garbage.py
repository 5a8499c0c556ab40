"""What the garbage collector ends in any order: compiled code that others in the garbage still call, and what the compiler worked with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from garbage_programs import PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_garbage_ends_well(name: str) -> None:
    command = [sys.executable, str(Path(__file__).with_name("garbage_programs.py")), name]
    ended = subprocess.run(command, capture_output=True, timeout=3000, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
