"""What a program gives as the cotangent of a result (`sens`), made one: of the result's element type and shape."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.values import as_array, require_equal, shape_of
from jitcore.primitives.core.broadcasting import with_shape
from jitcore.primitives.ops import shape as s
from jitcore.types import DType, Shape, shape_text


def as_cotangent(given: Any, dtype: DType, shape: Shape) -> Any:
    """An array of a result's type and shape. One number stands for as many as there are elements. Raises ValueError for
    another shape."""
    made = as_array(as_array(given), dtype)
    own = shape_of(made)
    if own != shape and all(n == 1 for n in own):
        return s.broadcast_to(s.reshape(made, shape=()), shape=shape)
    if len(own) != len(shape):
        raise ValueError(f"sens has shape {shape_text(own)}, the result {shape_text(shape)}")
    for a, b in zip(own, shape, strict=True):
        require_equal(a, b, f"sens has shape {shape_text(own)}, the result {shape_text(shape)}")
    return with_shape(made, shape)
