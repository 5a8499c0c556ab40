"""Write the facts of all cases anew: `python record.py PYTHON`, with a Python that has MindSpore 2.10 (and NumPy before 2)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
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
)


def outcomes(command: list[str], module: Path, folder: str) -> dict[str, str]:
    """The outcomes of a module's cases; the run goes on after one that ends the process."""
    found: dict[str, str] = {}
    while True:
        call = [*command, str(HERE / "outcomes.py"), str(module), str(len(found))]
        run = subprocess.run(call, capture_output=True, text=True, cwd=folder, env=os.environ | {"GLOG_v": "4"})
        begun = None
        for line in run.stdout.splitlines():
            if line.startswith('{"start"'):
                begun = json.loads(line)["start"]
            elif line.startswith('{"case"'):
                entry = json.loads(line)
                found[entry["case"]], begun = entry["outcome"], None
        if begun is None:
            if run.returncode:
                raise RuntimeError(run.stderr)
            return found
        found[begun] = f"the process ended with {run.returncode}"


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
            write(HERE / "facts" / f"{name}.txt", outcomes([sys.argv[1]], HERE / f"{name}.py", folder))
