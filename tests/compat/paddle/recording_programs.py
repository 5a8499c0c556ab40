"""Writes down what the scripts print under Paddle 3.3.1: run it where Paddle is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent / "scripts"

if __name__ == "__main__":
    for script in sorted(SCRIPTS.glob("*.py")):
        if len(sys.argv) < 2 or script.stem in sys.argv[1:]:
            done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
            script.with_suffix(".txt").write_text(done.stdout)
