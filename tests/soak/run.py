"""Runs fault and soak tests again and again, each with a new seed in a process of its own.

    python tests/soak/run.py --seconds 1800 --seed 1 --only forks signals_at_random_times

Prints each scenario, its seed and how long it took, and every fault with what to run to see it again. The exit code is 1 if
there was any.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parent), str(_HERE.parent.parent)]

from soak.scenarios import SCENARIOS  # noqa: E402  the folders are on the path only now

HANGS = 1200
"""Seconds after which a scenario is taken to hang."""


def run(name: str, seed: str) -> str | None:
    """Run one scenario; what went wrong, if anything did."""
    command = [sys.executable, str(_HERE / "scenarios.py"), name, seed]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)
    except subprocess.TimeoutExpired:
        return f"it hangs (over {HANGS} s)"
    if ended.returncode:
        return f"exit code {ended.returncode}\n{ended.stderr[-4000:]}"
    return None


def main() -> int:
    names = [scenario.__name__ for scenario in SCENARIOS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1800, help="no scenario is begun later (default 1800)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first round (default: the time)")
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="some of the scenarios")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.seconds:g} s", flush=True)
    started, faults, done, number = time.monotonic(), 0, Counter[str](), 0
    while time.monotonic() - started < options.seconds:
        name, seed = options.only[number % len(options.only)], f"{options.seed}.{number // len(options.only)}"
        began = time.monotonic()
        fault = run(name, seed)
        print(f"{'FAULT' if fault else 'ok'} {name} {seed}: {time.monotonic() - began:.1f} s", flush=True)
        if fault:
            print(f"{fault}\nagain: python tests/soak/scenarios.py {name} {seed}", flush=True)
        faults += fault is not None
        done[name] += 1
        number += 1
    print(", ".join(f"{name} {count}" for name, count in done.items()))
    print(f"{faults} faults in {sum(done.values())} runs")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
