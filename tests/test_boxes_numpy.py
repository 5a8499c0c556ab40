"""NumPy's numbers in dicts, sets, lists and tuples of the run: programs against Python."""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy_container_programs import PROGRAMS
from test_boxes import done

from jitcore import jit
from jitcore.source import CompileError

NUMBERS = np.arange(5.0)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_as_plain(name: str) -> None:
    function, calls = PROGRAMS[name]
    compiled = jit(function)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        for args in (*calls, *calls):
            assert done(compiled, args) == done(function, args), args


_NAN = np.array([1.0, np.nan, np.nan, 1.0])


def counts_nan(x: Any) -> Any:
    counts = {}
    for v in x:
        counts[v] = counts.get(v, 0) + 1
    return counts


def finds_nan(x: Any) -> Any:
    held, others = list(x), {x[0]: 1}
    held.append("a")
    return x[1] in held, held.count(x[2]), held == held[:], others


def sorts_nan(x: Any) -> Any:
    held = list(x)
    held.append(x[0] * 2)
    keys = {v: k for k, v in enumerate(x) if v == v}
    held.sort()
    return held, keys


def heap_with_nan(x: Any) -> Any:
    heap: list[Any] = []
    places = {}
    for k in range(len(x)):
        heapq.heappush(heap, (x[k], k))
        places[k] = x[k]
    return [heapq.heappop(heap) for _ in range(len(x))], places


@pytest.mark.filterwarnings("ignore::jitcore.runtime.notices.FallbackWarning")
@pytest.mark.parametrize("function", [counts_nan, finds_nan, sorts_nan, heap_with_nan])
def test_nan_is_looked_for_by_the_interpreter(function: Callable[..., Any]) -> None:
    compiled = jit(function)
    for x in (np.arange(4.0), _NAN, _NAN.astype(np.float32)):
        assert done(compiled, (x,)) == done(function, (x,))


def test_nan_that_is_too_late_to_look_for_raises() -> None:
    def noted(d: Any, x: Any) -> None:
        d[1] = 2
        for v in x:
            d[v] = 1

    d: dict[Any, int] = {}
    with pytest.raises(OverflowError, match="NaN is compared here, or a key"):
        jit(noted)(d, _NAN)


def compares_with_a_tuple(x: Any, n: int) -> Any:
    held: list[Any] = ["a"]
    for k in range(n):
        held.append(x[k])
    return (1, 2) in held, {x[0]: 1}


def compares_lists(x: Any) -> Any:
    held: list[Any] = ["a"]
    held.extend(x)
    held.pop(0)
    return held < held[1:], {x[0]: 1}


def asks_which_object(x: Any, k: int) -> Any:
    held: list[Any] = ["a"]
    for v in x:
        held.append(v)
    return held[k] is x[0], {x[0]: 1}


def sorts_short_floats(x: Any, k: float) -> Any:
    held = [k, 0.1]
    held.extend(x)
    return {x[0]: sorted(held)}


@pytest.mark.parametrize(
    ("function", "args", "said"),
    [
        (compares_with_a_tuple, (NUMBERS, 3), "a number of NumPy's and a list or tuple"),
        (compares_lists, (NUMBERS,), "'<' of lists of the run that hold numbers of NumPy's"),
        (asks_which_object, (NUMBERS, 2), "'is' between numbers of NumPy's"),
        (sorts_short_floats, (NUMBERS.astype(np.float32), 1.5), "items that may have no order"),
    ],
)
@pytest.mark.usefixtures("strict")
def test_what_is_not_as_in_numpy_is_refused(function: Callable[..., Any], args: tuple[Any, ...], said: str) -> None:
    with pytest.raises(CompileError, match=said):
        jit(function)(*args)


def test_classes_of_numbers_in_arguments_are_told_apart() -> None:
    def noted(d: Any, k: Any) -> Any:
        d[k] = 1
        return list(d.items())

    compiled = jit(noted)
    longs = np.longlong(1)
    for d in ({np.int64(1): 2}, {1: 2}, {True: 2}, {np.float64(1): 2}, {np.float32(1): np.int8(2)}, {np.int64(1): 2}):
        for k in (np.int64(1), 1, np.float64(1), np.bool_(True)):
            assert done(compiled, (d, k)) == done(noted, (d, k))
    assert done(compiled, ({longs: longs}, 1)) == done(noted, ({longs: longs}, 1))


def test_caught_exceptions_have_the_numbers() -> None:
    def found(x: Any, k: Any) -> Any:
        d = {}
        for v in x:
            d[v] = v
        try:
            return d[k]
        except KeyError as error:
            return str(error), error.args

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = jit(found)
        for x in (NUMBERS, NUMBERS.astype(np.int32), NUMBERS.astype(np.float32)):
            for k in (9, np.int64(77), np.float32(0.7), "s", 1.0, np.bool_(True)):
                assert done(compiled, (x, k)) == done(found, (x, k))
