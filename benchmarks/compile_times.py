"""What first calls take before they start to run: `python benchmarks/compile_times.py [--programs …] [--baseline CHECKOUT]`.

Each program is measured in a process of its own, without the cache of objects on disk and with an empty cache folder: the time
of its first call less that of a later one, the import of jitcore and the making of weights not counted. The table has the
medians over the rounds, the Parameters that are trained, and the regions that the interpreter runs. With `--baseline` the
same programs are measured with the jitcore of another checkout, taking turns; then come the ratio and the ratios' geometric mean.
"""

from __future__ import annotations

import argparse
import difflib
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HERE), str(HERE / "benchmarks")]

from compile_programs import EVERY, PROGRAMS  # noqa: E402  the folder is on the path only now


@dataclass
class Measured:
    """What one checkout gave for one program."""

    seconds: list[float] = field(default_factory=list)
    parameters: int = 0
    regions: int = 0
    error: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    checkouts = [HERE, *([options.baseline.resolve()] if options.baseline else [])]
    rows: dict[str, list[Measured]] = {}
    _print_head(options)
    for name in options.programs:
        row = rows[name] = [Measured() for _ in checkouts]
        for _ in range(options.rounds):
            for checkout, measured in zip(checkouts, row, strict=True):
                if not measured.error:
                    _take(measured, name, checkout, options)
        print(_row_text(name, row), flush=True)
    _print_summary(rows, options)
    if options.json is not None:
        plain = {name: [vars(m) for m in row] for name, row in rows.items()}
        options.json.write_text(json.dumps(plain, indent=1))
    return 1 if any(_failure(name, row[0]) for name, row in rows.items()) else 0


def _known(name: str) -> str:
    if name not in EVERY:
        near = difflib.get_close_matches(name, EVERY, 3)
        raise argparse.ArgumentTypeError(f"no program {name!r}" + (f"; there are {', '.join(near)}" if near else ""))
    return name


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What first calls take before they start to run.",
                                     epilog="programs:\n" + "\n".join(f"  {name}" for name in PROGRAMS),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--programs", nargs="+", type=_known, default=list(PROGRAMS), metavar="NAME",
                        help="those below, or any network with any optimizer: 'transformer Lamb'")  # fmt: skip
    parser.add_argument("--every", action="store_const", const=list(EVERY), dest="programs",
                        help="also every network with every optimizer")  # fmt: skip
    parser.add_argument("--baseline", type=Path, metavar="CHECKOUT", help="another checkout to compare with")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="(default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=1, help="processes for each (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="for each process, import included (default: %(default)s)")  # fmt: skip
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples to this file")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    return options


def _take(measured: Measured, name: str, checkout: Path, options: argparse.Namespace) -> None:
    """One sample, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(checkout), "XDG_CACHE_HOME": folder, "JITCORE_CACHE_DIR": "off"}
        for name_ in ("PYTHONDONTWRITEBYTECODE", "JITCORE_VERIFY"):
            environment.pop(name_, None)
        command = [sys.executable, str(HERE / "benchmarks" / "compile_worker.py"), name]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=options.timeout, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            measured.error = f"over {options.timeout:g} s"
            return
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        measured.error = lines[-1] if lines else f"the process ended with {done.returncode}"
        return
    answer: dict[str, Any] = json.loads(done.stdout)
    measured.seconds.append(answer[options.clock])
    measured.parameters, measured.regions = answer["parameters"], answer["regions"]


# --- the table ------------------------------------------------------------------------------------------


def _print_head(options: argparse.Namespace) -> None:
    print(f"{'program':<28}{'seconds':>10}{'parameters':>12}{'regions':>9}", end="")
    print(f"{'baseline':>12}{'regions':>9}{'ratio':>8}" if options.baseline else "")


def _row_text(name: str, row: Sequence[Measured]) -> str:
    ours = row[0]
    text = f"{name:<28}{_seconds(ours):>10}{ours.parameters or '–':>12}{ours.regions:>9}"
    if len(row) > 1:
        ratio = _ratio(row)
        text += f"{_seconds(row[1]):>12}{row[1].regions:>9}{f'{ratio:.2f}' if ratio is not None else '–':>8}"
    return text + "".join(f"  {m.error}" for m in row if m.error)


def _seconds(measured: Measured) -> str:
    return "error" if measured.error else f"{measured.median:.3f}"


def _ratio(row: Sequence[Measured]) -> float | None:
    return None if any(m.error for m in row) else row[0].median / row[1].median


def _failure(name: str, measured: Measured) -> str:
    if measured.error:
        return measured.error
    return "a region" if measured.regions and EVERY[name].whole else ""


def _print_summary(rows: dict[str, list[Measured]], options: argparse.Namespace) -> None:
    times = {name: row[0].median for name, row in rows.items() if not row[0].error}
    if times:
        slowest = max(times, key=lambda name: times[name])
        print(f"\n{len(rows)} programs, {options.clock} seconds; the longest: {slowest}, {times[slowest]:.2f}")
    ratios = [r for row in rows.values() if len(row) > 1 and (r := _ratio(row)) is not None]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of {len(ratios)} ratios: {mean:.3f}")
    for name, row in rows.items():
        if failure := _failure(name, row[0]):
            print(f"{name}: {failure}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
