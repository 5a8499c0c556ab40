"""Windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import evaluator, static_ints
from jitcore.types import f32


def _window(length: Any, periodic: Any, dtype: Any, shape: Callable[[Any], Any]) -> Any:
    """The values of a function of n / (length - 1) from 0 to 1."""
    n = static_ints(length, "the length of the window")[0]
    if n < 0:
        raise ValueError(f"the length of the window is {n}, but must not be negative")
    last = n if evaluator().static(periodic, "periodic") else n - 1
    values = np.ones(n) if n < 2 else shape(np.arange(n) / last)
    return evaluator().constant(values, as_dtype(dtype) if dtype is not None else f32)


def _bartlett(u: Any) -> Any:
    return 1 - np.abs(2 * u - 1)


def _blackman(u: Any) -> Any:
    return 0.42 - 0.5 * np.cos(2 * np.pi * u) + 0.08 * np.cos(4 * np.pi * u)


def _hamming(u: Any, alpha: float = 0.54, beta: float = 0.46) -> Any:
    return alpha - beta * np.cos(2 * np.pi * u)


def _named(name: str, cls: str | None, shape: Callable[[Any], Any]) -> None:
    def window(window_length: Any, periodic: Any = True, *, dtype: Any = None) -> Any:
        return _window(window_length, periodic, dtype, shape)

    def set_up(window_length: Any, *, periodic: Any = True, dtype: Any = f32) -> Any:
        return _window(window_length, periodic, dtype, shape)

    window.__doc__ = set_up.__doc__ = f"The {name.partition('_')[0].title()} window."
    operator(name)(window)
    if cls:
        operator(cls)(set_up)


_named("bartlett_window", "BartlettWindow", _bartlett)
_named("blackman_window", "BlackmanWindow", _blackman)
_named("hann_window", None, lambda u: _hamming(u, 0.5, 0.5))


@operator("hamming_window")
def hamming_window(
    window_length: Any, periodic: Any = True, alpha: Any = 0.54, beta: Any = 0.46, *, dtype: Any = None
) -> Any:
    """The Hamming window: alpha - beta * cos(2 pi n / N)."""
    return _window(window_length, periodic, dtype, lambda u: _hamming(u, alpha, beta))


@operator("HammingWindow")
def hamming_window_set_up(
    length: Any, *, periodic: Any = True, alpha: Any = 0.54, beta: Any = 0.46, dtype: Any = f32
) -> Any:
    """As `hamming_window`."""
    return _window(length, periodic, dtype, lambda u: _hamming(u, alpha, beta))


@operator("kaiser_window")
def kaiser_window(window_length: Any, periodic: Any = True, beta: Any = 12.0, *, dtype: Any = None) -> Any:
    """The Kaiser window."""
    steep = float(evaluator().static(beta, "beta"))
    return _window(
        window_length, periodic, dtype, lambda u: np.i0(steep * np.sqrt(1 - (2 * u - 1) ** 2)) / np.i0(steep)
    )
