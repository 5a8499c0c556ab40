"""Checks of what distributions and bijectors are made with, and the Tensors that their parameters become."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jitcore.common.parameter import Parameter
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType, dtype_of, f32, f64


def name(given: Any, cell: str) -> str:
    """The name of a distribution or bijector. Raises TypeError unless it is a string."""
    if not isinstance(given, str):
        raise TypeError(f"For '{cell}', the name must be a string, not {type(given).__name__}.")
    return given


def seed(given: Any, cell: str) -> int:
    """A seed; 0 for None. Raises TypeError unless it is an int, ValueError for a negative one."""
    if given is None:
        return 0
    if isinstance(given, bool) or not isinstance(given, int):
        raise TypeError(f"For '{cell}', the seed must be an int, not {type(given).__name__}.")
    if given < 0:
        raise ValueError(f"For '{cell}', the seed must not be negative, but is {given}.")
    return given


def float_dtype(dtype: Any, cell: str) -> None:
    """Raises TypeError unless a dtype is one of floats."""
    if not (isinstance(dtype, DType) and dtype.is_float):
        raise TypeError(f"For '{cell}', the dtype must be one of floats, not {dtype!r}.")


def number_dtype(dtype: Any, cell: str) -> None:
    """Raises TypeError unless a dtype is one of ints or floats."""
    if not (isinstance(dtype, DType) and (dtype.is_float or dtype.is_integer)):
        raise TypeError(f"For '{cell}', the dtype must be one of numbers, not {dtype!r}.")


def _dtype_of(value: Any) -> DType | None:
    if isinstance(value, Tensor):
        return value.dtype
    return dtype_of(value.dtype) if isinstance(value, np.ndarray | np.generic) else None


def parameter_dtype(given: Mapping[str, Any], wanted: Any) -> DType:
    """The dtype of a distribution's parameters: that of the arrays among them, else the distribution's; ints become
    float32. Raises TypeError if the arrays have several."""
    found: DType | None = None
    for key, value in given.items():
        dtype = _dtype_of(value)
        if dtype is None:
            continue
        if found is not None and dtype is not found:
            raise TypeError(f"{key!r} should have the dtype of the other parameters, {found!r}, not {dtype!r}.")
        found = dtype
    if found is None:
        return wanted if isinstance(wanted, DType) and wanted.is_float else f32
    return found if found.is_float and found is not f64 else f32


def parameter(value: Any, key: str, dtype: DType) -> Tensor:
    """A parameter as a Tensor. Raises TypeError for what is no array of numbers."""
    if isinstance(value, Parameter):
        return value
    if isinstance(value, bool | str):
        raise TypeError(f"{key!r} must be a number or an array of numbers, not {type(value).__name__}.")
    made = value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)
    if made.dtype.kind not in "iuf":
        raise TypeError(f"{key!r} must be a number or an array of numbers, not of {made.dtype}.")
    return Tensor(made, dtype)


def batch_shape(given: Iterable[Any]) -> tuple[int, ...] | None:
    """The shape that parameters broadcast to; None if one is not given. Raises ValueError if they do not fit."""
    shapes: list[tuple[int, ...]] = []
    for value in given:
        if value is None:
            return None
        shapes.append(tuple(np.shape(value.asnumpy() if isinstance(value, Tensor) else value)))
    return tuple(np.broadcast_shapes(*shapes))


def positive(value: Tensor | None, key: str) -> None:
    """Raises ValueError unless all elements are above 0."""
    if value is not None and not (value.asnumpy() > 0).all():
        raise ValueError(f"{key!r} must be positive, but is {value.asnumpy().tolist()}.")


def probability(value: Tensor | None, key: str) -> None:
    """Raises ValueError unless all elements are between 0 and 1."""
    if value is not None and not ((value.asnumpy() > 0) & (value.asnumpy() < 1)).all():
        raise ValueError(f"{key!r} must be above 0 and below 1, but is {value.asnumpy().tolist()}.")


def tensor(value: Any, key: str) -> Any:
    """The value itself. Raises TypeError unless it is a Tensor."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{key} must be a Tensor, not {type(value).__name__}.")
    return value


def family(given: Any, wanted: str) -> None:
    """Raises ValueError unless a distribution is of a family: between others this is not known."""
    if given is None or given != wanted:
        raise ValueError(f"The other distribution must be {wanted!r}, not {given!r}.")
