"""Assignment: unpacking, stars, several targets, augmented, annotated, del, nonlocal, walrus."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((1, 2, 3), (1.5, True, -2))
def rotate(a, b, c):
    a, b, c = c, a, b
    (a, b), c = (b, a), c
    return a, b, c


@case((5,), (0,))
def stars(n):
    first, *middle, last = (n, n + 1, n + 2, n + 3)
    *start, end = [n]
    (a, *b), *c = ((1, n, 3), 4)
    return first, middle, last, start, end, a, b, c


@case(
    (3,),
)
def targets_of_all_kinds(n):
    box = [0, 0]
    table = {}
    x = box[0] = table["a"] = n
    box[1], table["b"] = table["a"], box[0] + 1
    return x, box, table


@case((2, 3.0))
def augmented_everything(a, b):
    box = [a, b]
    box[0] += 5
    box[1] *= a
    table = {"k": b}
    table["k"] -= 1
    table["k"] /= 2
    t = (1,)
    t += (a,)
    s = "x"
    s *= 3
    return box, table, t, s


@case((np.arange(4.0), 2.0))
def augmented_arrays(x, k):
    y = x
    y += k
    z = x * 1
    z *= k
    z[1:3] -= 100
    z[0] **= 2
    return y, z


@case(
    (4,),
)
def annotated(n: int) -> float:
    total: float = 0
    count: int
    for count in range(n):
        total += count
    later: "not.evaluated" = total  # noqa: F821, UP037
    return later


@case(
    (3,),
)
def nonlocal_counter(n):
    count = 0

    def add(k):
        nonlocal count
        count += k
        return count

    seen = [add(k) for k in range(1, 4)]
    add(n)
    return count, seen


@case(
    (4,),
)
def nested_nonlocals(n):
    a = 1

    def outer():
        b = 2

        def inner():
            nonlocal a, b
            a, b = a + b, b + n
            return a

        return inner() + inner(), b

    return outer(), a


@case((7,), (-1,))
def walrus_everywhere(n):
    total = (a := n + 1) * (b := a * 2)
    found = [c for k in (1, 2, 3) if (c := k * n) > 2]
    while (n := n - 3) > 0:
        total += n
    return total, a, b, found, n


@case(
    (1,),
)
def deletes(n):
    a, b, c = n, 2, [1, 2, 3]
    del a, c[0]
    table = {"x": 1, "y": b}
    del table["x"]
    a = 5
    return a, c, table


@case(
    (3,),
)
def same_name_other_type(x):
    x = x * 2
    x = float(x)
    x = [x, x]
    x = tuple(x)
    return x


@case((5, 2))
def swaps_in_a_list(i, j):
    box = list(range(8))
    box[1], box[6] = box[6], box[1]
    box[0], *box[2:4] = 9, 8, 7
    return box, i, j


@case(
    (6,),
)
def slices_of_lists(n):
    box = [n, 1, 2, 3, 4, 5]
    box[1:3] = [10, 20, 30]
    box[-1:] = []
    del box[::2]
    return box, box[::-1], box[5:], box[-2:]


@case(
    (2,),
)
def evaluation_order(n):
    log = []

    def note(k):
        log.append(k)
        return k

    table = {}
    table[note(1)], table[note(2)] = note(3), note(4)
    x = note(5) + note(6) * note(7)
    return log, table, x + n
