"""Arrays that no machine has room for are refused as NumPy refuses them, although compiled code would never make them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, jit, ops
from jitcore.passes.infer.engine.allocation import largest_array

HUGE = 10**15
LONG = np.zeros(4_000_000)
Function = Callable[..., Any]
RUN: list[tuple[Function, tuple[Any, ...]]] = [
    (lambda n: np.arange(n).sum(), (HUGE,)),
    (lambda n: np.ones(n).sum(), (HUGE,)),
    (lambda n: np.full(n, 2.0).max(), (HUGE,)),
    (lambda n: (np.zeros(n) + 1).mean(), (HUGE,)),
    (lambda n: np.linspace(0, 1, n).sum(), (HUGE,)),
    (lambda n: np.zeros((n, 3, n)).sum(), (10**7,)),
    (lambda n: np.eye(n).sum(), (10**8,)),
    (lambda n: np.arange(n)[5], (HUGE,)),
    (lambda n: len(np.arange(n)), (HUGE,)),
    (lambda a: np.outer(a, a).sum(), (LONG,)),
    (lambda a: (a[:, None] + a[None, :]).max(), (LONG,)),
    (lambda a: np.subtract.outer(a, a).min(), (LONG,)),
    (lambda a, n: (np.broadcast_to(a, (n, 3)) * 2).sum(), (np.ones(3), HUGE)),
    (lambda a, n: np.tile(a, n).sum(), (np.ones(3), HUGE)),
    (lambda a, n: np.repeat(a, n).sum(), (np.ones(3), HUGE)),
]
KNOWN: list[Function] = [
    lambda: np.arange(10**15).sum(),
    lambda: np.ones((10**8, 10**8)).max(),
    lambda: (np.zeros(10**15, np.int8) == 0).all(),
    lambda: np.full((10**6, 10**9), 1.5).sum(axis=0)[3],
]


@pytest.mark.parametrize("number", range(len(RUN)))
def test_extents_of_the_run(number: int) -> None:
    function, args = RUN[number]
    for given in (function, jit(function)):
        with pytest.raises(MemoryError, match="Unable to allocate"):
            given(*args)


@pytest.mark.parametrize("number", range(len(KNOWN)))
def test_known_extents(number: int) -> None:
    texts: list[str] = []
    for given in (KNOWN[number], jit(KNOWN[number])):
        with pytest.raises(MemoryError) as caught:
            given()
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


def test_the_words_and_the_class_are_numpys() -> None:
    def total(n: int) -> Any:
        return np.ones((n, 2), np.float32).sum()

    caught: list[MemoryError] = []
    for given in (total, jit(total)):
        with pytest.raises(MemoryError) as raised:
            given(HUGE)
        caught.append(raised.value)
    assert str(caught[1]) == str(caught[0])
    assert type(caught[1]) is type(caught[0])


def test_a_handler_catches_it_and_the_function_goes_on() -> None:
    @jit
    def total(n: int) -> float:
        try:
            return float(np.arange(n).sum())
        except MemoryError:
            return -1.0

    assert [total(5), total(HUGE), total(6)] == [10.0, -1.0, 15.0]


def test_what_is_no_larger_than_the_memory_is_computed() -> None:
    @jit
    def total(n: int, m: int) -> Any:
        return np.ones((n, m), np.int8).sum() + np.arange(n).max()

    assert total(3000, 200) == 600_000 + 2999
    assert total(1, 1) == 1
    with pytest.raises(MemoryError):
        total(2**31, 2**31)
    assert largest_array() >= 1 << 28


def test_views_take_no_memory() -> None:
    @jit
    def shown(a: np.ndarray, n: int) -> Any:
        wide = np.broadcast_to(a, (n, 3))
        return wide[n - 1].sum(), wide.shape

    assert shown(np.ones(3), HUGE) == (3.0, (HUGE, 3))


def test_what_arrays_hold_may_be_as_much_as_they_hold() -> None:
    @jit
    def several(a: np.ndarray) -> Any:
        return np.nonzero(a)[0].sum(), np.unique(a).size, (a[a > 3] * 2).sum(), np.cumsum(a)[-1]

    for n in (10, 3000):
        a = np.arange(n)
        assert several(a) == (np.nonzero(a)[0].sum(), n, (a[a > 3] * 2).sum(), a.sum())


def test_tensors_are_made_bit_by_bit() -> None:
    @jit
    def total(n: int) -> Tensor:
        return ops.ones((n, 2), np.float32).sum()

    assert float(total(5)) == 10.0
