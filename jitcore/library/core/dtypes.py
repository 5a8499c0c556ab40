"""What dtype arguments mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.core.values import evaluator
from jitcore.types import DType, dtype_of


def as_dtype(dtype: Any) -> DType:
    """The DType that a dtype argument means: a DType, a NumPy dtype or scalar type, a name, or bool, int, float,
    complex."""
    found = evaluator().static(dtype, "the dtype")
    return found if isinstance(found, DType) else dtype_of(np.dtype(found))
