"""Lists of run-time length whose items are numbers of one of several types, or None."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((np.arange(6.0),), (np.arange(50.0),), (np.ones(1),), (np.zeros(0),))
def doubled(x):
    out = [0.0] * len(x)
    for i in range(len(x)):
        out[i] = x[i] * 2
    return out


@case((5, 3), (40, 41), (3, 0))
def some_of_an_array(m, n):
    x = np.arange(m, dtype=np.float32)
    out = [0] * n
    for i in range(min(n, len(x))):
        if i % 2:
            out[i] = x[i]
    return out, len(out), sum(out)


@case((7,), (1,), (0,), (300,), (20,))
def halves(n):
    out = [0] * n
    for i in range(n):
        if i % 2:
            out[i] = i * 0.5
    return out


@case((2,), (10,), (80,))
def fibonacci_by_a_table(n):
    table = [None] * (n + 1)
    table[0], table[1] = 0, 1
    for i in range(2, n + 1):
        if table[i] is None:
            table[i] = table[i - 1] + table[i - 2]
    return table[n], table


@case((3,), (10,), (60,))
def remembered(n):
    known = [None] * (n + 1)

    def f(i):
        if i < 2:
            return i
        if known[i] is None:
            known[i] = f(i - 1) + f(i - 2)
        return known[i]

    return f(n)


@case((3, 2), (7, 7), (0, 4))
def paths_in_a_grid(n, m):
    known = [[None] * (m + 1) for _ in range(n + 1)]

    def f(i, j):
        if i == 0 or j == 0:
            return 1
        if known[i][j] is None:
            known[i][j] = f(i - 1, j) + f(i, j - 1)
        return known[i][j]

    return f(n, m)


def _fibonacci(n, known):
    if n < 2:
        return n
    if known[n] is not None:
        return known[n]
    known[n] = _fibonacci(n - 1, known) + _fibonacci(n - 2, known)
    return known[n]


@case((2,), (30,), (70,))
def remembered_in_an_argument(n):
    return _fibonacci(n, [None] * (n + 1))


@case((4, 3), (60, 50), (2, 5))
def several_kinds(m, n):
    x = np.arange(1.0 * m)
    out = [0]
    for i in range(n):
        out.append(x[i])
        out.append(1.5)
        out.append(i)
        out.append(i % 2 == 0)
    return out, sum(out), max(out), min(out), out[-1], out[1:4]


@case((5,), (60,))
def pairs_with_a_mixed_part(n):
    x = np.arange(1.0 * n)
    out = []
    for i in range(n):
        if i % 2:
            out.append((i, x[i]))
        else:
            out.append((i, 0.0))
    return out


@case((9,), (70,), (1,))
def sorted_kinds(n):
    out = [0] * n
    for i in range(n):
        out[i] = -i * 0.5 if i % 3 == 0 else i
    other = sorted(out, reverse=True)
    out.sort()
    return out, other, sorted(out, key=lambda v: -v)


@case((np.arange(6.0),), (np.arange(70.0),))
def an_array_of_one_dtype(x):
    out = [0.0] * len(x)
    for i in range(0, len(x), 2):
        out[i] = x[i]
    return np.array(out)


@case((5, 1), (5, 0), (60, 1), (60, 0), (60, -1), (0, 1))
def an_array_of_the_widest_dtype(n, c):
    out = [False] * n
    for i in range(n):
        if i % 2 and c > 0:
            out[i] = i * 0.5
        elif c < 0:
            out[i] = i
    a = np.array(out)
    return a, a.sum()


@case((np.arange(12.0).reshape(3, 4),), (np.arange(80.0).reshape(8, 10),), (np.zeros((0, 3)),))
def rows_of_an_array(x):
    n, m = x.shape
    rows = [[0.0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            if (i + j) % 2:
                rows[i][j] = x[i, j]
    rows.append([1.0, 2])
    return rows


@case((np.arange(12.0).reshape(3, 4),), (np.arange(80.0).reshape(8, 10),))
def rows_of_scalars(x):
    rows = []
    for i in range(x.shape[0]):
        row = []
        for j in range(x.shape[1]):
            row.append(x[i, j])
        rows.append(row)
    rows[0][0] = 7
    return rows, sum(rows[-1])


@case(([1.0] * 30, np.arange(5.0)), ([1.0] * 4, np.arange(3.0)), ([1.0] * 30, np.arange(31.0)))
def a_list_of_the_callers(xs, y):
    for i in range(len(y)):
        xs[i] = y[i]
    return xs


@case((30,), (3,), (200,))
def a_stack_of_kinds(n):
    stack = [1]
    total = 0
    while stack:
        v = stack.pop()
        total += v
        if total < n:
            stack.append(v * 0.5)
            stack.append(v + 1)
    return total


@case((9, 7), (50, 50))
def operators_of_lists(m, n):
    x = np.arange(1.0 * m)
    a, b = [0.0] * n, [0] * n
    for i in range(n):
        a[i] = x[i]
        b[i] = float(x[i])
    return a == b, a < b, 3.0 in a, a.index(2.0), a.count(1.0), b * 2, a + b, list(reversed(a)), [v for v in a if v > 1]


@case((np.arange(2.0),), (np.arange(3.0),), (np.arange(4.0),), (np.zeros(0),))
def none_is_no_number(x):
    out = [None] * 3
    for i in range(len(x)):
        out[i] = x[i]
    return out[0] + 1, out


@case((40, 3), (40, 39), (2, 0), (300, 5))
def shortest_ways(n, start):
    way = [None] * n
    way[start] = 0
    for _ in range(n):
        for i in range(n):
            if way[i] is None:
                continue
            for j, step in ((i * 3 % n, 1.5), ((i + 7) % n, 2)):
                if way[j] is None or way[i] + step < way[j]:
                    way[j] = way[i] + step
    return way


@case((5,), (400,), (0,))
def long_repeated(n):
    flags = [True] * 1000
    for i in range(n):
        flags[i * 2 % 1000] = False
    return sum(flags), [0] * 300, len([None] * 5000)
