"""Where the random values of a case come from: one seeded stream, whose choices can be replayed with some replaced."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from jitcore.structs import dataclass
from jitcore.testing.autotest.layouts import PLAIN

_VARIABLES: Final = ("JITCORE_AUTOTEST_SEED", "ONEFLOW_TEST_SEED")
"""The environment variables that set the seed, the first that is set counting."""
_EXTENT: Final = 6
"""Extents that nothing is said of lie below."""


def chosen_seed(seed: int | None) -> int:
    """The seed of a test: the one given, or that of the environment, or a new one. Raises ValueError if the
    environment's is no integer."""
    if seed is not None:
        return seed
    for name in _VARIABLES:
        if name in os.environ:
            return int(os.environ[name])
    return int(np.random.default_rng().integers(2**31))


@dataclass(frozen=True, slots=True)
class Choice:
    """A number that was drawn, the smallest that could have been, and whether it is whole."""

    value: float
    low: float
    whole: bool


class Draws:
    """The random values of one case of a test. What is chosen (extents, options) depends on `seed` and `shape`, what
    arrays hold on `seed` and `case`; `replaced` has other values for some choices, by the order in which they are made.
    With `simple`, arrays hold few digits."""

    def __init__(
        self,
        seed: int,
        case: int = 0,
        shape: int | None = None,
        replaced: Mapping[int, float] | None = None,
        simple: bool = False,
    ) -> None:
        self.seed, self.case = seed, case
        self.shape = case if shape is None else shape
        self.replaced = dict(replaced or {})
        self.simple = simple
        self.choices: list[Choice] = []
        self._chooser = np.random.default_rng([seed, 0, self.shape])
        self._arrays = 0

    def integer(self, low: int, high: int) -> int:
        """An integer of low <= n < high. Raises ValueError if there is none."""
        drawn = int(self._chooser.integers(low, high))
        return int(self._chosen(drawn, low, high - 1, whole=True))

    def real(self, low: float, high: float) -> float:
        """A float between two."""
        return self._chosen(float(self._chooser.uniform(low, high)), low, high, whole=False)

    def index(self, weights: Sequence[float]) -> int:
        """The position of an alternative, by the weights."""
        total = sum(weights)
        drawn = int(self._chooser.choice(len(weights), p=[w / total for w in weights]))
        return int(self._chosen(drawn, 0, len(weights) - 1, whole=True))

    def extent(self) -> int:
        """An extent that nothing is said of."""
        return self.integer(1, _EXTENT)

    def layout(self, layouts: Sequence[str]) -> str:
        """How an array lies in memory: mostly plainly."""
        return (PLAIN, *layouts)[self.index([3.0 * max(1, len(layouts)), *(1.0 for _ in layouts)])]

    def array(self, shape: tuple[int, ...], dtype: str, low: float, high: float) -> Any:
        """An array of elements between two."""
        generator = np.random.default_rng([self.seed, 1, self.case, self._arrays])
        self._arrays += 1
        kind = np.dtype(dtype).kind
        if kind == "b":
            return generator.integers(0, 2, shape) == 1
        if kind in "iu":
            return generator.integers(int(low), max(int(high), int(low) + 1), shape).astype(dtype)
        made = generator.uniform(low, high, shape)
        if kind == "c":
            made = made + 1j * generator.uniform(low, high, shape)
        return (np.clip(made.round(1), low, high) if self.simple and kind == "f" else made).astype(dtype)

    def _chosen(self, drawn: float, low: float, high: float, whole: bool) -> float:
        value = min(max(self.replaced.get(len(self.choices), drawn), low), high)
        self.choices.append(Choice(value, low, whole))
        return value
