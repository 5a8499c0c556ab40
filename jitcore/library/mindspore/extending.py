"""Operators of `mindspore.mint` whose namesakes in `ops` mean something else: these take PyTorch's parameters."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.random import sampling

# --- creation -------------------------------------------------------------------------------------------


@operator("randint_ext")
def randint_ext(
    *args: Any, low: Any = None, high: Any = None, size: Any = None, dtype: Any = None, generator: Any = None
) -> Any:
    """Ints from `low` (0 unless given) on and below `high`: `randint(high, size)` or `randint(low, high, size)`."""
    bounds = [*args]
    extents = bounds.pop() if size is None else size
    top = bounds.pop() if high is None else high
    least = bounds.pop() if bounds else 0 if low is None else low
    return sampling.randint(least, top, extents, dtype=dtype, generator=generator)


@operator("normal_ext")
def normal_ext(mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Any = None) -> Any:
    """Normally distributed numbers, of a shape or as many as there are means and deviations."""
    return sampling.normal(() if size is None else size, mean, std, generator=generator)


@operator("bernoulli_ext")
def bernoulli_ext(input: Any, *, generator: Any = None) -> Any:
    """1 with the probability that an element is, else 0."""
    return sampling.bernoulli(input, input, generator=generator)
