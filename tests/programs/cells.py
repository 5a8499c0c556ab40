"""Cells: parameters, sub-cells, lists of cells, attributes; the same compiled as run eagerly."""

# pyright: basic

from __future__ import annotations

import numpy as np

from jitcore import Parameter, Tensor, nn, ops
from programs.corpus import case


def counted(*shape):
    return np.arange(1, 1 + int(np.prod(shape)), dtype=np.float32).reshape(shape) / 4


class Affine(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.weight = Parameter(Tensor(np.full(3, k, np.float32)), name="weight")
        self.shift = 0.5

    def construct(self, x):
        return x * self.weight + self.shift


class Deep(nn.Cell):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.CellList([Affine(0.5 * k + 0.5) for k in range(depth)])
        self.activation = nn.ReLU()

    def construct(self, x):
        for layer in self.layers:
            x = self.activation(layer(x) - 1)
        return x


class Gated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = Affine(1.0), Affine(-2.0)

    def construct(self, x, flag):
        if flag:
            return self.a(x)
        return self.b(x) + self.helper(x)

    def helper(self, x):
        return ops.tanh(x)


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cell = Affine(0.25)

    def construct(self, x, n):
        h = x * 0
        for _ in range(n):
            h = ops.tanh(self.cell(h) + x)
        return h


class Child(Gated):
    def construct(self, x, flag):
        return super().construct(x, not flag) * 2


AFFINE, DEEP, GATED, RECURRENT, CHILD = Affine(2.0), Deep(3), Gated(), Recurrent(), Child()
SEQUENCE = nn.SequentialCell([Affine(1.0), nn.Sigmoid(), Affine(3.0)])


@case((counted(3),), (counted(2, 3),))
def affine(x):
    return AFFINE(Tensor(x))


@case((counted(3),), (-counted(2, 3),))
def deep(x):
    return DEEP(Tensor(x)), len(DEEP.layers)


@case((counted(3), True), (counted(3), False), tolerance=1e-6)
def gated(x, flag):
    return GATED(Tensor(x), flag), CHILD(Tensor(x), flag)


@case((counted(3), 4), (counted(3), 0), tolerance=1e-6)
def recurrent(x, n):
    return RECURRENT(Tensor(x), n)


@case((counted(3),), tolerance=1e-6)
def sequential(x):
    return SEQUENCE(Tensor(x)), DEEP.layers[1](Tensor(x))


@case((counted(3), 2), (counted(3), 5))
def cells_in_a_loop(x, n):
    y = Tensor(x)
    for k in range(n):
        y = AFFINE(y) * 0.5 if k % 2 else y - AFFINE.weight
    return y


@case((counted(4),))
def tensor_methods(x):
    t = Tensor(x)
    return (
        t.sum(),
        t.mean(),
        t.reshape((2, 2)),
        t.max(),
        t.shape,
        t.dtype,
        (t > 0.5).sum() if False else t.abs(),
        t[1:3],
        t.T,
    )


@case((counted(2, 3), counted(3, 2)))
def tensor_operators(a, b):
    x, y = Tensor(a), Tensor(b)
    return x @ y, x + 1, 2 - x, x / 2, -x, x * x, x[0], x[:, 1], x == x, x > 0.5


@case((counted(3), 0.5), tolerance=1e-6)
def ops_functions(x, k):
    t = Tensor(x)
    return ops.exp(t), ops.maximum(t, k), ops.concat((t, t)), ops.reduce_sum(t), ops.relu(t - k), ops.softmax(t)
