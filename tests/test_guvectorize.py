"""`guvectorize`: generalised ufuncs of Python functions, by NumPy's functions of the same meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, guvectorize, jit
from jitcore.source import CompileError

RNG = np.random.default_rng(0)


def product(a: Any, b: Any, c: Any) -> None:
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def shifted(x: Any, by: Any, out: Any) -> None:
    for i in range(x.shape[0]):
        out[i] = x[i] + by


def extremes(x: Any, low: Any, high: Any) -> None:
    low[0] = x.min()
    high[0] = x.max()


matmul = guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)")(product)
shift = guvectorize(["void(int64[:], int64, int64[:])", "void(float64[:], float64, float64[:])"], "(n), () -> (n)")(
    shifted
)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (RNG.random((3, 4)), RNG.random((4, 5))),
        (RNG.random((5, 1, 3, 4)), RNG.random((2, 4, 6))),
        (RNG.random((4, 3)).T, RNG.random((6, 8))[::-2, ::2][:4][[0, 1, 2, 0]]),
        (RNG.random((2, 3, 4)).astype(">f8"), RNG.random((4, 1)).astype("f4")),
        (RNG.random((0, 3, 4)), RNG.random((4, 2))),
        (RNG.random((3, 0)), RNG.random((0, 2))),
        (np.broadcast_to(RNG.random((3, 4)), (6, 3, 4)), RNG.random((4, 5))),
    ],
    ids=["plain", "loops", "strided", "converted", "no rounds", "empty core", "broadcast"],
)
def test_loops_go_over_the_other_dimensions(a: Any, b: Any) -> None:
    np.testing.assert_allclose(matmul(a, b), a @ b, rtol=1e-6)


def test_dimensions_must_fit() -> None:
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        matmul(np.ones((3, 4)), np.ones((3, 4)))
    with pytest.raises(ValueError, match="enough dimensions"):
        matmul(np.ones(3), np.ones((3, 4)))


def test_signatures_are_tried_in_turn() -> None:
    assert shift.types == ["ll->l", "dd->d"]
    assert shift.signature == "(n),()->(n)"
    assert shift(np.arange(3), 2).tolist() == [2, 3, 4]
    assert shift(np.arange(3), 0.5).tolist() == [0.5, 1.5, 2.5]
    assert shift(np.arange(4.0).reshape(2, 2), [10, 20]).tolist() == [[10, 11], [22, 23]]
    with pytest.raises(TypeError, match="no signature"):
        shift(np.arange(3) * 1j, 1)


def test_results_are_written_to_given_arrays() -> None:
    out = np.zeros((2, 3))
    assert shift(np.arange(3.0), [1.0, 2.0], out=out) is out
    assert out.tolist() == [[1, 2, 3], [2, 3, 4]]
    x = np.arange(3.0)
    shift(x, 1.0, out=x)
    assert x.tolist() == [1, 2, 3]
    wide = np.zeros((3, 4))[:, ::2]
    shift(np.ones((3, 2)), 1, out=wide)
    assert (wide == 2).all()


def test_several_results_and_axes() -> None:
    both = guvectorize("(n)->(),()")(extremes)
    x = RNG.random((3, 4, 5))
    low, high = both(x)
    np.testing.assert_array_equal(low, x.min(-1))
    np.testing.assert_array_equal(high, x.max(-1))
    np.testing.assert_array_equal(both(x, axis=1)[1], x.max(1))
    np.testing.assert_array_equal(both(x, axes=[0, (), ()])[0], x.min(0))
    assert both(np.arange(4, dtype="i2"))[0].dtype == np.int16


def test_without_signatures_dtypes_are_those_given() -> None:
    lazy = guvectorize("(n),()->(n)")(shifted)
    assert lazy(np.arange(3, dtype="f4"), 1).dtype == np.float32
    assert lazy(np.arange(3), 1.5).tolist() == [1.5, 2.5, 3.5]
    assert lazy(np.arange(3), 1, dtype="f4").dtype == np.float32


def test_inputs_of_one_element_are_numbers_or_arrays_as_signatures_say() -> None:
    @guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),()->(n)")
    def scaled(x: Any, by: Any, out: Any) -> None:
        for i in range(x.shape[0]):
            out[i] = x[i] * by[0]

    assert scaled(np.ones((2, 2)), [2.0, 3.0]).tolist() == [[2, 2], [3, 3]]


def test_fixed_dimensions() -> None:
    @guvectorize(["void(float64[:], float64[:], float64[:])"], "(3),(3)->(3)")
    def cross(a: Any, b: Any, out: Any) -> None:
        out[0] = a[1] * b[2] - a[2] * b[1]
        out[1] = a[2] * b[0] - a[0] * b[2]
        out[2] = a[0] * b[1] - a[1] * b[0]

    a, b = RNG.random((5, 3)), RNG.random(3)
    np.testing.assert_allclose(cross(a, b), np.cross(a, b))
    with pytest.raises(ValueError, match="different from 3"):
        cross(np.ones(4), np.ones(4))


def test_exceptions_leave_the_call() -> None:
    @guvectorize(["void(int64[:], float64[:], float64[:])"], "(n),(m)->(n)")
    def taken(places: Any, values: Any, out: Any) -> None:
        for i in range(places.shape[0]):
            out[i] = values[places[i]]

    assert taken([1, 0], np.array([5.0, 6.0])).tolist() == [6, 5]
    with pytest.raises(IndexError, match="index 9 is out of bounds"):
        taken([[1, 0], [0, 9]], np.array([5.0, 6.0]))


def test_inputs_are_not_written_to() -> None:
    def halves(x: Any, out: Any) -> None:
        x[0] = 0
        out[0] = x.sum()

    with pytest.raises(CompileError, match="writes to input 1"):
        guvectorize(["void(float64[:], float64[:])"], "(n)->()")(halves)
    with pytest.raises(TypeError, match="out=x"):
        guvectorize(["void(float64[:], float64[:])"], "(n)->()", writable_args=(0,))(halves)


@pytest.mark.parametrize(
    ("types", "layout", "message"),
    [
        (["void(float64[:], float64[:], float64[:])"], "(n)->(n)", "3 arguments, and the layout 2"),
        (["float64(float64[:], float64[:])"], "(n)->(n)", "returns nothing"),
        (["void(float64, float64[:])"], "(n)->(n)", "argument 1 .* is a number, .* write float64\\[:\\]"),
        (["void(float64[:], float64)"], "(n)->()", "argument 2"),
        (["void(float64[:,:], float64[:])"], "(n)->(n)", "2 dimensions"),
        ([], "(n)(n)", "no layout"),
        ([], "(n)", "no layout"),
        ([], "(n),(n)->(n)", "2 parameters"),
    ],
)
def test_what_does_not_fit_is_refused(types: Any, layout: str, message: str) -> None:
    def function(x: Any, out: Any) -> None:
        out[0] = x

    with pytest.raises(TypeError, match=message):
        guvectorize(types, layout)(function)


def test_it_is_given_a_layout() -> None:
    with pytest.raises(TypeError, match="layout"):
        guvectorize(["void(float64[:], float64[:])"])
    with pytest.raises(ValueError, match="set_context"):
        guvectorize("(n)->(n)", target="cuda")


def test_uncompiled_functions_are_called_round_by_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jitcore.config.settings, "jit", False)
    plain = guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)")(product)
    a, b = RNG.random((2, 1, 3, 4)), RNG.random((5, 6, 4))
    np.testing.assert_allclose(plain(a, b.swapaxes(1, 2)), a @ b.swapaxes(1, 2))
    low, high = guvectorize("(n)->(),()")(extremes)(a)
    np.testing.assert_array_equal(low, a.min(-1))
    np.testing.assert_array_equal(high, a.max(-1))
    assert guvectorize("(n),()->(n)")(shifted)(np.arange(3), [1, 2]).tolist() == [[1, 2, 3], [2, 3, 4]]


def test_compiled_functions_call_it() -> None:
    compiled = jit(lambda a, b: matmul(a, b) + 1)
    for a, b in [
        (RNG.random((5, 1, 3, 4)), RNG.random((2, 4, 6))),
        (RNG.random((3, 4)), RNG.random((4, 6))),
        (RNG.random((2, 4)), RNG.random((7, 4, 1))),
    ]:
        np.testing.assert_allclose(compiled(a, b), a @ b + 1)
    with pytest.raises(ValueError, match="mismatch"):
        compiled(np.ones((3, 4)), np.ones((3, 4)))
    assert compiled.interpreted == 0
    assert jit(lambda x, by: shift(x, by))(np.arange(3), 2).tolist() == [2, 3, 4]
    low, high = jit(lambda x: both_of(x))(np.arange(6.0).reshape(2, 3))
    assert low.tolist() == [0, 3]
    assert high.tolist() == [2, 5]
    found = jit(lambda x: both_of(x)[1])(Tensor([1.0, 4.0, 2.0]))
    assert isinstance(found, Tensor)
    assert float(found) == 4


both_of = guvectorize("(n)->(),()")(extremes)
