"""An array library over Tensors with NumPy's names: the library functions with NumPy's defaults. Everything gives
Tensors.

Dtypes follow NumPy's functions; where Tensors meet, promotion is MindSpore's (`x + 1.5` of an int Tensor is float32).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as _np

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core.marking import library as _library
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.library.tables import NUMPY_FUNCTIONS as _TABLE
from jitcore.runtime import eager as _eager  # noqa: F401  # pyright: ignore[reportUnusedImport]  (it evaluates)
from jitcore.types import bool_, c64, c128, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64

pi = _np.pi
e = _np.e
inf = _np.inf
nan = _np.nan
newaxis = None

float16, float32, float64 = f16, f32, f64
int8, int16, int32, int64 = i8, i16, i32, i64
uint8, uint16, uint32, uint64 = u8, u16, u32, u64
complex64, complex128 = c64, c128


def _public(function: Callable[..., Any]) -> Callable[..., Any]:
    return _library("tensor")(function)


_OWN: dict[str, Callable[..., Any]] = {
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


def _is_own(function: Any) -> bool:
    """Whether a function is one of `numpy` itself, not of `numpy.linalg` or `numpy.fft`, nor a method."""
    module = getattr(function, "__module__", None) or ""
    return not module.startswith(("numpy.linalg", "numpy.fft")) and not function.__name__.startswith("_")


_functions: dict[str, Callable[..., Any]] = {
    **{f.__name__: _public(g) for f, g in _TABLE.items() if _is_own(f)},
    **{f.__name__: _public(g) for f, g in _TABLE.items() if getattr(_np, f.__name__, None) is f},
    **{name: _public(g) for name, g in _OWN.items()},
}
_functions["max"] = _functions["amax"]
_functions["min"] = _functions["amin"]
globals().update(_functions)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"jitcore.numpy has no function {name!r}")


__all__ = [*_functions, "bool_", "e", "inf", "nan", "newaxis", "pi"]  # pyright: ignore[reportUnsupportedDunderAll]
