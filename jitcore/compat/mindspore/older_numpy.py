"""NumPy as it was before version 2, which MindSpore wants: names that its programs use (`np.float_`, `np.Inf` …), and
numbers that are printed without their class."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

NAMES: Final[dict[str, Any]] = {
    "float_": np.float64, "complex_": np.complex128, "singlecomplex": np.complex64, "cfloat": np.complex128,
    "longfloat": np.longdouble, "clongfloat": np.clongdouble, "longcomplex": np.clongdouble, "string_": np.bytes_,
    "unicode_": np.str_, "Inf": math.inf, "Infinity": math.inf, "PINF": math.inf, "infty": math.inf, "NINF": -math.inf,
    "NaN": math.nan, "NAN": math.nan, "PZERO": 0.0, "NZERO": -0.0, "round_": np.round, "product": np.prod,
    "cumproduct": np.cumprod, "sometrue": np.any, "alltrue": np.all, "row_stack": np.vstack,
    "trapz": np.trapezoid, "mat": np.asmatrix, "msort": lambda a: np.sort(a, axis=0),
    "in1d": lambda ar1, ar2, assume_unique=False, invert=False: np.isin(
        np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert
    ),
    "asfarray": lambda a, dtype=np.float64: np.asarray(a, dtype),
    "issubclass_": lambda arg1, arg2: isinstance(arg1, type) and issubclass(arg1, arg2),
}  # fmt: skip
_added: set[str] = set()
_printed: list[Any] = []
"""How NumPy printed before."""


def provide() -> None:
    """Add the names that this NumPy has not, and print as before."""
    if not _printed:
        _printed.append(np.get_printoptions()["legacy"])
        np.set_printoptions(legacy="1.25")
    for name, value in NAMES.items():
        if name not in vars(np):
            setattr(np, name, value)
            _added.add(name)


def withdraw() -> None:
    """Take away what was added."""
    while _printed:
        np.set_printoptions(legacy=_printed.pop())
    for name in _added:
        delattr(np, name)
    _added.clear()
