"""All that is declared, read."""

from __future__ import annotations

import functools

from jitcore.compat.paddle.functions import conversions, creation, pointwise
from jitcore.compat.paddle.tensor import add_methods

FAMILIES = (creation, conversions, pointwise)


@functools.cache
def complete() -> None:
    """Give Tensor the methods that the function files declare."""
    add_methods()
