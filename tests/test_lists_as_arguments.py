"""Long lists of numbers as arguments, which machine code makes arrays of: other items, other lists, ints that do not fit."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from jitcore import jit


def _added(items: list[Any]) -> Any:
    total: Any = 0
    for item in items:
        total += item
    return total


def _native_calls(compiled: Any) -> int:
    return sum(member.native_calls for member in compiled.specialisations)


@pytest.mark.parametrize(
    "items",
    [
        [7 * k - 50 for k in range(40)],
        [0.5 * k for k in range(40)],
        [k % 3 == 0 for k in range(40)],
        [k * 1j for k in range(40)],
        [-(2**60), 2**60, *range(30)],
        [float("inf"), -0.0, float("nan"), *(0.25 * k for k in range(30))],
    ],
    ids=["ints", "floats", "bools", "complex", "large", "odd floats"],
)
def test_lists_of_one_type(items: list[Any]) -> None:
    compiled = jit(_added)
    for given in (items, items[:-3], items * 2, items):
        got, wanted = compiled(given), _added(given)
        assert repr(got) == repr(wanted)
        assert type(got) is type(wanted)
    assert _native_calls(compiled)


def test_lists_that_are_not_served_natively() -> None:
    compiled, ints = jit(_added), list(range(40))
    for _ in range(3):
        assert compiled(ints) == sum(ints)
    first = compiled.specialisations[0]
    native = first.native_calls
    assert native
    for other in ([*ints[:-1], True], [*ints, 1.5], [0.5, *ints], tuple(ints), [np.int64(3), *ints]):
        got, wanted = compiled(other), _added(other)  # type: ignore[arg-type]
        assert got == wanted
        assert type(got) is type(wanted)
    assert first.native_calls == native


def test_a_list_of_another_class() -> None:
    class Items(list[int]):
        def __iter__(self) -> Any:
            return iter([1, 2])

    compiled, items = jit(_added), Items(range(40))
    compiled(list(items))
    assert compiled(list(range(40))) == 780
    assert jit(_added)(items) == _added(items) == 3


@pytest.mark.usefixtures("strict")
def test_ints_that_do_not_fit() -> None:
    compiled, ints = jit(_added), list(range(40))
    for _ in range(3):
        compiled(ints)
    for large in (2**63, -(2**63) - 1, 2**200):
        for at in (0, 20, 39):
            given = ints.copy()
            given[at] = large
            with pytest.raises(OverflowError, match="past 64 bits"):
                compiled(given)
    assert compiled(ints) == sum(ints)


def test_references_are_counted() -> None:
    compiled, ints = jit(_added), list(range(40))
    dtype = np.dtype(np.int64)
    for _ in range(10):
        compiled(ints)
    before = sys.getrefcount(dtype), sys.getrefcount(ints), sys.getrefcount(ints[39])
    for _ in range(1000):
        compiled(ints)
        compiled([*ints[:-1], 2**63 - 1 - 741])
    after = sys.getrefcount(dtype), sys.getrefcount(ints), sys.getrefcount(ints[39])
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 50
