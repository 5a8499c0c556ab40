"""Whose memory arguments and results of libraries for C are in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore.program import libraries as lib
from tests.built_libraries import Library, Value, library_of, put, taken
from tests.export_programs import ndarrays


def into(library: Library, args: Sequence[Any], outs: Sequence[Any]) -> tuple[int, list[Any]]:
    """Call with results in the memory of `outs`; the status, and what the values are then."""
    given, made = (Value * len(args))(), (Value * len(outs))()
    for value, item in zip([*given, *made], [*args, *outs], strict=True):
        put(value, item)
    return library["call_into"](library.handle, given, made), [taken(value) for value in made]


def results(x, n):
    return x * 2.0, x.T, x, n + 1, x.sum(), x[:0]


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return library_of(results, (ndarrays("n", 3), 4), tmp_path_factory.mktemp("several"), "several", 6)


def rooms(n: int) -> list[Any]:
    """Memory for the results, each in another order."""
    wide = np.full((2 * n, 9), -1.0)
    return [wide[::2, ::-3], np.full((3, n), -1.0), np.full((n, 3), -1.0, order="F"), 0, np.zeros(()), np.zeros((0, 3))]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_results_in_the_callers_memory(several: Library, n: int) -> None:
    x = np.arange(3.0 * n).reshape(n, 3)
    outs = rooms(n)
    untouched = outs[0].base.copy()
    status, made = into(several, [x, 7], outs)
    assert status == lib.OK
    for have, want in zip(made, results(x, 7), strict=True):
        np.testing.assert_array_equal(have, want)
    outs[0][...] = -1.0
    np.testing.assert_array_equal(outs[0].base, untouched)  # nothing but the elements was written to


def test_results_in_memory_of_the_arguments(several: Library) -> None:
    x = np.arange(9.0).reshape(3, 3)
    want = results(x, 1)[0]
    outs = [x, np.zeros((3, 3)), np.zeros((3, 3)), 0, np.zeros(()), np.zeros((0, 3))]
    status, made = into(several, [x, 1], outs)
    assert status == lib.OK
    np.testing.assert_array_equal(made[0], want)


@pytest.mark.parametrize(
    "room", [np.zeros((3, 2)), np.zeros((2, 3), np.float32), np.zeros(6), np.zeros((2, 3, 1)), 1.0]
)
def test_memory_that_does_not_fit(several: Library, room: Any) -> None:
    x = np.ones((2, 3))
    outs = rooms(2)
    outs[0] = room
    status, _ = into(several, [x, 7], outs)
    assert status == lib.UNFIT
    assert several["error"](several.handle).decode() == "outputs[0] is not for a result of this dtype and shape"


def test_calls_into_leak_nothing(several: Library) -> None:
    x, big = np.ones((30_000, 3)), rooms(30_000)
    bad = [np.zeros((3, 2)), *big[1:]]

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    for _ in range(20):
        into(several, [x, 1], big)
        into(several, [x, 1], bad)
    before = resident()
    for _ in range(50):
        assert into(several, [x, 1], big)[0] == lib.OK
        assert into(several, [x, 1], bad)[0] == lib.UNFIT
    assert resident() - before < 1000  # pages; one result is 176 of them


def added(x, y):
    x += y
    return x * 2


def test_arguments_that_share_memory(tmp_path: Path) -> None:
    library = library_of(added, (ndarrays("n"), ndarrays("n")), tmp_path, "added")
    memory = np.arange(6.0)
    for x, y in ((memory[1:], memory[:-1]), (memory[:-1], memory[1:]), (memory, memory), (memory[:2], memory[1:3])):
        before = memory.copy()
        status, _ = library.status((x, y))
        assert status == lib.OVERLAP
        assert library["error"](library.handle) == b"an argument that is written to shares memory with another"
        assert memory.tolist() == before.tolist()
    assert library(memory[:3], memory[3:])[0].tolist() == [6.0, 10.0, 14.0]
    assert library(memory[:0], memory[:0])[0].tolist() == []
    model = jitcore.load(tmp_path / "added")
    with pytest.raises(TypeError):  # as in Python
        model(memory[1:], memory[:-1])


def test_arguments_that_are_only_read_may_share_memory(tmp_path: Path) -> None:
    library = library_of(lambda x, y: x + y, (ndarrays("n"), ndarrays("n")), tmp_path, "total")
    memory = np.arange(6.0)
    assert library(memory[1:], memory[:-1])[0].tolist() == [1.0, 3.0, 5.0, 7.0, 9.0]
    assert library(memory, memory)[0].tolist() == (2 * memory).tolist()


def test_what_is_wrong_is_told(several: Library) -> None:
    status, _ = several.status((np.ones((2, 4)), 1))
    assert status == lib.UNFIT
    told = several["error"](several.handle).decode()
    assert told == "the arguments must be float64[n, 3], int, with elements in order"
