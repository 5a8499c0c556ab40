"""Arrays, one operation at a time."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case

VECTOR = np.array([1.0, -2.0, 3.5, 0.25])
MATRIX = np.arange(12.0).reshape(3, 4)


@case((VECTOR, 2.0), (MATRIX, -1.5), (np.float32([1, 2]), 3))
def array_arithmetic(x, a):
    return x + a, a - x, x * x, x / 2, -x, x**2, abs(x), x > a, x == x, x @ x.T


@case((VECTOR,), (MATRIX,), (np.arange(6),))
def array_attributes(x):
    return x.shape, x.ndim, x.size, len(x), x.shape[0] * 2, x.T.shape


@case(
    (MATRIX,),
)
def array_reductions(x):
    return x.sum(), x.sum(axis=0), x.mean(axis=1), x.max(), x.min(axis=0), np.sum(x, axis=1), np.mean(x), x.argmax()


@case((MATRIX, 1), (MATRIX, -1), (MATRIX, 3))
def array_items(x, i):
    return x[i], x[i, 2], x[:, i % 4], x[1:, ::2], x[-1, -1], x[0][i % 2]


@case((VECTOR, 3), (VECTOR, 0))
def array_loop(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * i
    for v in x:
        total = total * 0.5 + v
    return total


@case((VECTOR,), (np.arange(5),))
def array_written(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = x[i] * 2
    y[0] += 1
    y[1:3] *= 3
    return y


@case(
    (VECTOR.copy(),),
)
def argument_written(x):
    x[0] = 100.0
    x += 1
    return x.sum()


@case(
    (VECTOR, VECTOR + 1),
)
def numpy_functions(x, y):
    return np.maximum(x, y), np.where(x > 0, x, y), np.sqrt(abs(x)), np.dot(x, y), np.abs(x), np.sum(x * y), np.floor(x)


@case((3,), (0,))
def array_creation(n):
    return np.zeros(n), np.ones((n, 2)), np.arange(n), np.full((2,), n), np.eye(3), np.linspace(0.0, 1.0, 5)


@case(
    (MATRIX,),
)
def array_shapes(x):
    return x.reshape(4, 3), x.T, x.reshape(-1), x[None].shape, np.concatenate([x, x]), np.stack([x, x]).shape, x.ravel()


@case(
    (VECTOR,),
)
def array_condition(x):
    if x.sum() > 1:
        x = x * 2
    if (x > 0).all():
        return x
    return -x


@case(
    (np.float64(2.5), np.int32(3)),
)
def numpy_scalars(a, b):
    return a + 1, a * b, b + 1, a > b, -a, b // 2, float(a), int(b)


@case((np.float32(0.1), 0.1), (np.float32(1e30), 1e30))
def numpy_scalar_promotion(a, b):
    return a + b, a * b, a == b


@case((np.int32(2**31 - 1),), (np.int32(5),))
def numpy_integers_wrap(a):
    with_one = np.array([1], np.int32) * a
    return with_one + with_one


@case(
    (MATRIX, VECTOR),
)
def iteration_over_matrix(m, v):
    total = 0.0
    for row in m:
        total += (row * v).sum()
    for i, row in enumerate(m):
        total += row[0] * i
    for a, b in zip(m, m):
        total += a[1] - b[2]
    return total


@case(
    (VECTOR,),
)
def array_views_share(x):
    y = x.copy()
    z = y[1:]
    z[0] = 50.0
    w = y.reshape(2, 2)
    w[0, 0] = -1
    return y, z, w


@case((VECTOR, 7), (VECTOR, -5))
def array_index_out_of_range(x, i):
    return x[i]


@case(
    (VECTOR, MATRIX[:, :3]),
)
def array_shape_mismatch(x, y):
    return x + y


@case(
    (VECTOR,),
)
def array_printed(x):
    print(x, x[0], x.sum())
    print("shape", x.shape)


@case(
    (4, VECTOR),
)
def array_carried_by_loop(n, x):
    acc = x * 0
    for i in range(n):
        if i % 2 == 0:
            acc = acc + x
        else:
            acc = acc * 2
    return acc


@case(
    (3, VECTOR),
)
def array_recursion(n, x):
    def go(k, y):
        if k == 0:
            return y
        return go(k - 1, y * 0.5)

    return go(n, x)


@case(
    (MATRIX, VECTOR),
)
def matmul(m, v):
    return m @ v, m.T @ m, np.dot(m, v), np.matmul(m, v)


@case(
    ((VECTOR, {"w": MATRIX}),),
)
def containers_of_arrays(pair):
    x, table = pair
    return {"out": [x + 1, (table["w"].sum(), len(x))], **table}


@case(
    (VECTOR > 0, VECTOR),
)
def boolean_arrays(mask, x):
    return mask & (x < 3), ~mask, mask.sum(), mask.any(), mask.all(), x * mask


@case((np.arange(4), 2), (np.arange(4, dtype=np.uint8), 3))
def integer_arrays(x, n):
    return x + n, x // n, x % n, x / n, x << 1, x & 1, x * 1.5, x.sum(), x.dtype == np.int64
