# pyright: basic
"""Programs whose results are lists of every kind, and that change lists and dicts of the caller's."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Point(NamedTuple):
    x: int
    y: float


def rows(n):
    found = [[1]]
    for _ in range(n):
        last = found[-1]
        found.append([1] + [last[j] + last[j + 1] for j in range(len(last) - 1)] + [1])
    return found


def a_row_and_all(n):
    found = []
    for i in range(n):
        found.append([i] * (i + 1))
    return found[0], found


def a_row_of_them(n):
    found = []
    for i in range(n):
        found.append([i] * (i + 1))
    return found[n // 2]


def pairs(n):
    return [(i, i / 2) for i in range(n)]


def lists_of_three(n):
    return [[i, i * i, -i] for i in range(n)]


def dicts(n):
    return [{"a": i, "b": i > 2} for i in range(n)]


def points(n):
    return [Point(i, i / 2) for i in range(n)]


def nested(n):
    return [((i, [i, 0.5]), {"k": (i, i)}) for i in range(n)]


def ranges(n):
    return [range(i, 2 * i, 3) for i in range(n)]


def constants(n):
    return [(i, None, "text") for i in range(n)]


def characters(n):
    return [(chr(65 + i), i) for i in range(n)]


def mixed(n):
    found = []
    for i in range(n):
        found.append(i if i % 2 else i / 2)
    return found


def with_none(n):
    return [None if i % 3 == 0 else i for i in range(n)]


def arrays(n):
    return [np.zeros(2) + i for i in range(n)]


def scalars(n):
    return [(np.float32(i), i) for i in range(n)]


def append(items):
    items.append(len(items))


def sort(items):
    for i in range(len(items)):
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def clear_and_fill(items):
    items.clear()
    for i in range(3):
        items.append(i * i)
    return len(items)


def halves(items):
    for i in range(len(items)):
        items[i] = items[i] // 2
    return sum(items), items


def count(d):
    d["n"] = d["n"] + 1
    return d["n"]


def move(a, b):
    b.append(a.pop())
    return len(a), len(b)


def grow_rows(m):
    for row in m:
        row.append(row[0] + row[-1])


def fill_until(items, n):
    for i in range(len(items)):
        items[i] = 10 // (n - i)
    items.append(n)


@dataclass
class Particle:
    x: float
    v: float
    steps: int = 0


class History:
    def __init__(self, size):
        self.values = [0.5] * size
        self.labels = ["a", "b"]
        self.total = 0.0

    def add(self, value):
        self.total += value * self.values[-1] + len(self.values)
        return self.total


def distance(p, q):
    return (p.x - q.x) ** 2


def advanced(p, dt):
    p.x = p.x + p.v * dt
    p.steps += 1
    return p.x


def collide(p, q):
    p.v, q.v = q.v, p.v
    return p.v - q.v


def noted(h, value):
    return h.add(value) + h.add(2 * value)
