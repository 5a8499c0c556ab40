"""The dtype that Python's floats have, where a framework lets its users choose one."""

from __future__ import annotations

from jitcore.config import settings
from jitcore.types import DType, dtype_of


def default_float() -> DType:
    """`settings.default_float`: float32, unless it was set."""
    return dtype_of(settings.default_float)
