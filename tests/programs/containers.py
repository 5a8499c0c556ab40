"""Containers: tuples, lists, dicts, sets, named tuples, dataclasses, slices; their methods; returned as what they are."""

# pyright: basic

from __future__ import annotations

import dataclasses
from collections import namedtuple
from typing import NamedTuple

import numpy as np

from programs.corpus import case

Point = namedtuple("Point", "x y")


class Reading(NamedTuple):
    value: float
    error: float = 0.5
    unit: str = "m"


@dataclasses.dataclass
class Body:
    position: float
    velocity: float
    mass: float = 1.0

    def moved(self, dt):
        return Body(self.position + self.velocity * dt, self.velocity, self.mass)

    @property
    def energy(self):
        return 0.5 * self.mass * self.velocity**2


@case((1, 2.5), (-3, 0.0))
def tuples(a, b):
    t = (a, b, a)
    return (
        t + (1,),
        t * 2,
        t[0],
        t[-1],
        t[1:],
        t[::-1],
        len(t),
        t.count(a),
        t.index(b),
        a in t,
        t == (a, b, a),
        t < (a, b, a + 1),
    )


@case((3, 1, 2), (1.5, -1, 0))
def list_methods(a, b, c):
    box = [a, b]
    box.append(c)
    box.extend((4, 5))
    box.insert(1, 9)
    last = box.pop()
    second = box.pop(1)
    box.reverse()
    copy = box.copy()
    box.clear()
    return box, copy, last, second, copy.index(b), copy.count(4), len(copy)


@case(
    (2,),
)
def list_operators(n):
    a = [n, 1]
    b = a
    c = a + [5]
    b += [7]
    d = a * 2
    return a, b is a, c, d, a == [n, 1, 7], [1] < [n], 7 in a, not []


@case((2.5,), (3,))
def dict_methods(x):
    d = {"a": x, "b": 2}
    got = d.get("a"), d.get("z"), d.get("z", x)
    d.update({"c": 3}, e=x)
    popped = d.pop("b"), d.pop("q", None)
    added = d.setdefault("f", []), d.setdefault("a", 0)
    return d, got, popped, added, list(d), list(d.values()), list(d.items()), "c" in d, len(d), {**d, "a": 0} | {"k": 1}


@case((1,), (5,))
def dict_of_containers(n):
    d = {"list": [n], "inner": {"k": n}, "t": (n, [n])}
    d["list"].append(2)
    d["inner"]["k"] += 1
    d["t"][1][0] = 9
    for key in d:
        if key == "list":
            d[key][0] *= 10
    return d


@case(
    (4,),
)
def sets(n):
    a, b = {1, 2, 3}, {2, 3, 4}
    a.add(7)
    a.discard(1)
    return a | b, a & b, a - b, a ^ b, 2 in a, len(a), a <= b, {2} < a, frozenset(b), n in a, sorted(a)


@case((1.0, 2.0), (0, 3))
def named_tuples(x, y):
    p = Point(x, y)
    q = p._replace(x=y)
    a, b = q
    return p, q, a + b, p.x * p.y, p[0], Point(*(y, x)), p == (x, y), p._asdict(), Point._fields


@case((2.0,), (-1.5,))
def typed_named_tuples(v):
    r = Reading(v)
    return r, r.error * r.value, Reading(v, unit="s"), r._replace(error=0.1), r.unit


@case((1.0, 2.0, 0.1), (0.0, -1.0, 2.0))
def dataclass_results(p, v, dt):
    body = Body(p, v, mass=2.0)
    for _ in range(3):
        body = Body(body.position + body.velocity * dt, body.velocity - dt, body.mass)
    return body.position, body.velocity, body.energy, body.moved(dt).position


@case((Body(1.0, 2.0), 0.5), (Body(0.0, -1.0, 3.0), 2.0))
def dataclass_arguments(body, dt):
    body.position += body.velocity * dt
    body.velocity *= 0.5
    return body.energy, body.moved(1.0).position


@case(
    (5,),
)
def slices(n):
    t = (0, 1, 2, 3, 4, n)
    s = slice(1, 5, 2)
    return t[s], s.start, t[:-1], t[-3:], t[10:], t[slice(None, 2)], s == slice(1, 5, 2)


@case(
    (3,),
)
def none_and_ellipsis(n):
    return None, ..., (None, n), [None] * 2, {"a": None}, None is None, type(None) is type(...)


@case(
    (3, 4),
)
def aliases(a, b):
    x = [a, b]
    y = x
    z = [x, y]
    y[0] = 10
    z[1].append(5)
    w = list(x)
    w[0] = -1
    return x, z, w, z[0] is x, w is x


@case(([1, 2.0, 3],), ([0, 0.0, -1],))
def list_arguments(items):
    a, b, c = items
    return a + b + c, items[::-1], len(items), max(items), sum(items)


@case(({"a": 1, "b": 2.5}, "a"), ({"a": 0, "b": -1.0}, "b"))
def dict_arguments(d, key):
    return d[key] * 2, {k: v + 1 for k, v in d.items()}, sum(d.values()), list(d.keys())


@case(((1, (2.0, [3, 4])),))
def nested_arguments(t):
    a, (b, (c, d)) = t
    return a + b + c + d, t[1][1][0], {"t": t}


@case(
    (6,),
)
def queue_and_stack(n):
    stack, queue = [], [n]
    for k in (1, 2, 3):
        stack.append(k * n)
        queue.insert(0, k)
    out = []
    while stack:
        out.append(stack.pop())
    while len(queue) > 1:
        out.append(queue.pop(0))
    return out, queue


@case(
    (4, 2),
)
def matrix_of_lists(n, m):
    grid = [[0] * 3 for _ in range(2)]
    grid[0][1] = n
    grid[1] = [m, n, m]
    grid[0][0] += grid[1][2]
    total = 0
    for row in grid:
        for v in row:
            total += v
    return grid, total


@case((np.arange(3.0), np.ones(2)))
def arrays_in_containers(a, b):
    table = {"a": a * 2, "both": (a, b), "list": [b]}
    table["list"].append(a + 1)
    return table, table["both"][0].sum() + table["list"][1][0]


@case((1, 5, 2), (9, 0, 3))
def bubble_sort_by_hand(a, b, c):
    box = [a, b, c, 4]
    for i in (3, 2, 1):
        for j in range(i):
            if box[j] > box[j + 1]:
                box[j], box[j + 1] = box[j + 1], box[j]
    return box


@case(
    (1.5,),
)
def dict_order_and_merge(x):
    d = {"z": 1, "a": x}
    d["z"] = 5
    del d["a"]
    d["a"] = 2
    e = dict(d, b=x)
    f = dict([("p", x), ("q", 2)])
    return d, e, f, dict(zip("ab", (x, 1))), d | f, dict.fromkeys(("u", "v"), x)


@case((3,), (0,))
def truth(n):
    return bool([]), bool([n]), bool(()), bool({}), bool({"a": n}), bool(""), not (n,), [] or n, (n,) and 5


@case((2, 3))
def comparisons(a, b):
    return (
        (a, b) < (a, b + 1),
        [a] == [a],
        (a, [b]) == (a, [b]),
        {"a": a} == {"a": a},
        (a,) != (b,),
        max((a, b), (b, a)),
    )


@case(
    (7,),
)
def star_displays(n):
    t, d = (n, 1), {"a": n}
    return [*t, *t, 5], (*t, *[2]), {*(1, 2), 3}, {**d, "b": 1, **{"a": 0}}


@case((3,), (8,))
def table_lookup_by_run_time_index(n):
    squares = [0, 1, 4, 9, 16, 25, 36, 49, 64]
    names = (1.5, 2.5, 3.5)
    return squares[n], squares[n - 1] + squares[-n], names[n % 3]


@case((5,), (0,), (1,))
def ranges_and_slices_compared(n):
    return (
        range(n) == range(0, n, 1),
        range(0, n, 2) == range(0, n + 1, 2),
        range(n, n) == range(0),
        slice(n) == slice(None, n),
        range(n) != range(3),
    )


@case((3,), (6,))
def sets_compared(n):
    a, b = {1, 2}, frozenset([1, 2, 3])
    return a < b, a <= a, b > a, a == {2, 1}, b == {1, 2, 3}, a != b, frozenset() < a, b, dict.fromkeys("ab", n)
