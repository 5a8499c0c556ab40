"""Functions and networks that `test_exports` exports: what each is exported for, and calls of it."""

# ruff: noqa: D101, D102, D103

from __future__ import annotations

from typing import Any

import numpy as np

import jitcore
from jitcore import InputSpec, Parameter, Tensor, nn, ops

RANDOM = np.random.default_rng(0)


def floats(*shape: int) -> Tensor:
    return Tensor(RANDOM.standard_normal(shape).astype(np.float32))


def ndarrays(*shape: str | int | None) -> InputSpec:
    return InputSpec(shape, "float64", of=np.ndarray)


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.dense = nn.SequentialCell(nn.Dense(256, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10))
        self.pool, self.flatten, self.relu = nn.MaxPool2d(2, 2), nn.Flatten(), nn.ReLU()

    def construct(self, x):
        x = self.pool(self.relu(self.first(x)))
        x = self.pool(self.relu(self.second(x)))
        return self.dense(self.flatten(x))


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm, self.dense = nn.LSTM(5, 7, 1, batch_first=True), nn.Dense(7, 2)

    def construct(self, x):
        y, _ = self.lstm(x)
        return self.dense(y[:, -1])


class Block(nn.Cell):
    def __init__(self, width=8):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Dense(width, width) for _ in range(4))
        self.norm, self.gelu = nn.LayerNorm((width,)), nn.GELU()
        self.up, self.down = nn.Dense(width, 2 * width), nn.Dense(2 * width, width)

    def construct(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = ops.softmax(ops.matmul(q, ops.swapaxes(k, 1, 2)) / 8**0.5, -1)
        x = self.norm(x + self.o(ops.matmul(weights, v)))
        return x + self.down(self.gelu(self.up(x)))


class Normalised(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm, self.dense = nn.BatchNorm1d(4), nn.Dense(4, 2)
        self.set_train(True)

    def construct(self, x):
        return self.dense(self.norm(x))


class Tied(nn.Cell):
    def __init__(self):
        super().__init__()
        self.one = Parameter(np.ones(3, np.float32), name="one")
        self.other = self.one

    def construct(self, x):
        return x * self.one + self.other


class Counter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = Parameter(np.zeros((), np.float32), name="count")

    def construct(self, x):
        self.count += 1
        return x * self.count


NETWORK = LeNet()
SCALE = np.array([1.5, 2.5, -1.0])
SHIFT = 0.25


def loss(x):
    return ops.reduce_sum(NETWORK(x) ** 2)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def newton(a, tolerance):
    x, rounds = a, 0
    while abs(x * x - a) > tolerance and rounds < 100:
        x = 0.5 * (x + a / x)
        rounds += 1
    return x, rounds


def solve(a, b):
    return np.linalg.solve(a, b)


def spectrum(x):
    return np.abs(np.fft.rfft(x))


def nested(named, pair):
    a, (b, c) = pair
    return {"sum": named["x"] + a, "list": [b * c, None, "text", named["x"].shape[0]]}


def item(x, i):
    if i < 0:
        raise ValueError(f"i is {i}")
    return x[i]


def both(x, y):
    return x + y, x @ y


def text(n):
    return f"n={n}", n if n > 3 else None, [k * k for k in range(n)]


def in_place(x):
    x += 1
    return x


def captured(x):
    return x * SCALE + SHIFT


def caught(x):
    try:
        return x[5]
    except IndexError:
        return -1.0


def pairs(n):
    made = []
    for k in range(n):
        made.append((k, k / 2))
    return made


PROGRAMS: dict[str, tuple[Any, Any, list[tuple[Any, ...]]]] = {
    "lenet": (NETWORK, InputSpec(("n", 1, 28, 28)), [(floats(1, 1, 28, 28),), (floats(3, 1, 28, 28),)]),
    "recurrent": (
        Recurrent(),
        InputSpec(("n", "steps", 5)),
        [(floats(2, 4, 5),), (floats(1, 3, 5),), (floats(3, 1, 5),), (floats(1, 1, 5),)],
    ),
    "block": (
        Block(),
        InputSpec(("n", "length", 8)),
        [(floats(2, 4, 8),), (floats(1, 3, 8),), (floats(3, 1, 8),), (floats(1, 1, 8),)],
    ),
    "normalised": (Normalised(), InputSpec(("n", 4)), [(floats(3, 4),), (floats(5, 4),)]),
    "tied": (Tied(), InputSpec(("n", 3)), [(floats(2, 3),)]),
    "counter": (Counter(), InputSpec(("n",)), [(floats(3),), (floats(2),)]),
    "gradient": (jitcore.value_and_grad(loss), floats(2, 1, 28, 28), [(floats(2, 1, 28, 28),)]),
    "compiled": (jitcore.jit(captured), ndarrays(3), [(np.arange(3.0),)]),
    "fibonacci": (fibonacci, 5, [(10,), (20,)]),
    "newton": (newton, (2.0, 1e-9), [(2.0, 1e-12), (7.0, 1e-3)]),
    "solve": (
        solve,
        (ndarrays("n", "n"), ndarrays("n", "k")),
        [(np.eye(3) + 1, np.ones((3, 2))), (np.eye(1), np.ones((1, 1)))],
    ),
    "spectrum": (spectrum, ndarrays(None), [(np.arange(8.0),), (np.arange(5.0),)]),
    "nested": (
        nested,
        ({"x": floats(3)}, (floats(3), (2.0, 3))),
        [({"x": floats(3)}, (floats(3), (2.5, 4)))],
    ),
    "nested_specs": (
        nested,
        ({"x": ndarrays("n")}, (ndarrays("n"), (2.0, 3))),
        [({"x": np.arange(4.0)}, (np.ones(4), (2.5, 4))), ({"x": np.arange(1.0)}, (np.ones(1), (2.5, 4)))],
    ),
    "item": (item, (ndarrays("n"), 1), [(np.arange(4.0), 2), (np.arange(1.0), 0)]),
    "both": (
        both,
        (ndarrays("n", "m"), ndarrays("m", "n")),
        [(np.eye(3), np.ones((3, 3))), (np.ones((1, 1)), np.ones((1, 1)))],
    ),
    "text": (text, 3, [(2,), (5,)]),
    "in_place": (in_place, ndarrays("n"), [(np.arange(3.0),)]),
    "caught": (caught, ndarrays("n"), [(np.arange(3.0),), (np.arange(7.0),)]),
    "pairs": (pairs, 3, [(2,), (0,), (5,)]),
}
CHANGING = frozenset(["normalised", "counter"])
"""Those that keep something from call to call."""


def told(value: Any) -> Any:
    """A result, to be compared bit for bit in another process."""
    if isinstance(value, Tensor):
        return ["Tensor", *told(value.asnumpy())]
    if isinstance(value, np.ndarray | np.generic):  # whose `repr` is as NumPy's print options have it
        return [type(value).__name__, value.dtype.str, list(value.shape), value.tobytes().hex()]
    if isinstance(value, dict):
        return {key: told(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(told, value)]
    return repr(value)
