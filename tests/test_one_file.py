"""What is added to jitcore is one file: an elementwise operation, a reduction, a layer, an optimizer, a pass, a construct."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = {
    "absolute_log": "library/math",
    "sum_of_squares": "library/statistics",
    "centred": "nn",
    "signed": "nn",
    "square_roots": "passes",
    "traces": "frontend/desugar",
}


def test_each_part_needs_one_file(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "jitcore", tmp_path / "jitcore", ignore=shutil.ignore_patterns("__pycache__"))
    for name, place in PLACES.items():
        shutil.copy(ROOT / "tests" / "one_file" / f"{name}.py", tmp_path / "jitcore" / place)
    program = ROOT / "tests" / "one_file" / "program.py"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "JITCORE_CACHE_DIR": "off", "JITCORE_VERIFY": "1"}
    ran = subprocess.run(
        [sys.executable, str(program)], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "all run\n"
