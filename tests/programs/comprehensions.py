"""Comprehensions of lists, dicts and sets: nested, with conditions, over containers and arrays."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((3,), (0.5,))
def of_a_tuple(x):
    return (
        [v * x for v in (1, 2, 3)],
        [v for v in (1, -2, 3) if v > 0],
        {v: v * x for v in (1, 2)},
        {v for v in (1, 2, 2)},
    )


@case(
    (2,),
)
def nested(n):
    table = [[i * j + n for j in (1, 2, 3)] for i in (1, 2)]
    flat = [v for row in table for v in row]
    return table, flat, [[row[k] for row in table] for k in (0, 1, 2)]


@case(
    (1, 2),
)
def conditions(a, b):
    return [(i, j) for i in (0, 1, 2) if i != 1 for j in (3, 4) if i + j != 4], [a if k else b for k in (0, 1)]


@case(
    (5,),
)
def scopes(n):
    k = n
    values = [k for k in (1, 2)]
    inner = [k * v for v in values]
    return k, values, inner


@case(
    (2.5,),
)
def of_dicts(x):
    table = {"a": x, "b": 2}
    return (
        {k: v * 2 for k, v in table.items()},
        {v: k for k, v in {"p": 1, "q": 2}.items()},
        [k + "!" for k in table],
        {k: [v, x] for k, v in zip("xy", (1, 2))},
    )


@case((np.array([3.0, 1.0, 2.0]),))
def of_array_parts(x):
    parts = [x[k] * 2 for k in range(3)]
    return np.stack([x * k for k in (1, 2)]), parts[0] + parts[2], sum([v for v in parts])


@case(
    (4,),
)
def with_calls(n):
    def f(v):
        return v * v + n

    return [f(v) for v in (1, 2)], sum(f(v) for v in (1, 2, 3)), {f(0): 1} if False else {}


@case(
    (3, 2),
)
def unpacking(a, b):
    pairs = [(1, a), (2, b)]
    return [x * y for x, y in pairs], {x: y for x, y in pairs}, [p + q + r for p, (q, *_), r in ((1, (a, 5), 2),)]


@case(
    (3,),
)
def matrix_product_of_lists(n):
    a, b = [[n, 1], [2, 0]], [[1, 2], [n, 4]]
    return [[sum(a[i][k] * b[k][j] for k in (0, 1)) for j in (0, 1)] for i in (0, 1)]


@case(
    (2,),
)
def transposed(n):
    rows = [(n, 2, 3), (4, n * 5, 6)]
    return [list(column) for column in zip(*rows)], [sum(column) for column in zip(*rows)]


@case((5,), (1,))
def walrus(n):
    return [y for k in (1, 2, 3) if (y := k * n) > 4], [last := k for k in (n, 2)], last


@case(
    (2,),
)
def enumerated(n):
    return [(k, v) for k, v in enumerate((n, n * n), 1)], {c: k for k, c in enumerate("abc")}, [*enumerate((n,))]


@case((3,))
def polynomial_arithmetic(n):
    p, q = (1, n, 2), (n, -1)
    product = [sum(p[i] * q[k - i] for i in range(3) if 0 <= k - i < 2) for k in range(4)]
    derivative = [k * c for k, c in enumerate(p)][1:]
    return product, derivative, sum(c * n**k for k, c in enumerate(p))


@case((3,), (0,))
def known_items_by_values_of_a_loop(n):
    found = []
    for k in range(n):
        found.append(sum(x for x in (1, 2, 3, 4) if x > k))
        found.append(len(list(filter(lambda v: v % (k + 1) == 0, [1, 2, 3]))))
    return found
