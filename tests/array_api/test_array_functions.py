"""Creation, manipulation, searching, sorting, sets, statistics: NumPy's values, line by line and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import assert_same, both

import jitcore.numpy as xp
from jitcore import grad, jit

_RNG = np.random.default_rng(0)
_ARRAYS = {
    "float64": _RNG.standard_normal((2, 3)),
    "complex64": (_RNG.standard_normal((2, 3)) + 1j * _RNG.standard_normal((2, 3))).astype(np.complex64),
    "int8": np.array([[3, -1, 3], [0, 2, -1]], np.int8),
    "bool": np.array([[True, False, True], [False, False, True]]),
}

_MANIPULATION: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "broadcast_to": (lambda x: xp.broadcast_to(x, (2, 2, 3)), lambda x: np.broadcast_to(x, (2, 2, 3))),
    "broadcast_arrays": (lambda x: xp.broadcast_arrays(x, x[0]), lambda x: list(np.broadcast_arrays(x, x[0]))),
    "concat": (lambda x: xp.concat([x, x], axis=1), lambda x: np.concatenate([x, x], 1)),
    "concat flat": (lambda x: xp.concat((x, x[0]), axis=None), lambda x: np.concatenate((x, x[0]), None)),
    "expand_dims": (lambda x: xp.expand_dims(x, axis=-1), lambda x: np.expand_dims(x, -1)),
    "flip": (lambda x: xp.flip(x), np.flip),
    "flip some": (lambda x: xp.flip(x, axis=(1,)), lambda x: np.flip(x, 1)),
    "moveaxis": (lambda x: xp.moveaxis(x, (0, 1), (1, 0)), lambda x: x.T),
    "permute_dims": (lambda x: xp.permute_dims(x, (1, 0)), lambda x: x.T),
    "repeat": (lambda x: xp.repeat(x, 2, axis=1), lambda x: np.repeat(x, 2, 1)),
    "repeat each": (lambda x: xp.repeat(x, xp.asarray([2, 0]), axis=0), lambda x: np.repeat(x, [2, 0], 0)),
    "repeat flat": (lambda x: xp.repeat(x, 2), lambda x: np.repeat(x, 2)),
    "reshape": (lambda x: xp.reshape(x, (3, -1)), lambda x: x.reshape(3, 2)),
    "reshape copy": (lambda x: xp.reshape(x, (6,), copy=True), lambda x: x.reshape(6)),
    "roll": (lambda x: xp.roll(x, 2), lambda x: np.roll(x, 2)),
    "roll axes": (lambda x: xp.roll(x, (1, -1), axis=(0, 1)), lambda x: np.roll(x, (1, -1), (0, 1))),
    "squeeze": (lambda x: xp.squeeze(x[:, None], 1), lambda x: x),
    "stack": (lambda x: xp.stack([x, x], axis=-1), lambda x: np.stack([x, x], -1)),
    "tile": (lambda x: xp.tile(x, (2, 1, 2)), lambda x: np.tile(x, (2, 1, 2))),
    "unstack": (lambda x: xp.unstack(x, axis=1), lambda x: tuple(x.T)),
    "tril": (lambda x: xp.tril(x, k=1), lambda x: np.tril(x, 1)),
    "triu": (lambda x: xp.triu(x, k=-1), lambda x: np.triu(x, -1)),
    "meshgrid": (lambda x: xp.meshgrid(x[0], x[:, 0]), lambda x: list(np.meshgrid(x[0], x[:, 0]))),
    "meshgrid ij": (
        lambda x: xp.meshgrid(x[0], x[:, 0], indexing="ij"),
        lambda x: list(np.meshgrid(x[0], x[:, 0], indexing="ij")),
    ),
    "zeros_like": (lambda x: xp.zeros_like(x), np.zeros_like),
    "ones_like": (lambda x: xp.ones_like(x, dtype=xp.float32), lambda x: np.ones_like(x, np.float32)),
    "full_like": (lambda x: xp.full_like(x, 1), lambda x: np.full_like(x, 1)),
    "empty_like": (lambda x: xp.empty_like(x).shape, lambda x: x.shape),
    "take": (lambda x: xp.take(x, xp.asarray([2, 0, 2]), axis=1), lambda x: x[:, [2, 0, 2]]),
    "take_along_axis": (
        lambda x: xp.take_along_axis(x, xp.asarray([[1, 0, 1]]), axis=0),
        lambda x: np.take_along_axis(x, np.array([[1, 0, 1]]), 0),
    ),
    "where": (
        lambda x: xp.where(xp.asarray([True, False, True]), x, xp.ones_like(x)),
        lambda x: np.where([True, False, True], x, np.ones_like(x)),
    ),
    "nonzero": (lambda x: xp.nonzero(x), np.nonzero),
    "count_nonzero": (lambda x: xp.count_nonzero(x, axis=0), lambda x: np.count_nonzero(x, axis=0)),
    "all": (lambda x: xp.all(x, axis=0, keepdims=True), lambda x: np.all(x, 0, keepdims=True)),
    "any": (lambda x: xp.any(x), np.any),
    "any of no axes": (lambda x: xp.any(x, axis=()), lambda x: x != 0),
    "vecdot": (
        lambda x: xp.vecdot(x, x * 1) if x.dtype != xp.bool else x,
        lambda x: np.vecdot(x, x) if x.dtype != bool else x,
    ),
}


@pytest.mark.parametrize("name", _MANIPULATION)
def test_functions_of_any_dtype(name: str) -> None:
    ours, theirs = _MANIPULATION[name]

    def run(*arrays: Any) -> Any:
        return [ours(x) for x in arrays]

    wanted = [theirs(x) for x in _ARRAYS.values()]
    for made in both(run, *map(xp.asarray, _ARRAYS.values())):
        assert_same(made, wanted, 1e-6)


_ORDERED: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "argmax": (lambda x: xp.argmax(x, axis=1, keepdims=True), lambda x: np.argmax(x, 1, keepdims=True)),
    "argmin": (lambda x: xp.argmin(x), np.argmin),
    "max": (lambda x: xp.max(x, axis=0), lambda x: x.max(0)),
    "max of no axes": (lambda x: xp.max(x, axis=(), keepdims=True), lambda x: x),
    "min": (lambda x: xp.min(x, axis=(0, 1), keepdims=True), lambda x: x.min((0, 1), keepdims=True)),
    "sort": (lambda x: xp.sort(x), np.sort),
    "sort down": (lambda x: xp.sort(x, axis=0, descending=True), lambda x: np.sort(x, 0)[::-1]),
    "argsort": (lambda x: xp.argsort(x), lambda x: np.argsort(x, stable=True)),
    "argsort down": (
        lambda x: xp.argsort(x, descending=True),
        lambda x: np.argsort(x.max() - x, stable=True),
    ),
    "searchsorted": (
        lambda x: xp.searchsorted(xp.sort(x[0]), x[1], side="right"),
        lambda x: np.searchsorted(np.sort(x[0]), x[1], "right"),
    ),
    "searchsorted sorter": (
        lambda x: xp.searchsorted(x[0], x[1], sorter=xp.argsort(x[0])),
        lambda x: np.searchsorted(x[0], x[1], sorter=np.argsort(x[0])),
    ),
    "clip": (lambda x: xp.clip(x, 0, 1), lambda x: np.clip(x, 0, 1)),
    "clip above": (lambda x: xp.clip(x, max=x[1]), lambda x: np.minimum(x, x[1])),
    "diff": (lambda x: xp.diff(x, axis=0, prepend=x[:1]), lambda x: np.diff(x, axis=0, prepend=x[:1])),
    "diff twice": (lambda x: xp.diff(x, n=2, append=x), lambda x: np.diff(x, 2, append=x)),
    "sum": (lambda x: xp.sum(x, axis=-1), lambda x: x.sum(-1)),
    "sum in": (lambda x: xp.sum(x, dtype=xp.float32), lambda x: x.sum(dtype=np.float32)),
    "sum of no axes": (lambda x: xp.sum(x, axis=()), lambda x: x.sum(())),
    "prod": (lambda x: xp.prod(x, axis=0, keepdims=True), lambda x: x.prod(0, keepdims=True)),
    "cumulative_sum": (lambda x: xp.cumulative_sum(x, axis=1), lambda x: x.cumsum(1)),
    "cumulative_sum from 0": (
        lambda x: xp.cumulative_sum(x, axis=-2, include_initial=True),
        lambda x: np.concatenate([x[:1] * 0, x]).cumsum(0),
    ),
    "cumulative_prod from 1": (
        lambda x: xp.cumulative_prod(x[0], include_initial=True),
        lambda x: np.concatenate([x[0, :1] * 0 + 1, x[0]]).cumprod(),
    ),
}


@pytest.mark.parametrize("name", _ORDERED)
def test_functions_of_real_numbers(name: str) -> None:
    ours, theirs = _ORDERED[name]
    arrays = [_ARRAYS["float64"], _ARRAYS["float64"].astype(np.float32), _ARRAYS["int8"]]

    def run(*given: Any) -> Any:
        return [ours(x) for x in given]

    for made in both(run, *map(xp.asarray, arrays)):
        assert_same(made, [theirs(x) for x in arrays], 1e-6)


@pytest.mark.parametrize("correction", [0, 1, 0.5])
@pytest.mark.parametrize("axis", [None, 0, (0, 1), ()])
def test_moments(correction: float, axis: Any) -> None:
    arrays = [_ARRAYS["float64"], _ARRAYS["float64"].astype(np.float32)]
    correction = 0 if axis == () else correction  # of single elements nothing is left to divide by

    def run(*given: Any) -> Any:
        return [
            (
                xp.mean(x, axis=axis),
                xp.var(x, axis=axis, correction=correction, keepdims=True),
                xp.std(x, axis=axis, correction=correction),
            )
            for x in given
        ]

    wanted = [(x.mean(axis), x.var(axis, ddof=correction, keepdims=True), x.std(axis, ddof=correction)) for x in arrays]
    for made in both(run, *map(xp.asarray, arrays)):
        assert_same(made, wanted, 1e-6)


def test_reductions_of_no_elements() -> None:
    def run(x: Any) -> Any:
        return xp.sum(x), xp.prod(x), xp.all(x), xp.any(x), xp.sum(x, axis=0), xp.cumulative_sum(x[:, 0])

    for made in both(run, xp.zeros((0, 2))):
        assert_same(made, (np.array(0.0), np.array(1.0), np.True_, np.False_, np.zeros(2), np.zeros(0)))
    for function in (xp.max, xp.min, xp.argmax):
        with pytest.raises(ValueError, match=r"zero-size|empty sequence"):
            function(xp.zeros(0))


def test_sets() -> None:
    given = np.array([[3.0, 1.0, np.nan], [1.0, np.nan, -0.0]])

    def run(x: Any) -> Any:
        return (xp.unique_all(x), xp.unique_counts(x), xp.unique_inverse(x), xp.unique_values(x))

    values, counts = np.array([0.0, 1.0, 3.0, np.nan, np.nan]), np.array([1, 2, 1, 1, 1])
    for everything, counted, inverse, alone in both(run, xp.asarray(given)):
        for found in (everything[0], counted[0], inverse[0], alone):
            assert_same(found, values)
        assert_same(everything[3], counts)
        assert_same(counted[1], counts)
        assert_same(given.ravel()[everything[1]], values)
        for places in (everything[2], inverse[1]):
            assert places.shape == given.shape
            assert_same(values[places], given)
    found = xp.unique_all(xp.asarray([1, 1]))
    assert (found.values.tolist(), found.indices.tolist()) == ([1], [0])
    assert (found.inverse_indices.tolist(), found.counts.tolist()) == ([0, 0], [2])


_MADE: dict[str, tuple[Callable[[], Any], np.ndarray[Any, Any]]] = {
    "arange": (lambda: xp.arange(5), np.arange(5)),
    "arange from": (lambda: xp.arange(5, stop=-1, step=-2), np.arange(5, -1, -2)),
    "arange of floats": (lambda: xp.arange(0.0, 1.0, 0.25, dtype=xp.float32), np.arange(0, 1, 0.25, np.float32)),
    "arange of nothing": (lambda: xp.arange(3, 1), np.arange(3, 1)),
    "asarray": (lambda: xp.asarray([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]])),
    "asarray of numbers": (lambda: xp.asarray([1, 2.5, True]), np.array([1, 2.5, True])),
    "asarray of a number": (lambda: xp.asarray(3, dtype=xp.uint8), np.array(3, np.uint8)),
    "asarray of the largest": (lambda: xp.asarray([2**64 - 1], dtype=xp.uint64), np.array([2**64 - 1], np.uint64)),
    "asarray of a complex": (lambda: xp.asarray(1 + 2j), np.array(1 + 2j)),
    "empty": (lambda: xp.empty((0, 2), dtype=xp.int32), np.empty((0, 2), np.int32)),
    "eye": (lambda: xp.eye(2, 3, k=-1, dtype=xp.int16), np.eye(2, 3, -1, np.int16)),
    "full": (lambda: xp.full((2,), 3, dtype=xp.float32), np.full(2, 3, np.float32)),
    "full of truth": (lambda: xp.full((), True), np.full((), True)),
    "linspace": (lambda: xp.linspace(0, 1, num=5), np.linspace(0, 1, 5)),
    "linspace without end": (lambda: xp.linspace(0, 1, 4, endpoint=False), np.linspace(0, 1, 4, False)),
    "linspace in": (lambda: xp.linspace(0, 1, 3, dtype=xp.float32), np.linspace(0, 1, 3, dtype=np.float32)),
    "linspace of complex numbers": (lambda: xp.linspace(0, 1j, 3), np.linspace(0, 1j, 3)),
    "ones": (lambda: xp.ones(3, dtype=xp.bool, device="cpu"), np.ones(3, bool)),
    "zeros": (lambda: xp.zeros((2, 1), dtype=xp.complex64), np.zeros((2, 1), np.complex64)),
}


@pytest.mark.parametrize("name", _MADE)
def test_creation(name: str) -> None:
    make, wanted = _MADE[name]
    for made in both(make):
        assert_same(made, wanted)


def test_asarray_copies_as_it_is_told() -> None:
    x, a = xp.arange(3), np.arange(3)
    assert xp.asarray(x) is x
    assert xp.asarray(x, copy=False, dtype=xp.int64) is x
    assert not np.shares_memory(xp.asarray(x, copy=True).asnumpy(), x.asnumpy())
    assert np.shares_memory(xp.asarray(a).asnumpy(), a)
    assert not np.shares_memory(xp.asarray(a, copy=True).asnumpy(), a)
    assert xp.asarray(memoryview(b"ab")).tolist() == [97, 98]
    for wrong in ([1, 2], 3):
        with pytest.raises(ValueError, match="always a copy"):
            xp.asarray(wrong, copy=False)
    with pytest.raises(ValueError, match="is copied to become"):
        xp.asarray(x, dtype=xp.float32, copy=False)

    def written(x: Any) -> Any:
        y = xp.asarray(x, copy=True)
        y[0] = 9
        return x, y

    for old, new in both(written, x):
        assert (old.tolist(), new.tolist()) == ([0, 1, 2], [9, 1, 2])


def test_reshape_copies_as_it_is_told() -> None:
    x = xp.reshape(xp.arange(4), (2, 2))
    assert np.shares_memory(xp.reshape(x, (4,), copy=False).asnumpy(), x.asnumpy())
    assert not np.shares_memory(xp.reshape(x, (4,), copy=True).asnumpy(), x.asnumpy())
    with pytest.raises(ValueError, match="needs a copy"):
        xp.reshape(x.T, (4,), copy=False)


def test_what_is_wrong_is_said() -> None:
    x = xp.ones((2, 3))
    for call in (
        lambda: xp.sum(x, axis=2),
        lambda: xp.cumulative_sum(x, axis=2),
        lambda: xp.expand_dims(x, axis=5),
        lambda: xp.flip(x, axis=-3),
    ):
        with pytest.raises(IndexError, match="out of bounds"):
            call()
    with pytest.raises(ValueError, match="more than one axis"):
        xp.cumulative_sum(x)
    with pytest.raises(ValueError, match="size not equal to one"):
        xp.squeeze(x, 0)
    with pytest.raises(ValueError, match="none called 'gpu'"):
        xp.zeros(2, device="gpu")
    with pytest.raises(ValueError, match="without axes"):
        xp.unstack(xp.asarray(1))
    with pytest.raises(ValueError, match="0d"):
        xp.nonzero(xp.asarray(1))
    with pytest.raises(ValueError, match="either both or neither"):
        xp.where(x > 0, x)
    with pytest.raises(IndexError, match="out of bounds"):
        xp.take(x, xp.asarray([3]), axis=1)
    with pytest.raises(ValueError, match="broadcast"):
        xp.add(x, xp.ones((2, 2)))


def test_shapes_that_only_the_run_knows() -> None:
    @jit
    def run(x: Any) -> Any:
        kept = x[x > 1]
        return xp.sort(kept, descending=True), xp.argsort(kept, descending=True), xp.var(kept, correction=0.5)

    for given in (np.array([0.0, 3.0, 2.0, 5.0]), np.array([4.0, 7.0, 1.0, 0.0])):
        kept = given[given > 1]
        ordered, places, spread = run(xp.asarray(given))
        np.testing.assert_array_equal(ordered.asnumpy(), np.sort(kept)[::-1])
        np.testing.assert_array_equal(places.asnumpy(), np.argsort(-kept))
        np.testing.assert_allclose(float(spread), kept.var(ddof=0.5))


def test_gradients_go_through() -> None:
    def loss(x: Any) -> Any:
        y = xp.matmul(x, xp.matrix_transpose(x)) + xp.eye(2)
        spread = xp.std(x, axis=1, correction=0.5) + xp.cumulative_sum(xp.clip(x, min=-0.5), axis=1)[:, -1]
        return xp.sum(spread) + xp.linalg.vector_norm(y, ord=3) + xp.log(xp.linalg.det(y)) + xp.max(xp.abs(x))

    given = _ARRAYS["float64"]
    step = 1e-6
    wanted = np.empty_like(given)
    for place in np.ndindex(given.shape):
        up, down = given.copy(), given.copy()
        up[place] += step
        down[place] -= step
        wanted[place] = (float(loss(xp.asarray(up))) - float(loss(xp.asarray(down)))) / (2 * step)
    for made in both(grad(loss), xp.asarray(given)):
        assert_same(made, wanted, 1e-6)
