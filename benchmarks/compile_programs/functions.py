"""Functions whose first calls have been long: recursion that changes lists, nested tuples, strings, a heap of a graph."""

from __future__ import annotations

import copy
import heapq
import random
from collections.abc import Callable
from functools import partial
from typing import Any

from compile_programs.program import Prepared, Program
from jitcore import jit


def swap(items, i, j):
    items[i], items[j] = items[j], items[i]


def quicksort(items):
    """Partition in place; the halves in new lists, each sorted by a call that changes it, and copied back."""
    if len(items) < 2:
        return
    pivot = items[-1]
    store = 0
    for k in range(len(items) - 1):
        if items[k] < pivot:
            swap(items, k, store)
            store += 1
    swap(items, store, len(items) - 1)
    left, right = [], []
    for k in range(store):
        left.append(items[k])
    for k in range(store + 1, len(items)):
        right.append(items[k])
    quicksort(left)
    quicksort(right)
    for k in range(len(left)):
        items[k] = left[k]
    for k in range(len(right)):
        items[store + 1 + k] = right[k]


def sort(items):
    quicksort(items)
    return items


def move(n, source, target, spare):
    if n == 0:
        return 0
    moves = move(n - 1, source, spare, target)
    target.append(source.pop())
    return moves + 1 + move(n - 1, spare, target, source)


def hanoi(n):
    a, b, c = list(range(n, 0, -1)), [], []
    moves = move(n, a, c, b)
    return moves, a, b, c


def leaves_of(tree):
    if isinstance(tree, tuple):
        total = 0.0
        for item in tree:
            total += leaves_of(item)
        return total
    return tree * 2.0


def tree_of(widths: tuple[int, ...]) -> Any:
    """A tree of tuples, so wide at each level."""
    return 1.5 if not widths else tuple(tree_of(widths[1:]) for _ in range(widths[0]))


def edit_distance(s, t):
    best = [[0] * (len(t) + 1) for _ in range(len(s) + 1)]
    for i in range(len(s) + 1):
        best[i][0] = i
    for j in range(len(t) + 1):
        best[0][j] = j
    for i in range(len(s)):
        for j in range(len(t)):
            if s[i] == t[j]:
                best[i + 1][j + 1] = best[i][j]
            else:
                best[i + 1][j + 1] = 1 + min(best[i][j], best[i][j + 1], best[i + 1][j])
    return best[len(s)][len(t)]


def dijkstra(graph, start):
    distances = [1e30] * len(graph)
    distances[start] = 0.0
    heap = [(0.0, start)]
    while heap:
        distance, node = heapq.heappop(heap)
        if distance > distances[node]:
            continue
        for other, weight in graph[node]:
            through = distance + weight
            if through < distances[other]:
                distances[other] = through
                heapq.heappush(heap, (through, other))
    return distances


def text(seed: int, length: int) -> str:
    return "".join(random.Random(seed).choices("ACGT", k=length))


def graph_of(nodes: int) -> list[list[tuple[int, float]]]:
    """A connected graph, three edges a node."""
    draw = random.Random(0)
    return [[((n + 1) % nodes, 1.0), *((draw.randrange(nodes), draw.random()) for _ in range(2))] for n in range(nodes)]


def _prepare(function: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> Prepared:
    compiled = jit(function)
    args = make()
    return Prepared(lambda: compiled(*copy.deepcopy(args)))


def _program(name: str, function: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> Program:
    return Program(name, partial(_prepare, function, make))


PROGRAMS = [
    _program("quicksort of lists", sort, lambda: ([random.Random(2).randrange(100) for _ in range(30)],)),
    _program("hanoi on lists", hanoi, lambda: (6,)),
    _program("48 leaves in tuples", leaves_of, lambda: (tree_of((2, 2, 2, 2, 3)),)),
    *(_program(f"edit distance {n}x{n}", edit_distance, lambda n=n: (text(0, n), text(1, n))) for n in (40, 60, 500)),
    _program("dijkstra, 20 nodes", dijkstra, lambda: (graph_of(20), 0)),
]
