"""What users are told, once for a function: that it runs in the interpreter, or that its loops call Python."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import FallbackWarning, PerformanceWarning, jit

_CODE = Path(__file__).read_text().splitlines()


def told(function: Callable[..., Any], *calls: tuple[Any, ...]) -> list[warnings.WarningMessage]:
    """The warnings of some calls."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for args in calls:
            function(*args)
    return caught


def in_a_loop(a: Any, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += np.linalg.svd(a * i)[1].sum()
    return total


def in_a_while_loop(a: Any, n: int) -> float:
    total = 0.0
    while n > 0:
        if n % 2:
            total += np.linalg.eigvalsh(a)[0]
        n -= 1
    return total


def in_what_a_loop_calls(a: Any, n: int) -> float:
    def inner(k: int) -> float:
        return np.linalg.det(a) if k == 0 else inner(k - 1) + 1.0

    total = 0.0
    for i in range(n):
        total += inner(i)
    return total


def in_a_recursion(a: Any, n: int) -> float:
    return 0.0 if n == 0 else np.linalg.det(a) + in_a_recursion(a, n - 1)


def in_an_inner_loop(a: Any, n: int) -> float:
    total = 0.0
    for _ in range(n):
        for _ in range(2):
            total += np.fft.fft(a[0]).real.sum()
    return total


@pytest.mark.parametrize(
    "function", [in_a_loop, in_a_while_loop, in_what_a_loop_calls, in_a_recursion, in_an_inner_loop]
)
def test_loops_that_call_python(function: Callable[..., Any]) -> None:
    compiled = jit(function)
    a = np.eye(3)
    (warning,) = told(compiled, (a, 3), (np.eye(4), 2), (np.eye(5), 1))
    assert warning.category is PerformanceWarning
    assert warning.filename == __file__
    text = str(warning.message)
    line = next(k for k, code in enumerate(_CODE, 1) if k > function.__code__.co_firstlineno and "np." in code)
    assert f"line {line}, in" in text
    assert "^^^" in text
    assert "instead:" in text
    assert f"calls Python in a loop: line {line}" in compiled.explain()


@pytest.mark.parametrize(
    "function",
    [
        lambda a, n: np.linalg.svd(a)[1].sum() + sum(i * 2 for i in range(n)),
        lambda a, n: sum(float(a[0, i]) ** 0.5 for i in range(n)),
    ],
    ids=["outside of the loop", "no call"],
)
def test_nothing_is_told_of_other_loops(function: Callable[..., Any]) -> None:
    assert not told(jit(function), (np.eye(3), 3))


def test_calls_as_cheap_as_pythons_own_are_only_explained() -> None:
    import random

    def draws(n: int) -> float:
        total = 0.0
        for _ in range(n):
            total += random.random()
        return total

    compiled = jit(draws)
    assert not told(compiled, (3,))
    assert "calls Python in a loop" in compiled.explain()
    assert "random.random" in compiled.explain()


def test_one_warning_for_one_function() -> None:
    def several(x: Any, kind: int) -> Any:
        if kind == 0:
            x = x + len(json.dumps(kind))
        elif kind == 1:
            x = x + len(json.dumps([kind]))
        return x * 2

    compiled = jit(several)
    caught = told(compiled, (1.0, 0), (1.0, 1), (np.ones(3), 0), (np.ones((2, 2)), 1), (1, 0))
    assert [w.category for w in caught] == [FallbackWarning]


def two_regions(x: Any, kind: int) -> Any:
    x = x + len(json.dumps(kind))
    x = x * 2
    return x + len(json.dumps([kind]))


def in_two_loops(x: Any, kind: int) -> Any:
    for k in range(3):
        if kind > k:
            x = x + len(json.dumps(k))
    for k in range(2):
        x = x + len(json.dumps([k]))
    return x


def _of_json(x: Any, kind: int) -> Any:
    return x + len(json.dumps(kind))


def in_what_it_calls_twice(x: Any, kind: int) -> Any:
    return _of_json(x, kind) + _of_json(x * 2, kind) if kind else x


def in_its_recursion(x: Any, kind: int) -> Any:
    return x if kind == 0 else in_its_recursion(x + len(json.dumps(kind)), kind - 1)


def in_a_handler_and_after(x: Any, kind: int) -> Any:
    try:
        x = x + 1 // kind
    except ZeroDivisionError as error:
        x = x + len(repr(error.__cause__))
    return x + len(json.dumps(kind))


def in_a_closure(x: Any, kind: int) -> Any:
    def inner(y: Any) -> Any:
        return y + len(json.dumps(kind))

    return inner(x) if kind else inner(inner(x))


OF_SEVERAL = [two_regions, in_two_loops, in_what_it_calls_twice, in_its_recursion, in_a_handler_and_after, in_a_closure]


@pytest.mark.parametrize("function", OF_SEVERAL)
def test_more_regions_of_a_function_are_no_more_warnings(function: Callable[..., Any]) -> None:
    compiled = jit(function)
    calls = [(1.0, 0), (1.0, 1), (np.ones(3), 0), (np.ones((2, 2)), 2), (1, 1), (1, 0), (1.0, 2)]
    caught = told(lambda *args: np.testing.assert_array_equal(compiled(*args), function(*args)), *calls)
    assert [w.category for w in caught] == [FallbackWarning]
    assert f"{function.__name__} runs in" in str(caught[0].message)


def test_names_are_public() -> None:
    assert {"FallbackWarning", "PerformanceWarning"} <= set(jitcore.__all__)
