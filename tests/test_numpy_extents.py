"""NumPy's functions compiled once for arrays of many extents and layouts do what NumPy does with each: random calls, and kinds that such calls
found. Extents of the run are 0, 1, small or some thousands here; the first call is always compiled for the extents it has."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzz.numpy_comparison import disagreement, outcome
from fuzz.numpy_shapes import laid_out
from fuzz.run import Tally, run_numpy_shapes

from jitcore import jit
from jitcore.runtime.dispatch import FallbackWarning

Function = Callable[..., Any]
Calls = list[tuple[Any, ...]]
z, ones, ints = np.zeros, np.ones, np.arange


def test_random_calls_of_several_shapes() -> None:
    tally = Tally()
    run_numpy_shapes(7, 40, tally)
    assert tally.made == 40
    assert tally.calls > 150
    # an error names at most three extents that compiling does not know: beyond that the words differ
    assert not [d for d in tally.differences if not d.startswith("[words of")]


def differing(function: Function, calls: Calls) -> list[tuple[int, str]]:
    """Which calls of one compiled function do otherwise than the plain ones, and what. None is run in the interpreter."""
    compiled = jit(function)
    found: list[tuple[int, str]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", FallbackWarning)
        for number, args in enumerate(calls):
            what = disagreement(outcome(function, args), outcome(compiled, args), args)
            found += [(number, what)] if what else []
    return found


VECTORS: Calls = [(ones(3), ones(3)), (z(5), z(4)), (z(5), z(1)), (z(0), z(1)), (ints(7.0), ones(7))]
LINES: Calls = [(ints(4.0),), (ints(9.0),), (z(0),), (ones(1),), (ints(3000.0),)]
ROWS: Calls = [(ones((3, 2)),), (ones((2, 0)),), (ones((0, 1)),), (ones((0, 5)),), (ones((1500, 3)),)]
SQUARE: Calls = [(np.eye(3),), (z((5, 4)),), (np.eye(6),)]
MASKED: Calls = [
    (z(3), np.array([True, False, True]), z(2)), (z(5), z(4, bool), z(2)), (z(0), z(4, bool), z(2)), (z(4), ones(4, bool), ints(3.0)),
]  # fmt: skip
PAIRS = [(2, 2), (4, 3), (3, 4), (7, 7), (0, 2), (0, 0)]
KINDS: list[tuple[Function, Calls]] = [
    # matrices that turn out not to be square
    *((f, SQUARE) for f in (np.linalg.eigvalsh, np.linalg.inv, np.linalg.det, np.linalg.cholesky, np.linalg.slogdet)),
    # vectors whose lengths differ
    *((f, VECTORS) for f in (np.vecdot, np.linalg.vecdot, np.dot, np.inner, np.matmul, np.convolve, np.correlate)),
    # masks and values of other sizes
    (lambda a, m, v: np.putmask(a, m, v), MASKED),
    (lambda a, m, v: np.place(a, m, v), [*MASKED, (z(3), ones(3, bool), z(0)), (z(3), z(3, bool), z(0))]),
    (
        lambda a, i, v: np.put_along_axis(a, i, v, 0),
        [(z(5), ints(2), ones(2)), (z(5), ints(2), ones(3)), (z(5), ints(3), ones(1))],
    ),
    (lambda a, m, v: np.putmask(a, m, v), [(z(n, np.int16), ones(n, bool), ones(n, np.uint16)) for n in (3, 5, 0)]),
    (lambda a: np.percentile(a, [10, 50]), [(ints(4),), (ints(7),), (z(0, int),), (z(0, np.uint8),)]),
    # weights of another length, which were read past their end
    (lambda a, w: np.average(a, weights=w), VECTORS),
    (
        lambda a, w: np.average(a, 0, w),
        [(ones((3, 2)), ones(3)), (ones((5, 2)), ones(4)), (ones((5, 2)), ones(1)), (ones((7, 2)), ints(7.0))],
    ),
    (lambda a, w: np.average(a, 1, w), [(ones((2, 3)), ones(3)), (ones((2, 5)), ones(4)), (ones((4, 6)), ints(6.0))]),
    (lambda a: np.average(a, axis=0), ROWS),
    # stacks of other lengths, which were read past their end
    (
        lambda a, b: a @ b,
        [(np.arange(n * 4.0).reshape(n, 2, 2), np.arange(m * 4.0).reshape(m, 2, 2)) for n, m in PAIRS],
    ),
    (lambda a, b: a @ b, [(np.ones((n, 2, 3)), np.ones((2, m, 3, 2))) for n, m in PAIRS]),
    (lambda a, b: np.lexsort((a, b)), VECTORS),
    (lambda a, b: np.histogram(a, weights=b), VECTORS),
    (lambda a, b: np.histogramdd(a, weights=b), [(np.ones((n, 2)), np.ones(m)) for n, m in PAIRS[:4]]),
    (lambda a, b: np.bincount(a.astype(int), weights=b), [*VECTORS[:3], *VECTORS[4:]]),
    # no elements
    (lambda a: np.histogram(a), LINES),
    (lambda a: np.histogram_bin_edges(a, 3), LINES),
    (lambda a, b: a**b, [(ints(3), 2), (z(0, int), -2), (ints(4), -1)]),
    (lambda a, b: a**b, [(ints(3), ints(3)), (z(0, int), z(0, int)), (ints(4), -ints(4))]),
    (lambda a: np.nanpercentile(a, 30), [(ints(4),), (z(0, int),), (ints(2001),)]),
    (lambda a: np.nanquantile(a, 0.3, axis=1), [(ints(4).reshape(2, 2),), (z((3, 0), int),), (z((0, 4), int),)]),
    (lambda a: np.argmax(a, axis=1), ROWS),
    (lambda a: np.max(a, axis=0), ROWS),
    # what NumPy refuses whatever the extents are
    (lambda a: np.einsum("ij,jk->ik", a, a), LINES),
    (lambda a: np.linalg.diagonal(a), LINES),
    (lambda a: np.linalg.matrix_norm(a), LINES),
    (lambda a: np.bitwise_not(a), LINES),
    (lambda a: np.log1p(a, dtype=np.float32), [(ints(4.0) + 1j,), (ints(9.0) + 1j,)]),
    (lambda a: np.take(a, [0], mode="sideways"), LINES),
    (lambda a: np.sum(a, 3), ROWS),
    (lambda a: np.trapezoid(a, axis=2), ROWS),
    (lambda a, m: np.place(a, m, np.array([0.5])), [(z(n, np.int16), ones(n, bool)) for n in (3, 5, 0)]),
    (lambda a: np.linalg.lstsq(a, a), LINES),
    (lambda a, b: np.histogram2d(a, b), [(ones(3), ones(3)), (ones(4), ones(3)), (ones(6), ints(6.0))]),
]


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_one_compiled_function_for_several_extents(number: int) -> None:
    function, calls = KINDS[number]
    assert differing(function, calls) == []


def test_stacks_of_vectors_of_other_lengths() -> None:
    for product, left, right in ((np.matvec, (2, 3), (3,)), (np.vecmat, (3,), (3, 2)), (np.vecdot, (3,), (3,))):
        compiled = jit(product)
        for n, m in PAIRS:
            args = (np.ones((n, *left)), np.ones((m, *right)))
            want, got = outcome(product, args), outcome(compiled, args)
            assert type(want[1]) is type(got[1]), (product, n, m)
            assert want[1] is not None or disagreement(want, got, args) is None, (product, n, m)


@pytest.mark.parametrize("op", ["+", "&", "/", "%"])
def test_results_that_an_array_does_not_take(op: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def update(a, b):\n    a {op}= b\n    return a\n", names)
    plain = names["update"]

    def update(a: Any, b: Any) -> Any:
        match op:
            case "+":
                a += b
            case "&":
                a &= b
            case "/":
                a /= b
            case _:
                a %= b
        return a

    compiled = jit(update)
    other: dict[str, Any] = {"&": np.int64(3)}
    for n in (3, 5, 0, 2000):
        args = (np.ones(n, np.uint16), np.array([other.get(op, -1.5)] * n))
        assert disagreement(outcome(plain, args), outcome(compiled, args), args) is None, n


@pytest.mark.parametrize("layout", ["strided", "reversed", "columns", "readonly", "broadcast"])
def test_layouts(layout: str) -> None:
    rng = np.random.default_rng(5)

    def several(a: Any) -> Any:
        return (
            a.sum(axis=0),
            np.sort(a, axis=1),
            np.cumsum(a),
            a.T @ a,
            np.where(a > 0, a, -1),
            np.diff(a, axis=0),
            a[::-1, 1:],
            np.median(a),
        )

    calls: Calls = [
        (laid_out(rng.integers(-9, 9, shape) * 0.5, layout),) for shape in ((3, 4), (2, 2), (60, 41), (5, 3))
    ]
    assert differing(several, calls) == []


def test_large_arrays_of_known_extents() -> None:
    big = np.arange(3000.0).reshape(1500, 2)
    cases: list[tuple[Function, tuple[Any, ...]]] = [
        (lambda a: np.linalg.matrix_norm(a[:, 0]), (big,)),
        (lambda a: np.bitwise_not(a), (big,)),
        (lambda a, i: a.take(i, mode="sideways"), (big, np.arange(3))),
        (lambda a: np.einsum("ijk,jk->ik", a, a), (big,)),
        (lambda a: np.round(a, -1), (np.arange(2000),)),
        (lambda a: np.gradient(a), (np.arange(2000, dtype=np.float32),)),
    ]
    for number, (function, args) in enumerate(cases):
        assert differing(function, [args]) == [], number


def _largest_row(x: Any) -> Any:
    return np.linalg.norm(x, np.inf), np.linalg.matrix_norm(x, ord=1), np.linalg.norm(x, np.inf, axis=1)


def _sums_along(x: Any) -> Any:
    return np.apply_along_axis(lambda row: row.sum(), 0, x), np.apply_along_axis(lambda row: row * 2, -1, x)


def _real_transform(x: Any) -> Any:
    return np.fft.irfft(x)


@pytest.mark.parametrize("function", [_largest_row, _sums_along, _real_transform])
def test_extents_of_nothing_after_others(function: Any) -> None:
    compiled = jit(function)
    for shape in ((2, 3), (3, 4), (0, 3), (3, 0), (4, 2)):
        x = np.arange(math.prod(shape), dtype=np.float64).reshape(shape)
        try:
            wanted = function(x)
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                compiled(x)
            continue
        for got, want in zip(compiled(x), wanted, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12)
            assert got.dtype == want.dtype
