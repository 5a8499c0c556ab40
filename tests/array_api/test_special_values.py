"""Elementwise functions give what the standard says of zeros, infinities and NaN."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from special_values import BINARY, UNARY
from standard_signatures import REALS
from ways import both

import jitcore.numpy as xp


def _assert_special(made: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> None:
    """Equal, zeros with their signs; other numbers nearly."""
    if wanted.dtype.kind != "f":
        np.testing.assert_array_equal(made, wanted)
        return
    np.testing.assert_allclose(made, wanted, rtol=4 * np.finfo(wanted.dtype).eps)
    number = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(made[number]), np.signbit(wanted[number]))


@pytest.mark.parametrize("name", UNARY)
def test_of_one_number(name: str) -> None:
    given, wanted = (np.array(column) for column in zip(*UNARY[name], strict=True))

    def run(*arrays: Any) -> Any:
        return [getattr(xp, name)(x) for x in arrays]

    arrays = [xp.asarray(given, dtype=getattr(xp, dtype)) for dtype in REALS]
    for made in both(run, *arrays):
        for x, m in zip(arrays, made, strict=True):
            _assert_special(m, wanted.astype(x.asnumpy().dtype) if wanted.dtype.kind == "f" else wanted)


@pytest.mark.parametrize("name", BINARY)
def test_of_two_numbers(name: str) -> None:
    columns = [np.array(column) for column in zip(*BINARY[name], strict=True)]

    def run(a: Any, b: Any, c: Any, d: Any) -> Any:
        return [getattr(xp, name)(a, b), getattr(xp, name)(c, d)]

    arrays = [xp.asarray(x, dtype=getattr(xp, dtype)) for dtype in REALS for x in columns[:2]]
    for made in both(run, *arrays):
        for m in made:
            _assert_special(m, columns[2].astype(m.dtype))


_PARTS = (0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan)
_COMPLEX = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh",
    **{name: name for name in ("abs", "conj", "cos", "cosh", "exp", "expm1", "log", "log1p", "sin", "sinh", "sqrt")},
    **{name: name for name in ("tan", "tanh", "isnan", "isinf", "isfinite", "log2", "log10", "square")},
}  # fmt: skip


@pytest.mark.parametrize("name", _COMPLEX)
def test_of_complex_numbers(name: str) -> None:
    given = np.empty(len(_PARTS) ** 2, np.complex128)
    given.real, given.imag = np.array(list(itertools.product(_PARTS, _PARTS))).T
    with np.errstate(all="ignore"):
        wanted = getattr(np, _COMPLEX[name])(given)
    for made in both(lambda z: getattr(xp, name)(z), xp.asarray(given)):
        parts = (np.real, np.imag) if wanted.dtype.kind == "c" else (np.asarray,)
        for part in parts:
            _assert_special(part(made), part(wanted))


def test_sign_of_complex_numbers() -> None:
    for made in both(xp.sign, xp.asarray([0j, 3 + 4j, -2j, complex(np.nan, 1)])):
        np.testing.assert_allclose(made, [0, 0.6 + 0.8j, -1j, complex(np.nan, np.nan)])


def test_rounding_of_complex_numbers_is_of_each_part() -> None:
    for made in both(xp.round, xp.asarray([0.5 + 1.5j, -2.6 - 0.4j])):
        np.testing.assert_array_equal(made, [2j, -3 - 0j])
