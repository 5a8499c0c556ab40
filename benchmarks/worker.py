"""The process of one peer: measures a workload for each line of JSON it reads, and answers with a line of JSON.

Started by run.py, as the leader of a process session of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from workload import Call, Run, Workload, workloads  # noqa: E402  the folder is on the path only now

BLOCK_SECONDS = 0.1  # one sample is as many calls as take about this long
WARM_SECONDS = 1.0  # calls before the first sample: what is called often may be compiled anew meanwhile


def main() -> None:
    peer = sys.argv[1]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a peer prints goes to stderr: stdout is for answers
    known = workloads()
    prepared: dict[str, tuple[Run, Any]] = {}
    for line in sys.stdin:
        request = json.loads(line)
        workload = known[request["workload"]]
        try:
            seconds, result = measure(workload, peer, prepared)
            answer: dict[str, Any] = {"seconds": seconds}
            if result is not None:
                np.save(request["result"], workload.saved(result))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def measure(workload: Workload, peer: str, prepared: dict[str, tuple[Run, Any]]) -> tuple[float, Any]:
    """One sample in seconds, and the result of the first call."""
    if workload.kind == "import":
        return import_seconds(workload.peers[peer]({})()), None
    if workload.kind == "first":
        if workload.before is not None:
            workload.before[peer]()
        run = workload.peers[peer](workload.inputs())
        start = time.perf_counter()
        result = run()
        return time.perf_counter() - start, result
    if workload.name not in prepared:
        run = workload.peers[peer](workload.inputs())
        prepared[workload.name] = run, run()
        end = time.perf_counter() + WARM_SECONDS
        while time.perf_counter() < end:
            block(run)
    run, result = prepared[workload.name]
    return block(run), result


def import_seconds(statement: str) -> float:
    """What an import statement takes in a bare interpreter."""
    code = f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path[:2])}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(run.stdout)


def block(run: Run) -> float:
    """Seconds a call takes, averaged over as many as fill BLOCK_SECONDS."""
    count = 1
    while True:
        start = time.perf_counter()
        if isinstance(run, Call):
            run.repeat(count)
        else:
            for _ in range(count):
                run()
        elapsed = time.perf_counter() - start
        if elapsed >= BLOCK_SECONDS:
            return elapsed / count
        count = max(count * 2, int(count * BLOCK_SECONDS / max(elapsed, 1e-9)))


if __name__ == "__main__":
    main()
