"""The corpus of programs: `case` adds a function with the arguments of calls; `CASES` holds all that modules added."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any


@dataclasses.dataclass(frozen=True)
class Case:
    """A function, the arguments of each of its calls, and why it is known to fail if it is.

    `tolerance` is what arrays may differ by, relative to 1 or their size: roundings, where sums are added in another order.
    """

    function: Callable[..., Any]
    calls: Sequence[tuple[Any, ...]]
    xfail: str = ""
    tolerance: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"


CASES: list[Case] = []


def case(
    *calls: tuple[Any, ...], xfail: str = "", tolerance: float = 0.0
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the function below to the corpus, with the arguments of each call (none: a call without arguments)."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append(Case(function, calls or ((),), xfail, tolerance))
        return function

    return add
