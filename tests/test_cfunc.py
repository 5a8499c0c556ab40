"""`cfunc`: Python functions as C callbacks, called by ctypes, SciPy and threads."""

from __future__ import annotations

import ctypes
import math
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import LowLevelCallable, integrate, ndimage

from jitcore import carray, cfunc, jit
from jitcore.source import CompileError

SCALE = 2.0
WEIGHTS = np.array([1.0, 2.0, 4.0])


@cfunc("float64(float64)")
def bell(x: Any) -> Any:
    """A bell curve."""
    return math.exp(-x * x / SCALE)


@cfunc("float64(intc, CPointer(float64))")
def product(n: Any, values: Any) -> Any:
    total = 1.0
    for value in carray(values, (n,)):
        total *= value
    return total


@cfunc("intc(CPointer(float64), intp, CPointer(float64), voidptr)")
def least(values: Any, n: Any, result: Any, data: Any) -> Any:
    low = np.inf
    for value in carray(values, n):
        low = min(low, value)
    carray(result, 1)[0] = low
    return 1


@cfunc("float64(float64, voidptr)")
def line(x: Any, data: Any) -> Any:
    parameters = carray(data, (2,), np.float64)
    return parameters[0] * x + parameters[1]


def test_scipy_integrates_it() -> None:
    found, _ = integrate.quad(LowLevelCallable(bell.ctypes), -np.inf, np.inf)
    assert found == pytest.approx(math.sqrt(SCALE * math.pi))
    assert integrate.quad(LowLevelCallable(product.ctypes), 0, 2, args=(3.0, 2.0))[0] == pytest.approx(12)
    parameters = np.array([2.0, 1.0])
    user_data = parameters.ctypes.data_as(ctypes.c_void_p)
    assert integrate.quad(LowLevelCallable(line.ctypes, user_data), 0, 1)[0] == pytest.approx(2)


def test_scipy_filters_images_with_it() -> None:
    image = np.random.default_rng(0).random((9, 7))
    found = ndimage.generic_filter(image, LowLevelCallable(least.ctypes), size=3)
    np.testing.assert_array_equal(found, ndimage.minimum_filter(image, size=3))


def test_it_has_what_numbas_has() -> None:
    assert bell.ctypes(1.5) == math.exp(-1.125)
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(bell.address)(1.5) == math.exp(-1.125)
    assert "bell" in bell.native_name
    assert bell.__name__ == "bell"
    assert bell.__doc__ == "A bell curve."
    assert bell(1.5) == bell.__wrapped__(1.5) == math.exp(-1.125)
    assert "define" in bell.inspect_llvm()
    assert jit(lambda x: bell(x) + 1)(1.5) == math.exp(-1.125) + 1


NUMBERS = {
    "int8": (-5, -7), "uint8": (200, 7), "int16": (-300, 5), "uint16": (60000, 3), "int32": (-70000, 2),
    "uint32": (2**31 + 5, 3), "int64": (-(2**40), 3), "float32": (1.5, -0.25), "float64": (1e300, 2.0),
    "bool_": (True, False),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_every_type_come_and_go(name: str) -> None:
    a, b = NUMBERS[name]
    first = cfunc(f"{name}({name}, float64, {name})")(lambda x, y, z: x)
    last = cfunc(f"{name}({name}, float64, {name})")(lambda x, y, z: z)
    assert first.ctypes(a, 0.5, b) == a
    assert last.ctypes(a, 0.5, b) == b


def test_results_are_converted_as_c_does() -> None:
    assert cfunc("int8(int64)")(lambda x: x).ctypes(300) == 44
    assert cfunc("float64(int64)")(lambda x: x // 2).ctypes(5) == 2.0
    assert cfunc("int32(float64)")(lambda x: x).ctypes(-2.7) == -2
    assert cfunc("float64()")(lambda: 2.5).ctypes() == 2.5
    assert cfunc("int16()")(lambda: -3).ctypes() == -3
    assert cfunc("float32(float64)")(lambda x: np.sqrt(x)).ctypes(4.0) == 2.0
    assert cfunc("float64(int64)")(lambda k: WEIGHTS[k]).ctypes(2) == 4.0


def test_memory_behind_pointers_is_written() -> None:
    @cfunc("void(CPointer(int32), int64, int64)")
    def count(values: Any, rows: Any, columns: Any) -> None:
        table = carray(values, (rows, columns))
        for i in range(rows):
            for j in range(columns):
                table[i, j] = i * 10 + j

    made = (ctypes.c_int32 * 7)(*[-1] * 7)
    count.ctypes(made, 2, 3)
    assert list(made) == [0, 1, 2, 10, 11, 12, -1]
    count(ctypes.cast(made, ctypes.POINTER(ctypes.c_int32)), 3, 2)
    assert list(made) == [0, 1, 10, 11, 20, 21, -1]


@pytest.mark.parametrize(
    ("signature", "function", "given", "nothing"),
    [
        ("float64(float64)", lambda x: 1 / x, 0.0, math.nan),
        ("float32(float64)", lambda x: math.sqrt(x), -1.0, math.nan),
        ("int32(int64)", lambda k: 7 // k, 0, 0),
        ("float64(int64)", lambda k: WEIGHTS[k], 3, math.nan),
    ],
)
def test_exceptions_are_told_and_a_number_is_given(
    signature: str, function: Callable[..., Any], given: Any, nothing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Exception) as wanted:  # noqa: PT011  (that of plain Python)
        function(given)
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: told.append(found.exc_value))
    np.testing.assert_equal(cfunc(signature)(function).ctypes(given), nothing)
    assert [(type(e), str(e)) for e in told] == [(type(wanted.value), str(wanted.value))]


def test_threads_call_it() -> None:
    results: list[float] = []
    threads = [
        threading.Thread(target=lambda: results.append(sum(bell.ctypes(k / 100) for k in range(500)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 1
    assert results[0] == pytest.approx(sum(bell(k / 100) for k in range(500)), rel=1e-15)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("(float64,)", "says what is returned"),
        ("(float64)", "says what is returned"),
        ("float64[:](float64)", "CPointer"),
        ("float64(float64[:])", "CPointer"),
        ("complex128(float64)", "no complex128"),
        ("CPointer(float64)(float64)", "no pointer"),
        ("float64(float64, float64)", "has 2 arguments"),
    ],
)
def test_what_c_has_no_types_for_is_refused(signature: str, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        cfunc(signature)(lambda x: x)


def test_what_cannot_be_compiled_says_so_at_once() -> None:
    with pytest.raises(CompileError):
        cfunc("float64(float64)")(lambda x: float(str(x).encode().hex()))
    written: list[float] = []
    with pytest.raises(CompileError, match="changes lists"):
        cfunc("void(float64)")(lambda x: written.append(x))
    with pytest.raises(CompileError, match="carray of what is no pointer"):
        cfunc("float64(float64)")(lambda x: carray(x, 1)[0])
    with pytest.raises(TypeError, match="option"):
        cfunc("float64(float64)", fastmath=True)(lambda x: x)
    with pytest.raises(TypeError, match="carray is given"):
        carray(3, 1)
