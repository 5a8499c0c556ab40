"""Containers, one operation at a time."""

# pyright: basic

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

from programs.corpus import case


@case(
    (1, 2.5),
)
def tuples(a, b):
    t = (a, b, a + b)
    return t[0], t[-1], t[1:], t[::-1], len(t), t + (1,), t * 2, b in t, t.index(b), t.count(a)


@case(
    (1, 2.5),
)
def lists(a, b):
    x = [a, b]
    x.append(a + b)
    x.insert(0, 9)
    x.extend((7, 8))
    last = x.pop()
    first = x.pop(0)
    x.reverse()
    y = x.copy()
    y[0] = -1
    x.remove(b)
    return x, y, first, last, x + [1], x * 2, len(x), x[1:], x.index(a), x.count(a)


@case(
    (1, 2),
)
def list_aliasing(a, b):
    x = [a]
    y = x
    y.append(b)
    z = x[:]
    z.append(0)
    x += [5]
    return x, y, z, x is y, x is z


@case(
    (1, 2),
)
def dicts(a, b):
    d = {"x": a, "y": b}
    d["z"] = a + b
    got = d.get("w", -1), d.get("x"), d.get("nothing")
    popped = d.pop("y")
    d.update({"q": 1}, r=2)
    d.setdefault("x", 100)
    d.setdefault("s", 7)
    return d, got, popped, list(d), list(d.values()), list(d.items()), "x" in d, len(d), {**d, "t": 0}


@case(
    (1, 2),
)
def dict_of_numbers(a, b):
    d = {1: a, 2.5: b, (1, 2): a * b, None: 0}
    return d[1], d[2.5], d[(1, 2)], d[None]


@case((3,), (-1,), (5,))
def tuple_index_at_run_time(i):
    return (1, 2, 3, 4)[i]


@case((3,), (-5,), (4,))
def list_index_at_run_time(i):
    items = [10, 20, 30, 40]
    return items[i]


@case((1,), (0,))
def unlike_tuple_index_at_run_time(i):
    return (1, 2.5)[i]


@case(
    (2,),
)
def list_item_assignment_at_run_time(i):
    items = [0, 0, 0]
    items[i] = 5
    items[i - 1] += 2
    return items


@case((5,), (0,))
def list_comprehension(n):
    return [n + k for k in (1, 2, 3)], [k * n for k in range(5) if k % 2], [(a, b) for a in (1, 2) for b in (n, 0)]


@case(
    (5,),
)
def dict_and_set_comprehension(n):
    return {k: n * k for k in (1, 2, 3)}, {k % 2 for k in (1, 2, 3)}, {name: len(name) for name in ("ab", "c")}


@case(
    (5,),
)
def comprehension_scope(k):
    inner = [k for k in (1, 2, 3)]
    return inner, k


@case(
    (5, 2),
)
def generator_expressions(n, m):
    return (
        sum(n * k for k in (1, 2, 3)),
        max(k + m for k in (n, m)),
        all(k > 0 for k in (n, m)),
        any(k > 4 for k in (n, m)),
    )


@case((7,), (0,))
def sum_over_range(n):
    return sum(range(n)), sum(i * i for i in range(n)), sum([1, 2, n]), sum((1.5, n), 2)


@case(
    (4,),
)
def nested_containers(n):
    tree = {"a": [n, (n + 1, {"b": n * 2})]}
    tree["a"].append(tree["a"][1][1]["b"])
    return tree


@case(([1, 2, 3],), ([4.5, 1, 2],))
def list_argument(items):
    return items[0] + items[-1], len(items), [k * 2 for k in items]


Point = namedtuple("Point", "x y")


class Particle(NamedTuple):
    position: float
    velocity: float = 1.0

    def moved(self, dt: float) -> Particle:
        return self._replace(position=self.position + self.velocity * dt)


@case((Point(1, 2.0),), (Point(3, 4),))
def named_tuple(p):
    q = Point(p.y, p.x)
    return q.x + p.x, q, p[0], q._asdict()["x"], p._replace(x=0)


@case(
    (0.5,),
)
def named_tuple_with_methods(dt):
    p = Particle(2.0)
    for _ in range(3):
        p = p.moved(dt)
    return p, p.position


@case((3,), (-3,))
def dict_built_on_both_paths(n):
    d = {"a": 1}
    if n > 0:
        d["b"] = n
    else:
        d["b"] = 0
    return d


@case((5,), (1,))
def list_built_with_condition_on_the_index(n):
    found = []
    for k in range(6):
        if k % 2 == 0:
            found.append(k * n)
    return found


@case((1, 2.5), (3, 3.0))
def extremes_of_unlike_numbers(a, b):
    low, high = min(a, b), max(a, b)
    return low + 1, high * 2, low == high, sorted((3, 1))


@case((1,), (2,), (7,))
def tuples_compared(n):
    return (n, 2) < (2, n), (n,) <= (n, 0), [n, 1] > [2], (n, 5.0) >= (n, 5), (1, "a") < (n, "b"), () < (n,)


@case(
    (3,),
)
def tuple_compared_with_list(n):
    return (n,) < [n]


@case(
    (3,),
)
def number_compared_with_string(n):
    return n < "3"


@case(
    (3,),
)
def length_of_number(n):
    return len(n)


@case(
    (3,),
)
def iterates_number(n):
    for k in n:
        return k


@case(
    (3,),
)
def string_plus_number(n):
    return "a" + n


@case(
    (3,),
)
def indexes_number(n):
    return n[0]


@case(
    (3, [1, 2]),
)
def adds_number_and_list(n, items):
    return items + n


@case(
    (3,),
)
def methods_of_sets(n):
    s = {3, 1, 2}
    s.add(7)
    s.discard(1)
    s |= {9}
    order = sorted(k for k in s)
    return s.union([4]), s.intersection({2, 3}), s.issubset({1, 2, 3, 7, 9}), s - {2}, order, n


@case(
    (2, 1, 3),
)
def methods_of_lists(a, b, c):
    x = [3, 1, 2]
    x.sort()
    x.sort(reverse=True)
    x.remove(1)
    y = [a, b, c]
    del y[0]
    y[0:1] = [7, 8]
    x.clear()
    return x, y, [1, 2, 3].index(2), [a] * 3


@case(
    (1,),
)
def sets(n):
    s = {1, 2, 3}
    return 2 in s, len(s), s | {4}, s & {1, 9}, s - {1}, {n}


@case(
    (3, 1, 2),
)
def sorting(a, b, c):
    return sorted([3, 1, 2]), sorted((3, 1, 2), reverse=True), sorted(["b", "a"], key=lambda s: s), (a, b, c)


@case(
    (3, 1),
)
def container_comparison(a, b):
    return (a, b) == (3, 1), [a, b] == [b, a], (a, b) < (b, a), (a, b) != (a, b), {"k": a} == {"k": 3}, (1,) < (1, 2)


@case(
    (1, 2),
)
def unpack_wrong_count(a, b):
    x, y, z = (a, b)
    return x


@case(
    (1,),
)
def unpack_a_number(a):
    x, y = a
    return x


@case((3,), (0,))
def tuple_carried_by_loop(n):
    state = (0, 1.0)
    for i in range(n):
        state = (state[0] + i, state[1] / 2)
    return state


@case(
    (5,),
)
def slices(n):
    s = slice(1, 3)
    return (1, 2, n, 4)[s], [1, 2, 3, n][-2:], "hello"[1:n]


@case(
    ((1, 2), [3], 2),
    ((1, 2), [3], 2.0),
    ((1, 2), [3], (2,)),
    ((), [], "a"),
    ((1,), [2], None),
    ((1,), [2], True),
    ((1,), [2], -1),
)
def repeated(t, xs, k):
    return t * k, k * t, xs * k


@case(([3], 2.0), ([3], (2,)), ([3], None), ([3], [1]), ([3], True))
def list_repeated(xs, k):
    return k * xs


@case((1, 2), (2, 1), (2, 2))
def index_between_bounds(a, b):
    t = (a, b, a, 3)
    items = [a, b, a]
    return t.index(a, 1), items.index(b, 0, 2), t.index(3, -1), items.index(a, -2, 10), t.index(b, -3, -1)


@case((1, 2), (2, 2))
def index_not_between_bounds(a, b):
    return (a, b, a).index(b, 2)
