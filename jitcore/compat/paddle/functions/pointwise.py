"""Functions of single elements."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.compat.paddle.arguments import Operand
from jitcore.compat.paddle.declaring import method


@method
def add(x: Operand, y: Operand, name: str | None = None) -> Any:
    return ops.add(x, y)
