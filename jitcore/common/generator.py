"""Generators of random numbers: streams of their own, whose states can be kept and set."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from jitcore.primitives.ops import random
from jitcore.primitives.ops.random import Stream
from jitcore.runtime.tensor import Tensor

_OWN: Final[Stream] = (0, 0)
_STATE: Final = 16
"""Bytes of a state: the seed, and how often numbers were drawn."""


class Generator:
    """A stream of random numbers; operators that are given it (`generator=`) draw from it.

    >>> generator = Generator().manual_seed(5)
    >>> state = generator.get_state()
    >>> generator.seed() == 5
    False
    >>> generator.set_state(state)
    >>> generator.initial_seed()
    5
    """

    def __init__(self) -> None:
        self.stream = random.open_stream()

    def manual_seed(self, seed: int) -> Generator:
        """Begin anew from a seed; the generator itself."""
        if isinstance(seed, bool) or not hasattr(seed, "__index__"):
            raise TypeError(f"the seed of a Generator must be an int, not {type(seed).__name__}")
        random.write_stream(self.stream, seed.__index__(), 0)
        return self

    def seed(self) -> int:
        """Begin anew from a seed of chance; gives it."""
        made = random.chance() >> 1
        self.manual_seed(made)
        return made

    def initial_seed(self) -> int:
        """The seed it began from."""
        return random.read_stream(self.stream)[0]

    def get_state(self) -> Tensor:
        """All that the next numbers depend on, in bytes."""
        return Tensor(np.array(random.read_stream(self.stream), np.uint64).view(np.uint8))

    def set_state(self, state: Any) -> None:
        """Go on from a state that `get_state` gave."""
        if not isinstance(state, Tensor):
            raise TypeError(f"the state of a Generator is a Tensor, not {type(state).__name__}")
        held = state.asnumpy()
        if held.dtype != np.uint8 or held.shape != (_STATE,):
            raise ValueError(f"the state of a Generator is {_STATE} bytes, not {held.dtype}{list(held.shape)}")
        key, count = np.frombuffer(held.tobytes(), np.uint64)
        random.write_stream(self.stream, int(key), int(count))


class _Default(Generator):
    """The process's own stream."""

    def __init__(self) -> None:
        self.stream = _OWN


default_generator: Final = _Default()
"""What operators draw from unless they are given another."""


def get_rng_state() -> Tensor:
    """The state of the default generator."""
    return default_generator.get_state()


def set_rng_state(state: Any) -> None:
    """Have the default generator go on from a state."""
    default_generator.set_state(state)
