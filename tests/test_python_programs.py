"""Plain numerical programs beyond the corpus: lists whose arrays differ in shape, complex functions, derivatives by finite differences."""

# pyright: basic

from __future__ import annotations

import cmath
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import grad, jit
from jitcore.primitives.ops.complex_functions import DERIVATIVES
from jitcore.runtime.dispatch import FallbackWarning

# --- arrays of several shapes in one list: run in the interpreter or compiled, never confused ---------


def kept_while_halved(n: int) -> Any:
    x, kept = np.arange(2.0 * n), []
    while len(x) > 1:
        kept.append(x[::2])
        x = x[::2] + x[1::2]
    return x, [k.sum() for k in kept]


def details_of_a_wavelet(n: int) -> Any:
    x, details = np.arange(2.0 * n) ** 2, []
    for _ in range(n):
        if len(x) < 2:
            break
        d = (x[::2] - x[1::2]) / 2
        details.append(d)
        x = (x[::2] + x[1::2]) / 2
    return x, [d.sum() for d in details], details


def last_list_of_each_size(n: int) -> Any:
    x, kept, before = np.arange(2 * n), [], []
    while len(x) > 1:
        before, kept = kept, []
        for i in range(2):
            kept.append(x[::2] + i)
        x = x[::2]
    return [k.sum() for k in kept], [k.sum() for k in before]


def one_list_of_a_size(n: int) -> Any:
    x, sums = np.arange(2 * n), []
    while len(x) > 1:
        rows = []
        for i in range(3):
            rows.append(x[: len(x) // 2] * i)
        sums.append(sum(r.sum() for r in rows))
        x = x[::2]
    return sums


class Holder:
    def __init__(self, held: Any) -> None:
        self.held = held


def held_by_objects(n: int) -> Any:
    x, holders = np.arange(2 * n), []
    while len(x) > 1:
        holders.append(Holder(x))
        x = x[::2]
    return [h.held.sum() for h in holders]


def held_by_tuples(n: int) -> Any:
    x, pairs = np.arange(4 * n).reshape(2 * n, 2), []
    while x.shape[0] > 1:
        pairs.append((x.shape[0], x.sum(axis=1)))
        x = x[1::2]
    return [(k, a.sum()) for k, a in pairs]


@pytest.mark.parametrize("n", [1, 2, 4, 8])
@pytest.mark.parametrize(
    "function",
    [
        kept_while_halved,
        details_of_a_wavelet,
        last_list_of_each_size,
        one_list_of_a_size,
        held_by_objects,
        held_by_tuples,
    ],
)
def test_arrays_of_several_shapes_in_a_list(function: Callable[[int], Any], n: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        found = jit(function)(n)
    assert repr(found) == repr(function(n))


# --- derivatives --------------------------------------------------------------------------------------


def differences(function: Callable[[float], float], x: float) -> float:
    return (function(x + 1e-6) - function(x - 1e-6)) / 2e-6


FUNCTIONS: dict[str, Callable[..., Any]] = {name: getattr(np, name) for name in DERIVATIVES}


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_derivative_of_a_complex_function(name: str) -> None:
    function = FUNCTIONS[name]

    def real_part(a: float) -> Any:
        return np.real(function((0.3 + 0.2j) * a + np.array([0.1j])))[0]

    assert np.isclose(jit(grad(real_part))(0.7), differences(real_part, 0.7))


def spiral(x: float) -> float:
    z = complex(x, 1.0)
    for _ in range(3):
        z = z * z / 2 + x
    return abs(z)


def angle(x: float) -> float:
    return cmath.phase(complex(x, 2.0)) * abs(complex(x, 3.0))


def octaves(x: float) -> Any:
    return np.log2(x) * np.log10(x + 1) + math.log2(x)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("function", [spiral, angle, octaves])
@pytest.mark.parametrize("x", [0.4, 1.3, 4.0])
def test_derivative(function: Callable[[float], float], x: float) -> None:
    assert np.isclose(jit(grad(function))(x), differences(function, x))


# --- the size of complex numbers ----------------------------------------------------------------------


@pytest.mark.usefixtures("strict")
def test_size_of_a_complex_number() -> None:
    @jit
    def size(re: float, im: float) -> float:
        return abs(complex(re, im))

    for re, im in [(3.0, 4.0), (-0.0, 0.0), (1e-320, 1e-320), (math.inf, math.nan), (math.nan, 1.0), (0.1, 0.7)]:
        assert repr(size(re, im)) == repr(abs(complex(re, im)))
    with pytest.raises(OverflowError, match="absolute value too large"):
        size(1.7e308, 1.7e308)


@pytest.mark.usefixtures("strict")
def test_parts_of_numbers_are_numbers() -> None:
    @jit
    def parts(x: Any) -> Any:
        return np.real(x), np.imag(x)

    for x in (2, 1.5, 1 + 2j, np.float32(1.5), np.complex128(2j)):
        assert repr(parts(x)) == repr((np.real(x), np.imag(x)))


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("x", "y"), [(4j, 2j), (4j, 2), (2.5, 3j), (True, 1j)])
def test_complex_numbers_have_no_remainder(x: Any, y: Any) -> None:
    for function in (lambda a, b: a % b, lambda a, b: a // b):
        with pytest.raises(TypeError) as plain:
            function(x, y)
        with pytest.raises(TypeError) as compiled:
            jit(function)(x, y)
        assert str(compiled.value) == str(plain.value)


@pytest.mark.usefixtures("strict")
def test_matrix_product_in_place_needs_a_matrix() -> None:
    @jit
    def times(a: Any, b: Any) -> Any:
        a @= b
        return a

    assert times(np.ones(2), np.full((2, 2), 3.0)).tolist() == [6.0, 6.0]
    for a in (np.ones(2), np.ones((2, 2))):
        with pytest.raises(ValueError, match="inplace matrix multiplication requires"):
            times(a, np.ones(2))


@pytest.mark.usefixtures("strict")
def test_median_of_nothing() -> None:
    medians = jit(lambda x, y: (np.nanmedian(x), np.nanmedian(y, axis=1)))(np.zeros(0), np.zeros((2, 0)))
    assert np.isnan(medians[0])
    assert np.isnan(medians[1]).tolist() == [True, True]


# --- text of lists ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("strict")
def test_text_of_a_list_is_what_it_was() -> None:
    @jit
    def text(n: int) -> Any:
        values = []
        for i in range(n):
            values.append(i * 1.5)
        shown = f"{values}"
        values.append(9.0)
        return shown, str(values), f"{[v > 1 for v in values]}"

    for n in (0, 1, 4):
        before = [i * 1.5 for i in range(n)]
        after = [*before, 9.0]
        assert text(n) == (str(before), str(after), str([v > 1 for v in after]))
