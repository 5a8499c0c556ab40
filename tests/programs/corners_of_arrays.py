"""Corners of arrays and Tensors: shapes that change between calls, empty arrays, broadcasting, dtypes, views and writes."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case

EMPTY = np.zeros(0)


@case((np.arange(3.0),), (np.arange(5.0),), (np.arange(1.0),), (EMPTY,), (np.arange(2.0),))
def shapes_that_change(x):
    y = x * 2 + 1
    return y, y.shape, len(x), y.sum(), x.reshape(-1, 1).shape, x[::-1], x[:2]


@case((np.ones((2, 3)),), (np.ones((1, 3)),), (np.ones((2, 1)),), (np.ones((1, 1)),), (np.ones((3, 2)),))
def extents_of_one_broadcast(x):
    return x + np.arange(3.0) if x.shape[1] in (1, 3) else x, x * x[:1], x - x.mean(axis=1, keepdims=True)


@case((EMPTY,), (np.zeros((0, 3)),), (np.zeros((2, 0)),))
def empty_arrays(x):
    total = 0.0
    for row in x:
        total = total + row
    return (
        x.sum(),
        x.sum(axis=0),
        x * 2,
        x.size,
        x.shape,
        total,
        np.concatenate([x, x]).shape,
        (x > 0).any(),
        (x > 0).all(),
    )


@case((np.arange(3.0), np.arange(4.0)), (np.arange(2.0), np.arange(2.0)), (np.arange(1.0), np.arange(6.0)))
def outer_sums(x, y):
    z = x[:, None] + y
    for i in range(len(x)):
        for j in range(len(y)):
            assert z[i, j] == x[i] + y[j]
    return z, z.T.shape, z.sum(axis=1)


@case((np.arange(6.0).reshape(2, 3),), (np.arange(6.0).reshape(2, 3).T,), (np.arange(12.0).reshape(3, 4)[:, ::2],))
def strided_arguments(x):
    y = x.copy()
    y[0] += 100
    x[:, 0] = -1
    return x, y, x.copy().ravel(), x.sum(axis=0), x @ x.T


@case((np.arange(10.0), 3), (np.arange(10.0), 0), (np.arange(10.0), -2), (np.arange(10.0), 20))
def slices_with_run_time_bounds(x, k):
    return x[:k], x[k:], x[k : k + 2], x[-k:] if k else x, x[max(k, 0) :].sum()


@case((np.arange(5), 2), (np.arange(5), -1))
def item_and_slice_assignment(x, k):
    x[k] = 10
    x[k - 1 : k + 1] = x[:2]
    x[[0, 1]] = 7
    x[x > 6] -= 1
    return x, x[k], int(x[k]) + 1


@case(
    (np.array([1, 2, 3], dtype=np.int8), 100), (np.array([1, 2, 3], dtype=np.uint16), 70000), (np.array([1, 2, 3]), -5)
)
def python_ints_meet_small_dtypes(x, k):
    return x * 2, x + k


@case((np.array([1.5, 2.5, -0.5]),))
def rounding_and_casting(x):
    return (
        x.round(),
        x.astype(np.int64),
        np.floor(x).astype(int),
        x.astype(np.float32).astype(np.float64) == x,
        x.astype(bool),
    )


@case((np.array([0.0, -0.0, np.inf, np.nan]),))
def special_values(x):
    return x / x, 1 / x, x * 0, -x, np.sqrt(x), x == x, np.maximum(x, 0.0), np.sign(x), x // 1, x % 2


@case((np.array([7, -7]), np.array([2, -2])), (np.array([1, 0]), np.array([0, 0])))
def integer_division(a, b):
    return a // b, a % b, a / b, np.abs(a) // 2, a >> 1


@case((np.array([True, False, True]),))
def boolean_arrays(b):
    return b & ~b, b | True, b ^ b, b.sum(), b * 2, b + b, ~b, b == b[0], b.mean(), np.where(b, 1, 2), b.any(), b.all()


@case((np.arange(4.0), 2), (np.arange(4.0), 4))
def views_of_views(x, k):
    y = x[1:]
    z = y[:k]
    z *= 10
    y += 1
    w = x[::-1][:2]
    w[...] = 0
    return x, y, z, w


@case((np.eye(2), 3), (np.array([[1.0, 1.0], [0.0, 1.0]]), 5))
def rebinding_and_mutating(a, n):
    b = a
    for _ in range(n):
        b = b @ a
        b[0, 0] += 1
    a[1, 1] = 9
    return a, b


@case((np.arange(3.0), True), (np.arange(3.0), False))
def mutation_in_branches(x, flag):
    y = x
    if flag:
        y[0] = 5.0
    else:
        y = y + 1
        y[1] = 7.0
    y[2] = -1.0
    return x, y


@case((np.arange(4.0),), (np.arange(2.0),))
def arrays_through_functions(x):
    def change(v, k):
        v[k] = v[k] + 100
        v = v * 2
        v[k] = 0
        return v

    y = change(x, 0)
    z = change(x[1:], 0)
    return x, y, z


@case((np.arange(3.0), np.arange(3.0) + 10), (np.zeros(1), np.ones(1)))
def lists_of_arrays(x, y):
    items = [x, y]
    items[0][0] = -5.0
    items[1] = items[1] * 2
    items.append(items[0])
    items[2] += 1
    return x, y, items


@case((np.float64(2.0), np.arange(3.0)), (np.float32(2.0), np.arange(3, dtype=np.float32)))
def scalars_and_arrays(k, x):
    total = k
    for v in x:
        total += v
    k *= 2
    return total, k, x * k, type(k) is type(total), k.dtype, x[0] * 1


@case((np.arange(24.0).reshape(2, 3, 4),))
def indexing_of_all_kinds(x):
    return (
        x[1],
        x[1, 2],
        x[..., 0],
        x[:, 1:, ::2],
        x[-1, :, -2],
        x[None, 0].shape,
        x[:, [0, 2]],
        x[0][1][2],
        x[1, [0, 1], [2, 3]],
        x[x > 20],
    )


@case((5, 4), (0, 1), (1, 0))
def created_by_run_time_extents(n, m):
    a = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            a[i, j] = i * 10 + j
    return a, a.T, a.sum(), np.ones(n + m), np.arange(n * m).reshape(n, m)
