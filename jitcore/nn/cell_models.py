"""What Cells ask of `extension`: hooks, and another dtype to compute in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jitcore.modelled import modelled
from jitcore.types import DType

if TYPE_CHECKING:
    from jitcore.nn.cell import Cell


@modelled
def add_hook(cell: Cell, kind: str, hook: Callable[..., Any], with_keywords: bool = False) -> object:
    """Have a function called around `construct`; what it gives has `remove()`."""
    raise NotImplementedError


@modelled
def compute_in(cell: Cell, dtype: DType) -> None:
    """Have a Cell and all in it take and give floats of a dtype."""
    raise NotImplementedError
