"""Checks of what the functions of this package are called with."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.runtime.tensor import Tensor
from jitcore.types import c64, c128, f32, f64, i32, i64


def truth(function: str, name: str, value: Any) -> None:
    """Raises TypeError unless a value is a bool."""
    if not isinstance(value, bool):
        raise TypeError(f"For '{function}', {name} must be a bool, not {type(value).__name__}.")


def matrix(function: str, value: Any) -> Any:
    """A matrix of floats; ints become float64. Raises TypeError for another dtype, ValueError unless it has two
    axes."""
    if not isinstance(value, Tensor):
        raise TypeError(f"For '{function}', the matrix must be a Tensor, not {type(value).__name__}.")
    if value.dtype not in (i32, i64, f32, f64, c64, c128):
        raise TypeError(
            f"For '{function}', the matrix must be of int32, int64, float32, float64 or "
            f"complex numbers, not {value.dtype}."
        )
    if value.ndim != 2:
        raise ValueError(f"For '{function}', the matrix must have 2 axes, not {value.ndim}.")
    return ops.cast(value, f64) if value.dtype in (i32, i64) else value


def square(function: str, value: Any) -> Any:
    """A square matrix of floats."""
    made = matrix(function, value)
    if made.shape[0] != made.shape[1]:
        raise ValueError(f"For '{function}', the matrix must be square, not of the shape {made.shape}.")
    return made
