"""What is done with lists whose items are of several dtypes (`python.list_arrays`), as programs that are inferred where
they are called."""

# pyright: basic
# (these are compiled for the types of what they are called with)

from __future__ import annotations

from typing import Any

import numpy as np


def has_any(numbers: Any, wanted: Any) -> Any:
    """Whether one of the numbers is one of those wanted."""
    return any(number in wanted for number in numbers)


def as_dtype(items: Any, dtype: Any) -> Any:
    """An array of the items."""
    made = np.zeros(len(items), dtype)
    for k in range(len(items)):
        made[k] = items[k]
    return made
