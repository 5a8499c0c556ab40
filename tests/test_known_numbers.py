"""A function that needs to know numbers is compiled for some of them, and then runs in the interpreter, which it says once."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from jitcore import jit
from jitcore.runtime.notices import FallbackWarning


def different(items: list[int]) -> int:
    return len(set(items))


def counted(items: list[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for item in items:
        counts[item % 5] = counts.get(item % 5, 0) + 1
    return counts


def table(items: list[int]) -> dict[int, int]:
    return {item: 2 * item for item in items}


def repeated(items: list[int]) -> tuple[int, ...]:
    return (0,) * items[0]


def summed_length(items: list[int]) -> int:
    total = 0
    for item in items:
        total += len((0,) * item)
    return total


def as_length(k: int) -> tuple[int, ...]:
    return (0,) * k


def summed(x: Any, axis: int) -> Any:
    return x.sum(axis=axis)


def signed(k: int, flag: bool) -> dict[int, int]:
    return {(k if flag else -k): 1}


@pytest.mark.parametrize("function", [different, counted, table])
def test_lists_that_differ_in_each_call(function: Any) -> None:
    """Keys are values of the run: one compilation is for all."""
    compiled = jit(function)
    for k in range(50):
        items = [k, k + 3, k, 7]
        assert compiled(items) == function(items)
    assert len(compiled.specialisations) == 1


def test_lengths_that_differ_in_each_call() -> None:
    compiled = jit(repeated)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for k in range(50):
            assert compiled([k, 3]) == repeated([k, 3])
    assert [w.category for w in told] == [FallbackWarning]
    assert "for many numbers already" in str(told[0].message)
    assert len(compiled.specialisations) == 32


def test_items_of_long_lists_are_not_known() -> None:
    compiled = jit(summed_length)
    items = [(7 * k) % 40 for k in range(100)]
    with pytest.warns(FallbackWarning, match="in a list of more than 16 numbers"):
        assert compiled(items) == summed_length(items)
    assert not compiled.specialisations


def test_numbers_that_were_met_before_are_served_on() -> None:
    compiled = jit(as_length)
    for k in range(32):
        assert compiled(k) == (0,) * k
    with pytest.warns(FallbackWarning, match="for many numbers already"):
        assert compiled(40) == (0,) * 40
    before = compiled.specialisations[-1].calls
    compiled(0)
    assert compiled.specialisations[-1].calls == before + 1


def test_few_numbers_are_known() -> None:
    compiled, x = jit(summed), np.ones((2, 3, 4))
    for k in range(60):
        np.testing.assert_array_equal(compiled(x, k % 3), x.sum(k % 3))
    assert len(compiled.specialisations) == 3


def test_a_global_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = jit(lambda: (0,) * STEP)
    for k in range(32):
        monkeypatch.setitem(globals(), "STEP", k)
        assert compiled() == (0,) * k
    monkeypatch.setitem(globals(), "STEP", 40)
    with pytest.warns(FallbackWarning, match="for many numbers already"):
        assert compiled() == (0,) * 40


STEP = 0


def test_bools_are_two() -> None:
    compiled = jit(signed)
    for k in range(60):
        assert compiled(k % 4, k % 3 == 0) == signed(k % 4, k % 3 == 0)
