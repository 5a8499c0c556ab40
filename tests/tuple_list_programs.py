"""Programs of graphs and tables that are lists of tuples, and lists of lists of tuples."""

from __future__ import annotations

import heapq
from typing import Any


def shortest_ways(graph, start):
    lengths = [10**9] * len(graph)
    lengths[start] = 0
    waiting = [(0, start)]
    while waiting:
        length, node = heapq.heappop(waiting)
        if length > lengths[node]:
            continue
        for other, weight in graph[node]:
            if length + weight < lengths[other]:
                lengths[other] = length + weight
                heapq.heappush(waiting, (length + weight, other))
    return lengths


def least_tree(graph, start):
    seen = [False] * len(graph)
    waiting, total = [(0, start)], 0
    while waiting:
        weight, node = heapq.heappop(waiting)
        if seen[node]:
            continue
        seen[node] = True
        total += weight
        for other, cost in graph[node]:
            if not seen[other]:
                heapq.heappush(waiting, (cost, other))
    return total, seen


def rounds_of_all_edges(graph, start):
    lengths = [10**9] * len(graph)
    lengths[start] = 0
    for _ in range(len(graph) - 1):
        for node in range(len(graph)):
            for other, weight in graph[node]:
                lengths[other] = min(lengths[other], lengths[node] + weight)
    return lengths


def turned_round(graph, start):
    found = [[] for _ in graph]
    for node in range(len(graph)):
        for other, weight in graph[node]:
            found[other].append((node, weight))
    return found, found[start]


def _longest(graph, node, left, seen):
    best = 0
    seen[node] = True
    for other, weight in graph[node]:
        if not seen[other] and weight <= left:
            best = max(best, weight + _longest(graph, other, left - weight, seen))
    seen[node] = False
    return best


def longest_way(graph, start):
    return _longest(graph, start, 12, [False] * len(graph))


def sorted_edges(graph, start):
    edges = [(weight, node, other) for node in range(len(graph)) for other, weight in graph[node]]
    edges.sort()
    return edges, edges[start] if start < len(edges) else None


def rows_that_change(graph, start):
    for row in graph:
        if len(row) > 1:
            row.pop()
        row.append((start, 1))
    graph[start][0] = (9, 9)
    graph[0], graph[-1] = graph[-1], graph[0]
    return graph[start]


def rows_that_are_told_apart(graph, start):
    graph[start].append((start, start))
    return graph, [row is graph[start] for row in graph]


def items_out_of_range(graph, start):
    return graph[start][2][1] + graph[-1][0][0]


OF_GRAPHS: tuple[Any, ...] = (
    shortest_ways, least_tree, rounds_of_all_edges, turned_round, longest_way, sorted_edges, rows_that_change, rows_that_are_told_apart,
    items_out_of_range,
)  # fmt: skip
"""Functions of lists of lists of pairs of ints, and an int."""


def columns(rows, k):
    names, values, flags = [], [], []
    for a, b, c in rows:
        names.append(a)
        values.append(b * k)
        flags.append(not c)
    return names, values, flags, len(rows)


def changed_rows(rows, k):
    rows.append((k, 0.5, True))
    rows[0] = (rows[1][0] + 1, 2.0, False)
    rows.pop(k)
    del rows[-1]
    return rows[k], sum(b for a, b, c in rows)


def in_order(rows, k):
    rows.sort()
    return rows[:k], max(rows), (k, 0.5, True) in rows, rows.count(rows[-1])


def by_key(rows, k):
    best = max(rows, key=lambda row: row[1])
    return best, [a for a, b, c in rows if c and a != k], rows[::-1][k]


def handed_on(rows, k):
    def rec(rest, total):
        if not rest:
            return total
        a, b, c = rest[0]
        return rec(rest[1:], total + (a if c else b))

    return rec(rows, 0.0), rec(rows[k:], 1.0)


OF_TABLES: tuple[Any, ...] = (columns, changed_rows, in_order, by_key, handed_on)
"""Functions of long lists of tuples of an int, a float and a bool, and an int."""
