"""Lists of lists of tuples, and long lists of tuples, as arguments: compiled whole, once for all sizes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
import tuple_list_programs as programs
from outcomes import frozen

from jitcore import jit
from jitcore.config import settings
from jitcore.runtime import compile as driver


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    before = settings.jit_syntax_level
    settings.update(jit_syntax_level="STRICT")
    yield
    settings.update(jit_syntax_level=before)


def _graph(size: int, seed: int) -> list[list[tuple[int, int]]]:
    random = Random(seed)
    return [[(random.randrange(size), random.randint(1, 9)) for _ in range(random.randint(1, 3))] for _ in range(size)]


def _table(size: int, seed: int) -> list[tuple[int, float, bool]]:
    random = Random(seed)
    return [(random.randrange(9), random.randrange(9) * 0.5, random.random() < 0.5) for _ in range(size)]


def _outcome(function: Callable[..., Any], *args: Any) -> Any:
    """What a call gives or raises, and its arguments as it leaves them."""
    args = copy.deepcopy(args)
    try:
        result = frozen(function(*args))
    except Exception as error:
        return type(error), str(error), frozen(args)
    return result, frozen(args)


def _require_equal(function: Callable[..., Any], calls: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled calls do what plain ones do, and few programs serve them."""
    compile_call, made = driver._compile_call, list[Any]()

    def noted(*args: Any) -> Any:
        made.append(args)
        return compile_call(*args)

    monkeypatch.setattr(driver, "_compile_call", noted)
    compiled = jit(function)
    for args in calls:
        assert _outcome(compiled, *args) == _outcome(function, *args)
    assert len(made) <= 2


@pytest.mark.parametrize("function", programs.OF_GRAPHS, ids=lambda f: f.__name__)
def test_graphs(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [(_graph(size, size), k) for size, k in ((20, 0), (7, 3), (31, 2), (8, 7))]
    _require_equal(function, calls, monkeypatch)


@pytest.mark.parametrize("function", programs.OF_TABLES, ids=lambda f: f.__name__)
def test_tables(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [(_table(size, size), k) for size, k in ((20, 0), (31, 2), (24, 7))]
    _require_equal(function, calls, monkeypatch)


def test_rows_that_are_one_list() -> None:
    def f(rows):
        rows[0].append((7, 8))
        return rows, rows[0] is rows[1], rows[0] is rows[2]

    row = [(1, 2), (3, 4)]
    rows = [row, row, [(5, 6)], [(7, 8)], []]
    assert _outcome(jit(f), rows) == _outcome(f, rows)
    made, *_ = jit(f)(rows)
    assert made is rows
    assert rows[0] is rows[1] is row


def test_three_deep() -> None:
    def f(planes, k):
        total = 0.0
        for plane in planes:
            for row in plane:
                for a, b, c in row:
                    total += a * b - (k if c else 0)
        planes[0][0].append((k, 0.5, True))
        return total

    calls = [([[_table(size, k) for k in range(3)] for _ in range(2)], size) for size in (2, 3, 9)]
    compiled = jit(f)
    for args in calls:
        assert _outcome(compiled, *args) == _outcome(f, *args)


def test_complex_items_and_widths() -> None:
    def f(rows):
        return [abs(row[0]) for part in rows for row in part], [len(row) for part in rows for row in part]

    compiled = jit(f)
    for width in (1, 2, 3):
        rows = [[(1j * k,) * width for k in range(j + 1)] for j in range(5)]
        assert _outcome(compiled, rows) == _outcome(f, rows)


@pytest.mark.parametrize(
    "rows",
    [
        [[(1, 2)], [(1, 2.5)], [(3, 4)], [(5, 6)]], [[(1, 2)], [(1,)], [(3, 4)], [(5, 6)]], [[(1, 2)], [3], [(3, 4)], [(5, 6)]],
        [[()], [()], [(), ()], [()]], [[((1, 2), 3)], [((1, 2), 3)], [((4, 5), 6)], [((7, 8), 9)]], [[(1, None)]] * 5, [[], [], [], [], []],
    ],
    ids=["types", "widths", "no tuples", "empty", "nested", "none", "no items"],
)  # fmt: skip
def test_others_are_passed_item_by_item(rows: list[Any]) -> None:
    def f(rows):
        return len(rows), rows[0], len(rows[-1])

    assert _outcome(jit(f), rows) == _outcome(f, rows)


@pytest.mark.parametrize(
    "rows", [[[(1 << 70, 1)], *[[(1, 1)]] * 4], [[1 << 70], *[[1]] * 4], [(1, 1 << 64)] + [(1, 1)] * 20, [[[-(1 << 63) - 1]], *[[[1]]] * 4]],
    ids=["tuples", "lists", "a table", "three deep"],
)  # fmt: skip
def test_ints_past_64_bits_are_told(rows: list[Any]) -> None:
    def f(rows):
        return rows[1], len(rows)

    with pytest.raises(OverflowError, match=r"argument rows: the int -?\d+ is past 64 bits"):
        jit(f)(rows)
    compiled = jit(f)
    small = [rows[-1] for _ in rows]
    assert _outcome(compiled, small) == _outcome(f, small)
    with pytest.raises(OverflowError, match="past 64 bits"):
        compiled(rows)
