"""The random generator of the process: what `set_seed` seeds and initializers, dropout and random operators draw
from."""

from __future__ import annotations

import numpy as np

from jitcore.lookup import has_attribute
from jitcore.primitives.ops import random as streams


class _State:
    def __init__(self) -> None:
        self.generator: np.random.Generator | None = (
            None  # made when it is asked for: numpy.random takes long to import
        )
        self.seed: int | None = None


_state = _State()


def seed(value: int) -> None:
    """Make what is drawn from here on the same in every run, NumPy's global generator included.

    Raises TypeError or ValueError if the seed is not a non-negative int.
    """
    if isinstance(value, bool) or not has_attribute(value, "__index__"):
        raise TypeError(f"the seed must be an int, not {type(value).__name__}")
    if value < 0:
        raise ValueError(f"the seed must not be negative, but is {value}")
    _state.generator = np.random.default_rng(value)
    _state.seed = int(value)
    streams.seed(value)
    np.random.seed(value % 2**32)


def generator() -> np.random.Generator:
    """The generator."""
    if _state.generator is None:
        _state.generator = np.random.default_rng()
    return _state.generator


def present_seed() -> int | None:
    """What was given to `seed` last; None before that."""
    return _state.seed
