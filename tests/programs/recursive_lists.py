"""Recursive functions that change the lists, objects and arrays they are given."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


def _countdown(n, log):
    if n <= 0:
        return 0
    log.append(n)
    _countdown(n - 1, log)
    log.append(-n)
    return len(log)


@case((0,), (5,), (40,))
def a_list_made_for_the_call(n):
    return _countdown(n, [])


@case((0,), (5,), (40,))
def a_list_used_afterwards(n):
    log = []
    made = _countdown(n, log)
    return made, log


def _filled(n, out):
    if n <= 0:
        return 0
    out[n] = n
    _filled(n - 1, out)
    return sum(out)


@case((1,), (5,), (30,))
def items_set_at_each_level(n):
    return _filled(n, [0] * (n + 1))


def _summed(n, total):
    if n <= 0:
        return total[0]
    total[0] += n
    _summed(n - 1, total)
    _summed(n - 2, total)
    return total[0]


@case((3,), (9,))
def one_item_changed_by_all(n):
    return _summed(n, [0]), _summed(n, [0, 1] * n)


def _sums_of_parts(xs, k, chosen, out):
    if k == len(xs):
        out.append(sum(chosen))
        return
    _sums_of_parts(xs, k + 1, chosen, out)
    chosen.append(xs[k])
    _sums_of_parts(xs, k + 1, chosen, out)
    chosen.pop()


@case(([1, 2, 3],), ([1.5, 2.5, 3.5, 4.5],), ([],))
def sums_of_all_parts(xs):
    out = []
    _sums_of_parts(xs, 0, [], out)
    return out


class Journal:
    """What is counted and kept."""

    def __init__(self):
        self.kept = []
        self.count = 0


def _noted(n, journal):
    if n <= 0:
        return journal.count
    journal.count += n
    journal.kept.append(n)
    _noted(n - 1, journal)
    return journal.count + len(journal.kept)


@case((5,), (30,))
def an_object_made_for_the_call(n):
    return _noted(n, Journal())


def _flooded(grid, i, j):
    if i < 0 or j < 0 or i >= len(grid) or j >= len(grid[0]) or grid[i][j] != 0:
        return 0
    grid[i][j] = 2
    return 1 + _flooded(grid, i + 1, j) + _flooded(grid, i - 1, j) + _flooded(grid, i, j + 1) + _flooded(grid, i, j - 1)


@case((3,), (12,))
def a_grid_made_for_the_call(n):
    return _flooded([[0] * n for _ in range(n)], 0, 0)


def _added(n, a):
    if n <= 0:
        return a.sum()
    a[n] += n
    _added(n - 1, a)
    return a.sum()


@case((5,), (30,))
def an_array_made_for_the_call(n):
    return _added(n, np.zeros(n + 1))


def _placed(n, columns, row, diagonals):
    if row == n:
        return 1
    found = 0
    for c in range(n):
        if not columns[c] and not diagonals[row + c] and not diagonals[3 * n + row - c]:
            columns[c] = diagonals[row + c] = diagonals[3 * n + row - c] = True
            found += _placed(n, columns, row + 1, diagonals)
            columns[c] = diagonals[row + c] = diagonals[3 * n + row - c] = False
    return found


@case((4,), (6,))
def queens(n):
    return _placed(n, [False] * n, 0, [False] * (6 * n))


def _quick(xs, low, high):
    if low >= high:
        return
    pivot, i = xs[high], low
    for j in range(low, high):
        if xs[j] < pivot:
            xs[i], xs[j] = xs[j], xs[i]
            i += 1
    xs[i], xs[high] = xs[high], xs[i]
    _quick(xs, low, i - 1)
    _quick(xs, i + 1, high)


@case(([3, 1, 2],), ([5, 3, 9, 1, 2, 7, 7, 0] * 4,), ([0.5],))
def sorted_in_place(xs):
    ys = xs[:]
    _quick(ys, 0, len(ys) - 1)
    return ys


def _in_turn(n, a, b):
    if n == 0:
        return 0
    made = _in_turn(n - 1, b, a)
    b.append(n)
    return made


@case((1,), (3,), (20,), (50,))
def two_lists_that_change_places(n):
    a, b = [7], []
    _in_turn(n, a, b)
    return a, b


def _permuted(xs, k, out):
    if k == len(xs):
        out.append(xs[:])
        return
    for i in range(k, len(xs)):
        xs[k], xs[i] = xs[i], xs[k]
        _permuted(xs, k + 1, out)
        xs[k], xs[i] = xs[i], xs[k]


@case(([1, 2, 3],), ([4, 3, 2, 1],))
def permutations(xs):
    out = []
    _permuted(xs, 0, out)
    return out
