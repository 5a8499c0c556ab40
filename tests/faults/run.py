"""Puts faults into gradient rules, kernels and passes, one at a time in a copy, and says which tests notice.

    python -m tests.faults.run                       # 100 faults; goes on where it stopped
    python -m tests.faults.run --faults 300 --seed 2
    python -m tests.faults.run --only passes/cse --again      # those of some places; survivors once more
    python -m tests.faults.run --show 'passes/cse'            # a fault's change and its tests, nothing is run

Faults are drawn by the seed from all places (`mutations`), at most one of a function, in an order that changes of other
functions leave as it is. First it is learnt which lines the tests of `test_files.txt` execute, which takes an hour
or so and needs `coverage`; the tests of a fault are quick ones that execute it (delete what `build/faults/lines` has of a
file of tests to have it looked at again). A fault that none of them notices survives: write a test that notices it, or,
if nothing can, put its name and the reason into `equivalent.txt`, and another is drawn in its place.
The exit code is 1 if any survived.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import cycle
from pathlib import Path

from tests.faults.executed_lines import ExecutedLines
from tests.faults.faulty_copy import FaultyCopy, Outcome
from tests.faults.mutations import RULES, Fault, faults_of

ROOT = Path(__file__).resolve().parents[2]
STATE = ROOT / "build/faults"
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
TESTS = Path(__file__).with_name("test_files.txt")
_LEARNING = 200.0
"""Seconds after which no more tests of a file are looked at."""

FOLDERS = (
    "jitcore/primitives/ops",
    "jitcore/passes",
    "backends/llvm/kernels",
    "backends/llvm/contraction",
    "backends/llvm/math",
)
_SPARED = re.compile(
    r"passes/infer/engine/(budget|dialect|failures|notes|objections|refusal)\.py|passes/infer/domain/type_names\.py"
    r"|llvm/contraction/blocking\.py"
)
"""Files that say what is wrong with a program, or how much work is worth doing."""
_DERIVATIVE = re.compile(rf"vjp|jvp|transpose|partial|derivative|cotangent|tangent|pullback|share|{'|'.join(RULES)}")
_TURNS = (
    "gradients",
    "kernels",
    "passes",
    "gradients",
    "kernels",
    "inference",
    "gradients",
    "kernels",
    "passes",
    "inference",
)
"""The groups that faults are drawn from, in turn."""


def group(fault: Fault) -> str:
    """What a fault is in: `gradients`, `kernels`, `passes` or `inference`."""
    if re.match("jitcore/passes/transforms/(grad|jvp)/", fault.file):
        return "gradients"
    if fault.file.startswith("jitcore/passes/infer/"):
        return "inference"
    if fault.file.startswith("jitcore/passes/"):
        return "passes"
    of_rule = fault.file.startswith("jitcore/primitives/") and _DERIVATIVE.search(fault.function)
    return "gradients" if of_rule else "kernels"


def all_faults(root: Path) -> Iterator[Fault]:
    """Every fault of the checkout at `root`."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            if not _SPARED.search(file):
                yield from faults_of(path.read_text(), file)


def drawn(faults: Iterable[Fault], seed: int) -> Iterator[Fault]:
    """Faults of all groups in turn, in an order that the seed says, one of a function, until a group has no more."""
    order = {name: list[Fault]() for name in dict.fromkeys(_TURNS)}
    taken: set[tuple[str, str]] = set()
    for fault in sorted(faults, key=lambda f: hashlib.sha256(f"{seed} {f.key}".encode()).digest()):
        if (fault.file, fault.function) not in taken:
            taken.add((fault.file, fault.function))
            order[group(fault)].append(fault)
    waiting = {name: iter(found) for name, found in order.items()}
    for name in cycle(_TURNS):
        fault = next(waiting[name], None)
        if fault is None:
            return
        yield fault


def equivalent() -> dict[str, str]:
    """The faults that nothing can notice, with the reasons."""
    found: dict[str, str] = {}
    key = ""
    for line in EQUIVALENT.read_text().splitlines():
        if line.startswith("    "):
            found[key] = f"{found[key]} {line.strip()}".strip()
        elif line and not line.startswith("#"):
            key = line
            found[key] = ""
    return found


class Record:
    """What has been found, in a file that keeps it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.outcomes: dict[str, Outcome] = {}
        for line in file.read_text().splitlines() if file.exists() else ():
            entry = json.loads(line)
            self.outcomes[entry["key"]] = Outcome(entry["state"], entry["by"], entry["text"])

    def add(self, fault: Fault, outcome: Outcome) -> None:
        """Write it down; what was found of the fault before no longer counts."""
        self.outcomes[fault.key] = outcome
        with self.file.open("a") as stream:
            stream.write(json.dumps({"key": fault.key, **asdict(outcome)}) + "\n")


def learn(copy: FaultyCopy, lines: Path) -> None:
    """Learn which lines the tests execute, of those files of tests that this is not known of."""
    lines.mkdir(parents=True, exist_ok=True)
    for name in TESTS.read_text().split():
        file = lines / f"{Path(name).stem}.json"
        if not file.exists():
            began = time.monotonic()
            copy.learn_lines(name, FOLDERS, file, _LEARNING)
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)


def examined(fault: Fault, copy: FaultyCopy, lines: ExecutedLines) -> Outcome:
    """What the tests of a fault say of it."""
    tests = lines.tests(fault)
    with copy.planted(fault):
        return copy.outcome(tests)


def row(fault: Fault, outcome: Outcome) -> str:
    """A line of the table."""
    what = f"{fault.file}:{fault.line} {fault.function}: {fault.before} -> {fault.after}"
    return f"{outcome.state:9} {what}\n{'':9} {outcome.by} {outcome.text}"


def shown(faults: Iterable[Fault], pattern: str, lines: ExecutedLines) -> None:
    """Print the faults whose names match, with their tests."""
    for fault in faults:
        if re.search(pattern, fault.key):
            print(fault.key, f"line {fault.line}", *lines.tests(fault), sep="\n    ")


def run(options: argparse.Namespace, copy: FaultyCopy) -> Counter[str]:
    """Examine faults until there are as many as asked for; how many ended how."""
    record, none = Record(STATE / "state.jsonl"), equivalent()
    learn(copy, STATE / "lines")
    lines = ExecutedLines(copy.folder, STATE / "lines")
    counts: Counter[str] = Counter()
    for fault in drawn(all_faults(copy.folder), options.seed):
        if sum(counts.values()) == options.faults:
            break
        if fault.key in none or not re.search(options.only, fault.key):
            continue
        outcome = record.outcomes.get(fault.key)
        if outcome is None or (options.again and outcome.state != "killed"):
            outcome = examined(fault, copy, lines)
            record.add(fault, outcome)
        print(row(fault, outcome), flush=True)
        counts[outcome.state] += 1
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=100, help="how many (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default 1)")
    parser.add_argument("--only", default="", help="those whose names match, such as 'ops/special.py:_erf'")
    parser.add_argument("--again", action="store_true", help="examine those once more that had survived")
    parser.add_argument("--show", help="print the faults whose names match, with their tests, and run nothing")
    options = parser.parse_args()
    if options.show is not None:
        shown(all_faults(ROOT), options.show, ExecutedLines(ROOT, STATE / "lines"))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        counts = run(options, FaultyCopy(ROOT, Path(folder)))
    print(
        ", ".join(f"{count} {state}" for state, count in sorted(counts.items())),
        f"{len(equivalent())} equivalent",
        sep="; ",
    )
    return 1 if counts["survived"] + counts["unreached"] else 0


if __name__ == "__main__":
    sys.exit(main())
