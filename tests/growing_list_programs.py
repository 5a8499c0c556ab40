"""Small functions with lists whose length is known only at run time, with arguments: `CASES` holds (function, calls) pairs.

Each must do compiled what it does in plain Python.
"""

# ruff: noqa: B006, B007, C400, C416, C419, E741, PERF401, PERF402, PLR1714, PLR5501, RUF005, RUF015, SIM102, SIM113, SIM118, SIM201
# pyright: basic

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitcore import Tensor, ops

Case = tuple[Callable[..., Any], Sequence[tuple[Any, ...]]]
CASES: list[Case] = []


def case(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the function below to the corpus, with the arguments of each call."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((function, calls))
        return function

    return add


COUNTS = ((5,), (0,), (1,), (70,))


# --- growing and shrinking --------------------------------------------------------------------------


@case(*COUNTS)
def appends_floats(n):
    xs = []
    for i in range(n):
        xs.append(i * 0.5)
    return xs


@case(*COUNTS)
def appends_ints_and_bools(n):
    xs, flags = [], []
    for i in range(n):
        xs.append(i * i)
        flags.append(i % 3 == 0)
    return xs, flags


@case((1.5, 5), (-0.25, 0), (2.0, 40))
def appends_complex(x, n):
    zs = []
    for i in range(n):
        zs.append(complex(x, i))
    return zs


@case(*COUNTS)
def appends_on_some_rounds(n):
    xs = [1.0]
    i = 0
    while i < n:
        if i % 3 == 0:
            xs.append(xs[-1] * 1.5)
        elif i % 7 == 5:
            xs.pop()
        i += 1
    return xs, len(xs), xs[0]


@case(*COUNTS)
def appends_tuples(n):
    xs = []
    ys = xs
    for i in range(n):
        xs.append((i, i * 0.5, i > 2))
    return ys, ys is xs, len(ys)


@case(*COUNTS)
def appends_nested_tuples(n):
    xs = []
    for i in range(n):
        xs.append((i, (i * 0.5, "name", None)))
    total = 0.0
    for i, (half, name, nothing) in xs:
        total += i * half + len(name) + (nothing is None)
    return xs, total


@case(*COUNTS)
def appends_lists(n):
    rows = []
    for i in range(n):
        rows.append([i, i * i])
    total = 0
    for row in rows:
        total += row[0] - row[1]
    return rows, total


@case(*COUNTS)
def appends_dicts(n):
    rows = []
    for i in range(n):
        rows.append({"a": i, "b": i * 0.5})
    total = 0.0
    for row in rows:
        total += row["a"] * row["b"]
    return rows, total


@case(*COUNTS)
def two_names_for_one_list(n):
    xs = [3]
    ys = xs
    for i in range(n):
        if i % 2:
            xs.append(i)
        else:
            ys.append(-i)
    ys.append(100)
    return xs, len(ys), xs is ys


@case(*COUNTS)
def list_in_a_tuple_and_a_dict(n):
    held = {"xs": []}
    pair = (held["xs"], 1)
    for i in range(n):
        held["xs"].append(i)
    return pair[0], held


@case(*COUNTS)
def changed_by_a_function(n):
    xs = []

    def add(k):
        xs.append(k)
        return len(xs)

    total = 0
    for i in range(n):
        total += add(i * 2)
    return xs, total


def _collect(xs, n):
    for i in range(n):
        xs.append(i)


@case(*COUNTS)
def given_to_a_function(n):
    xs = []
    _collect(xs, n)
    _collect(xs, 2)
    return xs


@case(*COUNTS)
def stack_of_work(n):
    work = [n]
    count = 0
    while len(work) > 0:
        k = work.pop()
        count += 1
        if k > 1:
            work.append(k // 2)
            work.append(k - k // 2 - 1)
    return count, work


@case(*COUNTS)
def pops_until_empty(n):
    xs = list(range(n))
    total = 0
    while xs:
        total = total * 3 % 1000003 + xs.pop()
    return total, xs


@case((6,), (40,))
def queue_from_the_front(n):
    xs = [0]
    seen = 0
    while xs:
        k = xs.pop(0)
        seen += k
        if k < n:
            xs.append(2 * k + 1)
            xs.append(2 * k + 2)
    return seen


@case((40,), (5,))
def inserts_and_removes(n):
    xs = []
    for i in range(n):
        xs.append(i)
    xs.insert(3, 100)
    xs.insert(-1, 200)
    xs.insert(1000, 5)
    xs.insert(-1000, 6)
    first, sixth = xs.pop(0), xs.pop(5)
    xs.remove(200)
    del xs[2]
    del xs[-1]
    return xs, first, sixth, xs.index(4), xs.count(5)


@case(*COUNTS)
def clears_and_copies(n):
    xs = [i for i in range(n)]
    ys = xs.copy()
    zs = xs[:]
    xs.clear()
    xs.append(7)
    ys.append(8)
    return xs, ys, zs


@case(*COUNTS)
def extends(n):
    xs = []
    ys = [1, 2, 3]
    for i in range(n):
        xs.extend(ys)
        xs += [i, i + 1]
        xs.extend(range(i))
    xs += xs
    return xs


@case(*COUNTS)
def reverses(n):
    xs = [i * 3 % 7 for i in range(n)]
    ys = xs[::-1]
    xs.reverse()
    return xs, ys, xs == ys


@case(*COUNTS)
def grown_on_one_path(n):
    out = [1.5]
    if n > 10:
        out.append(2.5)
    else:
        out.pop()
    return out, len(out)


@case(*COUNTS)
def lists_of_two_lengths_by_branch(n):
    xs = []
    if n > 3:
        for i in range(n):
            xs.append(i)
    else:
        xs.append(-1)
    return xs


@case(*COUNTS)
def replaced_each_round(n):
    xs = [0]
    for i in range(n):
        xs = xs + [xs[-1] + i]
    return xs


@case(*COUNTS)
def window_of_the_last_three(n):
    xs = [1]
    k = 0
    while k < n:
        xs = [k, *xs[:3]] if False else [k] + xs[:3]
        k += 1
    return xs


@case(*COUNTS)
def lists_made_in_a_loop(n):
    total = 0
    for i in range(n):
        row = []
        for j in range(i):
            row.append(i * j)
        total += sum(row) + len(row)
    return total


@case(*COUNTS)
def triangle(n):
    xs = []
    for i in range(n):
        for j in range(i):
            xs.append(i - j)
    return xs


# --- items ------------------------------------------------------------------------------------------


@case((5, 3), (5, -5), (5, 5), (5, -6), (1, 0), (0, 0))
def reads_at(n, k):
    xs = []
    for i in range(n):
        xs.append(i * 1.5)
    return xs[k]


@case((5, 3), (5, -5), (5, 5), (5, -6), (0, 0))
def writes_at(n, k):
    xs = []
    for i in range(n):
        xs.append(i * 1.5)
    xs[k] = 100.0
    return xs


@case((5, 3), (5, -5), (5, 5), (5, -6), (0, 0))
def pops_at(n, k):
    xs = []
    for i in range(n):
        xs.append(i)
    popped = xs.pop(k)
    return popped, xs


@case((3,), (1,), (0,))
def pops_twice(n):
    xs = []
    for i in range(n):
        xs.append(1)
    xs.pop()
    return xs.pop()


@case((5, 3), (5, 9))
def index_and_remove(n, k):
    xs = [i for i in range(n)]
    found = xs.index(k)
    return found


@case((5, 3), (5, 9), (0, 1))
def removes(n, k):
    xs = [i for i in range(n)]
    xs.remove(k)
    return xs


@case(*COUNTS)
def slices(n):
    xs = [i * 0.5 for i in range(n)]
    return xs[1:], xs[:-1], xs[::2], xs[-3:], xs[n // 2 :], xs[:n], xs[::-3], xs[5:2]


@case(*COUNTS)
def zeros_filled_by_index(n):
    xs = [0.0] * n
    for i in range(n):
        xs[i] = i + 0.25
    return xs


@case(*COUNTS, (-3,))
def repeated(n):
    return [1] * n, n * [2.5], [1, 2] * n, [True] * (n + 1)


@case((2,), (30,))
def sieve(n):
    is_prime = [True] * (n + 1)
    found = []
    for i in range(2, n + 1):
        if is_prime[i]:
            found.append(i)
            for j in range(i * i, n + 1, i):
                is_prime[j] = False
    return found


@case((1,), (30,))
def fibonacci_memory(n):
    memory = [0, 1]
    for i in range(n):
        memory.append(memory[i] + memory[i + 1])
    return memory[n], memory


@case((10, 3), (0, 1))
def bubble_sort(n, step):
    xs = [(i * 7 + step) % 11 for i in range(n)]
    for i in range(n):
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs


# --- comparing, searching, reducing -----------------------------------------------------------------


@case(*COUNTS)
def compares(n):
    xs = [i for i in range(n)]
    ys = list(range(n))
    zs = [i * 2 for i in range(n)]
    return xs == ys, xs != ys, xs == zs, xs == [0], bool(xs), not xs, xs is ys, xs == (0,), xs == n


@case(*COUNTS)
def searches(n):
    xs = [i * 3 for i in range(n)]
    return 9 in xs, 10 in xs, n not in xs, xs.count(3), 9.0 in xs


@case(*COUNTS)
def reduces(n):
    xs = [(i * 7) % 5 - 1 for i in range(n)]
    product = functools.reduce(lambda p, q: (p * 3 + q) % 1009, xs, 1)
    return sum(xs), sum(xs, 10), any(v > 3 for v in xs), all(v > -2 for v in xs), any(xs), all(xs), product


@case(*COUNTS)
def extremes(n):
    xs = [(i * 7) % 5 - 1 for i in range(n)]
    return max(xs, default=-9), min(xs, default=None), max(xs, key=lambda v: (v % 3, -v)), min(xs)


@case(*COUNTS)
def sorts(n):
    xs = [(i * 7) % 5 for i in range(n)]
    ys = sorted(xs, key=lambda v: -v)
    zs = sorted([(v % 2, v * 0.5) for v in xs], reverse=True)
    xs.sort(reverse=True)
    return xs, ys, zs, sorted(v * 0.5 for v in xs)


@case((3.5, 1.25, 2.0), (float("nan"), 1.0, 0.5), (-0.0, 0.0, -1.0))
def sorts_arguments(a, b, c):
    low, middle, high = sorted([a, b, c])
    xs = [a, b, c]
    xs.sort(key=lambda v: -v)
    return low, middle, high, xs, sorted((a, b, c), reverse=True)


# --- arrays -----------------------------------------------------------------------------------------


@case((np.arange(4.0), 6), (np.arange(3.0), 0))
def appends_arrays(x, n):
    xs = []
    for i in range(n):
        xs.append(x * i)
    return xs


@case((np.arange(4.0), 6))
def array_of_arrays(x, n):
    xs = []
    for i in range(n):
        xs.append(x * i)
    return np.array(xs), np.mean(xs), np.sum(xs, axis=0), xs[-1] + xs[0]


@case((6,), (1,))
def array_of_numbers(n):
    xs = [i * 0.5 for i in range(n)]
    ys = [i for i in range(n)]
    return np.array(xs), np.sum(xs), np.array(ys), np.array(xs) * 2


@case((Tensor(np.arange(3.0, dtype=np.float32)), 5))
def appends_tensors(x, n):
    xs = []
    for i in range(n):
        xs.append(ops.tanh(x) * i)
    total = x
    for v in xs:
        total = total + v
    return xs, total, xs[1]


@case((np.arange(12.0).reshape(4, 3),))
def rows_kept(x):
    kept = []
    for k in range(4):
        if x[k].sum() > 10.0:
            kept.append(x[k] * 2.0)
    return len(kept), sum(v.sum() for v in kept)


# --- lists on some paths only, unpacking, ordering --------------------------------------------------


@case(*COUNTS)
def list_or_none(n):
    if n > 3:
        xs = []
        for i in range(n):
            xs.append(i)
    else:
        xs = None
    if xs is None:
        return -1
    return xs, len(xs)


@case(*COUNTS)
def returns_several_kinds(n):
    if n > 3:
        xs = []
        for i in range(n):
            xs.append(i)
        return xs, 1
    if n == 0:
        return [0.5] * (n + 2)
    return "none"


@case(*COUNTS)
def best_list_so_far(n):
    best = None
    for k in range(n):
        xs = []
        for i in range(k):
            xs.append(i * k % 7)
        if best is None or sum(xs) > sum(best):
            best = xs
    return best


@case((3,), (2,), (40,))
def unpacks(n):
    xs = [i for i in range(n)]
    a, b, c = xs
    return a, b, c


@case((3,), (1,), (40,))
def unpacks_starred(n):
    xs = [i for i in range(n)]
    a, *b, c = xs
    return a, b, c


@case(*COUNTS)
def displays_with_stars(n):
    xs = [i for i in range(n)]
    return [*xs, 1, *xs]


@case(*COUNTS)
def orders_lists(n):
    xs = [i for i in range(n)]
    return xs < [0, 2], xs <= xs, xs > [0, 1], xs >= [i for i in range(3)]


@case(*COUNTS)
def text_of_a_list(n):
    xs = [i * 0.5 for i in range(n)]
    return f"{xs} {n}", str(xs), repr(xs)


# --- NumPy's and jitcore's functions of lists -------------------------------------------------------


@case((3,), (0,))
def arrays_of_perhaps_nothing(n):
    xs = [i for i in range(n)]
    return np.array(xs), np.sum(xs), np.array(xs) + 1


@case((np.arange(3.0), 2), (np.arange(3.0), 0))
def joined_arrays(x, n):
    xs = [x * i for i in range(n)]
    return np.stack(xs, axis=1), np.concatenate(xs), np.array(xs)


@case((Tensor(np.arange(6.0).reshape(2, 3)), 3))
def joined_tensors(x, n):
    xs = [x * i for i in range(n)]
    return ops.concat(xs, 1), ops.stack(xs, 1), ops.concat(xs)


@case((3,), (0,))
def tensors_of_numbers(n):
    return Tensor([i for i in range(n)]), Tensor([i * 0.5 for i in range(n)]), Tensor([i > 1 for i in range(n)])
