"""NumPy's functions on run-time arrays: NumPy's dtypes and shapes, ndarray in and ndarray or NumPy scalar out."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case

V = np.array([3.0, -1.5, 0.25, 2.0])
M = np.arange(6.0).reshape(2, 3)
I = np.array([4, -2, 7])  # noqa: E741


@case((V,), (I,), (np.float32([1, 2]),))
def reductions(x):
    return (
        np.sum(x),
        np.prod(x),
        np.mean(x),
        np.max(x),
        np.min(x),
        np.std(x),
        np.var(x),
        np.argmax(x),
        np.argmin(x),
        np.ptp(x),
    )


@case((M,), (M.astype(np.float32),))
def reductions_by_axis(x):
    return (
        np.sum(x, axis=0),
        np.mean(x, axis=1),
        np.max(x, axis=-1),
        np.sum(x, axis=(0, 1)),
        np.cumsum(x, axis=1),
    )


@case((V,), (M,), tolerance=1e-12)
def elementwise(x):
    return (
        np.abs(x),
        np.sqrt(np.abs(x)),
        np.exp(x),
        np.sin(x),
        np.tanh(x),
        np.floor(x),
        np.ceil(x),
        np.sign(x),
        np.square(x),
    )


@case((np.abs(V),), tolerance=1e-12)
def logarithms(x):
    return np.log(x), np.log2(x), np.log10(x), np.log1p(x), np.expm1(x)


@case((V, V[::-1].copy()), (I, np.array([1, 2, 3])), tolerance=1e-12)
def of_two(x, y):
    return np.maximum(x, y), np.minimum(x, y), np.add(x, y), np.multiply(x, 2), np.power(np.abs(x), 2), np.hypot(x, y)


@case((V,), (I,))
def comparisons(x):
    return (
        np.greater(x, 1),
        np.equal(x, 2),
        np.logical_and(x > 0, x < 3),
        np.logical_not(x > 0),
        np.any(x > 5),
        np.all(x > -9),
    )


@case((3,), (0,))
def creation(n):
    return np.zeros(n), np.ones((2, n)), np.full(n, 2.5), np.arange(n), np.arange(1, n + 1, dtype=np.float32), np.eye(n)


@case((5,), (2,))
def ranges(n):
    return np.linspace(0.0, 1.0, n), np.arange(0.0, 1.0, 0.25), np.zeros(n, dtype=np.int32), np.empty(n).shape


@case((V, I))
def like(x, k):
    return np.zeros_like(x), np.ones_like(k), np.full_like(x, 3), np.zeros_like(x, dtype=np.int64)


@case((V, V * 2), (M, M + 1))
def joining(x, y):
    return np.concatenate([x, y]), np.stack([x, y]), np.vstack((x, y)), np.hstack([x, y]), np.append(x, 5.0)


@case((M,), (np.arange(4.0).reshape(2, 2),))
def shapes(x):
    return (
        np.reshape(x, (-1,)), np.transpose(x), np.expand_dims(x, 0).shape, np.squeeze(x[None]).shape, np.ravel(x),
        np.swapaxes(x, 0, 1), np.flip(x, 0), np.roll(x, 1, axis=1), np.tile(x, 2), np.repeat(x, 2, axis=0),
    )  # fmt: skip


@case((V, 1.0), (M, 2.5))
def selection(x, k):
    return np.where(x > k, x, 0.0), np.clip(x, -1, k), np.where(x > k, 1, -1), np.isnan(x), np.maximum(x, k)


@case((M, np.arange(3.0)), (np.eye(3), np.ones(3)))
def products(a, b):
    return np.dot(a, b), np.matmul(a, b), a @ b, np.outer(b, b), np.inner(b, b), np.dot(b, b), np.vdot(b, b)


@case((V,), (I,))
def differences_and_cumulations(x):
    return np.diff(x), np.cumsum(x), np.cumsum(x)[-1] == np.sum(x)


@case((np.array([1.0, np.nan, np.inf]),))
def special_values(x):
    return np.isnan(x), np.isinf(x), np.isfinite(x), np.where(np.isnan(x), 0.0, x)


@case((I, 2), (np.array([5, 6]), 3))
def integers(x, k):
    return (
        x // k,
        x % k,
        x << 1,
        x & 3,
        x | 1,
        ~x,
        np.bitwise_xor(x, k),
        np.left_shift(x, 2),
        np.mod(x, k),
        np.floor_divide(x, k),
    )


@case((np.float64(2.5), np.int64(3)), (np.float32(1.5), np.int32(-2)))
def numpy_scalars(x, k):
    return x + k, x * 2, k // 2, x / 3, k + 1.5, np.sqrt(x), float(x), int(k), x > k, -k, abs(k), x.dtype


@case((np.array([250, 255], dtype=np.uint8),))
def wrapping(x):
    return x + x, x * np.uint8(2), x - np.uint8(252), ~x, x.astype(np.int8), np.sum(x), x // np.uint8(7)


@case((M,), (np.ones((3, 3)),), tolerance=1e-12)
def methods(x):
    return (
        x.sum(), x.mean(axis=0), x.max(), x.argmin(), x.prod(axis=1), x.cumsum(), x.clip(1, 3), x.round(), x.any(), x.all(),
        x.astype(np.int32), x.copy(), x.tolist(), x.std(axis=0), x.item(0) if False else x[0, 0].item(),
    )  # fmt: skip


@case((V,))
def weighted_mean_and_variance(x):
    w = np.exp(-np.abs(x))
    mean = np.sum(w * x) / np.sum(w)
    return mean, np.sqrt(np.sum(w * (x - mean) ** 2) / np.sum(w))


@case((M,))
def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@case((np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),))
def covariance(x):
    centred = x - x.mean(axis=0)
    return centred.T @ centred / (len(x) - 1)


@case((V, V + 0.5))
def distances(x, y):
    return np.sqrt(np.sum((x - y) ** 2)), np.abs(x - y).max(), np.sum(x * y) / np.sqrt(np.sum(x * x) * np.sum(y * y))


@case((np.arange(4.0), np.arange(3.0)))
def broadcasting(x, y):
    grid = x[:, None] * y[None, :] + 1
    return grid, grid.sum(axis=0), (x.reshape(-1, 1) - y).shape, np.broadcast_to(y, (2, 3))


@case((np.linspace(0.0, 1.0, 11),), tolerance=1e-12)
def trapezoid(x):
    y = x**2
    return np.sum((y[1:] + y[:-1]) / 2 * np.diff(x))


@case((100, 7), (5, 3))
def vectorised_sieve_of_multiples(n, k):
    x = np.arange(1, n + 1)
    return np.sum(np.where((x % 3 == 0) | (x % k == 0), x, 0)), x[x % k == 0]


@case((np.ones((2, 3)), np.ones((2, 3))), (np.ones((2, 3)), np.ones((3, 2))))
def failing_product(x, y):
    return np.matmul(x, y)


@case((np.arange(4.0), 2), (np.arange(4.0), 3))
def failing_reshape(x, n):
    return np.reshape(x, (n, 2))


@case((np.zeros(0),), (np.ones(2),))
def failing_maximum(x):
    return np.max(x)
