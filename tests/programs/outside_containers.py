"""Lists and dicts of the caller, and of objects, that compiled code changes: as Python leaves them, exceptions included."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


class Recorder:
    def __init__(self):
        self.history = []
        self.table = {"calls": 0}
        self.window = [0.0, 0.0, 0.0]

    def record(self, value):
        self.history.append(value)
        self.table["calls"] += 1
        self.table["last"] = value
        return self

    def shift(self, value):
        for k in range(2):
            self.window[k] = self.window[k + 1]
        self.window[2] = value
        return sum(self.window)


class Holder:
    def __init__(self, items):
        self.items = items


@case(([5, 6],), ([1.5],))
def appended_and_assigned(xs):
    xs.append(1)
    xs[0] = 2
    return xs, len(xs), xs[-1]


@case(([1, 2, 3], 3), ([1.5, 2.0], 1), ([], 0))
def each_item_doubled(xs, n):
    for k in range(n):
        xs[k] = xs[k] * 2
    return sum(xs)


@case(([], 4), ([7], 2), ([1], 0))
def grown_in_a_loop(xs, n):
    for k in range(n):
        xs.append(k * k)
    return len(xs)


@case(([3, 1, 2],), ([1],))
def all_list_methods(xs):
    xs.sort()
    xs.reverse()
    xs.insert(0, 9)
    xs.extend((4, 5))
    xs += [6]
    xs[1:2] = [7, 8]
    del xs[0]
    return xs.pop(), xs.count(4), xs.copy()


@case(([1, 2], True), ([1, 2], False))
def changed_on_one_path(xs, c):
    if c:
        xs[0] = 10
    return xs


@case(({"a": 1}, 2.5), ({"a": 1, "b": 3}, 1))
def dict_entries(d, v):
    d["z"] = v
    d["a"] += 1
    d.update(c=v * 2)
    return d.pop("a"), d


@case(([[1], [2, 3]],))
def nested_lists(xs):
    xs[0].append(xs[1][0])
    xs[1] = xs[0]
    xs.append([4])
    return xs, len(xs[1])


@case(({"rows": [1, 2], "n": 0},))
def list_in_a_dict(d):
    d["rows"].append(3)
    d["n"] = len(d["rows"])
    return d["n"]


@case(([1, 2, 3],))
def two_names(xs):
    ys = xs
    ys.append(4)
    zs = list(xs)
    zs.append(5)
    return xs is ys, xs == zs, len(xs), zs


@case(([1, 2], [3]))
def moved_between_lists(xs, ys):
    while xs:
        ys.append(xs.pop())
    return len(ys)


@case(([4, 2, 0, 1],), ([1, 2],))
def exception_on_the_way(xs):
    for k in range(len(xs)):
        xs[k] = 8 // xs[k]
    return xs


@case(([1], 5), ([1], 0))
def raised_after_a_change(xs, n):
    xs.append(n)
    if n > 3:
        raise ValueError(f"{n} is too much")
    xs.append(-1)
    return xs


@case(([1, 2], 0), ([1, 2], 1))
def handled_inside(xs, n):
    try:
        xs[0] = 5
        xs[1] = 4 // n
    except ZeroDivisionError:
        xs[1] = -1
    return xs


def push_all(xs, n):
    if n > 0:
        xs[0] += n
        push_all(xs, n - 1)


@case(([0], 4), ([1], 0))
def changed_by_recursion(xs, n):
    push_all(xs, n)
    return xs[0]


@case((np.array([1.0, 2.0, 3.0]), []))
def arrays_appended(x, out):
    for k in range(3):
        out.append(x * k)
    out.append(x)
    return out[0].sum(), len(out)


@case(([1, 2, 3],))
def closure_changes(xs):
    def push(v):
        xs.append(v)
        return len(xs)

    return [push(v) for v in (1, 2)], xs


@case((Recorder(), 2.0))
def history_of_an_object(r, x):
    r.record(x).record(x * 2)
    r.history.extend([x, 1])
    return r.table["calls"], r.table["last"]


@case((Recorder(), 2.0, 3), (Recorder(), 1.0, 0))
def history_in_a_loop(r, x, n):
    for k in range(n):
        x = x * 1.5
        r.history.append(x)
    return x


@case((Recorder(), 2.0))
def window_of_an_object(r, x):
    return r.shift(x), r.shift(1.0), r.window


@case((Holder([1, 2]), 5))
def returned_list_of_an_object(h, v):
    h.items.append(v)
    return h.items


@case((Holder([1, 2]), 5), (Holder([1]), 0))
def history_before_an_exception(h, v):
    h.items.append(v)
    h.items.append(10 // v)
    return v


@case((Holder({"a": 1}), 5))
def replaced_after_a_change(h, v):
    h.items["a"] = v
    h.items = {"b": v}
    h.items["c"] = 1
    return h.items
