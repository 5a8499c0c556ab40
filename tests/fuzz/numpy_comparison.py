"""Compares a compiled call of NumPy's with the plain one: types, shapes, dtypes and values, and which exception is raised.

Ints, truth values and what only moves elements have the same bits. What is computed in floats may differ by `ULPS` units in the
last place of the largest number that takes part: sums in another order, transcendental functions within their bounds. Which parts
of a complex number are NaN and which infinite depends on that order, too: one that is not finite equals any other.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

ULPS: Final = 64
Outcome = tuple[Any, Any, Any]


def outcome(function: Callable[..., Any], args: Sequence[Any]) -> Outcome:
    """What a call gives, its exception, and the arguments as it leaves them."""
    args = [_copied(a) for a in args]
    try:
        with np.errstate(all="ignore"):
            return function(*args), None, args
    except Exception as error:
        return None, error, args


def _copied(value: Any) -> Any:
    """A copy that lies in memory as an array does: with its strides, and as writeable."""
    if not isinstance(value, np.ndarray) or value.base is None or not value.size:
        return copy.deepcopy(value)
    high = sum(max(0, (n - 1) * s) for n, s in zip(value.shape, value.strides, strict=True)) + value.itemsize
    low = sum(min(0, (n - 1) * s) for n, s in zip(value.shape, value.strides, strict=True))
    held = np.zeros(high - low, np.uint8)
    made = np.ndarray(value.shape, value.dtype, held, -low, value.strides)
    made[...] = value
    made.flags.writeable = value.flags.writeable
    return made


def disagreement(want: Outcome, got: Outcome, given: Sequence[Any]) -> str | None:
    """What differs between two outcomes: a kind in a word or two; None if nothing."""
    if want[1] is not None or got[1] is not None:
        return _of_errors(want[1], got[1])
    scale = largest(given)
    return differing(want[0], got[0], scale) or differing(tuple(want[2]), tuple(got[2]), scale)


def _of_errors(want: Any, got: Any) -> str | None:
    if want is None:
        return f"raises {type(got).__name__}"
    if got is None:
        return f"{type(want).__name__} is missing"
    if "read-only" in str(want):  # whatever else is wrong may be said first
        return None
    if type(want) is not type(got):
        return f"{type(got).__name__} for {type(want).__name__}"
    return None if _first_line(want) == _first_line(got) else f"words of {type(want).__name__}"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def is_deliberate(error: Exception | None) -> bool:
    """Whether compiled code refuses what NumPy takes, as the documentation says: Python's ints past 64 bits."""
    return type(error) is OverflowError and any(words in str(error) for words in _PAST_64_BITS)


_PAST_64_BITS: Final = ("past 64 bits", "Python int too large to convert to C long")


def largest(value: Any) -> float:
    """The largest finite magnitude among numbers."""
    if isinstance(value, tuple | list):
        return max((largest(v) for v in value), default=0.0)
    if isinstance(value, np.ndarray | np.generic | float | complex | int):
        flat = (
            np.abs(np.asarray(value).astype(np.complex128)) if np.asarray(value).dtype.kind in "biufc" else np.zeros(1)
        )
        flat = flat[np.isfinite(flat)]
        return float(flat.max()) if flat.size else 0.0
    return 0.0


def differing(want: Any, got: Any, scale: float) -> str | None:
    """What differs between two results."""
    if type(want) is not type(got):
        return f"{type(got).__name__} for {type(want).__name__}"
    if isinstance(want, tuple | list):
        if len(want) != len(got):
            return "length"
        found = (differing(a, b, scale) for a, b in zip(want, got, strict=True))
        return next((f for f in found if f is not None), None)
    if isinstance(want, np.ndarray | np.generic):
        return _of_arrays(np.asarray(want), np.asarray(got), scale)
    if isinstance(want, float | complex):
        return _of_arrays(np.asarray(want), np.asarray(got), scale)
    if isinstance(want, slice):
        return differing((want.start, want.stop, want.step), (got.start, got.stop, got.step), scale)
    if isinstance(want, str | bytes | int | bool | type | np.dtype | None | range):
        return None if want == got else "value"
    return None


def _of_arrays(want: Any, got: Any, scale: float) -> str | None:
    if want.dtype != got.dtype:
        return f"dtype {got.dtype} for {want.dtype}"
    if want.shape != got.shape:
        return f"shape {got.shape} for {want.shape}"
    if want.dtype.kind == "c":
        wild = ~np.isfinite(want) & ~np.isfinite(got)
        want, got = np.where(wild, 0, want), np.where(wild, 0, got)
        return _of_floats(want.real, got.real, scale, want) or _of_floats(want.imag, got.imag, scale, want)
    if want.dtype.kind == "f":
        return _of_floats(want, got, scale, want)
    return None if np.array_equal(want, got) else "value"


def _of_floats(want: Any, got: Any, scale: float, whole: Any) -> str | None:
    if want.dtype.kind != "f":
        return None
    size = largest(whole)
    room = ULPS * float(np.finfo(want.dtype).eps) * max(scale * scale, scale, size, 1.0)
    with np.errstate(all="ignore"):
        close = np.abs(want.astype(np.float64) - got.astype(np.float64)) <= room
    same = (want == got) | (np.isnan(want) & np.isnan(got)) | close
    return None if bool(np.all(same)) else "value"
