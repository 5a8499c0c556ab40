"""Small functions that iterate in every way Python has, with arguments: `CASES` holds (function, calls) pairs.

Each must do compiled what it does in plain Python.
"""

# ruff: noqa: B007, B023, B905, C400, C416, C417, E731, PERF401, PERF402, RET503, RUF005, RUF007, RUF015, SIM110, SIM113
# pyright: basic

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Case = tuple[Callable[..., Any], Sequence[tuple[Any, ...]]]
CASES: list[Case] = []


def case(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the function below to the corpus, with the arguments of each call."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((function, calls))
        return function

    return add


COUNTS = ((3,), (0,), (1,), (40,))


# --- iterators are used up --------------------------------------------------------------------------


@case((3,))
def zip_goes_through_once(n):
    pairs = zip([1, 2, n], [4, 5, 6])
    return list(pairs), list(pairs)


@case(*COUNTS)
def zip_of_run_time_lists_goes_through_once(n):
    xs = [i for i in range(n)]
    pairs = zip(xs, range(n))
    total = 0
    for a, b in pairs:
        total += a * b
        if total > 30:
            break
    return total, list(pairs), list(pairs)


@case((3,))
def map_after_a_break(n):
    values = map(lambda v: v + n, [1, 2, n])
    total = 0
    for v in values:
        total += v
        if total > 4:
            break
    return total, list(values)


@case((3,))
def reversed_used_up(n):
    backwards = reversed([1, n, 3])
    return next(backwards), list(backwards), list(backwards)


@case((2,), (5,))
def filter_used_up(n):
    kept = filter(lambda v: v > n, [1, 3, 6, 9]) if False else filter(lambda v: v > 2, range(n + 3))
    return next(kept), sum(kept), sum(kept)


@case(*COUNTS)
def enumerate_by_next(n):
    numbered = enumerate(range(n), 5)
    return next(numbered, None), next(numbered, None), list(numbered)


# --- iter and next ----------------------------------------------------------------------------------


@case((3,))
def next_of_a_static_list(n):
    it = iter([1, n, 5])
    a, b = next(it), next(it)
    return a, b, next(it, -1), next(it, -1)


@case((3,), (1,), (0,))
def next_of_a_range(n):
    it = iter(range(n))
    return next(it), next(it)


@case(*COUNTS)
def next_with_default_in_a_loop(n):
    it = iter([i * i for i in range(n)])
    total = 0
    while True:
        v = next(it, None)
        if v is None:
            break
        total += v
    return total


@case(*COUNTS)
def loop_and_next_share_an_iterator(n):
    it = iter(range(n))
    total = 0
    for v in it:
        total += v * next(it, 1)
    return total, list(it)


@case((5,))
def iterator_given_to_a_function(n):
    def take(it, k):
        total = 0
        for _ in range(k):
            total = total * 10 + next(it)
        return total

    it = iter([1, 2, n, 4, 5])
    return take(it, 2), take(it, 3)


@case((np.arange(6.0).reshape(3, 2),))
def rows_by_next(x):
    it = iter(x)
    first = next(it)
    total = first * 2
    for row in it:
        total = total + row
    return total


@case((3,))
def iter_of_an_iterator(n):
    it = iter((1, n))
    return iter(it) is it, list(iter(it)), list(it)


@case((3,))
def next_of_a_list_is_an_error(n):
    return next([n])


# --- lists that change while a loop goes through them -----------------------------------------------


@case((6,), (0,))
def breadth_first(n):
    queue = [0]
    out = 0
    for v in queue:
        out = out * 3 + v
        if v < n:
            queue.append(2 * v + 1)
            queue.append(2 * v + 2)
    return queue, out


@case(*COUNTS)
def enumerates_a_growing_list(n):
    queue = [i for i in range(n)]
    total = 0
    for k, v in enumerate(queue):
        total += k * v
        if v % 2 and k < 50:
            queue.append(v // 2)
    return queue, total


@case(*COUNTS)
def writes_what_is_still_to_come(n):
    xs = [i for i in range(n)]
    for k, v in enumerate(xs):
        if k + 1 < len(xs):
            xs[k + 1] += v
    return xs


@case(*COUNTS)
def removes_while_going_through(n):
    xs = [i for i in range(n)]
    seen = []
    for v in xs:
        seen.append(v)
        if v % 3 == 0:
            xs.remove(v)
    return xs, seen


@case((4,))
def static_list_pops_while_going_through(n):
    xs = [1, 2, n, 5, 6]
    seen = []
    for v in xs:
        seen.append(v)
        xs.pop()
    return xs, seen


# --- builtins ---------------------------------------------------------------------------------------


@case(*COUNTS)
def builtins_over_run_time_lists(n):
    xs = [i * 2 for i in range(n)]
    ys = [i + 0.5 for i in range(n)]
    total = 0
    for a, b in zip(xs, ys):
        total += a * b
    for i, a in enumerate(xs, 1):
        total += i * a
    for a in reversed(xs):
        total = total * 0.5 + a
    for a in map(lambda v: v + 1, xs):
        total += a
    for a, b in map(lambda v, w: (v, w * 2), xs, ys):
        total += a - b
    for a in filter(lambda v: v % 4 == 0, xs):
        total -= a
    return total, list(map(lambda v: v * v, xs)), list(filter(None, xs)), list(reversed(ys))


@case(*COUNTS)
def generator_expressions(n):
    return (
        sum(i * i for i in range(n)),
        max((i * 7 % 5 for i in range(n)), default=0),
        [v for v in (i + 1 for i in range(n))],
        any(i > 4 for i in range(n)),
        all(i < 30 for i in range(n)),
        sorted(-i for i in range(n)),
    )


@case(*COUNTS)
def reduces(n):
    return functools.reduce(lambda p, q: p * 2 % 1009 + q, range(n), 1)


@case((3,), (0,))
def reduces_without_initial(n):
    return functools.reduce(lambda p, q: p * 2 + q, [i for i in range(n)])


@case((3,), (0,))
def extreme_of_nothing(n):
    return max([i for i in range(n)])


@case((3,), (0,))
def partial_in_map(n):
    return list(map(functools.partial(lambda a, b: a * 10 + b, n), range(n)))


# --- itertools --------------------------------------------------------------------------------------


@case((3,), (10,))
def itertools_of_static_containers(n):
    total = 0
    for a in itertools.chain([1, 2], (n, 4)):
        total = total * 2 + a
    for a in itertools.islice(itertools.count(n), 5):
        total += a
    for a, b in itertools.product([1, 2], [n, 3]):
        total = total * 3 + a * b
    for a in itertools.accumulate([1, n, 3]):
        total += a
    for a in itertools.repeat(n, 3):
        total += a
    for a, b in itertools.combinations([1, n, 3], 2):
        total = total * 2 + a - b
    for a, b in itertools.permutations([1, n], 2):
        total = total * 2 + a - b
    for a, b in itertools.pairwise([1, n, 4]):
        total = total * 2 + a - b
    return total


@case(*COUNTS)
def itertools_of_run_time_lengths(n):
    total = 0
    for a in itertools.chain(range(n), [5, 6], range(n)):
        total = total * 2 % 1009 + a
    for a in itertools.islice(itertools.count(n, 2), n):
        total += a
    for a, b in itertools.product(range(n), range(3)):
        total = (total * 3 + a * b) % 1009
    for a in itertools.accumulate(range(n)):
        total += a
    for a in itertools.repeat(2, n):
        total += a
    for k in itertools.count():
        if k > n:
            break
        total += k
    return total


@case(*COUNTS)
def lists_of_itertools(n):
    xs = [i for i in range(n)]
    return (
        list(itertools.accumulate(xs)),
        list(itertools.accumulate(xs, lambda a, b: a * 2 + b, initial=1)) if n < 20 else [],
        list(itertools.chain(xs, xs)),
        list(itertools.chain.from_iterable([[1, n], [2]])),
        list(itertools.islice(xs, 1, None, 2)),
        list(itertools.islice(xs, n // 2)),
        list(zip(xs, itertools.cycle([1, 2]))),
        list(zip(itertools.count(), xs)),
    )


# --- loops with else, break and continue over run-time lists ----------------------------------------


@case(*COUNTS)
def first_multiple(n):
    xs = [i * 3 + 1 for i in range(n)]
    for v in xs:
        if v % 2:
            continue
        if v % 5 == 0:
            found = v
            break
    else:
        found = -1
    return found


@case(*COUNTS)
def nested_loops_over_lists(n):
    xs = [i for i in range(n % 13)]
    total = 0
    for a in xs:
        for b in reversed(xs):
            if b > a:
                break
            total += a * b
        else:
            total += 1
    return total


# --- what map and generator expressions compute is computed when it is taken --------------------------


@case((0,), (2,))
def map_that_nobody_takes(n):
    halves = map(lambda v: 6 // v, (3, n))
    return n if halves else 0


@case((0,), (2,))
def takes_one_of_two(n):
    g = (6 // v for v in (3, n))
    return next(g), n


@case((0,), (2,), (3,))
def any_stops_at_the_first(n):
    return any(6 // v > 1 for v in (n + 1, n))


@case((0,), (2,), (3,))
def all_stops_at_the_first(n):
    return all(6 // (v - 1) > 2 for v in (n, 2, 1))


@case((0,), (1,), (2,))
def loop_leaves_a_map_early(n):
    for v in map(lambda v: 6 // v, (2, n, 0)):
        if v == 3 + n:
            return v
        n += 1
    return n


@case((0,), (1,))
def sees_what_changed_before_it_is_taken(n):
    scale = 2
    g = (v * scale for v in (1, n))
    scale = 5
    return list(g)


@case((0,), (1,))
def mapped_on_one_path(n):
    g = map(lambda v: v * 2, (1, n, 3))
    first = next(g) if n else 7
    return first, list(g)


@case((0,), (1,))
def zip_of_maps(n):
    return [a + b for a, b in zip(map(lambda v: v * n, (1, 2)), (v + 1 for v in (3, 4)))]


@case((0,), (4,))
def any_taken_twice(n):
    g = iter([0, n, 1, 0])
    return any(g), list(g)
