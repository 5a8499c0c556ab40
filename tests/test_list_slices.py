"""Slices of lists of run-time length, assigned and deleted, compiled whole: the same lists and errors as Python's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from jitcore import jit
from jitcore.config import settings

ENDS = (None, 0, 1, 3, 7, -1, -2, -9)
STEPS = (None, 1, 2, -1, -3)


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    before = settings.jit_syntax_level
    settings.update(jit_syntax_level="STRICT")
    yield
    settings.update(jit_syntax_level=before)


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except (TypeError, ValueError, IndexError) as error:
        return type(error), str(error)


def grown(n):
    items = []
    for k in range(n):
        items.append(10 * k)
    return items


def assigned(n, m, i, j):
    items = grown(n)
    items[i:j] = [100 + k for k in range(m)]
    return items


def assigned_by(n, m, i, j, by):
    items = grown(n)
    items[i:j:by] = [100 + k for k in range(m)]
    return items


def deleted(n, i, j, by):
    items = grown(n)
    del items[i:j:by]
    return items


@pytest.mark.parametrize("stop", ENDS)
def test_assigned(stop: Any) -> None:
    compiled = jit(assigned)
    for n, m, start in product((0, 1, 5), (0, 1, 3, 8), ENDS):
        assert compiled(n, m, start, stop) == assigned(n, m, start, stop), (n, m, start)


@pytest.mark.parametrize("step", [*STEPS, 0])
def test_assigned_by_steps(step: Any) -> None:
    compiled = jit(assigned_by)
    for n, m, start, stop in product((0, 1, 6), (0, 1, 2, 3, 6), (None, 1, -2), (None, 4, -1)):
        assert outcome(compiled, n, m, start, stop, step) == outcome(assigned_by, n, m, start, stop, step)


@pytest.mark.parametrize("step", [*STEPS, 0])
def test_deleted(step: Any) -> None:
    compiled = jit(deleted)
    for n, start, stop in product((0, 1, 6), ENDS, ENDS):
        assert outcome(compiled, n, start, stop, step) == outcome(deleted, n, start, stop, step), (n, start, stop)


def by_itself(n):
    items = grown(n)
    items[1:2] = items
    items[:0] = items[::-1]
    return items


def by_a_range(n, k):
    items = grown(n)
    items[k:] = range(k, n + 2)
    return items


def by_an_array(n):
    items = [0.5] * n
    items[1:3] = np.arange(4) * 1.5
    return items


def by_a_generator(n):
    items = grown(n)
    items[2:4] = (k * k for k in range(n))
    return items


def by_a_string(n):
    items = []
    for _ in range(n):
        items.append("x")
    items[1:1] = "abc"
    return len(items)


def by_known_items(n):
    items = grown(n)
    items[0:2] = (7, 8, 9)
    items[-1:] = []
    items[n:] = [1]
    return items


def by_many_known_items(n):
    items = grown(n)
    items[1:3] = [5] * 30
    return items


def by_floats(n):
    items = grown(n)
    items[1:2] = [0.5, 1.5]
    return items


def by_pairs(n):
    items = []
    for k in range(n):
        items.append((k, k + 0.5))
    items[1:3] = [(9, 9.5), (8, 8.5), (7, 7.5)]
    del items[::2]
    return items


def of_known_length(n):
    items = [1, 2, 3, 4, 5]
    items[n - 2 : n] = [9, 9, 9]
    del items[n % 3 :: n % 2 + 1]
    return items


def of_known_length_by_growing(n):
    items = [1, 2, 3]
    items[1:2] = grown(n)
    return items


def in_a_loop(n):
    items = []
    for k in range(n):
        items[k // 2 : k // 2] = [k]
        if k % 3 == 0:
            del items[: k // 4]
    return items


def never_any(n):
    items = []
    for _ in range(0):
        items.append(n)
    del items[:n]
    items[:] = []
    return items


def sieve(n):
    prime = [True] * (n + 1)
    prime[:2] = [False, False]
    for k in range(2, int(n**0.5) + 1):
        if prime[k]:
            prime[k * k :: k] = [False] * len(range(k * k, n + 1, k))
    return [k for k in range(n + 1) if prime[k]]


def rotated(n, by):
    items = grown(n)
    items[:] = items[by:] + items[:by]
    return items


def _sort(items):
    if len(items) <= 1:
        return
    pivot, low, high = items[0], [], []
    for item in items[1:]:
        if item < pivot:
            low.append(item)
        else:
            high.append(item)
    _sort(low)
    _sort(high)
    items[:] = low + [pivot] + high  # noqa: RUF005  as it is often written


def quicksort(n):
    items = [(k * 37) % (n + 1) for k in range(n)]
    _sort(items)
    return items


def rows_of_lists(n):
    rows = []
    for k in range(n):
        rows.append([k] * k)
    rows[1][:] = [5, 6, 7]
    rows[2][1:] = grown(2)
    del rows[2][0:1]
    rows[1:2] = [[1], [2, 3]]
    del rows[0]
    return rows


def no_iterable(n):
    items = grown(n)
    items[0:1] = n
    return items


def no_iterable_by_steps(n):
    items = grown(n)
    items[::2] = n
    return items


def ends_that_are_floats(n):
    items = grown(n)
    items[0.5:] = [1]
    return items


def deleted_to_a_float(n):
    items = grown(n)
    del items[: n / 2]
    return items


@pytest.mark.parametrize(
    "function",
    [
        by_itself, by_an_array, by_a_generator, by_a_string, by_known_items, by_many_known_items, by_floats, by_pairs, of_known_length,
        of_known_length_by_growing, in_a_loop, never_any, sieve, quicksort, no_iterable, no_iterable_by_steps, ends_that_are_floats,
        deleted_to_a_float,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_it_gives_what_python_does(function: Any) -> None:
    compiled = jit(function)
    for n in (5, 0, 1, 2, 3, 12, 40):
        assert outcome(compiled, n) == outcome(function, n)


@pytest.mark.parametrize("function", [by_a_range, rotated], ids=lambda f: f.__name__)
def test_between_run_time_ends(function: Any) -> None:
    compiled = jit(function)
    for n, k in product((0, 1, 5, 9), (0, 1, 4, -2, 20)):
        assert compiled(n, k) == function(n, k)


def test_rows_of_lists() -> None:
    compiled = jit(rows_of_lists)
    for n in (3, 5, 9):
        assert compiled(n) == rows_of_lists(n)


def _halved(items, k):
    del items[k:]
    items[:1] = [items[-1], k]


def test_lists_of_the_call_are_changed() -> None:
    compiled = jit(_halved)
    for n in (20, 40, 33):
        given, wanted = list(range(n)), list(range(n))
        compiled(given, n // 2)
        _halved(wanted, n // 2)
        assert given == wanted


def test_items_go_on_being_one_list() -> None:
    def both(n):
        items = grown(n)
        same = items
        items[1:] = [1, 2]
        same.append(3)
        del same[0:1]
        return items, items is same

    compiled = jit(both)
    for n in (0, 4):
        assert compiled(n) == both(n)


def popped_anywhere(n):
    items = [5, 6, 7, 8]
    for k in range(n):
        if items:
            items.pop(k % len(items))
    return items


def popped_past_the_end(n):
    items = [5, 6]
    k = grown(n)[-1] // 10 if n else 0
    return items.pop(k), items


def inserted_in_order(n):
    items = []
    for k in range(n):
        value = (k * 7) % 11
        place = len(items)
        while place > 0 and items[place - 1] > value:
            place -= 1
        items.insert(place, value)
    return items


def inserted_into_a_known_list(n):
    items = [1, 2, 3]
    items.insert(grown(n + 1)[n] // 20 - 3, 9)
    return items


def deleted_from_a_known_list(n):
    items = [1.5, 2.5, 3.5]
    del items[grown(n + 1)[n] // 10 - 3]
    return items


@pytest.mark.parametrize(
    "function",
    [popped_anywhere, popped_past_the_end, inserted_in_order, inserted_into_a_known_list, deleted_from_a_known_list],
    ids=lambda f: f.__name__,
)
def test_at_positions_that_the_run_computes(function: Any) -> None:
    compiled = jit(function)
    for n in (0, 1, 2, 3, 5, 12):
        assert outcome(compiled, n) == outcome(function, n)
