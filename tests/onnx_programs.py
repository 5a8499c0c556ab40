"""Functions and networks that `test_onnx` exports: what each is exported for, and calls of it."""

# ruff: noqa: D101, D102, D103

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore import InputSpec, Tensor, nn, ops

RANDOM = np.random.default_rng(3)


def floats(*shape: int) -> Tensor:
    return Tensor(RANDOM.standard_normal(shape).astype(np.float32))


def of(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    if dtype == "bool":
        return RANDOM.integers(0, 2, shape).astype(bool)
    return (RANDOM.standard_normal(shape) * 5).astype(dtype)


def spec(dtype: str, *shape: str | int | None) -> InputSpec:
    return InputSpec(shape, dtype, of=np.ndarray)


def images(*shape: str | int) -> InputSpec:
    return InputSpec(shape)


class Convolutions(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(2, 4, 3, stride=2, pad_mode="pad", padding=1, has_bias=True)
        self.wide = nn.Conv2d(4, 4, 3, pad_mode="same", dilation=2, group=2)
        self.depthwise = nn.Conv2d(4, 8, 3, pad_mode="same", group=4)
        self.back = nn.Conv2dTranspose(8, 3, 3, stride=2, pad_mode="same")

    def construct(self, x):
        return self.back(ops.relu6(self.depthwise(self.wide(self.first(x)))))


class Lines(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.pool = nn.Conv1d(3, 4, 3, pad_mode="valid", has_bias=True), nn.MaxPool1d(2, 2)

    def construct(self, x):
        return self.pool(ops.gelu(self.conv(x)))


class Pooled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.largest = nn.MaxPool2d(3, 2, pad_mode="same")
        self.mean = nn.AvgPool2d(2, 1, pad_mode="valid")
        self.norm = nn.GroupNorm(2, 4)

    def construct(self, x):
        return self.largest(self.norm(x)), self.mean(x), ops.mean(x, (2, 3))


class Gated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.gru, self.embedding = nn.GRU(6, 5, 2, batch_first=True, bidirectional=True), nn.Embedding(11, 6)

    def construct(self, tokens):
        y, last = self.gru(self.embedding(tokens))
        return ops.softmax(y, -1), last


class Attending(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=True)
        self.set_train(False)

    def construct(self, x):
        return self.layer(x)


def arithmetic(x, y):
    return (x + y) * (x - 2 * y) / (np.abs(y) + 1) - x**2, np.maximum(x, y), -np.minimum(x, 0.5)


def functions(x):
    return np.exp(x) + np.tanh(x) - np.sqrt(np.abs(x)), np.log1p(np.abs(x)), np.expm1(x), np.sin(x), np.sign(x)


def roundings(x):
    return np.floor(x), np.ceil(x), np.rint(x / 2), np.trunc(x), x // 2, x % 3


def integers(x, y):
    return x + y, x * y, x // y, x % y, -x, np.abs(x), x & y, x | ~y, x == y, x < y, np.maximum(x, y)


def truths(a, b):
    return a & b, a | b, a ^ b, ~a, np.where(a, b, ~b), a.any(), b.all(0), a == b, np.sum(a)


def selected(x):
    return np.where(x > 0, x, 0.1 * x), np.clip(x, -1, 1), np.isnan(x) | np.isinf(x), np.isfinite(x)


def reduced(x):
    return x.sum(), x.sum(0), x.max(1), x.min(1, keepdims=True), x.prod((0, 1)), x.mean(1), x.std(1)


def reduced_bytes(x):
    return x.sum(), x.sum(0), x.max(1), x.min(), x.prod(1)


def extremes(x):
    return x.argmax(1), x.argmin(1), np.sort(x, 1), np.argsort(x, 1, kind="stable"), np.cumsum(x, 1), np.cumprod(x, 0)


def softmaxed(x):
    return ops.softmax(x, -1), ops.log_softmax(x, 1), ops.topk(x, 2)[0]


def reshaped(x):
    n, m = x.shape
    return x.reshape(-1), x.reshape(m, n), x.T.reshape(2, -1) if m == 4 else x, x[None, :, None], np.ravel(x.T)


def broadcast(x, y):
    return np.broadcast_to(x[:, None], (x.shape[0], y.shape[0])) + y, np.tile(x, 3), np.repeat(y, 2)


def joined(x, y):
    return np.concatenate([x, y]), np.stack([x[:, 0], x[:, 1]], 1), np.hstack([x, x]), np.pad(x, ((1, 2), (0, 1)))


def sliced(x):
    return x[1:], x[::2], x[::-1], x[:, -1], x[..., 1:3], x[-2:, ::-2], np.flip(x, 1), np.roll(x, 1, 0)


def rows(x, indices):
    return x[indices], np.take(x, indices, 0), x[:, 1] + x[0, 0], np.take_along_axis(x, indices[:, None], 1)


def positive(x):
    return x[x > 0], np.nonzero(x > 0)[0]


def numbered(x):
    n = x.shape[0]
    return np.arange(n), np.zeros((n, 2)), np.eye(3), np.full(n, 7), np.ones_like(x), np.arange(3) * 2, np.diag(x)


def products(x, y):
    return (
        x @ y,
        np.dot(x, y),
        x[0] @ y,
        x @ y[:, 0],
        x[0] @ y[:, 0],
        np.einsum("ij,jk->ki", x, y),
        np.outer(x[0], y[0]),
    )


def batched(x, y):
    return x @ y, np.matmul(x[0], y)


def converted(x):
    return x.astype(np.int32), x.astype(np.float32), (x > 0).astype(np.int64), x.astype(bool), x.astype(np.uint8)


def scalars(x, k, flag):
    return x * k + 1, k // 3, k % 3, k / 4, -k, float(k) * 2.0, flag and k > 2, int(x), round(x), abs(x) ** 0.5


def branched(x, limit):
    if x.sum() > limit:
        y = x * 2
        kept = 1
    elif x.max() > 0:
        y = -x
        kept = 2
    else:
        y = x + 1
        kept = 3
    return y, kept


def scattered(x, indices):
    y = np.zeros(5)
    np.add.at(y, indices, 1.0)
    z = x.copy()
    z[indices] = -1.0
    return y, z


def filled(x):
    y = np.zeros((x.shape[0], 3))
    y[:, 0] = x
    y[1:, 1] += x[1:]
    y[::2, 2] = 5.0
    return y


def running(x):
    y = np.empty_like(x)
    total = 0.0
    for k in range(x.shape[0]):
        total += float(x[k])
        if total > 1:
            total -= 1
            y[k] = total
        else:
            y[k] = -total
    return y, total


def nested_loops(x):
    n, m = x.shape
    y = np.zeros((n, m))
    for i in range(n):
        j = 0
        while j < m and x[i, j] > -3:
            y[i, j] = x[i, j] * (i + j)
            j += 1
    return y


def turned(x):
    y = x.copy()
    t = y.T
    for k in range(t.shape[0]):
        t[k] *= k
    return y


def chosen(x, k):
    y = np.zeros(3)
    if k > 2:
        y[0] = x.sum()
    else:
        y[1:] = x[:2]
        if k > 1:
            y[2] += k
    return y * 2


def shrinking(x):
    y = x[x > 0]
    while y.size > 2:
        y = y[1:]
    return y, y.size


def growing(x, n):
    y = x
    for _ in range(n):
        y = np.concatenate([y, y])
    return y, y.shape[0]


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def summary(named):
    return {"total": named["x"].sum(), "parts": (named["x"] + 1, named["y"])}


def constants(x):
    return x + np.array([1.0, 2.0, 3.0]), 5, 2.5


Calls = Sequence[tuple[Any, ...]]
X, K = [of("float64", n, 4) for n in (3, 1, 5)], [of("int64", n, 4) for n in (3, 1, 5)]
LINES = [of("float64", n) for n in (4, 1, 3)]
PROGRAMS: dict[str, tuple[Any, Any, Calls]] = {
    "convolutions": (Convolutions(), images("n", 2, 8, 8), [(floats(n, 2, 8, 8),) for n in (1, 3)]),
    "convolutions of any size": (Convolutions(), images("n", 2, 8, "w"), [(floats(2, 2, 8, 12),)]),
    "lines": (Lines(), images("n", 3, "l"), [(floats(1, 3, 9),), (floats(2, 3, 12),)]),
    "pooled": (Pooled(), images("n", 4, 7, 7), [(floats(n, 4, 7, 7),) for n in (1, 2)]),
    "gated": (
        Gated(),
        InputSpec(("n", "steps"), "int32"),
        [(Tensor(RANDOM.integers(0, 11, s).astype(np.int32)),) for s in ((2, 3), (1, 4), (3, 1), (1, 1))],
    ),
    "attending": (Attending(), images("n", 5, 8), [(floats(n, 5, 8),) for n in (1, 3)]),
    "arithmetic": (arithmetic, (spec("float64", "n", 4), spec("float64", 4)), [(x, of("float64", 4)) for x in X]),
    "arithmetic of one extent": (
        arithmetic,
        (spec("float32", "n"), spec("float32", "n")),
        [(of("float32", n), of("float32", n)) for n in (3, 1, 0)],
    ),
    "arithmetic of rank 0": (
        arithmetic,
        (spec("float32"), spec("float32", "n", 1)),
        [(of("float32"), of("float32", n, 1)) for n in (2, 1)],
    ),
    "functions": (functions, spec("float32", "n", 4), [(x.astype(np.float32),) for x in X]),
    "roundings": (roundings, spec("float64", "n", 4), [(x,) for x in X]),
    "integers": (integers, (spec("int64", "n", 4), spec("int64", 4)), [(k, np.array([3, -2, 5, 1])) for k in K]),
    "small integers": (
        integers,
        (spec("uint8", "n"), spec("uint8", "n")),
        [(np.arange(250, 250 + n).astype(np.uint8), np.arange(3, 3 + n).astype(np.uint8)) for n in (4, 1, 0)],
    ),
    "truths": (
        truths,
        (spec("bool", "n", 3), spec("bool", "n", 3)),
        [(of("bool", n, 3), of("bool", n, 3)) for n in (4, 1)],
    ),
    "selected": (
        selected,
        spec("float32", "n"),
        [(np.array([1.0, -5, np.nan, np.inf], np.float32),), (of("float32", 1),)],
    ),
    "reduced": (reduced, spec("float64", "n", 4), [(x,) for x in X]),
    "reduced bytes": (reduced_bytes, spec("uint8", "n", 2), [(np.array([[3, 200], [5, 255]], np.uint8),)]),
    "extremes": (extremes, spec("float64", "n", 4), [(x,) for x in X]),
    "extremes of integers": (extremes, spec("int64", "n", 4), [(k,) for k in K]),
    "softmaxed": (softmaxed, images("n", 4), [(floats(n, 4),) for n in (2, 1)]),
    "reshaped": (reshaped, spec("float64", "n", 4), [(x,) for x in X]),
    "broadcast": (broadcast, (spec("float64", "n"), spec("float64", "m")), [(x, y) for x in LINES for y in LINES]),
    "joined": (joined, (spec("float64", "n", 4), spec("float64", "m", 4)), [(X[0], X[2]), (X[1], X[0])]),
    "sliced": (sliced, spec("float64", "n", 4), [(x,) for x in X]),
    "rows": (rows, (spec("float64", "n", 4), spec("int64", "n")), [(x, np.arange(len(x)) % 3 - 1) for x in X[:2]]),
    "positive": (positive, spec("float64", "n"), [(x,) for x in LINES]),
    "numbered": (numbered, spec("float64", "n"), [(x,) for x in LINES]),
    "products": (
        products,
        (spec("float64", "n", 4), spec("float64", 4, "m")),
        [(x, of("float64", 4, m)) for x, m in zip(X, (2, 3, 1))],
    ),
    "products of integers": (
        products,
        (spec("int64", "n", 4), spec("int64", 4, 2)),
        [(k, of("int64", 4, 2)) for k in K],
    ),
    "batched": (
        batched,
        (spec("float32", "n", 2, 3), spec("float32", 3, 2)),
        [(of("float32", n, 2, 3), of("float32", 3, 2)) for n in (2, 1)],
    ),
    "converted": (converted, spec("float64", "n", 4), [(np.abs(x),) for x in X]),
    "scalars": (scalars, (1.5, 2, True), [(2.5, 7, True), (0.25, 1, False), (-3.5, -7, True)]),
    "branched": (branched, (spec("float64", "n"), 1.0), [(x, t) for x in LINES for t in (-100.0, 100.0)]),
    "scattered": (
        scattered,
        (spec("float64", 5), spec("int64", "n")),
        [(of("float64", 5), np.array(k)) for k in ([0, 3, 1], [2])],
    ),
    "filled": (filled, spec("float64", "n"), [(x,) for x in LINES]),
    "running": (running, spec("float64", "n"), [(x,) for x in LINES]),
    "nested loops": (nested_loops, spec("float64", "n", "m"), [(x,) for x in X]),
    "turned": (turned, spec("float64", "n", 4), [(x,) for x in X]),
    "chosen": (chosen, (spec("float64", 4), 1), [(of("float64", 4), k) for k in (1, 2, 3)]),
    "shrinking": (shrinking, spec("float64", "n"), [(np.arange(-2.0, 6.0),), (np.array([1.0]),)]),
    "growing": (growing, (spec("float64", "n"), 2), [(LINES[0], 3), (LINES[1], 0)]),
    "collatz": (collatz, 3, [(27,), (1,), (6,)]),
    "summary": (
        summary,
        ({"x": of("float64", 3), "y": of("float64", 2)},),
        [({"x": of("float64", 3), "y": of("float64", 2)},)],
    ),
    "constants": (constants, spec("float64", "n", 3), [(of("float64", n, 3),) for n in (2, 1)]),
}
