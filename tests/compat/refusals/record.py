"""Write the facts of all cases anew: `python record.py PYTHON`, with a Python that has MindSpore 2.10 (and NumPy before 2)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
MODULES = (
    "operator_calls",
    "operator_attributes",
    "sequences",
    "operators",
    "operands",
    "tensor_items",
    "language",
    "paths",
    "scopes",
    "containers",
    "composite",
    "networking",
    "generating",
    "mapping",
    "functional",
    "sequence_operators",
    "containing",
    "dynamic_sequences",
    "given_sequences",
    "outside_sequences",
    "equality",
    "gradients",
    "suite_language",
    "suite_classes",
    "assigning",
    "given_gradients",
    "layers",
    "constructors",
    "tensors_by_line",
    "transforms",
    "cells",
    "settings",
    "calling",
    "attributes",
    "looping",
    "outputs",
    "ranks",
    "cotangents",
    "graded_constants",
    "class_objects",
    "builtins_called",
    "training",
    "method_calls",
    "layer_calls",
    "layer_making",
    "tensor_indices",
    "tensor_keys",
    "graph_methods",
    "arguments",
    "strings",
    "combining",
    "int_results",
    "initializing",
    "run_values",
    "given_numbers",
    "mapped",
    "assorted",
    "assorted_further",
)


Run = Callable[[Path, int], tuple[int, str, str]]
"""Runs a module's cases but for the first ones: what the process ended with, what it printed, and what it complained of."""


def outcomes(run: Run, module: Path) -> dict[str, str]:
    """The outcomes of a module's cases; the run goes on after one that ends the process."""
    found: dict[str, str] = {}
    while True:
        code, printed, complaints = run(module, len(found))
        begun = None
        for line in printed.splitlines():
            if line.startswith('{"start"'):
                begun = json.loads(line)["start"]
            elif line.startswith('{"case"'):
                entry = json.loads(line)
                found[entry["case"]], begun = entry["outcome"], None
        if begun is None:
            if code:
                raise RuntimeError(complaints)
            return found
        found[begun] = f"the process ended with {code}"


def started(command: list[str], folder: str) -> Run:
    """Each run is a process that `command` starts in a folder."""

    def run(module: Path, done: int) -> tuple[int, str, str]:
        call = [*command, str(HERE / "outcomes.py"), str(module), str(done)]
        ended = subprocess.run(call, capture_output=True, text=True, cwd=folder, env=os.environ | {"GLOG_v": "4"})
        return ended.returncode, ended.stdout, ended.stderr

    return run


def write(path: Path, facts: dict[str, str]) -> None:
    """A case a paragraph: its name, and its outcome below."""
    path.write_text("".join(f"{name}\n    {outcome}\n" for name, outcome in facts.items()))


def read(path: Path) -> dict[str, str]:
    """What `write` wrote."""
    lines = path.read_text().splitlines()
    return {name: outcome.strip() for name, outcome in zip(lines[::2], lines[1::2], strict=True)}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name in MODULES:
            write(HERE / "facts" / f"{name}.txt", outcomes(started([sys.argv[1]], folder), HERE / f"{name}.py"))
