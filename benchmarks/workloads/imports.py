"""Importing each package."""

from __future__ import annotations

from workload import PEERS, Run, Workload


def nothing(inputs: object) -> Run:
    """The worker imports in an interpreter of its own."""
    return lambda: None


WORKLOADS = [
    Workload(
        "import",
        "import the package, NumPy included, in a bare interpreter",
        dict.fromkeys(PEERS, nothing),
        kind="import",
    )
]
