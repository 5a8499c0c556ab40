"""`random.sample` and `random.shuffle` in compiled code: the same items, and the same state of the generator afterwards, as in Python."""

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


# --- shuffling lists of the code outside ----------------------------------------------------------------

captured = [3, 1, 2]


def shuffled(xs: Any) -> Any:
    random.shuffle(xs)
    return xs[0]


def shuffled_in_a_dict(given: dict[str, list[int]]) -> int:
    random.shuffle(given["a"])
    return given["a"][1]


def after_what_may_raise(xs: list[int], n: int) -> tuple[int, int]:
    share = 7 // n
    random.shuffle(xs)
    return xs[0], share


def of_a_capture(x: float) -> float:
    random.shuffle(captured)
    return captured[0] * x


def of_its_own(n: int) -> list[int]:
    xs = list(range(n))
    random.shuffle(xs)
    return xs


SHUFFLES: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = [
    (shuffled, lambda: ([3, 1, 2],)),
    (shuffled, lambda: ([7],)),
    (shuffled, lambda: ([0.5, 1.5, 2.5, 3.5],)),
    (shuffled, lambda: ([True, False, True],)),
    (shuffled, lambda: ([(1, 2.0), (3, 4.0), (5, 6.0)],)),
    (shuffled, lambda: ([1, 2.5, 3],)),
    (shuffled, lambda: (list(range(40)),)),
    (shuffled, lambda: ([0.5 * i for i in range(300)],)),
    (shuffled_in_a_dict, lambda: ({"a": [1, 2, 3], "b": [4]},)),
    (after_what_may_raise, lambda: ([3, 1, 2, 9], 2)),
    (of_a_capture, lambda: (1.5,)),
    (of_its_own, lambda: (9,)),
]


@pytest.mark.parametrize(("function", "make"), SHUFFLES)
def test_lists_are_shuffled_as_in_python(function: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> None:
    compiled = jit(function)
    for seed in range(3):
        outcomes: list[Any] = []
        for call in (function, compiled):
            captured[:] = [3, 1, 2]
            random.seed(seed)
            args = make()
            outcomes.append((call(*args), args, list(captured), random.getstate()))
        assert outcomes[0] == outcomes[1]
    assert compiled.interpreted == 0


def test_what_raises_before_a_shuffle_draws_nothing_and_changes_nothing() -> None:
    compiled, xs = jit(after_what_may_raise), [1, 2, 3, 4]
    random.seed(1)
    compiled(xs, 2)
    before, state = list(xs), random.getstate()
    with pytest.raises(ZeroDivisionError):
        compiled(xs, 0)
    assert xs == before
    assert random.getstate() == state


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
def test_what_raises_after_a_shuffle_draws_once() -> None:
    def raising_after(xs: list[int], n: int) -> int:
        random.shuffle(xs)
        return xs[0] // n

    compiled = jit(raising_after)
    outcomes: list[Any] = []
    for call in (raising_after, compiled):
        xs = [1, 2, 3, 4, 5]
        random.seed(2)
        call(xs, 3)
        with pytest.raises(ZeroDivisionError):
            call(xs, 0)
        outcomes.append((xs, random.getstate()))
    assert outcomes[0] == outcomes[1]


def test_a_generator_from_outside_shuffles() -> None:
    def mixed_up(generator: random.Random, xs: list[int]) -> list[int]:
        generator.shuffle(xs)
        return xs

    compiled = jit(mixed_up)
    ours, theirs = random.Random(4), random.Random(4)
    for n in (3, 9, 40):
        assert compiled(ours, list(range(n))) == mixed_up(theirs, list(range(n)))
        assert ours.getstate() == theirs.getstate()
    assert compiled.interpreted == 0


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize("given", [(1, 2), "abc", 5, {1, 2}])
def test_what_cannot_be_shuffled_is_refused_as_in_python(given: Any) -> None:
    with pytest.raises(TypeError) as expected:
        shuffled(given)
    with pytest.raises(TypeError) as caught:
        jit(shuffled)(given)
    assert str(caught.value) == str(expected.value)
