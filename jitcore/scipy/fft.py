"""Cosine transforms."""

from __future__ import annotations

from typing import Any

from jitcore import ops


def dct(x: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The cosine transform of type 2."""
    return ops.dct(x, type, n, axis, norm)


def idct(x: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The inverse of the cosine transform of type 2 that keeps norms ('ortho'), unless `norm` says otherwise."""
    return ops.idct(x, type, n, axis, "ortho" if norm is None else norm)
