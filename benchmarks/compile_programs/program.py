"""What a program is whose first call is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Prepared:
    """A program ready to be called: each call does the same work on arguments of its own. `parameters` counts those it trains."""

    call: Callable[[], Any]
    parameters: int = 0


@dataclass(frozen=True)
class Program:
    """One row of the table: `prepare` makes it in a new process, `whole` says whether it must have no region."""

    name: str
    prepare: Callable[[], Prepared]
    whole: bool = False
