"""Long lists of numbers, of which the run says which item is meant: arguments, those of the code outside, and local ones."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case(*(([float(k) for k in range(n)],) for n in (3, 20, 21, 100)))
def mean(xs):
    total = 0.0
    for x in xs:
        total += x
    return total / len(xs)


@case(([5, 3, 4] * 10,), ([5, 3, 4] * 20,), ([2, 1],), ([0.5, -1.5] * 15,))
def bubble_sort(xs):
    xs = list(xs)
    for i in range(len(xs)):
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs


@case((list(range(20)), 3), (list(range(50)), 4))
def changed_for_the_caller(xs, k):
    for i in range(len(xs)):
        xs[i] += k
    xs.append(k)
    return xs


@case((1500,), (7,), (0,))
def long_local_lists(n):
    counts, squares = [0] * 1000, [i * i for i in range(1000)]
    total = 0
    for i in range(n):
        counts[i % 1000] += i
        total += squares[(i * 7) % 1000]
    return sum(counts), total


@case((list(range(20)),), (list(range(40)),))
def whole_lists(xs):
    first, second, *rest = xs
    return (
        first + second,
        rest,
        xs[3:7],
        xs[::-1][:2],
        sorted(xs)[:2],
        max(xs),
        5 in xs,
        xs.index(7),
        np.array(xs).mean(),
    )


@case((list(range(20)),))
def past_the_end(xs):
    return xs[len(xs)]


@case((list(range(20)), list(range(20))))
def spread_as_arguments(xs, ys):
    def added(*numbers):
        return sum(numbers)

    return added(*xs), [x * y for x, y in zip(xs, ys, strict=True)]


@case(((tuple(range(30))), 7), ((tuple(range(30))), -1))
def long_tuples(t, k):
    total = 0
    for i in range(k, k + 9):
        total += t[i % 30]
    return total, t[k]
