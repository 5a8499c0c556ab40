"""Recursive functions that hand on new lists, by themselves or in tuples and lists, which are made otherwise on each path."""

from __future__ import annotations

from typing import Any


def _taken(x, k, found):
    if len(x) == 0:
        return found
    if k > x[0]:
        return _taken(x[2:], k, found + [x[0]])
    return _taken(x[1:], k, found)


def slices_of_two_lengths(x, k):
    return _taken(x, k, []), _taken(x[1:], 2, x[:1]), _taken(x[:k], k, x)


def _taken_or_default(x, k, found=[]):  # noqa: B006  it is never changed
    if not x:
        return found
    if k > x[0]:
        return _taken_or_default(x[2:], k, found + [x[0]])
    if k == x[0]:
        return _taken_or_default(x[:-1], k - 1, found + x[:2])
    return _taken_or_default(x[1:], k, found)


def a_default_that_is_a_list(x, k):
    return _taken_or_default(x, k), _taken_or_default(x[1:], k), _taken_or_default(x[:2], 1, [k])


def _two(x, found):
    if len(x) == 0:
        return found
    if x[0] > 4:
        return _two(x[2:], (found[0] + x[:1], found[1]))
    return _two(x[1:], (found[0], found[1] + x[:2]))


def lists_in_a_tuple(x, k):
    return _two(x, ([], x[k:]))


def _exchanged(n, both):
    if n == 0:
        return both
    a, b = both
    if n % 3:
        return _exchanged(n - 1, (b, a + [n]))
    return _exchanged(n - 1, (b[1:], a))


def lists_that_change_places(x, k):
    return _exchanged(k, (x, [])), _exchanged(k, (x[1:], x[:2]))


def _of_lists(n, both):
    if n == 0:
        return both
    if n % 2:
        return _of_lists(n - 1, [both[0] + [n], both[1]])
    return _of_lists(n - 1, [both[0], both[1][1:]])


def lists_in_a_list(x, k):
    return _of_lists(k, [x, x[:2]])


def _counted(n, found):
    if n == 0:
        return found
    if n % 2:
        return _counted(n - 1, (found[0] + [n], found[1] + 1))
    return _counted(n - 1, found)


def a_list_and_a_number(x, k):
    return _counted(k, (x, 0)), _counted(k, ([], 1))


def _deep(n, found):
    if n == 0:
        return found
    (a, k), b = found
    if n % 2:
        return _deep(n - 1, ((a + [n], k + 1), b))
    return _deep(n - 1, ((a, k), a[1:] + b))


def a_tuple_in_a_tuple(x, k):
    return _deep(k, ((x, 0), []))


def _of_pairs(x, found):
    if not x:
        return found
    if x[0][0] > 1:
        return _of_pairs(x[1:], found + [x[0]])
    return _of_pairs(x[2:], found)


def a_list_of_tuples(x, k):
    return _of_pairs([(v, 0.5 * v) for v in x], []), _of_pairs([(k, 1.0)], [])


def _parted(x, low, high):
    if not x:
        return low, high
    if x[0] < 3:
        return _parted(x[1:], low + [x[0]], high)
    return _parted(x[2:], low, [x[0]] + high)


def two_lists_that_grow(x, k):
    return _parted(x, [], x[:k]), _parted(x[k:], [k], [])


CASES: tuple[Any, ...] = (
    slices_of_two_lengths, a_default_that_is_a_list, lists_in_a_tuple, lists_that_change_places, lists_in_a_list, a_list_and_a_number,
    a_tuple_in_a_tuple, a_list_of_tuples, two_lists_that_grow,
)  # fmt: skip
"""Functions of a list and a small int."""
