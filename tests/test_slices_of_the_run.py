"""Slices whose bounds and step only the run knows: views as NumPy's, read, written and differentiated in place."""

from __future__ import annotations

import copy
import itertools
import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit

pytestmark = pytest.mark.usefixtures("strict")

ENDS = [-(2**63), -100, -9, -8, -7, -3, -2, -1, 0, 1, 2, 3, 6, 7, 8, 9, 50, 2**63 - 1]


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    args = copy.deepcopy(args)
    try:
        result = np.asarray(function(*args)).tolist()
    except Exception as error:
        result = type(error), str(error)
    return result, [np.asarray(a).tolist() for a in args]


@pytest.mark.parametrize(
    "function",
    [
        lambda x, a, b, k: x[a:b:k],
        lambda x, a, b, k: x[a::k],
        lambda x, a, b, k: x[:b:k],
        lambda x, a, b, k: x[::k],
        lambda x, a, b, k: x[np.int64(a) : b : np.int64(k)],
    ],
    ids=["both", "start", "stop", "neither", "NumPy's ints"],
)
def test_reading(function: Callable[..., Any]) -> None:
    compiled, chance = jit(function), random.Random(1)
    for _ in range(60):
        x = np.arange(chance.choice([0, 1, 2, 7, 8])) * 1.5
        ends = [chance.choice(ENDS) for _ in range(3)]
        assert outcome(compiled, x, *ends) == outcome(function, x, *ends), (x, ends)
    assert len(compiled.specialisations) <= 3


def test_writing() -> None:
    def assign(x: Any, a: int, b: int, k: int) -> Any:
        x[a:b:k] = 5.0
        x[1::k] += x[1::k] * 2
        y = x[::k]
        y[:1] = -7
        return x.sum()

    compiled, chance = jit(assign), random.Random(2)
    for _ in range(60):
        x = np.arange(chance.choice([0, 1, 2, 7, 8])) * 1.5
        ends = [chance.choice(ENDS) for _ in range(3)]
        assert outcome(compiled, x, *ends) == outcome(assign, x, *ends), (x, ends)


def test_beside_other_indices() -> None:
    def pick(x: Any, i: int, k: int) -> Any:
        return x[i, ::k, None, 1], x[::k, ::k, 2].sum(), x[..., i::k]

    x = np.arange(60.0).reshape(3, 5, 4)
    compiled = jit(pick)
    for i, k in [(0, 1), (2, 2), (-1, -1), (1, -3), (2, 7)]:
        for got, want in zip(compiled(x, i, k), pick(x, i, k), strict=True):
            np.testing.assert_array_equal(got, want)


def test_what_is_read_is_a_view() -> None:
    compiled = jit(lambda x, k: x[1::k])
    x = np.arange(10.0)
    view = compiled(x, 3)
    view[0] = 99.0
    assert x[1] == 99.0


def test_a_sieve_writes_in_place() -> None:
    def sieve(n: int) -> int:
        prime = np.ones(n, bool)
        prime[:2] = False
        for k in range(2, n):
            if k * k >= n:
                break
            if prime[k]:
                prime[k * k :: k] = False
        return int(prime.sum())

    compiled = jit(sieve)
    assert [compiled(n) for n in (2, 30, 1000)] == [0, 10, 168]
    assert "host" not in compiled.specialisations[0].compilation.text("kernels")


IN_PLACE = [
    "x[a::k] = v", "x[:a:k] = v", "x[1:a:k] = v", "x[::-k] = v", "x[a::k] += v", "x[::k] *= 2.0", "x[::k] = x[::k] * 2",
    "x[a::k] = x[a::k][::-1].copy()", "y = x[a::k]; y += v", "x.reshape(2, -1)[:, a::k] = v", "x[a::k].fill(v)",
    "np.maximum(x[::k], v, out=x[::k])", "np.copyto(x[a::k], v)", "x[np.int64(a)::np.int64(k)] = v", "x[a::k], x[0] = v, 7.0",
]  # fmt: skip


@pytest.mark.parametrize("statement", IN_PLACE)
def test_every_statement_writes_in_place(statement: str) -> None:
    source, name = (
        f"def f(x, a, k, v):\n    for _ in range(3):\n        {statement}\n    return x.sum()\n",
        f"<{statement}>",
    )
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    space: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), space)
    compiled = jit(space["f"])
    for a, k in ((2, 5), (1, 1), (9, 3), (0, 24)):
        x, y = np.arange(24.0), np.arange(24.0)
        assert compiled(x, a, k, 1.5) == space["f"](y, a, k, 1.5)
        assert x.tolist() == y.tolist()
    assert len(compiled.specialisations) == 1
    assert "host" not in compiled.specialisations[0].compilation.text("kernels")


def test_gradients() -> None:
    def loss(x: Any, k: int) -> Any:
        y = x * 1.0
        for j in range(1, k):
            y[::j] *= 2.0
        return (y * x).sum() + (x[1::k] ** 2).sum() + (x[::-k] * 3.0).sum()

    x = np.arange(7.0)
    slopes = jit(grad(loss))(Tensor(x), 4).asnumpy()
    step = 1e-6
    for i, slope in enumerate(slopes):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        assert slope == pytest.approx((loss(up, 4) - loss(down, 4)) / (2 * step), rel=1e-5, abs=1e-4)


def _set(x, y, k):
    x[::k] = y


def _add(x, y, k):
    x[::k] += y


def _set_columns(x, y, k):
    x[:, ::k] = y


@pytest.mark.parametrize("dtype", "?bHiqefdD")
@pytest.mark.parametrize("function", [_set, _add, _set_columns], ids=lambda f: f.__name__)
def test_every_dtype_is_written(function: Callable[..., Any], dtype: str) -> None:
    if function is _add and dtype == "?":
        return  # NumPy's own: bools are added as `or`
    random = np.random.default_rng(0)
    compiled = jit(function)
    for size, k in itertools.product((1, 5, 40, 129, 1000), (1, 2, 7, -1, -3)):
        rows = (3,) if function is _set_columns else ()
        x = (random.random((*rows, size)) * 9).astype(dtype)
        y = (random.random((*rows, len(range(size)[::k]))) * 5).astype(dtype)
        for given in (y, y.flat[0]):
            wanted, got = x.copy(), x.copy()
            function(wanted, given, k)
            compiled(got, given, k)
            np.testing.assert_array_equal(got, wanted)
