"""Calls that would take hours, interrupted: run by test_interrupts.py in a process of its own, `python interrupted_kernels.py NAME…`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from alarms import alarm, standing

from jitcore import Tensor, jit, nn


class StoppedError(Exception):
    pass


FEW, MANY = np.linspace(0.0, 1.0, 7), np.linspace(0.0, 1.0, 10_000_000)


def wide(x: np.ndarray, rows: int) -> np.ndarray:
    """A matrix of many rows, all in the same memory."""
    return np.broadcast_to(x, (rows, len(x)))


def both(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What an outer product is of, stretched outside: no machine has the memory for such a product, and to compute it is refused."""
    return wide(x, len(x)), wide(x, len(x)).T


def in_a_recursion(x: np.ndarray, n: int) -> Any:
    return 0.0 if n == 0 else np.sin(x[:, None] * x[None, :]).sum() + in_a_recursion(x, n - 1)


def caught(x: np.ndarray, y: np.ndarray) -> Any:
    try:
        return np.sin(x * y).sum()
    except ZeroDivisionError:
        return 0.0


CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]] = {
    "an outer sum": (lambda x, y: np.sin(x * y).sum(), both(FEW), both(MANY)),
    "a maximum": (lambda x: np.tanh(x + 1.0).max(), (wide(FEW, 3),), (wide(MANY, 10**7),)),
    "rows": (lambda x: np.tanh(x + 1.0).sum(1), (wide(FEW, 3),), (wide(MANY, 10**6),)),
    "columns": (lambda x: np.tanh(x + 1.0).sum(0), (wide(FEW, 3),), (wide(MANY[: 10**6], 10**8),)),
    "a matrix product": (lambda a, b: a @ b, (wide(FEW, 3), FEW), (wide(MANY, 10**7), MANY)),
    "a product of matrices": (
        lambda a, b: (a @ b).sum(),
        (wide(FEW, 3), wide(FEW, 7)),
        (wide(MANY, 10**4), np.broadcast_to(FEW[0], (10**7, 10**4))),
    ),
    "a convolution": (
        nn.Conv2d(8, 8, 255),
        (Tensor(np.ones((1, 8, 8, 8), np.float32)),),
        (Tensor(np.ones((1, 8, 1500, 1500), np.float32)),),
    ),
    "a count": (lambda x: np.bincount(x)[0], (np.zeros(3, int),), (np.broadcast_to(np.zeros(1, int), 10**14),)),
    "in a recursion": (in_a_recursion, (FEW, 2), (MANY[:8000], 900)),
    "in a try": (caught, both(FEW), both(MANY)),
}


def interrupted(name: str) -> bool:
    function, brief, endless = CALLS[name]
    compiled = function if isinstance(function, nn.Cell) else jit(function)
    before = np.asarray(compiled(*brief)).copy()
    for ticks in (3, 10):
        try:
            with alarm(StoppedError(), standing(ticks)):
                compiled(*endless)
        except StoppedError:
            pass
        else:
            return False
    return bool(np.array_equal(np.asarray(compiled(*brief)), before))


if __name__ == "__main__":
    failed = [name for name in sys.argv[1:] or CALLS if not interrupted(name)]
    sys.exit(", ".join(failed) or 0)
