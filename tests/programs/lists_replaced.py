"""Lists of which variables get other ones: in loops and branches, sliced by values of the run, given to recursive functions."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((7, 3), (6, 3), (0, 2))
def full_and_begun_anew(n, size):
    sums, block = [], []
    for k in range(n):
        block.append(k * k)
        if len(block) == size:
            sums.append(sum(block))
            block = []
    return sums, block


@case((6,), (1,), (0,), (40,))
def rows_of_a_triangle(n):
    row, widths = [1], []
    for _ in range(n):
        widths.append(len(row))
        row = [1] + [row[k] % 1000 + row[k + 1] % 1000 for k in range(len(row) - 1)] + [1]
    return row, widths


@case((True, 3), (False, 3))
def another_on_one_path(c, n):
    items = [1, 2]
    if c:
        items = []
    items.append(n)
    return items


@case((5,), (40,))
def exchanged_each_round(n):
    a, b = [0], [1, 1]
    for k in range(n):
        a, b = b, a
        a.append(k)
    return a, b


@case((6, 50), (1, 50), (45, 10))
def level_by_level(n, most):
    level, total = [1], 0
    while level and total < most:
        following = []
        for v in level:
            total += v
            if v < n:
                following.append(v + 1)
                following.append(v + 2)
        level = following
    return total, level


@case(([3, 1, 2, 5, 4],), ([2],))
def inserted_in_order(values):
    done = []
    for x in values:
        k = 0
        while k < len(done) and done[k] < x:
            k += 1
        done = done[:k] + [x] + done[k:]
    return done


@case((20,), (27,))
def path_as_a_list(n):
    path = [n]
    while path[-1] != 1:
        last = path[-1]
        path = path + [last // 2 if last % 2 == 0 else 3 * last + 1]
    return path


@case((5,), (12,))
def kept_by_parity(n):
    left = [k * k % 7 for k in range(3 * n)]
    for parity in (0, 1, 0):
        left = [x + 1 for x in left if x % 2 == parity] or [parity]
    return left


@case(([5, 3, 8, 1, 9, 2, 7],), ([],), ([4, 4, 4],))
def sorted_by_parts(values):
    def sort(x):
        if len(x) <= 1:
            return x
        first = x[0]
        return sort([v for v in x[1:] if v < first]) + [first] + sort([v for v in x[1:] if v >= first])

    return sort(values)


@case(([5, 3, 8, 1, 9, 2, 7],), ([2, 1],))
def sorted_by_merging(values):
    def merged(a, b):
        out = []
        i = j = 0
        while i < len(a) and j < len(b):
            if a[i] <= b[j]:
                out.append(a[i])
                i += 1
            else:
                out.append(b[j])
                j += 1
        return out + a[i:] + b[j:]

    def sort(x):
        if len(x) <= 1:
            return x
        middle = len(x) // 2
        return merged(sort(x[:middle]), sort(x[middle:]))

    return sort(values)


@case((4,), (1,))
def towers(n):
    def moves(n, a, b, c):
        if n == 0:
            return []
        return moves(n - 1, a, c, b) + [(a, c)] + moves(n - 1, b, a, c)

    return moves(n, 0, 1, 2)


@case((5,), (0,), (50,))
def built_by_recursion(n):
    def build(n):
        if n == 0:
            return []
        made = build(n - 1)
        made.append(n)
        return made

    return build(n)


@case((40,), (3,), (0,))
def shrinking_list(n):
    def total(values):
        return 0 if not values else values[0] + total(values[1:])

    return total(list(range(n)))


@case((4,), (2,))
def tried_and_undone(n):
    found = []

    def search(path, left):
        if left == 0:
            found.append(sum(path))
            return
        for step in (1, 2):
            path.append(step)
            search(path, left - 1)
            path.pop()

    search([], n)
    return found


@case((3,))
def changed_by_recursion(n):
    def fill(items, n):
        if n == 0:
            return 0
        items.append(n)
        return fill(items, n - 1) + len(items)

    made = [1, 2]
    return fill(made, n), made


@case((np.arange(40.0),), (np.arange(3.0),), (np.arange(0.0),))
def shrinking_arrays(x):
    def total(x, y):
        if len(x) == 0:
            return 0.0
        return (x * y).sum() + total(x[1:], y[1:])

    return total(x, x + 1)


@case((np.arange(3.0), 5), (np.arange(2.0), 0))
def growing_array(x, n):
    def longer(x, n):
        if n == 0:
            return x
        return longer(np.concatenate([x, x[:1] + n]), n - 1)

    return longer(x, n)


@case((np.array([3.0, 1.0, 2.0, 5.0, 4.0, 2.5]),), (np.array([2.0, 1.0]),))
def array_sorted_by_parts(x):
    def sort(x):
        if len(x) <= 1:
            return x
        return np.concatenate([sort(x[x < x[0]]), x[x == x[0]], sort(x[x > x[0]])])

    return sort(x)


@case((np.arange(8.0),), (np.arange(16.0),))
def halves_of_an_array(x):
    def transformed(x):
        if len(x) == 1:
            return x
        even, odd = transformed(x[::2]), transformed(x[1::2])
        return np.concatenate([even + odd, even - odd])

    return transformed(x)


@case((np.arange(6.0), 2), (np.arange(9.0), 1))
def results_of_unlike_lengths(x, n):
    def above(x, bound, n):
        return x[x > bound] if n == 0 else above(x, bound, n - 1)

    a, b = above(x, 1.0, n), above(x, 3.0, n)
    return len(a), len(b), np.concatenate([a, b]), a.sum() + b.sum()


@case((np.arange(6.0), 2))
def results_that_do_not_fit(x, n):
    def above(x, bound, n):
        return x[x > bound] if n == 0 else above(x, bound, n - 1)

    return above(x, 1.0, n) + above(x, 3.0, n)
