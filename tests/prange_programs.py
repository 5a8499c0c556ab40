"""Functions with loops over `prange`: whose rounds do not depend on one another, and whose do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jitcore import prange


def mandelbrot(image, low, step, limit):
    height, width = image.shape
    for i in prange(height):
        for j in range(width):
            x, y = low + j * step, low + i * step
            a, b, k = 0.0, 0.0, 0
            while k < limit and a * a + b * b <= 4.0:
                a, b = a * a - b * b + x, 2.0 * a * b + y
                k += 1
            image[i, j] = k


def bodies(at, force):
    for i in prange(at.shape[0]):
        fx = 0.0
        fy = 0.0
        for j in range(at.shape[0]):
            x, y = at[j, 0] - at[i, 0], at[j, 1] - at[i, 1]
            pull = 1.0 / (1.0 + math.sqrt(x * x + y * y))
            fx += x * pull
            fy += y * pull
        force[i, 0] = fx
        force[i, 1] = fy


def points_inside(n):
    inside = 0
    for i in prange(n):
        state = (i * 2654435761 + 12345) % 4294967296
        x = state / 4294967296
        y = (state * 1664525 + 1013904223) % 4294967296 / 4294967296
        if x * x + y * y < 1.0:
            inside += 1
    return inside


def histogram(data, counts):
    for i in prange(data.shape[0]):
        counts[data[i]] += 1


def two_histograms(data, counts):
    for i in prange(data.shape[0]):
        counts[0, data[i]] += 1
        counts[1, data[i]] -= i


def products(data, out):
    for i in prange(data.shape[0]):
        out[i % 3] *= data[i]


def statistics(x):
    total = 0.0
    square = 1.0
    low = x[0]
    high = x[0]
    for i in prange(x.shape[0]):
        total += x[i]
        square *= 1.0 + x[i] / 1000.0
        low = min(low, x[i])
        if x[i] > high:
            high = x[i]
    return total, square, low, high


def differences(n):
    s = 5
    t = 100.0
    p = 1
    bits = -1
    z = 1j
    for i in prange(n):
        s -= i
        t /= 1.0 + 1.0 / (i + 1)
        p *= 1 if i % 7 else -1
        bits &= ~(1 << i % 3)
        z += complex(i, -i)
    return s, t, p, bits, z


def largest_of_rows(x):
    best = -1
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            best = max(best, int(x[i, j]))
    return best


def extremes(x):
    best = 0.0
    worst = 1e300
    for i in prange(x.shape[0]):
        best = max(best, x[i])
        if x[i] < worst:
            worst = x[i]
    return best, worst


def largest_of_several(x):
    best = -1e9
    for i in prange(x.shape[0]):
        best = max(best, x[i], x[i] * 2.0)
    return best


def grown_in_inner_loops(x):
    best = x[0, 0]
    grew = False
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > best:
                best = x[i, j]
                grew = True
    return best, grew


def some(x, limit):
    total = 0.0
    weighted = 0
    found = False
    every = True
    for i in prange(x.shape[0]):
        if x[i] > limit:
            total += x[i]
            found = True
        for j in range(3):
            if x[i] > j:
                weighted += x[i] * j
        if x[i] < -limit:
            every = False
    return total, weighted, found, every


def largest_by_remainder(x):
    best = np.zeros(4)
    least = np.full((2, 4), 9.0)
    for i in prange(x.shape[0]):
        k = i % 4
        best[k] = max(best[k], x[i])
        if x[i] < least[1, k]:
            least[1, k] = x[i]
    return best, least


def conditional_histogram(data, counts):
    for i in prange(data.shape[0]):
        k = data[i]
        if k > 3:
            counts[k] = counts[k] + k + 1
        else:
            counts[k] -= 1


def conditional(x, n):
    count = 0
    for i in prange(n):
        if x[i] > 0:
            if i % 2:
                count += 2
        else:
            count -= 1
    return count


def columns(x):
    total = np.zeros(x.shape[1])
    for i in prange(x.shape[0]):
        total += x[i]
    return total


def columns_made_anew(x):
    total = np.zeros(x.shape[1])
    for i in prange(x.shape[0]):
        total = total + x[i] * 2.0
    return total


def rows(out, x):
    for i in prange(x.shape[0]):
        row = x[i] * 2.0
        own = np.zeros(3)
        own[0] = row[0]
        out[i, :] = row - row.mean() + own.sum()


def column_of(out, x):
    for j in prange(x.shape[1]):
        out[:, j] = x[:, j] * j
        out[0, j] += 1.0


def transposed(out, x):
    for i in prange(x.shape[0]):
        out.T[i] = x[i]


def windows(out, x, w):
    for i in prange(x.shape[0]):
        out[i * w : (i + 1) * w] = x[i]


def fixed_windows(out, x):
    for i in prange(x.shape[0]):
        out[3 * i : 3 * i + 3] = x[i]


def flat(out, n, w):
    for i in prange(n):
        for j in range(w):
            out[i * w + j] = i * 10 + j


def backwards(out, n):
    for i in prange(n):
        out[n - 1 - i] = i


def pairs(out, n):
    for i in prange(n):
        out[2 * i] = i
        out[2 * i + 1] = -i


def stencil(out, x):
    for i in prange(1, x.shape[0] - 1):
        out[i] = x[i - 1] + x[i + 1]


def between(out, start, stop, step):
    for i in prange(start, stop, step):
        out[i] += 1.0


def repeated(x, steps):
    for _ in range(steps):
        before = x.copy()
        if before[0] < 1000.0:
            for i in prange(1, x.shape[0] - 1):
                x[i] = 0.5 * (before[i - 1] + before[i + 1])
    return x.sum()


def nested(out, n):
    for i in prange(n):
        for j in prange(n):
            out[i, j] = i - j


def constant_after(n):
    reached = 0
    for i in prange(n):
        reached = 7
    return reached


def helper(x, i):
    total = 0.0
    for j in prange(3):
        total += x[(i + j) % x.shape[0]]
    return total


def calling(out, x):
    for i in prange(x.shape[0]):
        out[i] = helper(x, i)


def randoms(shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(0).standard_normal(shape)


NUMBERS = np.arange(3000) * 7919 % 13

INDEPENDENT = {
    "mandelbrot": (mandelbrot, lambda: (np.zeros((30, 40), np.int64), -2.0, 0.1, 30)),
    "bodies": (bodies, lambda: (randoms((50, 2)), np.zeros((50, 2)))),
    "points_inside": (points_inside, lambda: (5000,)),
    "histogram": (histogram, lambda: (NUMBERS, np.ones(13, np.int64))),
    "histogram of bytes": (histogram, lambda: (NUMBERS, np.full(13, 3, np.uint8))),
    "two_histograms": (two_histograms, lambda: (NUMBERS, np.zeros((2, 13)))),
    "products": (products, lambda: (1.0 + randoms((200,)) / 50, np.ones(3))),
    "statistics": (statistics, lambda: (randoms((2000,)),)),
    "statistics of one": (statistics, lambda: (randoms((1,)),)),
    "differences": (differences, lambda: (500,)),
    "differences of none": (differences, lambda: (0,)),
    "largest_of_rows": (largest_of_rows, lambda: (randoms((30, 20)) * 100,)),
    "extremes": (extremes, lambda: (randoms((500,)),)),
    "extremes of small ones": (extremes, lambda: (randoms((500,)) - 100,)),
    "extremes of none": (extremes, lambda: (randoms((0,)),)),
    "largest_of_several": (largest_of_several, lambda: (randoms((500,)),)),
    "grown_in_inner_loops": (grown_in_inner_loops, lambda: (randoms((50, 4)),)),
    "some": (some, lambda: (randoms((500,)), 0.5)),
    "none of some": (some, lambda: (randoms((500,)), 50.0)),
    "none at all": (some, lambda: (randoms((0,)), 50.0)),
    "largest_by_remainder": (largest_by_remainder, lambda: (randoms((500,)),)),
    "conditional_histogram": (conditional_histogram, lambda: (NUMBERS, np.zeros(13, np.int64))),
    "conditional": (conditional, lambda: (randoms((500,)), 500)),
    "columns": (columns, lambda: (randoms((200, 5)),)),
    "columns_made_anew": (columns_made_anew, lambda: (randoms((200, 5)),)),
    "rows": (rows, lambda: (np.zeros((50, 40)), randoms((50, 40)))),
    "column_of": (column_of, lambda: (np.zeros((50, 40)), randoms((50, 40)))),
    "transposed": (transposed, lambda: (np.zeros((40, 50)), randoms((50, 40)))),
    "windows": (windows, lambda: (np.zeros(100), np.arange(10.0), 10)),
    "windows of a negative width": (windows, lambda: (np.zeros(100), np.arange(10.0), -3)),
    "fixed_windows": (fixed_windows, lambda: (np.zeros(100), np.arange(10.0))),
    "flat": (flat, lambda: (np.zeros(100), 10, 10)),
    "backwards": (backwards, lambda: (np.zeros(100), 100)),
    "pairs": (pairs, lambda: (np.zeros(100), 50)),
    "stencil": (stencil, lambda: (np.zeros(100), np.arange(100.0) ** 2)),
    "between": (between, lambda: (np.zeros(100), 3, 90, 2)),
    "between, from the end": (between, lambda: (np.zeros(100), -60, 70, 1)),
    "between, backwards": (between, lambda: (np.zeros(100), 90, 3, -3)),
    "repeated": (repeated, lambda: (np.arange(100.0) ** 2, 10)),
    "nested": (nested, lambda: (np.zeros((20, 20)), 20)),
    "constant_after": (constant_after, lambda: (100,)),
    "constant_after none": (constant_after, lambda: (0,)),
    "calling": (calling, lambda: (np.zeros(30), randoms((30,)))),
}


def one_place(out, n):
    for i in prange(n):
        out[0] = i


def place_before(out, n):
    for i in prange(1, n):
        out[i] = out[i - 1] + 1


def place_after(out, n):
    for i in prange(n):
        out[i] = out[(i + 1) % n]


def last_value(n):
    last = 0
    for i in prange(n):
        last = i
    return last


def index_after(n):
    i = -1
    for i in prange(n):
        pass
    return i


def list_of(n):
    found = []
    for i in prange(n):
        found.append(i)
    return found


def chosen_place(out, places):
    for i in prange(places.shape[0]):
        out[places[i]] = i


def recurrence(n):
    s = 0
    for i in prange(n):
        s = s * 2 + i
    return s


def halves(out, n):
    for i in prange(n):
        out[i // 2] = i


def running_sum(out, n):
    s = 0
    for i in prange(n):
        s += i
        out[i] = s


def wide_windows(out, n, w):
    for i in prange(n):
        out[i * w : (i + 1) * w + 1] = i


def clipped_windows(out, n):
    for i in prange(n):
        out[min(i, 5) : i + 1] = i


def wide_rows(out, n, w):
    for i in prange(n):
        for j in range(w + 1):
            out[i * w + j] = i


def sum_and_read(out, n):
    for i in prange(n):
        out[i % 3] += i
        out[3] = out[0]


def sum_and_product(out, n):
    for i in prange(n):
        out[i % 3] += i
        out[i % 3] *= 2


def where_largest(x):
    best, at = x[0], 0
    for i in prange(x.shape[0]):
        if x[i] > best:
            best, at = x[i], i
    return best, at


def where_it_grew(x, out):
    best = 0.0
    for i in prange(x.shape[0]):
        grew = False
        if x[i] > best:
            best = x[i]
            grew = True
        out[i] = grew
    return best


def where_an_inner_loop_grew_it(x, out):
    best = x[0, 0]
    for i in prange(x.shape[0]):
        grew = False
        for j in range(x.shape[1]):
            if x[i, j] > best:
                best = x[i, j]
                grew = True
        out[i] = grew
    return best


def how_often_it_grew(x):
    best = x[0]
    count = 0
    for i in prange(x.shape[0]):
        if x[i] > best:
            best = x[i]
            count += 1
    return best, count


def mark_of_the_last(x, marks):
    best = x[0]
    mark = False
    for i in prange(x.shape[0]):
        if x[i] > best:
            best = x[i]
            mark = marks[i] > 0
    return best, mark


def largest_and_its_sum(out, n):
    for i in prange(n):
        if i > out[0]:
            out[0] = i
            out[1] += i


def counted_place(out, n):
    k = 0
    for i in prange(n):
        out[k] = i
        k += 1


def damped(x):
    y = np.zeros(x.shape[1])
    for i in prange(x.shape[0]):
        y = y * 0.5 + x[i]
    return y


def entry_of_dict(kept, n):
    for i in prange(n):
        kept["last"] = i


def leaving(x):
    for i in prange(x.shape[0]):
        if x[i] > 0:
            break
        x[i] = 1.0


def returning(x):
    for i in prange(x.shape[0]):
        if x[i] > 5:
            return i
    return -1


def two_views(x, n):
    y = x[1:]
    for i in prange(n):
        x[i] = y[i]


DEPENDENT = {
    "one_place": (one_place, lambda: (np.zeros(10), 10), "out[0] = i", "the same place of out"),
    "place_before": (place_before, lambda: (np.zeros(10), 10), "out[i - 1] + 1", "reads from out what another"),
    "place_after": (place_after, lambda: (np.zeros(10), 10), "out[(i + 1) % n]", "reads from out what another"),
    "last_value": (last_value, lambda: (100,), "prange(n)", "last is used after the loop"),
    "index_after": (index_after, lambda: (100,), "prange(n)", "i is used after the loop"),
    "list_of": (list_of, lambda: (100,), "found.append(i)", "append to a list"),
    "chosen_place": (chosen_place, lambda: (np.zeros(10), np.arange(10)), "places[i]", "two rounds may write"),
    "recurrence": (recurrence, lambda: (30,), "s * 2 + i", "s depends on the round before"),
    "halves": (halves, lambda: (np.zeros(10), 10), "out[i // 2]", "two rounds may write to the same place of out"),
    "running_sum": (running_sum, lambda: (np.zeros(10), 10), "s += i", "s depends on the round before"),
    "wide_windows": (wide_windows, lambda: (np.zeros(101), 10, 10), "(i + 1) * w + 1", "two rounds may write"),
    "clipped_windows": (clipped_windows, lambda: (np.zeros(30), 10), "min(i, 5)", "two rounds may write"),
    "wide_rows": (wide_rows, lambda: (np.zeros(101), 10, 10), "out[i * w + j]", "two rounds may write"),
    "sum_and_read": (sum_and_read, lambda: (np.zeros(10), 10), "out[3] = out[0]", "the same place of out"),
    "sum_and_product": (sum_and_product, lambda: (np.zeros(10), 10), "out[i % 3]", "out"),
    "where_largest": (where_largest, lambda: (randoms((30,)),), "x[i] > best", "at depends on the round before"),
    "where_it_grew": (where_it_grew, lambda: (randoms((30,)), np.zeros(30)), "x[i] > best", "best depends on"),
    "where_an_inner_loop_grew_it": (
        where_an_inner_loop_grew_it,
        lambda: (randoms((30, 4)), np.zeros(30)),
        "for j in range",
        "best depends on",
    ),
    "how_often_it_grew": (how_often_it_grew, lambda: (randoms((30,)),), "x[i] > best", "best depends on"),
    "mark_of_the_last": (mark_of_the_last, lambda: (randoms((30,)), np.ones(30)), "x[i] > best", "mark depends on"),
    "largest_and_its_sum": (largest_and_its_sum, lambda: (np.zeros(10), 10), "out[", "out"),
    "counted_place": (counted_place, lambda: (np.zeros(10), 10), "k += 1", "k depends on the round before"),
    "damped": (damped, lambda: (randoms((30, 3)),), "y * 0.5 + x[i]", "y depends on the round before"),
    "entry_of_dict": (entry_of_dict, lambda: ({"last": 1}, 100), "prange(n)", "in an object, a list, a dict"),
    "leaving": (leaving, lambda: (np.zeros(10),), "prange(", "break or return"),
    "returning": (returning, lambda: (np.zeros(10),), "prange(", "break or return"),
    "two_views": (two_views, lambda: (np.zeros(11), 10), "y[i]", "x"),
}
