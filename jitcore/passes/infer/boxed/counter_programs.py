"""What Counters do, as programs that are inferred where they are called.

In which order items come, and which numbers are kept, is as in Python's `collections`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
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


def merged(
    x: Counter[Any], y: Counter[Any], both: Callable[[Any, Any], Any], alone: Callable[[Any], Any]
) -> Counter[Any]:
    """A Counter of what `both` makes of the numbers of each item of x (y has 0 of others) and `alone` of those that y
    alone has, as far as it is more than 0."""
    made: Counter[Any] = Counter()
    for item in x:
        made[item] = both(x[item], y[item])
    for item in y:
        if item not in x:
            made[item] = alone(y[item])
    keep_positive(made)
    return made


def sum_of(x: Counter[Any], y: Counter[Any]) -> Counter[Any]:
    """`x + y`."""
    return merged(x, y, lambda a, b: a + b, lambda b: b)


def difference(x: Counter[Any], y: Counter[Any]) -> Counter[Any]:
    """`x - y`."""
    return merged(x, y, lambda a, b: a - b, lambda b: 0 - b)


def union(x: Counter[Any], y: Counter[Any]) -> Counter[Any]:
    """`x | y`."""
    return merged(x, y, lambda a, b: b if a < b else a, lambda b: b)


def intersection(x: Counter[Any], y: Counter[Any]) -> Counter[Any]:
    """`x & y`."""
    return merged(x, y, lambda a, b: a if a < b else b, lambda b: 0)


def positive(x: Counter[Any]) -> Counter[Any]:
    """`+x`."""
    return merged(x, Counter(), lambda a, b: a, lambda b: b)


def negative(x: Counter[Any]) -> Counter[Any]:
    """`-x`."""
    return merged(x, Counter(), lambda a, b: 0 - a, lambda b: b)


def keep_positive(x: Counter[Any]) -> None:
    """Delete what is not counted more than 0 times."""
    for item in list(x):
        if not x[item] > 0:
            del x[item]


def change(x: Counter[Any], items: Counter[Any], y: Counter[Any], both: Callable[[Any, Any], Any]) -> None:
    """Give x what `both` makes of its numbers and those of y for some items, as far as it is more than 0."""
    for item in items:
        x[item] = both(x[item], y[item])
    keep_positive(x)


def add_in_place(x: Counter[Any], y: Counter[Any]) -> None:
    """`x += y`."""
    change(x, y, y, lambda a, b: a + b)


def subtract_in_place(x: Counter[Any], y: Counter[Any]) -> None:
    """`x -= y`."""
    change(x, y, y, lambda a, b: a - b)


def unite_in_place(x: Counter[Any], y: Counter[Any]) -> None:
    """`x |= y`."""
    change(x, y, y, lambda a, b: b if b > a else a)


def intersect_in_place(x: Counter[Any], y: Counter[Any]) -> None:
    """`x &= y`."""
    change(x, x, y, lambda a, b: b if b < a else a)


def is_included(x: Counter[Any], y: Counter[Any]) -> bool:
    """`x <= y`."""
    return all(x[item] <= y[item] for items in (x, y) for item in items)
