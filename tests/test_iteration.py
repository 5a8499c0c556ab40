"""Iteration: compiled, programs with iterators, `itertools` and loops over changing lists do what plain Python does.

Equal means: values bit for bit, Python types, exceptions with their messages and the line of the program they come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from iteration_programs import CASES
from list_outcomes import outcome

from jitcore import jit
from jitcore.source import CompileError

IDS = [function.__name__ for function, _ in CASES]


pytestmark = pytest.mark.usefixtures("strict")


@pytest.mark.parametrize(("function", "calls"), CASES, ids=IDS)
def test_compiled_as_plain(function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> None:
    compiled = jit(function)
    for args in calls:
        wanted = outcome(function, function.__code__, args)
        for _ in range(2):
            assert outcome(compiled, function.__code__, args) == wanted, args


def pairs_of_one_iterator(n: int) -> Any:
    it = iter([1, 2, n, 4])
    return list(zip(it, it, strict=False))


def iterator_beside_its_map(n: int) -> Any:
    it = iter([1, 2, n, 4])
    doubled = map(float, it)
    return next(doubled), next(it)


def static_list_changed_under_enumerate(n: int) -> Any:
    xs = [1, n]
    for k, v in enumerate(xs):
        if k < 3:
            xs.append(v + k)
    return xs


def test_a_list_that_grows_under_enumerate() -> None:
    assert jit(static_list_changed_under_enumerate)(3) == static_list_changed_under_enumerate(3)


@pytest.mark.parametrize("function", [pairs_of_one_iterator, iterator_beside_its_map])
def test_what_cannot_be_followed_is_refused(function: Callable[[int], Any]) -> None:
    with pytest.raises(CompileError):
        jit(function)(3)
