"""Compares jitcore with its peers: `python benchmarks/run.py [--workloads …] [--peers …] [--rounds 5]`.

Every peer is a process session of its own (schedulers share the cores between sessions); the peers take turns, round by round,
so that what else the machine does hits all alike. The table has medians over the rounds, and jitcore's time divided by
that of the best other peer. Results are compared with each other: a wrong one is an error, not a time.
Processes start with empty compilation caches.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from workload import PEERS, Workload, workloads  # noqa: E402  the folder is on the path only now

from jitcore.bars import Bar, bar  # noqa: E402


@dataclass
class Measured:
    """What one peer gave for one workload."""

    seconds: list[float] = field(default_factory=list)
    error: str = ""

    @property
    def median(self) -> float | None:
        return statistics.median(self.seconds) if self.seconds and not self.error else None


class Peer:
    """The worker process of one peer."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        cache = tempfile.mkdtemp(dir=folder)
        environment = {**os.environ, "XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": cache, "JAX_PLATFORMS": "cpu"}
        environment.pop(
            "PYTHONDONTWRITEBYTECODE", None
        )  # installed peers have their bytecode; a checkout keeps its own
        environment["JITCORE_SYNTAX"] = "STRICT"  # what is not compiled is an error here, not slow
        command = [sys.executable, str(Path(__file__).with_name("worker.py")), name]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
        )

    def measure(self, workload: Workload) -> dict[str, Any]:
        """The worker's answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        request = {"workload": workload.name, "result": str(result_file(self.folder, workload, self.name))}
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        return json.loads(line) if line else {"error": f"the process ended with {self.process.wait()}"}

    def stop(self) -> None:
        """End the process and what it started."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    known = workloads()
    options = parse(arguments, known)
    peers = [name for name in options.peers if available(name)]
    for name in options.peers:
        if name not in peers:
            print(f"{name} is not installed: left out", file=sys.stderr)
    table: dict[str, dict[str, Measured]] = {name: {} for name in options.workloads}
    with tempfile.TemporaryDirectory() as folder:
        steady = [known[name] for name in options.workloads if known[name].kind == "steady"]
        fresh = [known[name] for name in options.workloads if known[name].kind != "steady"]
        samples = options.rounds * sum(name in w.peers for w in (*steady, *fresh) for name in peers)
        with bar("samples", samples) as progress:
            run_steady(steady, peers, options.rounds, Path(folder), table, progress)
            run_fresh(fresh, peers, options.rounds, Path(folder), table, progress)
        for name in options.workloads:
            compare_results(known[name], Path(folder), table[name])
    print_table(known, table, peers)
    if options.json is not None:
        plain = {w: {p: {"seconds": m.seconds, "error": m.error} for p, m in row.items()} for w, row in table.items()}
        options.json.write_text(json.dumps(plain, indent=1))
    return 1 if any(m.error for row in table.values() for m in row.values()) else 0


def parse(arguments: Sequence[str] | None, known: dict[str, Workload]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare jitcore with its peers.", epilog=catalogue(known),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--workloads", nargs="+", choices=known, default=list(known), metavar="NAME")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS), metavar="NAME")
    parser.add_argument("--rounds", type=int, default=5, help="samples of each (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples to this file")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    return options


def catalogue(known: dict[str, Workload]) -> str:
    return "workloads:\n" + "\n".join(f"  {name:<20} {w.doc} ({', '.join(w.peers)})" for name, w in known.items())


def available(peer: str) -> bool:
    return peer == "python" or importlib.util.find_spec(peer) is not None


# --- measuring ------------------------------------------------------------------------------------------


def run_steady(
    chosen: list[Workload],
    peers: list[str],
    rounds: int,
    folder: Path,
    table: dict[str, dict[str, Measured]],
    progress: Bar,
) -> None:
    """Each workload in processes that stay for all its rounds."""
    for workload in chosen:
        running = [Peer(name, folder) for name in peers if name in workload.peers]
        try:
            for _ in range(rounds):
                for peer in running:
                    take(table[workload.name], workload, peer)
                    progress.advance()
        finally:
            for peer in running:
                peer.stop()


def run_fresh(
    chosen: list[Workload],
    peers: list[str],
    rounds: int,
    folder: Path,
    table: dict[str, dict[str, Measured]],
    progress: Bar,
) -> None:
    """Each sample in a new process."""
    for workload in chosen:
        for _ in range(rounds):
            for name in peers:
                if name in workload.peers:
                    peer = Peer(name, folder)
                    try:
                        take(table[workload.name], workload, peer)
                    finally:
                        peer.stop()
                    progress.advance()


def take(row: dict[str, Measured], workload: Workload, peer: Peer) -> None:
    measured = row.setdefault(peer.name, Measured())
    if measured.error:
        return
    answer = peer.measure(workload)
    if "error" in answer:
        measured.error = answer["error"]
    else:
        measured.seconds.append(answer["seconds"])


# --- results --------------------------------------------------------------------------------------------


def result_file(folder: Path, workload: Workload, peer: str) -> Path:
    return folder / f"{workload.name}-{peer}.npy"


def compare_results(workload: Workload, folder: Path, row: dict[str, Measured]) -> None:
    """Mark as wrong every peer whose result is not that of the one peer most trusted."""
    trusted = [name for name in reversed(PEERS) if result_file(folder, workload, name).exists() and not row[name].error]
    if not trusted:
        return
    expected = np.load(result_file(folder, workload, trusted[0]))
    for name in trusted[1:]:
        if not workload.agree(np.load(result_file(folder, workload, name)), expected):
            row[name].error = f"the result is not {trusted[0]}'s"


def print_table(known: dict[str, Workload], table: dict[str, dict[str, Measured]], peers: list[str]) -> None:
    print(f"{'workload':<20}" + "".join(f"{peer:>12}" for peer in peers) + f"{'jitcore/best':>14}")
    for name, row in table.items():
        cells = [seconds_text(row[peer].median) if peer in row and not row[peer].error else ("error" if peer in row else "–") for peer in peers]  # fmt: skip
        print(f"{name:<20}" + "".join(f"{cell:>12}" for cell in cells) + f"{ratio_text(row):>14}")
    for name, row in table.items():
        for peer, measured in row.items():
            if measured.error:
                print(f"{name}, {peer}: {measured.error}", file=sys.stderr)
    print("\n".join(f"{name}: {known[name].doc}" for name in table))


def ratio_text(row: dict[str, Measured]) -> str:
    ours = row["jitcore"].median if "jitcore" in row else None
    others = [m.median for peer, m in row.items() if peer != "jitcore" and m.median is not None]
    return f"{ours / min(others):.2f}" if ours is not None and others else "–"


def seconds_text(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


if __name__ == "__main__":
    sys.exit(main())
