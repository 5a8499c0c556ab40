"""Recursive functions that get the same lists in many orders, new lists at each level, or trees of many forms."""

from __future__ import annotations

from typing import Any


def _hanoi(n, a, b, c):
    if n == 0:
        return 0
    k = _hanoi(n - 1, a, c, b)
    c.append(a.pop())
    return k + 1 + _hanoi(n - 1, b, a, c)


def towers_of_hanoi(n):
    a, b, c = list(range(n, 0, -1)), [], []
    k = _hanoi(n, a, b, c)
    return k, a, b, c


def _dealt(n, a, b, c, d):
    if n == 0:
        return
    a.append(n)
    _dealt(n - 1, b, a, d, c)
    _dealt(n - 2 if n > 1 else 0, a, c, d, b)
    d.append(len(a))


def four_lists_in_turn(n):
    a, b, c, d = [], [], [], []
    _dealt(n, a, b, c, d)
    return a, b, c, d


def _swap(items, i, j):
    items[i], items[j] = items[j], items[i]


def _partition(items, low, high):
    i = low
    for j in range(low, high):
        if items[j] < items[high]:
            _swap(items, i, j)
            i += 1
    _swap(items, i, high)
    return i


def _quicksort(items):
    if len(items) <= 1:
        return
    k = _partition(items, 0, len(items) - 1)
    left, right = [], []
    for x in items[:k]:
        left.append(x)
    for x in items[k + 1 :]:
        right.append(x)
    _quicksort(left)
    _quicksort(right)
    for i in range(len(left)):
        items[i] = left[i]
    for i in range(len(right)):
        items[k + 1 + i] = right[i]


def quicksort_of_copies(n):
    items = [(k * 7 + 3) % (n + 1) for k in range(n)]
    _quicksort(items)
    return items


def _mergesort(items):
    if len(items) > 1:
        middle = len(items) // 2
        a, b = items[:middle], items[middle:]
        _mergesort(a)
        _mergesort(b)
        i = j = 0
        for k in range(len(items)):
            if j >= len(b) or (i < len(a) and a[i] <= b[j]):
                items[k] = a[i]
                i += 1
            else:
                items[k] = b[j]
                j += 1


def mergesort_in_place(n):
    items = [(k * 5 + 2) % (n + 3) * 0.5 for k in range(n)]
    _mergesort(items)
    return items


def _merged(a, b):
    if not a:
        return b
    if not b:
        return a
    return [a[0]] + _merged(a[1:], b) if a[0] <= b[0] else [b[0]] + _merged(a, b[1:])


def merge_of_slices(n):
    return _merged([2 * k for k in range(n)], [3 * k for k in range(n)])


def _common(a, b):
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + _common(a[1:], b[1:])
    return max(_common(a[1:], b), _common(a, b[1:]))


def common_items(n):
    return _common([1, 2, n, 4, 5], [2, n, 1, 5])


def _ping(items, n):
    return items if n == 0 else _pong([*items, n], n - 1)


def _pong(items, n):
    return items if n == 0 else _ping([n, *items], n - 1)


def two_functions_that_grow_a_list(n):
    return _ping([], n)


def _derived(e: Any) -> Any:
    if isinstance(e, (int, float)):
        return 0
    if isinstance(e, str):
        return 1
    op, a, b = e
    if op == "+":
        return ("+", _derived(a), _derived(b))
    return ("+", ("*", _derived(a), b), ("*", a, _derived(b)))


def _value(e: Any, x: Any) -> Any:
    if isinstance(e, (int, float)):
        return e
    if isinstance(e, str):
        return x
    op, a, b = e
    return _value(a, x) + _value(b, x) if op == "+" else _value(a, x) * _value(b, x)


def second_derivative(n):
    return _value(_derived(_derived(("+", ("*", "x", ("+", "x", 1)), ("*", 2.5, ("*", "x", "x"))))), n)


def functions_of_functions(n):
    def f(x):
        return x + 1

    for _ in range(5):
        f = (lambda g: lambda x: g(g(x)))(f)
    return f(n)


def _sort_halves(items):
    if len(items) < 2:
        return
    p = items[-1]
    low, high = [], []
    for v in items:
        if v < p:
            low.append(v)
        elif v > p:
            high.append(v)
    _sort_halves(low)
    _sort_halves(high)
    items[:] = [*low, p, *high]


def sorted_by_halves(items):
    first, second, third = [*items, 3], [0.5, *items], [*items, *items]
    for given in (items, first, second, third):
        _sort_halves(given)
    return items, first, second, third


CASES = [
    towers_of_hanoi, four_lists_in_turn, quicksort_of_copies, mergesort_in_place, merge_of_slices, common_items,
    two_functions_that_grow_a_list, second_derivative, functions_of_functions,
]  # fmt: skip
