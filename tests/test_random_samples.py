"""`random.sample` in compiled code: the same items, and the same state of the generator afterwards, as in Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from jitcore import jit


def of_a_range(n: int, k: int) -> list[int]:
    return random.sample(range(n), k)


def of_a_stepping_range(n: int, k: int) -> list[int]:
    return random.sample(range(7, n, 3), k)


def of_a_list(xs: list[Any], k: int) -> list[Any]:
    return random.sample(xs, k)


def of_a_tuple(k: int) -> list[float]:
    return random.sample((1.5, 2.5, 4.5, 8.5), k)


def with_counts(counts: list[int], k: int) -> list[int]:
    return random.sample([5, 6, 7], k, counts=counts)


def in_a_loop(n: int, k: int) -> int:
    total = 0
    for _ in range(k):
        total += sum(random.sample(range(n), 3))
    return total


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (of_a_range, (30, 5)),
    (of_a_range, (21, 5)),
    (of_a_range, (22, 5)),
    (of_a_range, (6, 6)),
    (of_a_range, (6, 0)),
    (of_a_range, (85, 20)),
    (of_a_range, (86, 20)),
    (of_a_range, (277, 64)),
    (of_a_range, (10**9, 50)),
    (of_a_range, (4000, 900)),
    (of_a_stepping_range, (500, 9)),
    (of_a_list, ([1, 2, 3, 4], 2)),
    (of_a_list, ([float(i) for i in range(60)], 7)),
    (of_a_list, (list(range(600)), 70)),
    (of_a_tuple, (3,)),
    (with_counts, ([2, 1, 3], 4)),
    (with_counts, ([10**8, 10**9, 1], 30)),
    (in_a_loop, (1000, 20)),
]


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_samples_are_those_of_python(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compiled = jit(function)
    for seed in range(3):
        random.seed(seed)
        expected, state = function(*args), random.getstate()
        random.seed(seed)
        assert compiled(*args) == expected
        assert random.getstate() == state
    assert compiled.interpreted == 0


def test_a_generator_from_outside() -> None:
    def several(generator: random.Random, n: int) -> list[int]:
        return generator.sample(range(n), 4) + generator.sample(range(n), 12)

    compiled = jit(several)
    ours, theirs = random.Random(4), random.Random(4)
    for n in (12, 40, 5000):
        assert compiled(ours, n) == several(theirs, n)
        assert ours.getstate() == theirs.getstate()
    assert compiled.interpreted == 0


FAULTY: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (of_a_range, (3, 4)),
    (of_a_range, (3, -1)),
    (of_a_list, ([1, 2], 3)),
    (with_counts, ([1, 2], 1)),
    (with_counts, ([0, 0, 0], 1)),
    (with_counts, ([1, 0, 1], 3)),
    (of_a_list, ({1, 2, 3}, 2)),
    (of_a_list, ({1: 2, 3: 4}, 1)),
]


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize(("function", "args"), FAULTY)
def test_what_is_wrong_is_said_in_pythons_words(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, TypeError)) as expected:
        function(*args)
    with pytest.raises(expected.type) as caught:
        jit(function)(*args)
    assert str(caught.value) == str(expected.value)
