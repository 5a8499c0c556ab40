"""NumPy's functions over Tensors, by NumPy's names and with NumPy's parameters and defaults. Everything gives Tensors.

These are what `mindspore.numpy` is made of, and what the namespace has beyond the standard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core.marking import library
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.library.tables import NUMPY_FUNCTIONS
from jitcore.runtime import eager as eager  # which evaluates

_OWN: Final[dict[str, Callable[..., Any]]] = {
    "pow": elementwise.power,
    "divide": elementwise.true_divide,
    "abs": elementwise.absolute,
    "acos": elementwise.arccos,
    "asin": elementwise.arcsin,
    "atan": elementwise.arctan,
    "atan2": elementwise.arctan2,
    "acosh": elementwise.arccosh,
    "asinh": elementwise.arcsinh,
    "atanh": elementwise.arctanh,
    "reciprocal": elementwise.reciprocal,
    "concat": shapes.concatenate,
    "permute_dims": shapes.transpose,
    "unstack": shapes.unstack,
    "matrix_transpose": lambda x: shapes.swapaxes(x, -1, -2),
    "astype": elementwise.astype,
    "norm": reductions.norm,
    "multi_dot": products.multi_dot,
    "logsumexp": reductions.logsumexp,
    "matmul": products.matmul,
    "array": creation.array,
    "take_along_axis": indexing.take_along_axis,
}


def _is_own(function: Callable[..., Any]) -> bool:
    """Whether a function is one of `numpy` itself, not of `numpy.linalg` or `numpy.fft`, nor a method."""
    module = getattr(function, "__module__", None) or ""
    return not module.startswith(("numpy.linalg", "numpy.fft")) and not function.__name__.startswith("_")


def _by_name() -> dict[str, Callable[..., Any]]:
    found = {f.__name__: g for f, g in NUMPY_FUNCTIONS.items() if _is_own(f)}
    found |= {f.__name__: g for f, g in NUMPY_FUNCTIONS.items() if getattr(np, f.__name__, None) is f}
    made = {name: library("tensor")(function) for name, function in (found | _OWN).items()}
    return made | {"max": made["amax"], "min": made["amin"]}


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = _by_name()
globals().update(FUNCTIONS)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"jitcore.numpy has no function {name!r}")


__all__ = [*FUNCTIONS]  # pyright: ignore[reportUnsupportedDunderAll]
