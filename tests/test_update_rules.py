"""The update rules of optimizers against their formulas in NumPy, by class, group and operator, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Parameter, Tensor, float64, nn, ops
from jitcore.nn import grouped

W = np.sin(np.arange(12.0)).reshape(4, 3)
GRADIENTS = [np.cos(np.arange(12.0) * k + k).reshape(4, 3) for k in (1, 2, 3, 4)]

Formula = Callable[[Any, Any, int, dict[str, Any]], Any]
"""What a Parameter becomes by a gradient at a step, given what is kept."""


def moment(s: dict[str, Any], g: Any, beta: float, name: str = "m") -> Any:
    s[name] = beta * s.get(name, 0.0) + (1 - beta) * g
    return s[name]


def descent(momentum: float = 0.0, dampening: float = 0.0, nesterov: bool = False, decay: float = 0.0) -> Formula:
    def step(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
        g = g + decay * w
        s["v"] = momentum * s["v"] + (1 - dampening) * g if s else g
        return w - 0.1 * (g + momentum * s["v"] if nesterov else s["v"])

    return step


def adam(nesterov: bool = False, largest: bool = False, decay: float = 0.0) -> Formula:
    def step(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
        g = g + decay * w
        m, v = moment(s, g, 0.9), moment(s, g * g, 0.99, "v")
        s["top"] = np.maximum(s.get("top", 0.0), v)
        m = 0.9 * m + 0.1 * g if nesterov else m
        root = np.sqrt(s["top"] if largest else v)
        return w - 0.1 * np.sqrt(1 - 0.99**k) / (1 - 0.9**k) * m / (root + 1e-3)

    return step


def corrected(decay: float = 0.0, decoupled: bool = False, largest: bool = False) -> Formula:
    def step(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
        g = g if decoupled else g + decay * w
        m, v = moment(s, g, 0.9) / (1 - 0.9**k), moment(s, g * g, 0.99, "v")
        s["top"] = np.maximum(s.get("top", 0.0), v)
        v = (s["top"] if largest else v) / (1 - 0.99**k)
        return w * (1 - 0.1 * decay if decoupled else 1) - 0.1 * m / (np.sqrt(v) + 1e-3)

    return step


def adam_weight_decay(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    return w - 0.1 * (moment(s, g, 0.9) / (np.sqrt(moment(s, g * g, 0.99, "v")) + 1e-3) + 0.05 * w)


def adamax(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    s["v"] = np.maximum(0.99 * s.get("v", 0.0), abs(g))
    return w - 0.1 / (1 - 0.9**k) * moment(s, g, 0.9) / (s["v"] + 1e-3)


def lamb(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    m, v = moment(s, g, 0.9) / (1 - 0.9**k), moment(s, g * g, 0.99, "v") / (1 - 0.99**k)
    update = m / (np.sqrt(v) + 1e-3) + 0.05 * w
    return w - 0.1 * np.linalg.norm(w) / np.linalg.norm(update) * update


def adagrad(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    s["total"] = s.get("total", 0.2) + g * g
    return w - 0.1 * g / np.sqrt(s["total"])


def proximal(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    moved = adagrad(w, g, k, s)
    rate = 0.1 / np.sqrt(s["total"])
    return np.sign(moved) * np.maximum(abs(moved) - rate * 0.2, 0) / (1 + rate * 0.3)


def adadelta(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    step = g * np.sqrt(s.get("steps", 0.0) + 1e-3) / np.sqrt(moment(s, g * g, 0.8, "squares") + 1e-3)
    moment(s, step * step, 0.8, "steps")
    return w - 0.1 * step


def rms_prop(centred: bool) -> Formula:
    def step(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
        square, mean = moment(s, g * g, 0.8, "v"), moment(s, g, 0.8)
        s["step"] = 0.5 * s.get("step", 0.0) + 0.1 * g / np.sqrt(square - (mean**2 if centred else 0) + 1e-3)
        return w - s["step"]

    return step


def ftrl(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    before = s.get("total", 0.2)
    after = s["total"] = before + g * g
    z = s["z"] = s.get("z", 0.0) + g - (after**0.5 - before**0.5) / 0.1 * w
    return np.where(abs(z) > 0.1, (np.sign(z) * 0.1 - z) / (after**0.5 / 0.1 + 2 * 0.2), 0)


def averaged(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    w = w * (1 - 0.01 * s.get("eta", 0.1)) - s.get("eta", 0.1) * g
    s["eta"] = 0.1 / (1 + 0.01 * 0.1 * k) ** 0.75
    return w


def rprop(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    turned = np.sign(g * s.get("g", 0.0))
    s["size"] = np.clip(s.get("size", 0.1) * np.where(turned > 0, 1.2, np.where(turned < 0, 0.5, 1)), 1e-6, 50)
    s["g"] = np.where(turned < 0, 0, g)
    return w - np.sign(s["g"]) * s["size"]


def lars(w: Any, g: Any, k: int, s: dict[str, Any]) -> Any:
    length, slope = np.linalg.norm(w), np.linalg.norm(g)
    return w - 0.1 * (g + 0.05 * w) * (0.01 * length / (slope + 0.05 * length + 1e-5))


BETAS = {"beta2": 0.99, "eps": 1e-3}
GROUPED = {"betas": (0.9, 0.99), "eps": 1e-3}
CLASSES: dict[str, tuple[Callable[[Any], Any], Formula]] = {
    "SGD": (lambda p: nn.SGD(p, 0.1), descent()),
    "SGD, dampened": (lambda p: nn.SGD(p, 0.1, 0.9, 0.3, 0.05), descent(0.9, 0.3, decay=0.05)),
    "SGD, nesterov": (lambda p: nn.SGD(p, 0.1, 0.9, nesterov=True), descent(0.9, nesterov=True)),
    "Momentum": (lambda p: nn.Momentum(p, 0.1, 0.9), descent(0.9)),
    "Momentum, nesterov": (lambda p: nn.Momentum(p, 0.1, 0.9, use_nesterov=True), descent(0.9, nesterov=True)),
    "Adam": (lambda p: nn.Adam(p, 0.1, **BETAS), adam()),
    "Adam, nesterov": (lambda p: nn.Adam(p, 0.1, use_nesterov=True, **BETAS), adam(nesterov=True)),
    "Adam, amsgrad": (lambda p: nn.Adam(p, 0.1, use_amsgrad=True, **BETAS), adam(largest=True)),
    "AdamWeightDecay": (lambda p: nn.AdamWeightDecay(p, 0.1, weight_decay=0.05, **BETAS), adam_weight_decay),
    "AdamW": (lambda p: nn.AdamW(p, 0.1, weight_decay=0.05, **BETAS), corrected(0.05, decoupled=True)),
    "AdaMax": (lambda p: nn.AdaMax(p, 0.1, **BETAS), adamax),
    "Lamb": (lambda p: nn.Lamb(p, 0.1, weight_decay=0.05, **BETAS), lamb),
    "Adagrad": (lambda p: nn.Adagrad(p, 0.2, 0.1), adagrad),
    "ProximalAdagrad": (lambda p: nn.ProximalAdagrad(p, 0.2, 0.1, 0.2, 0.3), proximal),
    "Adadelta": (lambda p: nn.Adadelta(p, 0.1, 0.8, 1e-3), adadelta),
    "RMSProp": (lambda p: nn.RMSProp(p, 0.1, 0.8, 0.5, 1e-3), rms_prop(False)),
    "RMSProp, centred": (lambda p: nn.RMSProp(p, 0.1, 0.8, 0.5, 1e-3, centered=True), rms_prop(True)),
    "FTRL": (lambda p: nn.FTRL(p, 0.2, 0.1, l1=0.1, l2=0.2), ftrl),
    "ASGD": (lambda p: nn.ASGD(p, 0.1, 0.01), averaged),
    "Rprop": (lambda p: nn.Rprop(p, 0.1), rprop),
    "LARS": (lambda p: nn.LARS(nn.SGD(p, 0.1, weight_decay=0.05), coefficient=0.01), lars),
    "LARS, decay a Cell": (lambda p: nn.LARS(nn.SGD(p, 0.1, weight_decay=Decay()), coefficient=0.01), lars),
    "grouped SGD": (lambda p: grouped.SGD(p, 0.1, 0.9, weight_decay=0.05), descent(0.9, decay=0.05)),
    "grouped SGD, nesterov": (lambda p: grouped.SGD(p, 0.1, 0.9, nesterov=True), descent(0.9, nesterov=True)),
    "grouped Adam": (lambda p: grouped.Adam(p, 0.1, weight_decay=0.05, **GROUPED), adam(decay=0.05)),
    "grouped Adam, amsgrad": (lambda p: grouped.Adam(p, 0.1, amsgrad=True, **GROUPED), adam(largest=True)),
    "grouped AdamW, amsgrad": (
        lambda p: grouped.AdamW(p, 0.1, weight_decay=0.05, amsgrad=True, **GROUPED), corrected(0.05, True, True)
    ),
    "grouped AdamW": (lambda p: grouped.AdamW(p, 0.1, weight_decay=0.05, **GROUPED), corrected(0.05, decoupled=True)),
}  # fmt: skip


class Decay(nn.Cell):
    def construct(self, step: Any) -> Any:
        return 0.05 + 0.0 * step


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("name", CLASSES)
def test_classes_and_groups(name: str) -> None:
    make, formula = CLASSES[name]
    p = Parameter(Tensor(W), name="w")
    optimizer = make([p])
    w, state = W, dict[str, Any]()
    for k, g in enumerate(GRADIENTS, 1):
        optimizer((Tensor(g),))
        w = formula(w, g, k, state)
    np.testing.assert_allclose(p.asnumpy(), w, rtol=1e-4, atol=1e-6)  # rates are float32


TWINS: dict[str, tuple[Callable[[Any], Any], Callable[..., Any]]] = {
    "Momentum": (lambda p: nn.Momentum(p, 0.1, 0.9), lambda lr, g, w, v: ops.ApplyMomentum()(w, v, lr, g, 0.9)),
    "AdamWeightDecay": (
        lambda p: nn.AdamWeightDecay(p, 0.1, weight_decay=0.05),
        lambda lr, g, w, m, v: ops.AdamWeightDecay()(w, m, v, lr, 0.9, 0.999, 1e-6, 0.05, g),
    ),
    "Adagrad": (lambda p: nn.Adagrad(p, 0.0, 0.1), lambda lr, g, w, a: ops.ApplyAdagrad()(w, a, lr, g)),
    "RMSProp": (
        lambda p: nn.RMSProp(p, 0.1, 0.9, 0.5, 1e-6),
        lambda lr, g, w, s, v: ops.ApplyRMSProp()(w, s, v, lr, g, 0.9, 0.5, 1e-6),
    ),
    "FTRL": (
        lambda p: nn.FTRL(p, 0.0, 0.1, l1=0.1, l2=0.2),
        lambda lr, g, w, a, z: ops.ApplyFtrl()(w, a, z, g, lr, 0.1, 0.2, -0.5),
    ),
}


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("name", TWINS)
def test_classes_and_operators_give_the_same_bits(name: str) -> None:
    make, operator = TWINS[name]
    p = Parameter(Tensor(W), name="w")
    optimizer = make([p])
    count = operator.__code__.co_argcount - 2
    places = [Parameter(Tensor(W if k == 0 else 0 * W), name=f"p{k}") for k in range(count)]
    for g in GRADIENTS:
        optimizer((Tensor(g),))
        operator(Tensor(np.float32(0.1)).astype(float64), Tensor(g), *places)
    np.testing.assert_array_equal(p.asnumpy(), places[0].asnumpy())


@pytest.mark.usefixtures("mode")
def test_operators_take_the_rest_of_a_beta_in_the_parameters_dtype() -> None:
    one, beta = np.float32(1), np.float32(0.999)
    p, m, v = (Parameter(Tensor(np.zeros(2, np.float32)), name=n) for n in "pmv")
    ops.Adam()(p, m, v, beta, beta, one, beta, beta, one, Tensor(np.ones(2, np.float32)))
    optimizer = nn.Adam([Parameter(Tensor(np.zeros(2, np.float32)), name="w")], beta2=0.999)
    optimizer((Tensor(np.ones(2, np.float32)),))
    assert (v.asnumpy()[0], optimizer.moment2[0].asnumpy()[0]) == (one - beta, np.float32(1 - 0.999))
    assert one - beta != np.float32(1 - 0.999)
