"""Programs in each of which something is worked out again and again while they are compiled, by what that is."""

from __future__ import annotations

# ruff: noqa: E701, E702, B007
import collections
import heapq
from typing import Any

import numpy as np

# --- functions that call themselves with ever other forms -------------------------------------------------


def _depth(t: Any) -> Any:
    if not isinstance(t, tuple):
        return 0
    return 1 + max(_depth(x) for x in t)


def _nested(k: int, last: Any) -> Any:
    return last if k == 0 else (_nested(k - 1, last), (k, _nested(k // 2, 0.5)))


_many_forms = tuple(_nested(7, last) for last in (1, 2.0, None, 3j, "s", (1,), (1, 2)))


def depth_of_tuples(n):
    return _depth(_many_forms) + n


def _cut(t: Any, k: Any) -> Any:
    return k if not t else _cut(t[1:], k) + _cut(t[:-1], k)


def halves_of_a_tuple(n):
    return _cut((1, 2.0, 3, 4.0, 5, 6, True, 8j, 9, None, 11), n)


def _rotated(k: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    return a if k <= 0 else _rotated(k - 1, b, c, d, e, a)


def orders_of_kinds(n):
    return _rotated(n, 1, 2.0, True, 2j, (1, 2)), _rotated(n, 1, 2.0, True, None, 3j), _rotated(n, 1, 2.0, (), (1,), 3j)


def _total(tree: Any) -> Any:
    return tree["v"] + sum(_total(c) for c in tree["c"])


def _tree(n: int) -> Any:
    return {"v": n, "c": [_tree(n - 1), _tree(n - 2)] if n > 0 else []}


def tree_of_dicts(n):
    return _total({"v": n, "c": [_tree_of_six, _tree_of_six]}) + n


_tree_of_six = _tree(6)


def _value(e: Any, x: Any) -> Any:
    if not isinstance(e, tuple):
        return x if e is None else e
    op, a, b = e
    return _value(a, x) + _value(b, x) if op == "+" else _value(a, x) * _value(b, x)


def _power(n: int) -> Any:
    return None if n == 0 else ("*" if n % 3 else "+", _power(n - 1), ("+", n * 0.5, _power(n // 2)))


_expression = ("+", _power(16), _power(15))


def tree_of_an_expression(n):
    return _value(_expression, n)


def _ping(t: Any, k: Any) -> Any:
    return k if not t else _pong(t[1:], k) + len(t)


def _pong(t: Any, k: Any) -> Any:
    return k if not t else _ping(t[:-1], k) * 2 + _pong(t[2:], k)


def two_functions_in_turn(n):
    return _ping((1, 2.0, 3, 4.0, True, 6.0, 7, None, 9, 3j, 11, 12.5), n)


SPECIALISED = [
    depth_of_tuples, halves_of_a_tuple, orders_of_kinds, tree_of_dicts, tree_of_an_expression, two_functions_in_turn,
]  # fmt: skip

# --- loops that are worked out round by round -------------------------------------------------------------

_MIXED = tuple(k if k % 3 else float(k) for k in range(200))
_TABLE = {f"k{k}": k * 0.5 for k in range(300)}


def through_a_tuple(n):
    s = 0
    for x in _MIXED:
        s += x * n - x
    return s


def through_two_tuples(n):
    s = 0
    for x in _MIXED[:20]:
        for y in _MIXED[:20]:
            s += x * n - y
    return s


def through_a_dict(n):
    s = 0.0
    for key, x in _TABLE.items():
        if key != "k3":
            s += x * n
    return s


def through_pairs(n):
    s = 0.0
    for k, (x, y) in enumerate(zip(_MIXED, _MIXED[1:])):  # noqa: B905
        s += x * y + k * n
    return s


def while_a_tuple_grows(n):
    t = (n,)
    for k in range(120):
        t = (*t, k * t[-1] % 7 if k % 2 else k * 0.5)
    return t[-1] + len(t)


def items_that_are_computed(n):
    s = 0
    for row in [(k, k * 0.5, (k, n)) for k in _MIXED]:
        s += row[0] * row[1] + row[2][1]
    return s


ROUNDS = [
    through_a_tuple, through_two_tuples, through_a_dict, through_pairs, while_a_tuple_grows, items_that_are_computed,
]  # fmt: skip

# --- calls in calls, loops in loops, types that settle late, tries in tries, operands of many kinds ---------


def _a(x):
    return x * 2 + 1


def _b(x):
    return _a(x) + _a(x + 1) + _a(x + 2) + _a(x + 3)


def _c(x):
    return _b(x) + _b(x + 1) + _b(x + 2) + _b(x + 3)


def _d(x):
    return _c(x) + _c(x + 1) + _c(x + 2) + _c(x + 3)


def calls_in_calls(n):
    return _d(n) + _d(n + 1)


def closures_in_closures(n):
    f = lambda x: x + n  # noqa: E731
    for k in range(30):
        f = (lambda g, k: lambda x: g(x) + g(x + k) if x < k - 40 else g(x - k))(f, k)
    return f(n)


def loops_in_loops(n):
    a = b = c = d = 0
    for i in range(n):
        for j in range(i):
            for k in range(j):
                for m in range(k):
                    a, b, c, d = b, c, d, a + 0.5 if m else a
                a = a + k
            b = b + 1j if j > 90 else b
        c = c > 1 if i > 90 else c
    return a, d


def tries_in_tries(n):
    s = 0
    for i in range(n):
        try:
            s += 10 // (i - 1)
            for j in range(n):
                try:
                    s += 10 // (j - 2)
                    for k in range(n):
                        try:
                            s += 10 // (k - 3)
                            for m in range(n):
                                try:
                                    s += 10 // (m - 1)
                                except ZeroDivisionError:
                                    s += 4
                        except ZeroDivisionError:
                            s += 1
                except ZeroDivisionError:
                    s += 2
        except ZeroDivisionError:
            s += 3
    return s


def _one_of(k, n):
    return n if k == 0 else n * 0.5 if k == 1 else n > 1 if k == 2 else n * 1j


def operands_of_many_kinds(n):
    a, b, c, d = _one_of(n % 4, n), _one_of(n % 3, n), _one_of(n % 2, n), _one_of(n % 5, n)

    def mixed(x, y, z, w):
        return (x + y) * (z - w) + x * w

    return mixed(a, b, c, d)


def generators_in_generators(n):
    def one(k):
        for i in range(k):
            yield i
            yield i + 1

    def two(k):
        for i in one(k):
            yield from one(i)
            yield from one(i + 1)

    def three(k):
        for i in two(k):
            yield from two(i)

    return sum(three(n))


OTHERS = [
    calls_in_calls, closures_in_closures, tries_in_tries, operands_of_many_kinds, generators_in_generators, loops_in_loops,
]  # fmt: skip

# --- lists that are deeper in each round -----------------------------------------------------------------


def pairs(g):
    t = [0]
    for k in range(len(g)):
        t = [t, k]
    return len(t)


def lists_in_tuples(g):
    t = (0, [1])
    for k in range(len(g)):
        t = (t, [k])
    return len(t)


def lists_in_dicts(g):
    t = {"next": [], "k": 0}
    for k in range(len(g)):
        t = {"next": [t], "k": k}
    return t["k"]


def rows_of_rows(g):
    t = [[0]]
    for row in g:
        t = [[t], row]
    return len(t)


def last_of_the_last(g):
    t = []
    for row in g:
        t.append([*t[-1:], row])
    return len(t)


def both_ends(g):
    t = [0]
    for k in range(len(g)):
        t = [t, k, [t]]
    return len(t)


class Link:
    def __init__(self, before, k):
        self.before, self.parts = before, [k, before]


def links(g):
    t = None
    for k in range(len(g)):
        t = Link(t, k)
    return t.parts[0]


DEEPER = [pairs, lists_in_tuples, lists_in_dicts, rows_of_rows, last_of_the_last, both_ends, links]

# --- what has dicts and sets of the run, which are in boxes; and what is refused, in programs that would be long to work out


def ways_in_a_dict(graph, start):
    best = {start: 0.0}
    waiting = [(0.0, start)]
    while waiting:
        length, node = heapq.heappop(waiting)
        if length > best.get(node, 1e9):
            continue
        for other, weight in graph[node]:
            if length + weight < best.get(other, 1e9):
                best[other] = length + weight
                heapq.heappush(waiting, (length + weight, other))
    return best


def nodes_in_a_set(graph, start):
    seen, waiting = set(), [start]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        for other, _ in graph[node]:
            waiting.append(other)
    return len(seen)


def sets_that_are_joined(graph, start):
    groups = [{node} for node in range(len(graph))]
    for node, row in enumerate(graph):
        for other, _ in row:
            groups[node] = groups[node] | groups[other]
    return [len(group) for group in groups]


def edges_by_name(graph, start):
    edges = {}
    for node, row in enumerate(graph):
        for other, weight in row:
            edges[f"{node}-{other}"] = weight
    return edges


def depths_by_recursion(graph, start):
    depths = {}

    def visit(node, depth):
        if depths.get(node, 99) > depth and depth < 9:
            depths[node] = depth
            for other, _ in graph[node]:
                visit(other, depth + 1)

    visit(start, 0)
    return depths


IN_BOXES = [ways_in_a_dict, nodes_in_a_set, sets_that_are_joined, edges_by_name, depths_by_recursion]


def nodes_with_arrays(graph, start):
    seen, waiting = {}, [start]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen[node] = np.ones(2) * node
        for other, _ in graph[node]:
            waiting.append(other)
    return len(seen)


def counted_by_class(graph, start):
    counts = collections.Counter()
    for row in graph:
        for other, _ in row:
            counts[other] += np.ones(2)
    return sorted(counts)


REFUSED = [nodes_with_arrays, counted_by_class]
