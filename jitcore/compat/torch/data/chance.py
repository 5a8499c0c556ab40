"""Orders of chance, drawn by a seed from one of PyTorch's generators."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from jitcore.compat.torch.functions.random import Generator, integers
from jitcore.types import i64

Source: TypeAlias = Generator


def drawn(generator: Source | None) -> np.random.Generator:
    """NumPy's generator, by a seed that is drawn from PyTorch's."""
    return np.random.default_rng(seed(generator))


def seed(generator: Source | None) -> int:
    """A seed of a generator, or of the process's."""
    made: Any = integers(0, 2**62, (1,), i64, generator)
    return int(made.asnumpy()[0])


def permutation(n: int, generator: Source | None) -> list[int]:
    """The first n numbers in an order of chance."""
    return drawn(generator).permutation(n).tolist()
