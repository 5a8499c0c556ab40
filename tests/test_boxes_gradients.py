"""Derivatives and batches of functions with containers of the run: they flow around those, and not through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import grad, jit, jvp, vmap
from jitcore.source import CompileError


def counts(x: Any, n: Any) -> Any:
    held = {}
    y = x
    for k in range(n):
        held[k % 3] = held.get(k % 3, 0) + 1
        y = y * held[k % 3]
    return y


def branches(x: Any, n: Any) -> Any:
    held = {}
    for k in range(n):
        held[k % 3] = k
    if x > 0:
        held[7] = 5
        return x * x * held[7]
    return x * held[1]


def keeps(x: Any, n: Any) -> Any:
    held = {}
    for k in range(n):
        held[k % 3] = x
    return held[1] * 2.0


def keeps_or_not(x: Any, n: Any) -> Any:
    held = {}
    for k in range(n):
        held[k % 3] = x if k % 2 else None
    found = held[1]
    return x * 2.0 if found is None else found * 2.0


def is_a_key(x: Any, n: Any) -> Any:
    held = {}
    for k in range(n):
        held[k % 3] = k
    held[x] = n
    return x * held[1]


def turns(x: Any, n: Any) -> Any:
    held = {}
    for k in range(n):
        held[k % 3] = float(x) * k
    return held[1]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    ("function", "at", "slope"), [(counts, 2.0, 4.0), (branches, 2.0, 20.0), (branches, -2.0, 4.0)]
)
def test_derivatives_flow_around_containers(function: Callable[..., Any], at: float, slope: float) -> None:
    assert jit(grad(function))(at, 5) == slope
    assert jit(lambda x: jvp(lambda y: function(y, 5), (x,), (1.0,)))(at) == (function(at, 5), slope)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("function", [keeps, keeps_or_not, is_a_key])
def test_derivatives_through_containers_are_refused(function: Callable[..., Any]) -> None:
    for derivative in (grad(function), lambda x, n: jvp(lambda y: function(y, n), (x,), (1.0,))):
        with pytest.raises(CompileError, match=r"through a list, dict, set or string of the run .* \[J0401\]"):
            jit(derivative)(2.0, 5)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("function", [branches, turns])
def test_each_row_of_a_batch_has_its_own(function: Callable[..., Any]) -> None:
    rows = np.array([1.0, -2.0, 3.0])
    batch = jit(vmap(function, in_axes=(0, None)))(rows, 7)
    assert batch.tolist() == [function(row, 7) for row in rows]
