"""Compiled calls of NumPy's do what NumPy does: the same dtypes, classes and shapes, the same exceptions; what only the values
decide, too. Random calls of all functions, and kinds that such calls found."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzz.numpy_comparison import disagreement, outcome
from fuzz.run import Tally, run_numpy

from jitcore import jit
from jitcore.runtime.dispatch import FallbackWarning

Function = Callable[..., Any]


def differs(function: Function, *args: Any) -> str | None:
    """What the compiled call does otherwise than the plain one. None of it runs in the interpreter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the plain call
        warnings.simplefilter("error", FallbackWarning)
        return disagreement(outcome(function, args), outcome(jit(function), args), args)


def test_random_calls() -> None:
    tally = Tally()
    run_numpy(7, 150, tally)
    assert tally.made == 150
    assert tally.calls > 125
    assert not tally.differences, tally.differences[0]


def stored(a: np.ndarray, value: Any) -> np.ndarray:
    a[0] = value
    return a


def spread(a: np.ndarray, value: Any) -> np.ndarray:
    a[...] = value
    return a


def sliced(a: np.ndarray, value: Any) -> np.ndarray:
    a[:2] = value
    return a


def listed(a: np.ndarray, value: Any) -> np.ndarray:
    return np.array([value, value], a.dtype)


def filled(a: np.ndarray, value: Any) -> np.ndarray:
    a.fill(value)
    return a


def picked(a: np.ndarray, value: Any) -> np.ndarray:
    a[np.array([0, 1])] = value
    return a


@pytest.mark.parametrize("store", [stored, spread, sliced, listed, filled, picked])
def test_scalars_of_numpy_that_a_dtype_does_not_hold(store: Function) -> None:
    compiled = jit(store)
    for dtype in (np.int8, np.uint8, np.int64):
        for value in (np.int64(300), np.int64(-3), np.uint64(2**63 + 5), np.float32(2.5), np.uint8(200)):
            if value.dtype.kind == "f" and dtype is np.uint8:
                continue
            args = (np.zeros(3, dtype), value)
            assert disagreement(outcome(store, args), outcome(compiled, args), args) is None, (dtype, repr(value))


ROWS = np.array([[True, False], [False, False]])
FLOATS = np.arange(4, dtype=np.float32)
CALLS: list[tuple[Function, tuple[Any, ...]]] = [
    # the truth of rows is ambiguous
    (lambda a: any(a), (ROWS,)),
    (lambda a: all(a), (ROWS,)),
    (lambda a: any(a), (np.zeros((0, 2)),)),
    (lambda a: all(a), (np.ones((2, 1)),)),
    (lambda a: all(a), (np.array(3),)),
    (lambda a: max(a), (np.int8(3),)),
    # arrays have no __round__, __float__ of complex numbers, __contains__ of scalars
    (lambda a: round(a), (FLOATS,)),
    (lambda a: round(a, 1), (FLOATS,)),
    (lambda a: float(a), (np.array(1j),)),
    (lambda a: 1 in a, (np.float32(1),)),
    (lambda a: divmod(a, 2.0), (np.zeros(2, complex),)),
    # dtypes
    (lambda a: np.round(a, -1), (np.array([15, 25, -37]),)),
    (lambda a: np.gradient(a), (FLOATS,)),
    (lambda a: np.gradient(a, 2.0), (FLOATS.astype(np.float16),)),
    (lambda a: np.gradient(a), (np.array([True, False]),)),
    (lambda a: np.percentile(a, 50), (np.array([True, False]),)),
    (lambda a: np.quantile(a, 0.5), (np.array([True, False]),)),
    # a divisor below 0
    (lambda a: a.var(ddof=1), (np.zeros(0),)),
    (lambda a: np.std(a, 0, ddof=3), (np.ones((2, 2)),)),
    (lambda a: np.cov(a, ddof=3), (np.array([5.0, 3.0]),)),
    # axis 0 of what has none
    (lambda a: np.sum(a, 0), (np.float64(3),)),
    (lambda a: np.mean(a, -1), (np.array(3),)),
    (lambda a: a.max(axis=0), (np.array(3),)),
    (lambda a: np.var(a, -1, keepdims=True), (np.array(3),)),
    (lambda a: np.any(a, 1), (np.array(3),)),
    # ints that only uint64 holds, or no dtype
    (lambda a: a > 2**63, (np.arange(3, dtype=np.uint64),)),
    (lambda a: a < 2**63, (np.arange(3),)),
    (lambda a: (a == 2**70, a != 2**70, a < -(2**70), a >= -(2**70)), (np.arange(3, dtype=np.uint8),)),
    # no points
    (lambda a: np.trapezoid(a), (np.zeros((3, 0)),)),
    (lambda a: np.trapezoid(a, axis=0), (np.zeros((0, 2)),)),
    # values that bins cannot have
    (lambda a: np.histogram(a), (np.array([1, np.inf]),)),
    (lambda a: np.histogram_bin_edges(a), (np.array([1, np.nan]),)),
    (lambda a: np.histogram2d(a, a), (np.array([-np.inf, 2]),)),
    (lambda a, b: np.histogram(a, b), (np.array([1.0, 2]), np.array([3, 2, 1]))),
    (lambda a, b: np.digitize(a, b), (np.array([0.5]), np.array([0, 2, 1.0]))),
    (lambda a, b: np.digitize(a, b), (np.array([0.5j]), np.array([0, 1.0, 2]))),
    (lambda a, b, c: np.interp(a, b, c), (np.array([0.5j]), np.arange(3.0), np.arange(3.0))),
    (lambda a, b, c: np.interp(a, b, c), (np.array([0.5]), np.arange(3.0), np.arange(2.0))),
    # the triangle that is read; numbers near the largest
    (lambda a: np.linalg.eigh(a, "U"), (np.array([[1.0, 9.0], [2.0, 3.0]]),)),
    (lambda a: np.linalg.eigvalsh(a, "U"), (np.array([[1.0, 9j], [2.0, 3.0 - 2j]]),)),
    (lambda a: np.linalg.cholesky(a, upper=True), (np.array([[9.0, 1.0], [5.0, 7.0]]),)),
    (lambda a: np.linalg.eigh(a), (np.full((2, 2), 1e308),)),
    (lambda a: np.linalg.eigvalsh(a), (np.array([[1e300, -1.5e308], [-1.5e308, 2.0]]),)),
    (lambda a, b: np.linalg.lstsq(a, b), (np.array([[1.0, np.nan], [2.0, 3.0]]), np.ones(2))),
    (lambda a: np.linalg.lstsq(a, 2**62), (np.ones((3, 2)),)),
    (lambda a: np.nan_to_num(a, False), (0.5,)),
    # spreads summed in another dtype than the elements'
    (lambda a: np.std(a, dtype=np.float32), (np.array([1 + 2j, 3 - 1j]),)),
    (lambda a: a.var(0, dtype=np.float64), (np.array([[1 + 2j, 3 - 1j], [5j, 2.0]]),)),
    (lambda a: np.var(a, dtype=np.float32), (1e8 + np.arange(4.0),)),
    (lambda a: np.std(a, -1, dtype=np.float32, ddof=1, keepdims=True), (2**40 + np.arange(6).reshape(2, 3),)),
    (lambda a: np.var(a, dtype=np.complex128), (np.arange(4.0),)),
    # ints are subtracted in their own dtype
    (lambda a: np.percentile(a, 30), (np.array([2**31 - 1, -(2**31), 5], np.int32),)),
    (lambda a: np.nanpercentile(a, [30, 60]), (np.array([2**31 - 1, -(2**31), 5], np.int32),)),
    (lambda a: np.quantile(a, 0.3), (np.array([127, -128, 127, 4], np.int8),)),
    (lambda a: np.nanquantile(a, 0.37, axis=0), (np.array([[2**63 - 1], [-(2**63)], [5]]),)),
    # numbers without axes
    (lambda a: (np.cumsum(a, 0), np.cumprod(a, -1), np.argsort(a, 0), np.argsort(a)), (np.array(3),)),
    (lambda a: np.cumsum(a, 0), (np.float32(3),)),
    (lambda a: np.cumsum(a, 1), (np.array(3),)),
    # NumPy's own order of distinct elements
    (lambda a: np.unique_values(a), (np.array([3, 1, 2, 1, 300, -7]),)),
    (lambda a: np.unique_values(a), (np.array([[0.5, np.nan], [np.nan, -0.0]]),)),
    (lambda a: np.unique(a, sorted=False), (np.array([1j, 3.0, np.nan, 1j, np.nan]),)),
    (lambda a: np.unique(a, sorted=False), (np.zeros(0),)),
    (lambda a: np.unique(a, return_counts=True, sorted=False), (np.array([3, 1, 3]),)),
    # leading zeros, signs, conjugates
    (lambda a, b: np.polymul(a, b), (np.array([0, 1]), np.array([0.0, 2]))),
    (lambda a, b: np.polymul(a, b), (np.array([0, 0]), np.array([1, 2]))),
    (lambda a: np.geomspace(a, -8, 4), (-1.0,)),
    (lambda a: np.geomspace(a, 8, 4), (0.0,)),
    (lambda a, b: np.correlate(a, b, "full"), (np.array([1 + 2j, 3]), np.array([2j, 1 - 1j]))),
    (lambda a, b: np.correlate(a, b, "same"), (np.array([1 + 2j]), np.array([2j, 1 - 1j, 3]))),
    (lambda a: np.linspace(a, -1, 4, False), (1 + 2j,)),
    (lambda a: np.linspace(a, 1, 4, dtype=np.int8), (-2.5,)),
    (lambda a: np.poly(a), (np.array([0.5, np.inf]),)),
    # ints in their own dtype
    (lambda a: np.unwrap(a), (np.array([2, 1, 9], np.uint8),)),
    (lambda a: np.reciprocal(a), (np.array([0, 1, -1, -128], np.int8),)),
    (lambda a, b: a**b, (np.zeros((0, 2), np.int8), -1)),
    (lambda a: np.fft.ifft(a), (np.arange(3, dtype=np.float16),)),
    # complex numbers of no elements, folded
    (lambda a: a.prod(keepdims=True) * 2, (np.zeros((3, 0), complex),)),
    (lambda a: a.sum(keepdims=True) - 1j, (np.zeros(0, np.complex64),)),
    # NumPy's own exceptions
    (lambda a: np.log1p(a, dtype=np.float32), (np.array([1j]),)),
    (lambda a: np.sum(a, 3), (FLOATS,)),
    (lambda a: np.linalg.inv(a), (np.ones((2, 3)),)),
    (lambda a, b: np.linalg.tensorsolve(a, b), (np.ones((3, 3)), np.ones((3, 3)))),
    (lambda a: np.expand_dims(a, 5), (FLOATS,)),
    (lambda a, b: a @ b, (FLOATS, np.float32(2))),
    (lambda a: a[FLOATS], (FLOATS,)),
    (lambda a: a.conj(dtype=np.int8), (FLOATS,)),
    (lambda a, b: np.extract(a, b), (np.array([False, True]), np.array([5]))),
]


BYTES = np.arange(4, dtype=np.uint8)
CHOSEN = np.array([True, False, True, False])
WEAK: list[Function] = [
    # ints beside arrays of ints, which NumPy wraps,
    lambda a, m, v: np.where(m, v, a),
    lambda a, m, v: np.select([m], [a], v),
    lambda a, m, v: np.select([m, ~m], [v, a]),
    lambda a, m, v: np.pad(a, 1, constant_values=v),
    lambda a, m, v: np.pad(a, (1, 2), constant_values=(v, 3)),
    lambda a, m, v: np.union1d(a, v),
    # looks at,
    lambda a, m, v: np.place(a, m, v),
    lambda a, m, v: np.place(a, m, [v]),
    lambda a, m, v: np.copyto(a, v, where=m),
    lambda a, m, v: np.put(a, [0], [v]),
    lambda a, m, v: np.putmask(a, m, v),
    lambda a, m, v: np.put_along_axis(a, np.array([0, 1]), v, 0),
    lambda a, m, v: np.array([v, 1], np.uint8),
    lambda a, m, v: np.array([[v, 1], [2, v]], np.int8),
    lambda a, m, v: np.full_like(a, v),
    # takes for another dtype,
    lambda a, m, v: np.append(a, v),
    lambda a, m, v: np.hstack([a, v]),
    # or for no bound
    lambda a, m, v: np.clip(a, v, 200),
    lambda a, m, v: np.clip(a, 0, v),
    lambda a, m, v: a.clip(v, None),
    lambda a, m, v: np.clip(a.astype(np.int16), v, v),
]


@pytest.mark.parametrize("number", range(len(WEAK)))
def test_ints_that_the_dtype_of_an_array_does_not_hold(number: int) -> None:
    function = WEAK[number]
    compiled = jit(function)
    for dtype in (np.uint8, np.int8, np.uint64):
        for value in (-1, 2, 300, -300, 2**40, -(2**40)):
            args = (BYTES.astype(dtype), CHOSEN, value)
            assert disagreement(outcome(function, args), outcome(compiled, args), args) is None, (dtype, value)


def test_known_ints_that_the_dtype_of_an_array_does_not_hold() -> None:
    calls: list[Function] = [
        lambda a, m: np.where(m, -1, a),
        lambda a, m: np.where(m, a, 300),
        lambda a, m: np.select([m], [a], -(2**40)),
        lambda a, m: np.pad(a, 1, constant_values=-1),
        lambda a, m: np.clip(a, -1, 2),
        lambda a, m: a.clip(-5, 2**70),
        lambda a, m: np.clip(a, -1, None),
    ]
    for number, function in enumerate(calls):
        for dtype in (np.uint8, np.int8, np.uint64, np.float32):
            assert differs(function, BYTES.astype(dtype), CHOSEN) is None, (number, dtype)


def test_kinds_that_random_calls_found() -> None:
    for number, (function, args) in enumerate(CALLS):
        assert differs(function, *args) is None, number


def test_what_compiled_code_would_do_otherwise_is_run_by_the_interpreter() -> None:
    cases: list[tuple[Function, Any]] = [
        (lambda a: np.max(a, initial=3), ROWS),
        (lambda a: np.linalg.svd(a, hermitian=True)[1], np.array([[1.0, 9.0], [2.0, 3.0]])),
        (lambda a: np.max(a), np.array([1j, 2 + 0j])),
        (lambda a: np.meshgrid(a, a, sparse=True, copy=False), np.arange(3)),
    ]
    for function, array in cases:
        with pytest.warns(FallbackWarning):
            got = outcome(jit(function), (array,))
        assert disagreement(outcome(function, (array,)), got, (array,)) is None


def test_an_exception_of_numpys_comes_before_what_the_statement_writes() -> None:
    def update(a: np.ndarray, b: np.ndarray) -> None:
        a[0] = 5.0
        a @= b

    a = np.ones((2, 3))
    with pytest.raises(ValueError, match="matmul"):
        jit(update)(a, np.ones((2, 3)))
    assert a[0].tolist() == [5.0] * 3
    assert a[1].tolist() == [1.0] * 3


def test_exceptions_of_numpys_are_caught_as_in_python() -> None:
    def caught(a: np.ndarray) -> str:
        try:
            np.sum(a, 4)
        except np.exceptions.AxisError:
            return f"{a.ndim} axes"
        return ""

    assert jit(caught)(FLOATS) == caught(FLOATS)
