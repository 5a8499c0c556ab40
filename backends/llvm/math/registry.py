"""Which function computes which operation: each says so where it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from jitcore.backends.native.ir.vectors import Vec

Function = Callable[..., Vec]

FUNCTIONS: Final[dict[str, Function]] = {}
"""`function(code, *args)` for vectors of float or double, by the name in `kernel.scalar.OPS`."""


def computes(op: str) -> Callable[[Function], Function]:
    """The function below computes this operation."""

    def register(function: Function) -> Function:
        FUNCTIONS[op] = function
        return function

    return register
