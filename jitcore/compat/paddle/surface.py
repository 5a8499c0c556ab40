"""All that is declared, read."""

from __future__ import annotations

import functools

from jitcore.compat.paddle.functions import (
    conversions,
    creation,
    in_place,
    indexing,
    pointwise,
    products,
    random,
    reductions,
    shaping,
)
from jitcore.compat.paddle.tensor import add_methods

FAMILIES = (
    creation, conversions, pointwise, reductions, shaping, indexing, products, random, in_place,
)  # fmt: skip


@functools.cache
def complete() -> None:
    """Give Tensor the methods that the function files declare."""
    add_methods()
