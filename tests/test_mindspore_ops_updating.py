"""MindSpore's operators that change Parameters, against the formulas of the papers in NumPy, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Parameter, Tensor, nn, ops

G = np.array([[0.3, -0.7], [0.1, 0.8], [-0.2, 0.5]])
VAR, ONE, TWO = np.array([[0.6, 0.4], [0.1, 0.5], [-0.3, 0.2]]), np.abs(G) + 0.2, np.abs(G[::-1]) + 0.1


def adadelta(v: Any, a: Any, u: Any, g: Any = G) -> Any:
    a = 0.9 * a + 0.1 * g * g
    step = np.sqrt(u + 1e-6) / np.sqrt(a + 1e-6) * g
    return v - 0.01 * step, a, 0.9 * u + 0.1 * step * step


def ada_max(v: Any, m: Any, s: Any) -> Any:
    m, s = 0.9 * m + 0.1 * G, np.maximum(0.99 * s, np.abs(G))
    return v - 0.01 / (1 - 0.81) * m / (s + 1e-8), m, s


def amsgrad(v: Any, m: Any, s: Any, h: Any) -> Any:
    m, s = 0.9 * m + 0.1 * G, 0.99 * s + 0.01 * G * G
    h = np.maximum(h, s)
    return v - 0.01 * np.sqrt(1 - 0.98) / (1 - 0.81) * m / (np.sqrt(h) + 1e-8), m, s, h


def signs(v: Any, m: Any, power: bool) -> Any:
    m = 0.9 * m + 0.1 * G
    agree = np.sign(G) * np.sign(m) * 0.99
    return v - 0.01 * (np.exp(2.0 * agree) if power else 2.0 + agree) * G, m


def adagrad(v: Any, a: Any, epsilon: float = 0.0, g: Any = G) -> Any:
    return v - 0.01 * g / (np.sqrt(a + g * g) + epsilon), a + g * g


def dual(v: Any, g: Any, s: Any) -> Any:
    g, s = g + G, s + G * G
    kept = np.sign(g) * np.maximum(np.abs(g) - 0.1 * 2, 0)
    return -0.01 * kept / (0.2 * 2 * 0.01 + np.sqrt(s)), g, s


def shrunk(x: Any, rate: Any) -> Any:
    return np.sign(x) * np.maximum(np.abs(x) - rate * 0.1, 0) / (1 + rate * 0.2)


def proximal(v: Any, a: Any, g: Any = G) -> Any:
    a = a + g * g
    return shrunk(v - 0.01 / np.sqrt(a) * g, 0.01 / np.sqrt(a)), a


def ftrl(v: Any, a: Any, w: Any, g: Any = G, shrinkage: float = 0.0) -> Any:
    new = a + g * g
    w = w + g + 2 * shrinkage * v - (np.sqrt(new) - np.sqrt(a)) / 0.01 * v
    made = np.where(np.abs(w) > 0.1, (np.sign(w) * 0.1 - w) / (np.sqrt(new) / 0.01 + 0.4), 0)
    return made, new, w


def keras(v: Any, a: Any, nesterov: bool) -> Any:
    a = 0.9 * a - 0.01 * G
    return v + (0.9 * a - 0.01 * G if nesterov else a), a


def rms(v: Any, s: Any, m: Any, g: Any = G) -> Any:
    s = 0.9 * s + 0.1 * g * g
    m = 0.5 * m + 0.01 * g / np.sqrt(s + 1e-6)
    return v - m, s, m


def centred(v: Any, c: Any, s: Any, m: Any) -> Any:
    c, s = 0.9 * c + 0.1 * G, 0.9 * s + 0.1 * G * G
    m = 0.5 * m + 0.01 * G / np.sqrt(s - c * c + 1e-6)
    return v - m, c, s, m


def decoupled(v: Any, m: Any, s: Any) -> Any:
    m, s = 0.9 * m + 0.1 * G, 0.99 * s + 0.01 * G * G
    return v - 0.01 * (m / (np.sqrt(s) + 1e-8) + 0.1 * v), m, s


def adam(v: Any, m: Any, s: Any, g: Any) -> Any:
    m, s = 0.9 * m + 0.1 * g, 0.99 * s + 0.01 * g * g
    return v - 0.01 * np.sqrt(1 - 0.98) / (1 - 0.81) * m / (np.sqrt(s) + 1e-8), m, s


SMALL = 1e-8
POWERS = (0.81, 0.98, 0.01, 0.9, 0.99, SMALL)
CASES: list[tuple[Any, tuple[Any, ...], tuple[Any, ...], Callable[..., Any]]] = [
    (ops.ApplyAdadelta(), (ONE, TWO), (0.01, 0.9, 1e-6, G), adadelta),
    (ops.ApplyAdaMax(), (ONE, TWO), (0.81, 0.01, 0.9, 0.99, SMALL, G), ada_max),
    (ops.ApplyAdamWithAmsgrad(0.9, 0.99), (ONE, TWO, ONE), (0.81, 0.98, 0.01, G), amsgrad),
    (ops.ApplyAdamWithAmsgradV2(), (ONE, TWO, ONE), (*POWERS, G), amsgrad),
    (ops.ApplyAddSign(), (ONE,), (0.01, 2.0, 0.99, 0.9, G), lambda v, m: signs(v, m, False)),
    (ops.ApplyPowerSign(), (ONE,), (0.01, 2.0, 0.99, 0.9, G), lambda v, m: signs(v, m, True)),
    (ops.ApplyAdagrad(), (ONE,), (0.01, G), adagrad),
    (ops.ApplyAdagradV2(1e-3), (ONE,), (0.01, G), lambda v, a: adagrad(v, a, 1e-3)),
    (ops.ApplyAdagradDA(), (ONE, TWO), (G, 0.01, 0.1, 0.2, 2), dual),
    (ops.ApplyProximalAdagrad(), (ONE,), (0.01, 0.1, 0.2, G), proximal),
    (ops.ApplyProximalGradientDescent(), (), (0.01, 0.1, 0.2, G), lambda v: (shrunk(v - 0.01 * G, 0.01),)),
    (ops.ApplyFtrl(), (ONE, TWO), (G, 0.01, 0.1, 0.2, -0.5), ftrl),
    (ops.ApplyKerasMomentum(), (ONE,), (0.01, G, 0.9), lambda v, a: keras(v, a, False)),
    (ops.ApplyKerasMomentum(use_nesterov=True), (ONE,), (0.01, G, 0.9), lambda v, a: keras(v, a, True)),
    (ops.ApplyRMSProp(), (ONE, TWO), (0.01, G, 0.9, 0.5, 1e-6), rms),
    (ops.ApplyCenteredRMSProp(), (G, ONE, TWO), (G, 0.01, 0.9, 0.5, 1e-6), centred),
    (ops.AdamWeightDecay(), (ONE, TWO), (0.01, 0.9, 0.99, SMALL, 0.1, G), decoupled),
]  # fmt: skip

PLACES = np.array([2, 0, 2])


def summed() -> Any:
    """The gradients of rows G of the rows PLACES, and which there are."""
    total, touched = np.zeros_like(VAR), np.zeros((3, 1), bool)
    np.add.at(total, PLACES, G)
    touched[PLACES] = True
    return total, touched


def only_rows(update: Callable[..., Any]) -> Callable[..., Any]:
    def call(*state: Any) -> Any:
        total, touched = summed()
        return tuple(np.where(touched, new, old) for new, old in zip(update(*state, total), state, strict=True))

    return call


ROWS = (G, Tensor(PLACES.astype(np.int32)))
CASES += [
    (ops.FusedSparseLazyAdam(), (ONE, TWO), (*POWERS, *ROWS), only_rows(adam)),
    (ops.FusedSparseAdam(), (ONE, TWO), (*POWERS, *ROWS), lambda v, m, s: adam(v, m, s, summed()[0])),
    (ops.SparseApplyAdagrad(0.01), (ONE,), ROWS, only_rows(lambda v, a, g: adagrad(v, a, 0, g))),
    (ops.SparseApplyAdagradV2(0.01, 1e-3), (ONE,), ROWS, only_rows(lambda v, a, g: adagrad(v, a, 1e-3, g))),
    (ops.SparseApplyAdadelta(1e-6), (ONE, TWO), (0.01, 0.9, *ROWS), only_rows(adadelta)),
    (ops.SparseApplyProximalAdagrad(), (ONE,), (0.01, 0.1, 0.2, *ROWS), only_rows(proximal)),
    (ops.FusedSparseFtrl(0.01, 0.1, 0.2, -0.5), (ONE, TWO), ROWS, only_rows(ftrl)),
    (ops.SparseApplyFtrlV2(0.01, 0.1, 0.2, 0.3, -0.5), (ONE, TWO), ROWS, only_rows(lambda *a: ftrl(*a, 0.3))),
    (ops.SparseApplyRMSProp(0.9, 0.5, 1e-6), (ONE, TWO), (0.01, *ROWS), only_rows(rms)),
]


class Net(nn.Cell):
    def __init__(self, primitive: Any, state: tuple[Any, ...]) -> None:
        super().__init__()
        self.primitive = primitive
        self.var = Parameter(Tensor(VAR), name="var")
        self.state = tuple(Parameter(Tensor(s), name=f"state{k}") for k, s in enumerate(state))

    def construct(self, *operands: Any) -> Any:
        return self.primitive(self.var, *self.state, *operands)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda c: type(c[0]).__name__)
def test_steps(case: Any, compiled: bool) -> None:
    primitive, state, operands, expected = case
    net = Net(primitive, state)
    from jitcore import jit

    call = jit(net.construct) if compiled else net.construct
    made = call(*(Tensor(v) if isinstance(v, np.ndarray) else v for v in operands))
    wanted = expected(VAR, *state)
    for have, want in zip((net.var, *net.state), wanted, strict=True):
        np.testing.assert_allclose(have.asnumpy(), want, rtol=1e-9)
    first = made[0] if isinstance(made, tuple) else made
    np.testing.assert_allclose(first.asnumpy(), wanted[0], rtol=1e-9)


def test_momentum_starts_with_the_gradient() -> None:
    net = Net(ops.SGD(0.1, 0.5), (G, np.ones(3)[:1]))
    accum, stat = net.state
    net.primitive(net.var, Tensor(G), Tensor(0.01), accum, Tensor(0.9), stat)
    total = G + 0.5 * VAR
    np.testing.assert_allclose(net.var.asnumpy(), VAR - 0.01 * total)
    net.primitive(net.var, Tensor(G), Tensor(0.01), accum, Tensor(0.9), stat)
    then = 0.9 * total + 0.9 * (G + 0.5 * (VAR - 0.01 * total))
    np.testing.assert_allclose(net.var.asnumpy(), VAR - 0.01 * total - 0.01 * then)
