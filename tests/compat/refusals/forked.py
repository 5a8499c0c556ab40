"""Runs modules' cases as `outcomes.py` does, each in a fork of one process that has compiled something.

To come to that takes longer than most modules do. A line of the input is a list in JSON: a module, how many of its cases are left out, and the folder in
which it runs, where `printed` and `complaints` are what it wrote. The answer is a line with what it ended with.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import traceback
from pathlib import Path

import outcomes


def _ready(x):
    return x + 1


def run(module: str, done: int, folder: str) -> int:
    """What a fork that runs the cases ended with."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for file, name in ((1, "printed"), (2, "complaints")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), file)
        outcomes.main(Path(module), done)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    outcomes.outcome("_ready", _ready)
    gc.freeze()
    for line in sys.stdin:
        print(run(*json.loads(line)), flush=True)
