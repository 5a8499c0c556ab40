"""Importing each package."""

from __future__ import annotations

from workload import Prepare, Workload

STATEMENTS = {
    "jitcore": "from jitcore import Tensor, jit, nn, ops",  # not `import jitcore`, which puts off everything
    "jax": "import jax, jax.numpy",
    "numba": "import numba",
    "numpy": "import numpy",
}


def statement(text: str) -> Prepare:
    return lambda inputs: lambda: text


WORKLOADS = [
    Workload(
        "import",
        "import the package and the names a program begins with, NumPy included, in a bare interpreter",
        {peer: statement(text) for peer, text in STATEMENTS.items()},
        kind="import",
    )
]
