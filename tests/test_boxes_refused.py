"""What is said of programs that are refused without boxes and with them: what stands in the way."""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import jit, vmap
from jitcore.source import CompileError

WORDS = ["alpha", "beta", "alpha", "gamma"] * 10
LONG_WORDS = ["alphabet " * 9] * 40
NUMBERS = np.arange(5.0)
LARGE = np.arange(5, dtype=np.uint64)


class Counts(dict[str, int]):
    pass


COUNTS = Counts()


def holds_arrays(x: Any) -> Any:
    held = {}
    for v in x:
        held[int(v)] = x * v
    return len(held)


def holds_numbers_of_numpy(x: Any) -> Any:
    held = {}
    for v in x:
        held[int(v)] = v
    return len(held)


def holds_many_types(x: Any) -> Any:
    held: dict[int, Any] = {}
    for v in x:
        for value in (1, 2.0, "a", None, (1,), (1, 2), (1, 2, 3), [1], {1: 2}):
            held[int(v)] = value
    return len(held)


def holds_what_has_no_hash(words: Any) -> Any:
    held = set()
    for w in words:
        held.add((len(w), [w] if len(w) > 9 else w))
    return len(held)


def says_how_many_axes(x: Any) -> Any:
    held = {}
    for v in x:
        held[int(v)] = 1
    return x.reshape((1,) * len(held))


def sorts_what_has_no_order(words: Any) -> Any:
    held: list[Any] = []
    for w in words:
        held.append(w)
        held.append(len(w))
    return sorted(held)


def has_a_heap_without_order(x: Any) -> Any:
    held = {}
    for v in x:
        held[int(v)] = None if v > 2 else float(v)
    heap = list(held.items())
    heapq.heapify(heap)
    return heap


def translates(words: Any) -> Any:
    held = {}
    for w in words:
        held[w.translate({97: "b"})] = 1
    return held


def makes_an_array_of_strings(word: Any) -> Any:
    return np.array([word, "two"]).shape


def goes_through_a_view(words: Any) -> Any:
    held = dict.fromkeys(words, 1)
    return held.keys() & held.keys()


def makes_a_tuple(words: Any) -> Any:
    held = {w: len(w) for w in words}
    return tuple(sorted(held.values()))


def asks_which_string(words: Any) -> Any:
    held = {w: w for w in words}
    return held[words[0]] is words[2]


def prints_elsewhere(words: Any) -> Any:
    held = dict.fromkeys(words, 1)
    print(len(held), file=sys.stderr)
    return len(held)


def changes_a_dict_of_a_class_of_its_own(words: Any) -> None:
    for w in words:
        COUNTS[w] = 1


def keeps_what_it_is_given(x: Any) -> Any:
    SEEN.append(x)
    return x * 2


SEEN: list[Any] = []


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    ("function", "argument", "said", "line"),
    [
        (holds_arrays, NUMBERS, "a value of type numpy.ndarray in a container of the run [J0311]", "held[int(v)] = x"),
        (holds_numbers_of_numpy, LARGE, "numpy.uint64 in a container of the run [J0311]\n  instead: int(…)", "= v"),
        (holds_many_types, NUMBERS, "with items of more than 8 types [J0311]", "held[int(v)] = value"),
        (holds_what_has_no_hash, WORDS, "something in it that has no hash [J0311]", "held.add"),
        (says_how_many_axes, NUMBERS, "how often a tuple is repeated must be known", "x.reshape("),
        (sorts_what_has_no_order, WORDS, "sorting a list of the run with items that may have no order [J0312]", "sorted"),
        (has_a_heap_without_order, NUMBERS, "a heap with items that may have no order [J0312]", "heapify"),
        (asks_which_string, LONG_WORDS, "'is' between strings", "words[2]"),
        (translates, LONG_WORDS, "the method 'translate' of a str of the run [J0313]", "translate"),
        (makes_an_array_of_strings, "one", "arrays of dtype <U3 are not supported", "np.array"),
        (goes_through_a_view, WORDS, "'&' of an iterable of the run [J0313]", "held.keys() &"),
        (makes_a_tuple, LONG_WORDS, "a tuple of an iterable of the run", "tuple("),
        (prints_elsewhere, WORDS, "print(file=…) in compiled code", "print("),
        (changes_a_dict_of_a_class_of_its_own, WORDS, "changing a Counts that belongs to the code outside", "COUNTS[w]"),
        (vmap(keeps_what_it_is_given), LARGE, "a function under vmap that changes", "def keeps"),
    ],
)  # fmt: skip
def test_what_stands_in_the_way_is_told(function: Callable[..., Any], argument: Any, said: str, line: str) -> None:
    with pytest.raises(CompileError) as caught:
        jit(function)(argument)
    text = str(caught.value)
    assert said in text
    assert line in text
