"""The process of one program: prepares it, calls it, and prints what its first call took as a line of JSON.

Started by compile_times.py, with the checkout to measure first on the path.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).parent))


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    from compile_programs import EVERY

    from jitcore.runtime.dispatch import FallbackWarning

    prepared = EVERY[sys.argv[1]].prepare()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        first = _timed(prepared.call)
        later = [_timed(prepared.call) for _ in range(2)]
    regions = sum(issubclass(w.category, FallbackWarning) for w in told)
    seconds, cpu = (max(first[k] - min(call[k] for call in later), 0.0) for k in range(2))
    answer: dict[str, Any] = {"wall": seconds, "cpu": cpu, "parameters": prepared.parameters, "regions": regions}
    print(json.dumps(answer), file=answers, flush=True)


def _timed(call: Any) -> tuple[float, float]:
    """The wall and the processor's seconds of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    main()
