"""What a workload is: one computation, written for each peer, whose results must agree."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

PEERS = ("jitcore", "jax", "numba", "numpy", "torch", "python")

EQUAL = None
"""The tolerance of results that are equal: of the same types, a dict's keys in the same order."""

Run = Callable[[], Any]


@dataclass(frozen=True)
class Call:
    """A run that is one call of two arguments: timed in a loop that does nothing but that call."""

    function: Callable[[Any, Any], Any]
    x: Any
    y: Any

    def __call__(self) -> Any:
        """Make the call."""
        return self.function(self.x, self.y)

    def repeat(self, count: int) -> None:
        """Make it many times."""
        function, x, y = self.function, self.x, self.y
        for _ in range(count):
            function(x, y)


Prepare = Callable[[Mapping[str, Any]], Run]


@dataclass(frozen=True)
class Workload:
    """One row of the table.

    `peers[name]` is a function of the inputs that gives what is measured: a call without arguments that does the work once, to
    its end, and returns the result. `kind` says what is measured:

    - steady: the time of one such call, in a process that has made many;
    - first: of the first call, in a new process, after `before[name]()` compiled something else (if there is a `before`);
    - import: of the import statement that the call gives, in a bare interpreter.
    """

    name: str
    doc: str
    peers: Mapping[str, Prepare]
    inputs: Callable[[], Mapping[str, Any]] = dict
    kind: str = "steady"
    before: Mapping[str, Callable[[], object]] | None = None
    tolerance: float | None = 1e-4

    def saved(self, result: Any) -> np.ndarray:
        """A result as it is compared."""
        if self.tolerance is EQUAL:
            return np.asarray(repr(_plain(result)))
        return np.asarray(result.detach() if hasattr(result, "detach") else result)

    def agree(self, got: np.ndarray, expected: np.ndarray) -> bool:
        """Whether saved results are the same, as far as they must be."""
        if self.tolerance is EQUAL:
            return bool(got == expected)
        return got.shape == expected.shape and np.allclose(got, expected, rtol=self.tolerance, atol=self.tolerance)


def _plain(result: Any) -> Any:
    """A package's own containers as Python's."""
    if isinstance(result, (str, tuple, list, dict)):
        return result
    if isinstance(result, Mapping):
        return {key: _plain(value) for key, value in result.items()}
    if isinstance(result, Sequence):
        return [_plain(value) for value in result]
    return result


def workloads() -> dict[str, Workload]:
    """All workloads of benchmarks/workloads by name."""
    found: dict[str, Workload] = {}
    package = importlib.import_module("workloads")
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"workloads.{info.name}")
        found.update((workload.name, workload) for workload in module.WORKLOADS)
    return found
