"""Running functions of arrays both ways: line by line and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore import Tensor, jit


def elements(value: Any) -> Any:
    """A result with ndarrays in place of Tensors, named tuples as tuples."""
    if isinstance(value, tuple | list):
        made = [elements(v) for v in value]
        return made if isinstance(value, list) else tuple(made)
    return value.asnumpy() if isinstance(value, Tensor) else value


def both(function: Callable[..., Any], *args: Any) -> list[Any]:
    """What a function gives line by line and compiled, as ndarrays."""
    return [elements(function(*args)), elements(jit(function)(*args))]


def assert_same(made: Any, wanted: Any, tolerance: float | None = None) -> None:
    """Both are of the same structure, dtypes, shapes and values; equal, or within a relative tolerance."""
    if isinstance(wanted, tuple | list):
        assert isinstance(made, tuple | list)
        assert len(made) == len(wanted)
        for m, w in zip(made, wanted, strict=True):
            assert_same(m, w, tolerance)
        return
    if not isinstance(wanted, np.ndarray | np.generic):
        assert made == wanted
        return
    assert (made.dtype, made.shape) == (wanted.dtype, wanted.shape)
    if tolerance is None:
        np.testing.assert_array_equal(made, wanted)
    else:
        np.testing.assert_allclose(made, wanted, rtol=tolerance, atol=tolerance)
