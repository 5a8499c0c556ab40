"""Gradients of programs whose loops and branches go on with one array or another, and write to it in place.

Each program's derivative, compiled without a region, is compared with central differences of the plain Python function,
and so are its second derivative, `jvp` and `vmap` with what the first gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import FallbackWarning, Tensor, grad, jit, jvp, ops, vmap

_X = np.array([1.0, 2.0, 3.0])


def new_each_round(x, n):
    y = np.zeros_like(x)
    for _ in range(n):
        y = y * 2
        y += x * x
        y[0] = y[1] * x[0]
    return y.sum()


def new_in_some_rounds(x, n):
    y = x * 1.0
    for i in range(n):
        if i % 2 == 0:
            y = y * 2
        y += x * x
    return y.sum()


def until_it_is_large(x, n):
    y = x * 1.0
    k = 0
    while k < n:
        y += x
        if y[0] > 3.5:
            y = y * 0.5
        k += 1
    return (y * x).sum()


def asked_by_the_test(x, n):
    y = x * 1.0
    while y[0] < n:
        y = y * 1.5
        y[1] += x[2]
        y += x * 0.1
    return (y * y).sum()


def swapped(x, n):
    u = x * 1.0
    v = x * 2.0
    for _ in range(n):
        u[1:] += v[:-1] * x[0]
        u, v = v, u
    return (u * v).sum()


def two_arrays(x, n):
    a = x * 1.0
    b = x * 2.0
    for _ in range(n):
        a = a * x
        a += b
        b = b + a
        b[1] -= x[0]
    return (a * b).sum()


def another_name(x, n):
    u = x * 1.0
    y = u
    for i in range(n):
        y += x * x
        if i == 1:
            y = y * 3
    return (u * y).sum() + u[0]


def one_of_three(x, n):
    u = x * 1.0
    z = x * 3.0
    y = u
    for i in range(n):
        y *= x
        if i == 1:
            y = z
        elif i == 3:
            y = u * z
    return (u * y).sum() + z[0] * u[1]


def loop_in_loop(x, n):
    y = x * 1.0
    for i in range(n):
        for j in range(2):
            y[j] *= x[j + 1]
            if j == i:
                y = y + x
        y = y * 0.5
        y += 1
    return (y * y).sum()


def reversed_each_round(x, n):
    y = x * 1.0
    for _ in range(n):
        y += x
        y = y[::-1]
        y[0] *= x[1]
    return (y * np.arange(3.0)).sum()


def one_before(x, n):
    y = x * 1.0
    before = x * 0.0
    for _ in range(n):
        before = y
        y = y * x
        y += before
    return (before * y).sum()


def the_argument_first(x, n):
    y = x
    for _ in range(n):
        y = y + x
        y *= x
    return y.sum()


def branch(x, n):
    y = x * 1.0
    if n > 2:
        y = y * x
    y += x
    y[0] *= 3
    return (y * y).sum()


def branch_with_another_name(x, n):
    y = x * 1.0
    u = y
    if n > 2:
        y = y * x
    elif n > 1:
        y = x * 4
    y += x
    y[0] *= 3
    return (y * y).sum() + (u * x).sum()


def _again(y, x, n):
    if n == 0:
        return (y * x).sum()
    y = y * 2
    for _ in range(n):
        y += x
        y = y * 0.5
    return _again(y, x, n - 1) + y[0]


def in_a_recursive_function(x, n):
    return _again(x * 1.0, x, n)


PROGRAMS = [
    (new_each_round, (0, 3)),
    (new_in_some_rounds, (1, 4)),
    (until_it_is_large, (2, 5)),
    (asked_by_the_test, (5.0,)),
    (swapped, (0, 3, 4)),
    (two_arrays, (3,)),
    (another_name, (1, 4)),
    (one_of_three, (1, 2, 6)),
    (loop_in_loop, (3,)),
    (reversed_each_round, (3,)),
    (one_before, (0, 3)),
    (the_argument_first, (3,)),
    (branch, (1, 3)),
    (branch_with_another_name, (1, 2, 3)),
    (in_a_recursive_function, (3,)),
]


def _difference(f: Callable[..., Any], v: np.ndarray, step: float) -> Any:
    return (f(_X + step * v) - f(_X - step * v)) / (2 * step)


@pytest.mark.parametrize(("program", "counts"), PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_derivatives_of_programs_that_go_on_with_one_array_or_another(program, counts):
    weights, v = np.array([1.0, 2.0, 3.0]), np.array([0.3, -0.2, 0.5])
    gradient = jit(grad(program))

    def second(x, n):
        return grad(lambda x: (grad(program)(x, n) * weights).sum())(x)

    def tangent(x, n):
        return jvp(lambda x: program(x, n), x, v)[1]

    def rows(xs, n):
        return vmap(lambda x: grad(program)(x, n))(xs)

    second, tangent, rows = jit(second), jit(tangent), jit(rows)
    for n in counts:
        found = np.asarray(gradient(_X.copy(), n))
        wanted = [_difference(lambda x: program(x, n), e, 1e-6) for e in np.eye(3)]  # noqa: B023
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(tangent(_X.copy(), n), found @ v, rtol=1e-9, atol=1e-9)
    n = counts[-1]
    of_gradient = [_difference(lambda x: np.asarray(gradient(x, n)) @ weights, e, 1e-5) for e in np.eye(3)]
    np.testing.assert_allclose(second(_X.copy(), n), of_gradient, rtol=1e-4, atol=1e-4)
    xs = np.stack([_X, 1.2 * _X])
    np.testing.assert_allclose(rows(xs, n), [np.asarray(gradient(x, n)) for x in xs.copy()], rtol=1e-9)


def test_places_that_two_variables_share_keep_what_python_says():
    """Two names of one new array are left to the interpreter, which says so."""

    @jit
    def both(x, n):
        def f(x):
            y = x * 1.0
            best = y
            for i in range(n):
                y = y * x
                if i == 1:
                    best = y
                y += 1
            return (best * y).sum()

        return f(x), grad(f)(x)

    with pytest.warns(FallbackWarning, match="a loop that carries an array written in place"):
        value, _ = both(Tensor(_X), 3)
    y = _X * 1.0
    best = y
    for i in range(3):
        y = y * _X
        if i == 1:
            best = y
        y += 1
    np.testing.assert_allclose(value.asnumpy(), (best * y).sum())


@pytest.mark.parametrize("n", [0, 1, 3])
def test_an_array_that_is_longer_each_round_is_not_cut_off_from_what_it_was_made_of(n):
    def program(x, n):
        y = x * 1.0
        for _ in range(n):
            y = ops.concat((y, y[:1] * x[1]))
            y[0] = y[1] * x[0]
        return (y * y).sum()

    with pytest.warns(FallbackWarning, match="has other extents in each round"):
        found = jit(grad(program))(Tensor(_X), n)
    wanted = [_difference(lambda x: program(Tensor(x), n).asnumpy(), e, 1e-6) for e in np.eye(3)]
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-6)
