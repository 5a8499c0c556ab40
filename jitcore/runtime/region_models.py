"""What regions of the interpreter ask of the dispatch above them."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from jitcore.modelled import modelled


@modelled
def compiled(function: FunctionType) -> Callable[..., Any]:
    """A function that is compiled when it is called."""
    raise NotImplementedError
