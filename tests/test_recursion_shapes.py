"""Recursive functions at run-time shapes, their derivatives, and what library functions write to on their way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, jvp, ops, vmap
from jitcore.library.array.indexing import setitem
from jitcore.library.core.marking import library
from jitcore.primitives.ops import elementwise

SIZES = (3, 4, 5)


pytestmark = pytest.mark.usefixtures("strict")


def weigh(x: Any) -> Any:
    if isinstance(x, tuple):
        total = 0.0
        for item in x:
            total = total + weigh(item)
        return total
    return ops.reduce_sum(x * ops.cos(ops.arange(0, x.size)))


def halved(x: Any, k: int) -> Any:
    if k <= 0:
        return ops.reduce_sum(x * x)
    return halved(x * 0.5 * ops.cos(ops.arange(0, x.size)), k - 1)


def of_tuples(x: Any) -> Any:
    return weigh((x, (x * 2,)))


def of_thrice(x: Any) -> Any:
    return halved(ops.concatenate((x, x, x)), 2)


def of_captured(x: Any) -> Any:
    long = ops.concatenate((x, x, x))

    def inner(y: Any, k: int) -> Any:
        if k == 0:
            return ops.reduce_sum(y * y)
        return inner(y * 2 + long.size, k - 1)

    return inner(long + 1, 2)


def of_loop(x: Any) -> Any:
    total = 0.0
    for _ in range(3):
        total = total + ops.reduce_sum(x * ops.cos(ops.arange(0, x.size)))
    return total


def numeric(function: Callable[[Any], Any], x: np.ndarray) -> np.ndarray:
    step = 1e-6
    rows = np.eye(len(x)) * step
    return np.array([(float(function(Tensor(x + r))) - float(function(Tensor(x - r)))) / (2 * step) for r in rows])


FUNCTIONS = (of_tuples, of_thrice, of_captured, of_loop)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_values(function: Callable[[Any], Any]) -> None:
    compiled = jit(function)
    for n in SIZES:
        x = Tensor(np.arange(n * 1.0))
        np.testing.assert_allclose(float(compiled(x)), float(function(x)))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients(function: Callable[[Any], Any]) -> None:
    compiled = jit(grad(function))
    for n in SIZES:
        x = np.arange(n * 1.0)
        np.testing.assert_allclose(compiled(Tensor(x)).asnumpy(), numeric(function, x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_forward_mode(function: Callable[[Any], Any]) -> None:
    compiled = jit(lambda x, t: jvp(function, (x,), (t,))[1])
    for n in SIZES:
        x, t = np.arange(n * 1.0), np.arange(n * 1.0) + 1
        made = compiled(Tensor(x), Tensor(t))
        np.testing.assert_allclose(float(made), numeric(function, x) @ t, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_vmap(function: Callable[[Any], Any]) -> None:
    compiled = jit(lambda x: vmap(function)(x))
    for n in SIZES:
        x = np.arange(n * 2.0).reshape(2, n)
        wanted = [float(function(Tensor(row))) for row in x]
        np.testing.assert_allclose(compiled(Tensor(x)).asnumpy(), wanted)


def test_captured_loop_variable() -> None:
    def f(x: Any, k: int) -> Any:
        total = 0
        for m in range(k):

            def fact(n: int) -> Any:
                return x * m if n <= 0 else n * fact(n - 1) + m  # noqa: B023

            total += fact(m)
        return total

    for x in (3, 3.5):
        assert jit(f)(x, 5) == f(x, 5)


@library("tensor")
def zeroed_first(x: Any) -> Any:
    made = elementwise.add(x, x)
    setitem(made, 0, 0.0)
    return elementwise.mul(made, made)


def test_writing_into_a_fresh_array_of_a_library_function() -> None:
    compiled = jit(lambda x: zeroed_first(x))
    for n in SIZES:
        x = np.arange(n * 1.0) + 1
        wanted = 4 * x * x
        wanted[0] = 0
        np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), wanted)
