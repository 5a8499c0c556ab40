"""What Counters do, as programs that are inferred where they are called. (`Lib/collections` is the source.)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def count(counter: Counter[Any], items: Iterable[Any]) -> None:
    """`counter.update(items)`."""
    for item in items:
        counter[item] = counter.get(item, 0) + 1


def add_counts(counter: Counter[Any], mapping: Mapping[Any, int]) -> None:
    """`counter.update(mapping)`, of a Counter that has items."""
    for item, number in mapping.items():
        counter[item] = number + counter.get(item, 0)


def uncount(counter: Counter[Any], items: Iterable[Any]) -> None:
    """`counter.subtract(items)`."""
    for item in items:
        counter[item] = counter.get(item, 0) - 1


def subtract_counts(counter: Counter[Any], mapping: Mapping[Any, int]) -> None:
    """`counter.subtract(mapping)`."""
    for item, number in mapping.items():
        counter[item] = counter.get(item, 0) - number


def most_common(counter: Counter[Any]) -> list[tuple[Any, int]]:
    """`counter.most_common()`."""
    return sorted(counter.items(), key=lambda pair: pair[1], reverse=True)


def elements(counter: Counter[Any]) -> Iterator[Any]:
    """`counter.elements()`."""
    for item, number in counter.items():
        for _ in range(number):
            yield item


def sum_of(x: Counter[Any], y: Counter[Any]) -> Counter[Any]:
    """`x + y`."""
    result: Counter[Any] = Counter()
    for item, number in x.items():
        new = number + y[item]
        if new > 0:
            result[item] = new
    for item, number in y.items():
        if item not in x and number > 0:
            result[item] = number
    return result


def difference(x: Counter[Any], y: Counter[Any]) -> Counter[Any]:
    """`x - y`."""
    result: Counter[Any] = Counter()
    for item, number in x.items():
        new = number - y[item]
        if new > 0:
            result[item] = new
    for item, number in y.items():
        if item not in x and number < 0:
            result[item] = 0 - number
    return result


def union(x: Counter[Any], y: Counter[Any]) -> Counter[Any]:
    """`x | y`."""
    result: Counter[Any] = Counter()
    for item, number in x.items():
        other = y[item]
        new = other if number < other else number
        if new > 0:
            result[item] = new
    for item, number in y.items():
        if item not in x and number > 0:
            result[item] = number
    return result


def intersection(x: Counter[Any], y: Counter[Any]) -> Counter[Any]:
    """`x & y`."""
    result: Counter[Any] = Counter()
    for item, number in x.items():
        other = y[item]
        new = number if number < other else other
        if new > 0:
            result[item] = new
    return result


def positive(x: Counter[Any]) -> Counter[Any]:
    """`+x`."""
    result: Counter[Any] = Counter()
    for item, number in x.items():
        if number > 0:
            result[item] = number
    return result


def negative(x: Counter[Any]) -> Counter[Any]:
    """`-x`."""
    result: Counter[Any] = Counter()
    for item, number in x.items():
        if number < 0:
            result[item] = 0 - number
    return result


def keep_positive(x: Counter[Any]) -> None:
    """Delete what is not counted more than 0 times."""
    for item in [item for item, number in x.items() if not number > 0]:
        del x[item]


def add_in_place(x: Counter[Any], y: Counter[Any]) -> None:
    """`x += y`."""
    for item, number in y.items():
        x[item] += number
    keep_positive(x)


def subtract_in_place(x: Counter[Any], y: Counter[Any]) -> None:
    """`x -= y`."""
    for item, number in y.items():
        x[item] -= number
    keep_positive(x)


def unite_in_place(x: Counter[Any], y: Counter[Any]) -> None:
    """`x |= y`."""
    for item, other in y.items():
        number = x[item]
        if other > number:
            x[item] = other
    keep_positive(x)


def intersect_in_place(x: Counter[Any], y: Counter[Any]) -> None:
    """`x &= y`."""
    for item, number in x.items():
        other = y[item]
        if other < number:
            x[item] = other
    keep_positive(x)


def is_included(x: Counter[Any], y: Counter[Any]) -> bool:
    """`x <= y`."""
    for item, number in x.items():
        if not number <= y[item]:
            return False
    return all(x[item] <= number for item, number in y.items())
